"""Formulae as they are written: only agents and groups are looked up."""

from gnomon.language import syntax
from gnomon.language.expression_text import ExpressionText
from gnomon.model import formula as logic
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.elaborate.formulae import FormulaReader
from gnomon.model.elaborate.members import GroupReader
from gnomon.model.elaborate.names import AgentNames, Names
from gnomon.model.expression import Literal
from gnomon.model.formula import Formula
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.record import walk
from gnomon.text.source import NOWHERE, Source, Span


class WrittenFormulae(FormulaReader):
    """Reads formulae whose propositions and conditions stand for themselves."""

    def __init__(self, source: Source, program: syntax.Program) -> None:
        """Know the agents and groups of a program, as far as they are no families."""
        agents = {ENVIRONMENT: AgentNames(ENVIRONMENT, NOWHERE)}
        agents |= {a.name.text: AgentNames(a.name.text, a.span) for a in program.agents}
        super().__init__(Names(agents=agents), Diagnostics(source))
        self.text = ExpressionText(source)
        #: The members of groups, by where those are defined.
        self.groups: dict[Span, tuple[str, ...]] = {}
        for line in program.groups:
            if isinstance(line, syntax.Group) and not line.name.indices:
                self._define(line)

    def _define(self, line: syntax.Group) -> None:
        members = GroupReader(self.names, self.diagnostics)
        try:
            listed = [agent for member in line.members for agent in members.listed(member)]
        except Reported:
            return
        self.groups[line.span] = self.names.groups[line.name.text] = tuple(dict.fromkeys(listed))

    def proposition(self, name: str, span: Span) -> Formula:
        """Return a proposition, known or not."""
        del span
        return logic.Proposition(name)

    def condition(self, condition: syntax.Expression) -> Literal:
        """Return the text of a condition."""
        return Literal(self.text.show(condition))

    def part(self, formula: syntax.Formula, kind: syntax.Logic) -> Formula | None:
        """Return a part of a formula of a logic, None where it is not known what it speaks of."""
        if not all(map(_is_plain, walk(formula))):
            return None
        self.logic = kind
        try:
            return self.read(formula)
        except Reported:
            return None


def _is_plain(part: object) -> bool:
    match part:
        case syntax.Name(_, indices):
            return not indices
        case syntax.Bounds(low, high):
            return isinstance(low, syntax.Number) and isinstance(high, syntax.Number)
        case syntax.IndexedFormula():
            return False
        case _:
            return True
