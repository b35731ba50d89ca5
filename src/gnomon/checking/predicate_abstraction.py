"""Verdicts by predicate abstraction: what is refused, what is decided, and what is said where it is not."""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Final, TypeVar

from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.cell_explainer import supported
from gnomon.checking.decider import Decision
from gnomon.checking.open_words import open_cycle
from gnomon.checking.refusals import NO_FAIR_START, NO_START
from gnomon.checking.vacuous import told
from gnomon.checking.verdict import Value
from gnomon.engines.abstraction.concretise import pick_cell
from gnomon.engines.abstraction.influence import with_little_shown
from gnomon.engines.abstraction.partition import Origin, Partition, Predicate, first_partition
from gnomon.engines.abstraction.refinement import (
    AbstractionRefinement,
    CellDecision,
    Round,
    smallest_open,
)
from gnomon.engines.abstraction.splitting import Split, splits
from gnomon.engines.abstraction.three_valued import ThreeValued
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.solvers.smt import Context, NotExpressible, Satisfiable
from gnomon.engines.solvers.system_terms import IncrementalSolver
from gnomon.logic.denotation import Reading
from gnomon.logic.vacuity import Vacuity
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.evidence import Evidence
from gnomon.model.expression import Read, show
from gnomon.model.formula import Constant, Enforces, Formula, Globally, show_formula
from gnomon.model.fragment import is_atlk, is_path_formula
from gnomon.model.open_cycle import OpenCycle
from gnomon.model.system import Logic, Specification, System
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source

_MOST_SHOWN = 6
#: What is shown for a verdict is looked for no longer than this, in seconds, and in no more than this share
#: of the time that is left.
_LONGEST: Final = 20.0
_SHARE: Final = 0.5
Found = TypeVar("Found")


