"""Invariants that say what never is by conditions: no different agents of which one of these holds.

As in `avoided`, but with any conditions, also on numbers without bounds and on types that are not listed.
What the invariant says before a step is asked of all tuples of the agents that an obligation names.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from math import perm
from typing import Final

from gnomon.certificate.parameterised.condition_data import NeverConditionReader
from gnomon.certificate.parameterised.counted_classes import CountedClass, read_classes
from gnomon.certificate.parameterised.cube_obligations import check_cubes
from gnomon.certificate.parameterised.encoding import AgentEncoding
from gnomon.certificate.parameterised.obligations import ObligationProver, SolverContext
from gnomon.certificate.parameterised.symbols import AgentName
from gnomon.certificate.rejection import TooMuch, require
from gnomon.certificate.shape import items, member, strings
from gnomon.certificate.smt_terms import SmtText, conj, neg
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import And, Condition, Not
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record

_MOST_CUBES: Final = 1_000
_MOST_AGENTS: Final = 8
#: The most tuples of named agents of which one condition is spoken.
_MOST_TUPLES: Final = 1_000_000


class Never(Record):
    """Different agents, by their templates, of which a condition never holds; agent n is the index `a<n>`."""

    templates: tuple[str, ...]
    condition: Condition

    def text(
        self, encoding: AgentEncoding, names: tuple[AgentName, ...], *, after: bool = False
    ) -> SmtText:
        """Return that these agents are there, differ, and satisfy the condition, now or after the step."""
        who: dict[str, AgentName | None] = {f"a{n}": name for n, name in enumerate(names)}
        who[ENVIRONMENT] = None
        return conj(
            (encoding.different(names), encoding.condition(self.condition, who, after=after))
        )


def read_never(system: OpenSystem, data: object, counted: int = 0) -> list[Never]:
    """Return what a certificate says never is; so many classes are counted."""
    listed = items(data, "no list of conditions")
    if len(listed) > _MOST_CUBES:
        raise TooMuch(f"the invariant has more than {_MOST_CUBES:,} conditions")
    found: list[Never] = []
    templates = {part.name for part in system.templates}
    for each in listed:
        agents = strings(member(each, "agents"))
        require(templates.issuperset(agents), "no such template")
        if len(agents) > _MOST_AGENTS:
            raise TooMuch(f"a condition speaks of more than {_MOST_AGENTS} agents")
        reader = NeverConditionReader(
            system, {f"a{n}": name for n, name in enumerate(agents)}, counted
        )
        body = And(tuple(map(reader.condition, items(member(each, "conditions")))))
        found.append(Never(agents, body))
    return found


def check_never(
    system: OpenSystem, cubes: Sequence[Never], bad: Condition, prover: ObligationProver
) -> None:
    """Fail unless no initial configuration, no bad one and no step into a condition is left."""
    check_cubes(system, cubes, bad, prover, _assumed)


def check_numbers(
    system: OpenSystem, data: object, bad: Condition, prover: ObligationProver
) -> None:
    """Fail unless the same holds of conditions that may count agents, with some that hold always.

    What is said to hold always is about the environment and numbers of agents alone.
    """
    require(not system.parameters, "how many agents there are depends on parameters")
    classes, always, cubes = read_numbers(system, data)
    opposites = [Never((), Not(condition)) for condition in always]
    check_cubes(system, [*opposites, *cubes], bad, prover, _assumed, classes)


def read_numbers(
    system: OpenSystem, data: object
) -> tuple[tuple[CountedClass, ...], list[Condition], list[Never]]:
    """Return the classes that are counted, what holds always, and what never is."""
    classes = read_classes(system, member(data, "classes"))
    listed = items(member(data, "always"), "no list of conditions")
    if len(listed) > _MOST_CUBES:
        raise TooMuch(f"the invariant has more than {_MOST_CUBES:,} conditions")
    reader = NeverConditionReader(system, {}, len(classes))
    always = [reader.condition(each) for each in listed]
    return classes, always, read_never(system, member(data, "cubes"), len(classes))


def _assumed(context: SolverContext, cubes: Sequence[Never]) -> Callable[[SmtText], bool]:
    context.assume(*_instances(context.encoding, cubes))
    return context.can_be


def _instances(encoding: AgentEncoding, cubes: Sequence[Never]) -> Iterator[SmtText]:
    """Yield what the invariant, and the bounds, say of all tuples of the agents of an encoding."""
    for part in encoding.system.templates:
        if part.high is not None:
            for names in combinations(encoding.of(part.name), part.high + 1):
                yield neg(encoding.different(names))
    for cube in cubes:
        if perm(len(encoding.names), len(cube.templates)) > _MOST_TUPLES:
            raise TooMuch(f"a condition speaks of more than {_MOST_TUPLES:,} tuples of agents")
        for names in permutations(encoding.names, len(cube.templates)):
            if all(
                name.template == template
                for name, template in zip(names, cube.templates, strict=True)
            ):
                yield neg(cube.text(encoding, names))
