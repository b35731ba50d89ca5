"""Uniform strategies: CPU time and memory of the whole command on games of the literature.

    python benchmarks/uniform.py                 every instance
    python benchmarks/uniform.py --only tian_ji  those of one game
    python benchmarks/uniform.py --growth        sizes of each game, to see how the cost grows
    python benchmarks/uniform.py --nested        coalitions inside other operators, read in both ways

The models are in `examples/games`. Each run is a process of its own that decides one formula with
`--strategies uniform`: reading, exploring and searching included. The last column is the mark set for the
instance; times are those of one run on a machine that others use as well.
"""

import argparse
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

from symbolic import measure

GAMES = Path(__file__).resolve().parent.parent / "examples" / "games"


@dataclass(frozen=True)
class Instance:
    """A model with its constants, one of its formulae, and what is expected of it."""

    game: str
    formula: str
    verdict: bool
    mark: float | None = None
    constants: dict[str, int] = field(default_factory=dict)
    strategies: str = "uniform"

    @property
    def name(self) -> str:
        """What it is called in the table."""
        sizes = ", ".join(f"{name}={value}" for name, value in self.constants.items())
        return f"{self.game} {sizes}{' subjective' if self.strategies != 'uniform' else ''}"


def castles(a: int, b: int, c: int) -> dict[str, int]:
    """Return how many workers the castles have."""
    return {"a": a, "b": b, "c": c}


INSTANCES = (
    Instance("tian_ji", "<tianji>F wins", True, 3, {"n": 7}),
    Instance("castles", "<c12>F defeated[3]", True, 3, castles(2, 2, 1)),
    Instance("castles", "<c12>F defeated[3]", True, 30, castles(2, 2, 2)),
    Instance("castles", "<c1>F defeated[3]", False, 0.5, castles(1, 1, 1)),
    Instance("bridge", "<south>F wins", True, 15, {"n": 4, "gaps": 1}),
    Instance("bridge", "<south>F wins", False, 15, {"n": 4, "gaps": 1, "a": 1, "b": 1, "long": 1}),
    Instance("bridge", "<south>F wins", True, 15, {"n": 4, "gaps": 1, "a": 1, "b": 0, "long": 1}),
    Instance("drones", "<drones>F reached[2]", False, 3, {"drones": 2, "energy": 3}),
    Instance(
        "simple_voting",
        "<Voter[1]>F (done[1] and !punished[1] and !obeyed[1])",
        False,
        3,
        {"voters": 4},
    ),
    Instance("synchronous_voting", "<voter>F (spared[1] and !first[1])", False, 60, {"voters": 5}),
    Instance("synchronous_voting", "<voter>G (first[1] or !punished[1])", True, 60, {"voters": 5}),
)
SUBJECTIVE = "uniform-subjective"
NESTED = (
    Instance(
        "castles",
        "AG (defeated[1] -> AX !<c12>F defeated[3])",
        False,
        0.5,
        castles(2, 1, 1),
        SUBJECTIVE,
    ),
    Instance("castles", "EF (!defeated[1] and <c1>F defeated[3])", True, 1, castles(2, 2, 1)),
    Instance(
        "castles",
        "EF (!defeated[1] and <c1>F defeated[3])",
        True,
        1,
        castles(2, 2, 1),
        SUBJECTIVE,
    ),
    Instance("castles", "<c12>F <c1>F defeated[3]", True, 1, castles(1, 1, 1)),
    Instance("tian_ji", "AG (!over -> <king>X !wins)", False, 0.5, {"n": 5}),
    Instance("tian_ji", "AX K(TianJi, <tianji>F wins)", True, 0.5, {"n": 6}, SUBJECTIVE),
    Instance("bridge", "AX <south>F wins", False, 1.5, {"n": 3, "gaps": 1}),
    Instance("bridge", "EF (!wins and <south>F wins)", True, 2, {"n": 3, "gaps": 1}),
    Instance(
        "synchronous_voting",
        "EF <voter>F (spared[1] and !first[1])",
        True,
        3,
        {"voters": 4},
        SUBJECTIVE,
    ),
)
GROWTH = (
    *(Instance("tian_ji", "<tianji>F wins", True, None, {"n": n}) for n in (3, 4, 5, 6, 7, 8)),
    *(
        Instance("castles", "<c12>F defeated[3]", True, None, castles(*sizes))
        for sizes in ((1, 1, 1), (2, 1, 1), (2, 2, 1), (2, 2, 2), (3, 3, 1))
    ),
    *(Instance("bridge", "<south>F wins", True, None, {"n": n, "gaps": 1}) for n in (2, 3, 4)),
    *(
        Instance(
            "synchronous_voting", "<voter>G (first[1] or !punished[1])", True, None, {"voters": n}
        )
        for n in (2, 3, 4, 5, 6)
    ),
)


def run(instance: Instance, limit: int) -> tuple[str, bool]:
    """Return the row of an instance, and whether all is as it should be."""
    command = [sys.executable, "-m", "gnomon", "check", str(GAMES / f"{instance.game}.ispl")]
    for name, value in instance.constants.items():
        command += ["--set", f"{name}={value}"]
    command += ["--formula", instance.formula, "--strategies", instance.strategies, "--json"]
    done, out, err = measure(command, limit)
    states, verdict = "", "over the limit" if done.over else "failed"
    if not done.over and out:
        result = json.loads(out)
        states, verdict = f"{result['states']:,}", result["formulae"][0]["verdict"]
    elif err and not done.over:
        verdict = err.strip().splitlines()[0]
    right = verdict == ("true" if instance.verdict else "false")
    fast = instance.mark is None or done.cpu <= instance.mark
    mark = "" if instance.mark is None else f"{instance.mark:g} s"
    text = (
        f"{instance.name:42} {instance.formula[:30]:30} {states:>11} {verdict:>6} "
        f"{done.cpu:7.2f} s {done.peak:6.0f} MB  {mark:>6}{'' if right and fast else '  !'}"
    )
    return text, right


def main() -> int:
    """Run the instances and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--only", help="one game")
    parser.add_argument("--nested", action="store_true", help="coalitions inside other operators")
    parser.add_argument("--growth", action="store_true", help="several sizes of each game")
    parser.add_argument("--limit", type=int, default=130, help="seconds of CPU for each")
    options = parser.parse_args()
    wrong = False
    chosen = GROWTH if options.growth else NESTED if options.nested else INSTANCES
    for instance in chosen:
        if options.only in (None, instance.game):
            text, right = run(instance, options.limit)
            wrong = wrong or not right
            print(text, flush=True)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
