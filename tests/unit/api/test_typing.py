"""Programs of users as type checkers see them: no `Any`, no type that is not known."""

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import gnomon
from gnomon.api import asking
from gnomon.api.published import CertificateData, CheckData, FormulaData, WhoData
from tests.support import EXAMPLES, ROOT

PROGRAMS = ROOT / "tests" / "typing"
SCRIPTS = Path(sys.executable).parent


def run(*command: object, cwd: Path = PROGRAMS) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "MYPYPATH": str(ROOT / "src")}
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=environment,
    )


def test_mypy_knows_every_type_that_users_meet() -> None:
    programs = sorted(PROGRAMS.glob("*.py"))
    cache = ROOT / ".cache" / "mypy-users"
    options = ["--strict", "--disallow-any-expr", "--config-file=", "--cache-dir", cache]
    silent = ["--follow-imports=silent", "--ignore-missing-imports"]
    done = run(sys.executable, "-m", "mypy", *options, *silent, *programs)

    assert 0 == done.returncode, done.stdout + done.stderr


def pyright() -> str | None:
    """Return pyright, or what is made of it, where one is at hand."""
    places = os.pathsep.join([str(SCRIPTS), os.environ.get("PATH", "")])
    return next(
        filter(None, (shutil.which(name, path=places) for name in ("pyright", "basedpyright"))),
        None,
    )


def test_pyright_knows_every_type_that_users_meet(tmp_path: Path) -> None:
    program = pyright()
    if program is None:
        pytest.skip("no pyright")
    # Beside the programs it would find the settings of whatever lies above them.
    for each in sorted(PROGRAMS.iterdir()):
        if each.is_file():
            shutil.copy(each, tmp_path)
    settings = json.loads((tmp_path / "pyrightconfig.json").read_text())
    settings["extraPaths"] = [str(ROOT / "src")]
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    done = run(program, "--project", tmp_path, "--pythonpath", sys.executable, "--outputjson")
    found = json.loads(done.stdout)

    assert [] == [
        f"{Path(item['file']).name}:{item['range']['start']['line'] + 1}: {item['message']}"
        for item in found["generalDiagnostics"]
        if item["severity"] in ("error", "warning")
    ]
    assert len(list(PROGRAMS.glob("*.py"))) == found["summary"]["filesAnalyzed"]


def test_every_type_of_the_interface_is_complete_as_pyright_counts_it() -> None:
    program = pyright()
    if program is None:
        pytest.skip("no pyright")
    done = run(
        program, "--pythonpath", sys.executable, "--verifytypes", "gnomon", "--ignoreexternal",
        "--outputjson", cwd=ROOT / "src",
    )  # fmt: skip
    found = json.loads(done.stdout)["typeCompleteness"]
    public = {
        item["name"]: item["isTypeKnown"]
        for item in found["symbols"]
        if re.fullmatch(r"gnomon\.(api\.)?\w+|gnomon\.api\..*", item["name"])
    }

    assert len(public) > 400
    assert [] == [name for name, is_known in public.items() if not is_known]


# One definition of the options


def test_everything_that_check_takes_is_in_the_options_that_are_handed_on() -> None:
    named = {
        name
        for name, parameter in inspect.signature(gnomon.Model.check).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }

    assert named == set(gnomon.CheckOptions.__annotations__)
    assert set(asking.QuestionOptions.__annotations__) == named - {"report", "progress"}


def test_help_names_every_option_that_is_handed_on() -> None:
    for function, options in (
        (gnomon.sweep, asking.CheckOptions),
        (gnomon.Model.question, asking.QuestionOptions),
        (gnomon.Model.who, asking.WhoOptions),
    ):
        assert set(options.__annotations__) <= set(inspect.signature(function).parameters)


def functions_of(value: object) -> list[object]:
    if not isinstance(value, type):
        return [value]
    return [each.fget if isinstance(each, property) else each for each in vars(value).values()]


def test_no_public_signature_says_any() -> None:
    said = [
        f"{name}.{function.__name__}"
        for name in gnomon.__all__
        for function in functions_of(getattr(gnomon, name))
        if inspect.isfunction(function)
        for hint in inspect.get_annotations(function).values()
        if re.search(r"\bAny\b", str(hint))
    ]

    assert [] == said


# What is published


def test_what_is_published_has_the_keys_that_its_type_says() -> None:
    model = gnomon.load(str(EXAMPLES / "bit_transmission.ispl"))
    result = model.check("AG received", "<Sender>F received", certificate=True, account=True)
    data, certificate = result.to_dict(), result.certificate
    who = gnomon.load(str(EXAMPLES / "strongroom.ispl")).who("F open").to_dict()
    assert certificate is not None

    for found, kind in (
        (data, CheckData),
        (data["formulae"][0], FormulaData),
        (certificate, CertificateData),
        (who, WhoData),
    ):
        required = kind.__required_keys__
        assert required <= set(found)
        assert set(found) <= set(typing.get_type_hints(kind))
