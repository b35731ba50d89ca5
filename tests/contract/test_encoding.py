"""The encoding of expressions agrees with the reference semantics, valuation by valuation."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.engines.bdd.interleaved_algebra import bdd_algebra
from gnomon.engines.diagrams import linear_constraints
from gnomon.engines.diagrams.bit_layout import lay_out, structure_of
from gnomon.engines.diagrams.circuits import BitVector, Circuits
from gnomon.engines.diagrams.encode import Encoder
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.linear_constraints import Linear, LinearConstraints, total
from gnomon.engines.diagrams.with_oxidd import OxiddDiagrams
from gnomon.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, Variable
from gnomon.model.arithmetic import euclidean_div, euclidean_mod
from gnomon.model.domain import (
    Boolean,
    Datum,
    Domain,
    Enumeration,
    IntegerRange,
    contains,
    values_of,
)
from gnomon.model.evaluation import evaluate
from gnomon.model.expression import (
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
    reads,
    show,
    walk,
)
from gnomon.model.system import System
from tests.systems import Relation, examples, random_system, seeds

pytest.importorskip("oxidd")

ORDERS: tuple[Relation, ...] = ("=", "<>", "<", "<=", ">", ">=")

# Linear constraints and circuits, over single bits

BITS = 7
PLACES = range(BITS)


def oxidd(variables: int) -> Diagrams:
    from gnomon.engines.diagrams.with_oxidd import OxiddDiagrams

    return OxiddDiagrams(variables, 1 << 20)


@cache
def small() -> tuple[Diagrams, LinearConstraints, Circuits]:
    """Return one manager for all tests: what was built for one example is there for the next."""
    diagrams = oxidd(BITS)
    return diagrams, LinearConstraints(diagrams), Circuits(diagrams)


def assignment(d: Diagrams, bits: Mapping[int, bool]) -> Diagram:
    result = d.true
    for level in sorted(bits, reverse=True):
        bit = d.variable(level)
        result = d.both(bit if bits[level] else d.opposite(bit), result)
    return result


@cache
def rows() -> list[tuple[tuple[int, ...], Diagram]]:
    """Return all values of the bits, each with its diagram."""
    d, _, _ = small()
    return [
        (values, assignment(d, dict(enumerate(map(bool, values)))))
        for values in product((0, 1), repeat=BITS)
    ]


def holds(d: Diagrams, diagram: Diagram, row: Diagram) -> bool:
    """Return whether a diagram holds in a row that leaves nothing open."""
    found = d.both(diagram, row)
    assert found in (row, d.false)
    return bool(found == row)


def compare(operator: Relation, left: int, right: int) -> bool:
    # Spelled out, so that not even the table of operators is shared with what is tested.
    return {
        "=": left == right,
        "<>": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[operator]


def random_linear(rng: Random) -> Linear:
    chosen = rng.sample(PLACES, rng.randint(0, BITS))
    return Linear({bit: rng.randint(-5, 5) for bit in chosen}, rng.randint(-6, 6))


def value_of(linear: Linear, row: tuple[int, ...]) -> int:
    return linear.constant + sum(weight * row[bit] for bit, weight in linear.weights.items())


@given(seeds)
@examples(60)
def test_linear_constraints_hold_where_the_sums_say(seed: int) -> None:
    rng = Random(seed)
    d, constraints, _ = small()
    left, right = random_linear(rng), random_linear(rng)
    bound, modulus = rng.randint(-9, 9), rng.randint(1, 6)
    residue = rng.randint(-3, 8)
    found = [(operator, constraints.compare(operator, left, right)) for operator in ORDERS]
    at_most, zero = constraints.at_most(left, bound), constraints.equal(left)
    congruent = constraints.congruent(left, residue, modulus)
    for row, here in rows():
        one, two = value_of(left, row), value_of(right, row)
        for operator, diagram in found:
            assert compare(operator, one, two) == holds(d, diagram, here), operator
        assert (one <= bound) == holds(d, at_most, here)
        assert (one == 0) == holds(d, zero, here)
        assert ((one - residue) % modulus == 0) == holds(d, congruent, here)


@given(seeds)
@examples(60)
def test_sums_of_weighted_bits_add_up(seed: int) -> None:
    rng = Random(seed)
    left, right, factor = random_linear(rng), random_linear(rng), rng.randint(-3, 3)
    low, high = left.range()
    for row, _ in rows():
        one, two = value_of(left, row), value_of(right, row)
        assert one + two == value_of(left.plus(right), row) == value_of(total([left, right]), row)
        assert factor * one == value_of(left.times(factor), row)
        assert low <= one <= high


def random_number(
    rng: Random, circuits: Circuits, d: Diagrams
) -> tuple[BitVector, list[int | None]]:
    """Return a number and where its bits come from, the lowest first (None: always zero)."""
    if rng.random() < 0.2:
        constant = rng.randint(-9, 9)
        return circuits.constant(constant), [constant]
    places: list[int | None] = list(rng.sample(PLACES, rng.randint(1, 4)))
    bits = [d.variable(place) for place in places if place is not None]
    if rng.random() < 0.5:
        return circuits.unsigned(bits), [*places, None]
    return bits, places


def number_in(bits: BitVector, d: Diagrams, here: Diagram) -> int:
    """Return a number in two's complement from its bits, the last one the sign."""
    values = [holds(d, bit, here) for bit in bits]
    *low, sign = values
    return sum(bit << place for place, bit in enumerate(low)) - (sign << len(low))


