"""`Definitions`: names for expressions, each of which becomes one node that all its uses share."""

from gnomon.language import syntax
from gnomon.language.taken_names import report_taken
from gnomon.model import expression as typed
from gnomon.model.bounds import UNBOUNDED
from gnomon.model.domain import Enumeration, is_number
from gnomon.model.elaborate.arrays import bounds_of
from gnomon.model.elaborate.expressions import ExpressionReader
from gnomon.model.elaborate.names import DefinedName, Names
from gnomon.model.elaborate.scope import Scope, Typed
from gnomon.text.diagnostic import Diagnostics, Label
from gnomon.text.errors import Reported
from gnomon.text.source import Span


def read_definitions(program: syntax.Program, names: Names, diagnostics: Diagnostics) -> None:
    """Add what a program defines to its names, in the order of the text; mistakes go to `diagnostics`."""
    assert program.definitions is not None, "there is nothing to read"
    report_taken(program, diagnostics)
    lines = [line for line in program.definitions.lines if isinstance(line, syntax.Definition)]
    for line in lines:
        names.defined_at.setdefault(line.name.text, line.span)
    for line in lines:
        _define(line, names, diagnostics)


def _define(line: syntax.Definition, names: Names, diagnostics: Diagnostics) -> None:
    name = line.name.text
    if name in names.definitions:
        return  # reported; the first one counts
    scope = _DefinitionScope(names, name, diagnostics)
    try:
        body, domain = ExpressionReader(scope).read(line.body)
    except Reported:
        names.undefined.add(name)
        return
    fractional = names.may_be_fraction(body)
    names.definitions[name] = DefinedName(
        expression=typed.Defined(name, body),
        domain=domain,
        reads=tuple(scope.reads.items()),
        uses=tuple(scope.uses),
        acts=scope.acts or any(names.definitions[used].acts for used in scope.uses),
        fractional=fractional,
        bounds=UNBOUNDED if fractional or not is_number(domain) else bounds_of(body, scope),
    )


class _DefinitionScope(Scope):
    """The names in the body of a definition: it belongs to nobody, and what it reads is noted."""

    def __init__(self, names: Names, name: str, diagnostics: Diagnostics) -> None:
        super().__init__(names, None, diagnostics, actions=True)
        self.name = name
        self.reads: dict[typed.Read, Span] = {}
        self.uses: dict[str, Span] = {}
        self.acts = False

    def qualified(self, agent: str, name: str, span: Span) -> Typed:
        result, domain = super().qualified(agent, name, span)
        assert isinstance(result, typed.Read)
        self.reads.setdefault(result, span)
        return result, domain

    def possible_actions(
        self, action: syntax.ActionOf, *, compared: bool = False
    ) -> tuple[tuple[typed.Does, ...], Enumeration]:
        self.acts = True
        return super().possible_actions(action, compared=compared)

    def action(self, test: syntax.ActionIs) -> Typed | None:
        if test.owner is None:
            raise self.fail(
                "G0208",
                "a definition belongs to no agent, and an action needs the name of its own in front",
                test.span,
                label="whose action?",
                help=f"write `Agent.Action = {test.action.text}`",
            )
        self.acts = True
        return super().action(test)

    def defined(self, name: str, span: Span) -> Typed:
        found = self.names.definitions.get(name)
        if found is None and name not in self.names.undefined:
            itself = name == self.name
            raise self.fail(
                "G0221",
                f"definition `{name}` is used in its own body"
                if itself
                else f"definition `{name}` is used before it is defined",
                span,
                label="stands for itself" if itself else "defined further down",
                related=() if itself else (Label(self.names.defined_at[name], "defined here"),),
                help="a definition may use the definitions before it"
                + ("" if itself else ": move it up"),
            )
        if found is None:
            raise Reported
        self.uses.setdefault(name, span)
        return found.expression, found.domain
