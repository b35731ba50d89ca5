"""Measures of the front end and the explicit engine, as ratios within one run.

    python benchmarks/run.py                 all of them
    python benchmarks/run.py start parse     only these

`start`  how long `gnomon check` of a small model takes, against `python -c pass`
`parse`  how reading grows with the size of a program (the dining cryptographers, written out)
`states` how exploring and checking grow with the number of states
`corpus` verdicts and exact state counts of a folder of models with an `expected.json`
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from gnomon.checking.check import Options, check
from gnomon.checking.load import load, load_text
from gnomon.checking.supervise import work_here
from gnomon.model.system import System

ROOT = Path(__file__).resolve().parent.parent
SMALL = ROOT / "examples" / "bit_transmission.ispl"


def cpu_of(command: list[str], repeats: int = 15) -> float:
    """Return the median CPU seconds of a command, its start included."""
    spent: list[float] = []
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(spent)


def measure_start() -> bool:
    """Print the start-up ratio; at most 12 is the aim."""
    nothing = cpu_of([sys.executable, "-c", "pass"])
    gnomon = [sys.executable, "-m", "gnomon", "check", str(SMALL)]
    subprocess.run(
        gnomon, check=False, capture_output=True
    )  # lets Python keep the compiled modules
    ratio = cpu_of(gnomon) / nothing
    print(
        f"start   gnomon check {SMALL.name}: {ratio:.1f} times `python -c pass` (aim: at most 12)"
    )
    return ratio <= 12


def cryptographers(n: int) -> str:
    """Return the dining cryptographers without families: quadratic in n, as generators write it."""
    everybody = range(1, n + 1)
    cases = " or\n  ".join(
        "(" + " and ".join(f"C{j}.paid={str(i == j).lower()}" for j in everybody) + ")"
        for i in range(n + 1)
    )
    agents = "\n".join(
        f"Agent C{i}\n  Lobsvars = {{coin{i}, coin{i % n + 1}}};\n  Vars: paid : boolean; end Vars\n"
        f"  Actions = {{equal, different}};\n  Protocol:\n"
        f"    Environment.coin{i}=Environment.coin{i % n + 1} and paid=false : {{equal}};\n"
        f"    !(Environment.coin{i}=Environment.coin{i % n + 1}) and paid=true : {{equal}};\n"
        f"    Other : {{different}};\n  end Protocol\n  Evolution: paid=paid if paid=true; end Evolution\n"
        "end Agent"
        for i in everybody
    )
    variables = "\n".join(f"    coin{i} : {{head, tail}};\n    said{i} : 0..1;" for i in everybody)
    hear = "\n".join(f"    said{i}=1 if C{i}.Action=different;" for i in everybody)
    total = "+".join(f"said{i}" for i in everybody)
    sums = " or ".join(f"{total}={k}" for k in range(1, n + 1, 2))
    return (
        f"Semantics=SA;\nAgent Environment\n  Obsvars: odd : boolean; end Obsvars\n  Vars:\n{variables}\n"
        f"  end Vars\n  Actions={{none}};\n  Protocol: Other:{{none}}; end Protocol\n"
        f"  Evolution:\n{hear}\n    odd=true if {sums};\n  end Evolution\nend Agent\n{agents}\n"
        "Evaluation odd if Environment.odd=true; end Evaluation\n"
        f"InitStates ({cases}) and Environment.odd=false\n"
        + "".join(f" and Environment.said{i}=0" for i in everybody)
        + ";\nend InitStates\nFormulae EF odd; end Formulae\n"
    )


def measure_parse() -> bool:
    """Print how long reading takes for each megabyte; it should not grow with the size."""
    print("parse   characters  seconds  seconds per megabyte")
    rates: list[float] = []
    for n in (60, 120, 180, 240):
        text = cryptographers(n)
        started = time.process_time()
        loaded = load_text(text)
        spent = time.process_time() - started
        assert loaded.system is not None
        rates.append(spent / len(text) * 1e6)
        print(f"        {len(text):>10,}  {spent:7.2f}  {rates[-1]:7.2f}")
    growth = rates[-1] / rates[0]
    print(
        f"        cost per megabyte at the largest against the smallest: {growth:.2f} (aim: about 1)"
    )
    return rates[-1] <= 3 and growth < 2


def counters(agents: int, size: int) -> System:
    """Return independent counters: `size` ** `agents` states."""
    text = (
        f"Constants n = {agents}; end Constants\n"
        "Agent Counter[i : 1..n]\n"
        f"  Vars: x : 0..{size - 1}; end Vars\n"
        "  Actions = { up, stay };\n  Protocol: Other : { up, stay }; end Protocol\n"
        f"  Evolution: x = (x + 1) mod {size} if Action = up; end Evolution\nend Agent\n"
        "Evaluation zero if forall i : 1..n (Counter[i].x = 0);\n"
        f"  full if forall i : 1..n (Counter[i].x = {size - 1}); end Evaluation\n"
        "InitStates forall i : 1..n (Counter[i].x = 0); end InitStates\n"
        "Formulae AG EF full; AG (full -> K(Counter[1], full)); <Counter[1]>F full; end Formulae\n"
    )
    loaded = load_text(text)
    assert loaded.system is not None, loaded.diagnostics
    return loaded.system


def measure_states() -> bool:
    """Print seconds and memory for each state; they should not grow with the number of states."""
    print("states     states  seconds  microseconds a state  peak MB")
    rates: list[float] = []
    for agents, size in ((3, 10), (4, 10), (5, 10), (5, 16)):
        system = counters(agents, size)
        started = time.process_time()
        result = check(system, None, Options())
        spent = time.process_time() - started
        assert result.states == size**agents
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        rates.append(spent / result.states * 1e6)
        print(f"        {result.states:>9,}  {spent:7.2f}  {rates[-1]:20.1f}  {peak:7.0f}")
    return rates[-1] < 300


def measure_corpus(folder: Path) -> bool:
    """Print for each model of a corpus whether verdicts and counts are as expected."""
    listed = folder / "expected.json"
    if not listed.is_file():
        print(f"corpus  no {listed.name} in {folder}: left out")
        return True
    fine = True
    for name, expected in json.loads(listed.read_text()).items():
        if "formulae" not in expected:
            continue
        system = load(str(folder / name)).system
        assert system is not None
        result = check(system, None, Options(timeout=600))
        values = [str(verdict.value) == "true" for verdict in result][: len(expected["formulae"])]
        agrees = values == expected["formulae"] and expected.get("states") in (None, result.states)
        fine = fine and agrees
        word = "as expected" if agrees else "DIFFERENT"
        print(f"corpus  {word}  {name}: {result.states} states, {result.seconds:.2f} s")
    return fine


def main() -> int:
    """Run the measures that were asked for, and return how many missed their aim."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "measures", nargs="*", metavar="MEASURE", help="start, parse, states, corpus"
    )
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "models" / "mcmas")
    given = parser.parse_args()
    measures: dict[str, Callable[[], bool]] = {
        "start": measure_start,
        "parse": measure_parse,
        "states": measure_states,
        "corpus": lambda: measure_corpus(given.corpus),
    }
    missed = [name for name in given.measures or measures if not measures[name]()]
    print("all aims met" if not missed else f"missed: {', '.join(missed)}")
    return len(missed)


if __name__ == "__main__":
    # In this process, whose time is measured.
    with work_here():
        sys.exit(main())
