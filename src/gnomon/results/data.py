"""Results as plain data, ready for JSON: the shape that `schema/check.json` publishes."""

from typing import TypeAlias

from gnomon.checking.verdict import Result, SanityCheck, Thresholds, Verdict
from gnomon.model.domain import Datum
from gnomon.model.evidence import (
    Clashes,
    Defence,
    DefenceAnswer,
    Evidence,
    Explanation,
    Rule,
    Run,
    Step,
    Strategy,
)
from gnomon.model.open_cycle import OpenCycle
from gnomon.model.step import JointAction, State
from gnomon.model.system import System
from gnomon.results import phrases, way_round
from gnomon.results.projection import ShownAgents, is_shown
from gnomon.text.diagnostic import Diagnostic
from gnomon.version import __version__

Object: TypeAlias = dict[str, object]


def of_result(result: Result) -> Object:
    """Return one model's answers; of a model with errors, little is known but the errors."""
    checks = {check.name: of_check(check, result.system) for check in result.checks}
    answers: Object = {
        "gnomon": __version__,
        "model": result.model,
        "constants": dict(result.constants),
        "kind": None if result.refused else result.kind,
        "engine": result.engine or None,
        "states": result.states,
        "seconds": seconds(result.seconds),
        "as_expected": result.as_expected,
        "formulae": [of_verdict(verdict, result.system) for verdict in result.verdicts],
        "checks": {"deadlock": checks.get("deadlock"), "overflow": checks.get("overflow")},
        "diagnostics": [of_diagnostic(diagnostic) for diagnostic in result.diagnostics],
    }
    if result.terminal is not None:
        answers["terminal"] = result.terminal
    if result.predicates:
        answers["predicates"] = [
            {"text": text, "origin": origin} for text, origin in result.predicates
        ]
    if result.account:
        answers["account"] = [{"name": name, "text": text} for name, text in result.account]
    return answers


def of_verdict(verdict: Verdict, system: System | None, agents: ShownAgents = None) -> Object:
    """Return the answer to one formula, its evidence about some agents where they are given."""
    answer: Object = {
        "index": verdict.index,
        "name": verdict.name or None,
        "text": " ".join(verdict.formula.split()),
        "verdict": verdict.value.value,
        "expected": verdict.expected.value,
        "as_expected": verdict.as_expected,
        "vacuous": verdict.vacuous or None,
        "engine": verdict.engine or None,
        "strategies": verdict.strategies,
        "seconds": seconds(verdict.seconds),
        "evidence": of_evidence(verdict.evidence, verdict.system or system, agents),
        "parsed": verdict.parsed,
        "reason": verdict.reason or None,
        "line": verdict.line or None,
    }
    if verdict.numbers is not None:
        answer["agents"] = of_numbers(verdict.numbers)
    if verdict.cycle is not None:
        answer["cycle"] = of_cycle(verdict.cycle)
    return answer


def of_cycle(cycle: OpenCycle) -> Object:
    """Return a way round that is left where a question about paths is open."""
    return {
        "formula": cycle.formula,
        "steps": [
            {
                "where": dict(step.where),
                "actions": dict(step.actions),
                "lines": list(step.lines),
                "changes": dict(step.changes),
                "example": None
                if step.example is None
                else [{"name": name, "from": old, "to": new} for name, old, new in step.example],
            }
            for step in cycle.steps
        ],
        "quantities": [
            {
                "quantity": each.quantity,
                "way": each.way,
                "steps": list(each.steps),
                "back": list(each.back),
            }
            for each in cycle.quantities
        ],
        "meets": list(cycle.meets),
        "predicate": cycle.predicate or None,
        "text": [text for _, text in way_round.sentences(cycle)],
    }


def of_numbers(numbers: Thresholds) -> Object:
    """Return how many agents it takes, and which facts of the relations."""
    return {
        "reached": numbers.reached,
        "smallest": [dict(population) for population in numbers.populations],
        "exact": numbers.exact,
        "facts": list(numbers.facts),
        "cases": numbers.cases,
        **({"invariant": list(numbers.invariant)} if numbers.invariant else {}),
        **({"parameters": dict(numbers.parameters)} if numbers.parameters else {}),
        **(_over_time(numbers) if numbers.true_with or numbers.false_with else {}),
    }


def _over_time(numbers: Thresholds) -> Object:
    """Return with how many agents a formula of time is true and false, and from when on it stays."""
    return {
        "true_with": list(numbers.true_with),
        "false_with": list(numbers.false_with),
        "from_on": numbers.from_on,
    }


