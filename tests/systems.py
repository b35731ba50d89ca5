"""Random small systems and formulae, for laws and for contests between engines.

Everything is drawn from one `random.Random`, so that a seed names a system and a formula: Hypothesis
draws seeds, and a plain loop over seeds can look for more.

Whatever some part of the code treats in a way of its own has to occur here: variables of one value, agents
without variables, actions or choice, wide ranges, values outside of them, one name in several roles.
`tests/contract/census.py` says how often each does.
"""

import os
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random
from typing import Literal as Choice
from typing import NamedTuple, TypeAlias, TypeVar

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
from gnomon.model.domain import Boolean, Domain, Enumeration, IntegerRange, size_of, values_of
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
from gnomon.model.initial import assignments_satisfying
from gnomon.model.step import successors
from gnomon.model.system import Logic, System
from tests.sharing import with_sharing

T = TypeVar("T")
Relation: TypeAlias = Choice["=", "<>", "<", "<=", ">", ">="]
Kind: TypeAlias = Choice["everybody", "common", "distributed"]

_DOMAINS: tuple[Domain, ...] = (
    Boolean(),
    Boolean(),
    Enumeration(("left", "right")),
    # Values of the one above, in other places.
    Enumeration(("right", "up", "left")),
    IntegerRange(0, 2),
    IntegerRange(-1, 1),
)
#: One value, which takes no bits; sizes that are no power of two; negative numbers alone; shared values.
_ODD: tuple[Domain, ...] = (
    IntegerRange(0, 0),
    IntegerRange(0, 0),
    IntegerRange(5, 5),
    IntegerRange(-2, -2),
    Enumeration(("left",)),
    Enumeration(("left", "up", "right")),
    IntegerRange(0, 4),
    IntegerRange(-4, -2),
)
#: So many values that bits are interleaved and conditions are not tried out one by one.
_WIDE: tuple[Domain, ...] = (
    IntegerRange(0, 16),
    IntegerRange(-9, 9),
    IntegerRange(0, 63),
    IntegerRange(-50, 70),
)
#: Systems have no more valuations than that, reachable or not.
_VALUATIONS = 3_000


class Names(NamedTuple):
    """What agents, variables and actions are called."""

    agents: tuple[str, ...]
    variables: tuple[str, ...]
    actions: tuple[str, ...]


_APART = Names(("P", "Q", "R"), ("x", "y", "z"), ("a", "b", "c"))
#: Names of propositions, groups, values, and of each other.
_ALIKE = Names(("g", "p", "left"), ("p", "left", "a"), ("left", "a", "p"))


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
    match rng.randrange(7):
        case 0:
            return Negative(left)
        case 6 if not _fractional(left):
            return Arithmetic("mod", left, Literal(rng.randint(1, 3)))
        case 1 if rng.random() < 0.25:
            return Arithmetic("/", left, Literal(rng.choice((-2, 2, 3))))
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


def _near(rng: Random, domain: IntegerRange, outside: float) -> int:
    """Return a value of a range; that often, one just outside of it."""
    if rng.random() < outside:
        return rng.choice((domain.low - 1, domain.high + 1, domain.high + 1, 2 * domain.high + 3))
    return rng.choice(values_of(domain))  # type: ignore[return-value]


def _kindred(one: Domain, two: Domain) -> bool:
    """Return whether values of the domains may be compared, or one become the other."""
    if isinstance(one, Enumeration) and isinstance(two, Enumeration):
        return set(one.names) <= set(two.names) or set(two.names) <= set(one.names)
    return one == two


