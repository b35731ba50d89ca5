"""Expressions: names to variables, values and actions; types and bounds on the way.

`owner` is the agent whose section is being read; None in `Evaluation`, `InitStates` and formulae, where
every variable is written with its agent.
"""

from typing import Final, cast

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.agent import ENVIRONMENT, Variable
from gnomon.model.domain import (
    Boolean,
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
    contains,
    show_value,
)
from gnomon.model.elaborate.scope import AgentNames, Names
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import Span

_NUMBER: Final = Integers()
_BOOLEAN: Final = Boolean()
_ORDERED: Final = ("<", "<=", ">", ">=")

Typed = tuple[typed.Expression, Domain]


class TypeProblem(Exception):
    """The expression makes no sense; it has been reported already."""


def describe(domain: Domain) -> str:
    """Return a type in words."""
    match domain:
        case Boolean():
            return "a Boolean"
        case Enumeration():
            return f"a value of {domain}"
        case IntegerRange() | Integers():
            return "a number"


class Elaborator:
    """Reads the expressions of one section."""

    def __init__(
        self,
        names: Names,
        owner: AgentNames | None,
        diagnostics: Diagnostics,
        *,
        actions: bool = False,
    ) -> None:
        """Read for `owner`; `actions` says whether the actions of a step may be looked at."""
        self.names = names
        self.owner = owner
        self.diagnostics = diagnostics
        self.actions = actions

    def fail(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        label: str = "",
        notes: tuple[str, ...] = (),
        help: str = "",
    ) -> TypeProblem:
        """Report a mistake and return what to raise."""
        self.diagnostics.add(code, message, span, label=label, notes=notes, help=help)
        return TypeProblem()

    def condition(self, expression: syntax.Expression) -> typed.Expression:
        """Return the expression as a condition."""
        result, domain = self.read(expression, _BOOLEAN)
        if not isinstance(domain, Boolean):
            raise self.fail(
                "G0301",
                f"a condition is needed here, and this is {describe(domain)}",
                expression.span,
                help="compare it with something, as in `x = 1`",
            )
        return result

    def read(self, expression: syntax.Expression, expected: Domain | None = None) -> Typed:
        """Return the typed expression; `expected` tells whose value a bare name may be."""
        self.names.count()
        match expression:
            case syntax.Number(value):
                return typed.Literal(value), IntegerRange(value, value)
            case syntax.Truth(value):
                return typed.Literal(value), _BOOLEAN
            case syntax.Reference(owner, name, span):
                if owner is None:
                    return self._bare(name.text, span, expected)
                return self._qualified(owner.text, name.text, span)
            case syntax.ActionIs():
                return self._action(expression)
            case syntax.Unary():
                return self._unary(expression)
            case syntax.Binary(operator, _, _, span):
                return self._binary(operator, expression)
            case syntax.Chain("+", operands):
                return typed.Sum(tuple(self._number(item) for item in operands)), _NUMBER
            case syntax.Chain("and", operands):
                return typed.And(self._conditions(operands)), _BOOLEAN
            case syntax.Chain(_, operands):
                return typed.Or(self._conditions(operands)), _BOOLEAN
            case syntax.Application(relation, _, span):
                raise self.fail(
                    "G0701",
                    f"relation `{relation.text}` can only be used with templates",
                    span,
                    help="an open number of agents is declared with `Template`",
                )
            case syntax.Quantified(quantifier, binders, _, span):
                raise self.fail(
                    "G0504",
                    f"`{quantifier}` runs through a range here, as in `{quantifier} "
                    f"{binders[0].variable} : 1..n`",
                    span,
                )

    def _conditions(self, operands: tuple[syntax.Expression, ...]) -> tuple[typed.Expression, ...]:
        """Read several conditions, so that each can report its own mistakes."""
        results: list[typed.Expression] = []
        problem: TypeProblem | None = None
        for operand in operands:
            try:
                results.append(self.condition(operand))
            except TypeProblem as caught:
                problem = caught
        if problem is not None:
            raise problem
        return tuple(results)

    # Names

    def variable(self, reference: syntax.Expression) -> Variable | None:
        """Return the variable that an expression names, if it is just that and may be read here."""
        match reference:
            case syntax.Reference(None, name) if self.owner is not None:
                return self.owner.variables.get(name.text)
            case syntax.Reference(syntax.Name(agent), name) if agent in self.names.agents:
                return self.names.agents[agent].variables.get(name.text)
            case _:
                return None

    def _bare(self, name: str, span: Span, expected: Domain | None) -> Typed:
        if self.owner is not None and name in self.owner.variables:
            variable = self.owner.variables[name]
            return typed.Read(variable.agent, name), variable.domain
        if isinstance(expected, Enumeration):
            if name in expected.names:
                return typed.Literal(name), expected
            raise self._no_such_value(name, span, expected)
        raise self._unknown(name, span, expected)

    def _no_such_value(self, name: str, span: Span, expected: Enumeration) -> TypeProblem:
        hint = self.diagnostics.did_you_mean(name, expected.names)
        return self.fail(
            "G0302",
            f"`{name}` is not one of the values {expected}",
            span,
            label="not a value of this type",
            help=hint or self._spelled_out(name),
        )

    def _spelled_out(self, name: str) -> str:
        owners = [] if self.diagnostics.full else self.names.owners_of(name)
        return f"if you mean the variable, write `{owners[0]}.{name}`" if owners else ""

    def _unknown(self, name: str, span: Span, expected: Domain | None) -> TypeProblem:
        if self.owner is None and (hint := self._spelled_out(name)):
            return self.fail(
                "G0208",
                f"`{name}` needs the name of its agent in front",
                span,
                label="whose variable?",
                help=hint,
            )
        if not self.diagnostics.full and self.names.has_value(name):
            wanted = describe(expected) if expected is not None else "a variable"
            return self.fail(
                "G0301", f"`{name}` is a value of an enumeration, and {wanted} is needed here", span
            )
        known = self.owner.variables if self.owner else {}
        hint = self.diagnostics.did_you_mean(name, known)
        if self.owner is not None and name in self.owner.observed:
            hint = f"a variable of the environment is written `Environment.{name}`"
        where = f"of agent `{self.owner.name}`" if self.owner else "of any agent"
        return self.fail(
            "G0201",
            f"`{name}` is not a variable {where}, and not a value that fits here",
            span,
            label="unknown name",
            notes=self.diagnostics.listing("its variables", known),
            help=hint,
        )

    def _qualified(self, agent: str, name: str, span: Span) -> Typed:
        owner = self.names.agents.get(agent)
        if owner is None:
            raise self._unknown_agent(agent, span)
        if self.owner is not None and agent not in (self.owner.name, ENVIRONMENT):
            raise self.fail(
                "G0207",
                f"agent `{self.owner.name}` cannot see the variables of agent `{agent}`",
                span,
                label="a variable of another agent",
                help="let it look at the other agent's action, or keep the variable in the environment",
            )
        variable = owner.variables.get(name)
        if variable is None:
            raise self.fail(
                "G0202",
                f"agent `{agent}` has no variable `{name}`",
                span,
                label="unknown variable",
                notes=self.diagnostics.listing("its variables", owner.variables),
                help=self.diagnostics.did_you_mean(name, owner.variables),
            )
        if self.owner is not None and self.owner.name not in (agent, ENVIRONMENT):
            self._must_see(self.owner, name, span)
        return typed.Read(agent, name), variable.domain

    def _must_see(self, owner: AgentNames, name: str, span: Span) -> None:
        if name not in owner.observed:
            raise self.fail(
                "G0206",
                f"agent `{owner.name}` does not observe `Environment.{name}`",
                span,
                label="hidden from this agent",
                help=f"add it: `Lobsvars = {{ {', '.join([*_local(owner), name])} }};`",
            )

    def _unknown_agent(self, agent: str, span: Span) -> TypeProblem:
        return self.fail(
            "G0203",
            f"there is no agent `{agent}`",
            span,
            label="unknown agent",
            notes=self.diagnostics.listing("the agents", self.names.agents),
            help=self.diagnostics.did_you_mean(agent, self.names.agents),
        )

    def _action(self, test: syntax.ActionIs) -> Typed:
        if not self.actions:
            raise self.fail(
                "G0205",
                "actions can only be looked at in the guards of `Evolution`",
                test.span,
                label="no action is being taken here",
            )
        agent = test.owner.text if test.owner else cast(AgentNames, self.owner).name
        owner = self.names.agents.get(agent)
        if owner is None:
            raise self._unknown_agent(agent, test.span)
        if test.action.text not in owner.actions:
            raise unknown_action(self.diagnostics, owner, test.action)
        does = typed.Does(agent, test.action.text)
        return (does if test.equal else typed.Not(does)), _BOOLEAN

    # Operators

    def _number(self, expression: syntax.Expression) -> typed.Expression:
        result, domain = self.read(expression, _NUMBER)
        if not isinstance(domain, (IntegerRange, Integers)):
            raise self.fail(
                "G0301",
                f"a number is needed here, and this is {describe(domain)}",
                expression.span,
                notes=("MCMAS counts Booleans and names as 0 in arithmetic, whatever their value",),
            )
        return result

    def _unary(self, unary: syntax.Unary) -> Typed:
        match unary.operator:
            case "!":
                return typed.Not(self.condition(unary.operand)), _BOOLEAN
            case "-":
                return typed.Negative(self._number(unary.operand)), _NUMBER
            case "~":
                operand, domain = self.read(unary.operand, _BOOLEAN)
                if isinstance(domain, Boolean):
                    return typed.Not(operand), _BOOLEAN
                self._bits_of_numbers(unary.span, domain)
                self._must_be_whole(unary, operand)
                return typed.BitComplement(operand), _NUMBER

    def _binary(self, operator: str, binary: syntax.Binary) -> Typed:
        match operator:
            case "->":
                left = self.condition(binary.left)
                return typed.Or((typed.Not(left), self.condition(binary.right))), _BOOLEAN
            case "=" | "<>" | "<" | "<=" | ">" | ">=":
                return self._compare(binary), _BOOLEAN
            case "&" | "|" | "^":
                return self._bits(operator, binary)
            case _:
                left = self._number(binary.left)
                right = self._number(binary.right)
                if operator in ("div", "mod"):
                    self._must_be_whole(binary, left, right)
                return typed.Arithmetic(operator, left, right), _NUMBER  # type: ignore[arg-type]

    def _bits(self, operator: str, binary: syntax.Binary) -> Typed:
        left, left_domain = self.read(binary.left, _BOOLEAN)
        right, right_domain = self.read(binary.right, _BOOLEAN)
        both = isinstance(left_domain, Boolean), isinstance(right_domain, Boolean)
        if all(both):
            return _boolean_bits(operator, left, right), _BOOLEAN
        if any(both):
            raise self._mismatch(binary, left_domain, right_domain)
        self._bits_of_numbers(binary.span, left_domain)
        self._bits_of_numbers(binary.span, right_domain)
        self._must_be_whole(binary, left, right)
        return typed.Arithmetic(operator, left, right), _NUMBER  # type: ignore[arg-type]

    def _bits_of_numbers(self, span: Span, domain: Domain) -> None:
        if isinstance(domain, Enumeration):
            raise self.fail("G0301", "bit operators need Booleans or numbers", span)
        self.diagnostics.add(
            "G0408",
            "bit operators on numbers are read bit by bit",
            span,
            notes=("MCMAS accepts them and then lets the assigned variable take any value",),
        )

    def _must_be_whole(
        self, operation: syntax.Unary | syntax.Binary, *operands: typed.Expression
    ) -> None:
        """Refuse quotients, which may be fractions, where whole numbers are needed."""
        for operand in operands:
            for part in typed.walk(operand):
                if isinstance(part, typed.Arithmetic) and part.operator == "/":
                    raise self.fail(
                        "G0313",
                        f"`{operation.operator}` works on whole numbers, and `/` may give a fraction",
                        operation.span,
                        help="use `div`",
                    )

    def _is_value(self, expression: syntax.Expression) -> bool:
        """Return whether this is a bare name that is no variable: a value whose type is elsewhere."""
        match expression:
            case syntax.Reference(None, name):
                return self.owner is None or name.text not in self.owner.variables
            case _:
                return False

    def _compare(self, binary: syntax.Binary) -> typed.Expression:
        if self._is_value(binary.left) and not self._is_value(binary.right):
            right, right_domain = self.read(binary.right)
            left, left_domain = self.read(binary.left, right_domain)
        else:
            try:
                left, left_domain = self.read(binary.left)
            except TypeProblem:
                if not self._is_value(binary.right):
                    self.read(binary.right)
                raise
            right, right_domain = self.read(binary.right, left_domain)
        self._comparable(binary, left_domain, right_domain)
        self._check_bound(binary, binary.left, right, flipped=False)
        self._check_bound(binary, binary.right, left, flipped=True)
        return typed.Compare(binary.operator, left, right)  # type: ignore[arg-type]

    def _comparable(self, binary: syntax.Binary, left: Domain, right: Domain) -> None:
        numbers = (IntegerRange, Integers)
        if isinstance(left, numbers) and isinstance(right, numbers):
            return
        if type(left) is not type(right):
            raise self._mismatch(binary, left, right)
        if binary.operator in _ORDERED:
            raise self.fail(
                "G0303",
                f"`{binary.operator}` compares numbers, and these are {describe(left)}",
                binary.span,
                help="use `=` or `<>`",
            )
        if isinstance(left, Enumeration) and isinstance(right, Enumeration):
            smaller, larger = sorted((set(left.names), set(right.names)), key=len)
            if not smaller <= larger:
                raise self._mismatch(binary, left, right)

    def _mismatch(self, binary: syntax.Binary, left: Domain, right: Domain) -> TypeProblem:
        return self.fail(
            "G0301",
            f"`{binary.operator}` cannot join {describe(left)} and {describe(right)}",
            binary.span,
            label="the two sides have different types",
        )

    def _check_bound(
        self,
        binary: syntax.Binary,
        side: syntax.Expression,
        other: typed.Expression,
        *,
        flipped: bool,
    ) -> None:
        """Look at a comparison of a variable with a constant that it cannot have."""
        variable = self.variable(side)
        if variable is None or not isinstance(other, typed.Literal):
            return
        domain = variable.domain
        if not isinstance(domain, IntegerRange) or contains(domain, other.value):
            return
        shown = f"`{variable.name}` is in {domain}"
        empty = about_empty_sum(binary.left if flipped else binary.right)
        if binary.operator in ("=", "<>"):
            raise self.fail(
                "G0304",
                f"{shown} and can never be {show_value(other.value)}",
                binary.span,
                label="outside its range",
                notes=empty,
            )
        truth = _always(binary.operator, domain, cast(int, other.value), flipped=flipped)
        self.diagnostics.add(
            "G0401",
            f"this is always {show_value(truth)}: {shown}",
            binary.span,
            label=f"always {show_value(truth)}",
            notes=(
                *empty,
                "MCMAS rejects a comparison with a constant outside the variable's range",
            ),
        )


