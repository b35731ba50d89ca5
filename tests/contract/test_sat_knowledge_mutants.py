"""Mistakes that could be made about knowledge by satisfiability: each is planted, and is found."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any, TypeAlias
from unittest.mock import patch

import pytest

from gnomon.checking import (
    certain_views,
    known_views,
    moment_circuits,
    momentary,
    view_facts,
    view_knowledge,
    view_question,
)
from gnomon.checking.certain_views import CertainViews
from gnomon.checking.circuit_work import CircuitWork
from gnomon.checking.known_views import KnownViews
from gnomon.checking.moment_circuits import MomentCircuits
from gnomon.checking.momentary import Doubt, doubts_of
from gnomon.checking.open_moments import OpenMoments
from gnomon.checking.refined_question import RefinedQuestion
from gnomon.checking.view_facts import ViewFacts
from gnomon.checking.view_question import ViewAnswer, ViewQuestion
from gnomon.engines.sat.and_inverter import FALSE
from gnomon.engines.sat.reachability import Cube
from gnomon.model import formula as f
from gnomon.model.system import System
from tests.contract.test_sat_knowledge import compare_chain, compare_knowledge, compare_proofs

#: What to plant: a class or module, a name in it, and what stands there instead.
Mutant: TypeAlias = list[tuple[Any, str, Any]]
#: So many turns are enough for all that is right.
_MOST = 6_000


class TooLong(Exception):
    """A search does not come to its end."""


def of_formulae(seed: int) -> None:
    left = iter(range(_MOST))

    def limit(self: CircuitWork, phase: str, amount: int) -> None:
        del self, phase, amount
        if next(left, None) is None:
            raise TooLong

    with patch.object(CircuitWork, "limit", limit):
        compare_knowledge(seed)


def of_proofs(seed: int) -> None:
    compare_proofs(seed)


# What goes wrong


def _seeing(change: Callable[[System, tuple[str, ...]], Iterable[tuple[str, str]]]) -> Mutant:
    """Agents see other variables than they do."""

    def seen(system: System, agents: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        return tuple(dict.fromkeys(change(system, agents)))

    places = (momentary, moment_circuits, view_facts, certain_views)
    return [(place, "seen_variables", seen) for place in places]


def hidden_variables_seen() -> Mutant:
    """Agents see all of the environment."""
    true = momentary.seen_variables
    return _seeing(
        lambda system, agents: (
            *true(system, agents),
            *((system.environment.name, each.name) for each in system.environment.variables),
        )
    )


def observed_variables_hidden() -> Mutant:
    """Agents see nothing of the environment."""
    true = momentary.seen_variables
    return _seeing(
        lambda system, agents: (
            each
            for each in true(system, agents)
            if each[0] in agents  # their own ones
        )
    )


def reached_or_not() -> Mutant:
    """States that look the same need not be reached."""
    fresh = RefinedQuestion._fresh

    def anywhere(self: RefinedQuestion) -> Any:
        machine_from = CircuitWork.machine_from

        def free(work: CircuitWork, state: Any) -> Any:
            machine = machine_from(work, state).copied()
            machine.initial = machine.valid
            return machine

        if self._inductively:
            return fresh(self)
        with patch.object(CircuitWork, "machine_from", free):
            return fresh(self)

    return [(RefinedQuestion, "_fresh", anywhere)]


def fair_or_not() -> Mutant:
    """States that look the same need not have a fair path."""

    class Unfair(RefinedQuestion):
        def __init__(self, *given: Any, endless: bool, **more: Any) -> None:
            del endless
            super().__init__(*given, endless=False, **{**more, "fair": False})

    return [(view_question, "RefinedQuestion", Unfair)]


def at_the_same_time_only() -> Mutant:
    """States that look the same are looked for among the first ones of runs, not among all."""
    true = momentary.in_doubt

    def at_once(system: System, doubt: Doubt, seen: Any) -> f.Formula:
        found = true(system, doubt, seen)
        assert isinstance(found, f.Exists)
        assert isinstance(found.path, f.Finally)
        return found.path.body

    return [(view_question, "in_doubt", at_once)]


def within_one_run() -> Mutant:
    """Only what was seen on runs by chance leaves somebody in doubt."""

    def sure(self: ViewQuestion) -> ViewAnswer:
        return ViewAnswer(None, self._view)

    return [(ViewQuestion, "ask", sure)]


def guesses_are_right() -> Mutant:
    """A guess that was refuted by a run to another view counts as proved."""
    ask = ViewQuestion._ask_guess

    def trusting(self: ViewQuestion) -> ViewAnswer | None:
        found = ask(self)
        refuted = found is None and self._guessed is None
        return ViewAnswer(None, self._guess) if refuted else found

    return [(ViewQuestion, "_ask_guess", trusting)]


def cubes_too_large() -> Mutant:
    """An invariant that is learnt excludes more than it says."""
    strengthen = ViewFacts.strengthen

    def more(self: ViewFacts, cubes: tuple[Cube, ...], bits: list[int]) -> None:
        strengthen(self, tuple(frozenset(sorted(each, key=abs)[1:]) for each in cubes), bits)

    return [(ViewFacts, "strengthen", more)]


def one_world_for_all() -> Mutant:
    """What others consider in a state that looks the same is what they consider here."""
    fails = MomentCircuits.fails

    def shared(self: MomentCircuits, doubt: Doubt) -> int:
        of = MomentCircuits._of

        def here(self: MomentCircuits, part: f.Formula, _: Any, *, wanted: bool) -> int:
            return of(self, part, self._here, wanted=wanted)

        with patch.object(MomentCircuits, "_of", here):
            return fails(self, doubt)

    return [(MomentCircuits, "fails", shared)]


def nobody_is_sure() -> Mutant:
    return [(MomentCircuits, "_sure", lambda *_: FALSE)]


def everybody_together() -> Mutant:
    """What everybody knows is what they know together."""

    def together(formula: Any) -> tuple[Doubt, ...] | None:
        if isinstance(formula, f.GroupKnows) and formula.kind == "everybody":
            formula = f.GroupKnows("distributed", formula.group, formula.body)
        return doubts_of(formula)

    places = (known_views, moment_circuits, view_knowledge, certain_views)
    return [(place, "doubts_of", together) for place in places]


def green_or_red() -> Mutant:
    """Obligations hold in red states, too."""

    def green(formula: Any) -> tuple[Doubt, ...] | None:
        if isinstance(formula, f.Obliged):
            return (Doubt((), formula.body),)
        return doubts_of(formula)

    places = (known_views, moment_circuits, view_knowledge)
    return [(place, "doubts_of", green) for place in places]


def nothing_is_open() -> Mutant:
    """What is open counts as it is wanted."""
    return [(OpenMoments, "open_moment", lambda *_: None)]


def all_is_impossible() -> Mutant:
    """Runs on which something is open are given up."""

    def possible(self: OpenMoments, path: Any) -> bool:
        return self._surely.along(path)[0]

    return [(OpenMoments, "is_possible", possible)]


def views_of_others() -> Mutant:
    """Somebody is certain with views that only look alike in part."""
    add = CertainViews._add

    def less(self: CertainViews, doubt: Doubt, values: list[bool]) -> bool:
        found = add(self, doubt, values)
        known = self.views.get(doubt)
        if found and known and known[-1]:
            known[-1] = frozenset(sorted(known[-1])[1:])
        return found

    return [(CertainViews, "_add", less)]


def states_that_are_excluded() -> Mutant:
    """What no invariant excludes counts as excluded."""
    return [(KnownViews, "_is_excluded", lambda *_: True)]


MUTANTS: dict[Callable[[], Mutant], Callable[[int], None]] = {
    hidden_variables_seen: of_formulae,
    observed_variables_hidden: of_formulae,
    reached_or_not: of_formulae,
    fair_or_not: of_formulae,
    at_the_same_time_only: of_formulae,
    within_one_run: of_formulae,
    guesses_are_right: of_formulae,
    cubes_too_large: of_formulae,
    one_world_for_all: compare_chain,
    nobody_is_sure: of_formulae,
    everybody_together: of_formulae,
    green_or_red: of_formulae,
    nothing_is_open: of_formulae,
    all_is_impossible: of_formulae,
    states_that_are_excluded: of_formulae,
    views_of_others: of_proofs,
}
#: So many systems are enough for each.
_SEEDS = 300


def found_by(compare: Callable[[int], None]) -> bool:
    """Return whether a comparison finds a mistake, whichever way that is."""
    for seed in range(_SEEDS):
        try:
            compare(seed)
        except Exception:  # noqa: BLE001 - a wrong verdict, evidence that is refused, a search without end
            return True
    return False


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: each.__name__)
def test_a_mistake_is_found(mutant: Callable[[], Mutant]) -> None:
    compare = MUTANTS[mutant]
    with ExitStack() as planted:
        for place, name, instead in mutant():
            planted.enter_context(patch.object(place, name, instead))
        assert found_by(compare)


def test_without_a_mistake_nothing_is_found() -> None:
    for seed in range(12):
        of_formulae(seed)
        of_proofs(seed)
