"""Text to syntax; reports every mistake it can find and never raises on user input."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from gnomon.language import syntax
from gnomon.language.agents import read_agent, read_environment, read_template
from gnomon.language.annotations import read_remarks, report_stray
from gnomon.language.cursor import PROGRAM_SECTIONS, Cursor, UnitKeeper
from gnomon.language.expressions import read_condition, read_name, read_value
from gnomon.language.lexer import Tokens, tokenize
from gnomon.language.members import read_agent_names, read_members
from gnomon.language.mistakes import hint_for_section
from gnomon.language.sections import (
    meant_section,
    only_condition,
    read_lines,
    read_type,
)
from gnomon.language.specifications import read_fairness, read_specification
from gnomon.text.diagnostic import Diagnostics, Label
from gnomon.text.errors import Reported
from gnomon.text.limits import room_to_recurse
from gnomon.text.source import Source, Span

#: What begins an agent.
_AGENTS: Final = ("Agent", "Environment", "Template")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A program as far as it could be read, and what was wrong with it."""

    program: syntax.Program
    diagnostics: Diagnostics


def parse(source: Source) -> Parsed:
    """Read a whole program."""
    diagnostics = Diagnostics(source)
    tokens = tokenize(source, diagnostics)
    return parse_tokens(tokens, diagnostics)


def parse_tokens(
    tokens: Tokens, diagnostics: Diagnostics, kept: UnitKeeper | None = None
) -> Parsed:
    """Read the tokens of a whole program; what was `kept` is not read again."""
    cursor = Cursor(tokens, diagnostics)
    cursor.kept = kept
    with room_to_recurse():
        rules = read_remarks(tokens, cursor)
        program = _read_program(cursor, rules)
    report_stray(cursor)
    return Parsed(program, diagnostics)


def parse_formula(source: Source) -> tuple[syntax.FormulaLine | None, Diagnostics]:
    """Read a text that is one formula, with or without a `;` behind it."""
    diagnostics = Diagnostics(source)
    tokens = tokenize(source, diagnostics)
    cursor = Cursor(tokens, diagnostics)
    cursor.context = "the formula"
    read_remarks(tokens, cursor)
    line = None
    with room_to_recurse():
        try:
            line = read_specification(cursor)
            cursor.accept(";")
            if cursor.kind != "end of file":
                cursor.fail("the end of the formula")
        except Reported:
            line = None
    return line, diagnostics


# The program


def _read_program(cursor: Cursor, rules: tuple[syntax.CodeRule, ...]) -> syntax.Program:
    found: dict[str, Any] = {"agents": [], "code_rules": rules}
    places: dict[str, Span] = {}
    while cursor.kind != "end of file":
        word, place = cursor.text, cursor.here()
        reader = _READERS.get(word)
        if reader is None:
            _skip_unknown(cursor)
            continue
        if word in places and word not in ("Agent", "Template"):
            cursor.diagnostics.add(
                "G0108",
                f"a second `{word}` section",
                place,
                label="a program has only one",
                related=(Label(places[word], "the first one is here"),),
                help="join the two sections",
            )
        places.setdefault(word, place)
        if cursor.kept is not None and word in _AGENTS:
            _read_agent(cursor, found, word, cursor.kept)
            continue
        cursor.take()
        try:
            reader(cursor, found)
        except Reported:
            cursor.recover()
    agents = tuple(found.pop("agents"))
    return syntax.Program(
        agents=agents,
        uses_families=cursor.uses_families,
        span=Span(0, cursor.ends[-2] if len(cursor.ends) > 1 else 0),
        **found,
    )


def _read_agent(cursor: Cursor, found: dict[str, Any], word: str, kept: UnitKeeper) -> None:
    """Read an agent, unless it was read before."""
    known = kept.take(cursor, word)
    if known is not None:
        found["agents"].append(known)
        return
    mark = kept.begin(cursor)
    cursor.take()
    try:
        _READERS[word](cursor, found)
        kept.end(cursor, mark, word, found["agents"][-1])
    except Reported:
        kept.abandon(cursor, mark)
        cursor.recover()


