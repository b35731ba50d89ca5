"""Families written out, one section of a program after the other."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol, TypeVar

from gnomon.language import syntax
from gnomon.language.expand.copies import Copier, reads_otherwise
from gnomon.language.expand.ranges import Bindings, IndexReader
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported, TooLarge
from gnomon.text.limits import room_to_recurse
from gnomon.text.record import replace
from gnomon.text.source import Source, Span

if TYPE_CHECKING:
    from gnomon.language.expand.kept import KeptCopies
    from gnomon.language.reparse import KeptUnit


class _Placed(Protocol):
    """Something that was written somewhere."""

    @property
    def span(self) -> Span:
        """Return where."""


PlacedLine = TypeVar("PlacedLine", bound=_Placed)


def expand_program(
    program: syntax.Program,
    overrides: Mapping[str, int],
    diagnostics: Diagnostics,
    units: "dict[int, KeptUnit] | None" = None,
) -> syntax.Program:
    """Return the program with every family written out, constants set as `overrides` says."""
    with room_to_recurse():
        constants = _constants(program, overrides, diagnostics)
        families = _Families(_reader(program, constants, diagnostics), program)
        if units is not None:
            from gnomon.language.expand.kept import KeptCopies  # for who reads again and again

            families.kept = KeptCopies(units, families.indices, families.copies.computed)
        return families.program(program)


def _reader(
    program: syntax.Program, constants: Mapping[str, int], diagnostics: Diagnostics
) -> IndexReader:
    """Return what works out the indices of a program, whose relations come before functions."""
    relations = (relation.name.text for relation in program.relations)
    return IndexReader(diagnostics, constants, syntax.FUNCTIONS.difference(relations))


def _constants(
    program: syntax.Program, overrides: Mapping[str, int], diagnostics: Diagnostics
) -> dict[str, int]:
    constants: dict[str, int] = {}
    indices = IndexReader(diagnostics, constants)
    for constant in program.constants:
        if constant.name in constants:
            diagnostics.add("G0502", f"constant `{constant.name}` is declared twice", constant.span)
        if constant.name in overrides:
            constants[constant.name] = overrides[constant.name]
            continue
        try:
            constants[constant.name] = indices.integer(constant.value, {})
        except Reported:
            constants[constant.name] = 1
    known = {constant.name for constant in program.constants}
    parameters = {name.text for line in program.parameters for name in line.names}
    for name in overrides:
        if name in parameters:
            diagnostics.add(
                "G0501",
                f"`{name}` is a parameter, and no constant to set",
                notes=("verdicts are about all values of the parameters that `Assume` allows",),
                help=f"for one value: `gnomon export --agents {name}={overrides[name]}`, and check that",
            )
        elif name not in known:
            declared = [constant.name for constant in program.constants]
            diagnostics.add(
                "G0501",
                f"the program has no constant `{name}` to set",
                notes=diagnostics.listing("its constants", declared, none="none"),
                help=diagnostics.did_you_mean(name, declared),
            )
    return constants


def in_force(program: syntax.Program, overrides: Mapping[str, int]) -> dict[str, int]:
    """Return what the constants are worth, in their order; one that cannot be worked out is left out."""
    found: dict[str, int] = {}
    indices = IndexReader(Diagnostics(Source("<constants>", "")), found)
    with room_to_recurse():
        for constant in program.constants:
            try:
                value = overrides.get(constant.name)
                found[constant.name] = (
                    indices.integer(constant.value, {}) if value is None else value
                )
            except Reported:
                continue
    return found


def expand_formula(
    line: syntax.FormulaLine,
    program: syntax.Program,
    overrides: Mapping[str, int],
    diagnostics: Diagnostics,
) -> syntax.FormulaLine | None:
    """Return one formula with the program's constants and its own indices written out."""
    constants = _constants(program, overrides, Diagnostics(diagnostics.source))
    indices = _reader(program, constants, diagnostics)
    said = line.annotation
    with room_to_recurse():
        try:
            # It is one formula, and its name has no ranges.
            name = said.name and indices.name(said.name, {})
            formula = Copier(indices, program).formula(line.formula, {})
        except Reported:
            return None
    of_this = syntax.Annotation(name, said.expected, said.span)
    changed = reads_otherwise(line.formula, {})
    return syntax.FormulaLine(line.logic, formula, line.span, of_this, changed)


