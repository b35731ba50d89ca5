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
from gnomon.model.parameterised.condition import Enough, walk
from gnomon.model.parameterised.query import Safety
from gnomon.model.parameterised.system import OpenSystem

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "parameterised"
COUNTED = Path(__file__).resolve().parent / "counted"
LIMIT = 120.0
#: Examples with numbers of agents that are counted.
_COUNTING = ("lending_library", "ticket_office")
#: A search through more cubes is not measured alone: it is helped by guesses.
_WITHOUT_GUESSES = 200
#: What must be met, in seconds: by the search where it is rooms, else by all of ours.
MARKS = {
    ("example", "rooms"): 0.005,
    ("example", "german"): 20.0,
    ("thresholds", "reliable_broadcast"): 0.5,
    ("chain of rooms", "200"): 1.0,
    ("ring of templates, safe", "12"): 10.0,
    ("Booleans in a template", "14"): 5.0,
    **{
        ("numbers that count", name): 5.0
        for name in (
            "bakery",
            "bakery_of_equals",
            "counted_readers",
            "lending_library",
            "patient_writers",
            "places",
            "ticket_office",
        )
    },
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
    unlisted = system.parameters or not system.is_finite
    if unlisted or not isinstance(query, Safety) or counts(system):
        return float("nan")
    program = CompiledPopulation(system)
    goals = program.goal(query.bad)
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        if is_for(program):
            Saturation(program, goals).run()
        elif not BackwardSearch(program, goals).begin(_WITHOUT_GUESSES):
            return float("nan")
        best = min(best, time.perf_counter() - started)
        if best > 0.2:
            break
    return best


def counts(system: OpenSystem) -> bool:
    """Return whether guards compare counts with numbers: these have a search of their own."""
    guards = (guard for part in system.part.values() for guard in part.guards.values())
    return any(isinstance(each, Enough) for guard in guards for each in walk(guard))


def families(*, large: bool) -> Iterator[tuple[str, str, Callable[[], Loaded]]]:
    for path in sorted(EXAMPLES.rglob("*.ispl")):
        family = "thresholds" if path.parent.name == "thresholds" else "example"
        family = "numbers that count" if path.stem in _COUNTING else family
        yield family, path.stem, lambda path=path: load(str(path))  # type: ignore[misc]
    for path in sorted(COUNTED.glob("*.ispl")):
        yield "numbers that count", path.stem, lambda path=path: load(str(path))  # type: ignore[misc]
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
        too_large = family == "thresholds" or (size.isdigit() and int(size) > 8)
        row = measure(family, size, read, None if too_large else given.cubicle)
        print(show(row), flush=True)
        mark = MARKS.get((family, size))
        if family == "numbers that count":
            missed += row.verdict != ("false" if size == "bakery_of_equals" else "true")
        reached = row.search if size == "rooms" else row.seconds
        missed += mark is not None and reached > mark
        missed += row.other in {"true", "false"} and row.other != row.verdict
    print(f"a whole command on the rooms: {command():.3f} s (mark 0.5)")
    print("all marks met" if not missed else f"{missed} marks missed or verdicts differ")
    return 1 if missed else 0


if __name__ == "__main__":
    # In this process, whose time is measured.
    with work_here():
        sys.exit(main())
