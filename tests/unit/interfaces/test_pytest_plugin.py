"""Models as tests of pytest, in this very process: what is collected, told and left out."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gnomon.api.models import load_text
from gnomon.checking.supervise import work_here
from gnomon.interfaces.pytest import checks, collecting
from gnomon.testing import assert_as_expected
from tests.pytest_runs import DOOR, LEAKY, PLUGIN, run_here
from tests.support import ROOT

pytest_plugins = ["pytester"]
#: Where `safe` stands.
LINE = LEAKY[: LEAKY.index("safe")].count("\n") + 1

#: They are loaded for the same reason as what checks need.
LOADED = (collecting,)


@pytest.fixture(scope="module", autouse=True)
def _loaded_before() -> Iterator[None]:
    """Load whatever a check needs: pytester forgets modules that a run inside it loads, native ones too."""
    with work_here():
        for evidence in (False, True):
            assert_as_expected(load_text(DOOR).check(evidence=evidence))
            with pytest.raises(AssertionError):
                assert_as_expected(load_text(LEAKY).check(evidence=evidence))
        yield


def written(pytester: pytest.Pytester, name: str, text: str) -> Path:
    path = pytester.path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# What is collected


def test_every_formula_is_a_test(pytester: pytest.Pytester) -> None:
    written(pytester, "models/door.ispl", DOOR)

    result = run_here(pytester, "--gnomon", "-v")

    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        [
            "models/door.ispl::safe PASSED*",
            "models/door.ispl::can_open PASSED*",
            "models/door.ispl::stays_shut PASSED*",
        ]
    )


def test_without_the_option_nothing_is_collected(pytester: pytest.Pytester) -> None:
    written(pytester, "door.ispl", DOOR)

    assert pytest.ExitCode.NO_TESTS_COLLECTED == run_here(pytester).ret


def test_a_setting_asks_for_models_too(pytester: pytest.Pytester) -> None:
    written(pytester, "door.ispl", DOOR)
    pytester.makeini("[pytest]\ngnomon = true\ngnomon_timeout = 20\ngnomon_strict = yes\n")

    result = run_here(pytester)

    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["gnomon: *, timeout 20, strict True"])


@pytest.mark.skipif(pytest.version_tuple < (9,), reason="pytest reads this table from version 9 on")
def test_settings_of_toml_have_types(pytester: pytest.Pytester) -> None:
    written(pytester, "door.ispl", DOOR)
    text = "[tool.pytest]\ngnomon = true\ngnomon_timeout = 20\ngnomon_max_states = 9\n"
    written(pytester, "pyproject.toml", f'{text}gnomon_allow = ["G0407"]\nstrict = true\n')

    result = run_here(pytester)

    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["gnomon: *, timeout 20, max_states 9, allow G0407"])


def test_a_formula_without_a_name_has_its_number(pytester: pytest.Pytester) -> None:
    written(pytester, "door.ispl", DOOR.replace("can_open :", ""))

    result = run_here(pytester, "--gnomon", "--collect-only", "-q")

    result.stdout.fnmatch_lines(["door.ispl::safe", "door.ispl::2", "door.ispl::stays_shut"])


def test_a_family_is_chosen_by_its_name_and_one_of_it_by_its_indices(
    pytester: pytest.Pytester,
) -> None:
    family = DOOR.replace("can_open : EF open;", "for i : 1..3: opens[i] : EF open; end for")
    written(pytester, "door.ispl", family)

    all_of_them = run_here(pytester, "--gnomon", "door.ispl::opens", "-v")
    one = run_here(pytester, "--gnomon", "door.ispl::opens[2]")

    all_of_them.assert_outcomes(passed=3)
    all_of_them.stdout.fnmatch_lines(["door.ispl::opens[[]1[]] PASSED*"])
    one.assert_outcomes(passed=1)


def test_names_are_those_of_a_file_and_may_be_the_same_in_another(
    pytester: pytest.Pytester,
) -> None:
    written(pytester, "a/door.ispl", DOOR)
    written(pytester, "b/door.ispl", LEAKY)

    result = run_here(pytester, "--gnomon", "-k", "safe")

    result.assert_outcomes(passed=1, failed=1, deselected=4)
    result.stdout.fnmatch_lines(["*_ b/door.ispl: safe _*", "FAILED b/door.ispl::safe - *"])


def test_words_and_markers_choose(pytester: pytest.Pytester) -> None:
    written(pytester, "door.ispl", DOOR)
    pytester.makepyfile("def test_python(): pass")

    def chosen(*arguments: str) -> dict[str, int]:
        return run_here(pytester, "--gnomon", "--strict-markers", *arguments).parseoutcomes()

    assert {"passed": 4} == chosen()
    assert {"passed": 3, "deselected": 1} == chosen("-m", "gnomon")
    assert {"passed": 1, "deselected": 3} == chosen("-m", "not gnomon")
    assert {"passed": 2, "deselected": 2} == chosen("-k", "door and not safe")


def test_a_model_that_is_named_twice_is_tested_once(pytester: pytest.Pytester) -> None:
    written(pytester, "door.ispl", DOOR)

    run_here(pytester, "--gnomon", "door.ispl", "door.ispl").assert_outcomes(passed=3)
    run_here(pytester, "--gnomon", ".", "door.ispl::safe").assert_outcomes(passed=3)


def test_folders_hidden_files_and_pipes_are_no_models(pytester: pytest.Pytester) -> None:
    written(pytester, "folder.ispl/door.ispl", DOOR)
    written(pytester, ".hidden.ispl", "this is no model")
    os.mkfifo(pytester.path / "pipe.ispl")
    (pytester.path / "nowhere.ispl").symlink_to("not there")

    run_here(pytester, "--gnomon").assert_outcomes(passed=3)
    run_here(pytester, "--gnomon", ".hidden.ispl").assert_outcomes(errors=1)


def test_names_of_files_may_be_odd(pytester: pytest.Pytester) -> None:
    odd = ["a b.ispl", "wörter ∀.ispl", "x[1].ispl", "-k.ispl", "a::b.ispl", "esc\x1b[2J.ispl"]
    for name in odd:
        written(pytester, f"m/{name}", LEAKY)

    result = run_here(pytester, "--gnomon", "-k", "safe")

    result.assert_outcomes(failed=6, deselected=12)
    assert f"m/esc\\x1b[2J.ispl:{LINE}: safe is false, expected true" in result.outlines
    assert "gnomon explain-verdict 'm/a b.ispl' --only safe" in result.stdout.str()


def test_a_name_that_is_no_text_is_refused_before_pytest_breaks_down(
    pytester: pytest.Pytester,
) -> None:
    try:
        with open(os.fsencode(pytester.path) + b"/\xff.ispl", "w") as file:
            file.write(DOOR)
    except OSError:
        pytest.skip("this file system takes names that are text only")

    result = run_here(pytester, "--gnomon", "--junitxml=report.xml")

    result.assert_outcomes(errors=1)
    assert "its name is no text; rename it" in result.stdout.str()


def test_a_model_without_formulae_is_worth_a_warning(pytester: pytest.Pytester) -> None:
    start, _, _ = DOOR.partition("Formulae")
    written(pytester, "door.ispl", start + "Formulae\nend Formulae\n")

    result = run_here(pytester, "--gnomon")

    assert pytest.ExitCode.NO_TESTS_COLLECTED == result.ret
    result.stdout.fnmatch_lines(["*GnomonWarning: door.ispl has no formulae: nothing is tested"])


# What is told


def test_the_failure_is_the_counterexample(pytester: pytest.Pytester) -> None:
    written(pytester, "door.ispl", LEAKY)

    result = run_here(pytester, "--gnomon", "door.ispl::safe")

    result.assert_outcomes(failed=1)
    shown = result.outlines[result.outlines.index("=" * 35 + " FAILURES " + "=" * 35) :]
    assert [
        "_" * 31 + " door.ispl: safe " + "_" * 32,
        f"door.ispl:{LINE}: safe is false, expected true",
        "",
        "safe: AG !(locked and open) is false",
        "",
        "This run breaks G !(locked and open).",
        "",
        "run",
        "",
        "     Door",
        "  0  locked = true",
        "     open = false",
        "  ↓  push           line 11",
        "  1  open = true",
        "",
        "to see more: gnomon explain-verdict door.ispl --only safe",
        "=" * 27 + " short test summary info " + "=" * 28,
        "FAILED door.ispl::safe - false, expected true",
    ] == shown[1:-1]


def test_tools_are_led_to_the_line_of_the_formula(pytester: pytest.Pytester) -> None:
    written(pytester, "door.ispl", LEAKY)
    pytester.makeconftest(
        "def pytest_runtest_logreport(report):\n"
        "    if report.failed:\n"
        "        print(report.location[:2], report.longrepr.reprcrash)\n"
    )

    result = run_here(pytester, "--gnomon", "-s", "--tb=line")

    result.stdout.fnmatch_lines(
        [f"*('door.ispl', {LINE - 1})*door.ispl:{LINE}: false, expected true"]
    )


def test_what_is_not_decided_is_an_error_with_its_reason(pytester: pytest.Pytester) -> None:
    written(pytester, "door.ispl", DOOR)

    result = run_here(
        pytester, "--gnomon", "--gnomon-engine=explicit", "--gnomon-max-states=1", "-k", "safe"
    )

    result.assert_outcomes(errors=1, deselected=2)
    result.stdout.fnmatch_lines(
        [
            "*_ ERROR at setup of door.ispl: safe _*",
            "door.ispl:*: safe is unknown, expected true",
            "More than 1 states: *",
            "ERROR door.ispl::safe - unknown, expected true: *",
        ]
    )


def test_a_broken_model_is_one_error_with_all_that_is_wrong(pytester: pytest.Pytester) -> None:
    written(pytester, "door.ispl", DOOR.replace("rest }", "rest").replace("EF", "EFF"))

    result = run_here(pytester, "--gnomon")

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "*_ ERROR collecting door.ispl _*",
            "error[[]G*[]]: *",
            "  ┌─ door.ispl:*",
            "ERROR door.ispl - *",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert "models.py" not in result.stdout.str()


def test_a_file_that_is_no_text_is_an_error(pytester: pytest.Pytester) -> None:
    (pytester.path / "door.ispl").write_bytes(b"\xff\xfe\x00")

    result = run_here(pytester, "--gnomon")

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["error[[]G0002[]]: `door.ispl` is not UTF-8 text*"])


SUSPICIOUS = DOOR.replace("push, turn, rest };", "push, turn, rest, jump };", 1)


def test_warnings_of_a_model_are_warnings_of_pytest(pytester: pytest.Pytester) -> None:
    written(pytester, "door.ispl", SUSPICIOUS)

    result = run_here(pytester, "--gnomon")

    result.assert_outcomes(passed=3, warnings=1)
    result.stdout.fnmatch_lines(
        ["door.ispl::safe", "*door.ispl:*: GnomonWarning: G0*jump*", "*Actions = *"]
    )
    run_here(pytester, "--gnomon", "-W", "ignore::gnomon.testing.GnomonWarning").assert_outcomes(
        passed=3, warnings=0
    )


def test_where_it_is_strict_they_are_errors(pytester: pytest.Pytester) -> None:
    written(pytester, "door.ispl", SUSPICIOUS)

    run_here(pytester, "--gnomon", "--gnomon-strict").assert_outcomes(errors=1)
    run_here(pytester, "--gnomon", "-W", "error").assert_outcomes(errors=1, passed=2)


def test_a_truth_about_nothing_is_a_warning_or_where_it_is_strict_a_failure(
    pytester: pytest.Pytester,
) -> None:
    hollow = DOOR.replace("can_open : EF open", "hollow : AG ((locked and open) -> AX open)")
    written(pytester, "door.ispl", hollow)

    lenient = run_here(pytester, "--gnomon")
    strict = run_here(pytester, "--gnomon", "--gnomon-strict")

    lenient.assert_outcomes(passed=3, warnings=1)
    lenient.stdout.fnmatch_lines(["*GnomonWarning: hollow is vacuous: *"])
    strict.assert_outcomes(passed=2, failed=1)
    strict.stdout.fnmatch_lines(["FAILED door.ispl::hollow - true, but vacuous: *"])


# How it is checked


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Return a list that fills with the formulae of every check, and whether evidence was wanted."""
    found: list[tuple[Any, ...]] = []
    before = checks._result

    def noted(question: Any) -> Any:
        found.append((question.name, question.only, question.options.evidence))
        return before(question)

    monkeypatch.setattr(checks, "_result", noted)
    return found


