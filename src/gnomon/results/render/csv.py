"""Results as comma-separated values (RFC 4180): one row a formula or check, one column a constant."""

import csv
from collections.abc import Iterator, Mapping
from io import StringIO

from gnomon.checking.verdict import Result, SanityCheck, Verdict
from gnomon.results import phrases
from gnomon.results.columns import FIRST, REST, title_of
from gnomon.results.data import seconds
from gnomon.results.reasons import short_reason
from gnomon.results.styled import Page, squeeze, visible
from gnomon.text.numbers import show_integer


def render(results: list[Result], _page: Page = Page()) -> str:
    """Return a table with a row of titles; a constant that a model does not have is left empty."""
    names = list(dict.fromkeys(name for result in results for name, _ in result.constants))
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow([*FIRST, *map(title_of, names), *REST])
    for result in results:
        worth = dict(result.constants)
        sizes = [show_integer(worth[name]) if name in worth else "" for name in names]
        for row in _rows(result):
            cells = [visible(squeeze(row.get(title, "")), "") for title in REST]
            writer.writerow([visible(result.model, ""), *sizes, *cells])
    return written.getvalue()


def _rows(result: Result) -> Iterator[Mapping[str, str]]:
    yield from (_of_verdict(verdict, result) for verdict in result.verdicts)
    yield from (_of_check(check, result) for check in result.checks)
    errors = [item for item in result.diagnostics if item.is_error]
    for item in errors:
        named = "line " if item.source.name == result.model else f"{item.source.name}:"
        place = f"{named}{item.line}: " if item.line else ""
        reason = f"{item.code}: {place}{item.message}"
        yield {"verdict": "error", "as_expected": "false", "reason": reason}
    if result.unchecked and not errors:
        yield {"verdict": "error", "as_expected": "false", "reason": phrases.NOT_CHECKED}


def _of_verdict(verdict: Verdict, result: Result) -> Mapping[str, str]:
    return {
        "index": str(verdict.index),
        "name": verdict.name,
        "formula": verdict.formula,
        "verdict": verdict.value.value,
        "expected": verdict.expected.value,
        "as_expected": _truth(verdict.as_expected),
        "strategies": verdict.strategies or "",
        "engine": verdict.engine,
        "states": "" if result.states is None else show_integer(result.states),
        "seconds": _shown(verdict.seconds),
        "reason": short_reason(verdict, verdict.system or result.system),
        "vacuous": verdict.vacuous,
    }


def _of_check(check: SanityCheck, result: Result) -> Mapping[str, str]:
    return {
        "name": phrases.check_label(check.name),
        "formula": phrases.check_claim(check.name),
        "verdict": check.value.value,
        "expected": "true",
        "as_expected": _truth(check.as_expected),
        "engine": result.engine,
        "states": "" if result.states is None else show_integer(result.states),
        "seconds": _shown(check.seconds),
        "reason": check.reason,
    }


def _truth(value: bool) -> str:  # noqa: FBT001 - what is shown is the value
    return "true" if value else "false"


def _shown(time: float) -> str:
    return f"{seconds(time):.6f}"
