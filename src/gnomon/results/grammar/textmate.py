"""The TextMate grammar of ISPL, which many editors read: scopes by the conventions of its authors.

Sections are the only rules with a beginning and an end, one deep. Each of them ends at its `end`, whatever
follows it, and also where the next section begins. So text that is not finished colours nothing behind it
wrong; everything else is matched inside a line.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from gnomon.language.lexer import REMARK
from gnomon.language.words import WordRole, reserved, words
from gnomon.results.grammar import patterns

#: Part of a grammar, as JSON.
GrammarRule: TypeAlias = dict[str, Any]

SCOPES: Final[Mapping[WordRole, str]] = MappingProxyType(
    {
        "agent": "keyword.control.section",
        "section": "keyword.control.section",
        "setting": "keyword.control.section",
        "part": "keyword.control.section",
        "list": "keyword.control.section",
        "end": "keyword.control.end",
        "semantics": "constant.language.semantics",
        "type": "storage.type",
        "constant": "constant.language.boolean",
        "attribute": "variable.language.attribute",
        "otherwise": "keyword.control.otherwise",
        "connective": "keyword.operator.logical",
        "operator": "keyword.operator.arithmetic",
        "choice": "keyword.control.conditional",
        "repetition": "keyword.control.repetition",
        "quantifier": "keyword.operator.quantifier",
        "function": "support.function",
        "logic": "keyword.operator.logic",
        "temporal": "keyword.operator.temporal",
        "until": "keyword.operator.temporal",
        "epistemic": "keyword.operator.epistemic",
        "multiplicity": "storage.modifier",
        "following": "storage.modifier",
        "group": "variable.language.group",
        "expectation": "keyword.control.expectation",
        "verdict": "constant.language.verdict",
        "rule": "keyword.control.rule",
    }
)

SYMBOL_SCOPES: Final[Mapping[patterns.SignKind, str]] = MappingProxyType(
    {
        "comparison": "keyword.operator.comparison",
        "logical": "keyword.operator.logical",
        "arithmetic": "keyword.operator.arithmetic",
        "range": "keyword.operator.range",
        "definition": "keyword.operator.assignment",
        "separator": "punctuation.separator",
        "terminator": "punctuation.terminator",
        "bracket": "punctuation.section.brackets",
    }
)

DECLARED_SCOPES: Final[Mapping[patterns.DeclaredKind, str]] = MappingProxyType(
    {
        "function": "entity.name.function",
        "type": "entity.name.type",
        "constant": "variable.other.constant",
    }
)

#: An agent inside a section is a value like others.
_ENVIRONMENT: Final = "variable.language.environment"


def grammar() -> GrammarRule:
    """Return the whole grammar."""
    return {
        "name": "ISPL",
        "scopeName": "source.ispl",
        "fileTypes": ["ispl", "pmas"],
        "patterns": [_include("sections"), _include("formula")],
        "repository": _repository(),
    }


def text() -> str:
    """Return the grammar as the text of a file."""
    import json  # nobody pays for it who wants something else

    return json.dumps(grammar(), indent=2) + "\n"


def _repository() -> GrammarRule:
    return {
        "sections": {"patterns": list(_sections())},
        "comments": {"patterns": _comments()},
        "formula": {"patterns": list(_formula())},
        "condition": {"patterns": list(_condition())},
        "symbols": {
            "patterns": [
                _match(patterns.symbols(kind), scope) for kind, scope in SYMBOL_SCOPES.items()
            ]
        },
    }


def _include(rule: str) -> GrammarRule:
    return {"include": f"#{rule}"}


def _match(pattern: str, scope: str) -> GrammarRule:
    return {"match": pattern, "name": f"{scope}.ispl"}


def _groups(pattern: str, scopes: dict[int, str]) -> GrammarRule:
    """Return a rule whose groups have scopes of their own."""
    return {"match": pattern, "captures": _captures(scopes)}


def _captures(scopes: dict[int, str]) -> GrammarRule:
    return {str(number): {"name": f"{scope}.ispl"} for number, scope in scopes.items()}


# Sections


def _sections() -> Iterator[GrammarRule]:
    """Yield the rules for all that stands outside sections."""
    yield _include("comments")
    yield _groups(patterns.NAMED_AGENT, {1: SCOPES["agent"], 3: "entity.name.type.agent"})
    yield _match(patterns.AGENT, SCOPES["agent"])
    semantics = _match(patterns.any_word(words("semantics")), SCOPES["semantics"])
    yield _listing("setting", semantics)
    many = {1: SYMBOL_SCOPES["separator"], 3: SCOPES["multiplicity"]}
    following = _match(patterns.FOLLOWING, SCOPES["following"])
    yield _listing("list", _groups(patterns.MULTIPLICITY, many), following)
    special = (*patterns.OF_FORMULAE, *patterns.DECLARED)
    for section in dict.fromkeys(special):
        yield _section((section,))
    yield _section(tuple(word for word in words("section", "part") if word not in special))
    yield _groups(patterns.END, {1: SCOPES["end"], 3: SCOPES["section"]})


def _section(openers: tuple[str, ...]) -> GrammarRule:
    """Return the rule for sections that differ only in their names."""
    inside = [_include("formula" if openers[0] in patterns.OF_FORMULAE else "condition")]
    if openers[0] in patterns.DECLARED:
        kind, pattern = patterns.DECLARED[openers[0]]
        inside.insert(0, _match(pattern, DECLARED_SCOPES[kind]))
    following = patterns.NEXT_SECTION
    if openers == ("Constants",):
        following = patterns.NEXT_AFTER_CONSTANTS
    return {
        "name": "meta.section.ispl",
        "begin": patterns.opening(openers),
        "beginCaptures": _captures({0: SCOPES["section"]}),
        "end": f"{patterns.END_OF_SECTION}|{following}",
        "endCaptures": _captures({1: SCOPES["end"], 3: SCOPES["section"]}),
        "patterns": [_include("comments"), *inside],
    }


def _listing(opener: WordRole, *inside: GrammarRule) -> GrammarRule:
    """Return the rule for what ends in `;`."""
    return {
        "name": "meta.list.ispl",
        "begin": patterns.any_word(words(opener)),
        "beginCaptures": _captures({0: SCOPES[opener]}),
        "end": rf"(;)|(?={patterns.END_OF_SECTION})|{patterns.NEXT_SECTION}",
        "endCaptures": _captures({1: SYMBOL_SCOPES["terminator"]}),
        "patterns": [_include("comments"), *inside, _include("condition")],
    }


# What stands in lines


def _comments() -> list[GrammarRule]:
    """Return comments for us, with the words in them, and then all others."""
    remark = {
        "name": "comment.line.documentation.ispl",
        "begin": f"(?={REMARK})--!",
        "end": "$",
        "patterns": [
            _groups(patterns.EXPECTATION, {1: SCOPES["expectation"], 3: SCOPES["verdict"]}),
            _match(patterns.RULE, SCOPES["rule"]),
            _match(patterns.CODE, "constant.other.code"),
            _match(patterns.NAME, "entity.name.function"),
        ],
    }
    return [remark, _match(patterns.COMMENT, "comment.line.double-dash")]


def _formula() -> Iterator[GrammarRule]:
    """Yield what only formulae have, and then all else."""
    yield _groups(patterns.EXPECTATION, {1: SCOPES["expectation"], 3: SCOPES["verdict"]})
    for role, pattern in patterns.IN_FORMULAE.items():
        yield _match(pattern, SCOPES[role])
    yield _include("condition")


def _condition() -> Iterator[GrammarRule]:
    """Yield what stands in conditions, values, types and lists."""
    yield _include("comments")
    # That of a repetition; sections look for theirs before they come here.
    yield _groups(patterns.END, {1: SCOPES["end"], 3: SCOPES["repetition"]})
    yield _groups(patterns.TYPED, {1: SYMBOL_SCOPES["separator"], 3: SCOPES["type"]})
    for role, pattern in patterns.IN_CONDITIONS.items():
        yield _match(pattern, _ENVIRONMENT if role == "agent" else SCOPES[role])
    # Words that mean nothing here and are no names either.
    yield _match(patterns.any_word(reserved("semantics", "setting")), SCOPES["semantics"])
    yield _match(patterns.NUMBER, "constant.numeric.integer")
    yield _match(patterns.FOREIGN, "invalid.illegal")
    yield _include("symbols")
    yield _match(patterns.OWNER, "variable.other.object")
    yield _match(patterns.NAME, "variable.other")
    yield _match(r"[^\sA-Za-z0-9]", "invalid.illegal")
