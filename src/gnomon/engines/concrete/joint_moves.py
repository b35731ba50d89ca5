"""What may happen in a state: the agents together.

Agents that do not look at each other's actions move independently, so their results are computed
apart and multiplied. Where many joint actions are left, the action that most depends on is fixed
first: then the others often no longer depend on each other.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from operator import itemgetter
from typing import TypeAlias, cast

from gnomon.engines.concrete.compile import LocalValues
from gnomon.engines.concrete.players import Locals, NumberedState, Player, View
from gnomon.model.budget import TryAnother
from gnomon.model.step import State
from gnomon.model.system import System

#: For some agents, by index, the only action that each may do in a view.
Fixed: TypeAlias = Mapping[tuple[int, View], str]
#: The enabled actions of each agent.
EnabledActions: TypeAlias = list[tuple[str, ...]]
#: The choices of some agents, by index.
PartialChoice: TypeAlias = tuple[tuple[int, str], ...]
#: What each choice may lead to, for the agents of a cluster; a dictionary serves as an ordered set.
Results: TypeAlias = dict[PartialChoice, dict[NumberedState, None]]

#: What takes the actions that an agent watches out of a joint action.
Watched: TypeAlias = Callable[[tuple[str, ...]], str | tuple[str, ...]]

#: Up to this many joint actions are simply gone through.
_FEW = 32


class MoveRoom:
    """So many moves may be gone through, whatever the machine: where they are over, there were not few."""

    def __init__(self, moves: int) -> None:
        """Start with room for so many."""
        self.most = self._left = self._looks = moves

    def take(self, moves: int) -> None:
        """Use some up; raises `TryAnother` where there are not so many left."""
        self._left -= moves
        self._check()

    def look(self, agents: int) -> None:
        """Look at so many agents in order to take them apart: as often as moves may be taken."""
        self._looks -= agents
        self._check()

    def _check(self) -> None:
        if self._left < 0 or self._looks < 0:
            msg = "there are more moves than were to be looked at"
            raise TryAnother(msg)


class JointMoves:
    """The agents of a system, each with its memory."""

    def __init__(self, system: System, room: MoveRoom | None = None) -> None:
        """Compile the agents, and group those that look at each other's actions.

        Where there is only so much `room`, moves are counted before they are made.
        """
        self.system = system
        self.room = room
        self.locals = [Locals() for _ in system.agents]
        most = None if room is None else room.most
        self.players = [
            Player(system, index, self.locals, most) for index in range(len(system.agents))
        ]
        self.clusters = _clusters(
            range(len(self.players)), {player.index: player.watches for player in self.players}
        )
        self._all_alone = all(len(cluster) == 1 for cluster in self.clusters)
        self._watched = {
            (player.index, cluster): _watched(player, cluster)
            for cluster in self.clusters
            for player in self._players(cluster)
        }

    def reconsider(self, explored: int) -> None:
        """Stop remembering what is hardly ever asked for again."""
        for player in self.players:
            player.reconsider(explored)

    def encode(self, state: State) -> NumberedState:
        """Return the numbers of the local states of a state."""
        pairs = zip(self.locals, self._split(state), strict=True)
        return tuple([locals_.number(values) for locals_, values in pairs])

    def known(self, state: State) -> NumberedState | None:
        """Return the numbers of the local states of a state; None where one was never met."""
        pairs = zip(self.locals, self._split(state), strict=True)
        numbers = [locals_.known(values) for locals_, values in pairs]
        found = tuple(number for number in numbers if number is not None)
        return found if len(found) == len(numbers) else None

    def decode(self, numbers: NumberedState) -> State:
        """Return the values of all variables."""
        pairs = zip(self.locals, numbers, strict=True)
        return tuple([value for locals_, number in pairs for value in locals_.values[number]])

    def _split(self, state: State) -> Iterator[LocalValues]:
        start = 0
        for agent in self.system.agents:
            yield state[start : start + len(agent.variables)]
            start += len(agent.variables)

    def enabled(self, state: NumberedState, fixed: Fixed | None = None) -> EnabledActions:
        """Return the actions of each agent; those whose action is `fixed` have just that one."""
        if fixed is None:
            return [player.enabled(state) for player in self.players]
        return [self.actions_of(index, state, fixed) for index in range(len(self.players))]

    def actions_of(self, index: int, state: NumberedState, fixed: Fixed | None) -> tuple[str, ...]:
        """Return the actions of one agent."""
        player = self.players[index]
        action = None if fixed is None else fixed.get((index, player.view(state)))
        return player.enabled(state) if action is None else (action,)

    def successors(
        self, state: NumberedState, fixed: Fixed | None = None
    ) -> tuple[list[NumberedState], bool]:
        """Return the distinct successors, and whether some resolved move has no result."""
        if self._all_alone and fixed is None:
            steps = [player.alone(state) for player in self.players]
            if self.room is not None:
                self.room.take(prod([len(nexts) for nexts, _, _ in steps]))
            return list(product(*[nexts for nexts, _, _ in steps])), _overflow(steps)
        enabled = self.enabled(state, fixed)
        if () in enabled:
            return [], False
        parts = [self._results(state, cluster, enabled, ()) for cluster in self.clusters]
        lost = any(overflow for _, overflow in parts)
        targets = [tuple(found[()]) for found, _ in parts]
        if self.room is not None:
            self.room.take(prod(map(len, targets)))
        return _assemble(self.clusters, targets), lost

    def results(self, state: NumberedState, chosen: Mapping[int, str]) -> list[NumberedState]:
        """Return the distinct successors where some agents do what was chosen for them."""
        enabled = self.enabled(state)
        if () in enabled:
            return []
        for index, action in chosen.items():
            enabled[index] = (action,)
        parts = [self._results(state, cluster, enabled, ()) for cluster in self.clusters]
        return _assemble(self.clusters, [tuple(found[()]) for found, _ in parts])

    def choices(
        self, state: NumberedState, members: Sequence[int], fixed: Fixed | None = None
    ) -> dict[tuple[str, ...], list[NumberedState]]:
        """Return, for each joint choice of the members, the distinct states it may lead to.

        Only choices that can be completed are listed: none where some agent has no action.
        """
        enabled = self.enabled(state, fixed)
        if () in enabled:
            return {}
        if self._all_alone:
            return self._choices_alone(state, enabled, members)
        parts = [self._results(state, cluster, enabled, members)[0] for cluster in self.clusters]
        found = {}
        for combination in product(*[part.items() for part in parts]):
            chosen = dict(pair for choice, _ in combination for pair in choice)
            actions = tuple([chosen[index] for index in members])
            targets = [tuple(results) for _, results in combination]
            found[actions] = _assemble(self.clusters, targets)
        return found

    def _choices_alone(
        self, state: NumberedState, enabled: EnabledActions, members: Sequence[int]
    ) -> dict[tuple[str, ...], list[NumberedState]]:
        """Return the same as `choices` where nobody looks at the action of anybody else."""
        options = []
        for player, actions in zip(self.players, enabled, strict=True):
            nexts = player.each(state, actions)
            chosen = player.index in members
            everything = tuple(dict.fromkeys([n for results in nexts for n in results]))
            options.append(list(zip(actions, nexts, strict=True)) if chosen else [("", everything)])
        found = {}
        for combination in product(*options):
            actions = tuple([combination[index][0] for index in members])
            found[actions] = list(product(*[nexts for _, nexts in combination]))
        return found

    def _players(self, cluster: Iterable[int]) -> list[Player]:
        return [self.players[index] for index in cluster]

    def _results(
        self,
        state: NumberedState,
        cluster: tuple[int, ...],
        enabled: EnabledActions,
        members: Sequence[int],
    ) -> tuple[Results, bool]:
        """Return what each choice of the members may lead to for the agents of one cluster."""
        if prod([len(enabled[index]) for index in cluster]) > _FEW:
            return self._divided(state, cluster, enabled, members)
        rows = [
            (player, player.table(state), self._watched.get((player.index, cluster)))
            for player in self._players(cluster)
        ]
        chosen = [(place, index) for place, index in enumerate(cluster) if index in members]
        found: Results = {}
        lost = False
        for joint in product(*[enabled[index] for index in cluster]):
            nexts = []
            for player, table, watched in rows:
                # A cluster made on the way has no prepared key: its agents may watch others.
                key = watched(joint) if watched else _key(player, cluster, joint, enabled)
                entry = table.get(key) or player.fill(state, table, key)
                nexts.append(entry[0])
                lost = lost or entry[1]
            if self.room is not None:
                self.room.take(max(1, prod(map(len, nexts))))  # also where there is no result
            choice = tuple([(index, joint[place]) for place, index in chosen])
            found.setdefault(choice, {}).update(dict.fromkeys(product(*nexts)))
        return found, lost

    def _divided(
        self,
        state: NumberedState,
        cluster: tuple[int, ...],
        enabled: EnabledActions,
        members: Sequence[int],
    ) -> tuple[Results, bool]:
        """Divide a cluster into agents that do not depend on each other here, or by one action."""
        if self.room is not None:
            self.room.look(len(cluster))
        values = self.decode(state)
        depends = {p.index: p.depends(state, values, enabled) for p in self._players(cluster)}
        smaller = _clusters(cluster, depends)
        if len(smaller) > 1:
            parts = [self._results(state, part, enabled, members) for part in smaller]
            if self.room is not None:
                self.room.take(prod([sum(map(len, found.values())) for found, _ in parts]))
            results = _multiply(smaller, [found for found, _ in parts])
            return results, any(lost for _, lost in parts)
        watched = [index for others in depends.values() for index in others]
        # Nobody looks at anybody: one agent that nothing depends on, with many actions.
        pivot = max(sorted(set(watched)) or cluster, key=watched.count)
        found: Results = {}
        overflow = False
        for action in enabled[pivot] if watched else enabled[pivot][:1]:
            branch = list(enabled)
            branch[pivot] = (action,)
            results, lost = self._results(state, cluster, branch, members)
            overflow = overflow or lost
            for choice, targets in results.items():
                found.setdefault(choice, {}).update(targets)
        if not watched and pivot in members:
            [targets] = found.values()
            found = {((pivot, action),): targets for action in enabled[pivot]}
        return found, overflow


def _overflow(steps: list[tuple[tuple[int, ...], bool, bool]]) -> bool:
    """Return whether some move has no result: everybody can act, and somebody may overflow."""
    lost = False
    for _, able, overflow in steps:
        if not able:
            return False
        lost = lost or overflow
    return lost


def _key(
    player: Player, cluster: tuple[int, ...], joint: tuple[str, ...], enabled: EnabledActions
) -> str | tuple[str, ...]:
    """Return the actions a player watches; of agents outside the cluster any will do."""
    actions = tuple(
        [joint[cluster.index(i)] if i in cluster else enabled[i][0] for i in player.watches]
    )
    return actions[0] if len(actions) == 1 else actions


def _clusters(agents: Iterable[int], depends: Mapping[int, Iterable[int]]) -> list[tuple[int, ...]]:
    """Return the agents in groups such that nobody depends on an action from another group."""
    group_of = {index: {index} for index in agents}
    for index, others in depends.items():
        for other in others:
            if other in group_of and group_of[other] is not group_of[index]:
                merged = group_of[index] | group_of[other]
                group_of.update(dict.fromkeys(merged, merged))
    return sorted({tuple(sorted(group)) for group in group_of.values()})


def _watched(player: Player, cluster: tuple[int, ...]) -> Watched | None:
    """Return what takes the actions a player looks at out of a joint action of its cluster."""
    places = [cluster.index(watched) for watched in player.watches]
    return cast("Watched", itemgetter(*places)) if places else None


def _assemble(
    clusters: Sequence[tuple[int, ...]], targets: Sequence[tuple[NumberedState, ...]]
) -> list[NumberedState]:
    """Return all combinations of the results of some clusters, in the order of the agents."""
    if len(clusters) == 1:
        return list(targets[0])
    places = [index for cluster in clusters for index in cluster]
    joined = [tuple([n for part in parts for n in part]) for parts in product(*targets)]
    order = sorted(range(len(places)), key=places.__getitem__)
    if order == list(range(len(order))):
        return joined
    in_order = itemgetter(*order)
    return [in_order(state) for state in joined]


def _multiply(clusters: Sequence[tuple[int, ...]], parts: Sequence[Results]) -> Results:
    """Return the joint results of clusters that do not depend on each other."""
    found: Results = {}
    for combination in product(*[part.items() for part in parts]):
        choice = tuple(sorted(pair for part, _ in combination for pair in part))
        targets = [tuple(results) for _, results in combination]
        found[choice] = dict.fromkeys(_assemble(clusters, targets))
    return found
