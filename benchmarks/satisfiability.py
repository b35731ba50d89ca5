"""Satisfiability beside decision diagrams, formula by formula: benchmarks/satisfiability.py [-t S] MODEL...

Prints what each says and the processor's seconds of the whole command, and how many times as long diagrams
take: a question mark is no answer within the time, and the ratio then a lower bound, or an upper one.
`product.py` and `window.py` write models about knowledge, the first too hard for diagrams, the second not.
"""

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path

ENGINES = ("sat", "bdd")


def spent() -> float:
    """Return the processor's seconds of all commands up to now."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def asked(model: Path, number: int, engine: str, seconds: float) -> tuple[str, float]:
    """Return what an engine says of a formula, and how long the command took."""
    command = [sys.executable, "-m", "gnomon", "check", str(model), "--engine", engine]
    command += ["--only", str(number), "--timeout", f"{seconds:g}", "--no-race", "--json"]
    before = spent()
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    took = spent() - before
    try:
        return json.loads(found.stdout)["formulae"][0]["verdict"], took
    except (ValueError, LookupError):
        return "refused", took


def formulae(model: Path) -> int:
    """Return how many formulae a model has."""
    import gnomon

    return len(gnomon.load(model).formulae)


def main() -> None:
    """Ask all formulae of some models."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-t", "--timeout", type=float, default=30.0)
    parser.add_argument("models", nargs="+", type=Path)
    given = parser.parse_args()
    for model in given.models:
        for number in range(1, formulae(model) + 1):
            told = {each: asked(model, number, each, given.timeout) for each in ENGINES}
            said = "   ".join(f"{each} {told[each][0]:>7} {told[each][1]:7.2f}" for each in ENGINES)
            ratio = told["bdd"][1] / told["sat"][1]
            print(f"{model.name:32} {number:3}   {said}   {ratio:8.2f}", flush=True)


if __name__ == "__main__":
    main()
