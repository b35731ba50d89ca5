import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gnomon.interfaces.cli import fmt
from gnomon.language.line_writer import LineWriter
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


def test_other_line_ends_and_the_byte_order_mark_are_kept(model: str) -> None:
    for end in ("\r\n", "\r", "\n"):
        Path(model).write_bytes(b"\xef\xbb\xbf" + UNTIDY.replace("\n", end).encode())
        assert gnomon("fmt", model).stderr == "formatted bits.ispl\n"
        data = Path(model).read_bytes()

        assert data.startswith(b"\xef\xbb\xbf")
        assert data.decode("utf-8-sig").replace(end, "").isprintable()
        assert gnomon("fmt", "--check", model).exit_code == 0


def test_of_several_line_ends_the_usual_one_is_kept(model: str) -> None:
    Path(model).write_bytes(UNTIDY.replace("\n", "\r\n", 1).encode())
    gnomon("fmt", model)

    assert b"\r" not in Path(model).read_bytes()


COMMENTED = "-- é ∀ “quoted” … →\n" + MODEL


def test_comments_reach_standard_output_as_they_are_on_any_terminal(model: str) -> None:
    gnomon("fmt", model)
    expected = ("-- é ∀ “quoted” … →\n" + Path(model).read_text(encoding="utf-8")).encode()
    for encoding in ("ascii", "latin-1", "utf-8"):
        found = subprocess.run(
            [sys.executable, "-m", "gnomon", "fmt", "-"],
            input=COMMENTED.encode(),
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": encoding},
            check=True,
        )

        assert expected == found.stdout


def test_what_is_formatted_was_written_and_what_was_not_written_is_named(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one.ispl", "two.ispl"):
        Path(name).write_text(UNTIDY, encoding="utf-8")

    def write_some(path: str, text: str) -> None:
        if path == "one.ispl":
            msg = "cannot write `one.ispl`: no space left on device"
            raise click.ClickException(msg)
        Path(path).write_text(text, encoding="utf-8")

    monkeypatch.setattr(fmt, "write_whole", write_some)
    result = gnomon("fmt", "one.ispl", "two.ispl")

    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "Error: cannot write `one.ispl`: no space left on device",
        "formatted two.ispl",
    ]
    assert Path("one.ispl").read_text(encoding="utf-8") == UNTIDY
    assert Path("two.ispl").read_text(encoding="utf-8") != UNTIDY


def test_a_mistake_of_the_formatter_is_our_bug_and_leaves_the_file_alone(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out = LineWriter.finish

    def spoil(layout: LineWriter) -> str:
        return lay_out(layout).replace("spoil = 1", "spoil=2")

    monkeypatch.setattr(LineWriter, "finish", spoil)
    spoiled = UNTIDY.replace("Formulae", "Formulae EF Environment.spoil = 1;", 1)
    Path("bad.ispl").write_text(spoiled, encoding="utf-8")
    Path(model).write_text(UNTIDY, encoding="utf-8")
    result = gnomon("fmt", "bad.ispl", model)

    assert result.exit_code == 4
    assert "would change its tokens and comments" in result.stderr
    assert "bad.ispl" in result.stderr
    assert "this is a bug in gnomon" in result.stderr
    assert "formatted bits.ispl" in result.stderr
    assert Path("bad.ispl").read_text(encoding="utf-8") == spoiled


def test_a_file_that_was_destroyed_once_is_formatted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "Formulae\n  <P[z : 1..n where z < n]>X q;\nend Formulae\n"
    Path("once.ispl").write_text(text.replace("\n", " "), encoding="utf-8")

    assert gnomon("fmt", "once.ispl").exit_code == 0
    assert Path("once.ispl").read_text(encoding="utf-8") == text


def test_variables_in_for_are_beyond_mcmas(model: str) -> None:
    text = MODEL.replace("  Vars:", "  Vars: for i : 1..2: y[i] : 0..1; end for", 1)
    Path(model).write_text(text, encoding="utf-8")
    result = gnomon("fmt", "--mcmas", model)

    assert result.exit_code == 1
    assert "MCMAS does not read indexed names" in result.stderr


SAID = """Agent P
  Vars:
    x : boolean;
  end Vars
  Actions = { a };
  Protocol:
    Other : { a };
  end Protocol
  Evolution:
    x = true if Action = a;
  end Evolution
end Agent

Evaluation
  p if P.x = true;
end Evaluation

InitStates
  P.x = false;
end InitStates

Formulae
  bypass : AG p expect false;
  --! reach
  EF p expect true;

  -- nothing is said of this one
  AF p;
end Formulae
"""

FOR_MCMAS = SAID.replace(
    "  bypass : AG p expect false;", "  --! bypass expect false\n  AG p;"
).replace("  EF p expect true;", "  --! expect true\n  EF p;")


def test_names_and_expectations_stay_as_they_are(model: str) -> None:
    Path(model).write_text(SAID.replace(" : AG p  ", ":AG p"), encoding="utf-8")

    assert gnomon("fmt", model).exit_code == 0
    assert Path(model).read_text(encoding="utf-8") == SAID


def test_names_and_expectations_become_comments_for_mcmas(model: str) -> None:
    Path(model).write_text(SAID, encoding="utf-8")
    result = gnomon("fmt", "--mcmas", model)

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "formatted bits.ispl\n")
    assert Path(model).read_text(encoding="utf-8") == FOR_MCMAS
    assert gnomon("fmt", "--mcmas", model).stderr == ""


