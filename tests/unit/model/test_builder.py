from collections.abc import Callable
from typing import Any

import pytest

from gnomon.checking.check import check
from gnomon.checking.load import load_text
from gnomon.model.builder import SystemDraft
from gnomon.model.formula import show_formula
from gnomon.model.operand import Operand
from gnomon.model.operand_choices import If, maximum, minimum, number
from gnomon.model.step import successors
from gnomon.text.diagnostic import InputError

TEXT = """
Agent Environment
  Obsvars: seen : boolean; end Obsvars
  Vars: hidden : 0..3; end Vars
  Actions = { tick };
  Protocol: Other : { tick }; end Protocol
  Evolution: hidden = hidden + 1 if hidden < 3 and P.Action = go; end Evolution
end Agent
Agent P
  Lobsvars = { hidden };
  Vars: c : { red, green }; n : int; end Vars
  RedStates: c = red; end RedStates
  Actions = { go, stay };
  Protocol:
    c = red and Environment.hidden <> 2 : { go };
    Other : { stay };
  end Protocol
  Evolution: c = green and n = n * 2 - 1 if Action = go; end Evolution
end Agent
Evaluation done if P.c = green or !(Environment.seen = true); end Evaluation
InitStates P.c = red and P.n = 0; end InitStates
Groups g = { P }; end Groups
Fairness done; end Fairness
Formulae AG (done -> K(P, done)); end Formulae
"""


def built() -> SystemDraft:
    b = SystemDraft("<text>", semantics="MultiAssignment")
    environment = b.environment(["tick"])
    seen = environment.boolean("seen", observed=True)
    hidden = environment.integer("hidden", 0, 3)
    environment.otherwise("tick")
    p = b.agent("P", ["go", "stay"], sees=[hidden])
    c = p.enumeration("c", ["red", "green"])
    n = p.integer("n")
    environment.evolve({hidden: hidden + 1}, when=(hidden < 3) & p.does("go"))
    p.may("go", when=(c == "red") & (hidden != 2))
    p.otherwise("stay")
    p.evolve({c: "green", n: n * 2 - 1}, when=p.does("go"))
    b.proposition("done", (c == "green") | ~(seen == True))  # noqa: E712
    b.group("g", p)
    b.fairness("done")
    b.formula("AG (done -> K(P, done))")
    b.initial = (c == "red") & (n == 0)  # type: ignore[attr-defined]
    return b


def test_a_built_system_is_the_system_that_was_written() -> None:
    b = built()
    written = load_text(TEXT).system
    system = b.finished(initial=b.initial)  # type: ignore[attr-defined]

    assert written is not None
    assert written.initial == system.initial
    assert dict(written.propositions) == dict(system.propositions)
    assert dict(written.groups) == dict(system.groups)
    assert [item.formula for item in written.specifications] == [
        item.formula for item in system.specifications
    ]
    for left, right in zip(written.agents, system.agents, strict=True):
        assert left.variables == right.variables
        assert left.actions == right.actions
        assert left.sees == right.sees
        assert [line.condition for line in left.protocol] == [
            item.condition for item in right.protocol
        ]
        assert left.other == right.other
        assert [line.guard for line in left.evolution] == [line.guard for line in right.evolution]
        assert [line.assignments for line in left.evolution] == [
            line.assignments for line in right.evolution
        ]


def test_an_agent_may_have_red_states() -> None:
    b = SystemDraft()
    environment = b.environment()
    flag = environment.boolean("flag", observed=True)
    b.agent("P", ["a"], red=flag).otherwise("a")

    assert b.finished().agent("P").red is not None


def test_conditions_have_no_truth_value() -> None:
    x = SystemDraft().agent("P", ["a"]).integer("x", 0, 3)
    for attempt in (
        lambda: x == 1 and x == 2,
        lambda: 0 < x < 3,
        lambda: not (x == 1),  # noqa: SIM201 - as people write it
        lambda: bool(x),
    ):
        with pytest.raises(TypeError, match="no value yet"):
            attempt()


@pytest.mark.parametrize("value", ["blue", 1, True, None])
def test_a_value_of_another_type_cannot_be_compared(value: object) -> None:
    c = SystemDraft().agent("P", ["a"]).enumeration("c", ["red", "green"])
    with pytest.raises((TypeError, ValueError)):
        c == value  # noqa: B015


