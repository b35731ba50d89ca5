"""The table of what other tools write: where, how it is recognised, what ISPL writes, and why."""

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

SectionKind: TypeAlias = Literal[
    "formula", "evolution", "protocol", "evaluation", "condition", "declaration"
]
_FORMULA: Final[tuple[SectionKind, ...]] = ("formula",)
_CONDITION: Final[tuple[SectionKind, ...]] = ("evolution", "protocol", "evaluation", "condition")
_EVERYWHERE: Final[tuple[SectionKind, ...]] = (*_FORMULA, *_CONDITION)

#: Signs of logic books, and the words of ISPL.
SIGNS: Final = {
    **dict.fromkeys("∧⋀", "and"),
    **dict.fromkeys("∨⋁", "or"),
    "¬": "!",
    **dict.fromkeys("→⇒⟶⟹⊃", "->"),
    **dict.fromkeys("↔⇔⟷⟺", "<->"),
    "≤": "<=",
    "≥": ">=",
    "≠": "<>",
    "∈": "in",
    **dict.fromkeys("−–", "-"),
    **dict.fromkeys("×·", "*"),
    **dict.fromkeys("⟨〈", "<"),
    **dict.fromkeys("⟩〉", ">"),
    **dict.fromkeys("⟪《", "<"),
    **dict.fromkeys("⟫》", ">"),
    "⊤": "true",
    "⊥": "false",
    **dict.fromkeys("□◻", "G"),
    **dict.fromkeys("◇◊♢", "F"),
    **dict.fromkeys("◯○", "X"),
}


class ForeignRule(NamedTuple):
    """A way of writing of other tools: in which sections, what it is, what ISPL has for it, and why."""

    places: tuple[SectionKind, ...]
    pattern: re.Pattern[str]
    replacement: str | Callable[[re.Match[str]], str]
    reason: str


def _rule(
    places: tuple[SectionKind, ...],
    pattern: str,
    replacement: str | Callable[[re.Match[str]], str],
    reason: str,
) -> ForeignRule:
    return ForeignRule(places, re.compile(pattern), replacement, reason)


def _spaced(found: re.Match[str]) -> str:
    """Return `AGEF` as `AG EF`, and `GF` as `G F`."""
    letters = found[0]
    width = 2 if letters[0] in "AE" else 1
    return " ".join(letters[start : start + width] for start in range(0, len(letters), width))


_KNOWLEDGE: Final = {"C": "GCK", "CK": "GCK", "E": "GK", "EK": "GK", "D": "DK"}
_REASONS: Final = {
    "GCK": "common knowledge is `GCK`",
    "GK": "what everybody knows is `GK`",
    "DK": "distributed knowledge is `DK`",
    "K": "knowledge is written `K(agent, formula)`",
}


def _knowledge() -> Iterator[ForeignRule]:
    """Yield the ways to write what a group knows: `C(g, p)`, `C_g p`, `C{g} p`."""
    for word, ours in (*_KNOWLEDGE.items(), ("Knows", "K"), ("knows", "K"), ("KH", "K")):
        yield _rule(_FORMULA, rf"\b{word}\s*\((?=\s*\w+\s*,)", f"{ours}(", _REASONS[ours])
    for word, ours in (*_KNOWLEDGE.items(), ("K", "K"), ("GK", "GK"), ("GCK", "GCK"), ("DK", "DK")):
        index = r"(?:_(\w+?)|\s*_?\{\s*(\w+)\s*\}|\s*\[\s*(\w+)\s*\]|\s+([A-Z]\w*))"
        body = r"\s*(?:\s(\w+)|\(([^()]*)\))(?=$|[\s;)])"
        yield _rule(_FORMULA, rf"\b{word}{index}{body}", _with_brackets(ours), _REASONS[ours])


