"""That no run stays somewhere for ever: a list of smaller and smaller conditions, each with its reason.

Suppose that a run stays in the first condition for ever. Then from some moment on it stays in each of the
others, and makes none of the moves that are gone:

- *leaves*: from what is left out, every move that is not gone leads out of the condition before.
- *falls*: in a part of the condition that is not left again by moves that are not gone, some quantities never
  grow. None of them falls for ever, since each is bounded where it does: moves by which one falls are gone.
- *avoids*: a part that is not left again, and in which a constraint of fairness never holds, is left out.

The last condition is false, so there is no such run.
"""

from typing import Literal, NamedTuple, TypeAlias

from gnomon.certificate.deductive.assertions import Assertion, condition_of
from gnomon.certificate.deductive.moves import MoveCase
from gnomon.certificate.deductive.written_conditions import (
    ConditionRef,
    LinearSum,
    WrittenConditions,
)
from gnomon.certificate.rejection import Malformed, require
from gnomon.certificate.shape import integer, items, member, row
from gnomon.certificate.smt_terms import SmtText, conj, neg, number
from gnomon.model.expression import Read

Reason: TypeAlias = Literal["leaves", "falls", "avoids"]


class BoundedSum(NamedTuple):
    """A quantity, and a bound that it does not fall from below."""

    quantity: LinearSum
    bound: int


class Stage(NamedTuple):
    """One step of the argument.

    For *leaves* and *avoids*, `part` is what is left of the condition before; for *falls*, where
    quantities do not grow.
    """

    reason: Reason
    part: ConditionRef
    sums: tuple[BoundedSum, ...] = ()
    constraint: int = 0


def read_stages(assertions: WrittenConditions, data: object) -> tuple[Stage, ...]:
    """Return the stages of an argument."""
    return tuple(_stage(assertions, each) for each in items(data))


def _stage(assertions: WrittenConditions, data: object) -> Stage:
    reason = member(data, "reason")
    part = assertions.ref(member(data, "part"))
    if reason == "falls":
        sums = tuple(_bounded(assertions, each) for each in items(member(data, "sums")))
        require(sums, "nothing falls")
        return Stage("falls", part, sums)
    if reason == "avoids":
        return Stage("avoids", part, (), integer(member(data, "constraint")))
    if reason == "leaves":
        return Stage("leaves", part)
    raise Malformed("no such reason")


def _bounded(assertions: WrittenConditions, data: object) -> BoundedSum:
    terms, bound = row(data, 2)
    return BoundedSum(LinearSum(assertions.linear(terms)), integer(bound))


class Ending:
    """The argument that no run which makes certain moves stays for ever where some condition holds."""

    def __init__(
        self,
        assertions: WrittenConditions,
        stages: tuple[Stage, ...],
        fails: tuple[Assertion, ...] = (),
    ) -> None:
        """Take the stages of an argument; `fails` is where each constraint of fairness fails."""
        for stage in stages:
            require(0 <= stage.constraint < max(1, len(fails)), "there is no such constraint")
            require(stage.reason != "avoids" or fails, "there is no constraint to avoid")
        left = [stage.part for stage in stages if stage.reason != "falls"]
        require(left and left[-1] is False, "something is left where a run may stay for ever")
        self._assertions = assertions
        self._stages = stages
        self._fails = fails

    @property
    def looked_at(self) -> frozenset[Read]:
        """The variables that matter after a step."""
        found: frozenset[Read] = frozenset()
        for stage in self._stages:
            found |= self._assertions.reads(stage.part)
            found = found.union(*(each.quantity.reads for each in stage.sums))
        return found

    def prove(self, move: MoveCase, inside: Assertion) -> None:
        """Have all stages proved of some moves of runs that stay inside."""
        gone: list[SmtText] = []
        cone: frozenset[Read] = frozenset()
        for stage in self._stages:
            part = condition_of(self._assertions, stage.part)
            if stage.reason == "leaves":
                self._leaves(move, inside, part, gone, cone)
            elif stage.reason == "avoids":
                self._avoids(move, inside, part, gone, cone)
                holds_not = self._fails[stage.constraint].text(move.now)
                outside = neg(part.text(move.now))
                move.prove([inside.text(move.now), outside], holds_not, "a constraint may be met")
            else:
                falling, cone = self._falls(move, inside, part, stage.sums, (gone, cone))
                gone = [*gone, *falling]
                continue
            inside = part

    def _leaves(
        self,
        move: MoveCase,
        inside: Assertion,
        part: Assertion,
        gone: list[SmtText],
        cone: frozenset[Read],
    ) -> None:
        given = [inside.text(move.now), neg(part.text(move.now)), *map(neg, gone)]
        after, known = move.after(inside.reads | cone)
        move.prove([*given, *known], neg(inside.text(after)), "a run may stay where it should not")

    def _avoids(
        self,
        move: MoveCase,
        inside: Assertion,
        part: Assertion,
        gone: list[SmtText],
        cone: frozenset[Read],
    ) -> None:
        given = [inside.text(move.now), neg(part.text(move.now)), *map(neg, gone)]
        after, known = move.after(inside.reads | part.reads | cone)
        given += [*known, inside.text(after)]
        move.prove(given, neg(part.text(after)), "a run may come back to meet a constraint")

    def _falls(
        self,
        move: MoveCase,
        inside: Assertion,
        part: Assertion,
        sums: tuple[BoundedSum, ...],
        over: tuple[list[SmtText], frozenset[Read]],
    ) -> tuple[list[SmtText], frozenset[Read]]:
        """Return the moves by which some quantities fall, and the variables that tells."""
        gone, cone = over
        here = part.text(move.now)
        given = [inside.text(move.now), here, *map(neg, gone)]
        after, known = move.after(inside.reads | part.reads | cone)
        stays = [*given, *known, inside.text(after)]
        move.prove(stays, part.text(after), "a part may be left in which something falls")
        falling: list[SmtText] = []
        for each in sums:
            reads = each.quantity.reads
            own, _ = move.after(reads)
            one, two = each.quantity.text(move.now), each.quantity.text(own)
            if one == two:
                continue
            whole, known = move.after(inside.reads | cone | reads)
            stays = [*given, *known, inside.text(whole)]
            move.prove(stays, f"(<= {two} {one})", "a quantity may grow that should only fall")
            falls = conj((here, f"(< {two} {one})", f"(>= {one} {number(each.bound)})"))
            # The next one may grow by moves that are gone by now.
            falling.append(falls)
            given.append(neg(falls))
            cone |= reads
        return falling, cone
