"""Cubes for the search with a solver: different agents, and conditions on them."""

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Final, TypeVar

from gnomon.engines.parameterised.disjuncts import Disjunct, both
from gnomon.engines.parameterised.substitute import flat
from gnomon.model.budget import LimitReached
from gnomon.model.parameterised.condition import (
    SELF,
    And,
    Condition,
    Exists,
    Forall,
    Or,
    renamed,
    walk,
)
from gnomon.text.record import Record

#: The most cases of a condition, and the most cubes that one step back may give.
MOST_BRANCHES: Final = 5_000

Item = TypeVar("Item")


class ConditionCube(Record):
    """Different agents, by their templates, and what holds of them; agent n is the index `a<n>`."""

    agents: tuple[str, ...]
    body: tuple[Condition, ...]

    @property
    def who(self) -> dict[str, str]:
        """The template of each index."""
        return {index(n): template for n, template in enumerate(self.agents)}


def index(number: int) -> str:
    """Return the index of an agent of a cube."""
    return f"a{number}"


def alternatives(condition: Condition) -> list[Disjunct]:
    """Return the alternatives of a positive condition; raise `LimitReached` where they are too many."""
    return few(_alternatives(condition))


def few(items: Iterator[Item]) -> list[Item]:
    """Return all of them, unless they are too many."""
    found = list(islice(items, MOST_BRANCHES + 1))
    if len(found) > MOST_BRANCHES:
        msg = f"a condition falls into more than {MOST_BRANCHES:,} cases"
        raise LimitReached(msg)
    return found


def _alternatives(condition: Condition, prefix: str = "") -> Iterator[Disjunct]:
    match condition:
        case Or(operands):
            for number, operand in enumerate(operands):
                yield from _alternatives(operand, f"{prefix}{number}")
        case And(operands):
            parts = [few(_alternatives(part, f"{prefix}{n}_")) for n, part in enumerate(operands)]
            for combination in product(*parts):
                whole = Disjunct()
                for part in combination:
                    whole = both(whole, part)
                yield whole
        case Exists(name, template, body):
            fresh = f"{name}'{prefix}"
            for inner in _alternatives(renamed(body, {name: fresh}), prefix + "_"):
                yield both(Disjunct(((fresh, template),)), inner)
        case Forall():
            yield Disjunct(universal=(condition,))
        case _:
            yield Disjunct(literals=(condition,))


class Placement:
    """Finds agents for all that guards look for."""

    def __init__(self) -> None:
        """Start where nothing has been over-approximated."""
        #: Whether a condition on every agent was met, and taken to hold of those that are spoken of.
        self.approximate = False

    def cubes(self, condition: Condition) -> Iterator[ConditionCube]:
        """Yield the cubes of a positive condition on no particular agent."""
        for disjunct in alternatives(condition):
            for agents, body in self.placed((), [(None, disjunct)]):
                found = flat(body)
                if found is not None:
                    yield ConditionCube(agents, found)

    def placed(
        self, agents: tuple[str, ...], guards: list[tuple[str | None, Disjunct]]
    ) -> Iterator[tuple[tuple[str, ...], tuple[Condition, ...]]]:
        """Yield the agents with all that guards look for among them, and what the guards say of them.

        With each guard comes the index of the agent whose guard it is.
        """
        if not guards:
            yield agents, ()
            return
        (me, disjunct), *rest = guards
        for names, more in _assignments(agents, disjunct.binders):
            mine = {**names, **({SELF: me} if me is not None else {})}
            body = tuple(renamed(literal, mine) for literal in disjunct.literals)
            for found, others in self.placed(more, rest):
                every = self._everyone(disjunct.universal, mine, found)
                yield found, (*body, *every, *others)

    def _everyone(
        self, universal: tuple[Forall, ...], mine: Mapping[str, str], agents: tuple[str, ...]
    ) -> Iterator[Condition]:
        """Yield that a condition on every agent holds of those that are spoken of."""
        for condition in universal:
            self.approximate = True
            if any(isinstance(part, (Exists, Forall)) for part in walk(condition.body)):
                continue  # what looks for further agents is left out: more may seem possible
            for number, template in enumerate(agents):
                if template == condition.template:
                    names = {**mine, condition.index: index(number)}
                    yield renamed(condition.body, names)


def _assignments(
    agents: tuple[str, ...], binders: tuple[tuple[str, str], ...]
) -> Iterator[tuple[dict[str, str], tuple[str, ...]]]:
    """Yield who each index may be: one of the agents, or a new one."""
    if not binders:
        yield {}, agents
        return
    (name, template), *rest = binders
    for number, other in enumerate((*agents, template)):
        if other != template:
            continue
        more = agents if number < len(agents) else (*agents, template)
        for names, placed in _assignments(more, tuple(rest)):
            yield {name: index(number), **names}, placed
