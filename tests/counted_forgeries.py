"""Proofs of what is not so: graphs of which something is left, with reasons to delete it that are none."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from gnomon.checking.certify_counted import CountedWriter
from gnomon.engines.parameterised.recurrence.candidates import Component
from gnomon.engines.parameterised.recurrence.deletions import CappedEdge, CappedNode
from gnomon.engines.parameterised.recurrence.flows import falling_weights
from gnomon.engines.parameterised.recurrence.interpretations import interpretations
from gnomon.engines.parameterised.recurrence.situations import least_cap
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.system import OpenSystem

#: What may be said to be missing from a component, and from the agents of a strand.
OF_ALL = ("promise", "fair", "environment", "self")
OF_AGENTS = ("agent", "fair")
#: The ways to lie.
LIES = (
    *((("components"), what, which) for what in OF_ALL for which in range(2)),
    *((("strands"), what, which) for what in OF_AGENTS for which in range(2)),
    ("strands falling", "agent", 0),
    ("rising", "", 0),
    ("strands rising", "", 0),
    ("weights", "", 0),
    ("weights as if exact", "", 0),
    ("nothing", "", 0),
)
LOCK = """
Environment
  Vars: locked : boolean; end Vars
  Sync = { enter : one, exit : one };
  Protocol: locked = false : { enter }; locked = true : { exit }; end Protocol
  Evolution: locked = true if Action = enter; locked = false if Action = exit; end Evolution
end Environment
Template Process
  Vars: at : { idle, waiting, critical }; end Vars
  Actions = { request };
  Sync = { enter, exit };
  Protocol: at = idle : { request }; at = waiting : { enter }; at = critical : { exit }; end Protocol
  Evolution:
    at = waiting if Action = request; at = critical if Action = enter; at = idle if Action = exit;
  end Evolution
end Template
InitStates Environment.locked = false and Process.at = idle; end InitStates
"""
SERVED = "Formulae forall i : Process (AG (i.at = waiting -> AF i.at = critical)); end Formulae"

_MOST_WAYS = 2
_MOST_NODES = 100


class Forger(CountedWriter):
    """Writes what no fair run does, and where a loop is left, that it is none."""

    lie: tuple[str, str, int]
    rng: Random
    #: Whether there was anything to lie about.
    lied = False

    def of_what_is_left(
        self, left: list[Component], number: dict[CappedNode, int]
    ) -> list[dict[str, Any]]:
        edges = [edge for part in left for edge in part.edges]
        if not edges:
            return []
        self.lied = True
        nodes = {node: n for n, part in enumerate(left) for node in part.nodes}
        places = [(node, place) for node in nodes for place, _ in node.now.others]
        kind, what, which = self.lie
        match kind:
            case "components":
                numbers = [[number[node], n] for node, n in nodes.items()]
                return [_entry(kind, numbers, [[n, what, which] for n in range(len(left))])]
            case "strands":
                numbers = [[number[node], place, 0] for node, place in places]
                return [_entry(kind, numbers, [[0, what, which]])]
            case "strands falling":
                numbers = [[number[node], place, -place] for node, place in places]
                found = sorted({place for _, place in places})
                return [_entry("strands", numbers, [[-place, what, which] for place in found])]
            case "rising":
                numbers = [[number[node], n] for n, node in enumerate(nodes)]
                return [_entry("components", numbers, [])]
            case "strands rising":
                numbers = [[number[node], place, n] for n, (node, place) in enumerate(places)]
                return [_entry("strands", numbers, [])]
            case "weights":
                drawn = [[number[node], self.rng.randrange(1000)] for node in nodes]
                return [{"kind": "weights", "nodes": drawn, "places": []}]
            case "weights as if exact":
                return self._as_if_exact(edges, number)
            case _:
                return []

    def _as_if_exact(
        self, edges: list[CappedEdge], number: dict[CappedNode, int]
    ) -> list[dict[str, Any]]:
        exact = [
            edge._replace(
                step=edge.step._replace(
                    strands=tuple(each._replace(exact=True) for each in edge.step.strands)
                )
            )
            for edge in edges
        ]
        found = falling_weights(exact, [edge.number for edge in exact], Budget())
        if found is None:
            return []
        nodes = {edge.source for edge in edges} | {edge.target for edge in edges}
        standing = [(node, place) for node in nodes for place, _ in node.now.others]
        return [
            {
                "kind": "weights",
                "nodes": [[number[node], found[node]] for node in nodes],
                "places": [[number[node], place, found[node, place]] for node, place in standing],
            }
        ]


def _entry(kind: str, numbers: list[Any], missing: list[Any]) -> dict[str, Any]:
    return {"kind": kind, "numbers": numbers, "missing": missing}


def forged(
    system: OpenSystem, query: OverTime, rng: Random
) -> Iterator[tuple[tuple[str, str, int], dict[str, Any]]]:
    """Yield proofs that are none, each with the lie in it, if the graphs are small."""
    filled = list(islice(interpretations(system), _MOST_WAYS + 1))
    if len(filled) > _MOST_WAYS:
        return
    cap = least_cap(system, query.conditions)
    for lie in rng.sample(LIES, len(LIES)):
        ways = []
        lied = False
        for facts in filled:
            writer = Forger(system, query, facts, cap, Budget(), balanced=False)
            writer.lie, writer.rng = lie, rng
            try:
                ways.append(writer.way())
            except OutOfReach:
                return
            lied = lied or writer.lied
            if len(ways[-1]["never"]["nodes"]) > _MOST_NODES:
                return
        if lied:
            yield lie, {"kind": "counted", "ways": ways}
