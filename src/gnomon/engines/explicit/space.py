"""The reachable states, numbered in breadth-first order, and the steps between them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from operator import itemgetter
from typing import TypeAlias

from gnomon.engines.explicit.agents import Locals, Next, Numbers, Player
from gnomon.engines.explicit.compile import Local
from gnomon.model.budget import Budget
from gnomon.model.initial import assignments_satisfying
from gnomon.model.step import State
from gnomon.model.system import System

#: For some agents, by index, the only action that each may do in a view.
Fixed: TypeAlias = Mapping[tuple[int, tuple[int, int]], str]
#: The successors that each joint choice of some agents may lead to.
Choices: TypeAlias = dict[tuple[str, ...], tuple[int, ...]]

_EVERY = 4096


class Moves:
    """What may happen in a state: the agents together, each with its memory."""

    def __init__(self, system: System) -> None:
        """Compile the agents, and group those that look at each other's actions."""
        self.system = system
        self.locals = [Locals() for _ in system.agents]
        self.players = [Player(system, index, self.locals) for index in range(len(system.agents))]
        self.clusters = _clusters(self.players)
        places = [index for cluster in self.clusters for index in cluster]
        order = sorted(range(len(places)), key=places.__getitem__)
        self._in_order = None if order == list(range(len(order))) else itemgetter(*order)
        self._watched = [[_watched(self.players[i], c) for i in c] for c in self.clusters]

    def encode(self, state: State) -> Numbers:
        """Return the numbers of the local states of a state."""
        return tuple(
            locals_.number(values)
            for locals_, values in zip(self.locals, self._split(state), strict=True)
        )

    def known(self, state: State) -> Numbers | None:
        """Return the numbers of the local states of a state; None where one was never met."""
        pairs = zip(self.locals, self._split(state), strict=True)
        numbers = [locals_.known(values) for locals_, values in pairs]
        return (
            None if None in numbers else tuple(number for number in numbers if number is not None)
        )

    def decode(self, numbers: Numbers) -> State:
        """Return the values of all variables."""
        pairs = zip(self.locals, numbers, strict=True)
        return tuple(value for locals_, number in pairs for value in locals_.values[number])

    def _split(self, state: State) -> Iterator[Local]:
        start = 0
        for agent in self.system.agents:
            yield state[start : start + len(agent.variables)]
            start += len(agent.variables)

    def enabled(self, state: Numbers, fixed: Fixed | None = None) -> list[tuple[str, ...]]:
        """Return the actions of each agent; those whose action is `fixed` have just that one."""
        if fixed is None:
            return [player.enabled(state) for player in self.players]
        return [
            (fixed[key],) if (key := (player.index, player.view(state))) in fixed
            else player.enabled(state)
            for player in self.players
        ]  # fmt: skip

    def successors(self, state: Numbers, fixed: Fixed | None = None) -> tuple[list[Numbers], bool]:
        """Return the distinct successors, and whether some resolved move has no result."""
        enabled = self.enabled(state, fixed)
        if () in enabled:
            return [], False
        results: list[list[Numbers]] = []
        overflow = False
        for position, cluster in enumerate(self.clusters):
            found: dict[Numbers, None] = {}
            for _, targets, lost in self._cluster_moves(state, position, cluster, enabled):
                overflow = overflow or lost
                found.update(dict.fromkeys(targets))
            results.append(list(found))
        return self._assemble(results), overflow

    def _cluster_moves(
        self, state: Numbers, position: int, cluster: Sequence[int], enabled: list[tuple[str, ...]]
    ) -> Iterator[tuple[tuple[str, ...], Iterator[Numbers], bool]]:
        """Yield the joint actions of a cluster with their results, and whether some have none."""
        players = [self.players[index] for index in cluster]
        rows = [
            (player, player.outcomes(state), watched)
            for player, watched in zip(players, self._watched[position], strict=True)
        ]
        for joint in product(*[enabled[index] for index in cluster]):
            lost = False
            nexts = []
            for player, table, watched in rows:
                key = watched(joint) if watched else ()
                entry: Next | None = table.get(key)
                if entry is None:
                    actions = (key,) if isinstance(key, str) else key
                    entry = player.fill(state, table, actions)
                nexts.append(entry[0])
                lost = lost or entry[1]
            yield joint, product(*nexts), lost

    def _assemble(self, results: list[list[Numbers]]) -> list[Numbers]:
        if len(results) == 1:
            joined = results[0]
        else:
            joined = [tuple([n for part in parts for n in part]) for parts in product(*results)]
        return joined if self._in_order is None else [self._in_order(state) for state in joined]

    def choices(
        self, state: Numbers, members: Sequence[int], fixed: Fixed | None = None
    ) -> dict[tuple[str, ...], list[Numbers]]:
        """Return, for each joint choice of the members, the distinct states it may lead to.

        Only choices that can be completed are listed: none where some agent has no action.
        """
        enabled = self.enabled(state, fixed)
        if () in enabled:
            return {}
        per_cluster: list[dict[tuple[tuple[int, str], ...], list[Numbers]]] = []
        for position, cluster in enumerate(self.clusters):
            chosen = [(place, index) for place, index in enumerate(cluster) if index in members]
            found: dict[tuple[tuple[int, str], ...], dict[Numbers, None]] = {}
            for joint, targets, _ in self._cluster_moves(state, position, cluster, enabled):
                choice = tuple((index, joint[place]) for place, index in chosen)
                found.setdefault(choice, {}).update(dict.fromkeys(targets))
            per_cluster.append({choice: list(targets) for choice, targets in found.items()})
        result = {}
        for combination in product(*(found.items() for found in per_cluster)):
            by_index = dict(pair for choice, _ in combination for pair in choice)
            actions = tuple(by_index[index] for index in members)
            result[actions] = self._assemble([targets for _, targets in combination])
        return result


