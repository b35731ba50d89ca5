"""Random small systems and formulae, for laws and for contests between engines.

Everything is drawn from one `random.Random`, so that a seed names a system and a formula: Hypothesis
draws seeds, and a plain loop over seeds can look for more.
"""

import os
from collections.abc import Callable, Sequence
from random import Random
from typing import Literal as Choice
from typing import TypeAlias, TypeVar

from hypothesis import settings
from hypothesis import strategies as st

from gnomon.model import formula as f
from gnomon.model.agent import (
    ENVIRONMENT,
    Agent,
    Assignment,
    EvolutionLine,
    ProtocolLine,
    Semantics,
    Variable,
)
from gnomon.model.domain import Boolean, Domain, Enumeration, IntegerRange, values_of
from gnomon.model.expression import (
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
)
from gnomon.model.system import Logic, Specification, System

T = TypeVar("T")
Relation: TypeAlias = Choice["=", "<>", "<", "<=", ">", ">="]
Kind: TypeAlias = Choice["everybody", "common", "distributed"]

_DOMAINS: tuple[Domain, ...] = (
    Boolean(),
    Boolean(),
    Enumeration(("left", "right")),
    Enumeration(("one", "two", "three")),
    IntegerRange(0, 2),
    IntegerRange(-1, 1),
)


def _some(rng: Random, items: Sequence[T], least: int = 1) -> tuple[T, ...]:
    """Return some of the items, in their order."""
    chosen = [item for item in items if rng.random() < 0.5]
    while len(chosen) < min(least, len(items)):
        chosen = [item for item in items if item in chosen or item == rng.choice(items)]
    return tuple(chosen)


def _integer(rng: Random, numbers: list[Variable], depth: int = 1) -> Expression:
    if depth == 0 or rng.random() < 0.4:
        if numbers and rng.random() < 0.7:
            variable = rng.choice(numbers)
            return Read(variable.agent, variable.name)
        return Literal(rng.randint(-2, 3))
    left, right = _integer(rng, numbers, depth - 1), _integer(rng, numbers, depth - 1)
    match rng.randrange(6):
        case 0:
            return Negative(left)
        case 1:
            return (
                Arithmetic(rng.choice(("*", "/", "&", "|", "^")), left, right)
                if (not _fractional(left) and not _fractional(right))
                else Arithmetic("/", left, right)
            )
        case 2 if not _fractional(left) and not _fractional(right):
            return Arithmetic(rng.choice(("div", "mod")), left, right)
        case 3 if not _fractional(left):
            return BitComplement(left)
        case _:
            return Sum((left, right))


def _fractional(expression: Expression) -> bool:
    match expression:
        case Arithmetic("/"):
            return True
        case Arithmetic(_, left, right):
            return _fractional(left) or _fractional(right)
        case Sum(terms):
            return any(map(_fractional, terms))
        case Negative(operand) | BitComplement(operand):
            return _fractional(operand)
        case _:
            return False


def _atom(rng: Random, seen: Sequence[Variable]) -> Expression:
    if not seen:
        return Literal(rng.random() < 0.8)
    variable = rng.choice(seen)
    read = Read(variable.agent, variable.name)
    alike = [other for other in seen if other.domain == variable.domain]
    match variable.domain:
        case Boolean() if rng.random() < 0.3:
            return read
        case IntegerRange():
            numbers = [other for other in seen if isinstance(other.domain, IntegerRange)]
            operator: Relation = rng.choice(("=", "<>", "<", "<=", ">", ">="))
            if rng.random() < 0.6:
                return Compare(operator, read, Literal(rng.choice(values_of(variable.domain))))
            return Compare(operator, _integer(rng, numbers, 2), _integer(rng, numbers))
        case domain:
            if rng.random() < 0.25:
                other = rng.choice(alike)
                return Compare(rng.choice(("=", "<>")), read, Read(other.agent, other.name))
            value = rng.choice(tuple(values_of(domain)))
            return Compare(rng.choice(("=", "=", "<>")), read, Literal(value))


def random_condition(rng: Random, seen: Sequence[Variable], depth: int = 2) -> Expression:
    """Return a condition on some variables."""
    if depth == 0 or rng.random() < 0.5:
        return _atom(rng, seen)
    match rng.randrange(3):
        case 0:
            return Not(random_condition(rng, seen, depth - 1))
        case kind:
            several = rng.choice((0, 1, 2, 2, 2, 3))
            parts = tuple(random_condition(rng, seen, depth - 1) for _ in range(several))
            return And(parts) if kind == 1 else Or(parts)


