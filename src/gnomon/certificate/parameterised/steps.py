"""The kinds of steps, and for each a encoding in which some agents take it."""

from collections.abc import Iterator
from itertools import combinations

from gnomon.certificate.parameterised.encoding import AgentEncoding, AgentName
from gnomon.certificate.parameterised.terms import FALSE, TRUE, SmtText, conj, disj, implies
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record


class StepKind(Record):
    """A kind of steps: the synchronised action, None for local ones, and what the environment may do."""

    shared: str | None
    own: tuple[str | None, ...]

    def __str__(self) -> str:
        """Say which steps."""
        return "local actions" if self.shared is None else f"`{self.shared}`"


class EncodedStep(Record):
    """A encoding with a step of some agents in it, and perhaps of others who take part."""

    kind: StepKind
    encoding: AgentEncoding
    movers: tuple[AgentName, ...]
    text: SmtText


def step_kinds(system: OpenSystem) -> Iterator[StepKind]:
    """Yield all kinds of steps."""
    yield StepKind(None, local_actions(system, ENVIRONMENT))
    for action in system.sync:
        if action in system.environment.guards:
            yield StepKind(action, (action,))


def local_actions(system: OpenSystem, part: str) -> tuple[str | None, ...]:
    """Return what a part may do alone; None is nothing."""
    return (None, *(name for name in system.part[part].guards if name not in system.sync))


def encoded_step(system: OpenSystem, templates: tuple[str, ...], kind: StepKind) -> EncodedStep:
    """Return a encoding in which an agent for each of these templates takes a step, if it is there."""
    encoding = AgentEncoding(system)
    movers = tuple(map(encoding.name, templates))
    partners: tuple[AgentName, ...] = ()
    if kind.shared is not None and system.sync[kind.shared] != "all":
        partners = tuple(
            encoding.name(part.name) for part in system.templates if kind.shared in part.guards
        )
    agents = [*movers, *partners]
    environment = encoding.role(None, kind.own)
    roles = [encoding.role(name, _choices(encoding, name, kind)) for name in agents]
    text = conj(
        (
            encoding.acts(environment, kind.own),
            *(encoding.acts(role, _choices(encoding, role.name, kind)) for role in roles),
            _together(encoding, kind.shared, agents, partners),
        )
    )
    return EncodedStep(kind, encoding, movers, text)


def _choices(
    encoding: AgentEncoding, name: AgentName | None, kind: StepKind
) -> tuple[str | None, ...]:
    if kind.shared is not None:
        return (None, kind.shared)
    return local_actions(encoding.system, encoding.part(name).name)


def _together(
    encoding: AgentEncoding,
    shared: str | None,
    names: list[AgentName],
    partners: tuple[AgentName, ...],
) -> SmtText:
    """Return that as many take part in a synchronised action as have to."""
    if shared is None:
        return TRUE
    if encoding.system.sync[shared] == "all":
        return conj(
            implies(
                conj((encoding.there(name), encoding.does(name, None))),
                encoding.cannot(name, shared),
            )
            for name in names
        )
    somebody = disj(_takes_part(encoding, name, shared) for name in partners)
    if encoding.system.sync[shared] == "some":
        return somebody
    alone = (
        implies(
            conj((_takes_part(encoding, one, shared), _takes_part(encoding, other, shared))),
            encoding.alike(one, other),
        )
        for one, other in combinations(names, 2)
    )
    return conj((somebody, *alone))


def _takes_part(encoding: AgentEncoding, name: AgentName, action: str) -> SmtText:
    if action not in encoding.part(name).guards:
        return FALSE
    return conj((encoding.there(name), encoding.does(name, action)))
