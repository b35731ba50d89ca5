from gnomon.checking.verdict import SanityCheck, Value
from gnomon.results.phrases import check_sentence, outcome, reading
from tests.unit.results import samples


def test_a_check_that_found_nothing_says_so() -> None:
    assert check_sentence(SanityCheck("deadlock", Value.TRUE, 0)) == "no reachable deadlock"
    assert (
        check_sentence(SanityCheck("overflow", Value.UNKNOWN, 0))
        == "no value leaves its range: unknown"
    )


def test_the_reading_of_coalitions_is_named() -> None:
    assert reading("perfect") == "strategies: perfect (the agents see the whole state)"


def test_an_open_answer_has_its_reason() -> None:
    assert outcome(samples.result().verdicts[4]).endswith(
        "is unknown: the time limit of 1 s was reached"
    )
