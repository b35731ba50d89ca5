"""Templates for those who look and walk: what each has, and the system with so many agents of each."""

from collections.abc import Mapping
from dataclasses import replace as changed
from typing import TYPE_CHECKING, Final, NamedTuple

from gnomon.checking.load import Loaded
from gnomon.model.agent import Agent, Variable
from gnomon.model.expression import Expression, reads
from gnomon.model.system import System
from gnomon.model.translation import CannotExport
from gnomon.text.record import replace

if TYPE_CHECKING:  # most models have no templates
    from gnomon.model.parameterised.condition import Condition, Term
    from gnomon.model.parameterised.system import OpenSystem, Part

#: More agents than these are not walked through: nobody could follow them.
MOST_WALKING: Final = 60


class TemplateFacts(NamedTuple):
    """The environment of a model with templates, or one of these: what it has, and how many there may be."""

    name: str
    is_template: bool
    low: int
    high: int | None
    variables: tuple[Variable, ...]
    sees: tuple[str, ...]
    actions: tuple[str, ...]


class WalkedPopulation(NamedTuple):
    """The ordinary system with so many agents of each template; and of every agent, its template."""

    system: System
    numbers: Mapping[str, int]
    template_of: Mapping[str, str]


def template_facts(loaded: Loaded) -> tuple[TemplateFacts, ...]:
    """Return what the environment and each template have; nothing where the agents are known."""
    system = loaded.templates
    if system is None:
        return ()
    return tuple(
        TemplateFacts(
            part.name,
            part is not system.environment,
            part.low,
            part.high,
            part.variables,
            part.sees,
            part.actions,
        )
        for part in (system.environment, *system.templates)
    )


def template_propositions(loaded: Loaded) -> dict[str, str]:
    """Return the propositions of a model with templates, as they were read."""
    if loaded.templates is None:
        return {}
    from gnomon.model.parameterised.condition import show

    return {name: show(what) for name, what in loaded.templates.propositions.items()}


class TemplateReads(NamedTuple):
    """What agents of one part read of another: variables in their lines, and what both do at once."""

    variables: tuple[str, ...] = ()
    together: tuple[str, ...] = ()


def template_reads(loaded: Loaded) -> dict[tuple[str, str], TemplateReads]:
    """Return what the environment and templates read of each other, by who reads and what is read."""
    system = loaded.templates
    if system is None:
        return {}
    found: dict[tuple[str, str], TemplateReads] = {}
    for part in system.part.values():
        read = _read_by(system, part)
        for other in system.part.values():
            variables = tuple(v.name for v in other.variables if (other.name, v.name) in read)
            shared: tuple[str, ...] = ()
            if other is system.environment:
                shared = tuple(name for name in part.synchronised if name in other.synchronised)
            if other is not part and (variables or shared):
                found[part.name, other.name] = TemplateReads(variables, shared)
    return found


def _read_by(system: "OpenSystem", part: "Part") -> set[tuple[str, str]]:
    """Return the variables, each with whose it is, that the lines of a part look at."""
    from gnomon.model.parameterised.condition import SELF

    own = {SELF: part.name, **{name: name for name in system.part}}
    found: set[tuple[str, str]] = set()
    for guard in part.guards.values():
        found |= _read_in(guard, own)
    for change in part.changes:
        values = [change.line.guard, *(item.value for item in change.line.assignments)]
        for item in change.looked:
            values += _looked_up_by(item.value)
        found |= {(own.get(read.agent, part.name), read.variable) for read in reads(*values)}
    return found


