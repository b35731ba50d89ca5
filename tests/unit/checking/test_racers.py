"""Who may race with the leader, and who comes first."""

from dataclasses import replace
from typing import Any

import pytest

from gnomon.checking.load import load_text
from gnomon.checking.options import Options
from gnomon.checking.racers import REGISTER, called, entrants
from gnomon.model.any import AnyModel
from tests.unit.checking.test_process import COUNTER
from tests.unit.results.samples import MODEL


def model(text: str = MODEL) -> AnyModel:
    loaded = load_text(text)
    assert loaded.model is not None
    return loaded.model


def names(options: Options, text: str = MODEL) -> list[str]:
    return [racer.name for racer in entrants(model(text), options, {})]


@pytest.fixture(autouse=True)
def _without_cudd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.checking.racers._has_cudd", lambda: False)


def test_where_all_is_left_to_us_engines_and_orders_race() -> None:
    assert ["explicit", "sat", "bdd written", "bdd near", "bdd grown"] == names(Options())


def test_a_library_that_is_installed_races_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.checking.racers._has_cudd", lambda: True)

    assert "bdd cudd" in names(Options())


@pytest.mark.parametrize(
    "fixed", [{"engine": "bdd"}, {"order": "near"}, {"diagrams": "oxidd"}, {"max_states": 10}]
)
def test_what_the_user_has_fixed_stays(fixed: dict[str, Any]) -> None:
    chosen = Options(**fixed)

    for racer in entrants(model(), chosen, {}):
        for name, value in fixed.items():
            assert value == getattr(racer.options, name)


def test_nobody_races_with_an_engine_that_has_only_one_way() -> None:
    assert [] == names(Options(engine="explicit"))
    assert [] == names(Options(strategies="uniform-model"))


def test_cells_race_with_states_where_numbers_have_no_bounds() -> None:
    assert ["explicit"] == names(Options(), COUNTER)
    assert [] == names(Options(engine="abstraction"), COUNTER)
    assert ["explicit"] == names(Options(check_deadlock=True), COUNTER)
    assert ["explicit"] == names(Options(check_deadlock=True, certificate=True), COUNTER)
    assert ["explicit"] == names(Options(strategies="uniform-subjective"), COUNTER)
    assert [] == names(Options(strategies="uniform-model"), COUNTER)


def test_the_most_promising_come_first_and_losers_after_those_who_were_never_tried() -> None:
    found = [
        racer.name
        for racer in entrants(model(), Options(), {"bdd near": 0.7, "explicit": 0.4, "gone": 0.9})
    ]

    assert ["bdd near", "sat", "bdd written", "bdd grown", "explicit"] == found


def test_a_new_way_is_one_line_in_the_register() -> None:
    def careful(_: AnyModel, options: Options) -> Any:
        yield replace(options, engine="explicit", max_states=5)

    [*_, last] = entrants(model(), Options(), {}, (*REGISTER, careful))

    assert 5 == last.options.max_states


def test_the_leader_does_not_race_with_itself() -> None:
    def same(_: AnyModel, options: Options) -> Any:
        yield options

    assert [] == entrants(model(), Options(), {}, (same,))


def test_racers_are_called_by_what_they_use() -> None:
    assert "auto" == called(Options())
    assert "bdd near cudd" == called(Options(engine="bdd", order="near", diagrams="cudd"))
