"""Numbered states, one at a time, for the search for strategies."""

from collections.abc import Callable, Collection, Iterator

from gnomon.engines.concrete.joint_moves import JointMoves
from gnomon.engines.concrete.players import NumberedState
from gnomon.engines.explicit.explicit_sets import ExplicitSets, States
from gnomon.engines.uniform.statewise import AgentView, JointChoice, StatewiseSets
from gnomon.model.budget import Budget


class ExplicitStatewise(StatewiseSets[States]):
    """The states of a space."""

    def __init__(self, algebra: ExplicitSets) -> None:
        """Look at the states of `algebra`."""
        self._algebra = algebra
        self._space = algebra.space
        self._allowed: dict[AgentView, frozenset[str]] = {}

    @property
    def moves(self) -> JointMoves:
        """The agents, compiled."""
        return self._space.moves

    @property
    def budget(self) -> Budget:
        """The limits."""
        return self._space.budget

    def contains(self, states: States) -> Callable[[NumberedState], bool]:
        """Return what tells whether a reachable state is in a set."""
        index = self._space.index
        return lambda state: index[state] in states

    def forcing(
        self, members: tuple[int, ...], target: States
    ) -> Callable[[NumberedState], list[JointChoice]]:
        """Return what gives, for a reachable state, the choices that force the next one into a set."""
        space = self._space

        def choices(state: NumberedState) -> list[JointChoice]:
            found = space.choices(space.index[state], members)
            return [choice for choice, results in found.items() if target.issuperset(results)]

        return choices

    def always(self, index: int, state: NumberedState) -> frozenset[str]:
        """Return the actions that an agent has in every reachable state that looks like this one to it."""
        player = self.moves.players[index]
        sight = (index, player.view(state))
        if sight not in self._allowed:
            name = frozenset((self._algebra.system.agents[index].name,))
            class_of, members = self._algebra.classes(name)
            alike = members[class_of[self._space.index[state]]]
            sets = [set(player.enabled(self._space.states[number])) for number in alike]
            self._allowed[sight] = frozenset(set.intersection(*sets))
        return self._allowed[sight]

    def each(self, states: States) -> Iterator[NumberedState]:
        """Yield the states of a set, in the order in which they were found."""
        return (self._space.states[number] for number in sorted(states))

    def classes(
        self, members: tuple[int, ...], states: States, universe: States
    ) -> Iterator[tuple[NumberedState, States]]:
        """Yield a state of each class of those that all members take for one another."""
        names = frozenset(self._algebra.system.agents[index].name for index in members)
        class_of, alike = self._algebra.classes(names)
        met: set[int] = set()
        for number in sorted(states):
            if class_of[number] not in met:
                met.add(class_of[number])
                yield self._space.states[number], universe.intersection(alike[class_of[number]])

    def gather(self, states: Collection[NumberedState]) -> States:
        """Return some reachable states as a set."""
        return frozenset([self._space.index[state] for state in states])

    def confused(self, members: tuple[int, ...], state: NumberedState, universe: States) -> States:
        """Return the states of `universe` that some member confuses with a state."""
        here = frozenset((self._space.index[state],))
        found: set[int] = set(here)
        for index in members:
            name = self._algebra.system.agents[index].name
            found |= self._algebra.indistinguishable((name,), here)
        return frozenset(found & universe)
