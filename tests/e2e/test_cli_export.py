import json
from pathlib import Path

import pytest

from tests.e2e.cli import gnomon

ROOMS = """
Types Place : {hall, A, cellar}; end Types
Relations Door : Place * Place; end Relations
Environment
  Vars: alarm : boolean; end Vars
  Sync = {enter, silence};
  Protocol: true : {enter}; alarm : {silence}; end Protocol
  Evolution: alarm = true if Action = enter; alarm = false if Action = silence; end Evolution
end Environment
Template Robot
  Vars: room : Place; end Vars
  Actions = {go};
  Sync = {enter, silence};
  Protocol:
    room = hall and Door(hall, A) : {go};
    room = A and !Environment.alarm : {enter};
    room = cellar : {silence};
  end Protocol
  Evolution: room = A if Action = go; room = cellar if Action = enter; end Evolution
end Template
Evaluation
  intruder if exists j : Robot (j.room = cellar and !Environment.alarm);
end Evaluation
InitStates Environment.alarm = false and Robot.room = hall; end InitStates
Formulae AG !intruder; EF intruder; AG !(exists j : Robot (j.room = cellar)); end Formulae
"""

KNOWING = ROOMS.replace("EF intruder;", "AG (Environment.alarm -> K(Robot, Environment.alarm));")