@pytest.mark.parametrize("value", ["1", True, None, 1.5])
def test_a_number_is_only_compared_with_numbers(value: object) -> None:
    x = SystemDraft().agent("P", ["a"]).integer("x", 0, 3)
    with pytest.raises(TypeError):
        x == value  # noqa: B015


@pytest.mark.parametrize("value", [1, 0, "true", None])
def test_a_boolean_is_only_compared_with_booleans(value: object) -> None:
    b = SystemDraft().agent("P", ["a"]).boolean("b")
    with pytest.raises(TypeError):
        b == value  # noqa: B015


@pytest.mark.parametrize("value", [1.5, "1", True, None])
def test_only_integers_are_added(value: object) -> None:
    x = SystemDraft().agent("P", ["a"]).integer("x", 0, 3)
    with pytest.raises(TypeError):
        x + value  # type: ignore[operator]


@pytest.mark.parametrize("value", ["yes", 1, 0, None])
def test_only_conditions_are_joined(value: object) -> None:
    b = SystemDraft().agent("P", ["a"]).boolean("b")
    with pytest.raises(TypeError):
        b & value  # type: ignore[operator]


def test_true_and_false_may_be_joined_with_conditions() -> None:
    b = SystemDraft().agent("P", ["a"]).boolean("b")

    assert "P.b and true" == repr(b & True)


def test_the_order_of_enumerated_values_cannot_be_asked_for() -> None:
    agent = SystemDraft().agent("P", ["a"])
    c, d = agent.enumeration("c", ["x", "y"]), agent.enumeration("d", ["x", "y"])
    with pytest.raises(TypeError):
        c < d  # noqa: B015


def test_enumerations_without_a_value_in_common_cannot_be_compared() -> None:
    agent = SystemDraft().agent("P", ["a"])
    c, d = agent.enumeration("c", ["x", "y"]), agent.enumeration("d", ["v", "w"])
    with pytest.raises(TypeError):
        c == d  # noqa: B015


def test_a_bad_range_is_refused() -> None:
    agent = SystemDraft().agent("P", ["a"])
    with pytest.raises(ValueError, match="empty"):
        agent.integer("x", 3, 0)
    with pytest.raises(ValueError, match="both bounds"):
        agent.integer("y", 3)


def test_an_enumeration_needs_different_values() -> None:
    agent = SystemDraft().agent("P", ["a"])
    with pytest.raises(ValueError, match="value"):
        agent.enumeration("x", [])
    with pytest.raises(ValueError, match="value"):
        agent.enumeration("y", ["a", "a"])


def test_names_are_taken_once() -> None:
    b = SystemDraft()
    agent = b.agent("P", ["a"])
    agent.boolean("x")
    with pytest.raises(ValueError, match="already"):
        agent.boolean("x")
    with pytest.raises(ValueError, match="already"):
        b.agent("P", ["a"])
    with pytest.raises(ValueError, match="already"):
        b.agent("Environment", ["a"])


def test_unknown_actions_are_refused() -> None:
    agent = SystemDraft().agent("P", ["a"])
    for attempt in (
        agent.does,
        agent.otherwise,
        lambda name: agent.may(name, when=agent.does("a")),
    ):
        with pytest.raises(ValueError, match="not an action"):
            attempt("b")


def test_only_own_variables_are_assigned_and_only_their_values() -> None:
    b = SystemDraft()
    p, q = b.agent("P", ["a"]), b.agent("Q", ["a"])
    x, y = p.integer("x", 0, 3), q.boolean("y")
    with pytest.raises(ValueError, match="not a variable of agent P"):
        p.evolve({y: True})
    with pytest.raises(ValueError, match="not a value"):
        p.evolve({x: 4})
    with pytest.raises(TypeError):
        p.evolve({x: y})


def test_a_protocol_looks_at_no_action() -> None:
    b = SystemDraft()
    agent = b.agent("P", ["a"])
    agent.may("a", when=agent.does("a"))

    assert ["G0205"] == refused(b)


def test_an_agent_looks_at_no_variable_of_another() -> None:
    b = SystemDraft()
    p, q = b.agent("P", ["a"]), b.agent("Q", ["a"])
    y = q.boolean("y")
    q.otherwise("a")
    p.may("a", when=y)

    assert ["G0207"] == refused(b)


def test_a_group_has_known_members() -> None:
    b = SystemDraft()
    b.agent("P", ["a"]).otherwise("a")
    b.group("g", "Nobody")

    assert ["G0203"] == refused(b)