def _with_brackets(operator: str) -> Callable[[re.Match[str]], str]:
    def write(found: re.Match[str]) -> str:
        who, body = found[1] or found[2] or found[3] or found[4], found[5] or found[6]
        return found[0] if body in ("and", "or", "U") else f"{operator}({who}, {body})"

    return write


def _signs() -> Iterator[ForeignRule]:
    for sign, ours in SIGNS.items():
        blank = "" if ours in ("!", "<", ">", "-") else " "
        yield _rule(_EVERYWHERE, re.escape(sign), f"{blank}{ours}{blank}", f"`{sign}` is `{ours}`")


def _twice(found: re.Match[str]) -> str:
    """Return two lines for one with `else`, the second with the opposite guard."""
    then, guard, otherwise = (found[name].strip() for name in ("then", "guard", "else"))
    if not re.match(r"\w+\s*=", otherwise):
        otherwise = f"{then.partition('=')[0].strip()} = {otherwise}"
    return f"{then} if {guard}; {otherwise} if !({guard})"


def _joined(found: re.Match[str]) -> str:
    return re.sub(r"\s*,\s*(?=\w+\s*=)", " and ", found[0])


_NEXT: Final = "what stands left of `=` is always the next value"
_GUARD: Final = "ISPL writes `assignments if guard;`, the guard last"
_ELSE: Final = "an evolution line has no else: write another line with the opposite guard"

_OPERATORS: Final = (
    _rule(_EVERYWHERE, r"(?<![<>!=:])==(?!=)", "=", "ISPL compares with a single `=`"),
    _rule(_EVERYWHERE, r"<=>", "<->", "write `<->` for equivalence"),
    _rule(_FORMULA, r"(?<![<=])=>", "->", "write `->` for implication, or `>=` for a comparison"),
    _rule(_EVERYWHERE, r"=<(?!=)", "<=", "write `<=`"),
    _rule(_EVERYWHERE, r"\s*/\\\s*", " and ", "write `and`"),
    _rule(_EVERYWHERE, r"\s*\\/\s*", " or ", "write `or`"),
    _rule(_EVERYWHERE, r"\s*&&\s*", " and ", "write `and`"),
    _rule(_EVERYWHERE, r"\s*\|\|\s*", " or ", "write `or`"),
    _rule(_FORMULA, r"\s*&\s*", " and ", "write `and`"),
    _rule(_FORMULA, r"\s*\|\s*", " or ", "write `or`"),
    _rule(_FORMULA, r"~\s*", "!", "write `!`"),
    _rule(_EVERYWHERE, r"\bAND\b", "and", "write `and` in small letters"),
    _rule(_EVERYWHERE, r"\bOR\b", "or", "write `or` in small letters"),
    _rule(_EVERYWHERE, r"\b(?:not|NOT)\b\s*(?!=)", "!", "write `!`"),
    _rule(_EVERYWHERE, r"\b(?:implies|IMPLIES)\b", "->", "write `->`"),
    _rule(_EVERYWHERE, r"\b(?:iff|IFF)\b", "<->", "write `<->`"),
    _rule(_EVERYWHERE, r"\b(?:TRUE|True)\b", "true", "write `true`"),
    _rule(_EVERYWHERE, r"\b(?:FALSE|False)\b", "false", "write `false`"),
    _rule(_CONDITION, r"\s*%\s*", " mod ", "the remainder of a division is `mod`"),
)


def _avoiding(found: re.Match[str]) -> str:
    """Return `[g] F p` with two pairs of brackets, unless the one is that of bounds."""
    bounds = "," in found[1] and re.search(r"[FGUWR]\s*$", found.string[: found.start()])
    return found[0] if bounds else f"[[{found[1]}]] "


