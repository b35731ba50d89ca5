"""Sets of local states, whether they are integers or diagrams, are what they stand for."""

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest
from hypothesis import given

from gnomon.engines.parameterised.cubes import AgentSets, matches
from gnomon.engines.parameterised.diagram_space import DiagramSpace
from gnomon.engines.parameterised.ground_facts import GroundFacts
from gnomon.engines.parameterised.local_sets import LocalSet, bits, first
from gnomon.engines.parameterised.local_space import (
    BitSpace,
    GuardedUpdate,
    LocalSpace,
    TooManyLocalStates,
    boxes,
)
from gnomon.model.agent import Variable
from gnomon.model.domain import Boolean, Datum, Domain, Enumeration, IntegerRange, values_of
from gnomon.model.evaluation import value_of
from gnomon.model.expression import And, Compare, Expression, Literal, Not, Or, Read, Sum
from gnomon.model.parameterised.step import Local, Place
from gnomon.model.parameterised.system import Part
from tests.populations import all_places, interpretations, literal_program, read
from tests.systems import examples, seeds

KINDS: list[type[LocalSpace]] = [BitSpace, DiagramSpace]


def random_part(rng: Random) -> Part:
    """Return a part with no variable or a few."""
    domains: list[Domain] = [
        Boolean(),
        IntegerRange(0, 2),
        IntegerRange(-1, 1),
        IntegerRange(3, 3),
        Enumeration(("a", "b", "c", "d", "e")),
    ]
    number = rng.randrange(4)
    variables = tuple(Variable("T", f"v{n}", rng.choice(domains)) for n in range(number))
    return Part("T", variables, (), (), {})


def random_condition(rng: Random, part: Part, depth: int = 2) -> Expression:
    if depth > 0 and rng.random() < 0.7:
        operands = tuple(random_condition(rng, part, depth - 1) for _ in range(rng.choice([1, 2])))
        whole: list[Expression] = [And(operands), Or(operands), Not(operands[0])]
        return rng.choice(whole)
    numbers = [v for v in part.variables if isinstance(v.domain, IntegerRange)]
    if len(numbers) >= 2 and rng.random() < 0.5:
        total = Sum(tuple(Read("T", v.name) for v in rng.sample(numbers, 2)))
        return Compare(rng.choice(["<", "=", ">="]), total, Literal(rng.randrange(-1, 4)))
    if not part.variables:
        return Literal(rng.random() < 0.5)
    variable = rng.choice(part.variables)
    value = Literal(rng.choice(values_of(variable.domain)))
    return Compare(rng.choice(["=", "<>"]), Read("T", variable.name), value)


def states_of(part: Part) -> list[Local]:
    return list(product(*(values_of(variable.domain) for variable in part.variables)))


def known(part: Part, state: Local) -> dict[str, Datum]:
    return {variable.name: value for variable, value in zip(part.variables, state, strict=True)}


def chosen(rng: Random, space: LocalSpace) -> tuple[LocalSet, set[Local]]:
    """Return a random set, and what it stands for."""
    mask = space.full & 0
    members = {state for state in states_of(space.part) if rng.random() < rng.choice([0.1, 0.6])}
    for state in members:
        mask |= space.only(space.number(state))
    return mask, members


def listed(space: LocalSpace, mask: LocalSet) -> set[Local]:
    """Return what a set stands for, state by state."""
    return {space.state(number) for number in range(space.total) if mask >> number & 1}


def random_pieces(rng: Random, space: LocalSpace) -> list[GuardedUpdate]:
    """Return updates whose places are apart, with no more than one value for each variable."""
    rest, updates = space.full, []
    for _ in range(rng.choice([1, 2, 3])):
        where = rest & chosen(rng, space)[0]
        rest &= ~where
        values = tuple(
            (n, rng.randrange(size)) for n, size in enumerate(space.sizes) if rng.random() < 0.5
        )
        updates.append(GuardedUpdate(where, values))
    return updates


