"""`Evolution` of the environment and of templates: what actions do to an agent's own variables."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gnomon.language import syntax
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT, Assignment, EvolutionLine
from gnomon.model.domain import comparable
from gnomon.model.elaborate.domains import describe
from gnomon.model.elaborate.lines import check_constant, check_targets
from gnomon.model.elaborate.names import AgentNames
from gnomon.model.elaborate.problems import unknown_variable
from gnomon.model.elaborate.templates.indices import IndexScope, PopulationNames
from gnomon.model.elaborate.templates.relations import RelationReader
from gnomon.model.parameterised.condition import Lookup, Term
from gnomon.model.parameterised.pointer import NOBODY, SOMEBODY
from gnomon.model.parameterised.system import Change, Looked
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.source import Span

if TYPE_CHECKING:
    from gnomon.model.elaborate.array_lines import PlainLine


class ChangeReader:
    """Turns the evolution lines of the environment or of a template into changes."""

    def __init__(self, names: PopulationNames, own: AgentNames, diagnostics: Diagnostics) -> None:
        """Read with the program's names, and those of the part whose lines these are."""
        self.names = names
        self.own = own
        self.diagnostics = diagnostics
        self.scope = IndexScope(names, own, diagnostics, actions=True, alone=True)
        self.values = RelationReader(self.scope)
        self.guards = self.values.expressions

    def changes(
        self, lines: Iterable[syntax.EvolutionLine | syntax.Repeat[syntax.EvolutionLine]]
    ) -> tuple[Change, ...]:
        """Return what the lines say, without those that have mistakes."""
        found: list[Change] = []
        for line in lines:
            assert isinstance(line, syntax.EvolutionLine)
            found += self._line(line)
        return tuple(found)

    def _line(self, line: syntax.EvolutionLine) -> Iterator[Change]:
        self.scope.looked_at_actions = False
        changed: list[tuple[list[Assignment], list[Looked], tuple[plain.Expression, ...]]] = []
        for single, when in self._plain_lines(line):
            check_targets(single, self.diagnostics)
            assignments, looked = self._assignments(single)
            changed.append((assignments, looked, when))
            if len(assignments) + len(looked) < len(line.assignments):
                break  # what is wrong with one is mostly wrong with all
        by_action = self.scope.looked_at_actions
        try:
            guard = self.guards.condition(line.guard)
        except Reported:
            return
        place = self.diagnostics.source.line_of(line.span)
        for assignments, looked, when in changed:
            whole = plain.And((*when, guard)) if when else guard
            written = EvolutionLine(tuple(assignments), whole, place, bool(when))
            if not self._is_about_itself(written, line):
                return
            lines = self._by_action(written, line.span) if by_action else (written,)
            yield from (Change(each, tuple(looked)) for each in lines)

    def _plain_lines(self, line: syntax.EvolutionLine) -> "list[PlainLine]":
        """Return the lines that a line stands for: several where it assigns to computed indices."""
        if not any(item.target.indices for item in line.assignments):
            return [(line, ())]
        from gnomon.model.elaborate.array_lines import plain_lines  # few programs compute indices

        try:
            return list(plain_lines(line, self.own, self.guards))
        except Reported:
            return []

    def _is_about_itself(self, written: EvolutionLine, line: syntax.EvolutionLine) -> bool:
        """Report a line that looks at what others do."""
        values = (item.value for item in written.assignments)
        others = plain.actors(written.guard, *values) - {self.own.name}
        for other in sorted(others):
            self.diagnostics.add(
                "G0713",
                f"`{self.own.name}` does not see what `{other}` does",
                line.guard.span,
                help="write `Action = …`: what is synchronised is one action",
            )
        return not others

    def _by_action(self, line: EvolutionLine, span: Span) -> tuple[EvolutionLine, ...]:
        """Return a line whose values look at actions as lines whose values do not."""
        from gnomon.model.by_action import by_action  # rarely used

        known = self.names.agents
        try:
            return by_action(line, lambda name: known[name].actions, self.diagnostics, span)
        except Reported:
            return ()

    def _assignments(self, line: syntax.EvolutionLine) -> tuple[list[Assignment], list[Looked]]:
        assignments: list[Assignment] = []
        looked: list[Looked] = []
        for item in line.assignments:
            try:
                value = self._value(item)
            except Reported:
                continue
            if isinstance(value, Lookup):
                looked.append(Looked(item.target.text, value))
            else:
                assignments.append(Assignment(item.target.text, value))
        return assignments, looked

    def _pointed(self, item: syntax.Assignment, template: str) -> Term:
        """Return what a pointer is worth: whoever of its template does the action, or nobody."""
        match item.value:
            case syntax.Reference(None, syntax.Name(name, ())) if name == NOBODY:
                return plain.Literal(NOBODY)
            case syntax.Reference(None, syntax.Name(name, ())) if name == template:
                return plain.Literal(SOMEBODY)
            case _:
                name = item.target.text
                raise self.diagnostics.fail(
                    "G0735",
                    f"`{name}` can only point to the `{template}` that does the action, or to nobody",
                    item.span,
                    help=f"write `{name} = {template}`, or `{name} = none`",
                )

    def _value(self, item: syntax.Assignment) -> Term:
        name = item.target.text
        variable = self.own.variables.get(name)
        if variable is None:
            whose, span = f"`{self.own.name}`", item.target.span
            raise unknown_variable(self.diagnostics, whose, name, span, self.own.variables)
        if self.own.name == ENVIRONMENT and name in self.names.pointers:
            return self._pointed(item, self.names.pointers[name].template)
        value, domain = self.values.term(item.value, variable.domain)
        if not comparable(variable.domain, domain):
            raise self.diagnostics.fail(
                "G0307",
                f"`{name}` is {describe(variable.domain)} and cannot take {describe(domain)}",
                item.span,
                label="does not fit",
            )
        check_constant(item, variable, value, self.diagnostics)
        return value