_ONE_PAIR: Final = "`<g>` is who can see to something, `[[g]]` who cannot avoid it"
_CANNOT_AVOID: Final = "who cannot avoid something stands in two pairs of brackets"
_FORMULAE: Final = (
    _rule(
        _FORMULA,
        r"^(?:CTL|CTLSPEC|SPEC|ATL|ATLSPEC)\s+(?=\S)",
        "",
        "CTL and ATL need no word in front",
    ),
    _rule(_FORMULA, r"^LTLSPEC\s+", "LTL ", "a formula of linear time starts with `LTL`"),
    _rule(_FORMULA, r"<<\s*", "<", "a coalition stands in one pair of brackets"),
    _rule(_FORMULA, r"\s*>>", ">", "a coalition stands in one pair of brackets"),
    _rule(
        _FORMULA,
        r"<\s*\{\s*([^{}]*?)\s*\}\s*>",
        r"<\1>",
        "a coalition stands in one pair of brackets",
    ),
    _rule(
        _FORMULA,
        r"\b([AE])\s*\[\s*(.*?\bU\b.*?)\s*\]",
        r"\1(\2)",
        "an until stands in round brackets",
    ),
    _rule(_FORMULA, r"\b([AE])\s+(\w+\s+U\s+\w+)", r"\1(\2)", "an until stands in round brackets"),
    _rule(_FORMULA, r"(?<!\[)\[\s*\](?!\])\s*", "G ", "`[]` is `G`"),
    _rule(
        _FORMULA,
        r"(^|[(!]|->|\band|\bor|\bG|\bF)(\s*)<>\s*(?![XFG(]\b|\()",
        r"\1\2F ",
        "`<>` is `F`",
    ),
    _rule(_FORMULA, r"\[\[\s*([\w, ]+?)\s*\](?!\])", r"[[\1]]", _CANNOT_AVOID),
    _rule(_FORMULA, r"(?<!\[)\[\s*([\w, ]+?)\s*\]\]", r"[[\1]]", _CANNOT_AVOID),
    _rule(
        _FORMULA,
        r"(?<![\w\[])\[\s*([A-Za-z]\w*(?:\s*,\s*[A-Za-z]\w*)*)\s*\](?!\])\s*(?=[XFG]\b|\()",
        _avoiding,
        _ONE_PAIR,
    ),
    _rule(_FORMULA, r"\b(?:[AE][GFX]){2,}\b", _spaced, "operators are written apart"),
    _rule(_FORMULA, r"\b[GFX]{2,}\b", _spaced, "operators are written apart"),
)

