"""`Fairness` of programs with templates: what is promised of all agents, and what holds time and again."""

from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.language import syntax
from gnomon.model.elaborate.templates.indices import PopulationNames
from gnomon.model.elaborate.templates.knowledge import asks_knowledge
from gnomon.model.elaborate.templates.questions import QuestionReader
from gnomon.model.elaborate.templates.temporal import speaks_of_time
from gnomon.model.parameterised.condition import SELF, renamed
from gnomon.model.parameterised.query import FairCondition, Promise
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported

#: What can be promised, by the word that stands for it. A proposition of that name is meant instead.
PROMISES: Final[dict[str, Promise]] = {"weak": "weak", "strong": "strong"}
_HELP: Final = (
    "write `weak;` or `strong;`, a condition on the state, or one on each agent: "
    "`forall i : Car (i.at <> queue);`"
)

FairnessLines = Sequence[syntax.FormulaLine | syntax.Repeat[syntax.FormulaLine]]


class FairnessReader:
    """Reads the section of one program."""

    def __init__(self, names: PopulationNames, diagnostics: Diagnostics) -> None:
        """Read with the program's names, the propositions among them."""
        self._names = names
        self._diagnostics = diagnostics
        self._questions = QuestionReader(names, diagnostics)

    def promise(self, lines: FairnessLines) -> Promise:
        """Return what is promised of everybody who is able to act."""
        found: Promise = "none"
        for line in self._lines(lines):
            promised = self._promised(line)
            if promised is None:
                continue
            if found != "none":
                message = f"`{promised}` after `{found}`: only one of them can be promised"
                self._diagnostics.add("G0723", message, line.span, help="leave one out")
            found = promised
        return found

    def conditions(self, lines: FairnessLines) -> tuple[FairCondition, ...]:
        """Return what holds time and again."""
        found: list[FairCondition] = []
        for line in self._lines(lines):
            if self._promised(line) is None:
                try:
                    found.append(self._condition(line.formula))
                except Reported:
                    continue
        return tuple(found)

    def _lines(self, lines: FairnessLines) -> Iterator[syntax.FormulaLine]:
        for line in lines:
            assert isinstance(line, syntax.FormulaLine)
            yield line

    def _promised(self, line: syntax.FormulaLine) -> Promise | None:
        match line.formula:
            case syntax.Atom(name) if name.text not in self._names.meanings:
                return PROMISES.get(name.text)
            case _:
                return None

    def _condition(self, formula: syntax.Formula) -> FairCondition:
        if speaks_of_time(formula) or asks_knowledge(formula):
            message = "this is not a condition on a state"
            raise self._diagnostics.fail("G0723", message, formula.span, help=_HELP)
        match formula:
            case syntax.IndexedFormula("forall", (binder,), body):
                [index] = self._questions.agents((binder,))
                condition = self._questions.plain(body, (index,))
                each = renamed(condition, {index.name: SELF})
                return FairCondition(each, index.template, formula.span)
            case _:
                return FairCondition(self._questions.plain(formula, ()), span=formula.span)