def test_a_model_is_checked_once_and_only_for_what_is_left(
    pytester: pytest.Pytester, asked: list[tuple[Any, ...]]
) -> None:
    written(pytester, "door.ispl", DOOR)

    run_here(pytester, "--gnomon")
    run_here(pytester, "--gnomon", "-k", "not safe")
    run_here(pytester, "--gnomon", "--collect-only")

    assert [("door.ispl", (1, 2, 3), False), ("door.ispl", (2, 3), False)] == asked


def test_evidence_is_only_looked_for_where_something_is_wrong(
    pytester: pytest.Pytester, asked: list[tuple[Any, ...]]
) -> None:
    written(pytester, "door.ispl", LEAKY)

    run_here(pytester, "--gnomon")

    assert [("door.ispl", (1, 2, 3), False), ("door.ispl", (1,), True)] == asked


def test_what_is_skipped_is_not_decided(
    pytester: pytest.Pytester, asked: list[tuple[Any, ...]]
) -> None:
    written(pytester, "door.ispl", LEAKY)
    pytester.makeconftest(
        "import pytest\n"
        "def pytest_collection_modifyitems(items):\n"
        "    items[0].add_marker(pytest.mark.skip(reason='later'))\n"
        "    items[1].add_marker(pytest.mark.xfail(reason='known', strict=False))\n"
    )

    run_here(pytester, "--gnomon").assert_outcomes(skipped=1, xpassed=1, passed=1)

    assert [("door.ispl", (2, 3), False)] == asked


