"""Labels for a certificate: where fixpoints hold, with the ranks that show it.

Computed over listed states by plain iteration: what is checked has to be easy to check, not to find.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from gnomon.certificate.core import FAIR, core, spelled
from gnomon.certificate.listed_states import ListedStates, Profile, StateNumbers, profiled_moves
from gnomon.certificate.ranked_labels import CheckedLabels, RankedLabel, held_and_won
from gnomon.engines.uniform.cycles import components
from gnomon.model.budget import Budget
from gnomon.model.formula import (
    Enforces,
    Exists,
    Formula,
    Globally,
    GroupKnows,
    Next,
    Release,
    Until,
    WeakUntil,
    parts,
)
from gnomon.model.step import State, initial_states, joint_action_count
from gnomon.model.system import System

LabelTable = dict[tuple[str, bool], RankedLabel]

#: More states, or moves between them, than this are not listed.
MOST_STATES: Final = 20_000
MOST_MOVES: Final = 500_000


def list_states(
    system: System, budget: Budget, profile: Profile | None = None
) -> tuple[list[State], list[int | None]] | None:
    """Return all reachable states, and from which each was reached first; None where they are too many."""
    states: list[State] = []
    for state in initial_states(system):
        states.append(state)
        if len(states) > MOST_STATES:
            return None
    parents: list[int | None] = [None] * len(states)
    known = set(states)
    made = 0
    for number, state in enumerate(states):
        budget.check("listing states", number)
        made += joint_action_count(system, state)
        if made > MOST_MOVES:
            return None
        for move in profiled_moves(system, state, profile):
            if move.target is not None and move.target not in known:
                known.add(move.target)
                states.append(move.target)
                parents.append(number)
        if len(states) > MOST_STATES:
            return None
    return states, parents


class Labeller:
    """Makes labels for formulae, those of their parts first; `table` has all of them."""

    def __init__(self, space: ListedStates, system: System) -> None:
        """Label the states of a space."""
        self.space = space
        self._fairness = system.fairness
        self.table: LabelTable = {}

    def label(self, formula: Formula) -> None:
        """Make all labels that a formula needs."""
        for item in self._fairness:
            self._each(core(item.formula), fair=False)
        if self._fairness and (spelled(FAIR), True) not in self.table:
            plain = CheckedLabels(self.space, self.table)
            constraints = tuple(plain.where(item.formula) for item in self._fairness)
            fair = _globally(self.space, self.space.all, self.space.all, constraints)
            self.table[spelled(FAIR), True] = fair
        self._each(core(formula), fair=bool(self._fairness))

    def _each(self, formula: Formula, *, fair: bool) -> None:
        path = formula.path if isinstance(formula, Exists | Enforces) else None
        inner = parts(formula) if path is None else parts(path)
        for part in inner:
            self._each(part, fair=fair)
        key = (spelled(formula), fair)
        needs_none = isinstance(path, Next) or key in self.table
        if needs_none or not isinstance(formula, Exists | Enforces | GroupKnows):
            return
        if isinstance(formula, GroupKnows) and formula.kind != "common":
            return
        self.table[key] = self._make(formula, fair=fair)

    def _make(self, formula: Exists | Enforces | GroupKnows, *, fair: bool) -> RankedLabel:
        known = CheckedLabels(self.space, self.table, self._fairness if fair else ())
        space, universe, where = self.space, known.universe, known.where
        match formula:
            case Exists(Until(left, right)):
                return _until(space, where(left), where(right))
            case Exists(Globally(body)):
                return _globally(space, universe, where(body), known.constraints)
            case GroupKnows(_, group, body):
                return _common(space, universe, group.members, where(body))
            case Enforces(group, Until(left, right)):
                return _enforced_until(space, group.members, where(left), where(right))
            case Enforces(group, Globally() | WeakUntil() | Release() as path):
                return _enforced_weak(space, group.members, *held_and_won(path, where))
            case _:
                raise AssertionError(formula)


def _rings(
    start: Iterable[int], grow: Callable[[Mapping[int, int]], Iterable[int]]
) -> dict[int, int]:
    """Return ranks: 0 at the start, and one more for each round of growing."""
    ranks = dict.fromkeys(start, 0)
    rank = 0
    while True:
        rank += 1
        new = [number for number in grow(ranks) if number not in ranks]
        if not new:
            return ranks
        ranks.update(dict.fromkeys(new, rank))


def _until(space: ListedStates, left: StateNumbers, right: StateNumbers) -> RankedLabel:
    ranks = _rings(right, lambda known: [n for n in left if space.follow[n] & known.keys()])
    return RankedLabel(frozenset(ranks), ranks)


def _globally(
    space: ListedStates,
    universe: StateNumbers,
    body: StateNumbers,
    constraints: tuple[StateNumbers, ...],
) -> RankedLabel:
    """Keep what can go on meeting every constraint; what goes is in components that miss one."""

    def distances(target: set[int], within: set[int]) -> dict[int, int]:
        return _rings(target, lambda known: [n for n in within if space.follow[n] & known.keys()])

    inside = set(body)
    while True:
        kept = {n for n in inside if space.follow[n] & inside}
        for constraint in constraints:
            kept &= distances(kept & constraint, kept).keys()
        if kept == inside:
            break
        inside = kept
    fair = tuple(distances(inside & constraint, inside) for constraint in constraints)
    ranks, avoided = _receding(space, (universe & body) - inside, constraints)
    return RankedLabel(frozenset(inside), ranks, fair, avoided)


def _receding(
    space: ListedStates, outside: StateNumbers, constraints: tuple[StateNumbers, ...]
) -> tuple[dict[int, int], dict[int, int]]:
    """Number the components of what is left so that no step goes up, and say what each one misses."""
    ranks: dict[int, int] = {}
    avoided: dict[int, int] = {}
    graph = {n: sorted(space.follow[n] & outside) for n in sorted(outside)}
    for rank, component in enumerate(components(graph)):
        ranks.update(dict.fromkeys(component, rank))
        missed = [i for i, met in enumerate(constraints) if met.isdisjoint(component)]
        if missed:
            avoided[rank] = missed[0]
    return ranks, avoided


def _common(
    space: ListedStates, universe: StateNumbers, members: tuple[str, ...], body: StateNumbers
) -> RankedLabel:
    classes = [universe.intersection(c) for name in members for c in space.classes((name,))]
    ranks = _rings(
        universe - body,
        lambda known: [n for alike in classes if alike & known.keys() for n in alike],
    )
    return RankedLabel(universe - ranks.keys(), ranks)


def _enforced_until(
    space: ListedStates, members: tuple[str, ...], left: StateNumbers, right: StateNumbers
) -> RankedLabel:
    options = {n: list(space.choices(n, members).values()) for n in left}
    ranks = _rings(
        right, lambda known: [n for n in left if any(r <= known.keys() for r in options[n])]
    )
    return RankedLabel(frozenset(ranks), ranks)


def _enforced_weak(
    space: ListedStates, members: tuple[str, ...], held: StateNumbers, won: StateNumbers
) -> RankedLabel:
    open_ = held - won
    options = {n: list(space.choices(n, members).values()) for n in open_}
    ranks = _rings(
        space.all - held,
        lambda known: [n for n in open_ if all(r & known.keys() for r in options[n])],
    )
    return RankedLabel(space.all - ranks.keys(), ranks)
