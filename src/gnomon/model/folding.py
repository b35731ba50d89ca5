"""Systems worked out: without what never applies, and with no condition that says less than it could.

What is left has no constants inside conditions, compares no variable with a value that it cannot have, and
assigns only what every tool can assign.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace as changed
from itertools import product
from typing import Final

from gnomon.model import formula as logic
from gnomon.model.agent import Agent, Assignment, EvolutionLine
from gnomon.model.domain import (
    Boolean,
    Domain,
    Enumeration,
    IntegerRange,
    Value,
    contains,
    size_of,
    values_of,
)
from gnomon.model.evaluation import combine, compare
from gnomon.model.expression import (
    FALSE,
    TRUE,
    And,
    Arithmetic,
    BitComplement,
    Compare,
    Does,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sum,
    parts,
    substituted,
)
from gnomon.model.formula import Formula
from gnomon.model.system import Specification, System
from gnomon.text.record import replace

_OPPOSITES: Final = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_FLIPPED: Final = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_EQUAL: Final = ("=", "<=", ">=")

Domains = Mapping[tuple[str, str], Domain]


def folded(system: System) -> System:
    """Return the system without what never applies, all conditions worked out as far as they go."""
    domains = {(v.agent, v.name): v.domain for v in system.variables}
    agents = [_allowed(agent, Folder(domains)) for agent in system.agents]
    # What is never allowed need not be asked for.
    fold = Folder(domains, {(agent.name, action) for agent in agents for action in agent.actions})
    return changed(
        system,
        agents=tuple(_evolving(agent, fold) for agent in agents),
        initial=fold(system.initial),
        propositions={name: fold(condition) for name, condition in system.propositions.items()},
        specifications=tuple(_folded_formula(item, fold) for item in system.specifications),
        fairness=tuple(_folded_formula(item, fold) for item in system.fairness),
    )


def _allowed(agent: Agent, fold: "Folder") -> Agent:
    """Return an agent with its protocol worked out, and the actions that it allows."""
    lines = [replace(line, condition=fold(line.condition)) for line in agent.protocol]
    protocol = [line for line in lines if not is_constant(line.condition, FALSE)]
    if not protocol and agent.other is None:
        # An environment without any line may do everything: one that never applies has to stay.
        protocol = lines[:1]
    other = None if any(is_constant(line.condition, TRUE) for line in protocol) else agent.other
    listed = {action for line in protocol for action in line.actions} | set(other or ())
    actions = tuple(action for action in agent.actions if action in listed or not listed)
    return replace(agent, protocol=tuple(protocol), other=other, actions=actions)


def _evolving(agent: Agent, fold: "Folder") -> Agent:
    evolution = (line for old in agent.evolution for line in _lines(agent, old, fold))
    red = None if agent.red is None else fold(agent.red)
    return replace(
        agent,
        evolution=tuple(line for line in evolution if not is_constant(line.guard, FALSE)),
        red=None if red is None or is_constant(red, FALSE) else red,
    )


def _lines(agent: Agent, line: EvolutionLine, fold: "Folder") -> Iterator[EvolutionLine]:
    """Yield a line by cases of the values that MCMAS could not assign as they are."""
    domains = {variable.name: variable.domain for variable in agent.variables}
    choices = [
        [
            (item.variable, value, when)
            for value, when in _cases(agent.name, item, domains[item.variable], fold)
        ]
        for item in line.assignments
    ]
    for combination in product(*choices):
        assigned = tuple(Assignment(name, value) for name, value, _ in combination)
        guard = fold(And((line.guard, *(when for _, _, when in combination))))
        yield replace(line, assignments=assigned, guard=guard)


def _cases(
    agent: str, item: Assignment, target: Domain, fold: "Folder"
) -> Iterator[tuple[Expression, Expression]]:
    value = fold(item.value)
    if isinstance(target, Boolean) and not isinstance(value, (Literal, Read)):
        yield TRUE, value
        yield FALSE, Not(value)
        return
    source = fold.domains[value.agent, value.variable] if isinstance(value, Read) else target
    match target, source:
        case Enumeration(names), Enumeration(others) if set(names) != set(others):
            for name in names:
                yield Literal(name), Compare("=", value, Literal(name))
        case IntegerRange(low, high), _ if isinstance(value, Literal) and not contains(
            target, value.value
        ):
            # No program may say so; that it becomes something out of its range, whatever it is, it may.
            yield Sum((Read(agent, item.variable), Literal(high - low + 1))), TRUE
        case _:
            yield value, TRUE


def _folded_formula(item: Specification, fold: "Folder") -> Specification:
    def inner(formula: Formula) -> Formula:
        match mapped(formula, inner):
            case logic.Condition(expression):
                result = fold(expression)
                known = isinstance(result, Literal)
                return (
                    logic.Constant(is_constant(result, TRUE)) if known else logic.Condition(result)
                )
            case logic.Implies(logic.Constant(True), right):
                return right
            case logic.Not(logic.Constant(value)):
                return logic.Constant(not value)
            case other:
                return other

    return changed(item, formula=inner(item.formula))


def mapped(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """Return the formula with its direct parts changed."""
    match formula:
        case logic.Constant() | logic.Proposition() | logic.Condition() | logic.Norm():
            return formula
        case logic.And(operands) | logic.Or(operands):
            return type(formula)(tuple(map(change, operands)))
        case logic.Implies(left, right) | logic.Until(left, right):
            return type(formula)(change(left), change(right))
        case logic.Not(body) | logic.Next(body) | logic.Finally(body) | logic.Globally(body):
            return type(formula)(change(body))
        case logic.Knows(agent, body) | logic.Obliged(agent, body):
            return type(formula)(agent, change(body))
        case logic.GroupKnows(kind, group, body):
            return logic.GroupKnows(kind, group, change(body))
        case logic.All(path) | logic.Exists(path):
            return type(formula)(change(path))
        case logic.Enforces(group, path):
            return logic.Enforces(group, change(path))


class Folder:
    """Works out conditions and values as far as they go, knowing what values variables may have."""

    def __init__(
        self, domains: Domains, possible: Collection[tuple[str, str]] | None = None
    ) -> None:
        """Know the domains of variables, and perhaps the actions that agents ever do."""
        self.domains = domains
        self.possible = possible

    def __call__(self, expression: Expression) -> Expression:
        """Return an expression as far as it can be worked out."""
        match expression:
            case Literal():
                return expression
            case Does(agent, action):
                known = self.possible is None or (agent, action) in self.possible
                return expression if known else FALSE
            case Read(agent, variable):
                return self._read(expression, self.domains[agent, variable])
            case Not(operand):
                return self._not(self(operand))
            case And(operands):
                return self._and(operands)
            case Or(operands):
                return self._or(operands)
            case Compare(operator, left, right):
                return self._compare(operator, self(left), self(right))
            case Sum(terms):
                return _calculated(Sum(tuple(map(self, terms))))
            case Negative(operand) | BitComplement(operand):
                return _calculated(type(expression)(self(operand)))
            case Arithmetic(operator, left, right):
                return _calculated(Arithmetic(operator, self(left), self(right)))

    def _read(self, read: Read, domain: Domain) -> Expression:
        return Literal(values_of(domain)[0]) if size_of(domain) == 1 else read

    def _not(self, condition: Expression) -> Expression:
        opposite = _opposite(condition)
        if isinstance(opposite, Compare):
            return self._compare(opposite.operator, opposite.left, opposite.right)
        return opposite

    def _and(self, operands: Iterable[Expression]) -> Expression:
        found = _flat(And, map(self, operands))
        pins: dict[Read, Literal] = {}
        for operand in found:
            pinned = _pin(operand)
            if pinned is not None and pins.setdefault(*pinned) != pinned[1]:
                return FALSE
        present = set(found)
        if FALSE in present or any(_opposite(operand) in present for operand in found):
            return FALSE
        # What is said of a variable once need not be asked again.
        again = [operand if _pin(operand) else substituted(operand, pins) for operand in found]
        if again != found:
            return self._and(again)
        return found[0] if len(found) == 1 else And(tuple(found)) if found else TRUE

    def _or(self, operands: Iterable[Expression]) -> Expression:
        found = _flat(Or, map(self, operands))
        present = set(found)
        if TRUE in present or any(_opposite(operand) in present for operand in found):
            return TRUE
        seen: dict[Read, set[Value]] = {}
        for operand in found:
            pinned = _pin(operand)
            if pinned is not None:
                seen.setdefault(pinned[0], set()).add(pinned[1].value)
        if any(len(values) == size_of(self._domain(read)) for read, values in seen.items()):
            return TRUE
        return found[0] if len(found) == 1 else Or(tuple(found)) if found else FALSE

    def _domain(self, read: Read) -> Domain:
        return self.domains[read.agent, read.variable]

    def _compare(self, operator: str, left: Expression, right: Expression) -> Expression:
        if isinstance(left, Literal):
            if isinstance(right, Literal):
                return Literal(compare(operator, left.value, right.value))
            left, right, operator = right, left, _FLIPPED[operator]
        if left == right:
            return Literal(operator in _EQUAL)
        if self._is_condition(left):
            return self._same(left, right, wanted=operator == "=")
        if isinstance(left, Read) and isinstance(right, Literal):
            domain = self._domain(left)
            known = _always(operator, domain, right.value)
            if known is not None:
                return Literal(known)
            if operator == "<>" and size_of(domain) == 2:
                other = next(value for value in values_of(domain) if value != right.value)
                return Compare("=", left, Literal(other))
        return Compare(operator, left, right)  # type: ignore[arg-type]

    def _is_condition(self, expression: Expression) -> bool:
        if isinstance(expression, Read):
            return isinstance(self._domain(expression), Boolean)
        return isinstance(expression, (Not, And, Or, Compare, Does))

    def _same(self, left: Expression, right: Expression, *, wanted: bool) -> Expression:
        """Return whether two conditions have one value."""
        if isinstance(right, Literal):
            return left if bool(right.value) == wanted else self._not(left)
        if isinstance(left, Read) and isinstance(right, Read):
            return Compare("=" if wanted else "<>", left, right)
        if wanted:
            return self(Or((And((left, right)), And((Not(left), Not(right))))))
        return self(Or((And((left, Not(right))), And((Not(left), right)))))


def is_constant(expression: Expression, constant: Literal) -> bool:
    """Return whether a condition is always true, or never, as the constant says."""
    return isinstance(expression, Literal) and expression.value is constant.value


def _opposite(condition: Expression) -> Expression:
    """Return the opposite of a condition that has been worked out."""
    match condition:
        case Literal(value):
            return Literal(not value)
        case Not(operand):
            return operand
        case Compare(operator, left, right):
            return Compare(_OPPOSITES[operator], left, right)  # type: ignore[arg-type]
        case _:
            return Not(condition)


def _pin(condition: Expression) -> tuple[Read, Literal] | None:
    """Return the variable, and its value, that a condition is about, if it is that simple."""
    match condition:
        case Compare("=", Read() as read, Literal() as value):
            return read, value
        case Read():
            return condition, TRUE
        case Not(Read() as read):
            return read, FALSE
        case _:
            return None


def _flat(kind: type[And] | type[Or], operands: Iterable[Expression]) -> list[Expression]:
    """Return the operands of a chain, each once and without those that say nothing."""
    found: dict[Expression, None] = {}
    for operand in operands:
        inner = operand.operands if isinstance(operand, kind) else (operand,)
        found.update(dict.fromkeys(inner))
    return [each for each in found if not is_constant(each, TRUE if kind is And else FALSE)]


def _always(operator: str, domain: Domain, constant: Value) -> bool | None:
    """Return what a comparison of a variable with a constant is, if it is always that."""
    if isinstance(domain, IntegerRange) and operator not in ("=", "<>"):
        ends = {compare(operator, end, constant) for end in (domain.low, domain.high)}
        return ends.pop() if len(ends) == 1 else None
    return None if contains(domain, constant) else operator == "<>"


def _calculated(expression: Sum | Negative | BitComplement | Arithmetic) -> Expression:
    values = [part.value for part in parts(expression) if isinstance(part, Literal)]
    if len(values) == len(parts(expression)):
        result = combine(expression, values)
        if isinstance(result, int):
            return Literal(result)
    return expression
