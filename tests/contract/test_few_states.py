"""Systems with few moves are listed before diagrams are tried; those with more are left at once."""

from random import Random

import pytest
from hypothesis import given

from gnomon.checking.check import Options, check
from gnomon.checking.load import load_text
from gnomon.engines.concrete.interleaved_moves import moves_of
from gnomon.engines.concrete.joint_moves import MoveRoom
from gnomon.engines.explicit.engine import explore, explore_few
from gnomon.engines.explicit.state_space import StateSpace
from gnomon.model.budget import Budget, TryAnother
from gnomon.model.system import System
from tests.contract.compare import concrete
from tests.systems import examples, random_system, seeds

#: So many agents, each with a choice of actions and of what becomes of its number.
CROWD = """
Agent Environment
  Vars: idle : boolean; end Vars
  Actions = {{ none }};
  Protocol: Other : {{ none }}; end Protocol
end Agent
{agents}
InitStates Environment.idle = true{initial}; end InitStates
Formulae EF Environment.idle = true; end Formulae
"""
MEMBER = """
Agent A{n}
  Vars: x : 0..9; end Vars
  Actions = {{ go, stay }};
  Protocol: Other : {{ go, stay }}; end Protocol
  Evolution: {lines} end Evolution
end Agent
"""


def crowd(size: int, *, looking: bool = False, free: bool = False) -> System:
    """Return a system of so many agents; they may look at each other, and start anywhere."""

    def lines(n: int) -> str:
        seen = f" and A{(n + 1) % size}.Action = go" if looking else ""
        return " ".join(f"x = {value} if Action = go{seen};" for value in range(10))

    agents = "".join(MEMBER.format(n=n, lines=lines(n)) for n in range(size))
    initial = "" if free else "".join(f" and A{n}.x = 0" for n in range(size))
    system = load_text(CROWD.format(agents=agents, initial=initial)).system
    assert system is not None
    return system


@given(seed=seeds)
@examples(200)
def test_what_is_listed_is_all_there_is(seed: int) -> None:
    system = random_system(Random(seed))
    try:
        few = explore_few(system, 300, Budget())
    except TryAnother:
        return
    whole = explore(system)

    assert concrete(few, few.reachable) == concrete(whole, whole.reachable)
    assert few.count(few.initial) == whole.count(whole.initial)


def test_both_occur() -> None:
    ends = set()
    for seed in range(60):
        try:
            explore_few(random_system(Random(seed)), 60, Budget())
            ends.add("few")
        except TryAnother:
            ends.add("many")

    assert ends == {"few", "many"}


@pytest.mark.parametrize("looking", [False, True])
@pytest.mark.parametrize("free", [False, True])
def test_moves_are_counted_before_they_are_made(looking: bool, free: bool) -> None:
    """One state of these has ten to the twelfth moves, and there are as many initial states."""
    with pytest.raises(TryAnother):
        explore_few(crowd(12, looking=looking, free=free), 2_000, Budget())


def test_alternatives_of_one_agent_are_counted_as_well() -> None:
    names = [f"b{number}" for number in range(40)]
    text = CROWD.format(
        agents=f"""
Agent P
  Vars: {" ".join(f"{name} : boolean = false;" for name in names)} end Vars
  Actions = {{ a }};
  Protocol: Other : {{ a }}; end Protocol
  Evolution: {" ".join(f"{n} = true if true; {n} = false if true;" for n in names)} end Evolution
end Agent""",
        initial="",
    )
    system = load_text(f"Semantics = SingleAssignment; {text}").system
    assert system is not None

    with pytest.raises(TryAnother):
        explore_few(system, 2_000, Budget())


def test_no_more_states_are_met_than_there_is_room_for() -> None:
    moves = moves_of(crowd(3), MoveRoom(500))
    with pytest.raises(TryAnother):
        StateSpace(moves)

    assert all(len(each.values) <= 500 for each in moves.locals)


def test_whoever_asks_for_diagrams_gets_them() -> None:
    system = crowd(1)

    assert check(system).engine == "explicit"
    assert check(system, None, Options(order="near")).engine == "bdd"
    assert check(crowd(4)).engine == "bdd"


#: Whether an even number of agents go decides by how much the number leaves its range.
LOST = """
Agent Environment
  Vars: x : 0..1; end Vars
  Actions = {{ none }};
  Protocol: Other : {{ none }}; end Protocol
  Evolution: x = x + 2 if {odd}; x = x + 3 if !({odd}); end Evolution
end Agent
{agents}
InitStates Environment.x = 0{initial}; end InitStates
Formulae AG Environment.x = 0; end Formulae
"""
LOSER = """
Agent A{n}
  Vars: y : boolean; end Vars
  Actions = {{ go, stay }};
  Protocol: Other : {{ go, stay }}; end Protocol
  Evolution: y = true if {odd}; end Evolution
end Agent
"""


def test_joint_actions_without_a_result_are_counted_as_well() -> None:
    size = 24
    odd = " xor ".join(f"A{n}.Action = go" for n in range(size))
    agents = "".join(LOSER.format(n=n, odd=odd) for n in range(size))
    initial = "".join(f" and A{n}.y = false" for n in range(size))
    system = load_text(LOST.format(odd=odd, agents=agents, initial=initial)).system
    assert system is not None

    with pytest.raises(TryAnother):
        explore_few(system, 2000, Budget())


#: Two sums of the same bits that are to differ: a search has to try all bits.
ROWS = """
Agent Environment
  Vars: {bits} end Vars
  Actions = {{ none }};
  Protocol: Other : {{ none }}; end Protocol
end Agent
Agent Bob Actions = {{ none }}; Protocol: Other : {{ none }}; end Protocol end Agent
InitStates {rows}; end InitStates
Formulae AG Environment.b0 = true; end Formulae
"""


def test_the_search_for_initial_states_is_counted_as_well() -> None:
    size = 24
    bits = "".join(f"{row}{n} : boolean; " for row in "bcd" for n in range(size))
    rows = [f"Environment.{row}0 = Environment.b0" for row in "cd"]
    rows += [
        f"(Environment.{row}{n} = true"
        f" <-> (Environment.{row}{n - 1} = true xor Environment.b{n} = true))"
        for row in "cd"
        for n in range(1, size)
    ]
    rows += [f"Environment.c{size - 1} = true", f"Environment.d{size - 1} = false"]
    system = load_text(ROWS.format(bits=bits, rows=" and ".join(rows))).system
    assert system is not None

    with pytest.raises(TryAnother):
        explore_few(system, 2000, Budget())
