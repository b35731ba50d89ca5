"""The situations that obligations are about: the start, what is bad, and the steps of each kind."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TypeAlias

from gnomon.certificate.parameterised.encoding import AgentEncoding
from gnomon.certificate.parameterised.symbols import AgentName
from gnomon.certificate.smt_terms import (
    FALSE,
    TRUE,
    SmtText,
    conj,
    disj,
    implies,
    neg,
    same,
)
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import SELF, Condition, Not
from gnomon.model.parameterised.system import OpenSystem, change_when_doing
from gnomon.text.record import Record


class Situation(Record):
    """Some agents by name, and what is assumed of them, of the environment and of others."""

    encoding: AgentEncoding
    names: tuple[AgentName, ...]
    text: SmtText


class StepKind(Record):
    """A kind of steps: the synchronised action, None for local ones, and what the environment may do."""

    shared: str | None
    own: tuple[str | None, ...]

    def __str__(self) -> str:
        """Say which steps."""
        return "local actions" if self.shared is None else f"`{self.shared}`"


class Role(Record):
    """Somebody who acts, None for the environment, and the names of those that its guard looks for."""

    name: AgentName | None
    witnesses: tuple[AgentName, ...] = ()


def initial_situation(system: OpenSystem, templates: tuple[str, ...]) -> Situation:
    """Return an agent for each of these templates, all in initial states."""
    encoding = AgentEncoding(system)
    names = tuple(map(encoding.name, templates))
    own = encoding.condition(system.environment.initial, {ENVIRONMENT: None})
    initial = (encoding.condition(encoding.part(name).initial, {SELF: name}) for name in names)
    return Situation(encoding, names, conj((own, *initial)))


def bad_situation(system: OpenSystem, bad: Condition) -> Situation:
    """Return the agents that a bad condition looks for, who satisfy it."""
    encoding = AgentEncoding(system)
    witnesses = encoding.witnesses([bad])
    text = encoding.condition(bad, {ENVIRONMENT: None}, witnesses)
    return Situation(encoding, witnesses, text)


def step_kinds(system: OpenSystem) -> Iterator[StepKind]:
    """Yield all kinds of steps."""
    yield StepKind(None, _local_actions(system, ENVIRONMENT))
    for action in system.sync:
        if action in system.environment.guards:
            yield StepKind(action, (action,))


def _local_actions(system: OpenSystem, part: str) -> tuple[str | None, ...]:
    """Return what a part may do alone; None is nothing."""
    return (None, *(name for name in system.part[part].guards if name not in system.sync))


def step_situation(system: OpenSystem, templates: tuple[str, ...], kind: StepKind) -> Situation:
    """Return an agent for each of these templates, all of whom take a step, if they are there."""
    encoding = AgentEncoding(system)
    movers = tuple(map(encoding.name, templates))
    partners: tuple[AgentName, ...] = ()
    if kind.shared is not None and system.sync[kind.shared] != "all":
        partners = tuple(
            encoding.name(part.name) for part in system.templates if kind.shared in part.guards
        )
    agents = [*movers, *partners]
    choices = {name: _choices(encoding, name, kind) for name in agents}
    environment = _role(encoding, None, kind.own)
    roles = [(_role(encoding, name, choices[name]), choices[name]) for name in agents]
    text = conj(
        (
            _acts(encoding, environment, kind.own),
            *(_acts(encoding, *each) for each in roles),
            _together(encoding, kind.shared, agents, partners),
        )
    )
    return Situation(encoding, movers, text)


def _choices(encoding: AgentEncoding, name: AgentName, kind: StepKind) -> tuple[str | None, ...]:
    if kind.shared is not None:
        return (None, kind.shared)
    return _local_actions(encoding.system, name.template)


def _together(
    encoding: AgentEncoding,
    shared: str | None,
    names: list[AgentName],
    partners: tuple[AgentName, ...],
) -> SmtText:
    """Return that as many take part in a synchronised action as have to."""

    def takes_part(name: AgentName, action: str) -> SmtText:
        if action not in encoding.part(name).guards:
            return FALSE
        return conj((encoding.there(name), encoding.does(name, action)))

    if shared is None:
        return TRUE
    if encoding.system.sync[shared] == "all":
        idle = ((name, conj((encoding.there(name), encoding.does(name, None)))) for name in names)
        return conj(implies(text, _cannot(encoding, name, shared)) for name, text in idle)
    somebody = disj(takes_part(name, shared) for name in partners)
    if encoding.system.sync[shared] == "some":
        return somebody
    alone = (
        implies(
            conj((takes_part(one, shared), takes_part(other, shared))), encoding.alike(one, other)
        )
        for one, other in combinations(names, 2)
    )
    return conj((somebody, *alone))


# What one agent does


def _role(encoding: AgentEncoding, name: AgentName | None, actions: Iterable[str | None]) -> Role:
    """Return somebody who may do some actions, with names for those that the guards look for."""
    guards = encoding.part(name).guards
    asked = [guards[action] for action in actions if action is not None and action in guards]
    return Role(name, encoding.witnesses(asked))


def _acts(encoding: AgentEncoding, role: Role, actions: Iterable[str | None]) -> SmtText:
    """Return that somebody does one of some actions, with what it needs and changes; None for nothing."""
    name, guards = role.name, encoding.part(role.name).guards
    choices: list[SmtText] = []
    for action in actions:
        if action is None:
            kept = map(same, encoding.after(name), encoding.now(name))
            choices.append(conj((encoding.does(name, None), *kept)))
        elif action in guards:
            allowed = encoding.condition(guards[action], _who(name), role.witnesses)
            written = _written(encoding, name, action)
            choices.append(
                conj(
                    (
                        encoding.does(name, action),
                        allowed,
                        _stays_in_range(written),
                        *_changes(encoding, name, written),
                    )
                )
            )
    return disj(choices)


def _cannot(encoding: AgentEncoding, name: AgentName, action: str) -> SmtText:
    """Return that somebody is not able to do an action."""
    guards = encoding.part(name).guards
    if action not in guards:
        return TRUE
    # No witnesses: where all take part who can, guards do not look at others.
    forbidden = encoding.condition(Not(guards[action]), _who(name), None)
    return disj((forbidden, neg(_stays_in_range(_written(encoding, name, action)))))


#: For each variable: where lines give it a value, which, and that it fits.
_Written: TypeAlias = list[list[tuple[SmtText, SmtText, SmtText]]]


def _stays_in_range(written: _Written) -> SmtText:
    return conj(implies(where, fits) for lines in written for where, _, fits in lines)


def _changes(
    encoding: AgentEncoding, name: AgentName | None, written: _Written
) -> Iterator[SmtText]:
    """Yield what each variable becomes: what one of the lines says that apply, or what it was."""
    for old, new, lines in zip(encoding.now(name), encoding.after(name), written, strict=True):
        kept = conj((*(neg(where) for where, _, _ in lines), same(new, old)))
        yield disj([*(conj((where, same(new, term))) for where, term, _ in lines), kept])


def _written(encoding: AgentEncoding, name: AgentName | None, action: str) -> _Written:
    part, who = encoding.part(name), _who(name)
    writer = encoding.expressions(who, action)
    found: dict[str, list[tuple[SmtText, SmtText, SmtText]]] = {v.name: [] for v in part.variables}
    domains = {v.name: v.domain for v in part.variables}
    for change in part.changes:
        where = writer.text(change.line.guard)
        if where == FALSE:
            continue
        for item in change.line.assignments:
            term, fits = writer.fitted(item.value, domains[item.variable])
            found[item.variable].append((where, term, fits))
        for looked in change_when_doing(change, action).looked:
            term, fits = encoding.fitted(looked.value, domains[looked.variable], who)
            found[looked.variable].append((where, term, fits))
    return list(found.values())


def _who(name: AgentName | None) -> dict[str, AgentName | None]:
    return {SELF: name, ENVIRONMENT: None}
