"""Mistakes that could be made where satisfiability decides: each is planted, and the comparisons find it."""

from collections.abc import Callable, Generator
from contextlib import ExitStack
from typing import Any, TypeAlias
from unittest.mock import patch

import pytest

from gnomon.checking import path_machine, path_question
from gnomon.checking.circuit_work import CircuitWork
from gnomon.checking.linear_paths import LinearPaths
from gnomon.engines.sat import circuits, machine, watched
from gnomon.engines.sat.bounded import BoundedSearch, FoundRun
from gnomon.engines.sat.clauses import Slices
from gnomon.engines.sat.induction import Induction
from gnomon.engines.sat.lifting import Lifting
from gnomon.engines.sat.reachability import Cube, Reachability, _First
from gnomon.engines.sat.watched import Promises
from tests.contract.test_sat import compare_formulae, compare_lifting, compare_methods

#: What to plant: a class or module, a name in it, and what stands there instead.
Mutant: TypeAlias = list[tuple[Any, str, Any]]
#: So many slices are enough for all that is right.
_MOST = 4_000


class TooLong(Exception):
    """A search does not come to its end."""


def of_formulae(seed: int) -> None:
    left = iter(range(_MOST))

    def limit(self: CircuitWork, phase: str, amount: int) -> None:
        del self, phase, amount
        if next(left, None) is None:
            raise TooLong

    with patch.object(CircuitWork, "limit", limit):
        compare_formulae(seed)


def of_methods(seed: int) -> None:
    compare_methods(seed)


def of_lifting(seed: int) -> None:
    compare_lifting(seed)


# What goes wrong


def loop_one_late() -> Mutant:
    take = BoundedSearch._take

    def late(self: BoundedSearch, loop: int | None) -> None:
        take(self, loop)
        if loop is not None and self.found is not None:
            self.found = FoundRun(self.found.moments, min(loop + 1, self.bound - 1))

    return [(BoundedSearch, "_take", late)]


def met_before_the_loop() -> Mutant:
    """What has to be met again and again is met before the loop."""
    step = BoundedSearch._step

    def anywhere(self: BoundedSearch) -> None:
        before = [*self._met] if self._just is not None else []
        step(self)
        if self._just is not None:
            moment = self._run.moments[-2]
            self._met = [
                self._gates.either(self._gates.either(met, new), moment.literal(just))
                for met, new, just in zip(before, self._met, self._just, strict=True)
            ]

    return [(BoundedSearch, "_step", anywhere)]


def no_fairness() -> Mutant:
    return [(CircuitWork, "just", ())]


def until_put_off_for_ever() -> Mutant:
    return [(path_machine, "_may_wait", lambda _: False)]


def promises_at_the_end() -> Mutant:
    """What was promised for the time after the end counts as kept."""

    def kept(self: Promises) -> int:
        graph, found = self.machine.graph, self.machine.graph.true
        ends = {bit.next: graph.true for bit in self._bits.values()}
        for _, each in self._kept:
            found = graph.both(found, graph.substitute(each, ends))
        return found

    return [(Promises, "all_kept", kept)]


def no_promise_at_first() -> Mutant:
    begin = Promises.begin

    def without(self: Promises, what: object) -> None:
        initial = self.machine.initial
        begin(self, what)
        self.machine.initial = initial

    return [(Promises, "begin", without)]


def starts_anywhere() -> Mutant:
    """Blocked cubes may hold an initial state."""

    def never(self: _First, cube: Cube) -> Slices:
        del self, cube
        yield from ()
        return False

    return [(_First, "meets", never)]


def lifted_too_far() -> Mutant:
    of_step = Lifting.of_step

    def further(self: Lifting, values: dict[int, bool], cube: Cube) -> Generator[None, None, Cube]:
        found = yield from of_step(self, values, cube)
        return frozenset(sorted(found, key=abs)[1:])

    return [(Lifting, "of_step", further)]


def always_able() -> Mutant:
    return [(machine.SystemMachine, "_able", lambda *_: 1)]


def bad_states_have_steps() -> Mutant:
    solving = Reachability._solving

    def moving(self: Reachability, assumed: list[int]) -> Slices:
        return (yield from solving(self, [self._moves, *assumed]))

    return [(Reachability, "_solving", moving)]


def induction_without_base() -> Mutant:
    def prove(self: Induction) -> Slices:
        run = self._run
        while self.depth < 3:
            self.depth += 1
            run.gates.require(run.last.literal(self._machine.valid))
            run.gates.require(-run.last.literal(self._bad))
            run.step()
            if (yield from self._inductive()):
                return True
        return False

    return [(Induction, "prove", prove)]


def codes_without_values() -> Mutant:
    """Bits may say what stands for no value."""
    return [(circuits._OnCircuits, "valid", lambda self: self.diagrams.true)]


def exclusive_if_not_known() -> Mutant:
    return [(circuits._OnCircuits, "_exclusive", lambda *_: True)]


def events_change_all() -> Mutant:
    """Variables of those who take no part in an event may change."""
    return [(circuits.InterleavedCircuits, "stay", lambda self, _: self.diagrams.true)]


def copies_may_be_anything() -> Mutant:
    """A state that is guessed to come again is not remembered."""

    def going_round(start: machine.Machine, just: Any) -> tuple[machine.Machine, int]:
        with (
            patch.object(machine.Machine, "assign", lambda self, bit, _: self.assign_nothing(bit)),
            patch.object(machine.Machine, "assign_nothing", lambda *_: None, create=True),
        ):
            return watched.going_round(start, just)

    return [(path_question, "going_round", going_round)]


def endless_paths_only() -> Mutant:
    """In CTL, too, only what goes on for ever counts."""
    init = path_question.PathQuestion.__init__

    def always(self: Any, start: Any, found: Any, just: Any = (), *, endless: bool) -> None:
        del endless
        init(self, start, found, just, endless=True)

    return [(path_question.PathQuestion, "__init__", always)]


def quantifiers_merged_everywhere() -> Mutant:
    merged = LinearPaths._merged

    def free(self: LinearPaths, path: Any, *, free: bool) -> Any:
        del free
        return merged(self, path, free=True)

    return [(LinearPaths, "_merged", free)]


MUTANTS: dict[Callable[[], Mutant], Callable[[int], None]] = {
    loop_one_late: of_formulae,
    met_before_the_loop: of_formulae,
    no_fairness: of_formulae,
    until_put_off_for_ever: of_formulae,
    promises_at_the_end: of_formulae,
    no_promise_at_first: of_formulae,
    starts_anywhere: of_methods,
    lifted_too_far: of_lifting,
    always_able: of_lifting,
    bad_states_have_steps: of_methods,
    induction_without_base: of_methods,
    codes_without_values: of_methods,
    exclusive_if_not_known: of_methods,
    events_change_all: of_methods,
    copies_may_be_anything: of_formulae,
    endless_paths_only: of_formulae,
    quantifiers_merged_everywhere: of_formulae,
}
#: So many systems are enough for each.
_SEEDS = 300


def found_by(compare: Callable[[int], None]) -> bool:
    """Return whether a comparison finds a mistake, whichever way that is."""
    for seed in range(_SEEDS):
        try:
            compare(seed)
        except Exception:  # noqa: BLE001 - a run that is none, evidence that is refused, a wrong verdict
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
        of_methods(seed)
        of_lifting(seed)
