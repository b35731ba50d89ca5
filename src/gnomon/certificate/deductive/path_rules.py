"""The rules for path formulae: no path goes through a tableau, or some path does.

Paths are those without an end; where there are constraints of fairness, those that meet them.
"""

from gnomon.certificate.deductive.assertions import (
    ALWAYS,
    NEVER,
    Assertion,
    condition_of,
    every,
    opposite,
    some,
)
from gnomon.certificate.deductive.conduct import SOME_PATH, Conduct, Mover, read_conduct
from gnomon.certificate.deductive.ending import Ending, read_stages
from gnomon.certificate.deductive.moves import Moves
from gnomon.certificate.deductive.tableau import Tableau
from gnomon.certificate.deductive.temporal_rules import Setting, lead_to, moves_of
from gnomon.certificate.shape import member, row

#: For each node, something of each that may follow it.
_ByEdge = tuple[tuple[Assertion, ...], ...]


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
    for case in moves_of(setting, conduct, ALWAYS).cases(reads):
        for node, following in enumerate(tableau.following):
            for each in following:
                after, known = case.after(inside[each].reads | labels[each].reads)
                given = [inside[node].text(case.now), *known, labels[each].text(after)]
                case.prove(
                    given, inside[each].text(after), "a path may go on otherwise than it is said"
                )
        ending.prove(case, inside)


def check_some_path(
    setting: Setting,
    tableau: Tableau,
    labels: tuple[Assertion, ...],
    where: Assertion,
    data: object,
    constraints: tuple[Assertion, ...],
) -> None:
    """Have a label proved of which it is said that some path from there goes through a tableau.

    `labels` are where all surely holds that a node says of now. The label comes with a condition for each
    node, in which one can go on to a node that follows. One can also go on so that nothing is put off any
    longer, and so that each constraint is met: each time by moves of one's own, to nodes that are picked.
    """
    script, invariant = setting.steps.script, setting.invariant
    size = len(tableau.nodes)
    inside = _conditions(setting, member(data, "nodes"), size)
    now = setting.steps.step({}).now
    begins = some(inside[node] for node in tableau.initial)
    given = [invariant.text(now), where.text(now)]
    script.prove(given, begins.text(now), "no path begins as it is said")
    for here, label in zip(inside, labels, strict=True):
        given = [invariant.text(now), here.text(now)]
        script.prove(given, label.text(now), "a path goes where it should not")
    anywhere = tuple((ALWAYS,) * len(following) for following in tableau.following)
    _go_on(setting, tableau, data, inside, (inside, anywhere))
    on_time = [
        tuple(NEVER if promise in node.late else ALWAYS for node in tableau.nodes)
        for promise in tableau.promises
    ]
    sets = (*on_time, *((each,) * size for each in constraints))
    for met, each in zip(sets, row(member(data, "rounds"), len(sets)), strict=True):
        parts = zip(inside, met, strict=True)
        waiting = tuple(every((part, opposite(done))) for part, done in parts)
        rows = zip(row(member(each, "picks"), size), tableau.following, strict=True)
        picks = tuple(_conditions(setting, picked, len(following)) for picked, following in rows)
        stages = read_stages(setting.written, member(each, "stages"), size)
        ending = Ending(stages, tableau.following, (), picks)
        reads = ending.looked_at.union(*(part.reads for part in waiting))
        for node, moves in enumerate(_go_on(setting, tableau, each, waiting, (inside, picks))):
            for case in moves.cases(reads):
                ending.prove(case, waiting, node)


def _conditions(setting: Setting, data: object, size: int) -> tuple[Assertion, ...]:
    written = setting.written
    return tuple(condition_of(written, written.ref(each)) for each in row(data, size))


def _go_on(
    setting: Setting,
    tableau: Tableau,
    data: object,
    here: tuple[Assertion, ...],
    there: tuple[tuple[Assertion, ...], _ByEdge],
) -> list[Moves]:
    """Have it proved that one can go on at each node, to one that follows and is picked there."""
    inside, picks = there
    rows = row(member(data, "moves"), len(tableau.nodes))
    found = []
    for node, told in enumerate(rows):
        conduct = read_conduct(setting.steps, setting.written, SOME_PATH, told)
        moves = moves_of(setting, conduct, here[node])
        moves.check()
        edges = zip(tableau.following[node], picks[node], strict=True)
        target = some(every((inside[each], pick)) for each, pick in edges)
        lead_to(moves, target, "a path cannot go on as it is said")
        found.append(moves)
    return found
