"""Results for people: every formula with its verdict, its evidence drawn below it."""

from collections import Counter
from collections.abc import Iterable, Iterator

from gnomon.checking.verdict import Result, SanityCheck, Value, Verdict
from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.phrases import grouped
from gnomon.results.projection import ShownAgents
from gnomon.results.render import clash, defence, lanes, notices, strategy
from gnomon.results.styled import Page, Styled, StyledText, squeeze, wrap

MARKS = {Value.TRUE: "✓", Value.FALSE: "✗", Value.UNDEFINED: "?", Value.UNKNOWN: "?"}
#: Wider lines are hard to read, and a time far to the right is hard to find.
WIDEST = 100
_TIME = 9
#: What an engine counts, where that is not states.
_COUNTED = {"abstraction": "cell"}


def render(results: list[Result], page: Page = Page()) -> StyledText:
    """Return all models, one after the other, each with what is to be said about it, and the summary."""
    text = StyledText()
    for result in results:
        text.extend(notices.as_text(result.diagnostics, page))
        text.extend(on_model(result, page))
    if not page.quiet:
        text.extend(summary(results))
    return text


def on_verdict(_model: str, _verdict: Verdict, _system: System | None) -> str:
    """Return nothing: the line of the model, which is not known yet, comes first."""
    return ""


def on_end(results: list[Result], page: Page) -> StyledText | str:
    """Return the summary, where it is wanted."""
    return "" if page.quiet else summary(results)


def on_model(result: Result, page: Page) -> StyledText:
    """Return one model: its line, then its formulae and checks."""
    text = StyledText()
    if page.quiet:
        _render_quietly(text, result)
        return text
    if result.refused:
        text.add(Styled(result.model, "strong"), Styled("  not checked", "error"))
        text.add()
        return text
    facts = " · ".join(_facts(result))
    # Whether it fits on a line must not depend on how long it took.
    length = len(facts) - len(duration(result.seconds)) + len(duration(0.0))
    if len(result.model) + 2 + max(length, len(facts)) <= page.width:
        text.add(Styled(result.model, "strong"), Styled("  " + facts, "dim"))
    else:
        text.add(Styled(result.model, "strong"))
        text.add(Styled("  " + facts, "dim"))
    text.add()
    digits = max((len(str(verdict.index)) for verdict in result.verdicts), default=1)
    told: set[str] = set()
    for verdict in result.verdicts:
        _render_verdict(text, verdict, result.system, digits, page, told)
    for check in result.checks:
        _render_check(text, check, result.system, digits, page)
    if not result.verdicts and not result.checks:
        text.add("  ", Styled("there is no formula to check", "dim"))
    if text.lines[-1]:
        text.add()
    _render_predicates(text, result, page)
    _render_account(text, result, page)
    return text


