"""What supports a verdict that rests on one run: the run itself, and where on it what holds."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from gnomon.certificate.plain import connected, path_value, plain_value
from gnomon.certificate.rejection import Unproved
from gnomon.checking.linear_paths import LinearPaths, NotLinear, without_idle_quantifiers
from gnomon.checking.momentary import KnowledgeFormula, is_momentary
from gnomon.checking.path_values import PathValues
from gnomon.checking.view_knowledge import ViewKnowledge
from gnomon.logic.explainer import MOST_EXPLANATIONS, broken_obligation, confusion, leaf, say
from gnomon.logic.run_steps import run_through
from gnomon.model.evidence import Branch, Evidence, Explanation, Run, Step
from gnomon.model.formula import (
    All,
    And,
    Exists,
    Formula,
    GroupKnows,
    Iff,
    Implies,
    Knows,
    Not,
    Obliged,
    Or,
    is_path_formula,
    show_formula,
)
from gnomon.model.fragment import is_propositional, state_subformulae
from gnomon.model.step import State
from gnomon.text.record import replace

#: Of more claims about one run, none is tried to be left out.
_MOST_CLAIMS: Final = 100
_WORDS: Final = {True: "true", False: "false"}


class PathEvidence:
    """Explains formulae by one run, which goes on from `loop` after its end."""

    def __init__(
        self, alike: ViewKnowledge, paths: LinearPaths, states: Sequence[State], loop: int | None
    ) -> None:
        """Explain by this run, and by those that look alike to somebody in the end."""
        self._alike = alike
        self._system = alike.work.system
        self._paths = paths
        self._states = tuple(states)
        self._loop = loop
        self._run_values = PathValues(states, loop, self._holds)
        self._left = MOST_EXPLANATIONS

    def evidence(self, formula: Formula, *, value: bool, fair: bool) -> Evidence:
        """Return what the run says of a formula in its first state; `fair`: it is a fair path."""
        why = self.explain(formula, 0, value=value)
        counts = run_through(self._system, list(self._states), self._loop) if fair else None
        if why.run is None and not value:
            why = replace(why, run=Run((Step(self._states[0]),)), onward=counts)
        return Evidence("witness" if value else "counterexample", why, counts=counts)

    def _holds(self, formula: Formula, state: State) -> bool:
        return self._alike.value(formula, state) is True

    def shows(self, formula: Formula, place: int, *, value: bool) -> bool:
        """Return whether the run from some place on shows that a formula has a value there."""
        plain = self._alike.value(formula, self._states[place])
        if plain is not None:
            return plain == value
        try:
            path = self._paths.some(formula, wanted=value)
        except NotLinear:
            return False
        return self._run_values.along(path)[place]

    def truth(self, formula: Formula, state: State) -> bool:
        """Return the value of a formula in a state of the run, where that shows it."""
        known = self._alike.value(formula, state)
        if known is not None:
            return known
        for place in (each for each, here in enumerate(self._states) if here == state):
            for value in (True, False):
                if self.shows(formula, place, value=value):
                    return value
        raise Unproved(show_formula(formula))

    # Explanations

    def explain(self, formula: Formula, place: int, *, value: bool) -> Explanation:
        """Explain why a formula has a value at some place, which the run shows from there on."""
        self._left -= 1
        state, word = self._states[place], _WORDS[value]
        if self._left < 0:
            text = f"{say(formula)} is {word}; not explained further"
            return leaf(formula, state, value, text)
        if is_propositional(without_idle_quantifiers(formula)):
            return leaf(formula, state, value, f"{say(formula)} is {word}")
        match formula:
            case Exists(path) | All(path) if not is_path_formula(path):
                return self.explain(path, place, value=value)
            case Knows() | GroupKnows() | Obliged():
                return self._knowledge(formula, place, value=value)
            case Exists(path) | All(path):
                return self._run(formula, path, place, value=value)
            case _ if is_path_formula(formula):
                return self._run(All(formula), formula, place, value=value)
            case _:
                branches = tuple(
                    Branch(0, self.explain(part, place, value=wanted))
                    for part, wanted in self._parts(formula, place, value=value)
                )
                text = f"{say(formula)} is {word}, because"
                return Explanation(
                    show_formula(formula),
                    value,
                    text,
                    branches=branches,
                    about=formula,
                    state=state,
                )

    def _parts(self, formula: Formula, place: int, *, value: bool) -> list[tuple[Formula, bool]]:
        """Return the parts of a connective that give it its value, with theirs."""
        match formula:
            case Not(body):
                return [(body, not value)]
            case And(operands) | Or(operands):
                sides = [(operand, value) for operand in operands]
                everything = isinstance(formula, And) == value
            case Implies(left, right):
                sides = [(left, not value), (right, value)]
                everything = not value
            case Iff(left, right):
                known = [
                    (side, self._alike.value(side, self._states[place])) for side in (left, right)
                ]
                return [(side, found) for side, found in known if found is not None]
            case _:
                raise AssertionError(formula)
        if everything:
            return sides
        return next([(p, v)] for p, v in sides if self.shows(p, place, value=v))

    def knowledge(self, known: Mapping[Formula, bool]) -> tuple[Branch, ...]:
        """Explain those of some formulae, with their values in the first state, that are about knowledge."""
        return tuple(
            Branch(0, self.explain(part, 0, value=value))
            for part, value in known.items()
            if self._alike.value(part, self._states[0]) is not None
        )

    def _knowledge(self, formula: KnowledgeFormula, place: int, *, value: bool) -> Explanation:
        """Explain why something is not known, by a run to a state that looks the same."""
        state, body = self._states[place], formula.body
        found = self._alike.witness(formula, state)
        if value or found is None:
            return leaf(formula, state, value, f"{say(formula)} is {_WORDS[value]}")
        doubt, (states, loop, end) = found
        there = PathEvidence(self._alike, self._alike.paths(body), states, loop)
        places, again = there.places(end)
        onward = None
        if self._alike.fair:
            onward = run_through(self._system, [states[each] for each in places], again)
        elsewhere = there.explain(body, end, value=False)
        why = Explanation(
            show_formula(formula),
            value=False,
            text=confusion(doubt.agents, body),
            relation="knowledge",
            agents=doubt.agents,
            run=run_through(self._system, list(states[: end + 1])),
            branches=(Branch(end, elsewhere),),
            about=formula,
            state=state,
            onward=onward,
        )
        if isinstance(formula, Obliged):
            text = broken_obligation(formula)
            return replace(why, text=text, relation="norm", agents=(formula.agent,))
        return why

    def _run(
        self,
        formula: Exists | All,
        path: Formula,
        place: int,
        *,
        value: bool,
    ) -> Explanation:
        places, loop = self.places(place)
        claims = self._claims(path, places, loop, value=value)
        run = run_through(self._system, [self._states[each] for each in places], loop)
        shape = "this run" if loop is None else "this run, which goes round for ever,"
        verb = "satisfies" if isinstance(formula, Exists) else "breaks"
        branches = tuple(
            Branch(position, self.explain(part, places[position], value=wanted))
            for position, part, wanted in claims
        )
        return Explanation(
            show_formula(formula),
            value,
            f"{shape} {verb} {say(path)}",
            "time",
            run=run,
            branches=branches,
            about=formula,
            state=self._states[place],
        )

    def places(self, place: int) -> tuple[list[int], int | None]:
        """Return the places that come from one on, and where the run goes on after the last of them."""
        if self._loop is None:
            return list(range(place, len(self._states))), None
        if place <= self._loop:
            return list(range(place, len(self._states))), self._loop - place
        return [*range(place, len(self._states)), *range(self._loop, place)], 0

    def _claims(
        self, path: Formula, places: list[int], loop: int | None, *, value: bool
    ) -> list[tuple[int, Formula, bool]]:
        """Return what has to be claimed of places on a run for a path formula to have its value on it."""
        parts = [part for part in state_subformulae(path) if not is_propositional(part)]
        claims: list[tuple[int, Formula, bool]] = []
        known: dict[tuple[int, Formula], bool] = {}

        def at(part: Formula, position: int) -> bool | None:
            plain = plain_value(self._system, part, self._states[places[position]])
            told = known.get((position, part)) if plain is None else plain
            return connected(part, lambda each: at(each, position)) if told is None else told

        for position, place in enumerate(places):
            if path_value(path, len(places), loop, at) is value:
                break
            for part in dict.fromkeys(parts):
                for wanted in (True, False):
                    if self.shows(part, place, value=wanted):
                        known[position, part] = wanted
                        claims.append((position, part, wanted))
                        break
        if len(claims) > _MOST_CLAIMS:
            return claims
        for claim in list(claims):
            # What is known in moments that do not matter need not be told.
            position, part, wanted = claim
            if is_momentary(without_idle_quantifiers(part)):
                del known[position, part]
                if path_value(path, len(places), loop, at) is value:
                    claims.remove(claim)
                else:
                    known[position, part] = wanted
        return claims


def without_path(
    value_of: Callable[[Formula, State], bool | None], formula: Formula, state: State
) -> dict[Formula, bool]:
    """Return the values of parts of a formula in a state, where it is false for want of a path.

    `value_of` says what formulae about one moment are worth.
    """
    found: dict[Formula, bool] = {}
    waiting: list[tuple[Formula, bool]] = [(formula, False)]
    while waiting:
        part, value = waiting.pop()
        match part:
            case Not(body):
                sides, everything = [(body, not value)], True
            case And(operands) | Or(operands):
                sides, everything = (
                    [(each, value) for each in operands],
                    isinstance(part, And) == value,
                )
            case Implies(left, right):
                sides, everything = [(left, not value), (right, value)], not value
            case _:
                found[part] = value
                continue
        values = [(side, wanted, value_of(side, state)) for side, wanted in sides]
        if everything or all(plain is not wanted for _, wanted, plain in values):
            waiting += [(side, wanted) for side, wanted, plain in values if plain is None]
            found |= {side: plain for side, _, plain in values if plain is not None}
    return found
