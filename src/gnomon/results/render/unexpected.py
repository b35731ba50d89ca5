"""What did not come out as expected, for a message that has to say all: what, where, and the evidence."""

from collections.abc import Iterable, Sequence
from shlex import quote
from typing import NamedTuple

from gnomon.checking.verdict import SanityCheck, Value, Verdict
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.extent import Extent
from gnomon.results.reasons import short_reason
from gnomon.results.render import text as text_page
from gnomon.results.render.evidence import text as story_page
from gnomon.results.styled import Page, StyledText, visible, wrap

_BRIEF = Extent(brief=True)


class ModelContext(NamedTuple):
    """Which model a verdict is about: its file, its system, and what its constants are worth."""

    name: str = ""
    system: System | None = None
    constants: Iterable[tuple[str, int]] = ()
    #: Options that a command needs to see the same verdict again.
    options: str = ""


def comparison(verdict: Verdict) -> str:
    """Return what was found and what was expected."""
    if verdict.value is verdict.expected:
        return f"{verdict.value}, but vacuous"
    return f"{verdict.value}, expected {verdict.expected}"


def headline(verdict: Verdict) -> str:
    """Return the same with the reason, where somebody has said one."""
    reason = verdict.vacuous if verdict.value is verdict.expected else verdict.reason
    return f"{comparison(verdict)}: {reason}" if reason else comparison(verdict)


def render(verdict: Verdict, about: ModelContext, width: int = 80) -> StyledText:
    """Return where a formula stands and how it came out, its story in brief, and the way to see more."""
    text = StyledText()
    place = about.name
    if verdict.line:
        place = f"{about.name}:{verdict.line}" if about.name else f"line {verdict.line}"
    which = f"{verdict.name} is " if verdict.name else ""
    text.add(visible(f"{place}: {which}" if place else which, ""), comparison(verdict))
    text.add()
    system, facts = verdict.system or about.system, phrases.constants(about.constants)
    if verdict.evidence is None or system is None:
        _without_evidence(text, verdict, facts, system, width)
    else:
        text.extend(story_page.render(system, verdict, width, None, facts, _BRIEF))
    # A formula that was typed has no line, and the file does not know it.
    if verdict.line and about.name and verdict.value in {Value.TRUE, Value.FALSE}:
        text.add()
        only = f"--only {quote(verdict.label)}{about.options}"
        text.add(visible(f"to see more: gnomon explain-verdict {quote(about.name)} {only}", ""))
    return text


def _without_evidence(
    text: StyledText, verdict: Verdict, facts: Sequence[str], system: System | None, width: int
) -> None:
    """Add the formula, how it was read, and why it has its value in a sentence."""
    for part in wrap(phrases.titled(verdict), width, "  "):
        text.add(part)
    for fact in facts:
        text.add(f"  {fact}")
    if verdict.strategies:
        text.add(f"  {phrases.reading(verdict.strategies, brief=True)}")
    hollow = verdict.value is verdict.expected
    why = verdict.vacuous if hollow else short_reason(verdict, system)
    if why:
        text.add()
        for part in wrap(phrases.capitalised(why), width):
            text.add(part)


def render_check(check: SanityCheck, about: ModelContext, width: int = 80) -> StyledText:
    """Return what a sanity check found, and the run to it."""
    text = StyledText()
    place = f"{about.name}: " if about.name else ""
    said = ": ".join(part for part in (phrases.check_sentence(check), check.reason) if part)
    text.add(visible(place, ""), said)
    if check.evidence is not None and about.system is not None:
        text.add()
        text.extend(text_page.render_evidence(check.evidence, about.system, Page(width)))
    return text
