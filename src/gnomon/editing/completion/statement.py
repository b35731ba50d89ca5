"""The tokens of a statement, and what was begun in it and is not over: what all that reads it stands on."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gnomon.editing.completion.surroundings import STATEMENTS
from gnomon.editing.completion.terms import (
    FORMULA_SECTIONS,
    FrameKind,
    OpenFrame,
    ReadOperand,
    Wants,
    is_formula,
)
from gnomon.language.lexer import Tokens

#: Frames that a bracket of a kind closes.
_CLOSED_BY: Final[Mapping[str, frozenset[FrameKind]]] = MappingProxyType(
    {
        ")": frozenset(("group", "targets", "call", "modality", "until", "body", "steps")),
        "]": frozenset(("index", "bounds", "coalition", "number")),
        "}": frozenset(("members", "names", "values")),
    }
)
#: What a statement of a section begins with, where that is no condition or formula.
_FIRST: Final[Mapping[str, Wants]] = MappingProxyType(
    {
        **dict.fromkeys(("Vars", "Obsvars", "Constants", "Definitions", "Types"), Wants.NEW),
        **dict.fromkeys(("Relations", "Evaluation", "Groups"), Wants.NEW),
        **dict.fromkeys(STATEMENTS, Wants.EQUALS),
        **dict.fromkeys(("Agent", "Template", "Environment"), Wants.PART),
        "Evolution": Wants.TARGET,
        "": Wants.SECTION,
    }
)


class StatementFrames:
    """A place in the tokens, with what is open there."""

    def __init__(self, tokens: Tokens, section: str, bound: dict[str, str]) -> None:
        self.kinds, self.texts, self.starts = tokens.kinds, tokens.texts, tokens.starts
        self.text = tokens.source.text
        self.last_position = len(tokens.kinds) - 1
        self.position = 0
        self.section = section
        self.bound = bound
        self.wants = Wants.NOTHING
        self.frames: list[OpenFrame] = []
        self.last: ReadOperand | None = None
        self.logic = "CTL"
        self.at_start = True
        #: Whether to stop behind the first `for`.
        self.only_block = False

    def _operand(self, kind: str, text: str) -> None:
        """Take what an operand may begin with."""
        raise NotImplementedError

    def _operator(self, kind: str, text: str) -> None:
        """Take what may follow an operand."""
        raise NotImplementedError

    def begin(self, head: str = "") -> None:
        """Begin a statement."""
        self.frames = [OpenFrame("line", bound=self.bound)]
        self.wants = _FIRST.get(self.section, Wants.OPERAND)
        self.last, self.logic, self.at_start = None, "CTL", True
        if head in ("Agent", "Template"):
            self.wants = Wants.AGENT_NAME
        elif head and self.wants not in (Wants.EQUALS, Wants.PART) and self._ahead(0) == ":":
            self.position += 1

    def _starts(self, text: str) -> bool:
        """Take what may begin a statement of any section: `end`, `for`."""
        if self.frames[0].part:
            return False
        if text == "end":
            self.wants = Wants.CLOSING
        elif text == "for" and self.section and self._ahead(0) in ("name", "end of file"):
            self._push("quantifier", text)
            self.wants = Wants.INDEX
        else:
            return False
        self.at_start = False
        return True

    # Looking

    def _ahead(self, distance: int) -> str:
        return self.kinds[min(self.position + distance, self.last_position)]

    def _before(self) -> str:
        """Return the token before the one that is taken."""
        return self.texts[self.position - 2] if self.position > 1 else ""

    @property
    def top(self) -> OpenFrame:
        """Return the innermost thing that is open."""
        return self.frames[-1]

    @property
    def formula(self) -> bool:
        """Return whether a formula stands here, and no value or condition."""
        return self.section in FORMULA_SECTIONS and is_formula(self.frames)

    def _push(
        self,
        kind: FrameKind,
        word: str = "",
        *,
        resume: Wants = Wants.OPERATOR,
        whole: ReadOperand | None = None,
    ) -> OpenFrame:
        start = self.starts[self.position - 1]
        frame = OpenFrame(kind, word, start, expected=whole, whole=whole, resume=resume)
        frame.base = self.last
        self.frames.append(frame)
        return frame

    # Brackets

    def _close(self, text: str) -> None:
        """Close the innermost bracket of a kind, with all that is open in it."""
        for place in range(len(self.frames) - 1, 0, -1):
            if self.frames[place].kind in _CLOSED_BY.get(text, ()):
                frame = self.frames[place]
                del self.frames[place:]
                self._leave(frame)
                return

    def _leave(self, frame: OpenFrame) -> None:
        """Go on behind a bracket that was closed."""
        self.wants = frame.resume
        if frame.kind == "index":
            self.last = frame.base
            if self._introduced(frame):
                self.top.bound = {**self.top.bound, **frame.bound}
        elif frame.kind == "call":
            self.last = ReadOperand("applied", frame.word)
        elif frame.kind == "body":
            self.last = frame.whole
            if self.top.kind == "quantifier":
                self.frames.pop()
        elif frame.kind == "coalition":
            if frame.word == "[[" and self._ahead(0) == "]":
                self.position += 1
            self.wants = Wants.PATH
        elif frame.kind == "bounds":
            self.wants = Wants.OPERAND
        elif frame.kind in ("modality", "until"):
            self.last = None
        elif frame.kind == "values" or (frame.kind == "group" and frame.joined):
            self.last = ReadOperand("truth")

    def _introduced(self, frame: OpenFrame) -> bool:
        """Return whether the indices of a name mean something in the rest of the statement."""
        if self.top.kind != "line":
            return False
        label = self.section == "Formulae" and self.top.part == 0
        return label or frame.resume is not Wants.OPERATOR
