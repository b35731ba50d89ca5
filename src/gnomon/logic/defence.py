"""Why a coalition that sees everything still cannot: an answer of the others to each of its choices."""

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Final, Generic

from gnomon.engines.algebra import Set
from gnomon.logic import atl
from gnomon.logic.answering import AnswerBook, OpenAnswer, answer_rules
from gnomon.logic.run_steps import find_move
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.evidence import Defence, DefenceAnswer, Rule
from gnomon.model.formula import (
    Bounded,
    Enforces,
    Finally,
    Formula,
    Globally,
    Next,
    Release,
    Until,
    WeakUntil,
    show_formula,
)
from gnomon.model.step import JointAction, State, enabled_actions, joint_action_count, moves
from gnomon.model.system import Logic
from gnomon.text.errors import Abandoned

#: More answers than this explain nothing, unless they can be said in rules.
MOST_ANSWERS: Final = 400
_MOST_CHOICES: Final = 200
#: Up to so many answers to choose from, and so much that can happen, those are taken that give few rules.
_MOST_OPEN: Final = 1_500
_MOST_MOVES: Final = 6_000


class _DefenceTooLarge(Abandoned):
    """There are too many answers to be shown."""


def defence(
    truth: Satisfaction[Set], formula: Enforces, state: State, logic: Logic
) -> Defence | None:
    """Return answers to all that the coalition can do from a state; None where they are too many."""
    if truth.frame(logic).constraints:
        # What is fair shows only in the long run: an answer to each choice proves nothing.
        return None
    if isinstance(formula.path, Bounded):
        return None  # the answers would have to be told step by step
    try:
        answers, rules = _Defender(truth, formula, logic).answers(state)
    except _DefenceTooLarge:
        return None
    members = tuple(dict.fromkeys(formula.group.members))
    return Defence(show_formula(formula), members, tuple(answers), formula, state, rules)


