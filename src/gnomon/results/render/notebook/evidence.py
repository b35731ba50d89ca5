"""A piece of evidence in a notebook: the runs and tables, with the picture beside them."""

from typing import Final

from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results import story
from gnomon.results.evidence_tree import NumberedRun, evidence_tree
from gnomon.results.extent import HOW, Extent
from gnomon.results.projection import ShownAgents
from gnomon.results.render.evidence.text import run_title
from gnomon.results.render.notebook.drawing import of_evidence
from gnomon.results.render.notebook.frame import (
    beside,
    framed,
    heading,
    paragraph,
    quoted,
)
from gnomon.results.render.notebook.runs import lanes
from gnomon.results.render.notebook.tables import tables

#: More runs than these are counted.
_MOST_RUNS: Final = 3
_MOST_SENTENCES: Final = 60


def render(system: System, evidence: Evidence) -> str:
    """Return one output about a piece of evidence."""
    words = [sentences(system, evidence, brief=True), shown_evidence(system, evidence)]
    return framed(heading(evidence.kind), *words)


def sentences(system: System, evidence: Evidence, *, brief: bool = False) -> str:
    """Return what a piece of evidence tells, in one sentence or in all of them."""
    told = story.of_evidence(system, evidence, None, Extent(brief=brief))
    lines = [
        paragraph(quoted(each.text.replace(HOW, ".story() has all")), "g-in" if each.depth else "")
        for each in told[:_MOST_SENTENCES]
    ]
    left = len(told) - len(lines)
    more = paragraph(quoted(f"… {left:,} more sentences; `.story()` has all"), "g-soft")
    return "\n".join([*lines, more] if left else lines)


def shown_evidence(system: System, evidence: Evidence, *, picture: bool = True) -> str:
    """Return runs and tables, and the picture beside them unless it is not wanted."""
    drawn = of_evidence(system, evidence) if picture else ""
    rest = "\n".join(each for each in tables(system, evidence) if each)
    words = "\n".join(part for part in (runs_of(system, evidence), rest) if part)
    return beside(words, drawn)


def runs_of(system: System, evidence: Evidence, agents: ShownAgents = None) -> str:
    """Return the runs as tables, the first few of them."""
    runs = evidence_tree(evidence).runs
    alone = bool(evidence.strategies or evidence.defences or evidence.clashes)
    told = [each for each in runs if not (alone and _stands_still(each) and len(runs) == 1)]
    pieces = []
    for numbered in told[:_MOST_RUNS]:
        if len(runs) > 1:
            pieces.append(heading(run_title(numbered, len(runs))))
        pieces.append(lanes(system, numbered.run, agents))
    if left := len(told) - _MOST_RUNS if len(told) > _MOST_RUNS else 0:
        pieces.append(paragraph(quoted(f"… and {left:,} more runs; `.story()` has all"), "g-soft"))
    return "\n".join(pieces)


def _stands_still(numbered: NumberedRun) -> bool:
    return len(numbered.run.steps) == 1 and numbered.run.loop is None