def about_empty_sum(value: syntax.Expression) -> tuple[str, ...]:
    """Return a note on a value that is 0 only because nothing was added up."""
    if not isinstance(value, syntax.EmptySum):
        return ()
    where = f" for {value.settings}" if value.settings else ""
    return (f"this `sum` runs through no value at all{where}, and so it is 0",)


def _always(operator: str, domain: IntegerRange, constant: int, *, flipped: bool) -> bool:
    above = constant > domain.high
    grows = operator in ("<", "<=")
    return above == (grows != flipped)


def _boolean_bits(
    operator: str, left: typed.Expression, right: typed.Expression
) -> typed.Expression:
    match operator:
        case "&":
            return typed.And((left, right))
        case "|":
            return typed.Or((left, right))
        case _:
            return typed.Compare("<>", left, right)


def _local(owner: AgentNames) -> list[str]:
    return [name for name, variable in owner.observed.items() if not variable.observed]


def unknown_action(diagnostics: Diagnostics, owner: AgentNames, action: syntax.Name) -> TypeProblem:
    """Report that an agent has no such action."""
    diagnostics.add(
        "G0204",
        f"action `{action.text}` is not an action of agent `{owner.name}`",
        action.span,
        label="not declared",
        notes=diagnostics.listing(f"{owner.name} declares", owner.actions, none="no action"),
        help=diagnostics.did_you_mean(action.text, owner.actions),
    )
    return TypeProblem()
