"""What everybody chooses, and which steps come of it: games of a given population, word for word.

Everybody, the environment included, chooses an action that it can do, or to wait. If the environment offers
a synchronised action and agents have chosen it too, these do it: all of them, or one of them where one is to
take part, and nobody chooses which. One that is for all takes everybody along who can do it, and one that
others follow all who can follow, whatever they have chosen. Otherwise those act who have chosen a local
action, whether anything was offered or not. A choice of which no step comes does not count, as long as some
step is possible.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import TypeAlias

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.step import Configuration, Event, World

#: Who: an agent by its number, or None, the environment.
Chooser: TypeAlias = int | None
#: What some of those who choose have chosen; None is to wait.
ChosenActions: TypeAlias = Mapping[Chooser, str | None]


def coalition(query: Ability, members: tuple[str, ...]) -> tuple[Chooser, ...]:
    """Return who is in the coalition, in a population in which `self` is the first agent."""
    found: list[Chooser] = [None] if query.environment else []
    if query.everybody:
        found += range(len(members))
    elif query.own:
        found.append(0)
    return tuple(found)


def open_to(world: World, player: Chooser, now: Configuration) -> tuple[str | None, ...]:
    """Return what somebody may choose: to wait, or an action that it can do."""
    part = world.system.part[ENVIRONMENT if player is None else world.members[player]]
    return (None, *(action for action in part.actions if world.can(player, action, now)))


def joint_choices(world: World, chosen: ChosenActions, now: Configuration) -> Iterator[Event]:
    """Yield what all may choose together, where some have chosen already."""
    players: tuple[Chooser, ...] = (None, *range(len(world.members)))
    ways = [
        (chosen[player],) if player in chosen else open_to(world, player, now) for player in players
    ]
    for environment, *agents in product(*ways):
        yield Event(environment, tuple(agents))


def steps_of(world: World, choice: Event, now: Configuration) -> tuple[Event, ...]:
    """Return the steps of which one comes of what all have chosen; none where nobody acts."""
    sync, agents = world.system.sync, range(len(choice.agents))
    offered = choice.environment
    if offered is not None and offered in sync:
        takers = [action == offered for action in choice.agents]
        match sync[offered]:
            case "all":
                able = [bool(world.can(n, offered, now)) for n in agents]
                return (world.led(offered, able, now),)
            case "some" if any(takers):
                return (world.led(offered, takers, now),)
            case "one" if any(takers):
                each = [n for n in agents if takers[n]]
                return tuple(world.led(offered, [n == one for n in agents], now) for one in each)
            case _:
                offered = None  # nobody takes it
    local = tuple(None if action in world.system.shared else action for action in choice.agents)
    return (Event(offered, local),) if offered is not None or any(local) else ()


def is_stuck(world: World, now: Configuration) -> bool:
    """Return whether no step is possible, so that everything stays as it is for ever."""
    return next(world.events(now), None) is None


def results(world: World, chosen: ChosenActions, now: Configuration) -> dict[Configuration, Event]:
    """Return what may come of it if some choose this, each with one choice of all of which it comes.

    Nothing may come of it where what they choose lets nobody act although somebody could: such a choice is
    none that they have.
    """
    if is_stuck(world, now):
        return {now: next(joint_choices(world, chosen, now))}
    found: dict[Configuration, Event] = {}
    for choice in joint_choices(world, chosen, now):
        for event in steps_of(world, choice, now):
            after = world.step(event, now)
            assert after is not None  # all who act can do so, in numbers that are right
            found.setdefault(after, choice)
    return found


def choices_of(
    world: World, members: Iterable[Chooser], now: Configuration
) -> Iterator[dict[Chooser, str | None]]:
    """Yield all that the members of a coalition may choose together."""
    players = tuple(members)
    for actions in product(*(open_to(world, player, now) for player in players)):
        yield dict(zip(players, actions, strict=True))
