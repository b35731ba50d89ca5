"""How often steps recur in a loop of finitely many agents: as many must come to each place as leave it."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from itertools import count
from typing import NamedTuple

from gnomon.engines.parameterised.recurrence.deletions import CappedEdge
from gnomon.engines.solvers.circulation import Circulation, Flow
from gnomon.model.budget import Budget


class _Rates(NamedTuple):
    """At which rate each step is done, by its number; and what is balanced in the circulation."""

    of: Mapping[int, int]
    balanced: tuple[Hashable, ...]
    circulation: Circulation


def never_balanced(edges: list[CappedEdge], budget: Budget) -> set[int]:
    """Return the numbers of the steps that are in no loop in which every place gets back what it gives.

    Each step is done at some rate. The states of the graph are entered as often as they are left; and so many
    agents arrive in a place of a state as leave it, where a step with an exact number takes that many.
    """
    rates = _rates(edges)
    used = rates.circulation.used(list(rates.of.values()), budget)
    return {number for number, rate in rates.of.items() if rate not in used}


def falling_weights(
    edges: Iterable[CappedEdge], steps: Iterable[int], budget: Budget
) -> dict[Hashable, int] | None:
    """Return weights of nodes, and of agents in their places, whose sum some steps lower and none raises.

    They are the reason why these steps are never balanced. None if there are none, or not in time.
    """
    rates = _rates(edges)
    found = rates.circulation.lowered({rates.of[number] for number in steps}, budget)
    return None if found is None else dict(zip(rates.balanced, found, strict=True))


def _rates(edges: Iterable[CappedEdge]) -> _Rates:
    names = count()
    rates: dict[int, int] = {}
    balances: dict[Hashable, list[tuple[int, int]]] = defaultdict(list)
    flows: list[Flow] = []
    for edge in edges:
        rate = rates[edge.number] = next(names)
        balances[edge.source].append((rate, -1))
        balances[edge.target].append((rate, 1))
        for strand in edge.step.strands:
            flow = next(names)
            flows.append(Flow(flow, rate, strand.number, strand.exact))
            balances[edge.source, strand.source].append((flow, -1))
            balances[edge.target, strand.target].append((flow, 1))
    circulation = Circulation(tuple(balances.values()), tuple(flows))
    return _Rates(rates, tuple(balances), circulation)
