"""`gnomon check --certificate` and `gnomon verify-certificate`, as they are typed."""

import json
from pathlib import Path

import pytest

from tests.e2e.cli import gnomon
from tests.support import EXAMPLES

MODEL = str(EXAMPLES / "bit_transmission.ispl")


@pytest.fixture
def proofs(tmp_path: Path) -> Path:
    path = tmp_path / "proofs.json"
    gnomon("check", MODEL, "--certificate", str(path))
    return path


def test_every_verdict_is_proved(proofs: Path) -> None:
    found = gnomon("verify-certificate", MODEL, str(proofs))
    assert found.exit_code == 0
    assert "8 verdicts: 8 proved" in found.stdout


def test_a_changed_verdict_is_rejected(proofs: Path) -> None:
    data = json.loads(proofs.read_text())
    data["verdicts"][0]["verdict"] = "false"
    proofs.write_text(json.dumps(data))
    found = gnomon("verify-certificate", MODEL, str(proofs))
    assert found.exit_code == 1
    assert "false, but the proof is rejected" in found.stdout
    assert "7 proved, 1 rejected" in found.stdout


def test_a_state_that_is_left_out_is_noticed(proofs: Path) -> None:
    data = json.loads(proofs.read_text())
    data["space"]["states"].pop()
    data["space"]["parents"].pop()
    proofs.write_text(json.dumps(data))
    found = gnomon("verify-certificate", MODEL, str(proofs))
    assert found.exit_code == 1
    assert "a reachable state is not listed" in found.stdout


def test_json(proofs: Path) -> None:
    found = gnomon("verify-certificate", MODEL, str(proofs), "--json")
    assert [entry["proof"] for entry in json.loads(found.stdout)["verdicts"]] == ["proved"] * 8


