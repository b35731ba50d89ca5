"""A program to a system or a population, and formulae that are read with the names of either."""

from typing import TYPE_CHECKING, overload

from gnomon.language import syntax
from gnomon.model.elaborate.fairness import report_unfit
from gnomon.model.elaborate.formulae import FormulaReader
from gnomon.model.elaborate.labels import FormulaNames
from gnomon.model.elaborate.system import SystemElaborator, names_of
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import room_to_recurse

if TYPE_CHECKING:  # most programs have no templates
    from gnomon.model.any import AnyModel, AnySpecification
    from gnomon.model.elaborate.memory import MeaningMemory
    from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion


def elaborate(
    program: syntax.Program,
    diagnostics: Diagnostics,
    *,
    has_templates: bool = False,
    memory: "MeaningMemory | None" = None,
) -> "AnyModel":
    """Return the system that a plain program describes; with templates, one with any number of agents.

    Mistakes go to `diagnostics`; with errors among them the result is not to be used. `has_templates` says
    that the program has some, be it that none of them could be expanded. What is in `memory` need not be
    read again.
    """
    with room_to_recurse():
        if not (has_templates or program.is_parameterised):
            return SystemElaborator(program, diagnostics, memory).system()
        from gnomon.model.elaborate.templates.population import PopulationElaborator  # rarely used

        return PopulationElaborator(program, diagnostics).population()


@overload
def elaborate_formula(
    line: syntax.FormulaLine,
    model: System,
    diagnostics: Diagnostics,
    program: syntax.Program | None = None,
) -> Specification | None: ...


@overload
def elaborate_formula(
    line: syntax.FormulaLine,
    model: "OpenSystem",
    diagnostics: Diagnostics,
    program: syntax.Program | None = None,
) -> "PopulationQuestion | None": ...


def elaborate_formula(
    line: syntax.FormulaLine,
    model: "AnyModel",
    diagnostics: Diagnostics,
    program: syntax.Program | None = None,
) -> "AnySpecification | None":
    """Return a formula that a user typed, read with the names of a model.

    With templates, definitions are those of the `program`: such a model has none.
    """
    if isinstance(model, System):
        return _typed(line, model, diagnostics)
    return _asked(line, model, diagnostics, program)


def elaborate_fairness(
    line: syntax.FormulaLine, system: System, diagnostics: Diagnostics
) -> Specification | None:
    """Return a fairness constraint that was given apart from a program, read with the names of a system."""
    found = _typed(line, system, diagnostics, of_steps=True)
    if found is not None:
        report_unfit(found, line.span, diagnostics)
    return found


def _typed(
    line: syntax.FormulaLine, system: System, diagnostics: Diagnostics, *, of_steps: bool = False
) -> Specification | None:
    text = diagnostics.source.on_one_line(line.span)
    with room_to_recurse():
        formula = FormulaReader(names_of(system), diagnostics, of_steps=of_steps).line(line)
        if formula is None:
            return None
        name = FormulaNames(diagnostics).name(line)
        return Specification(formula, text, 0, line.logic, name, line.annotation.expected)


def _asked(
    line: syntax.FormulaLine,
    model: "OpenSystem",
    diagnostics: Diagnostics,
    program: syntax.Program | None,
) -> "PopulationQuestion | None":
    from gnomon.model.elaborate.templates.population import names_of_population
    from gnomon.model.elaborate.templates.questions import QuestionReader

    text = diagnostics.source.on_one_line(line.span)
    names = names_of_population(model)
    plain: syntax.FormulaLine | None = line
    with room_to_recurse():
        if program is not None and program.definitions is not None:
            from gnomon.language.inline import formula_for_templates  # few programs have some

            names.declare_definitions(program.definitions)
            plain = formula_for_templates(line, program, diagnostics)
        if plain is None:
            return None
        return QuestionReader(names, diagnostics, fair=bool(model.fairness)).question(plain, text)
