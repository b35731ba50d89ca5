"""What a model is, as plain data: agents, variables, who sees what, sizes and formulae."""

from dataclasses import dataclass
from itertools import islice
from math import prod

from gnomon.checking.check import Options, check
from gnomon.checking.engines import Engine
from gnomon.model.agent import Agent, Variable
from gnomon.model.budget import Details, Report
from gnomon.model.domain import size_of
from gnomon.model.expression import show
from gnomon.model.formula import show_formula
from gnomon.model.step import initial_states
from gnomon.model.system import System
from gnomon.results.data import Object
from gnomon.version import __version__


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many states there could be, start and are; None where there is no bound.

    Where not `complete`, counting stopped early and `reachable` is a lower bound; where not
    `all_initial`, so is `initial`.
    """

    possible: int | None
    initial: int
    reachable: int
    complete: bool = True
    all_initial: bool = True


def measure(
    system: System,
    limit: int,
    seconds: float | None = None,
    report: Report | None = None,
) -> Sizes:
    """Count the reachable states as far as the time allows; without bounds, at most `limit` of them."""
    possible = [size_of(variable.domain) for variable in system.variables]
    total = None if None in possible else prod(size for size in possible if size is not None)
    most = 0

    def listen(task: str, phase: str, amount: int, details: Details) -> None:
        nonlocal most
        if phase == "reachable states":
            most = max(most, amount)
        if report is not None:
            report(task, phase, amount, details)

    engine: Engine = "explicit" if system.kind == "unbounded" else "auto"
    options = Options(engine=engine, timeout=seconds, max_states=limit, report=listen)
    result = check(system, (), options)
    if result.states is not None:
        return Sizes(total, result.initial or 0, result.states)
    first = sum(1 for _ in islice(initial_states(system), limit + 1))
    if not result.interrupted and (seconds is None or result.seconds < seconds):
        most = max(most, limit)  # no other limit was set
    return Sizes(total, min(first, limit), max(most, first), False, first <= limit)


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
                "text": " ".join(item.text.split()),
                "parsed": show_formula(item.formula),
                "line": item.line or None,
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
