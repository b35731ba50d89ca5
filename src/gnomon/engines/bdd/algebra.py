"""The algebra of sets of reachable states as decision diagrams."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from gnomon.engines.algebra import Algebra
from gnomon.engines.bdd import account
from gnomon.engines.bdd.setup import Setup, default_setup
from gnomon.engines.diagrams.encode import Encoder, balanced
from gnomon.engines.diagrams.events import events_of, explore, without_actions
from gnomon.engines.diagrams.interface import Cube, Diagram, Diagrams
from gnomon.engines.diagrams.layout import Layout
from gnomon.engines.diagrams.relation import Part, Relation, Steps, cluster
from gnomon.engines.game import ViewChoices
from gnomon.engines.uniform.searching import SearchedAlgebra
from gnomon.model import expression as typed
from gnomon.model.agent import IDLE
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.domain import Value, value_at
from gnomon.model.step import State, enabled_actions
from gnomon.model.system import System
from gnomon.text.limits import room_to_recurse

if TYPE_CHECKING:
    from gnomon.engines.uniform.field import Field

_NO_PRUNING = "the symbolic engine does not prune models: use --engine explicit"

#: Parts of the relation with its actions are joined up to so many nodes.
_COARSE = 10_000
#: While exploring, there may be so many times the nodes that the relation takes.
_GROWTH = 4
#: After so many pre-images it pays to cut the relation down to what is reachable, if that is small.
_MANY_PREIMAGES = 16
_SMALL_SET = 10_000
#: Below this many nodes, moving variables takes longer than it saves.
_REORDER_FROM = 50_000


class BddAlgebra(SearchedAlgebra[Diagram]):
    """Sets of reachable states of a finite system. All sets are subsets of `reachable`."""

    def __init__(
        self, system: System, setup: Setup | None = None, budget: Budget | None = None
    ) -> None:
        """Encode the system and find its reachable states, in the way that a setup tells."""
        self._system = system
        self.budget = budget or Budget()
        with room_to_recurse():
            self.setup = setup or default_setup(system)
            self.layout: Layout = self.setup.layout
            self.diagrams: Diagrams = self.setup.diagrams()
            self._blocks = self.layout.blocks
            self._reorder_at = 0
            self._account = account.Account(self.diagrams)
            self.encoder = Encoder(system, self.layout, self.diagrams)
            self.budget.check("encoding")
            self.relation = Relation(system, self.encoder)
            self._account.finish("encoding")
            self.budget.check("joining parts of the relation", details=self._nodes)
            self._exchange = self.diagrams.renaming(self.layout.pairs)
            self._events = events_of(self.relation)
            self._first: Diagram = self._initial()
            self._account.finish("clustering")
            # The relation may be large for good reasons: the order is judged by what comes after it.
            self.diagrams.collect()
            self.diagrams.allow(
                max(self.setup.room.exploring, _GROWTH * self.diagrams.total_size())
            )
            self._reorder_at = max(_REORDER_FROM, _GROWTH * self.diagrams.total_size())
        self._reached: Diagram = self._explore()
        self._account.finish("exploring")
        self.diagrams.allow(self.setup.room.nodes)

    # Building

    def _initial(self) -> Diagram:
        condition = self.encoder.condition(self._system.initial)
        return self.diagrams.both(condition, self.relation.valid())

    def _explore(self) -> Diagram:
        self.depth = 0
        reached = self._first

        def details() -> str:
            states = self.diagrams.count(reached, len(self.layout.now))
            return f"{_short(states)} states · {self._nodes()}"

        steps = [event.image for event in self._events]
        for found in explore(self.diagrams, steps, self._first):
            reached = found
            self.depth += 1
            self._keep_small()
            self.budget.check("exploring, step", self.depth, details)
        return reached

    def _keep_small(self) -> None:
        """Move variables where diagrams have grown, for as long as they took to grow."""
        self._account.note_size()
        if not self.setup.reorders or self.diagrams.total_size() < self._reorder_at:
            return
        self.diagrams.collect()
        if self.diagrams.total_size() > self._reorder_at / 2:
            self.budget.check("moving variables", details=self._nodes)
            seconds = max(1.0, self._account.since_reordering())
            self._blocks = self.diagrams.reorder(self._blocks, seconds)
            self._account.note_reordering()
        self._reorder_at = max(_REORDER_FROM, _GROWTH * self.diagrams.total_size())

    def _nodes(self) -> str:
        return f"{self.diagrams.total_size():,} nodes"

    def account(self) -> tuple[tuple[str, str], ...]:
        """Return what was done, for those who want to know."""
        self._account.note_size()
        spent = self._account.seconds.items()
        return (
            ("variables", account.sizes(self.layout)),
            ("order", account.order(self.setup)),
            ("relation", account.clusters(self.relation, self._events)),
            (
                "iterations",
                f"{self.depth:,} to explore, {self._account.preimages:,} pre-images",
            ),
            ("reachable", f"{self.diagrams.size(self.reachable):,} nodes"),
            ("diagrams", account.diagrams(self.diagrams, self._account)),
            ("time", ", ".join(f"{phase} {seconds:.3f} s" for phase, seconds in spent)),
        )

    # Sets

    @property
    def system(self) -> System:
        """The system whose states these are."""
        return self._system

    @property
    def empty(self) -> Diagram:
        """No state."""
        return self.diagrams.false

    @property
    def reachable(self) -> Diagram:
        """All reachable states."""
        return self._reached

    @property
    def initial(self) -> Diagram:
        """The initial states."""
        return self._first

    def where(self, condition: typed.Expression) -> Diagram:
        """Return the reachable states in which a condition holds."""
        with room_to_recurse():
            return self.diagrams.both(self.encoder.condition(condition), self.reachable)

    def union(self, left: Diagram, right: Diagram) -> Diagram:
        """Return the states in either."""
        return self.diagrams.either(left, right)

    def intersection(self, left: Diagram, right: Diagram) -> Diagram:
        """Return the states in both."""
        return self.diagrams.both(left, right)

    def difference(self, left: Diagram, right: Diagram) -> Diagram:
        """Return the states of `left` that are not in `right`."""
        return self.diagrams.minus(left, right)

    def is_empty(self, states: Diagram) -> bool:
        """Return whether there is no state in it."""
        return bool(states == self.diagrams.false)

    def is_subset(self, left: Diagram, right: Diagram) -> bool:
        """Return whether every state of `left` is in `right`."""
        return self.is_empty(self.diagrams.minus(left, right))

    def count(self, states: Diagram) -> int:
        """Return exactly how many states there are."""
        return self.diagrams.count(states, len(self.layout.now))

    # Steps

    def before(self, target: Diagram, within: Diagram) -> Diagram:
        """Return the states of `within` that have some successor in `target`."""
        self._tick()
        found = [event.preimage(target) for event in self._events]
        return self.diagrams.both(balanced(self.diagrams.either, found, self.empty), within)

    def leads_to(self, target: Diagram, within: Diagram) -> Diagram:
        """Return the least Z = `target` ∪ (`within` ∩ pre(Z)), in the way that the system was explored."""
        found = target
        steps = [event.preimage for event in self._events]
        for larger in explore(self.diagrams, steps, target, within):
            found = larger
            self._tick()
        return found

    def lasting(self, within: Diagram) -> Diagram:
        """Return the greatest Z = `within` ∩ pre(Z), as it reads: one pre-image a step."""
        found = within
        while (smaller := self.before(found, found)) != found:
            found = smaller
        return found

    def _tick(self) -> None:
        self._account.preimages += 1
        if self._account.preimages == _MANY_PREIMAGES and len(self._events) == 1:
            self._look_back_less()
        self._keep_small()

    def _look_back_less(self) -> None:
        if self.diagrams.size(self.reachable) <= _SMALL_SET:
            self._events[0].restrict(self.reachable)
        self.budget.check("pre-image", self._account.preimages, self._nodes)

    def after(self, states: Diagram) -> Diagram:
        """Return the successors of the states."""
        found = [event.image(states) for event in self._events]
        return balanced(self.diagrams.either, found, self.empty)

    # Knowledge

    def indistinguishable(self, agents: Collection[str], states: Diagram) -> Diagram:
        """Return the states that look like one of `states` to all of `agents` at once."""
        return self.diagrams.both(self._alike(agents, states), self.reachable)

    def _alike(self, agents: Collection[str], states: Diagram) -> Diagram:
        """Return what looks like one of `states` to all of `agents`, be it reachable or not.

        Agents see little of a large state, so this is small, and should be joined to others first.
        """
        key = frozenset(agents)
        hidden = self._hidden.get(key)
        if hidden is None:
            seen: set[int] = set()
            for name in agents:
                agent = self.system.agent(name)
                for variable in agent.variables:
                    seen.update(self.layout.variables[name, variable.name].now)
                for shown in agent.sees:
                    seen.update(self.layout.variables[self.system.environment.name, shown].now)
            rest = [level for level in self.layout.now if level not in seen]
            hidden = self._hidden[key] = self.diagrams.cube(rest)
        return self.diagrams.exists(states, hidden)

    @cached_property
    def _hidden(self) -> dict[frozenset[str], Cube]:
        return {}

    def confused(self, agents: Collection[str], states: Diagram) -> Diagram:
        """Return the states that look like one of `states` to one of `agents` at least."""
        found = [self._alike((agent,), states) for agent in agents]
        return self.diagrams.both(balanced(self.diagrams.either, found, self.empty), self.reachable)

    def unlike(self, agents: Collection[str], states: Diagram, within: Diagram) -> Diagram:
        """Return the states of `within` that look like none of `states` to all of `agents` at once."""
        return self.diagrams.minus(within, self._alike(agents, states))

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
        outside = d.rename(d.minus(self.reachable, target), self._exchange)
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

    def _steps_keeping(self, coalition: frozenset[str]) -> Steps:
        """Return the steps backwards that leave the actions of a coalition open.

        Those of the others go first: with them, the relation is cut into parts whose products grow large.
        """
        found = self._keeping.get(coalition)
        if found is None:
            kept = self._open(coalition)
            actions = [level for levels in self.layout.actions.values() for level in levels]
            gone = [level for level in (*self.layout.next, *actions) if level not in kept]
            parts = without_actions(self.relation, self.relation.parts, coalition)
            joined = cluster(self.diagrams, parts, _COARSE)
            found = self._keeping[coalition] = Steps(self.diagrams, joined, gone)
        return found

    @cached_property
    def _keeping(self) -> dict[frozenset[str], Steps]:
        return {}

    @cached_property
    def _with_actions(self) -> list[Part]:
        """The relation with its actions in few parts: with many, the products in between grow large."""
        return cluster(self.diagrams, self.relation.parts, _COARSE)

    # Sanity

    @cached_property
    def deadlocks(self) -> Diagram:
        """Return the reachable states without a successor.

        An agent can be at a loss, or every move would leave a range.
        """
        stuck = self.diagrams.minus(self.reachable, self.relation.alive)
        doubtful = self.overflows
        if self.is_empty(doubtful):
            return stuck
        lost = self.diagrams.minus(doubtful, self.before(self.reachable, doubtful))
        return self.diagrams.either(stuck, lost)

    @cached_property
    def overflows(self) -> Diagram:
        """Return the reachable states from which some move would leave a range."""
        d = self.diagrams
        moves = d.both(self.relation.overflow, self.reachable)
        for agent in self.system.agents:
            moves = d.both(moves, self.relation.choices(agent.name))
        actions = [level for levels in self.layout.actions.values() for level in levels]
        return d.both(d.exists(moves, d.cube(actions)), self.relation.alive)

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
    def _steps_from_here(self) -> Steps:
        actions = [level for levels in self.layout.actions.values() for level in levels]
        old = [now for now, _ in self.layout.pairs]
        return Steps(self.diagrams, self._with_actions, [*old, *actions])

    @cached_property
    def field(self) -> "Field[Diagram]":
        """The same states one at a time, for the search for strategies."""
        from gnomon.engines.bdd.field import BddField

        return BddField(self)

    def pruned(
        self,
        agents: Collection[str],  # noqa: ARG002
    ) -> "Iterable[tuple[ViewChoices, Algebra[Diagram]]]":
        """Return the model pruned to every profile of one action a view for each of `agents`."""
        raise OutOfReach(_NO_PRUNING)

    # Single states

    def pick(self, states: Diagram) -> State:
        """Return one concrete state of a non-empty set, always the same one."""
        found = self.diagrams.pick(states)
        values: list[Value] = []
        for variable in self.system.variables:
            bits = self.layout.variables[variable.agent, variable.name].now
            code = 0
            for level in bits:
                code = 2 * code + found.get(level, False)
            values.append(value_at(variable.domain, code))
        return tuple(values)

    def only(self, state: State) -> Diagram:
        """Return the set of just this reachable state."""
        reads = {
            typed.Read(variable.agent, variable.name): value
            for variable, value in zip(self.system.variables, state, strict=True)
        }
        return self.encoder.assignment(reads)


def _short(number: int) -> str:
    """Return a number of any size in a few letters."""
    return f"{number:,}" if number < 10**9 else f"10^{len(str(number)) - 1}"
