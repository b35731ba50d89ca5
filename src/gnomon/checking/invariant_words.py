"""The invariant that proves a verdict about any number of agents, in the words of the program.

The sentences say the same as the invariant of the certificate, case by case: together they hold in every
configuration that can be reached, and what was asked follows from them. They are shortened where that changes
nothing, the shortest come first, and where there are many the rest is counted.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import prod
from typing import Any, Final, TypeAlias

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Boolean, Domain, Enumeration, IntegerRange, show_value, size_of
from gnomon.model.parameterised.system import OpenSystem, Part

#: More sentences than this nobody reads.
MOST_SENTENCES: Final = 12
#: A sentence that is longer is only counted.
_LONGEST: Final = 400

#: The values that some variables may have.
VariableValues: TypeAlias = dict[str, list[Any]]

_COUNTED: Final = ("no", "an agent", "two agents", "three agents", "four agents", "five agents")


def sentences(system: OpenSystem, invariant: dict[str, Any]) -> tuple[str, ...]:
    """Return what always holds, sentence by sentence."""
    match invariant["kind"]:
        case "avoided":
            found = list(_avoided(system, invariant))
        case "occupied":
            found = list(_occupied(system, invariant["cases"]))
        case _:
            found = list(_never(system, invariant["cubes"]))
    told = sorted(dict.fromkeys(found), key=lambda text: (len(text) > _LONGEST, len(text), text))
    shown = [text for text in told[:MOST_SENTENCES] if len(text) <= _LONGEST]
    left = len(told) - len(shown)
    if left:
        more = "more like these" if shown else "that are too long to be read"
        shown.append(f"and {left:,} {more}: a certificate has all of them (--certificate FILE)")
    return tuple(shown)


# What never is, by the states of agents


def _avoided(system: OpenSystem, invariant: dict[str, Any]) -> Iterator[str]:
    for name, boxes in invariant["within"].items():
        if words := region_words(_part(system, name), boxes):
            who = "the environment" if name == ENVIRONMENT else f"every agent of `{name}`"
            yield f"{who} always has {words}"
    for cube in invariant["cubes"]:
        words = region_words(system.environment, cube["environment"])
        agents = [
            (name, region_words(_part(system, name), boxes)) for name, boxes in cube["agents"]
        ]
        yield _never_together(words, agents, _facts(cube["facts"]))


def _never_together(environment: str, agents: Sequence[tuple[str, str]], facts: str) -> str:
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


# Where agents may be, case by case


def _occupied(system: OpenSystem, cases: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Say for each state of the environment where the agents may be; facts stay what they are."""
    names = [part.name for part in system.templates]
    by_facts: dict[str, dict[tuple[Any, ...], set[tuple[str, ...]]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for case in cases:
        regions = tuple(region_words(_part(system, name), case["occupied"][name]) for name in names)
        by_facts[_facts(case["facts"])][tuple(case["environment"])].add(regions)
    for facts, states in by_facts.items():
        where = f"where {facts}, " if facts else ""
        together: dict[frozenset[tuple[str, ...]], list[tuple[Any, ...]]] = defaultdict(list)
        for state, ways in states.items():
            together[frozenset(ways)].append(state)
        if environment := _rows(system.environment, list(states)):
            yield f"{where}the environment always has {environment}"
        for alternatives, rows in together.items():
            during = _rows(system.environment, rows) if len(together) > 1 else ""
            during = f"while {during}, " if during else ""
            choices = [_everywhere(names, regions) for regions in sorted(alternatives)]
            if all(choices):
                yield f"{where}{during}{'; or '.join(choices)}"


def _everywhere(names: Sequence[str], regions: Sequence[str]) -> str:
    return ", and ".join(
        f"every agent of `{name}` has {words}"
        for name, words in zip(names, regions, strict=True)
        if words
    )


def _rows(part: Part, rows: list[tuple[Any, ...]]) -> str:
    """Return whole states of a part in words; nothing where they are all."""
    if not part.variables:
        return ""
    columns = [list(dict.fromkeys(column)) for column in zip(*rows, strict=True)]
    if prod(map(len, columns)) == len(set(rows)):
        box = [(v.name, values) for v, values in zip(part.variables, columns, strict=True)]
        return _box(part, box)
    each = [
        _box(part, [(v.name, [value]) for v, value in zip(part.variables, row, strict=True)])
        for row in rows
    ]
    return " or ".join(f"({words})" for words in each)


# What never is, by conditions


def _never(system: OpenSystem, cubes: Sequence[dict[str, Any]]) -> Iterator[str]:
    # Only models whose values cannot be listed need it.
    from gnomon.certificate.parameterised.never import read_never
    from gnomon.model.parameterised.condition import And, show

    for cube in read_never(system, list(cubes)):
        condition = cube.condition
        conjuncts = condition.operands if isinstance(condition, And) else (condition,)
        yield _by_agent(cube.templates, [show(each, inside=True) for each in conjuncts])


def _by_agent(templates: Sequence[str], conditions: Iterable[str]) -> str:
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
    return _never_together(" and ".join(about[ENVIRONMENT]), agents, "")


# Words


def _part(system: OpenSystem, name: str) -> Part:
    return system.environment if name == ENVIRONMENT else system.part[name]


def region_words(part: Part, boxes: Sequence[Sequence[Sequence[Any]]]) -> str:
    """Return states of a part in words; nothing where they are all."""
    domains = {variable.name: variable.domain for variable in part.variables}
    kept = _simplified(domains, [{name: list(values) for name, values in box} for box in boxes])
    if not kept:
        return "nothing at all"
    words = [_box(part, box.items()) for box in sorted(kept, key=len)]
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


def _box(part: Part, box: Iterable[tuple[str, Sequence[Any]]]) -> str:
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


def _facts(facts: Sequence[Sequence[Any]]) -> str:
    return " and ".join(map(_fact, facts))


def _fact(fact: Sequence[Any]) -> str:
    relation, arguments, value, so = fact
    text = f"{relation}({', '.join(map(show_value, arguments))})"
    if value is True:
        return text if so else f"!{text}"
    return f"{text} {'=' if so else '<>'} {show_value(value)}"
