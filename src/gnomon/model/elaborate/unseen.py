"""What an agent reads and does not see: all its places at once, with what to write for all of them."""

from collections.abc import Iterator

from gnomon.language import syntax
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.elaborate.names import AgentNames, Names, UnseenRead
from gnomon.text.diagnostic import Diagnostics, Label

#: So many actions are named that tell what another agent does.
_ACTIONS = 3


def report_unseen(own: AgentNames, names: Names, diagnostics: Diagnostics) -> None:
    """Report what an agent reads and does not see, now that all of it is known."""
    hidden = [read for read in own.unseen if read.agent == ENVIRONMENT]
    for read in _first_of_family(hidden, names):
        _report_hidden(own, read, hidden, names, diagnostics)
    told: set[tuple[str, str]] = set()
    foreign = [read for read in own.unseen if read.agent != ENVIRONMENT]
    for read in _first_of_family(foreign, names):
        # The way out is long, and the same for all places.
        first = (read.agent, read.variable) not in told
        told.add((read.agent, read.variable))
        diagnostics.add(
            "G0207",
            f"agent `{own.name}` cannot see the variables of agent `{read.agent}`",
            read.span,
            label="a variable of another agent",
            notes=read.through,
            related=read.at,
            help=_way_out(own, read, names) if first else f"do as with the first `{read}`, above",
        )


def _first_of_family(reads: list[UnseenRead], names: Names) -> Iterator[UnseenRead]:
    """Yield one read for each place: the agents of a family share their lines."""
    for read in reads:
        if read.span not in names.unseen_places:
            names.unseen_places.add(read.span)
            yield read


def _report_hidden(
    own: AgentNames,
    read: UnseenRead,
    hidden: list[UnseenRead],
    names: Names,
    diagnostics: Diagnostics,
) -> None:
    wanted = list(dict.fromkeys(each.variable for each in hidden))
    them = "it" if len(wanted) == 1 else "all that it reads"
    place = names.environment.places.get(read.variable)
    seen = (Label(place, "in `Obsvars` every agent would see it"),) if place else ()
    diagnostics.add(
        "G0206",
        f"agent `{own.name}` does not observe `{read}`",
        read.span,
        label="hidden from this agent",
        help=f"add {them}: `{_listing(own, wanted)}` in agent `{own.name}`",
        notes=read.through,
        related=(*read.at, *seen),
    )


def _listing(own: AgentNames, more: list[str]) -> str:
    """Return the line `Lobsvars` with what an agent has there and what it needs."""
    local = [name for name, seen in own.observed.items() if not seen.observed]
    return f"Lobsvars = {{ {', '.join([*local, *more])} }};"


def _way_out(own: AgentNames, read: UnseenRead, names: Names) -> str:
    """Return what to do about a variable of another agent, with the names in it."""
    other = names.agents[read.agent]
    variable = other.variables.get(read.variable)
    if variable is None:
        return "let it look at the other agent's action, or keep the variable in the environment"
    actions = list(dict.fromkeys(_changing(other, read.variable)))
    looked = " or ".join(f"`{read.agent}.Action = {action}`" for action in actions[:_ACTIONS])
    advice = ""
    if looked and read.in_guard:
        advice = f"look at what changes it, {looked}, or "
    name = read.variable
    taken = name in names.environment.variables
    name = f"{read.agent}_{name}" if taken else name
    changed = f" (`{name} = … if {read.agent}.Action = {actions[0] if actions else '…'};`)"
    lists = "`, and `".join(
        f"{_listing(reader, [name])}` to `{reader.name}"
        for reader in (own, other)
        if reader.name != ENVIRONMENT  # which sees all that it has
    )
    return (
        f"{advice}declare `{name} : {variable.domain};` in the `Vars` of `Environment`, which then changes "
        f"it{changed}, and add `{lists}`"
    )


def _changing(agent: AgentNames, variable: str) -> Iterator[str]:
    """Yield the actions of an agent under which it changes a variable."""
    lines = agent.written.evolution if agent.written else None
    for line in lines or ():
        if isinstance(line, syntax.EvolutionLine) and any(
            each.target.text == variable for each in line.assignments
        ):
            yield from _actions(line.guard)


def _actions(guard: syntax.Expression) -> Iterator[str]:
    match guard:
        case syntax.ActionIs(None, action, True):
            yield action.text
        case syntax.Chain(_, operands):
            for operand in operands:
                yield from _actions(operand)
        case _:
            return