def _atom(rng: Random, seen: Sequence[Variable]) -> Expression:
    if not seen:
        return Literal(rng.random() < 0.8)
    variable = rng.choice(seen)
    read = Read(variable.agent, variable.name)
    match variable.domain:
        case Boolean() if rng.random() < 0.3:
            return read
        case IntegerRange():
            numbers = [other for other in seen if isinstance(other.domain, IntegerRange)]
            operator: Relation = rng.choice(("=", "<>", "<", "<=", ">", ">="))
            if rng.random() < 0.6:
                return Compare(operator, read, Literal(_near(rng, variable.domain, 0.15)))
            depth = 4 if rng.random() < 0.1 else 2
            return Compare(operator, _integer(rng, numbers, depth), _integer(rng, numbers))
        case domain:
            if rng.random() < 0.25:
                other = rng.choice([other for other in seen if _kindred(other.domain, domain)])
                return Compare(rng.choice(("=", "<>")), read, Read(other.agent, other.name))
            value = rng.choice(tuple(values_of(domain)))
            return Compare(rng.choice(("=", "=", "<>")), read, Literal(value))


def random_comparison(rng: Random, seen: Sequence[Variable]) -> Expression:
    """Return a comparison of two numbers that are worked out from some variables."""
    numbers = [variable for variable in seen if isinstance(variable.domain, IntegerRange)]
    operator: Relation = rng.choice(("=", "<>", "<", "<=", ">", ">="))
    return Compare(operator, _integer(rng, numbers, 3), _integer(rng, numbers, 2))


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
    alike = [other for other in seen if _kindred(other.domain, variable.domain)]
    if isinstance(variable.domain, IntegerRange):
        if rng.random() < (0.6 if size_of(variable.domain) == 1 else 0.3):
            numbers = [other for other in seen if isinstance(other.domain, IntegerRange)]
            return _integer(rng, numbers, 3 if rng.random() < 0.1 else 1)
        if not alike or rng.random() < 0.8:
            return Literal(_near(rng, variable.domain, 0.1))
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
        most = 1 if semantics == "SingleAssignment" else len(own)
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


def random_system(
    rng: Random,
    *,
    largest: int = 48,
    stuck: float = 0.05,
    wide: float = 0.06,
    prying: float = 0.0,
    interleaved: bool = False,
    shared: float = 0.2,
) -> System:
    """Return a small system of an environment and one to three agents.

    `stuck` is how often an agent has no `Other` line, so that it may have nothing to do; `wide` is how often
    a variable has a wide range; `prying` how often a protocol looks at what its agent does not see, which no
    program may; `shared` how often there are definitions and conditional values. There are at most `largest`
    valuations, or reachable states where a range is wide. Where events are `interleaved`, agents share some
    actions and have others for themselves.
    """
    semantics: Semantics = rng.choice(("MultiAssignment", "SingleAssignment"))
    if interleaved:
        semantics, stuck = "Interleaved", max(stuck, 0.35)
    called = _ALIKE if rng.random() < 0.15 else _APART
    names = [ENVIRONMENT, *called.agents[: rng.choice((1, 2, 2, 3))]]
    variables = _variables(rng, names, called, largest, wide)
    actions = {
        name: called.actions[: rng.choice((0, 1, 2) if name == ENVIRONMENT else (0, 1, 2, 2, 2, 3))]
        for name in names
    }
    if interleaved and rng.random() < 0.4:
        # All agents have to agree, and often can fail to.
        several = called.actions[: rng.choice((2, 2, 3))]
        actions, stuck = {name: several if name != ENVIRONMENT else () for name in names}, 0.1
    elif interleaved:
        actions = {name: _shared(rng, name, called.actions) for name in names}
    agents = tuple(
        _agent(rng, name, variables, actions, semantics, (stuck, prying)) for name in names
    )
    everything = tuple(variable for name in names for variable in variables[name])
    system = System(
        "random",
        agents,
        _initial(rng, everything),
        semantics,
        {name: random_condition(rng, everything, rng.choice((0, 0, 1, 2))) for name in "pqr"},
        {"g": f.Group(_some(rng, names), "g"), "h": f.Group(_some(rng, names, 0), "h")},
    )
    if any(is_wide(variable) for variable in everything) and not _stays_small(system, largest):
        return random_system(
            rng,
            largest=largest,
            stuck=stuck,
            wide=0,
            prying=prying,
            interleaved=interleaved,
            shared=shared,
        )
    return sometimes_shared(rng, system, largest, shared)


