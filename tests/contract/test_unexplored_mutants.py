"""The oracle sees through plausible mistakes of deciding without exploring: each is planted and found."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, TypeAlias
from unittest.mock import patch

import pytest

from gnomon.checking import unexplored as deciding
from gnomon.checking.unexplored import DecidingUnexplored
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.diagrams.relation import TransitionRelation
from gnomon.engines.diagrams.substitution import NextFunctions
from gnomon.engines.diagrams.value_codes import balanced
from gnomon.engines.diagrams.with_oxidd import OxiddDiagrams
from gnomon.logic.at_start import SatisfactionAtStart
from gnomon.logic.satisfaction import Satisfaction
from tests.unexplored import formulae, sets, steps, verdicts

#: What to plant: a class or module, a name in it, and what stands there instead.
Mutant: TypeAlias = list[tuple[Any, str, Any]]


def overflows_have_results() -> Mutant:
    """Moves out of a range lead to where their bits happen to be."""
    plain = NextFunctions._functions

    def free(self: NextFunctions, part: Any, bits: Any) -> Any:
        found = plain(self, part, bits)
        return found and (found[0], self._diagrams.true)

    return [(NextFunctions, "_functions", free)]


def overflows_stay() -> Mutant:
    """Moves out of a range change nothing."""
    plain = NextFunctions._functions

    def staying(self: NextFunctions, part: Any, bits: Any) -> Any:
        found = plain(self, part, bits)
        if found is None:
            return None
        d, (values, somewhere) = self._diagrams, found
        stay = {now: d.choose(somewhere, each, d.variable(now)) for now, each in values.items()}
        return stay, d.true

    return [(NextFunctions, "_functions", staying)]


def nothing_stays() -> Mutant:
    """What no line assigns has no next value."""

    def touched(self: TransitionRelation, variable: Any, lines: Any) -> Diagram:
        d = self.diagrams
        cases = [
            d.both(guard, self._becomes(variable, item.value))
            for line, guard in lines
            for item in line.assignments
            if item.variable == variable.name
        ]
        return balanced(d.either, cases, d.false)

    return [(TransitionRelation, "_next_of", touched)]


def choices_stay() -> Mutant:
    """Variables with a choice keep their values."""
    plain = OxiddDiagrams.substitution

    def fixed(self: OxiddDiagrams, functions: Any) -> Any:
        wanted = {now: each for now, each in functions.items() if each != self.variable(now + 1)}
        return plain(self, wanted)

    return [(OxiddDiagrams, "substitution", fixed)]


def some_choice_will_do() -> Mutant:
    """Where a line leaves a choice, bits are true that can be."""

    def any_of_them(self: NextFunctions, part: Any, bits: Any) -> Any:
        d = self._diagrams
        following = d.cube(after for _, after in bits)
        values = {
            now: d.exists(d.both(part.diagram, d.variable(after)), following) for now, after in bits
        }
        return (values, d.exists(part.diagram, following)) if bits else None

    return [(NextFunctions, "_functions", any_of_them)]


def actions_gone_too_early() -> Mutant:
    """Whether somebody may act is asked before it is known what they do."""
    plain = NextFunctions.__init__

    def hasty(self: NextFunctions, relation: Any) -> None:
        plain(self, relation)
        self._actors = frozenset()

    return [(NextFunctions, "__init__", hasty)]


def only_what_is_more() -> Mutant:
    """Sets that have shrunk are taken for those from before."""

    def growing(self: NextFunctions, states: Diagram) -> Diagram:
        d = self._diagrams
        for other, result in reversed(self._known.items()):
            return d.either(result, self._direct(d.minus(states, other)))
        return self._direct(states)

    return [(NextFunctions, "_by_difference", growing)]


def dead_ends_move() -> Mutant:
    """Nobody asks whether anybody may act."""
    plain = NextFunctions.__init__

    def lively(self: NextFunctions, relation: Any) -> None:
        plain(self, relation)
        self.rest = [part for part in self.rest if part.assigned]

    return [(NextFunctions, "__init__", lively)]


def everywhere() -> Mutant:
    """What always holds has to hold in states that are never reached."""
    return [(SatisfactionAtStart, "holds", Satisfaction.holds)]


def mishaps_anywhere() -> Mutant:
    """A value that leaves its range is told of wherever that is."""

    def picked(self: DecidingUnexplored, check: str) -> Any:
        algebra = self.truth.algebra
        found = algebra.overflows if check == "overflow" else algebra.deadlocks
        return None if algebra.is_empty(found) else [algebra.pick(found)]

    return [(DecidingUnexplored, "_run_to", picked)]


def knowledge_of_everything() -> Mutant:
    """What agents know is asked of all states there might be."""
    return [(deciding, "speaks_of_steps", lambda _: True)]


MUTANTS: dict[Callable[[], Mutant], Callable[[int], None]] = {
    overflows_have_results: sets,
    overflows_stay: formulae,
    nothing_stays: steps,
    choices_stay: formulae,
    some_choice_will_do: formulae,
    actions_gone_too_early: formulae,
    only_what_is_more: sets,
    dead_ends_move: formulae,
    everywhere: formulae,
    mishaps_anywhere: verdicts,
    knowledge_of_everything: verdicts,
}
#: So many systems are enough for each.
_SEEDS = 300


def found_by(compare: Callable[[int], None]) -> bool:
    """Return whether a comparison finds a mistake, whichever way that is."""
    for seed in range(_SEEDS):
        try:
            compare(seed)
        except Exception:  # noqa: BLE001 - a wrong set, a run that is none, evidence that is refused
            return True
    return False


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: each.__name__)
def test_a_mistake_is_found(mutant: Callable[[], Mutant]) -> None:
    with ExitStack() as planted:
        for place, name, instead in mutant():
            planted.enter_context(patch.object(place, name, instead))
        assert found_by(MUTANTS[mutant])


def test_without_a_mistake_nothing_is_found() -> None:
    for seed in range(20):
        formulae(seed)
        steps(seed)
        sets(seed)
        verdicts(seed)
