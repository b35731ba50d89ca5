"""The register of pieces of text that are offered with places to fill in, in the syntax of LSP's snippets.

`${1:name}` is a place with what stands there at first, `${1|true,false|}` one with a choice, and `$0` where
the cursor ends. Written out, every piece can be read where it is offered; a test inserts each of them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

#: Where a snippet may stand: between sections, among the statements of a section, or inside them.
SnippetPlace: TypeAlias = Literal[
    "program",
    "agent",
    "type",
    "for",
    "Constants",
    "Definitions",
    "Types",
    "Relations",
    "Vars",
    "Protocol",
    "Evolution",
    "Evaluation",
    "Groups",
    "Formulae",
    "ctl",
    "ltl",
    "knowledge",
    "coalition",
    "logic",
    "condition",
    "number",
    "quantifier",
]

_FIELD: Final = re.compile(r"\$\{\d+:((?:[^\\}]|\\.)*)\}|\$\{\d+\|([^,|]*)[^|]*\|\}|\$\{?\d+\}?")
_ESCAPED: Final = re.compile(r"\\([$}\\])")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of text with places to fill in, and what to say about it."""

    label: str
    body: str
    detail: str
    documentation: str = ""

    @property
    def plain(self) -> str:
        """Return the text with what stands at first in its places."""
        return written_out(self.body)


def written_out(body: str) -> str:
    """Return the body of a snippet with what stands at first in its places."""
    filled = _FIELD.sub(lambda match: match[1] or match[2] or "", body)
    return _ESCAPED.sub(r"\1", filled)


def _block(word: str, line: str, *, colon: bool = False) -> str:
    return f"{word}{':' if colon else ''}\n  {line}\nend {word}"


_BEHAVIOUR: Final = (
    "  Actions = { ${4:go}, ${5:wait} };\n  Protocol:\n    Other : { ${4:go}, ${5:wait} };\n  end Protocol\n"
    "  Evolution:\n    ${2:state} = ${3:true} if Action = ${4:go};\n  end Evolution\n"
)
_VARIABLES: Final = "  Vars:\n    ${2:state} : boolean;\n  end Vars\n"