def sometimes_shared(rng: Random, system: System, largest: int, often: float = 0.2) -> System:
    """Return the system, that often with definitions and conditional values."""
    # What is drawn here is no matter to what is drawn later: a seed still names the same formula.
    own = Random(str(rng.getstate()))
    if own.random() >= often:
        return system
    changed = with_sharing(own, system, lambda rng, seen: random_condition(rng, seen, 1))
    wide = any(is_wide(variable) for variable in system.variables)
    return changed if not wide or _stays_small(changed, largest) else system


def _shared(rng: Random, name: str, common: tuple[str, ...]) -> tuple[str, ...]:
    """Return the actions of an agent, some of which others have too; in any order, and perhaps none."""
    if rng.random() < (0.4 if name == ENVIRONMENT else 0.05):
        return ()
    found = [*rng.sample(common, rng.choice((0, 1, 2, 2, 3))), f"alone_{name}"]
    if len(found) > 1 and rng.random() < 0.7:
        found.pop()
    rng.shuffle(found)
    return tuple(found)


def is_wide(variable: Variable) -> bool:
    """Return whether a variable has so many values that they are not tried out one by one."""
    return (size_of(variable.domain) or 0) > max(len(values_of(domain)) for domain in _ODD)


def _variables(
    rng: Random, names: Sequence[str], called: Names, largest: int, wide: float
) -> dict[str, tuple[Variable, ...]]:
    """Return the variables of all agents, some without any; those of a wide range count as two values."""
    variables: dict[str, tuple[Variable, ...]] = {}
    room, valuations = largest, _VALUATIONS
    for name in names:
        made: list[Variable] = []
        for number in range(rng.choice((0, 1, 1, 2) if name == ENVIRONMENT else (0, 1, 1, 1, 2))):
            drawn = rng.random()
            kinds = _WIDE if drawn < wide else _ODD if drawn < wide + 0.2 else _DOMAINS
            domain = rng.choice(kinds)
            values = len(values_of(domain))
            size = min(values, 2) if kinds is _WIDE else values
            if size > room or values > valuations:
                continue
            room, valuations = room // size, valuations // values
            observed = name == ENVIRONMENT and rng.random() < 0.4
            made.append(Variable(name, called.variables[number], domain, observed))
        variables[name] = tuple(made)
    return variables


def _stays_small(system: System, largest: int) -> bool:
    """Return whether no more than so many states are reachable."""
    waiting = list(islice(assignments_satisfying(system, system.initial), largest + 1))
    seen = set(waiting)
    while waiting and len(seen) <= largest:
        fresh = successors(system, waiting.pop()) - seen
        seen |= fresh
        waiting.extend(fresh)
    return len(seen) <= largest


def _initial(rng: Random, variables: Sequence[Variable]) -> Expression:
    if rng.random() < 0.2:
        return random_condition(rng, variables, 3)
    parts = [
        Compare("=", Read(v.agent, v.name), Literal(rng.choice(tuple(values_of(v.domain)))))
        for v in variables
        if is_wide(v) or rng.random() < 0.8
    ]
    return And(tuple(parts))


def _agent(
    rng: Random,
    name: str,
    variables: dict[str, tuple[Variable, ...]],
    actions: dict[str, tuple[str, ...]],
    semantics: Semantics,
    odds: tuple[float, float],
) -> Agent:
    stuck, prying = odds
    world = variables[ENVIRONMENT]
    sees = tuple(v for v in world if v.observed or rng.random() < 0.2)
    seen = variables[name] if name == ENVIRONMENT else (*variables[name], *sees)
    looked_at = (*seen, *world) if name != ENVIRONMENT and rng.random() < prying else seen
    lines, other = _protocol(rng, looked_at, actions[name], stuck)
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


