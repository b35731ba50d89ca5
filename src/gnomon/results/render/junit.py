"""Results as JUnit XML: a model is a test suite, a formula a test case.

What is decided and not as expected is a failure; what is open or refused is an error.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gnomon.checking.verdict import Result, SanityCheck, Verdict
from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.reasons import finding, short_reason
from gnomon.results.render import diagnostic, text
from gnomon.results.render.markup import in_xml
from gnomon.results.styled import Page, squeeze
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.numbers import show_integer
from gnomon.version import __version__

_WIDTH = 100


class _TestCase(NamedTuple):
    """A test: what it is called, and what goes inside."""

    name: str
    seconds: float
    inside: str = ""
    #: "failure", "error", "skipped", or "" where it passed.
    problem: str = ""
    line: int = 0


def render(results: list[Result], _page: Page = Page()) -> str:
    """Return one document."""
    times = Counter(result.model for result in results)
    suites = [_suite(result, swept=times[result.model] > 1) for result in results]
    cases = [case for _, found in suites for case in found]
    seconds = sum(result.seconds for result in results)
    head = _tag("testsuites", name="gnomon", **_counts(cases), time=f"{seconds:.3f}")
    body = "".join(suite for suite, _ in suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}>\n{body}</testsuites>\n'


def _suite(result: Result, *, swept: bool) -> tuple[str, list[_TestCase]]:
    """Return a model, and its cases; where it is there at several sizes, each has its own name."""
    name = result.model
    if swept and result.constants:
        name = f"{name} ({phrases.setting(result.constants)})"
    cases = [_verdict_case(verdict, result) for verdict in result.verdicts]
    cases += [_check_case(check, result) for check in result.checks]
    cases += _refusal(result)
    head = _tag("testsuite", name=name, **_counts(cases), time=f"{result.seconds:.3f}")
    inside = "".join(_written(case, name, result.model) for case in cases)
    said = _system_out(_warnings(result), "    ")
    return f"  {head}>\n{_properties(result)}{inside}{said}  </testsuite>\n", cases


def _counts(cases: list[_TestCase]) -> dict[str, str]:
    problems = Counter(case.problem for case in cases)
    return {
        "tests": str(len(cases)),
        "failures": str(problems["failure"]),
        "errors": str(problems["error"]),
        "skipped": str(problems["skipped"]),
    }


def _properties(result: Result) -> str:
    """Return what is known of the model, its constants among it."""
    kind = "" if result.unchecked else result.kind
    known = {"gnomon": __version__, "kind": kind, "engine": result.engine}
    known["states"] = "" if result.states is None else show_integer(result.states)
    known |= {f"constant {name}": show_integer(value) for name, value in result.constants}
    rows = (
        f"      {_tag('property', name=name, value=value)}/>\n"
        for name, value in known.items()
        if value
    )
    return f"    <properties>\n{''.join(rows)}    </properties>\n"


def _verdict_case(verdict: Verdict, result: Result) -> _TestCase:
    name = verdict.name or f"{verdict.index}: {squeeze(verdict.formula)}"
    system = verdict.system or result.system
    if verdict.as_expected:
        said = f"vacuous: {verdict.vacuous}" if verdict.vacuous else ""
        return _TestCase(name, verdict.seconds, _system_out(said, "      "), line=verdict.line)
    body = "\n".join(_body(verdict, result)) + _drawn(verdict.evidence, system)
    problem = "error" if verdict.standing == "open" else "failure"
    kind = verdict.value.value if problem == "error" else problem
    inside = _element(problem, finding(verdict, system), body, kind)
    return _TestCase(name, verdict.seconds, inside, problem, verdict.line)


def _body(verdict: Verdict, result: Result) -> Iterator[str]:
    """Yield what was expected and found, and why, a fact a line."""
    reason = short_reason(verdict, verdict.system or result.system)
    place = f"{result.model}:{verdict.line}" if verdict.line else result.model
    facts = {
        "formula": squeeze(verdict.formula),
        "expected": verdict.expected.value,
        "found": verdict.value.value,
        "reason": reason,
        "vacuous": verdict.vacuous,
        "strategies": phrases.reading(verdict.strategies).partition(": ")[2]
        if verdict.strategies
        else "",
        "constants": phrases.setting(result.constants),
        "place": place,
    }
    yield from (f"{name + ':':<12}{fact}" for name, fact in facts.items() if fact)


def _check_case(check: SanityCheck, result: Result) -> _TestCase:
    name = phrases.check_label(check.name)
    if check.as_expected:
        return _TestCase(name, check.seconds)
    problem = "error" if phrases.check_standing(check) == "open" else "failure"
    message = phrases.check_sentence(check)
    body = "\n".join(part for part in (message, check.reason) if part)
    body += _drawn(check.evidence, result.system)
    kind = check.value.value if problem == "error" else problem
    return _TestCase(name, check.seconds, _element(problem, message, body, kind), problem)


def _drawn(evidence: Evidence | None, system: System | None) -> str:
    if evidence is None or system is None:
        return ""
    return "\n" + text.render_evidence(evidence, system, Page(_WIDTH)).plain()


def _refusal(result: Result) -> Iterator[_TestCase]:
    """Yield the case that says what is wrong with a model, or why it was not checked at all."""
    errors = [item for item in result.diagnostics if item.is_error]
    if errors:
        message = f"{len(errors)} error{'' if len(errors) == 1 else 's'}: {errors[0].message}"
        inside = _element("error", message, _shown(errors), errors[0].code)
        yield _TestCase("the model has no errors", 0.0, inside, "error", errors[0].line)
    elif result.unchecked:
        why = phrases.NOT_CHECKED
        yield _TestCase(
            "the model is checked", 0.0, f"      {_tag('skipped', message=why)}/>\n", "skipped"
        )


def _warnings(result: Result) -> str:
    return _shown(item for item in result.diagnostics if not item.is_error)


def _shown(diagnostics: Iterable[Diagnostic]) -> str:
    return diagnostic.render(list(diagnostics), _WIDTH).plain()


def _written(case: _TestCase, classname: str, file: str) -> str:
    place = {"file": file, "line": str(case.line)} if case.line else {"file": file}
    time = f"{case.seconds:.3f}"
    head = _tag("testcase", classname=classname, name=case.name, **place, time=time)
    return f"    {head}>\n{case.inside}    </testcase>\n" if case.inside else f"    {head}/>\n"


def _element(name: str, message: str, body: str, kind: str) -> str:
    head = _tag(name, message=message, type=kind)
    return f"      {head}>{in_xml(body.rstrip())}</{name}>\n"


def _system_out(said: str, indent: str) -> str:
    return f"{indent}<system-out>{in_xml(said.rstrip())}</system-out>\n" if said.strip() else ""


def _tag(name: str, /, **attributes: str) -> str:
    return f"<{name}" + "".join(f' {key}="{in_xml(value)}"' for key, value in attributes.items())