def _clusters(players: list[Player]) -> list[tuple[int, ...]]:
    """Return the agents in groups such that nobody looks at an action from another group."""
    group_of = {player.index: {player.index} for player in players}
    for player in players:
        for watched in player.watches:
            merged = group_of[player.index] | group_of[watched]
            for index in merged:
                group_of[index] = merged
    return sorted({tuple(sorted(group)) for group in group_of.values()})


def _watched(player: Player, cluster: Sequence[int]) -> "itemgetter[object] | None":
    """Return what takes the actions a player looks at out of a joint action of its cluster."""
    places = [cluster.index(watched) for watched in player.watches]
    return itemgetter(*places) if places else None


class Space:
    """The reachable states of a system, numbered; the initial states come first."""

    def __init__(
        self, moves: Moves, budget: Budget | None = None, *, fixed: Fixed | None = None
    ) -> None:
        """Explore breadth first. `fixed` prunes the model to given choices."""
        self.moves = moves
        self.budget = budget or Budget()
        self.fixed = fixed
        self.states: list[Numbers] = []
        self.index: dict[Numbers, int] = {}
        self.successors: list[tuple[int, ...]] = []
        self.overflows: list[int] = []
        self._predecessors: list[list[int]] | None = None
        self._start()
        self.initial_count = len(self.states)
        self._explore()

    def _start(self) -> None:
        system = self.moves.system
        for state in assignments_satisfying(system, system.initial, self.budget):
            numbers = self.moves.encode(state)
            self.index[numbers] = len(self.states)
            self.states.append(numbers)
            if len(self.states) % _EVERY == 0:
                self.budget.check_states(len(self.states))

    def _explore(self) -> None:
        index, states, follow = self.index, self.states, self.moves.successors
        for number, state in enumerate(states):
            if number % _EVERY == 0:
                self.budget.check_states(len(states))
                self.budget.check("reachable states", len(states))
            targets, lost = follow(state, self.fixed)
            if lost:
                self.overflows.append(number)
            numbers = []
            for target in targets:
                found = index.get(target)
                if found is None:
                    found = index[target] = len(states)
                    states.append(target)
                numbers.append(found)
            self.successors.append(tuple(numbers))
        self.budget.check_states(len(states))

    @property
    def predecessors(self) -> list[list[int]]:
        """Return, for each state, the states it follows."""
        if self._predecessors is None:
            found: list[list[int]] = [[] for _ in self.states]
            for number, targets in enumerate(self.successors):
                for target in targets:
                    found[target].append(number)
            self._predecessors = found
        return self._predecessors

    def choices(self, number: int, members: Sequence[int]) -> Choices:
        """Return, for each joint choice of some agents, the successors it may lead to."""
        found = self.moves.choices(self.states[number], members, self.fixed)
        return {
            actions: tuple(self.index[target] for target in targets)
            for actions, targets in found.items()
        }

    def state(self, number: int) -> State:
        """Return the values of all variables in a state."""
        return self.moves.decode(self.states[number])

    def number(self, state: State) -> int:
        """Return the number of a reachable state."""
        numbers = self.moves.known(state)
        if numbers is None:
            msg = f"{state} is not reachable"
            raise KeyError(msg)
        return self.index[numbers]
