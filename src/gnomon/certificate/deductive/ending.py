"""That no run stays somewhere for ever: a list of smaller and smaller conditions, each with its reason.

Suppose that a run stays in the first condition for ever. Then from some moment on it stays in each of the
others, and makes none of the moves that are gone:

- *leaves*: from what is left out, every move that is not gone leads out of the condition before.
- *falls*: in a part of the condition that is not left again by moves that are not gone, some quantities never
  grow. None of them falls for ever, since each is bounded where it does: moves by which one falls are gone.
- *avoids*: a part that is not left again, and in which a constraint of fairness never holds, is left out.

The last condition is false, so there is no such run. Where runs go together with the nodes of a tableau,
there is one condition for each node.
"""

from typing import Final, Literal, NamedTuple, TypeAlias

from gnomon.certificate.deductive.assertions import NEVER, Assertion, condition_of, opposite, some
from gnomon.certificate.deductive.moves import MoveCase
from gnomon.certificate.deductive.written_conditions import (
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
    """One step of the argument, with a condition for each node.

    For *leaves* and *avoids*, `parts` are what is left of the conditions before; for *falls*, where
    quantities do not grow.
    """

    reason: Reason
    parts: tuple[Assertion, ...]
    sums: tuple[BoundedSum, ...] = ()
    constraint: int = 0


def read_stages(written: WrittenConditions, data: object, nodes: int) -> tuple[Stage, ...]:
    """Return the stages of an argument about so many nodes."""
    return tuple(_stage(written, each, nodes) for each in items(data))


def _stage(written: WrittenConditions, data: object, nodes: int) -> Stage:
    reason = member(data, "reason")
    refs = row(member(data, "parts"), nodes)
    parts = tuple(condition_of(written, written.ref(each)) for each in refs)
    if reason == "falls":
        sums = tuple(_bounded(written, each) for each in items(member(data, "sums")))
        require(sums, "nothing falls")
        return Stage("falls", parts, sums)
    if reason == "avoids":
        return Stage("avoids", parts, (), integer(member(data, "constraint")))
    if reason == "leaves":
        return Stage("leaves", parts)
    raise Malformed("no such reason")


def _bounded(written: WrittenConditions, data: object) -> BoundedSum:
    terms, bound = row(data, 2)
    return BoundedSum(LinearSum(written.linear(terms)), integer(bound))


#: The nodes that may follow each node; without a tableau there is one.
ONE_NODE: Final = ((0,),)


class Ending:
    """The argument that no run which makes certain moves stays for ever where some conditions hold."""

    def __init__(
        self,
        stages: tuple[Stage, ...],
        following: tuple[tuple[int, ...], ...] = ONE_NODE,
        fails: tuple[tuple[Assertion, ...], ...] = (),
    ) -> None:
        """Take the stages of an argument; `fails` is where each constraint surely is not met, by node."""
        left = [stage.parts for stage in stages if stage.reason != "falls"]
        empty = bool(left) and all(part is NEVER for part in left[-1])
        require(empty, "something is left where a run may stay for ever")
        for stage in stages:
            known = stage.reason != "avoids" or 0 <= stage.constraint < len(fails)
            require(known, "there is no such constraint")
        self._stages = stages
        self._following = following
        self._fails = fails

    @property
    def looked_at(self) -> frozenset[Read]:
        """The variables that matter after a step."""
        found: frozenset[Read] = frozenset()
        for stage in self._stages:
            found = found.union(*(part.reads for part in stage.parts))
            found = found.union(*(each.quantity.reads for each in stage.sums))
        return found

    def prove(self, move: MoveCase, inside: tuple[Assertion, ...]) -> None:
        """Have all stages proved of some moves of runs that stay inside."""
        proof = _StagesOfMove(move, self._following, inside)
        for stage in self._stages:
            if stage.reason == "falls":
                proof.falls(stage)
                continue
            if stage.reason == "leaves":
                proof.leaves(stage)
            else:
                proof.avoids(stage, self._fails[stage.constraint])
            proof.inside = stage.parts


class _StagesOfMove:
    """The stages so far, of some moves: where a run stays for ever, and the moves that are gone."""

    def __init__(
        self,
        move: MoveCase,
        following: tuple[tuple[int, ...], ...],
        inside: tuple[Assertion, ...],
    ) -> None:
        self._move = move
        self._following = following
        self.inside = inside
        self._gone: list[list[SmtText]] = [[] for _ in inside]
        #: The variables that tell whether a move is gone.
        self._cone: frozenset[Read] = frozenset()

    def _left_out(self, stage: Stage, node: int) -> list[SmtText]:
        """Return that a state is left out by a stage, and that the move is not gone."""
        now = self._move.now
        here = self.inside[node].text(now), neg(stage.parts[node].text(now))
        return [*here, *map(neg, self._gone[node])]

    def leaves(self, stage: Stage) -> None:
        """Have it proved that what is left out is left at once."""
        for node, after_it in enumerate(self._following):
            target = some(self.inside[each] for each in after_it)
            after, known = self._move.after(target.reads | self._cone)
            given = [*self._left_out(stage, node), *known]
            self._move.prove(given, neg(target.text(after)), "a run may stay where it should not")

    def avoids(self, stage: Stage, fails: tuple[Assertion, ...]) -> None:
        """Have it proved that what is left out is not left again, and that a constraint is not met in it."""
        for node, after_it in enumerate(self._following):
            given = self._left_out(stage, node)
            now = self._move.now
            self._move.prove(given, fails[node].text(now), "a constraint may be met")
            for each in after_it:
                self._closed(given, each, opposite(stage.parts[each]))

    def _closed(self, given: list[SmtText], node: int, part: Assertion) -> None:
        """Have it proved that who stays inside stays in a part."""
        inside = self.inside[node]
        after, known = self._move.after(inside.reads | part.reads | self._cone)
        stays = [*given, *known, inside.text(after)]
        self._move.prove(stays, part.text(after), "a part of an argument may be left")

    def falls(self, stage: Stage) -> None:
        """Have it proved that some quantities do not grow in a part; moves by which one falls are gone."""
        for node, after_it in enumerate(self._following):
            for each in after_it:
                self._closed(self._within(stage, node), each, stage.parts[each])
        for quantity in stage.sums:
            self._never_grows(stage, quantity)

    def _within(self, stage: Stage, node: int) -> list[SmtText]:
        now = self._move.now
        here = self.inside[node].text(now), stage.parts[node].text(now)
        return [*here, *map(neg, self._gone[node])]

    def _never_grows(self, stage: Stage, each: BoundedSum) -> None:
        move, reads = self._move, each.quantity.reads
        own, _ = move.after(reads)
        one, two = each.quantity.text(move.now), each.quantity.text(own)
        if one == two:
            return
        for node, after_it in enumerate(self._following):
            target = some(self.inside[each] for each in after_it)
            after, known = move.after(target.reads | self._cone | reads)
            given = [*self._within(stage, node), *known, target.text(after)]
            move.prove(given, f"(<= {two} {one})", "a quantity may grow that should only fall")
        # The next one may grow by moves that are gone by now.
        falls = f"(and (< {two} {one}) (>= {one} {number(each.bound)}))"
        for node, gone in enumerate(self._gone):
            gone.append(conj((stage.parts[node].text(move.now), falls)))
        self._cone |= reads
