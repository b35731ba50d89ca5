"""What is said of evolution lines that hold at once, and to whom."""

from types import SimpleNamespace
from typing import Any

import pytest

from gnomon import InputError, SystemBuilder, check, load_text
from gnomon.api import CheckResult
from gnomon.checking.attempts import Engine
from gnomon.checking.overlapping import Overlapping
from gnomon.checking.shared_work import overlapping_lines
from gnomon.model.agent import Semantics
from gnomon.model.budget import LimitReached
from gnomon.model.overlaps import overlaps as overlapping_pairs
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source
from tests.support import shared_models

PROGRAM = """\
Agent Environment
  Vars: x : {domain}; y : {domain}; end Vars
  Evolution:
    {lines}
  end Evolution
end Agent
Agent P
  Actions = {{ a, b }};
  Protocol: Other : {{ a, b }}; end Protocol
end Agent
InitStates Environment.x = 0 and Environment.y = 0; end InitStates
Formulae EF Environment.x = 1; end Formulae
"""


def overlaps(result: CheckResult) -> list[Diagnostic]:
    return [item for item in result.diagnostics if item.code in {"G0407", "G0416"}]


def asked(*lines: str, domain: str = "0..1", engine: Engine = "auto") -> list[Diagnostic]:
    text = PROGRAM.format(domain=domain, lines="\n    ".join(lines))
    return overlaps(load_text(text).check(engine=engine, evidence=False))


def lamps(semantics: Semantics = "MultiAssignment") -> CheckResult:
    b = SystemBuilder("two lamps", semantics=semantics)
    room = b.environment()
    left, right = room.boolean("left"), room.boolean("right")
    p, q = b.agent("P", ["press", "rest"]), b.agent("Q", ["press", "rest"])
    p.otherwise("press", "rest")
    q.otherwise("press", "rest")
    room.evolve({left: True}, when=p.does("press"))
    room.evolve({right: True}, when=q.does("press"))
    b.formula("EX (Environment.left = true and Environment.right = true)")
    return check(b.build(initial=~left & ~right), evidence=False)


def test_both_lines_and_the_state_are_told() -> None:
    [found] = asked("x = 1 if P.Action = a;", "y = 1 if x = 0;")

    assert ("G0416", 5) == (found.code, found.line)
    assert (
        "this line and line 4 can hold at once, and only one is taken: "
        "the change of `x` or of `y` is lost" == found.message
    )
    [other] = found.related
    assert 4 == found.source.location(other.span.start).line
    assert ("where Environment.x = 0 and P.Action = a, both hold",) == found.notes


def test_only_what_is_lost_is_told() -> None:
    [found] = asked("x = 1 and y = 1 if P.Action = a;", "x = 1 if x = 0;")

    assert "taken: the change of `y` is lost" in found.message


def test_values_of_which_one_is_taken_are_told() -> None:
    [found] = asked("x = 1 if P.Action = a;", "x = 0 if x = y;")

    assert "G0416" == found.code
    assert "only one is taken: `x = 1` or `x = 0` is lost" in found.message


def test_lines_in_one_line_of_text_are_shown() -> None:
    [found] = asked("x = 1 if P.Action = a; y = 1 if x = 0;")

    assert "`x = 1 if P.Action = a` and `y = 1 if Environment.x = 0` of `Environment`" in (
        found.message
    )
    assert () == found.related


def test_long_lines_in_one_line_of_text_are_told_by_what_they_assign() -> None:
    long = "{0} = if {0} + 1 <= 1 then {0} + 1 else 0 if P.Action = a or {0} = 1 and P.Action = b;"
    [found] = asked(long.format("x") + long.format("y"))

    assert found.message.startswith("the lines of `Environment` for `x` and for `y` can hold at")


def test_systems_that_were_built_show_their_lines() -> None:
    result = lamps()
    [found] = overlaps(result)

    assert [False] == [answer.holds for answer in result]
    assert found.message.startswith(
        "`left = true if P.Action = press` and `right = true if Q.Action = press` of `Environment`"
    )
    assert (None, "two lamps") == (found.span, found.source.name)


def test_nothing_is_lost_where_each_variable_follows_its_own_lines() -> None:
    result = lamps("SingleAssignment")

    assert [True] == [answer.holds for answer in result]
    assert [] == overlaps(result)


