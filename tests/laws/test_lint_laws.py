"""What the search for values of variables finds, beside trying all of them."""

from itertools import product
from random import Random

from hypothesis import given

from gnomon.model.choices import choices_left
from gnomon.model.domain import size_of, values_of
from gnomon.model.evaluation import value_by
from gnomon.model.expression import reads
from gnomon.model.occasions import Occasion, OccasionSearch
from tests.systems import examples, random_condition, random_system, seeds


@given(seeds)
@examples(60)
def test_values_that_meet_a_condition_are_found_exactly_where_there_are_any(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    condition = random_condition(rng, system.variables, 3)
    read = sorted(reads(condition), key=str)
    domains = [system.variables[system.position[r.agent, r.variable]].domain for r in read]
    if any((size_of(domain) or 10**9) > 12 for domain in domains) or len(domains) > 4:
        return
    every = (dict(zip(read, values, strict=True)) for values in product(*map(values_of, domains)))
    expected = any(value_by(condition, Occasion(values, {}).look) is True for values in every)
    search = OccasionSearch(system, 10**6, 10**6, by_protocol=False)
    found = search.first(condition, choices_left(condition) or {})

    assert search.sure
    assert (found is not None) == expected
    assert found is None or value_by(condition, found.look) is True
