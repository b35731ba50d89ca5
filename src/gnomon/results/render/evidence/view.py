"""One verdict as it is to be explained: all that a format may want to know."""

from dataclasses import dataclass

from gnomon.checking.verdict import Result, Verdict
from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results.evidence_tree import evidence_tree
from gnomon.results.projection import ShownAgents
from gnomon.results.styled import Page, squeeze
from gnomon.text.errors import Unable


class NothingToDraw(Unable):
    """The evidence has no runs, or there is none: the message says which."""


@dataclass(frozen=True, slots=True)
class VerdictView:
    """A result of one formula, the agents to show, the page, and (for a format of one run) which run."""

    result: Result
    agents: ShownAgents = None
    page: Page = Page()
    run: int = 1

    @property
    def verdict(self) -> Verdict:
        """Return the verdict."""
        return self.result.verdicts[0]

    @property
    def system(self) -> System | None:
        """Return what it is about; with any number of agents, how many there are is up to the evidence."""
        return self.verdict.system or self.result.system

    def with_runs(self) -> tuple[System, Evidence, ShownAgents]:
        """Return what can be drawn; raise `NothingToDraw` where there are no runs."""
        evidence, system = self.verdict.evidence, self.system
        if evidence is None or system is None or not evidence_tree(evidence).runs:
            what = "a strategy, which has no picture" if evidence else "no evidence"
            raise NothingToDraw(
                f"nothing to draw: {squeeze(self.verdict.formula)} is {self.verdict.value}, "
                f"with {what} (--format text says more)"
            )
        return system, evidence, self.agents
