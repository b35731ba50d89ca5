"""Invariants that say what never is by conditions: no different agents of which one of these holds.

As in `avoided`, but with any conditions, also on numbers without bounds and on types that are not listed.
What the invariant says before a step is asked of all tuples of the agents that an obligation names.
"""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any, Final

from gnomon.certificate.parameterised.conditions import ConditionReader
from gnomon.certificate.parameterised.obligations import Prover, Stage
from gnomon.certificate.parameterised.scene import Name, Scene
from gnomon.certificate.parameterised.steps import kinds, steps
from gnomon.certificate.parameterised.terms import Text, conj, neg
from gnomon.certificate.space import Rejected, TooMuch, require
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import SELF, And, Condition
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record

_MOST_CUBES: Final = 1_000
_MOST_AGENTS: Final = 8


class Never(Record):
    """Different agents, by their templates, of which a condition never holds; agent n is the index `a<n>`."""

    agents: tuple[str, ...]
    condition: Condition

    def text(self, scene: Scene, names: tuple[Name, ...], *, after: bool = False) -> Text:
        """Return that these agents are there, differ, and satisfy the condition, now or after the step."""
        who: dict[str, Name | None] = {f"a{n}": name for n, name in enumerate(names)}
        who[ENVIRONMENT] = None
        return conj((scene.different(names), scene.condition(self.condition, who, after=after)))


def read_never(system: OpenSystem, data: Any) -> list[Never]:
    """Return what a certificate says never is."""
    require(isinstance(data, list), "no list of conditions")
    if len(data) > _MOST_CUBES:
        raise TooMuch(f"the invariant has more than {_MOST_CUBES:,} conditions")
    found: list[Never] = []
    templates = {part.name for part in system.templates}
    for each in data:
        agents = each["agents"]
        require(isinstance(agents, list) and set(agents) <= templates, "no such template")
        if len(agents) > _MOST_AGENTS:
            raise TooMuch(f"a condition speaks of more than {_MOST_AGENTS} agents")
        reader = ConditionReader(system, {f"a{n}": name for n, name in enumerate(agents)})
        body = And(tuple(map(reader.condition, each["conditions"])))
        found.append(Never(tuple(agents), body))
    return found


def check_never(system: OpenSystem, cubes: list[Never], bad: Condition, prover: Prover) -> None:
    """Fail unless no initial configuration, no bad one and no step into a condition is left."""
    for cube in cubes:
        _starts_outside(system, cube, prover)
    _excludes(system, cubes, bad, prover)
    for kind in kinds(system):
        for cube in cubes:
            found = steps(system, cube.agents, kind)

            def work(stage: Stage, cube: Never = cube, found: Any = found) -> None:
                reached = cube.text(stage.scene, found.movers, after=True)
                stage.assume(found.text, reached, *_instances(stage.scene, cubes))
                if stage.is_possible():
                    raise Rejected(f"it is not an invariant: by {found.kind}, it is left")

            prover.prove(found.scene, work)


def _instances(scene: Scene, cubes: list[Never]) -> Iterator[Text]:
    """Yield what the invariant, and the bounds, say of all tuples of the agents of a scene."""
    for part in scene.system.templates:
        if part.high is not None:
            for names in combinations(scene.of(part.name), part.high + 1):
                yield neg(scene.different(names))
    for cube in cubes:
        for names in permutations(scene.names, len(cube.agents)):
            if all(
                name.template == template for name, template in zip(names, cube.agents, strict=True)
            ):
                yield neg(cube.text(scene, names))


def _starts_outside(system: OpenSystem, cube: Never, prover: Prover) -> None:
    scene = Scene(system)
    names = tuple(map(scene.name, cube.agents))
    initial = conj(
        (
            scene.condition(system.environment.initial, {ENVIRONMENT: None}),
            *(scene.condition(scene.part(name).initial, {SELF: name}) for name in names),
        )
    )

    def work(stage: Stage) -> None:
        stage.assume(initial, cube.text(scene, names))
        if stage.is_possible():
            raise Rejected("an initial configuration is not covered by the invariant")

    prover.prove(scene, work)


def _excludes(system: OpenSystem, cubes: list[Never], bad: Condition, prover: Prover) -> None:
    scene = Scene(system)
    text = scene.condition(bad, {ENVIRONMENT: None}, scene.witnesses([bad]))

    def work(stage: Stage) -> None:
        stage.assume(text, *_instances(scene, cubes))
        if stage.is_possible():
            raise Rejected("the invariant does not exclude what is bad")

    prover.prove(scene, work)
