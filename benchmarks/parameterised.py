"""Any number of agents: how the cost grows, beside Cubicle where both can say the same.

    python benchmarks/parameterised.py                       the examples and the families
    python benchmarks/parameterised.py --cubicle PATH        also Cubicle, in the same run
    python benchmarks/parameterised.py --large               also sizes beyond what Cubicle does

Cubicle (cubicle-model-checker/cubicle) is built outside the project. Our times are seconds of the processor
for reading and for deciding, with the smallest populations and a run where there is one, without the start of
the interpreter; those of Cubicle are of its whole process, which has a verdict and a trace. One run, on a
machine that others use as well. `search` is the search for the verdict alone, once the model is compiled.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

import cubicle
import populations

from gnomon.checking.check import check
from gnomon.checking.load import Loaded, load, load_text
from gnomon.checking.supervise import work_here
from gnomon.engines.parameterised.backward import BackwardSearch
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.saturation import Saturation, is_for
from gnomon.model.parameterised.system import Safety

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "parameterised"
LIMIT = 120.0
#: What must be met, in seconds: by the search where it is rooms, else by all of ours.
MARKS = {
    ("example", "rooms"): 0.005,
    ("chain of rooms", "200"): 1.0,
    ("ring of templates, safe", "12"): 10.0,
    ("Booleans in a template", "14"): 5.0,
}


class Row(NamedTuple):
    """One model: our verdict and seconds, those of the search alone, and Cubicle's."""

    family: str
    size: str
    verdict: str
    smallest: str
    seconds: float
    search: float
    other: str = ""
    other_seconds: float | None = None


def measure(family: str, size: str, read: Callable[[], Loaded], binary: str | None) -> Row:
    started = time.process_time()
    loaded = read()
    assert loaded.templates is not None, loaded.diagnostics
    result = check(loaded.templates, loaded.templates.specifications[:1])
    seconds = time.process_time() - started
    (verdict,) = result
    found = verdict.numbers.populations if verdict.numbers else ()
    smallest = " or ".join("+".join(str(n) for n in each.values() if n) or "0" for each in found)
    other, spent = "", None
    if binary is not None:
        try:
            other, spent = cubicle.run(binary, cubicle.Translation(loaded.templates).text(), LIMIT)
        except cubicle.Inexpressible as problem:
            other = f"cannot say: {problem}"[:40]
    return Row(family, size, str(verdict.value), smallest, seconds, searching(loaded), other, spent)


def searching(loaded: Loaded) -> float:
    """Return the seconds that the search for the verdict takes, the best of some: it is short."""
    system = loaded.templates
    assert system is not None
    query = system.questions[0].query
    if not system.is_finite or not isinstance(query, Safety):
        return float("nan")
    program = CompiledPopulation(system)
    goals = program.goal(query.bad)
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        (Saturation if is_for(program) else BackwardSearch)(program, goals).run()
        best = min(best, time.perf_counter() - started)
        if best > 0.2:
            break
    return best


def families(*, large: bool) -> Iterator[tuple[str, str, Callable[[], Loaded]]]:
    for path in sorted(EXAMPLES.glob("*.ispl")):
        yield "example", path.stem, lambda path=path: load(str(path))  # type: ignore[misc]
    sizes: dict[str, tuple[tuple[int, ...], tuple[int, ...], Callable[[int], str]]] = {
        "chain of rooms": ((3, 4, 5, 6, 7, 8), (50, 200), populations.chain),
        "chain, panel last": ((3, 4, 5, 6), (50, 200), populations.panel_last),
        "ring of templates": ((3, 4, 5), (6, 8, 12), populations.guild),
        "ring of templates, safe": (
            (3, 4, 5),
            (6, 8, 12),
            lambda number: populations.guild(number, safe=True),
        ),
        "Booleans in a template": ((2, 4), (8, 10, 12, 14), populations.switches),
    }
    for family, (small, more, make) in sizes.items():
        for size in (*small, *(more if large else ())):
            text = make(size)
            yield family, str(size), lambda text=text: load_text(text)  # type: ignore[misc]


def command() -> float:
    """Return the seconds of the processor of a whole command on the rooms, the start of Python included."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "gnomon", "check", str(EXAMPLES / "rooms.ispl"), "--only", "1"],
        capture_output=True,
        check=False,
    )
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def show(row: Row) -> str:
    ratio = ""
    if row.other_seconds is not None and row.other in {"true", "false", "limit"}:
        more = ">" if row.other == "limit" else ""
        ratio = f"{row.other_seconds:9.3f} {more}{row.other_seconds / row.seconds:8.1f} x"
    said = row.other if row.other in {"", "true", "false", "limit"} else f"({row.other})"
    return (
        f"{row.family:24} {row.size:>16}  {row.verdict:5} {row.smallest:>12} "
        f"{row.seconds:9.3f} {row.search:10.5f}   {said:6} {ratio}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cubicle", metavar="PATH", help="the binary to compare with")
    parser.add_argument("--large", action="store_true", help="larger sizes, without Cubicle")
    given = parser.parse_args()
    print(
        f"{'family':24} {'size':>16}  {'ours':5} {'smallest':>12} {'seconds':>9} {'search':>10}   "
        f"{'other':6} {'seconds':>9}   ratio"
    )
    missed = 0
    for family, size, read in families(large=given.large):
        too_large = size.isdigit() and int(size) > 8
        row = measure(family, size, read, None if too_large else given.cubicle)
        print(show(row), flush=True)
        mark = MARKS.get((family, size))
        reached = row.search if family == "example" else row.seconds
        missed += mark is not None and reached > mark
        missed += row.other in {"true", "false"} and row.other != row.verdict
    print(f"a whole command on the rooms: {command():.3f} s (mark 0.5)")
    print("all marks met" if not missed else f"{missed} marks missed or verdicts differ")
    return 1 if missed else 0


if __name__ == "__main__":
    # In this process, whose time is measured.
    with work_here():
        sys.exit(main())
