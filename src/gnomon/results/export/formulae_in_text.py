"""The formulae of a text in MCMAS's words, by the rules that exports have.

Formulae are read as they are written: propositions and conditions stand for themselves. Only the parts that
have to change are written anew, with names in `Groups` and `Evaluation` for groups and conditions that have
none. What MCMAS has no words for stays as it is.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from gnomon.language import syntax
from gnomon.language.cursor import Cursor
from gnomon.language.format import read_whole
from gnomon.language.formulae import read_formula
from gnomon.language.lexer import tokenize
from gnomon.language.mcmas.actions import fairness_on_actions
from gnomon.language.mcmas.edits import Edit, Sections, TranslationBug, edited, instead
from gnomon.language.syntax import each_line
from gnomon.model import formula as logic
from gnomon.model.expression import Expression, Literal
from gnomon.model.fold.systems import mapped
from gnomon.model.formula import Formula, Group, show_formula, without_quantifiers
from gnomon.results.export.mcmas_formulae import Naming
from gnomon.results.export.mcmas_paths import McmasOperators, counts_coalition_steps, is_said
from gnomon.results.export.written_formulae import WrittenFormulae
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.limits import room_to_recurse
from gnomon.text.source import Source, Span

_STEP_BY_STEP: Final = (
    "\n-- the same with perfect strategies; uniform ones may change at every step here\n"
)

#: Between these a formula needs no brackets.
_OPEN: Final = ("(", ";", ":", "Formulae", "LTL", "CTL*")
_CLOSED: Final = (")", ";")

#: Nodes that are about a path: in CTL they cannot be written without what stands before them.
_PATHS: Final = (
    syntax.Temporal,
    syntax.UntilFormula,
    syntax.WeakFormula,
    syntax.BoundedFormula,
)


def with_plain_formulae(source: Source, program: syntax.Program) -> str | None:
    """Return a text whose formulae MCMAS reads, None where there is nothing to say in other words.

    Agents in families are not known by now, and neither is who all agents are: such a text stays as it is.
    """
    if program.is_parameterised or any(agent.name.indices for agent in program.agents):
        return None
    with room_to_recurse():
        translation = _FormulaText(source, program)
        edits = translation.edits()
        if not edits:
            return None
        result = Source(source.name, edited(source.text, edits))
        translation.compare(result)
    return result.text


class _FormulaText:
    """Finds what has to be said in other words, and says it."""

    def __init__(self, source: Source, program: syntax.Program) -> None:
        self.source = source
        self.program = program
        self.sections = Sections(source)
        self.reader = WrittenFormulae(source, program)
        groups = self.reader.names.groups
        known = {name: Group(members, name) for name, members in groups.items()}
        propositions = {
            line.name.text: self.reader.condition(line.condition)
            for line in program.evaluation or ()
            if isinstance(line, syntax.Proposition) and not line.name.indices
        }
        self.naming = Naming(propositions, known, set(self.sections.tokens.texts))
        #: What there is before formulae need more.
        self.known = {*propositions, *known}
        #: Some condition, to say with what always holds.
        self.some = next((str(text.value) for text in propositions.values()), "")

    def edits(self) -> list[Edit]:
        """Return what becomes of formulae, with the names that they need."""
        on_actions = {line.span for line in fairness_on_actions(self.program)}
        edits = list(self._groups())
        for line, operators in _asked(self.program):
            name = line.annotation.name
            if line.span not in on_actions and (name is None or not name.indices):
                edits += self._formula(line.formula, operators)
        named = self.naming.propositions.items()
        self._add(edits, "Evaluation", {n: f"{n} if {self._worded(c)};\n" for n, c in named})
        groups = self.naming.groups.items()
        self._add(edits, "Groups", {n: f"{n} = {_listed(g.members)};\n" for n, g in groups})
        return edits

    def compare(self, result: Source) -> None:
        """See that the formulae of a text are those of this one, in other words."""
        program = read_whole(result)
        reader = WrittenFormulae(result, program)
        for (old, operators), (new, _) in zip(_asked(self.program), _asked(program), strict=True):
            both = self.reader.part(old.formula, old.logic), reader.part(new.formula, new.logic)
            first, second = (
                None
                if read is None
                else self.naming.formula(operators.formula(self._with_constants(read)))
                for read in both
            )
            if first != second:
                msg = (
                    f"`{self.source.on_one_line(old.span)}` in MCMAS's words would not be the same; the "
                    f"program is left as it is"
                )
                raise TranslationBug(msg)

    def _with_constants(self, formula: Formula) -> Formula:
        """Return a formula with constants for their names, since less is left of operators with them."""
        match formula:
            case logic.Proposition(name):
                match self.naming.propositions.get(name):
                    case Literal(bool(value)):
                        return logic.Constant(value)
                    case _:
                        return formula
            case _:
                return mapped(formula, self._with_constants)

    def _add(self, edits: list[Edit], section: str, lines: Mapping[str, str]) -> None:
        """Add the lines with names that are new."""
        added = "".join(line for name, line in lines.items() if name not in self.known)
        if added:
            edits.append(self.sections.with_lines(section, added))

    def _worded(self, condition: Expression) -> str:
        assert isinstance(condition, Literal)
        match condition.value:
            case bool(value):
                return f"({self.some}) {'or' if value else 'and'} !({self.some})"
            case text:
                return str(text)

    def _groups(self) -> Iterator[Edit]:
        """Yield groups that are what is left of others with their members."""
        for line in each_line(self.program.groups):
            members = self.reader.groups.get(line.span)
            if members and any(isinstance(m, syntax.GroupDifference) for m in line.members):
                span = Span(line.members[0].span.start, line.members[-1].span.end)
                yield instead(self.source, span, _listed(members))

    # Formulae

    def _formula(self, formula: syntax.Formula, operators: McmasOperators) -> Iterator[Edit]:
        """Yield what becomes of a formula: all of it is written anew, or parts of it are."""
        text = self._anew(formula, operators)
        if text is not None:
            yield instead(self.source, formula.span, text)
            return
        if isinstance(formula, syntax.Coalition | syntax.CannotAvoid):
            operators = replace(operators, in_coalition=True)
        for part in _parts(formula):
            yield from self._formula(part, operators)

    def _anew(self, formula: syntax.Formula, operators: McmasOperators) -> str | None:
        """Return a formula in MCMAS's words; None where it has none, or where only parts of it change."""
        kind = operators.kind
        plain = operators.as_in_ctl
        read = None if plain and isinstance(formula, _PATHS) else self.reader.part(formula, kind)
        if read is None:
            return None
        said = operators.formula(read)
        if not is_said(said) or not all(map(self._can_be_named, logic.walk(said))):
            return None
        found = self.naming.formula(said)
        avoids = isinstance(formula, syntax.CannotAvoid)
        if not avoids and found == self._of_parts(formula, read, operators):
            return None
        shown = without_quantifiers(found) if kind == "LTL" and not plain else found
        text = show_formula(shown)
        if not _can_be_read(text, "CTL" if plain else kind):
            return None
        note = _STEP_BY_STEP if counts_coalition_steps(read) else ""
        return f"{note} {self._in_place(formula, shown, text, plain=plain)} "

    def _of_parts(
        self, formula: syntax.Formula, read: Formula, operators: McmasOperators
    ) -> Formula:
        """Return a formula of which only the parts are in other words, each of which is a text of its own.

        A path that cannot be written alone is no such part: its parts are.
        """
        if isinstance(read, logic.Enforces):
            operators = replace(operators, in_coalition=True)

        def anew(part: Formula) -> Formula:
            return self.naming.formula(operators.formula(part))

        if _is_one_word(formula) or (operators.as_in_ctl and _speaks_of_a_path(formula)):
            return mapped(read, lambda path: mapped(path, anew))
        return mapped(read, anew)

    def _can_be_named(self, part: Formula) -> bool:
        """Return whether MCMAS has such propositions and groups: it knows no empty group."""
        match part:
            case logic.Constant():
                return self.some != ""
            case logic.Enforces(group) | logic.GroupKnows(_, group):
                return group.members != ()
            case _:
                return True

    def _in_place(self, formula: syntax.Formula, shown: Formula, text: str, *, plain: bool) -> str:
        """Return a text with brackets, where it needs them in its place."""
        before = self.source.text[: formula.span.start].rstrip()
        behind = self.source.text[formula.span.end :].lstrip()
        if isinstance(shown, logic.Not) and not plain:
            # In LTL and CTL*, `!p U q` is `!(p U q)`.
            return f"({text})"
        joined = isinstance(shown, logic.And | logic.Or | logic.Until | logic.Implies | logic.Iff)
        if joined and before.endswith(_OPEN) and behind.startswith(_CLOSED):
            return text[1:-1]
        return text


