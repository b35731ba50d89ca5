"""Whole commands as users give them: what they say, and what they cost in CPU seconds.

The seconds are those of the process and of all that it started, as the system counts them: start of the
interpreter, reading and deciding. Other work on the machine hardly changes them, as it changes the clock's.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"


class Cost(NamedTuple):
    """What a check printed, and the CPU seconds of the whole command."""

    said: dict[str, Any]
    seconds: float

    @property
    def unexpected(self) -> list[str]:
        """The formulae whose verdict is not the one that the file expects."""
        return [
            f"{each['name'] or each['index']}: {each['verdict']}, not {each['expected']}"
            for each in self.said["formulae"]
            if not each["as_expected"]
        ]


def checked(model: Path, *words: str, source: Path = SOURCE) -> Cost:
    """Check a model with the command of one version, in a process of its own."""
    command = [sys.executable, "-m", "gnomon", "check", str(model), "--json", "--no-race", *words]
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=subprocess.DEVNULL, env={"PYTHONPATH": str(source)}
        )
        _, _, used = os.wait4(process.pid, 0)
        out.seek(0)
        said = json.loads(out.read())
    return Cost(said, used.ru_utime + used.ru_stime)


def verified(model: Path, certificate: Path, source: Path = SOURCE) -> tuple[int, float]:
    """Check a certificate; return the exit status and the CPU seconds of the whole command."""
    command = [sys.executable, "-m", "gnomon", "verify-certificate", str(model), str(certificate)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"PYTHONPATH": str(source)},
    )
    _, status, used = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime


@contextmanager
def sources_of(revision: str) -> Iterator[Path]:
    """Give the sources of a revision, for as long as they are needed."""
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["git", "-C", str(ROOT), "archive", revision, "src"], capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        yield Path(folder) / "src"


def side_by_side(
    model: Path, words: Sequence[str], other: Path, runs: int
) -> tuple[float, float, bool]:
    """Return the least CPU seconds of another version and of this one, and whether verdicts agree.

    Both take turns, so that a busy machine is busy for both.
    """
    found: dict[Path, list[Cost]] = {other: [], SOURCE: []}
    for _ in range(runs):
        for source, costs in found.items():
            costs.append(checked(model, *words, source=source))
    before, after = (min(cost.seconds for cost in costs) for costs in found.values())
    verdicts = [
        [each["verdict"] for each in cost.said["formulae"]]
        for costs in found.values()
        for cost in costs
    ]
    return before, after, all(each == verdicts[0] for each in verdicts)
