"""The register of all words that the language treats specially, by what they are for.

The lexer and the parser take their sets from here, and so do the grammars of editors: none of them has a
list of its own that could stay behind. A word may have more than one use.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

#: What a word is for.
WordRole: TypeAlias = Literal[
    "agent",  # opens an agent, which has sections of its own
    "section",  # opens a section of the program, closed by `end`
    "setting",  # opens a line of the program
    "part",  # opens a section of an agent, closed by `end`
    "list",  # opens a list of an agent
    "end",
    "semantics",  # names one, behind `Semantics =`
    "type",
    "constant",
    "attribute",  # stands where a variable of an agent could stand
    "otherwise",  # stands where a condition could stand
    "connective",  # between two conditions, or two formulae
    "operator",  # between two values
    "choice",
    "repetition",
    "quantifier",
    "function",
    "logic",  # says in front of a formula which logic it is in
    "temporal",
    "until",  # temporal, and between two formulae
    "epistemic",
    "multiplicity",  # how many take part in a synchronised action
    "following",  # says with which action others follow
    "group",
    "expectation",
    "verdict",
    "rule",  # says in a comment what becomes of a warning
]


def _split(words: dict[WordRole, str]) -> Mapping[WordRole, tuple[str, ...]]:
    return MappingProxyType({role: tuple(text.split()) for role, text in words.items()})


#: The words that MCMAS reserves: they are no names, with one exception (`FORMULA_WORDS`).
RESERVED: Final = _split(
    {
        "agent": "Agent Environment",
        "section": "Evaluation InitStates Groups Fairness Formulae",
        "setting": "Semantics",
        "part": "Obsvars Vars RedStates Protocol Evolution",
        "list": "Lobsvars Actions",
        "end": "end",
        "semantics": "MultiAssignment SingleAssignment MA SA",
        "type": "boolean",
        "constant": "true false",
        "attribute": "Action GreenStates RedStates",
        "otherwise": "Other",
        "connective": "and or",
        "choice": "if",
        "logic": "LTL CTL*",
        "temporal": "AG EG AX EX AF EF A E X F G",
        "until": "U",
        "epistemic": "K GK GCK O DK",
        "verdict": "true false",
    }
)

#: Words of our own. They are only special where no identifier could stand, so that no MCMAS program loses
#: a name to them.
CONTEXTUAL: Final = _split(
    {
        "agent": "Template",
        "section": "Constants Parameters Assume Definitions Types Relations Axioms Predicates TerminalStates",
        "list": "Sync",
        "semantics": "Interleaved",
        "type": "int",
        "connective": "xor",
        "operator": "div mod in",
        "choice": "then else",
        "repetition": "for where",
        "quantifier": "forall exists sum count",
        "function": "min max abs number",
        "until": "W R",
        "multiplicity": "some one all",
        "following": "with",
        "group": "all",
        "expectation": "expect",
        "verdict": "undefined",
        "rule": "allow deny",
    }
)


def reserved(*roles: WordRole) -> tuple[str, ...]:
    """Return the reserved words that are for this, in the order of the register."""
    return tuple(word for role in roles for word in RESERVED.get(role, ()))


def contextual(*roles: WordRole) -> tuple[str, ...]:
    """Return the words of our own that are for this, in the order of the register."""
    return tuple(word for role in roles for word in CONTEXTUAL.get(role, ()))


def words(*roles: WordRole) -> tuple[str, ...]:
    """Return all words that are for this: reserved ones, and then our own."""
    return reserved(*roles) + contextual(*roles)


#: All reserved words.
KEYWORDS: Final = frozenset(reserved(*RESERVED))

#: Reserved words that only formulae use; outside them they may still name a value of a type. `CTL*` is no
#: name at all.
FORMULA_WORDS: Final = frozenset(reserved("logic", "temporal", "until", "epistemic")) - {"CTL*"}

#: What a program consists of.
PROGRAM_SECTIONS: Final = words("setting", "section", "agent")

#: Words that open a section wherever they stand: where a line is expected, an `end` was forgotten.
#: `Environment` also begins the names of variables, and `Semantics` has one line.
SECTION_WORDS: Final = frozenset(reserved("agent", "section", "part", "list")) - {"Environment"}
