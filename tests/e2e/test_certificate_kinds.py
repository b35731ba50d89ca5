"""Whoever makes a certificate, of whatever kind of model: it has the published shape, and is accepted."""

import json
from pathlib import Path

import pytest

import gnomon
from gnomon.checking.supervise import work_here
from tests.e2e.cli import gnomon as run
from tests.e2e.test_cli_open_certificates import MODEL as WORKERS
from tests.unit.results.schemas import validate

FINITE = """
Constants most = 2; end Constants
Agent P
  Vars: n : 0..most; on : boolean; end Vars
  Actions = { go, stay };
  Protocol: Other : { go, stay }; end Protocol
  Evolution:
    n = n + 1 if Action = go and n < most;
    on = true if n = most;
  end Evolution
end Agent
Evaluation full if P.n = most; on if P.on; end Evaluation
Groups g = { P }; end Groups
InitStates P.n = 0 and P.on = false; end InitStates
Formulae EF full; AG EF on; AF full; <g>F on; K(P, !on); AG !(P.n = 1); end Formulae
"""
UNBOUNDED = (
    FINITE.replace("0..most", "int").replace("and n < most", "").replace("AG EF on; AF", "AF")
)
#: By kind: the text, a constant, formulae of its own by number that have proofs, and some to be typed.
KINDS = {
    "finite": (FINITE, (1, 2, 3, 4, 5, 6), ("EF (full and on)", "AG (on -> full)", "<g>G !on")),
    "unbounded": (UNBOUNDED, (1, 2), ("EF (full and on)", "EF P.n = 3", "AG P.n < 2")),
    "parameterised": (
        WORKERS,
        (1, 2, 3),
        (
            "AG !(exists i : Worker (i.at = inside and Environment.free = true))",
            "EF (exists i : Worker (i.at = inside))",
        ),
    ),
}
KIND = pytest.mark.parametrize("kind", KINDS)
CONSTANTS = pytest.mark.parametrize("most", [None, 3])
TYPED = pytest.mark.parametrize("typed", [False, True], ids=["own", "typed"])


def accepted(model: Path, proofs: Path, verdicts: int) -> None:
    found = run("verify-certificate", str(model), str(proofs))

    assert (0, f"{verdicts} verdicts: {verdicts} proved") == (
        found.exit_code,
        found.stdout.strip().splitlines()[-1].partition(" (")[0],
    ), found.output
    validate("certificate", proofs.read_text())


@KIND
@CONSTANTS
@TYPED
def test_what_is_made_in_python_is_accepted(
    kind: str, most: int | None, typed: bool, tmp_path: Path
) -> None:
    text, own, others = KINDS[kind]
    path, proofs = tmp_path / "m.ispl", tmp_path / "proofs.json"
    path.write_text(text)
    model = gnomon.load(str(path), **({} if most is None else {"most": most}))
    result = (
        model.check(*others, certificate=True) if typed else model.check(certificate=True, only=own)
    )
    proofs.write_text(json.dumps(result.certificate))

    accepted(path, proofs, len(others if typed else own))


@KIND
@CONSTANTS
@TYPED
def test_what_is_made_by_the_command_is_accepted(
    kind: str, most: int | None, typed: bool, tmp_path: Path
) -> None:
    text, own, others = KINDS[kind]
    path, proofs = tmp_path / "m.ispl", tmp_path / "proofs.json"
    path.write_text(text)
    asked = [("--formula", each) for each in others] if typed else [("--only", str(n)) for n in own]
    constants = () if most is None else ("--set", f"most={most}")
    words = [word for pair in asked for word in pair]
    run("check", str(path), *words, *constants, "--certificate", str(proofs))

    accepted(path, proofs, len(others if typed else own))


def test_a_bug_of_ours_is_no_bad_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, proofs = tmp_path / "m.ispl", tmp_path / "proofs.json"
    path.write_text(FINITE)
    run("check", str(path), "--only", "1", "--certificate", str(proofs))

    for error in (AssertionError, KeyError, TypeError, ValueError, RecursionError):

        def broken(*_: object, error: type[Exception] = error, **__: object) -> None:
            raise error("it is our fault")

        monkeypatch.setattr("gnomon.certificate.system_rules.replay", broken)
        with work_here():
            found = run("verify-certificate", str(path), str(proofs))

        assert (4, False) == (found.exit_code, "rejected" in found.output)


@pytest.mark.parametrize("reading", ["uniform", "uniform-subjective"])
def test_what_members_do_by_what_they_see_is_accepted(reading: str, tmp_path: Path) -> None:
    path, proofs = tmp_path / "m.ispl", tmp_path / "proofs.json"
    path.write_text(UNBOUNDED)
    asked = ("--formula", "<g>F on", "--formula", "AG <g>G P.n >= 0", "--formula", "<g>F P.n < 0")
    how = ("--engine", "abstraction", "--strategies", reading, "--certificate", str(proofs))
    run("check", str(path), *asked, *how)

    accepted(path, proofs, 3)
    assert any(
        "strategies" in label
        for verdict in json.loads(proofs.read_text())["verdicts"]
        for label in verdict["proof"].get("labels", ())
    )


#: Only the porter opens, and need not; one goes through at a time.
PORTER = """
Environment
  Vars: open : boolean = false; end Vars
  Actions = { unlock, doze };
  Sync = { pass : one };
  Protocol: open = false : { unlock, doze }; open = true : { pass, doze }; end Protocol
  Evolution: open = true if Action = unlock; end Evolution
end Environment
Template Guest
  Vars: at : { out, in } = out; end Vars
  Actions = { walk };
  Sync = { pass };
  Protocol: at = out : { pass, walk }; end Protocol
  Evolution: at = in if Action = pass; end Evolution
end Template
Evaluation open if Environment.open = true; end Evaluation
Formulae
  AG forall g : Guest (g.at = in or !K(g, open));
  EF exists g : Guest (!K(g, !open));
  AF AG open;
  <Environment>G !open;
  <Guest>F open;
  forall g : Guest (<g>F g.at = in);
  <Guest>F (open or exists g : Guest (g.at = out));
end Formulae
"""


def test_all_rules_for_any_number_of_agents_have_the_published_shape(tmp_path: Path) -> None:
    path, proofs = tmp_path / "m.ispl", tmp_path / "proofs.json"
    path.write_text(PORTER)
    result = gnomon.load(str(path)).check(certificate=True)
    text = json.dumps(result.certificate)
    proofs.write_text(text)
    kinds = [entry["proof"]["kind"] for entry in json.loads(text)["verdicts"]]

    assert kinds == [
        "look-alikes",
        "look-alikes",
        "population-lasso",
        "counted-game",
        "counted-defeat",
        "population-answers",
        "population-strategy",
    ]
    accepted(path, proofs, len(kinds))
