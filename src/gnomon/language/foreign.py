"""What people write who come from other tools, and the same in ISPL, with their own names in it.

Everything here is text to text: the statement around a mistake is rewritten by a table of patterns, and what
comes out is offered as help. Nothing is accepted silently, and nothing here is loaded where all is well.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from gnomon.language.foreign_rules import RULES, SIGNS, SectionKind, as_choice, finished
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Span

#: A statement that is longer is not repeated: only the reason is told.
_LONGEST: Final = 160
#: So much of the text before and behind a mistake is looked at.
_WINDOW: Final = 2000

_COMMENT: Final = re.compile(r"--[^\n]*")
_OPENING: Final = re.compile(
    r"(?<!\.)\b(?:(Formulae|Fairness|Evaluation|InitStates|TerminalStates|Definitions|Predicates|Axioms"
    r"|Parameters|Assume|Groups)\b(?!\s*\.)|(RedStates|Protocol|Evolution|Vars|Obsvars)\s*:)"
)
_CLOSING: Final = re.compile(r"\bend\b")
#: What stands for a choice while the statement around it is rewritten.
_PLACE: Final = "chosen_value"
_CASE: Final = re.compile(r"\b(?:case|esac)\b")
_PLACES: Final[dict[str, SectionKind]] = {
    "Formulae": "formula",
    "Fairness": "formula",
    "Evaluation": "evaluation",
    "Protocol": "protocol",
    "Evolution": "evolution",
    "Vars": "declaration",
    "Obsvars": "declaration",
}


class Advice(NamedTuple):
    """Why something is not ISPL, and the statement as it would be; nothing where it is too long."""

    reason: str
    written: str

    def __str__(self) -> str:
        """Return both, as help."""
        return f"{self.reason}: `{self.written}`" if self.written else self.reason


def told(items: Iterable[Diagnostic], help: str) -> bool:
    """Return whether some character was reported with the statement that this help has, too."""
    _, colon, statement = help.rpartition(": `")
    return bool(colon) and any(
        item.code == "G0101" and item.help.endswith(f": `{statement}") for item in items
    )


def advice(text: str, place: int, expected: str = "") -> Advice | None:
    """Return what to write instead of the statement in which something is wrong at `place`."""
    start, section = _beginning(text, place)
    statement = _blanked(text[start : place + _WINDOW])
    end = _end(statement, place - start)
    return rewritten(statement[:end], section, place - start, expected)


def statement_around(text: str, place: int) -> Span:
    """Return the statement that `advice` is about, with the blanks around it and without its `;`."""
    start, _ = _beginning(text, place)
    case = case_around(text, place)
    if case is not None:
        return Span(start, case.end)
    statement = _blanked(text[start : place + _WINDOW])
    return Span(start, start + _end(statement, place - start))


class ForeignCase(NamedTuple):
    """`case … esac`: where it stands, where its statement ends, and what to write instead."""

    start: int
    end: int
    help: str


def case_around(text: str, place: int) -> ForeignCase | None:
    """Return the `case … esac` of the statement in which something is wrong at `place`."""
    begin, section = _beginning(text, place)
    statement = _blanked(text[begin : place + _WINDOW])
    found = _case(statement)
    if found is None or _CLOSING.search(statement, 0, found.end):
        return None
    end = _end(statement, found.end)
    # The rules for what stands around it are not for the choice itself.
    around = f"{statement[: found.start]}{_PLACE}{statement[found.end : end]}"
    other = rewritten(around, section, len(around), "`if`" if section == "evolution" else "")
    choice = as_choice(statement[found.start : found.end])
    written = (other.written if other else around).replace(_PLACE, choice)
    shown = " ".join(written.split())
    reason = "a choice is written `if condition then a else b`"
    help_ = str(Advice(reason, shown if len(shown) <= _LONGEST else ""))
    return ForeignCase(begin + found.start, begin + end, help_)


def _case(statement: str) -> Span | None:
    """Return where the first `case` of a statement stands, with the `esac` that belongs to it."""
    depth = start = 0
    for word in _CASE.finditer(statement):
        if not depth:
            start = word.start()
        depth += 1 if word[0] == "case" else -1
        if depth <= 0:
            alone = depth < 0 or ";" in statement[:start]
            return None if alone else Span(start, word.end())
    return None


def _beginning(text: str, place: int) -> tuple[int, SectionKind]:
    """Return where a statement begins, and in which section it stands."""
    first = max(place - _WINDOW, 0)
    before = _blanked(text[first:place])
    section: SectionKind = "formula" if place <= len(before) else "condition"
    start = before.rfind(";") + 1
    for opening in _OPENING.finditer(before):
        section = _PLACES.get(opening[1] or opening[2], "condition")
        start = max(start, opening.end())
    return first + start, section


def _end(statement: str, place: int) -> int:
    """Return where a statement ends, seen from a place in it."""
    ends = (statement.find(";", place), _closing(statement, place))
    return min((found for found in ends if found >= 0), default=len(statement))


def _blanked(text: str) -> str:
    """Return a text with blanks for comments."""
    return _COMMENT.sub(lambda found: " " * len(found[0]), text)


def _closing(text: str, place: int) -> int:
    found = _CLOSING.search(text, place)
    return found.start() if found else -1


def rewritten(
    statement: str, section: SectionKind, trouble: int, expected: str = ""
) -> Advice | None:
    """Return a statement as ISPL has it, and the first reason; None where no rule says anything.

    `trouble` is the place of the mistake in the statement: where all that changes is behind it, it is no
    answer.
    """
    lead = len(statement) - len(statement.lstrip())
    old = new = " ".join(statement.split())
    reason = ""
    for rule in RULES:
        if section not in rule.places:
            continue
        changed = rule.pattern.sub(rule.replacement, new)
        if changed != new:
            new, reason = changed, reason or rule.reason
    if new != old or expected == "`if`":
        new, reason = finished(new, section, reason)
    if new == old or not reason or _first_change(old, new) > trouble - lead + 2:
        return None
    return Advice(reason, "" if len(new) > _LONGEST else " ".join(new.split()))


def _first_change(old: str, new: str) -> int:
    pairs = enumerate(zip(old, new, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(old), len(new)))


# Characters and comments


class Substitute(NamedTuple):
    """What stands for a piece that is no ISPL: the help, the tokens to go on with, and what it is called."""

    help: str
    tokens: tuple[str, ...] = ()
    label: str = "not a character of ISPL"
    #: What else to say than that it means nothing.
    message: str = ""


def meant_by(text: str, piece: str, place: int) -> Substitute:
    """Return what was probably meant by characters that are not of ISPL."""
    for start, reader in _READERS.items():
        if piece.startswith(start):
            return reader(text, piece, place)
    if all(sign in SIGNS for sign in piece):
        found = advice(text, place)
        tokens = tuple(word for sign in piece for word in SIGNS[sign].split())
        help_ = f"write `{' '.join(tokens)}`"
        if found:
            help_ = str(Advice(f"`{piece[0]}` is `{tokens[0]}`", found.written))
        return Substitute(help_, tokens)
    if piece[0] == "_":
        return Substitute("a name starts with a letter")
    if not piece.isascii():
        return Substitute(
            "names use the letters a-z and A-Z, digits and `_`; other characters only in comments"
        )
    return Substitute("")


def _comment(_text: str, piece: str, _place: int) -> Substitute:
    words = " ".join(piece.strip("#%/*").split())
    why = "a comment starts with `--` and ends with its line"
    if piece.startswith("/*") and not piece.endswith("*/"):
        return Substitute(why, (), "the rest of the file is in this comment, which never ends")
    shown = f"{why}: `-- {words}`" if words and len(words) <= _LONGEST else why
    sign = piece[:2] if piece[0] == "/" else piece[0]
    return Substitute(
        shown, (), "a comment of another language", f"`{sign}` does not start a comment in ISPL"
    )


def _percent(text: str, piece: str, place: int) -> Substitute:
    before = text[max(place - _WINDOW, 0) : place].rstrip(" \t")
    if before and (before[-1].isalnum() or before[-1] in "_)"):
        found = advice(text, place)
        return Substitute(str(found) if found else "write `mod`", ("mod",))
    return _comment(text, piece, place)


def _conjunction(text: str, piece: str, place: int) -> Substitute:
    word = "and" if piece == "/\\" else "or"
    found = advice(text, place)
    return Substitute(
        str(found) if found else f"write `{word}`", (word,), "an operator of another language"
    )


def _quoted(_text: str, piece: str, _place: int) -> Substitute:
    inside = piece.strip("\"'“”‘’`")
    why = "ISPL has no strings: write names without quotation marks"
    if inside.isascii() and inside.isidentifier() and not inside.startswith("_"):
        return Substitute(f"{why}: `{inside}`", (inside,), "a string")
    return Substitute(why, (), "a string" if inside else "a quotation mark")


def _prime(text: str, piece: str, place: int) -> Substitute:
    name = re.search(r"[A-Za-z]\w*$", text[max(place - 200, 0) : place])
    if len(piece) > 1 or name is None:
        return _quoted(text, piece, place)
    found = advice(text, place)
    why = (
        "a primed name is no name of ISPL: in `Evolution` what stands left of `=` is the next value"
    )
    return Substitute(str(found) if found else why, (), "a prime")


_READERS: Final[dict[str, Callable[[str, str, int], Substitute]]] = {
    "//": _comment,
    "/*": _comment,
    "#": _comment,
    "%": _percent,
    "/\\": _conjunction,
    "\\/": _conjunction,
    '"': _quoted,
    "“": _quoted,
    "‘": _quoted,
    "'": _prime,
    "’": _prime,
}
