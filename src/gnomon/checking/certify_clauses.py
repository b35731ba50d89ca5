"""Certificates for invariants that are clauses: each is written as what one of some variables is worth.

The checker reads conditions as it does those of cells: that the clauses hold in the beginning, and after
every step if they did before, is asked of a solver that knows no circuit.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from gnomon.certificate.core import spelled
from gnomon.checking.certain_views import CertainViews
from gnomon.checking.known_views import KnownViews
from gnomon.checking.linear_paths import without_idle_quantifiers
from gnomon.checking.momentary import Doubt, KnowledgeFormula, doubts_of
from gnomon.checking.proofs import UNFINISHED, ProofAttempt, Proved, first_accepted
from gnomon.checking.shared_work import SharedWork
from gnomon.checking.solved_formulae import SolvedFormula
from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.sat.machine import Bit
from gnomon.engines.sat.reachability import Cube
from gnomon.model.agent import Variable
from gnomon.model.budget import LimitReached
from gnomon.model.domain import IntegerRange, size_of, value_at
from gnomon.model.formula import All, Formula, Globally, walk
from gnomon.model.system import Specification, System

#: The kind of proof, as the checker calls it.
KIND: Final = "conditions"
_NO_VIEWS: Final[Mapping[Doubt, Sequence[Cube]]] = MappingProxyType({})
_NO_INVARIANT: Final = (
    "there is no rule yet for what was decided by satisfiability, but for invariants"
)


def proved_by_clauses(
    shared: SharedWork, asked: Specification, entry: dict[str, Any], solved: SolvedFormula
) -> Proved:
    """Return the entry of a verdict with its invariant as a proof, or why there is none."""
    try:
        proof = proof_of(solved, asked.formula)
        if proof is None:
            return Proved({**entry, "reason": _NO_INVARIANT})
        accepted, why = first_accepted(
            shared.system, asked, entry, [ProofAttempt(proof)], shared.budget
        )
    except LimitReached:
        return Proved({**entry, "reason": UNFINISHED})
    if accepted is None:
        return Proved({**entry, "reason": why})
    return Proved({**entry, "proof": accepted.proof, "reason": ""})


def proof_of(solved: SolvedFormula, formula: Formula) -> dict[str, Any] | None:
    """Return the proof that a formula of the form `AG p` holds, if there is an invariant that shows it."""
    path = formula.path if isinstance(formula, All) else formula
    cubes = solved.clauses()
    if cubes is None or not isinstance(path, Globally):
        return None
    alike = solved.alike
    if not any(isinstance(part, KnowledgeFormula) for part in walk(formula)):
        return clauses_proof(alike, cubes, formula)
    views = CertainViews(alike, (*alike.facts.cubes, *cubes))
    needed = views.invariant_for(path.body)
    return None if needed is None else clauses_proof(alike, needed, formula, views.views)


def clauses_proof(
    alike: KnownViews,
    cubes: Iterable[Cube],
    formula: Formula,
    views: Mapping[Doubt, Sequence[Cube]] = _NO_VIEWS,
) -> dict[str, Any]:
    """Return the proof that a formula of the form `AG p` holds, as what no reachable state is in shows.

    `views` are those with which agents are certain of what they have to know.
    """
    work = alike.work
    written = _Clauses(work.system, work.circuit.layout, work.machine.bits)
    invariant = written.clauses(cubes)
    labels = [{"formula": spelled(formula), "holds": True, "where": True, "moves": []}]
    for part in dict.fromkeys(walk(formula)):
        if not isinstance(part, KnowledgeFormula):
            continue
        where: bool | int = True
        for doubt in doubts_of(without_idle_quantifiers(part)) or ():  # type: ignore[arg-type]
            where = written.inside(views.get(doubt, ()), then=where)
        labels.append({"formula": spelled(part), "holds": True, "where": where, "moves": []})
    return {
        "kind": KIND,
        "quantities": written.quantities,
        "conditions": written.conditions,
        "invariant": invariant,
        "labels": list({label["formula"]: label for label in labels}.values()),
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

    def inside(self, cubes: Iterable[Cube], *, then: bool | int) -> bool | int:
        """Return the condition that a state is in one of some cubes, and that another one holds."""
        found: bool | int = False
        for cube in cubes:
            otherwise, found = found, then
            for variable, free in self._outsides(cube):
                if free:
                    cases = [[_values(variable, free), otherwise]]
                    self.conditions.append([self._quantity(variable), cases, found])
                    found = len(self.conditions) - 1
        return found

    def _outside(self, cube: Cube) -> bool | int:
        """Return that a state is not in a cube."""
        found: bool | int = False
        for variable, free in self._outsides(cube):
            if not free:
                continue
            cases = [[_values(variable, free), True]]
            self.conditions.append([self._quantity(variable), cases, found])
            found = len(self.conditions) - 1
        return found

    def _outsides(self, cube: Cube) -> Iterator[tuple[Variable, list[int]]]:
        """Yield the variables that a cube looks at, with the codes of values that are not in it."""
        needed: dict[Variable, dict[int, bool]] = {}
        for literal in cube:
            variable, place = self._at[self._bits[abs(literal) - 1].now]
            needed.setdefault(variable, {})[place] = literal > 0
        for variable, places in needed.items():
            codes = range(size_of(variable.domain) or 1)
            yield (
                variable,
                [
                    code
                    for code in codes
                    if any(bool(code >> place & 1) != value for place, value in places.items())
                ],
            )

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
