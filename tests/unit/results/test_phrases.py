from gnomon.checking.verdict import SanityCheck, Value
from gnomon.results.phrases import check_sentence, outcome, reading, sentences
from tests.unit.results import samples


def test_an_explanation_is_told_from_the_outside_in() -> None:
    explanation = samples.counterexample().explanation
    assert explanation is not None
    cannot_tell = "it cannot tell this state from one where received is false"
    told = [
        (sentence.depth, sentence.text, sentence.run is not None)
        for sentence in sentences(explanation)
    ]

    assert told == [
        (0, "a run reaches a state where (received -> K(Sender, received)) is false", True),
        (1, "in state 1: received is true here", False),
        (
            2,
            f"Sender does not know received: {cannot_tell}",
            True,
        ),
        (3, "in state 1: received is false", False),
    ]


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
