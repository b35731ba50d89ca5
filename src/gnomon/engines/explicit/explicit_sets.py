"""Sets of numbered states: all of the algebra but the search for strategies."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

from gnomon.engines.algebra import Algebra
from gnomon.engines.concrete.compile import condition_function
from gnomon.engines.explicit.state_space import StateSpace
from gnomon.model.expression import Expression, Read, reads
from gnomon.model.step import State
from gnomon.model.system import System

#: All are frozen but those that `own` makes.
States: TypeAlias = frozenset[int] | set[int]

#: Beyond this many choices, leaving out the useless ones costs more than it saves.
_FEW = 64
_EVERY = 1024


class ExplicitSets(Algebra[States]):
    """Sets of states of a space, as frozen sets of their numbers."""

    def __init__(self, space: StateSpace) -> None:
        """Work on the states of `space`."""
        self.space = space
        self._everything = frozenset(space.numbers())
        self._classes: dict[frozenset[str], tuple[list[int], list[list[int]]]] = {}
        self._tables: dict[tuple[int, ...], list[tuple[tuple[int, ...], ...] | None]] = {}

    @property
    def system(self) -> System:
        """The system whose states these are."""
        return self.space.moves.system

    @property
    def reachable(self) -> States:
        """All reachable states."""
        return self._everything

    @property
    def empty(self) -> States:
        """No state."""
        return frozenset()

    @cached_property
    def initial(self) -> States:
        """The initial states."""
        return frozenset(range(self.space.initial_count))

    @cached_property
    def deadlocks(self) -> States:
        """The states without a successor."""
        pairs = zip(self.space.numbers(), self.space.successors, strict=True)
        return frozenset([number for number, targets in pairs if not targets])

    @cached_property
    def overflows(self) -> States:
        """The states with a resolved move that has no result."""
        return frozenset(self.space.overflows)

    def where(self, condition: Expression) -> States:
        """Return the reachable states in which a condition holds."""
        moves, system = self.space.moves, self.system
        owners = sorted({system.agent_index[read.agent] for read in reads(condition)})
        places: dict[Read | str, str] = {
            Read(system.agents[owner].name, variable.name): f"l{owner}[{place}]"
            for owner in owners
            for place, variable in enumerate(system.agents[owner].variables)
        }
        parameters = ", ".join(f"l{owner}" for owner in owners)
        function = condition_function(condition, places, parameters)
        if not owners:
            return self._everything if function() else frozenset()
        known: dict[object, bool] = {}
        found = []
        relevant = itemgetter(*owners)
        for number, state in self.space.index_pairs():
            key = relevant(state)
            value = known.get(key)
            if value is None:
                values = [moves.locals[owner].values[state[owner]] for owner in owners]
                value = known[key] = bool(function(*values))
            if value:
                found.append(number)
        return frozenset(found)

    def union(self, left: States, right: States) -> States:
        """Return the states in either."""
        return frozenset(left | right)

    def intersection(self, left: States, right: States) -> States:
        """Return the states in both."""
        return frozenset(left & right)

    def difference(self, left: States, right: States) -> States:
        """Return the states of `left` that are not in `right`."""
        return frozenset(left - right)

    def is_empty(self, states: States) -> bool:
        """Return whether there is no state in it."""
        return not states

    def is_subset(self, left: States, right: States) -> bool:
        """Return whether every state of `left` is in `right`."""
        return left <= right

    def count(self, states: States) -> int:
        """Return exactly how many states there are."""
        return len(states)

    def own(self, states: States) -> States:
        """Return the same states as a set that `extend` may change."""
        return set(states)

    def extend(self, own: States, more: States) -> States:
        """Add some states to a set that came from `own`, in place."""
        self.space.budget.check("fixpoint", len(own))
        own |= more
        return own

    def before(self, target: States, within: States) -> States:
        """Return the states of `within` that have some successor in `target`."""
        if len(target) < len(within):
            predecessors = self.space.predecessors
            known = chain.from_iterable([predecessors[number] for number in target])
            return frozenset(within.intersection(known))
        follow = self.space.successors
        return frozenset([s for s in within if not target.isdisjoint(follow[s])])

    def after(self, states: States) -> States:
        """Return the successors of the states."""
        follow = self.space.successors
        return frozenset(chain.from_iterable([follow[number] for number in states]))

    def inevitable(self, target: States, within: States) -> States:
        """Return the states of `within` that have no successor outside `target`."""
        follow = self.space.successors
        return frozenset([s for s in within if target.issuperset(follow[s])])

    def indistinguishable(self, agents: Collection[str], states: States) -> States:
        """Return the states that look like one of `states` to all of `agents` at once."""
        class_of, members = self.classes(frozenset(agents))
        chosen = {class_of[number] for number in states}
        return frozenset(chain.from_iterable([members[view] for view in chosen]))

    def views(self, agents: Collection[str], states: States) -> int:
        """Return exactly how many views all of `agents` together have of the states."""
        class_of, _ = self.classes(frozenset(agents))
        return len({class_of[number] for number in states})

    def classes(self, agents: frozenset[str]) -> tuple[list[int], list[list[int]]]:
        """Return the class of each state, and the states of each class, of equal joint views."""
        if agents not in self._classes:
            indices = sorted(self.system.agent_index[name] for name in agents)
            players = [self.space.moves.players[index] for index in indices]
            numbers: dict[object, int] = {}
            class_of: list[int] = []
            members: list[list[int]] = []
            for number, state in self.space.index_pairs():
                key = tuple([player.view(state) for player in players])
                view = numbers.setdefault(key, len(members))
                if view == len(members):
                    members.append([])
                members[view].append(number)
                class_of.append(view)
            self._classes[agents] = (class_of, members)
        return self._classes[agents]

    def controllable(self, coalition: Collection[str], target: States, within: States) -> States:
        """Return the states of `within` where the coalition can force the next state into it."""
        options = self._options(coalition)
        return frozenset(
            [s for s in within if any(target.issuperset(results) for results in options(s))]
        )

    def unavoidable(self, coalition: Collection[str], target: States, within: States) -> States:
        """Return the states of `within` where the coalition cannot keep out of `target`."""
        options = self._options(coalition)
        return frozenset(
            [s for s in within if not any(target.isdisjoint(results) for results in options(s))]
        )

    def choose(
        self, coalition: Collection[str], state: State, target: States
    ) -> tuple[tuple[str, str], ...] | None:
        """Return an action for each member that forces the next state into `target`, if any."""
        members = self.members(coalition)
        names = [self.system.agents[index].name for index in members]
        for actions, results in self.space.choices(self.space.number(state), members).items():
            if target.issuperset(results):
                return tuple(zip(names, actions, strict=True))
        return None

    def able(self, agent: str, action: str) -> States:
        """Return the states in which an action of an agent is enabled."""
        player = self.space.moves.players[self.system.agent_index[agent]]
        return frozenset(
            n for n, state in self.space.index_pairs() if action in player.enabled(state)
        )

    def forcing_choices(
        self, coalition: Collection[str], target: States, within: States
    ) -> Iterable[tuple[tuple[str, ...], States]]:
        """Yield choices of the members with the states of `within` where they force the next one."""
        members = self.members(coalition)
        found: dict[tuple[str, ...], list[int]] = {}
        for number in within:
            for choice, results in self.space.choices(number, members).items():
                if target.issuperset(results):
                    found.setdefault(choice, []).append(number)
        return [(choice, frozenset(numbers)) for choice, numbers in found.items()]

    def results(self, state: State, actions: Mapping[str, str]) -> States:
        """Return what may follow a state where some agents do the actions given."""
        members = self.members(actions)
        choice = tuple(actions[self.system.agents[index].name] for index in members)
        return frozenset(self.space.choices(self.space.number(state), members).get(choice, ()))

    def members(self, coalition: Collection[str]) -> tuple[int, ...]:
        """Return the indices of the agents of a coalition, in order and each once."""
        return tuple(sorted({self.system.agent_index[name] for name in coalition}))

    def _options(self, coalition: Collection[str]) -> Callable[[int], tuple[tuple[int, ...], ...]]:
        """Return what gives, for a state, the results that each useful choice may have."""
        members = self.members(coalition)
        table = self._tables.setdefault(members, [None] * len(self.space.states))
        space = self.space

        def options(number: int) -> tuple[tuple[int, ...], ...]:
            found = table[number]
            if found is None:
                if number % _EVERY == 0:
                    space.budget.check("choices", number)
                results = list(space.choices(number, members).values())
                # A single choice leads to all successors: no need to store them twice.
                alone = len(results) == 1
                found = (space.successors[number],) if alone else useful(results)
                table[number] = found
            return found

        return options

    def pick(self, states: States) -> State:
        """Return one concrete state of a non-empty set: the one reached first."""
        return self.space.state(min(states))

    def only(self, state: State) -> States:
        """Return the set of just this reachable state."""
        return frozenset((self.space.number(state),))


def useful(results: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Leave out the choices that may lead wherever another one may, and further."""
    distinct = list({frozenset(result): result for result in results}.items())
    if 1 < len(distinct) <= _FEW:
        distinct = [
            (states, result)
            for states, result in distinct
            if not any(other < states for other, _ in distinct)
        ]
    return tuple(result for _, result in distinct)
