"""The story of a verdict for people: the sentences, then the runs, strategies and answers."""

from collections.abc import Sequence

from gnomon.checking.verdict import Verdict
from gnomon.model.system import System
from gnomon.results import phrases, story
from gnomon.results.evidence_tree import NumberedRun, evidence_tree
from gnomon.results.projection import ShownAgents
from gnomon.results.render import lanes
from gnomon.results.render.evidence.view import VerdictView
from gnomon.results.render.evidence_below import tables
from gnomon.results.styled import Page, Styled, StyledText, wrap


def explain(view: VerdictView) -> StyledText:
    """Return the story of a verdict."""
    page, facts = view.page, phrases.constants(view.result.constants)
    return render(view.system, view.verdict, page.width, view.agents, facts, verbose=page.verbose)


def render(
    system: System | None,
    verdict: Verdict,
    width: int = 80,
    agents: ShownAgents = None,
    facts: Sequence[str] = (),
    *,
    verbose: bool = False,
) -> StyledText:
    """Return all there is to say about a verdict, `facts` below its title; tables in full where `verbose`."""
    text = story.render(system, verdict, width, agents, facts)
    evidence = verdict.evidence
    if evidence is None or system is None:
        return text
    runs = evidence_tree(evidence).runs
    for numbered in runs:
        text.add()
        text.add(Styled(run_title(numbered, len(runs)), "strong"))
        text.add()
        text.extend(lanes.render(system, numbered.run, width - 2, agents), "  ")
    for title, table in tables(system, evidence, Page(width - 2, verbose), agents):
        text.add()
        for part in wrap(title, width, "  "):
            text.add(Styled(part, "strong"))
        text.add()
        text.extend(table, "  ")
    return text


def run_title(numbered: NumberedRun, count: int) -> str:
    """Return the heading of a run among so many."""
    run = numbered.run
    if count == 1:
        return "run" if len(run.steps) > 1 or run.loop is not None else "state"
    title = f"run {numbered.number}"
    if numbered.start is not None:
        return f"{title}, from state {numbered.start.position} of run {numbered.start.run}"
    return title
