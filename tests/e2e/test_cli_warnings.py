"""Warnings that a pipeline can trust: vacuous models are errors, and so is what is denied."""

import json
from pathlib import Path
from threading import Thread
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import gnomon as api
from gnomon.text.diagnostic import InputError
from tests.e2e.cli import gnomon
from tests.support import shared_models

SYSTEM = """\
Agent P
  Vars:
    x : {domain};
    y : {domain};
  end Vars
  Actions = {{ a }};
  Protocol:
    Other : {{ a }};
  end Protocol
  Evolution:
    x = {step} if Action = a;
  end Evolution
end Agent
InitStates
  {start};
end InitStates
{fairness}Formulae
  AG P.x = 0;
  EF P.x = 1;
end Formulae
"""
#: No state is initial, but one has to know more than each part of the condition to see that.
NOWHERE = "P.x > P.y and P.y > P.x"
UNFAIR = "Fairness\n  P.x = 0;\nend Fairness\n"

TEMPLATES = """\
Environment
  Vars:
    open : boolean;
  end Vars
end Environment
Template Robot
  Vars:
    load : {domain};
  end Vars
  Actions = {{ pick }};
  Protocol:
    true : {{ pick }};
  end Protocol
  Evolution:
    load = 1 if Action = pick;
  end Evolution
end Template
Evaluation
  heavy if exists r : Robot (r.load = 1);
end Evaluation
InitStates
  {start};
end InitStates
Formulae
  AG !heavy;
end Formulae
"""


def system(start: str = "P.x = 0 and P.y = 0", *, domain: str = "0..2", fairness: str = "") -> str:
    step = "x + 1" if domain == "int" else "1"
    return SYSTEM.format(start=start, domain=domain, fairness=fairness, step=step)


def templates(start: str, domain: str = "0..1") -> str:
    return TEMPLATES.format(start=start, domain=domain)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("good.ispl").write_text(system(), encoding="utf-8")
    Path("empty.ispl").write_text(system(NOWHERE), encoding="utf-8")
    Path("unfair.ispl").write_text(system(fairness=UNFAIR), encoding="utf-8")
    Path("stuck.ispl").write_text(system().replace("x = 1 if", "x = x + 1 if"), encoding="utf-8")
    return tmp_path


# No initial state, or no fair one


@pytest.mark.parametrize("more", [[], ["--quiet"], ["--paranoid"], ["--engine", "explicit"]])
@pytest.mark.parametrize(("name", "code"), [("empty", "G0803"), ("unfair", "G0804")])
def test_a_vacuous_model_is_an_error_and_no_verdict_is_told(
    name: str, code: str, more: list[str]
) -> None:
    found = gnomon("check", f"{name}.ispl", *more)

    assert 2 == found.exit_code
    assert f"error[{code}]" in found.stderr
    assert f"--allow {code}" in found.stderr
    assert "AG" not in found.stdout
    assert "true" not in found.stdout


@pytest.mark.parametrize(
    "options",
    [
        ["--engine", "bdd"],
        ["--engine", "abstraction"],
        ["--strategies", "uniform"],
        ["--strategies", "uniform-model"],
        ["--check-deadlock", "--check-overflow"],
        ["--formula", "LTL G F P.x = 0"],
    ],
)
def test_every_way_of_deciding_sees_that_nothing_starts(options: list[str]) -> None:
    found = gnomon("check", "empty.ispl", *options)

    assert 2 == found.exit_code
    assert "error[G0803]" in found.stderr
    assert 0 == gnomon("check", "empty.ispl", *options, "--allow", "G0803").exit_code


@pytest.mark.parametrize(
    "start", [NOWHERE, "P.x > 0 and P.x < 0", "P.x + P.y = 1 and P.x = P.y + 2"]
)
@pytest.mark.parametrize("engine", ["auto", "abstraction"])
def test_numbers_without_bounds_that_cannot_start(start: str, engine: str) -> None:
    Path("int.ispl").write_text(system(start, domain="int"), encoding="utf-8")
    found = gnomon("check", "int.ispl", "--engine", engine)
    allowed = gnomon("check", "int.ispl", "--engine", engine, "--allow", "G0803", "--json")

    assert 2 == found.exit_code
    assert "error[G0803]" in found.stderr
    assert ["true", "true"] == [each["verdict"] for each in json.loads(allowed.stdout)["formulae"]]


def test_numbers_without_bounds_that_can_start() -> None:
    Path("int.ispl").write_text(system("P.x > P.y and P.y > 5", domain="int"), encoding="utf-8")

    found = gnomon("check", "int.ispl", "--engine", "abstraction", "--formula", "P.x > 5")

    assert (0, "") == (found.exit_code, found.stderr)


