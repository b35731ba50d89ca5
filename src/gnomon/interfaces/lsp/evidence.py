"""The main run of some evidence, as `schema/check.json` has it, and the lines of the text that it takes."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

#: Steps that are shown as places.
_MOST: Final = 30


class RunLine(NamedTuple):
    """A line of the text that a step of a run takes, and by whom."""

    step: int
    agent: str
    action: str | None
    line: int


def main_run(evidence: Any) -> Mapping[str, Any] | None:
    """Return the first run of some evidence that has steps, going into what explains it."""
    waiting = [evidence.get("explanation")] if isinstance(evidence, Mapping) else []
    while waiting:
        part = waiting.pop(0)
        if not isinstance(part, Mapping):
            continue
        run = part.get("run")
        if isinstance(run, Mapping) and len(run.get("steps", ())) > 1:
            return run
        waiting += [branch.get("because") for branch in part.get("branches", ())]
    return None


def run_lines(evidence: Any) -> Iterator[RunLine]:
    """Yield the lines that the steps of the main run take, in their order; the first ones of very many."""
    run = main_run(evidence)
    if run is None:
        return
    steps = [*run["steps"], *([run["back"]] if run.get("back") else [])]
    found = (
        RunLine(number, agent, (step.get("actions") or {}).get(agent), line)
        for number, step in enumerate(steps)
        for agent, lines in (step.get("lines") or {}).items()
        for line in lines
    )
    yield from islice(found, _MOST)


def evidence_lines(evidence: Any) -> set[int]:
    """Return these lines."""
    return {each.line for each in run_lines(evidence)}
