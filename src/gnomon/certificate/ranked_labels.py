"""Where formulae hold, checked state by state.

A certificate says for every fixpoint where it holds, and gives ranks: numbers that show that what should
come about does, and does not recede for ever. Each rule looks at a state and its successors only; nothing
is computed by iteration.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from gnomon.certificate.core import FAIR, core, spelled
from gnomon.certificate.listed_states import ListedStates, StateNumbers
from gnomon.certificate.plain import plain_value
from gnomon.certificate.rejection import Rejected, Unproved, require, shown
from gnomon.model.formula import (
    And,
    Constant,
    Enforces,
    Exists,
    Formula,
    Globally,
    GroupKnows,
    Iff,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Proposition,
    Release,
    StateCondition,
    Until,
    WeakUntil,
    show_formula,
)
from gnomon.model.step import State
from gnomon.model.system import Specification

Ranks: TypeAlias = Mapping[int, int]


@dataclass(frozen=True)
class RankedLabel:
    """Where a fixpoint holds, with the ranks of the states that need one.

    Under fairness a state where EG holds has a rank for each constraint, and where it fails `avoided` tells
    for each rank which constraint is not met there.
    """

    states: StateNumbers
    ranks: Ranks = field(default_factory=dict)
    fair: tuple[Ranks, ...] = ()
    avoided: Ranks = field(default_factory=dict)


class CheckedLabels:
    """What formulae are worth in all states of a space, as far as labels say."""

    def __init__(
        self,
        space: ListedStates,
        labels: Mapping[tuple[str, bool], RankedLabel],
        fairness: tuple[Specification, ...] = (),
    ) -> None:
        """Check nothing yet: labels are checked when they are first used.

        They are by formula, and by whether fairness is asked for.
        """
        self.space = space
        self._labels = labels
        self._known: dict[Formula, StateNumbers] = {}
        self.constraints: tuple[StateNumbers, ...] = ()
        self.universe = space.all
        self._fair = bool(fairness)
        if fairness:
            plain = CheckedLabels(space, labels)
            self.constraints = tuple(plain.where(item.formula) for item in fairness)
            fair = self._label(FAIR)
            self._globally(fair, space.all)
            self.universe = fair.states

    def value(self, formula: Formula, state: State) -> bool:
        """Return what a formula is worth in a reachable state."""
        return self.space.number_of(state) in self.where(formula)

    def where(self, formula: Formula) -> StateNumbers:
        """Return the states that count and in which a formula holds."""
        return self._core(core(formula))

    def _core(self, formula: Formula) -> StateNumbers:
        if formula not in self._known:
            self._known[formula] = self._compute(formula)
        return self._known[formula]

    def _compute(self, formula: Formula) -> StateNumbers:
        space, universe, where = self.space, self.universe, self._core
        match formula:
            case Constant() | Proposition() | StateCondition() | Norm():
                states = space.states
                return frozenset(
                    n for n in universe if plain_value(space.system, formula, states[n])
                )
            case Not(body):
                return universe - where(body)
            case And(operands):
                return universe.intersection(*map(where, operands))
            case Iff(left, right):
                return universe - (where(left) ^ where(right))
            case Knows(agent, body):
                return self._known_in(space.classes((agent,)), where(body))
            case GroupKnows("distributed", group, body):
                return self._known_in(space.classes(group.members), where(body))
            case Obliged(agent, body):
                green = where(Norm(agent, red=False))
                return universe if green <= where(body) else frozenset()
            case Exists(Next(body)):
                target = where(body)
                return frozenset(n for n in universe if space.follow[n] & target)
            case Enforces(group, Next(body)):
                self._without_fairness()
                target = where(body)
                return frozenset(
                    n
                    for n in universe
                    if any(r <= target for r in space.choices(n, group.members).values())
                )
            case _:
                return self._claimed(formula)

    def _known_in(self, classes: list[list[int]], body: StateNumbers) -> StateNumbers:
        """Return the states of those classes where the body holds in all states that count."""
        counting = [self.universe.intersection(members) for members in classes]
        return frozenset().union(*[members for members in counting if members <= body])

    def _without_fairness(self) -> None:
        if self._fair:
            raise Unproved("strategies under fairness")

    def _claimed(self, formula: Formula) -> StateNumbers:
        """Return where a fixpoint holds, as its label says and after that has been checked."""
        label = self._label(formula)
        match formula:
            case Exists(Until(left, right)):
                self._until(label, self._core(left), self._core(right))
            case Exists(Globally(body)):
                self._globally(label, self._core(body))
            case GroupKnows("common", group, body):
                self._common(label, group.members, self._core(body))
            case Enforces(group, Until(left, right)):
                self._without_fairness()
                self._enforced_until(label, group.members, self._core(left), self._core(right))
            case Enforces(group, Globally() | WeakUntil() | Release() as path):
                self._without_fairness()
                self._enforced_weak(label, group.members, *held_and_won(path, self._core))
            case _:
                raise Unproved(show_formula(formula))
        return label.states

    def _label(self, formula: Formula) -> RankedLabel:
        text = spelled(formula)
        label = self._labels.get((text, self._fair))
        if label is None:
            raise Unproved(text)
        require(label.states <= self.universe, f"the label for {text} names other states")
        return label

    def _each(self, rule: Callable[[int], object], states: StateNumbers, what: str) -> None:
        for number in states:
            if not rule(number):
                raise Rejected(f"{what} in state {shown(self.space.states[number])}")

    def _until(self, label: RankedLabel, left: StateNumbers, right: StateNumbers) -> None:
        follow, ranks, inside = self.space.follow, label.ranks, label.states
        _every_state_has_a_rank(inside, ranks)

        def comes(n: int) -> bool:
            nearer = any(ranks[t] < ranks[n] for t in follow[n] & inside)
            return n in right or (n in left and nearer)

        def fails(n: int) -> bool:
            return n not in right and (n not in left or not follow[n] & inside)

        self._each(comes, inside, "E(… U …) is not shown to hold")
        self._each(fails, self.universe - inside, "E(… U …) is not shown to fail")

    def _globally(self, label: RankedLabel, body: StateNumbers) -> None:
        follow, inside = self.space.follow, label.states
        failing = self.universe & body - inside
        require(len(label.fair) == len(self.constraints), "a constraint has no ranks")
        for ranks in label.fair:
            _every_state_has_a_rank(inside, ranks)
        _every_state_has_a_rank(failing, label.ranks)
        known = range(len(self.constraints))
        require(all(n in known for n in label.avoided.values()), "no such constraint")

        def lasts(n: int) -> bool:
            return (
                n in body
                and bool(follow[n] & inside)
                and all(
                    n in met or any(ranks[t] < ranks[n] for t in follow[n] & inside)
                    for met, ranks in zip(self.constraints, label.fair, strict=True)
                )
            )

        def ends(n: int) -> bool:
            if follow[n] & inside:
                return False
            return all(self._recedes(label, n, t) for t in follow[n] & body)

        self._each(lasts, inside, "EG … is not shown to hold")
        self._each(ends, failing, "EG … is not shown to fail")

    def _recedes(self, label: RankedLabel, source: int, target: int) -> bool:
        """Return whether a step goes down in rank, or stays where a constraint is never met."""
        rank = label.ranks[source]
        if label.ranks[target] < rank:
            return True
        avoided = label.avoided.get(rank)
        if label.ranks[target] > rank or avoided is None:
            return False
        return source not in self.constraints[avoided]

    def _common(self, label: RankedLabel, members: tuple[str, ...], body: StateNumbers) -> None:
        inside, ranks = label.states, label.ranks
        _every_state_has_a_rank(self.universe - inside, ranks)
        require(inside <= body, "what is commonly known fails somewhere")
        nearest: dict[int, int] = {}
        for member in members:
            for alike in self.space.classes((member,)):
                counting = self.universe.intersection(alike)
                require(
                    counting <= inside or not counting & inside,
                    "somebody confuses a state of common knowledge with another one",
                )
                for n in counting - inside:
                    least = min(ranks[t] for t in counting)
                    nearest[n] = min(least, nearest.get(n, least))
        self._each(
            lambda n: n not in body or nearest[n] < ranks[n],
            self.universe - inside,
            "common knowledge is not shown to fail",
        )

    def _enforced_until(
        self, label: RankedLabel, members: tuple[str, ...], left: StateNumbers, right: StateNumbers
    ) -> None:
        inside, ranks = label.states, label.ranks
        _every_state_has_a_rank(inside, ranks)

        def wins(n: int) -> bool:
            return n in right or (
                n in left
                and any(
                    results <= inside and all(ranks[t] < ranks[n] for t in results)
                    for results in self.space.choices(n, members).values()
                )
            )

        def loses(n: int) -> bool:
            options = self.space.choices(n, members).values()
            return n not in right and (n not in left or not any(r <= inside for r in options))

        self._each(wins, inside, "a strategy is not shown to win")
        self._each(loses, self.universe - inside, "a strategy is not shown to fail")

    def _enforced_weak(
        self, label: RankedLabel, members: tuple[str, ...], held: StateNumbers, won: StateNumbers
    ) -> None:
        inside, ranks = label.states, label.ranks
        _every_state_has_a_rank(self.universe - inside, ranks)

        def wins(n: int) -> bool:
            options = self.space.choices(n, members).values()
            return n in held and (n in won or any(results <= inside for results in options))

        def loses(n: int) -> bool:
            options = self.space.choices(n, members).values()
            return n not in held or (
                n not in won and all(any(ranks[t] < ranks[n] for t in r - inside) for r in options)
            )

        self._each(wins, inside, "a strategy is not shown to last")
        self._each(loses, self.universe - inside, "a strategy is not shown to be broken")


def held_and_won(
    path: Globally | WeakUntil | Release, where: Callable[[Formula], StateNumbers]
) -> tuple[StateNumbers, StateNumbers]:
    """Return what has to be kept, and where it need not be kept any longer."""
    match path:
        case Globally(body):
            return where(body), frozenset()
        case WeakUntil(left, right):
            return where(left) | where(right), where(right)
        case Release(left, right):
            return where(right), where(left) & where(right)


def _every_state_has_a_rank(states: StateNumbers, ranks: Ranks) -> None:
    require(states <= ranks.keys(), "a state has no rank")
