"""The parts of a statement that are names: declared, listed, assigned; and indices with their ranges."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gnomon.editing.completion.statement import StatementFrames
from gnomon.editing.completion.terms import NUMBER, ReadOperand, Wants
from gnomon.language.lexer import FORMULA_WORDS

#: What follows a new name: the sign, and what that leads to.
_BEHIND_NEW: Final[Mapping[tuple[str, str], Wants]] = MappingProxyType(
    {
        ("Vars", ":"): Wants.TYPE,
        ("Obsvars", ":"): Wants.TYPE,
        ("Types", ":"): Wants.TYPE,
        ("Relations", ":"): Wants.TYPE_NAME,
        ("Constants", "="): Wants.OPERAND,
        ("Definitions", ":="): Wants.OPERAND,
        ("Evaluation", "if"): Wants.OPERAND,
        ("Groups", "="): Wants.MEMBER,
    }
)


class StatementNames(StatementFrames):
    """Takes names, and what stands between them."""

    # Sections and declarations

    def _closing(self, _kind: str, _text: str) -> None:
        self.begin()

    def _part(self, _kind: str, text: str) -> None:
        self.wants = Wants.CLOSING if text == "end" else Wants.PART

    def _agent_name(self, kind: str, text: str) -> None:
        if text == "[":
            template = self.section == "Template"
            self._push("number" if template else "index", resume=Wants.PART)
            self.wants = Wants.OPERAND if template else Wants.INDEX
        elif (kind in ("name", "Environment") or kind in FORMULA_WORDS) and self._ahead(0) != "[":
            self.wants = Wants.PART

    def _new(self, kind: str, text: str) -> None:
        if kind == "name" or kind in FORMULA_WORDS:
            self.last = ReadOperand("name", text)
            self.wants = Wants.NEW_END

    def _new_end(self, _kind: str, text: str) -> None:
        if text == "[":
            self._open_index(Wants.NEW_END)
        elif wants := _BEHIND_NEW.get((self.section, text)):
            self.top.part = 1
            self.wants = wants
            self.top.start = self.starts[self.position - 1] + len(text)
            self.top.expected = NUMBER if self.section == "Constants" else None

    def _type(self, kind: str, text: str) -> None:
        if kind == "boolean" or text == "int":
            self.wants = Wants.TYPE_END
        elif text == "{":
            self._push("names", resume=Wants.TYPE_END)
            self.wants = Wants.LISTED
        else:
            self.top.expected = NUMBER
            self._operand(kind, text)

    def _type_name(self, kind: str, _text: str) -> None:
        self.wants = Wants.TYPE_NAME_END if kind == "name" else Wants.TYPE_NAME

    def _equals(self, _kind: str, text: str) -> None:
        if text == "=" and self.section == "Semantics":
            self.wants = Wants.SEMANTICS
        elif text == "{":
            self._push("names", self.section, resume=Wants.NOTHING)
            self.wants = Wants.LISTED

    # Lists

    def _listed(self, kind: str, text: str) -> None:
        if kind == "name" or kind in FORMULA_WORDS:
            self.top.listed.append(text)
            self.last = ReadOperand("name", text)
            self.wants = Wants.LISTED_END
        else:
            self._close(text)

    def _listed_end(self, _kind: str, text: str) -> None:
        if text == "[":
            self._open_index(Wants.LISTED_END)
        elif text == ",":
            self.wants = Wants.LISTED
        elif text == ":":
            self.wants = Wants.MULTIPLICITY
        elif text == "with":
            self.wants = Wants.LEADER
        else:
            self._close(text)

    def _multiplicity(self, _kind: str, _text: str) -> None:
        self.wants = Wants.LISTED_END

    def _leader(self, _kind: str, _text: str) -> None:
        self.wants = Wants.LISTED_END

    def _member(self, kind: str, text: str) -> None:
        if kind in ("name", "Environment"):
            self.top.listed.append(text)
            self.last = ReadOperand("name", text)
            self.wants = Wants.MEMBER_END
        elif text == "{":
            self._push("members", self._before(), resume=Wants.MEMBER_END)
        else:
            self._close(text)

    def _member_end(self, _kind: str, text: str) -> None:
        if text == "[":
            self._open_index(Wants.MEMBER_END)
        elif text == "\\":
            self.wants = Wants.MEMBER
        elif text == "," and self.top.kind == "modality":
            self.top.part, self.wants = 1, Wants.OPERAND
        elif text == ",":
            self.wants = Wants.MEMBER
        elif text == ">" and self.top.kind == "coalition":
            self._leave(self.frames.pop())
        else:
            self._close(text)

    # Assignments

    def _target(self, kind: str, text: str) -> None:
        if text == "(":
            self._push("targets")
        elif kind == "name":
            self.frames[0].listed.append(text)
            self.last = ReadOperand("name", text)
            self.wants = Wants.TARGET_END

    def _target_end(self, _kind: str, text: str) -> None:
        if text == "[":
            self._open_index(Wants.TARGET_END)
        elif text == "=":
            self.top.expected = self.last
            self.frames[0].part = max(self.frames[0].part, 1)
            self.wants = Wants.OPERAND

    # Indices and what they run through

    def _open_index(self, resume: Wants) -> None:
        if self.frames[0].listed and resume is Wants.TARGET_END:
            self.frames[0].listed.pop()  # another member of the family may follow
        elif resume in (Wants.LISTED_END, Wants.MEMBER_END) and self.top.listed:
            self.top.listed.pop()
        frame = self._push("index", resume=resume)
        frame.expected = NUMBER
        self.wants = Wants.INDEX

    def _index(self, kind: str, text: str) -> None:
        """Take the name of a new index, or a value where an index may be one."""
        if self.top.kind == "index":
            if not (kind == "name" and self._introduces(text)):
                self._operand(kind, text)
                return
            self._push("binder")
        self.top.pending.append(text)
        self.wants = Wants.INDEX_END

    def _introduces(self, name: str) -> bool:
        """Return whether an index is new: something is declared or listed for all its values."""
        following = self._ahead(0)
        if following == ":" or self.top.resume is Wants.OPERATOR:
            return following == ":"
        return following == "end of file" and not any(name in frame.bound for frame in self.frames)

    def _index_end(self, _kind: str, text: str) -> None:
        if text == ",":
            self.wants = Wants.INDEX
        elif text == ":":
            self.top.part = 1
            self.top.expected = NUMBER
            self.wants = Wants.DOMAIN

    def _domain(self, kind: str, text: str) -> None:
        self.top.domain = text if kind == "name" else ""
        self._operand(kind, text)

    def _bind(self) -> None:
        """Let the indices of a binder mean something from here on."""
        frame = self.top
        frame.bound.update(dict.fromkeys(frame.pending, frame.domain))
        frame.pending.clear()

    def _in_binder(self, text: str) -> bool:
        """Take what separates the parts of a binder."""
        frame = self.top
        if text == "..":
            frame.domain, frame.part = "", 2
            self.wants = Wants.OPERAND
        elif text == "where":
            self._bind()
            frame.part, frame.expected, frame.compared = 3, None, False
            self.wants = Wants.OPERAND
        elif text == "," and frame.kind == "quantifier":
            self._bind()
            frame.part, frame.domain, frame.compared = 0, "", False
            self.wants = Wants.INDEX
        elif text == "(" and frame.kind == "quantifier" and frame.word != "for":
            self._bind()
            body = self._push("body", frame.word)
            body.whole = NUMBER if frame.word in ("sum", "count") else ReadOperand("truth")
            body.expected = NUMBER if frame.word == "sum" else None
            self.wants = Wants.OPERAND
        elif text == ":" and frame.word == "for":
            self._bind()
            self.bound = {**self.bound, **frame.bound}
            self.begin()
            self.position = self.last_position if self.only_block else self.position
        elif frame.kind == "binder" and text in (",", "]"):
            self._bind()
            self.frames.pop()
            self.top.bound.update(frame.bound)
            self.wants = Wants.OPERATOR
            self._operator(text, text)
        else:
            return False
        return True
