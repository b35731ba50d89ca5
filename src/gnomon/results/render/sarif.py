"""Results as SARIF 2.1.0: a formula is a rule with one result, a run is a code flow.

Expectations decide what is a finding. Whether the tool itself did all it was asked is another question, and
is told by the invocation.
"""

from collections import Counter
from collections.abc import Iterator
from shlex import quote

from gnomon.checking.verdict import Result, SanityCheck, Standing, Value, Verdict
from gnomon.model.domain import show_value
from gnomon.model.evidence import Evidence, Explanation, Run, Step
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.data import Object, of_state
from gnomon.results.projection import changes
from gnomon.results.reasons import finding
from gnomon.results.render.json import dumps
from gnomon.results.render.uris import ROOT, artifact
from gnomon.results.styled import Page, squeeze
from gnomon.text.addresses import code_address
from gnomon.text.codes import CODES
from gnomon.text.diagnostic import Diagnostic
from gnomon.version import __version__

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
#: What GitHub accepts of a description.
_LONGEST = 1024
_KINDS: dict[Standing, str] = {"expected": "pass", "unexpected": "fail", "open": "open"}


def render(results: list[Result], page: Page = Page()) -> str:
    """Return one log with one run that covers all models."""
    return _log(results, page)


def render_findings(results: list[Result], page: Page = Page()) -> str:
    """Return the same without what is as expected: some services show every result as a finding.

    A truth that says nothing is one that somebody should look at.
    """
    return _log(results, page, findings=True)


def _log(results: list[Result], page: Page, *, findings: bool = False) -> str:
    rules: dict[str, Object] = {}
    found: list[Object] = []
    for result in results:
        for verdict in result.verdicts:
            answer = _of_verdict(verdict, result, rules)
            if findings and verdict.vacuous and verdict.as_expected:
                answer["kind"] = "review"
            found.append(answer)
        found += [_of_check(check, result, rules) for check in result.checks]
        found += [_of_diagnostic(diagnostic, rules) for diagnostic in result.diagnostics]
    if findings:
        found = [each for each in found if each.get("kind") != "pass"]
    driver = {"name": "gnomon", "version": __version__, "rules": list(rules.values())}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "where gnomon was called"}}},
        "invocations": [_invocation(results, page.status)],
        "results": found,
        "properties": {"models": [_of_model(result) for result in results]},
    }
    return dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _invocation(results: list[Result], status: int | None) -> Object:
    """Return whether everything that was asked has been answered, and what came in the way."""
    notes = [note for result in results for note in _notifications(result)]
    unanswered = any(result.unchecked or result.interrupted for result in results)
    invocation: Object = {"executionSuccessful": not (notes or unanswered)}
    if status is not None:
        invocation["exitCode"] = status
    if notes:
        invocation["toolExecutionNotifications"] = notes
    return invocation


def _notifications(result: Result) -> Iterator[Object]:
    """Yield what kept us from answering: errors in the model, and limits."""
    for diagnostic in result.diagnostics:
        if diagnostic.is_error:
            said = _of_diagnostic(diagnostic, {})
            yield {"associatedRule": {"id": said.pop("ruleId")}, **said}
    answers: list[Verdict | SanityCheck] = [*result.verdicts, *result.checks]
    left = Counter(item.reason for item in answers if item.value is Value.UNKNOWN)
    for reason, number in left.items():
        text = f"{number} of {len(answers)} not decided: {reason or 'no reason is known'}"
        yield {
            "level": "error",
            "message": {"text": text},
            "locations": [_location(result.model, 1)],
        }


def _of_model(result: Result) -> Object:
    return {
        "model": result.model,
        "constants": dict(result.constants),
        "as_expected": result.as_expected,
    }


def _of_verdict(verdict: Verdict, result: Result, rules: dict[str, Object]) -> Object:
    rule = f"{result.model}/{verdict.label}"
    named: Object = {"name": verdict.name} if verdict.name else {}
    # A model is named as it is, and a formula is never so long that a service refuses all of the log.
    described = _described(
        squeeze(verdict.formula), _about(verdict, result), _more(verdict, result)
    )
    known = rules.setdefault(rule, {"id": rule, **named, **described})
    if known["shortDescription"] != described["shortDescription"]:
        # A family at several sizes, or other formulae of that number.
        called = f"formula {verdict.label}"
        known |= _described(called, f"{called} of {result.model}", _more(verdict, result))
    system = verdict.system or result.system
    answer = _answer(rule, finding(verdict, system) + _setting(result), verdict.standing)
    return _placed(answer, result, verdict.line, verdict.evidence, system)


def _about(verdict: Verdict, result: Result) -> str:
    which = f"formula {verdict.label} of {result.model}"
    return f"{which}, expected to be {verdict.expected}: {squeeze(verdict.formula)}"


def _more(verdict: Verdict, result: Result) -> str:
    only = f"--only {quote(verdict.label)}"
    return f"`gnomon explain-verdict {quote(result.model)} {only}` tells why it has its value."


def _described(title: str, whole: str, help: str) -> Object:
    """Return a rule in a few words, in more, and what to do about it: code scanning asks for all three."""
    return {
        "shortDescription": {"text": _cut(title)},
        "fullDescription": {"text": _cut(whole)},
        "help": {"text": help},
    }


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _of_check(check: SanityCheck, result: Result, rules: dict[str, Object]) -> Object:
    rule = phrases.check_label(check.name).replace(" ", "-")
    claim = phrases.check_claim(check.name)
    how = f"`gnomon check MODEL --check-{check.name}` looks for one, and --evidence shows a run to it."
    described = _described(claim, f"a claim about the model itself: {claim}", how)
    rules.setdefault(rule, {"id": rule, "deprecatedIds": [check.name], **described})
    message = ": ".join(part for part in (phrases.check_sentence(check), check.reason) if part)
    answer = _answer(rule, message + _setting(result), phrases.check_standing(check))
    return _placed(answer, result, 0, check.evidence, result.system)


def _setting(result: Result) -> str:
    """Return the constants, which tell apart what was found of one family at several sizes."""
    return f" ({phrases.setting(result.constants)})" if result.constants else ""


def _answer(rule: str, message: str, standing: Standing) -> Object:
    kind = _KINDS[standing]
    level = "error" if kind == "fail" else "none"  # the standard: only `fail` has a level
    return {"ruleId": rule, "kind": kind, "level": level, "message": {"text": message}}


def _placed(
    answer: Object, result: Result, line: int, evidence: Evidence | None, system: System | None
) -> Object:
    """Add where it was found, and with which constants, and the runs that show it."""
    answer["locations"] = [_location(result.model, line or 1)]
    if result.constants:
        answer["properties"] = {"constants": dict(result.constants)}
    _add_flow(answer, evidence, result, system)
    return answer


def _of_diagnostic(diagnostic: Diagnostic, rules: dict[str, Object]) -> Object:
    code = diagnostic.code
    known = CODES[code]
    rule: Object = {"id": code, **_described(known.title, known.title, known.story)}
    if (address := code_address(code)) is not None:
        rule["helpUri"] = address
    rules.setdefault(code, rule)
    location = _location(diagnostic.source.name, diagnostic.line or 1)
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
    physical: Object = {"artifactLocation": artifact(name)}
    if line:
        physical["region"] = {"startLine": line}
    location: Object = {"physicalLocation": physical}
    if message:
        location["message"] = {"text": message}
    return location


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
