"""What came of many models that were tested, in the manner of pytest: letters, failures, a summary."""

from collections import Counter
from collections.abc import Iterator, Sequence
from shlex import quote
from typing import Final, NamedTuple

from gnomon.checking.batch import CaseResult, Outcome, called, of_the_model, outcome, outcomes
from gnomon.checking.verdict import Result, Value, Verdict
from gnomon.results.reasons import short_reason
from gnomon.results.render import diagnostic
from gnomon.results.render.unexpected import comparison, headline
from gnomon.results.styled import Page, Styled, StyledText, squeeze, visible, width_of, wrap
from gnomon.text.diagnostic import Diagnostic

_STYLES: Final = {
    Outcome.PASSED: "true",
    Outcome.FAILED: "false",
    Outcome.UNDECIDED: "unknown",
    Outcome.ERROR: "error",
}
_WORDS: Final = {
    Outcome.PASSED: "PASSED",
    Outcome.FAILED: "FAILED",
    Outcome.UNDECIDED: "UNDECIDED",
    Outcome.ERROR: "ERROR",
}
#: How the last line counts them, and in which order.
_COUNTED: Final = {
    Outcome.FAILED: "failed",
    Outcome.PASSED: "passed",
    Outcome.UNDECIDED: "undecided",
    Outcome.ERROR: "error",
}
_TIME: Final = "0.00 s"
_PERCENT: Final = len(" [100%]")
#: So many columns are left for letters beside a name of any length.
_LETTERS: Final = 10


class Summary(NamedTuple):
    """What the end of a report is about: what was tested, how long it took, and why it ended early."""

    tested: Sequence[CaseResult]
    seconds: float
    #: So many of the slowest formulae are listed; 0 for all, None for none.
    durations: int | None = None
    #: Options that a command needs to see the same verdicts again.
    options: str = ""
    stopped: str = ""


def header(models: int, at_once: int, page: Page) -> StyledText:
    """Return what stands at the beginning."""
    text = StyledText()
    if page.quiet:
        return text
    text.add(Styled(_rule("test session starts", "=", page.width), "strong"))
    several = f", {at_once} at once" if at_once > 1 else ""
    text.add(Styled(f"collected {_count(models, 'model')}{several}", "strong"))
    text.add()
    return text


def model(tested: CaseResult, percent: int, page: Page) -> StyledText:
    """Return the lines of one model: a letter for each formula, or a line for each where that is wanted.

    There are none where all of it was left out.
    """
    text = StyledText()
    result = tested.result
    letters = list(outcomes(result))
    if page.quiet or (tested.left_out and not letters):
        return text
    if page.verbose:
        _list_formulae(text, result, percent, page)
        return text
    name = f"{visible(result.model, '')} "
    room = page.width - _PERCENT
    first = max(room - width_of(name), _LETTERS)
    rows = [letters[:first], *_chunks(letters[first:], room)]
    for place, row in enumerate(rows):
        head = name if place == 0 else ""
        gap = " " * max(0, room - width_of(head) - len(row))
        last = place == len(rows) - 1
        shown = Styled(f"{gap} [{percent:3}%]", "dim") if last else ""
        text.add(head, *_letters(row), shown)
    return text


def _letters(row: Sequence[Outcome]) -> Iterator[Styled]:
    for each in row:
        yield Styled(each.value, _STYLES[each])


def _chunks(letters: Sequence[Outcome], size: int) -> Iterator[Sequence[Outcome]]:
    for start in range(0, len(letters), size):
        yield letters[start : start + size]


def _list_formulae(text: StyledText, result: Result, percent: int, page: Page) -> None:
    found = [(called(result.model, verdict), outcome(verdict)) for verdict in result.verdicts]
    whole = of_the_model(result)
    if whole is not None:
        found.append((result.model, whole))
    for name, each in ((visible(called_so, ""), each) for called_so, each in found):
        word = _WORDS[each]
        gap = " " * max(0, page.width - _PERCENT - width_of(name) - 1 - len(word))
        text.add(f"{name} ", Styled(word, _STYLES[each]), Styled(f"{gap} [{percent:3}%]", "dim"))


def end(summary: Summary, page: Page) -> StyledText:
    """Return all that stands behind the models."""
    text = StyledText()
    results = [each.result for each in summary.tested]
    if not page.quiet:
        _errors(text, results, page)
        _failures(text, results, summary.options, page)
        _warnings(text, results, page)
    _durations(text, results, summary.durations, page)
    _short_summary(text, results, page)
    if summary.stopped:
        text.add(Styled(_rule(summary.stopped, "!", page.width), "unknown"))
    _last_line(text, summary, page)
    return text


def _errors(text: StyledText, results: Sequence[Result], page: Page) -> None:
    broken = [result for result in results if of_the_model(result) is not None]
    if not broken:
        return
    _section(text, "ERRORS", page)
    for result in broken:
        text.add(Styled(_rule(f"ERROR in {result.model}", "_", page.width), "error"))
        text.add()
        text.extend(diagnostic.render(_faults(result), page.width))


def _failures(text: StyledText, results: Sequence[Result], options: str, page: Page) -> None:
    for title, which in (("FAILURES", Outcome.FAILED), ("UNDECIDED", Outcome.UNDECIDED)):
        found = [
            (result, verdict)
            for result in results
            for verdict in result.verdicts
            if outcome(verdict) is which
        ]
        if found:
            _section(text, title, page)
        for result, verdict in found:
            rule = _rule(called(result.model, verdict), "_", page.width)
            text.add(Styled(rule, _STYLES[which]))
            text.add()
            _failure(text, result, verdict, options, page)


