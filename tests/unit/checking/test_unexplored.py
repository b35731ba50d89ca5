"""Deciding without exploring: what is told of a model then, and what is left to others."""

import json
from itertools import islice
from typing import Any

import pytest

from gnomon.checking.check import Options, check
from gnomon.checking.load import load_text
from gnomon.checking.verdict import Result, Value
from gnomon.engines.bdd.setup import setups
from gnomon.engines.concrete.joint_moves import MoveRoom
from gnomon.model.budget import TryAnother
from gnomon.model.system import System
from gnomon.results.data import of_result
from gnomon.results.render.text import render
from tests.unexplored import without_exploring
from tests.unit.engines.test_circuit_order import shifter

#: From 6 a number would leave its range, and from 5 there is nothing to do: 4 is as far as one can get,
#: unless `{start}` says otherwise.
COUNTER = """
Agent Counter
  Vars: x : 0..6; end Vars
  Actions = {{ up, stay }};
  Protocol: x = 5 : {{ }}; Other : {{ up, stay }}; end Protocol
  Evolution: x = x + 1 if Action = up and x <> 4; end Evolution
end Agent
Agent Watcher end Agent
Evaluation high if Counter.x = 4; higher if Counter.x > 4; end Evaluation
Groups all = {{ Counter }}; end Groups
InitStates Counter.x = {start}; end InitStates
Formulae {formulae} end Formulae
"""


def counter(formulae: str, start: int = 0) -> System:
    """Return the counter with questions."""
    loaded = load_text(COUNTER.format(formulae=formulae, start=start))
    assert loaded.system is not None, loaded.diagnostics
    return loaded.system


def answered(system: System, **options: Any) -> Result:
    """Return what is told without exploring."""
    with without_exploring():
        return check(system, None, Options(engine="bdd", **options))


def test_what_is_always_so_is_asked_of_reachable_states_alone() -> None:
    found = answered(counter("AG !higher; EF high; <all>F high; <all>G !high; AF high;"))

    values = [Value.TRUE, Value.TRUE, Value.TRUE, Value.TRUE, Value.FALSE]
    assert values == [verdict.value for verdict in found]


def test_the_number_of_states_is_not_told() -> None:
    found = answered(counter("EF high;"))

    assert found.states is None
    assert "bdd · states not explored" in render([found]).plain()
    assert json.loads(json.dumps(of_result(found)))["states"] is None


def test_it_is_told_where_something_needs_the_states() -> None:
    found = answered(counter("EF high; AG K(Watcher, !higher);"))

    assert [Value.TRUE, Value.TRUE] == [verdict.value for verdict in found]
    assert found.states == 5


@pytest.mark.parametrize(("start", "codes"), [(0, set()), (5, {"G0801"}), (6, {"G0802"})])
def test_what_happens_in_states_that_are_never_reached_is_not_told(
    start: int, codes: set[str]
) -> None:
    found = answered(counter("AG !high;", start), check_deadlock=True, check_overflow=True)

    assert codes == {each.code for each in found.diagnostics} & {"G0801", "G0802"}
    deadlock, overflow = found.checks
    assert (start == 5) == (deadlock.value is Value.FALSE)
    assert (start == 6) == (overflow.value is Value.FALSE)
    assert found.states is None


def test_a_run_to_a_mishap_is_shown() -> None:
    found = answered(counter("AG !high;", 6), check_overflow=True)

    [overflow] = found.checks
    assert overflow.evidence is not None
    assert overflow.evidence.explanation is not None
    assert "Counter.x" in overflow.evidence.explanation.text


def test_evidence_is_shown_without_exploring() -> None:
    found = answered(counter("AG !high;"), evidence=True)

    [verdict] = found
    assert verdict.evidence is not None
    assert verdict.evidence.explanation is not None
    run = verdict.evidence.explanation.run
    assert run is not None
    assert len(run.steps) == 5


def test_what_is_shown_is_offered_as_a_proof() -> None:
    found = answered(counter("AG !high; AG !higher;"), certificate=True)

    assert found.certificate is not None
    shown, not_shown = found.certificate["verdicts"]
    assert shown["proof"] is not None
    assert not_shown["proof"] is None
    assert "not explored" in not_shown["reason"]


def test_circuits_are_explored_with_little_room_first() -> None:
    found = list(islice(setups(shifter(20), (), unexplored=True), 6))

    assert ["appearance", "gates"] * 3 == [each.order for each in found]
    assert [True, True, False, False, True, True] == [each.explores for each in found]
    assert [False] * 4 + [True] * 2 == [each.collects for each in found]


def test_taking_agents_apart_is_counted() -> None:
    room = MoveRoom(10)
    room.look(6)

    room.take(10)
    with pytest.raises(TryAnother):
        room.look(5)