def moved(space: LocalSpace, updates: list[GuardedUpdate], state: Local) -> Local | None:
    """Return where a state goes, read literally; None where no update says anything about it."""
    for update in updates:
        if update.where >> space.number(state) & 1:
            after = list(state)
            for variable, value in update.values:
                after[variable] = values_of(space.part.variables[variable].domain)[value]
            return tuple(after)
    return None


@pytest.mark.parametrize("kind", KINDS)
@given(seeds)
@examples(20)
def test_numbers_and_states_are_each_others_inverse(kind: type[LocalSpace], seed: int) -> None:
    space = kind(random_part(Random(seed)))

    assert list(range(space.total)) == [space.number(space.state(n)) for n in range(space.total)]
    assert set(states_of(space.part)) == listed(space, space.full)
    assert space.full.bit_count() == space.total


@pytest.mark.parametrize("kind", KINDS)
@given(seeds)
@examples(40)
def test_a_condition_holds_where_it_does_state_by_state(kind: type[LocalSpace], seed: int) -> None:
    rng = Random(seed)
    space = kind(random_part(rng))
    condition = random_condition(rng, space.part)
    there = {s for s in states_of(space.part) if value_of(condition, known(space.part, s))}

    assert there == listed(space, space.where(condition))


@pytest.mark.parametrize("kind", KINDS)
@given(seeds)
@examples(40)
def test_an_expression_has_each_of_its_values_somewhere(kind: type[LocalSpace], seed: int) -> None:
    rng = Random(seed)
    space = kind(random_part(rng))
    numbers = [v for v in space.part.variables if isinstance(v.domain, IntegerRange)]
    total = Sum((Literal(1), *(Read("T", variable.name) for variable in numbers)))
    among, members = chosen(rng, space)
    cases = [
        (state, value)
        for there, value in space.cases(total, among)
        for state in listed(space, there)
    ]

    assert len(cases) == len(members)
    assert {s: value_of(total, known(space.part, s)) for s in members} == dict(cases)


@pytest.mark.parametrize("kind", KINDS)
@given(seeds)
@examples(40)
def test_classes_of_a_variable_are_where_it_has_its_values(
    kind: type[LocalSpace], seed: int
) -> None:
    rng = Random(seed)
    space = kind(random_part(rng))
    among, members = chosen(rng, space)
    for position, variable in enumerate(space.part.variables):
        found = {
            value: listed(space, there) for value, there in space.classes(variable.name, among)
        }

        values = {state[position] for state in members}
        assert found == {v: {s for s in members if s[position] == v} for v in values}
        assert space.having(variable.name, "nothing") == 0


@pytest.mark.parametrize("kind", KINDS)
@given(seeds)
@examples(50)
def test_images_are_those_of_the_states(kind: type[LocalSpace], seed: int) -> None:
    rng = Random(seed)
    space = kind(random_part(rng))
    updates = random_pieces(rng, space)
    mask, members = chosen(rng, space)
    after = {state: moved(space, updates, state) for state in states_of(space.part)}

    assert {after[s] for s in members} - {None} == listed(space, space.image(updates, mask))
    sources = {state for state, target in after.items() if target in members}
    assert sources == listed(space, space.preimage(updates, mask))
    assert {s for s, target in after.items() if s == target} == listed(space, space.fixed(updates))


@pytest.mark.parametrize("kind", KINDS)
@given(seeds)
@examples(40)
def test_sets_are_joined_cut_and_compared_as_sets_are(kind: type[LocalSpace], seed: int) -> None:
    rng = Random(seed)
    space = kind(random_part(rng))
    (one, some), (other, more) = chosen(rng, space), chosen(rng, space)

    assert (some & more) == listed(space, one & other)
    assert (some | more) == listed(space, one | other)
    assert (some - more) == listed(space, one & ~other)
    assert (some == more, bool(some), len(some)) == (one == other, bool(one), one.bit_count())
    assert (one | 0 == one, one & -1 == one, one & 0 == 0) == (True, True, True)
    if some:
        assert space.state(first(one)) in some


