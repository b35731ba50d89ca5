"""Where a formula holds: one case an operator, each handed to the module of its logic."""

from functools import cached_property, reduce
from typing import Final, Generic, Literal, TypeAlias

from gnomon.engines.algebra import Algebra, Set
from gnomon.engines.game import CoalitionGame as Game
from gnomon.engines.game import Win
from gnomon.logic import atl, ctl, epistemic, fixpoint, ltl
from gnomon.logic import uniform_games as uniform
from gnomon.logic.frame import Frame
from gnomon.model import expression as expressions
from gnomon.model.expression import Expression
from gnomon.model.formula import (
    All,
    And,
    Condition,
    Constant,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    GroupKnows,
    Implies,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    Until,
    is_path_formula,
)
from gnomon.model.system import Logic, Specification

#: What a coalition operator quantifies over.
Reading: TypeAlias = Literal["perfect", "uniform", "uniform-subjective"]

#: Formulae that take a fixpoint; the others take a step or two, and are only remembered for a while.
_COSTLY: Final = (All, Exists, Enforces, GroupKnows, Next, Finally, Globally, Until)
_RECENT: Final = 64


class Satisfaction(Generic[Set]):
    """The states of one algebra in which formulae hold; those that take long are computed once."""

    def __init__(
        self,
        algebra: Algebra[Set],
        fairness: tuple[Specification, ...] = (),
        strategies: Reading = "perfect",
    ) -> None:
        """Read formulae over `algebra`, on the paths that meet all fairness constraints."""
        self.algebra = algebra
        self.strategies = strategies
        #: For each coalition formula read with uniform strategies, those that were found.
        self.wins: dict[Enforces, list[Win[Set]]] = {}
        self._fairness = fairness
        self._games: dict[tuple[Enforces, bool], Game[Set] | None] = {}
        self._known: dict[tuple[Formula, bool], Set] = {}
        self._recent: dict[tuple[Formula, bool], Set] = {}

    @cached_property
    def constraints(self) -> tuple[Set, ...]:
        """Return the states of each fairness constraint, which is itself read without fairness."""
        plain = Satisfaction(self.algebra)
        return tuple(plain.states(each.formula, each.logic) for each in self._fairness)

    @cached_property
    def _finite_frame(self) -> Frame[Set]:
        """The paths of CTL: without fairness, also those that end."""
        if self._fairness:
            return self._infinite_frame
        reachable = self.algebra.reachable
        return Frame(self.algebra, reachable, reachable)

    @cached_property
    def _infinite_frame(self) -> Frame[Set]:
        """The paths of LTL and CTL*: the infinite, fair ones."""
        algebra, reachable = self.algebra, self.algebra.reachable
        if self._fairness:
            fair = fixpoint.fair_globally(algebra, reachable, self.constraints)
            return Frame(algebra, fair, fair, self.constraints)
        if algebra.is_empty(algebra.deadlocks):
            return Frame(algebra, reachable, reachable)
        return Frame(algebra, reachable, fixpoint.globally(algebra, reachable))

    def frame(self, logic: Logic = "CTL") -> Frame[Set]:
        """Return the states and paths that a logic ranges over."""
        return self._finite_frame if logic == "CTL" else self._infinite_frame

    @property
    def initial(self) -> Set:
        """Return the initial states that count."""
        return self.algebra.intersection(self.algebra.initial, self.frame().universe)

    def holds(self, formula: Formula, logic: Logic = "CTL") -> bool:
        """Return whether a formula holds in the model: in all its initial states that count."""
        algebra, frame = self.algebra, self.frame(logic)
        match formula:
            case And(operands):
                return all(self.holds(operand, logic) for operand in operands)
            case All(Globally(body)) if not is_path_formula(body):
                # Every state that counts is on a path from an initial one: no need to go back to it.
                return algebra.is_subset(frame.tail, self.states(body, logic))
            case Exists(Finally(body)) if not is_path_formula(body) and self._starts_once:
                ends = algebra.intersection(frame.tail, self.states(body, logic))
                return not algebra.is_empty(ends)
            case Globally() if logic != "CTL":
                return self.holds(All(formula), logic)
            case _:
                within = self.states_within(formula, self.initial, logic)
                return algebra.is_subset(self.initial, within)

    @cached_property
    def _starts_once(self) -> bool:
        """Whether there is just one initial state that counts."""
        return self.algebra.count(self.initial) == 1

    def states_within(self, formula: Formula, within: Set, logic: Logic = "CTL") -> Set:
        """Return the states of `within` that satisfy a formula, without deciding it elsewhere.

        That saves work where a search is needed for every single state: for uniform strategies.
        """
        algebra = self.algebra
        match formula:
            case Not(body):
                return algebra.difference(within, self.states_within(body, within, logic))
            case And(operands):
                for operand in operands:
                    within = self.states_within(operand, within, logic)
                return within
            case Or(operands):
                inner = And(tuple(Not(operand) for operand in operands))
                return algebra.difference(within, self.states_within(inner, within, logic))
            case Implies(left, right):
                return self.states_within(Or((Not(left), right)), within, logic)
            case Enforces(group) if self.strategies != "perfect" and group.members:
                return self._uniformly(formula, within, logic)
            case _:
                return algebra.intersection(within, self.states(formula, logic))

    def forget(self) -> None:
        """Drop the sets computed so far: those of a large model take much memory."""
        self._known.clear()
        self._recent.clear()
        self.wins.clear()
        self._games.clear()

    def states(self, formula: Formula, logic: Logic = "CTL") -> Set:
        """Return the states that count and satisfy a formula."""
        key = (formula, logic == "CTL")
        for known in (self._known, self._recent):
            if key in known:
                return known[key]
        found = self._states(formula, logic)
        if isinstance(formula, _COSTLY):
            self._known[key] = found
        else:
            if len(self._recent) >= _RECENT:
                del self._recent[next(iter(self._recent))]
            self._recent[key] = found
        return found

    def _states(self, formula: Formula, logic: Logic) -> Set:
        algebra, frame = self.algebra, self.frame(logic)

        def states(part: Formula) -> Set:
            return self.states(part, logic)

        condition = self._condition(formula)
        if condition is not None:
            return algebra.intersection(algebra.where(condition), frame.universe)
        match formula:
            case Not(body):
                return frame.opposite(states(body))
            case And(operands):
                return reduce(algebra.intersection, map(states, operands), frame.universe)
            case Or(operands):
                return reduce(algebra.union, map(states, operands), algebra.empty)
            case Implies(left, right):
                return algebra.union(frame.opposite(states(left)), states(right))
            case Knows(agent, body):
                return epistemic.jointly_known(frame, (agent,), states(body))
            case GroupKnows(kind, group, body):
                of_group = {
                    "everybody": epistemic.known_to_each,
                    "common": epistemic.commonly_known,
                    "distributed": epistemic.jointly_known,
                }[kind]
                return of_group(frame, group.members, states(body))
            case Obliged(agent, body):
                return epistemic.obliged(frame, states(Norm(agent, red=False)), states(body))
            case Exists(path):
                return self._exists(path, logic)
            case All(path):
                return self._all(path, logic)
            case Enforces():
                return self._enforces(formula, logic)
            case Next() | Finally() | Globally() | Until():
                # LTL says it of every path, also inside K.
                return states(All(formula))
            case Constant() | Proposition() | Condition() | Norm():
                raise AssertionError(formula)  # a condition, decided above

    def _condition(self, formula: Formula) -> Expression | None:
        """Return a formula that only looks at the state as one condition: cheaper than many sets."""
        system = self.algebra.system
        match formula:
            case Constant(value):
                return expressions.Literal(value)
            case Proposition(name):
                return system.propositions[name]
            case Condition(expression):
                return expression
            case Norm(agent, wanted):
                red = system.agent(agent).red or expressions.FALSE
                return red if wanted else expressions.Not(red)
            case Not(body):
                inner = self._condition(body)
                return None if inner is None else expressions.Not(inner)
            case And(operands) | Or(operands):
                found = [self._condition(operand) for operand in operands]
                known = tuple(part for part in found if part is not None)
                if len(known) < len(found):
                    return None
                return expressions.And(known) if isinstance(formula, And) else expressions.Or(known)
            case Implies(left, right):
                return self._condition(Or((Not(left), right)))
            case _:
                return None

    def _exists(self, path: Formula, logic: Logic) -> Set:
        frame = self.frame(logic)
        match path:
            case Next(body) if not is_path_formula(body):
                return ctl.exists_next(frame, self.states(body, logic))
            case Finally(body) if not is_path_formula(body):
                return ctl.exists_until(frame, frame.universe, self.states(body, logic))
            case Globally(body) if not is_path_formula(body):
                return ctl.exists_globally(frame, self.states(body, logic))
            case Until(left, right) if not (is_path_formula(left) or is_path_formula(right)):
                return ctl.exists_until(frame, self.states(left, logic), self.states(right, logic))
            case _ if not is_path_formula(path):
                return self.states(path, logic)
            case _:
                return ltl.exists_path(frame, path, lambda part: self.states(part, logic))

    def _all(self, path: Formula, logic: Logic) -> Set:
        frame = self.frame(logic)
        match path:
            case Next(body) if not is_path_formula(body):
                return ctl.all_next(frame, self.states(body, logic))
            case Finally(body) if not is_path_formula(body):
                return ctl.all_finally(frame, self.states(body, logic))
            case Globally(body) if not is_path_formula(body):
                return ctl.all_globally(frame, self.states(body, logic))
            case Until(left, right) if not (is_path_formula(left) or is_path_formula(right)):
                return ctl.all_until(frame, self.states(left, logic), self.states(right, logic))
            case _ if not is_path_formula(path):
                return self.states(path, logic)
            case _:
                return frame.opposite(self._exists(Not(path), logic))

    def _enforces(self, formula: Enforces, logic: Logic) -> Set:
        members, path = formula.group.members, formula.path
        if not members:
            return self.states(All(path), logic)
        frame = self.frame(logic)
        if self.strategies != "perfect":
            return self._uniformly(formula, frame.universe, logic)
        match path:
            case Next(body):
                return atl.enforce_next(frame, members, self.states(body, logic))
            case Finally(body):
                right = self.states(body, logic)
                return atl.enforce_until(frame, members, frame.universe, right)
            case Globally(body):
                return atl.enforce_globally(frame, members, self.states(body, logic))
            case Until(left, right_side):
                sides = self.states(left, logic), self.states(right_side, logic)
                return atl.enforce_until(frame, members, *sides)
            case _:
                return self.states(path, logic)

    def _uniformly(self, formula: Enforces, within: Set, logic: Logic) -> Set:
        """Return where one uniform strategy for each member wins."""
        members, algebra = formula.group.members, self.algebra
        game = self.game(formula, logic)
        if game is None:
            return algebra.intersection(within, self.states(formula.path, logic))
        subjective = self.strategies == "uniform-subjective"
        found = algebra.empty
        for win in uniform.wins(algebra, members, game, within, subjective=subjective):
            self.wins.setdefault(formula, []).append(win)
            found = algebra.union(found, win.states)
        return algebra.intersection(found, within)

    def game(self, formula: Enforces, logic: Logic = "CTL") -> Game[Set] | None:
        """Return what a coalition plays for; None where it is not about paths."""
        key = (formula, logic == "CTL")
        if key not in self._games:
            self._games[key] = self._game(formula, logic)
        return self._games[key]

    def _game(self, formula: Enforces, logic: Logic) -> Game[Set] | None:
        members, frame = formula.group.members, self.frame(logic)
        match formula.path:
            case Next(body):
                return uniform.next_game(frame, members, self.states(body, logic))
            case Finally(body):
                return uniform.until_game(frame, members, frame.universe, self.states(body, logic))
            case Globally(body):
                return uniform.globally_game(frame, members, self.states(body, logic))
            case Until(left, right):
                sides = self.states(left, logic), self.states(right, logic)
                return uniform.until_game(frame, members, *sides)
            case _:
                return None
