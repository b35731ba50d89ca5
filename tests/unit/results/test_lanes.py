from syrupy.assertion import SnapshotAssertion

from gnomon.model.evidence import Run, Step
from gnomon.results.render import lanes
from gnomon.results.styled import width_of
from tests.unit.results import samples


def test_a_run_has_one_lane_an_agent(snapshot: SnapshotAssertion) -> None:
    run = samples.run("fail", "work zero", "fail", "work")

    assert lanes.render(samples.system(), run).plain() == snapshot


def test_a_loop_is_marked(snapshot: SnapshotAssertion) -> None:
    run = samples.run("fail", "work zero", "fail", "fail", loop=3)

    assert lanes.render(samples.system(), run).plain() == snapshot


def test_a_narrow_page_gets_a_list(snapshot: SnapshotAssertion) -> None:
    run = samples.run("fail", "work zero", "fail", "fail", loop=3)
    text = lanes.render(samples.system(), run, 40).plain()

    assert text == snapshot
    assert all(width_of(line) <= 40 for line in text.splitlines())


def test_agents_can_be_left_out(snapshot: SnapshotAssertion) -> None:
    run = samples.run("fail", "work zero", "fail", "fail", loop=3)
    table = lanes.render(samples.system(), run, 80, ("Receiver",)).plain()
    narrow = lanes.render(samples.system(), run, 24, ("Receiver", "Sender")).plain()

    assert table == snapshot
    assert "channel" not in table + narrow
    assert "fail" not in table + narrow
    assert "Sender.bit = false" in narrow


def test_only_what_changed_is_said_again() -> None:
    text = lanes.render(samples.system(), samples.run("fail", "fail")).plain()

    assert text.count("channel = down") == 1
    assert text.count("no change") == 1


def test_agents_with_nothing_to_show_have_no_lane() -> None:
    from gnomon.checking.load import load_text

    alone = samples.MODEL.partition("Agent Sender")[0].replace("Environment", "Lamp")
    rest = "\nEvaluation\n  on if Lamp.channel = up;\nend Evaluation\n"
    rest += "InitStates\n  Lamp.channel = up;\nend InitStates\nFormulae\n  EF on;\nend Formulae\n"
    system = load_text(alone + rest).system
    assert system is not None
    text = lanes.render(system, Run((Step(("up",)),))).plain()

    assert text == "   Lamp\n0  channel = up\n"