def _guard(
    rng: Random, seen: Sequence[Variable], actions: dict[str, tuple[str, ...]]
) -> Expression:
    parts = []
    if rng.random() < 0.5:
        parts.append(random_condition(rng, seen, rng.choice((0, 0, 1))))
    actors = [name for name, known in actions.items() if known]
    for _ in range(rng.choice((0, 1, 1, 1, 2)) if actors else 0):
        agent = rng.choice(actors)
        does: Expression = Does(agent, rng.choice(actions[agent]))
        parts.append(Not(does) if rng.random() < 0.2 else does)
    return rng.choice((And, And, Or))(tuple(parts)) if parts else Literal(True)


def _value(rng: Random, variable: Variable, seen: Sequence[Variable]) -> Expression:
    alike = [other for other in seen if other.domain == variable.domain]
    if isinstance(variable.domain, IntegerRange) and rng.random() < 0.3:
        numbers = [other for other in seen if isinstance(other.domain, IntegerRange)]
        return _integer(rng, numbers)
    if alike and rng.random() < 0.2:
        other = rng.choice(alike)
        return Read(other.agent, other.name)
    return Literal(rng.choice(tuple(values_of(variable.domain))))


def _evolution(
    rng: Random,
    own: tuple[Variable, ...],
    seen: Sequence[Variable],
    actions: dict[str, tuple[str, ...]],
    semantics: Semantics,
) -> tuple[EvolutionLine, ...]:
    lines = []
    for number in range(rng.randint(1, 5) if own else 0):
        most = len(own) if semantics == "MultiAssignment" else 1
        chosen = rng.sample(own, rng.randint(1, most))
        assignments = tuple(Assignment(v.name, _value(rng, v, seen)) for v in chosen)
        lines.append(EvolutionLine(assignments, _guard(rng, seen, actions), number + 1))
    return tuple(lines)


def _protocol(
    rng: Random, seen: Sequence[Variable], actions: tuple[str, ...], stuck: float
) -> tuple[tuple[ProtocolLine, ...], tuple[str, ...] | None]:
    if not actions:
        return (), None
    lines = tuple(
        ProtocolLine(random_condition(rng, seen, 1), _some(rng, actions))
        for _ in range(rng.choice((0, 0, 1, 2)))
    )
    other = actions if rng.random() < 0.6 else _some(rng, actions)
    return lines, None if rng.random() < stuck else other


def random_system(rng: Random, *, largest: int = 48, stuck: float = 0.05) -> System:
    """Return a small system of an environment and one to three agents.

    `stuck` is how often an agent has no `Other` line, so that it may have nothing to do.
    """
    semantics: Semantics = rng.choice(("MultiAssignment", "SingleAssignment"))
    names = [ENVIRONMENT, *("P", "Q", "R")[: rng.choice((1, 2, 2, 3))]]
    variables: dict[str, tuple[Variable, ...]] = {}
    room = largest
    for name in names:
        made: list[Variable] = []
        for number in range(rng.choice((0, 1, 1, 2) if name == ENVIRONMENT else (1, 1, 2))):
            domain = rng.choice(_DOMAINS)
            size = len(values_of(domain))
            if size > room:
                continue
            room //= size
            observed = name == ENVIRONMENT and rng.random() < 0.4
            made.append(Variable(name, "xyz"[number], domain, observed))
        variables[name] = tuple(made)
    actions = {
        name: ("a", "b", "c")[: rng.choice((0, 1, 2) if name == ENVIRONMENT else (1, 2, 2, 3))]
        for name in names
    }
    agents = tuple(_agent(rng, name, variables, actions, semantics, stuck) for name in names)
    everything = tuple(variable for name in names for variable in variables[name])
    return System(
        "random",
        agents,
        _initial(rng, everything),
        semantics,
        {name: random_condition(rng, everything, rng.choice((0, 0, 1, 2))) for name in "pqr"},
        {"g": f.Group(_some(rng, names), "g"), "h": f.Group(_some(rng, names, 0), "h")},
    )


def _initial(rng: Random, variables: Sequence[Variable]) -> Expression:
    if rng.random() < 0.2:
        return random_condition(rng, variables, 3)
    parts = [
        Compare("=", Read(v.agent, v.name), Literal(rng.choice(tuple(values_of(v.domain)))))
        for v in variables
        if rng.random() < 0.8
    ]
    return And(tuple(parts))