@pytest.mark.parametrize("engine", ["auto", "explicit"])
def test_reachable_numbers_without_bounds_are_looked_at(engine: Engine) -> None:
    apart = "x = 1 if x = 0 and y = 0;", "y = 1 if x = 1 and y = 0;", "y = 2 if x = 5;"
    together = "x = x + 1 if x >= 0 and x < 2;", "y = 1 if x > 1 or y = 0 and x = 1;"

    assert [] == asked(*apart, domain="int", engine=engine)
    assert ["G0416"] == [it.code for it in asked(*together, domain="int", engine=engine)]


def test_cells_of_states_do_not_know_what_is_reachable() -> None:
    lines = "x = 0 if y >= 7;", "y = y - 1 if y >= 9;"

    [found] = asked(*lines, domain="int", engine="abstraction")

    assert "G0416" == found.code
    assert "whether a run comes to that is not known" in found.notes
    assert [] == asked(*lines, domain="int", engine="explicit")


@pytest.mark.parametrize(
    "lines",
    [
        ("x = 1 if P.Action = a;", "y = 1 if P.Action = b;"),  # never at once
        ("x = 1 if P.Action = a;", "y = 1 if !(P.Action = a);"),
        ("x = 1 if x = 0;", "y = 1 if x = 1;"),
        ("x = 1 if x + y = 1;", "y = 1 if x + y <> 1;"),
        ("x = 1 if P.Action = a;", "x = 0 if P.Action = a;"),  # a choice
        ("x = 1 if P.Action = a;", "x = 1 if x = y;"),  # the same either way
        ("x = x if P.Action = a;", "y = 0 if y = 0;"),  # nothing to lose
        ("x = 0 and y = 1 if P.Action = a;", "y = 1 if x = 0;"),
        ("x = x + 1 if x = 1;", "y = 1 if x = 1;", "x = 1 if x = 0;"),  # it has no result
    ],
)
def test_nothing_is_said_where_nothing_is_lost(lines: tuple[str, ...]) -> None:
    assert [] == asked(*lines)


def test_wide_and_endless_ranges_are_no_trouble() -> None:
    lines = "x = 1 if x < 5000000;", "y = 1 if x >= 5000000;"
    met = "x = 1 if x < 5000001;", "y = 1 if x >= 5000000;"

    assert [] == asked(*lines, domain=f"0..{10**30}", engine="explicit")
    assert [] == asked(*met, domain=f"0..{10**30}", engine="explicit")  # no run comes there


@pytest.mark.parametrize("depth", [1_500, 7_000])
def test_conditions_that_are_built_may_be_deeper_than_any_text(depth: int) -> None:
    b = SystemBuilder("deep")
    p = b.agent("P", ["a"])
    x, y = p.integer("x", 0, 3), p.boolean("y")
    p.otherwise("a")
    deep = x == 0
    for _ in range(depth):
        deep &= x != 1
    p.evolve({x: 1}, when=deep)
    p.evolve({x: 2, y: True}, when=deep & y)
    system = b.build(initial=(x == 0) & y).system

    found = overlapping_lines(system, Source("deep", ""))
    told = () if found is None else found.possible()
    assert {item.code for item in told} <= {"G0407"}  # it is, where that is no great work


# The models of a trial


def shown(name: str) -> list[tuple[str, int]]:
    text = (shared_models() / "newcomer" / name).read_text()
    found = overlaps(load_text(text, name).check(evidence=False, timeout=60))
    return [(item.code, item.line) for item in found]


def test_the_models_of_new_users_are_told_what_they_lose() -> None:
    assert [("G0416", 12)] == shown("ticket_multiassignment.ispl")
    assert [("G0407", 25), ("G0407", 26), ("G0407", 27)] == shown("flow.ispl")


def test_a_workflow_with_an_attacker_is_unsafe_as_it_was_meant() -> None:
    for name in ("flow.py", "flow_sa2.py"):
        script = (shared_models() / "newcomer" / name).read_text()
        scope: dict[str, Any] = {}
        exec(compile(script.partition("for s in")[0], name, "exec"), scope)
        [bypass] = check(scope["build"](False), "<bypass>F (executed and !reviewed)")

        assert bypass.holds is True, name