def test_another_model_is_refused(proofs: Path) -> None:
    other = str(EXAMPLES / "dining_cryptographers.ispl")
    found = gnomon("verify-certificate", other, str(proofs))
    assert found.exit_code == 2
    assert "for another text" in found.stderr


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "[1]", '{"format": "gnomon-certificate"}'])
def test_what_is_no_certificate(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    found = gnomon("verify-certificate", MODEL, str(path))
    assert found.exit_code == 2
    assert "bad.json" in found.stderr or "another text" in found.stderr


def test_a_missing_file() -> None:
    found = gnomon("verify-certificate", MODEL, "nowhere.json")
    assert found.exit_code == 2
    assert "cannot read `nowhere.json`" in found.stderr


def test_constants_and_typed_formulae(tmp_path: Path) -> None:
    model, path = str(EXAMPLES / "games" / "tian_ji.ispl"), tmp_path / "proofs.json"
    asked = ["--formula", "<tianji>F wins", "--formula", "<king>G !wins"]
    gnomon(
        "check",
        model,
        "--set",
        "n=4",
        *asked,
        "--strategies",
        "uniform",
        "--certificate",
        str(path),
    )
    found = gnomon("verify-certificate", model, str(path))
    assert found.exit_code == 0, found.stdout
    assert "2 verdicts: 2 proved" in found.stdout


def test_a_verdict_without_a_proof_says_why(tmp_path: Path) -> None:
    model, path = str(EXAMPLES / "games" / "simple_voting.ispl"), tmp_path / "proofs.json"
    gnomon("check", model, "--set", "voters=4", "--only", "4", "--certificate", str(path))
    found = gnomon("verify-certificate", model, str(path))
    assert found.exit_code == 3
    assert "more than 20,000 of them" in " ".join(found.stdout.split())


def test_several_models_in_one_file(tmp_path: Path) -> None:
    other, path = str(EXAMPLES / "blind_guess.ispl"), tmp_path / "proofs.json"
    gnomon("check", MODEL, other, "--certificate", str(path))
    assert gnomon("verify-certificate", other, str(path)).exit_code in {0, 3}
    assert gnomon("verify-certificate", MODEL, str(path)).exit_code == 0


def test_all_sizes_of_a_family_are_verified(tmp_path: Path) -> None:
    model, path = str(EXAMPLES / "muddy_children.ispl"), tmp_path / "proofs.json"
    asked = ("--only", "muddy_finds_out", "--set", "n=2..3")
    gnomon("check", model, *asked, "--certificate", str(path))
    found = gnomon("verify-certificate", model, str(path))
    assert found.exit_code == 0
    assert found.stdout.count("1 verdict: 1 proved") == 2
    two, three = json.loads(gnomon("verify-certificate", model, str(path), "--json").stdout)
    assert (two["constants"], three["constants"]) == ({"n": 2}, {"n": 3})

    data = json.loads(path.read_text())
    data[1]["verdicts"][0]["name"] = "all_find_out"
    path.write_text(json.dumps(data))
    found = gnomon("verify-certificate", model, str(path))
    assert found.exit_code == 1
    assert "1 verdict: 1 proved" in found.stdout and "1 verdict: 1 rejected" in found.stdout


def test_a_certificate_that_cannot_be_written_is_known_at_once(tmp_path: Path) -> None:
    found = gnomon("check", MODEL, "--certificate", str(tmp_path / "no" / "where.json"))
    assert found.exit_code == 2
    assert "cannot write" in found.stderr
    assert not found.stdout


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\0" * 4096, "it does not begin like JSON"),
        (b'["gnomon-certificate"' + b" " * (65 << 20), "it is larger than 64 MB"),
        (b'["gnomon-certificate", ' + b"7" * 500_000 + b"]", "it has a number of 500,000 digits"),
        (b'["gnomon-certificate", \xff]', "is no certificate"),
        (b'{"a": 1}', "it does not say that it is one of gnomon's"),
        (b'["gnomon-certificate", ' + b"[" * 100_000, "recursion"),
    ],
    ids=["zeros", "large", "digits", "bytes", "other", "deep"],
)
def test_what_can_be_no_certificate_is_refused_at_once(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(data)
    found = gnomon("verify-certificate", MODEL, str(path))

    assert found.exit_code == 2
    assert reason in found.stderr


def test_reading_a_long_certificate_takes_time_as_well(proofs: Path) -> None:
    proofs.write_text(proofs.read_text() + " " * (2 << 20))
    found = gnomon("verify-certificate", MODEL, str(proofs), "--timeout", "1e-9")

    assert found.exit_code == 3
    assert "was not read to its end: the time limit of 1e-09 s was reached" in found.stderr


def test_what_is_wrong_is_said_in_few_words(proofs: Path) -> None:
    data = json.loads(proofs.read_text())
    data["labels"] = [{"formula": "x" * 10**6, "fair": ["y" * 10**6]}]
    for entry in data["verdicts"]:
        entry["proof"] = {"kind": "labels" + "z" * 10**6}
    proofs.write_text(json.dumps(data))
    for form in ([], ["--json"]):
        found = gnomon("verify-certificate", MODEL, str(proofs), *form)
        assert found.exit_code == 1
        assert len(found.stdout) < 20_000


NAMED = """
Agent P
  Vars: x : boolean; end Vars
  Actions = { a };
  Protocol: Other : { a }; end Protocol
  Evolution: x = true if Action = a; end Evolution
end Agent
Evaluation p if P.x = true; end Evaluation
InitStates P.x = false; end InitStates
Formulae
  bypass : AG p expect false;
  EF p;
end Formulae
"""


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("named.ispl").write_text(NAMED, encoding="utf-8")


def altered(asked: tuple[str, ...], **changes: object) -> str:
    """Check a model, change the certificate of its first verdict, and return what is said of that."""
    gnomon("check", "named.ispl", *asked, "--certificate", "proofs.json")
    data = json.loads(Path("proofs.json").read_text(encoding="utf-8"))
    for key, value in changes.items():
        data["verdicts"][0][key] = value
    Path("proofs.json").write_text(json.dumps(data), encoding="utf-8")
    found = gnomon("verify-certificate", "named.ispl", "proofs.json")
    return found.stdout + found.stderr


@pytest.mark.usefixtures("named")
def test_names_stand_where_numbers_did() -> None:
    said = altered(())

    assert "✓ bypass  AG p\n     false, proved\n✓ 2  EF p\n" in said
    data = gnomon("verify-certificate", "named.ispl", "proofs.json", "--json").stdout
    assert ["bypass", None] == [entry["name"] for entry in json.loads(data)["verdicts"]]


@pytest.mark.usefixtures("named")
def test_the_name_of_another_formula_is_rejected() -> None:
    assert "the formula has another name" in altered((), name="approved")
    mine = ("--formula", "mine : EF p")
    assert "✓ mine  EF p" in altered(mine)
    assert "its name is that of another formula of" in altered(mine, name="bypass")


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize("name", ["2", "", "a b", "\u001b[2J", "x" * 10 + "[", 3, [], True])
def test_what_is_no_name_makes_no_certificate(name: object) -> None:
    assert "is no complete certificate" in altered((), name=name)


@pytest.mark.usefixtures("named")
def test_a_certificate_of_old_has_no_names_and_is_accepted() -> None:
    gnomon("check", "named.ispl", "--certificate", "proofs.json")
    data = json.loads(Path("proofs.json").read_text(encoding="utf-8"))
    for entry in data["verdicts"]:
        del entry["name"]
    Path("proofs.json").write_text(json.dumps(data), encoding="utf-8")

    assert gnomon("verify-certificate", "named.ispl", "proofs.json").exit_code == 0


def test_names_are_looked_at_for_any_number_of_agents_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (EXAMPLES / "parameterised" / "mutex.ispl").read_text(encoding="utf-8")
    Path("named.ispl").write_text(text, encoding="utf-8")

    assert "✓ exclusive  AG !clash" in altered(())
    assert "the formula has another name" in altered((), name="second")
