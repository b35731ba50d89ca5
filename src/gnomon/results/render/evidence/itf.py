"""A run of the evidence in the Informal Trace Format, which the tools of TLA+ and Quint read.

The format (ADR-015 of Apalache) has no trees and no knowledge: one document is one run. The actions
that led to a state are variables `Agent.Action`, empty in the first state, since viewers show nothing
but variables; the rules that were used, and how a loop is closed, stand in `#meta`.
"""

from gnomon.model.domain import Datum
from gnomon.model.evidence import Evidence, Run, Step
from gnomon.model.system import System
from gnomon.results.data import Object, of_actions, of_lines
from gnomon.results.evidence_tree import evidence_tree
from gnomon.results.projection import ShownAgents, is_shown
from gnomon.results.render.evidence.view import VerdictView
from gnomon.results.render.json import dumps
from gnomon.text.numbers import show_integer

_FORMAT = "https://apalache-mc.org/docs/adr/015adr-trace.html"


def explain(view: VerdictView) -> str:
    """Return one run of a verdict."""
    system, evidence, agents = view.with_runs()
    name, source = view.verdict.name, view.result.model
    return render(system, evidence, agents, view.run, source, name=name)


def render(
    system: System,
    evidence: Evidence,
    agents: ShownAgents = None,
    number: int = 1,
    source: str = "",
    *,
    name: str = "",
) -> str:
    """Return the run of that number, from 1, the main one unless another is wanted."""
    runs = evidence_tree(evidence).runs
    about = _about(evidence, number, source, name)
    return dumps(of_run(system, runs[number - 1].run, agents, about))


def count(evidence: Evidence) -> int:
    """Return how many runs there are to choose from."""
    return len(evidence_tree(evidence).runs)


def _about(evidence: Evidence, number: int, source: str, name: str) -> Object:
    formula = evidence.explanation.formula if evidence.explanation else ""
    named = f"{name}: {formula}" if name else formula
    description = f"{evidence.kind}, run {number} of {count(evidence)}: {named}"
    about: Object = {"format": "ITF", "format-description": _FORMAT, "description": description}
    return {**about, "source": source} if source else about


def of_run(system: System, run: Run, agents: ShownAgents, about: Object) -> Object:
    """Return a run as plain data."""
    acting = [item.name for item in system.agents if item.actions and is_shown(item.name, agents)]
    own = [variable for variable in system.variables if is_shown(variable.agent, agents)]
    trace: Object = {
        "#meta": _with_back(about, run, system, agents),
        "params": [],
        "vars": [f"{variable.agent}.{variable.name}" for variable in own]
        + [f"{name}.Action" for name in acting],
        "states": [
            _state(step, position, system, agents) for position, step in enumerate(run.steps)
        ],
    }
    return trace if run.loop is None else {**trace, "loop": run.loop}


def _with_back(about: Object, run: Run, system: System, agents: ShownAgents) -> Object:
    if run.back is None or run.back.actions is None:
        return about
    return {**about, "back": of_actions(run.back.actions, system, agents)}


def _state(step: Step, position: int, system: System, agents: ShownAgents) -> Object:
    values: Object = {
        f"{variable.agent}.{variable.name}": _value(value)
        for variable, value in zip(system.variables, step.state, strict=True)
        if is_shown(variable.agent, agents)
    }
    acting = [item.name for item in system.agents if item.actions and is_shown(item.name, agents)]
    actions = {} if step.actions is None else of_actions(step.actions, system)
    meta: Object = {"index": position}
    if lines := of_lines(step, system, agents):
        meta["lines"] = lines
    return {"#meta": meta, **values, **{f"{name}.Action": actions.get(name, "") for name in acting}}


def _value(value: Datum) -> object:
    """Return a value; big and small integers alike are written as the format wants."""
    if isinstance(value, int) and not isinstance(value, bool):
        return {"#bigint": show_integer(value)}
    return value