def test_changes_of_several_variables_are_a_line_for_each() -> None:
    agent = (b := SystemDraft()).agent("P", ["a"])
    x, y = agent.boolean("x"), agent.boolean("y")
    agent.otherwise("a")
    agent.evolve({x: True, y: x}, when=~y)
    system = b.finished(initial=~x & ~y)

    assert [1, 1] == [len(line.assignments) for line in system.agent("P").evolution]
    assert {(True, False)} == successors(system, (False, False))
    assert {(True, True)} == successors(system, (True, False))


def test_a_choice_between_changes_of_several_variables_is_not_torn_apart() -> None:
    for semantics, codes in (("SingleAssignment", ["G0312"]), ("MultiAssignment", [])):
        agent = (b := SystemDraft(semantics=semantics)).agent("P", ["bet"])  # type: ignore[arg-type]
        won, money = agent.boolean("won"), agent.integer("money", 0, 1)
        agent.otherwise("bet")
        agent.evolve({won: True, money: 1}, when=agent.does("bet") & (money == 0))
        agent.evolve({won: False}, when=(money == 0) & agent.does("bet"))

        assert codes == (refused(b) if codes else list(b.finished().fairness))


def test_each_variable_follows_its_own_lines_unless_something_else_is_asked_for() -> None:
    agent = (b := SystemDraft()).agent("P", ["a"])
    x, y = agent.boolean("x"), agent.boolean("y")
    agent.otherwise("a")
    agent.evolve({x: True}, when=~x)
    agent.evolve({y: True}, when=~y)
    system = b.finished(initial=~x & ~y)

    assert {(True, True)} == successors(system, (False, False))


def test_only_the_semantics_that_there_are_can_be_asked_for() -> None:
    with pytest.raises(ValueError, match="MultiAssignment, SingleAssignment, Interleaved"):
        SystemDraft(semantics="Multi")  # type: ignore[arg-type]


def test_interleaved_agents_move_one_event_at_a_time() -> None:
    b = SystemDraft(semantics="Interleaved")
    left, right = b.agent("Left", ["meet", "rest"]), b.agent("Right", ["meet"])
    x, y = left.boolean("x"), right.boolean("y")
    left.otherwise("meet", "rest")
    right.otherwise("meet")
    left.evolve({x: ~x})
    right.evolve({y: True})
    system = b.finished(initial=~x & ~y)

    assert {(True, True), (True, False)} == successors(system, (False, False))


# What a program would be refused for


def refused(b: SystemDraft, initial: Operand | bool = True) -> list[str]:
    with pytest.raises(InputError) as caught:
        b.finished(initial=initial)
    return [item.code for item in caught.value.diagnostics]


def test_actions_need_a_protocol() -> None:
    b = SystemDraft("stuck")
    b.environment(["tick"])
    b.agent("P", ["x", "y"])
    b.agent("Q", [])
    with pytest.raises(InputError, match="agent `P` has actions but no protocol") as caught:
        b.finished()

    assert ["G0211"] == [item.code for item in caught.value.diagnostics]
    assert "stuck: error[G0211]" in str(caught.value)


def test_everything_that_is_wrong_is_said_at_once() -> None:
    b = SystemDraft()
    p, q = b.agent("P", ["a"]), b.agent("Q", ["a"])
    x, y = p.boolean("x"), q.boolean("y", observed=True)
    p.evolve({x: True}, when=y)
    q.may("a", when=x)
    b.group("g", p, "R")

    assert ["G0203", "G0207", "G0207", "G0211", "G0212"] == sorted(refused(b))


def test_a_system_has_an_agent() -> None:
    assert ["G0112"] == refused(SystemDraft())


def test_a_variable_is_not_named_like_a_value_that_its_agent_sees() -> None:
    b = SystemDraft()
    b.environment().enumeration("light", ["red", "green"], observed=True)
    p = b.agent("P", [])
    p.boolean("red")
    p.enumeration("c", ["one", "two"])
    p.boolean("two")

    assert ["G0209", "G0209"] == refused(b)


def test_actions_are_looked_at_in_guards_only() -> None:
    b = SystemDraft()
    p = b.agent("P", ["a"], red=None)
    x = p.boolean("x")
    p.otherwise("a")
    p.evolve({x: p.does("a")})
    b.proposition("acts", p.does("a"))

    assert ["G0205"] == list(dict.fromkeys(refused(b, initial=p.does("a"))))


