"""Choices in words that MCMAS has: `if`, `min`, `in`, `<->`, actions as values; no terminal states.

A condition becomes one without choices; a line of `Evolution` becomes as many as its values have cases, each
with the conditions for its case in the guard. Only what has to change is written anew, and its comments stay.
What would become too large stays as it is.
"""

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Final

from gnomon.language import syntax
from gnomon.language.expression_text import ExpressionText
from gnomon.language.lexer import tokenize
from gnomon.language.lifting import LiftedTooLarge, Lifter, has_choice, opposite
from gnomon.language.mcmas.actions import ActionCases, KnownDeeds, declarations
from gnomon.language.mcmas.edits import edited, instead
from gnomon.language.syntax import each_line
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import room_to_recurse
from gnomon.text.record import walk
from gnomon.text.source import Source, Span

#: The longest formula that is written without `<->` and `xor`, which double what they stand between.
_LONGEST: Final = 10_000

#: The most lines that one line becomes.
_MOST_LINES: Final = 256

#: The most characters of a condition that a comment has.
_LONGEST_COMMENT: Final = 200

_TERMINAL: Final = "TerminalStates"

#: A piece of text, and what takes its place.
_Change = tuple[Span, str]


def without_choices(source: Source, program: syntax.Program) -> str | None:
    """Return a text with choices in other words, None where there are none that can be said so."""
    with room_to_recurse():
        edits = [instead(source, span, text) for span, text in _Translator(source, program).edits()]
    return edited(source.text, edits) if edits else None