LOCK = """
Environment
  Obsvars: free : boolean; end Obsvars
  Sync = {take : one, leave : one};
  Protocol: free : {take}; !free : {leave}; end Protocol
  Evolution: free = false if Action = take; free = true if Action = leave; end Evolution
end Environment
Template Process
  Vars: inside : boolean; end Vars
  Sync = {take, leave};
  Protocol: !inside and Environment.free : {take}; inside : {leave}; end Protocol
  Evolution: inside = true if Action = take; inside = false if Action = leave; end Evolution
end Template
Template Clock [1..1]
  Vars: tick : boolean; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: tick = true if Action = go; end Evolution
end Template
Evaluation clash if exists i, j : Process (i != j and i.inside and j.inside); end Evaluation
InitStates Environment.free = true and Process.inside = false and Clock.tick = false; end InitStates
Formulae
  AG !clash;
  AG (Process.inside -> K(Process, !clash));
end Formulae
"""


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a folder with models."""
    monkeypatch.chdir(tmp_path)
    Path("rooms.ispl").write_text(ROOMS, encoding="utf-8")
    Path("lock.ispl").write_text(LOCK, encoding="utf-8")


def export(*arguments: str) -> str:
    """Export a model to standard output, which must go well."""
    result = gnomon("export", *arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def verdicts(text: str) -> list[str]:
    """Check a program that was exported."""
    lines = gnomon("check", "-", given=text).stdout.splitlines()
    return [words[0] for line in lines if (words := line.split()) and words[0] in ("✓", "✗")]


@pytest.mark.parametrize(("number", "expected"), [("1", ["✗", "✗"]), ("0", ["✓", "✗"])])
def test_a_number_of_agents_gives_an_ordinary_program(number: str, expected: list[str]) -> None:
    text = export("rooms.ispl", "--agents", number)

    assert expected == verdicts(text)[:2]
    assert text.startswith("-- Exported by Gnomon from rooms.ispl, with ")


def test_sets_of_agents_give_the_verdict_for_any_number() -> None:
    text = export("rooms.ispl", "--agents", "unbounded")

    assert ["✗", "✗", "✗"] == verdicts(text)
    assert "Robot_cellar : boolean;" in text


def test_what_is_exported_is_plain_and_canonical() -> None:
    for agents in ("2", "unbounded"):
        text = export("rooms.ispl", "--agents", agents)
        Path("exported.ispl").write_text(text, encoding="utf-8")

        assert gnomon("fmt", "--mcmas", "exported.ispl").exit_code == 0
        assert gnomon("fmt", "--check", "exported.ispl").exit_code == 0


def test_what_may_be_reached_from_some_initial_state_is_asked_the_other_way_round() -> None:
    text = export("rooms.ispl", "--agents", "2")

    assert "EF" not in text.replace("-- EF intruder, the other way round", "")
    assert text.count("AG !intruder;") == 2


def test_what_may_be_reached_from_the_only_initial_state_is_asked_as_it_was() -> None:
    Path("lock.ispl").write_text(LOCK.replace("AG !clash;", "EF clash;"), encoding="utf-8")

    assert "  EF clash;" in export("lock.ispl", "--agents", "2,Clock=1")


def test_words_that_mcmas_reserves_get_another_name() -> None:
    text = export("rooms.ispl", "--agents", "1")

    assert "room : { hall, A_, cellar };" in text
    assert "A is A_" in text


def test_facts_that_nothing_asks_for_are_left_out() -> None:
    text = export("rooms.ispl", "--agents", "1")

    assert "Door_hall_A : boolean;" in text
    assert "Door_A_hall" not in text


def test_a_formula_is_written_for_every_agent_that_knows() -> None:
    text = export("lock.ispl", "--agents", "Process=2")

    assert "K(Process1, " in text
    assert "K(Process2, " in text
    assert "what they know then, is as in the model" in text
    assert ["✓", "✓", "✓"] == verdicts(text)


def test_numbers_by_template_may_be_given_in_several_ways() -> None:
    expected = export("lock.ispl", "--agents", "Process=2,Clock=1")

    assert expected == export("lock.ispl", "--agents", "Process=2", "--agents", "Clock=1")
    assert expected == export("lock.ispl", "--agents", "2, Clock=1")


def test_constants_may_be_set() -> None:
    model = LOCK.replace("Environment\n", "Constants n = 1; end Constants\nEnvironment\n", 1)
    Path("lock.ispl").write_text(model.replace("[1..1]", "[n..n]"), encoding="utf-8")

    assert "Agent Clock3" in export("lock.ispl", "--agents", "Process=1", "--set", "n=3")


def test_where_guards_look_at_others_a_warning_says_that_knowledge_is_lost() -> None:
    model = ROOMS.replace("room = cellar :", "exists j : Robot (j.room = cellar) :")
    Path("rooms.ispl").write_text(model, encoding="utf-8")
    result = gnomon("export", "rooms.ispl", "--agents", "2", "-o", "out.ispl")
    text = Path("out.ispl").read_text(encoding="utf-8")

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("warning: what agents know is not kept: guards look at other")
    assert (
        "-- What so many agents can reach is as in the model. What agents know is not kept" in text
    )
    assert "Robot2_room : { hall, A_, cellar };" in text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("inside : {leave}", "exists j : Process (j.inside) : {leave}", "look at other agents"),
        ("Obsvars", "Vars", "write `Lobsvars = { free };` in the template"),
    ],
)
def test_knowledge_that_would_be_lost_is_an_error(old: str, new: str, message: str) -> None:
    Path("lock.ispl").write_text(LOCK.replace(old, new), encoding="utf-8")
    result = gnomon("export", "lock.ispl", "--agents", "2,Clock=1", "-o", "out.ispl")

    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert not Path("out.ispl").exists()
    assert "AG !clash;" in export("lock.ispl", "--agents", "2,Clock=1", "--no-knowledge")


def test_knowledge_that_depends_on_facts_is_an_error() -> None:
    Path("rooms.ispl").write_text(KNOWING, encoding="utf-8")

    assert "asks relation `Door`" in gnomon("export", "rooms.ispl", "--agents", "2").stderr


def test_knowledge_of_single_agents_is_left_out_of_sets() -> None:
    Path("rooms.ispl").write_text(KNOWING, encoding="utf-8")
    result = gnomon("export", "rooms.ispl", "--agents", "unbounded")

    assert result.exit_code == 0
    assert result.stderr.startswith("warning: formulae about knowledge are left out")
    assert "K(" not in result.stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "{enter, silence};\n  Protocol: true",
            "{enter : one, silence};\n  Protocol: true",
            "enter",
        ),
        ("{enter, silence};\n  Protocol: true", "{enter, silence : all};\n  Protocol: true", "all"),
        ("Template Robot", "Template Robot [0..4]", "4 agents at most"),
        ("room = cellar :", "forall j : Robot (j.room = cellar) :", "`forall`"),
        ("{hall, A, cellar}", "{hall, A, cellar, ..}", "name all values of `Place`"),
        ("room : Place;", "room : Place; steps : int;", "bounds, as in 0..9"),
    ],
)
def test_sets_of_agents_are_refused_where_they_do_not_tell_enough(
    old: str, new: str, message: str
) -> None:
    assert old in ROOMS
    Path("rooms.ispl").write_text(ROOMS.replace(old, new), encoding="utf-8")
    result = gnomon("export", "rooms.ispl", "--agents", "unbounded")

    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_numbers_without_bounds_are_for_gnomon_alone() -> None:
    Path("rooms.ispl").write_text(ROOMS.replace("room : Place;", "room : Place; n : int;"))
    text = export("rooms.ispl", "--agents", "1")

    assert "-- MCMAS does not read unbounded integers" in text
    assert "n : int;" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["lock.ispl", "--agents", "3"],
            "exactly 1 agent, not 3: write --agents Process=3,Clock=1",
        ),
        (["lock.ispl", "--agents", "Clock=1"], "as in --agents Process=1,Clock=1"),
        (["lock.ispl", "--agents", "Proces=1"], "did you mean `Process`?"),
        (["lock.ispl", "--agents", "Process=few"], "as in --agents Process=3"),
        (["lock.ispl", "--agents", "unbounded,Clock=1"], "give no number with it"),
        (["rooms.ispl", "--agents", "2000"], "take fewer"),
        (["rooms.ispl"], "--agents"),
        (["missing.ispl", "--agents", "2"], "cannot be opened"),
        (["rooms.ispl", "--agents", "2", "-o", "no/such.ispl"], "cannot write"),
    ],
)
def test_bad_usage_is_explained(arguments: list[str], message: str) -> None:
    result = gnomon("export", *arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


FAMILY = """
Constants n = 2; end Constants
Definitions load := count i : 1..n (Cell[i].on); end Definitions
Agent Cell[i : 1..n]
  Vars: on : boolean = i > 1; end Vars
  Actions = { flip, wait };
  Protocol: Other : { flip, wait }; end Protocol
  Evolution: on = if on then false else true if Action = flip; end Evolution
