"""One formula for people: its mark, name and value on a line or two, and all there is to say below."""

from collections.abc import Iterable
from typing import NamedTuple

from gnomon.checking.verdict import SanityCheck, Standing, Value, Verdict
from gnomon.model.evidence import Evidence
from gnomon.model.open_cycle import OpenCycle
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.styled import (
    Page,
    Styled,
    StyledLine,
    StyledText,
    line,
    squeeze,
    width_of,
    wrap,
)

#: Wider lines are hard to read, and a time far to the right is hard to find.
WIDEST = 100
_TIME = 9
_MARK = 4
#: No name of a value is longer.
_SHORT = 9
#: A formula wants so much room beside its name: where there is less, the name has a line of its own.
_ROOM = 24
#: A sentence of several lines reads well beside a name if there is so much room.
_READABLE = 48
#: Evidence starts no further to the right, however long names are.
_INDENT = 7


class Columns(NamedTuple):
    """How wide the column of names is, and whether every formula says how it came out."""

    label: int = 1
    named: bool = False
    judged: bool = False

    @property
    def left(self) -> int:
        """Return where formulae begin."""
        return _MARK + self.label + (2 if self.label else 0)

    @staticmethod
    def of(verdicts: Iterable[Verdict], page: Page) -> "Columns":
        """Return the columns for these formulae; names that are too long do not count."""
        asked = list(verdicts)
        most = max(3, min(page.width // 4, page.width - _MARK - _ROOM - _TIME - 4))
        fitting = [size for verdict in asked if (size := width_of(verdict.label)) <= most]
        named = any(verdict.name for verdict in asked)
        return Columns(max(fitting, default=0 if asked else 1), named, is_judged(asked))


class _Head(NamedTuple):
    """What the first line of a formula or check is made of; `words` say how it came out."""

    standing: Standing
    label: Styled
    text: str
    words: Styled
    time: str


def is_judged(verdicts: Iterable[Verdict]) -> bool:
    """Return whether a mark alone would not tell the value: something else than true is expected."""
    return any(verdict.expected is not Value.TRUE for verdict in verdicts)


def duration(seconds: float) -> str:
    """Return a time in seconds, as exact as it is worth.

    >>> duration(0.00421), duration(83.21)
    ('0.004 s', '83.2 s')
    """
    return f"{seconds:.3f} s" if seconds < 10 else f"{seconds:.1f} s"


def add_verdict(
    text: StyledText,
    verdict: Verdict,
    system: System | None,
    columns: Columns,
    page: Page,
    told: set[str],
) -> None:
    """Add one formula; the readings of coalitions whose meaning was `told` are only named."""
    name = verdict.name
    number = f"{verdict.index:{'<' if columns.named else '>'}{columns.label}}"
    label = Styled(name, "strong") if name else Styled(number, "dim")
    standing = verdict.standing
    # What a tick means by itself is said in passing; that something is false, and should be, is not.
    welcome = "dim" if verdict.value is Value.TRUE else ""
    style = welcome if verdict.as_expected else phrases.STYLE_OF[standing]
    # Without expectations the mark says it all, unless a true formula is not good enough.
    said = columns.judged or (verdict.value is Value.TRUE and not verdict.as_expected)
    words = Styled(phrases.judged_value(verdict) if said else "", style)
    _add_head(
        text,
        _Head(standing, label, squeeze(verdict.formula), words, _time(verdict)),
        columns,
        page,
    )
    _add_remarks(text, verdict, " " * columns.left, page, told)
    if verdict.cycle is not None:
        _add_cycle(text, verdict.cycle, _evidence_indent(columns), page)
    shown = verdict.system or system
    if verdict.evidence is not None and shown is not None:
        _add_evidence(text, verdict.evidence, shown, columns, page)


def _add_cycle(text: StyledText, cycle: OpenCycle, indent: str, page: Page) -> None:
    """Add the way round that is left, where a question about paths is open."""
    from gnomon.results import way_round  # few questions are open

    text.add()
    for depth, sentence in way_round.sentences(cycle):
        inner = indent + "  " * depth
        for part in wrap(sentence, max(20, min(page.width, WIDEST) - len(inner)), "   " * depth):
            text.add(inner, part)
    text.add()


def _add_evidence(
    text: StyledText, evidence: Evidence, system: System, columns: Columns, page: Page
) -> None:
    from gnomon.results.render.evidence_below import add_evidence  # a pipeline has none to show

    add_evidence(text, evidence, system, _evidence_indent(columns), page)


def add_check(
    text: StyledText, check: SanityCheck, system: System | None, columns: Columns, page: Page
) -> None:
    """Add what a sanity check found."""
    sentence = phrases.check_sentence(check)
    head = _Head(
        phrases.check_standing(check), Styled(""), sentence, Styled(""), duration(check.seconds)
    )
    _add_head(text, head, columns, page)
    indent = " " * columns.left
    if check.reason:
        for part in wrap(check.reason, page.width - len(indent), "  "):
            text.add(indent, part)
    if check.evidence is not None and system is not None:
        _add_evidence(text, check.evidence, system, columns, page)


def mark_of(standing: Standing) -> Styled:
    """Return the sign for how something came out, and the blank after it."""
    return Styled(f"{phrases.MARKS[standing]} ", phrases.STYLE_OF[standing])


def _time(verdict: Verdict) -> str:
    """Return how long it took, or nothing where the work was ended before anybody could tell."""
    untold = verdict.value is Value.UNKNOWN and verdict.seconds <= 0
    return "" if untold else duration(verdict.seconds)


def _evidence_indent(columns: Columns) -> str:
    return " " * min(columns.left, _INDENT)


def _add_head(text: StyledText, head: _Head, columns: Columns, page: Page) -> None:
    """Add a formula on as many lines as it needs, its time beside the first, and how it came out."""
    mark = line("  ", mark_of(head.standing))
    size, left = width_of(head.label.text), columns.left
    end = min(page.width, WIDEST) - _TIME
    # A short word about the value stands beside the first line, however many there are.
    size_of_words = width_of(head.words.text)
    kept = size_of_words + 2 if 0 < size_of_words <= _SHORT else 0
    beside_time = wrap(head.text, max(20, end - left - 2 - kept), "  ")
    if size <= columns.label:
        start = line(*mark, head.label, " " * (left - _MARK - size))
        _add_lines(text, start, beside_time, head, (left, end))
    elif _MARK + size + 2 <= end:  # the name is on a line of its own, with the time
        alone = wrap(head.text, max(20, page.width - left), "  ")
        _add_lines(text, line(*mark, head.label), ["", *alone], head, (left, end))
    else:
        text.add(*mark, head.label)
        _add_lines(text, line(" " * left), beside_time, head, (left, end))


def _add_lines(
    text: StyledText, start: StyledLine, lines: list[str], head: _Head, place: tuple[int, int]
) -> None:
    """Add lines, the first with the time at a fixed column, so that equal runs differ in its digits only.

    How it came out stands before the time, or below where a formula of several lines would be cut by it.
    """
    left, end = place
    first, *rest = lines
    begun = (*start, Styled(first))
    used = width_of("".join(span.text for span in begun))
    words, room = head.words, end - used - 4
    short = width_of(words.text) <= _SHORT
    beside = width_of(words.text) <= room and (short or not (first and rest))
    shown = line(" " * (end - 2 - used - width_of(words.text)), words, "  ") if beside else ()
    gap = "" if beside else " " * max(2, end - used)
    text.add(*begun, *shown, gap, Styled(head.time, "dim"))
    for part in rest:
        text.add(" " * left, part)
    if words.text and not beside:
        for part in wrap(words.text, end + _TIME - left, "  "):
            text.add(" " * left, Styled(part, words.style))


def _add_remarks(
    text: StyledText, verdict: Verdict, indent: str, page: Page, told: set[str]
) -> None:
    """Add the reason of an open answer, vacuity, numbers of agents, the reading of coalitions, the parse.

    What a reading means is told once a model.
    """
    remarks: list[tuple[str, str]] = []
    if verdict.reason:
        is_open = verdict.value in {Value.UNKNOWN, Value.UNDEFINED}
        remarks.append((f"{verdict.value}: {verdict.reason}", "unknown" if is_open else ""))
    if verdict.vacuous:
        remarks.append((f"vacuous: {verdict.vacuous}", "warning"))
    if verdict.numbers is not None:
        remarks += [(sentence, "") for sentence in phrases.numbers(verdict.numbers)]
        remarks += [(f"· {sentence}", "") for sentence in verdict.numbers.invariant]
    if verdict.strategies:
        reading = phrases.reading(verdict.strategies, brief=verdict.strategies in told)
        told.add(verdict.strategies)
        remarks.append((reading, "dim"))
    if page.verbose:
        remarks.append((f"read as {verdict.parsed}", "dim"))
    inner = " " * min(len(indent), _INDENT)
    for remark, style in remarks:
        # What does not fit on a line, nor well on several, beside long names gets the whole page.
        beside = page.width - len(indent)
        place = indent if beside >= min(width_of(remark), _READABLE) else inner
        for part in wrap(remark, page.width - len(place), "  "):
            text.add(place, Styled(part, style))
