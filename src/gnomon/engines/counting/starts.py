"""The initial states, counted: which blocks a member may begin with, and how many begin with which.

What the initial condition says of one member alone, and of nobody in the crowd, is looked at by itself;
whether all of it holds is asked of each state that is put together.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product
from math import comb
from typing import Final

from gnomon.engines.concrete.compile import condition_function
from gnomon.engines.counting.layout import Block, Counted, Layout
from gnomon.engines.counting.work import WorkLeft
from gnomon.model.budget import Budget
from gnomon.model.domain import Datum, values_of
from gnomon.model.expression import And, Compare, Defined, Expression, Literal, Read, reads
from gnomon.model.initial import assignments_satisfying
from gnomon.model.step import State

#: To look at a condition takes about so much less than to make a move.
_CONDITIONS_FOR_A_MOVE: Final = 10


def counted_starts(layout: Layout, budget: Budget, work: WorkLeft) -> Iterator[Counted]:
    """Yield the counts of the initial states, each once."""
    system = layout.system
    conjuncts = list(_conjuncts(system.initial))
    single, first = set(layout.single), {positions[0] for positions in layout.slots}
    position = {Read(agent, name): at for (agent, name), at in system.position.items()}

    def about(places: set[int]) -> list[Expression]:
        return [each for each in conjuncts if {position[read] for read in reads(each)} <= places]

    def tried(cases: int) -> None:
        work.take(1 + cases // _CONDITIONS_FOR_A_MOVE)

    def found(places: set[int]) -> Iterable[State]:
        fixed = [
            Compare("=", read, Literal(values_of(system.variables[at].domain)[0]))
            for read, at in position.items()
            if at not in places
        ]
        condition = And((*fixed, *about(places)))
        return assignments_satisfying(system, condition, budget, tried)

    blocks = [tuple(state[positions[0]] for positions in layout.slots) for state in found(first)]
    blocks = list(dict.fromkeys(blocks))
    starts = condition_function(
        system.initial, {read: f"s[{at}]" for read, at in position.items()}, "s"
    )
    seen: set[tuple[object, ...]] = set()
    for state in found(single):
        values = [state[at] for at in layout.single]
        pointed = [each.place_of.get(state[each.position]) for each in layout.pointers]
        somebody = list(dict.fromkeys(place for place in pointed if place is not None))
        # Whoever is pointed at, it matters only which variables point at the same.
        nobody = layout.of_nobody(values)
        pattern = (nobody, *(None if at is None else somebody.index(at) for at in pointed))
        if pattern in seen:
            continue
        seen.add(pattern)
        flags = [tuple(at == place for at in pointed) for place in somebody]
        rest = layout.size - len(somebody)
        nobody_there = (False,) * len(pointed)
        work.take(
            len(blocks) ** len(somebody) * comb(rest + len(blocks) - 1, rest) if blocks else 1
        )
        for those in product(blocks, repeat=len(somebody)):
            marked = [(*block, *flag) for block, flag in zip(those, flags, strict=True)]
            for others in combinations_with_replacement(blocks, rest):
                everybody = [*marked, *((*block, *nobody_there) for block in others)]
                counted = _counted(nobody, everybody)
                if starts(layout.state(counted)):
                    yield counted


def _counted(nobody: tuple[Datum | None, ...], blocks: list[Block]) -> Counted:
    counts: dict[Block, int] = {}
    for block in blocks:
        counts[block] = counts.get(block, 0) + 1
    return nobody, tuple(sorted(counts.items()))


def _conjuncts(condition: Expression) -> Iterator[Expression]:
    match condition:
        case And(operands):
            for operand in operands:
                yield from _conjuncts(operand)
        case Defined(_, body):
            yield from _conjuncts(body)
        case _:
            yield condition
