"""The kinds of steps, and for each a scene in which some agents take it."""

from collections.abc import Iterator
from itertools import combinations

from gnomon.certificate.parameterised.scene import Name, Scene
from gnomon.certificate.parameterised.terms import FALSE, TRUE, Text, conj, disj, implies
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record


class Kind(Record):
    """A kind of steps: the synchronised action, None for local ones, and what the environment may do."""

    shared: str | None
    own: tuple[str | None, ...]

    def __str__(self) -> str:
        """Say which steps."""
        return "local actions" if self.shared is None else f"`{self.shared}`"


class Steps(Record):
    """A scene with a step of some agents in it, and perhaps of others who take part."""

    kind: Kind
    scene: Scene
    movers: tuple[Name, ...]
    text: Text


def kinds(system: OpenSystem) -> Iterator[Kind]:
    """Yield all kinds of steps."""
    yield Kind(None, local_actions(system, ENVIRONMENT))
    for action in system.sync:
        if action in system.environment.guards:
            yield Kind(action, (action,))


def local_actions(system: OpenSystem, part: str) -> tuple[str | None, ...]:
    """Return what a part may do alone; None is nothing."""
    return (None, *(name for name in system.part[part].guards if name not in system.sync))


def steps(system: OpenSystem, templates: tuple[str, ...], kind: Kind) -> Steps:
    """Return a scene in which an agent for each of these templates takes a step, if it is there."""
    scene = Scene(system)
    movers = tuple(map(scene.name, templates))
    partners: tuple[Name, ...] = ()
    if kind.shared is not None and system.sync[kind.shared] != "all":
        partners = tuple(
            scene.name(part.name) for part in system.templates if kind.shared in part.guards
        )
    agents = [*movers, *partners]
    environment = scene.role(None, kind.own)
    roles = [scene.role(name, _choices(scene, name, kind)) for name in agents]
    text = conj(
        (
            scene.acts(environment, kind.own),
            *(scene.acts(role, _choices(scene, role.name, kind)) for role in roles),
            _together(scene, kind.shared, agents, partners),
        )
    )
    return Steps(kind, scene, movers, text)


def _choices(scene: Scene, name: Name | None, kind: Kind) -> tuple[str | None, ...]:
    if kind.shared is not None:
        return (None, kind.shared)
    return local_actions(scene.system, scene.part(name).name)


def _together(
    scene: Scene, shared: str | None, names: list[Name], partners: tuple[Name, ...]
) -> Text:
    """Return that as many take part in a synchronised action as have to."""
    if shared is None:
        return TRUE
    if scene.system.sync[shared] == "all":
        return conj(
            implies(conj((scene.there(name), scene.does(name, None))), scene.cannot(name, shared))
            for name in names
        )
    somebody = disj(_takes_part(scene, name, shared) for name in partners)
    if scene.system.sync[shared] == "some":
        return somebody
    alone = (
        implies(
            conj((_takes_part(scene, one, shared), _takes_part(scene, other, shared))),
            scene.alike(one, other),
        )
        for one, other in combinations(names, 2)
    )
    return conj((somebody, *alone))


def _takes_part(scene: Scene, name: Name, action: str) -> Text:
    if action not in scene.part(name).guards:
        return FALSE
    return conj((scene.there(name), scene.does(name, action)))
