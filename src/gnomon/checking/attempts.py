"""The ways to explore the states of a system, one after the other; engines are loaded when they are used."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Final, Literal, TypeAlias

from gnomon.engines.algebra import Algebra
from gnomon.model.budget import Budget, LimitReached, TryAnother
from gnomon.model.expression import Arithmetic, parts, reads, walk
from gnomon.model.formula import Formula
from gnomon.model.system import System

Engine: TypeAlias = Literal[
    "auto", "bdd", "explicit", "sat", "counting", "abstraction", "parameterised"
]
EngineName: TypeAlias = Literal[
    "bdd", "explicit", "sat", "counting", "abstraction", "parameterised"
]
#: How the symbolic engine orders its variables, and whose decision diagrams it uses.
OrderChoice: TypeAlias = Literal[
    "auto", "structure", "near", "grown", "written", "appearance", "gates"
]
LibraryChoice: TypeAlias = Literal["auto", "oxidd", "cudd", "python"]

#: An unbounded model may well have infinitely many states: there is no point in waiting for millions.
MOST_STATES: Final = {"finite": 5_000_000, "unbounded": 100_000}
#: So many states are listed before anything else is tried on them, if each has few joint actions.
AT_ONCE: Final = 1_000
_FEW_ACTIONS: Final = 256
#: A finite system with so few lines is listed before diagrams are tried, if it has so few moves: that takes
#: less time than loading the library of diagrams. It is moves that count, and no clock, so that the same is
#: done on every machine.
_FEW_LINES: Final = 200
_FEW_MOVES: Final = 2_000
#: Where decision diagrams do badly in spite of few states, listing those states takes seconds.
FEW_STATES: Final = 30_000
#: Operations on diagrams recurse as deep as there are bits.
MOST_BITS: Final = 10_000


@dataclass(frozen=True)
class Wanted:
    """What the user wants of the engines: none of it need be said."""

    engine: Engine = "auto"
    order: OrderChoice = "auto"
    diagrams: LibraryChoice = "auto"
    max_states: int | None = None
    #: Models are pruned state by state.
    pruning: bool = False
    #: Some of what is asked can be decided without exploring.
    unexplored: bool = False


@dataclass(frozen=True)
class Attempt:
    """One way of exploring a system; `final` where each formula is to be decided as far as that goes.

    Where it is not `explored`, the states are all there might be, reachable or not.
    """

    engine: EngineName
    #: What sets it apart from the other attempts.
    name: str
    explore: Callable[[Budget], Algebra[Any]]
    final: bool = False
    explored: bool = True


def attempts(system: System, formulae: Iterable[Formula], wanted: Wanted) -> Iterator[Attempt]:
    """Return the ways to try, one after the other, as each comes to its end before it has decided all."""
    most = wanted.max_states or MOST_STATES[system.kind]
    engine = wanted.engine
    if engine == "auto" and (system.kind == "unbounded" or wanted.pruning):
        engine = "explicit"
    if engine == "explicit":
        yield _explicit(system, most, final=True)
        return
    if system.kind == "unbounded":
        msg = "the symbolic engine needs finite ranges: use --engine abstraction"
        raise LimitReached(msg)
    yield from _symbolic(system, formulae, wanted, most)


def _symbolic(
    system: System, formulae: Iterable[Formula], wanted: Wanted, most: int
) -> Iterator[Attempt]:
    from gnomon.engines.bdd.interleaved_algebra import bdd_algebra
    from gnomon.engines.bdd.setup import Setup, setups
    from gnomon.engines.diagrams.bit_layout import bits_needed

    if bits_needed(system) > MOST_BITS:
        if wanted.engine == "bdd":
            msg = f"the variables need more than {MOST_BITS:,} bits: try --engine explicit"
            raise LimitReached(msg)
        yield _explicit(system, most, final=True)
        return

    def exploring(setup: Setup) -> Callable[[Budget], Algebra[Any]]:
        return lambda budget: bdd_algebra(system, setup, budget)

    order = None if wanted.order == "auto" else wanted.order
    library = None if wanted.diagrams == "auto" else wanted.diagrams
    listed = wanted.engine == "bdd"
    for setup in setups(system, formulae, order, library, unexplored=wanted.unexplored):
        if not listed and not setup.quick:
            listed = True
            yield _explicit(system, min(most, FEW_STATES))
        yield Attempt("bdd", setup.name, exploring(setup), setup.final, setup.explores)
    if wanted.engine == "auto":
        yield _explicit(system, most, final=True)


def listed(system: System, most: int, seconds: float, budget: Budget) -> Algebra[Any]:
    """List the states, up to so many and for so many seconds, within the memory of a budget."""
    own = Budget(seconds, budget.megabytes)
    try:
        found = _explicit(system, most).explore(own)
    finally:
        budget.put_off(
            own.spent()
        )  # it serves all formulae, not only the one that is being decided
    # What is asked of it later takes as long as it may.
    own.seconds = own.megabytes = own.states = None
    own.within = budget
    return found


def at_once(system: System) -> Attempt | None:
    """Return the way to list the states of a system that has few, if that takes no time."""
    return _few_moves(system) if system.kind == "finite" else _few_states(system)


def _few_moves(system: System) -> Attempt | None:
    lines = sum(len(agent.protocol) + len(agent.evolution) for agent in system.agents)
    if lines > _FEW_LINES:
        return None

    def explore(budget: Budget) -> Algebra[Any]:
        from gnomon.engines.explicit.engine import explore_few

        return explore_few(system, _FEW_MOVES, budget)

    return Attempt("explicit", "a few states", explore)


def _few_states(system: System) -> Attempt | None:
    if prod(max(len(agent.actions), 1) for agent in system.agents) > _FEW_ACTIONS:
        return None
    lines = (line for agent in system.agents for line in agent.evolution)
    if any(
        isinstance(part, Arithmetic) and part.operator == "*" and all(map(reads, parts(part)))
        for part in walk(*(item.value for line in lines for item in line.assignments))
    ):
        return None  # numbers may double their length at every step
    few = _explicit(system, AT_ONCE)

    def explore(budget: Budget) -> Algebra[Any]:
        try:
            return few.explore(budget)
        except LimitReached:
            raise TryAnother from None  # it was worth a try, and nobody need hear of it

    return replace(few, explore=explore)


def _explicit(system: System, most: int, *, final: bool = False) -> Attempt:
    def explore(budget: Budget) -> Algebra[Any]:
        from gnomon.engines.explicit.engine import explore as explore_explicitly

        budget.states = most
        return explore_explicitly(system, budget)

    return Attempt("explicit", "state by state", explore, final)
