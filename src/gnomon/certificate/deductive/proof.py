"""One proof by conditions: an invariant, labels, and the verdict that follows from them."""

from typing import Final

from gnomon.certificate.deductive.assertions import Assertion, condition_of, of_the_model, some
from gnomon.certificate.deductive.proof_labels import ProofLabels
from gnomon.certificate.deductive.script import Script
from gnomon.certificate.deductive.steps import SymbolicSteps
from gnomon.certificate.deductive.temporal_rules import Setting
from gnomon.certificate.deductive.written_conditions import WrittenConditions
from gnomon.certificate.rejection import Rejected, TooMuch, Unproved, require
from gnomon.certificate.shape import items, member
from gnomon.certificate.smt_terms import disj
from gnomon.certificate.solvers import SOLVERS, Undecided
from gnomon.model.budget import Budget
from gnomon.model.domain import contains
from gnomon.model.fragment import has_coalition
from gnomon.model.scheduled import scheduled
from gnomon.model.step import State, holds
from gnomon.model.system import Specification, System

#: The most seconds that one proof may take.
_MOST_SECONDS: Final = 600.0


def check_conditions(
    system: System,
    asked: Specification,
    data: object,
    budget: Budget,
    *,
    value: bool,
    informed: bool = True,
    solvers: tuple[str, ...] = SOLVERS,
) -> str:
    """Return the solver that accepted a proof; raises `Rejected` where there is an error in it.

    The first that can decide all obligations has the last word: each is enough. `informed` says whether
    coalitions see everything.
    """
    if system.interleaved:
        # Of an event at a time there are no rules, but time and knowledge are those of what is scheduled.
        require(not has_coalition(asked.formula), "there are no rules for who chooses an event")
        system = scheduled(system)
    own = Budget(_MOST_SECONDS, within=budget)
    for name in solvers:
        try:
            proof = _ConditionsProof(system, data, Script(system, name, own), informed=informed)
            proof.check(asked, value=value)
        except (Undecided, ImportError):
            continue
        return name
    raise TooMuch("no solver could decide an obligation")


class _ConditionsProof:
    def __init__(self, system: System, data: object, script: Script, *, informed: bool) -> None:
        self._informed = informed
        self._system = system
        self._data = data
        self._script = script
        self._steps = SymbolicSteps(script)
        self._assertions = WrittenConditions(system, data)
        ref = self._assertions.ref(member(data, "invariant"))
        self._invariant = condition_of(self._assertions, ref)

    def check(self, asked: Specification, *, value: bool) -> None:
        """Fail where the verdict does not follow."""
        self._check_invariant()
        setting = Setting(self._system, self._steps, self._assertions, self._invariant)
        endless = asked.logic != "CTL"
        labels = ProofLabels(
            setting, member(self._data, "labels"), informed=self._informed, endless=endless
        )
        shown = labels.side(asked.formula, holds=value)
        if value:
            now = self._steps.step({}).now
            starts = of_the_model(self._system, self._system.initial)
            self._script.prove(
                [starts.text(now), self._invariant.text(now)],
                some((shown, labels.not_counted)).text(now),
                "it is not shown of every initial state",
            )
        else:
            if self._system.fairness:
                raise Unproved("that a fair path starts in a state")
            self._fails_in(self._start(), shown)
        # LTL and CTL* know of endless paths only.
        if endless and (labels.some_path or not value):
            self._never_ends()
        self._script.finish()

    def _check_invariant(self) -> None:
        """Have it proved that the invariant holds at first, and after every step if it did before."""
        now = self._steps.step({}).now
        starts = of_the_model(self._system, self._system.initial)
        self._script.prove(
            [starts.text(now)], self._invariant.text(now), "the invariant fails at first"
        )
        reads = self._invariant.reads
        for step, known in self._steps.cases(reads):
            given = [self._invariant.text(step.now), known, step.known(reads)]
            after = self._invariant.text(step.after(reads))
            what = "the invariant fails after a step"
            self._script.prove(given, after, what, step.everything)

    def _never_ends(self) -> None:
        """Have it proved that every run goes on, so that there are none but those of LTL and CTL*."""
        now = self._steps.step({}).now
        given = self._invariant.text(now)
        anything = self._steps.step({})
        for agent in self._system.agents:
            if agent.actions:
                alive = disj(anything.may(agent, action) for action in agent.actions)
                self._script.prove([given], alive, "a run may end, and those of the formula do not")
        for read in sorted(set().union(*(unit.writes for unit in self._steps.units)), key=str):
            reads = frozenset((read,))
            for step, known in self._steps.cases(reads):
                fits = step.after(reads).fits(read)
                before = [self._invariant.text(step.now), known, step.choices(reads)]
                self._script.prove(before, fits, "a value may leave its range, and a run end there")

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
