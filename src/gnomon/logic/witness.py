"""A path on which a path formula holds, or fails, and what makes it so."""

from typing import Generic, Protocol, TypeVar

from gnomon.engines.algebra import Set
from gnomon.engines.game import NotShown
from gnomon.logic.denotation import Denotation
from gnomon.logic.frame import Frame
from gnomon.model.formula import (
    Finally,
    Formula,
    Globally,
    Next,
    Release,
    Until,
    WeakUntil,
    parts,
)
from gnomon.model.fragment import is_path_formula
from gnomon.model.step import State
from gnomon.model.system import Logic
from gnomon.text.record import Record


class Claim(Record):
    """At a position of the path, a formula about the state has this value."""

    position: int
    formula: Formula
    value: bool


class Witness(Record):
    """The states of a path, where its loop starts if it has one, and the claims that matter."""

    states: tuple[State, ...]
    loop: int | None
    claims: tuple[Claim, ...]


Set_contra = TypeVar("Set_contra", contravariant=True)


class Walks(Protocol[Set_contra]):
    """Paths of concrete states in sets; each raises `NotShown` where it would take too long."""

    def step(self, state: State, target: Set_contra, /) -> State:
        """Return a successor of a state in `target`."""

    def reach(self, state: State, through: Set_contra, target: Set_contra, /) -> list[State]:
        """Return a path into `target` whose earlier states are in `through`."""

    def stay(
        self, state: State, free: Set_contra, held: Set_contra, /
    ) -> tuple[list[State], int | None]:
        """Return a path in `held`: up to where it is `free`, or with the place it goes back to for ever."""


class Witnesses(Generic[Set]):
    """Finds paths in the sets that a satisfaction relation has computed."""

    def __init__(self, truth: Denotation[Set], walks: Walks[Set], logic: Logic = "CTL") -> None:
        """Read path formulae as `logic` does."""
        self._truth = truth
        self._walks = walks
        self._logic = logic
        self._frame: Frame[Set] = truth.frame(logic)

    def _where(self, formula: Formula, *, value: bool) -> Set:
        states = self._truth.states(formula, self._logic)
        return states if value else self._frame.opposite(states)

    def find(self, path: Formula, state: State, *, wanted: bool) -> Witness:
        """Return a path from a state on which the formula holds, or, not `wanted`, fails."""
        if any(is_path_formula(part) for part in parts(path)):
            return self._general(path, state, wanted=wanted)
        match path:
            case Next(body):
                following = self._walks.step(state, self._end(body, value=wanted))
                return Witness((state, following), None, (Claim(1, body, wanted),))
            case Finally(body) if wanted:
                return self._reach(state, self._frame.universe, body, value=True)
            case Globally(body) if not wanted:
                return self._reach(state, self._frame.universe, body, value=False)
            case Finally(body) | Globally(body):
                return self._stay(state, body, value=wanted)
            case Until(left, right) if wanted:
                return self._until(state, left, right, value=True)
            case Release(left, right) if not wanted:
                return self._until(state, left, right, value=False)
            case Until(left, right) | Release(left, right):
                return self._release(state, left, right, value=wanted)
            case WeakUntil(left, right) if wanted:
                return self._keep(state, left, right)
            case WeakUntil(left, right):
                return self._break(state, left, right)
            case _:
                return self._general(path, state, wanted=wanted)

    def _end(self, formula: Formula, *, value: bool) -> Set:
        """Return where a finite run may end with that value of a formula."""
        states = self._where(formula, value=value)
        return self._frame.algebra.intersection(states, self._frame.tail)

    def _reach(self, state: State, through: Set, goal: Formula, *, value: bool) -> Witness:
        path = self._walks.reach(state, through, self._end(goal, value=value))
        return Witness(tuple(path), None, (Claim(len(path) - 1, goal, value),))

    def _stay(self, state: State, body: Formula, *, value: bool) -> Witness:
        nowhere = self._frame.algebra.empty
        path, loop = self._walks.stay(state, nowhere, self._where(body, value=value))
        claims = tuple(Claim(position, body, value) for position in range(len(path)))
        return Witness(tuple(path), loop, claims)

    def _until(self, state: State, left: Formula, right: Formula, *, value: bool) -> Witness:
        """Return a path on which `right` gets a value in the end, and `left` has it before."""
        found = self._reach(state, self._where(left, value=value), right, value=value)
        before = range(len(found.states) - 1)
        kept = tuple(Claim(position, left, value) for position in before)
        return Witness(found.states, None, (*found.claims, *kept))

    def _release(self, state: State, left: Formula, right: Formula, *, value: bool) -> Witness:
        """Return a path on which `right` has a value until, and when, `left` has it, or for ever.

        So `left U right` fails: it is broken at some state, or never fulfilled.
        """
        free, held = self._end(left, value=value), self._where(right, value=value)
        path, loop = self._walks.stay(state, free, held)
        claims = tuple(Claim(position, right, value) for position in range(len(path)))
        if loop is None:
            claims = (Claim(len(path) - 1, left, value), *claims)
        return Witness(tuple(path), loop, claims)

    def _keep(self, state: State, left: Formula, right: Formula) -> Witness:
        """Return a path on which `left W right` holds."""
        free = self._end(right, value=True)
        held = self._frame.algebra.union(self._where(left, value=True), free)
        path, loop = self._walks.stay(state, free, held)
        kept = len(path) if loop is not None else len(path) - 1
        claims = tuple(Claim(position, left, True) for position in range(kept))
        if loop is None:
            claims = (Claim(len(path) - 1, right, True), *claims)
        return Witness(tuple(path), loop, claims)

    def _break(self, state: State, left: Formula, right: Formula) -> Witness:
        """Return a path on which `left W right` fails: `left` ends, and `right` has not come."""
        never = self._where(right, value=False)
        target = self._frame.algebra.intersection(self._end(left, value=False), never)
        path = self._walks.reach(state, never, target)
        claims = tuple(Claim(position, right, False) for position in range(len(path)))
        return Witness(tuple(path), None, (Claim(len(path) - 1, left, False), *claims))

    def _general(self, path: Formula, state: State, *, wanted: bool) -> Witness:
        """Return a path for a formula of LTL or CTL*; here there is none to show."""
        raise NotShown(path, state, wanted)