def _skip_unknown(cursor: Cursor) -> None:
    """Report text that starts no section, and go on to the next that does."""
    guess = meant_section(cursor, PROGRAM_SECTIONS)
    cursor.diagnostics.add(
        "G0109",
        f"`{cursor.text[:40]}` does not start any section of a program",
        cursor.here(),
        label="expected a section such as `Agent`, `Evaluation` or `Formulae`",
        help=f"did you mean `{guess}`?"
        if guess
        else hint_for_section(cursor.texts, cursor.position),
    )
    misspelt = guess if guess in ("Agent", "Template") else None
    cursor.take()
    while cursor.kind != "end of file" and (misspelt or not _starts_section(cursor)):
        if cursor.kind == "end":
            cursor.take()
            if cursor.text == misspelt:
                misspelt = None
        cursor.take()


def _starts_section(cursor: Cursor) -> bool:
    """Return whether a section starts here; `Environment.x` starts none."""
    return cursor.text in _READERS and cursor.ahead() != "."


def _read_semantics(cursor: Cursor, found: dict[str, Any]) -> None:
    cursor.context = "the line `Semantics`"
    cursor.expect("=")
    semantics = {"MA": "MultiAssignment", "SA": "SingleAssignment"}.get(cursor.text, cursor.text)
    if semantics not in ("MultiAssignment", "SingleAssignment", "Interleaved"):
        cursor.fail("`MultiAssignment`, `SingleAssignment` or `Interleaved`")
    found["semantics_word"] = syntax.Name(cursor.text, span=cursor.here())
    cursor.take()
    found["semantics"] = semantics
    cursor.expect_semicolon("the line `Semantics`")


def _read_constants(cursor: Cursor, found: dict[str, Any]) -> None:
    cursor.uses_families = True
    cursor.context = "`Constants`"
    if _is_single_line(cursor):
        found["constants"] = (_read_constant(cursor),)
        cursor.expect_semicolon("a constant")
        return
    _CONSTANTS(cursor, found)


def _is_single_line(cursor: Cursor) -> bool:
    """Return whether this is `Constants n = 3;` with no `end Constants` to follow."""
    place = cursor.position
    while cursor.kinds[place] not in (";", "end of file"):
        place += 1
    following = cursor.texts[min(place + 1, len(cursor.kinds) - 1)]
    return following in _READERS


def _read_constant(cursor: Cursor) -> syntax.Constant:
    start = cursor.starts[cursor.position]
    name = cursor.identifier("the name of a constant")
    cursor.expect("=")
    return syntax.Constant(name, read_value(cursor), cursor.since(start))


def _read_parameters(cursor: Cursor) -> syntax.ParameterLine:
    start = cursor.starts[cursor.position]
    names = [_read_parameter(cursor)]
    while cursor.accept(","):
        names.append(_read_parameter(cursor))
    return syntax.ParameterLine(tuple(names), cursor.since(start))


def _read_parameter(cursor: Cursor) -> syntax.Name:
    place = cursor.here()
    return syntax.Name(cursor.identifier("the name of a parameter"), (), place)


def _read_type(cursor: Cursor) -> syntax.TypeDeclaration:
    start = cursor.starts[cursor.position]
    name = read_name(cursor, "the name of a type")
    cursor.expect(":")
    return syntax.TypeDeclaration(name, read_type(cursor), cursor.since(start))


def _read_relation(cursor: Cursor) -> syntax.RelationDeclaration:
    start = cursor.starts[cursor.position]
    name = read_name(cursor, "the name of a relation")
    cursor.expect(":")
    columns = [read_name(cursor, "the name of a type")]
    while cursor.accept("*"):
        columns.append(read_name(cursor, "the name of a type"))
    result = read_name(cursor, "the name of a type") if cursor.accept("->") else None
    return syntax.RelationDeclaration(name, tuple(columns), result, cursor.since(start))