@given(seeds)
@examples(60)
def test_circuits_calculate(seed: int) -> None:
    rng = Random(seed)
    d, _, circuits = small()
    left, _ = random_number(rng, circuits, d)
    right, _ = random_number(rng, circuits, d)
    quotient, remainder = circuits.euclidean(left, right)
    found = [(operator, circuits.compare(operator, left, right)) for operator in ORDERS]
    added, negated = circuits.add(left, right), circuits.negate(left)
    multiplied, complement = circuits.multiply(left, right), circuits.complement(left)
    both, either, differ = (circuits.bitwise(operator, left, right) for operator in "&|^")
    zero = circuits.is_zero(left)
    for _, here in rng.sample(rows(), 48):
        one, two = number_in(left, d, here), number_in(right, d, here)
        assert one + two == number_in(added, d, here)
        assert -one == number_in(negated, d, here)
        assert one * two == number_in(multiplied, d, here)
        assert euclidean_div(one, two) == number_in(quotient, d, here)
        assert euclidean_mod(one, two) == number_in(remainder, d, here)
        assert one & two == number_in(both, d, here)
        assert one | two == number_in(either, d, here)
        assert one ^ two == number_in(differ, d, here)
        assert ~one == number_in(complement, d, here)
        assert (one == 0) == holds(d, zero, here)
        for operator, diagram in found:
            assert compare(operator, one, two) == holds(d, diagram, here), operator


def test_constants_are_their_bits() -> None:
    d, _, circuits = small()
    for value in range(-20, 21):
        assert value == number_in(circuits.constant(value), d, rows()[0][1])


# Typed expressions, over the variables of a system

DOMAINS: dict[str, Domain] = {
    "a": IntegerRange(-3, 4),
    "b": IntegerRange(0, 5),
    "c": IntegerRange(-2, 0),
    "d": IntegerRange(5, 9),
    "one": IntegerRange(-4, -4),
    "p": Boolean(),
    "q": Boolean(),
    "r": Boolean(),
    "up": Enumeration(("left", "right", "up")),
    "way": Enumeration(("up", "left", "down", "right", "back")),
    "same": Enumeration(("left", "right", "up")),
    "turned": Enumeration(("up", "right", "left")),
    "only": Enumeration(("left",)),
}


def the_system() -> System:
    """Return a system with a variable of every kind, each of which may change."""
    variables = tuple(Variable("Robot", name, domain) for name, domain in DOMAINS.items())
    lines = tuple(
        EvolutionLine((Assignment(name, Read("Robot", name)),), TRUE, number)
        for number, name in enumerate(DOMAINS)
    )
    robot = Agent("Robot", variables, ("go", "stop", "turn"), (), ("go",), lines)
    return System("robot", (Agent(ENVIRONMENT, (), ()), robot), TRUE)


