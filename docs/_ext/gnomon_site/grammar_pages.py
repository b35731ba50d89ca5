"""The grammar as diagrams, rule by rule, from the block in the reference of the language."""

import re
from itertools import groupby
from typing import Final

from gnomon_site.ebnf import Rule, grammar_block, names_in, read_grammar, remarks_in
from gnomon_site.places import DOCS
from gnomon_site.railroads import draw_rule

FOLDER: Final = DOCS / "reference" / "grammar"
_SOURCE: Final = DOCS / "reference" / "language.md"

_HEAD: Final = """\
# The grammar as diagrams

Follow a line from the left to the right: what stands in a round box is written as it is, what stands in a
square one is another rule, and leads to its diagram.
The text of [the grammar](../language.md#grammar) is the source of all of them.
"""
_FIRST: Final = "the whole"


def grammar_pages() -> dict[str, str]:
    """Return the pages of the folder `reference/grammar`."""
    rules = read_grammar(grammar_block(_SOURCE.read_text(encoding="utf-8")))
    known = frozenset(rule.name for rule in rules)
    parts = [_HEAD]
    for heading, group in groupby(rules, key=lambda rule: rule.heading):
        title = heading.partition(";")[0] or _FIRST
        parts.append(f"## {title[:1].upper()}{title[1:]}")
        if ";" in heading:
            parts.append(_sentence(heading.partition(";")[2].replace("*", "\\*")))
        parts += [_described(rule, rules, known) for rule in group]
    return {"index.md": "\n\n".join(parts) + "\n"}


def _described(rule: Rule, rules: tuple[Rule, ...], known: frozenset[str]) -> str:
    """Return one rule: its diagram, what comments say of it, its text, and who uses it."""
    shown = f"{rule.name} ( {rule.parameter} )" if rule.parameter else rule.name
    users = [
        other.name for other in rules if rule.name in names_in(other.piece) and other is not rule
    ]
    remarks = [_sentence(text) for text in remarks_in(rule.piece) if len(text) > 4]
    parts = [
        f"(rule-{rule.name})=\n### {rule.name}",
        f'```{{raw}} html\n<div class="railroad">{draw_rule(rule, known)}</div>\n```',
    ]
    if rule.parameter:
        parts.append(f"`{shown}`: `{rule.parameter}` stands for what is given in brackets.")
    if remarks:
        parts.append(" ".join(remarks))
    parts.append("```ebnf\n" + re.sub(r"\s{2,}(?=\(\*)", "  ", rule.text) + "\n```")
    if users:
        links = ", ".join(f"[{name}](#rule-{name})" for name in users)
        parts.append(f"Used by {links}.")
    return "\n\n".join(parts)


def _sentence(text: str) -> str:
    said = text.strip()
    return f"{said[:1].upper()}{said[1:]}." if said else ""
