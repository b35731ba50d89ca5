"""The symbolic engine where one event happens at a time."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import product

from gnomon.engines.bdd.bdd_algebra import BddAlgebra
from gnomon.engines.bdd.setup import Setup
from gnomon.engines.diagrams.events import AnyEvent
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.diagrams.interleaving import InterleavedRelation
from gnomon.engines.diagrams.relation import TransitionRelation
from gnomon.model.agent import IDLE
from gnomon.model.budget import Budget
from gnomon.model.step import State
from gnomon.model.system import System


class InterleavedBddAlgebra(BddAlgebra):
    """Sets of reachable states of an interleaved system."""

    def _relate(self) -> TransitionRelation:
        self._interleaved = InterleavedRelation(self.system, self.encoder)
        return self._interleaved

    def _steps(self) -> list[AnyEvent]:
        return list(self._interleaved.steps())

    @cached_property
    def overflows(self) -> Diagram:
        """Return the reachable states from which some move would leave a range."""
        return self.diagrams.both(self.relation.overflow, self.reachable)

    def forcing(self, coalition: Collection[str], target: Diagram, within: Diagram) -> Diagram:
        """Return the states of `within` with the choices that force the next state into `target`.

        Some event that the choice leaves leads out of the target, or it leaves none and nothing changes.
        """
        self._tick()
        d, relation = self.diagrams, self._interleaved
        outside = d.minus(self.reachable, target)
        # What is not asked for is left out at once: with the choices, diagrams grow large.
        good = d.both(relation.alive, within)
        for name in coalition:
            good = d.both(good, relation.choices(name))
        blocked = d.minus(good, target)
        for event, step in zip(relation.events, self._events, strict=True):
            agreed = relation.agreeing(event, coalition)
            blocked = d.minus(blocked, agreed)
            good = d.minus(good, d.both(agreed, step.preimage(outside)))
        return d.minus(good, blocked)

    def able(self, agent: str, action: str) -> Diagram:
        """Return the states in which an action of an agent is enabled; waiting is, where no other is."""
        d, protocol = self.diagrams, self.relation.protocols[agent]
        if action == IDLE:
            waiting = d.minus(self.reachable, protocol.alive)
            return waiting if protocol.enabled else self.reachable
        return d.both(protocol.enabled.get(action, d.false), self.reachable)

    def forcing_choices(
        self, coalition: Collection[str], target: Diagram, within: Diagram
    ) -> Iterable[tuple[tuple[str, ...], Diagram]]:
        """Yield choices of the members with the states of `within` where they force the next one."""
        d = self.diagrams
        good = self.forcing(coalition, target, within)
        names = [agent.name for agent in self.system.agents if agent.name in coalition]
        cube = d.cube(self._open(coalition))
        for choice in product(*[(*self.system.agent(name).actions, IDLE) for name in names]):
            found = good
            for name, action in zip(names, choice, strict=True):
                found = d.both(found, self.able(name, action))
                if action != IDLE:
                    found = d.both(found, self.relation.does(name, action))
            found = d.exists(found, cube)
            if found != d.false:
                yield choice, found

    def results(self, state: State, actions: Mapping[str, str]) -> Diagram:
        """Return what may follow a state where some agents have chosen the actions given."""
        d, here = self.diagrams, self.only(state)
        found, agreed = d.false, False
        for event, step in zip(self._interleaved.events, self._events, strict=True):
            members = event.participants & actions.keys()
            if all(actions[name] == event.action for name in members):
                agreed = agreed or d.both(here, event.enabled) != d.false
                found = d.either(found, step.image(here))
        if agreed or d.both(here, self.relation.alive) == d.false:
            return found
        return here


def bdd_algebra(
    system: System, setup: Setup | None = None, budget: Budget | None = None
) -> BddAlgebra:
    """Return the algebra of decision diagrams for a system."""
    if setup is not None and not setup.explores:
        from gnomon.engines.bdd.unexplored import UnexploredBddAlgebra  # most are explored

        return UnexploredBddAlgebra(system, setup, budget)
    kind = InterleavedBddAlgebra if system.interleaved else BddAlgebra
    return kind(system, setup, budget)
