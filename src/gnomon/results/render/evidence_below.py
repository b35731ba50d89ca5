"""Evidence as it is drawn below a verdict: sentences, runs, and tables of strategies and answers."""

from collections.abc import Iterator

from gnomon.model.evidence import Defence, Evidence
from gnomon.model.formula import All, PathOperator
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.abridging import cut, word_about_dots
from gnomon.results.evidence_tree import evidence_tree
from gnomon.results.explanation_sentences import ExplanationSentence, brief, sentences
from gnomon.results.extent import Extent
from gnomon.results.projection import ShownAgents
from gnomon.results.render import clash, defence, lanes, strategy
from gnomon.results.styled import Page, Styled, StyledText, wrap


def add_evidence(
    text: StyledText, evidence: Evidence, system: System, indent: str, page: Page
) -> None:
    """Add what supports a verdict: sentences with their runs, then tables, between empty lines."""
    text.add()
    width = page.width - len(indent)
    shown = [*tables(system, evidence, page._replace(width=width))]
    title = "why: " if _is_reason(evidence) else f"{evidence.kind}: "
    first: State | None = None
    told = [*_told(evidence, page.extent, tables=bool(shown))]
    for sentence in told:
        inner = indent + "  " * sentence.depth
        _add_sentence(text, title, sentence.text, inner, page)
        title = ""
        if sentence.run is not None:
            room, most = page.width - len(inner), page.extent.lines
            text.add()
            text.extend(lanes.render(system, sentence.run, room, most=most, like=first), inner)
            text.add()
            first = first or sentence.run.steps[0].state
    if dots := word_about_dots((sentence.text for sentence in told), page.extent.letters):
        text.add(indent, Styled(dots, "dim"))
    for heading, table in shown[: 1 if page.extent.brief else None]:
        if text.lines[-1]:
            text.add()
        for part in wrap(heading, width, "  "):
            text.add(indent, part)
        text.add()
        text.extend(table, indent)
        text.add()
    if text.lines[-1]:
        text.add()


def _is_reason(evidence: Evidence) -> bool:
    """Return whether all that is told is why something is so on every path: nothing witnesses that."""
    root = evidence.explanation
    alone = root is not None and root.run is None and not root.branches
    quantified = root is not None and isinstance(root.about, (All, PathOperator))
    return evidence.kind == "witness" and alone and quantified


def _told(evidence: Evidence, extent: Extent, *, tables: bool) -> Iterator[ExplanationSentence]:
    """Yield what is told in sentences."""
    tree = evidence_tree(evidence)
    if extent.brief:
        yield from brief(tree, extent.letters, tables=tables)
    else:
        yield from sentences(*cut(tree, extent.runs), extent.letters)


def tables(
    system: System, evidence: Evidence, page: Page, agents: ShownAgents = None
) -> Iterator[tuple[str, StyledText]]:
    """Yield strategies, answers and conflicts, each with its title."""
    most = page.extent.lines
    for table in evidence.strategies:
        yield phrases.strategy_title(table), strategy.render(table, page.width, most)
    for refusal in evidence.defences:
        shown = defence.render(system, refusal, page.width, most, agents)
        yield phrases.defence_title(refusal, alike=_is_alike(evidence, refusal)), shown
    for clashes in evidence.clashes:
        yield phrases.clashes_title(clashes), clash.render(system, clashes, page.width, agents)


def _is_alike(evidence: Evidence, refusal: Defence) -> bool:
    """Return whether answers start in another state than the formula is explained in."""
    waiting = [] if evidence.explanation is None else [evidence.explanation]
    explained = set()
    while waiting:
        why = waiting.pop()
        explained.add(why.state)
        waiting.extend(branch.because for branch in why.branches)
    return refusal.state is not None and refusal.state not in explained


def _add_sentence(text: StyledText, title: str, sentence: str, indent: str, page: Page) -> None:
    first, *rest = wrap(title + sentence, max(20, page.width - len(indent)))
    text.add(indent, Styled(first[: len(title)], "strong"), first[len(title) :])
    for part in rest:
        text.add(indent, part)