@given(seeds)
@examples(60)
def test_boxes_cover_a_set_exactly(seed: int) -> None:
    rng = Random(seed)
    space = BitSpace(random_part(rng))
    mask, members = chosen(rng, space)
    assert isinstance(mask, int)
    covered: list[Local] = []
    for box in boxes(space, mask):
        limits = dict(box)
        sizes = [space.sizes[space.index[name]] for name in limits]
        assert all(map(int.__lt__, map(len, limits.values()), sizes))
        choices = [limits.get(v.name, values_of(v.domain)) for v in space.part.variables]
        covered += product(*choices)

    assert sorted(covered, key=repr) == sorted(members, key=repr)


@given(seeds)
@examples(30)
def test_bits_are_the_numbers_of_a_set_in_order(seed: int) -> None:
    rng = Random(seed)
    numbers = {rng.randrange(100) for _ in range(rng.choice([1, 3, 30]))}
    mask = sum(1 << number for number in numbers)

    assert sorted(numbers) == list(bits(mask))
    assert min(numbers) == first(mask)


def test_too_many_states_are_refused_by_integers_alone() -> None:
    part = Part("T", tuple(Variable("T", f"v{n}", Boolean()) for n in range(40)), (), (), {})

    with pytest.raises(TooManyLocalStates):
        BitSpace(part)
    assert 2**40 == DiagramSpace(part).full.bit_count()


# Agents among agents


def matches_somehow(wide: AgentSets, narrow: AgentSets) -> bool:
    """Return what `matches` does, by trying all ways."""
    if not wide:
        return True
    (name, wanted), *rest = wide
    return any(
        other == name
        and not mask & ~wanted
        and matches_somehow(tuple(rest), (*narrow[:n], *narrow[n + 1 :]))
        for n, (other, mask) in enumerate(narrow)
    )


@given(seeds)
@examples(200)
def test_agents_match_if_all_find_one_of_their_own(seed: int) -> None:
    rng = Random(seed)

    def agents(most: int) -> AgentSets:
        return tuple((rng.choice("TTS"), rng.randrange(1, 8)) for _ in range(rng.randrange(most)))

    wide, narrow = agents(5), agents(6)

    assert matches_somehow(wide, narrow) == matches(wide, narrow)


# Facts


def holds(facts: GroundFacts, literal: int, known: Mapping[Place, Datum]) -> bool:
    relation, arguments, value = facts.atoms[abs(literal) - 1]
    return (known[relation, arguments] == value) == (literal > 0)


@given(seeds)
@examples(40)
def test_facts_are_possible_if_some_interpretation_has_them(seed: int) -> None:
    rng = Random(seed)
    system = read(literal_program(seed))
    facts = GroundFacts(system)
    allowed = [dict(each) for each in interpretations(system, all_places(system))]
    every = []
    for name, relation in system.relations.items():
        for arguments in product(*(values_of(column) for column in relation.columns)):
            values = (True,) if relation.result is None else values_of(relation.result)
            every += [facts.literal(name, arguments, value) for value in values]
    for _ in range(15):
        literals = frozenset(
            rng.choice([1, -1]) * fact
            for fact in rng.sample(every, rng.randrange(min(6, len(every))))
        )
        expected = any(all(holds(facts, f, known) for f in literals) for known in allowed)

        assert expected == facts.possible(literals)
        if expected:
            found = facts.interpretation(literals)
            assert any(found.items() <= known.items() for known in allowed)
            told = [f for f in literals if facts.atoms[abs(f) - 1][:2] in found]
            assert all(holds(facts, fact, found) for fact in told)


def test_opposite_facts_are_never_possible() -> None:
    facts = GroundFacts(read(literal_program(0)))
    fact = facts.literal("R", ("p0",))

    assert not facts.possible(frozenset({fact, -fact}))
