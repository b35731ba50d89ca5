"""What a cell says of conditions and numbers is so for every state in it."""

from itertools import product
from random import Random

from hypothesis import given

from gnomon.engines.abstraction.cell_terms import TermCase
from gnomon.engines.abstraction.interval_values import worth
from gnomon.engines.abstraction.intervals import Interval, point
from gnomon.engines.abstraction.partition import Partition
from gnomon.model.domain import IntegerRange
from gnomon.model.evaluation import evaluate, holds
from gnomon.model.expression import Expression, Read, reads, show
from gnomon.model.system import System
from tests.abstraction import States
from tests.counting import counting_system, random_partition
from tests.systems import _integer, examples, random_condition, seeds


def numbers(rng: Random, system: System) -> Expression:
    return _integer(rng, [v for v in system.variables if isinstance(v.domain, IntegerRange)], 3)


def cells(rng: Random) -> States:
    system = counting_system(rng, 24)
    return States(random_partition(rng, system, (), 0.5), [])


@given(seed=seeds)
@examples(60)
def test_a_condition_holds_where_it_must_and_not_where_it_may_not(seed: int) -> None:
    rng = Random(seed)
    states = cells(rng)
    system = states.partition.system
    for _ in range(4):
        condition = random_condition(rng, system.variables, 2)
        three = states.space.cells.condition(condition)
        for state in states.oracle.everything():
            if holds(condition, system, state):
                assert states.is_in(three.may, state), show(condition)
            else:
                assert not states.is_in(three.must, state), show(condition)


@given(seed=seeds)
@examples(60)
def test_a_number_is_in_some_case_and_in_the_bounds_of_each_of_its_cell(seed: int) -> None:
    rng = Random(seed)
    states = cells(rng)
    system = states.partition.system
    for _ in range(4):
        number = numbers(rng, system)
        if reads(number) & states.partition.hidden:
            continue
        cases = list(states.space.cells.cases(number))
        for state in states.oracle.everything():
            value = evaluate(number, system, state)
            here = [case for case in cases if states.is_in(case.where, state)]
            assert here, show(number)
            assert all(fits(case, value) for case in here), show(number)


def fits(case: TermCase, value: object) -> bool:
    if not isinstance(value, int):
        return not case.whole
    return case.meets(point(value)) and point(value).inside(case.bounds)


@given(seed=seeds)
@examples(100)
def test_what_an_expression_is_worth_covers_all_its_values(seed: int) -> None:
    rng = Random(seed)
    system = counting_system(rng, 24)
    expression = numbers(rng, system)
    known: dict[Read, object] = {}
    ranges: dict[Read, range] = {}
    for read in sorted(reads(expression), key=str):
        low = rng.randint(-3, 2)
        ranges[read] = range(low, low + rng.randint(1, 4))
        known[read] = Interval(low, ranges[read][-1])
    found = worth(expression, known)
    for values in product(*ranges.values()):
        chosen = dict(zip(ranges, values, strict=True))
        state = tuple(chosen.get(Read(v.agent, v.name), 0) for v in system.variables)
        value = evaluate(expression, system, state)
        if isinstance(found, Interval) and not isinstance(found.point, int):
            assert isinstance(value, int), show(expression)
            assert point(value).inside(found), show(expression)
        elif isinstance(found, (int, Interval)):
            assert value == (found.point if isinstance(found, Interval) else found)


def test_a_cell_for_each_value_knows_every_condition() -> None:
    rng = Random(1)
    system = counting_system(rng, 24)
    states = States(Partition(system, frozenset(), ()), [])
    for _ in range(20):
        three = states.space.cells.condition(random_condition(rng, system.variables, 2))
        d = states.space.diagrams
        assert d.both(three.may, states.space.all) == d.both(three.must, states.space.all)
