"""States in boxes: the values that are different somewhere in the picture; the others are said once."""

from collections.abc import Container, Iterable, Sequence
from typing import Final

from gnomon.model.domain import show_value
from gnomon.model.step import State, view
from gnomon.model.system import System
from gnomon.results.drawing.diagram import WIDE, Look, shortened
from gnomon.results.projection import PictureStyle, is_shown
from gnomon.results.styled import fill

#: A longer value is cut; JSON has all of it.
_LONGEST: Final = 60
#: So many values that are the same everywhere are told.
_TOLD: Final = 8


class StateWords:
    """What is written of the states of one picture."""

    def __init__(
        self,
        system: System,
        states: Sequence[State],
        style: PictureStyle,
        *,
        cut: bool = False,
        only: Container[int] | None = None,
    ) -> None:
        """Look at all states that are drawn; where the picture is `cut`, others may be different.

        Nothing is told of variables whose places are not among these `only`, where some are given.
        """
        self._system = system
        self._where = "in all states shown" if cut else "everywhere"
        shown = [
            index
            for index, variable in enumerate(system.variables)
            if is_shown(variable.agent, style.agents) and (only is None or index in only)
        ]
        varying = [index for index in shown if len({state[index] for state in states}) > 1]
        all_of_them = style.full_states or len(states) <= 1 or not varying
        self._told = shown if all_of_them else varying
        self._same = [] if all_of_them else [index for index in shown if index not in varying]
        self._first = states[0] if states else ()

    def lines(self, state: State) -> tuple[str, ...]:
        """Return the values of a state, agent by agent, on lines that are not too wide."""
        values: dict[str, list[str]] = {}
        for index in self._told:
            variable = self._system.variables[index]
            text = shortened(f"{variable.name}={show_value(state[index])}", _LONGEST)
            values.setdefault(variable.agent, []).append(text)
        return tuple(
            line
            for agent, items in values.items()
            for line in fill([f"{agent}: {items[0]}", *items[1:]], WIDE, "  ")
        )

    def notes(self) -> tuple[str, ...]:
        """Return what is the same in all states."""
        if not self._same:
            return ()
        said = []
        for index in self._same[:_TOLD]:
            variable = self._system.variables[index]
            value = shortened(show_value(self._first[index]), _LONGEST)
            said.append(f"{variable.agent}.{variable.name} = {value}")
        left = len(self._same) - len(said)
        more = f" and {left} more" if left else ""
        return (f"{self._where}: {', '.join(said)}{more}",)


def looks(
    system: System, states: Sequence[Iterable[State]], agents: Iterable[str]
) -> list[tuple[Look, ...]]:
    """Return for each box, which stands for some states, the classes of those that look like another box's.

    Classes are numbered from 1 for each agent; what looks like nothing else has none.
    """
    found: list[list[Look]] = [[] for _ in states]
    for name in dict.fromkeys(agents):
        agent = system.agent(name)
        groups: dict[State, dict[int, None]] = {}
        for box, some in enumerate(states):
            for state in some:
                groups.setdefault(view(system, agent, state), {})[box] = None
        number = 0
        for group in groups.values():
            # What is so of all boxes is said once, below.
            if len(group) > 1 and len(groups) > 1:
                number += 1
                for box in group:
                    found[box].append(Look(name, number))
    return [tuple(some) for some in found]


def look_notes(
    system: System,
    states: Sequence[Iterable[State]],
    all_looks: Sequence[tuple[Look, ...]],
    agents: Sequence[str],
) -> tuple[str, ...]:
    """Return what the names of classes mean, and who tells all states of the picture apart, or none."""
    found = {look.agent for some in all_looks for look in some}
    other = [name for name in dict.fromkeys(agents) if name not in found]
    blind = [
        name
        for name in other
        if len(states) > 1
        and len({view(system, system.agent(name), state) for some in states for state in some}) == 1
    ]
    sharp = [name for name in other if name not in blind] if len(states) > 1 else []
    notes = []
    if found:
        notes.append("≈ agent n: states with the same name look the same to the agent")
    if sharp:
        verb = "tells" if len(sharp) == 1 else "tell"
        notes.append(f"{', '.join(sharp)} {verb} all these states apart")
    if blind:
        notes.append(f"to {', '.join(blind)} all these states look the same")
    return tuple(notes)
