"""What we say about a source: a code, a message, labelled places, notes and a suggestion, as data."""

from dataclasses import dataclass, field
from enum import Enum

from gnomon.text.codes import CODES
from gnomon.text.source import Source, Span

#: Nobody reads more in one go.
MOST_DIAGNOSTICS = 50
_LONGEST = 600
_MANY = 300


def _short(text: str) -> str:
    """Return a text that may quote names of any length, cut to what can be read."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


class Severity(Enum):
    """Errors stop, warnings do not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that a message wants to point at, with a few words."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong, in the words of the model."""

    code: str
    message: str
    source: Source = field(compare=False, repr=False)
    span: Span | None = None
    label: str = ""
    notes: tuple[str, ...] = ()
    help: str = ""
    related: tuple[Label, ...] = ()

    @property
    def severity(self) -> Severity:
        """Return how serious this is; the code decides."""
        return Severity(CODES[self.code].severity)

    @property
    def is_error(self) -> bool:
        """Return whether this stops the work."""
        return self.severity is Severity.ERROR

    @property
    def line(self) -> int:
        """Return the line of the primary place, or 0 where there is none."""
        return self.source.location(self.span.start).line if self.span else 0

    @property
    def column(self) -> int:
        """Return the column of the primary place, or 0 where there is none."""
        return self.source.location(self.span.start).column if self.span else 0


class Diagnostics:
    """A list of diagnostics on one source that stages add to."""

    __slots__ = ("counts", "items", "source")

    def __init__(self, source: Source) -> None:
        """Start empty."""
        self.source = source
        self.items: list[Diagnostic] = []
        self.counts = {"error": 0, "warning": 0}

    def add(
        self,
        code: str,
        message: str,
        span: Span | None = None,
        *,
        label: str = "",
        notes: tuple[str, ...] = (),
        help: str = "",
        related: tuple[Label, ...] = (),
    ) -> None:
        """Record one diagnostic, unless the same was said of the same place."""
        severity = CODES[code].severity
        self.counts[severity] += 1
        beyond = self.counts[severity] - MOST_DIAGNOSTICS
        # Warnings beyond the limit are left out; that errors were left out is an error by itself.
        if beyond > 1 or (beyond == 1 and severity == "warning"):
            return
        if beyond == 1:
            end = len(self.source.text)
            code, message = "G0114", "there are more mistakes, which are not shown"
            span = Span(end, end)
            label, notes, help, related = "", (), "", ()  # noqa: A001
        notes = tuple(_short(note) for note in notes)
        found = Diagnostic(
            code, _short(message), self.source, span, _short(label), notes, _short(help), related
        )
        if found not in self.items[-8:]:
            self.items.append(found)

    @property
    def has_errors(self) -> bool:
        """Return whether anything stops the work."""
        return any(item.is_error for item in self.items)

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Return all of them in the order of the text."""
        return tuple(sorted(self.items, key=lambda item: (item.span or (0, 0), item.code)))


class InputError(Exception):
    """The input cannot be used; the diagnostics say why."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Carry the diagnostics, and a plain text for tracebacks."""
        self.diagnostics = diagnostics
        lines = [
            f"{item.source.name}:{f'{item.line}:{item.column}:' if item.span else ''} "
            f"{item.severity.value}[{item.code}]: {item.message}"
            for item in diagnostics
        ]
        super().__init__("\n".join(lines) or "bad input")

    def __reduce__(self) -> "tuple[type[InputError], tuple[tuple[Diagnostic, ...]]]":
        """Let it be raised in another process."""
        return type(self), (self.diagnostics,)


def closest(word: str, known: "list[str] | tuple[str, ...]") -> str | None:
    """Return the known word that `word` was probably meant to be."""
    from difflib import get_close_matches

    candidates = list(known)
    if len(word) > _LONGEST:
        return None
    if len(candidates) > _MANY:
        # Comparing with thousands takes long: a slip of the pen seldom spoils the first letter.
        start = word[:1].lower()
        candidates = [name for name in candidates if name[:1].lower() == start][:_MANY]
    lowered = {name.lower(): name for name in reversed(candidates)}
    if word.lower() in lowered:
        return lowered[word.lower()]
    near = get_close_matches(word.lower(), list(lowered), n=1, cutoff=0.6)
    return lowered[near[0]] if near else None
