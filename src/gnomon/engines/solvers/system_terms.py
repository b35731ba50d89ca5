"""Conditions on the variables of a system for z3: our expressions in, answers and values out.

One solver lives as long as what it knows is of use; questions are asked under assumptions, so that what it
learned for one helps with the next.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from gnomon.engines.solvers.smt import COMPARISONS, Context, NotExpressible, Satisfiable, check
from gnomon.model import expression as typed
from gnomon.model.budget import Budget
from gnomon.model.domain import Boolean, Datum, Domain, Enumeration, IntegerRange
from gnomon.model.expression import Expression, Read, Sharing
from gnomon.model.patience import patience
from gnomon.model.system import System
from gnomon.text.numbers import read_integer, show_integer

#: So many milliseconds may one question take: linear ones take a few, others may never end.
_PATIENCE: Final = 2_000
#: One with quantifiers is answered in a few or, often, not at all.
_BRIEF: Final = 400


class SystemTerms:
    """Our expressions as terms of the solver; every variable is an integer, names are numbered."""

    def __init__(self, system: System, context: Context, suffix: str = "") -> None:
        """Translate for one system; variables get the suffix, to tell steps apart."""
        import z3

        self._z3 = z3
        self.context = context.of_solver
        self._system = system
        self._suffix = suffix
        self._shared: dict[Sharing, Any] = {}
        self._kinds: dict[Sharing, str | tuple[str, ...]] = {}

    def all(self, parts: Iterable[Any]) -> Any:
        """Return that all hold."""
        return self._z3.And(list(parts), self.context)

    def any(self, parts: Iterable[Any]) -> Any:
        """Return that one holds."""
        return self._z3.Or(list(parts), self.context)

    def literal(self, number: int) -> Any:
        """Return a number."""
        return self._z3.IntVal(show_integer(number), self.context)

    def variable(self, read: Read) -> Any:
        """Return the variable."""
        return self._z3.Int(f"{read.agent}.{read.variable}{self._suffix}", self.context)

    def domain(self, read: Read) -> list[Any]:
        """Return what is always so about a variable."""
        variable = self.variable(read)
        match self.domain_of(read):
            case Boolean():
                return [variable >= 0, variable <= 1]
            case Enumeration(names):
                return [variable >= 0, variable < len(names)]
            case IntegerRange(low, high):
                return [variable >= self.literal(low), variable <= self.literal(high)]
            case _:
                return []

    def domain_of(self, read: Read) -> Domain:
        """Return the type of a variable."""
        return self._system.variables[self._system.position[read.agent, read.variable]].domain

    def condition(self, expression: Expression) -> Any:
        """Return a condition."""
        z3 = self._z3
        match expression:
            case typed.Literal(value):
                return z3.BoolVal(bool(value), self.context)
            case Read():
                return self.variable(expression) == 1
            case typed.Not(operand):
                return z3.Not(self.condition(operand))
            case typed.And(operands):
                return self.all(map(self.condition, operands))
            case typed.Or(operands):
                return self.any(map(self.condition, operands))
            case typed.Compare(operator, left, right):
                return self._compare(operator, left, right)
            case typed.Defined():
                return typed.shared(expression, self._shared, self._once)
            case _:
                raise NotExpressible(typed.show(expression))

    def _once(self, expression: Sharing) -> Any:
        """Return what is shared, whatever its kind is."""
        kind = self._kind(expression)

        def term(part: Expression) -> Any:
            if kind == "condition":
                return self.condition(part)
            return self.number(part) if isinstance(kind, str) else self._name(part, kind)

        if isinstance(expression, typed.Defined):
            return term(expression.body)
        chosen = self.condition(expression.condition)
        return self._z3.If(chosen, term(expression.then), term(expression.otherwise))

    def _compare(self, operator: str, left: Expression, right: Expression) -> Any:
        kinds = [self._kind(side) for side in (left, right)]
        if "condition" in kinds:
            one, two = self.condition(left), self.condition(right)
            return one == two if operator == "=" else one != two
        names = next((kind for kind in kinds if not isinstance(kind, str)), None)
        if names is None:
            return COMPARISONS[operator](self.number(left), self.number(right))
        return COMPARISONS[operator](self._name(left, names), self._name(right, names))

    def _kind(self, expression: Expression) -> str | tuple[str, ...]:
        """Return whether it is a condition or a number, or else the names it is one of."""
        match expression:
            case typed.Literal(value):
                if isinstance(value, bool):
                    return "condition"
                return (value,) if isinstance(value, str) else "number"
            case Read():
                domain = self.domain_of(expression)
                if isinstance(domain, Boolean):
                    return "condition"
                return domain.names if isinstance(domain, Enumeration) else "number"
            case typed.Sum() | typed.Negative() | typed.Arithmetic() | typed.BitComplement():
                return "number"
            case typed.Conditional() | typed.Defined():
                return typed.shared(expression, self._kinds, self._shared_kind)
            case _:
                return "condition"

    def _shared_kind(self, expression: Sharing) -> str | tuple[str, ...]:
        if isinstance(expression, typed.Defined):
            return self._kind(expression.body)
        one, two = self._kind(expression.then), self._kind(expression.otherwise)
        if isinstance(one, str) or isinstance(two, str):
            return one
        return tuple(dict.fromkeys((*one, *two)))

    def _name(self, expression: Expression, names: tuple[str, ...]) -> Any:
        """Return the number of a name; names of different lists are compared by their texts."""
        z3 = self._z3
        if isinstance(expression, typed.Literal):
            known = names.index(expression.value) if expression.value in names else -1
            return self.literal(known)
        own = self._kind(expression)
        assert not isinstance(own, str)
        if isinstance(expression, Read):
            term = self.variable(expression)
        else:
            assert isinstance(expression, typed.Conditional | typed.Defined)
            term = typed.shared(expression, self._shared, self._once)
        if own == names:
            return term
        result = self.literal(-1)
        for number, name in enumerate(own):
            code = names.index(name) if name in names else -2
            result = z3.If(term == number, self.literal(code), result)
        return result

    def number(self, expression: Expression) -> Any:
        """Return a number; `div` and `mod` mean the same to the solver but for the divisor zero."""
        z3 = self._z3
        match expression:
            case typed.Literal(value):
                return self.literal(int(value))
            case Read():
                return self.variable(expression)
            case typed.Sum(terms):
                return z3.Sum([self.number(term) for term in terms])
            case typed.Negative(operand):
                return -self.number(operand)
            case typed.Arithmetic("*", left, right):
                return self.number(left) * self.number(right)
            case typed.Arithmetic("div", left, right):
                one, two = self.number(left), self.number(right)
                return z3.If(two == 0, self.literal(0), one / two)
            case typed.Arithmetic("mod", left, right):
                one, two = self.number(left), self.number(right)
                return z3.If(two == 0, one, one % two)
            case typed.Conditional() | typed.Defined():
                return typed.shared(expression, self._shared, self._once)
            case _:  # quotients may be fractions, and bits are no arithmetic
                raise NotExpressible(typed.show(expression))


class IncrementalSolver:
    """An incremental solver with named assumptions."""

    def __init__(self, system: System, context: Context, budget: Budget) -> None:
        """Start without any assertion; no question takes longer than what is left of the budget."""
        import z3

        self._z3 = z3
        self._budget = budget
        self._solver = z3.Solver(ctx=context.of_solver)
        self.terms = SystemTerms(system, context)
        self._declared: set[Read] = set()
        self._names: dict[Expression, Any] = {}
        self.questions = 0

    def declare(self, reads: Iterable[Read]) -> None:
        """Let the solver know what values variables can have."""
        for read in reads:
            if read not in self._declared:
                self._declared.add(read)
                self._solver.add(*self.terms.domain(read))

    def add(self, condition: Expression) -> None:
        """Let something always hold."""
        self.declare(typed.reads(condition))
        self._solver.add(self.terms.condition(condition))

    def name(self, condition: Expression) -> Any:
        """Return a name for a condition that can be assumed."""
        known = self._names.get(condition)
        if known is None:
            self.declare(typed.reads(condition))
            known = self._z3.Bool(f"#{len(self._names)}", self.terms.context)
            self._solver.add(self._z3.Implies(known, self.terms.condition(condition)))
            self._names[condition] = known
        return known

    def ask(self, assumed: Iterable[Expression]) -> Satisfiable:
        """Return whether all that is assumed can hold together."""
        self.questions += 1
        names = [self.name(condition) for condition in assumed]
        self._solver.set("timeout", patience(_PATIENCE, self._budget))
        return check(self._solver, *names)

    def covers(self, seen: Expression, whole: Expression, unseen: Iterable[Read]) -> bool:
        """Return whether all that satisfies one condition can be completed to satisfy the other.

        `seen` does not speak of the variables in `unseen`.
        """
        z3, hidden = self._z3, list(unseen)
        solver = z3.Solver(ctx=self.terms.context)
        solver.set("timeout", patience(_BRIEF, self._budget))
        rest = [read for read in typed.reads(whole) | typed.reads(seen) if read not in hidden]
        solver.add(*(part for read in rest for part in self.terms.domain(read)))
        solver.add(self.terms.condition(seen))
        domains = [part for read in hidden for part in self.terms.domain(read)]
        impossible = z3.Not(self.terms.all([self.terms.condition(whole), *domains]))
        variables = [self.terms.variable(read) for read in hidden]
        solver.add(z3.ForAll(variables, impossible) if variables else impossible)
        return check(solver) is Satisfiable.NO

    def conflict(self) -> set[Expression]:
        """Return, after `NO`, assumptions that cannot hold together."""
        core = {str(name) for name in self._solver.unsat_core()}
        return {condition for condition, name in self._names.items() if str(name) in core}

    def values(self, reads: Iterable[Read]) -> Mapping[Read, Datum]:
        """Return, after `YES`, values for variables."""
        model = self._solver.model()
        found: dict[Read, Datum] = {}
        for read in reads:
            number = model.eval(self.terms.variable(read), model_completion=True)
            found[read] = self._value(read, read_integer(number.as_string()))
        return found

    def _value(self, read: Read, number: int) -> Datum:
        match self.terms.domain_of(read):
            case Boolean():
                return bool(number)
            case Enumeration(names):
                return str(names[number])
            case _:
                return int(number)
