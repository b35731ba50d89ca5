"""What we say about a source: a code, a message, labelled places, notes and a suggestion, as data."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice

from gnomon.text.brief import brief, brief_fields
from gnomon.text.codes import CODES
from gnomon.text.errors import GnomonError, Reported
from gnomon.text.source import Source, Span

#: Nobody reads more in one go.
MOST_DIAGNOSTICS = 50
_LONGEST = 600
_MANY = 300
_ERRORS = "error"


def _short(text: str) -> str:
    """Return a text that may quote names of any length, cut to what can be read."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


class Severity(Enum):
    """Errors stop, warnings do not.

    >>> [severity.value for severity in Severity]
    ['error', 'warning']
    """

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that a message wants to point at, with a few words."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class Diagnostic:
    """One thing that is wrong, in the words of the model.

    >>> import gnomon
    >>> try:
    ...     gnomon.load_text("Agent P Vars: x : 3..0; end Vars end Agent", "broken.ispl")
    ... except gnomon.InputError as error:
    ...     item = error.diagnostics[0]
    >>> item.code, item.severity.value, item.line, item.column, item.is_error
    ('G0308', 'error', 1, 19, True)
    >>> item.message, item.notes, item.help
    ('the range 3..0 of `x` is empty', (), 'write `0..3`')
    """

    __repr__ = brief_fields

    code: str
    message: str
    source: Source = field(compare=False, repr=False)
    span: Span | None = None
    label: str = ""
    notes: tuple[str, ...] = ()
    help: str = ""
    related: tuple[Label, ...] = ()
    #: Whether it is a warning that counts as an error, because somebody asked for that.
    denied: bool = False
    #: The code of which this only says that there are more.
    more_of: str = ""

    @property
    def severity(self) -> Severity:
        """Return how serious this is: the code decides, unless it was denied."""
        return Severity.ERROR if self.denied else Severity(CODES[self.code].severity)

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

    __slots__ = ("counts", "items", "said", "source")

    def __init__(self, source: Source) -> None:
        """Start empty."""
        self.source: Source = source
        self.items: list[Diagnostic] = []
        #: How many errors there were, and how many warnings of each code: some may be welcome and others not.
        self.counts: Counter[str] = Counter()
        #: How often something was to be recorded, be it that it was not.
        self.said: int = 0

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
        """Record one diagnostic, unless the same was said of the same place; too many are only counted."""
        self.said += 1
        kind = _ERRORS if CODES[code].severity == "error" else code
        if self.counts[kind] >= MOST_DIAGNOSTICS:
            self.counts[kind] += 1
            return
        notes = tuple(_short(note) for note in notes)
        found = Diagnostic(
            code, _short(message), self.source, span, _short(label), notes, _short(help), related
        )
        if found not in self.items[-8:]:
            self.counts[kind] += 1
            self.items.append(found)

    def fail(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        label: str = "",
        notes: tuple[str, ...] = (),
        help: str = "",
        related: tuple["Label", ...] = (),
    ) -> Reported:
        """Record an error and return what to raise."""
        self.add(code, message, span, label=label, notes=notes, help=help, related=related)
        return Reported()

    def mark(self) -> "tuple[int, Counter[str]]":
        """Return how things stand, for whoever may want to go back."""
        return len(self.items), self.counts.copy()

    def go_back(self, mark: "tuple[int, Counter[str]]") -> None:
        """Forget what was recorded since then."""
        length, self.counts = mark[0], mark[1].copy()
        del self.items[length:]

    # What is wrong with a large program may be wrong a hundred thousand times: what costs more than a
    # moment is not worked out for somebody who will not see it.

    @property
    def full(self) -> bool:
        """Return whether further errors are only counted."""
        return self.counts[_ERRORS] >= MOST_DIAGNOSTICS

    def did_you_mean(self, word: str, known: Collection[str]) -> str:
        """Return the question after the known word that was probably meant, if there is one."""
        guess = None if self.full else closest(word, list(known))
        return f"did you mean `{guess}`?" if guess else ""

    def listing(self, head: str, names: Iterable[str], none: str = "") -> tuple[str, ...]:
        """Return a note that lists names, as many as can be read, or says that there are none."""
        if self.full:
            return ()
        shown = ", ".join(islice(names, _LONGEST)) or none
        return (f"{head}: {shown}",) if shown else ()

    @property
    def has_errors(self) -> bool:
        """Return whether anything stops the work."""
        return any(item.is_error for item in self.items)

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Return all of them in the order of the text, and how many more there are."""
        found = sorted(self.items, key=lambda item: (item.span or (0, 0), item.code))
        found += [
            self._more(kind, count - MOST_DIAGNOSTICS)
            for kind, count in sorted(self.counts.items())
            if count > MOST_DIAGNOSTICS
        ]
        return tuple(found)

    def _more(self, kind: str, more: int) -> Diagnostic:
        """Return that there are so many more errors, or warnings of a code."""
        end = len(self.source.text)
        code, word, of = ("G0415", "warning", f" of {kind}")
        if kind == _ERRORS:
            code, word, of = "G0114", "mistake", ""
        words = f"{word}{of} which is" if more == 1 else f"{word}s{of} which are"
        message = f"and {more:,} more {words} not shown"
        more_of = "" if kind == _ERRORS else kind
        return Diagnostic(code, message, self.source, Span(end, end), more_of=more_of)


class InputError(GnomonError):
    """The input cannot be used; the diagnostics say why.

    >>> import gnomon
    >>> try:
    ...     gnomon.load_text("Agent P Vars: x : 3..0; end Vars end Agent", "broken.ispl")
    ... except gnomon.InputError as error:
    ...     for item in error.diagnostics[:1]:
    ...         print(item.code, item.line, item.message)
    G0308 1 the range 3..0 of `x` is empty

    What a traceback shows has the notes and the help, too.

    >>> gnomon.load("examples/tickets.ispl").check("EF ful")
    Traceback (most recent call last):
        ...
    gnomon.text.diagnostic.InputError: <formula>:1:4: error[G0601]: there is no proposition `ful`
      note: the propositions: empty, full
      help: did you mean `full`?
    """

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Carry the diagnostics, and a plain text for tracebacks."""
        self.diagnostics = diagnostics
        lines = [line for item in diagnostics for line in _told(item)]
        super().__init__("\n".join(lines) or "bad input")

    def __repr__(self) -> str:
        """Show what is wrong first; `str` has all of it."""
        return f"InputError({brief(str(self))!r})"

    def __reduce__(self) -> "tuple[type[InputError], tuple[tuple[Diagnostic, ...]]]":
        """Let it be raised in another process."""
        return type(self), (self.diagnostics,)


def _told(item: Diagnostic) -> Iterator[str]:
    """Yield the lines of a diagnostic where no source can be shown: place and message, notes, help."""
    place = f"{item.line}:{item.column}:" if item.span else ""
    yield f"{item.source.name}:{place} {item.severity.value}[{item.code}]: {item.message}"
    yield from (f"  note: {note}" for note in item.notes)
    if item.help:
        yield f"  help: {item.help}"


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