def of_check(check: SanityCheck, system: System | None) -> Object:
    """Return what a sanity check found: "true" is said of the claim, which is that there is none."""
    return {
        "found": check.found,
        "as_expected": check.as_expected,
        "claim": phrases.check_claim(check.name),
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


def of_evidence(
    evidence: Evidence | None, system: System | None, agents: ShownAgents = None
) -> Object | None:
    """Return a tree of states, actions and explanations, of some agents where they are given."""
    if evidence is None or system is None:
        return None
    why = evidence.explanation
    return {
        "kind": evidence.kind,
        "explanation": None if why is None else of_explanation(why, system, agents),
        "strategies": [of_strategy(strategy) for strategy in evidence.strategies],
        "defences": [of_defence(defence, system, agents) for defence in evidence.defences],
        "clashes": [of_clashes(clashes, system, agents) for clashes in evidence.clashes],
    }


def of_explanation(explanation: Explanation, system: System, agents: ShownAgents = None) -> Object:
    """Return why a formula has its value, and the same of its parts."""
    run = explanation.run
    return {
        "formula": explanation.formula,
        "value": explanation.value,
        "text": explanation.text,
        "relation": explanation.relation,
        "agents": list(explanation.agents),
        "run": None if run is None else of_run(run, system, agents),
        "branches": [
            {"position": branch.position, "because": of_explanation(branch.because, system, agents)}
            for branch in explanation.branches
        ],
    }


def of_run(run: Run, system: System, agents: ShownAgents = None) -> Object:
    """Return the states of a run, each with the step that led to it."""
    return {
        "steps": [of_step(step, system, agents) for step in run.steps],
        "loop": run.loop,
        "back": None if run.back is None else of_step(run.back, system, agents),
    }


def of_step(step: Step, system: System, agents: ShownAgents = None) -> Object:
    """Return one state and how it was reached."""
    return {
        "state": of_state(step.state, system, agents),
        "actions": None if step.actions is None else of_actions(step.actions, system, agents),
        "lines": of_lines(step, system, agents),
    }


def of_lines(step: Step, system: System, agents: ShownAgents = None) -> dict[str, list[int]]:
    """Return the lines of the rules that a step used, by agent."""
    names = [agent.name for agent in system.agents]
    return {
        name: list(lines)
        for name, lines in zip(names, step.lines, strict=False)
        if lines and is_shown(name, agents)
    }


def of_state(
    state: State, system: System, agents: ShownAgents = None
) -> dict[str, dict[str, Datum]]:
    """Return the values of a state by agent and variable."""
    values: dict[str, dict[str, Datum]] = {
        agent.name: {}
        for agent in system.agents
        if agent.variables and is_shown(agent.name, agents)
    }
    for variable, value in zip(system.variables, state, strict=True):
        if is_shown(variable.agent, agents):
            values[variable.agent][variable.name] = value
    return values


def of_actions(actions: JointAction, system: System, agents: ShownAgents = None) -> dict[str, str]:
    """Return a joint action by agent; agents that have no actions are left out."""
    return {
        agent.name: action
        for agent, action in zip(system.agents, actions, strict=True)
        if agent.actions and is_shown(agent.name, agents)
    }


def of_strategy(strategy: Strategy) -> Object:
    """Return a strategy as a list of rows, and in few words where there are any."""
    return {
        "formula": strategy.formula,
        "reading": strategy.reading,
        "members": list(strategy.members),
        "rules": of_rules(strategy.rules),
        "choices": [
            {"where": dict(choice.where), "actions": dict(choice.actions)}
            for choice in strategy.choices
        ],
    }


def of_rules(rules: tuple[Rule, ...]) -> list[Object]:
    """Return rules, of which the first that fits counts for each agent."""
    return [
        {"agent": each.agent, "when": list(each.conditions), "do": each.action} for each in rules
    ]


def of_defence(defence: Defence, system: System, agents: ShownAgents = None) -> Object:
    """Return the answers to all that a coalition can do."""
    return {
        "formula": defence.formula,
        "members": list(defence.members),
        "rules": of_rules(defence.rules),
        "answers": [of_answer(answer, system, agents) for answer in defence.answers],
    }


def of_answer(answer: DefenceAnswer, system: System, agents: ShownAgents = None) -> Object:
    """Return one answer: where, to which choice, what is done, and where that leads."""
    return {
        "state": of_state(answer.state, system, agents),
        "choice": dict(answer.choice),
        "actions": of_actions(answer.actions, system),
        "result": of_state(answer.result, system, agents),
    }


def of_clashes(clashes: Clashes, system: System, agents: ShownAgents = None) -> Object:
    """Return the views in which one action would have to do for different states."""
    return {
        "formula": clashes.formula,
        "members": list(clashes.members),
        "views": [
            {
                "agent": clash.agent,
                "where": dict(clash.where),
                "states": [of_state(state, system, agents) for state in clash.states],
                "failures": [of_answer(each, system, agents) for each in clash.failures],
            }
            for clash in clashes.views
        ],
    }


def seconds(value: float) -> float:
    """Return a time, exact to the microsecond: more digits are noise."""
    return round(value, 6)
