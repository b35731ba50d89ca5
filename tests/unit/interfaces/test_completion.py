"""What a shell offers when Tab is pressed; whatever is on the line, it offers something or nothing."""

import os
from pathlib import Path

import pytest
from click.shell_completion import CompletionItem, ShellComplete

from gnomon.checking.attempts import Engine
from gnomon.interfaces.cli import completion
from gnomon.interfaces.cli.main import COMMANDS, main
from gnomon.text.codes import CODES
from tests.unit.results import samples

NAMED = samples.MODEL.replace("AF received;", "arrives[1,2] : AF received;", 1).replace(
    "Agent Environment", "Constants\n  n = 3;\n  k = n + 1;\nend Constants\nAgent Environment", 1
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # It is the limit of a command; a process that has run many tests may be larger from the start.
    monkeypatch.setattr(completion, "_MEGABYTES", 100_000.0)
    (tmp_path / "bits.ispl").write_text(NAMED, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    return tmp_path


def items(*words: str) -> list[CompletionItem]:
    *before, incomplete = words
    return ShellComplete(main, {}, "gnomon", "_GNOMON_COMPLETE").get_completions(before, incomplete)


def offered(*words: str) -> list[str]:
    return [item.value for item in items(*words)]


def test_commands_are_offered_without_importing_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.interfaces.cli.lazy_group.import_module", None)

    assert offered("ex") == [name for name in COMMANDS if name.startswith("ex")]
    assert items("che")[0].help == COMMANDS["check"]
    assert "--version" in offered("--")


def test_models_and_folders_are_offered_and_nothing_else() -> None:
    os.makedirs("more/deep")
    Path("more/deep/one.ispl").touch()
    Path("more/deep/two.ispl").touch()
    Path(".hidden.ispl").touch()

    assert offered("check", "") == ["bits.ispl", "more/"]
    assert offered("check", "bits.ispl", "b") == ["bits.ispl"]
    # A folder that is the only choice is looked into: a shell would put a blank after it.
    assert offered("show", "m") == ["more/deep/one.ispl", "more/deep/two.ispl"]
    assert offered("fmt", "more/deep/t") == ["more/deep/two.ispl"]
    assert offered("check", ".h") == [".hidden.ispl"]


@pytest.mark.parametrize("name", ["a b.ispl", "a$b.ispl", "a\x1b.ispl"])
def test_names_that_need_quotes_are_left_to_the_shell(name: str) -> None:
    Path(name).touch()

    assert [(item.value, item.type) for item in items("check", "a")] == [("a", "file")]


def test_without_models_all_files_are_offered() -> None:
    assert [item.type for item in items("check", "not")] == ["file"]
    assert [item.type for item in items("check", "no/such/")] == ["file"]
    assert [item.type for item in items("check", "bits.ispl", "-o", "")] == ["file"]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("--engine", "b"), ["bdd"]),
        (("--engine", ""), list(Engine.__args__)),  # type: ignore[attr-defined]
        (("--strategies", "uniform-"), ["uniform-subjective", "uniform-model"]),
        (("--expect", ""), ["declared", "true"]),
        (("--format", "js"), ["json", "jsonl"]),
    ],
)
def test_values_of_choices_are_offered(words: tuple[str, ...], wanted: list[str]) -> None:
    assert offered("check", *words) == wanted


def test_codes_are_offered_with_their_titles() -> None:
    assert offered("explain", "g020") == [code for code in CODES if code.startswith("G020")]
    assert items("explain", "G0206")[0].help == CODES["G0206"].title
    assert "G0407" in offered("check", "--deny", "G04")
    allowable = [code for code, entry in CODES.items() if entry.allowable]
    for option in ("--allow", "--deny"):
        assert offered("check", option, "G") == allowable
    assert "G0001" not in offered("check", "--deny", "")


@pytest.mark.parametrize("command", ["check", "explain-verdict"])
def test_names_of_formulae_are_offered_with_their_texts(command: str) -> None:
    found = items(command, "bits.ispl", "--only", "")

    assert [item.value for item in found] == ["1", "arrives[1,2]", "3", "4"]
    assert found[1].help == "AF received"
    assert offered(command, "bits.ispl", "--only", "arr") == ["arrives[1,2]"]


def test_the_formula_to_explain_is_offered() -> None:
    assert offered("explain-verdict", "bits.ispl", "a") == ["arrives[1,2]"]


def test_constants_are_offered_with_their_values() -> None:
    assert offered("check", "bits.ispl", "--set", "") == ["n=3", "k=4"]
    assert offered("check", "bits.ispl", "--set", "n=5", "--set", "k") == ["k=6"]
    assert offered("check", "bits.ispl", "--set", "n=5..9", "--set", "k") == ["k=6"]
    assert offered("show", "bits.ispl", "--set", "n=5", "--set", "k") == ["k=6"]


def test_groups_and_agents_are_offered() -> None:
    assert offered("check", "bits.ispl", "--uniform-group", "b") == ["both"]
    assert offered("explain-verdict", "bits.ispl", "--agents", "Se") == ["Sender"]
    assert offered("show", "bits.ispl", "--knowledge", "R") == ["Receiver"]


@pytest.mark.parametrize(
    "words",
    [
        ("--only", ""),
        ("-", "--only", ""),
        ("nothing.ispl", "--only", ""),
        ("notes.txt", "--only", ""),
        ("broken.ispl", "--only", ""),
        ("folder", "--only", ""),
        ("bits.ispl", "--set", "zork=1", "--only", ""),
        ("--set", "x=y=z", "--set", ""),
    ],
)
def test_where_no_model_can_be_read_nothing_is_offered_or_said(
    words: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    Path("broken.ispl").write_bytes(b"Agent \xff")
    os.mkdir("folder")

    assert offered("check", *words) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are none")
def test_nobody_waits_for_a_pipe() -> None:
    os.mkfifo("pipe.ispl")

    assert offered("check", "pipe.ispl", "--only", "") == []


def test_a_model_that_takes_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "_SECONDS", 1e-9)

    assert offered("check", "bits.ispl", "--only", "") == []
