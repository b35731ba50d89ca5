"""Lies about what agents of any number know: all runs that there are, and counting as far as one likes."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from gnomon.certificate.parameterised.known_points import check_known
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.certificate.solvers import SOLVERS
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import Epistemic, Knowledge, Safety
from gnomon.model.parameterised.step import Completed, Configuration, Event, World
from gnomon.model.parameterised.system import OpenSystem
from tests.populations import all_places, interpretations, members


def accepted(
    system: OpenSystem, query: Safety | Epistemic | Knowledge, verdict: str, proof: Any
) -> bool | None:
    """Return whether a proof of a verdict is accepted; None where it is too large to be checked."""
    budget = Budget()
    try:
        check_known(system, proof, query, verdict, ObligationProver(budget, SOLVERS), budget)
    except Rejected:
        return False
    except TooMuch:
        return None
    return True


def every_run(system: OpenSystem, most: int, limit: int = 40) -> list[Any]:
    """Return runs to all that small populations reach: whatever there is to be said of these is said."""
    found: list[Any] = []
    for counts in product(range(most + 1), repeat=len(system.templates)):
        fits = all(p.allows(n) for p, n in zip(system.templates, counts, strict=True))
        if not fits or sum(counts) > most:
            continue
        for facts in interpretations(system, all_places(system)):
            world = World(system, members(system, counts), Completed(system, facts))
            listed = [[name, list(args), value] for (name, args), value in facts.items()]
            for start, events in _runs(world):
                run = {"facts": listed, "start": _written(start), "events": events}
                found.append({"members": list(world.members), "run": run, "loop": None})
                if len(found) == limit:
                    return found
    return found


def _runs(world: World) -> Iterator[tuple[Configuration, list[Any]]]:
    """Yield for each configuration that is reached where a run to it starts, and what happens."""
    way: dict[Configuration, tuple[Configuration, list[Any]]] = {
        now: (now, []) for now in world.initial()
    }
    waiting = list(way)
    for now in waiting:
        yield way[now]
        start, events = way[now]
        for event in world.events(now):
            after = world.step(event, now)
            if after is not None and after not in way:
                way[after] = start, [*events, _happening(event)]
                waiting.append(after)


def _written(now: Configuration) -> list[Any]:
    return [list(now.environment), [list(local) for local in now.agents]]


def _happening(event: Event) -> list[Any]:
    return [event.environment, list(event.agents)]


def lies(system: OpenSystem, caps: tuple[int | None, ...] = (None, 1, 2)) -> Iterator[Any]:
    """Yield the strongest that can be said with runs that there are, and with none."""
    for runs, cap in product((every_run(system, 2), []), caps):
        yield {"kind": "look-alikes", "runs": runs, "cap": cap, "ways": []}
