"""Invariants that say what never is: cubes, each of some different agents with a condition on them.

Where a step leads into one of the cubes, it does so for the agents of the cube. What the invariant says
before the step is asked of the agents that the obligation names, all tuples of them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

from gnomon.certificate.parameterised.counted_classes import CountedClass
from gnomon.certificate.parameterised.encoding import AgentEncoding
from gnomon.certificate.parameterised.obligations import ObligationProver, SolverContext
from gnomon.certificate.parameterised.situations import (
    Situation,
    bad_situation,
    initial_situation,
    step_kinds,
    step_situation,
)
from gnomon.certificate.parameterised.symbols import AgentName
from gnomon.certificate.rejection import Rejected
from gnomon.certificate.smt_terms import TRUE, SmtText
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.system import OpenSystem


class InvariantCube(Protocol):
    """What never is."""

    @property
    def templates(self) -> tuple[str, ...]:
        """Return the template of each of its agents."""

    def text(
        self, encoding: AgentEncoding, names: tuple[AgentName, ...], *, after: bool = False
    ) -> SmtText:
        """Return that these agents are there, differ, and are as the cube says, now or after a step."""


AnyCube = TypeVar("AnyCube", bound=InvariantCube)
#: What tells whether something can be.
Possible: TypeAlias = Callable[[SmtText], bool]


def check_cubes(
    system: OpenSystem,
    cubes: Sequence[AnyCube],
    bad: Condition,
    prover: ObligationProver,
    assumed: Callable[[SolverContext, Sequence[AnyCube]], Possible],
    classes: Sequence[CountedClass] = (),
) -> None:
    """Fail unless no initial configuration, no bad one and no step into a cube is left.

    `assumed` makes a solver believe that the invariant holds of all named agents. The cubes may speak of how
    many agents there are in some `classes`.
    """
    groups: dict[tuple[str, ...], list[AnyCube]] = {}
    for cube in cubes:
        if _is_within_bounds(system, cube):
            groups.setdefault(cube.templates, []).append(cube)
    for templates, group in groups.items():
        start = initial_situation(system, templates, classes)
        entered = partial(_entered, group, start, after=False)
        why = "an initial configuration is not covered by the invariant"
        _exclude(start, entered, why, prover, lambda context: context.can_be)

    def invariant(context: SolverContext) -> Possible:
        return assumed(context, cubes)

    why = "the invariant does not exclude what is bad"
    _exclude(bad_situation(system, bad, classes), lambda: (TRUE,), why, prover, invariant)
    for kind in step_kinds(system):
        for templates, group in groups.items():
            step = step_situation(system, templates, kind, classes)
            entered = partial(_entered, group, step, after=True)
            why = f"it is not an invariant: by {kind}, it is left"
            _exclude(step, entered, why, prover, invariant)


def _entered(
    group: Sequence[InvariantCube], situation: Situation, *, after: bool
) -> Iterator[SmtText]:
    """Yield for each cube that the agents of a situation are in it, now or after the step."""
    return (cube.text(situation.encoding, situation.names, after=after) for cube in group)


def _exclude(
    situation: Situation,
    texts: Callable[[], Iterable[SmtText]],
    why: str,
    prover: ObligationProver,
    assumed: Callable[[SolverContext], Possible],
) -> None:
    """Fail where one of some texts can hold in a situation."""

    def work(context: SolverContext) -> None:
        context.assume(situation.text)
        if any(map(assumed(context), texts())):
            raise Rejected(why)

    prover.prove(situation.encoding, work)


def _is_within_bounds(system: OpenSystem, cube: InvariantCube) -> bool:
    """Return whether there may be as many agents as a cube speaks of."""
    return all(
        part.high is None or cube.templates.count(part.name) <= part.high
        for part in system.templates
    )