end Agent
Formulae full : EF load = n; <all \\ {Cell[1]}> X load <> 1 expect true; end Formulae
"""


def test_a_family_is_written_out_in_words_that_mcmas_has() -> None:
    Path("family.ispl").write_text(FAMILY, encoding="utf-8")
    text = export("family.ispl", "--set", "n=3")

    assert text.startswith("-- Exported by Gnomon from family.ispl, with n = 3.\n")
    assert "MCMAS does not read" not in text
    Path("plain.ispl").write_text(text, encoding="utf-8")
    before = gnomon("check", "family.ispl", "--set", "n=3", "--json")
    after = gnomon("check", "plain.ispl", "--json")
    verdicts = [
        [(each["name"], each["verdict"]) for each in json.loads(run.stdout)["formulae"]]
        for run in (before, after)
    ]
    assert verdicts[0] == verdicts[1]


@pytest.mark.parametrize("more", [["--agents", "1"], ["--no-knowledge"]])
def test_what_is_said_of_templates_needs_some(more: list[str]) -> None:
    Path("family.ispl").write_text(FAMILY, encoding="utf-8")
    result = gnomon("export", "family.ispl", *more)

    assert (result.exit_code, result.stdout) == (2, "")
    assert f"has no templates: leave {more[0]} out" in result.stderr


def test_values_that_are_not_listed_are_an_error() -> None:
    model = ROOMS.replace("{hall, A, cellar}", "{hall, A, cellar, ..}")
    Path("rooms.ispl").write_text(model, encoding="utf-8")

    assert "are not listed" in gnomon("export", "rooms.ispl", "--agents", "2").stderr


def test_names_and_expectations_are_exported_as_comments() -> None:
    text = LOCK.replace("AG !clash", "mutex : AG !clash expect true").replace(
        "AG (Process", "--! sure\n  AG (Process"
    )
    Path("named.ispl").write_text(text, encoding="utf-8")
    exported = export("named.ispl", "--agents", "Process=2")

    assert "  --! mutex expect true\n  AG " in exported
    assert "  --! sure[1]\n  AG " in exported
    assert "  --! sure[2]\n  AG " in exported
    assert ["✓", "✓", "✓"] == verdicts(exported)


def test_a_formula_that_is_turned_round_is_expected_to_be_the_opposite() -> None:
    text = ROOMS.replace("AG !intruder; EF intruder;", "in : EF intruder expect true;")
    Path("named.ispl").write_text(text, encoding="utf-8")
    some, any_number = (export("named.ispl", "--agents", number) for number in ("2", "unbounded"))

    # Two of them need not be able to do what some number can.
    assert "  --! in\n  AG !intruder;" in some
    assert "  --! in expect false\n  AG !intruder;" in any_number
