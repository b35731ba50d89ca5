"""What a model is, as plain data: agents, variables, who sees what, sizes and formulae."""

from dataclasses import dataclass
from math import prod
from typing import Final

from gnomon.checking.check import Options, check
from gnomon.checking.engines import Engine
from gnomon.model.agent import Agent, Variable
from gnomon.model.budget import Budget, Details, LimitReached, Report
from gnomon.model.domain import size_of
from gnomon.model.expression import show
from gnomon.model.formula import Constant, show_formula
from gnomon.model.initial import InfinitelyMany
from gnomon.model.step import initial_states
from gnomon.model.system import Specification, System
from gnomon.results.data import Object
from gnomon.text.ending import Terminated
from gnomon.version import __version__

#: What is asked so that the answer says why counting stopped.
_ANYTHING: Final = Specification(Constant(True), "true")
#: The part of the time that is kept for counting the initial states alone, where all states were too many.
_KEPT = 0.1
#: Without a limit of time it still ends some day.
_PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many states there could be, start and are; None where there is no bound.

    Where not `complete`, counting stopped early and `reachable` is a lower bound; where not
    `all_initial`, so is `initial`.
    """

    possible: int | None
    initial: int | None
    reachable: int | None
    complete: bool = True
    all_initial: bool = True


def measure(
    system: System,
    limit: int,
    seconds: float | None = None,
    report: Report | None = None,
    memory: float | None = None,
) -> Sizes:
    """Count the reachable states as far as time and memory allow; without bounds, at most `limit` of them."""
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
    counting = None if seconds is None else seconds * (1 - _KEPT)
    options = Options(
        engine=engine, timeout=counting, memory=memory, max_states=limit, report=listen
    )
    result = check(system, (_ANYTHING,), options)
    if result.interrupted:
        # Whoever is to hear it hears it: a part of the answer is of no use.
        raise Terminated if result.terminated else KeyboardInterrupt
    if result.states is not None:
        return Sizes(total, result.initial or 0, result.states)
    left = _PATIENCE if seconds is None else seconds * _KEPT
    try:
        first, counted_all = _count_initial(system, limit, Budget(left, memory))
    except InfinitelyMany:
        return Sizes(total, None, None)
    if any(verdict.reason.startswith(f"more than {limit:,} states") for verdict in result):
        most = max(most, limit)
    return Sizes(total, first, max(most, first), False, counted_all)


def _count_initial(system: System, limit: int, budget: Budget) -> tuple[int, bool]:
    """Return how many initial states there are, or were found, and whether these are all."""
    found = 0
    try:
        for _ in initial_states(system, budget):
            if found >= limit:
                return found, False
            found += 1
    except InfinitelyMany:
        raise
    except LimitReached:
        return found, False
    return found, True


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
