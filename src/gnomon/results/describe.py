"""What a model is, as plain data: agents, variables, who sees what, sizes and formulae."""

from gnomon.checking.sizes import Sizes
from gnomon.model.agent import Agent, Variable
from gnomon.model.domain import size_of
from gnomon.model.expression import show
from gnomon.model.formula import show_formula
from gnomon.model.system import System
from gnomon.results.data import Object
from gnomon.version import __version__


def seen_by(system: System, variable: Variable) -> list[str]:
    """Return the agents whose view includes the variable."""
    return [
        agent.name
        for agent in system.agents
        if agent.name == variable.agent
        or (variable.agent == system.environment.name and variable.name in agent.sees)
    ]


def of_system(model: str, system: System, sizes: Sizes) -> Object:
    """Return the whole description, in the shape that `schema/show.json` publishes."""
    return {
        "gnomon": __version__,
        "model": model,
        "kind": system.kind,
        "semantics": system.semantics,
        "agents": [of_agent(system, agent) for agent in system.agents],
        "propositions": {name: show(what) for name, what in system.propositions.items()},
        "groups": {name: list(group.members) for name, group in system.groups.items()},
        "fairness": [" ".join(item.text.split()) for item in system.fairness],
        "formulae": [
            {
                "index": index,
                "name": item.name or None,
                "text": " ".join(item.text.split()),
                "parsed": show_formula(item.formula),
                "line": item.line or None,
                "expected": item.expected,
            }
            for index, item in enumerate(system.specifications, 1)
        ],
        "states": {
            "possible": sizes.possible,
            "initial": sizes.initial,
            "reachable": sizes.reachable,
            "complete": sizes.complete,
        },
    }


def of_agent(system: System, agent: Agent) -> Object:
    """Return one agent."""
    return {
        "name": agent.name,
        "variables": [
            {
                "name": variable.name,
                "domain": str(variable.domain),
                "size": size_of(variable.domain),
                "seen_by": seen_by(system, variable),
            }
            for variable in agent.variables
        ],
        "sees": list(agent.sees),
        "actions": list(agent.actions),
        "protocol_lines": len(agent.protocol) + (agent.other is not None),
        "evolution_lines": len(agent.evolution),
        "red": None if agent.red is None else show(agent.red),
    }
