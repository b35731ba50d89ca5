"""The situations that obligations are about: the start, what is bad, and the steps of each kind."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from gnomon.certificate.parameterised.counted_classes import CountedClass
from gnomon.certificate.parameterised.crowds import CountedCrowd, CrowdFlow, crowds_of
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

#: The classes that an invariant counts.
Classes: TypeAlias = Sequence[CountedClass]


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


def initial_situation(
    system: OpenSystem, templates: tuple[str, ...], classes: Classes = ()
) -> Situation:
    """Return an agent for each of these templates, all in initial states."""
    encoding = AgentEncoding(system, classes)
    names = tuple(map(encoding.name, templates))
    crowds = crowds_of(encoding)
    ones = [crowd.somebody() for crowd in crowds]

    def initial(name: AgentName) -> SmtText:
        return encoding.condition(encoding.part(name).initial, {SELF: name})

    own = encoding.condition(system.environment.initial, {ENVIRONMENT: None})
    counted = [
        part
        for crowd, somebody in zip(crowds, ones, strict=True)
        for part in (*crowd.always(names), crowd.starts(somebody, initial))
    ]
    return Situation(encoding, names, conj((own, *map(initial, names), *counted)))


def bad_situation(system: OpenSystem, bad: Condition, classes: Classes = ()) -> Situation:
    """Return the agents that a bad condition looks for, who satisfy it."""
    encoding = AgentEncoding(system, classes)
    witnesses = encoding.witnesses([bad])
    text = encoding.condition(bad, {ENVIRONMENT: None}, witnesses)
    counted = (part for crowd in crowds_of(encoding) for part in crowd.always(witnesses))
    return Situation(encoding, witnesses, conj((text, *counted)))


def step_kinds(system: OpenSystem) -> Iterator[StepKind]:
    """Yield all kinds of steps."""
    yield StepKind(None, _local_actions(system, ENVIRONMENT))
    for action in system.sync:
        if action in system.environment.guards:
            yield StepKind(action, (action,))


def _local_actions(system: OpenSystem, part: str) -> tuple[str | None, ...]:
    """Return what a part may do alone; None is nothing."""
    return (None, *(name for name in system.part[part].guards if name not in system.shared))


def step_situation(
    system: OpenSystem, templates: tuple[str, ...], kind: StepKind, classes: Classes = ()
) -> Situation:
    """Return an agent for each of these templates, all of whom take a step, if they are there."""
    encoding = AgentEncoding(system, classes)
    movers = tuple(map(encoding.name, templates))
    partners: tuple[AgentName, ...] = ()
    if kind.shared is not None and system.sync[kind.shared] != "all":
        partners = tuple(
            encoding.name(part.name) for part in system.templates if kind.shared in part.guards
        )
    agents = [*movers, *partners]
    crowds = [(crowd, _ways(crowd, kind)) for crowd in crowds_of(encoding)]
    others = [way.one for _, ways in crowds for way in ways if way.one is not None]
    everybody = [*agents, *others]
    choices = {name: _choices(encoding, name, kind) for name in everybody}
    environment = _role(encoding, None, kind.own)
    roles = [(_role(encoding, name, choices[name]), choices[name]) for name in everybody]
    named = [name for name in encoding.names if name not in others]

    def does(name: AgentName, stays: bool) -> SmtText:  # noqa: FBT001
        return _does(encoding, name, kind.shared, stays=stays)

    counted = [
        part
        for crowd, ways in crowds
        for part in (*crowd.always(named), *crowd.goes(ways, agents, does))
    ]
    text = conj(
        (
            _acts(encoding, environment, kind.own),
            *(_acts(encoding, *each) for each in roles),
            _together(encoding, kind.shared, agents, partners),
            *counted,
        )
    )
    return Situation(encoding, movers, text)


def _ways(crowd: CountedCrowd, kind: StepKind) -> list[CrowdFlow]:
    """Return the ways of those who have no names: where one acts, it has one."""
    system, shared = crowd.encoding.system, kind.shared
    if shared is None:
        moving = crowd.may_change(
            action for action in _local_actions(system, crowd.part.name) if action is not None
        )
        return crowd.ways(moving=moving, staying=False)
    moving = crowd.may_change(_joining(system, shared))
    return crowd.ways(moving=moving, staying=moving and not _may_stay(system, shared))


def _joining(system: OpenSystem, shared: str) -> list[str]:
    """Return what those without names may do in a step: join, unless one does it alone, or follow."""
    joining = [] if system.sync[shared] == "one" else [shared]
    follower = system.followed_by.get(shared)
    return joining if follower is None else [*joining, follower]


def _may_stay(system: OpenSystem, shared: str) -> bool:
    """Return whether somebody who can take part may do nothing."""
    return system.sync[shared] != "all" and shared not in system.followed_by


def _does(encoding: AgentEncoding, name: AgentName, shared: str | None, *, stays: bool) -> SmtText:
    """Return that somebody without a name takes part in a step, or may stay where it is.

    Where all take part who can, and where others follow, nobody does less than it can.
    """
    if shared is None:
        return TRUE
    system = encoding.system
    choices: list[SmtText] = []
    missed: list[SmtText] = []
    for action in _joining(system, shared):
        choices.append(conj((encoding.does(name, action), *missed)))
        if action != shared or system.sync[shared] == "all":
            missed.append(_cannot(encoding, name, action))
    if stays:
        choices.append(conj((encoding.does(name, None), *missed)))
    return disj(choices)


def _choices(encoding: AgentEncoding, name: AgentName, kind: StepKind) -> tuple[str | None, ...]:
    if kind.shared is not None:
        follower = encoding.system.followed_by.get(kind.shared)
        return (None, kind.shared) if follower is None else (None, kind.shared, follower)
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
    others = _all_others(encoding, shared, names)
    if encoding.system.sync[shared] == "all":
        return others
    somebody = conj((disj(takes_part(name, shared) for name in partners), others))
    if encoding.system.sync[shared] == "some":
        return somebody
    alone = (
        implies(
            conj((takes_part(one, shared), takes_part(other, shared))), encoding.alike(one, other)
        )
        for one, other in combinations(names, 2)
    )
    return conj((somebody, *alone))


def _all_others(encoding: AgentEncoding, shared: str, names: list[AgentName]) -> SmtText:
    """Return that all do what they must: take part in what is done by all, and follow, if they can."""
    system = encoding.system
    follower = system.followed_by.get(shared)
    by_all = system.sync[shared] == "all"

    def cannot(name: AgentName, does: str | None, action: str) -> SmtText:
        busy = conj((encoding.there(name), encoding.does(name, does)))
        return implies(busy, _cannot(encoding, name, action))

    found: list[SmtText] = []
    for name in names:
        if by_all:
            found.append(cannot(name, None, shared))
        if follower is not None:
            found.append(cannot(name, None, follower))
        if by_all and follower is not None and follower in encoding.part(name).guards:
            found.append(cannot(name, follower, shared))
    return conj(found)


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
