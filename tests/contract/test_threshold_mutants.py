"""The oracle sees through plausible mistakes about parameters: each is planted, and found out."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from gnomon.certificate.parameterised.thresholds import impossible
from gnomon.certificate.parameterised.thresholds.places import CountedPlaces
from gnomon.certificate.rejection import Rejected
from gnomon.engines.parameterised.thresholds import automaton, counted, plans, schema
from gnomon.engines.parameterised.thresholds.automaton import ThresholdAutomaton
from gnomon.engines.parameterised.thresholds.counted import AgentRule
from gnomon.engines.parameterised.thresholds.schema import Schema
from gnomon.engines.solvers import whole_numbers
from gnomon.engines.solvers.whole_numbers import ALWAYS, AtLeast
from gnomon.text.record import replace
from tests.contract.test_thresholds import check_certified, compare
from tests.populations import read
from tests.threshold_programs import threshold_program

Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]


def trusts_guards(patch: pytest.MonkeyPatch) -> None:
    """Take all guards for ones that stay true."""
    patch.setattr(ThresholdAutomaton, "_check_guards", lambda _: None)


def one_segment_too_few(patch: pytest.MonkeyPatch) -> None:
    found = schema.opening
    patch.setattr(schema, "opening", lambda one: found(one)[1:])


def one_segment(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(schema, "opening", lambda _: ())


def no_waiting(patch: pytest.MonkeyPatch) -> None:
    """Forget actions that change nothing."""
    found = ThresholdAutomaton._rules

    def rules(self: ThresholdAutomaton) -> Any:
        return (rule for rule in found(self) if not rule.stays)

    patch.setattr(ThresholdAutomaton, "_rules", rules)


def rounds_wrongly(patch: pytest.MonkeyPatch) -> None:
    """Take the opposite of `>= 0` to be `<= 0`."""
    found = whole_numbers.opposite

    def opposite(condition: Any) -> Any:
        if isinstance(condition, AtLeast):
            return replace(found(condition), constant=-condition.constant)
        return found(condition)

    for module in (whole_numbers, counted, schema):
        patch.setattr(module, "opposite", opposite)


def guards_where_segments_end(patch: pytest.MonkeyPatch) -> None:
    """Ask guards of nobody: what is taken need not be allowed."""
    found = Schema._at

    def at(self: Schema, condition: Any, where: Any) -> Any:
        guards = {rule.guard for rule in self.automaton.rules}
        return (
            ALWAYS if condition in guards and condition != ALWAYS else found(self, condition, where)
        )

    patch.setattr(Schema, "_at", at)


def counts_itself(patch: pytest.MonkeyPatch) -> None:
    """Take `j != self` to say nothing."""
    found = counted._known

    patch.setattr(counted, "_known", lambda place, **_: found(place))


def forgets_promises(patch: pytest.MonkeyPatch) -> None:
    found = Schema._resting

    def resting(self: Schema) -> Any:
        kept = self.automaton.system
        self.automaton.system = changed(kept, promise="none")
        try:
            return found(self)
        finally:
            self.automaton.system = kept

    patch.setattr(Schema, "_resting", resting)


def changed(system: Any, **fields: Any) -> Any:
    from dataclasses import replace as with_fields

    return with_fields(system, **fields)


def forgets_fairness(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ThresholdAutomaton, "fair", lambda *_: ALWAYS)


def never_ends(patch: pytest.MonkeyPatch) -> None:
    """Let runs stop anywhere."""
    patch.setattr(Schema, "_resting", lambda _: ())


def always_is_at_first(patch: pytest.MonkeyPatch) -> None:
    """Look at what holds always where it begins, even if it may become false."""
    patch.setattr(schema, "never_falls", lambda *_: True)


def backwards(patch: pytest.MonkeyPatch) -> None:
    """Take the rules of a segment in the opposite order, as if it made no difference."""
    found = ThresholdAutomaton._ranks

    def ranks(self: ThresholdAutomaton, rules: list[AgentRule]) -> Any:
        return {place: -rank for place, rank in found(self, rules).items()}

    patch.setattr(ThresholdAutomaton, "_ranks", ranks)


def sometimes_is_in_the_end(patch: pytest.MonkeyPatch) -> None:
    """Take what is to hold at some moment to hold where the run starts."""
    found = plans._in_order

    def in_order(asking: Any) -> Any:
        for stages in found(asking):
            yield (plans.PlanStage(tuple(c for stage in stages for c in stage.now)), *stages[1:])

    patch.setattr(plans, "_in_order", in_order)


#: Each with where to look for it: among wild programs or tame ones, and from which one on.
MUTANTS: dict[Plant, tuple[bool, int]] = {
    trusts_guards: (True, 290),
    one_segment_too_few: (False, 0),
    one_segment: (False, 0),
    no_waiting: (False, 40),
    rounds_wrongly: (False, 0),
    guards_where_segments_end: (False, 0),
    counts_itself: (False, 100),
    forgets_promises: (False, 220),
    forgets_fairness: (False, 30),
    never_ends: (False, 0),
    always_is_at_first: (False, 10),
    backwards: (False, 20),
    sometimes_is_in_the_end: (False, 0),
}
#: So many programs are tried at most.
MOST = 600


def found_by(plant: Plant) -> int | None:
    """Return the first program of which something wrong is said."""
    wild, first = MUTANTS[plant]
    for seed in range(first, first + MOST):
        try:
            compare(seed, wild=wild, certified=False)
        except (AssertionError, Rejected, KeyError, IndexError):
            return seed
    return None


@pytest.mark.slow
@pytest.mark.parametrize("plant", MUTANTS, ids=lambda plant: plant.__name__)
def test_a_mistake_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)

    assert found_by(plant) is not None


# The checker


def few_spans(patch: pytest.MonkeyPatch) -> None:
    """Count moves in one span only."""
    found = impossible._Argument._go

    def go(self: Any, dialogue: Any, counts: Any) -> Any:
        kept = self.guards
        self.guards = {}
        try:
            return found(self, dialogue, counts)
        finally:
            self.guards = kept

    patch.setattr(impossible._Argument, "_go", go)


def nobody_waits(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        impossible._Argument,
        "_can",
        lambda self, place, counts, *, staying: (
            "false" if staying else CAN(self, place, counts, staying=False)
        ),
    )


CAN = impossible._Argument._can


def starts_nowhere(patch: pytest.MonkeyPatch) -> None:
    """Leave out one place where agents may start."""
    found = CountedPlaces.starts

    def starts(self: CountedPlaces, template: str, *, own: bool) -> list[int]:
        listed = found(self, template, own=own)
        return listed[:-1] if len(listed) > 1 else listed

    patch.setattr(CountedPlaces, "starts", starts)


def believed(seed: int, *, wild: bool) -> bool:
    """Return whether the checker believes that there is no run although there is one."""
    system = read(threshold_program(seed, wild=wild).text)
    from gnomon.engines.parameterised.thresholds.decide import ThresholdProgram
    from gnomon.model.budget import Budget

    query = system.questions[0].query
    try:
        decision = ThresholdProgram(system, Budget(seconds=20)).decide(query)
    except automaton.OutsideFragment:
        return False
    if not decision.reached:
        return False
    try:
        check_certified(system, query, decision)
    except pytest.fail.Exception:
        return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("plant", [few_spans, nobody_waits, starts_nowhere])
def test_a_mistake_of_the_checker_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)

    assert any(believed(seed, wild=False) for seed in range(MOST))
