"""A program's tree to the symbols in it: what each name means, by the rules of `model/elaborate`.

The tree is the one that was written, before families are written out, and may have been read from a text with
mistakes: what cannot be told is left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from gnomon.editing.declared import AgentScope, DeclaredNames
from gnomon.editing.symbols import Occurrence, Symbol, SymbolIndex, SymbolKind
from gnomon.language import syntax
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.elaborate.templates.fairness import PROMISES
from gnomon.text.limits import check_limits, paused_collection, room_to_recurse
from gnomon.text.source import Source, Span

#: Indices in scope, each with what it runs through where that is a template.
_Bound: TypeAlias = Mapping[str, tuple[Symbol, str]]

_NONE: _Bound = MappingProxyType({})
_MANY = 256


def resolve(source: Source, program: syntax.Program) -> SymbolIndex:
    """Return all names of a program with what they mean."""
    with room_to_recurse(), paused_collection():
        return SymbolIndex(_Resolver(source, program).all())


class _Noting:
    """Notes names where they stand, and which indices mean something where."""

    def __init__(self, source: Source, program: syntax.Program) -> None:
        self.text = source.text
        self.names = DeclaredNames(program)
        self.found: list[Occurrence] = []
        self.seen = 0

    def expression(self, expression: syntax.Expression, bound: _Bound) -> None:
        """Go through an expression in which some indices mean something."""
        raise NotImplementedError

    def _lines(
        self,
        lines: "Iterable[syntax.Line | syntax.Repeat[syntax.Line]]",
        bound: _Bound = _NONE,
    ) -> "Iterator[tuple[syntax.Line, _Bound]]":
        """Yield lines with the indices of the `for` around them."""
        for line in lines:
            if isinstance(line, syntax.Repeat):
                yield from self._lines(line.lines, self._bind(line.binders, bound))
            else:
                yield line, bound

    def _bind(self, binders: Iterable[syntax.Binder], bound: _Bound) -> _Bound:
        """Note indices where they are introduced, and return what is in scope behind them."""
        inside = dict(bound)
        for binder in binders:
            template = ""
            if isinstance(binder.domain, syntax.Name):
                template = self._domain(binder.domain, inside)
            else:
                self.expression(binder.domain.low, inside)
                self.expression(binder.domain.high, inside)
            place = self._binder_place(binder)
            symbol = Symbol(SymbolKind.INDEX, binder.variable, scope=place.start)
            self._add(place, symbol, declares=True)
            inside[binder.variable] = (symbol, template)
            if binder.where is not None:
                self.expression(binder.where, inside)
        return inside

    def _domain(self, name: syntax.Name, bound: _Bound) -> str:
        if name.text in self.names.agents:
            self._name(name, self.names.agent(name.text), bound)
            return name.text
        self._name(name, Symbol(SymbolKind.TYPE, name.text), bound)
        return ""

    def _binder_place(self, binder: syntax.Binder) -> Span:
        """Return where the index of a binder stands; several may have been introduced together."""
        start, end = binder.span
        word = re.compile(rf"\b{re.escape(binder.variable)}\b", re.ASCII)
        found = word.search(self.text, start, end)
        return Span(*found.span()) if found else Span(start, start + len(binder.variable))

    def _declared(self, name: syntax.Name, symbol: Symbol, bound: _Bound) -> _Bound:
        """Note where something is declared, and return the indices that its own binders add."""
        self._add(_place(name), symbol, declares=True)
        inside = bound
        for index in name.indices:
            if isinstance(index, syntax.Binder):
                inside = self._bind((index,), inside)
            else:
                self.expression(index, inside)
        return inside

    def _name(
        self,
        name: syntax.Name,
        symbol: Symbol,
        bound: _Bound = _NONE,
        *,
        declares: bool = False,
        assigns: bool = False,
    ) -> None:
        self._add(_place(name), symbol, declares=declares, assigns=assigns)
        self._indices(name, bound)

    def _indices(self, name: syntax.Name, bound: _Bound) -> None:
        for index in name.indices:
            if isinstance(index, syntax.Binder):
                bound = self._bind((index,), bound)
            else:
                self.expression(index, bound)

    def _add(
        self, span: Span, symbol: Symbol, *, declares: bool = False, assigns: bool = False
    ) -> None:
        # What was supposed where something is missing has a name that does not stand there.
        if symbol.name and self.text.startswith(symbol.name, span.start):
            self.found.append(Occurrence(span, symbol, declares, assigns))

    def _watch(self) -> None:
        self.seen += 1
        if not self.seen % _MANY:
            check_limits()


class _Resolver(_Noting):
    """Goes through a program once."""

    def __init__(self, source: Source, program: syntax.Program) -> None:
        super().__init__(source, program)
        self.program = program
        self.owner: AgentScope | None = None

    def all(self) -> list[Occurrence]:
        """Return every occurrence, in no particular order."""
        program = self.program
        for constant in program.constants:
            place = Span(constant.span.start, constant.span.start + len(constant.name))
            self._add(place, Symbol(SymbolKind.CONSTANT, constant.name), declares=True)
            self.expression(constant.value, _NONE)
        for parameter in (name for line in program.parameters for name in line.names):
            self._name(parameter, Symbol(SymbolKind.PARAMETER, parameter.text), declares=True)
        for declared in program.types:
            self._name(declared.name, Symbol(SymbolKind.TYPE, declared.name.text), declares=True)
            self._type(declared.type, _NONE)
        for relation in program.relations:
            self._relation(relation)
        for agent in program.agents:
            self._agent(agent)
        self.owner = None
        self._sections()
        return self.found

    def _sections(self) -> None:
        program = self.program
        for condition in (*program.axioms, program.initial, program.terminal):
            if condition is not None:
                self.expression(condition, _NONE)
        told = (*program.assumptions, *program.predicates)
        predicates: Iterator[tuple[syntax.Expression, _Bound]] = self._lines(told)
        for predicate, bound in predicates:
            self.expression(predicate, bound)
        definitions = () if program.definitions is None else program.definitions.lines
        for definition, bound in self._lines(definitions):
            symbol = Symbol(SymbolKind.DEFINITION, definition.name.text)
            inside = self._declared(definition.name, symbol, bound)
            self.expression(definition.body, inside)
        for proposition, bound in self._lines(program.evaluation or ()):
            symbol = Symbol(SymbolKind.PROPOSITION, proposition.name.text)
            inside = self._declared(proposition.name, symbol, bound)
            self.expression(proposition.condition, inside)
        for group, bound in self._lines(program.groups):
            inside = self._declared(group.name, Symbol(SymbolKind.GROUP, group.name.text), bound)
            self._members(group.members, inside)
        for line, bound in (*self._lines(program.fairness), *self._lines(program.formulae or ())):
            if not _is_promise(program, line):
                self._formula_line(line, bound)

    def _formula_line(self, line: syntax.FormulaLine, bound: _Bound) -> None:
        name = line.annotation.name
        if name is not None:
            base = name.text.partition("[")[0]
            place = Span(name.span.start, name.span.start + len(base))
            self._add(place, Symbol(SymbolKind.FORMULA, base), declares=True)
            self._indices(name, bound)
        self.formula(line.formula, bound)

    # Agents

    def _agent(self, agent: syntax.Agent) -> None:
        self.owner = own = self.names.agents[agent.name.text]
        bound = self._declared(agent.name, self.names.agent(own.name), _NONE)
        for limit in agent.bounds or ():
            if limit is not None:
                self.expression(limit, bound)
        declared = (*(agent.observed or ()), *(agent.variables or ()))
        for line, inner in self._lines(declared, bound):
            symbol = Symbol(SymbolKind.VARIABLE, line.name.text, own.name)
            inside = self._declared(line.name, symbol, inner)
            self._type(line.type, inside)
            if line.initial is not None:
                self.expression(line.initial, inside)
        for name in agent.local_observed or ():
            self._name(name, Symbol(SymbolKind.VARIABLE, name.text, ENVIRONMENT), bound)
        for action in agent.actions or ():
            self._declared(action, self.names.action(own.name, action.text), bound)
        for synchronised in agent.synchronised or ():
            action, leader = synchronised.name, synchronised.leader
            inner = self._declared(action, self.names.action(own.name, action.text), bound)
            if leader is not None:
                self._name(leader, self.names.action(own.name, leader.text), inner)
        if agent.red is not None:
            self.expression(agent.red, bound)
        self._behaviour(agent, own, bound)

    def _behaviour(self, agent: syntax.Agent, own: AgentScope, bound: _Bound) -> None:
        for line, inner in self._lines(agent.protocol or (), bound):
            if line.condition is not None:
                self.expression(line.condition, inner)
            for action in line.actions:
                self._name(action, self.names.action(own.name, action.text), inner)
        for rule, inner in self._lines(agent.evolution or (), bound):
            for assignment in rule.assignments:
                target = assignment.target
                symbol = Symbol(SymbolKind.VARIABLE, target.text, own.name)
                self._name(target, symbol, inner, assigns=True)
                self.expression(assignment.value, inner)
            self.expression(rule.guard, inner)

    def _type(self, type_: syntax.Type, bound: _Bound) -> None:
        match type_:
            case syntax.RangeType(low, high):
                self.expression(low, bound)
                self.expression(high, bound)
            case syntax.EnumerationType(values):
                for value in values:
                    self._declared(value, Symbol(SymbolKind.VALUE, value.text), bound)
            case syntax.NamedType(name) if self.names.is_pointed_to(name.text):
                self._name(name, self.names.agent(name.text), bound)
            case syntax.NamedType(name):
                self._name(name, Symbol(SymbolKind.TYPE, name.text), bound)
            case syntax.BooleanType() | syntax.IntegerType():
                pass

    def _relation(self, relation: syntax.RelationDeclaration) -> None:
        self._name(relation.name, Symbol(SymbolKind.RELATION, relation.name.text), declares=True)
        for column in (*relation.columns, relation.result):
            if column is not None:
                self._name(column, Symbol(SymbolKind.TYPE, column.text))

    # Expressions

    def expression(self, expression: syntax.Expression, bound: _Bound) -> None:
        """Go through an expression in which some indices mean something."""
        self._watch()
        match expression:
            case syntax.Number() | syntax.Truth():
                pass
            case syntax.Reference(None, name):
                self._bare(name, bound)
            case syntax.Reference(syntax.Name() as owner, name):
                agent = self._who(owner, bound)
                self._name(name, Symbol(SymbolKind.VARIABLE, name.text, agent), bound)
            case syntax.ActionIs(owner, action):
                agent = self._actor(owner, bound)
                self._does(agent, action, bound)
            case syntax.ActionOf(owner):
                self._actor(owner, bound)
            case syntax.Unary(_, operand):
                self.expression(operand, bound)
            case syntax.Binary(_, left, right):
                self.expression(left, bound)
                self.expression(right, bound)
            case syntax.Chain(_, operands):
                for operand in operands:
                    self.expression(operand, bound)
            case syntax.IfThenElse(condition, then, otherwise):
                for part in (condition, then, otherwise):
                    self.expression(part, bound)
            case syntax.Membership(value, members):
                self.expression(value, bound)
                for member in members:
                    self._member_of(member, bound)
            case syntax.Application(relation, arguments):
                self._applied(relation, bound)
                for argument in arguments:
                    self.expression(argument, bound)
            case syntax.Quantified(_, binders, body):
                self.expression(body, self._bind(binders, bound))

    def _member_of(self, member: syntax.Expression | syntax.RangeType, bound: _Bound) -> None:
        if isinstance(member, syntax.RangeType):
            self._type(member, bound)
        else:
            self.expression(member, bound)

    def _applied(self, relation: syntax.Name, bound: _Bound) -> None:
        if relation.text in self.names.relations or relation.text not in syntax.FUNCTIONS:
            self._name(relation, Symbol(SymbolKind.RELATION, relation.text), bound)

    def _bare(self, name: syntax.Name, bound: _Bound) -> None:
        """Note what a name alone means: an index, a constant, a variable, a definition, a value."""
        text, names = name.text, self.names
        symbol: Symbol | None = None
        if text in bound:
            symbol = bound[text][0]
        elif text in names.constants:
            symbol = Symbol(SymbolKind.CONSTANT, text)
        elif text in names.parameters:
            symbol = Symbol(SymbolKind.PARAMETER, text)
        elif self.owner is not None and text in self.owner.variables:
            symbol = Symbol(SymbolKind.VARIABLE, text, self.owner.name)
        elif text in names.definitions:
            symbol = Symbol(SymbolKind.DEFINITION, text)
        elif text in names.values:
            symbol = Symbol(SymbolKind.VALUE, text)
        elif names.actions_are_values:
            symbol = self._stored_action(text)
        if symbol is None and self._is_environment and text in names.pointers.values():
            symbol = names.agent(text)
        if symbol is None:
            self._indices(name, bound)
        else:
            self._name(name, symbol, bound)

    def _stored_action(self, text: str) -> Symbol | None:
        """Return an action that is a value: with them, actions of one name are one symbol."""
        for agent in self.names.agents.values():
            if text in agent.actions:
                return self.names.action(agent.name, text)
        return None

    def _actor(self, owner: syntax.Name | None, bound: _Bound) -> str:
        if owner is None:
            return "" if self.owner is None else self.owner.name
        return self._who(owner, bound)

    def _does(self, agent: str, action: syntax.Name, bound: _Bound) -> None:
        known = self.names.agents.get(agent)
        symbol = self.names.action(agent, action.text)
        own = set() if self.owner is None else self.owner.variables
        if known is not None and action.text not in known.actions and action.text in own:
            symbol = Symbol(SymbolKind.VARIABLE, action.text, self.owner.name if self.owner else "")
        self._name(action, symbol, bound)

    def _who(self, name: syntax.Name, bound: _Bound) -> str:
        """Note whose something is, and return the agent or template whose variables those are."""
        if name.text in bound:
            symbol, template = bound[name.text]
            self._name(name, symbol, bound)
            return template
        if self._is_environment and name.text in self.names.pointers:
            self._name(name, Symbol(SymbolKind.VARIABLE, name.text, ENVIRONMENT), bound)
            return self.names.pointers[name.text]
        self._name(name, self.names.agent(name.text), bound)
        return name.text

    @property
    def _is_environment(self) -> bool:
        return self.owner is not None and self.owner.name == ENVIRONMENT

    # Formulae

    def formula(self, formula: syntax.Formula, bound: _Bound) -> None:
        """Go through a formula in which some indices mean something."""
        self._watch()
        match formula:
            case syntax.Truth():
                pass
            case syntax.Atom(name):
                self._atom(name, bound)
            case syntax.Norm(agent):
                self._who(agent, bound)
            case syntax.StateCondition(condition):
                self.expression(condition, bound)
            case syntax.Negation(body) | syntax.Temporal(_, body) | syntax.PathQuantifier(_, body):
                self.formula(body, bound)
            case syntax.Connective(_, operands):
                for operand in operands:
                    self.formula(operand, bound)
            case (
                syntax.Implication(left, right)
                | syntax.Equivalence(left, right)
                | syntax.UntilFormula(left, right)
                | syntax.WeakFormula(_, left, right)
            ):
                self.formula(left, bound)
                self.formula(right, bound)
            case syntax.BoundedFormula(path, bounds):
                self.formula(path, bound)
                self.expression(bounds.low, bound)
                self.expression(bounds.high, bound)
            case syntax.Modality(_, who, body):
                self._members(who.members if isinstance(who, syntax.GroupList) else (who,), bound)
                self.formula(body, bound)
            case syntax.Coalition(members, body) | syntax.CannotAvoid(members, body):
                self._members(members, bound)
                self.formula(body, bound)
            case syntax.IndexedFormula(_, binders, body):
                self.formula(body, self._bind(binders, bound))

    def _atom(self, name: syntax.Name, bound: _Bound) -> None:
        kind = SymbolKind.PROPOSITION
        if name.text not in self.names.propositions and name.text in self.names.definitions:
            kind = SymbolKind.DEFINITION
        self._name(name, Symbol(kind, name.text), bound)

    def _members(self, members: Iterable[syntax.Members], bound: _Bound) -> None:
        for member in members:
            if isinstance(member, syntax.GroupDifference):
                self._member(member.group, bound)
                for removed in member.removed:
                    self._member(removed, bound)
            else:
                self._member(member, bound)

    def _member(self, name: syntax.Name, bound: _Bound) -> None:
        if name.text in bound:
            self._name(name, bound[name.text][0], bound)
        elif name.text in self.names.groups:
            self._name(name, Symbol(SymbolKind.GROUP, name.text), bound)
        elif name.text in self.names.agents:
            self._name(name, self.names.agent(name.text), bound)
        else:
            self._indices(name, bound)


def _place(name: syntax.Name) -> Span:
    return Span(name.span.start, name.span.start + len(name.text))


def _is_promise(program: syntax.Program, line: syntax.FormulaLine) -> bool:
    """Return whether a line of `Fairness` is a word and names nothing: `weak` or `strong`."""
    match line.formula:
        case syntax.Atom(name) if name.text in PROMISES and line in (program.fairness or ()):
            named = (
                each for each in program.evaluation or () if isinstance(each, syntax.Proposition)
            )
            taken = name.text in {each.name.text for each in named}
            return program.is_parameterised and not taken
        case _:
            return False
