"""Values at the start that are given beside declarations: `x : 0..3 = 0;`."""

from collections.abc import Iterator

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.agent import Variable
from gnomon.model.domain import Datum, Domain, OpenEnumeration, contains, show_value
from gnomon.model.elaborate.expressions import ExpressionReader
from gnomon.model.elaborate.names import AgentNames, Names
from gnomon.model.elaborate.scope import Scope, Typed
from gnomon.model.evaluation import value_by
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.source import Span


def initial_values(
    agent: syntax.Agent, own: AgentNames, diagnostics: Diagnostics
) -> Iterator[tuple[Variable, Datum, Span]]:
    """Yield the values that variables of an agent have at the start; mistakes go to `diagnostics`."""
    for line in (*(agent.observed or ()), *(agent.variables or ())):
        assert isinstance(line, syntax.VariableDeclaration)
        variable = own.variables[line.name.text]
        if line.initial is None or own.places[line.name.text] != line.span:
            continue  # nothing is said, or it is declared twice
        try:
            yield variable, _value(line.initial, variable, diagnostics), line.initial.span
        except Reported:
            continue


def starts_as(variable: Variable, value: Datum) -> typed.Expression:
    """Return the condition that a variable has a value."""
    return typed.Compare("=", typed.Read(variable.agent, variable.name), typed.Literal(value))


def _value(expression: syntax.Expression, variable: Variable, diagnostics: Diagnostics) -> Datum:
    scope = _ConstantScope(diagnostics)
    constant, _ = ExpressionReader(scope).read(expression, variable.domain)
    value = value_by(constant, scope.no_value)
    if not isinstance(value, (bool, int, str)) or not _is_in(variable.domain, value):
        shown = show_value(value) if isinstance(value, (bool, int, str)) else str(value)
        raise diagnostics.fail(
            "G0306",
            f"`{variable.name}` is in {variable.domain} and cannot start as {shown}",
            expression.span,
            label="outside its range" if type(value) is int else "not one of its values",
        )
    return value


def _is_in(domain: Domain, value: Datum) -> bool:
    return isinstance(domain, OpenEnumeration) or contains(domain, value)


class _ConstantScope(Scope):
    """The names of a value that is known beforehand: those of values alone."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        super().__init__(Names(), None, diagnostics)

    def qualified(self, agent: str, name: str, span: Span) -> Typed:
        raise self._not_constant(f"{agent}.{name}", span)

    def action(self, test: syntax.ActionIs) -> Typed:
        raise self._not_constant("Action", test.span)

    def _unknown(self, name: str, span: Span, _expected: Domain | None) -> Reported:
        return self._not_constant(name, span)

    def _not_constant(self, name: str, span: Span) -> Reported:
        return self.fail(
            "G0321",
            f"`{name}` is not known beforehand, and a variable starts as a constant",
            span,
            label="not a constant",
            help="say how variables start together in `InitStates`",
        )

    def no_value(self, part: typed.Read | typed.Does) -> object:
        raise AssertionError(part)
