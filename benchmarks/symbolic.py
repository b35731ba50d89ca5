"""The symbolic engine beside MCMAS 1.3.0: CPU time and memory of the whole command, as ratios.

    python benchmarks/symbolic.py                                  ours alone, every family
    python benchmarks/symbolic.py --mcmas PATH --family dc         both, the dining cryptographers
    python benchmarks/symbolic.py --mcmas PATH --corpus DIR        every model of a folder, too
    python benchmarks/symbolic.py --mcmas PATH --svg growth.svg    draws the growth curves

Both read the same file, written by `families.py` (or by `--generator PATH`, called as `PATH FAMILY N`).
Each run is a process of its own; a checker that needs more than the limit leaves the family there.
Peak memory is that of the system's accounts, which never give less than the size of this script.
"""

import argparse
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIZES = {
    "dc": (4, 8, 10, 12, 14, 16, 18, 20, 30, 50, 100, 200, 400),
    "muddy": (5, 10, 20, 30, 40, 50, 60, 80, 100, 150),
    "prisoners": (4, 6, 8, 10, 12, 14, 16, 20, 25, 30),
    "tianji": (6, 10, 12, 14, 16, 18, 20, 22, 25, 30, 40),
    "tgc": (5, 10, 15, 20, 25, 30, 35, 40, 60, 100, 200),
    "cards": (11, 31, 51, 75, 101, 151, 201, 301, 401),
    "simbridge": (4, 6, 8, 10, 12, 14, 16, 18, 20),
}
QUICK = 3  # sizes of each family
VERDICT = re.compile(r"Formula number (\d+): (.*), is (TRUE|FALSE) in the model")


@dataclass
class Run:
    """What one command did."""

    cpu: float
    peak: float  # megabytes
    verdicts: dict[int, bool]
    states: int | None = None
    over: bool = False
    problem: str = ""

    @property
    def fine(self) -> bool:
        """Whether it came to an end within the limit."""
        return not self.over and not self.problem


@dataclass
class Row:
    """One model and what both made of it."""

    family: str
    size: int
    name: str
    ours: Run | None
    mcmas: Run | None

    @property
    def ratio(self) -> float | None:
        """How many times faster we are: a lower bound where MCMAS went over the limit."""
        if self.ours is None or self.mcmas is None or not self.ours.fine or self.mcmas.problem:
            return None
        return self.mcmas.cpu / max(self.ours.cpu, 0.001)


def measure(command: list[str], limit: int) -> tuple[Run, str, str]:
    """Run a command with at most `limit` seconds of CPU; return its costs and what it printed."""
    limited = ["sh", "-c", f'ulimit -t {limit} && exec "$@"', "sh", *command]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(limited, stdout=out, stderr=err, start_new_session=True)
        impatience = threading.Timer(20 * limit, os.killpg, (process.pid, signal.SIGKILL))
        impatience.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            impatience.cancel()
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
        out.seek(0)
        err.seek(0)
        run = Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, {})
        killed = process.returncode in (-signal.SIGKILL, -signal.SIGXCPU)
        run.over = run.cpu >= limit or (killed and run.cpu > 0.9 * limit)
        if process.returncode < 0 and not run.over:
            run.problem = signal.Signals(-process.returncode).name
        return run, out.read(), err.read()


def run_ours(path: Path, engine: str, limit: int) -> tuple[Run, list[str]]:
    """Check a model with Gnomon; return also its formulae."""
    gnomon = [sys.executable, "-m", "gnomon", "check", str(path), "--engine", engine]
    run, out, err = measure([*gnomon, "--json", "--no-evidence"], limit)
    if run.over or run.problem:
        return run, []
    try:
        result = json.loads(out)
    except ValueError:
        run.problem = (err.strip().splitlines() or ["no output"])[0]
        return run, []
    run.states, formulae = result["states"], result["formulae"]
    if not formulae:
        run.problem = (err.strip().splitlines() or ["nothing was checked"])[0]
    words = {number: formula["verdict"] for number, formula in enumerate(formulae, start=1)}
    run.verdicts = {
        number: word == "true" for number, word in words.items() if word in {"true", "false"}
    }
    if undecided := [number for number in words if number not in run.verdicts]:
        reason = formulae[undecided[0] - 1]["reason"]
        run.problem = f"formula {undecided[0]} {words[undecided[0]]}: {reason}"
    return run, [formula["text"] for formula in formulae]


