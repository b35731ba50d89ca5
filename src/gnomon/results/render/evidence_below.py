"""Evidence as it is drawn below a verdict: sentences, runs, and tables of strategies and answers."""

from collections.abc import Iterator

from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.projection import ShownAgents
from gnomon.results.render import clash, defence, lanes, strategy
from gnomon.results.styled import Page, Styled, StyledText, wrap


def add_evidence(
    text: StyledText, evidence: Evidence, system: System, indent: str, page: Page
) -> None:
    """Add what supports a verdict: sentences with their runs, then tables, between empty lines."""
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
    first, *rest = wrap(title + sentence, max(20, page.width - len(indent)))
    text.add(indent, Styled(first[: len(title)], "strong"), first[len(title) :])
    for part in rest:
        text.add(indent, part)
