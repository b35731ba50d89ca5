"""Names are taken apart by their numbers, and put together again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.model.numbered_names import IndexFamily, NumberedName


@pytest.mark.parametrize(
    ("name", "stem", "numbers"),
    [
        ("Child[3]", "Child[]", (3,)),
        ("likes[1,-2]", "likes[,]", (1, -2)),
        ("Child3", "Child", (3,)),
        ("Child10", "Child", (10,)),
        ("Child", "Child", ()),
        ("child03", "child03", ()),  # it could not be put back
        ("x[03]", "x[03]", ()),
        ("7", "7", ()),
        ("x[1]y", "x[1]y", ()),
        ("a1b2", "a1b", (2,)),
    ],
)
def test_a_name_and_its_numbers(name: str, stem: str, numbers: tuple[int, ...]) -> None:
    assert NumberedName.of(name) == (stem, numbers)
    assert NumberedName.of(name).name == name


@given(name=st.text("ab_-019[],", max_size=9))
def test_every_name_is_put_together_again(name: str) -> None:
    assert NumberedName.of(name).name == name


def test_only_what_belongs_to_the_family_gets_another_number() -> None:
    family = IndexFamily((1, 2), frozenset({("agent", "P", 0), ("action", "to[,]", 1)}))
    swap = {1: 2, 2: 1}

    assert family.renamed("agent", "P1", swap) == "P2"
    assert family.renamed("variable", "P1", swap) == "P1"
    assert family.renamed("action", "to[1,2]", swap) == "to[1,1]"
    assert family.renamed("agent", "P3", swap) == "P3"
    assert [*family.found_in("action", "to[1,2]")] == [2]