def _agent(
    rng: Random,
    name: str,
    variables: dict[str, tuple[Variable, ...]],
    actions: dict[str, tuple[str, ...]],
    semantics: Semantics,
    stuck: float,
) -> Agent:
    world = variables[ENVIRONMENT]
    sees = tuple(v for v in world if v.observed or rng.random() < 0.2)
    seen = variables[name] if name == ENVIRONMENT else (*variables[name], *sees)
    lines, other = _protocol(rng, seen, actions[name], stuck)
    return Agent(
        name,
        variables[name],
        actions[name],
        lines,
        other,
        _evolution(rng, variables[name], seen, actions, semantics),
        () if name == ENVIRONMENT else tuple(v.name for v in sees),
        random_condition(rng, variables[name], 1) if rng.random() < 0.4 else None,
    )


def random_formula(
    rng: Random, system: System, depth: int = 2, operators: str = "bool ctl know norm atl"
) -> f.Formula:
    """Return a state formula with operators of the kinds named."""
    kinds = operators.split()
    if depth == 0 or rng.random() < 0.1:
        return _leaf(rng, system)

    def inner() -> f.Formula:
        return random_formula(rng, system, depth - 1, operators)

    agent = rng.choice(system.agents).name
    group = rng.choice(tuple(system.groups.values()))
    match rng.choice(kinds):
        case "bool":
            return _connective(rng, inner)
        case "ctl":
            return rng.choice((f.All, f.Exists))(_path_operator(rng, inner))
        case "star":
            return rng.choice((f.All, f.Exists))(
                random_path(rng, system, rng.randint(1, 3), operators)
            )
        case "atl":
            return f.Enforces(group, _path_operator(rng, inner))
        case "know":
            kind: Kind = rng.choice(("everybody", "common", "distributed"))
            return rng.choice((f.Knows(agent, inner()), f.GroupKnows(kind, group, inner())))
        case _:
            return f.Obliged(agent, inner())


def _leaf(rng: Random, system: System) -> f.Formula:
    match rng.randrange(12):
        case 0:
            return f.Norm(rng.choice(system.agents).name, red=rng.random() < 0.5)
        case 1:
            return f.Condition(random_condition(rng, system.variables, 1))
        case 2:
            return f.Constant(rng.random() < 0.5)
        case _:
            return f.Proposition(rng.choice("pqr"))


def _connective(rng: Random, inner: Callable[[], f.Formula]) -> f.Formula:
    match rng.randrange(4):
        case 0:
            return f.Not(inner())
        case 1:
            return f.And((inner(), inner()))
        case 2:
            return f.Or((inner(), inner()))
        case _:
            return f.Implies(inner(), inner())


def _path_operator(rng: Random, inner: Callable[[], f.Formula]) -> f.Formula:
    match rng.randrange(4):
        case 0:
            return f.Next(inner())
        case 1:
            return f.Finally(inner())
        case 2:
            return f.Globally(inner())
        case _:
            return f.Until(inner(), inner())


def random_path(rng: Random, system: System, depth: int, operators: str = "bool") -> f.Formula:
    """Return a path formula with at most four temporal operators."""
    if depth == 0:
        kinds = " ".join(kind for kind in operators.split() if kind in {"bool", "know"})
        return random_formula(rng, system, rng.choice((0, 0, 1)), kinds or "bool")

    def inner() -> f.Formula:
        return random_path(rng, system, depth - 1, operators)

    chain = rng.random() < 0.7
    found = _path_operator(rng, inner) if chain else _connective(rng, inner)
    temporal = sum(isinstance(part, f.PathOperator) for part in f.walk(found))
    return found if temporal <= 4 else inner()


def random_fairness(rng: Random, system: System) -> tuple[Specification, ...]:
    """Return one or two fairness constraints."""
    found = []
    for _ in range(rng.choice((1, 1, 2))):
        # A disjunction is met more often, so that more models have fair paths at all.
        formula = random_formula(rng, system, rng.choice((0, 0, 1)), "bool ctl know")
        if rng.random() < 0.5:
            formula = f.Or((formula, f.Proposition(rng.choice("pqr"))))
        found.append(Specification(formula, "fair"))
    return tuple(found)


#: A seed for all that is random here. Drawing every choice through Hypothesis would be far slower.
seeds = st.integers(0, 2**40)


def examples(number: int) -> settings:
    """Return settings for so many examples, ten times as many where faults are being looked for."""
    return settings(
        max_examples=number * (10 if os.environ.get("GNOMON_HYPOTHESIS") == "fuzz" else 1)
    )


LOGICS: tuple[Logic, ...] = ("CTL", "LTL", "CTL*")
