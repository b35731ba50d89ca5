"""Where formulae hold and where they fail, as a proof says: for each a condition, and why it is so.

A label says of every state that can be reached, and in which its condition holds, that a formula holds there,
or that it fails. Connectives need none.
"""

from functools import cached_property
from typing import NamedTuple

from gnomon.certificate.core import FAIR, is_unrolled, let_off, spelled, unrolled
from gnomon.certificate.deductive.assertions import (
    ALWAYS,
    NEVER,
    Assertion,
    condition_of,
    every,
    of_the_model,
    opposite,
    some,
)
from gnomon.certificate.deductive.clock import ClockObjective, StandingSides
from gnomon.certificate.deductive.conduct import EVERY_PATH, SOME_PATH, Mover
from gnomon.certificate.deductive.knowing import Knowing, read_confused_states
from gnomon.certificate.deductive.path_rules import check_no_path, check_some_path
from gnomon.certificate.deductive.tableau import tableau
from gnomon.certificate.deductive.temporal_rules import (
    Fairness,
    Objective,
    Setting,
    check_everybody_acts,
    check_lasting,
    check_no_fair_path,
    check_objective,
)
from gnomon.certificate.deductive.uniform import check_uniform
from gnomon.certificate.rejection import Unproved, require
from gnomon.certificate.shape import boolean, items, member, string
from gnomon.model.expression import FALSE
from gnomon.model.formula import (
    All,
    And,
    Bounded,
    Constant,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    GroupKnows,
    Iff,
    Implies,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    Release,
    StateCondition,
    Until,
    WeakUntil,
    is_path_formula,
    show_formula,
)
from gnomon.model.windows import at_step


class ConstraintSides(NamedTuple):
    """Where a constraint of fairness surely holds, and where it surely fails."""

    holds: Assertion
    fails: Assertion


