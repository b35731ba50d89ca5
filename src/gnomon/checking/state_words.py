"""States of parts in words, and which agents there never are."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Boolean, Domain, Enumeration, IntegerRange, show_value, size_of
from gnomon.model.parameterised.system import Part

#: The values that some variables may have.
VariableValues: TypeAlias = dict[str, list[Any]]

_COUNTED: Final = ("no", "an agent", "two agents", "three agents", "four agents", "five agents")


def never_together(environment: str, agents: Sequence[tuple[str, str]], facts: str) -> str:
    """Say that there never are such agents while the environment is like that."""
    where = f"where {facts}, " if facts else ""
    if not agents:
        return f"{where}the environment never has {environment or 'any state'}"
    during = f"while {environment}, " if environment else ""
    return f"{where}{during}there {_is_never(agents)}"


def _is_never(agents: Sequence[tuple[str, str]]) -> str:
    """Return that such agents never are there, those that are alike counted."""
    parts: list[str] = []
    met: set[str] = set()
    for (name, words), alike in groupby(sorted(agents)):
        number = len(list(alike))
        with_ = f" with {words}" if words else ""
        count = _COUNTED[number] if number < len(_COUNTED) else f"{number} agents"
        if name in met:
            count = "another" if number == 1 else f"{number} others"
            parts.append(f"{count}{with_}")
        else:
            parts.append(f"{count} of `{name}`{with_}")
        met.add(name)
    verb = "is" if parts[0].startswith(_COUNTED[1]) else "are"
    return f"{verb} never {' together with '.join(parts)}"


def by_agent(templates: Sequence[str], conditions: Iterable[str]) -> str:
    """Say it agent by agent where each condition is about one of them, and else with their names."""
    about: dict[str, list[str]] = defaultdict(list)
    listed = list(conditions)
    for text in listed:
        indices = set(re.findall(r"\ba\d+\b", text))
        if len(indices) == 1 and ENVIRONMENT not in text:
            [index] = indices
            about[index].append(re.sub(rf"\b{index}\.", "", text))
        elif not indices:
            about[ENVIRONMENT].append(re.sub(rf"\b{ENVIRONMENT}\.", "", text))
        else:
            named = (f"a{number} of `{name}`" for number, name in enumerate(templates))
            together = " and ".join(sorted(listed, key=len))
            return f"there are never different agents {', '.join(named)} with {together}"
    agents = [(name, " and ".join(about[f"a{number}"])) for number, name in enumerate(templates)]
    return never_together(" and ".join(about[ENVIRONMENT]), agents, "")


def region_words(part: Part, boxes: Sequence[Sequence[Sequence[Any]]]) -> str:
    """Return states of a part in words; nothing where they are all."""
    domains = {variable.name: variable.domain for variable in part.variables}
    kept = _simplified(domains, [{name: list(values) for name, values in box} for box in boxes])
    if not kept:
        return "nothing at all"
    words = [box_words(part, box.items()) for box in sorted(kept, key=len)]
    if not all(words):
        return ""
    if len(words) == 1:
        return words[0]
    return " or ".join(f"({each})" if " and " in each else each for each in words)


def _simplified(domains: Mapping[str, Domain], boxes: list[VariableValues]) -> list[VariableValues]:
    """Return boxes without what goes without saying: `a or (b and !a)` is `a or b`."""
    alone = {name: box for box in boxes if len(box) == 1 for name in box}
    for box in boxes:
        for name, other in alone.items():
            if box is other or name not in box or len(box) == 1:
                continue
            both = {*box[name], *other[name]}
            if len(both) == size_of(domains[name]):
                del box[name]
    return boxes


def box_words(part: Part, box: Iterable[tuple[str, Sequence[Any]]]) -> str:
    """Return that variables of a part have certain values; nothing where they may have any."""
    domains = {variable.name: variable.domain for variable in part.variables}
    return " and ".join(
        words for name, values in box if (words := _among(name, values, domains[name]))
    )


def _among(name: str, values: Sequence[Any], domain: Domain) -> str:
    """Return that a variable has one of some values, as short as can be; nothing where it has any."""
    size = size_of(domain)
    if size is not None and len(values) == size:
        return ""
    if len(values) == 1:
        return f"{name} = {show_value(values[0])}"
    if size is not None and len(values) == size - 1 and size > 2:
        [missing] = [value for value in _listed(domain) if value not in values]
        return f"{name} <> {show_value(missing)}"
    return f"{name} in {{ {', '.join(map(show_value, values))} }}"


def _listed(domain: Domain) -> Iterable[Any]:
    match domain:
        case Boolean():
            return (False, True)
        case Enumeration(names):
            return names
        case IntegerRange(low, high):
            return range(low, high + 1)
        case _:
            return ()
