"""Whether somebody with some view is in doubt: a run that leaves them so, or an invariant.

What is proved of one view alone proves little of others. So it is guessed which part of the view keeps
something from failing: as little as tells the view from all states that were seen to be reached in which it
fails. A run to a state that refutes the guess is one more of them, and the next guess takes it into account.
"""

from typing import Final, NamedTuple

from gnomon.checking.known_views import KnownViews
from gnomon.checking.momentary import Doubt, in_doubt, is_momentary, joint_view
from gnomon.checking.path_values import PathValues
from gnomon.checking.refined_question import RefinedQuestion
from gnomon.checking.view_facts import PartOfView, SeenRun
from gnomon.logic.path import StateLiteral
from gnomon.model.expression import Read, reads
from gnomon.model.formula import Formula, Norm, Not, Proposition, StateCondition, walk
from gnomon.model.step import State
from gnomon.model.system import System

#: For so many seconds of the processor guesses come before the view itself.
_HEAD_START: Final = 0.05


class ViewAnswer(NamedTuple):
    """A run that leaves somebody in doubt, or the part of the view with which nobody is."""

    run: SeenRun | None
    sure: PartOfView


class ViewQuestion:
    """Whether a state that counts looks like this, and something fails in it."""

    def __init__(self, alike: KnownViews, doubt: Doubt, seen: State) -> None:
        """Ask nothing yet."""
        self._alike = alike
        self._doubt = doubt
        self._seen = seen
        self._view = alike.facts.bits_of(doubt, seen)
        self._paths = alike.paths(doubt.body)
        self._exact: RefinedQuestion | None = None
        # Of a part it is asked whether it is reached at all: if not, that is an invariant, fair or not.
        self._guessing = doubt.is_plain or (is_momentary(doubt.body) and not alike.fair)
        self._guess: PartOfView = {}
        self._guessed: RefinedQuestion | None = None
        self._spent = 0.0

    def ask(self) -> ViewAnswer:
        """Answer, within limits; when asked again, what was done is gone on with."""
        while True:
            spent = 0.0 if self._exact is None else self._exact.spent
            guesses = self._guessing and self._spent <= spent + _HEAD_START
            found = self._ask_guess() if guesses else self._ask_exactly()
            if found is not None:
                return found

    def _ask_exactly(self) -> ViewAnswer | None:
        """Ask of the view itself for a moment."""
        alike = self._alike
        if self._exact is None:
            wanted = self._paths.some(
                in_doubt(alike.work.system, self._doubt, self._seen), wanted=True
            )
            endless = self._paths.endless
            self._exact = RefinedQuestion(alike, wanted, None, endless=endless, inductively=False)
        answer = self._exact.advance(alike.work.limit)
        if answer is None:
            return None
        if answer.run is None:
            self._learn(self._exact)
            return ViewAnswer(None, self._view)
        return ViewAnswer(self._run(*alike.work.run_of(answer)), self._view)

    def _ask_guess(self) -> ViewAnswer | None:
        """Ask for a moment whether any state is reached that looks like this in part."""
        alike = self._alike
        if self._guessed is None:
            self._guess = self._least_part()
            self._guessed = RefinedQuestion(
                alike,
                StateLiteral(Not(self._doubt.body)),
                None,
                endless=False,
                fair=False,
                inductively=False,
                within=self._guess,
            )
        before = self._guessed.spent
        try:
            answer = self._guessed.advance(alike.work.limit)
        finally:
            self._spent += self._guessed.spent - before
        if answer is None:
            return None
        question, self._guessed = self._guessed, None
        if answer.run is None:
            self._learn(question)
            return ViewAnswer(None, self._guess)
        states, loop = alike.work.run_of(answer)
        alike.reached[states[-1]] = None
        if joint_view(alike.work.system, self._doubt.agents, states[-1]) == self._seen:
            self._guessing = False
            if not alike.fair:
                return ViewAnswer(self._run(states, loop), self._view)
        return None

    def _learn(self, question: RefinedQuestion) -> None:
        if not self._alike.learn(question.found_clauses):
            self._alike.unlearned.append(question)

    def _least_part(self) -> PartOfView:
        """Return a part of the view that no state has which is known to be reached and where it fails."""
        alike, system = self._alike, self._alike.work.system
        body = self._doubt.body
        broken = [
            alike.facts.bits_of(self._doubt, joint_view(system, self._doubt.agents, state))
            for state in alike.reached
            if alike.value(body, state) is False
        ]
        found = dict(self._view)
        layout = alike.work.circuit.layout
        near = {bit for each in _looked_at(system, body) for bit in layout.variables[each].now}
        for bit in sorted(self._view, key=near.__contains__):
            value = found.pop(bit)
            if any(found.items() <= each.items() for each in broken):
                found[bit] = value
        return found

    def _run(self, states: list[State], loop: int | None) -> SeenRun:
        alike = self._alike
        broken = self._paths.some(Not(self._doubt.body), wanted=True)
        values = PathValues(states, loop, lambda part, state: alike.value(part, state) is True)
        fails = values.along(broken)
        for place, state in enumerate(states):
            seen = joint_view(alike.work.system, self._doubt.agents, state)
            if seen == self._seen and fails[place]:
                return SeenRun(tuple(states), loop, place)
        raise AssertionError(self._doubt)


def _looked_at(system: System, formula: Formula) -> frozenset[tuple[str, str]]:
    """Return the variables that a formula looks at."""
    found: frozenset[Read] = frozenset()
    for part in walk(formula):
        match part:
            case Proposition(name):
                found |= reads(system.propositions[name])
            case StateCondition(expression):
                found |= reads(expression)
            case Norm(agent, _):
                red = system.agent(agent).red
                found |= reads(red) if red is not None else frozenset()
            case _:
                pass
    return frozenset((read.agent, read.variable) for read in found)
