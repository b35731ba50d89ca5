"""What may hold of the relations: ground facts as literals, and which of them go together.

A literal is a number, negative where the fact does not hold. The axioms, and that a relation with a key has
exactly one value, are given to a SAT solver, which is loaded only if there are any.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product
from typing import Any, TypeAlias

from gnomon.model import expression as plain
from gnomon.model.domain import Domain, OpenEnumeration, Value, values_of
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
Atom: TypeAlias = tuple[str, tuple[Value, ...], Value]
Literals: TypeAlias = frozenset[int]

NOTHING: Literals = frozenset()


class Facts:
    """The ground facts that a system may ask for, numbered as they are met."""

    def __init__(self, system: OpenSystem) -> None:
        """Know the relations and axioms of a system."""
        self.system = system
        self.atoms: list[Atom] = []
        self._numbers: dict[Atom, int] = {}
        self._answers: dict[Literals, bool] = {}
        self._keyed: set[Place] = set()

    def literal(self, relation: str, arguments: tuple[Value, ...], value: Value = True) -> int:  # noqa: FBT002
        """Return the literal that a relation holds of its arguments, or has a value for them."""
        atom = (relation, arguments, value)
        found = self._numbers.get(atom)
        if found is None:
            self.atoms.append(atom)
            found = self._numbers[atom] = len(self.atoms)
        return found

    @cached_property
    def is_free(self) -> bool:
        """Return whether every set of facts that does not contradict itself is possible."""
        keyed = any(relation.result is not None for relation in self.system.relations.values())
        return not self.system.axioms and not keyed

    def possible(self, literals: Literals) -> bool:
        """Return whether some interpretation has all these facts."""
        if any(-literal in literals for literal in literals):
            return False
        if self.is_free:
            return True
        found = self._answers.get(literals)
        if found is None:
            found = self._answers[literals] = self._solve(literals) is not None
        return found

    def interpretation(self, literals: Literals) -> dict[Place, Value]:
        """Return the facts of one interpretation with these literals; what is free does not hold."""
        chosen = set(literals)
        if not self.is_free:
            model = self._solve(literals)
            assert model is not None
            chosen |= model
        found: dict[Place, Value] = {}
        for number, (relation, arguments, value) in enumerate(self.atoms, 1):
            keyed = self.system.relations[relation].result is not None
            if number in chosen:
                found[relation, arguments] = value
            elif not keyed:
                found[relation, arguments] = False
        return found

    # Axioms

    @cached_property
    def _solver(self) -> Any:
        from pysat.solvers import Solver

        solver = Solver(name="minisat22")
        self._next = 0
        for axiom in self.system.axioms:
            solver.add_clause([self._encode(positive(axiom), solver)])
        return solver

    def _solve(self, literals: Literals) -> set[int] | None:
        solver = self._solver
        self._add_keys(solver)
        if not solver.solve(assumptions=[self._variable(literal) for literal in literals]):
            return None
        model = set(solver.get_model())
        return {
            number if self._variable(number) in model else -number
            for number in range(1, len(self.atoms) + 1)
        }

    def surely_contradict(self, conflicts: int) -> bool:
        """Return whether so many conflicts suffice to see that nothing satisfies the axioms."""
        solver = self._solver
        self._add_keys(solver)
        solver.conf_budget(conflicts)
        return solver.solve_limited() is False

    def _variable(self, literal: int) -> int:
        """Return the solver's variable of an atom: atoms have the odd ones, what is derived the even."""
        return (2 * abs(literal) - 1) * (1 if literal > 0 else -1)

    def _fresh(self) -> int:
        self._next += 2
        return self._next

    def _add_keys(self, solver: Any) -> None:
        """Say of each place of a relation with a key that is asked for that it has exactly one value."""
        for relation, arguments, _ in list(self.atoms):
            result = self.system.relations[relation].result
            if result is None or (relation, arguments) in self._keyed:
                continue
            self._keyed.add((relation, arguments))
            values = [self.literal(relation, arguments, value) for value in values_of(result)]
            solver.add_clause([self._variable(value) for value in values])
            for index, one in enumerate(values):
                for other in values[:index]:
                    solver.add_clause([-self._variable(one), -self._variable(other)])

    def _encode(self, condition: Condition, solver: Any) -> int:
        """Return a literal of the solver that says what an axiom says."""
        match condition:
            case Holds(expression):
                return self._constant(bool(value_of(expression, {})), solver)
            case Related(relation, arguments):
                return self._any(
                    (
                        (*needed, self.literal(relation, values))
                        for values, needed in self.looked_up(arguments)
                    ),
                    solver,
                )
            case Equal(left, right):
                pairs = self.looked_up((left, right))
                return self._any((needed for (a, b), needed in pairs if a == b), solver)
            case Not(operand):
                return -self._encode(operand, solver)
            case And(operands):
                return self._all([self._encode(operand, solver) for operand in operands], solver)
            case Or(operands):
                return -self._all([-self._encode(operand, solver) for operand in operands], solver)
            case _:
                msg = "an axiom speaks of agents"
                raise ValueError(msg)

    def _any(self, alternatives: Iterable[tuple[int, ...]], solver: Any) -> int:
        found = [
            -self._all([self._variable(literal) for literal in needed], solver)
            for needed in alternatives
        ]
        return -self._all(found, solver)

    def _all(self, literals: list[int], solver: Any) -> int:
        if len(literals) == 1:
            return literals[0]
        whole = self._fresh()
        for literal in literals:
            solver.add_clause([-whole, literal])
        solver.add_clause([whole, *(-literal for literal in literals)])
        return whole

    def _constant(self, value: bool, solver: Any) -> int:  # noqa: FBT001
        whole = self._fresh()
        solver.add_clause([whole if value else -whole])
        return whole

    # Values that are looked up

    def looked_up(
        self, terms: tuple[Term, ...]
    ) -> Iterator[tuple[tuple[Value, ...], tuple[int, ...]]]:
        """Yield the values that terms without variables may have, and which facts give them."""
        for combination in product(*(list(self._values(term)) for term in terms)):
            values = tuple(value for value, _ in combination)
            needed = tuple(literal for _, literals in combination for literal in literals)
            yield values, needed

    def _values(self, term: Term) -> Iterator[tuple[Value, tuple[int, ...]]]:
        if not isinstance(term, Lookup):
            assert isinstance(term, plain.Expression)
            yield value_of(term, {}), ()  # type: ignore[misc]
            return
        result = self.system.relations[term.relation].result
        assert result is not None
        for arguments, needed in self.looked_up(term.arguments):
            for value in values_of(result):
                yield value, (*needed, self.literal(term.relation, arguments, value))


def contradiction(system: OpenSystem, conflicts: int | None = None) -> bool:
    """Return whether no interpretation satisfies the axioms; only where all types are listed.

    With a limit on the solver's conflicts, False may also mean that it cannot tell.
    """
    if not system.axioms or not all(is_listed(domain) for domain in _domains(system)):
        return False
    facts = Facts(system)
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