def test_what_failed_last_is_all_that_is_decided_next(
    pytester: pytest.Pytester, asked: list[tuple[Any, ...]]
) -> None:
    written(pytester, "door.ispl", LEAKY)

    run_here(pytester, "--gnomon", "-p", "cacheprovider").assert_outcomes(failed=1, passed=2)
    run_here(pytester, "--gnomon", "-p", "cacheprovider", "--lf").assert_outcomes(failed=1)
    run_here(pytester, "--gnomon", "-x").assert_outcomes(failed=1)

    assert (1,) == asked[2][1]


def test_a_constant_is_set_in_models_that_have_it(pytester: pytest.Pytester) -> None:
    family = DOOR.replace("Agent", "Constants\n n = 1;\nend Constants\nAgent", 1).replace(
        "can_open : EF open;", "for i : 1..n: opens[i] : AF open; end for"
    )
    written(pytester, "family.ispl", family)
    written(pytester, "door.ispl", DOOR)

    result = run_here(pytester, "--gnomon", "--gnomon-set", "n=2", "--gnomon-set=m=3")

    result.assert_outcomes(passed=5, failed=2, warnings=1)
    result.stdout.fnmatch_lines(
        [
            "n = 2",
            "to see more: gnomon explain-verdict family.ispl --only 'opens[[]1[]]' --set n=2",
            "*GnomonWarning: no model has a constant `m`, which `gnomon_set` sets",
        ]
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--gnomon-set=n"], "gnomon_set: 'n' is no setting such as n=3"),
        (["--gnomon-set=n=x"], "gnomon_set: 'n=x' is no setting such as n=3"),
        (["--gnomon-engine=steam"], "gnomon: engine='steam' is not a choice"),
        (["--gnomon-timeout=-1"], "gnomon: timeout=-1.0 is not a number of seconds above 0"),
        (["--gnomon-uniform-group=g"], "gnomon: uniform_group goes with*"),
        (["--gnomon-allow=G9999"], "gnomon: *G9999*"),
    ],
)
def test_what_there_is_not_is_refused(
    pytester: pytest.Pytester, arguments: list[str], said: str
) -> None:
    result = run_here(pytester, "--gnomon", *arguments)

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    result.stderr.fnmatch_lines([f"ERROR: {said}"])