_CHOICE: Final = "a choice of two values is written `if condition then a else b`"
_SHAPES: Final = (
    _rule(
        _EVERYWHERE,
        r"\(([^()?]+?)\s*\?\s*([^()?]+?)\s*:\s*([^()?]+?)\s*\)",
        r"(if \1 then \2 else \3)",
        _CHOICE,
    ),
    _rule(
        ("evolution",),
        r"^(\w+)\s*=\s*([^?()]+?)\s*\?\s*([^?]+?)\s*:\s*([^?]+?)(?=\s+if\b|$)",
        r"\1 = if \2 then \3 else \4",
        _CHOICE,
    ),
    _rule(("evolution",), r"^case\s+", "", _GUARD),
    _rule(("evolution",), r"\bnext\s*\(\s*(\w+)\s*\)\s*:?=", r"\1 =", _NEXT),
    _rule(("evolution",), r"(\w)['’]", r"\1", _NEXT),
    _rule(("evolution",), r"^(\(?\s*\w+)\s*(?::=|<-)", r"\1 =", "ISPL assigns with `=`"),
    _rule(("evolution",), r"\band\s+(\w+)\s*:=", r"and \1 =", "ISPL assigns with `=`"),
    _rule(("evolution",), r"^(\w+)\s*([+\-*])=\s*(\w+)", r"\1 = \1 \2 \3", "ISPL assigns with `=`"),
    _rule(("evolution",), r"^(\w+)\s*([+\-])\2", r"\1 = \1 \2 1", "ISPL assigns with `=`"),
    _rule(
        ("evolution",),
        r"^if\s+(?P<guard>.+?)\s+then\s+(?P<then>.+?)\s+else\s+(?P<else>.+)$",
        _twice,
        _ELSE,
    ),
    _rule(
        ("evolution",),
        r"^(?P<then>.+?[^=\s])\s+if\s+(?P<guard>.+?)\s+else\s+(?P<else>.+)$",
        _twice,
        _ELSE,
    ),
    _rule(("evolution",), r"^if\s+(.+?)\s+then\s+(.+)$", r"\2 if \1", _GUARD),
    _rule(("evolution",), r"^if\s*\((.+)\)\s*(\w+\s*=.*)$", r"\2 if \1", _GUARD),
    _rule(("evolution",), r"\bwhen\b", "if", _GUARD),
    _rule(
        ("evolution",),
        r"^((?:(?!\bif\b).)+?)\s*(?:->|:)\s*(\w+\s*=(?:(?!\bif\b).)+)$",
        r"\2 if \1",
        _GUARD,
    ),
    _rule(("evolution",), r"^(?:(?!\bif\b).)+", _joined, "assignments are joined by `and`"),
    _rule(
        ("protocol",),
        r"^(.+?)\s*->\s*(?=\{)",
        r"\1 : ",
        "a protocol line is written `condition : { actions };`",
    ),
    _rule(
        ("protocol",),
        r":\s*(\w+(?:\s*,\s*\w+)*)$",
        r": { \1 }",
        "a protocol line is written `condition : { actions };`",
    ),
    _rule(
        ("evaluation",),
        r"^(?:DEFINE\s+)?(\w+)\s*(?::=|<->|\biff\b|:|=)\s*",
        r"\1 if ",
        "a proposition is written `name if condition;`",
    ),
    _rule(("declaration",), r"\bbool\b", "boolean", "the type is called `boolean`"),
)

_CASE: Final = re.compile(r"\bcase\b((?:(?!\b(?:case|esac)\b).)*)\besac\b", re.DOTALL)


def as_choice(case: str) -> str:
    """Return `case … esac` with `if`; where it does not say what else, nor does this."""
    while (changed := _CASE.sub(_chosen, case)) != case:
        case = changed
    return case


def _chosen(found: re.Match[str]) -> str:
    choices: list[str] = []
    for branch in filter(str.strip, found[1].split(";")):
        condition, _, value = (part.strip() for part in branch.partition(":"))
        if condition in ("true", "TRUE", "1"):
            return "".join((*choices, value))
        choices.append(f"if {condition} then {value} else ")
    return "".join((*choices, "…"))


#: All of them, in the order in which they are tried.
RULES: Final = (*_signs(), *_FORMULAE, *_knowledge(), *_OPERATORS, *_SHAPES)

#: The `if` before a guard: what a choice of two values begins with follows no value.
_GUARDED: Final = re.compile(r"(?<!\bthen)(?<!\belse)(?<=[\w)}])\s+if\b")
#: A bare operator of linear time: one that neither a quantifier nor a coalition precedes.
_BARE: Final = re.compile(r"(?<![\w>\]])(?<![AE] )(?<![>\]] )[GFX]\s")


def finished(text: str, section: SectionKind, reason: str) -> tuple[str, str]:
    """Return a rewritten statement with what it still lacks: `LTL` in front, or a guard behind."""
    text = re.sub(r"(?<=[!(])\s+|\s+(?=[),])", "", " ".join(text.split()))
    match section:
        case "formula" if _BARE.search(text) and not text.startswith(("LTL", "CTL*")):
            label = re.match(r"\w+(?:\[[^\]]*\])?\s*:\s*", text)
            end = label.end() if label else 0
            return f"{text[:end]}LTL {text[end:]}", reason
        case "evolution" if not _GUARDED.search(text) and re.match(r"\(?\s*\w+\s*=", text):
            return (
                f"{text} if true",
                reason or "an evolution line that always applies has the guard `true`",
            )
        case _:
            return text, reason
