"""The story of a verdict for people: the sentences, then the runs, strategies and answers."""

from collections.abc import Sequence

from gnomon.checking.verdict import Verdict
from gnomon.model.system import System
from gnomon.results import phrases, story
from gnomon.results.abridging import cut
from gnomon.results.evidence_tree import EvidenceTree, NumberedRun, evidence_tree
from gnomon.results.explanation_sentences import decisive, moves
from gnomon.results.extent import FULL, Extent
from gnomon.results.phrases import enumerated
from gnomon.results.projection import ShownAgents
from gnomon.results.render import lanes
from gnomon.results.render.evidence.view import VerdictView
from gnomon.results.render.evidence_below import tables
from gnomon.results.story_runs import MOST_STEPS
from gnomon.results.styled import Page, Styled, StyledText, wrap


def explain(view: VerdictView) -> StyledText:
    """Return the story of a verdict."""
    page, facts = view.page, phrases.constants(view.result.constants)
    return render(view.system, view.verdict, page.width, view.agents, facts, page.extent)


def render(
    system: System | None,
    verdict: Verdict,
    width: int = 80,
    agents: ShownAgents = None,
    facts: Sequence[str] = (),
    extent: Extent = FULL,
) -> StyledText:
    """Return what there is to say about a verdict, as much as is wanted, `facts` below its title."""
    text = story.render(system, verdict, width, agents, facts, extent)
    evidence = verdict.evidence
    if evidence is None or system is None:
        return text
    whole = evidence_tree(evidence)
    shown = [*tables(system, evidence, Page(width - 2, extent=extent), agents)]
    runs = _runs(whole, extent, tables=bool(shown))
    told = [
        numbered
        for numbered in runs
        if not (extent.brief or extent.lines is None)
        and moves(numbered.run)
        and len(numbered.run.steps) <= MOST_STEPS
        and not lanes.is_table(system, numbered.run, width - 2, agents)
    ]
    if told:
        # As a list it says once more what the sentences say, but for idle actions and the lines of rules.
        text.add()
        what = enumerated(f"{numbered.number}" for numbered in told)
        noun = "the run" if len(whole.runs) == 1 else f"run{'s' if len(told) > 1 else ''} {what}"
        text.add(Styled(f"({noun} with all actions and lines of rules: --full)", "dim"))
    for numbered in runs:
        if numbered in told:
            continue
        text.add()
        text.add(Styled(run_title(numbered, len(whole.runs)), "strong"))
        text.add()
        like = whole.runs[0].run.steps[0].state if numbered.number > 1 else None
        drawn = lanes.render(system, numbered.run, width - 2, agents, most=extent.lines, like=like)
        text.extend(drawn, "  ")
    for title, table in shown[: 1 if extent.brief else None]:
        text.add()
        for part in wrap(title, width, "  "):
            text.add(Styled(part, "strong"))
        text.add()
        text.extend(table, "  ")
    return text


def _runs(tree: EvidenceTree, extent: Extent, *, tables: bool) -> tuple[NumberedRun, ...]:
    """Return the runs that are drawn."""
    if not extent.brief:
        return cut(tree, extent.runs)[0].runs
    chosen = decisive(tree)
    run = None if chosen is None else chosen.numbered
    return () if run is None or (tables and not moves(run.run)) else (run,)


def run_title(numbered: NumberedRun, count: int) -> str:
    """Return the heading of a run among so many."""
    run = numbered.run
    if count == 1:
        return "run" if len(run.steps) > 1 or run.loop is not None else "state"
    title = f"run {numbered.number}"
    if numbered.start is not None:
        return f"{title}, from state {numbered.start.position} of run {numbered.start.run}"
    return title
