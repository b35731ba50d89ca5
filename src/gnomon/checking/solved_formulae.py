"""The formulae of one system that are decided by satisfiability, each with what supports its verdict."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gnomon.certificate.plain import plain_value
from gnomon.certificate.replay import replay
from gnomon.checking.circuit_work import MOST_STARTS, CircuitWork, NotSolvable
from gnomon.checking.decider import Decision
from gnomon.checking.linear_paths import NotLinear, check_knowledge
from gnomon.checking.momentary import KnowledgeFormula
from gnomon.checking.path_evidence import PathEvidence, without_path
from gnomon.checking.path_question import PathAnswer, PathQuestion
from gnomon.checking.refined_question import RefinedQuestion
from gnomon.checking.refusals import NO_FAIR_START
from gnomon.checking.verdict import Value
from gnomon.checking.view_knowledge import ViewKnowledge
from gnomon.engines.sat.reachability import Cube
from gnomon.logic.explainer import leaf, say
from gnomon.logic.path import Path
from gnomon.logic.run_steps import run_through
from gnomon.model.evidence import Branch, Evidence, Explanation, Run, Step
from gnomon.model.formula import And, Formula, show_formula, walk
from gnomon.model.step import State
from gnomon.model.system import Logic, Specification
from gnomon.text.record import replace


class SolvedFormulae:
    """All formulae that are asked of one system, by their numbers, and the work that they share."""

    def __init__(self, work: CircuitWork) -> None:
        """Know of none yet."""
        self.work = work
        self._formulae: dict[int, SolvedFormula] = {}
        self._alike: dict[bool, ViewKnowledge] = {}

    def of(self, number: int, formula: Specification) -> "SolvedFormula":
        """Return what is known of a formula."""
        found = self._formulae.get(number)
        if found is None:
            alike = self._look_alikes(endless=formula.logic != "CTL")
            found = SolvedFormula(alike, formula.formula, formula.logic)
            self._formulae[number] = found
        return found

    def _look_alikes(self, *, endless: bool) -> ViewKnowledge:
        if endless not in self._alike:
            self._alike[endless] = ViewKnowledge(self.work, endless=endless)
        return self._alike[endless]

    def known(self, number: int) -> "SolvedFormula | None":
        """Return what is known of a formula if anything is."""
        return self._formulae.get(number)


@dataclass(frozen=True)
class _Ruling:
    """What came of a formula."""

    value: Value
    #: The run that shows it, from an initial state; or a state without one, and a fair path from there.
    run: tuple[list[State], int | None] | None = None
    state: State | None = None
    vacuous: str = ""
    #: The part of a conjunction that decides it.
    part: "SolvedFormula | None" = None


class SolvedFormula:
    """One formula: true where all initial states that count satisfy it."""

    def __init__(self, alike: ViewKnowledge, formula: Formula, logic: Logic) -> None:
        """Decide nothing yet."""
        self.alike = alike
        self._work = alike.work
        self.formula = formula
        self.logic = logic
        self.fair = alike.fair
        self._paths = alike.paths(formula)
        self.endless = self._paths.endless
        self._knowing = any(isinstance(part, KnowledgeFormula) for part in walk(formula))
        self._parts: list[SolvedFormula] = []
        self._questions: dict[State | None, PathQuestion | RefinedQuestion] = {}
        self._outcome: _Ruling | None = None

    def decision(self, *, evidence: bool) -> Decision:
        """Return what was decided; raises `NotSolvable` where it cannot be asked of single paths."""
        outcome = self.outcome()
        shown = self.evidence() if evidence else None
        return Decision(outcome.value, evidence=shown, vacuous=outcome.vacuous)

    def outcome(self) -> _Ruling:
        """Decide, once."""
        if self._outcome is None:
            self._outcome = self._decide()
        return self._outcome

    def _decide(self) -> _Ruling:
        try:
            return self._never(self._some_path(wanted=False))
        except NotLinear:
            pass
        try:
            return self._everywhere(self._some_path(wanted=True))
        except NotLinear as refused:
            if isinstance(self.formula, And):
                return self._all(self.formula)
            msg = f"satisfiability decides what can be asked of one path, and `{refused}` cannot"
            raise NotSolvable(msg) from None

    def _some_path(self, *, wanted: bool) -> Path:
        found = self._paths.some(self.formula, wanted=wanted)
        if self._knowing:
            check_knowledge(self.formula, endless=self.logic != "CTL", fair=self.fair)
        return found

    def _all(self, formula: And) -> _Ruling:
        """Decide each operand by itself."""
        if not self._parts:
            self._parts = [
                SolvedFormula(self.alike, operand, self.logic) for operand in formula.operands
            ]
        refused: NotSolvable | None = None
        for part in self._parts:
            try:
                found = part.outcome()
            except NotSolvable as why:
                refused = why
                continue
            if found.value is Value.FALSE:
                return _Ruling(Value.FALSE, part=part)
            if found.vacuous:
                return _Ruling(Value.TRUE, vacuous=found.vacuous)
        if refused is not None:
            raise refused
        return _Ruling(Value.TRUE)

    def _ask(self, path: Path, state: State | None) -> PathAnswer:
        if state not in self._questions:
            self._questions[state] = self._question(path, state)
        return self._questions[state].ask(self._work.limit)

    def _question(self, path: Path, state: State | None) -> PathQuestion | RefinedQuestion:
        if self._knowing:
            return RefinedQuestion(self.alike, path, state, endless=self.endless)
        return self._work.question(path, state, endless=self.endless)

    def _never(self, path: Path) -> _Ruling:
        """Decide whether no initial state has a path on which the formula fails."""
        work = self._work
        answer = self._ask(path, None)
        if answer.run is not None:
            return _Ruling(Value.FALSE, work.run_of(answer))
        if self.fair and work.fair_path(None).run is None:
            return _Ruling(Value.TRUE, vacuous=NO_FAIR_START)
        return _Ruling(Value.TRUE)

    def _everywhere(self, path: Path) -> _Ruling:
        """Decide whether each initial state that counts has a path on which the formula holds."""
        work = self._work
        starts = work.initial
        if starts is None:
            msg = f"there are more than {MOST_STARTS} initial states to be taken one by one"
            raise NotSolvable(msg)
        shown = None
        for state in starts:
            answer = self._ask(path, state)
            if answer.run is not None:
                shown = shown or work.run_of(answer)
            elif not self.fair:
                return _Ruling(Value.FALSE, state=state)
            else:
                fair = work.fair_path(state)
                if fair.run is not None:
                    return _Ruling(Value.FALSE, work.run_of(fair), state=state)
        return _Ruling(Value.TRUE, shown, vacuous="" if shown else NO_FAIR_START)

    # What supports it

    def evidence(self) -> Evidence | None:
        """Return what supports the verdict, replayed; None where nothing can be shown."""
        outcome = self.outcome()
        if outcome.part is not None:
            return self._of_part(outcome.part)
        found = self._shown(outcome)
        if found is None:
            return None
        constraints = tuple(self._constraint(each.formula) for each in self._work.system.fairness)
        endless = bool(constraints) or self.logic != "CTL"
        evidence, truth = found
        replay(self._work.system, evidence, truth, constraints, endless=endless)
        return evidence

    def _shown(self, outcome: _Ruling) -> tuple[Evidence, Callable[[Formula, State], bool]] | None:
        holds = outcome.value is Value.TRUE
        if outcome.state is not None:
            return self._pathless(outcome.state, outcome.run)
        if outcome.run is None:
            return None
        states, loop = outcome.run
        shown = PathEvidence(self.alike, self._paths, states, loop)
        return shown.evidence(self.formula, value=holds, fair=self.fair), shown.truth

    def _pathless(
        self, state: State, fair: tuple[list[State], int | None] | None
    ) -> tuple[Evidence, Callable[[Formula, State], bool]]:
        """Return what shows that a formula is false in a state where no path makes it true."""
        counts = None if fair is None else run_through(self._work.system, *fair)
        here = PathEvidence(self.alike, self._paths, [state], None)
        settled = self.alike.settled
        if settled(self.formula, state) is False:
            why = here.explain(self.formula, 0, value=False)
            known = {}
        else:
            text = f"{say(self.formula)} is false: no path from here makes it true"
            known = without_path(settled, self.formula, state)
            why = leaf(self.formula, state, False, text)
            why = replace(why, branches=here.knowledge(known))
        if why.run is None:
            why = replace(why, run=Run((Step(state),)), onward=counts)

        def told(part: Formula, there: State) -> bool:
            if part in known and there == state:
                return known[part]
            return here.truth(part, there)

        return Evidence("counterexample", why, counts=counts), told

    def _of_part(self, part: "SolvedFormula") -> Evidence | None:
        found = part.evidence()
        if found is None or found.explanation is None:
            return None
        inner = found.explanation
        why = Explanation(
            show_formula(self.formula),
            value=False,
            text=f"{say(self.formula)} is false, because",
            branches=(Branch(0, inner),),
            about=self.formula,
            state=inner.state,
        )
        assert inner.state is not None
        why = replace(why, run=Run((Step(inner.state),)), onward=found.counts)
        return replace(found, explanation=why)

    def _constraint(self, formula: Formula) -> Callable[[State], bool]:
        system = self._work.system
        return lambda state: plain_value(system, formula, state) is True

    @property
    def questions(self) -> Iterator[PathQuestion | RefinedQuestion]:
        """The questions that were asked."""
        yield from self._questions.values()
        for part in self._parts:
            yield from part.questions

    def clauses(self) -> tuple[Cube, ...] | None:
        """Return an invariant that shows that no bad state is reached, if that is what was asked.

        Where it matters what agents know, that holds together with what is known of all reachable states.
        """
        questions = list(self._questions.values())
        if len(questions) != 1:
            return None
        while self.alike.unlearned:
            self.alike.learn(self.alike.unlearned[0].clauses(self._work.limit))
            self.alike.unlearned.pop(0)
        return questions[0].clauses(self._work.limit)

    def story(self) -> str:
        """Return how it was decided, or how far that has come."""
        return "; ".join(dict.fromkeys(each.story() for each in self.questions))
