"""The rules for time and strategies: a mover gets somewhere in a step, stays somewhere, or arrives.

Where only fair paths count, a mover that all paths obey need not care for states without one: `unfair`.
"""

from typing import NamedTuple

from gnomon.certificate.deductive.assertions import (
    ALWAYS,
    NEVER,
    Assertion,
    condition_of,
    every,
    opposite,
    some,
)
from gnomon.certificate.deductive.conduct import Conduct, Mover, read_conduct
from gnomon.certificate.deductive.ending import ONE_NODE, Ending, read_stages
from gnomon.certificate.deductive.moves import Moves
from gnomon.certificate.deductive.steps import SymbolicSteps
from gnomon.certificate.deductive.tableau import Tableau
from gnomon.certificate.deductive.written_conditions import WrittenConditions
from gnomon.certificate.shape import member, row
from gnomon.model.system import System


class Setting(NamedTuple):
    """What a proof is about, the conditions it writes down, and its invariant."""

    system: System
    steps: SymbolicSteps
    written: WrittenConditions
    invariant: Assertion


class Objective(NamedTuple):
    """What has to come about: `right` next, `left` until `right` comes, or `left` for ever or until then."""

    kind: str
    left: Assertion
    right: Assertion


class Fairness(NamedTuple):
    """Where each constraint fails, and where no path starts that counts."""

    fails: tuple[Assertion, ...] = ()
    unfair: Assertion = NEVER


def check_objective(
    setting: Setting,
    objective: Objective,
    mover: Mover,
    where: Assertion,
    data: object,
    fairness: Fairness,
) -> None:
    """Have a label proved of which it is said that a mover brings something about from there."""
    conduct = read_moves(setting, mover, data)
    kind, left, right = objective
    right = some((right, fairness.unfair))
    if kind == "next":
        moves = _moves(setting, conduct, where)
        moves.check()
        _lead_to(moves, right, "a next state is another one than it should be")
        return
    inside = every((where, opposite(right)))
    moves = _moves(setting, conduct, inside)
    moves.check()
    held = some((left, right))
    now = setting.steps.step({}).now
    given = [setting.invariant.text(now), where.text(now)]
    setting.steps.script.prove(given, held.text(now), "a label has a state that it should not have")
    _lead_to(moves, some((where, right)), "a label is left")
    if kind == "until":
        fails = tuple((each,) for each in fairness.fails)
        stages = read_stages(setting.written, member(data, "stages"), 1)
        ending = Ending(stages, ONE_NODE, fails)
        for case in moves.cases(ending.looked_at | inside.reads):
            ending.prove(case, (inside,))


def check_no_fair_path(
    setting: Setting, where: Assertion, data: object, fails: tuple[Assertion, ...]
) -> None:
    """Have a label proved of which it is said that no fair path starts there."""
    objective = Objective("until", ALWAYS, NEVER)
    check_objective(setting, objective, Mover((), forces=True), where, data, Fairness(fails))


def check_lasting(
    setting: Setting,
    held: Assertion,
    where: Assertion,
    data: object,
    constraints: tuple[Assertion, ...],
) -> None:
    """Have a label proved of which it is said that some path stays in it, and meets constraints for ever.

    One can stay, and one can stay and come to each constraint, by moves of its own.
    """
    some_path = Mover((), forces=False)
    now = setting.steps.step({}).now
    given = [setting.invariant.text(now), where.text(now)]
    setting.steps.script.prove(given, held.text(now), "a label has a state that it should not have")
    _stays(setting, read_moves(setting, some_path, data), where, where)
    rounds = row(member(data, "rounds"), len(constraints))
    for constraint, each in zip(constraints, rounds, strict=True):
        inside = every((where, opposite(constraint)))
        moves = _stays(setting, read_moves(setting, some_path, each), inside, where)
        ending = Ending(read_stages(setting.written, member(each, "stages"), 1))
        for case in moves.cases(ending.looked_at | inside.reads):
            ending.prove(case, (inside,))


def read_moves(setting: Setting, mover: Mover, data: object) -> Conduct:
    """Return what a mover does."""
    moves = member(data, "moves")
    return read_conduct(setting.system, setting.steps, setting.written, mover, moves)


def _stays(setting: Setting, conduct: Conduct, here: Assertion, where: Assertion) -> Moves:
    """Have it proved that there are moves, and that they stay somewhere."""
    moves = _moves(setting, conduct, here)
    moves.check()
    _lead_to(moves, where, "a label is left")
    return moves


def check_no_path(
    setting: Setting,
    tableau: Tableau,
    labels: tuple[Assertion, ...],
    where: Assertion,
    data: object,
    fails: tuple[Assertion, ...],
) -> None:
    """Have a label proved of which it is said that no path from there goes through a tableau.

    `labels` are where all may hold that a node says of now. The label comes with a condition for each node:
    that which states can come to in that node.
    """
    script, invariant = setting.steps.script, setting.invariant
    refs = row(member(data, "nodes"), len(tableau.nodes))
    inside = tuple(condition_of(setting.written, setting.written.ref(each)) for each in refs)
    now = setting.steps.step({}).now
    for node in tableau.initial:
        given = [invariant.text(now), where.text(now), labels[node].text(now)]
        script.prove(given, inside[node].text(now), "a path may begin otherwise than it is said")
    late = [
        tuple(ALWAYS if promise in node.late else NEVER for node in tableau.nodes)
        for promise in tableau.promises
    ]
    everywhere = [(each,) * len(tableau.nodes) for each in fails]
    stages = read_stages(setting.written, member(data, "stages"), len(tableau.nodes))
    ending = Ending(stages, tableau.following, (*late, *everywhere))
    conduct = Conduct(Mover((), forces=True), ())
    reads = ending.looked_at.union(*(each.reads for each in (*inside, *labels)))
    for case in _moves(setting, conduct, ALWAYS).cases(reads):
        for node, following in enumerate(tableau.following):
            for each in following:
                after, known = case.after(inside[each].reads | labels[each].reads)
                given = [inside[node].text(case.now), *known, labels[each].text(after)]
                case.prove(
                    given, inside[each].text(after), "a path may go on otherwise than it is said"
                )
        ending.prove(case, inside)


def _moves(setting: Setting, conduct: Conduct, here: Assertion) -> Moves:
    return Moves(setting.steps, setting.written, conduct, here, setting.invariant)


def _lead_to(moves: Moves, target: Assertion, what: str) -> None:
    for case in moves.cases(target.reads):
        after, known = case.after(target.reads)
        case.prove(known, target.text(after), what)
