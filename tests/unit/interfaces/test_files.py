import os
from pathlib import Path

import click
import pytest

from gnomon.interfaces.cli.files import OutputFile, write_whole


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