class PredicateAbstraction:
    """One model checked by predicate abstraction."""

    def __init__(
        self,
        system: System,
        specifications: tuple[Specification, ...],
        budget: Budget,
        refine: int | None = None,
        given: tuple[Formula, ...] = (),
        strategies: Reading = "perfect",
    ) -> None:
        """Check these formulae; `given` are conditions that the user wants to be told apart."""
        self.system = system
        self._specifications = specifications
        self._formulae = [
            (specification.formula, _origin(number, specification))
            for number, specification in enumerate(specifications, 1)
        ]
        self._formulae += [
            (constraint.formula, Origin("fairness", constraint.line))
            for constraint in system.fairness
        ]
        self._budget = budget
        self._refine = refine
        self._given = given
        self._strategies: Reading = strategies
        self.rounds: list[Round] = []
        self._decided: dict[Formula, CellDecision[CellDenotation]] = {}
        #: What is open if nothing else is asked for.
        self._open: dict[Formula, CellDecision[CellDenotation]] = {}
        #: What the other formulae told apart, where that helped.
        self._helpful: tuple[Predicate, ...] = ()
        #: What was decided last, with the cells that a proof is made of.
        self.latest: CellDecision[CellDenotation] | None = None

    @cached_property
    def partition(self) -> Partition:
        """The cells before any refinement."""
        section = Origin("Predicates")
        given = [(p.condition, Origin(section.text, p.line)) for p in self.system.predicates]
        if self.system.terminal is not None:
            given.append((self.system.terminal, Origin("TerminalStates")))
        typed_in = [(formula, Origin("given by the user")) for formula in self._given]
        found = first_partition(self.system, [*self._formulae, *typed_in], given)
        return with_little_shown(found, [formula for formula, _ in self._formulae])

    @cached_property
    def decider(self) -> AbstractionRefinement[CellDenotation]:
        """The engine."""
        return self._reading("CTL")

    @cached_property
    def _endless(self) -> AbstractionRefinement[CellDenotation]:
        """The engine for logics of endless paths: the same one, where all paths are, or fairness says so."""
        if self.system.fairness or self._always_goes_on():
            return self.decider
        return self._reading("CTL*")

    def _always_goes_on(self) -> bool:
        space = self.decider.space
        return bool(space.lively == space.reachable and space.stuck == space.diagrams.false)

    def _reading(self, logic: Logic) -> AbstractionRefinement[CellDenotation]:
        fairness = self.system.fairness
        return AbstractionRefinement(
            partial(CellDenotation, strategies=self._strategies, fairness=fairness, logic=logic),
            self.partition,
            [formula for formula, _ in self._formulae],
            self._budget,
            self._refine,
            self.rounds.append,
        )

    @property
    def states(self) -> int:
        """How many cells are reachable before any refinement."""
        space = self.decider.space
        return space.count(space.reachable)

    def surely_never_starts(self) -> bool:
        """Return whether no state is initial, where cells or a solver can tell for sure."""
        space = self.decider.space
        if space.initial.may == space.diagrams.false:
            return True
        if space.initial.must != space.diagrams.false and space.inhabited:
            return False
        solver = IncrementalSolver(self.system, Context(), self._budget)
        try:
            return solver.ask([self.system.initial]) is Satisfiable.NO
        except NotExpressible:
            return False

    def decide(
        self,
        specification: Specification,
        *,
        evidence: bool = False,
    ) -> Decision:
        """Return the verdict on a formula, where it is open why, and else what supports it."""
        formula = specification.formula
        started = self._budget.spent()
        decision = self._decided.get(formula) or self._decision(specification)
        self._decided[formula] = decision  # what follows may be interrupted and begin again
        self.latest = decision
        found = self._told(specification, decision, started, evidence=evidence)
        del self._decided[formula]
        return found

    def is_open_after(self, specification: Specification, rounds: int) -> bool:
        """Return whether a formula is open after so many rounds; what they brought is gone on with."""
        formula = specification.formula
        if formula in self._decided or formula in self._open:
            return formula in self._open
        found = self._decider_for(specification).decide_within(formula, rounds)
        if found is not None:
            known = self._open if found.value == "undefined" else self._decided
            known[formula] = found
        return formula not in self._decided

    def _decider_for(self, specification: Specification) -> AbstractionRefinement[CellDenotation]:
        return self.decider if specification.logic == "CTL" else self._endless

    def _decision(self, specification: Specification) -> CellDecision[CellDenotation]:
        """Return what is known of a formula; where it is open alone, what is known if all are asked for.

        What others tell apart may help. So to ask for less decides no less.
        """
        formula = specification.formula
        alone = self._open.get(formula)
        if alone is None:
            alone = self._decider_for(specification).decide(formula)
        if alone.value != "undefined" or self._company is None:
            return alone
        self._open[formula] = alone  # what follows may be interrupted, too
        decided = self._company._decision(specification)  # noqa: SLF001 - one of its own
        del self._open[formula]
        if decided.value == "undefined":
            return alone
        self._helpful = self._company.partition.predicates
        return decided

    @cached_property
    def _company(self) -> "PredicateAbstraction | None":
        """The same with all formulae of the model; None where they tell nothing else apart."""
        asked = {each.formula for each in self._specifications}
        others = [each for each in self.system.specifications if each.formula not in asked]
        if not others:
            return None
        all_of_them = (*self._specifications, *others)
        limits = self._budget, self._refine, self._given, self._strategies
        found = PredicateAbstraction(self.system, all_of_them, *limits)
        found.rounds = self.rounds
        shown = self.partition.hidden - found.partition.hidden
        return (
            found
            if shown or not all(map(self.partition.knows, found.partition.predicates))
            else None
        )

    def _told(
        self,
        specification: Specification,
        decision: CellDecision[CellDenotation],
        started: float,
        *,
        evidence: bool,
    ) -> Decision:
        formula = specification.formula
        if decision.value == "undefined":
            cycle = self._in_time(self._cycle, specification, decision) if evidence else None
            return Decision(Value.UNDEFINED, why_open(decision, formula), cycle=cycle)
        if decision.nowhere:
            return Decision(Value.TRUE, vacuous=self._why_nowhere(decision.truth))
        value, shown = decision.value == "true", None
        if evidence:
            shown = self._in_time(self._supported, specification, decision)
        if self.system.fairness or not is_atlk(formula):  # finite runs show nothing there
            vacuous = self._unfairly_won(decision.truth, formula) if value else ""
            return Decision(Value(decision.value), evidence=shown, vacuous=vacuous)
        seconds = self._budget.spent() - started
        vacuous = self._vacuous(decision.truth, formula, seconds) if value else ""
        return Decision(Value(decision.value), evidence=shown, vacuous=vacuous)

    def _in_time(
        self,
        find: Callable[[Specification, CellDecision[CellDenotation]], Found | None],
        specification: Specification,
        decision: CellDecision[CellDenotation],
    ) -> Found | None:
        """Return what is to be shown, if it is found in a share of the time that is left."""
        budget, given = self._budget, self._budget.seconds
        left = _LONGEST if given is None else max(given - budget.spent(), 0.0) * _SHARE
        budget.seconds = budget.spent() + min(left, _LONGEST)
        try:
            return find(specification, decision)
        except LimitReached:
            return None
        finally:
            budget.seconds = given

    def _supported(
        self, specification: Specification, decision: CellDecision[CellDenotation]
    ) -> Evidence | None:
        return supported(
            decision.truth,
            specification.formula,
            decision.start,
            specification.logic,
            value=decision.value == "true",
        )

    def _cycle(
        self, specification: Specification, decision: CellDecision[CellDenotation]
    ) -> OpenCycle | None:
        """Return a way round that is left, where what is open is about paths."""
        truth = decision.truth
        part = smallest_open(truth, specification.formula)
        helpful = next(iter(splits(truth, part)), None)
        predicate = "" if helpful is None or decision.endless else str(helpful.predicate)
        return open_cycle(truth, part, specification.logic, decision.open, predicate)

    def _unfairly_won(self, truth: CellDenotation, formula: Formula) -> str:
        """Return that a coalition wins since it can make all outcomes unfair, where that is so."""
        if not isinstance(formula, Enforces) or self._strategies != "perfect":
            return ""
        if not (self.system.fairness and formula.group.members and is_path_formula(formula.path)):
            return ""
        space = truth.algebra.space
        started = space.diagrams.minus(space.initial.may, truth.fair.false)
        unfair = truth.states(Enforces(formula.group, Globally(Constant(value=False)))).true
        if space.diagrams.minus(started, unfair) != space.diagrams.false:
            return ""
        from gnomon.logic.exact_vacuity import goal_of  # few models are fair

        said = f"so nothing is said of `{show_formula(goal_of(formula.path))}`"
        return f"{formula.group} can see to it that no outcome is fair, {said}"

    def _why_nowhere(self, truth: CellDenotation) -> str:
        space = truth.algebra.space
        return NO_START if space.initial.may == space.diagrams.false else NO_FAIR_START

    def _vacuous(self, truth: CellDenotation, formula: Formula, seconds: float) -> str:
        """Return what a formula that is true says nothing about, as far as cells tell."""
        space = truth.algebra.space
        elsewhere = space.diagrams.minus(space.reachable, space.initial.may)
        initial = ThreeValued(space.initial.may, elsewhere)
        return told(
            Vacuity(truth, initial, "CTL", self._budget.check), formula, self._budget, seconds
        )

    def surely_lively(self) -> bool:
        """Return whether something can happen wherever no run should end, as far as cells tell."""
        space = self.decider.space
        stuck = self.unwanted(space.diagrams.minus(space.reachable, space.lively))
        return bool(stuck == space.diagrams.false)

    def unwanted(self, cells: Diagram) -> Diagram:
        """Return those of some cells that are not surely terminal."""
        if self.system.terminal is None:
            return cells
        fine = self.decider.truth.algebra.where(self.system.terminal)
        return self.decider.space.diagrams.minus(cells, fine.true)

    def surely_within_ranges(self) -> bool:
        """Return whether no value can leave its range, as far as cells tell."""
        space = self.decider.space
        over = space.diagrams.both(space.moves.overflow, space.reachable)
        return bool(over == space.diagrams.false)

    def surely_fair_somewhere(self) -> bool:
        """Return whether some initial state starts a fair path, by the cells that were looked at last."""
        if self.latest is None:
            return False
        truth, space = self.latest.truth, self.latest.truth.algebra.space
        return bool(
            space.diagrams.both(space.initial.must, truth.fair.true) != space.diagrams.false
        )

    def account(self) -> tuple[tuple[str, str], ...]:
        """Return what was done, for those who want to know."""
        space = self.decider.space
        numbers = len(space.partition.predicates)
        return (
            ("predicates", f"{numbers} from the model and the formulae"),
            ("hidden", f"{len(space.partition.hidden)} variables at first"),
            ("cells", f"{self.states:,} reachable of {space.count(space.all):,}"),
            *(("refinement", str(each)) for each in self.rounds),
        )

    def predicates(self) -> tuple[tuple[str, str], ...]:
        """Return all predicates with where each comes from, those of refinements included."""
        added = (predicate for each in self.rounds for predicate in each.added)
        found = [*self.partition.predicates, *self._helpful, *added]
        return tuple(dict.fromkeys((str(p), str(p.origin)) for p in found))


