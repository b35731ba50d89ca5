"""Why a coalition that sees everything still cannot: an answer of the others to each of its choices."""

from itertools import product
from typing import Final, Generic

from gnomon.engines.algebra import Set
from gnomon.logic import atl
from gnomon.logic.run_steps import find_move
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.evidence import Defence, DefenceAnswer
from gnomon.model.formula import Enforces, Finally, Formula, Globally, Next, Until, show_formula
from gnomon.model.step import State, enabled_actions, joint_action_count
from gnomon.model.system import Logic
from gnomon.text.errors import Abandoned

#: More answers than this explain nothing.
MOST_ANSWERS: Final = 400
_MOST_CHOICES: Final = 200


class _DefenceTooLarge(Abandoned):
    """There are too many answers to be shown."""


def defence(
    truth: Satisfaction[Set], formula: Enforces, state: State, logic: Logic
) -> Defence | None:
    """Return answers to all that the coalition can do from a state; None where they are too many."""
    if truth.frame(logic).constraints:
        # What is fair shows only in the long run: an answer to each choice proves nothing.
        return None
    try:
        answers = _Defender(truth, formula, logic).answers(state)
    except _DefenceTooLarge:
        return None
    members = tuple(dict.fromkeys(formula.group.members))
    return Defence(show_formula(formula), members, tuple(answers), formula, state)


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
                self._rings = self._lost(self._over)
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

    def _lost(self, outside: Set) -> tuple[Set, ...]:
        """Return where the others lead out of what is to be kept in so many steps, the nearest first."""
        algebra = self._algebra
        found = [outside]
        within = algebra.difference(algebra.reachable, outside)
        while True:
            new = algebra.unavoidable(self._members, found[-1], within)
            if algebra.is_subset(new, found[-1]):
                return tuple(found)
            found.append(algebra.union(found[-1], new))

    def answers(self, start: State) -> list[DefenceAnswer]:
        """Return the answers in all states that they lead to."""
        found: list[DefenceAnswer] = []
        waiting, known = [start], {start}
        while waiting:
            state = waiting.pop()
            if not self._once and self._inside(state, self._over):
                continue
            for answer in self._here(state):
                found.append(answer)
                if len(found) > MOST_ANSWERS:
                    raise _DefenceTooLarge
                if not self._once and answer.result not in known:
                    known.add(answer.result)
                    waiting.append(answer.result)
        return found

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
