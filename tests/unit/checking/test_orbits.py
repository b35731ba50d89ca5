"""What follows from symmetry is told like everything else, and never in the place of evidence."""

from unittest.mock import patch

from gnomon.checking.check import Options, check
from gnomon.checking.exploring import Exploring
from gnomon.checking.supervise import work_here
from gnomon.checking.verdict import Value
from tests.laws.test_symmetry_laws import ring


def decided(**options: object) -> int:
    """Return how many formulae about a ring of four are decided by themselves."""
    asked = patch.object(Exploring, "decide", autospec=True, side_effect=Exploring.decide)
    with work_here(), asked as deciding:
        check(ring(4), None, Options(**options))  # type: ignore[arg-type]
    return deciding.call_count


def test_one_formula_of_each_orbit_is_decided() -> None:
    assert decided(evidence=False) == 4


def test_who_wants_to_know_why_is_told_of_their_own_agents() -> None:
    # Those that are true have nothing to show: one of four orbits, and half of the others.
    answers = check(ring(4), None, Options(evidence=True))
    false = [answer for answer in answers if answer.value is Value.FALSE]

    assert decided(evidence=True) == len(false) + 2
    assert all(answer.evidence is not None for answer in false)


def test_proofs_are_made_one_by_one() -> None:
    assert decided(evidence=False, certificate=True) == 16


def test_it_is_told_what_was_done() -> None:
    result = check(ring(4), None, Options(evidence=False, account=True))

    assert dict(result.account)["symmetry"].startswith("12 formulae follow")