def named(system: System) -> tuple[Agent, ...]:
    """Return the agents that a program can speak of: all but those that remember what steps were."""
    return tuple(agent for agent in system.agents if not agent.observer)


def random_formula(
    rng: Random, system: System, depth: int = 2, operators: str = "bool ctl know norm atl"
) -> f.Formula:
    """Return a state formula with operators of the kinds named."""
    kinds = operators.split()
    if depth == 0 or rng.random() < 0.1:
        return _leaf(rng, system)

    def inner() -> f.Formula:
        return random_formula(rng, system, depth - 1, operators)

    agent = rng.choice(named(system)).name
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
            return f.Norm(rng.choice(named(system)).name, red=rng.random() < 0.5)
        case 1:
            return f.StateCondition(random_condition(rng, system.variables, 1))
        case 2:
            return f.Constant(rng.random() < 0.5)
        case _:
            return f.Proposition(rng.choice("pqr"))


def _connective(rng: Random, inner: Callable[[], f.Formula]) -> f.Formula:
    match rng.randrange(5):
        case 0:
            return f.Not(inner())
        case 1:
            return f.And((inner(), inner()))
        case 2:
            return f.Or((inner(), inner()))
        case 3:
            return f.Iff(inner(), inner())
        case _:
            return f.Implies(inner(), inner())


def _path_operator(rng: Random, inner: Callable[[], f.Formula], most: int = 4) -> f.Formula:
    match rng.randrange(8):
        case 0:
            return f.Next(inner())
        case 1:
            return f.Finally(inner())
        case 2:
            return f.Globally(inner())
        case 3 | 4:
            return f.Until(inner(), inner())
        case 5:
            return f.WeakUntil(inner(), inner())
        case 6:
            return f.Release(inner(), inner())
        case _:
            return random_bounded(rng, inner, most)


def random_bounded(rng: Random, inner: Callable[[], f.Formula], most: int = 4) -> f.Formula:
    """Return a path operator with bounds, the last step at most `most`."""
    left, right = inner(), inner()
    path = rng.choice(
        (
            f.Finally(right),
            f.Globally(right),
            f.Until(left, right),
            f.WeakUntil(left, right),
            f.Release(left, right),
        )
    )
    high = rng.randint(0, most)
    return f.Bounded(path, rng.choice((0, 0, high, rng.randint(0, high))), high)


def random_path(rng: Random, system: System, depth: int, operators: str = "bool") -> f.Formula:
    """Return a path formula with at most four temporal operators."""
    if depth == 0:
        kinds = " ".join(kind for kind in operators.split() if kind in {"bool", "know"})
        return random_formula(rng, system, rng.choice((0, 0, 1)), kinds or "bool")

    def inner() -> f.Formula:
        return random_path(rng, system, depth - 1, operators)

    chain = rng.random() < 0.7
    found = _path_operator(rng, inner, 2) if chain else _connective(rng, inner)
    return found if _tableau_size(found) <= 4 else inner()


def _tableau_size(path: f.Formula) -> int:
    """Return how many operators a path formula has; one with bounds counts once for each step."""
    found = 0
    for part in f.walk(path):
        if isinstance(part, f.Bounded):
            inner = sum(map(_tableau_size, f.parts(part)))
            found += part.high * (1 + inner)
        elif isinstance(part, f.PathOperator):
            found += 1
    return found


#: A seed for all that is random here. Drawing every choice through Hypothesis would be far slower.
seeds = st.integers(0, 2**40)


def examples(number: int) -> settings:
    """Return settings for so many examples: more where faults are being looked for, fewer in a hurry.

    A tenth of them are tried on every change, whose time is limited: they are the same every time, so that
    many more would find little more; `make fuzz` draws ever others.
    """
    share = {"fuzz": 10.0, "fast": 0.05}.get(os.environ.get("GNOMON_HYPOTHESIS", ""), 1 / 10)
    return settings(max_examples=max(3, int(number * share)))


LOGICS: tuple[Logic, ...] = ("CTL", "LTL", "CTL*")
