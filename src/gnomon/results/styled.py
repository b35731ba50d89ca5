"""Text with named styles: lines of spans, which the terminal may colour and files need not."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from gnomon.results.extent import Extent


class Styled(NamedTuple):
    """A piece of one line, and the name of its style ("" for none)."""

    text: str
    style: str = ""


StyledLine: TypeAlias = tuple[Styled, ...]

#: Every style there is; the interfaces say what each looks like.
STYLES = frozenset(
    {
        "agent",
        "dim",
        "error",
        "false",
        "help",
        "note",
        "place",
        "strong",
        "true",
        "unknown",
        "warning",
    }
)


#: The signs that we draw with, each one column wide; nobody has to look that up.
_OURS = frozenset("✓✗·…→↓↺─│┌╭╰▸⋮×⊨")


class Page(NamedTuple):
    """How wide the reader's page is, how much is wanted on it, and the status with which all of it ends."""

    width: int = 80
    verbose: bool = False
    quiet: bool = False
    #: None where nobody knows it yet, or ever.
    status: int | None = None
    #: How much of the evidence is told.
    extent: Extent = Extent()


class StyledText:
    """Lines of styled spans, added one by one."""

    __slots__ = ("lines",)

    def __init__(self, lines: Iterable[StyledLine] = ()) -> None:
        """Start with some lines, or empty."""
        self.lines: list[StyledLine] = list(lines)

    def add(self, *parts: Styled | str) -> None:
        """Add one line made of these parts."""
        self.lines.append(line(*parts))

    def extend(self, other: "StyledText", indent: str = "") -> None:
        """Add the lines of another text, moved to the right by `indent`."""
        for spans in other.lines:
            self.lines.append((Styled(indent), *spans) if indent and spans else spans)

    def add_heading(self, name: str, facts: Sequence[str], width: int) -> None:
        """Add a name with what is known of it beside, or below where that does not fit."""
        known = " · ".join(facts)
        if width_of(name) + 2 + width_of(known) <= width:
            self.add(Styled(name, "strong"), Styled("  " + known, "dim"))
            return
        self.add(Styled(name, "strong"))
        for part in wrap(known, width - 2):
            self.add("  ", Styled(part, "dim"))

    def plain(self) -> str:
        """Return the characters alone, no line ending in a space, each with its line end."""
        return "".join(plain(spans) + "\n" for spans in self.lines)


def line(*parts: Styled | str) -> StyledLine:
    """Return a line of these parts, the empty ones left out; nothing in it acts on a terminal."""
    spans = (Styled(part) if isinstance(part, str) else part for part in parts)
    return tuple(_tamed(span) for span in spans if span.text)


def _tamed(span: Styled) -> Styled:
    return span if span.text.isprintable() else Styled(visible(span.text, "\t"), span.style)


def visible(text: str, kept: str = "\n\t") -> str:
    r"""Return text in which nothing acts on a terminal or hides: such signs become escapes.

    Names, comments and file names may hold whatever somebody put there: escape sequences that repaint the
    screen, marks that turn the order of letters round, halves of characters, bytes that are no text.

    >>> print(visible("a\x1b[2Jb\u202ec\udcffd"))
    a\x1b[2Jb\u202ec\xffd
    """
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in kept or not _acts(sign) else _escape(sign)
        for sign in text
    )


def _acts(sign: str) -> bool:
    """Return whether a character is a command or half of one; the joiners of some scripts are letters."""
    from unicodedata import category

    if sign in "\u200c\u200d":
        return False
    return category(sign) in {"Cc", "Cf", "Cs", "Zl", "Zp"} or ord(sign) & 0xFFFE == 0xFFFE


def _escape(sign: str) -> str:
    code = ord(sign)
    if 0xDC80 <= code <= 0xDCFF:  # how Python keeps a byte that is no text
        code -= 0xDC00
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def plain(spans: StyledLine) -> str:
    """Return the characters of one line, without spaces at its end."""
    return "".join(span.text for span in spans).rstrip()


def width_of(text: str) -> int:
    """Return how many columns a terminal needs for `text`.

    >>> width_of("abc"), width_of("漢字")
    (3, 4)
    """
    return len(text) if text.isascii() else sum(map(character_width, text))


def character_width(character: str) -> int:
    """Return the columns of one character: 2 for a wide one, 0 for one that joins the last."""
    if character.isascii() or character in _OURS:
        return 1
    from unicodedata import category, east_asian_width

    if category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def pad(text: str, width: int) -> str:
    """Return `text` with spaces after it, up to `width` columns."""
    return text + " " * (width - width_of(text))


def squeeze(text: str) -> str:
    """Return `text` on one line, every run of white space as one space."""
    return " ".join(text.split())


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Return `text` cut at spaces into lines of at most `width` columns, later ones indented.

    A word that is longer than a line is left whole: it can be copied.
    """
    return fill(text.split(), width, indent)


def fill(pieces: Sequence[str], width: int, indent: str = "", joint: str = " ") -> list[str]:
    """Return lines of whole pieces, as many on each as `width` columns can hold."""
    lines: list[str] = []
    current = ""
    for index, piece in enumerate(pieces):
        last = index == len(pieces) - 1
        ending = "" if last else joint
        if current.strip() and width_of(current + piece + ending.rstrip()) > width:
            lines.append(current.rstrip())
            current = indent
        current += piece + ending
    return [*lines, current.rstrip()]


def flow(pieces: Sequence[StyledLine], width: int, indent: str = "") -> list[StyledLine]:
    """Return lines of whole pieces, each with the blank or sign that follows it, within `width` columns."""
    lines: list[StyledLine] = []
    current: StyledLine = ()
    for piece in pieces:
        if current and width_of(plain((*current, *piece))) > width:
            lines.append(current)
            current = (Styled(indent),)
        current += piece
    return [*lines, current]