class _Translator:
    """Finds what has to be said in other words, and says it."""

    def __init__(self, source: Source, program: syntax.Program) -> None:
        self.source = source
        self.program = program
        self.text = ExpressionText(source)
        self.actions = ActionCases(program)
        named = (
            type_.values
            for agent in program.agents
            for type_ in (line.type for line in declarations(agent))
            if isinstance(type_, syntax.EnumerationType)
        )
        actions = (agent.actions or () for agent in program.agents)
        others = {line.name for line in program.constants} | {
            part.name.text
            for part in walk(program.definitions)
            if isinstance(part, syntax.Definition)
        }
        #: Values of enumerations, and actions, that nothing else has the name of but variables.
        self.values = {name.text for names in (*named, *actions) for name in names} - others

    def edits(self) -> Iterator[_Change]:
        """Yield what is to be replaced, and what by."""
        program = self.program
        for agent in program.agents:
            if agent.kind == "template":
                continue
            if agent.red is not None:
                yield from self._condition(agent.red, agent)
            for protocol in each_line(agent.protocol or ()):
                if protocol.condition is not None:
                    yield from self._condition(protocol.condition, agent)
            for evolution in each_line(agent.evolution or ()):
                yield from self._evolution(evolution, agent)
        for proposition in each_line(program.evaluation or ()):
            yield from self._condition(proposition.condition, None)
        if program.initial is not None:
            yield from self._condition(program.initial, None)
        if program.terminal is not None:
            yield self._terminal(program.terminal)
        for line in each_line((*program.fairness, *(program.formulae or ()))):
            yield from self._formula(line.formula)

    def _terminal(self, condition: syntax.Expression) -> _Change:
        """Leave out the section of terminal states, and say so: no formula depends on it."""
        tokens = tokenize(self.source, Diagnostics(self.source))
        first = last = tokens.starts.index(condition.span.start)
        while tokens.texts[first] != _TERMINAL:
            first -= 1
        while tokens.texts[last] != _TERMINAL:
            last += 1
        start, end = tokens.starts[first], tokens.starts[last] + len(_TERMINAL)
        words = self.source.on_one_line(condition.span)
        if len(words) > _LONGEST_COMMENT:
            words = words[:_LONGEST_COMMENT] + " …"
        return Span(start, end), f"-- left out, as no formula depends on it: {_TERMINAL} {words}\n"

    # Conditions and lines

    def _values(self, agent: syntax.Agent | None) -> set[str]:
        """Return the names that are values in a section of an agent, or of the program."""
        own = () if agent is None else declarations(agent)
        return self.values - {line.name.text for line in own}

    def _condition(
        self, condition: syntax.Expression, agent: syntax.Agent | None
    ) -> Iterator[_Change]:
        plain = self.actions.without(condition, agent)
        if plain is condition and not has_choice(condition):
            return
        try:
            lifted = Lifter(values=self._values(agent)).condition(plain)
        except LiftedTooLarge:
            return
        yield condition.span, self.text.show(lifted)

    def _evolution(self, line: syntax.EvolutionLine, agent: syntax.Agent) -> Iterator[_Change]:
        values = tuple(self.actions.without(item.value, agent) for item in line.assignments)
        guard = self.actions.without(line.guard, agent)
        new = (guard, *values)
        old = (line.guard, *(item.value for item in line.assignments))
        if all(a is b and not has_choice(a) for a, b in zip(new, old, strict=True)):
            return
        lifter = Lifter(values=self._values(agent))
        try:
            where = lifter.condition(guard)
            cases = [_cases(lifter, value) for value in values]
        except LiftedTooLarge:
            return
        if prod(map(len, cases)) > _MOST_LINES:
            return
        deeds = KnownDeeds(self._values(agent), self.text)
        lines = (self._line(line, where, chosen, deeds) for chosen in product(*cases))
        if text := ";\n".join(filter(None, lines)):
            yield line.span, text

    def _line(
        self,
        line: syntax.EvolutionLine,
        guard: syntax.Expression,
        chosen: tuple[tuple[tuple[syntax.Expression, ...], syntax.Expression], ...],
        deeds: KnownDeeds,
    ) -> str:
        """Return a line that assigns one case of each of its values, "" where they exclude each other."""
        cases = dict.fromkeys(one for conditions, _ in chosen for one in conditions)
        known = set(map(self.text.show, (*cases, *_conjuncts(guard))))
        if any(self.text.show(opposite(one)) in known for one in cases):
            return ""
        left = deeds.left_of(tuple(cases), _conjuncts(guard))
        if left is None:
            return ""
        said = set(map(self.text.show, _conjuncts(guard)))
        given = [one for one in left if self.text.show(one) not in said]
        if not isinstance(guard, syntax.Truth) or not guard.value or not given:
            given.insert(0, guard)
        whole = given[0] if len(given) == 1 else syntax.Chain("and", tuple(given), guard.span)
        assignments = " and ".join(
            f"{self.text.name(item.target)} = {self.text.show(value, 8)}"
            for item, (_, value) in zip(line.assignments, chosen, strict=True)
        )
        return f"{assignments} if {self.text.show(whole)}"

    # Formulae

    def _formula(self, formula: syntax.Formula) -> Iterator[_Change]:
        outermost = 0
        for part in walk(formula):
            if isinstance(part, syntax.Equivalence | syntax.Negation) and part.span.end > outermost:
                if not isinstance(_inner(part), syntax.Equivalence):
                    continue
                outermost = part.span.end
                text = self._equivalence(part)
                if text is not None:
                    yield part.span, text

    def _equivalence(self, formula: syntax.Formula) -> str | None:
        """Return an equivalence, or the opposite of one, as two implications."""
        both = _inner(formula)
        assert isinstance(both, syntax.Equivalence)
        left, right = self._side(both.left), self._side(both.right)
        if left is None or right is None or len(left) + len(right) > _LONGEST:
            return None
        sign = "!" if isinstance(formula, syntax.Negation) else ""
        return f"{sign}(({left} -> {right}) and ({right} -> {left}))"

    def _side(self, formula: syntax.Formula) -> str | None:
        """Return one side of an equivalence in brackets, its own equivalences in other words."""
        pieces: list[str] = []
        end = formula.span.start
        for span, text in sorted(self._formula(formula)):
            pieces += (self.source.on_one_line(Span(end, span.start)), text)
            end = span.end
        rest = self.source.on_one_line(Span(end, formula.span.end))
        text = " ".join(filter(None, (*pieces, rest)))
        if len(text) > _LONGEST:
            return None
        return text if isinstance(formula, syntax.Atom | syntax.Norm) else f"({text})"


def _conjuncts(guard: syntax.Expression) -> tuple[syntax.Expression, ...]:
    match guard:
        case syntax.Chain("and", operands):
            return operands
        case _:
            return (guard,)


def _inner(formula: syntax.Formula) -> syntax.Formula:
    """Return what `xor` is the opposite of, or the formula itself."""
    if isinstance(formula, syntax.Negation) and formula.span == formula.body.span:
        return formula.body
    return formula


def _cases(
    lifter: Lifter, value: syntax.Expression
) -> list[tuple[tuple[syntax.Expression, ...], syntax.Expression]]:
    """Return the cases of an assigned value; a condition has two, true and false."""
    found: list[tuple[tuple[syntax.Expression, ...], syntax.Expression]] = []
    for given, case in lifter.cases(value):
        if is_condition(case):
            found.append(((*given, case), syntax.Truth(True, case.span)))
            found.append(((*given, opposite(case)), syntax.Truth(False, case.span)))
        else:
            found.append((given, case))
    return found


def is_condition(value: syntax.Expression) -> bool:
    """Return whether a value is a condition that MCMAS reads only where a condition is wanted."""
    match value:
        case syntax.Chain("and" | "or") | syntax.Unary("!") | syntax.ActionIs():
            return True
        case syntax.Binary("=" | "<>" | "<" | "<=" | ">" | ">="):
            return True
        case _:
            return False
