"""Random systems that count, and random partitions of them into cells.

Numbers go up and down, are copied, added and multiplied; with bounds or without. Everything is drawn from one
`random.Random`, as in `tests.systems`.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from random import Random
from unittest.mock import patch

from gnomon.engines.abstraction.linear import Form, affine, form_of, scaled
from gnomon.engines.abstraction.partition import (
    OpaqueComparison,
    Origin,
    Partition,
    Predicate,
    ResidueQuantity,
    coarse_variables,
    first_partition,
    predicates_of,
)
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
from gnomon.model.domain import Boolean, Domain, Enumeration, IntegerRange, Integers, values_of
from gnomon.model.expression import (
    TRUE,
    And,
    Arithmetic,
    Compare,
    Conditional,
    Does,
    Expression,
    Literal,
    Negative,
    Or,
    Read,
    Sum,
    reads,
)
from gnomon.model.system import Specification, System
from gnomon.text.record import replace
from tests import systems
from tests.systems import random_system, sometimes_shared

HERE = Origin("the test")

#: More numbers than elsewhere, and wide enough to be cut in several ways.
_DOMAINS: tuple[Domain, ...] = (
    Boolean(),
    Enumeration(("left", "right")),
    IntegerRange(0, 2),
    IntegerRange(-1, 1),
    IntegerRange(0, 4),
    IntegerRange(-2, 3),
    IntegerRange(0, 20),
    # With one value only, an assignment leaves nothing to choose but may have no result.
    IntegerRange(0, 0),
    IntegerRange(1, 1),
    Enumeration(("only",)),
)


def counting_system(rng: Random, largest: int = 48, stuck: float = 0.0) -> System:
    """Return a finite system in which numbers go up and down, are copied and added."""
    with patch.object(systems, "_DOMAINS", _DOMAINS):
        system = random_system(rng, largest=largest, stuck=stuck, shared=0)
    agents = tuple(_counting(rng, system, agent) for agent in system.agents)
    initial = _between(rng, system) if rng.random() < 0.4 else system.initial
    changed = dataclasses.replace(system, agents=agents, initial=initial)
    return sometimes_shared(rng, changed, largest)


def _between(rng: Random, system: System) -> Expression:
    """Return a condition that leaves several values to most numbers."""
    bounds = [
        _cut(rng, Read(v.agent, v.name))
        for v in system.variables
        if _is_number(v.domain) and rng.random() < 0.8
    ]
    return And(tuple(bounds))


def without_bounds(rng: Random, system: System, share: float = 0.8) -> System:
    """Return a system with all integers for most of its ranges."""
    agents = tuple(
        replace(
            agent, variables=tuple(_without_bounds(rng, each, share) for each in agent.variables)
        )
        for agent in system.agents
    )
    return dataclasses.replace(system, agents=agents)


def _without_bounds(rng: Random, variable: Variable, share: float) -> Variable:
    number = isinstance(variable.domain, IntegerRange)
    return replace(variable, domain=Integers()) if number and rng.random() < share else variable


def _numbers(system: System, agent: Agent) -> list[Read]:
    """Return the numbers that an agent sees."""
    shown = [v for v in system.environment.variables if v.name in agent.sees]
    return [Read(v.agent, v.name) for v in (*agent.variables, *shown) if _is_number(v.domain)]


def _cut(rng: Random, number: Read) -> Compare:
    return Compare(rng.choice(("<", ">=", "<=", "=")), number, Literal(rng.randint(-1, 3)))


def _counting(rng: Random, system: System, agent: Agent) -> Agent:
    numbers = _numbers(system, agent)
    lines = tuple(_counting_line(rng, agent, line, numbers) for line in agent.evolution)
    return replace(agent, evolution=lines)


def _is_number(domain: Domain) -> bool:
    return isinstance(domain, (IntegerRange, Integers))


def _counting_line(
    rng: Random, agent: Agent, line: EvolutionLine, numbers: list[Read]
) -> EvolutionLine:
    assignments = []
    guard = line.guard
    for item in line.assignments:
        own = Read(agent.name, item.variable)
        if own in numbers and rng.random() < 0.7:
            item = replace(item, value=_count(rng, own, rng.choice(numbers)))  # noqa: PLW2901
            if rng.random() < 0.3:
                fence = Compare(rng.choice(("<", ">")), own, Literal(rng.randint(-1, 3)))
                guard = And((guard, fence))
        assignments.append(item)
    return replace(line, assignments=tuple(assignments), guard=guard)


def _count(rng: Random, own: Read, other: Read) -> Expression:
    match rng.randrange(10):
        case 0:
            return other
        case 1:
            return Sum((own, other))
        case 2:
            options = (
                Negative(own),
                Arithmetic("*", Literal(2), own),
                Arithmetic("*", own, other),
                Arithmetic(rng.choice(("/", "div")), own, Literal(2)),
            )
            return rng.choice(options)
        case 3:
            return Sum((own, Negative(other), Literal(1)))
        case _:
            return Sum((own, Literal(rng.choice((1, 1, -1, -1, 2, -2)))))


# Players of a game, and keepers of secrets


def arena(rng: Random) -> System:
    """Return a number that two players move; what each may do, and what comes of it, depends on it."""
    last = rng.randint(2, 6)
    number = Variable(ENVIRONMENT, "n", IntegerRange(0, last), observed=True)
    read = Read(ENVIRONMENT, "n")
    lines: list[EvolutionLine] = []
    for one, two in product("ab", "ab"):
        for _ in range(rng.choice((1, 1, 2))):
            parts: list[Expression] = [Does("P", one), Does("Q", two)]
            if rng.random() < 0.3:
                parts.append(_cut(rng, read))
            value = rng.choice((Literal(rng.randint(0, last)), _count(rng, read, read)))
            guard = And(tuple(parts))
            lines.append(EvolutionLine((Assignment("n", value),), guard, len(lines) + 1))
    players = [_player(rng, name, read) for name in "PQ"]
    world = Agent(ENVIRONMENT, (number,), (), evolution=tuple(lines))
    return System(
        "arena",
        (world, *players),
        rng.choice((TRUE, _cut(rng, read))),
        "MultiAssignment",
        {name: _cut(rng, read) for name in "pqr"},
        {"g": f.Group(("P",), "g"), "h": f.Group(rng.choice((("Q",), ("P", "Q"))), "h")},
    )


def phases(rng: Random) -> System:
    """Return numbers that go up and down, in phases: what falls in one of them may grow in a later one."""
    last, modes = rng.randint(2, 4), ("s", "t", "u")[: rng.randint(2, 3)]
    mode = Variable("P", "mode", Enumeration(modes))
    numbers = [Variable("P", name, IntegerRange(0, last)) for name in "xy"]
    reads = [Read("P", name) for name in "xy"]
    lines: list[EvolutionLine] = []
    for here in modes:
        for _ in range(rng.choice((1, 1, 2))):
            parts: list[Expression] = [Compare("=", Read("P", "mode"), Literal(here))]
            if rng.random() < 0.15:
                parts.append(_cut(rng, rng.choice(reads)))
            onward = modes[(modes.index(here) + rng.choice((1, 1, 1, 0))) % len(modes)]
            changes = [Assignment("mode", Literal(onward))]
            for read in reads:
                value = rng.choice((None, None, -1, 1))
                if value is not None:
                    changes.append(Assignment(read.variable, Sum((read, Literal(value)))))
            lines.append(EvolutionLine(tuple(changes), And(tuple(parts)), len(lines) + 1))
    agent = Agent("P", (mode, *numbers), ("a", "b"), (), ("a", "b"), tuple(lines))
    propositions = {name: _cut(rng, rng.choice(reads)) for name in "pq"}
    propositions["r"] = Compare("=", Read("P", "mode"), Literal(rng.choice(modes)))
    groups = {"g": f.Group(("P",), "g"), "h": f.Group((ENVIRONMENT,), "h")}
    world = Agent(ENVIRONMENT, (), ())
    return System("phases", (world, agent), TRUE, "MultiAssignment", propositions, groups)


def turns(rng: Random) -> System:
    """Return two players who move their numbers when it is their turn; fairness says that turns come."""
    last = rng.randint(2, 4)
    names = ("p", "q", "none")
    turn = Variable(ENVIRONMENT, "turn", Enumeration(names), observed=True)
    goes = tuple(
        EvolutionLine((Assignment("turn", Literal(name)),), Does(ENVIRONMENT, f"to_{name}"), number)
        for number, name in enumerate(names)
    )
    actions = tuple(f"to_{name}" for name in names)
    world = Agent(ENVIRONMENT, (turn,), actions, (), actions, goes)
    now = Read(ENVIRONMENT, "turn")
    players = []
    for name in "PQ":
        own, choices = Read(name, "n"), (("down",), ("down", "up"), ("down", "stay"))
        mine = Compare("=", now, Literal(name.lower()))
        guard = rng.choice((mine, mine, And((mine, _cut(rng, own)))))
        line = ProtocolLine(guard, rng.choice((*choices, ("down", "up", "stay"))))
        lines = (
            EvolutionLine(
                (Assignment("n", Sum((own, Literal(-1)))),), _may_move(own, "down", 0), 1
            ),
            EvolutionLine(
                (Assignment("n", Sum((own, Literal(1)))),), _may_move(own, "up", last), 2
            ),
        )
        number = Variable(name, "n", IntegerRange(0, last))
        rest = rng.choice((("stay",), ("stay",), ("stay", "up")))
        moves = ("down", "up", "stay")
        players.append(Agent(name, (number,), moves, (line,), rest, lines, sees=("turn",)))
    conditions: list[Expression] = [Compare("=", now, Literal(name)) for name in names]
    conditions += [Compare("=", Read(name, "n"), Literal(rng.randint(0, 1))) for name in "PQ"]
    met = [
        Or(tuple(rng.sample(conditions, rng.choice((1, 1, 2))))) for _ in range(rng.choice((1, 2)))
    ]
    return System(
        "turns",
        (world, *players),
        And(tuple(_cut(rng, Read(name, "n")) for name in "PQ" if rng.random() < 0.5)),
        "MultiAssignment",
        {name: rng.choice(conditions) for name in "pqr"},
        {"g": f.Group(("P",), "g"), "h": f.Group(("P", "Q"), "h")},
        fairness=tuple(Specification(f.StateCondition(each), "fair") for each in met),
    )


def _may_move(own: Read, action: str, end: int) -> Expression:
    return And((Does(own.agent, action), Compare("<>", own, Literal(end))))


def toil(rng: Random) -> System:
    """Return one or two who may work, rest or get more to do; each remembers what they did last."""
    names = ("P", "Q")[: rng.choice((1, 1, 2))]
    agents = tuple(_toiler(rng, name, names) for name in names)
    numbers = [Read(name, "x") for name in names]
    last = [Read(name, "last") for name in names]
    propositions: dict[str, Expression] = {
        "p": _cut(rng, rng.choice(numbers)),
        "q": Compare("=", rng.choice(last), Literal("a")),
        "r": rng.choice((Compare("<=", numbers[0], Literal(0)), _cut(rng, rng.choice(numbers)))),
    }
    initial = And(tuple(_cut(rng, number) for number in numbers))
    groups = {"g": f.Group(("P",), "g"), "h": f.Group(rng.choice(((), names)), "h")}
    semantics: Semantics = rng.choice(("MultiAssignment", "SingleAssignment"))
    return System(
        "toil", (Agent(ENVIRONMENT, (), ()), *agents), initial, semantics, propositions, groups
    )


def _toiler(rng: Random, name: str, names: Sequence[str]) -> Agent:
    low = rng.choice((0, 0, -2))
    actions = ("a", "b", "c")[: rng.choice((2, 2, 3))]
    variables = (
        Variable(name, "x", IntegerRange(low, low + 4)),
        Variable(name, "last", Enumeration(actions)),
    )
    own = Read(name, "x")
    lines: list[EvolutionLine] = []
    for action, steps in zip(actions, ((-1, -1, -1, -2), (0, 0, 0, 1), (1, 2, None)), strict=False):
        step = rng.choice(steps)
        guards: list[Expression] = [Does(name, action)]
        if step == 0 and rng.random() < 0.3 and len(names) > 1:
            guards.append(Does(rng.choice(names), rng.choice("ab")))
        change = _count(rng, own, own) if step is None else Sum((own, Literal(step)))
        if step is not None and step < 0 and rng.random() < 0.4:
            change = _part(rng, own)
        fence = Compare(">", own, Literal(rng.choice((0, 0, low))))
        if step and rng.random() < 0.7:
            guards.append(fence)
        for target, value in (("last", Literal(action)), ("x", change)):
            guard = And(tuple(guards)) if target == "x" else Does(name, action)
            if target == "last" or step != 0:
                assignment = (Assignment(target, value),)
                lines.append(EvolutionLine(assignment, guard, len(lines) + 1))
    protocol = () if rng.random() < 0.6 else (ProtocolLine(_cut(rng, own), ("a",)),)
    return Agent(name, variables, actions, protocol, actions, tuple(lines))


def _part(rng: Random, own: Read) -> Expression:
    """Return a part of a number, more or less."""
    some: Expression = own
    if rng.random() < 0.3:
        some = Arithmetic("*", Literal(rng.choice((2, 3))), some)
    if rng.random() < 0.4:
        some = Sum((some, Literal(rng.choice((-1, 1, 2)))))
    return Arithmetic(rng.choice(("div", "div", "/")), some, Literal(rng.choice((1, 2, 2, 3))))


def _player(rng: Random, name: str, read: Read) -> Agent:
    choices = (("a",), ("b",), ("a", "b"))
    line = ProtocolLine(_cut(rng, read), rng.choice(choices))
    return Agent(name, (), ("a", "b"), (line,), rng.choice(choices), sees=("n",))


def secrets(rng: Random) -> System:
    """Return three agents with a number each; the others may see that of the environment."""
    names = (ENVIRONMENT, "P", "Q")
    agents = tuple(_keeper(rng, name) for name in names)
    numbers = [Read(name, "n") for name in names]
    initial = And(tuple(_cut(rng, number) for number in numbers if rng.random() < 0.8))
    groups = {"g": f.Group(("P", "Q"), "g"), "h": f.Group(rng.choice((("Q",), names[:2])), "h")}
    propositions = {name: _cut(rng, rng.choice(numbers)) for name in "pqr"}
    return System("secrets", agents, initial, "MultiAssignment", propositions, groups)


def _keeper(rng: Random, name: str) -> Agent:
    first = rng.randint(-2, 1)
    variable = Variable(name, "n", IntegerRange(first, first + rng.randint(2, 4)))
    own, shown = Read(name, "n"), Read(ENVIRONMENT, "n")
    sees = ("n",) if name != ENVIRONMENT and rng.random() < 0.5 else ()
    lines = []
    for number in range(rng.choice((0, 1, 1, 2))):
        value = _count(rng, own, rng.choice((own, shown)) if sees else own)
        guard = rng.choice((TRUE, TRUE, Does(name, "a"), _cut(rng, own)))
        lines.append(EvolutionLine((Assignment("n", value),), guard, number + 1))
    actions = ("a", "b")[: rng.randint(1, 2)]
    return Agent(name, (variable,), actions, (), actions, tuple(lines), sees)


def hidden_counters(rng: Random) -> System:
    """Return numbers that somebody counts with unseen, and a clock that somebody else sees.

    There are lines that have an inverse and lines that have none, several at once, numbers of one value, and
    numbers of the environment, seen or not.
    """
    last = rng.choice((2, 3, 4))
    low = rng.choice((0, 0, -2, -last))
    numbers = {
        ENVIRONMENT: ("w",) if rng.random() < 0.5 else (),
        "P": ("x", "y")[: rng.choice((1, 2, 2))],
        "Q": ("t",) if rng.random() < 0.7 else (),
    }
    domains = (IntegerRange(low, last),) * 4 + (IntegerRange(0, 0), IntegerRange(1, 1))
    told = rng.random() < 0.5
    agents = []
    for name, own in numbers.items():
        variables = [Variable(name, each, rng.choice(domains)) for each in own]
        if rng.random() < 0.4:
            kept = rng.choice((Boolean(), Enumeration(("left", "right")), Enumeration(("only",))))
            variables.append(Variable(name, "m", kept))
        if name == ENVIRONMENT:
            variables = [replace(each, observed=told) for each in variables]
        agents.append((name, tuple(variables)))
    seen = tuple(each.name for each in agents[0][1]) if told else ()
    every = [Read(v.agent, v.name) for _, own in agents for v in own if _is_number(v.domain)]
    return System(
        "hidden counters",
        tuple(_counter(rng, name, own, agents[0][1] if told else (), seen) for name, own in agents),
        And(tuple(_begins(rng, each) for _, own in agents for each in own)),
        rng.choice(("MultiAssignment", "SingleAssignment")),
        {name: _linear(rng, every) for name in "pqr"},
        {"g": f.Group(("P", "Q"), "g"), "h": f.Group(("Q",), "h")},
    )


def _begins(rng: Random, variable: Variable) -> Expression:
    read = Read(variable.agent, variable.name)
    if not _is_number(variable.domain):
        return TRUE if rng.random() < 0.5 else Compare("=", read, Literal(first_of(variable)))
    match rng.randrange(6):
        case 0:
            return _cut(rng, read)
        case 1:
            return Or((Compare("=", read, Literal(0)), Compare("=", read, Literal(2))))
        case _:
            return Compare("=", read, Literal(rng.choice((0, 0, 1))))


def first_of(variable: Variable) -> bool | int | str:
    """Return some value of a variable."""
    return next(iter(values_of(variable.domain)))


def _counter(
    rng: Random,
    name: str,
    own: tuple[Variable, ...],
    shown: tuple[Variable, ...],
    seen: tuple[str, ...],
) -> Agent:
    numbers = [Read(v.agent, v.name) for v in (*own, *shown) if _is_number(v.domain)]
    actions = ("a", "b")[: rng.choice((1, 2, 2))]
    lines: list[EvolutionLine] = []
    for variable in own:
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            value = _recounted(rng, variable, numbers)
            guard = [Does(name, rng.choice(actions))] if rng.random() < 0.6 else []
            if numbers and rng.random() < 0.3:
                guard.append(_cut(rng, rng.choice(numbers)))  # type: ignore[arg-type]
            lines.append(
                EvolutionLine(
                    (Assignment(variable.name, value),), And(tuple(guard)), len(lines) + 1
                )
            )
    protocol: tuple[ProtocolLine, ...] = ()
    if numbers and rng.random() < 0.3:
        protocol = (ProtocolLine(_cut(rng, rng.choice(numbers)), actions[:1]),)
    return Agent(
        name, own, actions, protocol, actions, tuple(lines), () if name == ENVIRONMENT else seen
    )


def _recounted(rng: Random, variable: Variable, numbers: list[Read]) -> Expression:
    own = Read(variable.agent, variable.name)
    if not _is_number(variable.domain):
        return rng.choice((Literal(first_of(variable)), own))
    other = rng.choice(numbers)
    match rng.randrange(12):
        case 0:
            return Literal(rng.choice((0, 0, 1, 2)))
        case 1:
            return other
        case 2:
            return Sum((other, Literal(rng.choice((-1, 1)))))
        case 3:
            return Sum((own, rng.choice((other, Negative(other)))))
        case 4:
            return rng.choice((Negative(own), Sum((Negative(own), Literal(1)))))
        case 5:
            doubled = Arithmetic("*", Literal(rng.choice((2, 2, -2))), own)
            return Sum((doubled, Literal(rng.choice((0, 1)))))
        case 6:
            return Arithmetic(rng.choice(("div", "div", "mod", "/")), own, Literal(2))
        case 7:
            return Conditional(_cut(rng, other), Sum((own, Literal(1))), Literal(0))
        case _:
            return Sum((own, Literal(rng.choice((1, 1, 1, -1, -1, 2)))))


def told_finely(rng: Random, system: System, formulae: Iterable[f.Formula]) -> Partition:
    """Return a partition by where numbers begin, what is said of them, and some sums and remainders."""
    said = [(formula, HERE) for formula in formulae]
    first = first_partition(system, said, wide=rng.choice((0, 0, 64)))
    predicates = [*first.predicates, *predicates_of(first, system.initial, HERE)]
    share = rng.choice((1.0, 0.95, 0.6))
    predicates = [each for each in predicates if rng.random() < share]
    coarse = sorted(first.coarse, key=lambda read: (read.agent, read.variable))
    for read in coarse:
        for _ in range(rng.choice((0, 0, 1, 2))):
            predicates.append(Predicate(form_of(read), rng.randint(-1, 3), HERE))
    for _ in range(rng.choice((0, 1, 1, 2)) if coarse else 0):
        bound, form = rng.randint(-1, 1), _relation(rng, coarse)
        predicates += [Predicate(form, bound - 1, HERE), Predicate(form, bound, HERE)]
    if coarse and rng.random() < 0.3:
        predicates.append(Predicate(ResidueQuantity(form_of(rng.choice(coarse)), 2), 0, HERE))
    return Partition(system, first.coarse, predicates)


def in_step(rng: Random) -> System:
    """Return numbers that one agent moves together, by the same distances again and again.

    So some of their sums stay the same, and some keep their remainder.
    """
    names = "xyz"[: rng.choice((1, 2, 2, 3))]
    numbers = [Read("P", name) for name in names]
    low = rng.choice((-3, -2, 0))
    variables = tuple(Variable("P", name, IntegerRange(low, low + 6)) for name in names)
    actions = ("a", "b")[: rng.choice((1, 2, 2))]
    scale = rng.choice((1, 1, 2, 3))
    lines: list[EvolutionLine] = []
    for action in actions:
        assignments = tuple(
            Assignment(number.variable, _moved(rng, number, scale))
            for number in numbers
            if rng.random() < 0.8
        )
        guard = And((Does("P", action), rng.choice((TRUE, _cut(rng, rng.choice(numbers))))))
        if assignments:
            lines.append(EvolutionLine(assignments, guard, len(lines) + 1))
    agent = Agent("P", variables, actions, (), actions, tuple(lines))
    initial = And(tuple(_first(rng, number, numbers, scale) for number in numbers))
    groups = {"g": f.Group(("P",), "g"), "h": f.Group((), "h")}
    propositions = {name: _linear(rng, numbers) for name in "pqr"}
    world = Agent(ENVIRONMENT, (), ())
    return System("in step", (world, agent), initial, "MultiAssignment", propositions, groups)


def _moved(rng: Random, number: Read, scale: int) -> Expression:
    if rng.random() < 0.1:
        return rng.choice((Literal(0), Negative(number), Arithmetic("*", Literal(2), number)))
    return Sum((number, Literal(scale * rng.choice((1, 1, -1, 2)))))


def _first(rng: Random, number: Read, numbers: list[Read], scale: int) -> Expression:
    """Return a condition on a number in initial states."""
    value = Literal(rng.randint(0, 1))
    match rng.randrange(6):
        case 0:
            return _cut(rng, number)
        case 1:
            return Compare("=", number, Sum((rng.choice(numbers), value)))
        case 2 if scale > 1:
            return Compare("=", Arithmetic("mod", number, Literal(scale)), value)
        case 3:
            return Or((Compare("=", number, value), Compare("=", number, Literal(2))))
        case _:
            return Compare("=", number, value)


def _linear(rng: Random, numbers: list[Read]) -> Compare:
    """Return a comparison of one number, or of two."""
    operator: systems.Relation = rng.choice(("<=", "<", ">", "=", "<>", "<>"))
    one, two = rng.choice(numbers), rng.choice(numbers)
    if one == two or rng.random() < 0.4:
        return Compare(operator, one, Literal(rng.randint(-2, 4)))
    factor = rng.choice((1, 1, 2))
    right = two if factor == 1 else Arithmetic("*", Literal(factor), two)
    return Compare(operator, one, Sum((right, Literal(rng.randint(-1, 1)))))


def about_two(rng: Random, system: System) -> Expression:
    """Return a condition that most likely compares two numbers."""
    numbers = [Read(v.agent, v.name) for v in system.variables]
    one, two = rng.choice(numbers), rng.choice(numbers)
    if rng.random() < 0.2:
        return _nonlinear(rng, one, numbers)
    if one == two:
        return _cut(rng, one)
    operator: systems.Relation = rng.choice(("<=", "<", ">", "="))
    return Compare(operator, one, rng.choice((two, Sum((two, Literal(rng.randint(-1, 2)))))))


# Partitions


def random_partition(
    rng: Random,
    system: System,
    formulae: Iterable[f.Formula],
    related: float = 0.3,
    keep: Sequence[float] = (1.0, 0.7, 0.3),
) -> Partition:
    """Return a partition by some of the predicates of system and formulae, and by some of its own.

    `related` is how often there are predicates about sums, differences and remainders among them, and `keep`
    how many of those of the system are kept.
    """
    wide = rng.choice((0, 0, 0, 4, 64))
    first = first_partition(system, [(formula, HERE) for formula in formulae], wide=wide)
    share = rng.choice(keep)
    predicates = [predicate for predicate in first.predicates if rng.random() < share]
    if rng.random() < 0.5:
        predicates.extend(predicates_of(first, system.initial, HERE))
    coarse = sorted(first.coarse, key=lambda read: (read.agent, read.variable))
    if coarse:
        predicates.extend(_more(rng, system, coarse, related))
    return Partition(system, first.coarse, predicates, _hidden(rng, system, first.coarse))


def _hidden(rng: Random, system: System, coarse: frozenset[Read]) -> frozenset[Read]:
    share = rng.choice((0.0, 0.0, 0.0, 0.4))
    reads = [Read(variable.agent, variable.name) for variable in system.variables]
    return frozenset(read for read in reads if read not in coarse and rng.random() < share)


def _more(rng: Random, system: System, coarse: list[Read], related: float) -> Iterator[Predicate]:
    for _ in range(rng.choice((0, 0, 1, 3))):
        yield Predicate(form_of(rng.choice(coarse)), rng.randint(-3, 4), HERE)
    if rng.random() < related:
        for _ in range(rng.choice((1, 1, 2))):
            yield Predicate(_relation(rng, coarse), rng.randint(-3, 4), HERE)
    if rng.random() < related / 2:
        form = rng.choice((form_of(rng.choice(coarse)), _relation(rng, coarse)))
        yield Predicate(ResidueQuantity(form, rng.randint(2, 4)), 0, HERE)
    if rng.random() < related / 2:
        numbers = [Read(v.agent, v.name) for v in system.variables if _is_number(v.domain)]
        atom = _nonlinear(rng, rng.choice(coarse), numbers)
        yield Predicate(OpaqueComparison(atom), 0, HERE)


def _nonlinear(rng: Random, one: Read, numbers: Sequence[Read]) -> Compare:
    operator: systems.Relation = rng.choice(("=", "<", ">="))
    rest = rng.choice((rng.choice(numbers), Literal(rng.randint(-2, 4))))
    left = Arithmetic(rng.choice(("*", "*", "*", "&")), one, rng.choice(numbers))
    divided = Arithmetic(rng.choice(("mod", "div")), left, Literal(3))
    return Compare(operator, rng.choice((left, left, divided)), rest)


def _relation(rng: Random, coarse: list[Read]) -> Form:
    one, two = rng.choice(coarse), rng.choice(coarse)
    terms = {one: 1} if one == two else {one: rng.choice((1, 1, 2)), two: rng.choice((1, -1))}
    found = scaled(terms)
    assert found is not None
    return found.form


def exact_partition(system: System) -> Partition:
    """Return the partition in which every value of every number has its own cell."""
    coarse = coarse_variables(system, 0)
    cuts = [
        Predicate(form_of(read), bound, HERE)
        for read in coarse
        for bound in range(_range(system, read).low, _range(system, read).high)
    ]
    return Partition(system, coarse, cuts)


def _range(system: System, read: Read) -> IntegerRange:
    domain = system.variables[system.position[read.agent, read.variable]].domain
    assert isinstance(domain, IntegerRange)
    return domain


def apart(rng: Random, system: System, formulae: list[f.Formula]) -> Partition:
    """Return a partition that tells most initial states from others; some numbers may be kept."""
    every = sorted(coarse_variables(system, 0), key=lambda read: (read.agent, read.variable))
    kept = rng.choice(every) if rng.random() < 0.4 else None
    coarse = [read for read in every if read != kept or read in coarse_variables(system)]
    base = Partition(system, frozenset(coarse), ())
    parts = [part for formula in formulae for part in f.walk(formula)]
    said = [part.expression for part in parts if isinstance(part, f.StateCondition)]
    found = [
        predicate
        for condition in (system.initial, *said)
        for predicate in predicates_of(base, condition, HERE)
        if rng.random() < 0.9
    ]
    opaque = [
        Predicate(OpaqueComparison(atom), 0, HERE)
        for atom in said
        if isinstance(atom, Compare) and affine(atom.left) is None and reads(atom) & base.coarse
    ]
    return base.refined((*found, *opaque, *_more(rng, system, coarse, 0.4)))
