"""The ways that the symbolic engine turns to when its diagrams grow give the same answers."""

from importlib.util import find_spec
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.checking.attempts import Wanted, attempts
from gnomon.checking.check import Options, check
from gnomon.checking.load import load_text
from gnomon.engines.bdd import bdd_sets as symbolic
from gnomon.engines.bdd.bdd_algebra import BddAlgebra
from gnomon.engines.bdd.setup import DiagramLibrary, NodeRoom, Setup, setups
from gnomon.engines.diagrams import bit_layout as layout_of
from gnomon.engines.diagrams import events
from gnomon.engines.diagrams.order import ORDERS
from gnomon.engines.explicit.engine import explore
from gnomon.model.budget import TryAnother
from gnomon.model.system import System
from tests.contract.compare import Contest, compare_steps, concrete
from tests.contract.test_formulae import fair
from tests.systems import examples, random_formula, random_system, seeds

LIBRARIES: list[DiagramLibrary] = ["oxidd", *(["python"] if find_spec("dd") else [])]  # type: ignore[list-item]

RING = """
Agent Environment
  Vars: {variables} end Vars
  Actions = {{ {actions} }};
  Protocol: Other : {{ {actions} }}; end Protocol
  Evolution: {lines} end Evolution
end Agent
Agent P
  Vars: idle : boolean; end Vars
  Actions = {{ none }};
  Protocol: Other : {{ none }}; end Protocol
  Evolution: idle = idle if true; end Evolution
end Agent
Evaluation equal if {equal}; end Evaluation
InitStates {initial}; end InitStates
Formulae
  AG equal;
  EF !equal;
  AG EF equal;
end Formulae
"""


def ring(size: int) -> System:
    """Return a system that copies bits to where they are equal already, far away in the file's order."""
    names = [f"{side}{number}" for side in "ab" for number in range(size)]
    equal = " and ".join(f"Environment.a{number} = Environment.b{number}" for number in range(size))
    text = RING.format(
        variables=" ".join(f"{name} : boolean;" for name in names),
        actions=", ".join(f"copy{number}" for number in range(size)),
        lines=" ".join(
            f"b{number} = a{number} if Action = copy{number};" for number in range(size)
        ),
        equal=equal,
        initial="P.idle = true and " + equal,
    )
    system = load_text(text).system
    assert system is not None
    return system


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_gives_the_same_states(order: str) -> None:
    for seed in range(20):
        system = random_system(Random(seed))
        expected = explore(system)
        found = BddAlgebra(system, next(setups(system, (), order)))  # type: ignore[arg-type]

        assert concrete(found, found.reachable) == concrete(expected, expected.reachable)


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_library_agrees_with_the_oracle(
    library: DiagramLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        symbolic, "default_setup", lambda system: next(setups(system, (), None, library))
    )
    for seed in range(40):
        rng = Random(seed)
        system = random_system(rng)
        compare_steps("bdd", system)
        Contest("bdd", system).on(random_formula(rng, system, 2))


def test_moving_variables_changes_no_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symbolic, "_REORDER_FROM", 0)
    monkeypatch.setattr(symbolic, "_GROWTH", 0)
    system = ring(6)
    layout = next(setups(system, (), "written")).layout
    setup = Setup("written", "oxidd", layout, NodeRoom(1 << 20, 1 << 20, 1 << 14), reorders=True)
    moved, still = BddAlgebra(system, setup), BddAlgebra(system)

    assert ("time" in dict(moved.account())) and "moved" in dict(moved.account())["diagrams"]
    assert moved.count(moved.reachable) == still.count(still.reachable) == 1 << 6
    assert moved.diagrams.size(moved.reachable) < 64


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"_QUIET": 0.0}, id="every action an event"),
        pytest.param({"_QUIET": 2.0, "_MANY_ACTIONS": 0}, id="joined case by case"),
        pytest.param({"_QUIET": 2.0, "_MANY_ACTIONS": 99, "_SMALL": 0, "_LARGE": 0}, id="in parts"),
    ],
)
def test_however_the_relation_is_cut_the_oracle_agrees(
    settings: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "_FEW_ACTIONS", 1)
    for name, value in settings.items():
        monkeypatch.setattr(events, name, value)
    for seed in range(60):
        rng = Random(seed)
        system = random_system(rng) if seed % 2 else fair(rng)
        Contest("bdd", system).on(random_formula(rng, system, 2, "bool ctl know norm"))


def test_interleaved_and_moving_variables_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_of, "_WIDE", 1)
    monkeypatch.setattr(layout_of, "_MANY_VALUES", 1)
    monkeypatch.setattr(symbolic, "_REORDER_FROM", 0)
    monkeypatch.setattr(symbolic, "_GROWTH", 0)
    monkeypatch.setattr(symbolic, "default_setup", moving)
    for seed in range(40):
        rng = Random(seed)
        system = random_system(rng)
        Contest("bdd", system).on(random_formula(rng, system, 2, "bool ctl know norm atl"))


def moving(system: System) -> Setup:
    """Return a way in which variables move all the time."""
    layout = next(setups(system, ())).layout
    return Setup("structure", "oxidd", layout, NodeRoom(1 << 20, 1 << 20, 1 << 12), reorders=True)


def test_an_attempt_without_room_says_so_and_the_next_one_decides() -> None:
    system = ring(40)
    layout = next(setups(system, (), "written")).layout
    with pytest.raises(TryAnother, match="outgrew"):
        BddAlgebra(system, Setup("written", "oxidd", layout, NodeRoom(1 << 10, 1 << 10, 1 << 10)))

    result = check(system)
    assert [str(verdict.value) for verdict in result] == ["true", "false", "true"]
    assert result.states == 1 << 40
    assert result.engine == "bdd"


def test_verdicts_told_before_an_attempt_ended_are_not_told_again() -> None:
    told: list[int] = []
    options = Options(account=True, order="structure")
    result = check(ring(3), None, options, on_verdict=lambda v: told.append(v.index))

    assert told == [1, 2, 3]
    assert dict(result.account)["variables"].startswith("13 bits")


def test_the_ways_are_tried_from_quick_to_large() -> None:
    ways = [attempt.name for attempt in attempts(ring(12), (), Wanted())]

    assert ways[0].startswith("order structure, oxidd")
    assert "state by state" in ways
    assert "moving" in ways[-3]
    assert "state by state" == ways[-1]
    assert [attempt.final for attempt in attempts(ring(12), (), Wanted())][-1]


def test_models_are_pruned_state_by_state() -> None:
    [way] = attempts(ring(2), (), Wanted(pruning=True))

    assert (way.engine, way.final) == ("explicit", True)


@given(seeds)
@examples(150)
def test_looking_back_only_to_what_is_reachable(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    with patch.object(symbolic, "_MANY_PREIMAGES", 1):
        contest = Contest("bdd", system)
        for _ in range(3):
            contest.on(random_formula(rng, system, 3, "bool ctl know norm atl"))
