"""A path on which a path formula holds, or fails, where sets are exact: also for LTL and CTL*."""

from typing import Generic

from gnomon.engines.algebra import Algebra, Set
from gnomon.logic import ctl, ltl, window_values
from gnomon.logic.frame import Frame
from gnomon.logic.runs import lasso, shortest
from gnomon.logic.satisfaction import Satisfaction
from gnomon.logic.witness import Claim, Witness, Witnesses
from gnomon.model.formula import Bounded, Formula, Not, parts
from gnomon.model.fragment import is_ctl_path, is_propositional, state_subformulae
from gnomon.model.step import State
from gnomon.model.system import Logic


class ExactWalks(Generic[Set]):
    """Paths that are found in sets whose states are known: shortest ones, and lassos."""

    def __init__(self, algebra: Algebra[Set], frame: Frame[Set]) -> None:
        """Walk on the paths that count."""
        self._algebra = algebra
        self._frame = frame

    def step(self, state: State, target: Set) -> State:
        """Return a successor of a state in `target`."""
        after = self._algebra.after(self._algebra.only(state))
        return self._algebra.pick(self._algebra.intersection(after, target))

    def reach(self, state: State, through: Set, target: Set) -> list[State]:
        """Return a path into `target` whose earlier states are in `through`."""
        path = shortest(self._algebra, self._algebra.only(state), through, target)
        assert path is not None, "the fixpoint says that there is a path"
        return path

    def stay(self, state: State, free: Set, held: Set) -> tuple[list[State], int | None]:
        """Return a path in `held`: up to where it is `free`, or with the place it goes back to for ever."""
        algebra = self._algebra
        exits = algebra.intersection(held, free)
        if not algebra.is_empty(exits):
            path = shortest(algebra, algebra.only(state), held, exits)
            if path is not None:
                return path, None
        within = ctl.exists_globally(self._frame, held)
        return lasso(algebra, state, within, self._frame.constraints)


class ExactWitnesses(Witnesses[Set]):
    """Finds paths also for the formulae of LTL and CTL*."""

    def __init__(self, truth: Satisfaction[Set], logic: Logic) -> None:
        """Read path formulae as `logic` does."""
        super().__init__(truth, ExactWalks(truth.algebra, truth.frame(logic)), logic)
        self._algebra = truth.algebra

    def find(self, path: Formula, state: State, *, wanted: bool) -> Witness:
        """Return a path from a state on which the formula holds, or, not `wanted`, fails."""
        if isinstance(path, Bounded) and is_ctl_path(path):
            return self._timed(path, state, wanted=wanted)
        return super().find(path, state, wanted=wanted)

    def _timed(self, path: Bounded, state: State, *, wanted: bool) -> Witness:
        """Return a path that is followed step by step until it is decided."""
        algebra, frame = self._algebra, self._frame
        window = self._truth.window(path, self._logic)
        if not wanted:
            window = window_values.opposite(frame, window)
        values = window_values.some_path(frame, window)
        found = [state]
        for step in range(path.high):
            here = algebra.only(found[-1])
            won, _ = window.at(step)
            if algebra.is_subset(here, won):
                break
            after = algebra.intersection(algebra.after(here), values[step + 1])
            found.append(algebra.pick(after))
        claims = [
            Claim(position, part, self._is_true(part, each))
            for position, each in enumerate(found)
            for part in dict.fromkeys(reversed(parts(path)))
        ]
        return Witness(tuple(found), None, tuple(claims))

    def _is_true(self, formula: Formula, state: State) -> bool:
        states = self._truth.states(formula, self._logic)
        return self._algebra.is_subset(self._algebra.only(state), states)

    def _general(self, path: Formula, state: State, *, wanted: bool) -> Witness:
        """Return a lasso of the product with the formula's automaton."""

        def states(formula: Formula) -> Set:
            return self._truth.states(formula, self._logic)

        graph = ltl.product(self._algebra, self._frame, path if wanted else Not(path), states)
        within = ltl.accepted(graph, self._frame)
        starts = graph.intersection(graph.starting(self._algebra.only(state)), within)
        accepting = graph.accepting(self._frame.constraints)
        points, loop = lasso(graph, graph.pick(starts), within, accepting)
        found = tuple(point[0] for point in points)
        # Those that only look at the state can be seen in the run.
        told = [part for part in state_subformulae(path) if not is_propositional(part)]
        told = list(dict.fromkeys(reversed(told)))
        claims = [
            Claim(position, part, self._is_true(part, here))
            for position, here in enumerate(found)
            for part in told
        ]
        return Witness(found, loop, tuple(claims))
