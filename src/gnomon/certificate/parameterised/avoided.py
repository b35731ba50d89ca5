"""Invariants that say what never is: no agents like these, with the environment like that, and these facts.

Where a step leads into one of the cubes, it does so for the agents of the cube. What the invariant says
before the step is asked of the agents that the obligation names, all tuples of them, one by one as the solver
needs it.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from gnomon.certificate.parameterised.encoding import AgentEncoding, AgentName
from gnomon.certificate.parameterised.invariant_data import AvoidedCube, Fact, Region
from gnomon.certificate.parameterised.obligations import ObligationProver, SolverContext
from gnomon.certificate.parameterised.steps import EncodedStep, encoded_step, step_kinds
from gnomon.certificate.parameterised.terms import FALSE, SmtText, conj, neg
from gnomon.certificate.refusal import Rejected
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.step import Local
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record

#: So many cubes at most are spoken of at once where the solver needs to know more.
_AT_ONCE: Final = 50


def check_avoided(
    system: OpenSystem, cubes: list[AvoidedCube], bad: Condition, prover: ObligationProver
) -> None:
    """Fail unless no initial configuration, no bad one and no step into a cube is left."""
    possible = [cube for cube in cubes if _is_within_bounds(system, cube)]
    groups: dict[tuple[str, ...], list[AvoidedCube]] = {}
    for cube in possible:
        groups.setdefault(tuple(region.part for region in cube.agents), []).append(cube)
    for templates, group in groups.items():
        _starts_outside(system, templates, group, prover)
    _excludes(system, cubes, bad, prover)
    for kind in step_kinds(system):
        for templates, group in groups.items():
            _stays_outside(encoded_step(system, templates, kind), cubes, group, prover)


def _stays_outside(
    found: EncodedStep, cubes: list[AvoidedCube], group: list[AvoidedCube], prover: ObligationProver
) -> None:
    """Fail where a step from outside all cubes leads into one of a group."""

    def work(context: SolverContext) -> None:
        context.assume(found.text)
        known = _Known(context, cubes)
        for cube in group:
            if known.can_be(cube.text(context.encoding, found.movers, after=True)):
                raise Rejected(f"it is not an invariant: by {found.kind}, it is left")

    prover.prove(found.encoding, work)


def _is_within_bounds(system: OpenSystem, cube: AvoidedCube) -> bool:
    """Return whether there may be as many agents as a cube speaks of."""
    return all(
        part.high is None or sum(region.part == part.name for region in cube.agents) <= part.high
        for part in system.templates
    )


def _starts_outside(
    system: OpenSystem,
    templates: tuple[str, ...],
    group: list[AvoidedCube],
    prover: ObligationProver,
) -> None:
    encoding = AgentEncoding(system)
    names = tuple(map(encoding.name, templates))
    initial = conj(
        (
            encoding.condition(system.environment.initial, {ENVIRONMENT: None}),
            *(encoding.condition(encoding.part(name).initial, {SELF: name}) for name in names),
        )
    )

    def work(context: SolverContext) -> None:
        context.assume(initial)
        for cube in group:
            if context.can_be(cube.text(encoding, names)):
                raise Rejected("an initial configuration is not covered by the invariant")

    prover.prove(encoding, work)


def _excludes(
    system: OpenSystem, cubes: list[AvoidedCube], bad: Condition, prover: ObligationProver
) -> None:
    encoding = AgentEncoding(system)
    witnesses = encoding.witnesses([bad])
    text = encoding.condition(bad, {ENVIRONMENT: None}, witnesses)

    def work(context: SolverContext) -> None:
        if _Known(context, cubes).can_be(text):
            raise Rejected("the invariant does not exclude what is bad")

    prover.prove(encoding, work)


class _SolverModel(Record):
    """A configuration that a solver found: different agents by name, and which facts hold."""

    environment: Local
    agents: tuple[tuple[AgentName, Local], ...]
    facts: frozenset[Fact]


class _Known:
    """What the invariant says of the agents of a encoding, as far as it has been of use."""

    def __init__(self, context: SolverContext, cubes: list[AvoidedCube]) -> None:
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
                neg(cube.text(self._encoding, names))
                for cube, names in self._broken(self._picture())
            ]
            if not broken:
                found = True
                break
            self._context.assume(*broken)
            learned += broken
        self._context.take_back()
        self._context.assume(*learned)
        return found

    def _broken(self, picture: _SolverModel) -> Iterator[tuple[AvoidedCube, tuple[AgentName, ...]]]:
        """Yield some cubes that a picture lies in, and which agents are those of the cube."""
        count = 0
        for cube in self._cubes:
            if not cube.environment.holds(picture.environment):
                continue
            if not picture.facts.issuperset(cube.facts):
                continue
            names = _placed(cube.agents, picture.agents)
            if names is not None:
                yield cube, names
                count += 1
                if count == _AT_ONCE:
                    return

    def _picture(self) -> _SolverModel:
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
        return _SolverModel(
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
    regions: tuple[Region, ...], agents: tuple[tuple[AgentName, Local], ...]
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
