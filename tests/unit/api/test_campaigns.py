"""Campaigns from Python: futures, stores, plans and event loops."""

import asyncio
import os
from concurrent.futures import as_completed
from pathlib import Path

import pytest

import gnomon
from gnomon.checking.options import Options
from tests import pigeons
from tests.unit.campaign.jobs import LIGHT
from tests.unit.checking.test_pool import children

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")

FAMILY = f"Constants n = 1; end Constants\n{LIGHT}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "light.ispl"
    file.write_text(FAMILY)
    return file


def test_what_is_asked_is_answered_once_and_then_known(path: Path, tmp_path: Path) -> None:
    store = tmp_path / "x.store"
    with gnomon.Campaign(store, jobs=2) as campaign:
        futures = [campaign.submit(path, "AF lit", engine="explicit", n=n) for n in (1, 2, 3)]
        found = [future.result() for future in as_completed(futures)]
    with gnomon.Campaign(store, jobs=2) as again:
        known = again.submit(path, "AF lit", engine="explicit", n=2)

        assert known.done()
        assert known.result().stored
        assert "1 of 1 checks (1 from the store): 1 expected" == str(again)
        assert '<progress max="1" value="1">' in again._repr_html_()

    assert {1, 2, 3} == {each.constants["n"] for each in found}
    assert {gnomon.Value.TRUE} == {each.value for each in found}
    assert not any(each.stored for each in found)


def test_models_are_mapped_in_their_order(path: Path) -> None:
    model = gnomon.load(str(path))
    with gnomon.Campaign(jobs=2) as campaign:
        names = [each.constants["n"] for each in campaign.map([model.resized(n=5), path], n=7)]
        first, second = campaign.map([model, path], "AF lit", "AG !lit")

    assert [7, 7] == names
    assert {"AF lit": gnomon.Value.TRUE, "AG !lit": gnomon.Value.FALSE} == first.values
    assert first.values == second.values
    assert "false   AG !lit" in str(first)
    assert first.data["formulae"]
    assert first.provenance.version == gnomon.__version__


def test_a_check_can_be_awaited_and_given_up() -> None:
    hard = gnomon.load_text(pigeons.pigeons(formulae=(pigeons.HARD,)))

    async def both(campaign: gnomon.Campaign) -> gnomon.Value:
        unwanted = asyncio.ensure_future(campaign.check(hard, strategies="uniform"))
        found = await campaign.check(gnomon.load_text(LIGHT), "AF lit")
        unwanted.cancel()
        with pytest.raises(asyncio.CancelledError):
            await unwanted
        return found.value

    with gnomon.Campaign(jobs=2) as campaign:
        assert gnomon.Value.TRUE == asyncio.run(both(campaign))
    assert not children()


def test_a_plan_is_run_and_its_answers_are_known_the_next_time(path: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('models = "light.ispl"\nformulae = ["AF lit"]\nconstants.n = "1..3"\n')
    with gnomon.Campaign(tmp_path / "x.store", jobs=2) as campaign:
        first = campaign.run(plan)
        second = campaign.run(plan, progress=True)

    assert [{"n": 1}, {"n": 2}, {"n": 3}] == sorted(
        (each.constants for each in first), key=lambda each: each["n"]
    )
    assert all(each.stored for each in second)


def test_leaving_by_an_exception_ends_what_is_under_way() -> None:
    hard = gnomon.load_text(pigeons.pigeons(formulae=(pigeons.HARD,)))
    campaign = gnomon.Campaign(jobs=1)
    future = campaign.submit(hard, strategies="uniform")
    campaign.__exit__(KeyError)

    assert future.cancelled()
    assert not children()


def test_what_cannot_be_asked_is_refused_at_once(tmp_path: Path) -> None:
    built = gnomon.Model(gnomon.load_text(LIGHT).system)
    with gnomon.Campaign(jobs=1) as campaign:
        with pytest.raises(gnomon.InputError, match="a model that was built has none"):
            campaign.submit(built, "AF lit")
        with pytest.raises(gnomon.InputError):
            campaign.submit(tmp_path / "nowhere.ispl")
        refused = campaign.submit(gnomon.load_text(LIGHT), "AF dark").result()

    assert "refused" == refused.standing
    assert refused.problems


def test_a_store_that_cannot_be_used_leaves_nobody_behind(tmp_path: Path) -> None:
    (tmp_path / "odd").write_text("no store at all, as everybody can see" * 20)
    with pytest.raises(gnomon.InputError, match="cannot be used"):
        gnomon.Campaign(tmp_path / "odd")

    assert not children()


def test_a_question_is_what_check_would_ask() -> None:
    model = gnomon.load_text(LIGHT)
    question = model.question("AF lit", engine="explicit", allow="G0401")

    assert Options(engine="explicit", allow=("G0401",)) == question.options
    assert ("AF lit",) == question.formulae
