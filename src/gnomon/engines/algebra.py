"""The protocols that engines implement: sets of reachable states, pre-images, knowledge, choice.

`ModalAlgebra` is all that the satisfaction relation of CTL, ATL and knowledge needs. Its sets are two- or
three-valued. A three-valued set is a pair of an under- and an over-approximation, where union, intersection
and the difference are those of Kleene's logic, and every operator is taken on both sides. `Algebra` is what
engines implement that know each state: their sets are two-valued.
"""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from gnomon.engines.game import CoalitionGame, StrategySearch, ViewChoices
from gnomon.model.expression import Expression
from gnomon.model.step import State
from gnomon.model.system import System

Set = TypeVar("Set")


class Sets(Protocol[Set]):
    """Sets and their operations; the order is inclusion, for three-valued sets on both sides."""

    @property
    @abstractmethod
    def empty(self) -> Set:
        """No state."""

    @abstractmethod
    def union(self, left: Set, right: Set) -> Set:
        """Return the states in either."""

    @abstractmethod
    def intersection(self, left: Set, right: Set) -> Set:
        """Return the states in both."""

    @abstractmethod
    def difference(self, left: Set, right: Set) -> Set:
        """Return the states of `left` that are not in `right`."""

    @abstractmethod
    def is_empty(self, states: Set) -> bool:
        """Return whether there is no state in it."""

    @abstractmethod
    def is_subset(self, left: Set, right: Set) -> bool:
        """Return whether every state of `left` is in `right`."""

    def own(self, states: Set) -> Set:
        """Return the same states as a set that `extend` may change."""
        return states

    def extend(self, own: Set, more: Set) -> Set:
        """Return the union with a set that came from `own` or `extend`, which must not be used again.

        Where sets are large and what is added is small, doing this in place makes all the difference.
        """
        return self.union(own, more)

    def grow(self, start: Set, step: Callable[[Set, Set], Set]) -> Set:
        """Return the least set that contains `start` and whatever `step` adds.

        `step` is told what is new and all that was found so far, and returns what follows from it.
        It must not keep the latter: an engine may go on changing it.
        """
        found, new = self.own(start), start
        while not self.is_empty(new):
            new = self.difference(step(new, found), found)
            found = self.extend(found, new)
        return found


class Graph(Sets[Set], Protocol[Set]):
    """Sets of nodes of a directed graph."""

    @property
    @abstractmethod
    def reachable(self) -> Set:
        """All reachable states."""

    @abstractmethod
    def before(self, target: Set, within: Set) -> Set:
        """Return the states of `within` that have some successor in `target`."""

    def inevitable(self, target: Set, within: Set) -> Set:
        """Return the states of `within` that have no successor outside `target`."""
        elsewhere = self.difference(self.reachable, target)
        return self.difference(within, self.before(elsewhere, within))

    def leads_to(self, target: Set, within: Set) -> Set:
        """Return the least Z = `target` ∪ (`within` ∩ pre(Z))."""
        return self.grow(target, lambda new, _: self.before(new, within))

    def lasting(self, within: Set) -> Set:
        """Return the greatest Z = `within` ∩ pre(Z).

        Computed as what is not lost: a state is lost outside `within`, and where every successor is lost.
        """
        outside = self.difference(self.reachable, within)
        stuck = self.inevitable(outside, within)
        lost = self.grow(
            self.union(outside, stuck),
            lambda new, lost: self.inevitable(lost, self.before(new, within)),
        )
        return self.difference(within, lost)

    def released(self, kept: Set, held: Set) -> Set:
        """Return the greatest Z = `held` ∩ (not `kept` ∪ pre(Z)): E[not kept R held].

        `held` lasts, or lasts as long as `kept` does; only where sets are two-valued is it one or the other.
        """
        broken = self.leads_to(self.difference(held, kept), held)
        return self.union(broken, self.lasting(held))

    def fairly_lasting(self, within: Set, constraints: tuple[Set, ...]) -> Set:
        """Return the greatest Z = `within` ∩ ⋂ pre(E[Z U Z ∩ c]) over all constraints c.

        EG `within` on fair paths (Emerson and Lei 1986).
        """
        found = self.lasting(within)
        while True:
            before = found
            for constraint in constraints:
                visits = self.leads_to(self.intersection(found, constraint), found)
                found = self.before(visits, found)
            if self.is_subset(before, found):
                return found


