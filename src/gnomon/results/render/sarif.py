"""Results as SARIF 2.1.0: a formula is a rule with one result, a run is a code flow."""

from collections.abc import Iterator

from gnomon.checking.verdict import Result, SanityCheck, Value, Verdict
from gnomon.model.domain import show_value
from gnomon.model.evidence import Evidence, Explanation, Run, Step
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.data import Object, of_state
from gnomon.results.projection import changes
from gnomon.results.render.json import dumps
from gnomon.results.styled import Page, squeeze
from gnomon.text.codes import CODES
from gnomon.text.diagnostic import Diagnostic
from gnomon.version import __version__

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def render(results: list[Result], _page: Page = Page()) -> str:
    """Return one log with one run that covers all models."""
    rules: dict[str, Object] = {}
    found: list[Object] = []
    for result in results:
        found += [_of_verdict(verdict, result, rules) for verdict in result.verdicts]
        found += [_of_check(check, result, rules) for check in result.checks]
        found += [_of_diagnostic(diagnostic, rules) for diagnostic in result.diagnostics]
    driver = {"name": "gnomon", "version": __version__, "rules": list(rules.values())}
    finished = not any(result.interrupted for result in results)
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": finished}],
        "results": found,
    }
    return dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _of_verdict(verdict: Verdict, result: Result, rules: dict[str, Object]) -> Object:
    text = squeeze(verdict.formula)
    rule = f"{result.model}/{verdict.index}"
    rules[rule] = {"id": rule, "shortDescription": {"text": text}}
    answer = _answer(rule, verdict.value, phrases.outcome(verdict))
    answer["locations"] = [_location(result.model, verdict.line)]
    _add_flow(answer, verdict.evidence, result, verdict.system or result.system)
    return answer


def _of_check(check: SanityCheck, result: Result, rules: dict[str, Object]) -> Object:
    rules.setdefault(check.name, {"id": check.name, "shortDescription": {"text": check.name}})
    answer = _answer(check.name, check.value, check.reason or phrases.check_sentence(check))
    answer["locations"] = [_location(result.model, 0)]
    _add_flow(answer, check.evidence, result, result.system)
    return answer


def _answer(rule: str, value: Value, message: str) -> Object:
    kind = {Value.TRUE: "pass", Value.FALSE: "fail"}.get(value, "open")
    level = "error" if value is Value.FALSE else "none"  # the standard: only `fail` has a level
    return {"ruleId": rule, "kind": kind, "level": level, "message": {"text": message}}


def _of_diagnostic(diagnostic: Diagnostic, rules: dict[str, Object]) -> Object:
    code = diagnostic.code
    rules.setdefault(code, {"id": code, "shortDescription": {"text": CODES[code].title}})
    location = _location(diagnostic.source.name, diagnostic.line)
    if diagnostic.span is not None:
        start = diagnostic.source.location(diagnostic.span.start)
        end = diagnostic.source.location(max(diagnostic.span.end, diagnostic.span.start + 1))
        physical = location["physicalLocation"]
        assert isinstance(physical, dict)
        physical["region"] = {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        }
    message = " · ".join(part for part in (diagnostic.message, diagnostic.help) if part)
    return {
        "ruleId": code,
        "level": diagnostic.severity.value,
        "message": {"text": message},
        "locations": [location],
    }


def _location(name: str, line: int, message: str = "") -> Object:
    from urllib.parse import quote

    # The bytes of a file name need not be UTF-8.
    path = quote(name.replace("\\", "/").encode("utf-8", _bytes_of(name)))
    physical: Object = {"artifactLocation": {"uri": path}}
    if line:
        physical["region"] = {"startLine": line}
    location: Object = {"physicalLocation": physical}
    if message:
        location["message"] = {"text": message}
    return location


def _bytes_of(name: str) -> str:
    """Return how a name becomes bytes: as the system names the file, unless it is no file name at all."""
    try:
        name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return "surrogatepass"
    return "surrogateescape"


def _add_flow(
    answer: Object, evidence: Evidence | None, result: Result, system: System | None
) -> None:
    if evidence is None or evidence.explanation is None or system is None:
        return
    flows = [
        {"message": {"text": why.text or why.formula}, "threadFlows": [flow]}
        for why in _with_runs(evidence.explanation)
        if why.run is not None
        for flow in [_flow(why.run, system, result.model)]
    ]
    if flows:
        answer["codeFlows"] = flows


def _with_runs(explanation: Explanation) -> Iterator[Explanation]:
    if explanation.run is not None:
        yield explanation
    for branch in explanation.branches:
        yield from _with_runs(branch.because)


def _flow(run: Run, system: System, model: str) -> Object:
    steps = [*run.steps, *([run.back] if run.back else [])]
    previous = [None, *steps]
    return {
        "locations": [
            _flow_location(step, before, system, model)
            for step, before in zip(steps, previous, strict=False)
        ]
    }


def _flow_location(step: Step, before: Step | None, system: System, model: str) -> Object:
    new = changes(system, before.state if before else None, step.state)
    words = ", ".join(map(str, new)) or "no change"
    if step.actions is not None:
        taken = zip(system.agents, step.actions, strict=True)
        acts = ", ".join(f"{agent.name}: {action}" for agent, action in taken if agent.actions)
        words = f"{acts} → {words}"
    line = next((number for lines in step.lines for number in lines if number), 0)
    state = {
        f"{agent}.{name}": {"text": show_value(value)}
        for agent, values in of_state(step.state, system).items()
        for name, value in values.items()
    }
    return {"location": _location(model, line, words), "state": state}
