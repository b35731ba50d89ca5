"""One verdict as it is to be explained: all that a format may want to know."""

from dataclasses import dataclass, replace

from gnomon.checking.verdict import Result, Verdict
from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results.evidence_tree import evidence_tree
from gnomon.results.projection import PictureStyle, ShownAgents
from gnomon.results.styled import Page, squeeze
from gnomon.text.errors import Unable


class NothingToDraw(Unable):
    """The evidence has no runs, or there is none: the message says which."""


@dataclass(frozen=True, slots=True)
class VerdictView:
    """A result of one formula, the agents to show, the page, (for a format of one run) which run, and more.

    `style` is how pictures are drawn; of whom is what `agents` says.
    """

    result: Result
    agents: ShownAgents = None
    page: Page = Page()
    run: int = 1
    style: PictureStyle = PictureStyle()

    @property
    def verdict(self) -> Verdict:
        """Return the verdict."""
        return self.result.verdicts[0]

    @property
    def system(self) -> System | None:
        """Return what it is about; with any number of agents, how many there are is up to the evidence."""
        return self.verdict.system or self.result.system

    @property
    def drawing(self) -> PictureStyle:
        """Return how pictures are drawn."""
        return replace(self.style, agents=self.agents)

    def with_evidence(self) -> tuple[System, Evidence]:
        """Return what can be drawn; raise `NothingToDraw` where there is no evidence."""
        if self.verdict.evidence is None or self.system is None:
            raise self.nothing("no evidence")
        return self.system, self.verdict.evidence

    def with_runs(self) -> tuple[System, Evidence, ShownAgents]:
        """Return what has runs; raise `NothingToDraw` where there are none."""
        system, evidence = self.with_evidence()
        if not evidence_tree(evidence).runs:
            raise self.nothing("a strategy, which has no runs")
        return system, evidence, self.agents

    def nothing(self, what: str) -> NothingToDraw:
        """Return the exception that says what there is instead of something to draw."""
        return NothingToDraw(
            f"nothing to draw: {squeeze(self.verdict.formula)} is {self.verdict.value}, "
            f"with {what} (--format text says more)"
        )
