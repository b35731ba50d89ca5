"""What agents can do by themselves while the environment stays as it is."""

from collections.abc import Iterator
from itertools import product

from gnomon.engines.parameterised.compiled import CompiledAction, CompiledPopulation
from gnomon.engines.parameterised.ground_facts import Literals
from gnomon.engines.parameterised.local_sets import LocalSet, first
from gnomon.model.agent import ENVIRONMENT
from gnomon.text.record import Record


class SolitaryMove(Record):
    """A move that an agent can make by itself: from some states, in some states of the environment."""

    act: CompiledAction
    own: LocalSet
    environment: LocalSet
    facts: Literals
    #: Where it leads to.
    targets: LocalSet


class SolitaryMoves:
    """The moves that agents can make by themselves, and where these lead."""

    def __init__(self, program: CompiledPopulation, contested: frozenset[int]) -> None:
        """Find the moves; only facts that are contested stand against one."""
        self._program = program
        self._contested = contested
        self._preimages: dict[tuple[int, LocalSet], LocalSet] = {}
        self._closures: dict[tuple[str, LocalSet, tuple[int, ...]], LocalSet] = {}
        self._moves = {name: list(self._moves_of(name)) for name in program.names}

    def _moves_of(self, name: str) -> Iterator[SolitaryMove]:
        program = self._program
        for act in program.local(name):
            for cube in act.cubes:
                if not cube.others and not cube.every:
                    yield self._move(act, cube.own, cube.environment, cube.facts)
        for act in program.shared(name):
            if act.name in program.system.broadcast or act.name in program.system.followed_by:
                continue  # others change with it
            for own in program.shared(ENVIRONMENT):
                if own.name != act.name or not own.stays:
                    continue
                for mine, other in product(act.cubes, own.cubes):
                    if mine.others or mine.every or other.others or other.every:
                        continue
                    both = mine.environment & other.environment
                    yield self._move(act, mine.own, both, mine.facts | other.facts)

    def _move(
        self, act: CompiledAction, own: LocalSet, environment: LocalSet, facts: Literals
    ) -> SolitaryMove:
        targets = self._program.spaces[act.part].image(act.updates, own)
        return SolitaryMove(act, own, environment, facts & self._contested, targets)

    def applying(self, name: str, environment: LocalSet, facts: Literals) -> tuple[int, ...]:
        """Return which moves of an agent are possible in all states of a cube, by number."""
        return tuple(
            number
            for number, move in enumerate(self._moves[name])
            if not environment & ~move.environment and move.facts <= facts
        )

    def closed(self, name: str, mask: LocalSet, environment: LocalSet, facts: Literals) -> LocalSet:
        """Return from where an agent can get into a set by itself: the least set closed under pre-images."""
        moves = self.applying(name, environment, facts)
        key = (name, mask, moves)
        found = self._closures.get(key)
        if found is None:
            found = fresh = mask
            while fresh:
                before: LocalSet = 0
                for number in moves:
                    move = self._moves[name][number]
                    if fresh & move.targets:
                        before |= self.preimage(move.act, fresh) & move.own
                fresh = before & ~found
                found |= fresh
            self._closures[key] = found
        return found

    def preimage(self, act: CompiledAction, mask: LocalSet) -> LocalSet:
        """Return the states that an act leads into a set."""
        key = (id(act), mask)
        found = self._preimages.get(key)
        if found is None:
            found = self._program.spaces[act.part].preimage(act.updates, mask)
            self._preimages[key] = found
        return found

    def way(
        self, name: str, start: int, core: LocalSet, numbers: tuple[int, ...]
    ) -> list[CompiledAction]:
        """Return the acts that lead an agent into a set, as few as possible."""
        space = self._program.spaces[name]
        moves = [self._moves[name][number] for number in numbers]
        before: dict[int, tuple[int, CompiledAction] | None] = {start: None}
        for state in (waiting := [start]):
            if core >> state & 1:
                acts: list[CompiledAction] = []
                here = state
                while (step := before[here]) is not None:
                    here = step[0]
                    acts.append(step[1])
                return acts[::-1]
            only = space.only(state)
            for move in moves:
                source = only & move.own
                target = first(space.image(move.act.updates, source)) if source else start
                if target not in before:
                    before[target] = (state, move.act)
                    waiting.append(target)
        return []
