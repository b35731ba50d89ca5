"""Every example keeps what it promises: `gnomon test` holds each to what it expects of its formulae."""

from pathlib import Path

import pytest

from gnomon.checking.batch import ModelCase, Outcome, outcomes, run_cases
from gnomon.checking.load import load
from gnomon.checking.options import Options
from gnomon.language.format import format_text
from tests.e2e.process import program
from tests.support import EXAMPLES, ROOT

FILES = sorted(EXAMPLES.rglob("*.ispl"))
IDS = [path.relative_to(EXAMPLES).with_suffix("").as_posix() for path in FILES]
#: What MCMAS reads stays as it is, names in comments and all.
FOR_MCMAS = ("bit_transmission", "blind_guess")


def test_every_example_is_as_it_says() -> None:
    done = program("test", "examples", cwd=ROOT)
    out = done.stdout.decode()

    assert (0, b"") == (done.returncode, done.stderr), out
    models = [load(str(path)).model for path in FILES]
    formulae = sum(len(model.specifications) for model in models if model is not None)
    assert f"collected {len(FILES)} models" in out
    assert f"{formulae} passed, 1 warning in" in out
    # That is so, and worth saying: all the children together see everything.
    assert "examples/muddy_children.ispl::together_they_know: vacuous: children together" in out


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_an_example_raises_no_warning_is_formatted_and_names_its_formulae(path: Path) -> None:
    loaded = load(str(path))

    assert () == loaded.diagnostics
    assert format_text(loaded.source) == path.read_text(encoding="utf-8")
    assert loaded.model is not None
    assert all(formula.name for formula in loaded.model.specifications)


@pytest.mark.parametrize("name", FOR_MCMAS)
def test_what_mcmas_reads_names_its_formulae_in_comments(name: str) -> None:
    text = (EXAMPLES / f"{name}.ispl").read_text(encoding="utf-8")

    assert "--! " in text
    assert " expect false;" not in text


@pytest.mark.parametrize(("name", "n"), [("dining_cryptographers", 4), ("muddy_children", 5)])
def test_a_family_keeps_its_verdicts_at_other_sizes(name: str, n: int, tmp_path: Path) -> None:
    text = (EXAMPLES / f"{name}.ispl").read_text(encoding="utf-8")
    other = tmp_path / f"{name}.ispl"
    other.write_text(text.replace("  n = 3;", f"  n = {n};", 1), encoding="utf-8")
    (tested,) = run_cases([ModelCase(str(other))], Options(), 1)

    assert f"  n = {n};" in other.read_text(encoding="utf-8")
    assert {Outcome.PASSED} == set(outcomes(tested.result))
