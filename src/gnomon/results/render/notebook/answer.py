"""The verdict on one formula in a notebook: what was asked, how it came out, why, and what helps."""

from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.checking.verdict import Thresholds, Value, Verdict
from gnomon.model.system import System
from gnomon.results import phrases, story
from gnomon.results.render.notebook.evidence import sentences, shown_evidence
from gnomon.results.render.notebook.formulae import aloud, formula
from gnomon.results.render.notebook.frame import (
    folded,
    framed,
    heading,
    mark,
    paragraph,
    quoted,
    row,
    shown,
    table,
)
from gnomon.results.render.verdict_lines import duration

#: Why something is open, by a word of the reason, and what helps.
_HELP: Final = (
    ("interrupted", "Ask it again: `check(only=…)` asks one formula alone."),
    ("time limit", "More time may help (`timeout=`, `formula_timeout=`), or a smaller model."),
    ("memory limit", "More memory may help (`memory=`), or a smaller model."),
    (" states", '`max_states=` allows more, and `engine="bdd"` needs no list of states.'),
    (
        "predicates",
        "Conditions that matter can be given: `predicates=[…]`; `refine=` looks longer.",
    ),
)
_MOST_INVARIANT: Final = 40


def render(system: System | None, verdict: Verdict, facts: Sequence[str] = ()) -> str:
    """Return one output about a verdict; `facts` are words about the model."""
    evidence = verdict.evidence
    parts = [title(verdict), *asked(verdict), *remarks(verdict)]
    if evidence is None or system is None:
        parts += _nothing(verdict)
    else:
        brief = sentences(system, evidence, brief=True)
        whole = sentences(system, evidence)
        parts.append(brief)
        if whole != brief:
            parts.append(folded("the whole story", whole))
        parts.append(shown_evidence(system, evidence))
    known = [*facts, *run_facts(verdict)]
    return framed(*parts, paragraph(f"<small>{shown(' · '.join(known))}</small>", "g-soft"))


def title(verdict: Verdict) -> str:
    """Return the mark, the name and how it came out."""
    name = f"<strong>{shown(verdict.name)}</strong> is " if verdict.name else ""
    style = phrases.STYLE_OF[verdict.standing]
    value = f'<strong class="g-{style}">{shown(phrases.judged_value(verdict))}</strong>'
    return paragraph(f"{mark(verdict.standing)} {name}{value}", "g-title")


def asked(verdict: Verdict) -> Iterator[str]:
    """Yield the formula, and what it asks in everyday words."""
    yield paragraph(formula(verdict.formula))
    if words := aloud(verdict.formula):
        yield paragraph(f"<em>{quoted(words)}</em>", "g-soft")


def remarks(verdict: Verdict) -> Iterator[str]:
    """Yield why it is open and what helps, whether it says anything, how many agents it takes."""
    if verdict.reason:
        is_open = verdict.value in {Value.UNKNOWN, Value.UNDEFINED}
        words = f"{verdict.value}: {verdict.reason}" if is_open else verdict.reason
        yield paragraph(quoted(words), "g-unknown" if is_open else "")
        if is_open:
            yield paragraph(quoted(next_step(verdict.reason)))
    if verdict.vacuous:
        yield paragraph(quoted(f"? vacuous: {verdict.vacuous}"), "g-unknown")
    if verdict.numbers is not None:
        yield from numbers(verdict.numbers)
    if verdict.strategies:
        yield paragraph(f"<small>{quoted(phrases.reading(verdict.strategies))}</small>", "g-soft")


def next_step(reason: str) -> str:
    """Return what may decide what is open."""
    for word, help_ in _HELP:
        if word in reason:
            return help_
    return "Another engine (`engine=`), or a smaller model, may decide it."


def render_numbers(found: Thresholds) -> str:
    """Return one output about how many agents it takes."""
    return framed(*numbers(found))


def numbers(found: Thresholds) -> Iterator[str]:
    """Yield how many agents it takes, and the invariant in words."""
    for sentence in phrases.numbers(found):
        yield paragraph(quoted(f"{phrases.capitalised(sentence)}."))
    if len(found.populations) > 1:
        names = list(dict.fromkeys(name for each in found.populations for name in each))
        rows = [row([str(each.get(name, 0)) for name in names]) for each in found.populations[:60]]
        yield heading("the smallest numbers of agents" if found.exact else "numbers of agents")
        yield table([*map(shown, names)], rows)
    if found.invariant:
        listed = [f"<li>{quoted(each)}</li>" for each in found.invariant[:_MOST_INVARIANT]]
        if left := len(found.invariant) - len(listed):
            listed.append(f"<li>… {left:,} more in <code>.numbers.invariant</code></li>")
        yield folded("the invariant, in words", f"<ul>{''.join(listed)}</ul>")


def _nothing(verdict: Verdict) -> Iterator[str]:
    """Yield why there is no evidence; what an invariant says was said."""
    if verdict.numbers is not None and verdict.numbers.invariant:
        return
    if verdict.value in {Value.TRUE, Value.FALSE}:
        yield paragraph(f"<small>{quoted(story.nothing_to_tell(verdict)[0])}</small>", "g-soft")


def run_facts(verdict: Verdict) -> Iterator[str]:
    """Yield who decided it, how long it took and where it stands."""
    if verdict.engine:
        yield f"engine {verdict.engine}"
    if verdict.value is not Value.UNKNOWN or verdict.seconds > 0:
        yield duration(verdict.seconds)
    if verdict.line:
        yield f"line {verdict.line}"