class ModalAlgebra(Graph[Set], Protocol[Set]):
    """Sets of reachable states with the operators of CTL, ATL and knowledge; all are part of `reachable`.

    The methods that have a body follow from the others; an engine overrides them to be faster, or, where its
    sets are three-valued, to know more than the two sides tell one by one.
    """

    @property
    @abstractmethod
    def system(self) -> System:
        """The system whose states these are."""

    @abstractmethod
    def where(self, condition: Expression) -> Set:
        """Return the reachable states in which a condition holds."""

    @abstractmethod
    def indistinguishable(self, agents: Collection[str], states: Set) -> Set:
        """Return the states that look like one of `states` to all of `agents` at once."""

    def confused(self, agents: Collection[str], states: Set) -> Set:
        """Return the states that look like one of `states` to one of `agents` at least."""
        found = self.empty
        for agent in agents:
            found = self.union(found, self.indistinguishable((agent,), states))
        return found

    def unlike(self, agents: Collection[str], states: Set, within: Set) -> Set:
        """Return the states of `within` that look like none of `states` to all of `agents` at once."""
        return self.difference(within, self.indistinguishable(agents, states))

    def if_subset(self, left: Set, right: Set, within: Set) -> Set:
        """Return `within` if every state of `left` is in `right`, and else nothing."""
        return within if self.is_subset(left, right) else self.empty

    @abstractmethod
    def controllable(self, coalition: Collection[str], target: Set, within: Set) -> Set:
        """Return the states of `within` where the coalition can force the next state into `target`.

        There, each member has an enabled action, together completable to a joint action, such that
        every result of every completion with every evolution alternative lies in `target`.
        """

    def unavoidable(self, coalition: Collection[str], target: Set, within: Set) -> Set:
        """Return the states of `within` where the coalition cannot keep out of `target`.

        There, every completable choice of the coalition may lead into `target`.
        """
        elsewhere = self.difference(self.reachable, target)
        return self.difference(within, self.controllable(coalition, elsewhere, within))

    def attractor(self, coalition: Collection[str], target: Set, within: Set) -> Set:
        """Return the least Z = `target` ∪ (`within` ∩ CPre(coalition, Z))."""
        # A choice without any result wins at once, wherever it is: so all of `within` is looked at first.
        at_once = self.controllable(coalition, target, within)
        return self.grow(
            self.union(target, at_once),
            lambda new, won: self.controllable(coalition, won, self.before(new, within)),
        )

    def trap(self, coalition: Collection[str], within: Set, free: Set | None = None) -> Set:
        """Return the greatest Z = `within` ∩ (`free` ∪ CPre(coalition, Z)).

        The coalition can stay in `within`, for ever or up to where it is `free`.
        """
        outside = self.difference(self.reachable, within)
        bound = within if free is None else self.difference(within, free)
        at_once = self.unavoidable(coalition, outside, bound)
        lost = self.grow(
            self.union(outside, at_once),
            lambda new, lost: self.unavoidable(coalition, lost, self.before(new, bound)),
        )
        return self.difference(within, lost)


class Algebra(ModalAlgebra[Set], Protocol[Set]):
    """Two-valued sets of states that can be counted, and looked into one state at a time."""

    def account(self) -> tuple[tuple[str, str], ...]:
        """Return what the engine did so far, by name, for those who want to know."""
        return ()

    @property
    @abstractmethod
    def initial(self) -> Set:
        """The initial states."""

    @property
    @abstractmethod
    def deadlocks(self) -> Set:
        """The states without a successor."""

    @property
    @abstractmethod
    def overflows(self) -> Set:
        """The states with a resolved move that has no result, because a value leaves its range."""

    @abstractmethod
    def after(self, states: Set) -> Set:
        """Return the successors of the states."""

    @abstractmethod
    def count(self, states: Set) -> int:
        """Return exactly how many states there are."""

    @abstractmethod
    def views(self, agents: Collection[str], states: Set) -> int:
        """Return exactly how many views all of `agents` together have of the states."""

    @abstractmethod
    def choose(
        self, coalition: Collection[str], state: State, target: Set
    ) -> tuple[tuple[str, str], ...] | None:
        """Return an action for each member that forces the next state into `target`, if any."""

    @abstractmethod
    def results(self, state: State, actions: Mapping[str, str]) -> Set:
        """Return what may follow a state where some agents do the actions given."""

    @abstractmethod
    def able(self, agent: str, action: str) -> Set:
        """Return the states in which an action of an agent is enabled."""

    @abstractmethod
    def forcing_choices(
        self, coalition: Collection[str], target: Set, within: Set
    ) -> Iterable[tuple[tuple[str, ...], Set]]:
        """Yield choices of the members with the states of `within` where they force the next into `target`.

        Together they give what `controllable` gives.
        """

    @abstractmethod
    def uniform_search(
        self, coalition: Collection[str], game: CoalitionGame[Set]
    ) -> StrategySearch[Set]:
        """Return the search for uniform strategies of a coalition in a game."""

    @abstractmethod
    def informed_strategy(
        self, coalition: Collection[str], game: CoalitionGame[Set], state: State
    ) -> dict[State, tuple[tuple[str, str], ...]] | None:
        """Return what members who see everything do, state by state, to win from a state, if they can."""

    @abstractmethod
    def conflicting_views(
        self,
        coalition: Collection[str],
        game: CoalitionGame[Set],
        states: Sequence[State],
        most: int,
    ) -> list[tuple[str, tuple[State, ...]]]:
        """Return views that cannot all be acted on: whose each is, and up to `most` states that look so.

        The game must be one that no uniform strategy wins from `states`. Nothing is returned where finding
        the views takes long.
        """

    @abstractmethod
    def confused_states(
        self, coalition: Collection[str], state: State, universe: Set
    ) -> list[State]:
        """Return the states of `universe` that some member confuses with a state, one by one."""

    @abstractmethod
    def pruned(self, agents: Collection[str]) -> "Iterable[tuple[ViewChoices, Algebra[Set]]]":
        """Return the model pruned to every profile of one action a view for each of `agents`."""

    @abstractmethod
    def pick(self, states: Set) -> State:
        """Return one concrete state of a non-empty set, always the same one."""

    @abstractmethod
    def only(self, state: State) -> Set:
        """Return the set of just this reachable state."""
