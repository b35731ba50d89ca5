"""Questions about one state: what agents consider possible in it, what holds, and the way to another one."""

from collections.abc import Mapping
from typing import Any, Final, get_args

from gnomon.checking.options import Strategies
from gnomon.model.budget import LimitReached
from gnomon.model.evidence import Evidence
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results import story
from gnomon.results.data import Object, of_explanation
from gnomon.results.render.evidence_below import tables
from gnomon.results.styled import Page, squeeze
from gnomon.workbench.bench import Bench, Handler
from gnomon.workbench.failure import RequestFailed, bad_request
from gnomon.workbench.parameters import Parameters, exact, run_data, state_data
from gnomon.workbench.reading import specification_of
from gnomon.workbench.seeking import seek
from gnomon.workbench.state_queries import LookAlikes, look_alikes, value_here

#: So many states are sent unless fewer are wanted.
_PAGE: Final = 100
_MOST_SENT: Final = 1_000
#: The answers to so many questions are remembered.
_REMEMBERED: Final = 64


def strategies_of(params: Parameters) -> Strategies:
    """Return the reading of coalition operators."""
    found: Any = params.text("strategies", "perfect")
    if found not in get_args(Strategies):
        raise bad_request(f"`strategies` is one of {', '.join(get_args(Strategies))}")
    return found  # type: ignore[no-any-return]


def _alike(bench: Bench, params: Parameters) -> Object:
    model, system = bench.walkable(params)
    state, names = params.state("state", system), dict.fromkeys(params.texts("agents"))
    limit = params.number("limit", _PAGE, _MOST_SENT)
    strange = [name for name in names if name not in system.agent_index]
    if strange:
        raise bad_request(f"there is no agent {strange[0]} in this model")
    known: dict[Any, LookAlikes] = model.remembered.setdefault("alike", {})
    found = {name: known[name, state, limit] for name in names if (name, state, limit) in known}
    wanted = [name for name in names if name not in found]
    if wanted:
        new = look_alikes(system, state, wanted, limit, bench.budget)
        found |= dict(zip(wanted, new, strict=True))
        if len(known) > _REMEMBERED:
            known.clear()
        # With more time, there may be more to say.
        known |= {(name, state, limit): found[name] for name in wanted if found[name].complete}
    return {"agents": [_alike_data(system, name, state, found[name]) for name in names]}


def _alike_data(system: System, name: str, state: State, found: LookAlikes) -> Object:
    agent, environment = system.agent(name), system.environment.name
    places = [(name, variable.name) for variable in agent.variables]
    places += [(environment, seen) for seen in agent.sees]
    sees = [
        {"agent": owner, "variable": variable, "value": state[system.position[owner, variable]]}
        for owner, variable in places
    ]
    return {
        "agent": name,
        "sees": exact(sees),
        "states": [state_data(each, system) for each in found.states],
        "total": exact(found.total),
        "more": not found.complete or found.total > len(found.states),
        "reason": found.reason,
        "engine": found.engine,
    }


def _evaluate(bench: Bench, params: Parameters) -> Object:
    model, system = bench.walkable(params)
    state, text = params.state("state", system), params.text("formula")
    strategies = strategies_of(params)
    specification = specification_of(model, text)
    if strategies == "uniform-model":
        raise RequestFailed(
            "unable",
            "one choice of strategies for the whole model says nothing of a single state: "
            "take another reading",
        )
    try:
        found = value_here(system, specification, state, bench.budget, strategies, evidence=True)
    except LimitReached as limit:
        return _valued("unknown", str(limit), specification.text)
    why = None if found.evidence is None else found.evidence.explanation
    told = "" if found.evidence is None else _told(system, found.evidence)
    explanation = None if why is None else exact(of_explanation(why, system))
    return _valued(found.value, found.remark, specification.text, explanation, told)


def _valued(
    value: str, remark: str, formula: str, explanation: Any = None, told: str = ""
) -> Object:
    return {
        "value": value,
        "remark": remark,
        "formula": squeeze(formula),
        "explanation": explanation,
        "story": told,
    }


def _told(system: System, evidence: Evidence) -> str:
    """Return in words why a formula has its value in a state; strategies and answers stand below."""
    lines = [
        f"{'  ' * sentence.depth}{sentence.text}"
        for sentence in story.of_evidence(system, evidence)
    ]
    for title, table in tables(system, evidence, Page(width=100), None):
        lines += ["", title, "", table.plain().rstrip()]
    return "\n".join(lines)


def _seek(bench: Bench, params: Parameters) -> Object:
    model, system = bench.walkable(params)
    here = params.state("state", system) if params.has("state") else None
    specification = specification_of(model, params.text("formula"))
    found = seek(system, specification, here, bench.budget)
    return {
        "run": None if found.run is None else run_data(found.run, system),
        "from": found.origin,
        "reason": found.reason,
        "engine": found.engine,
    }


HANDLERS: Final[Mapping[str, Handler]] = {
    "run/alike": _alike,
    "run/evaluate": _evaluate,
    "run/seek": _seek,
}
