"""Cuts that go on without end are told from those that come to one."""

import pytest

from gnomon.engines.abstraction.diverge import CutHistory
from gnomon.engines.abstraction.linear import Form, form_of
from gnomon.engines.abstraction.partition import Origin, Predicate, ResidueQuantity
from gnomon.model.expression import Read

X, Y = (form_of(Read("P", name)) for name in "xy")
HERE = Origin("the test")


def watched(cuts: list[int], start: int | None = None, form: Form = X) -> CutHistory:
    progress = CutHistory(lambda _: start, 40)
    for cut in cuts:
        progress.record([Predicate(form, cut, HERE)])
    return progress


@pytest.mark.parametrize(
    ("cuts", "start"),
    [
        ([0, 1, 2, 3, 4], None),
        ([0, 1, 2, 3, 4], 0),
        ([9, 7, 5, 3, 1], 2),
        ([7, 28, 29, 30, 31, 32], 0),
        ([7000, 6998, 6996, 6994, 6992], 0),
        ([1, 2, 4, 8, 16], None),
        ([1, 2, 4, 8, 16], 1),
        ([-1, -3, -7, -15, -31], 0),
        ([2, 3, 6, 15, 42], 10**30),
    ],
    ids=["anywhere", "away", "past", "later", "far", "doubled", "from", "down", "too far"],
)
def test_regular_cuts_that_lead_nowhere_diverge(cuts: list[int], start: int | None) -> None:
    progress = watched(cuts, start)
    found = progress.endless()

    assert progress.diverging(X)
    assert found is not None
    assert (X, tuple(cuts[-3:])) == (found.form, found.cuts)


@pytest.mark.parametrize(
    ("cuts", "start"),
    [
        ([0, 1, 2, 3], None),
        ([0, 1, 2, 4, 8], None),
        ([0, 1, 0, 1, 0], None),
        ([16, 8, 4, 2, 1], None),
        ([9, 8, 7, 6, 5], 0),
        ([9, 8, 7, 6, 5], -3),
        ([1, 2, 4, 8, 16], 64),
        ([1, 2, 4, 8, 16], 10**9),
        ([5, 5, 5, 5, 5], None),
    ],
    ids=["few", "irregular", "back", "halved", "towards", "on", "up to", "soon", "same"],
)
def test_other_cuts_do_not(cuts: list[int], start: int | None) -> None:
    progress = watched(cuts, start)

    assert not progress.diverging(X)
    assert progress.endless() is None


def test_only_cuts_in_a_row_count() -> None:
    progress = watched([0, 1, 2])
    progress.record([Predicate(Y, 0, HERE)])
    for cut in (3, 4):
        progress.record([Predicate(X, cut, HERE)])

    assert not progress.diverging(X)


def test_what_diverges_does_so_until_the_end_but_may_go_on_for_a_while() -> None:
    progress = watched([0, 1, 2, 3, 4])
    progress.record([Predicate(Y, 0, HERE)])
    assert progress.goes_on
    progress.record([Predicate(X, 100, HERE)])

    assert progress.diverging(X)
    assert progress.goes_on
    for cut in range(20):
        progress.record([Predicate(X, cut, HERE)])

    assert not progress.goes_on


def test_numbers_that_are_cut_in_step_are_compared() -> None:
    progress = CutHistory(lambda _: None, 40)
    for cut in range(5):
        progress.record([Predicate(X, 2 * cut, HERE), Predicate(Y, 3 - 3 * cut, HERE)])

    # Where x has gone up by two, y has gone down by three.
    expected = {"3 * P.x + 2 * P.y <= 5", "3 * P.x + 2 * P.y <= 6"}
    assert expected <= {str(each) for each in progress.in_step()}


def test_numbers_that_are_doubled_are_not_cut_in_step() -> None:
    progress = CutHistory(lambda _: None, 40)
    for cut in range(5):
        progress.record([Predicate(X, 2**cut, HERE), Predicate(Y, 3 - 3 * cut, HERE)])

    assert progress.diverging(X)
    assert progress.diverging(Y)
    assert not list(progress.in_step())


def test_remainders_do_not_diverge() -> None:
    progress = CutHistory(lambda _: None, 40)
    residue = ResidueQuantity(X, 2)
    for _ in range(6):
        progress.record([Predicate(residue, 0, HERE)])

    assert not progress.diverging(residue)
    assert progress.goes_on