def test_any_number_of_agents_and_numbers_without_bounds(pytester: pytest.Pytester) -> None:
    for name in ("parameterised/mutex", "unbounded/ticket_lock"):
        text = (ROOT / "examples" / f"{name}.ispl").read_text(encoding="utf-8")
        written(pytester, f"{name}.ispl", text)

    assert pytest.ExitCode.OK == run_here(pytester, "--gnomon").ret


# Python


def test_the_fixture_loads_models_beside_the_test(pytester: pytest.Pytester) -> None:
    written(pytester, "tests/door.ispl", LEAKY)
    written(
        pytester,
        "tests/test_door.py",
        "from gnomon.testing import assert_as_expected\n"
        "def test_good(gnomon_model):\n"
        "    assert_as_expected(gnomon_model('door.ispl').check('EF open'))\n"
        "def test_bad(gnomon_model):\n"
        "    assert_as_expected(gnomon_model('door.ispl').check())\n",
    )

    result = run_here(pytester)

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            ">   *assert_as_expected(gnomon_model('door.ispl').check())",
            "E  * AssertionError: tests/door.ispl:*: safe is false, expected true",
            "E  *1  open = true",
            "tests/test_door.py:5: AssertionError",
        ]
    )
    assert "testing.py" not in result.stdout.str()