def _origin(number: int, specification: Specification) -> Origin:
    return Origin(f"formula {number}", specification.line)


def why_open(decision: CellDecision[CellDenotation], formula: Formula) -> str:
    """Say which part of a formula is open where, and what would help."""
    truth, space = decision.truth, decision.truth.algebra.space
    part = smallest_open(truth, formula)
    where = _shown(decision.open.show(space.partition)) if decision.open else ""
    text = f"the abstraction cannot tell whether `{show_formula(part)}`"
    if where:
        text += f" holds where {where}"
    helpful = next(iter(splits(truth, part)), None)
    if decision.endless is not None:
        text += f"; refinement diverges: {decision.endless}"
        text += ", and a --predicate that says what bounds it may help"
    elif helpful is not None:
        text += f"; {_step(space.system, helpful)} may lead to either side"
        text += f", and --predicate '{helpful.predicate}' may help"
    searched = truth.searched.get(part)
    if searched is not None and searched.unfinished:
        text += f"; {searched.unfinished}"
    tried = len(decision.rounds)
    text += f" ({tried} refinement{'' if tried == 1 else 's'} tried)" if tried else ""
    return text


def _step(system: System, split: Split) -> str:
    """Return in words which step a split is about: the lines, where there are any, and what they do."""
    lines = sorted(
        {
            line.line
            for agent in system.agents
            for line in agent.evolution
            for item in line.assignments
            if Read(agent.name, item.variable) in split.form.reads and line.line
        }
    )
    change = f"{split.form} := {show(split.value)}"
    return f"line {', '.join(map(str, lines[:3]))} ({change})" if lines else change


def perhaps_stuck(abstraction: PredicateAbstraction, source: Source) -> Iterator[Diagnostic]:
    """Yield agents who may have nothing to do, as far as cells tell, where no run should end."""
    space = abstraction.decider.space
    for name, enabled in space.moves.enabled.items():
        stuck = abstraction.unwanted(space.diagrams.minus(space.stuck, enabled.alive))
        if stuck != space.diagrams.false:
            shown = _shown(pick_cell(space, stuck).show(space.partition))
            lines = [line.line for line in abstraction.system.agent(name).protocol]
            yield Diagnostic(
                "G0812",
                f"no protocol line of `{name}` may apply, and it has no `Other` line",
                source,
                source.line_span(lines[-1]) if lines else None,
                notes=(f"where {shown}, which may be reached",),
                help="add `Other : { … };` to its protocol, or `TerminalStates` where runs may end",
            )


def _shown(where: tuple[tuple[str, str], ...]) -> str:
    shown = [f"{name} {_condition(value)}" for name, value in where[:_MOST_SHOWN]]
    return ", ".join(shown) + (" …" if len(where) > _MOST_SHOWN else "")


def _condition(value: str) -> str:
    return value if value.startswith(("<", ">")) else f"= {value}"
