"""Predicate abstraction: the tables of Belardinelli, Lomuscio and Michaliszyn (AAMAS 2016) beside ours.

    python benchmarks/abstraction.py                    the tables, and what the paper left open
    python benchmarks/abstraction.py --large            also sizes beyond the paper's
    python benchmarks/abstraction.py --svg growth.svg   draws how the cost grows
    python benchmarks/abstraction.py --simbridge        the game of Lomuscio and Michaliszyn (KR 2014)
    python benchmarks/abstraction.py --programs         only `benchmarks/unbounded`, with the time allowed
    python benchmarks/abstraction.py --programs counters heaps
    python benchmarks/abstraction.py --proofs           what proofs of verdicts cost, written and checked
    python benchmarks/abstraction.py --folder DIR       programs of another folder, with its `verdicts.txt`
    python benchmarks/abstraction.py --against a2d7c89b whether that revision was faster on the examples

Where whole commands are run, times are their CPU seconds, the start of the interpreter included; so is what
is allowed. Otherwise, times are seconds of the processor for reading, abstracting, exploring and deciding all
formulae, without the start of the interpreter, of one run on a machine that others use as well. Those of the
papers were measured on another machine, ten years ago: a factor of two or three of the ratio is the
machine's.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from commands import checked, side_by_side, sources_of, verified

from gnomon.checking.check import Options, check
from gnomon.checking.load import load, read_formula
from gnomon.checking.supervise import work_here
from gnomon.checking.verdict import Value

HERE = Path(__file__).resolve().parent
MODELS = HERE.parent / "examples" / "unbounded"
UNBOUNDED = HERE / "unbounded"

#: Tunnels: the reachable abstract states, and the paper's seconds for abstracting and verifying.
TUNNELS = {
    1: (6, 0.4),
    2: (36, 0.7),
    3: (128, 2.14),
    4: (400, 5.4),
    5: (1152, 13.23),
    6: (3136, 31.3),
    7: (8192, 78.36),
    8: (20736, 198.4),
    9: (51200, 489.55),
    10: (123904, 1477.9),
}
#: Integers: the paper's states (of another model of the same protocol), and its seconds.
INTEGERS = {
    2: (6, 0.65),
    4: (56, 2.39),
    6: (240, 7.12),
    8: (992, 20.95),
    10: (4032, 57.41),
    12: (16256, 154.33),
    14: (65280, 406.53),
    16: (261632, 1031.96),
    18: (1047552, 2718.9),
    20: (4192256, 5906.7),
}
KNOWN = "AG (received -> K(Receiver, sent))"
TEN = "<Controller[1], TrainA>F (Controller[1].counter = 10)"
DONE = "<Sender, Receiver>F received"
MORE_TUNNELS = (20, 40, 60, 100)
MORE_INTEGERS = (40, 80, 100)
#: The programs of `benchmarks/unbounded`: constants (or one formula), and the CPU seconds that are allowed to
#: the whole command. One that does nothing takes a quarter of a second.
PROGRAMS: dict[str, list[tuple[tuple[str, ...], float]]] = {
    "counters": [
        *((("n=3", "always"), 0.3), (("n=10", "always"), 0.5), (("n=50", "always"), 1)),
        *((("n=100", "always"), 5), (("n=3",), 0.5), (("n=10",), 0.7), (("n=50",), 1.1)),
        (("n=100",), 5.3),
    ],
    "cascade": [(("n=3",), 0.5), (("n=10",), 0.5)],
    "loops": [(("n=3",), 0.5), (("n=5",), 0.5)],
    "heaps": [(("n=3",), 0.5), (("n=10",), 0.5), (("n=100",), 3.5)],
    "coins": [(("n=2", "many=5"), 0.5), (("n=3",), 0.7), (("n=4", "many=17"), 0.7)],
    "swaps": [((), 0.5)],
    "phases": [((), 0.5)],
    "auction": [((), 2), (("n=3",), 2)],
    "producer": [((), 1)],
    "lossy": [((), 1)],
    "evens": [((), 1)],
    "halving": [((), 1)],
    "collatz": [((), 1)],
    "fair_workers": [(("n=3",), 0.5), (("n=10",), 0.7), (("n=50",), 1.5), (("n=100",), 3)],
    "game_reach_1d": [((), 0.5)],
    "game_reach_2d": [((), 0.5)],
    "game_cat": [((), 0.5)],
    "game_cat_between": [((), 0.5)],
    "game_double": [((), 0.5)],
    "game_diagonal": [((), 0.5)],
    "game_box": [((), 0.5)],
    "game_elevator": [((), 0.5)],
    "game_charging": [((), 0.5)],
    "game_chain": [((), 0.5), (("n=20",), 0.6)],
}
#: What has to be no slower than in another revision: examples and constants.
COMPARED = [
    ("simbridge", "N=3"),
    ("simbridge", "N=5"),
    ("tunnels", "n=4"),
    ("tunnels", "n=10"),
    ("tunnels", "n=40"),
    ("numbers", "k=2"),
    ("numbers", "k=10"),
    ("numbers", "k=40"),
    ("ticket_lock", ""),
    ("token_bucket", ""),
    ("auction", "n=3"),
]
MARKS = {
    ("tunnels", 10): 0.25,
    ("tunnels", 40): 5,
    ("tunnels", 100): 120,
    ("numbers", 20): 0.1,
    ("numbers", 100): 5,
}


class Row(NamedTuple):
    """One size: our cells, verdicts and seconds, and the paper's states and seconds."""

    size: int
    cells: int
    verdicts: tuple[str, ...]
    seconds: float
    states: int | None = None
    paper: float | None = None


