"""What it takes that a path satisfies a formula, as nodes: what holds now, and what has to hold next.

Every path that satisfies the formula goes through nodes that follow each other, and what a node says of now
holds in its states; and it does not put off an `until` for ever. So where no path does so, none satisfies the
formula. It is the tableau of Lichtenstein and Pnueli (1985), as far as it can be reached.
"""

from typing import Final, NamedTuple

from gnomon.certificate.core import MOST_NESTED
from gnomon.certificate.rejection import TooMuch, Unproved
from gnomon.model.formula import (
    And,
    Bounded,
    Constant,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Until,
    WeakUntil,
    is_path_formula,
    show_formula,
)
from gnomon.model.windows import at_step

TRUE: Final = Constant(True)
FALSE: Final = Constant(False)
#: A formula that takes more nodes is too large to be proved.
MOST_NODES: Final = 300


class TableauNode(NamedTuple):
    """Formulae on states that hold now, what has to hold next, and what is put off."""

    now: frozenset[Formula] = frozenset()
    next: frozenset[Formula] = frozenset()
    late: frozenset[Formula] = frozenset()


class Tableau(NamedTuple):
    """The nodes, those to begin with, those that may follow each, and all that may be put off."""

    nodes: tuple[TableauNode, ...]
    initial: tuple[int, ...]
    following: tuple[tuple[int, ...], ...]
    promises: tuple[Formula, ...]


def tableau(path: Formula) -> Tableau:
    """Return a tableau of a path formula."""
    nodes: list[TableauNode] = []
    numbers: dict[TableauNode, int] = {}

    def reach(obligations: frozenset[Formula]) -> tuple[int, ...]:
        found = []
        for node in _ways(obligations):
            if node not in numbers:
                if len(nodes) >= MOST_NODES:
                    raise TooMuch(f"a path formula takes more than {MOST_NODES} nodes")
                numbers[node] = len(nodes)
                nodes.append(node)
            found.append(numbers[node])
        return tuple(found)

    initial = reach(frozenset((positive(path, holds=True),)))
    following: list[tuple[int, ...]] = []
    while len(following) < len(nodes):
        following.append(reach(nodes[len(following)].next))
    promises = {promise for node in nodes for promise in node.late}
    return Tableau(
        tuple(nodes), initial, tuple(following), tuple(sorted(promises, key=show_formula))
    )


def _ways(obligations: frozenset[Formula]) -> list[TableauNode]:
    """Return all ways to meet some obligations, but for those that take more than another one."""
    found: list[TableauNode] = []
    open_ = [(tuple(sorted(obligations, key=show_formula)), TableauNode())]
    while open_:
        todo, node = open_.pop()
        if todo:
            open_.extend((more + todo[1:], changed) for more, changed in _expanded(todo[0], node))
        elif not any(_covers(other, node) for other in found):
            found = [other for other in found if not _covers(node, other)]
            found.append(node)
        if len(open_) + len(found) > MOST_NODES:
            raise TooMuch(f"a path formula takes more than {MOST_NODES} nodes")
    return found


def _covers(node: TableauNode, other: TableauNode) -> bool:
    """Return whether all that a node asks for is asked for by another."""
    return node.now <= other.now and node.next <= other.next and node.late <= other.late


def _expanded(path: Formula, node: TableauNode) -> list[tuple[tuple[Formula, ...], TableauNode]]:
    """Return the ways to meet one obligation: what else has to be met now, and the node so far."""
    match path:
        case Constant(value):
            return [((), node)] if value else []
        case And(operands) if is_path_formula(path):
            return [(operands, node)]
        case Or(operands) if is_path_formula(path):
            return [((operand,), node) for operand in operands]
        case Next(body):
            return [((), node._replace(next=node.next | {body}))]
        case Until(left, right):
            later = node._replace(next=node.next | {path}, late=node.late | {path})
            return [((right,), node), ((left,), later)]
        case Release(left, right):
            later = node._replace(next=node.next | {path})
            return [((left, right), node), ((right,), later)]
        case _:
            return [((), node._replace(now=node.now | {path}))]


def positive(path: Formula, *, holds: bool) -> Formula:
    """Return that a path formula holds, or fails, in X, U and R, with no negation but of states."""
    if not is_path_formula(path):
        return path if holds else Not(path)
    match path:
        case Not(body):
            return positive(body, holds=not holds)
        case And(operands) | Or(operands):
            parts = tuple(positive(part, holds=holds) for part in operands)
            return And(parts) if isinstance(path, And) == holds else Or(parts)
        case Implies(left, right):
            return positive(Or((Not(left), right)), holds=holds)
        case Iff(left, right):
            both = And((left, right)), And((Not(left), Not(right)))
            return positive(Or(both), holds=holds)
        case Next(body):
            return Next(positive(body, holds=holds))
        case Finally(body):
            return positive(Until(TRUE, body), holds=holds)
        case Globally(body):
            return positive(Release(FALSE, body), holds=holds)
        case WeakUntil(left, right):
            return positive(Release(right, Or((left, right))), holds=holds)
        case Bounded():
            return positive(_by_steps(path), holds=holds)
        case Until(left, right) | Release(left, right):
            sides = positive(left, holds=holds), positive(right, holds=holds)
            return Until(*sides) if isinstance(path, Until) == holds else Release(*sides)
        case _:
            raise Unproved(show_formula(path))


def _by_steps(path: Bounded) -> Formula:
    """Return a path formula with bounds, one step inside the other."""
    if path.high > MOST_NESTED:
        raise Unproved(show_formula(path))
    found: Formula = FALSE
    for step in reversed(range(path.high + 1)):
        won, kept = at_step(path, step)
        found = won if step == path.high else Or((won, And((kept, Next(found)))))
    return found
