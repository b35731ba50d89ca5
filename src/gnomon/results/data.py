"""Results as plain data, ready for JSON: the shape that `schema/check.json` publishes."""

from typing import TypeAlias

from gnomon.checking.verdict import Result, SanityCheck, Verdict
from gnomon.logic.evidence import Evidence, Explanation, Run, Step, Strategy
from gnomon.model.domain import Value
from gnomon.model.step import JointAction, State
from gnomon.model.system import System
from gnomon.text.diagnostic import Diagnostic
from gnomon.version import __version__

Object: TypeAlias = dict[str, object]


def of_result(result: Result) -> Object:
    """Return one model's answers; of a model with errors, little is known but the errors."""
    refused = any(diagnostic.is_error for diagnostic in result.diagnostics)
    checks = {check.name: of_check(check, result.system) for check in result.checks}
    answers: Object = {
        "gnomon": __version__,
        "model": result.model,
        "kind": None if refused else result.kind,
        "engine": result.engine or None,
        "states": result.states,
        "seconds": seconds(result.seconds),
        "formulae": [of_verdict(verdict, result.system) for verdict in result.verdicts],
        "checks": {"deadlock": checks.get("deadlock"), "overflow": checks.get("overflow")},
        "diagnostics": [of_diagnostic(diagnostic) for diagnostic in result.diagnostics],
    }
    if result.account:
        answers["account"] = [{"name": name, "text": text} for name, text in result.account]
    return answers


def of_verdict(verdict: Verdict, system: System | None) -> Object:
    """Return the answer to one formula."""
    return {
        "index": verdict.index,
        "text": " ".join(verdict.formula.split()),
        "verdict": verdict.value.value,
        "engine": verdict.engine or None,
        "strategies": verdict.strategies,
        "seconds": seconds(verdict.seconds),
        "evidence": of_evidence(verdict.evidence, system),
        "parsed": verdict.parsed,
        "reason": verdict.reason or None,
        "line": verdict.line or None,
    }


def of_check(check: SanityCheck, system: System | None) -> Object:
    """Return what a sanity check found; "true" where all is well."""
    return {
        "verdict": check.value.value,
        "seconds": seconds(check.seconds),
        "reason": check.reason or None,
        "evidence": of_evidence(check.evidence, system),
    }


def of_diagnostic(diagnostic: Diagnostic) -> Object:
    """Return a diagnostic; lines and columns count from 1, the end is the first place after it."""
    place: Object = {"line": None, "column": None, "end_line": None, "end_column": None}
    if diagnostic.span is not None:
        start = diagnostic.source.location(diagnostic.span.start)
        end = diagnostic.source.location(diagnostic.span.end)
        place = {
            "line": start.line,
            "column": start.column,
            "end_line": end.line,
            "end_column": end.column,
        }
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "file": diagnostic.source.name,
        **place,
        "label": diagnostic.label or None,
        "notes": list(diagnostic.notes),
        "help": diagnostic.help or None,
    }


def of_evidence(evidence: Evidence | None, system: System | None) -> Object | None:
    """Return a tree of states, actions and explanations."""
    if evidence is None or system is None:
        return None
    why = evidence.explanation
    return {
        "kind": evidence.kind,
        "explanation": None if why is None else of_explanation(why, system),
        "strategies": [of_strategy(strategy) for strategy in evidence.strategies],
    }


def of_explanation(explanation: Explanation, system: System) -> Object:
    """Return why a formula has its value, and the same of its parts."""
    return {
        "formula": explanation.formula,
        "value": explanation.value,
        "text": explanation.text,
        "relation": explanation.relation,
        "agents": list(explanation.agents),
        "run": None if explanation.run is None else of_run(explanation.run, system),
        "branches": [
            {"position": branch.position, "because": of_explanation(branch.because, system)}
            for branch in explanation.branches
        ],
    }


def of_run(run: Run, system: System) -> Object:
    """Return the states of a run, each with the step that led to it."""
    return {
        "steps": [of_step(step, system) for step in run.steps],
        "loop": run.loop,
        "back": None if run.back is None else of_step(run.back, system),
    }


def of_step(step: Step, system: System) -> Object:
    """Return one state and how it was reached."""
    names = [agent.name for agent in system.agents]
    return {
        "state": of_state(step.state, system),
        "actions": None if step.actions is None else of_actions(step.actions, system),
        "lines": {
            name: list(lines) for name, lines in zip(names, step.lines, strict=False) if lines
        },
    }


def of_state(state: State, system: System) -> dict[str, dict[str, Value]]:
    """Return the values of a state by agent and variable."""
    values: dict[str, dict[str, Value]] = {
        agent.name: {} for agent in system.agents if agent.variables
    }
    for variable, value in zip(system.variables, state, strict=True):
        values[variable.agent][variable.name] = value
    return values


def of_actions(actions: JointAction, system: System) -> dict[str, str]:
    """Return a joint action by agent; agents that have no actions are left out."""
    return {
        agent.name: action
        for agent, action in zip(system.agents, actions, strict=True)
        if agent.actions
    }


def of_strategy(strategy: Strategy) -> Object:
    """Return a strategy as a list of rows."""
    return {
        "formula": strategy.formula,
        "reading": strategy.reading,
        "members": list(strategy.members),
        "choices": [
            {"where": dict(choice.where), "actions": dict(choice.actions)}
            for choice in strategy.choices
        ],
    }


def seconds(value: float) -> float:
    """Return a time, exact to the microsecond: more digits are noise."""
    return round(value, 6)
