"""Families to plain programs: constants and indices become numbers, ranges become lists.

`coin[i : 1..3]` declares `coin[1]`, `coin[2]` and `coin[3]`; the brackets stay in the name, so that it can
clash with no other. Binders over types and templates are left alone: they belong to the model.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gnomon.language import syntax
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import TooLarge

if TYPE_CHECKING:
    from gnomon.language.reparse import KeptUnit

# Most programs have no families, and reading one should not wait for what writes them out.


def expand(
    program: syntax.Program,
    overrides: Mapping[str, int],
    diagnostics: Diagnostics,
    units: "dict[int, KeptUnit] | None" = None,
) -> syntax.Program:
    """Return the program with every family written out, constants set as `overrides` says.

    What the `units` of a program that is read again were written out as is not written out again.
    """
    if not program.uses_families and not overrides:
        return program
    from gnomon.language.expand.families import expand_program

    if units is not None:
        before = diagnostics.mark()
        try:
            return expand_program(program, overrides, diagnostics, units)
        except TooLarge:
            diagnostics.go_back(before)
    return expand_program(program, overrides, diagnostics)


def expand_formula(
    line: syntax.FormulaLine,
    program: syntax.Program,
    overrides: Mapping[str, int],
    diagnostics: Diagnostics,
) -> syntax.FormulaLine | None:
    """Return one formula with the program's constants and its own indices written out."""
    from gnomon.language.expand import families

    return families.expand_formula(line, program, overrides, diagnostics)


def constants_in_force(
    program: syntax.Program, overrides: Mapping[str, int]
) -> tuple[tuple[str, int], ...]:
    """Return what the constants are worth, in their order; one that cannot be worked out is left out."""
    if not program.constants:
        return ()
    from gnomon.language.expand import families

    return tuple(families.in_force(program, overrides).items())
