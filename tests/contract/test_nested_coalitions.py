"""Coalitions inside other operators: to ask only where it matters agrees with asking everywhere."""

from collections import Counter
from itertools import chain, count
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.checking.attempts import Engine
from gnomon.checking.check import Options, check
from gnomon.checking.verdict import Value
from gnomon.engines.explicit.engine import explore
from gnomon.engines.game import Win
from gnomon.engines.uniform.search import UniformWins
from gnomon.logic import nested_coalitions as lazy
from gnomon.logic.coalition_bounds import (
    FormulaBounds,
    has_coalition_inside,
    has_nested_coalition,
    is_bounded_from_both_sides,
)
from gnomon.logic.nested_coalitions import NestedCoalitions
from gnomon.logic.satisfaction import Satisfaction
from gnomon.logic.uniform_games import UniformPlay
from gnomon.model import formula as f
from gnomon.model.system import Specification
from tests.contract.compare import ENGINES
from tests.nesting import READINGS, Nesting, nested, nested_game
from tests.oracle import Oracle
from tests.support import VACUOUS
from tests.systems import examples, seeds

ENGINE_NAMES: tuple[Engine, ...] = ("explicit", "bdd")


def compare(engine: str, seed: int) -> None:
    rng = Random(seed)
    contest = Nesting(engine, nested_game(rng), rng.choice(READINGS))
    few, more = rng.choice((0, 2, 1_000)), rng.choice((1, 2, 8))
    with patch.object(lazy, "FEW_STATES", few), patch.object(lazy, "_MORE", more):
        for _ in range(2):
            contest.on(nested(rng, contest.system, rng.choice((1, 2, 2, 3))), rng)


@pytest.mark.parametrize("engine", ENGINES)
@given(seed=seeds)
@examples(80)
def test_nested_coalitions(engine: str, seed: int) -> None:
    compare(engine, seed)


def test_what_is_treated_specially_occurs() -> None:
    seen: Counter[str] = Counter()
    for seed in range(200):
        rng = Random(seed)
        system = nested_game(rng)
        formula = nested(rng, system, 2)
        seen["nested"] += has_nested_coalition(formula)
        seen["asked everywhere"] += not is_bounded_from_both_sides(formula)
        seen["fair"] += bool(system.fairness)
        for part in f.walk(formula):
            if isinstance(part, f.Enforces) and any(map(has_coalition_inside, f.parts(part.path))):
                seen["inside a game"] += 1
    assert seen["nested"] > 120
    assert min(seen["asked everywhere"], seen["fair"], seen["inside a game"]) > 10, seen


def test_no_more_is_asked_than_the_formula_needs() -> None:
    """Of many states in which a coalition may win, one where it does not is enough to refute `AG`."""
    asked = everywhere = 0
    for seed in range(60):
        rng = Random(seed)
        system = nested_game(rng)
        formula = f.All(f.Globally(nested(rng, system, 0)))
        for reading in READINGS:
            with patch.object(UniformPlay, "wins", autospec=True, side_effect=_wins) as search:
                truth = Satisfaction(explore(system), system.fairness, reading)
                truth.holds(formula)
                asked += sum(len(call.args[1]) for call in search.call_args_list)
                search.reset_mock()
                truth = Satisfaction(explore(system), system.fairness, reading)
                truth.states(formula)
                everywhere += sum(len(call.args[1]) for call in search.call_args_list)
    assert asked < everywhere / 4


_wins = UniformPlay.wins


@given(seed=seeds)
@examples(40)
def test_evidence_of_what_was_decided_so_is_replayed(seed: int) -> None:
    rng = Random(seed)
    system = nested_game(rng)
    strategies = rng.choice(READINGS)
    asked = [Specification(nested(rng, system, 2), "")]
    options = Options(
        allow=VACUOUS, engine=rng.choice(ENGINE_NAMES), strategies=strategies, evidence=True
    )
    [verdict] = check(system, asked, options)
    assert (verdict.value is Value.TRUE) == Oracle(system, strategies).holds(asked[0].formula)


# Mistakes


_bounds, _alike, _few = NestedCoalitions._bounds, NestedCoalitions._alike, NestedCoalitions._few
_looked_at, _exact_game = NestedCoalitions._looked_at, NestedCoalitions._exact_game
_need, _later = NestedCoalitions._need, NestedCoalitions._later


def without_change_of_sides(self: Any, formula: f.Formula) -> Any:
    if isinstance(formula, f.Not):
        sure, possible = self.bounds(formula.body)
        return FormulaBounds(self._frame.opposite(sure), self._frame.opposite(possible))
    return _bounds(self, formula)


def all_that_one_member_confuses(self: Any, formula: f.Enforces, states: Any) -> Any:
    if self._truth.strategies != "uniform-subjective":
        return states
    return self._algebra.intersection(
        self._algebra.confused(formula.group.members, states), self._frame.universe
    )


def also_where_it_is_objective(self: Any, formula: f.Enforces, states: Any) -> Any:
    return self._algebra.indistinguishable(formula.group.members, states)


def the_next_states_alone(self: Any, states: Any, through: Any = None) -> Any:
    return self._algebra.union(states, self._algebra.after(states))


def as_is_known_so_far(self: Any, formula: f.Enforces, starts: Any) -> Any:
    exact = self._side(lambda part: self.bounds(part).sure)
    return self._play(formula, exact.game(formula, self._logic))


def as_it_may_be(self: Any, formula: f.Enforces, starts: Any) -> Any:
    exact = self._side(lambda part: self.bounds(part).possible)
    return self._play(formula, exact.game(formula, self._logic))


def of_any_member(self: Any, wanted: Any) -> Any:
    sets, search, members = self._sets, self._search, self._coalition[:1]
    for state, alike in sets.classes(members, wanted, self._universe):
        starts = list(sets.each(sets.confused(self._coalition, state, self._universe)))
        found = search.run(starts)
        if found is not None:
            yield Win(alike, {})


def nothing_else_to_win(self: UniformPlay[Any], states: Any) -> Any:
    """Let a strategy win where those who see everything lose elsewhere in the view; also by sets."""
    return states


MUTANTS: dict[str, tuple[Any, str, Any]] = {
    "what is sure of a body is sure of its negation": (
        NestedCoalitions,
        "_bounds",
        without_change_of_sides,
    ),
    "one member's doubt makes answers the same": (
        NestedCoalitions,
        "_alike",
        all_that_one_member_confuses,
    ),
    "objective answers go by the view": (NestedCoalitions, "_alike", also_where_it_is_objective),
    "a game looks one step ahead": (NestedCoalitions, "_later", the_next_states_alone),
    "a game is played for what is known so far": (
        NestedCoalitions,
        "_exact_game",
        as_is_known_so_far,
    ),
    "a game is played for what may be": (NestedCoalitions, "_exact_game", as_it_may_be),
    "the first member's view is everybody's": (UniformWins, "_each_class", of_any_member),
    "sets tell of one state alone": (UniformPlay, "_shrunk", nothing_else_to_win),
}


#: Games in which they showed, where few do: looked at first.
SHOWN_BY = {
    "one member's doubt makes answers the same": 393,
    "objective answers go by the view": 119,
    "the first member's view is everybody's": 75,
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, attribute, mistake = MUTANTS[name]
    monkeypatch.setattr(place, attribute, mistake)
    for seed in chain((SHOWN_BY.get(name, 0),), count()):
        try:
            compare("explicit", seed)
        except AssertionError:
            return
        assert seed < 1_000, "nobody noticed"
