"""Common mistakes, and the hint that each deserves."""

_PAIRS = {
    ("=", "="): "ISPL compares with a single `=`",
    ("&", "&"): "write `and`",
    ("|", "|"): "write `or`",
    ("/", "/"): "a comment starts with `--`",
    ("/", "*"): "a comment starts with `--` and ends with its line",
    ("=", ">"): "write `->` for implication, or `>=` for a comparison",
    ("<", "-"): "`<` and `-` stand side by side: put the number in brackets",
}

_WORDS = {
    ":=": "`:=` stands in `Definitions` alone: ISPL assigns with `=`",
    "not": "write `!`",
    "AND": "write `and` in small letters",
    "OR": "write `or` in small letters",
    "NOT": "write `!`",
    "TRUE": "write `true`",
    "FALSE": "write `false`",
    "True": "write `true`",
    "False": "write `false`",
    "bool": "the type is called `boolean`",
    "then": "ISPL writes `assignments if guard;`, the guard last",
    "else": "ISPL has no else: write another line with the opposite guard",
    "LDL": "LDL is not part of MCMAS 1.3.0 and its formulae are not read here",
    "End": "write `end` in small letters",
}

#: Sections of other languages, and where ISPL says the same.
_FOREIGN_SECTIONS = {
    "VAR": "variables are declared in an agent: `Vars: x : 0..3; end Vars`",
    "ASSIGN": "what changes is told in an agent: `Evolution: x = x + 1 if Action = go; end Evolution`",
    "DEFINE": "propositions are defined in `Evaluation name if condition; end Evaluation`",
    "INIT": "the initial states have a section: `InitStates condition; end InitStates`",
    **dict.fromkeys(
        ("SPEC", "CTLSPEC", "LTLSPEC", "INVARSPEC", "FORMULA"),
        "formulae have a section: `Formulae AG p; end Formulae`",
    ),
}

_UNTILS = frozenset("UWR")
_COMPARISONS = frozenset(["=", "<>", "!=", "<=", ">", ">="])
#: So many tokens of a line are looked at.
_NEAR = 8
_NO_PART_OF_NAMES = frozenset([";", "(", "[", "forall", "exists", "for"])
#: Words and signs that begin a formula and follow none.
_FORMULA_STARTS = frozenset(["LTL", "CTL*", "AG", "AF", "AX", "EG", "EF", "EX", "A", "E", "K", "<"])


def hint_for(texts: list[str], position: int, expected: str) -> str:
    """Return what the writer probably meant at this token, or nothing."""
    current = texts[position]
    before = texts[position - 1] if position else ""
    after = texts[position + 1] if position + 1 < len(texts) else ""
    for pair in ((before, current), (current, after)):
        if pair in _PAIRS:
            return _PAIRS[pair]
    for word in (current, before):
        if word in _WORDS:
            return _WORDS[word]
    if current in _UNTILS and expected in ("`;` after a formula", "`)`"):
        shown = f"(f {current} g)"
        return f"this is written `A{shown}`, `E{shown}` or `<g>{shown}`, or after `LTL`"
    compares = current in _COMPARISONS and _is_name(before) and after not in _FORMULA_STARTS
    if compares and expected in ("`;` after a formula", "`)`"):
        compared = f"{before} {current} {after}"
        return f"a variable is written with its agent in front, as in `agent.{compared}`"
    if expected == "a formula" and current in ("LTL", "CTL*"):
        return f"`{current}` stands in front of the whole formula, and once"
    if expected in ("a formula", "`;` after a formula"):
        return _hint_for_label(texts, position)
    if current == ":" and expected == "`=`":
        return "this section is written with `=` and braces: `Actions = { a, b };`"
    if current == "=" and expected == "`:`":
        return "this section is written with a colon: `Vars: … end Vars`"
    return ""


def hint_for_section(texts: list[str], position: int) -> str:
    """Return how a program begins, where a word of another language stands in front of it."""
    word, after = texts[position], texts[min(position + 1, len(texts) - 1)]
    if word.lower() in ("module", "class", "process", "proctype", "active", "player", "ag"):
        name = after if _is_name(after) and after.lower() not in ("proctype", "main") else "Name"
        return f"a program is made of agents: `Agent {name} … end Agent`"
    return _FOREIGN_SECTIONS.get(word.rstrip("S").upper(), "")


def _is_name(text: str) -> bool:
    return text.isidentifier() and text.isascii()


def _hint_for_label(texts: list[str], position: int) -> str:
    """Return how formulae are named, where somebody seems to have tried it."""
    current = texts[position]
    if current == "expect":
        return (
            "a line says once what is expected, behind the formula: `name : formula expect false;`"
        )
    for text in texts[position : position + _NEAR]:
        if text == ":":
            return "the name before `:` is one word: a letter, and then letters, digits and `_`"
        if text in _NO_PART_OF_NAMES:
            break
    second = position == 1 or texts[max(position - 2, 0)] in (";", "Formulae")
    if second and current in ("=", *_FORMULA_STARTS):
        return "a formula is named with a colon: `name : formula`"
    return ""