SYSTEM = the_system()
LAYOUT = lay_out(SYSTEM, structure_of(SYSTEM, ()))


@cache
def encoder() -> Encoder:
    return Encoder(SYSTEM, LAYOUT, oxidd(LAYOUT.size))


def read(name: str) -> Read:
    return Read("Robot", name)


def named(kind: type[Domain]) -> list[str]:
    return [name for name, domain in DOMAINS.items() if isinstance(domain, kind)]


def is_whole(expression: Expression) -> bool:
    return not any(
        isinstance(part, Arithmetic) and part.operator == "/" for part in walk(expression)
    )


def random_integer(rng: Random, depth: int, names: list[str]) -> Expression:
    """Return a number; quotients never where whole numbers are needed."""
    if depth == 0 or rng.random() < 0.15:
        return read(rng.choice(names)) if rng.random() < 0.75 else Literal(rng.randint(-6, 9))
    left = random_integer(rng, depth - 1, names)
    right = random_integer(rng, depth - 1, names)
    whole = is_whole(left) and is_whole(right)
    match rng.randrange(11):
        case 0 | 1:
            return Sum((left, right))
        case 2:
            return Sum((left, Negative(right), random_integer(rng, 0, names)))
        case 3:
            return Negative(left)
        case 4:
            return Arithmetic("*", left, right)
        case 5 if rng.random() < 0.5:
            return Arithmetic("/", left, right)
        case 5:
            return Arithmetic("/", left, Literal(rng.choice((-3, -2, 1, 2, 4))))
        case 6 if whole:
            return Arithmetic("div", left, right)
        case 7 if whole:
            return Arithmetic("mod", left, right)
        case 8 if whole:
            return Arithmetic("mod", left, Literal(rng.randint(-4, 7)))
        case 9 if is_whole(left):
            return BitComplement(left)
        case 10 if whole:
            return Arithmetic(rng.choice(("&", "|", "^")), left, right)
        case _:
            return Arithmetic("*", Literal(rng.randint(-3, 3)), left)


def random_atom(rng: Random) -> Expression:
    equal: Relation = rng.choice(("=", "<>"))
    match rng.randrange(8):
        case 0:
            return read(rng.choice(named(Boolean)))
        case 1:
            return Literal(rng.random() < 0.5)
        case 2:
            left, right = (random_condition(rng, rng.choice((0, 0, 1))) for _ in range(2))
            return Compare(equal, left, right)
        case 3:
            name = rng.choice(named(Enumeration))
            sides: list[Expression] = [
                read(name),
                Literal(rng.choice(("left", "right", "up", "down", "elsewhere"))),
            ]
            rng.shuffle(sides)
            return Compare(equal, sides[0], sides[1])
        case 4:
            one, two = (read(rng.choice(named(Enumeration))) for _ in range(2))
            return Compare(equal, one, two)
        case _:
            # Few variables at a time, so that all their values can be tried.
            names = rng.sample(named(IntegerRange), rng.randint(1, 3))
            return Compare(
                rng.choice(ORDERS),
                random_integer(rng, rng.randint(0, 2), names),
                random_integer(rng, rng.randint(0, 2), names),
            )


def random_condition(rng: Random, depth: int) -> Expression:
    if depth == 0:
        return random_atom(rng)
    several = tuple(random_condition(rng, depth - 1) for _ in range(rng.choice((0, 1, 2, 2, 3))))
    match rng.randrange(3):
        case 0:
            return Not(random_condition(rng, depth - 1))
        case 1:
            return And(several)
        case _:
            return Or(several)


def code_of(name: str, value: Datum, levels: Iterable[int]) -> dict[int, bool]:
    """Return the bits of a value, the highest first, counting from the first value of the domain."""
    number = list(values_of(DOMAINS[name])).index(value)
    return {level: bool(number >> n & 1) for n, level in enumerate(reversed(tuple(levels)))}


