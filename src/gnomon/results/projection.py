"""What a page shows: all agents or only some of them, and how much."""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from gnomon.model.agent import IDLE
from gnomon.model.domain import show_value
from gnomon.model.evidence import Step
from gnomon.model.step import State, holds
from gnomon.model.system import System

#: The names of the agents that are shown; None shows all.
ShownAgents: TypeAlias = tuple[str, ...] | None


class NewValue(NamedTuple):
    """A variable and its value, as it is written."""

    agent: str
    variable: str
    value: str

    def __str__(self) -> str:
        """Show both, as in `Sender.bit = true`."""
        return f"{self.agent}.{self.variable} = {self.value}"


def is_shown(agent: str, agents: ShownAgents) -> bool:
    """Return whether an agent is among those shown."""
    return agents is None or agent in agents


@dataclass(frozen=True, slots=True)
class PictureStyle:
    """Whom to show (None: all), whether lines of the source, whole states, and which actions to leave out.

    An action is named alone, or with its agent, as in `Sender.wait`.
    """

    agents: ShownAgents = None
    line_numbers: bool = True
    full_states: bool = False
    hidden: tuple[str, ...] = ()
    #: The most states in the picture of a strategy.
    limit: int = 60

    def shows(self, agent: str, action: str) -> bool:
        """Return whether an action has a place in the picture; to idle never has."""
        is_hidden = action in self.hidden or f"{agent}.{action}" in self.hidden
        return action != IDLE and not is_hidden and is_shown(agent, self.agents)


def places(system: System, agents: ShownAgents) -> list[int]:
    """Return where a joint action keeps the actions of the agents that are shown."""
    return [index for index, agent in enumerate(system.agents) if is_shown(agent.name, agents)]


def changes(
    system: System, before: State | None, after: State, agents: ShownAgents = None
) -> list[NewValue]:
    """Return all that is new in `after`; all of it after nothing."""
    return [
        NewValue(variable.agent, variable.name, show_value(value))
        for index, (variable, value) in enumerate(zip(system.variables, after, strict=True))
        if is_shown(variable.agent, agents) and (before is None or before[index] != value)
    ]


def taken(system: System, step: Step, agents: ShownAgents = None) -> list[tuple[str, str]]:
    """Return (agent, action) for all who act in a step; those that only idle are left out."""
    if step.actions is None:
        return []
    return [
        (system.agents[index].name, step.actions[index])
        for index in places(system, agents)
        if step.actions[index] != IDLE
    ]


def rule_lines(step: Step, shown: list[int] | None = None) -> str:
    """Return the source lines of the evolution rules of a step, as `line 12, 40`.

    `shown` are the places of the agents whose rules count; all of them where it is None.
    """
    numbers = {
        number
        for index, lines in enumerate(step.lines)
        if shown is None or index in shown
        for number in lines
        if number
    }
    return f"line {', '.join(map(str, sorted(numbers)))}" if numbers else ""


def propositions_in(system: System, state: State) -> list[str]:
    """Return the propositions that hold in a state."""
    return [name for name, what in system.propositions.items() if holds(what, system, state)]
