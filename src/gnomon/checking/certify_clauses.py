"""Certificates for invariants that are clauses: each is written as what one of some variables is worth.

The checker reads conditions as it does those of cells: that the clauses hold in the beginning, and after
every step if they did before, is asked of a solver that knows no circuit.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from gnomon.certificate.core import spelled
from gnomon.checking.proofs import UNFINISHED, ProofAttempt, Proved, first_accepted
from gnomon.checking.shared_work import SharedWork
from gnomon.checking.solved_formulae import SolvedFormula
from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.sat.machine import Bit
from gnomon.engines.sat.reachability import Cube
from gnomon.model.agent import Variable
from gnomon.model.budget import LimitReached
from gnomon.model.domain import IntegerRange, size_of, value_at
from gnomon.model.formula import All, Formula, Globally
from gnomon.model.system import Specification, System

#: The kind of proof, as the checker calls it.
KIND: Final = "conditions"
_NO_INVARIANT: Final = (
    "there is no rule yet for what was decided by satisfiability, but for invariants"
)


def proved_by_clauses(
    shared: SharedWork, asked: Specification, entry: dict[str, Any], solved: SolvedFormula
) -> Proved:
    """Return the entry of a verdict with its invariant as a proof, or why there is none."""
    try:
        cubes = solved.clauses()
        if cubes is None or not _is_invariant(asked.formula):
            return Proved({**entry, "reason": _NO_INVARIANT})
        proof = clauses_proof(shared.system, solved.layout, solved.bits, cubes, asked.formula)
        accepted, why = first_accepted(
            shared.system, asked, entry, [ProofAttempt(proof)], shared.budget
        )
    except LimitReached:
        return Proved({**entry, "reason": UNFINISHED})
    if accepted is None:
        return Proved({**entry, "reason": why})
    return Proved({**entry, "proof": accepted.proof, "reason": ""})


def _is_invariant(formula: Formula) -> bool:
    path = formula.path if isinstance(formula, All) else formula
    return isinstance(path, Globally)


def clauses_proof(
    system: System, layout: BitLayout, bits: Sequence[Bit], cubes: Iterable[Cube], formula: Formula
) -> dict[str, Any]:
    """Return the proof that a formula of the form `AG p` holds, as what no reachable state is in shows."""
    written = _Clauses(system, layout, bits)
    invariant = written.clauses(cubes)
    label = {"formula": spelled(formula), "holds": True, "where": True, "moves": []}
    return {
        "kind": KIND,
        "quantities": written.quantities,
        "conditions": written.conditions,
        "invariant": invariant,
        "labels": [label],
    }


class _Clauses:
    """Clauses on bits as cases of what variables are worth."""

    def __init__(self, system: System, layout: BitLayout, bits: Sequence[Bit]) -> None:
        self._bits = bits
        self._at: dict[int, tuple[Variable, int]] = {}
        for variable in system.variables:
            levels = layout.variables[variable.agent, variable.name].now
            for place, level in enumerate(reversed(levels)):
                self._at[level] = variable, place
        self._numbers: dict[Variable, int] = {}
        self.quantities: list[dict[str, Any]] = []
        self.conditions: list[list[Any]] = []

    def clauses(self, cubes: Iterable[Cube]) -> list[bool | int]:
        """Return the conditions that no state is in any of some cubes."""
        ordered = sorted(cubes, key=lambda each: (len(each), sorted(each)))
        return [self._outside(cube) for cube in ordered]

    def _outside(self, cube: Cube) -> bool | int:
        """Return that a state is not in a cube."""
        needed: dict[Variable, dict[int, bool]] = {}
        for literal in cube:
            variable, place = self._at[self._bits[abs(literal) - 1].now]
            needed.setdefault(variable, {})[place] = literal > 0
        found: bool | int = False
        for variable, places in needed.items():
            codes = range(size_of(variable.domain) or 1)
            free = [
                code
                for code in codes
                if any(bool(code >> place & 1) != value for place, value in places.items())
            ]
            if not free:
                continue
            cases = [[_values(variable, free), True]]
            self.conditions.append([self._quantity(variable), cases, found])
            found = len(self.conditions) - 1
        return found

    def _quantity(self, variable: Variable) -> int:
        if variable not in self._numbers:
            self._numbers[variable] = len(self.quantities)
            name: list[Any] = [variable.agent, variable.name]
            number = isinstance(variable.domain, IntegerRange)
            self.quantities.append({"sum": [[1, *name]]} if number else {"variable": name})
        return self._numbers[variable]


def _values(variable: Variable, codes: list[int]) -> list[Any]:
    """Return the values that some codes stand for, numbers as the ranges that they make up."""
    if not isinstance(variable.domain, IntegerRange):
        return [value_at(variable.domain, code) for code in codes]
    low = variable.domain.low
    found: list[list[int]] = []
    for code in codes:
        if found and found[-1][1] == low + code - 1:
            found[-1][1] = low + code
        else:
            found.append([low + code, low + code])
    return list(found)
