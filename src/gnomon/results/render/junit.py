"""Results as JUnit XML: a model is a test suite, a formula a test case."""

from gnomon.checking.verdict import Result, SanityCheck, Value, Verdict
from gnomon.results import phrases
from gnomon.results.render import diagnostic, text
from gnomon.results.render.markup import in_xml
from gnomon.results.styled import Page, squeeze


def render(results: list[Result], _page: Page = Page()) -> str:
    """Return one document; false is a failure, an open answer or a refused model an error."""
    suites = [_suite(result) for result in results]
    body = "".join(suites)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="gnomon">\n{body}</testsuites>\n'
    )


def _suite(result: Result) -> str:
    cases = [_verdict_case(verdict, result) for verdict in result.verdicts]
    cases += [_check_case(check, result) for check in result.checks]
    cases += _refusal(result)
    failures = sum("<failure" in case for case in cases)
    errors = sum("<error" in case for case in cases)
    head = _tag(
        "testsuite",
        name=result.model,
        tests=str(len(cases)),
        failures=str(failures),
        errors=str(errors),
        time=f"{result.seconds:.6f}",
    )
    return f"  {head}>\n{''.join(cases)}  </testsuite>\n"


def _verdict_case(verdict: Verdict, result: Result) -> str:
    name = f"{verdict.index}: {squeeze(verdict.formula)}"
    shown = ""
    system = verdict.system or result.system
    if verdict.evidence is not None and system is not None:
        shown = text.render_evidence(verdict.evidence, system, Page(100)).plain()
    message = phrases.outcome(verdict)
    return _case(name, result.model, verdict.seconds, _problem(verdict.value, message, shown))


def _check_case(check: SanityCheck, result: Result) -> str:
    shown = ""
    if check.evidence is not None and result.system is not None:
        shown = text.render_evidence(check.evidence, result.system, Page(100)).plain()
    message = check.reason or phrases.check_sentence(check)
    return _case(check.name, result.model, check.seconds, _problem(check.value, message, shown))


def _refusal(result: Result) -> list[str]:
    """Return the case that says why a model could not be checked at all."""
    errors = [item for item in result.diagnostics if item.is_error]
    if not errors:
        return []
    shown = diagnostic.render(errors, 100).plain()
    message = f"{len(errors)} error{'' if len(errors) == 1 else 's'}: {errors[0].message}"
    return [_case("the model can be read", result.model, 0.0, _element("error", message, shown))]


def _problem(value: Value, message: str, shown: str) -> str:
    match value:
        case Value.TRUE:
            return ""
        case Value.FALSE:
            return _element("failure", message, shown)
        case Value.UNDEFINED | Value.UNKNOWN:
            return _element("error", message, shown, value.value)


def _case(name: str, model: str, seconds: float, inside: str) -> str:
    head = _tag("testcase", classname=model, name=name, time=f"{seconds:.6f}")
    return f"    {head}>\n{inside}    </testcase>\n" if inside else f"    {head}/>\n"


def _element(name: str, message: str, body: str, kind: str = "") -> str:
    head = _tag(name, message=message, type=kind or name)
    return f"      {head}>{in_xml(body.rstrip())}</{name}>\n"


def _tag(name: str, /, **attributes: str) -> str:
    return f"<{name}" + "".join(f' {key}="{in_xml(value)}"' for key, value in attributes.items())
