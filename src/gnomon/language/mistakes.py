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
    if expected in ("a formula", "`;` after a formula"):
        return _hint_for_label(texts, position)
    if current == ":" and expected == "`=`":
        return "this section is written with `=` and braces: `Actions = { a, b };`"
    if current == "=" and expected == "`:`":
        return "this section is written with a colon: `Vars: … end Vars`"
    return ""


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
