"""The states of decision diagrams, one at a time, for the search for strategies."""

from collections.abc import Callable, Collection, Iterator
from itertools import product
from typing import Protocol, TypeAlias

from gnomon.engines.concrete.interleaved_moves import moves_of
from gnomon.engines.concrete.joint_moves import JointMoves
from gnomon.engines.concrete.players import NumberedState
from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.diagrams.encode import Encoder
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.relation import TransitionRelation
from gnomon.engines.diagrams.value_codes import balanced
from gnomon.engines.uniform.statewise import AgentView, JointChoice, StatewiseSets
from gnomon.model.agent import IDLE
from gnomon.model.budget import Budget
from gnomon.model.domain import number_of
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.model.views import acts_on_sight

#: Values of levels.
LevelValues: TypeAlias = list[tuple[int, bool]]


class Choosing(Protocol):
    """What is needed of the algebra of decision diagrams."""

    budget: Budget
    diagrams: Diagrams
    layout: BitLayout
    encoder: Encoder
    relation: TransitionRelation

    @property
    def system(self) -> System:
        """The system whose states these are."""

    @property
    def reachable(self) -> Diagram:
        """All reachable states."""

    def forcing(self, coalition: Collection[str], target: Diagram, within: Diagram) -> Diagram:
        """Return the states of `within` with the choices that force the next state into `target`."""

    def able(self, agent: str, action: str) -> Diagram:
        """Return the states in which an action of an agent is enabled."""

    def indistinguishable(self, agents: Collection[str], states: Diagram) -> Diagram:
        """Return the states that look like one of `states` to all of `agents` at once."""

    def pick(self, states: Diagram) -> State:
        """Return one concrete state of a non-empty set."""

    def only(self, state: State) -> Diagram:
        """Return the set of just this reachable state."""


class BddStatewise(StatewiseSets[Diagram]):
    """Reachable states as the numbers of local states, each of which knows its bits."""

    def __init__(self, algebra: Choosing) -> None:
        """Look at the states of `algebra`."""
        self._algebra = algebra
        self._diagrams = algebra.diagrams
        self._moves = moves_of(algebra.system)
        self._bits: list[list[LevelValues]] = [[] for _ in algebra.system.agents]
        self._levels = [
            [
                (variable.domain, algebra.layout.variables[agent.name, variable.name].now)
                for variable in agent.variables
            ]
            for agent in algebra.system.agents
        ]
        self._plain = [acts_on_sight(algebra.system, agent) for agent in algebra.system.agents]
        self._allowed: dict[AgentView, frozenset[str]] = {}

    @property
    def moves(self) -> JointMoves:
        """The agents, compiled."""
        return self._moves

    @property
    def budget(self) -> Budget:
        """The limits."""
        return self._algebra.budget

    def _values(self, state: NumberedState) -> LevelValues:
        """Return the bits of a state."""
        found: LevelValues = []
        for index, number in enumerate(state):
            known = self._bits[index]
            while number >= len(known):
                known.append(self._local(index, len(known)))
            found += known[number]
        return found

    def _local(self, index: int, number: int) -> LevelValues:
        found: LevelValues = []
        values = self._moves.locals[index].values[number]
        for (domain, levels), value in zip(self._levels[index], values, strict=True):
            found += _code(levels, number_of(domain, value))
        return found

    def contains(self, states: Diagram) -> Callable[[NumberedState], bool]:
        """Return what tells whether a reachable state is in a set."""
        diagrams, values = self._diagrams, self._values
        if states in (diagrams.false, self._algebra.reachable):
            answer = states != diagrams.false
            return lambda _: answer
        return lambda state: diagrams.evaluate(states, values(state))

    def forcing(
        self, members: tuple[int, ...], target: Diagram
    ) -> Callable[[NumberedState], list[JointChoice]]:
        """Return what gives, for a reachable state, the choices that force the next one into a set."""
        algebra, diagrams, moves = self._algebra, self._diagrams, self._moves
        names = [algebra.system.agents[index].name for index in members]
        codes = [self._action_codes(index) for index in members]
        good: Diagram | None = None

        def choices(state: NumberedState) -> list[JointChoice]:
            nonlocal good
            if good is None:
                good = algebra.forcing(names, target, algebra.reachable)
            enabled = [moves.players[index].enabled(state) for index in members]
            here = self._values(state)
            found = []
            for choice in product(*enabled):
                values = list(here)
                for code, action in zip(codes, choice, strict=True):
                    values += code[action]
                if diagrams.evaluate(good, values):
                    found.append(choice)
            return found

        return choices

    def _action_codes(self, index: int) -> dict[str, LevelValues]:
        """Return the bits that stand for each action of an agent; none where it never has a choice."""
        agent = self._algebra.system.agents[index]
        if self._algebra.relation.protocols[agent.name].forced:
            return {action: [] for action in (*agent.actions, IDLE)}
        levels = self._algebra.layout.actions[agent.name]
        codes = {action: _code(levels, number) for number, action in enumerate(agent.actions)}
        return {IDLE: _code(levels, 0), **codes}

    def always(self, index: int, state: NumberedState) -> frozenset[str]:
        """Return the actions that an agent has in every reachable state that looks like this one to it."""
        player = self._moves.players[index]
        if self._plain[index]:
            return frozenset(player.enabled(state))
        sight = (index, player.view(state))
        found = self._allowed.get(sight)
        if found is None:
            algebra, agent = self._algebra, self._algebra.system.agents[index]
            here = algebra.only(self._moves.decode(state))
            alike = algebra.indistinguishable((agent.name,), here)
            found = self._allowed[sight] = frozenset(
                action
                for action in player.enabled(state)
                if self._diagrams.minus(alike, algebra.able(agent.name, action))
                == self._diagrams.false
            )
        return found

    def each(self, states: Diagram) -> Iterator[NumberedState]:
        """Yield the states of a set."""
        while states != self._diagrams.false:
            state = self._algebra.pick(states)
            states = self._diagrams.minus(states, self._algebra.only(state))
            yield self._moves.encode(state)

    def classes(
        self, members: tuple[int, ...], states: Diagram, universe: Diagram
    ) -> Iterator[tuple[NumberedState, Diagram]]:
        """Yield a state of each class of those that all members take for one another."""
        algebra, d = self._algebra, self._diagrams
        names = [algebra.system.agents[index].name for index in members]
        while states != d.false:
            state = algebra.pick(states)
            alike = algebra.indistinguishable(names, algebra.only(state))
            states = d.minus(states, alike)
            yield self._moves.encode(state), d.both(alike, universe)

    def gather(self, states: Collection[NumberedState]) -> Diagram:
        """Return some reachable states as a set."""
        found = [self._algebra.only(self._moves.decode(state)) for state in states]
        return balanced(self._diagrams.either, found, self._diagrams.false)

    def confused(
        self, members: tuple[int, ...], state: NumberedState, universe: Diagram
    ) -> Diagram:
        """Return the states of `universe` that some member confuses with a state."""
        algebra, d = self._algebra, self._diagrams
        here = found = algebra.only(self._moves.decode(state))
        for index in members:
            name = algebra.system.agents[index].name
            found = d.either(found, algebra.indistinguishable((name,), here))
        return d.both(found, universe)


def _code(levels: tuple[int, ...], code: int) -> LevelValues:
    """Return the bits of a code, the highest first."""
    last = len(levels) - 1
    return [(level, bool(code >> (last - place) & 1)) for place, level in enumerate(levels)]
