import pytest
from syrupy.assertion import SnapshotAssertion

from gnomon.checking.verdict import Value
from gnomon.model.evidence import Branch, Evidence, Explanation, Run, Step
from gnomon.results import story
from gnomon.results.evidence_tree import RunPosition, evidence_tree, says_much
from gnomon.results.render.evidence import text
from gnomon.results.styled import width_of
from tests.unit.results import samples


def sentences(evidence: Evidence, agents: tuple[str, ...] | None = None) -> str:
    told = story.of_evidence(samples.system(), evidence, agents)
    return "\n".join(sentence.text for sentence in told)


def test_knowledge_that_fails_is_a_story(snapshot: SnapshotAssertion) -> None:
    verdict = samples.verdict(samples.counterexample())

    assert text.render(samples.system(), verdict).plain() == snapshot


def test_a_lasso_is_a_story(snapshot: SnapshotAssertion) -> None:
    assert text.render(samples.system(), samples.verdict(samples.lasso())).plain() == snapshot


def test_a_refusal_is_a_story(snapshot: SnapshotAssertion) -> None:
    assert text.render(samples.system(), samples.verdict(samples.refusal())).plain() == snapshot


def test_only_actions_that_the_rules_ask_for_are_told() -> None:
    assert "1. Environment does fail: Environment.channel becomes down." in sentences(
        samples.lasso()
    )


def test_the_story_says_what_looks_the_same_and_what_does_not() -> None:
    told = sentences(samples.counterexample())

    assert "it cannot tell this state from state 1 of the second run, where received is" in told
    assert "In both it sees the same: Sender.bit = false and Sender.ack = false." in told
    assert "Receiver.got (zero here, nothing there)" in told


def test_nobody_is_blamed_for_what_somebody_did_who_is_left_out() -> None:
    told = sentences(samples.lasso(), ("Sender",))

    assert "1. Nothing of Sender changes." in told


def test_agents_can_be_left_out() -> None:
    told = sentences(samples.counterexample(), ("Sender",))

    assert "Sender does send" in told
    assert "In both it sees the same" in told
    assert "Environment.channel" not in told
    assert "Receiver.got" not in told


@pytest.mark.parametrize("width", [40, 60, 100])
def test_a_story_keeps_within_the_page(width: int) -> None:
    shown = story.render(samples.system(), samples.verdict(samples.counterexample()), width).plain()

    assert all(width_of(line) <= width for line in shown.splitlines())


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Value.TRUE, "no single one of them shows that"),
        (Value.FALSE, "something does not exist"),
        (Value.UNKNOWN, "it was not decided"),
        (Value.UNDEFINED, "it was not decided"),
    ],
)
def test_a_verdict_without_evidence_says_why(value: Value, words: str) -> None:
    shown = story.render(samples.system(), samples.verdict(None, value=value), 1000).plain()

    assert words in shown
    assert "There is evidence for a false formula" in shown


def test_a_long_run_is_told_from_both_ends() -> None:
    run = samples.run(*["fail", "work one", "fail", "work"] * 10)
    why = Explanation("AG p", False, "this run breaks G p", "time", run=run)
    told = sentences(Evidence("counterexample", why))

    assert "… 24 more steps, shown below …" in told
    assert "\n40. " in told
    assert "\n20. " not in told


def test_a_state_that_looks_like_itself_needs_no_second_run() -> None:
    start = samples.run()
    inner = Explanation("received", False, "received is false")
    knows = Explanation(
        "K(Sender, received)", False, "", "knowledge", ("Sender",), start, (Branch(0, inner),)
    )
    evidence = Evidence(
        "counterexample",
        Explanation("K", False, "because", run=start, branches=(Branch(0, knows),)),
    )

    assert len(evidence_tree(evidence).runs) == 1
    assert "Sender does not know received: it is false right there." in sentences(evidence)


def test_a_run_inside_another_starts_at_a_state_of_it() -> None:
    inner = Explanation("AF q", False, "this run breaks F q", "time", run=samples.run("fail"))
    outer = Explanation(
        "AG AF q",
        False,
        "this run breaks G AF q",
        "time",
        run=samples.run(),
        branches=(Branch(0, inner),),
    )
    tree = evidence_tree(Evidence("counterexample", outer))

    assert [numbered.start for numbered in tree.runs] == [None, RunPosition(1, 0)]
    assert [numbered.last for numbered in tree.runs] == [RunPosition(1, 0), RunPosition(2, 1)]


def test_knowledge_of_the_whole_formula_has_both_states() -> None:
    state = samples.run("work zero").steps[1].state
    why = Explanation(
        "K(Sender, !received)",
        False,
        "",
        "knowledge",
        ("Sender",),
        samples.run("fail"),
        state=state,
    )
    tree = evidence_tree(Evidence("counterexample", why))

    assert [len(numbered.run.steps) for numbered in tree.runs] == [1, 2]
    assert tree.root is not None
    assert tree.root.here == RunPosition(1, 0)


def test_one_state_says_little() -> None:
    lone = Explanation(
        "EF p", False, "F p on no path", run=Run((Step(samples.run().steps[0].state),))
    )

    assert not says_much(Evidence("counterexample", lone))
    assert says_much(samples.refusal())
    assert says_much(samples.lasso())
