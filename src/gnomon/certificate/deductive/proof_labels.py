"""Where formulae hold and where they fail, as a proof says: for each a condition, and why it is so.

A label says of every state that can be reached, and in which its condition holds, that a formula holds there,
or that it fails. Connectives need none.
"""

from typing import NamedTuple

from gnomon.certificate.core import spelled
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
from gnomon.certificate.deductive.conduct import Mover, read_conduct
from gnomon.certificate.deductive.ending import Ending, read_stages
from gnomon.certificate.deductive.knowing import Knowing
from gnomon.certificate.deductive.moves import Moves
from gnomon.certificate.deductive.steps import SymbolicSteps
from gnomon.certificate.deductive.written_conditions import WrittenConditions
from gnomon.certificate.rejection import Unproved, require
from gnomon.certificate.shape import boolean, items, member, string
from gnomon.model.expression import FALSE
from gnomon.model.formula import (
    All,
    And,
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
    Or,
    Proposition,
    Release,
    StateCondition,
    Until,
    WeakUntil,
    is_path_formula,
    show_formula,
)
from gnomon.model.system import System


class Objective(NamedTuple):
    """What a path operator wants: `left` until `right` has come, or `left` for ever or until `right`."""

    kind: str
    left: Assertion
    right: Assertion


class Setting(NamedTuple):
    """What a proof is about, and an invariant."""

    system: System
    steps: SymbolicSteps
    assertions: WrittenConditions
    invariant: Assertion


class ProofLabels:
    """The labels of one proof; each is checked when it is first used."""

    def __init__(self, setting: Setting, data: object, *, informed: bool) -> None:
        """Read which labels there are; `informed`: whether coalitions see everything."""
        self._system, self._steps, self._assertions, self._invariant = setting
        self._informed = informed
        self._data: dict[tuple[str, bool], object] = {}
        for each in items(data):
            key = string(member(each, "formula")), boolean(member(each, "holds"))
            require(key not in self._data, "there are two labels for the same")
            self._data[key] = each
        self._known: dict[tuple[Formula, bool], Assertion] = {}

    def side(self, formula: Formula, *, holds: bool) -> Assertion:
        """Return where a formula is shown to hold, or to fail."""
        key = formula, holds
        if key not in self._known:
            self._known[key] = self._side(formula, holds=holds)
        return self._known[key]

    def _side(self, formula: Formula, *, holds: bool) -> Assertion:
        match formula:
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
        where = condition_of(self._assertions, self._assertions.ref(member(data, "where")))
        self._check(formula, where, data, holds=holds)
        return where

    def _check(self, formula: Formula, where: Assertion, data: object, *, holds: bool) -> None:
        match formula:
            case All(path) | Enforces(_, path) | Exists(path):
                members = formula.group.members if isinstance(formula, Enforces) else ()
                if members and holds and not self._informed:
                    raise Unproved(f"{show_formula(formula)} with uniform strategies")
                mover = Mover(members, forces=holds != isinstance(formula, Exists))
                self._temporal(self._objective(path, holds=holds), mover, where, data)
            case Next() | Finally() | Globally() | Until() | WeakUntil() | Release():
                mover = Mover((), forces=holds)  # LTL says it of every path
                self._temporal(self._objective(formula, holds=holds), mover, where, data)
            case Knows(_, body) | GroupKnows(_, _, body):
                knowing = Knowing(self._system, self._steps.script, self._invariant)
                knowing.check(formula, where, self.side(body, holds=holds), holds=holds)
            case _:
                raise Unproved(show_formula(formula))

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

    def _temporal(self, objective: Objective, mover: Mover, where: Assertion, data: object) -> None:
        conduct = read_conduct(
            self._system, self._steps, self._assertions, mover, member(data, "moves")
        )
        kind, left, right = objective
        script = self._steps.script
        now = self._steps.step({}).now
        given = [self._invariant.text(now), where.text(now)]
        if kind == "next":
            moves = Moves(self._steps, self._assertions, conduct, where, self._invariant)
            moves.check()
            self._leads_to(moves, right, "a next state is another one than it should be")
            return
        inside = every((where, opposite(right)))
        moves = Moves(self._steps, self._assertions, conduct, inside, self._invariant)
        moves.check()
        held = some((left, right)) if kind == "until" else left
        script.prove(given, held.text(now), "a label has a state that it should not have")
        self._leads_to(moves, where, "a label is left")
        if kind == "until":
            ending = Ending(self._assertions, read_stages(self._assertions, member(data, "stages")))
            for case in moves.cases(ending.looked_at | inside.reads):
                ending.prove(case, inside)

    def _leads_to(self, moves: Moves, target: Assertion, what: str) -> None:
        for case in moves.cases(target.reads):
            after, known = case.after(target.reads)
            case.prove(known, target.text(after), what)


def _until(left: Assertion, right: Assertion, *, holds: bool) -> Objective:
    """Return what it takes that `right` comes and `left` holds up to there, or that this fails."""
    return Objective("until", left, right) if holds else Objective("weak", right, left)


def _weak(held: Assertion, won: Assertion, *, holds: bool) -> Objective:
    """Return what it takes that `held` holds for ever or until `won`, or that this fails."""
    return Objective("weak", held, won) if holds else Objective("until", won, held)
