"""What may happen in a state of an interleaved system: one event at a time."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from gnomon.engines.concrete.joint_moves import EnabledActions, Fixed, JointMoves, MoveRoom
from gnomon.engines.concrete.players import NumberedState, Player
from gnomon.model.agent import IDLE
from gnomon.model.system import System

_Watching: TypeAlias = tuple[Player, str | tuple[str, ...]]


class _PreparedEvent(NamedTuple):
    """An action, and those who take part or observe, each with the actions that it watches in the event."""

    action: str
    parts: tuple[_Watching, ...]
    observers: tuple[_Watching, ...]

    def fits(self, options: Sequence[Sequence[str]]) -> bool:
        """Return whether all who take part may do it."""
        return all(self.action in options[player.index] for player, _ in self.parts)


class InterleavedMoves(JointMoves):
    """The agents of an interleaved system, each with its memory."""

    def __init__(self, system: System, room: MoveRoom | None = None) -> None:
        """Compile the agents, and prepare the events."""
        super().__init__(system, room)
        observers = [player for player in self.players if system.agents[player.index].observer]
        self._events = [
            _PreparedEvent(
                name,
                tuple(
                    (player, _watched(player, actions))
                    for player in self.players
                    if actions[player.index] != IDLE
                ),
                tuple((player, _watched(player, actions)) for player in observers),
            )
            for name, actions in system.events.items()
        ]

    def successors(
        self, state: NumberedState, fixed: Fixed | None = None
    ) -> tuple[list[NumberedState], bool]:
        """Return the distinct successors, and whether some resolved move has no result."""
        enabled = self.enabled(state, fixed)
        found: dict[NumberedState, None] = {}
        lost = False
        for event in self._events:
            if event.fits(enabled):
                targets, overflow = _follow(event, state, self.room)
                found.update(dict.fromkeys(targets))
                lost = lost or overflow
        return list(found), lost

    def results(self, state: NumberedState, chosen: Mapping[int, str]) -> list[NumberedState]:
        """Return the distinct states that may follow where some agents have chosen what they do."""
        members = tuple(chosen)
        return self._chosen(state, members, tuple(chosen.values()), self._happening(state, None))

    def choices(
        self, state: NumberedState, members: Sequence[int], fixed: Fixed | None = None
    ) -> dict[tuple[str, ...], list[NumberedState]]:
        """Return, for each joint choice of the members, the distinct states it may lead to.

        Nothing is listed where no event can happen. A choice that leaves none leads back to the state.
        """
        happening = self._happening(state, fixed)
        if not happening:
            return {}
        options = [self.actions_of(index, state, fixed) for index in members]
        return {
            choice: self._chosen(state, members, choice, happening) for choice in product(*options)
        }

    def _happening(
        self, state: NumberedState, fixed: Fixed | None
    ) -> list[tuple[_PreparedEvent, list[NumberedState]]]:
        """Return the events that can happen, each with where it may lead."""
        enabled: EnabledActions = self.enabled(state, fixed)
        return [(event, _follow(event, state)[0]) for event in self._events if event.fits(enabled)]

    @staticmethod
    def _chosen(
        state: NumberedState,
        members: Sequence[int],
        choice: Sequence[str],
        happening: list[tuple[_PreparedEvent, list[NumberedState]]],
    ) -> list[NumberedState]:
        done = dict(zip(members, choice, strict=True))
        left = [
            targets
            for event, targets in happening
            if all(
                done.get(player.index, event.action) == event.action for player, _ in event.parts
            )
        ]
        if happening and not left:
            return [state]
        return list(dict.fromkeys(target for targets in left for target in targets))


def _watched(player: Player, actions: Sequence[str]) -> str | tuple[str, ...]:
    """Return what a player sees of a joint action, in the form that its tables have for it."""
    found = tuple([actions[index] for index in player.watches])
    return found[0] if len(found) == 1 else found


def _follow(
    event: _PreparedEvent, state: NumberedState, room: MoveRoom | None = None
) -> tuple[list[NumberedState], bool]:
    """Return where an event may lead, and whether some alternative has no result."""
    targets = [state]
    lost = False
    for player, key in (*event.parts, *event.observers):
        table = player.table(state)
        nexts, overflow = table.get(key) or player.fill(state, table, key)
        place = player.index
        if room is not None:
            room.take(len(targets) * len(nexts))
        targets = [(*t[:place], local, *t[place + 1 :]) for t in targets for local in nexts]
        lost = lost or overflow
    return targets, lost


def moves_of(system: System, room: MoveRoom | None = None) -> JointMoves:
    """Return the agents of a system, compiled, with what may happen, of which there may be only so much."""
    return InterleavedMoves(system, room) if system.interleaved else JointMoves(system, room)
