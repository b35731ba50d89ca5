"""Which quantities are taken together, where all that are taken have to be kept from growing."""

from random import Random

from hypothesis import given

from gnomon.engines.abstraction.attractors import as_many_as_go_together
from gnomon.engines.abstraction.linear import form_of
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.model.expression import Read
from tests.systems import examples, seeds


def quantity(number: int) -> Ranking:
    """Return a quantity that only has a name."""
    return Ranking(form_of(Read("P", f"x{number}")), 1, None, None)


@given(seed=seeds)
@examples(300)
def test_so_many_go_together_as_are_found_one_after_the_other(seed: int) -> None:
    rng = Random(seed)
    quantities = [quantity(number) for number in range(rng.choice((0, 1, 2, 5, 9, 16)))]
    some = [quantities] if quantities else []
    quarrels = [rng.choices(each, k=rng.choice((1, 2, 2, 3))) for each in some for _ in range(3)]
    quarrels = rng.sample(quarrels, rng.randint(0, len(quarrels)))

    def kept(together: list[Ranking]) -> bool:
        return not any(all(each in together for each in quarrel) for quarrel in quarrels)

    expected: list[Ranking] = []
    for each in quantities:
        if kept([*expected, each]):
            expected.append(each)
    assert expected == as_many_as_go_together(quantities, kept)


def test_a_hundred_that_all_go_together_are_one_question() -> None:
    asked = []

    def kept(together: list[Ranking]) -> bool:
        asked.append(together)
        return True

    quantities = [quantity(number) for number in range(100)]
    assert quantities == as_many_as_go_together(quantities, kept)
    assert [quantities] == asked