def _failure(text: StyledText, result: Result, verdict: Verdict, options: str, page: Page) -> None:
    """Add a formula that did not come out as expected, how it did and why, and the way to see more."""
    for part in wrap(squeeze(verdict.formula), page.width - 4, "  "):
        text.add("    ", part)
    text.add()
    # A path is shown as it is, blanks and all.
    place = f"{result.model}:{verdict.line}: " if verdict.line else f"{result.model}: "
    reading = f" (strategies: {verdict.strategies})" if verdict.strategies else ""
    text.add(place, Styled(comparison(verdict), _STYLES[outcome(verdict)]), reading)
    hollow = verdict.value is verdict.expected
    why = verdict.vacuous if hollow else short_reason(verdict, verdict.system or result.system)
    for part in wrap(why, page.width) if why else ():
        text.add(part)
    if verdict.value in (Value.TRUE, Value.FALSE):
        only = f"--only {quote(verdict.label)}"
        text.add(f"to see more: gnomon explain-verdict {quote(result.model)} {only}{options}")
    text.add()


def _warnings(text: StyledText, results: Sequence[Result], page: Page) -> None:
    found = [words for result in results for words in _remarks(result)]
    if not found:
        return
    _section(text, "warnings summary", page, "unknown")
    for words in found:
        for part in wrap(words, page.width, "  "):
            text.add(part)
    if any(result.diagnostics and not result.refused for result in results):
        text.add()
        text.add(Styled("`gnomon explain CODE` tells more of a warning", "dim"))


def _durations(text: StyledText, results: Sequence[Result], most: int | None, page: Page) -> None:
    if most is None:
        return
    timed = [
        (verdict.seconds, called(result.model, verdict))
        for result in results
        for verdict in result.verdicts
    ]
    timed.sort(key=lambda each: -each[0])
    shown = timed[:most] if most else timed
    _section(text, f"slowest {len(shown)} durations" if most else "slowest durations", page)
    for seconds, name in shown:
        text.add(f"{seconds:.2f} s  {name}")


def _short_summary(text: StyledText, results: Sequence[Result], page: Page) -> None:
    lines: list[tuple[Outcome, str]] = []
    for result in results:
        for verdict in result.verdicts:
            if not verdict.as_expected:
                name = called(result.model, verdict)
                lines.append((outcome(verdict), f"{name} - {headline(verdict)}"))
        whole = of_the_model(result)
        if whole is not None:
            faults = _faults(result)
            count = f"{len(faults)} errors: " if len(faults) > 1 else ""
            lines.append((whole, f"{result.model} - {count}{faults[0].message}"))
    if not lines:
        return
    _section(text, "short test summary info", page, "strong")
    for each, words in lines:
        text.add(Styled(_WORDS[each], _STYLES[each]), f" {words}")


def _last_line(text: StyledText, summary: Summary, page: Page) -> None:
    """Add the line that counts; its colour is that of the worst that happened."""
    counts = Counter(each for tested in summary.tested for each in outcomes(tested.result))
    parts = [
        _count(counts[each], word) if each is Outcome.ERROR else f"{counts[each]} {word}"
        for each, word in _COUNTED.items()
        if counts[each]
    ] or ["no formula was tested"]
    left_out = sum(tested.left_out for tested in summary.tested)
    if left_out:
        parts.append(f"{left_out} deselected")
    warnings = sum(len(_remarks(tested.result)) for tested in summary.tested)
    if warnings:
        parts.append(_count(warnings, "warning"))
    words = f"{', '.join(parts)} in {_TIME}"
    if not page.quiet:
        if counts and not text.lines:
            text.add()
        words = _rule(words, "=", page.width)
    # The line is the same however long it took, but for the digits.
    text.add(Styled(words.replace(_TIME, f"{summary.seconds:.2f} s"), _worst(counts)))


def _worst(counts: Counter[Outcome]) -> str:
    for each in (Outcome.ERROR, Outcome.FAILED, Outcome.UNDECIDED):
        if counts[each]:
            return _STYLES[each]
    return "true" if counts else "unknown"


def _faults(result: Result) -> list[Diagnostic]:
    return [item for item in result.diagnostics if item.is_error]


def _remarks(result: Result) -> list[str]:
    """Return what is suspicious about a model that can be used, and about formulae that are as expected."""
    if result.refused:
        return []
    warnings = [
        f"{diagnostic.where(item)}: {item.code}: {item.message}" for item in result.diagnostics
    ]
    return warnings + [
        f"{called(result.model, verdict)}: vacuous: {verdict.vacuous}"
        for verdict in result.verdicts
        if verdict.vacuous and verdict.as_expected
    ]


def _section(text: StyledText, title: str, page: Page, style: str = "") -> None:
    """Begin a part, a blank line before it; where little is wanted, without its title."""
    if page.quiet:
        return
    if not text.lines or text.lines[-1]:
        text.add()
    text.add(Styled(_rule(title, "=", page.width), style))


def _rule(words: str, sign: str, width: int) -> str:
    """Return words in the middle of a line of signs, as wide as the page."""
    left = width - width_of(words) - 2
    half = max(1, left // 2)
    return f"{sign * half} {words} {sign * max(1, left - half)}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