_PROGRAM: Final = (
    Snippet(
        "Agent",
        f"Agent ${{1:Name}}\n{_VARIABLES}{_BEHAVIOUR}end Agent\n$0",
        "an agent",
        "Who acts: variables of its own, actions, a protocol that says which of them may be done when, and "
        "an evolution that says how the variables change.",
    ),
    Snippet(
        "Agent Environment",
        "Agent Environment\n  Obsvars:\n    ${1:seen} : boolean;\n  end Obsvars\n"
        "  Vars:\n    ${2:state} : boolean;\n  end Vars\n" + _BEHAVIOUR + "end Agent\n$0",
        "the environment",
        "What surrounds the agents. All of them see its `Obsvars`, and each sees those of its `Vars` that "
        "the agent lists in `Lobsvars`.",
    ),
    Snippet(
        "Environment",
        "Environment\n  Vars:\n    ${2:state} : boolean;\n  end Vars\n"
        "  Actions = { ${4:reset} };\n  Protocol:\n"
        "    ${2:state} = ${3:true} : { ${4:reset} };\n  end Protocol\n"
        "  Evolution:\n    ${2:state} = false if Action = ${4:reset};\n  end Evolution\nend Environment\n$0",
        "the environment of templates",
        "One for all agents. Its variables are written `Environment.x` everywhere else.",
    ),
    Snippet(
        "Template",
        "Template ${1:Name}\n" + _VARIABLES + "  Actions = { ${4:go} };\n  Protocol:\n"
        "    ${2:state} = false : { ${4:go} };\n  end Protocol\n"
        "  Evolution:\n    ${2:state} = ${3:true} if Action = ${4:go};\n  end Evolution\nend Template\n$0",
        "any number of agents",
        "A kind of agent, and any number of them; `Template Name [1..3]` says from how many to how many.",
    ),
    Snippet(
        "Semantics",
        "Semantics = ${1|MultiAssignment,SingleAssignment,Interleaved|};\n$0",
        "how lines of Evolution are taken",
        "`MultiAssignment`: one line at a time. `SingleAssignment`: each variable follows its own lines. "
        "`Interleaved`: one event at a time.",
    ),
    Snippet(
        "Constants",
        _block("Constants", "${1:n} = ${2:3};$0"),
        "numbers with names",
        "Numbers that sizes and ranges depend on; `--set n=5` changes them.",
    ),
    Snippet(
        "Definitions",
        _block("Definitions", "${1:name} := ${2:Name.variable = value};$0"),
        "expressions with names",
        "Names for conditions and values, to be used wherever they could stand themselves.",
    ),
    Snippet(
        "Types",
        _block("Types", "${1:Name} : { ${2:first}, ${3:second} };$0"),
        "types with names",
        "Types of variables and of the columns of relations.",
    ),
    Snippet(
        "Relations",
        _block("Relations", "${1:Near} : ${2:Type} * ${3:Type};$0"),
        "relations that never change",
        "Nothing is known about a relation but the axioms: every interpretation counts.",
    ),
    Snippet(
        "Axioms",
        _block("Axioms", "forall ${1:x} : ${2:Type} (${3:Near}(${1:x}, ${1:x}));$0"),
        "what relations satisfy",
        "Conditions on relations and values that hold in every interpretation.",
    ),
    Snippet(
        "Parameters",
        _block("Parameters", "${1:n}, ${2:t};$0"),
        "numbers that nobody knows",
        "Templates' sizes and guards that count depend on them; what is decided holds for all.",
    ),
    Snippet(
        "Assume",
        _block("Assume", "${1:n > 3 * t};$0"),
        "what holds of parameters",
        "Conditions on parameters alone: comparisons of linear terms.",
    ),
    Snippet(
        "Predicates",
        _block("Predicates", "${1:Environment.x > 0};$0"),
        "what tells values apart",
        "Conditions by which the values of variables without bounds are told apart.",
    ),
    Snippet(
        "Evaluation",
        _block("Evaluation", "${1:name} if ${2:Name.variable = value};$0"),
        "propositions",
        "Names for conditions, which formulae speak about.",
    ),
    Snippet(
        "InitStates",
        _block("InitStates", "${1:Name.variable = value};$0"),
        "where runs begin",
        "One condition that holds in the initial states; what it does not mention is free.",
    ),
    Snippet(
        "TerminalStates",
        _block("TerminalStates", "${1:Name.variable = value};$0"),
        "where runs may end",
        "One condition; a deadlock in such a state is not complained of.",
    ),
    Snippet(
        "Groups",
        _block("Groups", "${1:name} = { ${2:Name} };$0"),
        "groups of agents",
        "Names for coalitions, and for those who know something together.",
    ),
    Snippet(
        "Fairness",
        _block("Fairness", "${1:p};$0"),
        "what happens again and again",
        "Runs count only if each of these holds infinitely often.",
    ),
    Snippet(
        "Formulae",
        _block("Formulae", "${1:name} : ${2:AG p};$0"),
        "what is asked",
        "The formulae to be decided, each with a name and an expectation where wanted.",
    ),
)

_AGENT: Final = (
    Snippet(
        "Obsvars",
        _block("Obsvars", "${1:name} : ${2:boolean};$0", colon=True),
        "variables that all agents see",
    ),
    Snippet(
        "Vars", _block("Vars", "${1:name} : ${2:boolean};$0", colon=True), "variables of this agent"
    ),
    Snippet(
        "Lobsvars",
        "Lobsvars = { ${1:variable} };$0",
        "variables of the environment that it sees",
        "The agent reads them as `Environment.x`. Those in `Obsvars` are seen anyway.",
    ),
    Snippet(
        "RedStates",
        _block("RedStates", "${1:variable = value};$0", colon=True),
        "states that break the rules",
        "`O(agent, p)` says that p holds wherever the agent keeps to the rules.",
    ),
    Snippet("Actions", "Actions = { ${1:go}, ${2:wait} };$0", "what it can do"),
    Snippet(
        "Sync",
        "Sync = { ${1:action} };$0",
        "what is done together with the environment",
        "Behind a name stands how many take part: `some`, `one` or `all`.",
    ),
    Snippet(
        "Protocol",
        _block("Protocol", "${1:Other} : { ${2:action} };$0", colon=True),
        "when actions may be done",
        "Those of all lines whose condition holds, and those of `Other` where no condition does.",
    ),
    Snippet(
        "Evolution",
        _block("Evolution", "${1:variable} = ${2:value} if Action = ${3:action};$0", colon=True),
        "how its variables change",
        "Each line has assignments and a condition on the state and on what agents do.",
    ),
)