def test_for_mcmas_a_check_changes_nothing_and_says_what_would_be(model: str) -> None:
    Path(model).write_text(SAID, encoding="utf-8")
    result = gnomon("fmt", "--mcmas", "--check", model)

    assert result.exit_code == 1
    assert result.stderr.startswith("would change bits.ispl\n")
    assert 2 == result.stderr.count("MCMAS does not read names and expectations")
    assert Path(model).read_text(encoding="utf-8") == SAID


def test_for_mcmas_formulae_are_said_in_its_operators(model: str) -> None:
    formulae = "  AF<=2 p;\n  A(p W p);\n  [[P]]F p;\n"
    Path(model).write_text(SAID.replace("  AF p;\n", formulae), encoding="utf-8")
    result = gnomon("fmt", "--mcmas", "--check", model)

    assert 3 == result.stderr.count("MCMAS does not read") - 2
    assert 1 == result.stderr.count(
        "`gnomon fmt --mcmas` writes such formulae in MCMAS's operators"
    )
    assert gnomon("fmt", "--mcmas", model).exit_code == 0
    text = Path(model).read_text(encoding="utf-8")
    assert "  (p or AX (p or AX p));\n  !E((!p) U (!p and !p));\n  !<group1>G !p;\n" in text
    assert "Groups\n  group1 = { P };\nend Groups\n" in text


def test_for_mcmas_it_is_said_why_a_formula_has_no_words(model: str) -> None:
    formulae = "  <P>(p W p);\n  [[P]](p U p);\n  AF<=31 p;\n"
    Path(model).write_text(SAID.replace("  AF p;\n", formulae), encoding="utf-8")
    result = gnomon("fmt", "--mcmas", model)

    assert result.exit_code == 1
    assert 3 == result.stderr.count("MCMAS does not read")
    assert "MCMAS does not read `W` after a coalition" in result.stderr
    assert 2 == result.stderr.count("`gnomon export` has no words for it either")
    assert 1 == result.stderr.count("no more than 30 steps are written one inside the other")
    assert formulae in Path(model).read_text(encoding="utf-8")


def test_for_mcmas_nothing_else_is_changed(model: str) -> None:
    Path(model).write_bytes(UNTIDY.replace("\n", "\r\n", 3).encode())
    before = Path(model).read_bytes()

    assert gnomon("fmt", "--mcmas", model).exit_code == 0
    assert Path(model).read_bytes() == before


def test_for_mcmas_standard_input_goes_to_standard_output() -> None:
    assert gnomon("fmt", "--mcmas", "-", given=SAID).stdout == FOR_MCMAS


def test_families_of_names_become_comments_with_their_indices(model: str) -> None:
    named = (
        "  for i : 1..2:\n    safe[i] : EF p;\n  end for\n  more[i : 1..2] : AF p expect true;\n"
    )
    Path(model).write_text(SAID.replace("  AF p;\n", named), encoding="utf-8")
    gnomon("fmt", "--mcmas", model)
    text = Path(model).read_text(encoding="utf-8")

    assert "    --! safe[i]\n    EF p;\n" in text
    assert "  --! more[i : 1..2] expect true\n  AF p;\n" in text


def test_for_is_beyond_mcmas(model: str) -> None:
    Path(model).write_text(SAID.replace("AF p;", "for i : 1..2: AF p; end for"), encoding="utf-8")
    result = gnomon("fmt", "--mcmas", model)

    assert result.exit_code == 1
    assert "MCMAS does not read `for`" in result.stderr
