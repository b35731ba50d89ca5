"""Files: models of the folder that is open are read, watched and saved when told; nothing else is touched."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gnomon.interfaces.studio.folder import MOST_BYTES, FileConflict, StudioFolder
from gnomon.workbench.failure import RequestFailed
from tests.studio.running import Failed, Page, Running, studio, until


@pytest.fixture
def opened(tmp_path: Path) -> Path:
    """Return a folder with a model, beside a file that is none of our business."""
    place = tmp_path / "models"
    (place / "deep" / "er").mkdir(parents=True)
    (place / "one.ispl").write_text("-- one\n", encoding="utf-8")
    (place / "deep" / "er" / "two.pmas").write_text("-- two\n", encoding="utf-8")
    (place / "notes.txt").write_text("private", encoding="utf-8")
    (place / ".hidden").mkdir()
    (place / ".hidden" / "three.ispl").write_text("private", encoding="utf-8")
    (place / ".four.ispl").write_text("private", encoding="utf-8")
    (tmp_path / "outside.ispl").write_text("private", encoding="utf-8")
    return place


@pytest.fixture
def page(static: Path, opened: Path) -> Iterator[Page]:
    with studio(static, opened) as running, running.page() as found:
        yield found


def kind_of(page: Page, method: str, **params: object) -> str:
    with pytest.raises(Failed) as failed:
        page.ask(method, **params)
    return failed.value.kind


# What is there


def test_models_below_the_folder_are_listed(opened: Path) -> None:
    files, cut = StudioFolder(str(opened)).files()

    assert [("deep/er/two.pmas", 7), ("one.ispl", 7)] == [(f["path"], f["bytes"]) for f in files]
    assert not cut


def test_a_page_knows_the_name_of_the_folder_and_not_where_it_is(page: Page) -> None:
    said = page.ask("hello")

    assert ("models", None) == (said["folder"], said["opened"])


def test_a_file_is_read_with_its_version(page: Page) -> None:
    read = page.ask("files/read", path="deep/er/two.pmas")

    assert ("deep/er/two.pmas", "-- two\n") == (read["path"], read["text"])
    assert 64 == len(read["version"])


def test_without_a_folder_there_are_no_files(static: Path) -> None:
    with studio(static) as running, running.page() as page:
        assert {"files": [], "cut": False} == page.ask("files/list")
        assert "unable" == kind_of(page, "files/read", path="one.ispl")
        assert "unable" == kind_of(page, "files/write", path="one.ispl", text="", version=None)


def test_the_file_that_was_named_may_be_called_as_it_likes(opened: Path) -> None:
    folder = StudioFolder(str(opened), "notes.txt")

    assert "private" == folder.read("notes.txt").text
    assert "notes.txt" in {each["path"] for each in folder.files()[0]}


# Ways out


@pytest.mark.parametrize(
    "path",
    [
        "../outside.ispl",
        "deep/../../outside.ispl",
        "/etc/passwd",
        "/one.ispl",
        "./one.ispl",
        "deep//er/two.pmas",
        "deep\\er\\two.pmas",
        "one.ispl\0",
        "one.ispl\0.txt",
        "",
        ".",
        "..",
        "\ud800.ispl",
        "x" * 5000 + ".ispl",
        "C:\\one.ispl",
        "~/one.ispl",
        "notes.txt",
        ".hidden/three.ispl",
        ".four.ispl",
        "deep",
        "missing.ispl",
        "file:///etc/passwd",
        "one.ispl/",
    ],
)
def test_no_name_leads_elsewhere(opened: Path, path: str) -> None:
    folder = StudioFolder(str(opened))
    before = sorted(opened.parent.rglob("*"))

    with pytest.raises(RequestFailed):
        folder.read(path)
    if path != "missing.ispl":
        with pytest.raises(RequestFailed):
            folder.write(path, "bad", None)
        assert before == sorted(opened.parent.rglob("*"))


def test_links_lead_nowhere_else(opened: Path) -> None:
    outside = opened.parent / "outside.ispl"
    (opened / "file.ispl").symlink_to(outside)
    (opened / "folder").symlink_to(opened.parent)
    (opened / "secret.ispl").symlink_to(opened / "notes.txt")
    (opened / "shy.ispl").symlink_to(opened / ".four.ispl")
    (opened / "loop.ispl").symlink_to(opened / "loop.ispl")
    folder = StudioFolder(str(opened))
    names = ("file.ispl", "folder/outside.ispl", "secret.ispl", "shy.ispl", "loop.ispl")

    assert {"one.ispl", "deep/er/two.pmas"} == {each["path"] for each in folder.files()[0]}
    for name in names:
        with pytest.raises(RequestFailed):
            folder.read(name)
        for version in (None, "0" * 64):
            with pytest.raises(RequestFailed):
                folder.write(name, "bad", version)
    assert "private" == outside.read_text(encoding="utf-8")
    assert "private" == (opened / "notes.txt").read_text(encoding="utf-8")


def test_links_inside_are_followed(opened: Path) -> None:
    (opened / "same.ispl").symlink_to(opened / "one.ispl")
    folder = StudioFolder(str(opened))
    read = folder.read("same.ispl")
    folder.write("same.ispl", "-- new\n", read.version)

    assert "-- new\n" == (opened / "one.ispl").read_text(encoding="utf-8")
    assert (opened / "same.ispl").is_symlink()


def test_what_is_no_file_keeps_nobody_waiting(opened: Path) -> None:
    os.mkfifo(opened / "pipe.ispl")
    (opened / "dir.ispl").mkdir()
    folder = StudioFolder(str(opened))

    for name in ("pipe.ispl", "dir.ispl"):
        with pytest.raises(RequestFailed):
            folder.read(name)
        with pytest.raises(RequestFailed):
            folder.write(name, "", None)
    assert {"one.ispl", "deep/er/two.pmas"} == {each["path"] for each in folder.files()[0]}


def test_a_file_that_is_too_long_or_no_text_is_not_read(opened: Path) -> None:
    (opened / "long.ispl").write_bytes(b" " * (MOST_BYTES + 1))
    (opened / "latin.ispl").write_bytes(b"\xe9")
    folder = StudioFolder(str(opened))

    with pytest.raises(RequestFailed, match="longer"):
        folder.read("long.ispl")
    with pytest.raises(RequestFailed, match="UTF-8"):
        folder.read("latin.ispl")
    with pytest.raises(RequestFailed, match="at most"):
        folder.write("new.ispl", " " * (MOST_BYTES + 1), None)
    assert not (opened / "new.ispl").exists()


# Saving


def test_a_file_is_saved_whole_with_its_permissions(opened: Path) -> None:
    path = opened / "one.ispl"
    path.chmod(0o640)
    folder = StudioFolder(str(opened))
    version = folder.write("one.ispl", "-- éé\n", folder.read("one.ispl").version)

    assert "-- éé\n" == path.read_text(encoding="utf-8")
    assert 0o640 == stat.S_IMODE(path.stat().st_mode)
    assert folder.version("one.ispl") == version
    assert [] == list(opened.glob(".gnomon*"))


def test_ends_of_lines_stay_as_they_are(opened: Path) -> None:
    path = opened / "one.ispl"
    path.write_bytes(b"a\r\nb\r\n")
    folder = StudioFolder(str(opened))
    folder.write("one.ispl", "a\nc\n", folder.read("one.ispl").version)

    assert b"a\r\nc\r\n" == path.read_bytes()


def test_a_new_file_takes_nobodys_place(opened: Path) -> None:
    folder = StudioFolder(str(opened))
    folder.write("new.ispl", "new", None)

    assert "new" == (opened / "new.ispl").read_text(encoding="utf-8")
    with pytest.raises(FileConflict) as conflict:
        folder.write("new.ispl", "other", None)
    assert conflict.value.version == folder.version("new.ispl")
    assert "new" == (opened / "new.ispl").read_text(encoding="utf-8")


def test_what_somebody_else_has_written_is_never_overwritten(page: Page, opened: Path) -> None:
    version = page.ask("files/read", path="one.ispl")["version"]
    (opened / "one.ispl").write_text("-- theirs\n", encoding="utf-8")
    with pytest.raises(Failed) as failed:
        page.ask("files/write", path="one.ispl", text="-- ours\n", version=version)
    now = page.ask("files/read", path="one.ispl")

    assert ("conflict", now["version"]) == (failed.value.kind, failed.value.data["version"])
    assert "-- theirs\n" == now["text"]
    page.ask("files/write", path="one.ispl", text="-- ours\n", version=now["version"])
    assert "-- ours\n" == (opened / "one.ispl").read_text(encoding="utf-8")


def test_a_file_that_is_gone_is_not_written_as_if_it_were_there(page: Page, opened: Path) -> None:
    version = page.ask("files/read", path="one.ispl")["version"]
    (opened / "one.ispl").unlink()
    with pytest.raises(Failed) as failed:
        page.ask("files/write", path="one.ispl", text="-- ours\n", version=version)

    assert ("conflict", None) == (failed.value.kind, failed.value.data["version"])
    assert not (opened / "one.ispl").exists()


# Watching


def changes(page: Page) -> list[tuple[str, str | None]]:
    return [
        (note["params"]["path"], note["params"]["version"])
        for note in page.notes
        if note["method"] == "files/changed"
    ]


def test_a_page_hears_of_changes_behind_its_back(page: Page, opened: Path) -> None:
    page.ask("files/read", path="one.ispl")
    (opened / "one.ispl").write_text("-- 1ne\n", encoding="utf-8")
    said = page.hear()
    version = page.ask("files/read", path="one.ispl")["version"]
    (opened / "one.ispl").unlink()
    page.hear()

    assert "files/changed" == said["method"]
    assert [("one.ispl", version), ("one.ispl", None)] == changes(page)


def test_a_page_does_not_hear_of_its_own_changes_and_another_one_does(
    static: Path, opened: Path
) -> None:
    with studio(static, opened) as running, running.page() as one, running.page() as other:
        version = one.ask("files/read", path="one.ispl")["version"]
        other.ask("files/read", path="one.ispl")
        new = one.ask("files/write", path="one.ispl", text="-- new\n", version=version)["version"]
        other.hear()
        with pytest.raises(TimeoutError):
            one.hear(0.7)

        assert [("one.ispl", new)] == changes(other)


def test_what_was_only_touched_is_no_change(page: Page, opened: Path) -> None:
    page.ask("files/read", path="one.ispl")
    os.utime(opened / "one.ispl", (0, 0))
    with pytest.raises(TimeoutError):
        page.hear(0.7)

    assert [] == changes(page)


def test_a_page_works_on_when_its_folder_is_gone(
    running: Running, static: Path, tmp_path: Path
) -> None:
    place = tmp_path / "gone"
    place.mkdir()
    (place / "one.ispl").write_text("x", encoding="utf-8")
    with studio(static, place) as other, other.page() as page:
        page.ask("files/read", path="one.ispl")
        (place / "one.ispl").unlink()
        place.rmdir()

        assert until(lambda: page.hear()["params"]["version"] is None)
        assert [] == page.ask("files/list")["files"]
        assert "unable" == kind_of(page, "files/read", path="one.ispl")
        assert "conflict" == kind_of(page, "files/write", path="one.ispl", text="", version="0")


# Somebody else in the same folder


@pytest.fixture
def swapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[], None]], StudioFolder]:
    """Return a folder where something happens right after a place was looked at."""
    (tmp_path / "open/sub").mkdir(parents=True)
    (tmp_path / "open/sub/one.ispl").write_text("-- inside\n", encoding="utf-8")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/one.ispl").write_text("-- secret\n", encoding="utf-8")
    found = StudioFolder(str(tmp_path / "open"))

    def start(happens: Callable[[], None]) -> StudioFolder:
        look = found.place

        def place(path: str) -> str:
            real = look(path)
            happens()
            return real

        monkeypatch.setattr(found, "place", place)
        return found

    return start


def test_a_folder_that_becomes_a_link_leads_nowhere(
    swapped: Callable[[Callable[[], None]], StudioFolder], tmp_path: Path
) -> None:
    def swap() -> None:
        if not (tmp_path / "open/sub").is_symlink():
            (tmp_path / "open/sub").rename(tmp_path / "open/before")
            (tmp_path / "open/sub").symlink_to(tmp_path / "secret")

    found = swapped(swap)
    secret = hashlib.sha256(b"-- secret\n").hexdigest()
    for tried in (
        lambda: found.read("sub/one.ispl"),
        lambda: found.write("sub/one.ispl", "-- ours\n", secret),
        lambda: found.write("sub/two.ispl", "-- ours\n", None),
    ):
        if (tmp_path / "open/sub").is_symlink():
            (tmp_path / "open/sub").unlink()
            (tmp_path / "open/before").rename(tmp_path / "open/sub")
        with pytest.raises(RequestFailed):
            tried()

    assert ["one.ispl"] == os.listdir(tmp_path / "secret")
    assert "-- secret\n" == (tmp_path / "secret/one.ispl").read_text(encoding="utf-8")


def test_a_file_that_becomes_a_link_is_not_followed(
    swapped: Callable[[Callable[[], None]], StudioFolder], tmp_path: Path
) -> None:
    def swap() -> None:
        (tmp_path / "open/sub/one.ispl").unlink()
        (tmp_path / "open/sub/one.ispl").symlink_to(tmp_path / "secret/one.ispl")

    with pytest.raises(RequestFailed):
        swapped(swap).read("sub/one.ispl")


def test_a_new_file_takes_nobodys_place_at_the_last_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = tmp_path / "new.ispl"
    monkeypatch.setattr(os, "fsync", lambda _: None)
    link = os.link

    def late(*names: Any, **more: Any) -> None:
        theirs.write_text("-- theirs\n", encoding="utf-8")
        link(*names, **more)

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(FileConflict) as conflict:
        StudioFolder(str(tmp_path)).write("new.ispl", "-- ours\n", None)

    assert hashlib.sha256(b"-- theirs\n").hexdigest() == conflict.value.version
    assert "-- theirs\n" == theirs.read_text(encoding="utf-8")
    assert ["new.ispl"] == os.listdir(tmp_path)


def test_nobody_reads_a_private_file_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "one.ispl"
    file.write_text("-- private\n", encoding="utf-8")
    file.chmod(0o4600)
    modes: list[int] = []
    change = os.fchmod

    def seen(handle: int, mode: int) -> None:
        modes.append(os.fstat(handle).st_mode & 0o7777)
        change(handle, mode)

    monkeypatch.setattr(os, "fchmod", seen)
    folder = StudioFolder(str(tmp_path))
    folder.write("one.ispl", "-- ours\n", folder.read("one.ispl").version)

    assert [0o600] == modes
    assert 0o600 == file.stat().st_mode & 0o7777


def test_no_handles_are_left_open(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/one.ispl").write_text("", encoding="utf-8")
    folder = StudioFolder(str(tmp_path))
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        folder.read("a/b/one.ispl")
        with pytest.raises(RequestFailed):
            folder.read("a/missing/one.ispl")
        with pytest.raises(RequestFailed):
            folder.write("a/b/one.ispl", "", None)

    assert before == len(os.listdir("/proc/self/fd"))
