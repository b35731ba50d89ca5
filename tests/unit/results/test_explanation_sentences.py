from gnomon.logic.exact_evidence import for_one_of
from gnomon.model.evidence import Branch, Evidence, Explanation, Run, Step
from gnomon.model.formula import Knows, Proposition
from gnomon.results.abridging import cut
from gnomon.results.evidence_tree import evidence_tree
from gnomon.results.explanation_sentences import (
    ExplanationSentence,
    begun,
    brief,
    sentences,
)
from tests.unit.results import samples


def told(evidence: Evidence, runs: int | None = None) -> list[ExplanationSentence]:
    return list(sentences(*cut(evidence_tree(evidence), runs)))


def test_an_explanation_is_told_from_the_outside_in() -> None:
    cannot_tell = "it cannot tell this state from one where received is false"
    found = [
        (each.depth, each.text, each.run is not None) for each in told(samples.counterexample())
    ]

    assert found == [
        (0, "a run reaches a state where (received -> K(Sender, received)) is false", True),
        (1, "in state 1: received is true here", False),
        (2, f"Sender does not know received: {cannot_tell}", True),
    ]


KNOWN = Knows("Sender", Proposition("p"))


def ignorance(*steps: Step) -> Explanation:
    """Return that something is not known, which the last of these states shows."""
    false = Explanation("p", False, "p is false", about=Proposition("p"))
    text = (
        "Sender does not know p: the last state of this run looks the same, and there it is false"
    )
    return Explanation(
        "K(Sender, p)",
        False,
        text,
        "knowledge",
        ("Sender",),
        Run(steps),
        (Branch(len(steps) - 1, false),),
        KNOWN,
    )


def doubts(*shown: tuple[Step, ...]) -> Evidence:
    """Return a run of which each state has a reason of its own for the same thing."""
    main = samples.counterexample().explanation
    assert main is not None
    assert main.run is not None
    branches = tuple(Branch(place, ignorance(*steps)) for place, steps in enumerate(shown))
    text = "this run breaks F K(Sender, p)"
    whole = Explanation("AF K(Sender, p)", False, text, "time", run=main.run, branches=branches)
    return Evidence("counterexample", whole)


def states() -> tuple[Step, ...]:
    main = samples.counterexample().explanation
    assert main is not None
    assert main.run is not None
    return main.run.steps


def test_a_run_to_a_state_that_was_shown_is_not_told_again() -> None:
    first, second, *_ = states()
    _, one, two = told(doubts((second,), (first,)))

    assert (
        "in state 0: Sender does not know p: state 1 looks the same, and there it is false"
        == one.text
    )
    assert (
        "in state 1: Sender does not know p: state 0 looks the same, and there it is false"
        == two.text
    )
    assert one.run is two.run is None


def test_the_same_words_about_several_states_are_said_once() -> None:
    first, second, *_ = states()
    _, both = told(doubts((first,), (second,)))

    assert both.text == "in states 0 and 1: Sender does not know p: it is false right there"


def test_runs_too_many_are_counted() -> None:
    first, second, *_ = states()
    fresh = Step(tuple(reversed(first.state)))
    evidence = doubts((first,), (second, fresh))
    *_, last = told(evidence, 1)

    assert (
        last.text
        == "… left out: what there is to say of state 1, with 1 more run (--full shows all)"
    )
    assert not any("left out" in each.text for each in told(evidence))


def test_in_brief_there_is_one_sentence_with_its_run() -> None:
    first, second, *_ = states()
    tree = evidence_tree(doubts((first,), (second,)))
    [only] = brief(tree, None, tables=False)

    assert only.text == "this run breaks F K(Sender, p)"
    assert only.run is not None


def test_in_brief_a_compound_formula_has_its_reason() -> None:
    enforced = Explanation("<Person>F light", True, "Person has a strategy for F light")
    whole = Explanation(
        "(good -> <Person>F light)",
        True,
        "good -> <Person>F light is true, because",
        branches=(Branch(0, enforced),),
    )
    evidence = for_one_of(Evidence("strategy", whole), 2)
    [only] = brief(evidence_tree(evidence), None, tables=False)

    which = "(shown for one of 2 initial states; others may need another)"
    expected = f"good -> <Person>F light is true {which}, because <Person>F light is true"
    assert expected == only.text
    assert expected == begun(only.text)
