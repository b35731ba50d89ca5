"""The answers about one model in a notebook: a table, and why below each formula that has evidence."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from gnomon.checking.verdict import Result, SanityCheck, Standing, Verdict
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.render import notices
from gnomon.results.render.notebook.answer import next_step
from gnomon.results.render.notebook.evidence import sentences, shown_evidence
from gnomon.results.render.notebook.formulae import formula
from gnomon.results.render.notebook.frame import (
    fixed,
    folded,
    framed,
    mark,
    paragraph,
    quoted,
    row,
    shown,
    table,
)
from gnomon.results.render.text import counted
from gnomon.results.render.verdict_lines import duration
from gnomon.text.diagnostic import Diagnostic

#: More formulae than these are counted.
_MOST_ROWS: Final = 200
#: So many of them tell why.
_MOST_TOLD: Final = 12
_WORDS: Final[Mapping[Standing, str]] = {
    "expected": "as expected",
    "unexpected": "not as expected",
    "open": "open",
}


def render(result: Result) -> str:
    """Return one output about all formulae of a model."""
    return framed(
        _title(result),
        _table(result),
        *_told(result),
        _pairs("what cells of states are told apart by", ["condition", "from"], result.predicates),
        _pairs("what the engine did", ["", ""], result.account),
        _summary(result),
        said(result.diagnostics),
    )


def _pairs(title: str, header: list[str], pairs: Sequence[tuple[str, str]]) -> str:
    """Return what few want to see; it is folded."""
    if not pairs:
        return ""
    rows = [row(map(shown, pair)) for pair in pairs[:_MOST_ROWS]]
    left = len(pairs) - len(rows)
    more = paragraph(quoted(f"… and {left:,} more in `print(result)`"), "g-soft") if left else ""
    return folded(f"{title} ({len(pairs):,})", table(header, rows), more)


def said(diagnostics: Iterable[Diagnostic]) -> str:
    """Return warnings, drawn on the lines they are about."""
    return fixed(notices.as_text(diagnostics))


def _title(result: Result) -> str:
    states = [] if result.states is None else [counted(result.states, result.engine)]
    facts = [result.kind, *phrases.constants(result.constants), *states]
    return paragraph(
        f'<strong>{shown(result.model)}</strong> <span class="g-soft">{shown(" · ".join(facts))}</span>',
        "g-title",
    )


def _table(result: Result) -> str:
    rows = [_row(verdict) for verdict in result.verdicts[:_MOST_ROWS]]
    rows += [_check(check) for check in result.checks]
    if not rows:
        return paragraph("no formula was asked", "g-soft")
    left = len(result.verdicts) - _MOST_ROWS
    more = paragraph(quoted(f"… and {left:,} more formulae; `print(result)` has all"), "g-soft")
    of = ["", "", "", "", "g-number"]
    return table(["", "name", "formula", "value", "time"], rows, of) + (more if left > 0 else "")


def _row(verdict: Verdict) -> str:
    notes = []
    if verdict.vacuous:
        notes.append(f"vacuous: {verdict.vacuous}")
    if verdict.reason:
        notes.append(verdict.reason)
    if verdict.numbers is not None:
        notes += phrases.numbers(verdict.numbers)
    below = "".join(f"<br><small>{quoted(note)}</small>" for note in notes)
    style = f"g-{phrases.STYLE_OF[verdict.standing]}"
    cells = [
        mark(verdict.standing),
        shown(verdict.label),
        formula(verdict.formula) + below,
        shown(phrases.judged_value(verdict)),
        shown(duration(verdict.seconds)),
    ]
    return row(cells, of=["", "", "", style, "g-number"])


def _check(check: SanityCheck) -> str:
    standing = phrases.check_standing(check)
    below = f"<br><small>{quoted(check.reason)}</small>" if check.reason else ""
    cells = [
        mark(standing),
        shown(phrases.check_label(check.name)),
        shown(phrases.check_sentence(check)) + below,
        shown(str(check.value)),
        shown(duration(check.seconds)),
    ]
    return row(cells, of=["", "", "", f"g-{phrases.STYLE_OF[standing]}", "g-number"])


def _told(result: Result) -> Iterator[str]:
    """Yield why, for the first formulae that have evidence; it is folded."""
    told = 0
    pairs: list[tuple[Verdict | SanityCheck, System | None]] = [
        *((verdict, verdict.system or result.system) for verdict in result.verdicts),
        *((check, result.system) for check in result.checks),
    ]
    for each, system in pairs:
        if each.evidence is None or system is None:
            continue
        told += 1
        if told > _MOST_TOLD:
            yield paragraph("why the others are so, each of them tells by itself", "g-soft")
            return
        if isinstance(each, Verdict):
            words = f"why {each.label} is {each.value}"
        else:
            words = f"why {phrases.check_sentence(each)}"
        inner = shown_evidence(system, each.evidence, picture=False)
        yield folded(words, sentences(system, each.evidence, brief=True), inner)


def _summary(result: Result) -> str:
    standings = Counter(verdict.standing for verdict in result.verdicts)
    parts = [f"{standings[key]:,} {words}" for key, words in _WORDS.items() if standings[key]]
    parts += [*([f"engine {result.engine}"] if result.engine else []), duration(result.seconds)]
    ended = ""
    if result.interrupted:
        ended = paragraph(
            f"? interrupted: what was decided is kept. {quoted(next_step('interrupted'))}"
        )
    return ended + paragraph(f"<small>{shown(' · '.join(parts))}</small>", "g-soft")
