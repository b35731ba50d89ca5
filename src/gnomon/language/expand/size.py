"""How large a program may become when its families are written out."""

from typing import Final

from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import TooLarge
from gnomon.text.limits import check_limits
from gnomon.text.numbers import show_integer
from gnomon.text.source import Span

#: The most values that the indices of a program may take, all together.
MAX_COPIES: Final = 400_000
#: The most lines, names, operators and operands that a program may have once they are written out.
MAX_PARTS: Final = 3_000_000
#: The most operators and operands that indices, bounds and conditions on them may have to be worked out.
_MAX_STEPS: Final = 5_000_000
#: After so much work the limits of time and memory are looked at.
_WATCHED: Final = 4096
#: Nobody cares how much too large something is beyond this.
_ASTRONOMICAL: Final = 10**15
_SMALLER: Final = "choose smaller constants or shorter ranges"


class RunningRange:
    """A range that an index is running through: how many values it has, and how many are done."""

    def __init__(self, total: int, span: Span) -> None:
        """Begin with none done."""
        self.total = total
        self.span = span
        self.done = 0


class Size:
    """Counts what is written out and what is worked out, and refuses what becomes too large."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        """Begin with nothing."""
        self.diagnostics = diagnostics
        self.copies = 0
        self.parts = 0
        self.steps = 0
        self.checkpoint = _WATCHED
        self.running: list[RunningRange] = []
        # What had been written before the outermost of the running ranges began.
        self.before = (0, 0)

    def begin(self, low: int, high: int, span: Span) -> RunningRange:
        """Begin a range; one that is too long by itself is refused at once."""
        if high - low >= MAX_COPIES:
            raise self._too_long(span, high - low + 1)
        running = RunningRange(max(high - low + 1, 1), span)
        if not self.running:
            self.before = (self.copies, self.parts)
        self.running.append(running)
        return running

    def count(self, span: Span) -> None:
        """Count a value of an index."""
        self.copies += 1
        if self.copies > MAX_COPIES:
            raise self._too_large(span, "copies", MAX_COPIES, self.copies, self.before[0])

    def add(self, copies: int, parts: int, steps: int) -> None:
        """Count what was written out before; whoever catches what is raised counts one by one."""
        self.copies += copies
        self.parts += parts
        self.steps += steps
        if self.copies > MAX_COPIES or self.parts > MAX_PARTS or self.steps > _MAX_STEPS:
            raise TooLarge

    def write(self, span: Span, size: int = 1) -> None:
        """Count what is written out."""
        self.parts += size
        if self.parts >= self.checkpoint:
            self.checkpoint = self.parts + _WATCHED
            check_limits()
            if self.parts > MAX_PARTS:
                raise self._too_large(span, "parts", MAX_PARTS, self.parts, self.before[1])

    def work(self, span: Span) -> None:
        """Count what is worked out."""
        self.steps += 1
        if not self.steps % _WATCHED:
            check_limits()
            if self.steps > _MAX_STEPS:
                self.diagnostics.add(
                    "G0505",
                    f"the indices of this program take more than {_MAX_STEPS:,} steps to work out",
                    span,
                    help=_SMALLER,
                )
                raise TooLarge

    def _too_large(self, span: Span, what: str, limit: int, count: int, before: int) -> TooLarge:
        """Report what is too large, and how large it would become at this rate."""
        share, weight = 0.0, 1.0
        for item in self.running:
            weight /= item.total
            share += item.done * weight
        expected = before + int((count - before) / max(share, weight, 1e-290))
        about = (
            f" (about {_many(round(expected, 2 - len(str(expected))))})" if expected > count else ""
        )
        self.diagnostics.add(
            "G0505",
            f"written out, the families of this program have more than {limit:,} {what}{about}",
            self.running[0].span if self.running else span,
            label="too large",
            help=_SMALLER,
        )
        return TooLarge()

    def _too_long(self, span: Span, length: int) -> TooLarge:
        self.diagnostics.add(
            "G0505",
            f"this range has {_many(length)} values, and all ranges together may have {MAX_COPIES:,}",
            span,
            label="too long",
            help=_SMALLER,
        )
        return TooLarge()


def _many(number: int) -> str:
    """Return how many there are, or of what order if they are very many."""
    if number < _ASTRONOMICAL:
        return f"{number:,}"
    return f"10^{len(show_integer(number)) - 1}"