def test_what_is_hidden_cannot_be_looked_at() -> None:
    b = SystemDraft()
    hidden = b.environment().boolean("hidden")
    p = b.agent("P", ["a"])
    p.may("a", when=hidden)

    assert ["G0206"] == refused(b)


def test_agents_see_variables_of_the_environment_beside_their_own() -> None:
    b = SystemDraft()
    x = b.agent("P", []).boolean("x")
    for what in (x, ~x, "x"):
        with pytest.raises(ValueError, match="not a variable of the environment"):
            b.agent("Q", [], sees=[what])  # type: ignore[list-item]


def test_what_belongs_to_another_system_is_unknown() -> None:
    other = SystemDraft()
    stranger = other.agent("Stranger", ["a"])
    b = SystemDraft()
    p = b.agent("P", ["a"])
    x, y = p.boolean("x"), other.agent("P", ["a", "b"])
    p.otherwise("a")
    b.proposition("theirs", stranger.boolean("x"))
    b.proposition("missing", y.boolean("z"))
    p.evolve({x: True}, when=y.does("b"))

    assert ["G0202", "G0203", "G0204"] == sorted(refused(b))


def test_a_system_has_one_environment() -> None:
    b = SystemDraft()
    b.environment()
    with pytest.raises(ValueError, match="already"):
        b.environment()


def test_a_variable_is_compared_with_values_that_it_can_have() -> None:
    p = SystemDraft().agent("P", [])
    x = p.integer("x", 0, 3)
    for attempt in (lambda: x == 4, lambda: x != -1, lambda: 4 == x):
        with pytest.raises(ValueError, match=r"P\.x is in 0\.\.3 and can never be"):
            attempt()

    assert "P.x + 1 = 9" == repr(x + 1 == 9)
    assert "P.x < 9" == repr(x < 9)


def test_whole_numbers_are_divided_without_a_rest() -> None:
    x = SystemDraft().agent("P", []).integer("x", 0, 3)
    with pytest.raises(TypeError, match="fraction"):
        _ = (x / 2) // 2
    with pytest.raises(TypeError, match="fraction"):
        _ = x % (x / 2)


def test_a_variable_takes_only_what_can_be_a_value_of_it() -> None:
    p = SystemDraft().agent("P", [])
    x, far = p.integer("x", 0, 3), p.integer("far", 7, 9)
    c, wide = p.enumeration("c", ["one"]), p.enumeration("wide", ["one", "two"])
    for changes in ({x: far}, {c: wide}):
        with pytest.raises(ValueError, match="cannot take the values"):
            p.evolve(changes)

    p.evolve({x: far - 7})
    p.evolve({wide: c})


def test_bounds_are_whole_numbers() -> None:
    p = SystemDraft().agent("P", [])
    for low, high in ((0.5, 3), ("0", "3"), (False, True)):
        with pytest.raises(TypeError, match="whole numbers"):
            p.integer("x", low, high)  # type: ignore[arg-type]


def test_a_line_changes_something() -> None:
    p = SystemDraft().agent("P", [])
    with pytest.raises(ValueError, match="changes nothing"):
        p.evolve({})


def test_actions_are_listed_once() -> None:
    assert ("a", "b") == SystemDraft().agent("P", ["a", "b", "a"]).actions


@pytest.mark.parametrize("formula", ["AG", "nothing", "K(Q, true)", "AG true; AG true", ""])
def test_a_bad_formula_is_refused_with_its_diagnostics(formula: str) -> None:
    b = SystemDraft()
    b.agent("P", ["a"]).otherwise("a")
    b.formula(formula)
    with pytest.raises(InputError) as caught:
        b.finished()
    assert caught.value.diagnostics


# Names


BAD_NAMES = [
    "",
    " ",
    "a b",
    "1x",
    "_x",
    "x-y",
    "é",
    "\ud800",
    "x\ud800",
    "x\n",
    "x[",
    "x[]",
    "x[i]",
    "x[01]",
    "x[-0]",
    "x[1,02]",
]
BAD_NAMES += ["x[1", "x[1, 2]", "x.y", "Agent", "Action", "end", "true", "K", "CTL*", "x" * 2000]


