"""Every library of decision diagrams does what the truth tables say."""

import gc
from collections.abc import Callable, Iterable
from functools import cache
from importlib.util import find_spec
from itertools import product
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.model.budget import LimitReached
from tests.systems import examples


def _oxidd(variables: int, nodes: int | None = None) -> Diagrams:
    from gnomon.engines.diagrams.with_oxidd import OxiddDiagrams

    return OxiddDiagrams(variables) if nodes is None else OxiddDiagrams(variables, nodes)


def _cudd(variables: int, nodes: int | None = None) -> Diagrams:
    from gnomon.engines.diagrams.with_dd import DdDiagrams

    return DdDiagrams(variables) if nodes is None else DdDiagrams(variables, nodes)


def _pure(variables: int, nodes: int | None = None) -> Diagrams:
    from gnomon.engines.diagrams.with_dd import DdDiagrams

    pure = True
    return (
        DdDiagrams(variables, pure=pure)
        if nodes is None
        else DdDiagrams(variables, nodes, pure=pure)
    )


Make: TypeAlias = Callable[..., Diagrams]
_ALL: dict[str, tuple[str, Make]] = {
    "oxidd": ("oxidd", _oxidd),
    "dd.cudd": ("dd.cudd", _cudd),
    "dd.autoref": ("dd.autoref", _pure),
}


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


#: The libraries that are installed.
BACKENDS: dict[str, Make] = {
    name: make for name, (module, make) in _ALL.items() if _is_there(module)
}

#: Random functions have so many variables; two more exist beside them.
SIX = 6
ROWS = 1 << SIX

#: A function of six variables: the set of rows where it holds. Variable n is bit n of a row.
Table: TypeAlias = frozenset[int]
EVERY: Table = frozenset(range(ROWS))


def _table(number: int) -> Table:
    return frozenset(row for row in range(ROWS) if number >> row & 1)


