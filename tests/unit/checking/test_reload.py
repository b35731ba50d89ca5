"""Reading again: each thing that decides whether something is taken as it was read before."""

import gc
import tracemalloc

import pytest

from gnomon.checking.load import load_text
from gnomon.checking.reload import Reloader
from gnomon.language import syntax
from gnomon.language.expand import size
from gnomon.model import lint
from gnomon.text.source import Span
from tests.laws.test_reload_laws import compare

HEAD = """Agent Environment
  Vars: e : 0..3; f : boolean; end Vars
  Actions = { tick, tock };
  Protocol: Other : { tick, tock }; end Protocol
  Evolution:
    e = 1 if e = 0;
  end Evolution
end Agent
"""
ROBOT = """Agent Robot
  Lobsvars = { e };
  Vars:
    x : 0..3;
    on : boolean;
  end Vars
  Actions = { go, stay };
  Protocol:
    x < 3 : { go };
    Other : { stay };
  end Protocol
  Evolution:
    x = 1 if Environment.e = 2 and Action = go and Environment.Action = tick;
    on = true if x > 1;
  end Evolution
end Agent
"""
TAIL = """Evaluation
  p if Robot.x = 1;
  q if Environment.e = 2;
end Evaluation
InitStates
  Robot.x = 0 and Environment.e = 0;
end InitStates
Formulae
  AG p;
  first : EF q expect true;
  K(Robot, p);
end Formulae
"""
PROGRAM = HEAD + ROBOT + TAIL

