"""The symbolic engine: the algebra of decision diagrams, complete."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final

from gnomon.engines.algebra import Algebra
from gnomon.engines.bdd.bdd_sets import BddSets
from gnomon.engines.diagrams.events import without_actions
from gnomon.engines.diagrams.image import PartitionedImage, RelationPart, cluster
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.game import ViewChoices
from gnomon.model.agent import IDLE
from gnomon.model.budget import OutOfReach
from gnomon.model.step import State, enabled_actions

if TYPE_CHECKING:
    from gnomon.engines.uniform.statewise import StatewiseSets

_NO_PRUNING: Final = "the symbolic engine does not prune models: use --engine explicit"

#: Parts of the relation with its actions are joined up to so many nodes.
_COARSE: Final = 10_000


class BddAlgebra(BddSets):
    """Sets of reachable states, with what coalitions can choose and the search for their strategies."""

    # Choice

    def controllable(self, coalition: Collection[str], target: Diagram, within: Diagram) -> Diagram:
        """Return the states of `within` where the coalition can force the next state into `target`."""
        good = self.forcing(coalition, target, within)
        return self.diagrams.exists(good, self.diagrams.cube(self._open(coalition)))

    def forcing(self, coalition: Collection[str], target: Diagram, within: Diagram) -> Diagram:
        """Return the states of `within` with the choices that force the next state into `target`."""
        self._tick()
        d = self.diagrams
        # Some completion of this choice leads out of the target: next values of the reachable only,
        # since codes that stand for nothing are no result.
        outside = self._ahead(d.minus(self.reachable, target))
        bad = self._steps_keeping(frozenset(coalition)).apply(outside)
        good = d.minus(d.both(self.relation.alive, within), bad)
        for name in coalition:
            if not self.relation.protocols[name].forced:
                good = d.both(good, self.relation.choices(name))
        return good

    def able(self, agent: str, action: str) -> Diagram:
        """Return the states in which an action of an agent is enabled."""
        enabled = self.relation.protocols[agent].enabled
        if not enabled:
            return self.reachable if action == IDLE else self.empty
        return self.diagrams.both(enabled[action], self.reachable)

    def forcing_choices(
        self, coalition: Collection[str], target: Diagram, within: Diagram
    ) -> Iterable[tuple[tuple[str, ...], Diagram]]:
        """Yield choices of the members with the states of `within` where they force the next one."""
        d = self.diagrams
        good = self.forcing(coalition, target, within)
        names = [agent.name for agent in self.system.agents if agent.name in coalition]
        cube = d.cube(self._open(coalition))
        for choice in product(*[self.system.agent(name).actions or (IDLE,) for name in names]):
            found = good
            for name, action in zip(names, choice, strict=True):
                if action != IDLE:
                    found = d.both(found, self.relation.does(name, action))
            found = d.exists(found, cube)
            if found != d.false:
                yield choice, found

    def _open(self, coalition: Collection[str]) -> frozenset[int]:
        """Return the levels of the actions of those members that have a choice."""
        own = [name for name in coalition if not self.relation.protocols[name].forced]
        return frozenset(level for name in own for level in self.layout.actions.get(name, ()))

    def _steps_keeping(self, coalition: frozenset[str]) -> PartitionedImage:
        """Return the steps backwards that leave the actions of a coalition open.

        Those of the others go first: with them, the relation is cut into parts whose products grow large.
        """
        if coalition not in self._keeping:
            self._keeping[coalition] = self._behind(coalition)
        return self._keeping[coalition]

    def _ahead(self, states: Diagram) -> Diagram:
        """Return where the next state is in a set, as a condition on a step."""
        return self.diagrams.rename(states, self._exchange)

    def _behind(self, coalition: Collection[str]) -> PartitionedImage:
        kept = self._open(coalition)
        actions = [level for levels in self.layout.actions.values() for level in levels]
        gone = [level for level in (*self.layout.next, *actions) if level not in kept]
        parts = without_actions(self.relation, self.relation.parts, frozenset(coalition))
        joined = cluster(self.diagrams, parts, _COARSE)
        return PartitionedImage(self.diagrams, joined, gone)

    @cached_property
    def _keeping(self) -> dict[frozenset[str], PartitionedImage]:
        return {}

    @cached_property
    def _with_actions(self) -> list[RelationPart]:
        """The relation with its actions in few parts: with many, the products in between grow large."""
        return cluster(self.diagrams, self.relation.parts, _COARSE)

    # Strategies

    def choose(
        self, coalition: Collection[str], state: State, target: Diagram
    ) -> tuple[tuple[str, str], ...] | None:
        """Return an action for each member that forces the next state into `target`, if any."""
        if self.diagrams.both(self.only(state), self.relation.alive) == self.diagrams.false:
            return None
        members = [self.system.agent(name) for name in coalition]
        enabled = [enabled_actions(self.system, agent, state) for agent in members]
        for actions in product(*enabled):
            choice = tuple(zip(coalition, actions, strict=True))
            if self.is_subset(self.results(state, dict(choice)), target):
                return choice
        return None

    def results(self, state: State, actions: Mapping[str, str]) -> Diagram:
        """Return what may follow a state where some agents do the actions given."""
        d = self.diagrams
        here = self.only(state)
        for name, action in actions.items():
            if self.system.agent(name).actions:
                here = d.both(here, self.relation.does(name, action))
        return d.rename(self._steps_from_here.apply(here), self._exchange)

    @cached_property
    def _steps_from_here(self) -> PartitionedImage:
        actions = [level for levels in self.layout.actions.values() for level in levels]
        old = [now for now, _ in self.layout.pairs]
        return PartitionedImage(self.diagrams, self._with_actions, [*old, *actions])

    @cached_property
    def statewise(self) -> "StatewiseSets[Diagram]":
        """The same states one at a time, for the search for strategies."""
        from gnomon.engines.bdd.bdd_statewise import BddStatewise

        return BddStatewise(self)

    def pruned(
        self,
        agents: Collection[str],  # noqa: ARG002
    ) -> "Iterable[tuple[ViewChoices, Algebra[Diagram]]]":
        """Return the model pruned to every profile of one action a view for each of `agents`."""
        raise OutOfReach(_NO_PRUNING)
