"""Many models at once come out as each alone would, in their order, wherever they are read from."""

import os
from pathlib import Path

import pytest

from gnomon.checking.batch import CaseResult, ModelCase, Outcome, outcomes, run_cases
from gnomon.checking.keyword_expression import selection
from gnomon.checking.options import Options
from gnomon.checking.supervise import work_here
from tests.unit.checking.test_pool import children

LIGHT = """
Agent Light
  Vars: on : boolean; end Vars
  Actions = { press, rest };
  Protocol: Other : { press, rest }; end Protocol
  Evolution: on = !on if Action = press; end Evolution
end Agent
Evaluation on if Light.on; end Evaluation
InitStates Light.on = false; end InitStates
Formulae
  shines : EF on;
  stays : AG !on expect false;
  wrong : AG !on;
end Formulae
"""


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Be in a new folder with four models, one of which is broken."""
    monkeypatch.chdir(tmp_path)
    names = [f"{number}.ispl" for number in range(4)]
    for name in names:
        Path(name).write_text(LIGHT if name != "2.ispl" else "Agent", encoding="utf-8")
    return names


def letters(found: list[CaseResult]) -> list[str]:
    return ["".join(each.value for each in outcomes(tested.result)) for tested in found]


@pytest.mark.parametrize("at_once", [1, 3])
def test_relative_paths_are_followed_from_the_folder_we_are_in(
    models: list[str], at_once: int
) -> None:
    found = list(run_cases([ModelCase(name) for name in models], Options(), at_once))

    assert models == [tested.result.model for tested in found]
    assert ["..F", "..F", "E", "..F"] == letters(found)


def test_without_processes_it_is_the_same(models: list[str]) -> None:
    cases = [ModelCase(name, selection=selection("not wrong or 0")) for name in models]
    apart = list(run_cases(cases, Options(), 2))
    with work_here():
        here = list(run_cases(cases, Options(), 2))

    assert ["..F", "..", "E", ".."] == letters(apart) == letters(here)
    assert [0, 1, 0, 1] == [tested.left_out for tested in apart]
    assert [tested.left_out for tested in apart] == [tested.left_out for tested in here]


def test_who_wants_no_more_leaves_nobody_behind(models: list[str]) -> None:
    found = run_cases([ModelCase(name) for name in models], Options(), 4)
    first = next(found)
    found.close()

    assert "0.ispl" == first.result.model
    assert not children()


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="/proc")
def test_what_is_under_way_is_told(models: list[str]) -> None:
    seen: list[tuple[int, tuple[int, ...]]] = []
    cases = [ModelCase(name) for name in models]
    list(run_cases(cases, Options(), 2, lambda done, places: seen.append((done, places))))

    assert (0, (0, 1)) == seen[0]
    assert all(len(places) <= 2 and done <= 4 for done, places in seen)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_model_that_is_not_there_is_broken() -> None:
    (tested,) = run_cases([ModelCase("none.ispl")], Options(), 1)

    assert [Outcome.ERROR] == list(outcomes(tested.result))
