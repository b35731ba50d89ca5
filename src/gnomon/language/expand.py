"""Families to plain programs: constants and indices become numbers, ranges become lists.

`coin[i : 1..3]` declares `coin[1]`, `coin[2]` and `coin[3]`; the brackets stay in the name, so that it can
clash with no other. Binders over types and templates are left alone: they belong to the model.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Protocol, TypeVar

from gnomon.language import syntax
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.limits import check_limits, room_to_recurse
from gnomon.text.numbers import show_integer
from gnomon.text.record import Record, replace
from gnomon.text.source import Span

#: The most values that the indices of a program may take, all together.
MAX_COPIES: Final = 400_000
#: The most lines, names, operators and operands that a program may have once they are written out.
MAX_PARTS: Final = 3_000_000
#: The most operators and operands that indices, bounds and conditions on them may have to be worked out.
_MAX_STEPS: Final = 5_000_000
_MAX_BITS: Final = 4096
#: So many characters of a name count as much as another name.
_LONG_NAME: Final = 64
#: After so much work the limits of time and memory are looked at.
_WATCHED: Final = 4096
#: Nobody cares how much too large something is beyond this.
_ASTRONOMICAL: Final = 10**15
_SMALLER: Final = "choose smaller constants or shorter ranges"

Scope = Mapping[str, int]


class _Placed(Protocol):
    """Something that was written somewhere."""

    @property
    def span(self) -> Span:
        """Return where."""


Line = TypeVar("Line", bound=_Placed)


def expand(
    program: syntax.Program, overrides: Mapping[str, int], diagnostics: Diagnostics
) -> syntax.Program:
    """Return the program with every family written out, constants set as `overrides` says."""
    if not program.uses_families and not overrides:
        return program
    with room_to_recurse():
        scope = _constants(program, overrides, diagnostics)
        return _Expander(diagnostics, scope).program(program)


def _constants(
    program: syntax.Program, overrides: Mapping[str, int], diagnostics: Diagnostics
) -> dict[str, int]:
    scope: dict[str, int] = {}
    expander = _Expander(diagnostics, scope)
    for constant in program.constants:
        if constant.name in scope:
            diagnostics.add("G0502", f"constant `{constant.name}` is declared twice", constant.span)
        if constant.name in overrides:
            scope[constant.name] = overrides[constant.name]
            continue
        try:
            scope[constant.name] = expander.integer(constant.value, {})
        except Reported:
            scope[constant.name] = 1
    known = {constant.name for constant in program.constants}
    for name in overrides:
        if name not in known:
            declared = [constant.name for constant in program.constants]
            diagnostics.add(
                "G0501",
                f"the program has no constant `{name}` to set",
                notes=diagnostics.listing("its constants", declared, none="none"),
                help=diagnostics.did_you_mean(name, declared),
            )
    return scope


class TooLarge(Reported):
    """There is no point in going on: the ranges of the program give too much."""


class _Range:
    """A range that an index is running through: how many values it has, and how many are done."""

    def __init__(self, total: int, span: Span) -> None:
        self.total = total
        self.span = span
        self.done = 0


class _Expander:
    """Writes out families, counting what it makes. A scope has the indices; constants are everywhere."""

    def __init__(self, diagnostics: Diagnostics, constants: Mapping[str, int]) -> None:
        self.diagnostics = diagnostics
        self.fail = diagnostics.fail
        self.constants = constants
        self.copies = 0
        self.parts = 0
        self.steps = 0
        self.checkpoint = _WATCHED
        self.running: list[_Range] = []
        # What had been written before the outermost of the running ranges began.
        self.before = (0, 0)

    # Counting

    def count(self, span: Span) -> None:
        """Count a value of an index."""
        self.copies += 1
        if self.copies > MAX_COPIES:
            raise self._too_large(span, "copies", MAX_COPIES, self.copies, self.before[0])

    def write(self, span: Span, size: int = 1) -> None:
        """Count what is written out."""
        self.parts += size
        if self.parts >= self.checkpoint:
            self.checkpoint = self.parts + _WATCHED
            check_limits()
            if self.parts > MAX_PARTS:
                raise self._too_large(span, "parts", MAX_PARTS, self.parts, self.before[1])

    def work(self, span: Span) -> None:
        """Count what is worked out."""
        self.steps += 1
        if not self.steps % _WATCHED:
            check_limits()
            if self.steps > _MAX_STEPS:
                self.diagnostics.add(
                    "G0505",
                    f"the indices of this program take more than {_MAX_STEPS:,} steps to work out",
                    span,
                    help=_SMALLER,
                )
                raise TooLarge

    def _too_large(self, span: Span, what: str, limit: int, count: int, before: int) -> TooLarge:
        """Report what is too large, and how large it would become at this rate."""
        share, weight = 0.0, 1.0
        for item in self.running:
            weight /= item.total
            share += item.done * weight
        expected = before + int((count - before) / max(share, weight, 1e-290))
        about = (
            f" (about {_many(round(expected, 2 - len(str(expected))))})" if expected > count else ""
        )
        self.diagnostics.add(
            "G0505",
            f"written out, the families of this program have more than {limit:,} {what}{about}",
            self.running[0].span if self.running else span,
            label="too large",
            help=_SMALLER,
        )
        return TooLarge()

    # Numbers

    def integer(self, expression: syntax.Expression, scope: Scope) -> int:
        """Return the value of an index or a bound."""
        self.work(expression.span)
        match expression:
            case syntax.Number(value):
                return value
            case syntax.Reference(None, syntax.Name(text, ())) if text in scope:
                return scope[text]
            case syntax.Reference(None, syntax.Name(text, ())) if text in self.constants:
                return self.constants[text]
            case syntax.Reference(_, name, span):
                known = () if self.diagnostics.full else (*scope, *self.constants)
                raise self.fail(
                    "G0503",
                    f"`{name.text}` is neither a constant nor an index here",
                    span,
                    help=self.diagnostics.did_you_mean(name.text, known),
                )
            case syntax.Chain("+", operands):
                return sum(self.integer(operand, scope) for operand in operands)
            case syntax.Unary("-", operand):
                return -self.integer(operand, scope)
            case syntax.Binary("*" | "/" | "div" | "mod" as operator, left, right, span):
                return self._calculate(
                    operator, self.integer(left, scope), self.integer(right, scope), span
                )
            case _:
                raise self.fail("G0504", "an index or a bound must be a number", expression.span)

    def _calculate(self, operator: str, left: int, right: int, span: Span) -> int:
        if operator == "*":
            if left.bit_length() + right.bit_length() > _MAX_BITS:
                raise self.fail("G0504", "an index or a bound is too large a number", span)
            return left * right
        if right == 0:
            raise self.fail("G0504", "an index or a bound divides by zero", span)
        remainder = left % abs(right)
        if operator == "mod":
            return remainder
        if operator == "/" and remainder:
            quotient = f"{show_integer(left)} / {show_integer(right)}"
            raise self.fail("G0504", f"{quotient} is not an integer", span, help="use `div`")
        return (left - remainder) // right

    def condition(self, expression: syntax.Expression, scope: Scope) -> bool:
        """Return whether a `where` condition holds."""
        match expression:
            case syntax.Truth(value):
                return value
            case syntax.Unary("!", operand):
                return not self.condition(operand, scope)
            case syntax.Chain("and", operands):
                return all(self.condition(operand, scope) for operand in operands)
            case syntax.Chain("or", operands):
                return any(self.condition(operand, scope) for operand in operands)
            case syntax.Binary("=" | "<>" | "<" | "<=" | ">" | ">=" as operator, left, right):
                return _compare(operator, self.integer(left, scope), self.integer(right, scope))
            case _:
                raise self.fail("G0504", "`where` compares indices and constants", expression.span)

    # Scopes

    def scopes(self, binders: tuple[syntax.Binder, ...], scope: Scope) -> Iterator[Scope]:
        """Yield one scope for every combination of values of range binders."""
        if not binders:
            yield scope
            return
        first, rest = binders[0], binders[1:]
        if not isinstance(first.domain, syntax.RangeType):
            raise self.fail("G0504", "an index runs through a range, `1..n`", first.span)
        if first.variable in scope or first.variable in self.constants:
            raise self.fail(
                "G0502", f"`{first.variable}` is already a constant or an index here", first.span
            )
        low = self.integer(first.domain.low, scope)
        high = self.integer(first.domain.high, scope)
        if high - low >= MAX_COPIES:
            raise self._too_long(first.span, high - low + 1)
        running = _Range(max(high - low + 1, 1), first.span)
        if not self.running:
            self.before = (self.copies, self.parts)
        self.running.append(running)
        try:
            for value in range(low, high + 1):
                self.count(first.span)
                inner = {**scope, first.variable: value}
                if first.where is None or self.condition(first.where, inner):
                    yield from self.scopes(rest, inner)
                running.done += 1
        finally:
            # Where a line is given up, what runs inside another may end after it.
            self.running.remove(running)

    def _too_long(self, span: Span, length: int) -> TooLarge:
        self.diagnostics.add(
            "G0505",
            f"this range has {_many(length)} values, and all ranges together may have {MAX_COPIES:,}",
            span,
            label="too long",
            help=_SMALLER,
        )
        return TooLarge()

    # Names

    def name(self, name: syntax.Name, scope: Scope) -> syntax.Name:
        if not name.indices:
            return name
        self.write(name.span, 1 + len(name.text) // _LONG_NAME)
        numbers: list[str] = []
        for index in name.indices:
            if isinstance(index, syntax.Binder):
                raise self.fail(
                    "G0506", "a range cannot stand here: it names one thing", index.span
                )
            numbers.append(show_integer(self.integer(index, scope)))
        return syntax.Name(f"{name.text}[{','.join(numbers)}]", (), name.span)

    def names(self, names: tuple[syntax.Name, ...], scope: Scope) -> tuple[syntax.Name, ...]:
        return tuple(full for name in names for full, _ in self.family(name, scope))

    def family(self, name: syntax.Name, scope: Scope) -> Iterator[tuple[syntax.Name, Scope]]:
        """Yield each member that a name with ranges stands for, and the scope that gave it."""
        binders = tuple(index for index in name.indices if isinstance(index, syntax.Binder))
        for binder in binders:
            if not isinstance(binder.domain, syntax.RangeType):
                raise self.fail("G0504", "an index runs through a range, `1..n`", binder.span)
        for inner in self.scopes(binders, scope):
            numbers = [
                inner[index.variable]
                if isinstance(index, syntax.Binder)
                else self.integer(index, inner)
                for index in name.indices
            ]
            text = f"{name.text}[{','.join(map(show_integer, numbers))}]" if numbers else name.text
            self.write(name.span, 1 + len(text) // _LONG_NAME)
            yield syntax.Name(text, (), name.span), inner

    # Expressions

    def expression(self, expression: syntax.Expression, scope: Scope) -> syntax.Expression:
        self.write(expression.span)
        match expression:
            case syntax.Number() | syntax.Truth():
                return expression
            case syntax.Reference(None, syntax.Name(text, ()), span) if text in scope:
                return syntax.Number(scope[text], span)
            case syntax.Reference(None, syntax.Name(text, ()), span) if text in self.constants:
                return syntax.Number(self.constants[text], span)
            case syntax.Reference(owner, name, span):
                self.write(span, len(name.text) // _LONG_NAME)
                return syntax.Reference(
                    owner and self.name(owner, scope), self.name(name, scope), span
                )
            case syntax.ActionIs(owner, action, equal, span):
                return syntax.ActionIs(
                    owner and self.name(owner, scope), self.name(action, scope), equal, span
                )
            case syntax.Unary(operator, operand, span):
                return syntax.Unary(operator, self.expression(operand, scope), span)
            case syntax.Binary(operator, left, right, span):
                return syntax.Binary(
                    operator, self.expression(left, scope), self.expression(right, scope), span
                )
            case syntax.Chain(operator, operands, span):
                inner = tuple(self.expression(operand, scope) for operand in operands)
                return syntax.Chain(operator, inner, span)
            case syntax.Application(relation, arguments, span):
                inner = tuple(self.expression(argument, scope) for argument in arguments)
                return syntax.Application(self.name(relation, scope), inner, span)
            case syntax.Quantified():
                return self.quantified(expression, scope)

    def quantified(self, quantified: syntax.Quantified, scope: Scope) -> syntax.Expression:
        ranges, others = _split(quantified.binders)
        if others:
            body = self.expression(quantified.body, scope)
            return replace(quantified, body=body)
        parts = tuple(
            self.expression(quantified.body, inner) for inner in self.scopes(ranges, scope)
        )
        if len(parts) == 1:
            return parts[0]
        match quantified.quantifier:
            case "forall":
                empty: syntax.Expression = syntax.Truth(True, quantified.span)
                return syntax.Chain("and", parts, quantified.span) if parts else empty
            case "exists":
                empty = syntax.Truth(False, quantified.span)
                return syntax.Chain("or", parts, quantified.span) if parts else empty
            case "sum":
                if parts:
                    return syntax.Chain("+", parts, quantified.span)
                return syntax.EmptySum(0, quantified.span, self.settings(ranges, scope))

    def settings(self, binders: tuple[syntax.Binder, ...], scope: Scope) -> str:
        """Return the constants and indices that binders speak of with their values, as in `n = 1`."""
        read: dict[str, int] = {}
        waiting: list[object] = [*reversed(binders)]
        while waiting:
            part = waiting.pop()
            match part:
                case syntax.Reference(None, syntax.Name(text, ())):
                    if (value := scope.get(text, self.constants.get(text))) is not None:
                        read[text] = value
                case tuple():
                    waiting.extend(part)
                case Record():
                    names: tuple[str, ...] = type(part).__match_args__
                    waiting.extend(getattr(part, name) for name in reversed(names))
                case _:
                    pass
        return " and ".join(f"{name} = {show_integer(value)}" for name, value in read.items())

    # Formulae

    def formula(self, formula: syntax.Formula, scope: Scope) -> syntax.Formula:
        self.write(formula.span)
        match formula:
            case syntax.Truth():
                return formula
            case syntax.Atom(name, span):
                self.write(span, len(name.text) // _LONG_NAME)
                return syntax.Atom(self.name(name, scope), span)
            case syntax.Norm(agent, colour, span):
                return syntax.Norm(self.name(agent, scope), colour, span)
            case syntax.StateCondition(condition, span):
                return syntax.StateCondition(self.expression(condition, scope), span)
            case syntax.Negation(body, span):
                return syntax.Negation(self.formula(body, scope), span)
            case syntax.Connective(operator, operands, span):
                inner = tuple(self.formula(operand, scope) for operand in operands)
                return syntax.Connective(operator, inner, span)
            case syntax.Implication(left, right, span):
                return syntax.Implication(
                    self.formula(left, scope), self.formula(right, scope), span
                )
            case syntax.Temporal(operator, body, span):
                return syntax.Temporal(operator, self.formula(body, scope), span)
            case syntax.UntilFormula(left, right, span):
                return syntax.UntilFormula(
                    self.formula(left, scope), self.formula(right, scope), span
                )
            case syntax.PathQuantifier(quantifier, body, span):
                return syntax.PathQuantifier(quantifier, self.formula(body, scope), span)
            case syntax.Modality(operator, who, body, span):
                return syntax.Modality(
                    operator, self.name(who, scope), self.formula(body, scope), span
                )
            case syntax.Coalition(members, body, span):
                return syntax.Coalition(self.names(members, scope), self.formula(body, scope), span)
            case syntax.IndexedFormula():
                return self.indexed(formula, scope)

    def indexed(self, indexed: syntax.IndexedFormula, scope: Scope) -> syntax.Formula:
        ranges, others = _split(indexed.binders)
        if others:
            return replace(indexed, body=self.formula(indexed.body, scope))
        parts = tuple(self.formula(indexed.body, inner) for inner in self.scopes(ranges, scope))
        if len(parts) == 1:
            return parts[0]
        conjunction = indexed.quantifier == "forall"
        if not parts:
            return syntax.Truth(conjunction, indexed.span)
        return syntax.Connective("and" if conjunction else "or", parts, indexed.span)

    # Lines and sections

    def lines(
        self,
        lines: tuple[Line | syntax.Repeat[Line], ...],
        expand_line: Callable[[Line, Scope], Iterator[Line]],
        scope: Scope,
    ) -> tuple[Line, ...]:
        result: list[Line] = []
        for line in lines:
            try:
                if isinstance(line, syntax.Repeat):
                    for inner in self.scopes(line.binders, scope):
                        result.extend(self.lines(line.lines, expand_line, inner))
                else:
                    self.write(line.span)
                    result.extend(expand_line(line, scope))
            except TooLarge:
                raise
            except Reported:
                continue
        return tuple(result)

    def variable(
        self, line: syntax.VariableDeclaration, scope: Scope
    ) -> Iterator[syntax.VariableDeclaration]:
        if line.name.text in scope or line.name.text in self.constants:
            self.diagnostics.add(
                "G0502",
                f"variable `{line.name.text}` has the name of a constant or an index",
                line.span,
            )
        for name, inner in self.family(line.name, scope):
            yield syntax.VariableDeclaration(name, self.type(line.type, inner), line.span)

    def type(self, type_: syntax.Type, scope: Scope) -> syntax.Type:
        match type_:
            case syntax.RangeType(low, high, span):
                lowest = syntax.Number(self.integer(low, scope), low.span)
                highest = syntax.Number(self.integer(high, scope), high.span)
                return syntax.RangeType(lowest, highest, span)
            case syntax.EnumerationType(values, more, span):
                return syntax.EnumerationType(self.names(values, scope), more, span)
            case syntax.BooleanType() | syntax.IntegerType() | syntax.NamedType():
                return type_

    def protocol_line(
        self, line: syntax.ProtocolLine, scope: Scope
    ) -> Iterator[syntax.ProtocolLine]:
        condition = line.condition and self.expression(line.condition, scope)
        yield syntax.ProtocolLine(condition, self.names(line.actions, scope), line.span)

    def evolution_line(
        self, line: syntax.EvolutionLine, scope: Scope
    ) -> Iterator[syntax.EvolutionLine]:
        assignments = tuple(
            syntax.Assignment(name, self.expression(item.value, inner), item.span)
            for item in line.assignments
            for name, inner in self.family(item.target, scope)
        )
        yield syntax.EvolutionLine(assignments, self.expression(line.guard, scope), line.span)

    def proposition(self, line: syntax.Proposition, scope: Scope) -> Iterator[syntax.Proposition]:
        for name, inner in self.family(line.name, scope):
            yield syntax.Proposition(name, self.expression(line.condition, inner), line.span)

    def predicates(self, program: syntax.Program, scope: Scope) -> tuple[syntax.Expression, ...]:
        lines: tuple[syntax.Expression | syntax.Repeat[syntax.Expression], ...] = program.predicates
        return self.lines(lines, self.condition_line, scope)

    def axioms(self, program: syntax.Program, scope: Scope) -> tuple[syntax.Expression, ...]:
        lines: tuple[syntax.Expression | syntax.Repeat[syntax.Expression], ...] = program.axioms
        return self.lines(lines, self.condition_line, scope)

    def group(self, line: syntax.Group, scope: Scope) -> Iterator[syntax.Group]:
        for name, inner in self.family(line.name, scope):
            yield syntax.Group(name, self.names(line.members, inner), line.span)

    def formula_line(self, line: syntax.FormulaLine, scope: Scope) -> Iterator[syntax.FormulaLine]:
        yield syntax.FormulaLine(line.logic, self.formula(line.formula, scope), line.span)

    def agent(self, agent: syntax.Agent, scope: Scope) -> Iterator[syntax.Agent]:
        for name, inner in self.family(agent.name, scope):
            self.count(agent.span)
            yield replace(
                agent,
                name=name,
                variables=self.optional(agent.variables, self.variable, inner),
                observed=self.optional(agent.observed, self.variable, inner),
                local_observed=agent.local_observed and self.names(agent.local_observed, inner),
                red=agent.red and self.expression(agent.red, inner),
                actions=agent.actions and self.names(agent.actions, inner),
                synchronised=agent.synchronised and self.synchronised(agent.synchronised, inner),
                bounds=agent.bounds and self.bounds(agent.bounds, inner),
                protocol=self.optional(agent.protocol, self.protocol_line, inner),
                evolution=self.optional(agent.evolution, self.evolution_line, inner),
            )

    def synchronised(
        self, declared: tuple[syntax.SyncDeclaration, ...], scope: Scope
    ) -> tuple[syntax.SyncDeclaration, ...]:
        return tuple(
            replace(item, name=name)
            for item in declared
            for name, _ in self.family(item.name, scope)
        )

    def bounds(
        self, bounds: tuple[syntax.Expression, syntax.Expression | None], scope: Scope
    ) -> tuple[syntax.Expression, syntax.Expression | None]:
        low, high = bounds
        lowest = syntax.Number(self.integer(low, scope), low.span)
        if high is None:
            return lowest, None
        return lowest, syntax.Number(self.integer(high, scope), high.span)

    def type_declaration(
        self, line: syntax.TypeDeclaration, scope: Scope
    ) -> Iterator[syntax.TypeDeclaration]:
        yield replace(line, type=self.type(line.type, scope))

    def condition_line(self, line: syntax.Expression, scope: Scope) -> Iterator[syntax.Expression]:
        yield self.expression(line, scope)

    def optional(
        self,
        lines: tuple[Line | syntax.Repeat[Line], ...] | None,
        expand_line: Callable[[Line, Scope], Iterator[Line]],
        scope: Scope,
    ) -> tuple[Line, ...] | None:
        return None if lines is None else self.lines(lines, expand_line, scope)

    def program(self, program: syntax.Program) -> syntax.Program:
        scope: Scope = {}
        initial = program.initial
        try:
            initial = initial and self.expression(initial, scope)
        except TooLarge:
            raise
        except Reported:
            initial = None
        return replace(
            program,
            types=self.lines(program.types, self.type_declaration, scope),
            axioms=self.axioms(program, scope),
            agents=self.lines(program.agents, self.agent, scope),
            predicates=self.predicates(program, scope),
            evaluation=self.optional(program.evaluation, self.proposition, scope),
            initial=initial,
            groups=self.lines(program.groups, self.group, scope),
            fairness=self.lines(program.fairness, self.formula_line, scope),
            formulae=self.optional(program.formulae, self.formula_line, scope),
            uses_families=False,
        )


def _many(number: int) -> str:
    """Return how many there are, or of what order if they are very many."""
    if number < _ASTRONOMICAL:
        return f"{number:,}"
    return f"10^{len(show_integer(number)) - 1}"


def _split(
    binders: tuple[syntax.Binder, ...],
) -> tuple[tuple[syntax.Binder, ...], tuple[syntax.Binder, ...]]:
    """Return the binders over ranges of numbers, and those over types and templates."""
    ranges = tuple(item for item in binders if isinstance(item.domain, syntax.RangeType))
    others = tuple(item for item in binders if not isinstance(item.domain, syntax.RangeType))
    return ranges, others


def _compare(operator: str, left: int, right: int) -> bool:
    match operator:
        case "=":
            return left == right
        case "<>":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right


def expand_formula(
    line: syntax.FormulaLine,
    program: syntax.Program,
    overrides: Mapping[str, int],
    diagnostics: Diagnostics,
) -> syntax.FormulaLine | None:
    """Return one formula with the program's constants and its own indices written out."""
    scope = _constants(program, overrides, Diagnostics(diagnostics.source))
    with room_to_recurse():
        try:
            [result] = _Expander(diagnostics, scope).formula_line(line, {})
        except Reported:
            return None
    return result
