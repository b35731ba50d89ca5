"""How long starting and reading take, beside another version: starting.py MODEL [OTHER_SRC].

Runs processes of both versions in turn, so that a busy machine is busy for both, and prints the CPU time of
importing all that reads a program, and of reading the model: minimum and median in milliseconds.
"""

import subprocess
import sys
from pathlib import Path
from statistics import median

RUNS = 20
SOURCE = Path(__file__).parents[1] / "src"
PROGRAM = """
import sys, time
from gnomon.checking.load import load_text
started = time.process_time()
text = open(sys.argv[1], encoding="utf-8").read()
times = []
for _ in range(5):
    before = time.process_time()
    assert load_text(text).system is not None
    times.append(time.process_time() - before)
print(started, min(times))
"""


def measure(source: str, model: str) -> tuple[float, float]:
    """Return how long importing and reading took in one process, in milliseconds."""
    words = [sys.executable, "-c", PROGRAM, model]
    said = subprocess.run(
        words, env={"PYTHONPATH": source}, capture_output=True, text=True, check=True
    )
    started, read = map(float, said.stdout.split())
    return started * 1000, read * 1000


def main() -> None:
    """Measure this version, and the other one if there is any."""
    model, *others = sys.argv[1:]
    versions = [*others, str(SOURCE)]
    times: dict[str, list[tuple[float, float]]] = {version: [] for version in versions}
    for _ in range(RUNS):
        for version in versions:
            times[version].append(measure(version, model))
    for version, found in times.items():
        for what, each in zip(("start", "read"), zip(*found, strict=True), strict=True):
            print(f"{version}: {what} {min(each):.1f} ms, median {median(each):.1f} ms")


if __name__ == "__main__":
    main()
