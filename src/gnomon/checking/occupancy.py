"""A population of any size as a system that tells which local states are occupied, where that is enough."""

from typing import TYPE_CHECKING, Final

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import LimitReached
from gnomon.model.domain import Integers, OpenEnumeration
from gnomon.model.fold.systems import folded
from gnomon.model.parameterised.grounding import NotFinite
from gnomon.model.parameterised.ordinary import as_asked, check_size, without_idle_facts
from gnomon.model.parameterised.population import not_over_time
from gnomon.model.parameterised.query import Epistemic, Knowledge, Safety
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.model.translation import CannotExport, Translation
from gnomon.text.limits import room_to_recurse

if TYPE_CHECKING:
    from gnomon.engines.parameterised.compiled import CompiledPopulation

_GIVE_VALUES: Final = "give the parameters values, as in --agents n=4,t=1"
_GIVE_A_NUMBER: Final = "give a number, as in --agents 3"


def export_occupancy(system: OpenSystem, model: str) -> Translation:
    """Return the system that can reach what any number of agents can."""
    from gnomon.engines.parameterised.occupancy_system import OccupancyTranslation

    if system.parameters:
        raise CannotExport(f"guards that count ask how many agents are where: {_GIVE_VALUES}")
    program = _compiled(system)
    counts = {name: program.within[name].bit_count() for name in program.names}
    check_size(system, counts, (*counts.items(), (ENVIRONMENT, 1)))
    try:
        with room_to_recurse():
            written = without_idle_facts(system, folded(OccupancyTranslation(program).system()))
            written, notes = as_asked(written)
    except NotFinite as reason:
        raise CannotExport(str(reason)) from None
    header = [
        f"Exported by Gnomon from {model}, for any number of agents.",
        "Kept is where there are agents at all: what can be reached is what any number of agents can reach.",
        *(_legend(part) for part in system.templates),
    ]
    safety = [question for question in system.questions if isinstance(question.query, Safety)]
    if system.questions and not safety:
        raise CannotExport(
            "sets of agents do not say what a single one knows, or what has to happen, and the model asks "
            f"nothing else: {_GIVE_A_NUMBER}"
        )
    warnings: tuple[str, ...] = ()
    if any(isinstance(question.query, Knowledge | Epistemic) for question in system.questions):
        said = "Formulae about knowledge are left out: sets of agents do not say what a single one knows."
        header.append(said)
        warnings = (said,)
    return Translation(written, tuple(header), notes, (*warnings, *not_over_time(system)))


def _legend(part: Part) -> str:
    shown = ", ".join(variable.name for variable in part.variables)
    name = "_".join([part.name, *(f"<{variable.name}>" for variable in part.variables)])
    return f"{name}: whether some {part.name} has these values of {shown or 'nothing'}."


def _compiled(population: OpenSystem) -> "CompiledPopulation":
    """Return a population compiled; raise `CannotExport` where sets of agents are not all that matters."""
    from gnomon.engines.parameterised.compiled import CompiledPopulation
    from gnomon.engines.parameterised.saturation import is_for

    _refuse_what_counts(population)
    try:
        program = CompiledPopulation(population)
    except LimitReached as limit:
        raise CannotExport(f"{limit}: {_GIVE_A_NUMBER}") from None
    if not is_for(program):
        raise CannotExport(
            "a guard speaks of every agent with `forall`, and sets of agents only say where some are: "
            f"{_GIVE_A_NUMBER}"
        )
    return program


def _refuse_what_counts(population: OpenSystem) -> None:
    """Raise `CannotExport` where there is no end to local states, or it matters how many agents there are."""
    if not population.is_finite:
        raise CannotExport(
            f"every local state becomes a variable, and there is no end to them: {_endless(population)}"
        )
    for action, kind in population.sync.items():
        if kind != "some":
            what = (
                "exactly one agent takes part" if kind == "one" else "all agents take part that can"
            )
            raise CannotExport(
                f"in `{action}` {what}, and sets of agents do not say how many there are: "
                f"{_GIVE_A_NUMBER}"
            )
    for action, follower in population.followed_by.items():
        raise CannotExport(
            f"all others do `{follower}` with `{action}`, and sets of agents do not say how many there are: "
            f"{_GIVE_A_NUMBER}"
        )
    for part in population.templates:
        if part.high is not None:
            raise CannotExport(
                f"`{part.name}` has {part.high} agents at most, and sets of agents do not say how many there "
                f"are: {_GIVE_A_NUMBER}, or leave the bound out"
            )


def _endless(population: OpenSystem) -> str:
    """Return what has infinitely many values, and what to do about it."""
    for part in population.part.values():
        for variable in part.variables:
            whole = f"{part.name}.{variable.name}"
            if isinstance(variable.domain, OpenEnumeration):
                return f"name all values of `{variable.domain}`, the type of `{whole}`, in `Types`"
            if isinstance(variable.domain, Integers):
                return f"give `{whole}` bounds, as in 0..9, or {_GIVE_A_NUMBER}"
    return "name all values of the types of relations in `Types`"