@pytest.mark.parametrize("wrong", ["gnomon_model('broken.ispl')", "load_text(DOOR).check('AG (')"])
def test_what_is_wrong_is_shown_at_the_line_of_the_test(
    pytester: pytest.Pytester, wrong: str
) -> None:
    written(pytester, "broken.ispl", "Agent\n")
    lines = [
        "from gnomon import load_text",
        f"DOOR = {DOOR!r}",
        "def test_it(gnomon_model):",
        f"    {wrong}",
    ]
    written(pytester, "test_broken.py", "\n".join(lines))

    text = run_here(pytester).stdout.str()

    assert f">       {wrong}" in text
    assert "test_broken.py:4: " in text
    assert "src/gnomon" not in text
    assert "src/gnomon" in run_here(pytester, "--full-trace").stdout.str()


@pytest.mark.parametrize("option", ["--gnomon-timeout=5", "--gnomon-strict"])
def test_an_option_that_nothing_would_use_is_refused(
    pytester: pytest.Pytester, option: str
) -> None:
    written(pytester, "test_nothing.py", "def test_nothing(): pass")

    result = run_here(pytester, option)

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    result.stderr.fnmatch_lines([f"ERROR: {option.partition('=')[0]} is about * add --gnomon"])


def test_in_a_file_options_may_wait_for_the_runs_with_models(pytester: pytest.Pytester) -> None:
    written(pytester, "pytest.ini", "[pytest]\naddopts = --gnomon-timeout=5\n")
    written(pytester, "test_nothing.py", "def test_nothing(): pass")

    run_here(pytester).assert_outcomes(passed=1)


def test_the_plugin_is_found_by_its_entry_point() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert {"gnomon": PLUGIN} == project["entry-points"]["pytest11"]


def test_a_second_opinion_that_differs_explains_nothing() -> None:
    result = load_text(LEAKY).check(evidence=True).result
    first = replace(result.verdicts[0], evidence=None)

    assert result.verdicts[0] is checks._explained(first, result.verdicts[0])
    assert first is checks._explained(first, result.verdicts[1])
    assert first is checks._explained(first, None)