#: What is replaced in the program, by what; in each case something is taken again, or must not be.
CHANGES = {
    "nothing": ("", ""),
    "a blank before all": ("Agent Environment", " Agent Environment"),
    "a line before all": ("Agent Environment", "\nAgent Environment"),
    "another domain of the environment": ("e : 0..3", "e : 0..1"),
    "another own domain": ("x : 0..3", "x : 0..1"),
    "the domain that decides a warning": ("x : 0..3", "x : 0..2"),
    "a variable that is seen no more": ("{ e };\n  Vars", "{ f };\n  Vars"),
    "a variable that everybody sees": ("Vars: e : 0..3;", "Obsvars: e : 0..3; end Obsvars Vars:"),
    "an action less of somebody else": ("{ tick, tock };\n  P", "{ tock };\n  P"),
    "an action less": ("{ go, stay };", "{ go };"),
    "another order of actions": ("{ go, stay };", "{ stay, go };"),
    "another order of variables": ("x : 0..3;\n    on : boolean;", "on : boolean;\n    x : 0..3;"),
    "another semantics": ("Agent Environment", "Semantics = SingleAssignment;\nAgent Environment"),
    "interleaved": ("Agent Environment", "Semantics = Interleaved;\nAgent Environment"),
    "a proposition less": ("  p if Robot.x = 1;\n", ""),
    "a proposition called like a variable": ("  q if", "  x if"),
    "a comment about a formula": ("  AG p;", "  --! expect false\n  AG p;"),
    "a comment that says something else": ("  first", "  --! last expect false\n  first"),
    "a comment about nothing": ("InitStates", "--! expect false\nInitStates"),
    "a name twice": ("  AG p;", "  first : AG p;"),
    "another section of the same lines": ("InitStates", "TerminalStates"),
    "lines of one section in another": ("  Evolution:\n    x", "  Protocol:\n    x"),
    "a reserved word": ("Agent Robot", "Agent A x : A.y\nend Agent\nAgent Robot"),
    "an agent that is a reserved word": (
        "Agent Environment",
        "Agent E Vars: x : 0..1; end Vars end Agent\nAgent Environment",
    ),
    "a message with the section before": ("Agent Robot", "Agent ;"),
    "an end in capitals": (
        "  end Evolution\nend Agent\nAgent",
        "  End Evolution\nend Agent\nAgent",
    ),
    "no end": ("end Agent\nAgent", "Agent"),
    "a constant": ("Agent Environment", "Constants x = 3; end Constants\nAgent Environment"),
    "constants in one line": ("Agent Environment", "Constants n = 3;\nAgent Environment"),
    "a definition": ("Evaluation", "Definitions d := Robot.x = 1; end Definitions\nEvaluation"),
    "a definition called like a value": (
        "Evaluation",
        "Definitions x := true; end Definitions\nEvaluation",
    ),
    "a quotation mark": ("Agent Robot", 'Agent "Robot"'),
    "a comment of another language": ("Agent Robot", "/* Agent Robot"),
    "a sign that is told with its line": ("x < 3 : {", "x ≤ 3 : {"),
    "a choice of another language": ("x = 1 if E", "x = case true : 1; esac if E"),
    "a value at the start": ("x : 0..3;", "x : 0..3 = 1;"),
    "a second agent": ("Evaluation", ROBOT + "Evaluation"),
    "a second section": (
        "InitStates",
        "Evaluation\n  r if Robot.x = 1;\nend Evaluation\nInitStates",
    ),
    "a group": ("Formulae", "Groups p = { Robot }; end Groups\nFormulae"),
    "an index that is computed": ("x = 1 if E", "x[Environment.e] = 1 if E"),
    "an action that is never enabled": ("{ go, stay };", "{ go, stay, nap };"),
    "a value called like a variable": ("e : 0..3;", "e : { x, y };"),
    "what is hidden": ("x < 3 :", "Environment.f = true :"),
    "another line of the protocol": (
        "{ go };\n    Other",
        "{ go };\n    x = 2 : { stay };\n    Other",
    ),
    "a guard that never holds": ("on = true if x > 1", "on = true if x > 1 and x < 1"),
    "unbounded": ("on : boolean;", "on : boolean; n : int;"),
    "too deep": ("x < 3 :", "(" * 248 + "x < 3" + ")" * 248 + " :"),
    "too deep in a block": (
        "Protocol:\n    x < 3 : { go };",
        "Protocol:\n for i : 1..2: x < 3 : { go }; end for",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_it_is_read_as_for_the_first_time(change: str) -> None:
    old, new = CHANGES[change]
    assert PROGRAM.count(old) or change == "nothing"
    reloader = Reloader()
    changed = PROGRAM.replace(old, new, 1)
    for text in (PROGRAM, changed, "\n" + changed, PROGRAM, "\n" + changed):
        compare(reloader.load(text, "x"), text, {})


@pytest.mark.parametrize("second", CHANGES)
@pytest.mark.parametrize("first", ["a constant", "a definition", "interleaved", "what is hidden"])
def test_two_changes(first: str, second: str) -> None:
    reloader = Reloader()
    once = PROGRAM.replace(*CHANGES[first], 1)
    twice = once.replace(*CHANGES[second], 1)
    for text in (PROGRAM, once, twice, once, "-- x\n" + twice, PROGRAM):
        compare(reloader.load(text, "x"), text, {})


def test_what_a_reserved_word_did_is_forgotten() -> None:
    reserved = PROGRAM.replace("Robot", "E")
    reloader = Reloader()
    for text in (reserved, reserved.replace("Agent E\n", "Agent Q\n"), PROGRAM, reserved):
        compare(reloader.load(text, "x"), text, {})


def test_indices_that_are_computed() -> None:
    family = PROGRAM.replace("    x : 0..3;", "    x[i : 0..3] : 0..3;").replace(
        "Robot.x", "Robot.x[0]"
    )
    family = family.replace("x < 3", "x[Environment.e] < 3").replace("x = 1 if", "x[1] = 1 if")
    family = family.replace("x > 1", "x[Environment.e] > 1 and x[Environment.e] + 1 > 2")
    reloader = Reloader()
    changed = family.replace("x[Environment.e] < 3", "x[1] < 3")
    for text in (family, changed, family.replace("e : 0..3", "e : 0..2"), "\n" + family, PROGRAM):
        compare(reloader.load(text, "x"), text, {})


def test_what_stands_before_a_change_is_what_it_was() -> None:
    reloader = Reloader()
    before = reloader.load(PROGRAM, "x").program
    after = reloader.load(PROGRAM.replace("AG p", "AG q"), "x").program
    assert before is not None
    assert after is not None
    assert after.agents[0] is before.agents[0]
    assert after.agents[1] is before.agents[1]


def test_what_stands_behind_a_change_moves() -> None:
    reloader = Reloader()
    before = reloader.load(PROGRAM, "x").program
    after = reloader.load("-- six\n" + PROGRAM, "x").program
    assert before is not None
    assert after is not None
    agent, was = after.agents[1], before.agents[1]
    assert agent.span == Span(was.span.start + 7, was.span.end + 7)
    assert isinstance(agent, syntax.Agent)
    assert agent == was
    assert type(agent) is syntax.Agent


def test_memory_stays_flat() -> None:
    reloader = Reloader()
    texts = [PROGRAM.replace("x = 1;", f"x = {number} ;", 1) for number in range(4)]
    texts += ["\n" * number + PROGRAM for number in range(4)]
    sizes = []
    for _ in range(3):
        for number in range(200):
            reloader.load(texts[number % 8], "x")
        gc.collect()
        tracemalloc.start()
        for number in range(80):
            reloader.load(texts[number % 8], "x")
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    assert max(sizes) < 400_000, sizes


def test_other_names_and_constants() -> None:
    text = PROGRAM.replace("Agent Environment", "Constants n = 1; end Constants\nAgent Environment")
    text = text.replace("Robot.x = 1", "Robot.x = n")
    reloader = Reloader()
    for name, constants in (("a", {}), ("b", {"n": 2}), ("a", {"n": 3}), ("a", {"m": 1})):
        found = reloader.load(text, name, constants)
        fresh = load_text(text, name, constants)
        assert found.diagnostics == fresh.diagnostics
        assert found.model == fresh.model
        assert found.in_force == fresh.in_force
        assert found.source.name == name


def asking(agents: int) -> str:
    """Return a program with conditions that are not plain; what the last one asks is never met."""
    robots = "".join(
        ROBOT.replace("Robot", f"R{number}").replace(
            "x > 1", f"x > 1 and (x < 3 or on) and (x < {3 - number % 3} or x = {number % 4})"
        )
        for number in range(agents)
    )
    never = ROBOT.replace("x > 1", "x > 1 and x < 1 and (on or x = 2)")
    return HEAD + robots + never + TAIL


@pytest.mark.parametrize("at_once", [1, 4, 9, 15, 4_000])
def test_work_is_counted_as_if_it_were_done(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lint, "_AT_ONCE", at_once)
    text = asking(3)
    told = set()
    for work in (*range(1, 260, 6), 100_000):
        monkeypatch.setattr(lint, "_MOST_WORK", work)
        reloader = Reloader()
        # Once more with the same text, once with another question in front, and once with one less.
        for each in (text, "\n" + text, text.replace("x < 3 : ", "x < 2 : ", 1), asking(2)):
            found = reloader.load(each, "x")
            compare(found, each, {})
            told.add(len(found.diagnostics))
    assert len(told) > 1 or at_once < 15


def test_answers_know_of_numbers_without_bounds() -> None:
    text = asking(1)
    reloader = Reloader()
    for each in (text, text.replace("f : boolean", "f : int"), text):
        compare(reloader.load(each, "x"), each, {})


@pytest.mark.parametrize(
    ("limit", "most"), [("MAX_COPIES", 30), ("MAX_PARTS", 260), ("_MAX_STEPS", 90)]
)
def test_what_is_written_out_is_counted(
    limit: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(size, "_WATCHED", 4)
    family = (
        "  for i : 1..n:\n    r[i] if Robot.x = i or forall j : 1..2 (Robot.x > j);\n  end for\n"
    )
    text = "Constants n = 3; end Constants\n" + PROGRAM.replace("  q if", family * 2 + "  q if")
    told = set()
    for least in range(1, most, max(most // 20, 1)):
        monkeypatch.setattr(size, limit, least)
        reloader = Reloader()
        for each in (text, text.replace("AG p", "AG q"), text.replace(family, family * 2, 1), text):
            found = reloader.load(each, "x")
            compare(found, each, {})
            told.add(any(item.code == "G0505" for item in found.diagnostics))
    assert told == {False, True}
