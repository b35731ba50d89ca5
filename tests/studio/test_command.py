"""`gnomon studio` as a command: what it prints, and what it says where it cannot begin."""

import os
import pty
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from gnomon.interfaces.studio.serving import bound
from tests.e2e.cli import gnomon
from tests.studio.running import PATIENCE, Running, until
from tests.studio.test_ending import command, linked


@pytest.fixture
def built(static: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have a page that is none."""
    monkeypatch.setattr("gnomon.interfaces.studio.pages.built_page", lambda: static)
    return static


def test_without_its_page_it_says_how_to_build_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gnomon.interfaces.studio.pages.built_page", lambda: tmp_path)
    done = gnomon("studio")

    assert (2, "") == (done.exit_code, done.stdout)
    assert "make studio" in done.stderr
    assert 1 == len(done.stderr.strip().splitlines())


@pytest.mark.parametrize("missing", ["starlette", "uvicorn", "pygls"])
def test_without_its_extra_it_says_what_to_install(missing: str) -> None:
    program = (
        "import sys; from importlib.abc import MetaPathFinder\n"
        "class Missing(MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        f"        if name.partition('.')[0] == {missing!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name}', name=name)\n"
        "sys.meta_path.insert(0, Missing())\n"
        "from gnomon.interfaces.cli.entry import run; run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "studio", "--no-browser"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert (2, "") == (done.returncode, done.stdout)
    assert "pip install 'gnomon[studio]'" in done.stderr
    assert 1 == len(done.stderr.strip().splitlines())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "there is no model and no folder `nowhere`"),
        (("--store", "x", "--no-store"), "one of them"),
        (("--port", "99999"), "--port"),
        (("--timeout", "0"), "--timeout"),
        (("--memory", "nan"), "--memory"),
    ],
)
def test_what_makes_no_sense_is_refused(built: Path, arguments: tuple[str, ...], said: str) -> None:
    done = gnomon("studio", *arguments)

    assert (2, True) == (done.exit_code, said in done.stderr)


def test_a_port_that_is_taken_is_said_to_be(built: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = gnomon("studio", "--port", str(port))

    assert 2 == done.exit_code
    assert f"port {port} cannot be used: address already in use" in done.stderr


def test_where_the_usual_port_is_taken_another_one_is_used() -> None:
    with bound(None) as first, bound(None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]
        assert "127.0.0.1" == second.getsockname()[0]


def test_a_model_that_is_named_is_opened_in_its_folder(static: Path, tmp_path: Path) -> None:
    place = tmp_path / "models"
    place.mkdir()
    (place / "real.ispl").write_text("-- real", encoding="utf-8")
    (tmp_path / "link.ispl").symlink_to(place / "real.ispl")
    with command(static, tmp_path / "link.ispl", "--port", "0") as process:
        try:
            with linked(process).page() as page:
                said = page.ask("hello")
                read = page.ask("files/read", path="real.ispl")
        finally:
            process.kill()

    assert ("models", "real.ispl") == (said["folder"], said["opened"])
    assert "-- real" == read["text"]


def test_on_a_terminal_a_browser_opens_a_link_that_counts_once(
    static: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    witness, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\necho \"$1\" > '{witness}'\n", encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    ours, theirs = pty.openpty()
    try:
        with command(static, tmp_path, "--port", "0", stdout=theirs) as process:
            try:
                printed = os.read(ours, 1000).decode().strip()
                assert until(lambda: witness.exists() and witness.stat().st_size > 0)
                opened = witness.read_text(encoding="utf-8").strip()
                address, _, once = opened.removeprefix("http://127.0.0.1:").partition("/?token=")
                running = Running(int(address), once)
                tries = [running.get(f"/?token={once}", Cookie=None)[0] for _ in range(2)]
            finally:
                process.kill()
    finally:
        os.close(ours)
        os.close(theirs)

    assert [303, 403] == tries
    assert printed.startswith(f"http://127.0.0.1:{address}/?token=")
    assert once not in printed


def test_it_prints_one_line_and_opens_no_browser_where_nobody_looks(
    static: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    witness, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\ntouch '{witness}'\n", encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    with command(static, tmp_path, "--port", "0") as process:
        try:
            running = linked(process)
            status, _, _ = running.get(f"/?token={running.token}", Cookie=None)
        finally:
            process.terminate()
            rest, errors = process.communicate(timeout=PATIENCE)

    assert (303, "", "terminated\n") == (status, rest, errors)
    assert len(running.token) > 40
    assert not witness.exists()


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    program = (
        "import sys, gnomon.interfaces.cli.studio as s, gnomon.interfaces.cli.main\n"
        "print([n for n in ('starlette', 'uvicorn', 'pygls', 'asyncio', 'websockets') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert "[]" == done.stdout.strip()