def _read_in(what: "Condition", whose: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return the same of a condition, in which `whose` says what each index stands for."""
    from gnomon.model.parameterised import condition

    if isinstance(what, condition.Exists | condition.Forall):
        return _read_in(what.body, {**whose, what.index: what.template})
    if isinstance(what, condition.Enough):
        within = (
            _read_in(each.body, {**whose, each.index: each.template}) for _, each in what.counts
        )
        return set().union(*within)
    inner = condition.parts(what)
    if inner:
        return set().union(*(_read_in(each, whose) for each in inner))
    found = reads(*condition.expressions(what))
    return {(whose[read.agent], read.variable) for read in found if read.agent in whose}


def _looked_up_by(term: "Term") -> list[Expression]:
    from gnomon.model.parameterised.condition import Lookup

    if not isinstance(term, Lookup):
        return [term]
    return [each for argument in term.arguments for each in _looked_up_by(argument)]


def populate(loaded: Loaded, numbers: Mapping[str, int]) -> WalkedPopulation:
    """Return the system with so many agents of each template, the least number of those that are not named.

    Agents see what their templates do, also where their guards look at more: what they know is as in the
    model. Raises `CannotExport` where there is no such system.
    """
    system = loaded.templates
    if system is None:
        msg = "this model has no templates: its agents are known"
        raise CannotExport(msg)
    from gnomon.model.fold.systems import folded
    from gnomon.model.parameterised.grounding import NotFinite
    from gnomon.model.parameterised.instance import instance, named
    from gnomon.model.parameterised.ordinary import without_idle_facts
    from gnomon.text.limits import room_to_recurse

    if system.parameters:
        from gnomon.model.parameterised.population import with_parameters

        system, numbers = with_parameters(system, numbers)
    chosen = _numbers(system, numbers)
    _check_size(system, chosen)
    members = tuple(name for name, number in chosen.items() for _ in range(number))
    try:
        with room_to_recurse():
            written = without_idle_facts(system, folded(instance(system, members)))
    except NotFinite as reason:
        raise CannotExport(str(reason)) from None
    template_of = dict(zip(named(members), members, strict=True))
    parts = {name: system.part[template] for name, template in template_of.items()}
    agents = (_with_lines(a, parts.get(a.name, system.environment)) for a in written.agents)
    return WalkedPopulation(changed(written, agents=tuple(agents)), chosen, template_of)


def about_population(loaded: Loaded, system: System) -> Loaded:
    """Return the program as formulae are read with it that are about the agents of one population."""
    return changed(loaded, model=system)


def _numbers(system: "OpenSystem", numbers: Mapping[str, int]) -> dict[str, int]:
    """Return the number of agents of each template, in the order of the text."""
    known = [part.name for part in system.templates]
    for name in numbers:
        if name not in known:
            msg = f"there is no template `{name}`: there are {', '.join(known)}"
            raise CannotExport(msg)
    chosen = {part.name: numbers.get(part.name, part.low) for part in system.templates}
    for part in system.templates:
        if not part.allows(chosen[part.name]):
            most = "or more" if part.high is None else f"to {part.high}"
            msg = f"`{part.name}` has {part.low} {most} agents, not {chosen[part.name]}"
            raise CannotExport(msg)
    if sum(chosen.values()) > MOST_WALKING:
        msg = f"more than {MOST_WALKING} agents are too many to walk with: take fewer"
        raise CannotExport(msg)
    return chosen


def _check_size(system: "OpenSystem", chosen: Mapping[str, int]) -> None:
    from gnomon.model.agent import ENVIRONMENT
    from gnomon.model.parameterised.ordinary import check_size
    from gnomon.model.parameterised.population import size_of_roles

    roles = size_of_roles(system, sum(chosen.values()))
    check_size(system, chosen, (*chosen.items(), (ENVIRONMENT, 1)), roles)


def _with_lines(agent: Agent, part: "Part") -> Agent:
    """Return an agent whose protocol says where in the text of its template each action is enabled."""
    protocol = []
    for line in agent.protocol:
        places = [number for action in line.actions for number in part.lines.get(action, ())]
        protocol.append(replace(line, line=line.line or next(iter(places), 0)))
    return replace(agent, protocol=tuple(protocol))