@pytest.mark.parametrize(
    ("start", "domain", "who"),
    [
        (
            "Environment.open = true and Robot.load = 0 and Robot.load = 1",
            "0..1",
            "agent of `Robot`",
        ),
        ("Environment.open = true and Environment.open = false", "0..1", "the environment"),
        ("Robot.load > 0 and Robot.load < 0", "int", "agent of `Robot`"),
        ("Environment.open = true and Environment.open = false", "int", "the environment"),
    ],
)
def test_templates_that_cannot_start(start: str, domain: str, who: str) -> None:
    Path("robots.ispl").write_text(templates(start, domain), encoding="utf-8")
    found = gnomon("check", "robots.ispl")
    allowed = gnomon("check", "robots.ispl", "--allow", "G0803")

    assert 2 == found.exit_code
    assert "error[G0803]" in found.stderr
    assert who in " ".join(found.stderr.split())
    assert 0 == allowed.exit_code
    assert "" == allowed.stderr


def test_the_reason_for_having_no_fair_path_is_told_with_it() -> None:
    Path("never.ispl").write_text(
        system(fairness="Fairness\n  P.y = 1;\nend Fairness\n"), encoding="utf-8"
    )
    found = gnomon("check", "never.ispl")

    assert "warning[G0805]: no reachable state satisfies `P.y = 1`" in found.stderr
    assert "1 error, 1 warning" in found.stderr
    assert 2 == found.exit_code


def test_what_is_allowed_goes_on_as_if_nothing_were() -> None:
    Path("allowed.ispl").write_text("--! allow G0803\n" + system(NOWHERE), encoding="utf-8")
    for found in (
        gnomon("check", "allowed.ispl"),
        gnomon("check", "empty.ispl", "--allow", "g0803"),
        gnomon("check", "unfair.ispl", "--allow", "G0804"),
    ):
        assert 0 == found.exit_code
        assert "" == found.stderr
        assert "2 formulae: 2 true" in found.stdout


def test_what_the_file_allows_may_be_denied_on_the_command_line() -> None:
    Path("allowed.ispl").write_text("--! allow G0803\n" + system(NOWHERE), encoding="utf-8")

    assert 2 == gnomon("check", "allowed.ispl", "--deny", "G0803").exit_code


def test_allowed_verdicts_say_that_they_are_true_of_nothing() -> None:
    for model, said in (
        (api.load_text(system(NOWHERE)), "no state is initial"),
        (api.load_text(system(NOWHERE, domain="int")), "no state is initial"),
        (api.load_text(system(fairness=UNFAIR)), "no initial state has a fair path"),
        (
            api.load_text(templates("Environment.open = true and Environment.open = false")),
            "no state is initial",
        ),
    ):
        result = model.check(allow=["G0803", "G0804"])
        assert {said} == {answer.verdict.vacuous for answer in result}


def test_explaining_a_vacuous_model() -> None:
    assert 2 == gnomon("explain-verdict", "empty.ispl").exit_code
    assert 0 == gnomon("explain-verdict", "empty.ispl", "--allow", "G0803").exit_code


# Each format


def test_json_has_the_error_and_no_verdict() -> None:
    found = gnomon("check", "empty.ispl", "--json")
    result = json.loads(found.stdout)

    assert 2 == found.exit_code
    assert [] == result["formulae"]
    assert [("G0803", "error", 15)] == [
        (item["code"], item["severity"], item["line"]) for item in result["diagnostics"]
    ]


def test_json_lines_have_a_line_for_a_model_that_is_refused() -> None:
    found = gnomon("check", "good.ispl", "empty.ispl", "--format", "jsonl")
    lines = [json.loads(line) for line in found.stdout.splitlines()]

    assert 2 == found.exit_code
    assert ["formula", "formula", "model", "model"] == [line["type"] for line in lines]
    assert "G0803" == lines[-1]["diagnostics"][0]["code"]
    assert 0 == lines[-1]["formulae"]


def test_junit_is_red() -> None:
    found = gnomon("check", "empty.ispl", "--format", "junit")
    [suite] = ET.fromstring(found.stdout)

    assert ("1", "1") == (suite.attrib["tests"], suite.attrib["errors"])
    assert "G0803" in (suite.find("testcase/error").text or "")  # type: ignore[union-attr]


def test_sarif_has_an_error() -> None:
    found = gnomon("check", "empty.ispl", "--format", "sarif")
    [run] = json.loads(found.stdout)["runs"]

    assert [("G0803", "error")] == [(item["ruleId"], item["level"]) for item in run["results"]]


