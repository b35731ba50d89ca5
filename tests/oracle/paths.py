"""Infinite paths, by the closure tableau of Lichtenstein and Pnueli; operators with bounds, step by step.

A node is a state and a guess, for each temporal operator, of its value at the next state. The guesses
determine the value of every subformula now.
"""

from collections.abc import Callable, Mapping
from itertools import product

from gnomon.model import formula as f
from gnomon.model.step import State
from tests.oracle.fixpoints import Graph, States, TooMany

#: Nobody waits for more nodes than this.
MOST_NODES = 1 << 12

Guess = tuple[bool, ...]
Node = tuple[State, Guess]


def exists(
    graph: Graph,
    path: f.Formula,
    states: Callable[[f.Formula], States],
    constraints: tuple[States, ...],
    steps: tuple[frozenset[tuple[State, State]], ...] = (),
) -> States:
    """Where some infinite path satisfies a path formula and meets each constraint for ever again.

    So it does with sets of steps: it takes one of each for ever again.
    """
    temporal = _temporal(path)
    known: dict[f.Formula, States] = {}

    def value(part: f.Formula, node: Node) -> bool:
        state, guess = node
        if not f.is_path_formula(part):
            if part not in known:
                known[part] = states(part)
            return state in known[part]
        match part:
            case f.Not(body):
                return not value(body, node)
            case f.And(operands):
                return all(value(each, node) for each in operands)
            case f.Or(operands):
                return any(value(each, node) for each in operands)
            case f.Implies(left, right):
                return not value(left, node) or value(right, node)
            case f.Iff(left, right):
                return value(left, node) == value(right, node)
            case f.Next():
                return guess[temporal.index(part)]
            case f.Finally(body):
                return value(body, node) or guess[temporal.index(part)]
            case f.Globally(body):
                return value(body, node) and guess[temporal.index(part)]
            case f.Until(left, right) | f.WeakUntil(left, right):
                later = guess[temporal.index(part)]
                return value(right, node) or (value(left, node) and later)
            case f.Release(left, right):
                later = guess[temporal.index(part)]
                return value(right, node) and (value(left, node) or later)
            case _:
                raise AssertionError(part)

    if len(graph) << len(temporal) > MOST_NODES:
        raise TooMany
    guesses = list(product((False, True), repeat=len(temporal)))
    comes_true: dict[Node, Guess] = {}
    for node in product(graph, guesses):
        comes_true[node] = tuple(
            value(part.body if isinstance(part, f.Next) else part, node) for part in temporal
        )
    by_value: dict[tuple[State, Guess], list[Node]] = {}
    for node, values in comes_true.items():
        by_value.setdefault((node[0], values), []).append(node)
    edges = {
        (state, guess): [n for t in graph[state] for n in by_value.get((t, guess), [])]
        for state, guess in comes_true
    }
    goals: list[Callable[[Node], bool]] = [lambda node, c=c: node[0] in c for c in constraints]  # type: ignore[misc]
    goals += [lambda node, part=part: _settled(part, node, value) for part in temporal]  # type: ignore[misc]
    good: set[Node] = set()
    for component in components(edges):
        cyclic = len(component) > 1 or any(n in edges[n] for n in component)
        inside = {(n[0], m[0]) for n in component for m in edges[n] if m in component}
        if (
            cyclic
            and all(any(map(goal, component)) for goal in goals)
            and all(map(inside.__and__, steps))
        ):
            good |= component
    while more := {n for n in edges if n not in good and any(t in good for t in edges[n])}:
        good |= more
    return frozenset(node[0] for node in good if value(path, node))


def _settled(part: f.Formula, node: Node, value: Callable[[f.Formula, Node], bool]) -> bool:
    """Whether a promise is not open at a node: kept here, or not made."""
    match part:
        case f.Finally(body):
            return value(body, node) or not value(part, node)
        case f.Until(_, right):
            return value(right, node) or not value(part, node)
        case f.Globally(body):
            return not value(body, node) or value(part, node)
        case f.WeakUntil(left, right):
            broken = not value(left, node) and not value(right, node)
            return broken or value(part, node)
        case f.Release(_, right):
            return not value(right, node) or value(part, node)
        case _:
            return True


def unfolded(path: f.Formula) -> f.Formula:
    """A path formula with every operator with bounds written out, step by step."""
    match path:
        case _ if not f.is_path_formula(path):
            return path
        case f.And(operands) | f.Or(operands):
            return type(path)(tuple(map(unfolded, operands)))
        case f.Not(body) | f.Next(body) | f.Finally(body) | f.Globally(body):
            return type(path)(unfolded(body))
        case f.Implies(left, right) | f.Iff(left, right) | f.Until(left, right):
            return type(path)(unfolded(left), unfolded(right))
        case f.WeakUntil(left, right) | f.Release(left, right):
            return type(path)(unfolded(left), unfolded(right))
        case f.Bounded(inner, low, high):
            return step_by_step(inner, low, high)
        case _:
            raise AssertionError(path)


def step_by_step(path: f.Formula, low: int, high: int) -> f.Formula:
    """What an operator says of the steps from `low` to `high`, by going on step by step."""
    later: Callable[[], f.Formula] = lambda: f.Next(  # noqa: E731
        step_by_step(path, max(low - 1, 0), high - 1)
    )
    match path:
        case f.Finally(body):
            return step_by_step(f.Until(f.Constant(True), body), low, high)
        case f.Globally(body):
            return step_by_step(f.Release(f.Constant(False), body), low, high)
        case f.WeakUntil(left, right):
            return step_by_step(f.Release(right, f.Or((left, right))), low, high)
        case f.Until(left, right):
            left, right = unfolded(left), unfolded(right)
            if low > 0:
                return f.And((left, later()))
            return right if high == 0 else f.Or((right, f.And((left, later()))))
        case f.Release(left, right):
            left, right = unfolded(left), unfolded(right)
            if low > 0:
                return f.Or((left, later()))
            return right if high == 0 else f.And((right, f.Or((left, later()))))
        case _:
            raise AssertionError(path)


def _temporal(path: f.Formula) -> list[f.Formula]:
    """The temporal operators of a path formula outside the state formulae in it."""
    found: list[f.Formula] = []
    waiting = [path]
    while waiting:
        part = waiting.pop()
        if not f.is_path_formula(part):
            continue
        if isinstance(part, f.PathOperator) and part not in found:
            found.append(part)
        waiting.extend(f.parts(part))
    return found


def components(edges: Mapping[Node, list[Node]]) -> list[set[Node]]:
    """The strongly connected components, by Kosaraju's two searches."""
    order: list[Node] = []
    seen: set[Node] = set()
    for root in edges:
        stack = [(root, iter(edges[root]))] if root not in seen else []
        seen.add(root)
        while stack:
            node, rest = stack[-1]
            child = next((n for n in rest if n not in seen), None)
            if child is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(child)
                stack.append((child, iter(edges[child])))
    back: dict[Node, list[Node]] = {node: [] for node in edges}
    for node, targets in edges.items():
        for target in targets:
            back[target].append(node)
    found: list[set[Node]] = []
    placed: set[Node] = set()
    for root in reversed(order):
        if root in placed:
            continue
        component, waiting = {root}, [root]
        placed.add(root)
        while waiting:
            for before in back[waiting.pop()]:
                if before not in placed:
                    placed.add(before)
                    component.add(before)
                    waiting.append(before)
        found.append(component)
    return found
