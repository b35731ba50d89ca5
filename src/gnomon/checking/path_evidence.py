"""What supports a verdict that rests on one run: the run itself, and where on it what holds."""

from collections.abc import Sequence
from typing import Final

from gnomon.certificate.plain import path_value, plain_value
from gnomon.certificate.rejection import Unproved
from gnomon.checking.linear_paths import LinearPaths, NotLinear, without_idle_quantifiers
from gnomon.logic.explainer import MOST_EXPLANATIONS, leaf, say
from gnomon.logic.path import (
    Both,
    Either,
    Path,
    PathConstant,
    PathNext,
    PathRelease,
    PathUntil,
    PathWindow,
    StateLiteral,
)
from gnomon.logic.run_steps import run_through
from gnomon.model.evidence import Branch, Evidence, Explanation, Run, Step
from gnomon.model.formula import (
    All,
    And,
    Exists,
    Formula,
    Implies,
    Not,
    Or,
    is_path_formula,
    show_formula,
)
from gnomon.model.fragment import is_propositional, state_subformulae
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.text.record import replace

_WORDS: Final = {True: "true", False: "false"}


class PathEvidence:
    """Explains formulae by one run, which goes on from `loop` after its end."""

    def __init__(
        self, system: System, paths: LinearPaths, states: Sequence[State], loop: int | None
    ) -> None:
        """Explain by this run."""
        self._system = system
        self._paths = paths
        self._states = tuple(states)
        self._loop = loop
        self._values: dict[Path, list[bool]] = {}
        self._left = MOST_EXPLANATIONS

    def evidence(self, formula: Formula, *, value: bool, fair: bool) -> Evidence:
        """Return what the run says of a formula in its first state; `fair`: it is a fair path."""
        why = self.explain(formula, 0, value=value)
        counts = run_through(self._system, list(self._states), self._loop) if fair else None
        if why.run is None and not value:
            why = replace(why, run=Run((Step(self._states[0]),)), onward=counts)
        return Evidence("witness" if value else "counterexample", why, counts=counts)

    def shows(self, formula: Formula, place: int, *, value: bool) -> bool:
        """Return whether the run from some place on shows that a formula has a value there."""
        plain = plain_value(self._system, formula, self._states[place])
        if plain is not None:
            return plain == value
        try:
            path = self._paths.some(formula, wanted=value)
        except NotLinear:
            return False
        return self._along(path)[place]

    def truth(self, formula: Formula, state: State) -> bool:
        """Return the value of a formula in a state of the run, where that shows it."""
        for place in (each for each, here in enumerate(self._states) if here == state):
            for value in (True, False):
                if self.shows(formula, place, value=value):
                    return value
        raise Unproved(show_formula(formula))

    # Path formulae along the run

    def _along(self, path: Path) -> list[bool]:
        found = self._values.get(path)
        if found is None:
            found = self._values[path] = self._worked_out(path)
        return found

    def _later(self, values: list[bool]) -> list[bool]:
        """Return what comes one step later; after the end of a run nothing does."""
        return [*values[1:], self._loop is not None and values[self._loop]]

    def _worked_out(self, path: Path) -> list[bool]:
        match path:
            case PathConstant(value):
                return [value] * len(self._states)
            case StateLiteral(formula):
                return [plain_value(self._system, formula, state) is True for state in self._states]
            case Both(left, right):
                return [a and b for a, b in self._pairs(left, right)]
            case Either(left, right):
                return [a or b for a, b in self._pairs(left, right)]
            case PathNext(body):
                return self._later(self._along(body))
            case PathUntil(left, right):
                return self._fixpoint(left, right, start=False)
            case PathRelease(left, right):
                return self._fixpoint(left, right, start=True)
            case PathWindow(0, 0):
                return self._along(path.last)
            case PathWindow():
                won, kept = path.early if path.low else path.inside
                later = self._later(self._along(path.rest()))
                pairs = zip(self._pairs(won, kept), later, strict=True)
                return [a or (b and after) for (a, b), after in pairs]

    def _pairs(self, left: Path, right: Path) -> list[tuple[bool, bool]]:
        return list(zip(self._along(left), self._along(right), strict=True))

    def _fixpoint(self, left: Path, right: Path, *, start: bool) -> list[bool]:
        pairs = self._pairs(left, right)
        found = [start] * len(pairs)
        while True:
            later = self._later(found)
            if start:
                new = [b and (a or after) for (a, b), after in zip(pairs, later, strict=True)]
            else:
                new = [b or (a and after) for (a, b), after in zip(pairs, later, strict=True)]
            if new == found:
                return found
            found = new

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
            case _:
                raise AssertionError(formula)
        if everything:
            return sides
        return next([(p, v)] for p, v in sides if self.shows(p, place, value=v))

    def _run(
        self,
        formula: Exists | All,
        path: Formula,
        place: int,
        *,
        value: bool,
    ) -> Explanation:
        places, loop = self._places(place)
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

    def _places(self, place: int) -> tuple[list[int], int | None]:
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
            return known.get((position, part)) if plain is None else plain

        for position, place in enumerate(places):
            if path_value(path, len(places), loop, at) is value:
                break
            for part in dict.fromkeys(parts):
                for wanted in (True, False):
                    if self.shows(part, place, value=wanted):
                        known[position, part] = wanted
                        claims.append((position, part, wanted))
                        break
        return claims


def without_path(system: System, formula: Formula, state: State) -> dict[Formula, bool]:
    """Return the values of parts of a formula in a state, where it is false for want of a path."""
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
        values = [(side, wanted, plain_value(system, side, state)) for side, wanted in sides]
        if everything or all(plain is not wanted for _, wanted, plain in values):
            waiting += [(side, wanted) for side, wanted, plain in values if plain is None]
    return found