def test_a_report_in_a_file_says_what_was_not_checked() -> None:
    found = gnomon("check", "good.ispl", "empty.ispl", "-o", "report.txt")
    report = Path("report.txt").read_text(encoding="utf-8")

    assert 2 == found.exit_code
    assert "error[G0803]" in report
    assert "empty.ispl  not checked" in report
    assert "1 model not checked" in report


def test_one_model_that_is_refused_does_not_hide_the_others() -> None:
    found = gnomon("check", "empty.ispl", "good.ispl", "--json")
    first, second = json.loads(found.stdout)

    assert 2 == found.exit_code
    assert ([], ["G0803"]) == (first["formulae"], [it["code"] for it in first["diagnostics"]])
    assert ["false", "true"] == [each["verdict"] for each in second["formulae"]]
    assert [] == second["diagnostics"]


def test_no_certificate_is_written_where_a_model_is_refused() -> None:
    found = gnomon("check", "good.ispl", "empty.ispl", "--certificate", "proofs.json")

    assert 2 == found.exit_code
    assert not Path("proofs.json").exists()


# Warnings that fail


@pytest.mark.parametrize("how", [["--strict"], ["--deny", "G0802", "--deny", "G0801"]])
def test_what_is_found_while_checking_is_an_error_where_it_is_denied(how: list[str]) -> None:
    found = gnomon("check", "stuck.ispl", *how, "--json")
    result = json.loads(found.stdout)

    assert 2 == found.exit_code
    assert [] == result["formulae"]
    assert {("G0801", "error"), ("G0802", "error")} == {
        (item["code"], item["severity"]) for item in result["diagnostics"]
    }
    assert f"this warning is an error by `{' '.join(how[-2:])}`" in str(result).replace(
        "G0802", "G0801"
    )


@pytest.mark.parametrize("how", ["file", "option", "strict"])
def test_what_is_found_in_the_text_is_an_error_where_it_is_denied(how: str) -> None:
    text = system("P.x = 0 and P.y < 7")  # which is always so
    options = {"file": [], "option": ["--deny", "G0401"], "strict": ["--strict"]}[how]
    Path("odd.ispl").write_text(text, encoding="utf-8")
    Path("denied.ispl").write_text(
        "--! deny G0401\n" + text if how == "file" else text, encoding="utf-8"
    )
    before, found = gnomon("check", "odd.ispl"), gnomon("check", "denied.ispl", *options)

    assert (1, True) == (before.exit_code, "warning[G0401]" in before.stderr)
    assert (2, True) == (found.exit_code, "error[G0401]" in found.stderr)
    assert "" == found.stdout
    assert 1 == gnomon("check", "denied.ispl", "--allow", "G0401").exit_code


def test_allowing_everything_that_there_is_leaves_nothing_to_fail() -> None:
    found = gnomon("check", "stuck.ispl", "--strict", "--allow", "G0801", "--allow", "G0802")

    assert 1 == found.exit_code
    assert "" == found.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--allow", "GO407"], "did you mean `G0407`?"),
        (["--deny", "warnings"], "there is no diagnostic `warnings`"),
        (["--allow", "G0102"], "`G0102` cannot be allowed"),
        (["--allow", "G0801", "--deny", "G0801"], "`G0801` cannot be both allowed and denied"),
    ],
)
def test_codes_that_cannot_be_named(options: list[str], said: str) -> None:
    found = gnomon("check", "good.ispl", *options)

    assert 2 == found.exit_code
    assert said in " ".join(found.stderr.split())


def test_other_commands_show_what_is_denied_and_go_on() -> None:
    Path("denied.ispl").write_text("--! deny G0417\n--! nonsense!\n" + system(), encoding="utf-8")
    Path("allowed.ispl").write_text("--! allow G0417\n--! nonsense!\n" + system(), encoding="utf-8")
    shown, hidden = gnomon("show", "denied.ispl"), gnomon("show", "allowed.ispl")

    assert (0, True) == (shown.exit_code, "warning[G0417]" in shown.stderr)
    assert (0, "") == (hidden.exit_code, hidden.stderr)
    assert 2 == gnomon("check", "denied.ispl").exit_code
    assert "" == gnomon("check", "allowed.ispl").stderr


# What people see


