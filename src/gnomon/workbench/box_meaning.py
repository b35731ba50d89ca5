"""What the boxes of a folded picture stand for, in a sentence."""

from collections.abc import Sequence
from typing import Final

from gnomon.checking.folded import ByBisimulation, ByPropositions, ByVariables, ByView, FoldKey
from gnomon.model.system import System
from gnomon.results.graph import StateGraph

#: So many propositions are named.
_NAMED: Final = 8
_ARROWS: Final = "an arrow is there where one of them has the step"


def box_meaning(graph: StateGraph, key: FoldKey, *, cut: bool) -> str:
    """Return what a box stands for, in a sentence."""
    if not graph.nodes:
        return ""
    states, boxes = _so_many(graph.states, "state", "s"), _so_many(len(graph.nodes), "box", "es")
    apart = _apart(graph.system, key)
    if cut and isinstance(key, ByBisimulation):
        apart += " by the steps among those that were listed"
    return f"{states} in {boxes}, one for all that {apart}; {_ARROWS}"


def _so_many(number: int, word: str, plural: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else plural}"


def _apart(system: System, key: FoldKey) -> str:
    match key:
        case ByVariables(agents):
            return f"agree on the variables of {_names(agents)}"
        case ByPropositions(names):
            return f"agree on {_names(names)}" if names else "there are"
        case ByView(agent):
            return f"look the same to {agent}"
        case ByBisimulation(names):
            over = f" over {_names(names)}" if names else ""
            aside = ", fairness aside" if system.fairness else ""
            return f"no formula of time{over} tells apart{aside}"


def _names(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
