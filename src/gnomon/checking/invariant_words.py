"""The invariant that proves a verdict about any number of agents, in the words of the program.

The sentences say the same as the invariant of the certificate, case by case: together they hold in every
configuration that can be reached, and what was asked follows from them. They are shortened where that changes
nothing, the shortest come first, and where there are many the rest is counted.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, Final

from gnomon.checking.state_words import box_words, by_agent, never_together, region_words
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import show_value
from gnomon.model.parameterised.system import OpenSystem, Part

#: More sentences than this nobody reads.
MOST_SENTENCES: Final = 12
#: A sentence that is longer is only counted.
_LONGEST: Final = 400


def sentences(system: OpenSystem, invariant: dict[str, Any]) -> tuple[str, ...]:
    """Return what always holds, sentence by sentence."""
    match invariant["kind"]:
        case "avoided":
            found = list(_avoided(system, invariant))
        case "occupied":
            found = list(_occupied(system, invariant["cases"]))
        case "numbers":
            from gnomon.checking.counted_words import counted_words

            found = list(counted_words(system, invariant))
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
        yield never_together(words, agents, _facts(cube["facts"]))


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
        return box_words(part, box)
    each = [
        box_words(part, [(v.name, [value]) for v, value in zip(part.variables, row, strict=True)])
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
        yield by_agent(cube.templates, [show(each, inside=True) for each in conjuncts])


# Words


def _part(system: OpenSystem, name: str) -> Part:
    return system.environment if name == ENVIRONMENT else system.part[name]


def _facts(facts: Sequence[Sequence[Any]]) -> str:
    return " and ".join(map(_fact, facts))


def _fact(fact: Sequence[Any]) -> str:
    relation, arguments, value, so = fact
    text = f"{relation}({', '.join(map(show_value, arguments))})"
    if value is True:
        return text if so else f"!{text}"
    return f"{text} {'=' if so else '<>'} {show_value(value)}"
