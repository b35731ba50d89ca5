"""A statement read from its beginning up to a place, to tell what may stand there.

This is no parser: it follows the grammar as far as the text does, takes what it does not expect for what
would fit best, and never gives up. What comes out is the state that it ends in.
"""

from collections.abc import Callable, Mapping
from typing import Final

from gnomon.editing.completion.statement_names import StatementNames
from gnomon.editing.completion.terms import NUMBER, ReadOperand, StatementReading, Wants
from gnomon.language.lexer import FORMULA_WORDS, Tokens, tokenize
from gnomon.language.syntax import FUNCTIONS
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import Source

_PREFIXES: Final = frozenset(("AG", "AF", "AX", "EG", "EF", "EX", "X", "F", "G"))
_BOUNDED: Final = frozenset(("AG", "AF", "EG", "EF", "F", "G", "U", "W", "R"))
_MODALITIES: Final = frozenset(("K", "O", "GK", "GCK", "DK"))
_QUANTIFIERS: Final = frozenset(("forall", "exists", "sum", "count"))
_COMPARISONS: Final = frozenset(("=", "<>", "!=", "<", "<=", ">", ">="))
_CONNECTIVES: Final = frozenset(("and", "or", "->", "<->", "xor"))
_ARITHMETIC: Final = frozenset(("+", "-", "*", "/", "div", "mod", "&", "|", "^"))
_BITS: Final = frozenset("&|^")


def read_statement(
    text: str, section: str, *, head: str = "", bound: Mapping[str, str] | None = None
) -> StatementReading:
    """Read the text between where a statement of a section begins and a place.

    `head` is the word of the section where the text follows that directly; `bound` are indices that mean
    something in all of it.
    """
    return _reader(text, section, head, bound).all()


def read_block(text: str, section: str, bound: Mapping[str, str]) -> Mapping[str, str]:
    """Return the indices in scope behind the `for` that a text begins with."""
    reader = _reader(text, section, "", bound)
    reader.only_block = True
    return reader.all().line.bound


def _reader(
    text: str, section: str, head: str, bound: Mapping[str, str] | None
) -> "_StatementReader":
    source = Source("", text)
    reader = _StatementReader(tokenize(source, Diagnostics(source)), section, dict(bound or {}))
    reader.begin(head)
    return reader


