"""Certificates that are checked from Python."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import gnomon
from tests.support import EXAMPLES

TICKETS = str(EXAMPLES / "tickets.ispl")
MUDDY = str(EXAMPLES / "muddy_children.ispl")
MUTEX = str(EXAMPLES / "parameterised" / "mutex.ispl")


@pytest.fixture(scope="module")
def model() -> gnomon.Model:
    return gnomon.load(TICKETS)


@pytest.fixture(scope="module")
def certificate(model: gnomon.Model) -> Any:
    return model.check(only=["not_negative", "may_fill_up"], certificate=True).certificate


def test_data_and_texts_and_files_are_certificates(
    model: gnomon.Model, certificate: Any, tmp_path: Path
) -> None:
    text = json.dumps(certificate)
    file = tmp_path / "proof.json"
    file.write_text(text, encoding="utf-8")

    for given in (certificate, [certificate], text, str(file), file):
        found = model.verify(given)
        assert found.all_proved
        assert ["not_negative", "may_fill_up"] == [proof.name for proof in found]


def test_a_forged_verdict_is_rejected_with_a_reason(model: gnomon.Model, certificate: Any) -> None:
    forged = copy.deepcopy(certificate)
    forged["verdicts"][0]["verdict"] = "false"
    found = model.verify(forged)

    assert not found.all_proved
    assert [False, True] == [proof.proved for proof in found]
    assert found[0].why
    assert "<2 verdicts: 1 proved, 1 rejected>" == repr(found)
    assert "but the proof is rejected: " in str(found)


def test_a_certificate_of_nothing_proves_nothing(model: gnomon.Model, certificate: Any) -> None:
    empty = copy.deepcopy(certificate)
    empty["verdicts"] = []

    with pytest.raises(ValueError, match="no complete certificate"):
        model.verify(empty)


def test_what_was_found_is_no_boolean(model: gnomon.Model, certificate: Any) -> None:
    with pytest.raises(TypeError, match=r"write `\.all_proved`"):
        bool(model.verify(certificate))


def test_a_verdict_that_is_none_of_the_four_proves_nothing(
    model: gnomon.Model, certificate: Any
) -> None:
    forged = copy.deepcopy(certificate)
    forged["verdicts"][0]["verdict"] = "perhaps"
    with pytest.raises(ValueError, match="a verdict that is none"):
        model.verify(forged)


def test_a_certificate_of_another_text_is_refused(certificate: Any) -> None:
    text = Path(TICKETS).read_text(encoding="utf-8")
    with pytest.raises(ValueError, match=r"another text than `t\.ispl`"):
        gnomon.load_text(text + "\n-- more", "t.ispl").verify(certificate)


def test_a_certificate_of_another_size_says_which() -> None:
    four = gnomon.load(MUDDY, n=4)
    proof: Any = four.check(only=1, certificate=True).certificate
    with pytest.raises(ValueError, match=r"model\.resized\(n=4\)\.verify"):
        gnomon.load(MUDDY, n=2).verify(proof)

    assert gnomon.load(MUDDY, n=2).resized(n=4).verify(proof).all_proved


def test_constants_that_are_set_to_what_they_are_make_no_difference() -> None:
    usual = gnomon.load(MUDDY)
    result = usual.check(only=1, certificate=True)
    proof: Any = result.certificate

    assert gnomon.load(MUDDY, **result.constants).verify(proof).all_proved


@pytest.mark.parametrize("given", ["{}", "[]", '{"format": "other"}', {}, []])
def test_what_is_no_certificate_is_refused(model: gnomon.Model, given: Any) -> None:
    with pytest.raises(ValueError, match="this is "):
        model.verify(given)


def test_nothing_is_no_certificate(model: gnomon.Model) -> None:
    without: Any = model.check("EF full").certificate
    with pytest.raises(TypeError, match=r"`check\(certificate=True\)` makes one"):
        model.verify(without)


def test_a_file_that_is_not_there_is_named(model: gnomon.Model, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.json"):
        model.verify(tmp_path / "none.json")


def test_a_model_that_was_built_has_no_text(certificate: Any) -> None:
    b = gnomon.SystemBuilder("still")
    b.agent("Hand", actions=["rest"]).otherwise("rest")
    with pytest.raises(gnomon.InputError, match=r"load_text\(model\.to_ispl\(\)\)"):
        b.build().verify(certificate)


def test_templates_have_certificates() -> None:
    model = gnomon.load(MUTEX)
    found = model.verify(model.check(certificate=True).certificate or {})  # type: ignore[arg-type]

    assert len(model.formulae) == len(found)
    assert all(proof.proved is not False for proof in found)
