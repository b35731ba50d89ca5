"""What `SystemBuilder.build()` gives: a model like any other."""

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given

import gnomon
from gnomon.interfaces.cli.export import command
from gnomon.model.translation import CannotExport
from tests.contract.test_ways import asking
from tests.contract.ways import WAYS, CannotBuild
from tests.support import EXAMPLES, VACUOUS
from tests.systems import examples, seeds


def lamp(*, semantics: str = "SingleAssignment") -> gnomon.Model:
    b = gnomon.SystemBuilder("lamp", semantics=semantics)  # type: ignore[arg-type]
    room = b.environment(actions=["wait"])
    room.otherwise("wait")
    lit = room.boolean("lit")
    hand = b.agent("Hand[1]", actions=["press", "rest"])
    hand.otherwise("press", "rest")
    room.evolve({lit: True}, when=hand.does("press"))
    b.proposition("lit", lit)
    b.formula("EF lit", name="can", expect=True)
    b.formula("AF lit", expect=False)
    return b.build(initial=~lit)


def test_what_is_built_is_a_model_like_any_other() -> None:
    model = lamp()

    assert isinstance(model, gnomon.Model)
    assert "<finite model lamp>" == repr(model)
    assert [True, False] == [answer.holds for answer in model.check()]
    assert model.check().as_expected
    assert "digraph" in model.graph().dot()
    assert (("Hand[1]",),) == model.who("F lit").holding()
    assert model.coverage().parts
    assert "lamp" in str(model)


def test_what_took_systems_takes_built_models_and_systems() -> None:
    model = lamp()

    for each in (model, model.system, gnomon.Model(model), gnomon.Model(model.system)):
        assert [True, False] == [answer.holds for answer in gnomon.check(each)]


def test_what_a_bare_system_had_is_found_with_a_warning_and_nothing_else_is() -> None:
    model = lamp()
    with pytest.warns(DeprecationWarning, match=r"write `\.system\.variables`") as caught:
        variables = model.variables  # type: ignore[attr-defined]

    assert model.system.variables == variables
    assert __file__ == caught[0].filename
    with pytest.raises(AttributeError, match="no attribute 'chek'"):
        _ = model.chek  # type: ignore[attr-defined]


def test_the_former_name_of_to_ispl_warns_and_works() -> None:
    with pytest.warns(DeprecationWarning, match="to_ispl") as caught:
        text = lamp().ispl()

    assert lamp().to_ispl() == text
    assert __file__ == caught[0].filename


def test_a_built_model_can_be_kept_as_a_program(tmp_path: Path) -> None:
    model, path = lamp(), tmp_path / "lamp.ispl"
    model.export(path)
    again = gnomon.load(str(path))

    assert model.to_ispl() == path.read_text()
    assert ["can", ""] == [answer.name for answer in again.check()]
    assert [True, False] == [answer.holds for answer in again.check()]
    assert again.check(certificate=True).certificate is not None


def test_a_file_appears_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lamp.ispl"
    path.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        lamp().export(path)

    assert "before" == path.read_text()
    assert [path] == list(tmp_path.iterdir())


@pytest.mark.parametrize("place", ["", "none/x.ispl", "\0"])
def test_a_place_that_cannot_be_written_to_is_an_error(tmp_path: Path, place: str) -> None:
    with pytest.raises((OSError, ValueError)):
        lamp().export(f"{tmp_path}/{place}")


def test_a_model_is_exported_to_every_kind_of_path_and_not_to_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = gnomon.load(str(EXAMPLES / "tickets.ispl"))
    monkeypatch.chdir(tmp_path)
    paths: list[Any] = ["a.ispl", b"b.ispl", tmp_path / "c.ispl"]
    for path in paths:
        model.export(path)
    with pytest.raises(FileNotFoundError):
        model.export("")

    assert ["a.ispl", "b.ispl", "c.ispl"] == sorted(os.listdir(tmp_path))
    assert {model.to_ispl()} == {path.read_text() for path in tmp_path.iterdir()}


def test_a_family_is_exported_at_its_size() -> None:
    three = gnomon.load(str(EXAMPLES / "muddy_children.ispl"), n=3)

    assert "Agent Child_3" in three.to_ispl()
    assert "Agent Child_4" not in three.to_ispl()


def test_the_help_of_the_command_says_what_it_writes_and_how_python_does_the_same() -> None:
    said = " ".join((command.help or "").split())

    assert "plain ISPL program" in said
    assert "Families are written out" in said
    assert 'model.export("file.ispl")' in said


def test_templates_are_exported_with_a_number_of_agents() -> None:
    model = gnomon.load(str(EXAMPLES / "parameterised" / "mutex.ispl"))
    assert isinstance(model, gnomon.OpenModel)
    with pytest.raises(ValueError, match=r"with_agents\(.*=3.*\)\.to_ispl\(\)"):
        model.to_ispl()

    template = model.open.templates[0].name
    assert "Agent" in model.with_agents(**{template: 2}).to_ispl()


@given(seed=seeds)
@examples(60)
def test_what_is_built_says_the_same_when_it_is_written_and_read(seed: int) -> None:
    try:
        model = gnomon.Model(WAYS["built"](asking(Random(seed))))
        again = gnomon.load_text(model.to_ispl())
    except (CannotBuild, CannotExport):
        return
    values, written = (
        [answer.value for answer in each.check(allow=VACUOUS)] for each in (model, again)
    )

    assert values == written
