"""A path formula as a generalised Büchi automaton, built on the fly.

After Gerth, Peled, Vardi and Wolper 1995, with the promises of Couvreur 1999: a node says what
holds now, what has to hold next, and which `until` it puts off. A path satisfies the formula where
some run over it puts off no `until` for ever.
"""

from gnomon.logic.path import (
    Both,
    Either,
    Path,
    PathConstant,
    PathNext,
    PathRelease,
    PathUntil,
    PathWindow,
    StateLiteral,
)
from gnomon.model.budget import OutOfReach
from gnomon.model.formula import Formula, Not
from gnomon.text.record import Record

#: Each node stands for a set of states in the product; a formula that needs more is out of reach.
MOST_NODES = 5_000


class AutomatonNode(Record):
    """What holds now, what has to hold next, and the `until`s put off."""

    now: frozenset[Formula] = frozenset()
    next: frozenset[Path] = frozenset()
    late: frozenset[PathUntil] = frozenset()

    def covers(self, other: "AutomatonNode") -> bool:
        """Return whether every path from `other` is one from this node, too."""
        return self.now <= other.now and self.next <= other.next and self.late <= other.late


class Automaton(Record):
    """The nodes, those a run may start in, those that may follow each, and all the `until`s."""

    nodes: tuple[AutomatonNode, ...]
    initial: tuple[int, ...]
    successors: tuple[tuple[int, ...], ...]
    untils: tuple[PathUntil, ...] = ()


def automaton(path: Path) -> Automaton:
    """Return an automaton that accepts exactly the paths on which the formula holds."""
    numbers: dict[AutomatonNode, int] = {}
    nodes: list[AutomatonNode] = []
    known: dict[frozenset[Path], tuple[int, ...]] = {}

    def reach(obligations: frozenset[Path]) -> tuple[int, ...]:
        if obligations not in known:
            for node in (ways := nodes_for(obligations)):
                if numbers.setdefault(node, len(nodes)) == len(nodes):
                    nodes.append(node)
            known[obligations] = tuple(numbers[node] for node in ways)
            if len(nodes) > MOST_NODES:
                msg = f"the formula needs an automaton of more than {MOST_NODES:,} nodes"
                raise OutOfReach(msg)
        return known[obligations]

    initial = reach(frozenset((path,)))
    successors: list[tuple[int, ...]] = []
    while len(successors) < len(nodes):
        successors.append(reach(nodes[len(successors)].next))
    late = {until for node in nodes for until in node.late}
    return Automaton(tuple(nodes), initial, tuple(successors), tuple(sorted(late, key=repr)))


def nodes_for(obligations: frozenset[Path]) -> list[AutomatonNode]:
    """Return the ways to meet the obligations: what to see now and what to leave for later."""
    found: list[AutomatonNode] = []
    open_: list[tuple[tuple[Path, ...], frozenset[Path], AutomatonNode]] = [
        (tuple(sorted(obligations, key=repr)), frozenset(), AutomatonNode())
    ]
    while open_:
        todo, done, node = open_.pop()
        if not todo:
            if not any(other.covers(node) for other in found):
                found = [other for other in found if not node.covers(other)]
                found.append(node)
            if len(found) > MOST_NODES:
                msg = f"the formula needs an automaton of more than {MOST_NODES:,} nodes"
                raise OutOfReach(msg)
            continue
        first, rest = todo[0], todo[1:]
        if first in done:
            open_.append((rest, done, node))
            continue
        for more, changed in reversed(_expand(first, node)):
            open_.append((more + rest, done | {first}, changed))
    return found


def _expand(path: Path, node: AutomatonNode) -> list[tuple[tuple[Path, ...], AutomatonNode]]:
    """Return the ways to meet one obligation: what else has to be met now, and the node so far."""
    match path:
        case PathConstant(value):
            return [((), node)] if value else []
        case StateLiteral(formula):
            opposite = formula.body if isinstance(formula, Not) else Not(formula)
            if opposite in node.now:
                return []
            return [((), AutomatonNode(node.now | {formula}, node.next, node.late))]
        case Both(left, right):
            return [((left, right), node)]
        case Either(left, right):
            return [((left,), node), ((right,), node)]
        case PathNext(body):
            return [((), AutomatonNode(node.now, node.next | {body}, node.late))]
        case PathUntil(left, right):
            later = AutomatonNode(node.now, node.next | {path}, node.late | {path})
            return [((right,), node), ((left,), later)]
        case PathRelease(left, right):
            later = AutomatonNode(node.now, node.next | {path}, node.late)
            return [((left, right), node), ((right,), later)]
        case PathWindow(0, 0):
            return [((path.last,), node)]
        case PathWindow():
            won, kept = path.early if path.low else path.inside
            later = AutomatonNode(node.now, _with_window(node.next, path.rest()), node.late)
            return [((won,), node), ((kept,), later)]


def _with_window(obligations: frozenset[Path], window: PathWindow) -> frozenset[Path]:
    """Add a window, and leave out those that follow from others: so few of them are open at a time."""
    others = [each for each in obligations if isinstance(each, PathWindow)]
    if any(each.implies(window) for each in others):
        return obligations
    return obligations.difference(each for each in others if window.implies(each)) | {window}
