"""Sets of reachable states as decision diagrams: all of the algebra but what coalitions choose."""

from collections.abc import Collection
from functools import cached_property

from gnomon.engines.bdd import account
from gnomon.engines.bdd.setup import Setup, default_setup
from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.diagrams.encode import Encoder
from gnomon.engines.diagrams.events import AnyEvent, events_of, explore
from gnomon.engines.diagrams.interface import Diagram, Diagrams, QuantifiedSet
from gnomon.engines.diagrams.relation import TransitionRelation
from gnomon.engines.diagrams.value_codes import balanced
from gnomon.engines.uniform.searching import SearchedAlgebra
from gnomon.model import expression as typed
from gnomon.model.budget import Budget
from gnomon.model.domain import Datum, value_at
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.text.limits import room_to_recurse

#: While exploring, there may be so many times the nodes that the relation takes.
_GROWTH = 4
#: After so many pre-images it pays to cut the relation down to what is reachable, if that is small.
_MANY_PREIMAGES = 16
_SMALL_SET = 10_000
#: Below this many nodes, moving variables takes longer than it saves.
_REORDER_FROM = 50_000


class BddSets(SearchedAlgebra[Diagram]):
    """Sets of reachable states of a finite system, as decision diagrams: the algebra without choices."""

    def __init__(
        self, system: System, setup: Setup | None = None, budget: Budget | None = None
    ) -> None:
        """Encode the system and find its reachable states, in the way that a setup tells."""
        self._system = system
        self.budget = budget or Budget()
        with room_to_recurse():
            self.setup = setup or default_setup(system)
            self.layout: BitLayout = self.setup.layout
            self.diagrams: Diagrams = self.setup.diagrams()
            self._blocks = self.layout.blocks
            self._reorder_at = 0
            self._account = account.Account(self.diagrams)
            self.encoder = Encoder(system, self.layout, self.diagrams)
            self.budget.check("encoding")
            self._exchange = self.diagrams.renaming(self.layout.pairs)
            self.relation = self._relate()
            self._account.finish("encoding")
            self.budget.check("joining parts of the relation", details=self._nodes)
            self._events = self._steps()
            self._first: Diagram = self._initial()
            self._account.finish("clustering")
            # The relation may be large for good reasons: the order is judged by what comes after it.
            if self.setup.collects:
                self.diagrams.collect()
                least = _GROWTH * self.diagrams.total_size()
                self.diagrams.allow(max(self.setup.room.exploring, least))
            self._reorder_at = max(_REORDER_FROM, _GROWTH * self.diagrams.total_size())
        self._reached: Diagram = self._explore()
        self._account.finish("exploring")
        self.diagrams.allow(self.setup.room.nodes)

    # Building

    def _relate(self) -> TransitionRelation:
        """Encode the steps."""
        return TransitionRelation(self._system, self.encoder)

    def _steps(self) -> list[AnyEvent]:
        """Return the steps in the parts that images are taken of."""
        return list(events_of(self.relation))

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
        self.budget.check("pre-image", self._account.preimages, self._nodes)

    def _look_back_less(self) -> None:
        if self.diagrams.size(self.reachable) <= _SMALL_SET:
            self._events[0].restrict(self.reachable)

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
            hidden = self._hidden[key] = self.diagrams.cube(self._unseen(agents))
        return self.diagrams.exists(states, hidden)

    def _unseen(self, agents: Collection[str]) -> list[int]:
        """Return the levels of what none of `agents` sees."""
        seen: set[int] = set()
        for name in agents:
            agent = self.system.agent(name)
            for variable in agent.variables:
                seen.update(self.layout.variables[name, variable.name].now)
            for shown in agent.sees:
                seen.update(self.layout.variables[self.system.environment.name, shown].now)
        return [level for level in self.layout.now if level not in seen]

    def views(self, agents: Collection[str], states: Diagram) -> int:
        """Return exactly how many views all of `agents` together have of the states."""
        everything = self.diagrams.count(self._alike(agents, states), len(self.layout.now))
        return everything >> len(self._unseen(agents))

    @cached_property
    def _hidden(self) -> dict[frozenset[str], QuantifiedSet]:
        return {}

    def confused(self, agents: Collection[str], states: Diagram) -> Diagram:
        """Return the states that look like one of `states` to one of `agents` at least."""
        found = [self._alike((agent,), states) for agent in agents]
        return self.diagrams.both(balanced(self.diagrams.either, found, self.empty), self.reachable)

    def unlike(self, agents: Collection[str], states: Diagram, within: Diagram) -> Diagram:
        """Return the states of `within` that look like none of `states` to all of `agents` at once."""
        return self.diagrams.minus(within, self._alike(agents, states))

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

    # Single states

    def pick(self, states: Diagram) -> State:
        """Return one concrete state of a non-empty set, always the same one."""
        found = self.diagrams.pick(states)
        values: list[Datum] = []
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
