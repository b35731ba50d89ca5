"""Whether a definition may stand in a section: all that it looks at must be in sight there."""

from collections.abc import Iterator

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.elaborate.names import AgentNames, Names, UnseenRead
from gnomon.model.expression import Read
from gnomon.text.diagnostic import Diagnostics, Label
from gnomon.text.errors import Reported
from gnomon.text.source import NOWHERE, Span

#: Longer chains of definitions are told by their ends.
_TOLD = 6


def check_sight(
    name: str,
    span: Span,
    names: Names,
    owner: AgentNames | None,
    diagnostics: Diagnostics,
    *,
    actions: bool,
) -> None:
    """Refuse a definition that looks at actions or variables that may not be looked at here."""
    if names.definitions[name].acts and not actions:
        raise _refuse_action(name, span, names, diagnostics)
    if owner is None:
        return
    # What an agent sees does not change: each definition is looked at once for each agent.
    known = names.seen_definitions.setdefault(owner.name, set())
    if name in known:
        return
    came_from = {name: ""}
    for current in _reached(names, came_from, known):
        for read, place in names.definitions[current].reads:
            if not _sees(owner, read):
                through = _told(_chain(came_from, current), f"reads `{read.agent}.{read.variable}`")
                at = () if place == NOWHERE else (Label(place, "looked at here"),)
                # It is reported with the rest of what this agent does not see.
                owner.unseen.append(
                    UnseenRead(read.agent, read.variable, span, actions, through, at)
                )
                raise Reported
    known.update(came_from)


def _reached(names: Names, came_from: dict[str, str], known: set[str]) -> Iterator[str]:
    """Yield definitions that are used, with where each came from, but for those that are known."""
    waiting = list(came_from)
    while waiting:
        current = waiting.pop()
        yield current
        for used in names.definitions[current].uses:
            if used not in came_from and used not in known:
                came_from[used] = current
                waiting.append(used)


def _sees(owner: AgentNames, read: Read) -> bool:
    return read.agent == owner.name or (
        read.agent == ENVIRONMENT and read.variable in owner.observed
    )


def _chain(came_from: dict[str, str], last: str) -> list[str]:
    chain = [last]
    while came_from[chain[-1]]:
        chain.append(came_from[chain[-1]])
    return chain[::-1]


def _told(chain: list[str], what: str) -> tuple[str, ...]:
    """Return a note on how a definition comes to look at something."""
    shown = [f"`{name}`" for name in chain]
    if len(shown) > _TOLD:
        shown = [*shown[: _TOLD // 2], f"… ({len(chain) - _TOLD} more)", *shown[-_TOLD // 2 :]]
    links = [*(f"uses {name}" for name in shown[1:]), what]
    return (f"{shown[0]} {', which '.join(links)}",)


def _refuse_action(name: str, span: Span, names: Names, diagnostics: Diagnostics) -> Reported:
    definitions = names.definitions
    chain = [name]
    while through := [used for used in definitions[chain[-1]].uses if definitions[used].acts]:
        chain.append(through[0])
    return diagnostics.fail(
        "G0205",
        "actions can only be looked at in the guards of `Evolution` and in `Fairness`",
        span,
        label="no action is being taken here",
        notes=_told(chain, "looks at an action"),
    )
