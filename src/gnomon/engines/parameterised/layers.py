"""Layers of saturation: environments with the same occupied local states and facts, and ways to them."""

from typing import TypeAlias

from gnomon.engines.parameterised.compiled import CompiledAction
from gnomon.engines.parameterised.cubes import AgentCube
from gnomon.engines.parameterised.ground_facts import Literals
from gnomon.engines.parameterised.local_sets import LocalSet, first
from gnomon.engines.parameterised.local_space import LocalSpace
from gnomon.text.record import Record

#: Which local states of each template have agents in them.
Occupied: TypeAlias = tuple[LocalSet, ...]


class JoinedAction(Record):
    """Agents of a template that do an act from some of its occupied states, allowed by a cube."""

    template: int
    act: CompiledAction
    cube: AgentCube
    source: LocalSet


class PathStage(Record):
    """One step on a way: the environment's state before and after, who does what, and what was occupied."""

    environment: CompiledAction | None
    cube: AgentCube | None
    before: int
    after: int
    doings: tuple[JoinedAction, ...]
    occupied: Occupied


class Spread(Record):
    """Agents that get somewhere new while the environment stays as it is, whatever its state is here."""

    environment: CompiledAction | None
    cube: AgentCube | None
    doing: JoinedAction
    occupied: Occupied


class Arrival(Record):
    """How states of a layer were reached: what the environment did, from where to where, and who joined it.

    Without an act of the environment its state is the same as before.
    """

    environment: CompiledAction | None
    cube: AgentCube | None
    doings: tuple[JoinedAction, ...]
    before: LocalSet
    after: LocalSet


class SaturationLayer:
    """States of the environment with the same occupied local states and facts, and how they were reached."""

    __slots__ = ("arrivals", "facts", "occupied", "parent", "since", "spreads", "states")

    def __init__(
        self,
        states: LocalSet,
        occupied: Occupied,
        facts: Literals,
        parent: "SaturationLayer | None" = None,
        arrivals: tuple[Arrival, ...] = (),
    ) -> None:
        """Begin a layer, after all that its parent has spread so far."""
        self.states = states
        self.occupied = occupied
        self.facts = facts
        self.parent = parent
        self.arrivals = arrivals
        #: How many spreads of the parent came before.
        self.since = 0 if parent is None else len(parent.spreads)
        self.spreads: list[Spread] = []


class Reached(Record):
    """A state of the environment in a layer."""

    layer: SaturationLayer
    environment: int


def path(space: LocalSpace, end: Reached) -> list[PathStage]:
    """Return all stages on the way to a state of the environment; `space` is that of the environment."""
    stages: list[PathStage] = []
    layer: SaturationLayer | None = end.layer
    state, spreads = end.environment, len(end.layer.spreads)
    while layer is not None:
        stages += [
            PathStage(each.environment, each.cube, state, state, (each.doing,), each.occupied)
            for each in reversed(layer.spreads[:spreads])
        ]
        before = layer.parent
        arrival = next((each for each in layer.arrivals if each.after >> state & 1), None)
        if arrival is not None:
            after = state
            if arrival.environment is not None:
                sources = space.preimage(arrival.environment.updates, space.only(state))
                state = first(sources & arrival.before)
            occupied = _occupied_before(layer)
            stages.append(
                PathStage(arrival.environment, arrival.cube, state, after, arrival.doings, occupied)
            )
        spreads, layer = layer.since, before
    return stages[::-1]


def _occupied_before(layer: SaturationLayer) -> Occupied:
    """Return what was occupied in a layer's parent when it began."""
    parent = layer.parent
    assert parent is not None
    if layer.since < len(parent.spreads):
        return parent.spreads[layer.since].occupied
    return parent.occupied
