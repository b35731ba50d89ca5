"""A program that was read before and has changed somewhere: what stands in other lines is not read again.

What is kept are *units*: agents, and the lines of sections. A unit may be taken again where the parser comes
to its first token, and all that its reading can have depended on is as it was:

- its tokens, and a few behind it, are those that were there before (`relex` says which are);
- the same reader is asked for, in the same section, as deep in brackets as before;
- reading it reported nothing, and gave up nowhere: then no message was made, which would have looked at more;
- no comment is about it, and no reserved word was met that is taken for a name from there on.

Everything else, and that includes how the parser comes to a place, is done anew by the parser itself.
"""

from collections.abc import Hashable
from typing import Any, Final, NamedTuple

from gnomon.language.cursor import Cursor
from gnomon.language.lexer import Tokens, tokenize
from gnomon.language.moved import moved
from gnomon.language.parse import Parsed, parse_tokens
from gnomon.language.relex import Cut, recut
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import check_limits
from gnomon.text.source import Source

#: The parser looks at most so many tokens ahead, but for what it looks up to the end of a line or a bracket.
_AHEAD: Final = 8
#: After so many units the limits of time and memory are looked at.
_WATCHED: Final = 512


class KeptUnit:
    """An agent or a line that was read without a mistake: its tree as it was read, and where that was.

    `meaning` is for later stages, which keep there what they made of the tree.
    """

    __slots__ = (
        "at",
        "by",
        "context",
        "count",
        "depth",
        "families",
        "key",
        "meaning",
        "node",
        "tree",
    )

    def __init__(self, key: Hashable, tree: Any, at: int, count: int) -> None:
        """Keep a tree that was read at an offset, of so many tokens."""
        self.key = key
        self.tree = tree
        self.at = at
        self.count = count
        self.depth = 0
        self.families = False
        self.context: str | None = None
        self.meaning: dict[Hashable, Any] = {}
        # The tree as it was asked for last: mostly nothing before a change moves.
        self.by = 0
        self.node = tree

    def placed(self, at: int) -> Any:
        """Return the tree as if it had been read at an offset."""
        by = at - self.at
        if by == self.by:
            return self.node
        node = moved(self.tree, by)
        self.by, self.node = by, node
        return node


class Mark(NamedTuple):
    """How things stand before something is read."""

    position: int
    said: int
    failures: int
    annotations: int
    families: bool
    context: str
    depth: int


class KeptUnits:
    """The units of the last reading, for this one; and those of this one, for the next."""

    def __init__(self, old: "list[KeptUnit | None]", cut: Cut) -> None:
        """Offer what stands in lines that are the same."""
        self._old = old
        self._before = cut.before
        total = len(cut.tokens.kinds)
        self._behind = total - cut.after
        self._more = total - len(old)
        #: The unit that begins with each token.
        self.units: list[KeptUnit | None] = [None] * total
        #: The unit of each agent and line, by the identity of its tree.
        self.of: dict[int, KeptUnit] = {}
        self._work = 0

    def take(self, cursor: Cursor, key: Hashable) -> Any:
        """Return what begins here and go past it, if it was read before; None where it has to be read."""
        position = cursor.position
        if position < self._before:
            place, end = position, self._before - _AHEAD
        elif position >= self._behind:
            place, end = position - self._more, len(self._old)
        else:
            return None
        unit = self._old[place]
        if (
            unit is None
            or place + unit.count > end
            or unit.key != key
            or unit.depth != cursor.depth
            or not cursor.applications
            or cursor.reserved_reported
            or position in cursor.annotations
        ):
            return None
        self._work += 1
        if not self._work % _WATCHED:
            check_limits()
        self.units[position : position + unit.count] = self._old[place : place + unit.count]
        cursor.position = position + unit.count
        cursor.uses_families |= unit.families
        if unit.context is not None:
            cursor.context = unit.context
        node = unit.placed(cursor.starts[position])
        self.of[id(node)] = unit
        return node

    def begin(self, cursor: Cursor) -> Mark:
        """Note how things stand before something is read that may become a unit."""
        families, cursor.uses_families = cursor.uses_families, False
        return Mark(
            cursor.position,
            cursor.diagnostics.said,
            cursor.failures,
            len(cursor.annotations),
            families,
            cursor.context,
            cursor.depth,
        )

    def end(self, cursor: Cursor, mark: Mark, key: Hashable, tree: Any) -> None:
        """Keep what was read since then, if it stands for itself."""
        families = cursor.uses_families
        cursor.uses_families |= mark.families
        if (
            tree is None
            or cursor.diagnostics.said != mark.said
            or cursor.failures != mark.failures
            or len(cursor.annotations) != mark.annotations
            or cursor.depth != mark.depth
            or not cursor.applications
            or cursor.reserved_reported
        ):
            return
        unit = KeptUnit(key, tree, cursor.starts[mark.position], cursor.position - mark.position)
        unit.depth, unit.families = mark.depth, families
        if cursor.context != mark.context:
            unit.context = cursor.context
        self.units[mark.position] = unit
        self.of[id(tree)] = unit

    def abandon(self, cursor: Cursor, mark: Mark) -> None:
        """Go on after something that could not be read."""
        cursor.uses_families |= mark.families


class Rereader:
    """Reads one text again and again while it changes, as `parse` does."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._cut: Cut | None = None
        self._units: list[KeptUnit | None] = []

    def parse(self, source: Source) -> tuple[Parsed, KeptUnits]:
        """Read a whole program, and say what of it was kept."""
        diagnostics = Diagnostics(source)
        if self._cut is None:
            tokens = tokenize(source, diagnostics)
            cut = Cut(tokens, 0, 0, bool(diagnostics.items))
        else:
            cut = recut(self._cut, source, diagnostics)
        kept = KeptUnits(self._units, cut)
        # Now and then the parser takes a token for another one.
        found = cut.tokens
        lent = Tokens(
            source, found.kinds.copy(), found.texts.copy(), found.starts, found.ends, found.remarks
        )
        parsed = parse_tokens(lent, diagnostics, kept)
        # Only now: who was interrupted goes on from what was there before.
        self._cut, self._units = cut, kept.units
        return parsed, kept