@pytest.mark.parametrize("domain", ["0..2", "int"])
@pytest.mark.parametrize("fairness", ["", UNFAIR])
@pytest.mark.parametrize("starts", [True, False])
def test_what_is_refused_can_be_looked_at_to_find_out_why(
    domain: str, fairness: str, *, starts: bool
) -> None:
    start = "P.x = 0 and P.y = 0" if starts else "P.x = 0 and P.y = 0 and P.x > P.y"
    text = system(start, domain=domain, fairness=fairness)
    Path("looked.ispl").write_text(text, encoding="utf-8")

    for more in ([], ["--json"], ["--graph", "dot"]):
        assert 0 == gnomon("show", "looked.ispl", "--max-states", "9", *more).exit_code
    walk = gnomon("simulate", "looked.ispl", "--random", "2")
    assert (0 if starts else 2) == walk.exit_code
    assert starts == ("initial    0" not in str(api.load("looked.ispl")))


def test_quietly_a_warning_has_one_line() -> None:
    found = gnomon("check", "stuck.ispl", "--quiet")

    assert 1 == found.exit_code
    assert [
        "stuck.ispl: warning[G0801]: the model can get stuck",
        "stuck.ispl: warning[G0802]: a value can leave its range",
    ] == found.stderr.splitlines()


def test_python_prints_and_shows_warnings() -> None:
    result = api.load("stuck.ispl").check()

    assert ["G0801", "G0802"] == [item.code for item in result.diagnostics]
    assert "warning[G0801]: the model can get stuck" in str(result)
    assert "a reachable deadlock: P.x = 2" in str(result)
    assert "warning[G0801]: the model can get stuck" in result._repr_html_()


def test_nothing_to_say_is_no_word() -> None:
    result = api.load("good.ispl").check()

    assert str(result).startswith("good.ispl  finite")
    assert "<pre" not in result._repr_html_()


def test_a_page_of_html_has_the_warnings() -> None:
    page = gnomon("explain-verdict", "stuck.ispl", "--format", "html").stdout

    assert "warning[G0801]: the model can get stuck" in page


@pytest.mark.parametrize(
    ("options", "code"),
    [({}, "G0803"), ({"deny": "G0803"}, "G0803"), ({"allow": ["nonsense"]}, "G0816")],
)
def test_python_raises_where_nothing_can_be_told(options: dict[str, Any], code: str) -> None:
    model = api.load("empty.ispl")
    with pytest.raises(InputError, match=code):
        model.check(**options)


def test_a_system_that_was_built_is_no_exception() -> None:
    system_ = api.load("empty.ispl").system
    with pytest.raises(InputError, match="G0803"):
        api.check(system_)

    assert all(answer.holds for answer in api.check(system_, allow="G0803"))


def test_two_at_once_keep_their_own_words() -> None:
    model = api.load("empty.ispl")
    found: dict[str, object] = {}

    def ask(name: str, *allow: str) -> None:
        try:
            found[name] = [answer.holds for answer in model.check(allow=allow)]
        except InputError as error:
            found[name] = [item.code for item in error.diagnostics]

    threads = [Thread(target=ask, args=("no",)), Thread(target=ask, args=("yes", "G0803"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {"no": ["G0803"], "yes": [True, True]} == found


def test_the_vacuous_model_of_a_newcomer() -> None:
    path = shared_models() / "newcomer" / "vacuous.ispl"
    if not path.exists():
        pytest.skip("no such model")
    found = gnomon("check", "--quiet", str(path))

    assert 2 == found.exit_code
    assert "error[G0803]" in found.stderr


def test_proofs_about_nothing_are_checked_where_that_is_allowed() -> None:
    gnomon("check", "empty.ispl", "--allow", "G0803", "--certificate", "proofs.json")
    refused = gnomon("verify-certificate", "empty.ispl", "proofs.json")
    allowed = gnomon("verify-certificate", "empty.ispl", "proofs.json", "--allow", "g0803")

    assert (2, "") == (refused.exit_code, refused.stdout)
    assert "error[G0803]" in refused.stderr
    assert 0 == allowed.exit_code
    assert "2 verdicts: 2 proved" in allowed.stdout


def test_a_file_may_allow_proofs_about_nothing() -> None:
    Path("allowed.ispl").write_text("--! allow G0803\n" + system(NOWHERE), encoding="utf-8")
    gnomon("check", "allowed.ispl", "--certificate", "proofs.json")

    assert 0 == gnomon("verify-certificate", "allowed.ispl", "proofs.json").exit_code


def test_endless_comments_about_codes_are_read_in_time() -> None:
    many = "".join(f"--! allow G{2_000 + number % 8_000}\n" for number in range(20_000))
    Path("many.ispl").write_text(many + system(), encoding="utf-8")
    found = gnomon("check", "many.ispl", "--timeout", "60")

    assert 1 == found.exit_code
    assert "more warnings of G0417 which are not shown" in found.stderr