#: All kinds of functions: random ones, which depend on everything, and those of few variables or rows.
tables = st.one_of(
    st.integers(0, (1 << ROWS) - 1).map(_table),
    st.frozensets(st.integers(0, ROWS - 1), max_size=3),
    st.frozensets(st.integers(0, ROWS - 1), max_size=3).map(lambda rows: EVERY - rows),
    st.tuples(st.integers(0, ROWS - 1), st.integers(0, 255)).map(
        lambda drawn: frozenset(r for r in range(ROWS) if drawn[1] >> (r & drawn[0] & 7) & 1)
    ),
)
variable_sets = st.frozensets(st.integers(0, SIX - 1))
pairings = st.tuples(st.permutations(range(SIX)), st.integers(0, SIX // 2)).map(
    lambda drawn: [(drawn[0][2 * n], drawn[0][2 * n + 1]) for n in range(drawn[1])]
)


@cache
def manager(backend: str) -> Diagrams:
    """Return one manager for all tests of small functions: garbage of one is the past of the next."""
    return BACKENDS[backend](SIX + 2)


def build(d: Diagrams, table: Table, number: int = 0, prefix: int = 0) -> Diagram:
    """Return the diagram of a table, by one choice a variable."""
    if number == SIX:
        return d.true if prefix in table else d.false
    return d.choose(
        d.variable(number),
        build(d, table, number + 1, prefix | 1 << number),
        build(d, table, number + 1, prefix),
    )


def minterm(d: Diagrams, row: int) -> Diagram:
    result = d.true
    for number in range(SIX):
        bit = d.variable(number)
        result = d.both(result, bit if row >> number & 1 else d.opposite(bit))
    return result


def forget(table: Table, variables: Iterable[int]) -> Table:
    """Return the rows from which the variables given can be changed so that the table holds."""
    for number in variables:
        table |= {row ^ 1 << number for row in table}
    return table


def exchange(table: Table, pairs: Iterable[tuple[int, int]]) -> Table:
    for one, two in pairs:
        table = frozenset(
            row ^ (1 << one | 1 << two) if (row >> one ^ row >> two) & 1 else row for row in table
        )
    return table


each = pytest.mark.parametrize("backend", BACKENDS)


# Operations


@each
@given(table=tables)
@examples(30)
def test_a_diagram_holds_in_the_rows_of_its_table(backend: str, table: Table) -> None:
    d = manager(backend)
    diagram = build(d, table)
    for row in range(ROWS):
        assert (row in table) == (d.both(diagram, minterm(d, row)) != d.false)
        assert (row in table) == (d.minus(minterm(d, row), diagram) == d.false)


@each
@given(one=tables, two=tables, three=tables)
@examples(60)
def test_the_connectives_work_row_by_row(
    backend: str, one: Table, two: Table, three: Table
) -> None:
    d = manager(backend)
    left, right, other = build(d, one), build(d, two), build(d, three)
    assert build(d, one & two) == d.both(left, right)
    assert build(d, one | two) == d.either(left, right)
    assert build(d, EVERY - one) == d.opposite(left)
    assert build(d, one - two) == d.minus(left, right)
    assert build(d, one ^ two) == d.differ(left, right)
    assert build(d, one & two | three - one) == d.choose(left, right, other)


@each
@given(one=tables, two=tables, variables=variable_sets)
@examples(60)
def test_quantification_forgets_variables(
    backend: str, one: Table, two: Table, variables: frozenset[int]
) -> None:
    d = manager(backend)
    left, right, cube = build(d, one), build(d, two), d.cube(variables)
    assert build(d, forget(one, variables)) == d.exists(left, cube)
    assert build(d, forget(one & two, variables)) == d.both_exists(left, right, cube)


@each
@given(table=tables, pairs=pairings)
@examples(60)
def test_renaming_exchanges_pairs(backend: str, table: Table, pairs: list[tuple[int, int]]) -> None:
    d = manager(backend)
    diagram, renaming = build(d, table), d.renaming(pairs)
    assert build(d, exchange(table, pairs)) == d.rename(diagram, renaming)


@each
@given(table=tables)
@examples(60)
def test_a_count_is_the_number_of_rows(backend: str, table: Table) -> None:
    d = manager(backend)
    diagram = build(d, table)
    assert len(table) == d.count(diagram, SIX)
    assert 4 * len(table) == d.count(diagram, SIX + 2)
    assert len(table) << 1000 == d.count(diagram, SIX + 1000)


@each
@given(rows=st.integers(0, 7))
@examples(8)
def test_a_count_may_be_of_fewer_variables_than_there_are(backend: str, rows: int) -> None:
    d = manager(backend)
    low = d.both(d.variable(1), d.opposite(d.variable(7)))
    assert d.count(low, 2) == 1
    assert d.count(low, 2 + rows) == 1 << rows


@each
@given(table=tables)
@examples(60)
def test_what_is_picked_satisfies(backend: str, table: Table) -> None:
    d = manager(backend)
    diagram = build(d, table)
    if not table:
        return
    found = d.pick(diagram)
    assert found == d.pick(diagram)
    fixed = sum(1 << number for number, value in found.items() if value)
    free = [number for number in range(SIX) if number not in found]
    assert set(found) <= set(range(SIX))
    for values in product((0, 1), repeat=len(free)):
        row = fixed | sum(value << number for number, value in zip(free, values, strict=True))
        assert row in table


@each
@given(table=tables)
@examples(60)
def test_the_support_is_what_makes_a_difference(backend: str, table: Table) -> None:
    d = manager(backend)
    matters = {n for n in range(SIX) if any(row ^ 1 << n not in table for row in table)}
    assert matters == set(d.support(build(d, table)))


@each
@given(one=tables, two=tables)
@examples(60)
def test_equal_functions_are_one_diagram(backend: str, one: Table, two: Table) -> None:
    d = manager(backend)
    left, right = build(d, one), build(d, two)
    assert (one == two) == (left == right)
    assert (one != two) == (left != right)
    assert {left: "found"} == {d.opposite(d.opposite(left)): "found"}
    assert len({one, two, EVERY - one}) == len({left, right, d.opposite(left)})


# Laws


@each
@given(one=tables, two=tables, three=tables)
@examples(40)
def test_the_laws_of_boolean_algebra(backend: str, one: Table, two: Table, three: Table) -> None:
    d = manager(backend)
    a, b, c = build(d, one), build(d, two), build(d, three)
    assert d.both(a, d.either(b, c)) == d.either(d.both(a, b), d.both(a, c))
    assert d.either(a, d.both(b, c)) == d.both(d.either(a, b), d.either(a, c))
    assert d.opposite(d.both(a, b)) == d.either(d.opposite(a), d.opposite(b))
    assert d.minus(a, b) == d.both(a, d.opposite(b))
    assert d.differ(a, b) == d.either(d.minus(a, b), d.minus(b, a))
    assert d.choose(a, b, c) == d.either(d.both(a, b), d.minus(c, a))
    assert d.both(a, d.opposite(a)) == d.false
    assert d.either(a, d.opposite(a)) == d.true
    assert d.count(a, SIX) + d.count(d.opposite(a), SIX) == ROWS


@each
@given(one=tables, two=tables, variables=variable_sets, more=variable_sets)
@examples(40)
def test_the_laws_of_quantifiers(
    backend: str, one: Table, two: Table, variables: frozenset[int], more: frozenset[int]
) -> None:
    d = manager(backend)
    a, b, cube = build(d, one), build(d, two), d.cube(variables)

    def for_all(diagram: Diagram) -> Diagram:
        return d.opposite(d.exists(d.opposite(diagram), cube))

    dual = EVERY - forget(EVERY - one, variables)
    assert for_all(a) == build(d, dual)
    assert d.minus(for_all(a), a) == d.false
    assert d.minus(a, d.exists(a, cube)) == d.false
    assert d.both_exists(a, b, cube) == d.exists(d.both(a, b), cube)
    assert d.exists(d.either(a, b), cube) == d.either(d.exists(a, cube), d.exists(b, cube))
    assert d.exists(d.exists(a, cube), d.cube(more)) == d.exists(a, d.cube(variables | more))
    assert variables.isdisjoint(d.support(d.exists(a, cube)))
    assert d.exists(a, d.cube(())) == a


@each
@given(one=tables, two=tables, pairs=pairings)
@examples(40)
def test_the_laws_of_renaming(
    backend: str, one: Table, two: Table, pairs: list[tuple[int, int]]
) -> None:
    d = manager(backend)
    a, b, renaming = build(d, one), build(d, two), d.renaming(pairs)
    assert a == d.rename(d.rename(a, renaming), renaming)
    assert d.rename(d.both(a, b), renaming) == d.both(d.rename(a, renaming), d.rename(b, renaming))
    assert d.count(a, SIX) == d.count(d.rename(a, renaming), SIX)
    flipped = d.renaming([(two, one) for one, two in pairs])
    assert d.rename(a, renaming) == d.rename(a, flipped)


# Constants and single variables


@each
def test_the_constants(backend: str) -> None:
    d = manager(backend)
    assert d.true != d.false
    assert d.opposite(d.true) == d.false
    assert d.cube(()) == d.cube([])
    assert set(d.support(d.true)) == set(d.support(d.false)) == set()
    assert d.pick(d.true) == {}
    assert d.count(d.true, 0) == 1
    assert d.count(d.false, 0) == 0
    assert d.count(d.true, 100) == 1 << 100
    assert d.count(d.false, 100) == 0


@each
def test_a_variable_is_the_choice_between_true_and_false(backend: str) -> None:
    d = manager(backend)
    for number in range(SIX + 2):
        one = d.variable(number)
        assert one == d.choose(one, d.true, d.false)
        assert set(d.support(one)) == {number}
        assert d.pick(one) == {number: True}
        assert d.pick(d.opposite(one)) == {number: False}


@each
def test_a_manager_without_variables_has_its_constants(backend: str) -> None:
    d = BACKENDS[backend](0)
    assert d.opposite(d.true) == d.false
    assert d.exists(d.true, d.cube(())) == d.true
    assert d.rename(d.true, d.renaming(())) == d.true
    assert d.count(d.true, 0) == 1


@each
def test_a_larger_function_has_more_nodes(backend: str) -> None:
    d = manager(backend)
    small = d.both(d.variable(0), d.variable(1))
    large = minterm(d, 0b101010)
    assert 0 < d.size(d.true) < d.size(d.variable(0)) < d.size(small) < d.size(large)


# Large things


def parity(d: Diagrams, variables: Iterable[int]) -> Diagram:
    result = d.false
    for number in variables:
        result = d.differ(result, d.variable(number))
    return result


def equality(d: Diagrams, bits: int) -> Diagram:
    """Return that the first bits equal the others, which stand below all of them: 3·2^bits nodes."""
    result = d.true
    for number in range(bits):
        unequal = d.differ(d.variable(number), d.variable(number + bits))
        result = d.minus(result, unequal)
    return result


@each
def test_the_parity_of_400_variables_holds_in_half_of_all_cases(backend: str) -> None:
    d = BACKENDS[backend](400)
    odd = parity(d, reversed(range(400)))
    assert d.count(odd, 400) == 1 << 399
    assert d.count(odd, 1400) == 1 << 1399
    assert len(set(d.support(odd))) == 400
    assert sum(d.pick(odd).values()) % 2 == 1
    assert d.exists(odd, d.cube([200])) == d.true
    assert d.rename(odd, d.renaming([(n, n + 1) for n in range(0, 400, 2)])) == odd


@each
def test_the_conjunction_of_2000_variables_holds_in_one_case(backend: str) -> None:
    d = BACKENDS[backend](2000)
    together = d.true
    for number in reversed(range(2000)):
        together = d.both(d.variable(number), together)
    assert d.count(together, 2000) == 1
    assert d.pick(together) == dict.fromkeys(range(2000), True)
    assert set(d.support(together)) == set(range(2000))
    even = d.exists(together, d.cube(range(0, 2000, 2)))
    assert d.count(even, 2000) == 1 << 1000
    odd = d.rename(even, d.renaming([(n, n + 1) for n in range(0, 2000, 2)]))
    assert d.both(even, odd) == together
    assert d.both_exists(even, odd, d.cube(range(2000))) == d.true
    assert 2000 <= d.size(together) <= 2002


@each
def test_what_nobody_uses_is_collected(backend: str) -> None:
    d = BACKENDS[backend](24)
    before = d.total_size()
    large = equality(d, 12)
    assert d.count(large, 24) == 1 << 12
    d.collect()
    assert before + 3 * 2**11 <= d.total_size() <= before + 3 * 2**13
    assert d.count(large, 24) == 1 << 12
    del large
    d.collect()
    assert d.total_size() <= before + 2


def is_too_large(d: Diagrams, bits: int) -> bool:
    """Try to build something large, and keep no traceback: that would keep the diagrams in it."""
    try:
        equality(d, bits)
    except LimitReached:
        return True
    return False


@each
def test_full_memory_is_a_limit_and_leaves_the_manager_usable(backend: str) -> None:
    d = BACKENDS[backend](60, 20_000)
    small = equality(d, 8)
    for _ in range(3):
        assert is_too_large(d, 30)
        assert d.count(small, 60) == 1 << 52
        assert small == equality(d, 8)
        assert d.count(d.differ(small, d.variable(59)), 60) == 1 << 59


@each
def test_full_memory_stops_every_operation(backend: str) -> None:
    d = BACKENDS[backend](60, 20_000)
    half, other = equality(d, 10), d.true
    pairs = [(number, number + 20) for number in range(20)]
    for number in range(5):
        other = d.minus(other, d.differ(d.variable(20 + number), d.variable(40 + number)))
    renaming, cube = d.renaming(pairs), d.cube(range(40, 60))

    def grow() -> None:
        result = half
        for number in range(5, 20):
            one, two = d.variable(20 + number), d.variable(40 + number)
            result = d.both_exists(
                d.choose(one, d.both(result, two), d.minus(result, two)), other, d.cube(())
            )
        d.exists(d.rename(result, renaming), cube)

    with pytest.raises(LimitReached, match="outgrew the room"):
        grow()
    assert d.count(half, 60) == 1 << 50


@each
def test_a_manager_in_a_cycle_goes_quietly(backend: str) -> None:
    # The garbage collector breaks cycles in any order: diagrams may outlive their manager.
    class Holder:
        pass

    holder = Holder()
    holder.diagrams = d = BACKENDS[backend](6)  # type: ignore[attr-defined]
    holder.some = [parity(d, range(6)), d.cube([1, 2])]  # type: ignore[attr-defined]
    holder.itself = holder  # type: ignore[attr-defined]
    del holder, d
    gc.collect()


# Reordering


@pytest.mark.skipif("dd.cudd" not in BACKENDS, reason="only CUDD reorders")
def test_a_bad_order_is_rescued_and_pairs_stay_together() -> None:
    from gnomon.engines.diagrams.with_dd import DdDiagrams

    d = DdDiagrams(60)
    pairs = [(number, number + 1) for number in range(0, 60, 2)]
    d.reorder_lazily(10_000, pairs)
    small = equality(d, 9)
    assert d.reorderings() == 0
    large = d.true
    for number in range(0, 30, 2):
        unequal = d.differ(d.variable(number), d.variable(number + 30))
        large = d.minus(large, unequal)
    assert d.reorderings() > 0
    assert d.size(large) < 3_000
    assert d.count(large, 60) == 1 << 45
    assert d.count(small, 60) == 1 << 51
    picked = d.pick(large)
    assert all(picked.get(n) == picked.get(n + 30) for n in range(0, 30, 2))
    levels = d._manager.var_levels
    assert all(abs(levels[str(one)] - levels[str(two)]) == 1 for one, two in pairs)
    assert d._manager.configure()["reordering"]
    assert d.rename(d.rename(large, d.renaming(pairs)), d.renaming(pairs)) == large


def test_pure_python_does_not_reorder() -> None:
    pytest.importorskip("dd.autoref")
    from gnomon.engines.diagrams.with_dd import DdDiagrams

    d = DdDiagrams(20, pure=True)
    d.reorder_lazily(100, [(0, 1)])
    assert d.count(equality(d, 10), 20) == 1 << 10
    assert d.reorderings() == 0