class ProofLabels:
    """The labels of one proof; each is checked when it is first used.

    Under fairness they speak of states where a fair path starts, and of fair paths.
    """

    def __init__(
        self,
        setting: Setting,
        data: object,
        constraints: tuple[ConstraintSides, ...] = (),
        *,
        reading: str,
        endless: bool = False,
    ) -> None:
        """Read which labels there are; paths have to meet the constraints, if there are any.

        `reading`: what coalitions choose from. `endless`: only endless paths count, as in LTL and CTL*.
        """
        self._setting = setting
        self._system = setting.system
        self._reading = reading
        self._informed = reading == "perfect"
        self._fairly = bool(constraints)
        self._met = tuple(each.holds for each in constraints)
        self._fails = tuple(each.fails for each in constraints)
        self._endless = endless and not self._fairly
        self._some_count = self._fairly or endless
        self._data: dict[tuple[str, bool], object] = {}
        for each in items(data):
            key = string(member(each, "formula")), boolean(member(each, "holds"))
            require(key not in self._data, "there are two labels for the same")
            self._data[key] = each
        self._known: dict[tuple[Formula, bool], Assertion] = {}

    @cached_property
    def fairness(self) -> Fairness:
        """Where constraints fail, and where no path starts that counts."""
        if not self._some_count:
            return Fairness()
        return Fairness(self._fails, self.side(FAIR, holds=False))

    @property
    def left_out(self) -> Assertion:
        """The states that do not count. In LTL and CTL* all do, also those where only finite runs start."""
        return self.fairness.unfair if self._fairly else NEVER

    @property
    def counting(self) -> Assertion:
        """The states that surely count."""
        return self._fair if self._fairly else ALWAYS

    @cached_property
    def _fair(self) -> Assertion:
        """Where a path surely starts that counts."""
        return self.side(FAIR, holds=True) if self._some_count else ALWAYS

    def side(self, formula: Formula, *, holds: bool) -> Assertion:
        """Return where a formula is shown to hold, or to fail."""
        key = formula, holds
        if key not in self._known:
            self._known[key] = self._side(formula, holds=holds)
        return self._known[key]

    def _side(self, formula: Formula, *, holds: bool) -> Assertion:
        # Under fairness, a path starts in each state that counts.
        if is_unrolled(formula, informed=self._informed, holds=holds):
            by_steps = unrolled(formula, endless=self._endless, fairly=self._fairly)
            if by_steps is not None:
                return self.side(by_steps, holds=holds)
        if is_path_formula(formula):  # a connective of these is not one of what all paths satisfy
            return self._claimed(formula, holds=holds)
        match formula:
            case All(body) | Exists(body) if not is_path_formula(body):
                return self.side(body, holds=holds)  # also where no path goes on
            case Constant(value):
                return ALWAYS if value == holds else NEVER
            case Proposition(name):
                return self._plain(
                    of_the_model(self._system, self._system.propositions[name]), holds=holds
                )
            case StateCondition(expression):
                return self._plain(of_the_model(self._system, expression), holds=holds)
            case Norm(agent, red):
                found = of_the_model(self._system, self._system.agent(agent).red or FALSE)
                return self._plain(found, holds=red == holds)
            case Not(body):
                return self.side(body, holds=not holds)
            case And(operands):
                return (every if holds else some)(self.side(part, holds=holds) for part in operands)
            case Or(operands):
                return (some if holds else every)(self.side(part, holds=holds) for part in operands)
            case Implies(left, right):
                return self.side(Or((Not(left), right)), holds=holds)
            case Iff(left, right):
                both = every((self.side(left, holds=True), self.side(right, holds=holds)))
                neither = every((self.side(left, holds=False), self.side(right, holds=not holds)))
                return some((both, neither))
            case _:
                return self._claimed(formula, holds=holds)

    def _plain(self, condition: Assertion, *, holds: bool) -> Assertion:
        return condition if holds else opposite(condition)

    def _claimed(self, formula: Formula, *, holds: bool) -> Assertion:
        """Return what a label claims, after that has been checked; nothing where there is no label."""
        data = self._data.get((spelled(formula), holds))
        if data is None:
            return NEVER
        written = self._setting.written
        where = condition_of(written, written.ref(member(data, "where")))
        self._check(formula, where, data, holds=holds)
        return where

    def _check(self, formula: Formula, where: Assertion, data: object, *, holds: bool) -> None:
        if self._some_count and formula == FAIR:
            if holds:
                objective = Objective("weak", ALWAYS, NEVER)
                check_lasting(self._setting, objective, SOME_PATH, where, data, self._met)
            else:
                check_no_fair_path(self._setting, where, data, self._fails)
            return
        match formula:
            case All(path) | Enforces(_, path) | Exists(path):
                members = formula.group.members if isinstance(formula, Enforces) else ()
                if members and holds and not self._informed:
                    self._uniformly(path, members, where, data)
                    return
                mover = Mover(members, forces=holds != isinstance(formula, Exists))
                if members and self._fairly:
                    self._fair_game(formula, mover, where, data, holds=holds)
                else:
                    self._temporal(path, mover, where, data, holds=holds)
            case _ if is_path_formula(formula):  # LTL says it of every path
                self._temporal(formula, Mover((), forces=holds), where, data, holds=holds)
            case Knows(_, body) | GroupKnows(_, _, body) | Obliged(_, body):
                others = () if holds else read_confused_states(self._setting, data)
                # Who is not there to be confused with need not be shown to count.
                knowing = Knowing(self._setting, self.left_out, self.counting if others else ALWAYS)
                knowing.check(formula, where, self.side(body, holds=holds), others, holds=holds)
            case _:
                raise Unproved(show_formula(formula))

    def _uniformly(
        self, path: Formula, members: tuple[str, ...], where: Assertion, data: object
    ) -> None:
        by_the_clock = self._clock(path) if isinstance(path, Bounded) else None
        objective = by_the_clock or self._objective(path, holds=True)
        knowing = None
        if self._reading == "uniform-subjective":
            knowing = Knowing(self._setting, self.left_out)
        fairness = self.fairness if self._fairly else Fairness()
        check_uniform(self._setting, objective, members, where, data, fairness, knowing=knowing)

    def _clock(self, path: Bounded) -> ClockObjective:
        """Return what it takes, step by step, that an operator with bounds holds on a strategy's paths."""

        def sides(step: int) -> StandingSides:
            won, kept = at_step(path, step)
            if is_path_formula(won) or is_path_formula(kept):
                raise Unproved(show_formula(path))
            return self.side(won, holds=True), self.side(kept, holds=True)

        low, high = path.low, path.high
        return ClockObjective(low, high, sides(0), sides(min(low, high)), sides(high))

    def _temporal(
        self, path: Formula, mover: Mover, where: Assertion, data: object, *, holds: bool
    ) -> None:
        if self._fairly and not mover.members and isinstance(data, dict) and data.get("every"):
            # A fair path starts in each state that counts: what is so on all of them is so on one.
            mover = EVERY_PATH
        if isinstance(data, dict) and "nodes" in data:
            require(not mover.members, "a tableau is for paths, whoever makes them")
            require(
                self._some_count, "a tableau is for paths without an end, and others count here"
            )
            rule = self._no_path if mover.forces else self._tableau_path
            rule(path, where, data, holds=holds)
            return
        objective = self._objective(path, holds=holds)
        if mover.members:
            # What a coalition enforces in LTL and CTL* it enforces on all runs, also on those that end.
            check_objective(self._setting, objective, mover, where, data, Fairness())
        elif mover.forces or not self._some_count:
            check_objective(self._setting, objective, mover, where, data, self.fairness)
        else:
            self._some_path(objective, mover, where, data)

    def _some_path(
        self, objective: Objective, mover: Mover, where: Assertion, data: object
    ) -> None:
        """Have it proved that something comes about on a path that counts, whatever some members do.

        What is assumed of all paths that count is not assumed here: the path has to be made.
        """
        kind, left, right = objective
        comes = Objective(kind, left, every((right, self._fair)))
        if self._fairly and kind == "weak":
            check_lasting(self._setting, comes, mover, where, data, self._met)
        else:
            check_objective(self._setting, comes, mover, where, data, Fairness())

    def _fair_game(
        self, formula: Formula, mover: Mover, where: Assertion, data: object, *, holds: bool
    ) -> None:
        """Have it proved that a coalition enforces something on fair outcomes, or that it does not.

        It is let off where it can make all outcomes unfair; those against it have to make one fair.
        """
        assert isinstance(formula, Enforces)
        setting, off = self._setting, let_off(formula.group)
        kind, left, right = self._objective(formula.path, holds=holds)
        # Of that itself nothing else is asked.
        known = NEVER if spelled(off) == spelled(formula) else self.side(off, holds=holds)
        if mover.forces:
            fairness = Fairness(self.fairness.fails, some((self.fairness.unfair, known)))
            check_objective(setting, Objective(kind, left, right), mover, where, data, fairness)
            return
        comes = Objective(kind, left, every((right, known)))
        going = where if kind == "next" else every((where, opposite(comes.right)))
        check_everybody_acts(setting, mover, going)
        if kind == "weak":
            check_lasting(setting, comes, mover, where, data, self._met)
        else:
            check_objective(setting, comes, mover, where, data, Fairness())

    def _no_path(self, path: Formula, where: Assertion, data: object, *, holds: bool) -> None:
        """Have it proved that no path is as it should not be: by a tableau of what it must not be."""
        found = tableau(Not(path) if holds else path)
        labels = tuple(
            opposite(some(self.side(part, holds=False) for part in node.now))
            for node in found.nodes
        )
        check_no_path(self._setting, found, labels, where, data, self.fairness.fails)

    def _tableau_path(self, path: Formula, where: Assertion, data: object, *, holds: bool) -> None:
        """Have it proved that some path is as it should be: by a tableau of that."""
        found = tableau(path if holds else Not(path))
        labels = tuple(
            every(self.side(part, holds=True) for part in node.now) for node in found.nodes
        )
        check_some_path(self._setting, found, labels, where, data, self._met)

    def _objective(self, path: Formula, *, holds: bool) -> Objective:
        """Return what it takes that a path operator holds on the paths of a mover, or fails."""

        def side(body: Formula) -> Assertion:
            if is_path_formula(body):
                raise Unproved(show_formula(path))
            return self.side(body, holds=holds)

        match path:
            case Next(body):
                return Objective("next", NEVER, side(body))
            case Finally(body):
                return _until(ALWAYS if holds else NEVER, side(body), holds=holds)
            case Until(left, right):
                return _until(side(left), side(right), holds=holds)
            case Globally(body):
                return _weak(side(body), NEVER if holds else ALWAYS, holds=holds)
            case WeakUntil(left, right):
                won = side(right)
                held = some((side(left), won)) if holds else every((side(left), won))
                return _weak(held, won, holds=holds)
            case Release(left, right):
                held = side(right)
                won = every((held, side(left))) if holds else some((held, side(left)))
                return _weak(held, won, holds=holds)
            case _:
                raise Unproved(show_formula(path))


def _until(left: Assertion, right: Assertion, *, holds: bool) -> Objective:
    """Return what it takes that `right` comes and `left` holds up to there, or that this fails."""
    if holds:
        return Objective("until", left, right)
    # That `left` fails is of no use where `right` holds.
    return Objective("weak", right, every((right, left)))


def _weak(held: Assertion, won: Assertion, *, holds: bool) -> Objective:
    """Return what it takes that `held` holds for ever or until `won`, or that this fails."""
    return Objective("weak", held, won) if holds else Objective("until", won, held)
