"""A place in a text with all that decides what may stand there: its section, its statement, the names."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from gnomon.editing.completion.names import KnownAgent, KnownNames, KnownVariable
from gnomon.editing.completion.surroundings import Surroundings
from gnomon.editing.completion.terms import (
    FORMULA_SECTIONS,
    OpenFrame,
    ReadOperand,
    StatementReading,
    Wants,
    is_formula,
)
from gnomon.language import syntax
from gnomon.language.cursor import Cursor
from gnomon.language.lexer import tokenize
from gnomon.language.sections import read_type
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.source import Source

#: What kinds of values there are, as far as they can be compared.
Category: TypeAlias = Literal["boolean", "number", "names", "agents"]

#: Types may be names of others, which a text may write in a circle.
_MOST_NAMES: Final = 20
_COMPARING: Final = frozenset(("=", "<>", "<", "<=", ">", ">=", "->", "<->", "xor"))


@dataclass(frozen=True, slots=True)
class Site:
    """A place, and what is known about it."""

    names: KnownNames
    inside: Surroundings
    reading: StatementReading
    own: KnownAgent | None
    #: The character behind the place.
    following: str = ""
    #: The definitions before the place, where that is among them.
    defined: frozenset[str] | None = None

    @property
    def actions(self) -> bool:
        """Return whether what agents do may be looked at here."""
        section = self.inside.section
        if section == "Evolution":
            return self.reading.line.part > 0
        return section in ("Fairness", "Definitions")

    def acts(self, agent: KnownAgent) -> bool:
        """Return whether what an agent does may be looked at here; `Action` alone is that of the own one."""
        if not self.actions or not agent.actions or self.names.templates:
            return False
        return agent is not self.own or bool(agent.indices)

    @property
    def constant(self) -> bool:
        """Return whether only numbers, constants and indices may be read here."""
        section, reading = self.inside.section, self.reading
        if section in ("Constants", "Types", "Vars", "Obsvars", "Agent", "Template"):
            return True
        return any(
            frame.kind in ("quantifier", "binder", "bounds", "steps", "number")
            or (frame.kind == "index" and frame.resume in _LISTING)
            for frame in _since_body(reading)
        )

    @property
    def formula(self) -> bool:
        """Return whether a formula stands here."""
        return self.inside.section in FORMULA_SECTIONS and is_formula(self.reading.frames)

    def agent(self, name: str) -> KnownAgent | None:
        """Return the agent or template that a name or an index stands for."""
        domain = self.reading.bound.get(name, "")
        if name == "self" and self.own is not None and self.own.kind == "template":
            return self.own
        return self.names.agents.get(domain) or self.names.agents.get(name)

    def variable(self, term: ReadOperand) -> KnownVariable | None:
        """Return the variable that a term reads."""
        if term.kind != "name":
            return None
        agent = self.own if term.owner is None else self.agent(term.owner)
        return None if agent is None else agent.variables.get(term.name)

    # Types

    def type_of(self, term: ReadOperand | None) -> syntax.Type | None:
        """Return the type of a term, named types looked up; None where it cannot be told."""
        if term is None:
            return None
        match term.kind:
            case "number":
                return syntax.IntegerType()
            case "truth":
                return syntax.BooleanType()
            case "type":
                return self.looked_up(_read(term.name))
            case "applied":
                return self._applied(term.name)
            case "action":
                return self._actions(term.owner)
            case "name":
                return self._named(term)

    def looked_up(self, type_: syntax.Type | None) -> syntax.Type | None:
        """Return a type, by what its name stands for."""
        for _ in range(_MOST_NAMES):
            if not isinstance(type_, syntax.NamedType):
                break
            name = type_.name.text
            type_ = self.names.types.get(name)
            if type_ is None and name in self.names.templates:
                return self._pointed(name)
        return type_

    def _pointed(self, template: str) -> syntax.Type:
        """Return what a pointer may be compared with, and in the environment what it may become."""
        values = [syntax.Name("none")]
        if self.own is not None and self.own.kind == "environment":
            values.append(syntax.Name(template))
        return syntax.EnumerationType(tuple(values))

    def _actions(self, owner: str | None) -> syntax.Type | None:
        agent = self.own if owner is None else self.agent(owner)
        if agent is None:
            return None
        return syntax.EnumerationType(tuple(syntax.Name(name) for name in agent.actions))

    def _applied(self, name: str) -> syntax.Type:
        relation = self.names.relations.get(name)
        if relation is None:
            return syntax.IntegerType()
        if relation.result is None:
            return syntax.BooleanType()
        named = syntax.NamedType(relation.result)
        return self.looked_up(named) or named

    def _named(self, term: ReadOperand) -> syntax.Type | None:
        variable = self.variable(term)
        if variable is not None:
            return self.looked_up(variable.type)
        if term.owner is not None:
            return None
        domain = self.reading.bound.get(term.name)
        if domain is not None:
            return self.names.types.get(domain) if domain else syntax.IntegerType()
        if term.name in self.names.constants:
            return syntax.IntegerType()
        definition = self.names.definitions.get(term.name)
        return None if definition is None else self.expression_type(definition.body)

    def expression_type(self, expression: syntax.Expression) -> syntax.Type | None:
        """Return the type of an expression, as far as it can be seen at a glance."""
        match expression:
            case syntax.Reference(None, _):
                return None  # perhaps another definition, and so on
            case syntax.Reference(syntax.Name(owner), name):
                return self.type_of(ReadOperand("name", name.text, owner))
            case syntax.Number() | syntax.Chain("+"):
                return syntax.IntegerType()
            case syntax.Binary(operator) if operator not in _COMPARING:
                return syntax.IntegerType()
            case syntax.IfThenElse(_, then):
                return self.expression_type(then)
            case syntax.Quantified(word) if word in ("sum", "count"):
                return syntax.IntegerType()
            case syntax.Application(relation):
                return self._applied(relation.text)
            case syntax.ActionOf():
                return None
            case _:
                return syntax.BooleanType()

    def category(self, term: ReadOperand | None) -> Category | None:
        """Return what kind of value a term is; None where that cannot be told."""
        if term is not None and term.owner is None and term.kind == "name":
            agent = self.agent(term.name)
            if agent is not None and (term.name == "self" or term.name in self.reading.bound):
                return "agents"
        return category(self.type_of(term))

    @property
    def expected(self) -> ReadOperand | None:
        """Return what the operand here is compared with, assigned to, or an argument for."""
        frame = self.reading.top
        relation = self.names.relations.get(frame.word) if frame.kind == "call" else None
        if frame.expected is None and relation and frame.part < len(relation.columns):
            return ReadOperand("type", relation.columns[frame.part].text)
        return frame.expected

    @property
    def wanted(self) -> Category | None:
        """Return what kind of value is wanted here; None where any is."""
        frame, wanted = self.reading.top, self.category(self.expected)
        if wanted == "boolean" and not frame.compared:
            # A condition in brackets, or at the end of a declaration, may begin with anything.
            whole = frame.kind == "line" and self.inside.section in ("Vars", "Obsvars")
            return None if whole or frame.kind == "group" else wanted
        return wanted


_LISTING: Final = (Wants.LISTED_END, Wants.MEMBER_END, Wants.NEW_END)


def category(type_: syntax.Type | None) -> Category | None:
    """Return what kind of values a type has."""
    match type_:
        case syntax.BooleanType():
            return "boolean"
        case syntax.RangeType() | syntax.IntegerType():
            return "number"
        case syntax.EnumerationType():
            return "names"
        case _:
            return None


def _read(text: str) -> syntax.Type | None:
    """Return a type that was just written."""
    source = Source("", f"{text};")
    diagnostics = Diagnostics(source)
    try:
        return read_type(Cursor(tokenize(source, diagnostics), diagnostics))
    except Reported:
        return None


def _since_body(reading: StatementReading) -> list[OpenFrame]:
    """Return what is open inside the innermost body of a quantifier."""
    frames = reading.frames
    for place in range(len(frames) - 1, -1, -1):
        if frames[place].kind == "body":
            return frames[place:]
    return frames
