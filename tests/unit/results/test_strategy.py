from typing import Any

from syrupy.assertion import SnapshotAssertion

from gnomon.model.evidence import Choice, Defence, Rule, Strategy
from gnomon.results.data import of_evidence
from gnomon.results.render import clash, defence, strategy, text
from gnomon.results.styled import width_of
from gnomon.text.record import replace
from tests.unit.results import samples
from tests.unit.results.schemas import validate

RULED = samples.ruled().strategies[0]
[REFUSAL] = samples.refusal().defences


def test_rules_come_first_and_stand_alone_where_they_are_much_shorter() -> None:
    expected = (
        "when Sender.ack = true: Sender does wait\n"
        "otherwise: Sender does send\n"
        "(--full or --json shows the table of 4 rows)\n"
    )

    assert strategy.render(RULED).plain() == expected


def test_all_of_a_strategy_is_its_rules_and_its_table() -> None:
    shown = strategy.render(RULED, most=None).plain()

    assert shown.startswith("when Sender.ack = true: Sender does wait\n")
    assert "true        one          │ wait    reply" in shown


def test_rules_that_save_little_do_not_replace_the_table() -> None:
    few = Strategy(RULED.formula, "uniform", RULED.members, RULED.choices[:2], rules=RULED.rules)
    shown = strategy.render(few).plain()

    assert "otherwise: Sender does send" in shown
    assert "│ send    idle" in shown


def test_one_rule_without_conditions_is_for_ever() -> None:
    assert [("always: A does", "x")] == strategy.rule_words((Rule("A", (), "x"),))


def test_a_long_rule_is_wrapped() -> None:
    rule = Rule("A", tuple(f"Environment.variable{n} = {n}" for n in range(9)), "x")
    shown = strategy.render(Strategy("f", "perfect", ("A",), (), rules=(rule,)), 40).plain()

    assert all(width_of(line) <= 42 for line in shown.splitlines())


def test_a_defence_has_an_answer_to_each_choice(snapshot: SnapshotAssertion) -> None:
    assert defence.render(samples.system(), REFUSAL).plain() == snapshot


def test_a_result_without_answers_is_the_end() -> None:
    [last, *_] = REFUSAL.answers
    short = Defence(REFUSAL.formula, REFUSAL.members, (last,))

    assert "then it is lost, with Environment.channel = down" in (
        defence.render(samples.system(), short, 200).plain()
    )


def test_a_long_defence_is_cut_with_a_word() -> None:
    long = Defence(REFUSAL.formula, REFUSAL.members, REFUSAL.answers * 20)

    assert "… and 10 more answers" in defence.render(samples.system(), long).plain()
    assert "more answers" not in defence.render(samples.system(), long, most=None).plain()


def test_a_defence_can_leave_agents_out() -> None:
    shown = defence.render(samples.system(), REFUSAL, agents=("Sender",)).plain()

    assert "Sender.bit = false" in shown
    assert "Environment.channel" not in shown


def test_views_in_conflict_name_what_is_different() -> None:
    [clashes] = samples.refusal().clashes
    shown = clash.render(samples.system(), clashes).plain()

    assert "Sender sees Sender.ack = false" in shown
    assert "· Receiver.got = nothing\n  · Receiver.got = zero\n" in shown


def test_all_of_it_stands_below_a_verdict(snapshot: SnapshotAssertion) -> None:
    assert text.render_evidence(samples.refusal(), samples.system()).plain() == snapshot


def test_rules_defences_and_clashes_are_data() -> None:
    ruled: Any = of_evidence(samples.ruled(), samples.system())
    refused: Any = of_evidence(samples.refusal(), samples.system())
    [table], [found] = ruled["strategies"], refused["defences"]

    assert table["rules"] == [
        {"agent": "Sender", "when": ["Sender.ack = true"], "do": "wait"},
        {"agent": "Sender", "when": [], "do": "send"},
    ]
    assert found["members"] == ["Sender", "Receiver"]
    assert found["answers"][0]["choice"] == {"Sender": "send", "Receiver": "idle"}
    assert found["answers"][0]["result"]["Environment"] == {"channel": "down"}
    assert [clashes["formula"] for clashes in refused["clashes"]] == ["<both>F acknowledged"]


def test_they_are_as_published() -> None:
    from dataclasses import replace

    from gnomon.results.render.json import render

    verdicts = (samples.verdict(samples.refusal()), samples.verdict(samples.ruled()))
    validate("check", render([replace(samples.result(), verdicts=verdicts)]))


def test_members_that_go_by_what_they_see_have_a_table_each_and_never_do_anything_at_all() -> None:
    rows = (
        Choice((("A.x", "1"),), (("A", "go"),)),
        Choice((("B.y", "2"),), (("B", "stay"),)),
    )
    shown = strategy.render(Strategy("f", "uniform", ("A", "B"), rows), most=None).plain()

    assert "A.x │ A\n1   │ go\n\nB.y │ B\n2   │ stay\n" == shown
    assert "any" not in shown


def test_answers_are_told_in_rules_where_those_are_much_shorter() -> None:
    rules = (Rule("Receiver", ("Sender.Action = send",), "reply"), Rule("Receiver", (), "idle"))
    ruled = replace(REFUSAL, answers=REFUSAL.answers * 4, rules=rules)
    shown = defence.render(samples.system(), ruled, 200).plain()

    assert shown.startswith("when Sender.Action = send: Receiver does reply\notherwise: ")
    assert f"(--full or --json shows the {len(ruled.answers)} answers, state by state)" in shown
    assert "position 1" in defence.render(samples.system(), ruled, 200, None).plain()
