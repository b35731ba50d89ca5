"""What has to happen with any number of agents: verdicts, what they cost, and what their proofs cost.

    python benchmarks/over_time.py            fifteen programs under three kinds of fairness
    python benchmarks/over_time.py --growth   also rings with more and more local states

Times are seconds of the processor for deciding, for making the proof (the checker accepts it on the way), and
for checking it once more. One run, on a machine that others use as well.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from gnomon.certificate.document import read_verdict
from gnomon.certificate.parameterised.population_rules import PopulationRules
from gnomon.checking.certify_population import proved
from gnomon.checking.check import check
from gnomon.checking.load import load_text
from gnomon.checking.population_paths import decide_paths
from gnomon.checking.supervise import work_here
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import OverTime

PROGRAMS = Path(__file__).resolve().parent / "over_time"
PROMISES = ("none", "weak", "strong")
#: No verdict may take longer.
MARK = 2.0
#: Whether it is true for all, under each kind of fairness; else with how many agents it is false.
EXPECTED: Final = {
    "lock": ("2", "2", "true"),
    "charger": ("2", "2", "true"),
    "token": ("2", "2", "true"),
    "traffic": ("1", "1", "true"),
    "mesi": ("2", "true", "true"),
    "readers": ("2", "2", "3"),
    "gossip": ("2", "true", "true"),
    "sir": ("true", "true", "true"),
    "sis": ("2", "2", "2"),
    "matches": ("true", "true", "true"),
    "drain": ("true", "true", "true"),
    "barrier": ("true", "true", "true"),
    "evacuate": ("1", "true", "true"),
    "quorum": ("0, from 3 on true", "0, from 3 on true", "0, from 3 on true"),
    "election": ("0, from 1 on true", "0, from 1 on true", "0, from 1 on true"),
}


class Row(NamedTuple):
    """A verdict, how large the graph was that proved it, the seconds, and the size of the proof."""

    name: str
    verdict: str
    steps: int
    deciding: float
    proving: float
    checking: float
    bytes: int


def measure(name: str, text: str) -> Row:
    system = load_text(text).templates
    assert system is not None
    [question] = system.questions
    assert isinstance(question.query, OverTime)
    started = time.process_time()
    decision = decide_paths(system, question.query, Budget())
    deciding = time.process_time() - started
    [verdict] = check(system).verdicts
    started = time.process_time()
    entry = json.loads(json.dumps(proved(system, question, verdict, decision, Budget()).entry))
    proving = time.process_time() - started
    started = time.process_time()
    if entry["proof"] is not None:
        PopulationRules(system, Budget()).check(read_verdict(entry), question)
    checking = time.process_time() - started
    said = {True: "", False: "true", None: "unknown"}[decision.reached]
    if decision.reached:
        said = str(sum(decision.smallest[0]))
        said += "" if decision.from_on is None else f", from {decision.from_on} on true"
    size = len(json.dumps(entry["proof"])) if entry["proof"] is not None else 0
    return Row(name, said, decision.steps, deciding, proving, checking, size)


def under(text: str, promise: str) -> str:
    """Return a program in which something is promised to everybody."""
    fairness = "" if promise == "none" else f"Fairness\n  {promise};\nend Fairness\n\n"
    return text.replace("Formulae\n  asked", f"{fairness}Formulae\n  asked")


def ring(places: int) -> str:
    """Return agents that go round a ring of places, one of which only one of them may be in."""
    names = [f"p{number}" for number in range(places)]
    locals_ = ", ".join(f"go{number}" for number in range(places - 2))
    moves = "\n".join(f"    at = p{number} : {{ go{number} }};" for number in range(places - 2))
    changes = "\n".join(
        f"    at = p{number + 1} if Action = go{number};" for number in range(places - 2)
    )
    return f"""
Environment
  Vars: locked : boolean; end Vars
  Sync = {{ enter : one, exit : one }};
  Protocol: locked = false : {{ enter }}; locked = true : {{ exit }}; end Protocol
  Evolution: locked = true if Action = enter; locked = false if Action = exit; end Evolution
end Environment
Template T
  Vars: at : {{ {", ".join(names)} }}; end Vars
  Actions = {{ {locals_} }};
  Sync = {{ enter, exit }};
  Protocol:
{moves}
    at = p{places - 2} : {{ enter }};
    at = p{places - 1} : {{ exit }};
  end Protocol
  Evolution:
{changes}
    at = p{places - 1} if Action = enter;
    at = p0 if Action = exit;
  end Evolution
end Template
InitStates Environment.locked = false and T.at = p0; end InitStates
Formulae
  asked : forall i : T (AG (i.at = p1 -> AF i.at = p{places - 1}));
end Formulae
"""


def rows(*, growth: bool) -> Iterator[tuple[Row, str]]:
    for name, expected in EXPECTED.items():
        text = (PROGRAMS / f"{name}.ispl").read_text()
        for promise, wanted in zip(PROMISES, expected, strict=True):
            yield measure(f"{name}, {promise}", under(text, promise)), wanted
    for places in (3, 4, 5, 6, 7) if growth else ():
        yield measure(f"ring of {places}, strong", under(ring(places), "strong")), ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--growth", action="store_true", help="also rings of places that grow")
    given = parser.parse_args()
    times = " ".join(f"{title:>9}" for title in ("deciding", "proving", "checking", "bytes"))
    print(f"{'program':22} {'verdict':18} {'steps':>7} {times}")
    missed = 0
    for row, wanted in rows(growth=given.growth):
        wrong = bool(wanted) and (row.verdict != wanted or row.deciding > MARK or not row.bytes)
        missed += wrong
        print(
            f"{row.name:22} {row.verdict:18} {row.steps:7,} {row.deciding:9.3f} {row.proving:9.3f} "
            f"{row.checking:9.3f} {row.bytes:9,}{'  !' if wrong else ''}",
            flush=True,
        )
    print("all marks met" if not missed else f"{missed} marks missed or verdicts differ")
    return 1 if missed else 0


if __name__ == "__main__":
    # In this process, whose time is measured.
    with work_here():
        sys.exit(main())
