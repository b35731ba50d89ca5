from pathlib import Path

import pytest
from click.testing import CliRunner

from gnomon.interfaces.cli import explain
from gnomon.interfaces.cli.lazy_group import module_name
from gnomon.interfaces.cli.main import COMMANDS, main
from gnomon.version import __version__


def test_the_version_is_printed() -> None:
    result = CliRunner().invoke(main, ["--version"])

    assert (result.exit_code, result.output) == (0, f"gnomon, version {__version__}\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])

    assert result.exit_code == 0
    assert f"  gnomon {name} " in result.output.partition("Example")[2]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_the_name_it_is_listed_under(name: str) -> None:
    import importlib

    module = importlib.import_module(f"gnomon.interfaces.cli.{module_name(name)}")

    assert module.command.name == name


def test_a_misspelt_command_is_guessed() -> None:
    result = CliRunner().invoke(main, ["chek", "x"])

    assert result.exit_code == 2
    assert "did you mean `check`?" in result.stderr


def test_a_model_without_a_command_is_understood(tmp_path: Path) -> None:
    model = tmp_path / "m.ispl"
    model.touch()
    result = CliRunner().invoke(main, [str(model)])

    assert result.exit_code == 2
    assert f"gnomon check {model}" in result.stderr


def fail(*args: object, **kwargs: object) -> None:
    raise KeyError("surprise")


def interrupt(*args: object, **kwargs: object) -> None:
    raise KeyboardInterrupt


def test_our_own_mistakes_are_called_bugs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explain, "standard_output", fail)
    result = CliRunner().invoke(main, ["explain", "G0001"])

    assert result.exit_code == 4
    assert "this is a bug in gnomon" in result.stderr
    assert __version__ in result.stderr
    assert "gnomon explain G0001" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("option", ["-v", "--verbose"])
def test_with_verbose_a_bug_has_its_traceback(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explain, "standard_output", fail)
    result = CliRunner().invoke(main, ["explain", "G0001", option])

    assert "Traceback" in result.stderr


def test_an_interrupt_has_its_own_status(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explain, "standard_output", interrupt)

    assert CliRunner().invoke(main, ["explain"]).exit_code == 130
