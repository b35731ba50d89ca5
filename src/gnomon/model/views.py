"""What agents see, by name and as it is written."""

from gnomon.model.agent import Agent
from gnomon.model.domain import show_value
from gnomon.model.expression import reads
from gnomon.model.step import State
from gnomon.model.system import System


def view_names(system: System, name: str) -> list[str]:
    """Return the names of what an agent sees."""
    agent = system.agent(name)
    names = [f"{name}.{variable.name}" for variable in agent.variables]
    return names + [f"{system.environment.name}.{seen}" for seen in agent.sees]


def view_values(system: System, name: str, values: State) -> tuple[tuple[str, str], ...]:
    """Return the names and values of what an agent sees."""
    names = view_names(system, name)
    return tuple((n, show_value(value)) for n, value in zip(names, values, strict=True))


def state_values(system: System, state: State) -> tuple[tuple[str, str], ...]:
    """Return the names and values of all variables."""
    pairs = zip(system.variables, state, strict=True)
    return tuple((f"{v.agent}.{v.name}", show_value(value)) for v, value in pairs)


def acts_on_sight(system: System, agent: Agent) -> bool:
    """Return whether an agent's protocol looks only at what the agent sees."""
    read = {part for line in agent.protocol for part in reads(line.condition)}
    return all(
        part.agent == agent.name
        or (part.agent == system.environment.name and part.variable in agent.sees)
        for part in read
    )