def _read_proposition(cursor: Cursor) -> syntax.Proposition:
    start = cursor.starts[cursor.position]
    name = read_name(cursor, "the name of a proposition")
    cursor.expect("if", "a proposition is written `name if condition;`")
    return syntax.Proposition(name, read_condition(cursor), cursor.since(start))


def _read_group(cursor: Cursor) -> syntax.Group:
    start = cursor.starts[cursor.position]
    name = read_name(cursor, "the name of a group")
    cursor.expect("=")
    if cursor.kind == "{":
        members: tuple[syntax.Members, ...] = read_agent_names(cursor)
    else:
        members = (_read_difference(cursor),)
    return syntax.Group(name, members, cursor.since(start))


def _read_difference(cursor: Cursor) -> syntax.GroupDifference:
    found = read_members(cursor, "`{`")
    if isinstance(found, syntax.Name):
        cursor.fail(
            "`\\`", "a group is written `{ A, B }`, or `all \\ { A, B }`: all agents but these"
        )
    return found


def _read_initial(cursor: Cursor, found: dict[str, Any]) -> None:
    _INITIAL(cursor, found)
    found["initial"] = only_condition(cursor, "InitStates", found["initial"])


def _read_definition(cursor: Cursor) -> syntax.Definition:
    start = cursor.starts[cursor.position]
    name = read_name(cursor, "the name of a definition")
    cursor.expect(":=", "a definition is written `name := expression;`")
    return syntax.Definition(name, read_condition(cursor), cursor.since(start))


def _read_definitions(cursor: Cursor, found: dict[str, Any]) -> None:
    start = cursor.starts[cursor.position - 1]
    _DEFINITIONS(cursor, found)
    found["definitions"] = syntax.DefinitionSection(found["definitions"], cursor.since(start))


def _read_terminal(cursor: Cursor, found: dict[str, Any]) -> None:
    _TERMINAL(cursor, found)
    found["terminal"] = only_condition(cursor, "TerminalStates", found["terminal"])


def _lines(
    field: str, section: str, read_line: Callable[[Cursor], Any], after: str
) -> Callable[[Cursor, dict[str, Any]], None]:
    """Return what reads a section that is a list of lines."""

    def read(cursor: Cursor, found: dict[str, Any]) -> None:
        cursor.context = f"`{section}`"
        cursor.accept(":")
        found[field] = read_lines(cursor, section, read_line, after)

    return read


_INITIAL = _lines("initial", "InitStates", read_condition, "the initial condition")
_DEFINITIONS = _lines("definitions", "Definitions", _read_definition, "a definition")
_TERMINAL = _lines("terminal", "TerminalStates", read_condition, "the terminal condition")
_CONSTANTS = _lines("constants", "Constants", _read_constant, "a constant")

_READERS: dict[str, Callable[[Cursor, dict[str, Any]], None]] = {
    "Semantics": _read_semantics,
    "Constants": _read_constants,
    "Parameters": _lines("parameters", "Parameters", _read_parameters, "parameters"),
    "Assume": _lines("assumptions", "Assume", read_condition, "an assumption"),
    "Definitions": _read_definitions,
    "Types": _lines("types", "Types", _read_type, "a type"),
    "Relations": _lines("relations", "Relations", _read_relation, "a relation"),
    "Axioms": _lines("axioms", "Axioms", read_condition, "an axiom"),
    "Predicates": _lines("predicates", "Predicates", read_condition, "a predicate"),
    "Agent": read_agent,
    "Environment": read_environment,
    "Template": read_template,
    "Evaluation": _lines("evaluation", "Evaluation", _read_proposition, "a proposition"),
    "InitStates": _read_initial,
    "TerminalStates": _read_terminal,
    "Groups": _lines("groups", "Groups", _read_group, "a group"),
    "Fairness": _lines("fairness", "Fairness", read_fairness, "a fairness constraint"),
    "Formulae": _lines("formulae", "Formulae", read_specification, "a formula"),
}