def _asked(program: syntax.Program) -> Iterator[tuple[syntax.FormulaLine, McmasOperators]]:
    """Yield the formulae that are no families, with the operators that they have in MCMAS's words."""
    for lines in (program.fairness, program.formulae or ()):
        # Constraints are read without fairness themselves.
        fair = bool(program.fairness) and lines is not program.fairness
        for line in lines:
            if isinstance(line, syntax.FormulaLine):
                yield line, McmasOperators(line.logic, fair)


def _can_be_read(text: str, kind: syntax.Logic) -> bool:
    """Return whether a text is not nested deeper than may be read."""
    source = Source("", text)
    diagnostics = Diagnostics(source)
    try:
        read_formula(Cursor(tokenize(source, diagnostics), diagnostics), kind)
    except Reported:
        return False
    return True


def _speaks_of_a_path(formula: syntax.Formula) -> bool:
    """Return whether a formula says of a path that there is such a one, or the like."""
    return isinstance(formula, syntax.PathQuantifier | syntax.Coalition) and isinstance(
        formula.body, _PATHS
    )


def _is_one_word(formula: syntax.Formula) -> bool:
    """Return whether a formula is `AG f` or the like, whose path is no text of its own."""
    return (
        isinstance(formula, syntax.PathQuantifier) and formula.span.start == formula.body.span.start
    )


def _listed(members: tuple[str, ...]) -> str:
    return f"{{ {', '.join(members)} }}"


def _parts(formula: syntax.Formula) -> tuple[syntax.Formula, ...]:
    """Return the direct parts of a formula; what is said of indices stays as it is."""
    match formula:
        case syntax.Truth() | syntax.Atom() | syntax.Norm() | syntax.StateCondition():
            return ()
        case syntax.IndexedFormula():
            return ()
        case syntax.Connective(_, operands):
            return operands
        case syntax.Implication(left, right) | syntax.Equivalence(left, right):
            return (left, right)
        case syntax.UntilFormula(left, right) | syntax.WeakFormula(_, left, right):
            return (left, right)
        case syntax.BoundedFormula(path):
            return _parts(path)
        case syntax.PathQuantifier(_, path) if _is_one_word(formula):
            return _parts(path)
        case syntax.Negation(body) | syntax.Temporal(_, body) | syntax.PathQuantifier(_, body):
            return (body,)
        case syntax.Modality(_, _, body) | syntax.Coalition(_, body):
            return (body,)
        case syntax.CannotAvoid(_, body):
            return (body,)