def test_an_agent_without_a_protocol_is_refused() -> None:
    script = (shared_models() / "newcomer" / "builder_no_protocol.py").read_text()
    with pytest.raises(InputError, match="G0211"):
        exec(compile(script, "builder_no_protocol.py", "exec"), {})


#: Each process may write, erase and pass on; the first family of pairs is large, the last one is a mistake.
CROWD = """
Constants n = {n}; end Constants
Semantics = MultiAssignment;
Agent Environment
  Vars: slot[i : 1..n] : 0..n; tally : 0..3; end Vars
  Actions = {{ tick }};
  Protocol: Other : {{ tick }}; end Protocol
  Evolution:
    for i, j : 1..n where i <> j:
      slot[i] = j if P[i].Action = write and P[j].Action = read and slot[j] + slot[i] > n + n;
    end for
    for i : 1..n:
      slot[i] = 0 if P[i].Action = erase;
    end for
    for i : 1..n:
      tally = 3 if P[i].Action = pass;
    end for
  end Evolution
end Agent
Agent P[i : 1..n]
  Vars: x : boolean; end Vars
  Actions = {{ write, read, erase, pass }};
  Protocol: Other : {{ write, read, erase, pass }}; end Protocol
  Evolution: x = x if x; end Evolution
end Agent
Evaluation full if Environment.tally = 3; end Evaluation
InitStates Environment.tally = 0; end InitStates
Formulae EF full; end Formulae
"""


@pytest.mark.parametrize("size", [3, 7, 8, 20])
def test_a_mistake_is_found_whatever_the_size_of_a_family(size: int) -> None:
    system = load_text(CROWD.format(n=size)).system
    assert system is not None
    found = overlapping_pairs(system)
    text = CROWD.splitlines()
    lines = [tuple(sorted((pair[0].first.line, pair[0].second.line))) for pair in found]

    assert any("= erase" in text[one - 1] and "= pass" in text[other - 1] for one, other in lines)


def crowd(actions: int, last: int) -> list[Diagnostic]:
    """Return what is said where two agents with so many actions meet in a state that `last` leads to."""
    b = SystemBuilder("crowd", semantics="MultiAssignment")
    room = b.environment()
    x, y, time = room.boolean("x"), room.boolean("y"), room.integer("time", 0, 2)
    names = [f"a{number}" for number in range(actions)]
    p, q = b.agent("P", names), b.agent("Q", names)
    for agent in (p, q):
        agent.otherwise(*names)
    other = (p.action != q.action) | (p.action == q.action)
    room.evolve({time: last}, when=time == 0)
    room.evolve({x: True}, when=(time == 2) & other)
    room.evolve({y: True}, when=(time == 2) & ~x)
    b.formula("EF Environment.time = 1")
    return overlaps(check(b.build(initial=~x & ~y & (time == 0)), evidence=False))


def test_a_search_that_stops_at_its_limit_says_that_it_is_open() -> None:
    [found] = crowd(actions=9, last=1)

    _, note = found.notes
    assert note == (
        "whether a run comes to that is not known: "
        "too many joint actions meet the conditions, and not all were looked at"
    )


@pytest.mark.parametrize(("actions", "last", "told"), [(9, 2, 1), (3, 1, 0), (3, 2, 1)])
def test_nothing_is_open_where_something_is_found_or_all_was_looked_at(
    actions: int, last: int, told: int
) -> None:
    found = crowd(actions, last)

    assert len(found) == told
    assert all(len(item.notes) == 1 for item in found)


def test_a_limit_of_time_or_memory_is_told_of_once() -> None:
    lines = "x = 1 if P.Action = a; y = 1 if x = 0;\n x = 0 if y = 1;"
    system = load_text(PROGRAM.format(domain="0..1", lines=lines)).system
    families = overlapping_pairs(system)

    def full(_: object) -> None:
        raise LimitReached("the memory is full")

    algebra: Any = SimpleNamespace(where=full)
    [found] = Overlapping(system, Source("", ""), families).reachable(algebra)

    assert len(families) > 1
    assert found.notes[1:] == ("whether a run comes to that is not known: the memory is full",)