class _StatementReader(StatementNames):
    """Goes through the tokens once, with what is open."""

    def __init__(self, tokens: Tokens, section: str, bound: dict[str, str]) -> None:
        super().__init__(tokens, section, bound)
        self.steps: dict[Wants, Callable[[str, str], None]] = {
            Wants.PART: self._part,
            Wants.CLOSING: self._closing,
            Wants.AGENT_NAME: self._agent_name,
            Wants.NEW: self._new,
            Wants.NEW_END: self._new_end,
            Wants.TYPE: self._type,
            Wants.TYPE_END: self._operator,
            Wants.TYPE_NAME: self._type_name,
            Wants.TYPE_NAME_END: self._type_name,
            Wants.OPERAND: self._operand,
            Wants.OPERATOR: self._operator,
            Wants.PATH: self._path,
            Wants.ATTRIBUTE: self._attribute,
            Wants.BRACE: self._brace,
            Wants.BOUND: self._steps_bound,
            Wants.TARGET: self._target,
            Wants.TARGET_END: self._target_end,
            Wants.MEMBER: self._member,
            Wants.MEMBER_END: self._member_end,
            Wants.LISTED: self._listed,
            Wants.LISTED_END: self._listed_end,
            Wants.MULTIPLICITY: self._multiplicity,
            Wants.LEADER: self._leader,
            Wants.INDEX: self._index,
            Wants.INDEX_END: self._index_end,
            Wants.DOMAIN: self._domain,
            Wants.EQUALS: self._equals,
        }

    def all(self) -> StatementReading:
        """Read all tokens."""
        while self.position < self.last_position:
            kind, text = self.kinds[self.position], self.texts[self.position]
            self.position += 1
            if not (self.at_start and self._starts(text)):
                self.at_start = False
                self._step(kind, text)
        before = self.texts[self.position - 1] if self.position else ""
        return StatementReading(
            self.wants, self.section, self.frames, self.last, before, self.at_start, self.logic
        )

    def _step(self, kind: str, text: str) -> None:
        step = self.steps.get(self.wants)
        if step is not None:
            step(kind, text)

    # Operands

    def _operand(self, kind: str, text: str) -> None:
        if kind in ("name", "Environment"):
            self._named(text)
        elif kind == "number" or kind in ("true", "false"):
            self._done(NUMBER if kind == "number" else ReadOperand("truth"))
        elif kind == "Action":
            self._done(ReadOperand("action"))
        elif kind == "if":
            self._push("if", text, whole=self.top.expected).expected = None
            self.wants = Wants.OPERAND
        elif kind == "Other":
            self._done(ReadOperand("truth"))
        elif self.formula:
            self._formula_operand(kind, text)
        elif kind in FORMULA_WORDS:
            self._done(ReadOperand("name", text))
        elif text == "(":
            self._push("group", whole=self.top.expected)
            self.wants = Wants.OPERAND
        elif text in ("!", "~", "-"):
            self.wants = Wants.OPERAND
        elif text == "*" and self.top.kind == "number":
            self._done(NUMBER)
        else:
            self._operator(kind, text)

    def _named(self, text: str) -> None:
        following = self._ahead(0)
        if text in _QUANTIFIERS and following in ("name", "end of file") and self._quantifies():
            self._push("quantifier", text)
            self.wants = Wants.INDEX
        elif following == "(" and self._applies(text):
            self.position += 1
            self._push("call", text).expected = NUMBER if text in ("min", "max", "abs") else None
            self.wants = Wants.OPERAND
        else:
            self._done(ReadOperand("name", text))

    def _quantifies(self) -> bool:
        return self._ahead(0) == "end of file" or self._ahead(1) in (":", ",", "end of file")

    def _applies(self, text: str) -> bool:
        """Return whether brackets behind a name are applied: not those behind a range, but for functions."""
        return self.top.kind != "quantifier" or text in FUNCTIONS

    def _formula_operand(self, kind: str, text: str) -> None:
        before = self._before()
        self.wants = Wants.OPERAND
        if kind in ("LTL", "CTL*"):
            self.logic = kind
        elif kind in ("A", "E") and self.logic != "CTL*":
            self.wants = Wants.PATH
        elif kind in _MODALITIES:
            self._push("modality", kind)
            self.wants = Wants.NOTHING
            if self._ahead(0) == "(":
                self.position += 1
                self.wants = Wants.MEMBER
            elif self.position < self.last_position:
                self.frames.pop()
        elif text == "<=" and before in _BOUNDED:
            self.wants = Wants.BOUND
        elif text == "[" and self._ahead(0) == "[":
            self.position += 1
            self._push("coalition", "[[")
            self.wants = Wants.MEMBER
        elif text == "[" and before in _BOUNDED:
            self._push("bounds", before, whole=NUMBER)
        elif text == "<":
            self._push("coalition", "<")
            self.wants = Wants.MEMBER
        elif text == "<>":
            self.wants = Wants.PATH
        elif text == "(":
            self._push("group")
        elif text not in ("!", "-", "~") and kind not in _PREFIXES:
            self._operator(kind, text)

    def _steps_bound(self, kind: str, text: str) -> None:
        self.wants = Wants.OPERAND
        if text == "(":
            self._push("steps", resume=Wants.OPERAND, whole=NUMBER)
        elif kind not in ("name", "number"):
            self._operand(kind, text)

    def _path(self, kind: str, text: str) -> None:
        if text == "(":
            before = self._before()
            self._push("until", before if before in ("A", "E") else "")
            self.wants = Wants.OPERAND
        else:
            self._operand(kind, text)

    def _attribute(self, kind: str, text: str) -> None:
        owner = "" if self.last is None else self.last.name
        if kind == "Action":
            self._done(ReadOperand("action", "", owner))
        else:
            self._done(ReadOperand("name", text, owner))

    def _done(self, term: ReadOperand) -> None:
        self.last = term
        self.wants = Wants.OPERATOR

    def _brace(self, _kind: str, text: str) -> None:
        if text == "{":
            self._push("values", whole=self.top.expected)
            self.wants = Wants.OPERAND

    # Operators

    def _operator(self, kind: str, text: str) -> None:
        if self.top.kind in ("quantifier", "binder") and self._in_binder(text):
            return
        if text in (")", "]", "}"):
            self._close(text)
        elif text == ".":
            self.wants = Wants.ATTRIBUTE
        elif text == "[":
            self._open_index(Wants.OPERATOR)
        elif text in (":", "if", ";", "=") and self._next_part(text):
            pass
        elif text in _COMPARISONS or text == "in":
            self.top.expected = self.last
            self.top.compared = self.top.joined = True
            self.wants = Wants.BRACE if text == "in" else Wants.OPERAND
        elif text in _CONNECTIVES:
            self._connective()
        elif text in _ARITHMETIC:
            if text not in _BITS:
                self.top.expected = NUMBER
            self.wants = Wants.OPERAND
        elif text in ("then", "else"):
            self._branch(text)
        elif text in ("U", "W", "R"):
            self._until()
        elif text == ",":
            self._comma()
        elif text == "..":
            self.wants = Wants.OPERAND
        elif text == "expect" and len(self.frames) == 1:
            self.wants = Wants.VERDICT
        elif self.wants is Wants.OPERATOR:
            self.wants = Wants.OPERAND  # an operator is missing, or a `;`
            self._operand(kind, text)

    def _next_part(self, text: str) -> bool:
        """Go on to the next part of a statement, where that is what a sign says."""
        section, line = self.section, self.frames[0]
        if text == ":" and section == "Protocol":
            self.frames = [line]
            line.part = 1
            self.wants = Wants.EQUALS
        elif text == ":" and section == "Formulae" and line.part == 0 and len(self.frames) == 1:
            line.part, self.wants, self.at_start = 1, Wants.OPERAND, True
        elif text == "if" and section == "Evolution" and line.part == 1:
            self.frames = [line]
            line.part, line.expected, line.compared = 2, None, False
            self.wants = Wants.OPERAND
        elif text == "=" and section in ("Vars", "Obsvars") and line.part == 1:
            self.frames = [line]
            line.part, self.wants = 2, Wants.OPERAND
            declared = self.text[line.start : self.starts[self.position - 1]]
            line.expected = ReadOperand("type", declared.strip())
        elif text == ";":
            self.begin()
        else:
            return False
        return True

    def _connective(self) -> None:
        while self.top.kind == "if" and self.top.part == 2 and self.top.whole is not None:
            self.frames.pop()  # what was compared or assigned is over
        line = self.frames[0]
        assigning = self.section == "Evolution" and line.part == 1
        self._forget_comparison()
        at_targets = self.top.kind in ("line", "targets")
        self.wants = Wants.TARGET if assigning and at_targets else Wants.OPERAND

    def _until(self) -> None:
        while self.top.kind == "if":
            self.frames.pop()
        if self.top.kind == "until":
            self.top.part = 1
        self._forget_comparison()
        self.wants = Wants.OPERAND

    def _forget_comparison(self) -> None:
        self.top.expected, self.top.compared, self.top.joined = None, False, True

    def _branch(self, text: str) -> None:
        wanted = 0 if text == "then" else 1
        kept = len(self.frames)
        while (
            kept > 1 and self.frames[kept - 1].kind == "if" and self.frames[kept - 1].part > wanted
        ):
            kept -= 1
        if self.frames[kept - 1].kind == "if":
            del self.frames[kept:]
        self.top.part = wanted + 1
        self.top.expected, self.top.compared = self.top.whole, False
        self.wants = Wants.OPERAND

    def _comma(self) -> None:
        while self.top.kind == "if" and len(self.frames) > 1:
            self.frames.pop()
        frame = self.top
        frame.part += 1
        frame.compared = False
        frame.expected = frame.whole if frame.kind == "values" else None
        self.wants = Wants.OPERAND
        if frame.kind == "index":
            frame.expected, self.wants = NUMBER, Wants.INDEX
        elif frame.kind == "bounds" or frame.word in ("min", "max"):
            frame.expected = NUMBER
