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

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from gnomon.certificate.deductive.assertions import (
    ALWAYS,
    NEVER,
    Assertion,
    condition_of,
    every,
    opposite,
    some,
)
from gnomon.certificate.deductive.symbolic_moment import SymbolicMoment
from gnomon.certificate.deductive.written_conditions import (
    LinearSum,
    WrittenConditions,
)
from gnomon.certificate.rejection import Malformed, require
from gnomon.certificate.shape import integer, items, member, row
from gnomon.certificate.smt_terms import SmtText, conj, neg, number
from gnomon.model.expression import Read

Reason: TypeAlias = Literal["leaves", "falls", "avoids"]


class StepCase(Protocol):
    """Some steps, for a solver: forwards, or backwards."""

    @property
    def now(self) -> SymbolicMoment:
        """The moment before the step."""

    def after(self, looked_at: frozenset[Read], /) -> tuple[SymbolicMoment, list[SmtText]]:
        """Return the moment after the step as far as some variables tell, and what is known of it."""

    def prove(self, given: Iterable[SmtText], goal: SmtText, what: str) -> None:
        """Have it proved that something follows for these steps."""


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


#: A node, and those that may follow it, each where it does.
NodeEdges: TypeAlias = tuple[int, tuple[tuple[int, Assertion], ...]]
#: The nodes that may follow each node; without a tableau there is one.
ONE_NODE: Final = ((0,),)


class Ending:
    """The argument that no run which makes certain moves stays for ever where some conditions hold."""

    def __init__(
        self,
        stages: tuple[Stage, ...],
        following: tuple[tuple[int, ...], ...] = ONE_NODE,
        fails: tuple[tuple[Assertion, ...], ...] = (),
        picks: tuple[tuple[Assertion, ...], ...] = (),
    ) -> None:
        """Take the stages of an argument; `fails` is where each constraint surely is not met, by node.

        `picks` tells, for each node and each that may follow it, in which next states that one does.
        """
        left = [stage.parts for stage in stages if stage.reason != "falls"]
        empty = bool(left) and all(part is NEVER for part in left[-1])
        require(empty, "something is left where a run may stay for ever")
        for stage in stages:
            known = stage.reason != "avoids" or 0 <= stage.constraint < len(fails)
            require(known, "there is no such constraint")
        self._stages = stages
        self._following = following
        self._fails = fails
        self._picks = picks or tuple((ALWAYS,) * len(each) for each in following)

    @property
    def looked_at(self) -> frozenset[Read]:
        """The variables that matter after a step."""
        found: frozenset[Read] = frozenset()
        for stage in self._stages:
            found = found.union(*(part.reads for part in stage.parts))
            found = found.union(*(each.quantity.reads for each in stage.sums))
        return found.union(*(pick.reads for picks in self._picks for pick in picks))

    def prove(self, move: StepCase, inside: tuple[Assertion, ...], node: int | None = None) -> None:
        """Have all stages proved of some moves of runs that stay inside; perhaps only those of one node."""
        edges = tuple(
            (here, tuple(zip(following, picks, strict=True)))
            for here, (following, picks) in enumerate(
                zip(self._following, self._picks, strict=True)
            )
            if node in (None, here)
        )
        proof = _StagesOfMove(move, edges, inside)
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
        move: StepCase,
        edges: tuple[NodeEdges, ...],
        inside: tuple[Assertion, ...],
    ) -> None:
        self._move = move
        self._edges = edges
        self.inside = inside
        self._gone: list[list[SmtText]] = [[] for _ in inside]
        #: The variables that tell whether a move is gone.
        self._cone: frozenset[Read] = frozenset()

    def _next(self, edges: NodeEdges) -> list[tuple[int, Assertion]]:
        """Return the nodes that may follow one, with the states inside in which they do."""
        return [(each, every((self.inside[each], pick))) for each, pick in edges[1]]

    def _left_out(self, stage: Stage, node: int) -> list[SmtText]:
        """Return that a state is left out by a stage, and that the move is not gone."""
        now = self._move.now
        here = self.inside[node].text(now), neg(stage.parts[node].text(now))
        return [*here, *map(neg, self._gone[node])]

    def leaves(self, stage: Stage) -> None:
        """Have it proved that what is left out is left at once."""
        for edges in self._edges:
            target = some(inside for _, inside in self._next(edges))
            after, known = self._move.after(target.reads | self._cone)
            given = [*self._left_out(stage, edges[0]), *known]
            self._move.prove(given, neg(target.text(after)), "a run may stay where it should not")

    def avoids(self, stage: Stage, fails: tuple[Assertion, ...]) -> None:
        """Have it proved that what is left out is not left again, and that a constraint is not met in it."""
        for edges in self._edges:
            given = self._left_out(stage, edges[0])
            now = self._move.now
            self._move.prove(given, fails[edges[0]].text(now), "a constraint may be met")
            for each, inside in self._next(edges):
                self._closed(given, inside, opposite(stage.parts[each]))

    def _closed(self, given: list[SmtText], inside: Assertion, part: Assertion) -> None:
        """Have it proved that who stays inside stays in a part."""
        after, known = self._move.after(inside.reads | part.reads | self._cone)
        stays = [*given, *known, inside.text(after)]
        self._move.prove(stays, part.text(after), "a part of an argument may be left")

    def falls(self, stage: Stage) -> None:
        """Have it proved that some quantities do not grow in a part; moves by which one falls are gone."""
        for edges in self._edges:
            for each, inside in self._next(edges):
                self._closed(self._within(stage, edges[0]), inside, stage.parts[each])
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
        for edges in self._edges:
            target = some(inside for _, inside in self._next(edges))
            after, known = move.after(target.reads | self._cone | reads)
            given = [*self._within(stage, edges[0]), *known, target.text(after)]
            move.prove(given, f"(<= {two} {one})", "a quantity may grow that should only fall")
        # The next one may grow by moves that are gone by now.
        falls = f"(and (< {two} {one}) (>= {one} {number(each.bound)}))"
        for node, gone in enumerate(self._gone):
            gone.append(conj((stage.parts[node].text(move.now), falls)))
        self._cone |= reads