@pytest.mark.parametrize("name", BAD_NAMES, ids=ascii)
def test_a_name_that_no_file_could_have_is_refused_wherever_it_comes_in(name: str) -> None:
    b = SystemDraft()
    p = b.agent("P", ["go"])
    x = p.boolean("x")

    for use in (
        lambda: b.agent(name, ["go"]),
        lambda: b.agent("Q", [name]),
        lambda: SystemDraft().environment([name]),
        lambda: p.boolean(name),
        lambda: p.integer(name, 0, 1),
        lambda: p.enumeration(name, ["a"]),
        lambda: b.proposition(name, x),
        lambda: b.group(name, p),
    ):
        with pytest.raises(ValueError, match="cannot be the name of"):
            use()


@pytest.mark.parametrize("name", [name for name in BAD_NAMES if name != "K"], ids=ascii)
def test_a_value_that_no_file_could_have_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name of a value of c"):
        SystemDraft().agent("P", []).enumeration("c", ["a", name])


def test_words_of_formulae_may_be_values_as_in_files() -> None:
    assert SystemDraft().agent("P", []).enumeration("c", ["A", "K", "DK"]) is not None


def test_a_string_is_no_list_of_names() -> None:
    with pytest.raises(TypeError, match="is one string"):
        SystemDraft().agent("P", "go")
    with pytest.raises(TypeError, match="a name is a string"):
        SystemDraft().agent("P", [1])  # type: ignore[list-item]


def test_a_system_is_called_anything_that_can_be_written() -> None:
    assert "a coin, ∀ é" == SystemDraft("a coin, ∀ é").name
    with pytest.raises(ValueError, match="cannot be written"):
        SystemDraft("x\udcff")


def test_names_with_indices_are_read_in_formulae() -> None:
    b = SystemDraft()
    for name, proposition in (("Robot[1]", "on[1,0]"), ("Robot[2]", "on[2,0]"), ("Robot", "on")):
        robot = b.agent(name, ["go"])
        robot.otherwise("go")
        b.proposition(proposition, robot.boolean("on"))
    b.formula("forall i : 1..2 (EF (on[i, 0] and Robot[i].on = true))")
    b.formula("on[2, 0] and on")
    first, second = (show_formula(item.formula) for item in b.finished().specifications)

    one, two = (f"EF (on[{n},0] and (Robot[{n}].on = true))" for n in (1, 2))
    assert f"({one} and {two})" == first
    assert "(on[2,0] and on)" == second


def test_very_long_numbers_are_told_in_words() -> None:
    number = 10**5000
    b = SystemDraft()
    p = b.agent("P", ["go"])
    x = p.integer("x", 0, 3)
    c = p.enumeration("c", ["red"])

    with pytest.raises(ValueError, match=r"is not a value of P\.x"):
        p.evolve({x: number})
    with pytest.raises(ValueError, match="is not one of the values"):
        _ = c == number
    with pytest.raises(ValueError, match="is empty"):
        p.integer("y", number, 0)
    assert repr(x < number).startswith("P.x < 1000")
    assert len(repr(x < number)) < 300


def coin() -> SystemDraft:
    b = SystemDraft("a coin")
    agent = b.agent("Coin", actions=["toss"])
    side = agent.boolean("heads")
    agent.otherwise("toss")
    agent.evolve({side: True}, when=agent.does("toss"))
    b.proposition("heads", side)
    return b


def test_formulae_have_names_and_expectations_beside_their_text_or_in_it() -> None:
    b = coin()
    b.formula("AG heads", name="always", expect=False)
    b.formula("EF heads", expect=True)
    b.formula("seen[1] : EF heads expect undefined")
    b.formula("--! seen[2]\nEF heads", name="seen[2]", expect="undefined")
    b.formula("AF heads")
    said = [(item.name, item.expected, item.text) for item in b.finished().specifications]

    assert [
        ("always", "false", "AG heads"),
        ("", "true", "EF heads"),
        ("seen[1]", "undefined", "EF heads"),
        ("seen[2]", "undefined", "EF heads"),
        ("", None, "AF heads"),
    ] == said


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ({"formula": "AG heads", "name": "a"}, {"formula": "EF heads", "name": "a"}, "G0607"),
        ({"formula": "a : AG heads"}, {"formula": "EF heads", "name": "a"}, "G0607"),
        ({"formula": "AG heads"}, {"formula": "b : EF heads", "name": "a"}, "G0608"),
        ({"formula": "AG heads"}, {"formula": "EF heads expect true", "expect": False}, "G0608"),
    ],
    ids=str,
)
def test_a_formula_is_named_once_and_a_name_means_one(
    first: dict[str, Any], second: dict[str, Any], code: str
) -> None:
    b = coin()
    b.formula(**first)
    b.formula(**second)
    with pytest.raises(InputError) as refused:
        b.finished()

    assert [code] == [item.code for item in refused.value.diagnostics]


