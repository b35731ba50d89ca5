"""A place in the tokens, with what every part of the parser needs: look, take, expect, recover."""

from collections.abc import Hashable
from contextlib import suppress
from typing import Any, Final, NoReturn, Protocol

from gnomon.language import syntax, words
from gnomon.language.lexer import FORMULA_WORDS, Tokens
from gnomon.language.mistakes import hint_for
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.limits import check_limits
from gnomon.text.source import Span

#: After so many tokens (a power of two, less one) the limits are looked at.
_WATCHED: Final = 0xFFF

#: So many tokens ahead the end of a `case` is looked for.
_MOST_IN_CASE: Final = 500

#: Deeper brackets are refused: every later walk over the tree may then safely recurse.
MAX_NESTING: Final = 250

#: Words that open a section; meeting one where a line is expected means that an `end` was forgotten.
SECTION_WORDS: Final = words.SECTION_WORDS

_LETTERS: Final = ", ".join(sorted(word for word in FORMULA_WORDS if len(word) == 1))
_FREE: Final = f"formulae use the letters {_LETTERS}; every other letter is free"

#: What is read where no file ends.
_SHORT: Final = ("the formula", "the comment")

#: The sections of a program.
PROGRAM_SECTIONS: Final = list(words.PROGRAM_SECTIONS)


class UnitKeeper(Protocol):
    """What keeps agents and lines that were read: `reparse` has one, for texts that are read again."""

    def take(self, cursor: "Cursor", key: Hashable) -> Any:
        """Return what begins here and go past it, if it was read before; None where it has to be read."""

    def begin(self, cursor: "Cursor") -> Any:
        """Note how things stand before something is read."""

    def end(self, cursor: "Cursor", mark: Any, key: Hashable, tree: Any) -> None:
        """Keep what was read since then."""

    def abandon(self, cursor: "Cursor", mark: Any) -> None:
        """Go on after something that could not be read."""


