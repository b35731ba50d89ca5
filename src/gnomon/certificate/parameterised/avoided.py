"""Invariants that say what never is: no agents like these, with the environment like that, and these facts.

Where a step leads into one of the cubes, it does so for the agents of the cube. What the invariant says
before the step is asked of the agents that the obligation names, all tuples of them, one by one as the solver
needs it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from gnomon.certificate.parameterised.cube_obligations import check_cubes
from gnomon.certificate.parameterised.encoding import AgentEncoding
from gnomon.certificate.parameterised.invariant_data import AvoidedCube, Fact, Region, StateSet
from gnomon.certificate.parameterised.obligations import ObligationProver, SolverContext
from gnomon.certificate.parameterised.symbols import AgentName
from gnomon.certificate.smt_terms import FALSE, SmtText, neg
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.step import Local
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record

#: So many cubes at most are spoken of at once where the solver needs to know more.
_AT_ONCE: Final = 50


def check_avoided(
    system: OpenSystem, cubes: Sequence[AvoidedCube], bad: Condition, prover: ObligationProver
) -> None:
    """Fail unless no initial configuration, no bad one and no step into a cube is left."""
    check_cubes(
        system, cubes, bad, prover, lambda context, cubes: _AssumedCubes(context, cubes).can_be
    )


class _CounterModel(Record):
    """A configuration that a solver found: different agents by name, and which facts hold."""

    environment: Local
    agents: tuple[tuple[AgentName, Local], ...]
    facts: frozenset[Fact]


class _AssumedCubes:
    """What the invariant says of the agents of an encoding, as far as it has been of use."""

    def __init__(self, context: SolverContext, cubes: Sequence[AvoidedCube]) -> None:
        self._context = context
        self._encoding = encoding = context.encoding
        self._cubes = [*_bounds(encoding), *cubes]
        self._facts = list(dict.fromkeys(fact for cube in cubes for fact in cube.facts))
        for cube in cubes:
            # Where agents may be at all is of use always.
            if cube.agents and not cube.agents[0].inside:
                for name in encoding.of(cube.agents[0].part):
                    context.assume(neg(cube.text(encoding, (name,))))

    def can_be(self, text: SmtText) -> bool:
        """Return whether something can be where the invariant holds of all agents of the encoding."""
        if text == FALSE:
            return False
        learned: list[SmtText] = []
        self._context.suppose(text)
        found = False
        while self._context.is_possible():
            broken = [
                neg(cube.text(self._encoding, names)) for cube, names in self._broken(self._model())
            ]
            if not broken:
                found = True
                break
            self._context.assume(*broken)
            learned += broken
        self._context.take_back()
        self._context.assume(*learned)
        return found

    def _broken(self, model: _CounterModel) -> Iterator[tuple[AvoidedCube, tuple[AgentName, ...]]]:
        """Yield some cubes that a configuration lies in, and which agents are those of the cube."""
        count = 0
        for cube in self._cubes:
            if not cube.environment.holds(model.environment):
                continue
            if not model.facts.issuperset(cube.facts):
                continue
            names = _placed(cube.agents, model.agents)
            if names is not None:
                yield cube, names
                count += 1
                if count == _AT_ONCE:
                    return

    def _model(self) -> _CounterModel:
        encoding = self._encoding
        names = encoding.names
        pairs = [(a, b) for a, b in combinations(names, 2) if a.template == b.template]
        asked = [
            list(encoding.now(None)),
            *([encoding.there(name), *encoding.now(name)] for name in names),
            [encoding.alike(a, b) for a, b in pairs],
            [fact.text(encoding) for fact in self._facts],
        ]
        values = iter(self._context.values([term for part in asked for term in part]))
        own, *locals_, equal, facts = [[next(values) for _ in part] for part in asked]
        doubles = {b.symbol for (_, b), same in zip(pairs, equal, strict=True) if same}
        return _CounterModel(
            self._local(None, own),
            tuple(
                (name, self._local(name, found[1:]))
                for name, found in zip(names, locals_, strict=True)
                if found[0] and name.symbol not in doubles
            ),
            frozenset(fact for fact, so in zip(self._facts, facts, strict=True) if so),
        )

    def _local(self, name: AgentName | None, codes: Iterable[bool | int]) -> Local:
        encoding = self._encoding
        return tuple(
            encoding.vocabulary.found(variable.domain, code)
            for variable, code in zip(encoding.part(name).variables, codes, strict=True)
        )


def _bounds(encoding: AgentEncoding) -> Iterator[AvoidedCube]:
    """Yield what never is because there are not so many agents."""
    for part in encoding.system.templates:
        if part.high is not None and part.high < len(encoding.of(part.name)):
            anybody = Region(part.name, ((),))
            yield AvoidedCube(Region(ENVIRONMENT, ((),)), (anybody,) * (part.high + 1))


def _placed(
    regions: tuple[StateSet, ...], agents: tuple[tuple[AgentName, Local], ...]
) -> tuple[AgentName, ...] | None:
    """Return different agents in these regions, if there are any: a matching, by augmenting paths."""
    fitting = [
        [
            n
            for n, (name, local) in enumerate(agents)
            if name.template == region.part and region.holds(local)
        ]
        for region in regions
    ]
    taken: dict[int, int] = {}

    def place(region: int, seen: set[int]) -> bool:
        for agent in fitting[region]:
            if agent not in seen:
                seen.add(agent)
                if agent not in taken or place(taken[agent], seen):
                    taken[agent] = region
                    return True
        return False

    if not all(place(region, set()) for region in range(len(regions))):
        return None
    chosen = {region: agents[agent][0] for agent, region in taken.items()}
    return tuple(chosen[region] for region in range(len(regions)))
