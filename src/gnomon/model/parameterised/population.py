"""A system with templates as an ordinary one, with a definite number of agents of each template."""

from collections.abc import Mapping
from typing import Final

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.fold.systems import folded
from gnomon.model.parameterised.given import NoSuchParameters, given
from gnomon.model.parameterised.grounding import NotFinite
from gnomon.model.parameterised.instance import instance
from gnomon.model.parameterised.observation import readable
from gnomon.model.parameterised.ordinary import as_asked, check_size, without_idle_facts
from gnomon.model.parameterised.query import Ability, OverTime
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.model.translation import CannotExport, Translation
from gnomon.text.limits import room_to_recurse

MOST_AGENTS: Final = 1_000
_NOT_OVER_TIME: Final = (
    "Fairness and formulae over time or of coalitions are left out: in this program everybody may do "
    "nothing, time and again, so it does not say what has to happen."
)


def populated(system: OpenSystem, numbers: Mapping[str, int], model: str) -> Translation:
    """Return the ordinary system with so many agents of each template; `model` is what it came from."""
    members = _members(system, numbers)
    sizes = {part.name: numbers[part.name] for part in system.templates}
    check_size(
        system, sizes, (*sizes.items(), (ENVIRONMENT, 1)), size_of_roles(system, len(members))
    )
    try:
        with room_to_recurse():
            written = without_idle_facts(system, folded(instance(system, members)))
    except NotFinite as reason:
        raise CannotExport(str(reason)) from None
    written, kept, warnings = readable(system, written, members)
    asked, notes = as_asked(written)
    header = (f"Exported by Gnomon from {model}, with {_crowd(sizes)}.", kept)
    return Translation(asked, header, notes, (*warnings, *not_over_time(system)))


def with_parameters(
    system: OpenSystem, numbers: Mapping[str, int]
) -> tuple[OpenSystem, dict[str, int]]:
    """Return the system for some values of its parameters, and how many agents of each template there are.

    Templates of which that leaves open how many there are may be among the numbers, too.
    """
    values = {name: number for name, number in numbers.items() if name in system.parameters}
    try:
        here = given(system, values)
    except NoSuchParameters as reason:
        shown = spelled(dict.fromkeys(system.parameters, 1))
        raise CannotExport(f"{reason}: write --agents {shown}, with numbers that fit") from None
    found = {part.name: numbers.get(part.name, part.low) for part in here.templates}
    for part in here.templates:
        if part.low != part.high and part.name not in numbers:
            asked = spelled({**values, part.name: part.low})
            raise CannotExport(f"`{part.name}` has {_bounds(part)}: write --agents {asked}")
    return here, found


def size_of_roles(system: OpenSystem, agents: int) -> int:
    """Return how much is written because it matters who else takes part in what is done together.

    That one agent is alone in what it does says something of every pair, several times; each of those who
    follow says it again.
    """
    found = 0
    for action, kind in system.sync.items():
        pairs = agents**2 if kind == "one" else agents
        found += 4 * pairs if kind == "one" else 0
        found += 4 * pairs * agents if action in system.followed_by and kind != "all" else 0
    return found


def not_over_time(system: OpenSystem) -> tuple[str, ...]:
    """Return what to warn of where formulae over time are left out of an ordinary system."""
    over_time = any(
        isinstance(question.query, (OverTime, Ability)) for question in system.questions
    )
    if not over_time and system.promise == "none" and not system.fairness:
        return ()
    return (_NOT_OVER_TIME,)


def _members(system: OpenSystem, numbers: Mapping[str, int]) -> tuple[str, ...]:
    within = {part.name: _nearest(part, numbers[part.name]) for part in system.templates}
    for part in system.templates:
        if numbers[part.name] != within[part.name]:
            raise CannotExport(
                f"`{part.name}` has {_bounds(part)}, not {numbers[part.name]}: "
                f"write --agents {spelled(within)}"
            )
    if sum(numbers.values()) > MOST_AGENTS:
        raise CannotExport(f"more than {MOST_AGENTS:,} agents are not written out: take fewer")
    return tuple(part.name for part in system.templates for _ in range(numbers[part.name]))


def _nearest(part: Part, number: int) -> int:
    return max(part.low, number if part.high is None else min(number, part.high))


def _bounds(part: Part) -> str:
    if part.high is None:
        return f"at least {part.low} agent{'' if part.low == 1 else 's'}"
    if part.low == part.high:
        return f"exactly {part.low} agent{'' if part.low == 1 else 's'}"
    return f"{part.low} to {part.high} agents"


def spelled(numbers: Mapping[str, int]) -> str:
    """Return how many agents there are, as the command line says it."""
    return ",".join(f"{name}={number}" for name, number in numbers.items())


def _crowd(numbers: Mapping[str, int]) -> str:
    crowd = [f"{number} of {name}" for name, number in numbers.items()]
    total = sum(numbers.values())
    agents = f"{total} agent{'' if total == 1 else 's'}"
    return (
        f"{agents}: {', '.join(crowd)}" if len(crowd) > 1 else f"{agents} of {next(iter(numbers))}"
    )
