"""What is asked of any number of agents, asked of so many of them by an engine for finite systems."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

from gnomon.checking.attempts import Engine
from gnomon.checking.check import Options, check
from gnomon.checking.verdict import Thresholds, Value
from gnomon.model.formula import All, Exists, Finally, Globally, Not
from gnomon.model.parameterised.given import NoSuchParameters, given
from gnomon.model.parameterised.grounding import NotFinite
from gnomon.model.parameterised.instance import instance
from gnomon.model.parameterised.query import Epistemic
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.system import Specification
from tests.support import VACUOUS

Population = Mapping[str, int]


def is_broken(system: OpenSystem, number: int, of: Population, engine: Engine = "explicit") -> bool:
    """Return whether so many agents break a question: reach what is bad, or do not know.

    The facts of the relations are free in the initial states, and "reached" means from one of these.
    """
    members = tuple(part.name for part in system.templates for _ in range(of.get(part.name, 0)))
    asked = system.questions[number - 1]
    finite = instance(replace(system, questions=(asked,)), members)
    if finite.kind == "unbounded":
        raise NotFinite("its states cannot be listed")
    found = check(
        finite, tuple(map(_always, finite.specifications)), Options(allow=VACUOUS, engine=engine)
    )
    assert all(verdict.value in {Value.TRUE, Value.FALSE} for verdict in found)
    return any(verdict.value is Value.FALSE for verdict in found)


def _always(asked: Specification) -> Specification:
    """Return "never" in the place of "reached": a formula holds if it does in *all* initial states."""
    match asked.formula:
        case Exists(Finally(bad)):
            return replace(asked, formula=All(Globally(Not(bad))))
        case _:
            return asked


def populations(system: OpenSystem, most: int) -> Iterator[dict[str, int]]:
    """Yield all populations with no more than so many agents of a template."""
    ranges = [
        range(part.low, (most if part.high is None else min(part.high, most)) + 1)
        for part in system.templates
    ]
    for counts in product(*ranges):
        yield {
            part.name: count for part, count in zip(system.templates, counts, strict=True) if count
        }


def contradictions(
    system: OpenSystem, number: int, numbers: Thresholds, engine: Engine = "explicit", most: int = 2
) -> Iterator[str]:
    """Yield the populations that say something else of a question than what is said of any number.

    Where it is broken these are the smallest and those of one agent less; where it is not, all small ones.
    """
    if system.parameters:
        yield from _with_small_parameters(system, number, numbers, engine, most)
        return
    if isinstance(system.questions[number - 1].query, Epistemic):
        return  # of a definite number agents know how many they are
    try:
        if not numbers.reached:
            for few in populations(system, most):
                if is_broken(system, number, few, engine):
                    yield f"{few} are enough"
        elif numbers.about == "safety" and numbers.exact:
            for enough in numbers.populations:
                if not is_broken(system, number, enough, engine):
                    yield f"{dict(enough)} are not enough"
                for less in _fewer(system, enough):
                    if is_broken(system, number, less, engine):
                        yield f"{less} are enough"
    except NotFinite:
        return  # there may be no instance with finitely many states


def _with_small_parameters(
    system: OpenSystem, number: int, numbers: Thresholds, engine: Engine, most: int
) -> Iterator[str]:
    """Yield the same for the parameters that were found and those before them, or for all small ones."""
    if numbers.about != "safety":
        return
    found = tuple(numbers.parameters.values())
    least = [most if value is None else min(value, most) for value in found]
    for values in product(*(range(value + 1) for value in least)):
        parameters = dict(zip(system.parameters, values, strict=True))
        try:
            here = given(system, parameters)
        except NoSuchParameters:
            continue
        broken = any(is_broken(here, number, few, engine) for few in populations(here, most))
        if broken and (not numbers.reached or values < found):
            yield f"{parameters} are enough"
    if numbers.reached:
        here = given(system, {name: value or 0 for name, value in numbers.parameters.items()})
        if not is_broken(here, number, numbers.populations[0], engine):
            yield f"{dict(numbers.parameters)} are not enough"


def _fewer(system: OpenSystem, population: Population) -> Iterator[dict[str, int]]:
    for part in system.templates:
        if population.get(part.name, 0) > part.low:
            yield dict(population) | {part.name: population[part.name] - 1}
