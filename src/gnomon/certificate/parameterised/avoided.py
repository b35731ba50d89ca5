"""Invariants that say what never is: no agents like these, with the environment like that, and these facts.

Where a step leads into one of the cubes, it does so for the agents of the cube. What the invariant says
before the step is asked of the agents that the obligation names, all tuples of them, one by one as the solver
needs it.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from gnomon.certificate.parameterised.data import Cube, Fact, Region
from gnomon.certificate.parameterised.obligations import Prover, Stage
from gnomon.certificate.parameterised.scene import Name, Scene
from gnomon.certificate.parameterised.steps import Steps, kinds, steps
from gnomon.certificate.parameterised.terms import FALSE, Text, conj, neg
from gnomon.certificate.space import Rejected
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.step import Local
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record

#: So many cubes at most are spoken of at once where the solver needs to know more.
_AT_ONCE: Final = 50


def check_avoided(system: OpenSystem, cubes: list[Cube], bad: Condition, prover: Prover) -> None:
    """Fail unless no initial configuration, no bad one and no step into a cube is left."""
    possible = [cube for cube in cubes if _is_within_bounds(system, cube)]
    groups: dict[tuple[str, ...], list[Cube]] = {}
    for cube in possible:
        groups.setdefault(tuple(region.part for region in cube.agents), []).append(cube)
    for templates, group in groups.items():
        _starts_outside(system, templates, group, prover)
    _excludes(system, cubes, bad, prover)
    for kind in kinds(system):
        for templates, group in groups.items():
            _stays_outside(steps(system, templates, kind), cubes, group, prover)


def _stays_outside(found: Steps, cubes: list[Cube], group: list[Cube], prover: Prover) -> None:
    """Fail where a step from outside all cubes leads into one of a group."""

    def work(stage: Stage) -> None:
        stage.assume(found.text)
        known = _Known(stage, cubes)
        for cube in group:
            if known.can_be(cube.text(stage.scene, found.movers, after=True)):
                raise Rejected(f"it is not an invariant: by {found.kind}, it is left")

    prover.prove(found.scene, work)


def _is_within_bounds(system: OpenSystem, cube: Cube) -> bool:
    """Return whether there may be as many agents as a cube speaks of."""
    return all(
        part.high is None or sum(region.part == part.name for region in cube.agents) <= part.high
        for part in system.templates
    )


def _starts_outside(
    system: OpenSystem, templates: tuple[str, ...], group: list[Cube], prover: Prover
) -> None:
    scene = Scene(system)
    names = tuple(map(scene.name, templates))
    initial = conj(
        (
            scene.condition(system.environment.initial, {ENVIRONMENT: None}),
            *(scene.condition(scene.part(name).initial, {SELF: name}) for name in names),
        )
    )

    def work(stage: Stage) -> None:
        stage.assume(initial)
        for cube in group:
            if stage.can_be(cube.text(scene, names)):
                raise Rejected("an initial configuration is not covered by the invariant")

    prover.prove(scene, work)


def _excludes(system: OpenSystem, cubes: list[Cube], bad: Condition, prover: Prover) -> None:
    scene = Scene(system)
    witnesses = scene.witnesses([bad])
    text = scene.condition(bad, {ENVIRONMENT: None}, witnesses)

    def work(stage: Stage) -> None:
        if _Known(stage, cubes).can_be(text):
            raise Rejected("the invariant does not exclude what is bad")

    prover.prove(scene, work)


class _Picture(Record):
    """A configuration that a solver found: different agents by name, and which facts hold."""

    environment: Local
    agents: tuple[tuple[Name, Local], ...]
    facts: frozenset[Fact]


class _Known:
    """What the invariant says of the agents of a scene, as far as it has been of use."""

    def __init__(self, stage: Stage, cubes: list[Cube]) -> None:
        self._stage = stage
        self._scene = scene = stage.scene
        self._cubes = [*_bounds(scene), *cubes]
        self._facts = list(dict.fromkeys(fact for cube in cubes for fact in cube.facts))
        for cube in cubes:
            # Where agents may be at all is of use always.
            if cube.agents and not cube.agents[0].inside:
                for name in scene.of(cube.agents[0].part):
                    stage.assume(neg(cube.text(scene, (name,))))

    def can_be(self, text: Text) -> bool:
        """Return whether something can be where the invariant holds of all agents of the scene."""
        if text == FALSE:
            return False
        learned: list[Text] = []
        self._stage.suppose(text)
        found = False
        while self._stage.is_possible():
            broken = [
                neg(cube.text(self._scene, names)) for cube, names in self._broken(self._picture())
            ]
            if not broken:
                found = True
                break
            self._stage.assume(*broken)
            learned += broken
        self._stage.take_back()
        self._stage.assume(*learned)
        return found

    def _broken(self, picture: _Picture) -> Iterator[tuple[Cube, tuple[Name, ...]]]:
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

    def _picture(self) -> _Picture:
        scene = self._scene
        names = scene.names
        pairs = [(a, b) for a, b in combinations(names, 2) if a.template == b.template]
        asked = [
            list(scene.now(None)),
            *([scene.there(name), *scene.now(name)] for name in names),
            [scene.alike(a, b) for a, b in pairs],
            [fact.text(scene) for fact in self._facts],
        ]
        values = iter(self._stage.values([term for part in asked for term in part]))
        own, *locals_, equal, facts = [[next(values) for _ in part] for part in asked]
        doubles = {b.symbol for (_, b), same in zip(pairs, equal, strict=True) if same}
        return _Picture(
            self._local(None, own),
            tuple(
                (name, self._local(name, found[1:]))
                for name, found in zip(names, locals_, strict=True)
                if found[0] and name.symbol not in doubles
            ),
            frozenset(fact for fact, so in zip(self._facts, facts, strict=True) if so),
        )

    def _local(self, name: Name | None, codes: Iterable[bool | int]) -> Local:
        scene = self._scene
        return tuple(
            scene.vocabulary.found(variable.domain, code)
            for variable, code in zip(scene.part(name).variables, codes, strict=True)
        )


def _bounds(scene: Scene) -> Iterator[Cube]:
    """Yield what never is because there are not so many agents."""
    for part in scene.system.templates:
        if part.high is not None and part.high < len(scene.of(part.name)):
            anybody = Region(part.name, ((),))
            yield Cube(Region(ENVIRONMENT, ((),)), (anybody,) * (part.high + 1))


def _placed(
    regions: tuple[Region, ...], agents: tuple[tuple[Name, Local], ...]
) -> tuple[Name, ...] | None:
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