def valuations(
    rng: Random, names: list[str], most: int
) -> Iterator[tuple[tuple[Datum, ...], dict[int, bool]]]:
    """Yield states that differ in the variables named, all of them if they are few, and their bits."""
    every = list(product(*(values_of(DOMAINS[name]) for name in names)))
    for values in every if len(every) <= most else rng.sample(every, most):
        chosen = dict(zip(names, values, strict=True))
        state = tuple(
            chosen.get(variable.name, values_of(variable.domain)[0])
            for variable in SYSTEM.variables
        )
        bits: dict[int, bool] = {}
        for name, value in chosen.items():
            bits |= code_of(name, value, LAYOUT.variables["Robot", name].now)
        yield state, bits


def names_in(expression: Expression) -> list[str]:
    return sorted(part.variable for part in reads(expression))


@given(seeds)
@examples(400)
def test_a_condition_holds_where_the_reference_says(seed: int) -> None:
    rng = Random(seed)
    condition = random_condition(rng, rng.choice((0, 0, 1, 2)))
    d = encoder().diagrams
    diagram = encoder().condition(condition)
    names = names_in(condition)
    known = {level for name in names for level in LAYOUT.variables["Robot", name].now}
    assert set(d.support(diagram)) <= known, show(condition)
    for state, bits in valuations(rng, names, 300):
        found = holds(d, diagram, assignment(d, bits))
        assert evaluate(condition, SYSTEM, state) == found, f"{show(condition)} in {state}"


def random_value(rng: Random, name: str) -> Expression:
    match DOMAINS[name]:
        case Boolean():
            return random_condition(rng, rng.choice((0, 0, 1)))
        case Enumeration(values):
            if rng.random() < 0.5:
                return Literal(rng.choice(values))
            return read(rng.choice(named(Enumeration)))
        case _:
            names = rng.sample(named(IntegerRange), rng.randint(1, 3))
            return random_integer(rng, rng.randint(0, 2), names)


@given(seeds)
@examples(400)
def test_a_variable_becomes_its_new_value_or_nothing_if_that_is_out_of_range(seed: int) -> None:
    rng = Random(seed)
    name = rng.choice(list(DOMAINS))
    variable = SYSTEM.variables[SYSTEM.position["Robot", name]]
    value = random_value(rng, name)
    d = encoder().diagrams
    diagram = encoder().becomes(variable, value)
    after = LAYOUT.variables["Robot", name].next
    for state, bits in valuations(rng, names_in(value), 100):
        new = evaluate(value, SYSTEM, state)
        # The codes that stand for no value are tried as well: none of them may follow.
        for code in range(1 << len(after)):
            next_bits = {level: bool(code >> n & 1) for n, level in enumerate(reversed(after))}
            fits = contains(variable.domain, new)
            expected = fits and list(values_of(variable.domain)).index(new) == code  # type: ignore[arg-type]
            found = holds(d, diagram, assignment(d, bits | next_bits))
            assert expected == found, f"{name} := {show(value)} in {state}, code {code}"


@given(seeds)
@examples(100)
def test_guards_look_at_actions(seed: int) -> None:
    rng = Random(seed)
    parts = [random_condition(rng, 0), Does("Robot", rng.choice(("go", "stop", "turn")))]
    if rng.random() < 0.5:
        parts.append(Compare("<>", Does("Robot", "go"), random_condition(rng, 0)))
    guard = rng.choice((And, Or))(tuple(parts))
    for action in ("go", "stop", "turn"):
        # One for each joint action: an encoder takes what an agent does to be always the same.
        encode = Encoder(SYSTEM, LAYOUT, encoder().diagrams)
        d = encode.diagrams

        def doing(agent: str, wanted: str, now: str = action, d: Diagrams = d) -> Diagram:
            assert agent == "Robot"
            return d.true if wanted == now else d.false

        diagram = encode.condition(guard, doing)
        for state, bits in valuations(rng, names_in(guard), 30):
            found = holds(d, diagram, assignment(d, bits))
            assert evaluate(guard, SYSTEM, state, ("-", action)) == found, show(guard)


