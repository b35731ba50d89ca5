"""One proof by conditions: an invariant, labels, and the verdict that follows from them."""

from typing import Final

from gnomon.certificate.deductive.assertions import (
    Assertion,
    condition_of,
    every,
    of_the_model,
    some,
)
from gnomon.certificate.deductive.profile import StrategyProfile
from gnomon.certificate.deductive.proof_labels import ConstraintSides, ProofLabels
from gnomon.certificate.deductive.reaching import check_reached
from gnomon.certificate.deductive.script import Script
from gnomon.certificate.deductive.steps import SymbolicSteps
from gnomon.certificate.deductive.temporal_rules import Setting
from gnomon.certificate.deductive.written_conditions import WrittenConditions
from gnomon.certificate.rejection import Rejected, TooMuch, require
from gnomon.certificate.shape import items, member, row
from gnomon.certificate.solvers import SOLVERS, Undecided
from gnomon.model.budget import Budget
from gnomon.model.domain import contains
from gnomon.model.fragment import coalition_members
from gnomon.model.scheduled import scheduled
from gnomon.model.step import State, holds
from gnomon.model.system import Specification, System

#: The reading in which a formula is true if it is in the system that some profile leaves.
MODEL: Final = "uniform-model"
#: The most seconds that one proof may take.
_MOST_SECONDS: Final = 600.0


def check_conditions(
    system: System,
    asked: Specification,
    data: object,
    budget: Budget,
    *,
    value: bool,
    reading: str = "perfect",
    solvers: tuple[str, ...] = SOLVERS,
) -> str:
    """Return the solver that accepted a proof; raises `Rejected` where there is an error in it.

    The first that can decide all obligations has the last word: each is enough. `reading` says what
    coalitions choose from.
    """
    profile = None
    if reading == MODEL:
        require(value, "there is no rule for what no profile makes true")
        profile = StrategyProfile(system, member(data, "profile"))
        system, reading = profile.pruned(), "perfect"
    if system.interleaved:
        # Time and knowledge are those of what is scheduled, and members choose among their actions.
        read = (asked, *system.fairness)
        choosing = coalition_members(each.formula for each in read)
        both = profile is not None and choosing
        require(not both, "a profile leaves no rules for who chooses an event")
        # To wait is no step that observers could see: for them it is not said what it means.
        watched = any(agent.observer for agent in system.agents)
        require(not (choosing and watched), "members may wait, and fairness is about what is done")
        system = scheduled(system, choosing)
    own = Budget(_MOST_SECONDS, within=budget)
    for name in solvers:
        try:
            proof = _ConditionsProof(system, data, Script(system, name, own), reading=reading)
            proof.check(asked, profile, value=value)
        except (Undecided, ImportError):
            continue
        return name
    raise TooMuch("no solver could decide an obligation")


class _ConditionsProof:
    def __init__(self, system: System, data: object, script: Script, *, reading: str) -> None:
        self._reading = reading
        self._system = system
        self._data = data
        self._script = script
        self._steps = SymbolicSteps(script)
        self._assertions = WrittenConditions(system, data)
        said = member(data, "invariant")
        parts = items(said) if isinstance(said, list) else [said]
        #: Conditions that hold together; each is shown to hold after a step if all held before.
        self._parts = [condition_of(self._assertions, self._assertions.ref(each)) for each in parts]
        self._invariant = every(self._parts)

    def check(self, asked: Specification, profile: StrategyProfile | None, *, value: bool) -> None:
        """Fail where the verdict does not follow; if there is a profile, of the system that it leaves."""
        self._check_invariant()
        if profile is not None:
            profile.check(self._steps, self._invariant)
        setting = Setting(self._system, self._steps, self._assertions, self._invariant)
        assert isinstance(self._data, dict)
        setting = setting._replace(reached=check_reached(setting, self._data.get("reached")))
        endless = asked.logic != "CTL"
        labels = ProofLabels(
            setting,
            member(self._data, "labels"),
            self._constraints(setting),
            reading=self._reading,
            endless=endless,
        )
        shown = labels.side(asked.formula, holds=value)
        if value:
            now = self._steps.step({}).now
            starts = of_the_model(self._system, self._system.initial)
            self._script.prove(
                [starts.text(now), self._invariant.text(now)],
                some((shown, labels.left_out)).text(now),
                "it is not shown of every initial state",
            )
        else:
            # Where only some paths count, so do the states where one starts.
            self._fails_in(self._start(), every((shown, labels.counting)))
        self._script.finish()

    def _constraints(self, setting: Setting) -> tuple[ConstraintSides, ...]:
        """Return the constraints of fairness, each read without fairness, with labels of its own."""
        listed = self._data.get("constraints") if isinstance(self._data, dict) else None
        constraints = self._system.fairness
        told = [[] for _ in constraints] if listed is None else row(listed, len(constraints))
        found = []
        for each, data in zip(constraints, told, strict=True):
            labels = ProofLabels(setting, data, reading="perfect", endless=each.logic != "CTL")
            sides = (labels.side(each.formula, holds=holds) for holds in (True, False))
            found.append(ConstraintSides(*sides))
        return tuple(found)

    def _check_invariant(self) -> None:
        """Have it proved that the invariant holds at first, and after every step if it did before."""
        now = self._steps.step({}).now
        starts = of_the_model(self._system, self._system.initial)
        self._script.prove(
            [starts.text(now)], self._invariant.text(now), "the invariant fails at first"
        )
        for part in self._parts:
            self._check_steps(part)

    def _check_steps(self, part: Assertion) -> None:
        for step, known in self._steps.cases(part.reads):
            given = [self._invariant.text(step.now), known, step.known(part.reads)]
            after = part.text(step.after(part.reads))
            what = "the invariant fails after a step"
            self._script.prove(given, after, what, step.everything)

    def _start(self) -> State:
        values = items(member(self._data, "state"))
        variables = self._system.variables
        require(len(values) == len(variables), "not a value for each variable")
        for variable, found in zip(variables, values, strict=True):
            require(contains(variable.domain, found), "a variable has no such value")
        return tuple(values)  # type: ignore[arg-type]

    def _fails_in(self, state: State, shown: Assertion) -> None:
        if not holds(self._system.initial, self._system, state):
            raise Rejected("not an initial state")
        require(shown.value(state), "it is not shown to fail in that state")
