"""`gnomon campaign`: plans as users run them, interrupt them, and look at them."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from gnomon.campaign.plan_checks import CHECK_KEYS
from gnomon.campaign.store import Store
from tests.e2e.cli import gnomon
from tests.e2e.process import COMMAND, PATIENCE, program
from tests.e2e.test_cli_test import BAD, light
from tests.unit.campaign.jobs import endless

PLAN = 'models = "*.ispl"\nengines = ["auto", "explicit"]\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder with a model and a plan."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.ispl").write_text(light())
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def standings(store: str = "plan.store") -> list[str]:
    with Store(store, must_exist=True) as opened:
        return sorted(opened.standings().values())


def test_a_plan_is_run_and_asking_again_costs_nothing() -> None:
    first = gnomon("campaign", "run", "plan.toml")
    again = gnomon("campaign", "run", "plan.toml")

    assert (0, 0) == (first.exit_code, again.exit_code)
    assert "plan: 2 jobs" in first.stdout
    assert first.stdout.endswith(": 2 as expected\n")
    assert again.stdout.endswith("(2 answered before): 2 as expected\n")


def test_all_of_it_can_be_said_without_a_plan() -> None:
    result = gnomon(
        *("campaign", "run", "good.ispl", "--engine", "auto", "--engine", "explicit"),
        *("--strategies", "perfect", "--strategies", "uniform", "--repeat", "2", "--timeout", "60"),
        *("--only", "may", "--store", "x.store", "--schedule", "dear-first", "-j", "1", "-v"),
    )

    assert 0 == result.exit_code
    assert 8 == result.stdout.count("as expected (")
    assert "good.ispl explicit uniform may #2: as expected" in result.stdout
    assert ["expected"] * 8 == standings("x.store")


def test_a_copy_of_a_model_is_asked_once_and_told(folder: Path) -> None:
    (folder / "copy.ispl").write_text(light())
    result = gnomon("campaign", "run", "good.ispl", "copy.ispl")
    first, second, *_, above_the_last, last = result.stdout.splitlines()

    assert "campaign: 1 job, " in first
    assert ["copy.ispl is the same question as good.ispl"] * 2 == [second, above_the_last]
    assert last.endswith(": 1 as expected")


def test_the_status_of_a_store_is_that_of_the_newest_text(folder: Path) -> None:
    gnomon("campaign", "run", "good.ispl")
    (folder / "good.ispl").write_text(light() + "-- edited\n")
    gnomon("campaign", "run", "good.ispl")

    assert " 1/1 100%" in gnomon("campaign", "status", "good.store").stdout


def test_every_key_of_a_plan_is_an_option() -> None:
    shown = gnomon("campaign", "run", "--help").stdout
    elsewhere = {
        "models": "MODEL",
        "constants": "--set",
        "formulae": "--formula",
        "predicates": "--predicate",
        "engines": "--engine",
        "orders": "--order",
        "repetitions": "--repeat",
    }

    assert [] == [
        key for key in CHECK_KEYS if not re.search(rf"{elsewhere.get(key, f'--{key}')}\b", shown)
    ]


def test_the_row_of_an_answer_says_where_it_comes_from() -> None:
    words = "campaign run good.ispl --timeout 60 --memory 900 --seed 7"
    program(*words.split())
    with Store("good.store") as store:
        (row,) = store.answers()

    assert row.run is not None
    assert f"gnomon {words}" == row.run.command
    assert (60, 900) == (row.question.options.timeout, row.question.options.memory)
    assert 7 == row.answer.provenance.seed
    assert row.answer.provenance.cpu > 0


def test_what_is_not_as_expected_is_told_and_is_the_status(folder: Path) -> None:
    (folder / "bad.ispl").write_text(light(BAD))
    result = gnomon("campaign", "run", "plan.toml")

    assert 1 == result.exit_code
    assert "not as expected: bad.ispl, bad.ispl explicit\n" in result.stdout
    assert "stays: false, expected true" in result.stdout
    assert result.stdout.endswith(": 2 as expected, 2 not as expected\n")


def test_a_question_that_cannot_be_asked_is_told_and_the_others_are_answered(folder: Path) -> None:
    (folder / "half.ispl").write_text("Agent")
    result = gnomon("campaign", "run", "plan.toml")

    assert 2 == result.exit_code
    assert ["expected", "expected", "refused", "refused"] == standings()


def test_what_reaches_a_limit_is_open(folder: Path) -> None:
    (folder / "hard.ispl").write_text(endless().question.text)
    words = ("campaign", "run", "hard.ispl", "--strategies", "uniform", "--timeout", "0.5")
    result = gnomon(*words)

    assert 3 == result.exit_code
    assert "the time limit of 0.5 s was reached" in result.stdout
    assert gnomon(*words, "--retry").stdout.endswith(": 1 open\n")


def test_a_plan_with_mistakes_begins_nothing(folder: Path) -> None:
    (folder / "plan.toml").write_text(PLAN + "timeot = 5\njobs = 0\n")
    result = gnomon("campaign", "run", "plan.toml")

    assert 2 == result.exit_code
    assert "" == result.stdout
    assert "plan.toml:3:1" in result.stderr
    assert "did you mean `timeout`?" in result.stderr
    assert "2 errors" in result.stderr
    assert not (folder / "plan.store").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plan.toml", "--engine", "bdd"], "--engine: the plan says what is checked"),
        (["plan.toml", "good.ispl"], "`plan.toml` is a plan"),
        (["plan.toml", "--shard", "5/4"], "there is no part 5 of 4"),
        (["plan.toml", "--shard", "five"], "not of the form K/N"),
        (["plan.toml", "--tls-cert", "x"], "go with --cluster"),
        (["plan.toml", "-q", "-v"], "contradict"),
        (["plan.toml", "--seed", "4294967296"], "not in the range 0<=x<=4294967295"),
        (["plan.toml", "-j", "1025"], "not in the range 1<=x<=1024"),
        (["plan.toml", "--store", "."], "is a directory"),
        (["nowhere.toml"], "`nowhere.toml` cannot be opened"),
        (["nowhere.ispl"], "there is no model `nowhere.ispl`"),
    ],
)
def test_what_does_not_go_together_is_refused(folder: Path, words: list[str], said: str) -> None:
    result = gnomon("campaign", "run", *words)

    assert 2 == result.exit_code
    assert said in result.stderr
    assert not (folder / "plan.store").exists()


def test_a_cluster_that_cannot_be_had_begins_nothing(folder: Path) -> None:
    result = gnomon("campaign", "run", "plan.toml", "--cluster", "tcp://127.0.0.1:1")

    assert 2 == result.exit_code
    assert "G0903" in result.stderr
    assert not (folder / "plan.store").exists()


def test_only_what_was_begun_can_be_resumed(folder: Path) -> None:
    result = gnomon("campaign", "resume", "plan.toml")

    assert 2 == result.exit_code
    assert "G0901" in result.stderr
    assert not (folder / "plan.store").exists()
    gnomon("campaign", "run", "plan.toml", "--shard", "1/2")
    assert 0 == gnomon("campaign", "resume", "plan.toml").exit_code
    assert ["expected"] * 2 == standings()


def test_parts_together_are_the_whole(folder: Path) -> None:
    (folder / "plan.toml").write_text(PLAN + "repetitions = 4\n")
    for number in (1, 2, 3):
        words = ("--shard", f"{number}/3", "--store", f"{number}.store", "-q")
        assert 0 == gnomon("campaign", "run", "plan.toml", *words).exit_code
    with Store("all.store") as whole:
        for number in (1, 2, 3):
            with Store(f"{number}.store") as part:
                whole.merge(part)

    assert ["expected"] * 8 == standings("all.store")
    assert 0 == gnomon("campaign", "status", "plan.toml", "--store", "all.store").exit_code


def test_the_status_tells_how_far_it_is(folder: Path) -> None:
    assert 2 == gnomon("campaign", "status", "plan.toml").exit_code
    gnomon("campaign", "run", "plan.toml")
    (folder / "bad.ispl").write_text(light(BAD))
    of_plan = gnomon("campaign", "status", "plan.toml")
    of_store = gnomon("campaign", "status", "plan.store")

    assert 3 == of_plan.exit_code
    assert "2/4" in of_plan.stdout
    assert "to go on with the rest: gnomon campaign run plan.toml" in of_plan.stdout
    assert 0 == of_store.exit_code
    assert "2/2" in of_store.stdout
    gnomon("campaign", "run", "plan.toml")
    failed = gnomon("campaign", "status", "plan.toml", "--watch")
    assert 1 == failed.exit_code
    assert "bad.ispl explicit  not as expected" in failed.stdout


def test_a_store_that_is_none_is_left_as_it_is(folder: Path) -> None:
    (folder / "plan.store").write_text("Dear all\n" * 200)

    assert 2 == gnomon("campaign", "run", "plan.toml").exit_code
    assert "Dear all\n" * 200 == (folder / "plan.store").read_text()


def test_a_plan_to_begin_with_can_be_run(folder: Path) -> None:
    (folder / "plan.toml").unlink()
    result = gnomon("campaign", "init", "good.ispl", "-o", "plan.toml")

    assert 0 == result.exit_code
    assert 0 == gnomon("campaign", "run", "plan.toml").exit_code


def test_a_report_is_made_of_what_was_found(folder: Path) -> None:
    gnomon("campaign", "run", "plan.toml")
    result = gnomon("campaign", "report", "plan.store", "-o", "report.html")

    assert 0 == result.exit_code
    assert "good.ispl" in (folder / "report.html").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_request_to_end_keeps_all_and_says_how_to_go_on(
    folder: Path, number: signal.Signals, status: int
) -> None:
    (folder / "hard.ispl").write_text(endless().question.text)
    words = ["campaign", "run", "good.ispl", "hard.ispl", "--strategies", "uniform", "-j", "2"]
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        _wait_for_an_answer("campaign.store")
        process.send_signal(number)
        output, _ = process.communicate(timeout=PATIENCE)

    assert status == process.returncode
    assert "1 of 2 jobs have their answers in campaign.store" in output
    assert f"to go on with the rest: gnomon {' '.join(words)}" in output
    assert ["expected"] == standings("campaign.store")


def _wait_for_an_answer(store: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        time.sleep(0.1)
        if Path(store).exists() and standings(store):
            return


def test_answers_are_what_check_would_say() -> None:
    gnomon("campaign", "run", "good.ispl")
    with Store("good.store") as store:
        (row,) = store.answers()
    checked = json.loads(gnomon("check", "good.ispl", "--json").stdout)

    assert [(each["name"], each["verdict"], each["expected"]) for each in checked["formulae"]] == [
        (each["name"], each["verdict"], each["expected"]) for each in row.answer.formulae
    ]