@pytest.mark.parametrize("name", DOMAINS)
def test_codes_and_assignments_are_those_of_the_values(name: str) -> None:
    encode, levels = encoder(), LAYOUT.variables["Robot", name].now
    d = encode.diagrams
    values = list(values_of(DOMAINS[name]))
    valid = d.false
    for code, value in enumerate(values):
        expected = assignment(d, code_of(name, value, levels))
        assert expected == encode.is_code(levels, code)
        assert expected == encode.assignment({read(name): value})
        valid = d.either(valid, expected)
    assert valid == encode.valid(levels, len(values))


def test_quotients_by_known_numbers_are_not_tried_out() -> None:
    """Not even of very many values: there are far too many cases here."""
    wide = Variable("Robot", "n", IntegerRange(-(10**9), 10**9))
    number = Read("Robot", "n")
    half = Arithmetic("/", number, Literal(-2))
    line = EvolutionLine((Assignment("n", Sum((half, Literal(1)))),), TRUE)
    robot = Agent("Robot", (wide,), ("go",), (), ("go",), (line,))
    system = System("wide", (Agent(ENVIRONMENT, (), ()), robot), TRUE)
    layout = lay_out(system, structure_of(system, ()))
    encode = Encoder(system, layout, oxidd(layout.size))
    d, bits = encode.diagrams, layout.variables["Robot", "n"]
    above = encode.condition(Compare(">", half, Arithmetic("/", number, Literal(3))))
    becomes = encode.becomes(wide, line.assignments[0].value)
    for value in (-(10**9), -7, -6, -1, 0, 1, 4, 9, 10**9):
        here = encode.assignment({number: value})
        assert (value < 0) == (d.both(here, above) != d.false)
        result = d.both(here, becomes)
        after = encode.is_code(bits.next, value // -2 + 1 + 10**9)
        assert (d.both(here, after) if value % 2 == 0 else d.false) == result


def test_a_large_modulus_costs_no_more_than_the_values_there_are() -> None:
    condition = Compare("=", Arithmetic("mod", read("b"), Literal(10**5)), Literal(4))
    expected = encoder().condition(Compare("=", read("b"), Literal(4)))
    found = encoder().condition(condition)
    valid = encoder().valid(LAYOUT.variables["Robot", "b"].now, 6)
    assert encoder().diagrams.both(expected, valid) == encoder().diagrams.both(found, valid)


@given(seed=seeds)
@examples(60)
def test_parts_tell_all_that_they_depend_on(seed: int) -> None:
    """What is looked at bounds it from above, and nothing is missed by looking no further."""
    rng = Random(seed)
    system = random_system(rng, stuck=0.2, interleaved=rng.random() < 0.3)
    relation = bdd_algebra(system).relation
    for part in relation.parts:
        assert part.levels == frozenset(relation.diagrams.support(part.diagram))


@given(seed=seeds)
@examples(60)
def test_sums_of_all_but_one_share_the_sum_of_all(seed: int) -> None:
    rng = Random(seed)
    bits = rng.randint(3, 10)
    diagrams = OxiddDiagrams(bits, 1 << 16, 1 << 14)
    sharing, plain = LinearConstraints(diagrams), LinearConstraints(diagrams)
    every = {bit: rng.choice((1, 1, 1, 2, -1, -3)) for bit in range(bits)}
    with patch.object(linear_constraints, "_LONG", rng.choice((1, 3))):
        for _ in range(10):
            weights = dict(every)
            for bit in rng.sample(range(bits), rng.choice((0, 1, 1, 1, 2))):
                weights[bit] = rng.choice((0, 0, 0, 5, -1))
            linear = Linear(weights, rng.randint(-2, 2))
            bound = rng.randint(-4, bits)
            found = sharing.at_most(linear, bound), sharing.equal(linear)
            with patch.object(linear_constraints, "_LONG", 1_000):
                assert found == (plain.at_most(linear, bound), plain.equal(linear))
    # Of three sums that leave out one bit each, the third is read off the sum of all.
    if bits > 3:
        with patch.object(linear_constraints, "_LONG", 1):
            last = [sharing._one_more({b: 1 for b in range(bits) if b != out}) for out in range(3)]
        assert last[-1] == dict.fromkeys(range(bits), 1)