_CTL: Final = (
    Snippet("AG", "AG ${1:p}", "always", "In all states that can be reached."),
    Snippet("AF", "AF ${1:p}", "sooner or later", "On every path, at some time."),
    Snippet("AX", "AX ${1:p}", "next", "After every step."),
    Snippet("EF", "EF ${1:p}", "possible", "In some state that can be reached."),
    Snippet("EG", "EG ${1:p}", "possibly always", "On some path, at all times."),
    Snippet("EX", "EX ${1:p}", "possibly next", "After some step."),
    Snippet(
        "A(p U q)", "A(${1:p} U ${2:q})", "until", "On every path q comes, and p holds until then."
    ),
    Snippet(
        "E(p U q)", "E(${1:p} U ${2:q})", "until", "On some path q comes, and p holds until then."
    ),
)

_LTL: Final = (
    Snippet("G", "G ${1:p}", "always", "At all times from now on."),
    Snippet("F", "F ${1:p}", "sooner or later", "At some time from now on."),
    Snippet("X", "X ${1:p}", "next", "After one step."),
)

_KNOWLEDGE: Final = (
    Snippet(
        "K",
        "K(${1:agent}, ${2:p})",
        "an agent knows",
        "In all states that look the same to the agent.",
    ),
    Snippet(
        "GK", "GK(${1:group}, ${2:p})", "everybody knows", "Each member of the group knows it."
    ),
    Snippet(
        "GCK",
        "GCK(${1:group}, ${2:p})",
        "common knowledge",
        "Everybody knows it, and knows that everybody does, and so on.",
    ),
    Snippet(
        "DK",
        "DK(${1:group}, ${2:p})",
        "distributed knowledge",
        "Those of the group would know it if they put together what they see.",
    ),
    Snippet(
        "O",
        "O(${1:agent}, ${2:p})",
        "as it ought to be",
        "In all states in which the agent keeps to the rules: its green states.",
    ),
)

_COALITION: Final = (
    Snippet(
        "<group>F",
        "<${1:group}>F ${2:p}",
        "the group can bring about",
        "Whatever the others do, the group can act so that p comes.",
    ),
    Snippet(
        "<group>G",
        "<${1:group}>G ${2:p}",
        "the group can keep up",
        "Whatever the others do, the group can act so that p always holds.",
    ),
    Snippet(
        "<group>X",
        "<${1:group}>X ${2:p}",
        "the group can do next",
        "Whatever the others do, the group can act so that p holds after one step.",
    ),
    Snippet(
        "<group>(p U q)",
        "<${1:group}>(${2:p} U ${3:q})",
        "the group can hold until",
        "The group can act so that q comes, and p holds until then.",
    ),
    Snippet(
        "[[group]]G",
        "[[${1:group}]]G ${2:p}",
        "the group cannot avoid",
        "Whatever the group does, p may hold for ever.",
    ),
    Snippet(
        "[[group]]F",
        "[[${1:group}]]F ${2:p}",
        "the group cannot avoid",
        "Whatever the group does, p may come.",
    ),
)

_LOGIC: Final = (
    Snippet(
        "LTL",
        "LTL ${1:G p}",
        "a formula on every path",
        "`G`, `F`, `X` and `U` without `A` and `E`.",
    ),
    Snippet(
        "CTL*",
        "CTL* ${1:A G p}",
        "a formula on states and paths",
        "`A` and `E` with any formula on paths.",
    ),
)

