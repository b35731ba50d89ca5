import os
from pathlib import Path

import click
import pytest

from gnomon.interfaces.cli.files import OutputFile, keep_apart, write_whole


def test_a_file_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    with OutputFile(str(target)) as file:
        assert not target.exists()
        file.commit("done")
        assert target.read_text() == "done"

    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_what_goes_wrong_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")
    with pytest.raises(KeyError), OutputFile(str(target)):
        raise KeyError

    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_a_place_that_cannot_be_written_is_reported_at_once(tmp_path: Path) -> None:
    with pytest.raises(click.ClickException, match="cannot write"):
        OutputFile(str(tmp_path / "no" / "such" / "folder"))


def test_permissions_and_links_are_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "real", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_whole(str(link), "new")

    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_whole(os.devnull, "anything")

    assert not Path(os.devnull).is_file()


def test_the_permissions_are_those_of_new_files_or_of_the_old_one(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_text("old")
    old.chmod(0o604)
    mask = os.umask(0o027)
    try:
        for path in (new, old):
            write_whole(str(path), "text")
    finally:
        os.umask(mask)

    assert (0o640, 0o604) == (new.stat().st_mode & 0o777, old.stat().st_mode & 0o777)


def test_a_write_that_fails_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    target = tmp_path / "out"
    target.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(click.ClickException, match="no space left on device"):
        write_whole(str(target), "new")

    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_signal_between_making_a_file_and_using_it_leaves_none(tmp_path: Path) -> None:
    file = OutputFile(str(tmp_path / "out"))
    assert len(list(tmp_path.iterdir())) == 1
    del file

    assert list(tmp_path.iterdir()) == []


def test_another_process_leaves_the_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OutputFile(str(tmp_path / "out")) as file:
        monkeypatch.setattr(os, "getpid", lambda: 1)
        assert file._file is not None
        file._file.discard()

    assert len(list(tmp_path.iterdir())) == 1


def test_no_character_is_lost_that_has_no_bytes(tmp_path: Path) -> None:
    write_whole(str(tmp_path / "out"), "a\udcff")

    assert (tmp_path / "out").read_bytes() == b"a\\udcff"


@pytest.mark.parametrize(
    ("inputs", "outputs"),
    [
        (["a"], {"-o": "a"}),
        (["a"], {"-o": "./a"}),
        (["b", "a"], {"-o": "c", "--certificate": "a"}),
        (["a"], {"-o": "link"}),
        (["a"], {"-o": "hard"}),
        (["link"], {"-o": "hard"}),
        (["b"], {"-o": "new", "--certificate": "./new"}),
        (["b"], {"-o": "a", "--certificate": "hard"}),
        (["b"], {"-o": "-", "--certificate": "-"}),
    ],
)
def test_outputs_are_no_inputs_and_different(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    inputs: list[str],
    outputs: dict[str, str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        Path(name).touch()
    os.symlink("a", "link")
    os.link("a", "hard")

    with pytest.raises(click.UsageError, match=r"would overwrite|both write to"):
        keep_apart(inputs, outputs)


@pytest.mark.parametrize(
    "outputs",
    [
        {"-o": None, "--certificate": None},
        {"-o": "-"},
        {"-o": "new", "--certificate": "other"},
        {"-o": os.devnull, "--certificate": os.devnull},
        {"-o": "\0", "--certificate": "\ud800"},  # reported when they are opened
    ],
)
def test_other_outputs_are_welcome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outputs: dict[str, str | None]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a").touch()

    keep_apart(["a", "gone", "-", None], outputs)
