"""Whom a formula speaks of alone: of a crowd that changes places, they have to be kept apart.

It is a guess, by how often numbers occur: whoever relies on it has to see that the formula says the same when
the others change places.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from gnomon.model import formula as logic
from gnomon.model.formula_orbits import spoken_of
from gnomon.model.fragment import is_propositional
from gnomon.model.numbered_names import IndexFamily
from gnomon.model.system import System


def kept_apart(system: System, family: IndexFamily, formula: logic.Formula) -> frozenset[int]:
    """Return the members of a family that a formula speaks of and not of all others in the same way."""
    return frozenset(_named(system, family, formula))


def _named(system: System, family: IndexFamily, formula: logic.Formula) -> Iterator[int]:
    if is_propositional(formula):
        yield from _rare(family, _numbers(system, family, formula))
        return
    match formula:
        case logic.Knows(agent) | logic.Obliged(agent):
            yield from family.found_in("agent", agent)
        case logic.GroupKnows(_, group) | logic.Enforces(group):
            yield from some_of(family, group.members)
        case _:
            pass
    for part in logic.parts(formula):
        yield from _named(system, family, part)


def some_of(family: IndexFamily, agents: Iterable[str]) -> Iterator[int]:
    """Yield the members that are in a group, or not in it, if the others are not, or are."""
    yield from _rare(family, [n for agent in agents for n in family.found_in("agent", agent)])


def _rare(family: IndexFamily, numbers: Iterable[int]) -> Iterator[int]:
    """Yield the members that occur as often as few others do."""
    often = Counter(numbers)
    if not often:
        return
    times = Counter(often[number] for number in family.numbers)
    [(usual, _)] = times.most_common(1)
    for number in family.numbers:
        if often[number] != usual:
            yield number


def _numbers(system: System, family: IndexFamily, formula: logic.Formula) -> Iterator[int]:
    for part in logic.walk(formula):
        match part:
            case logic.Proposition(name):
                yield from spoken_of(family, system.propositions[name])
            case logic.StateCondition(expression):
                yield from spoken_of(family, expression)
            case logic.Norm(agent):
                yield from family.found_in("agent", agent)
            case _:
                continue