_QUANTIFIER: Final = (
    Snippet(
        "forall",
        "forall ${1:i} : ${2:1}..${3:n} (${4:true})",
        "for all values of an index",
        "All of them joined by `and`.",
    ),
    Snippet(
        "exists",
        "exists ${1:i} : ${2:1}..${3:n} (${4:true})",
        "for some value of an index",
        "All of them joined by `or`.",
    ),
)

_NUMBER: Final = (
    Snippet("min", "min(${1:a}, ${2:b})", "the smallest of some numbers"),
    Snippet("max", "max(${1:a}, ${2:b})", "the greatest of some numbers"),
    Snippet("abs", "abs(${1:a})", "a number without its sign"),
    Snippet("number", "number(${1:condition})", "1 where a condition holds, 0 elsewhere"),
    Snippet("sum", "sum ${1:i} : ${2:1}..${3:n} (${4:i})", "a sum over the values of an index"),
    Snippet(
        "count",
        "count ${1:i} : ${2:1}..${3:n} (${4:true})",
        "how many of the values of an index satisfy a condition",
    ),
)

_CHOICE: Final = (
    Snippet(
        "if",
        "if ${1:condition} then ${2:a} else ${3:b}",
        "a choice between two values",
        "The first where the condition holds, the second elsewhere.",
    ),
)

_TYPE: Final = (
    Snippet("range", "${1:0}..${2:3}", "numbers from one to another", "Both ends are included."),
    Snippet("enumeration", "{ ${1:first}, ${2:second} }", "values with names"),
)

#: All snippets, by where they may stand.
SNIPPETS: Final[Mapping[SnippetPlace, tuple[Snippet, ...]]] = MappingProxyType(
    {
        "program": _PROGRAM,
        "agent": _AGENT,
        "type": _TYPE,
        "for": (
            Snippet(
                "for",
                "for ${1:i} : ${2:1}..${3:n}:\n  $0\nend for",
                "lines for all values of an index",
                "The lines inside, once for each value.",
            ),
        ),
        "Constants": (Snippet("constant", "${1:n} = ${2:3};", "a number with a name"),),
        "Definitions": (
            Snippet(
                "definition", "${1:name} := ${2:Name.variable = value};", "a name for a condition"
            ),
        ),
        "Types": (
            Snippet("type", "${1:Name} : { ${2:first}, ${3:second} };", "a type with a name"),
        ),
        "Relations": (
            Snippet(
                "relation", "${1:Near} : ${2:Type} * ${3:Type};", "holds of two values, or not"
            ),
            Snippet(
                "function", "${1:Next} : ${2:Type} -> ${3:Type};", "has one value for each argument"
            ),
        ),
        "Vars": (
            Snippet("variable", "${1:name} : ${2:boolean};", "a variable"),
            Snippet(
                "variable with a start",
                "${1:name} : ${2:boolean} = ${3:false};",
                "and its first value",
            ),
        ),
        "Protocol": (
            Snippet("Other", "Other : { ${1:action} };", "where no other line holds"),
            Snippet("line", "${1:condition} : { ${2:action} };", "actions where a condition holds"),
        ),
        "Evolution": (
            Snippet(
                "line",
                "${1:variable} = ${2:value} if Action = ${3:action};",
                "a change of a variable",
            ),
        ),
        "Evaluation": (
            Snippet(
                "proposition", "${1:name} if ${2:Name.variable = value};", "a name for a condition"
            ),
        ),
        "Groups": (
            Snippet("group", "${1:name} = { ${2:Name} };", "agents with a name"),
            Snippet(
                "all but some", "${1:name} = all \\\\ { ${2:Name} };", "all agents without some"
            ),
        ),
        "Formulae": (
            Snippet(
                "formula",
                "${1:name} : ${2:AG p} expect ${3|true,false,undefined|};",
                "a formula with a name, and what is expected of it",
            ),
        ),
        "ctl": _CTL,
        "ltl": _LTL,
        "knowledge": _KNOWLEDGE,
        "coalition": _COALITION,
        "logic": _LOGIC,
        "condition": _CHOICE,
        "number": _NUMBER,
        "quantifier": _QUANTIFIER,
    }
)
