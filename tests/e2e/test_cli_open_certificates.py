"""`gnomon check --certificate` and `gnomon verify-certificate` for any number of agents."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.cli import gnomon

MODEL = """
Constants most = 3; end Constants

Types Level : 0..most; end Types

Environment
  Vars: free : boolean; load : 0..most; end Vars
  Actions = { drain };
  Sync = { enter : one, leave };
  Protocol:
    load > 0 : { drain };
    free = true : { enter };
    free = false : { leave };
  end Protocol
  Evolution:
    load = load - 1 if Action = drain;
    load = load + 1 and free = false if Action = enter;
    free = true if Action = leave;
  end Evolution
end Environment

Template Worker
  Vars: at : { outside, inside }; end Vars
  Sync = { enter, leave };
  Protocol:
    at = outside : { enter };
    at = inside : { leave };
  end Protocol
  Evolution:
    at = inside if Action = enter;
    at = outside if Action = leave;
  end Evolution
end Template

Evaluation
  clash if exists i : Worker (exists j : Worker (i != j and i.at = inside and j.at = inside));
  full if exists i : Worker (i.at = inside and Environment.load = most);
end Evaluation

InitStates
  Environment.free = true and Environment.load = 0 and Worker.at = outside;
end InitStates

Formulae
  AG !clash;
  EF full;
  AG (Worker.at = inside -> K(Worker, Environment.load = 1));
  AG (Worker.at = inside -> K(Worker, Worker.at = inside));
end Formulae
"""


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "workers.ispl"
    path.write_text(MODEL, encoding="utf-8")
    return str(path)


@pytest.fixture
def proofs(tmp_path: Path, model: str) -> Path:
    path = tmp_path / "proofs.json"
    found = gnomon("check", model, "--certificate", str(path))
    assert found.exit_code == 1, found.output
    return path


def tampered(proofs: Path, change: Callable[[Any], None]) -> None:
    data = json.loads(proofs.read_text())
    change(data)
    proofs.write_text(json.dumps(data))


def test_every_verdict_that_has_a_proof_is_proved(model: str, proofs: Path) -> None:
    found = gnomon("verify-certificate", model, str(proofs))
    assert found.exit_code == 0
    assert "✓ 1  AG !clash\n     true, proved" in found.stdout
    assert "✓ 2  EF full\n     true, proved" in found.stdout
    assert "K(Worker, Environment.load = 1))\n     false, proved" in found.stdout
    assert "K(Worker, Worker.at = inside))\n     true, proved" in found.stdout
    assert "4 verdicts: 4 proved" in found.stdout


def test_formulae_that_are_left_out_are_counted(model: str, proofs: Path) -> None:
    gnomon("check", model, "--only", "1", "--certificate", str(proofs))
    found = gnomon("verify-certificate", model, str(proofs))
    assert found.exit_code == 0
    assert "1 verdict: 1 proved (the model has 4 formulae)" in found.stdout


def test_json(model: str, proofs: Path) -> None:
    found = gnomon("verify-certificate", model, str(proofs), "--json")
    said = [entry["proof"] for entry in json.loads(found.stdout)["verdicts"]]
    assert said == ["proved", "proved", "proved", "proved"]


def test_certificates_have_the_same_outside_as_others(proofs: Path) -> None:
    data = json.loads(proofs.read_text())
    assert data["format"] == "gnomon-certificate"
    assert data["space"] is None
    assert data["labels"] == []
    kinds = [entry["proof"] and entry["proof"]["kind"] for entry in data["verdicts"]]
    assert kinds == ["invariant", "population-run", "population-run", "views"]


def test_a_changed_verdict_is_rejected(model: str, proofs: Path) -> None:
    def change(data: Any) -> None:
        data["verdicts"][0]["verdict"] = "false"

    tampered(proofs, change)
    found = gnomon("verify-certificate", model, str(proofs))
    assert found.exit_code == 1
    assert "an invariant shows the opposite" in found.stdout


def test_a_cube_that_is_left_out_is_noticed(model: str, proofs: Path) -> None:
    def change(data: Any) -> None:
        data["verdicts"][0]["proof"]["invariant"]["cubes"].pop()

    tampered(proofs, change)
    found = gnomon("verify-certificate", model, str(proofs))
    assert found.exit_code == 1
    assert "it is not an invariant" in found.stdout or "does not exclude" in found.stdout


def test_an_event_that_is_left_out_is_noticed(model: str, proofs: Path) -> None:
    def change(data: Any) -> None:
        data["verdicts"][1]["proof"]["runs"][0]["events"].pop(0)

    tampered(proofs, change)
    found = gnomon("verify-certificate", model, str(proofs))
    assert found.exit_code == 1
    assert "event 1 cannot happen" in found.stdout


def test_a_formula_that_is_not_there(model: str, proofs: Path) -> None:
    def change(data: Any) -> None:
        data["verdicts"][0]["index"] = 9

    tampered(proofs, change)
    found = gnomon("verify-certificate", model, str(proofs))
    assert found.exit_code == 1
    assert "the model has no formula 9" in found.stdout


def test_a_formula_that_was_typed(model: str, proofs: Path) -> None:
    asked = "AG !(exists i : Worker (i.at = inside and Environment.free = true))"
    gnomon("check", model, "--formula", asked, "--certificate", str(proofs))
    found = gnomon("verify-certificate", model, str(proofs))
    assert found.exit_code == 0, found.stdout
    assert "1 verdict: 1 proved" in found.stdout

    def change(data: Any) -> None:
        data["verdicts"][0]["formula"] = "AG !("

    tampered(proofs, change)
    found = gnomon("verify-certificate", model, str(proofs))
    assert found.exit_code == 1
    assert "its formula cannot be read" in found.stdout


def test_constants(model: str, proofs: Path) -> None:
    """A run for one value of a constant is none for another."""
    asked = ["--only", "2", "--set", "most=1", "--certificate", str(proofs)]
    gnomon("check", model, *asked)
    found = gnomon("verify-certificate", model, str(proofs))
    assert found.exit_code == 0, found.stdout
    assert "with most = 1" in found.stdout

    def change(data: Any) -> None:
        data["constants"] = {"most": 2}

    tampered(proofs, change)
    assert gnomon("verify-certificate", model, str(proofs)).exit_code == 1


def test_time_that_is_up_leaves_it_open(model: str, proofs: Path) -> None:
    found = gnomon("verify-certificate", model, str(proofs), "--timeout", "0.000001")
    assert found.exit_code == 3
    assert "the time limit" in found.stdout + found.stderr