@pytest.mark.parametrize("expect", ["unknown", "True", 1, 0, "", [], (1,)], ids=repr)
def test_only_verdicts_are_expected(expect: Any) -> None:
    with pytest.raises(ValueError, match="cannot be expected"):
        coin().formula("AG heads", expect=expect)


@pytest.mark.parametrize("name", ["AG", "two words", "1", "a[i]", "-"])
def test_the_name_of_a_formula_is_one_that_files_may_have(name: str) -> None:
    with pytest.raises(ValueError, match="the name of a formula"):
        coin().formula("AG heads", name=name)


def test_fairness_constraints_have_no_names() -> None:
    b = coin()
    b.fairness("often : heads")
    with pytest.raises(InputError, match="no name"):
        b.finished()


def test_definitions_are_shared_and_named() -> None:
    b = SystemDraft("named")
    lamp = b.environment(["wait"])
    level = lamp.integer("level", 0, 3, observed=True, initial=0)
    lamp.otherwise("wait")
    full = b.define("full", level == 3)
    lamp.evolve({level: level + 1}, when=~full)
    person = b.agent("P", ["look"])
    person.otherwise("look")
    b.formula("EF full")
    b.formula("AG !full")
    system = b.finished()

    assert ["true", "false"] == [str(verdict.value) for verdict in check(system, None)]
    assert full.expression is system.definitions["full"].expression


def test_names_of_definitions_are_those_of_nothing_else() -> None:
    b = SystemDraft("taken")
    person = b.agent("P", ["look"])
    x = person.boolean("x", initial=True)
    person.otherwise("look")
    b.define("x", x)
    b.define("look", x & person.does("look"))

    with pytest.raises(ValueError, match="already"):
        b.define("x", x)
    with pytest.raises(ValueError, match="not a value"):
        person.integer("y", 0, 3, initial=4)
    with pytest.raises(InputError) as caught:
        b.finished()
    assert ["G0220", "G0220"] == [item.code for item in caught.value.diagnostics]


# Choices


def test_choices_in_python_mean_what_they_do_in_a_program() -> None:
    b = SystemDraft("choices")
    room = b.environment()
    light = room.enumeration("light", ["red", "green"], observed=True)
    agent = b.agent("Ann", actions=["go", "stay"])
    x = agent.integer("x", 0, 4)
    last = agent.enumeration("last", ["go", "stay"])
    agent.otherwise("go", "stay")
    agent.evolve(
        {x: If(agent.does("go"), minimum(x + 1, 4), maximum(x - 1, 0)), last: agent.action}
    )
    room.evolve({light: If(light == "red", "green", "red")})
    b.proposition("steady", (x.is_in(range(1, 4)) ^ x.is_in([0, 4])) & (abs(x - 2) <= 2))
    b.proposition("one", (number(x == 0) == 1) == (x == 0))
    for formula in ("AG steady", "AG one", "AX (Ann.last = go <-> Ann.x = 1)"):
        b.formula(formula)
    system = b.finished(initial=(x == 0) & (last == "stay") & (light == "red"))

    values = [str(verdict.value) for verdict in check(system)]

    assert ["true"] * 3 == values


@pytest.mark.parametrize("values", [(1, "red"), (1, True), (None, 2)])
def test_two_values_of_a_choice_go_together(values: tuple[Any, Any]) -> None:
    with pytest.raises(TypeError):
        If(True, *values)


@pytest.mark.parametrize("make", [number, minimum, abs])
def test_choices_refuse_values_of_the_wrong_type(make: Callable[[Any], object]) -> None:
    b = SystemDraft("choices")
    agent = b.agent("Ann", actions=["go"])
    wrong = agent.integer("x", 0, 4) if make is number else agent.boolean("done")

    with pytest.raises(TypeError):
        make(wrong)


def test_of_no_numbers_none_is_the_smallest() -> None:
    with pytest.raises(ValueError, match="no numbers"):
        minimum()