def run_mcmas(binary: Path, path: Path, limit: int) -> Run:
    """Check a model with MCMAS; a crash behind the last verdict is one of its known faults."""
    run, out, err = measure([str(binary), str(path)], limit)
    run.verdicts = {int(number): word == "TRUE" for number, _, word in VERDICT.findall(out)}
    complete = "formulae successfully read and checked" in out
    if complete:
        run.problem = ""
    elif not run.over:
        run.problem = run.problem or (err.strip().splitlines() or ["no verdicts"])[0]
    return run


def known_fault(formula: str, fairness: str) -> str:
    """Return why MCMAS may be wrong about such a formula, as far as is known, or nothing."""
    if formula.startswith("CTL*"):
        return "CTL* is read with another precedence"
    if "<" in formula and (fairness or re.search(r"<[^<>]*>\s*\(.*\bU\b", formula)):
        return "`<g>(p U q)`, and coalitions under fairness"
    if fairness and re.search(r"\bA\s*\(.*\bU\b", formula):
        return "`A(p U q)` under fairness looks at unfair states"
    shared = set(re.findall(r"\w+", fairness)) & set(re.findall(r"\w+", formula))
    if shared and re.search(r"\bE[XF]\b", formula):
        return "propositions of the fairness section keep unfair states"
    return ""


def compare(row: Row, formulae: list[str], text: str) -> list[str]:
    """Return what is to be said where the two answer differently; possible faults are marked."""
    if row.ours is None or row.mcmas is None:
        return []
    code = re.sub(r"--.*", "", text)
    section = re.search(r"\bFairness\b(.*?)\bend\s+Fairness", code, re.DOTALL)
    fairness = section.group(1).strip() if section else ""
    notes: list[str] = []
    for number, value in row.mcmas.verdicts.items():
        mine = row.ours.verdicts.get(number)
        if mine is None or mine == value:
            continue
        reason = known_fault(formulae[number - 1], fairness)
        mark = f"may be a known fault of MCMAS: {reason}" if reason else "DIFFERENT"
        notes.append(f"formula {number}: ours {mine}, MCMAS {value} ({mark})")
    return notes