class _Defender(Generic[Set]):
    def __init__(self, truth: Satisfaction[Set], formula: Enforces, logic: Logic) -> None:
        self._algebra = truth.algebra
        self._members = tuple(dict.fromkeys(formula.group.members))
        self._frame = truth.frame(logic)
        #: Where the others lead: into the first of these, or further back where they are there already.
        self._rings: tuple[Set, ...] = ()
        self._once = isinstance(formula.path, Next)

        def fails(part: Formula) -> Set:
            return self._frame.opposite(truth.states(part, logic))

        match formula.path:
            case Next(body):
                self._over, self._rings = fails(body), (fails(body),)
            case Globally(body):
                self._over = fails(body)
                self._rings = self._lost(self._over, self._algebra.empty)
            case WeakUntil(left, right):
                self._over = self._algebra.intersection(fails(left), fails(right))
                self._rings = self._lost(self._over, truth.states(right, logic))
            case Release(left, right):
                self._over = fails(right)
                self._rings = self._lost(self._over, truth.states(left, logic))
            case Finally(body):
                bound = atl.rings(
                    self._frame, self._members, self._frame.universe, truth.states(body, logic)
                )
                self._over, self._rings = self._algebra.empty, (self._frame.opposite(bound[-1]),)
            case Until(left, right):
                bound = atl.rings(
                    self._frame,
                    self._members,
                    truth.states(left, logic),
                    truth.states(right, logic),
                )
                self._over = self._algebra.intersection(fails(left), fails(right))
                self._rings = (self._frame.opposite(bound[-1]),)
            case path:
                msg = f"not a path operator: {show_formula(path)}"
                raise ValueError(msg)

    def _lost(self, outside: Set, free: Set) -> tuple[Set, ...]:
        """Return where the others lead out of what is to be kept in so many steps, the nearest first.

        Where it is `free`, it need not be kept any longer.
        """
        algebra = self._algebra
        found = [outside]
        within = algebra.difference(algebra.difference(algebra.reachable, outside), free)
        while True:
            new = algebra.unavoidable(self._members, found[-1], within)
            if algebra.is_subset(new, found[-1]):
                return tuple(found)
            found.append(algebra.union(found[-1], new))

    def answers(self, start: State) -> tuple[list[DefenceAnswer], tuple[Rule, ...]]:
        """Return the answers in all states that they lead to, and what the others do in rules."""
        system = self._algebra.system
        # Where one event happens at a time, what somebody chooses is not what is done.
        every = None if system.interleaved else self._every(start)
        if every is None:
            found = self._followed(start, self._here, MOST_ANSWERS)
            rules = () if system.interleaved else answer_rules(system, self._members, found)
            return found, rules
        book = AnswerBook(system, self._members, every)
        found = self._followed(start, book.here, _MOST_OPEN)
        return found, book.rules(found)

    def _followed(
        self, start: State, here: Callable[[State], list[DefenceAnswer]], most: int
    ) -> list[DefenceAnswer]:
        """Return the answers in a state, and in all states that they lead to."""
        found: list[DefenceAnswer] = []
        waiting, known = [start], {start}
        while waiting:
            state = waiting.pop()
            if not self._once and self._inside(state, self._over):
                continue
            for answer in here(state):
                found.append(answer)
                if len(found) > most:
                    raise _DefenceTooLarge
                if not self._once and answer.result not in known:
                    known.add(answer.result)
                    waiting.append(answer.result)
        return found

    def _every(self, start: State) -> list[OpenAnswer] | None:
        """Return all answers in all states that any of them leads to; None where they are too many."""
        system, left = self._algebra.system, _MOST_MOVES
        found: list[OpenAnswer] = []
        waiting, known = [start], {start}
        while waiting:
            state = waiting.pop()
            if not self._once and self._inside(state, self._over):
                continue
            enabled = [enabled_actions(system, agent, state) for agent in system.agents]
            left -= prod(map(len, enabled))
            if left < 0 or len(found) > _MOST_OPEN:
                return None
            here = self._open(state)
            found += here
            results = {result for each in here for _, result in each.ways.values()}
            new = () if self._once else sorted(results - known, key=repr)
            known.update(new)
            waiting.extend(new)
        return found if len(found) <= _MOST_OPEN else None

    def _open(self, state: State) -> list[OpenAnswer]:
        """Return all answers to each choice in a state."""
        system = self._algebra.system
        target, inside = self._target(state), dict[State, bool]()
        places = [system.agent_index[name] for name in self._members]
        found: dict[JointAction, dict[JointAction, tuple[JointAction, State]]] = {}
        for move in moves(system, state):
            ways = found.setdefault(tuple(move.actions[place] for place in places), {})
            result = move.target
            if result is not None and result not in inside:
                inside[result] = self._inside(result, target)
            if result is not None and inside[result]:
                others = tuple(a for n, a in enumerate(move.actions) if n not in places)
                ways.setdefault(others, (move.actions, result))
        return [OpenAnswer(state, choice, ways) for choice, ways in found.items()]

    def _inside(self, state: State, states: Set) -> bool:
        return self._algebra.is_subset(self._algebra.only(state), states)

    def _here(self, state: State) -> list[DefenceAnswer]:
        system = self._algebra.system
        if not joint_action_count(system, state):
            return []
        enabled = {n: enabled_actions(system, system.agent(n), state) for n in self._members}
        target = self._target(state)
        found = []
        for actions in product(*[enabled[name] for name in self._members]):
            choice = dict(zip(self._members, actions, strict=True))
            results = self._algebra.intersection(self._algebra.results(state, choice), target)
            result = self._algebra.pick(results)
            joint, _ = find_move(system, state, result, choice)
            found.append(DefenceAnswer(state, tuple(choice.items()), joint, result))
            if len(found) > _MOST_CHOICES:
                raise _DefenceTooLarge
        return found

    def _target(self, state: State) -> Set:
        """Return where an answer has to lead: nearer to where the formula is broken, if that has to be."""
        for place, ring in enumerate(self._rings):
            if self._inside(state, ring):
                return self._rings[max(place - 1, 0)]
        return self._rings[0]
