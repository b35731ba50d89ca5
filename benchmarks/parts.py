"""One question in parts of its initial states: what they cost, and what two processors make of it.

    python benchmarks/parts.py             bridge with four cards a hand
    python benchmarks/parts.py --cards 5   with five

Every part is a job of its own, done one after the other, of which the CPU seconds are taken: on a machine
that others use as well, only these can be compared. `two` is how long the longer of two processors is busy
that take one part after the other; `faster` is how much less that is than the CPU seconds of the whole.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from gnomon.campaign.job import CampaignJob
from gnomon.campaign.parts import StartsPart, listed_starts, parts_of
from gnomon.campaign.worker import answer
from gnomon.checking.options import Options
from gnomon.checking.question import Question, read
from gnomon.checking.supervise import fork_from_here
from gnomon.model.budget import Budget
from gnomon.model.system import System

MODEL = Path(__file__).resolve().parent.parent / "examples" / "games" / "bridge.ispl"
#: Deals, by the constants that shuffle the cards.
DEALS = {
    4: ({"a": 5, "b": 3, "long": 1}, {"a": 5, "b": 0, "gaps": 1}, {"a": 7, "b": 5, "gaps": 1}),
    5: ({"a": 1, "b": 1, "long": 1}, {"a": 11, "b": 5}),
}


def cost(question: Question, part: StartsPart, limit: float) -> tuple[float, str]:
    """Return the CPU seconds of a part, and its verdict."""
    options = Options(strategies="uniform", race=False, starts=part.conditions, timeout=limit)
    found = answer(CampaignJob(replace(question, options=options)))
    return found.provenance.cpu, found.formulae[0]["verdict"] if found.formulae else "none"


def busy(costs: list[float], processors: int) -> float:
    """Return how long the longest processor is busy, if each takes the next part when it is free."""
    spent = [0.0] * processors
    for each in costs:
        spent[spent.index(min(spent))] += each
    return max(spent)


def main() -> int:
    """Print a line for each deal and each number of parts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cards", type=int, default=4, choices=sorted(DEALS))
    parser.add_argument("--parts", default="1,2,4,8", help="numbers of parts; 1 is the whole")
    parser.add_argument("--limit", type=float, default=600, help="seconds for each part")
    given = parser.parse_args()
    fork_from_here()  # so that what children spend is known here
    for deal in DEALS[given.cards]:
        constants = tuple({"n": given.cards, **deal}.items())
        question = Question(MODEL.read_text(), "bridge", constants, ("<south>F wins",))
        loaded = read(question).loaded
        assert loaded is not None and isinstance(loaded.model, System)
        starts = listed_starts(loaded.model, Budget())
        assert starts is not None
        whole = 0.0
        for count in map(int, given.parts.split(",")):
            found = [
                cost(question, part, given.limit) for part in parts_of(loaded.model, starts, count)
            ]
            costs = [seconds for seconds, _ in found]
            two = busy(costs, 2)
            whole = whole or two
            print(
                f"{deal!s:34} {count:3} parts {sum(costs):7.1f} s together, longest {max(costs):6.1f} s, "
                f"two {two:6.1f} s, faster {whole / two:4.2f}  {'/'.join(sorted({v for _, v in found}))}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
