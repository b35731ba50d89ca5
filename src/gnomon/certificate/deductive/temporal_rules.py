"""The rules for time and strategies: a mover gets somewhere in a step, stays somewhere, or arrives.

Where only fair paths count, a mover that all paths obey need not care for states without one: `unfair`.
"""

from collections.abc import Callable
from typing import NamedTuple

from gnomon.certificate.deductive.assertions import (
    ALWAYS,
    NEVER,
    Assertion,
    every,
    opposite,
    some,
)
from gnomon.certificate.deductive.conduct import Conduct, Mover, read_conduct
from gnomon.certificate.deductive.ending import ONE_NODE, Ending, read_stages
from gnomon.certificate.deductive.moves import Moves
from gnomon.certificate.deductive.steps import SymbolicSteps
from gnomon.certificate.deductive.written_conditions import WrittenConditions
from gnomon.certificate.shape import member, row
from gnomon.certificate.smt_terms import disj
from gnomon.model.system import System


class Setting(NamedTuple):
    """What a proof is about, the conditions it writes down, its invariant, and what surely is reached."""

    system: System
    steps: SymbolicSteps
    written: WrittenConditions
    invariant: Assertion
    reached: Assertion = NEVER


class Objective(NamedTuple):
    """What has to come about: `right` next, `left` until `right` comes, or `left` for ever or until then."""

    kind: str
    left: Assertion
    right: Assertion


class Fairness(NamedTuple):
    """Where each constraint fails, and where no path starts that counts, or a mover need let none count."""

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
    conduct = readmoves_of(setting, mover, data)

    def moving(here: Assertion) -> Moves:
        return moves_of(setting, conduct, here)

    check_moves(setting, objective, moving, where, data, fairness)


def check_moves(
    setting: Setting,
    objective: Objective,
    moving: Callable[[Assertion], Moves],
    where: Assertion,
    data: object,
    fairness: Fairness,
) -> None:
    """Have a label proved of which it is said that some moves bring something about from there."""
    kind, left, right = objective
    right = some((right, fairness.unfair))
    if kind == "next":
        moves = moving(every((where, opposite(fairness.unfair))))
        moves.check()
        lead_to(moves, right, "a next state is another one than it should be")
        return
    inside = every((where, opposite(right)))
    moves = moving(inside)
    moves.check()
    held = some((left, right))
    now = setting.steps.step({}).now
    given = [setting.invariant.text(now), where.text(now)]
    setting.steps.script.prove(given, held.text(now), "a label has a state that it should not have")
    lead_to(moves, some((where, right)), "a label is left")
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
    objective: Objective,
    mover: Mover,
    where: Assertion,
    data: object,
    constraints: tuple[Assertion, ...],
) -> None:
    """Have a label proved of which it is said that a mover stays in it, and meets constraints for ever.

    One can stay, and one can stay and come to each constraint, by moves of its own; or it is over, where the
    right side of the objective has come.
    """
    _, left, right = objective
    now = setting.steps.step({}).now
    given = [setting.invariant.text(now), where.text(now)]
    held = some((left, right)).text(now)
    setting.steps.script.prove(given, held, "a label has a state that it should not have")
    going, fine = every((where, opposite(right))), some((where, right))
    _stays(setting, readmoves_of(setting, mover, data), going, fine)
    rounds = row(member(data, "rounds"), len(constraints))
    for constraint, each in zip(constraints, rounds, strict=True):
        inside = every((going, opposite(constraint)))
        moves = _stays(setting, readmoves_of(setting, mover, each), inside, fine)
        ending = Ending(read_stages(setting.written, member(each, "stages"), 1))
        for case in moves.cases(ending.looked_at | inside.reads):
            ending.prove(case, (inside,))


def check_everybody_acts(setting: Setting, mover: Mover, here: Assertion) -> None:
    """Have it proved that all agents have something to do: a path that ends is none that is fair."""
    steps = setting.steps.of(mover.members)
    step = steps.step({})
    given = [setting.invariant.text(step.now), here.text(step.now)]
    for agent in steps.agents:
        able = disj(step.may(agent, action) for action in agent.actions)
        steps.script.prove(given, able, "an outcome may end where it should be fair")


def readmoves_of(setting: Setting, mover: Mover, data: object) -> Conduct:
    """Return what a mover does."""
    moves = member(data, "moves")
    return read_conduct(setting.steps.of(mover.members), setting.written, mover, moves)


def _stays(setting: Setting, conduct: Conduct, here: Assertion, where: Assertion) -> Moves:
    """Have it proved that there are moves, and that they stay somewhere."""
    moves = moves_of(setting, conduct, here)
    moves.check()
    lead_to(moves, where, "a label is left")
    return moves


def moves_of(setting: Setting, conduct: Conduct, here: Assertion) -> Moves:
    """Return the moves of somebody from the states where a condition holds."""
    steps = setting.steps.of(conduct.mover.members)
    return Moves(steps, setting.written, conduct, here, setting.invariant)


def lead_to(moves: Moves, target: Assertion, what: str) -> None:
    """Have it proved that moves lead into a target; `what` says what is wrong where they do not."""
    for case in moves.cases(target.reads):
        after, known = case.after(target.reads)
        case.prove(known, target.text(after), what)
