"""Agents, the environment and templates: their sections, and the lines of protocol and evolution."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, Literal, TypeAlias, cast

from gnomon.language import syntax
from gnomon.language.cursor import PROGRAM_SECTIONS, Cursor
from gnomon.language.expressions import read_agent_name, read_condition, read_name, read_value
from gnomon.language.sections import (
    close_section,
    meant_section,
    only_condition,
    read_lines,
    read_name_list,
    read_variable,
)
from gnomon.text.errors import Reported
from gnomon.text.source import Span

#: What is left where a condition is assigned without brackets; `=` is more often a slip for `and`.
_COMPARING: Final = ("<", "<=", ">", ">=", "<>", "!=", "in")


def read_agent(cursor: Cursor, found: dict[str, Any]) -> None:
    """Read `Agent Name … end Agent`."""
    start = cursor.starts[cursor.position - 1]
    try:
        name = read_agent_name(cursor)
    except Reported:
        name = syntax.Name("", (), cursor.here())
    kind: Literal["agent", "environment"] = "environment" if name.text == "Environment" else "agent"
    found["agents"].append(_read_agent_body(cursor, name, kind, "Agent", start, {}))


def read_environment(cursor: Cursor, found: dict[str, Any]) -> None:
    """Read `Environment … end Environment`."""
    place = Span(cursor.starts[cursor.position - 1], cursor.ends[cursor.position - 1])
    name = syntax.Name("Environment", (), place)
    agent = _read_agent_body(cursor, name, "environment", "Environment", place.start, {})
    found["agents"].append(agent)


def read_template(cursor: Cursor, found: dict[str, Any]) -> None:
    """Read `Template Name [low..high] … end Template`, where `[number]` is short for `[number..number]`."""
    start = cursor.starts[cursor.position - 1]
    place = cursor.here()
    name = syntax.Name(cursor.identifier("the name of a template"), (), place)
    extra: dict[str, Any] = {}
    if cursor.accept("["):
        low = read_value(cursor)
        high: syntax.Expression | None = low
        if not cursor.accept("]"):
            cursor.expect("..")
            high = None if cursor.accept("*") else read_value(cursor)
            cursor.expect("]")
        extra["bounds"] = (low, high)
    found["agents"].append(_read_agent_body(cursor, name, "template", "Template", start, extra))


def _read_agent_body(
    cursor: Cursor,
    name: syntax.Name,
    kind: Literal["agent", "environment", "template"],
    closing: str,
    start: int,
    extra: dict[str, Any],
) -> syntax.Agent:
    sections = extra
    while cursor.kind not in ("end", "end of file", "Agent"):
        if cursor.mend_end():
            break
        word = cursor.text
        section = _AGENT_READERS.get(word)
        if section is None:
            if word in PROGRAM_SECTIONS:
                break
            _skip_agent_junk(cursor, name.text)
            continue
        cursor.context = f"the section `{word}` of agent `{name.text}`"
        field, read_section = section
        if sections.get(field) is not None:
            cursor.diagnostics.add(
                "G0108",
                f"a second `{word}` section in agent `{name.text}`",
                cursor.here(),
                label="an agent has only one",
                help="join the two sections",
            )
        cursor.take()
        try:
            read_section(cursor, sections, field)
        except Reported:
            _recover_in_agent(cursor, word)
    close_section(cursor, closing, name.span)
    return syntax.Agent(name=name, kind=kind, span=cursor.since(start), **sections)


def _skip_agent_junk(cursor: Cursor, agent: str) -> None:
    guess = meant_section(cursor, list(_AGENT_READERS))
    cursor.diagnostics.add(
        "G0109",
        f"`{cursor.text[:40]}` does not start any section of agent `{agent}`",
        cursor.here(),
        label="expected a section such as `Vars`, `Actions` or `Protocol`",
        help=f"did you mean `{guess}`?" if guess else "",
    )
    cursor.take()
    while cursor.kind not in ("end of file", "end") and cursor.text not in _AGENT_READERS:
        cursor.take()
    if cursor.kind == "end" and (cursor.ahead() == "name" or cursor.ahead() in _AGENT_READERS):
        cursor.take()
        cursor.take()


def _recover_in_agent(cursor: Cursor, word: str) -> None:
    """Go on after a section that could not be read: past its `end`, or past its `;`."""
    cursor.recover()
    if cursor.kind == "end" and cursor.ahead() == word:
        cursor.take()
        cursor.take()


# Protocol and evolution


def _read_protocol_line(cursor: Cursor) -> syntax.ProtocolLine:
    """Read `condition : { actions }` or `Other : { actions }`."""
    start = cursor.starts[cursor.position]
    condition = None if cursor.accept("Other") else read_condition(cursor)
    cursor.expect(":", "a protocol line is written `condition : { actions };`")
    actions = read_name_list(cursor, "an action")
    return syntax.ProtocolLine(condition, actions, cursor.since(start))


def _read_evolution_line(cursor: Cursor) -> syntax.EvolutionLine:
    """Read `assignments if guard`."""
    start = cursor.starts[cursor.position]
    assignments = _read_assignments(cursor)
    why = "an evolution line is written `assignments if guard;`"
    if cursor.text in _COMPARING:
        why = "a condition that is assigned stands in brackets: `x = (y >= 2)`"
    cursor.expect("if", why)
    guard = read_condition(cursor)
    return syntax.EvolutionLine(tuple(assignments), guard, cursor.since(start))


def _read_assignments(cursor: Cursor) -> list[syntax.Assignment]:
    cursor.enter()
    assignments: list[syntax.Assignment] = []
    while True:
        if cursor.kind == "(":
            cursor.take()
            assignments.extend(_read_assignments(cursor))
            cursor.expect(")")
        else:
            assignments.append(_read_assignment(cursor))
        if not cursor.accept("and"):
            break
    cursor.leave()
    return assignments


def _read_assignment(cursor: Cursor) -> syntax.Assignment:
    start = cursor.starts[cursor.position]
    if cursor.kind == "Environment" or cursor.ahead() == ".":
        cursor.fail("the name of a variable", "an agent can only assign to variables of its own")
    target = read_name(cursor, "the name of a variable")
    cursor.expect("=")
    return syntax.Assignment(target, read_value(cursor), cursor.since(start))


def _read_synchronised(cursor: Cursor) -> tuple[syntax.SyncDeclaration, ...]:
    """Read `{ a, b : one, c : all, d : all with b }`."""
    cursor.expect("{")
    declared: list[syntax.SyncDeclaration] = []
    while cursor.kind != "}":
        start = cursor.starts[cursor.position]
        name = read_name(cursor, "an action")
        multiplicity: Literal["some", "one", "all"] = "some"
        if cursor.accept(":"):
            if cursor.text not in ("some", "one", "all"):
                cursor.fail("`some`, `one` or `all`")
            multiplicity = cast(Literal["some", "one", "all"], cursor.take())
        leader = None
        if multiplicity == "all" and cursor.text == "with":
            cursor.take()
            leader = read_name(cursor, "the action that others do")
        declared.append(syntax.SyncDeclaration(name, multiplicity, cursor.since(start), leader))
        if not cursor.accept(","):
            break
    cursor.expect("}")
    return tuple(declared)


# The sections: what reads each of them, and the field of the tree that it goes to

_SectionReader: TypeAlias = Callable[[Cursor, dict[str, Any], str], None]


def _list(read_list: Callable[[Cursor], Any], after: str) -> _SectionReader:
    def read(cursor: Cursor, sections: dict[str, Any], field: str) -> None:
        cursor.expect("=")
        sections[field] = read_list(cursor)
        cursor.expect_semicolon(after)

    return read


def _lines(section: str, read_line: Callable[[Cursor], Any], after: str) -> _SectionReader:
    def read(cursor: Cursor, sections: dict[str, Any], field: str) -> None:
        cursor.suppose(":", f"write `{section}: … end {section}`")
        sections[field] = read_lines(cursor, section, read_line, after)

    return read


def _read_red(cursor: Cursor, sections: dict[str, Any], field: str) -> None:
    cursor.expect(":")
    lines = read_lines(cursor, "RedStates", read_condition, "the condition")
    sections[field] = only_condition(cursor, "RedStates", lines)


_ACTIONS = partial(read_name_list, what="an action")
_OBSERVED = partial(read_name_list, what="the name of a variable")

_AGENT_READERS: dict[str, tuple[str, _SectionReader]] = {
    "Obsvars": ("observed", _lines("Obsvars", read_variable, "a variable")),
    "Vars": ("variables", _lines("Vars", read_variable, "a variable")),
    "Lobsvars": ("local_observed", _list(_OBSERVED, "the list of observed variables")),
    "RedStates": ("red", _read_red),
    "Actions": ("actions", _list(_ACTIONS, "the list of actions")),
    "Sync": ("synchronised", _list(_read_synchronised, "the list of synchronised actions")),
    "Protocol": ("protocol", _lines("Protocol", _read_protocol_line, "a protocol line")),
    "Evolution": ("evolution", _lines("Evolution", _read_evolution_line, "an evolution line")),
}
