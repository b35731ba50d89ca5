"""Runs `gnomon` as a program of its own, where streams, signals and limits of the system matter."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

COMMAND = [sys.executable, "-m", "gnomon"]
#: A program that hangs must not take the tests with it.
PATIENCE = 120


def program(
    *arguments: str | bytes,
    environment: Mapping[str, str] | None = None,
    given: bytes = b"",
    **more: Any,
) -> "subprocess.CompletedProcess[bytes]":
    """Run a command to its end and return its status and all it wrote."""
    return subprocess.run(
        [*COMMAND, *arguments],
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80", **(environment or {})},
        input=given,
        stdout=more.pop("stdout", subprocess.PIPE),
        stderr=more.pop("stderr", subprocess.PIPE),
        timeout=PATIENCE,
        check=False,
        **more,
    )


def without(number: int) -> Callable[[], None]:
    """Return what closes a standard stream before the program begins."""
    return lambda: os.close(number)


def shell(line: str, arguments: Sequence[str]) -> "subprocess.CompletedProcess[bytes]":
    """Run a command in a shell, where `"$@"` in the line is the command with its arguments."""
    return subprocess.run(
        ["sh", "-c", line, "sh", *COMMAND, *arguments],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        stdin=subprocess.DEVNULL,
    )