class _Families:
    """Writes out the lines of a program that stand for several."""

    def __init__(self, indices: IndexReader, program: syntax.Program) -> None:
        self.indices = indices
        self.copies = Copier(indices, program)
        self.has_parameters = bool(program.parameters)
        self.kept: KeptCopies | None = None

    def _lines(
        self,
        lines: tuple[PlacedLine | syntax.Repeat[PlacedLine], ...],
        expand_line: Callable[[PlacedLine, Bindings], Iterator[PlacedLine]],
        bound: Bindings,
    ) -> tuple[PlacedLine, ...]:
        result: list[PlacedLine] = []
        kept = self.kept if not bound else None
        for line in lines:
            try:
                if kept is None:
                    self._line(line, expand_line, bound, result)
                else:
                    self._kept_line(line, expand_line, kept, result)
            except TooLarge:
                raise
            except Reported:
                continue
        return tuple(result)

    def _line(
        self,
        line: PlacedLine | syntax.Repeat[PlacedLine],
        expand_line: Callable[[PlacedLine, Bindings], Iterator[PlacedLine]],
        bound: Bindings,
        result: list[PlacedLine],
    ) -> None:
        if isinstance(line, syntax.Repeat):
            for inner in self.indices.bindings(line.binders, bound):
                result.extend(self._lines(line.lines, expand_line, inner))
        else:
            self.indices.size.write(line.span)
            result.extend(expand_line(line, bound))

    def _kept_line(
        self,
        line: PlacedLine | syntax.Repeat[PlacedLine],
        expand_line: Callable[[PlacedLine, Bindings], Iterator[PlacedLine]],
        kept: "KeptCopies",
        result: list[PlacedLine],
    ) -> None:
        """Write out a line that no index is bound in, unless it was written out before."""
        how = expand_line.__name__
        known = kept.take(line, how)
        if known is not None:
            result.extend(known)
            return
        begun, before = kept.begin(), len(result)
        self._line(line, expand_line, {}, result)
        kept.keep(line, how, begun, result[before:])

    def _variable(
        self, line: syntax.VariableDeclaration, bound: Bindings
    ) -> Iterator[syntax.VariableDeclaration]:
        if line.name.text in bound or line.name.text in self.indices.constants:
            self.indices.diagnostics.add(
                "G0502",
                f"variable `{line.name.text}` has the name of a constant or an index",
                line.span,
            )
        for name, inner in self.indices.family(line.name, bound):
            initial = line.initial and self.copies.expression(line.initial, inner)
            yield syntax.VariableDeclaration(name, self._type(line.type, inner), line.span, initial)

    def _type(self, type_: syntax.Type, bound: Bindings) -> syntax.Type:
        match type_:
            case syntax.RangeType(low, high, span):
                lowest = syntax.Number(self.indices.integer(low, bound), low.span)
                highest = syntax.Number(self.indices.integer(high, bound), high.span)
                return syntax.RangeType(lowest, highest, span)
            case syntax.EnumerationType(values, more, span):
                return syntax.EnumerationType(self.indices.names(values, bound), more, span)
            case syntax.BooleanType() | syntax.IntegerType() | syntax.NamedType():
                return type_

    def _protocol_line(
        self, line: syntax.ProtocolLine, bound: Bindings
    ) -> Iterator[syntax.ProtocolLine]:
        condition = line.condition and self.copies.expression(line.condition, bound)
        yield syntax.ProtocolLine(condition, self.indices.names(line.actions, bound), line.span)

    def _evolution_line(
        self, line: syntax.EvolutionLine, bound: Bindings
    ) -> Iterator[syntax.EvolutionLine]:
        assignments = tuple(
            syntax.Assignment(name, self.copies.expression(item.value, inner), item.span)
            for item in line.assignments
            for name, inner in self._targets(item.target, bound)
        )
        yield syntax.EvolutionLine(
            assignments, self.copies.expression(line.guard, bound), line.span
        )

    def _targets(
        self, target: syntax.Name, bound: Bindings
    ) -> Iterator[tuple[syntax.Name, Bindings]]:
        if self.copies.computed.stand_in(target, bound):
            yield self.copies.member(target, bound), bound
        else:
            yield from self.indices.family(target, bound)

    def _definition(self, line: syntax.Definition, bound: Bindings) -> Iterator[syntax.Definition]:
        if line.name.text in bound or line.name.text in self.indices.constants:
            self.indices.diagnostics.add(
                "G0502",
                f"definition `{line.name.text}` has the name of a constant or an index",
                line.span,
            )
        for name, inner in self.indices.family(line.name, bound):
            yield syntax.Definition(name, self.copies.expression(line.body, inner), line.span)

    def _proposition(
        self, line: syntax.Proposition, bound: Bindings
    ) -> Iterator[syntax.Proposition]:
        for name, inner in self.indices.family(line.name, bound):
            yield syntax.Proposition(name, self.copies.expression(line.condition, inner), line.span)

    def _group(self, line: syntax.Group, bound: Bindings) -> Iterator[syntax.Group]:
        for name, inner in self.indices.family(line.name, bound):
            yield syntax.Group(name, self.indices.members(line.members, inner), line.span)

    def formula_line(
        self, line: syntax.FormulaLine, bound: Bindings
    ) -> Iterator[syntax.FormulaLine]:
        """Yield a formula with its indices written out; where its name has ranges, one for each member."""
        said = line.annotation
        if said.name is None:
            formula = self.copies.formula(line.formula, bound)
            changed = reads_otherwise(line.formula, bound)
            yield syntax.FormulaLine(line.logic, formula, line.span, said, changed)
            return
        for name, inner in self.indices.family(said.name, bound):
            formula = self.copies.formula(line.formula, inner)
            of_this = syntax.Annotation(name, said.expected, said.span)
            changed = reads_otherwise(line.formula, inner)
            yield syntax.FormulaLine(line.logic, formula, line.span, of_this, changed)

    def _agent(self, agent: syntax.Agent, bound: Bindings) -> Iterator[syntax.Agent]:
        for name, inner in self.indices.family(agent.name, bound):
            self.indices.size.count(agent.span)
            yield replace(
                agent,
                name=name,
                variables=self._optional(agent.variables, self._variable, inner),
                observed=self._optional(agent.observed, self._variable, inner),
                local_observed=agent.local_observed
                and self.indices.names(agent.local_observed, inner),
                red=agent.red and self.copies.expression(agent.red, inner),
                actions=agent.actions and self.indices.names(agent.actions, inner),
                synchronised=agent.synchronised and self._synchronised(agent.synchronised, inner),
                bounds=agent.bounds and self._bounds(agent.bounds, inner),
                protocol=self._optional(agent.protocol, self._protocol_line, inner),
                evolution=self._optional(agent.evolution, self._evolution_line, inner),
            )

    def _synchronised(
        self, declared: tuple[syntax.SyncDeclaration, ...], bound: Bindings
    ) -> tuple[syntax.SyncDeclaration, ...]:
        return tuple(
            replace(item, name=name, leader=item.leader and self.indices.name(item.leader, inner))
            for item in declared
            for name, inner in self.indices.family(item.name, bound)
        )

    def _bounds(
        self, bounds: tuple[syntax.Expression, syntax.Expression | None], bound: Bindings
    ) -> tuple[syntax.Expression, syntax.Expression | None]:
        if self.has_parameters:
            return self._open_bounds(bounds, bound)
        low, high = bounds
        lowest = syntax.Number(self.indices.integer(low, bound), low.span)
        if high is None:
            return lowest, None
        return lowest, syntax.Number(self.indices.integer(high, bound), high.span)

    def _open_bounds(
        self, bounds: tuple[syntax.Expression, syntax.Expression | None], bound: Bindings
    ) -> tuple[syntax.Expression, syntax.Expression | None]:
        """Return bounds that parameters may stand in."""
        low, high = bounds
        copied = self.copies.expression(low, bound)
        return copied, None if high is None else self.copies.expression(high, bound)

    def _type_declaration(
        self, line: syntax.TypeDeclaration, bound: Bindings
    ) -> Iterator[syntax.TypeDeclaration]:
        yield replace(line, type=self._type(line.type, bound))

    def _conditions(
        self,
        lines: tuple[syntax.Expression | syntax.Repeat[syntax.Expression], ...],
        bound: Bindings,
    ) -> tuple[syntax.Expression, ...]:
        def condition(line: syntax.Expression, bound: Bindings) -> Iterator[syntax.Expression]:
            yield self.copies.expression(line, bound)

        return self._lines(lines, condition, bound)

    def _definitions(
        self, section: syntax.DefinitionSection | None, bound: Bindings
    ) -> syntax.DefinitionSection | None:
        if section is None:
            return None
        lines = self._lines(section.lines, self._definition, bound)
        return syntax.DefinitionSection(lines, section.span)

    def _optional(
        self,
        lines: tuple[PlacedLine | syntax.Repeat[PlacedLine], ...] | None,
        expand_line: Callable[[PlacedLine, Bindings], Iterator[PlacedLine]],
        bound: Bindings,
    ) -> tuple[PlacedLine, ...] | None:
        return None if lines is None else self._lines(lines, expand_line, bound)

    def _condition(self, condition: syntax.Expression | None) -> syntax.Expression | None:
        """Return the one condition of a section; nothing where it has mistakes."""
        if condition is None:
            return None
        # As in a section of one line.
        found = self._conditions((condition,), {})
        return found[0] if found else None

    def program(self, program: syntax.Program) -> syntax.Program:
        """Return a program with every family written out."""
        bound: Bindings = {}
        return replace(
            program,
            definitions=self._definitions(program.definitions, bound),
            assumptions=self._conditions(program.assumptions, bound),
            types=self._lines(program.types, self._type_declaration, bound),
            axioms=self._conditions(program.axioms, bound),
            agents=self._lines(program.agents, self._agent, bound),
            predicates=self._conditions(program.predicates, bound),
            evaluation=self._optional(program.evaluation, self._proposition, bound),
            initial=self._condition(program.initial),
            terminal=self._condition(program.terminal),
            groups=self._lines(program.groups, self._group, bound),
            fairness=self._lines(program.fairness, self.formula_line, bound),
            formulae=self._optional(program.formulae, self.formula_line, bound),
            uses_families=False,
        )