def run(
    model: str, refine: int | None = None, formula: str | None = None, **constants: int
) -> tuple[int, tuple[str, ...], float]:
    """Return the cells, the verdicts and the seconds of one check."""
    started = time.process_time()
    loaded = load(str(MODELS / f"{model}.ispl"), constants)
    assert loaded.system is not None, loaded.diagnostics
    asked = loaded.system.specifications
    if formula is not None:
        asked = (read_formula(loaded, formula),)
    result = check(loaded.system, asked, Options(engine="abstraction", refine=refine))
    verdicts = tuple(verdict.value.value for verdict in result)
    return result.states or 0, verdicts, time.process_time() - started


def tunnels(*, large: bool) -> Iterator[Row]:
    """Yield the rows of Table 1."""
    for size in (*TUNNELS, *(MORE_TUNNELS if large else ())):
        cells, verdicts, seconds = run("tunnels", n=size)
        yield Row(size, cells, verdicts, seconds, *TUNNELS.get(size, (None, None)))


def integers(*, large: bool) -> Iterator[Row]:
    """Yield the rows of Table 2: half of the integers are the sender's, half the receiver's."""
    for size in (*INTEGERS, *(MORE_INTEGERS if large else ())):
        cells, verdicts, seconds = run("numbers", k=size // 2, formula=KNOWN)
        yield Row(size, cells, verdicts, seconds, *INTEGERS.get(size, (None, None)))


def show(title: str, model: str, rows: Iterator[Row]) -> list[Row]:
    """Print a table and return its rows."""
    print(f"\n{title}\n")
    print(
        f"{'size':>5} {'cells':>12} {'paper':>9} {'verdicts':>14} {'seconds':>9} "
        f"{'paper':>9} {'ratio':>9} {'mark':>6}"
    )
    done = []
    for row in rows:
        done.append(row)
        cells = f"{row.cells:,}" if row.cells < 10**9 else f"{float(row.cells):.1e}"
        states = "" if row.states is None else f"{row.states:,}"
        verdicts = "all true" if set(row.verdicts) == {"true"} else "/".join(row.verdicts)
        paper = "" if row.paper is None else f"{row.paper:.1f}"
        ratio = "" if row.paper is None else f"{row.paper / row.seconds:,.0f}"
        mark = MARKS.get((model, row.size))
        print(
            f"{row.size:>5} {cells:>12} {states:>9} {verdicts:>14} {row.seconds:>9.3f} "
            f"{paper:>9} {ratio:>9} {'' if mark is None else f'{mark:g}':>6}",
            flush=True,
        )
    return done


def open_questions(*, large: bool) -> None:
    """Print what the paper reports as undefined, at once and after refinement."""
    print("\nWhat the paper leaves undefined\n")
    cases = [
        ("<Controller, TrainA>F counter = 10, 1 tunnel", "tunnels", TEN, {"n": 1}),
        ("<Controller, TrainA>F counter = 10, 2 tunnels", "tunnels", TEN, {"n": 2}),
        ("<Controller, TrainA>F counter = 10, 10 tunnels", "tunnels", TEN, {"n": 10}),
        ("<Sender, Receiver>F received, 2 integers", "numbers", DONE, {"k": 1}),
        ("<Sender, Receiver>F received, 20 integers", "numbers", DONE, {"k": 10}),
    ]
    if large:
        cases.append(("<Sender, Receiver>F received, 80 integers", "numbers", DONE, {"k": 40}))
    for text, model, formula, constants in cases:
        _, (once,), _ = run(model, 0, formula, **constants)
        _, (refined,), seconds = run(model, None, formula, **constants)
        print(f"{text:50} one shot: {once:10} refined: {refined:6} {seconds:8.3f} s", flush=True)


def simbridge() -> None:
    """Print both ways of deciding Simbridge."""
    print("\nSimbridge, by cells with the hands hidden, and directly\n")
    for size in (3, 5, 8, 13):
        for engine in ("abstraction", "bdd"):
            started = time.process_time()
            loaded = load(str(MODELS / "simbridge.ispl"), {"N": size})
            assert loaded.system is not None
            result = check(loaded.system, None, Options(engine=engine, timeout=900))
            verdicts = "/".join(verdict.value.value for verdict in result)
            states = "" if result.states is None else f"{result.states:,}"
            spent = time.process_time() - started
            print(f"N = {size:2} {engine:12} {states:>20} {verdicts:20} {spent:8.1f} s", flush=True)
            if all(verdict.value is Value.UNKNOWN for verdict in result):
                break


def programs(wanted: list[str]) -> bool:
    """Print verdicts and seconds of our programs; return whether all verdicts are as mathematics has them."""
    print(f"\n{'program':18} {'constants':16} {'verdicts':>10} {'seconds':>9} {'allowed':>9}\n")
    fine = True
    for name in wanted or PROGRAMS:
        for given, allowed in PROGRAMS[name]:
            words = [word for each in given for word in (_asking(each), each)]
            cost = checked(UNBOUNDED / f"{name}.ispl", *words)
            late = "  too slow" if cost.seconds > allowed else ""
            right = "WRONG" if cost.unexpected else f"{len(cost.said['formulae'])} right"
            print(
                f"{name:18} {' '.join(given):16} {right:>10} {cost.seconds:9.2f} {allowed:9g}{late}",
                flush=True,
            )
            for each in cost.unexpected:
                print(f"    {each}")
            fine = fine and not cost.unexpected
    return fine


#: Programs whose verdicts are proved, with constants, and formulae where not all are asked.
PROVED: list[tuple[Path, tuple[str, ...]]] = [
    *((UNBOUNDED / "counters.ispl", (f"n={n}", "always")) for n in (3, 10, 50, 100)),
    *((MODELS / "tunnels.ispl", (f"n={n}",)) for n in (1, 10, 40, 100)),
    *((path, ()) for path in sorted(MODELS.glob("*.ispl"))),
    *((path, ()) for path in sorted(UNBOUNDED.glob("*.ispl"))),
]


def proofs() -> bool:
    """Print what certificates cost, written and checked; return whether none was rejected."""
    print(f"\n{'program':18} {'constants':16} {'proved':>8} {'bytes':>9} {'decided':>9}", end="")
    print(f" {'written':>9} {'checked':>9}\n")
    fine = True
    for path, given in PROVED:
        words = [word for each in given for word in (_asking(each), each)]
        with tempfile.TemporaryDirectory() as folder:
            proof = Path(folder) / "proof.json"
            decided = checked(path, *words)
            written = checked(path, *words, "--certificate", str(proof))
            verdicts = json.loads(proof.read_text("utf-8"))["verdicts"]
            size = proof.stat().st_size
            status, seconds = verified(path, proof)
        proved = sum(each["proof"] is not None for each in verdicts)
        fine = fine and status != 1
        print(
            f"{path.stem:18} {' '.join(given):16} {proved:>4}/{len(verdicts):<3} {size:9,}"
            f" {decided.seconds:9.2f} {written.seconds:9.2f} {seconds:9.2f}",
            flush=True,
        )
        for each in verdicts:
            if each["proof"] is None:
                print(f"    {each['name'] or each['index']}: {each['reason']}")
    return fine


def _asking(word: str) -> str:
    return "--set" if "=" in word else "--only"


def folder(place: Path) -> bool:
    """Print the same of the programs of a folder, whose verdicts are in its `verdicts.txt` as T, F and U."""
    letters = {"true": "T", "false": "F", "undefined": "U"}
    fine = True
    with tempfile.TemporaryDirectory() as written:
        models = place
        if (place / "gen.py").exists():
            models = Path(written)
            subprocess.run([sys.executable, str(place / "gen.py"), written], check=True)
        for line in (place / "verdicts.txt").read_text("utf-8").splitlines():
            name, *expected = line.split()
            cost = checked(models / f"{name}.ispl")
            found = [letters.get(each["verdict"], "?") for each in cost.said["formulae"]]
            said = "right" if found == expected else f"{' '.join(found)}, not {' '.join(expected)}"
            print(f"{name:18} {cost.seconds:9.2f}  {said}", flush=True)
            fine = fine and found == expected
    return fine


def compare(revision: str, runs: int) -> bool:
    """Print what examples cost in another revision and in this one; return whether verdicts agree."""
    print(f"\nCPU seconds of whole commands, the least of {runs}\n")
    print(f"{'example':14} {'constants':10} {revision[:9]:>9} {'now':>9} {'ratio':>7}\n")
    same = True
    with sources_of(revision) as other:
        for name, constant in COMPARED:
            words = ["--set", constant] if constant else []
            before, after, agree = side_by_side(MODELS / f"{name}.ispl", words, other, runs)
            said = "" if agree else "  other verdicts"
            print(
                f"{name:14} {constant:10} {before:9.2f} {after:9.2f} {after / before:7.2f}{said}",
                flush=True,
            )
            same = same and agree
    return same


def draw(tables: dict[str, list[Row]]) -> str:
    """Return how the seconds grow with the size, on log scales, as SVG."""
    width, height, margin = 320, 240, 50
    across, down = 2 * (width + 2 * margin), height + 2 * margin
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}"',
        'font-family="sans-serif" font-size="11">',
        "<title>CPU seconds over the size of the model, both on a log scale</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for number, (name, rows) in enumerate(tables.items()):
        times = [t for row in rows for t in (row.seconds, row.paper) if t]
        low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
        largest = math.log10(max(row.size for row in rows))

        def place(
            size: int, seconds: float, low: int = low, high: int = high, largest: float = largest
        ) -> str:
            x = width * math.log10(size) / largest
            y = height * (1 - (math.log10(seconds) - low) / (high - low))
            return f"{x:.1f},{y:.1f}"

        parts.append(
            f'<g transform="translate({margin + number * (width + 2 * margin)} {margin})">'
        )
        parts.append(f'<text y="-20" font-weight="bold">{name}</text>')
        for power in range(low, high + 1):
            y = height * (1 - (power - low) / (high - low))
            parts.append(f'<path d="M0 {y:.1f}H{width}" stroke="#ddd"/>')
            parts.append(f'<text x="-5" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>')
        for size in sorted({1, 2, 5, 10, 20, 40, 100} & {row.size for row in rows}):
            x = width * math.log10(size) / largest
            parts.append(f'<text x="{x:.1f}" y="{height + 16}" text-anchor="middle">{size}</text>')
        for colour, who in (("#1f77b4", "ours"), ("#d62728", "paper")):
            points = [
                place(row.size, t)
                for row in rows
                if (t := row.seconds if who == "ours" else row.paper)
            ]
            line = " ".join(points)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
            x, y = points[-1].split(",")
            parts.append(f'<text x="{x}" y="{float(y) - 5}" fill="{colour}">{who}</text>')
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def main() -> int:
    """Print the tables, and draw them where that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--large", action="store_true", help="also sizes beyond the paper's")
    parser.add_argument("--simbridge", action="store_true", help="only the game of the other paper")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="where to draw the growth")
    parser.add_argument(
        "--programs", nargs="*", choices=PROGRAMS, metavar="NAME", help="only our programs, or some"
    )
    parser.add_argument("--folder", type=Path, metavar="DIR", help="only the programs of a folder")
    parser.add_argument("--against", metavar="REVISION", help="only the examples, there and here")
    parser.add_argument("--runs", type=int, default=3, help="how often, against a revision")
    parser.add_argument("--proofs", action="store_true", help="only what proofs cost")
    given = parser.parse_args()
    if given.proofs:
        return int(not proofs())
    if given.programs is not None:
        return int(not programs(given.programs))
    if given.folder:
        return int(not folder(given.folder))
    if given.against:
        return int(not compare(given.against, given.runs))
    if given.simbridge:
        simbridge()
        return 0
    run("tunnels", n=1)  # what is loaded when it is first used is no part of any row
    tables = {
        "Tunnels": show("Table 1: tunnels", "tunnels", tunnels(large=given.large)),
        "Integers": show("Table 2: integers", "numbers", integers(large=given.large)),
    }
    open_questions(large=given.large)
    if given.svg:
        given.svg.write_text(draw(tables))
    wrong = [row for rows in tables.values() for row in rows if set(row.verdicts) != {"true"}]
    wrong += [row for row in tables["Tunnels"] if row.states not in (None, row.cells)]
    return int(bool(wrong) or not programs([]))


if __name__ == "__main__":
    # In this process, whose time is measured.
    with work_here():
        sys.exit(main())
