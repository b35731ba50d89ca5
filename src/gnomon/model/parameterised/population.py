"""A system with templates as an ordinary one, with a definite number of agents of each template."""

from collections.abc import Mapping
from typing import Final

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.fold.systems import folded
from gnomon.model.parameterised.grounding import NotFinite
from gnomon.model.parameterised.instance import instance
from gnomon.model.parameterised.observation import readable
from gnomon.model.parameterised.ordinary import as_asked, check_size, without_idle_facts
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.model.translation import CannotExport, Translation
from gnomon.text.limits import room_to_recurse

MOST_AGENTS: Final = 1_000


def populated(system: OpenSystem, numbers: Mapping[str, int], model: str) -> Translation:
    """Return the ordinary system with so many agents of each template; `model` is what it came from."""
    members = _members(system, numbers)
    sizes = {part.name: numbers[part.name] for part in system.templates}
    # That one agent is alone in what it does says something of every pair, several times.
    alone = 4 * sum(kind == "one" for kind in system.sync.values()) * len(members) ** 2
    check_size(system, sizes, (*sizes.items(), (ENVIRONMENT, 1)), alone)
    try:
        with room_to_recurse():
            written = without_idle_facts(system, folded(instance(system, members)))
    except NotFinite as reason:
        raise CannotExport(str(reason)) from None
    written, kept, warnings = readable(system, written, members)
    asked, notes = as_asked(written)
    header = (f"Exported by Gnomon from {model}, with {_crowd(sizes)}.", kept)
    return Translation(asked, header, notes, warnings)


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