class Cursor:
    """The parser's reading position. `context` says, for messages, what is being read."""

    __slots__ = (
        "annotations",
        "applications",
        "context",
        "depth",
        "diagnostics",
        "ends",
        "failures",
        "kept",
        "kinds",
        "last",
        "position",
        "reserved_reported",
        "source",
        "starts",
        "texts",
        "uses_families",
    )

    def __init__(self, tokens: Tokens, diagnostics: Diagnostics) -> None:
        """Start at the first token."""
        self.source = tokens.source
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.last = len(tokens.kinds) - 1
        self.diagnostics = diagnostics
        self.position = 0
        self.depth = 0
        self.applications = True
        self.uses_families = False
        # A reserved word used as a name is a mistake where it is declared, not at each use of it.
        self.reserved_reported: set[str] = set()
        self.context = "the program"
        #: How often something else was expected.
        self.failures = 0
        #: What need not be read again.
        self.kept: UnitKeeper | None = None
        #: What comments say about the formula that begins with this token.
        self.annotations: dict[int, syntax.Annotation] = {}

    # Looking

    @property
    def kind(self) -> str:
        """Return the kind of the next token."""
        return self.kinds[self.position]

    @property
    def text(self) -> str:
        """Return the text of the next token."""
        return self.texts[self.position]

    def ahead(self, distance: int = 1) -> str:
        """Return the kind of a token further on."""
        return self.kinds[min(self.position + distance, self.last)]

    def at_word(self, word: str) -> bool:
        """Return whether the next token is this word, reserved or not."""
        return self.texts[self.position] == word

    def here(self) -> Span:
        """Return the place of the next token."""
        return Span(self.starts[self.position], self.ends[self.position])

    def since(self, start: int) -> Span:
        """Return the place from an offset to the end of the last token taken."""
        return Span(start, self.ends[self.position - 1] if self.position else start)

    # Taking

    def take(self) -> str:
        """Return the text of the next token and go past it."""
        position = self.position
        if position < self.last:
            self.position = position + 1
            if not position & _WATCHED:
                check_limits()
        return self.texts[position]

    def accept(self, kind: str) -> bool:
        """Go past the next token if it is of this kind."""
        if self.kinds[self.position] == kind:
            self.take()
            return True
        return False

    def expect(self, kind: str, why: str = "") -> None:
        """Go past a token of this kind; anything else is a mistake."""
        if self.kinds[self.position] != kind:
            self.fail(f"`{kind}`", why)
        self.take()

    def identifier(self, what: str) -> str:
        """Return the next token as a name of something."""
        kind = self.kinds[self.position]
        if kind != "name":
            if kind not in FORMULA_WORDS:
                self.fail(what)
            self.refuse_reserved(what)
        return self.take()

    def refuse_reserved(self, what: str) -> None:
        """Report a reserved word that is used as a name: once, and then take it for one."""
        text = self.text
        if text not in self.reserved_reported:
            self.reserved_reported.add(text)
            self.diagnostics.add(
                "G0104",
                f"`{text}` is a reserved word and cannot be {what}",
                self.here(),
                label="reserved",
                notes=(_FREE,) if len(text) == 1 else (),
                help=f"choose another name, such as `{text.lower()}_` or `my{text}`",
            )
            self._read_as_name(text)

    def _read_as_name(self, word: str) -> None:
        """Take a reserved word that names an agent for a name wherever its variables are meant."""
        for place in range(self.position, self.last):
            if self.texts[place] == word and self.texts[place + 1] == ".":
                self.kinds[place] = "name"

    # Reporting

    def fail(self, expected: str, why: str = "", help: str = "") -> NoReturn:
        """Report that something else was expected here, and give up on the line."""
        self.failures += 1
        kind, text, place = self.kind, self.text, self.here()
        if kind in FORMULA_WORDS and self.ahead() == ".":
            # Its agent is declared further down, and nothing else is wrong.
            self.refuse_reserved("the name of an agent")
            raise Reported
        self._refuse_case()
        hint = help or self._hint(expected)
        end = "nothing more" if self.context in _SHORT else "the end of the file"
        found = end if kind == "end of file" else f"`{text[:40]}`"
        raise self.diagnostics.fail(
            "G0102",
            f"expected {expected}, found {found} in {self.context}",
            place,
            label=f"expected {expected}",
            notes=(why,) if why and why not in hint else (),
            help=hint,
        )

    def _refuse_case(self) -> None:
        """Report `case … esac` around here once, and go on behind its statement."""
        if "esac" not in self.texts[self.position : self.position + _MOST_IN_CASE]:
            return
        from gnomon.language.foreign import case_around  # nobody else pays for it

        found = case_around(self.source.text, self.starts[self.position])
        if found is None:
            return
        while self.kind != "end of file" and self.starts[self.position] < found.end:
            self.take()
        place = Span(found.start, found.start + len("case"))
        raise self.diagnostics.fail(
            "G0102", f"ISPL has no `case … esac`, found in {self.context}", place, help=found.help
        )

    def _hint(self, expected: str) -> str:
        """Return what the writer probably meant here, or nothing."""
        # Nobody pays for what other tools write but those who write it.
        from gnomon.language.foreign import advice, told

        if self.diagnostics.full:
            return ""
        found = advice(self.source.text, self.starts[self.position], expected)
        if found and told(self.diagnostics.items, str(found)):
            # A character was reported that is none of ISPL, with this very statement as it should be.
            raise Reported
        return str(found or hint_for(self.texts, self.position, expected))

    def expect_semicolon(self, after: str) -> None:
        """Go past a `;`. One that is missing at the end of a line is reported and then supposed."""
        if self.accept(";"):
            return
        previous = self.position - 1
        gap = self.source.text[self.ends[previous] : self.starts[self.position]]
        if "\n" not in gap and self.kind not in ("end", "end of file"):
            self.fail(f"`;` after {after}")
        end = self.ends[previous]
        self.diagnostics.add(
            "G0103",
            f"`;` is missing after {after}",
            Span(max(end - 1, 0), end),
            label="a `;` belongs here",
        )

    def enter(self) -> None:
        """Go one bracket or operator deeper; too deep a text is refused."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.diagnostics.fail(
                "G0106",
                f"brackets or operators are nested more than {MAX_NESTING} deep",
                self.here(),
                label="too deep",
                help="name a part of it as a proposition in `Evaluation`, or split the condition",
            )

    def enter_more(self, levels: int) -> None:
        """Check that a chain of operators, each of which nests the one before, is not too long."""
        depth, self.depth = self.depth, self.depth + levels
        self.enter()
        self.depth = depth

    def leave(self) -> None:
        """Come back from one level."""
        self.depth -= 1

    def mend_end(self) -> bool:
        """Read `End` as `end`, and say so."""
        if self.kind != "name" or self.text not in ("End", "END"):
            return False
        self.diagnostics.add(
            "G0102",
            f"expected `end`, found `{self.text}` in {self.context}",
            self.here(),
            help="write `end` in small letters",
        )
        self.kinds[self.position] = self.texts[self.position] = "end"
        return True

    def suppose(self, kind: str, why: str) -> None:
        """Go past a token of this kind; where it is missing, say so and go on as if it were there."""
        if not self.accept(kind):
            with suppress(Reported):
                self.fail(f"`{kind}`", why)

    def recover(self) -> None:
        """After a mistake, go past the next `;`, or up to the `end` or section that comes first."""
        self.depth = 0
        self.applications = True
        while self.kind != "end of file":
            if self.kind == ";":
                self.take()
                return
            if self.kind == "end" or (self.kind in SECTION_WORDS and self.starts_line()):
                return
            self.take()

    def starts_line(self) -> bool:
        """Return whether the next token is the first of its line."""
        before = self.ends[self.position - 1] if self.position else 0
        return self.position == 0 or "\n" in self.source.text[before : self.starts[self.position]]
