"""What a fix is: a title to choose it by, and changes of the text; and the mistake that it mends."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from gnomon.editing.analysis import Analysis
from gnomon.editing.edits import TextChange
from gnomon.editing.sections import Section, around
from gnomon.language import syntax
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import NOWHERE, Span

_QUOTED: Final = re.compile(r"`([^`]*)`")


@dataclass(frozen=True)
class Fix:
    """Something that mends a mistake: what a user reads, what changes, and whether it is surely meant."""

    title: str
    changes: tuple[TextChange, ...]
    preferred: bool = False


@dataclass(frozen=True)
class Mistake:
    """A diagnostic with the text that it is about."""

    analysis: Analysis
    diagnostic: Diagnostic

    @property
    def text(self) -> str:
        """Return the whole text."""
        return self.analysis.text

    @property
    def message(self) -> str:
        """Return what is wrong."""
        return self.diagnostic.message

    @property
    def help(self) -> str:
        """Return what was said about writing something else."""
        return self.diagnostic.help

    @property
    def span(self) -> Span:
        """Return the place."""
        return self.diagnostic.span or NOWHERE

    @property
    def written(self) -> str:
        """Return what stands there."""
        return self.text[self.span.start : self.span.end]

    @property
    def quoted(self) -> list[str]:
        """Return what stands in back-ticks in the message."""
        return _QUOTED.findall(self.message)

    @property
    def advised(self) -> list[str]:
        """Return what stands in back-ticks in the help."""
        return _QUOTED.findall(self.help)

    @property
    def sections(self) -> list[Section]:
        """Return the sections around the place, from the outermost on."""
        return around(self.analysis.sections, self.span.start)

    def agent(self, name: str = "") -> syntax.Agent | None:
        """Return the agent of a name, all of a family where it is one of it, or the one around the place."""
        wanted = name.partition("[")[0]
        for agent in self.analysis.program.agents:
            inside = agent.span.start <= self.span.start < agent.span.end
            if agent.name.text == wanted if name else inside:
                return agent
        return None

    def replace(self, new: str, *, preferred: bool = False) -> Fix:
        """Return the fix that writes something else at the place."""
        title = f"Write `{new}` instead of `{self.written}`"
        return Fix(title, (TextChange(self.span, new),), preferred)


#: What knows fixes for some mistakes; what it gives is tried before it is offered.
Fixer: TypeAlias = Callable[[Mistake], Iterator[Fix]]
