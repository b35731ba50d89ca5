from pathlib import Path

from tests.e2e.cli import gnomon, model
from tests.unit.results.samples import MODEL

__all__ = ["model"]

UNTIDY = MODEL.replace("    channel : {up, down};", "channel:{up,down}   ;")


def test_a_file_is_formatted_in_place(model: str) -> None:
    Path(model).write_text(UNTIDY, encoding="utf-8")
    result = gnomon("fmt", model)

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "formatted bits.ispl\n")
    assert "    channel : { up, down };" in Path(model).read_text(encoding="utf-8")
    assert gnomon("fmt", model).stderr == ""


def test_check_changes_nothing_and_names_the_files(model: str) -> None:
    Path(model).write_text(UNTIDY, encoding="utf-8")
    result = gnomon("fmt", "--check", model)

    assert (result.exit_code, result.stderr) == (1, "would change bits.ispl\n")
    assert Path(model).read_text(encoding="utf-8") == UNTIDY


def test_check_is_content_with_what_is_formatted(model: str) -> None:
    gnomon("fmt", model)

    assert gnomon("fmt", "--check", model).exit_code == 0


def test_standard_input_is_formatted_to_standard_output(model: str) -> None:
    gnomon("fmt", model)

    assert gnomon("fmt", "-", given=UNTIDY).stdout == Path(model).read_text(encoding="utf-8")


def test_a_file_with_errors_is_left_alone_and_the_others_are_formatted(model: str) -> None:
    Path("bad.ispl").write_text("Agent A oops", encoding="utf-8")
    Path(model).write_text(UNTIDY, encoding="utf-8")
    result = gnomon("fmt", "bad.ispl", "gone.ispl", model)

    assert result.exit_code == 2
    assert Path("bad.ispl").read_text(encoding="utf-8") == "Agent A oops"
    assert "gone.ispl" in result.stderr
    assert "formatted bits.ispl" in result.stderr


def test_line_ends_are_kept(model: str) -> None:
    Path(model).write_bytes(UNTIDY.replace("\n", "\r\n").encode())
    gnomon("fmt", model)
    data = Path(model).read_bytes()

    assert data.count(b"\n") == data.count(b"\r\n") > 10