def written(generator: Path | None, family: str, size: int, path: Path) -> bool:
    """Write a model of a family; say so if the generator does not know it."""
    command = [sys.executable, str(generator or HERE / "families.py"), family, str(size)]
    with path.open("w") as out:
        done = subprocess.run(command, check=False, stdout=out, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["failed"]
        print(f"{family:<10} {size:>5}  not written: {said[-1]}")
    return done.returncode == 0


def states_of(run: Run | None) -> str:
    """Return the exact number of states as long as it is short."""
    if run is None or run.states is None:
        return "–"
    if run.states < 10**9:
        return f"{run.states:,}"
    power = len(str(run.states)) - 1
    return f"{run.states // 10 ** (power - 2) / 100:.2f}e{power}"


def seconds_of(run: Run | None, limit: int) -> str:
    """Return the CPU seconds, or what kept them from being measured."""
    if run is None:
        return "–"
    if run.over:
        return f">{limit}"
    return "failed" if run.problem else f"{run.cpu:.2f}"


def peak_of(run: Run | None) -> str:
    return "–" if run is None else f"{run.peak:.0f}"


def show(row: Row, limit: int) -> None:
    """Print a line of the table, and what went wrong."""
    ratio = "–"
    if row.ratio is not None and row.mcmas is not None:
        ratio = f"{'>' if row.mcmas.over else ''}{row.ratio:.3g}"
    print(
        f"{row.name:<40} {states_of(row.ours):>13} {seconds_of(row.mcmas, limit):>9} "
        f"{seconds_of(row.ours, limit):>9} {ratio:>8} {peak_of(row.mcmas):>9} {peak_of(row.ours):>8}",
        flush=True,
    )
    for who, run in (("MCMAS", row.mcmas), ("ours", row.ours)):
        if run is not None and run.problem:
            print(f"    {who}: {run.problem[:150]}", flush=True)


@dataclass
class Bench:
    """What was asked for, and what was found."""

    mcmas: Path | None
    engine: str
    limit: int
    generator: Path | None
    rows: list[Row]
    different: int = 0
    excused: int = 0

    def model(self, row: Row, path: Path, *, ours: bool, mcmas: bool) -> None:
        """Measure one model and print its line; leave out who is not wanted any more."""
        formulae: list[str] = []
        if mcmas and self.mcmas is not None:
            row.mcmas = run_mcmas(self.mcmas, path, self.limit)
        if ours:
            row.ours, formulae = run_ours(path, self.engine, self.limit)
        show(row, self.limit)
        for note in compare(row, formulae, path.read_text(errors="replace")):
            self.different += "DIFFERENT" in note
            self.excused += "DIFFERENT" not in note
            print(f"    {note}", flush=True)
        self.rows.append(row)

    def family(self, family: str, sizes: tuple[int, ...], folder: Path) -> None:
        """Measure a family until both have met their limit."""
        ours, mcmas = True, self.mcmas is not None
        for size in sizes:
            path = folder / f"{family}-{size}.ispl"
            if not (ours or mcmas) or not written(self.generator, family, size, path):
                return
            row = Row(family, size, f"{family} {size}", None, None)
            self.model(row, path, ours=ours, mcmas=mcmas)
            path.unlink()
            ours = ours and row.ours is not None and row.ours.fine
            mcmas = mcmas and row.mcmas is not None and row.mcmas.fine

    def corpus(self, folder: Path) -> None:
        """Measure every model of a folder."""
        for path in sorted(folder.glob("*.ispl")):
            self.model(Row("", 0, path.stem[:40], None, None), path, ours=True, mcmas=True)


def summary(bench: Bench) -> None:
    """Print the geometric mean of the ratios where MCMAS needs a second or more."""
    hard = [row for row in bench.rows if row.mcmas is not None and row.mcmas.cpu >= 1]
    ratios = [row.ratio for row in hard if row.ratio and row.mcmas and row.mcmas.fine]
    beyond = sum(1 for row in hard if row.ratio and row.mcmas and row.mcmas.over)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(
            f"geometric mean over {len(ratios)} models that MCMAS needs 1 s or more for: {mean:.3g}"
        )
    if beyond:
        print(f"decided by us where MCMAS needs more than {bench.limit} s: {beyond} models")
    if lost := [row.name for row in hard if row.mcmas and row.mcmas.fine and not row.ratio]:
        print(f"left out, because only MCMAS decides them: {', '.join(lost)}")
    peaks = [row.ours.peak for row in bench.rows if row.ours is not None]
    if peaks:
        print(f"our highest peak: {max(peaks):.0f} MB")
    if bench.mcmas is not None:
        print(
            f"verdicts that differ: {bench.different}, and {bench.excused} at known faults of MCMAS"
        )


PANEL, MARGIN, COLUMNS = (300, 200), 48, 3
COLOURS = {"ours": "#1b7837", "MCMAS": "#b2182b"}


def ticks(low: float, high: float) -> Iterator[float]:
    """Yield the powers of ten between two values."""
    for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
        if low <= 10.0**power <= high:
            yield 10.0**power


def curve(points: list[tuple[float, float, bool]], colour: str) -> list[str]:
    """Return a line through its points; a point stopped at the limit is hollow."""
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
    look = f'stroke="{colour}" stroke-width="2"'
    parts = [f'<polyline points="{line}" fill="none" {look}/>']
    for x, y, over in points:
        fill = "#fff" if over else colour
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{fill}" {look}/>')
    return parts


def panel(family: str, rows: list[Row], limit: int) -> list[str]:
    """Return the curves of one family: CPU seconds over the size, both on a log scale."""
    width, height = PANEL
    sizes = sorted({row.size for row in rows})
    first, last = sizes[0], max(sizes[-1], sizes[0] + 1)
    low, high = 0.01, float(limit)

    def across(size: float) -> float:
        return width * math.log(size / first) / math.log(last / first)

    def down(cpu: float) -> float:
        return height * (1 - math.log(min(max(cpu, low), high) / low) / math.log(high / low))

    parts = [
        f'<rect width="{width}" height="{height}" fill="none" stroke="#888"/>',
        f'<text x="{width / 2}" y="-8" text-anchor="middle" font-weight="bold">{escape(family)}</text>',
    ]
    for value in ticks(low, high):
        y = down(value)
        parts.append(f'<path d="M0 {y:.1f}H{width}" stroke="#ddd"/>')
        parts.append(f'<text x="-5" y="{y + 4:.1f}" text-anchor="end">{value:g} s</text>')
    shown = -math.inf
    for size in sizes:
        if across(size) - shown >= 24:
            shown = across(size)
            parts.append(
                f'<text x="{shown:.1f}" y="{height + 15}" text-anchor="middle">{size}</text>'
            )
    for who, colour in COLOURS.items():
        runs = [(row.size, row.ours if who == "ours" else row.mcmas) for row in rows]
        reached = [(size, run) for size, run in runs if run is not None and not run.problem]
        points = [(across(size), down(run.cpu), run.over) for size, run in reached]
        parts += curve(points, colour)
    return parts


def draw(bench: Bench) -> str:
    """Return the growth curves of all families as SVG."""
    families = list(dict.fromkeys(row.family for row in bench.rows if row.family))
    wide, high = PANEL[0] + 2 * MARGIN, PANEL[1] + 2 * MARGIN
    lines = -(-len(families) // COLUMNS)
    width, height = wide * min(COLUMNS, max(len(families), 1)), high * lines + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        '<g font-family="sans-serif" font-size="11">',
        "<title>CPU seconds over the size of the model, both on a log scale</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for number, (who, colour) in enumerate(COLOURS.items()):
        x = MARGIN + 80 * number
        parts.append(f'<circle cx="{x}" cy="20" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{x + 9}" y="24">{who}</text>')
    note = f"hollow: stopped at {bench.limit} s"
    parts.append(f'<text x="{MARGIN + 170}" y="24" fill="#666">{note}</text>')
    for number, family in enumerate(families):
        x, y = MARGIN + wide * (number % COLUMNS), 1.5 * MARGIN + high * (number // COLUMNS)
        rows = [row for row in bench.rows if row.family == family]
        parts += [f'<g transform="translate({x} {y})">', *panel(family, rows, bench.limit), "</g>"]
    return "\n".join([*parts, "</g>", "</svg>", ""])


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mcmas", type=Path, metavar="PATH", help="the binary to compare with")
    parser.add_argument(
        "--family", action="append", choices=SIZES, help="only this family (repeatable)"
    )
    parser.add_argument("--size", action="append", type=int, help="only this size (repeatable)")
    parser.add_argument(
        "--limit", type=int, default=130, metavar="SECONDS", help="of CPU, each run"
    )
    parser.add_argument("--quick", action="store_true", help=f"only the first {QUICK} sizes")
    parser.add_argument(
        "--generator", type=Path, metavar="PATH", help="writes the models: PATH FAMILY N"
    )
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="also every .ispl file in it")
    parser.add_argument("--engine", default="bdd", help="ours (default: bdd)")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="where to draw the growth curves")
    return parser.parse_args()


def main() -> int:
    """Measure what was asked for, and return how many models got different verdicts."""
    given = arguments()
    bench = Bench(given.mcmas, given.engine, given.limit, given.generator, [])
    print(f"{'':<40} {'':>13} {'MCMAS':>9} {'ours':>9} {'':>8} {'MCMAS':>9} {'ours':>8}")
    print(
        f"{'model':<40} {'states':>13} {'CPU s':>9} {'CPU s':>9} {'ratio':>8} {'peak MB':>9} {'peak MB':>8}"
    )
    families = given.family or ([] if given.corpus else list(SIZES))
    with tempfile.TemporaryDirectory() as folder:
        for family in families:
            sizes = tuple(given.size) if given.size else SIZES[family]
            bench.family(family, sizes[:QUICK] if given.quick else sizes, Path(folder))
        if given.corpus:
            bench.corpus(given.corpus)
    summary(bench)
    if given.svg:
        given.svg.write_text(draw(bench))
    return min(bench.different, 1)


if __name__ == "__main__":
    sys.exit(main())