def _render_predicates(text: StyledText, result: Result, page: Page) -> None:
    """Add what cells are told apart by, and where each predicate comes from."""
    if not result.predicates:
        return
    text.add("  ", "Predicates, and where they come from:")
    text.add()
    width = min(max(len(predicate) for predicate, _ in result.predicates), page.width // 2)
    for predicate, origin in result.predicates:
        text.add("    ", f"{predicate:<{width}}  ", Styled(origin, "dim"))
    text.add()


def _render_account(text: StyledText, result: Result, page: Page) -> None:
    """Add what the engine did, one fact a line."""
    if not result.account:
        return
    width = max(len(name) for name, _ in result.account)
    for name, fact in result.account:
        first, *rest = wrap(fact, max(20, page.width - width - 4), "")
        text.add("  ", Styled(f"{name:<{width}}  ", "dim"), first)
        for part in rest:
            text.add(" " * (width + 4), part)
    text.add()


def _facts(result: Result) -> list[str]:
    facts: list[str] = [result.kind, result.engine or "no engine"]
    if result.states is not None:
        counted = _COUNTED.get(result.engine, "state")
        facts.append(f"{grouped(result.states)} {counted}{'' if result.states == 1 else 's'}")
    facts.append(duration(result.seconds))
    if result.interrupted:
        facts.append("interrupted")
    return facts


def duration(seconds: float) -> str:
    """Return a time in seconds, as exact as it is worth.

    >>> duration(0.00421), duration(83.21)
    ('0.004 s', '83.2 s')
    """
    return f"{seconds:.3f} s" if seconds < 10 else f"{seconds:.1f} s"


def _render_verdict(
    text: StyledText,
    verdict: Verdict,
    system: System | None,
    digits: int,
    page: Page,
    told: set[str],
) -> None:
    head = Styled(f"  {MARKS[verdict.value]} ", verdict.value.value)
    number = Styled(f"{verdict.index:>{digits}}  ", "dim")
    _render_head(text, (head, number), squeeze(verdict.formula), verdict.seconds, page)
    indent = " " * (digits + 6)
    _render_remarks(text, verdict, indent, page, told)
    shown = verdict.system or system
    if verdict.evidence is not None and shown is not None:
        _render_evidence(text, verdict.evidence, shown, indent, page)


def _render_head(
    text: StyledText, head: tuple[Styled, Styled], formula: str, seconds: float, page: Page
) -> None:
    """Add a formula on as many lines as it needs, its time beside the first."""
    left = len(head[0].text) + len(head[1].text)
    column = min(page.width, WIDEST) - _TIME
    first, *rest = wrap(formula, max(20, column - left - 2), "  ")
    # The time starts at a fixed column, so that equal runs differ only in its digits.
    gap = " " * max(2, column - left - len(first))
    text.add(*head, first, gap, Styled(duration(seconds), "dim"))
    for part in rest:
        text.add(" " * left, part)


def _render_remarks(
    text: StyledText, verdict: Verdict, indent: str, page: Page, told: set[str]
) -> None:
    """Add the reading of coalitions, the reason of an open answer, and the parse where wanted.

    What a reading means is told once a model.
    """
    room = page.width - len(indent)
    if verdict.reason:
        for part in wrap(f"{verdict.value}: {verdict.reason}", room, "  "):
            text.add(indent, Styled(part, "unknown" if _is_open(verdict.value) else ""))
    if verdict.numbers is not None:
        for sentence in phrases.numbers(verdict.numbers):
            for part in wrap(sentence, room, "  "):
                text.add(indent, part)
    if verdict.strategies:
        reading = phrases.reading(verdict.strategies, brief=verdict.strategies in told)
        told.add(verdict.strategies)
        for part in wrap(reading, room, "  "):
            text.add(indent, Styled(part, "dim"))
    if page.verbose:
        for part in wrap(f"read as {verdict.parsed}", room, "  "):
            text.add(indent, Styled(part, "dim"))


def _is_open(value: Value) -> bool:
    return value in {Value.UNKNOWN, Value.UNDEFINED}


def _render_check(
    text: StyledText, check: SanityCheck, system: System | None, digits: int, page: Page
) -> None:
    head = Styled(f"  {MARKS[check.value]} ", check.value.value)
    sentence = phrases.check_sentence(check)
    _render_head(text, (head, Styled(" " * (digits + 2))), sentence, check.seconds, page)
    indent = " " * (digits + 6)
    if check.reason:
        for part in wrap(check.reason, page.width - len(indent), "  "):
            text.add(indent, part)
    if check.evidence is not None and system is not None:
        _render_evidence(text, check.evidence, system, indent, page)


def render_evidence(
    evidence: Evidence,
    system: System,
    page: Page = Page(),
) -> StyledText:
    """Return one piece of evidence by itself."""
    text = StyledText()
    _render_evidence(text, evidence, system, "", page)
    return text


def _render_evidence(
    text: StyledText, evidence: Evidence, system: System, indent: str, page: Page
) -> None:
    text.add()
    if evidence.explanation is not None:
        title = f"{evidence.kind}: "
        for sentence in phrases.sentences(evidence.explanation):
            inner = indent + "  " * sentence.depth
            _add_sentence(text, title, sentence.text, inner, page)
            title = ""
            if sentence.run is not None:
                text.add()
                text.extend(lanes.render(system, sentence.run, page.width - len(inner)), inner)
                text.add()
    width = page.width - len(indent)
    for title, table in tables(system, evidence, page._replace(width=width)):
        for part in wrap(title, width, "  "):
            text.add(indent, part)
        text.add()
        text.extend(table, indent)
        text.add()
    if text.lines[-1]:
        text.add()


def tables(
    system: System, evidence: Evidence, page: Page, agents: ShownAgents = None
) -> Iterator[tuple[str, StyledText]]:
    """Yield strategies, answers and conflicts, each with its title."""
    most = None if page.verbose else strategy.ROWS
    for table in evidence.strategies:
        yield phrases.strategy_title(table), strategy.render(table, page.width, most)
    for refusal in evidence.defences:
        shown = defence.render(system, refusal, page.width, most, agents)
        yield phrases.defence_title(refusal), shown
    for clashes in evidence.clashes:
        yield phrases.clashes_title(clashes), clash.render(system, clashes, page.width, agents)


def _add_sentence(text: StyledText, title: str, sentence: str, indent: str, page: Page) -> None:
    first, *rest = wrap(title + sentence, max(30, page.width - len(indent)))
    text.add(indent, Styled(first[: len(title)], "strong"), first[len(title) :])
    for part in rest:
        text.add(indent, part)


def _render_quietly(text: StyledText, result: Result) -> None:
    """Add one line for each formula and check that is not true."""
    for verdict in result.verdicts:
        if verdict.value is not Value.TRUE:
            mark = Styled(f"{MARKS[verdict.value]} ", verdict.value.value)
            text.add(mark, f"{result.model}: {verdict.index}: {phrases.outcome(verdict)}")
    for check in result.checks:
        if check.value is not Value.TRUE:
            mark = Styled(f"{MARKS[check.value]} ", check.value.value)
            text.add(mark, f"{result.model}: {phrases.check_sentence(check)}")


def summary(results: list[Result]) -> StyledText:
    """Return the last line: how many formulae there were, and how they came out."""
    counts = Counter(verdict.value for result in results for verdict in result.verdicts)
    total = counts.total()
    parts: list[Styled | str] = []
    for value in Value:
        if counts[value]:
            parts += [", " if parts else "", Styled(f"{counts[value]} {value}", value.value)]
    checks = [check.value for result in results for check in result.checks]
    refused = sum(result.refused for result in results)
    text = StyledText()
    seconds = duration(sum(result.seconds for result in results))
    text.add(
        f"{total} formula{'' if total == 1 else 'e'}{': ' if parts else ''}",
        *parts,
        *_checks_part(checks),
        *_refused_part(refused),
        Styled(f" · {seconds}", "dim"),
    )
    return text


def _refused_part(refused: int) -> Iterable[Styled | str]:
    if not refused:
        return ()
    return (" · ", Styled(f"{refused} model{'' if refused == 1 else 's'} not checked", "error"))


def _checks_part(checks: list[Value]) -> Iterable[Styled | str]:
    if not checks:
        return ()
    failed, passed = checks.count(Value.FALSE), checks.count(Value.TRUE)
    words = f"{len(checks)} check{'' if len(checks) == 1 else 's'}"
    if failed:
        return (" · ", Styled(f"{words}, {failed} failed", "false"))
    return (" · ", f"{words} passed" if passed == len(checks) else f"{words}, {passed} passed")
