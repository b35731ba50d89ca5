"""What may hold of the relations: ground facts as literals, and which of them go together.

A literal is a number, negative where the fact does not hold. The axioms, and that a relation with a key has
exactly one value, are given to a SAT solver, if there are any.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product
from typing import TypeAlias

from gnomon.model import expression as plain
from gnomon.model.domain import Datum, Domain, OpenEnumeration, values_of
from gnomon.model.evaluation import value_of
from gnomon.model.parameterised.condition import (
    And,
    Condition,
    Equal,
    Holds,
    Lookup,
    Not,
    Or,
    Related,
    Term,
    positive,
)
from gnomon.model.parameterised.step import Place
from gnomon.model.parameterised.system import OpenSystem

#: A relation, its arguments, and the value that it has there: True where it has no key.
GroundAtom: TypeAlias = tuple[str, tuple[Datum, ...], Datum]
Literals: TypeAlias = frozenset[int]

NOTHING: Literals = frozenset()


class GroundFacts:
    """The ground facts that a system may ask for, numbered as they are met."""

    def __init__(self, system: OpenSystem) -> None:
        """Know the relations and axioms of a system."""
        self.system = system
        self.atoms: list[GroundAtom] = []
        self._numbers: dict[GroundAtom, int] = {}
        self._answers: dict[Literals, bool] = {}
        self._axioms = None if self.is_free else _Axioms(self)

    @cached_property
    def is_free(self) -> bool:
        """Whether every set of facts that does not contradict itself is possible."""
        keyed = any(relation.result is not None for relation in self.system.relations.values())
        return not self.system.axioms and not keyed

    def literal(self, relation: str, arguments: tuple[Datum, ...], value: Datum = True) -> int:  # noqa: FBT002
        """Return the literal that a relation holds of its arguments, or has a value for them."""
        atom = (relation, arguments, value)
        found = self._numbers.get(atom)
        if found is None:
            self.atoms.append(atom)
            found = self._numbers[atom] = len(self.atoms)
        return found

    def possible(self, literals: Literals) -> bool:
        """Return whether some interpretation has all these facts."""
        if any(-literal in literals for literal in literals):
            return False
        if self._axioms is None:
            return True
        found = self._answers.get(literals)
        if found is None:
            found = self._answers[literals] = self._axioms.solve(literals) is not None
        return found

    def surely_contradict(self, conflicts: int) -> bool:
        """Return whether so many conflicts suffice to see that nothing satisfies the axioms."""
        return self._axioms is not None and self._axioms.surely_contradict(conflicts)

    def interpretation(self, literals: Literals) -> dict[Place, Datum]:
        """Return the facts of one interpretation with these literals; what is free does not hold."""
        chosen = set(literals)
        if self._axioms is not None:
            model = self._axioms.solve(literals)
            assert model is not None
            chosen |= model
        found: dict[Place, Datum] = {}
        for number, (relation, arguments, value) in enumerate(self.atoms, 1):
            keyed = self.system.relations[relation].result is not None
            if number in chosen:
                found[relation, arguments] = value
            elif not keyed:
                found[relation, arguments] = False
        return found

    # Values that are looked up

    def looked_up(
        self, terms: tuple[Term, ...]
    ) -> Iterator[tuple[tuple[Datum, ...], tuple[int, ...]]]:
        """Yield the values that terms without variables may have, and which facts give them."""
        for combination in product(*(list(self._values(term)) for term in terms)):
            values = tuple(value for value, _ in combination)
            needed = tuple(literal for _, literals in combination for literal in literals)
            yield values, needed

    def _values(self, term: Term) -> Iterator[tuple[Datum, tuple[int, ...]]]:
        if not isinstance(term, Lookup):
            assert isinstance(term, plain.Expression)
            yield value_of(term, {}), ()  # type: ignore[misc]
            return
        result = self.system.relations[term.relation].result
        assert result is not None
        for arguments, needed in self.looked_up(term.arguments):
            for value in values_of(result):
                yield value, (*needed, self.literal(term.relation, arguments, value))


class _Axioms:
    """The axioms, and that a relation with a key has exactly one value for it, as clauses."""

    def __init__(self, facts: GroundFacts) -> None:
        from gnomon.engines.solvers.sat import SatSolver

        self._facts = facts
        self._solver = SatSolver(kind="minisat22")
        self._keyed: set[Place] = set()
        self._derived = 0
        self._is_told = False

    def solve(self, literals: Literals) -> set[int] | None:
        """Return the facts, as literals, of an interpretation that has some of them, if there is one."""
        self._tell()
        found = self._solver.solve([_variable(literal) for literal in literals])
        if found is None:
            return None
        model = set(found)
        return {
            number if _variable(number) in model else -number
            for number in range(1, len(self._facts.atoms) + 1)
        }

    def surely_contradict(self, conflicts: int) -> bool:
        """Return whether so many conflicts suffice to see that nothing satisfies the axioms."""
        self._tell()
        return self._solver.is_satisfiable((), conflicts) is False

    def _tell(self) -> None:
        """Add the axioms the first time, and the keys of places that were asked for since."""
        if not self._is_told:
            self._is_told = True
            for axiom in self._facts.system.axioms:
                self._solver.add([self._encode(positive(axiom))])
        facts = self._facts
        for relation, arguments, _ in list(facts.atoms):
            result = facts.system.relations[relation].result
            if result is None or (relation, arguments) in self._keyed:
                continue
            self._keyed.add((relation, arguments))
            values = [facts.literal(relation, arguments, value) for value in values_of(result)]
            self._solver.add([_variable(value) for value in values])
            for index, one in enumerate(values):
                for other in values[:index]:
                    self._solver.add([-_variable(one), -_variable(other)])

    def _fresh(self) -> int:
        self._derived += 2
        return self._derived

    def _encode(self, condition: Condition) -> int:
        """Return a literal of the solver that says what an axiom says."""
        facts = self._facts
        match condition:
            case Holds(expression):
                whole = self._fresh()
                self._solver.add([whole if value_of(expression, {}) else -whole])
                return whole
            case Related(relation, arguments):
                return self._any(
                    (*needed, facts.literal(relation, values))
                    for values, needed in facts.looked_up(arguments)
                )
            case Equal(left, right):
                pairs = facts.looked_up((left, right))
                return self._any(needed for (a, b), needed in pairs if a == b)
            case Not(operand):
                return -self._encode(operand)
            case And(operands):
                return self._all([self._encode(operand) for operand in operands])
            case Or(operands):
                return -self._all([-self._encode(operand) for operand in operands])
            case _:
                msg = "an axiom speaks of agents"
                raise ValueError(msg)

    def _any(self, alternatives: Iterable[tuple[int, ...]]) -> int:
        found = [-self._all([_variable(literal) for literal in needed]) for needed in alternatives]
        return -self._all(found)

    def _all(self, literals: list[int]) -> int:
        if len(literals) == 1:
            return literals[0]
        whole = self._fresh()
        for literal in literals:
            self._solver.add([-whole, literal])
        self._solver.add([whole, *(-literal for literal in literals)])
        return whole


def _variable(literal: int) -> int:
    """Return the solver's variable of an atom: atoms have the odd ones, what is derived the even."""
    return (2 * abs(literal) - 1) * (1 if literal > 0 else -1)


def contradiction(system: OpenSystem, conflicts: int | None = None) -> bool:
    """Return whether no interpretation satisfies the axioms; only where all types are listed.

    With a limit on the solver's conflicts, False may also mean that it cannot tell.
    """
    if not system.axioms or not all(is_listed(domain) for domain in _domains(system)):
        return False
    facts = GroundFacts(system)
    return facts.surely_contradict(conflicts) if conflicts else not facts.possible(NOTHING)


def is_listed(domain: Domain) -> bool:
    """Return whether all values of a type are known."""
    if isinstance(domain, OpenEnumeration):
        return False
    try:
        values_of(domain)
    except ValueError:
        return False
    return True


def _domains(system: OpenSystem) -> Iterator[Domain]:
    for relation in system.relations.values():
        yield from relation.columns
        if relation.result is not None:
            yield relation.result
