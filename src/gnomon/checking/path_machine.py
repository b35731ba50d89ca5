"""A system that promises to satisfy a path formula: a machine whose runs are the paths that do so.

It is the tableau of the formula with a bit for each promise (Clarke, Grumberg and Hamaguchi 1994), made for
those parts only that are ever put off.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

from gnomon.checking.moment_circuits import MomentCircuits, condition_of
from gnomon.checking.view_facts import ViewFacts
from gnomon.engines.sat.and_inverter import FALSE, TRUE
from gnomon.engines.sat.machine import Machine, SystemMachine
from gnomon.engines.sat.watched import Promises
from gnomon.logic.path import TRUE as ANYTHING
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
from gnomon.model.budget import OutOfReach
from gnomon.model.formula import Formula

#: More promises than this are not made.
_MOST_PROMISES: Final = 200


@dataclass(frozen=True)
class PathMachine:
    """A machine that runs along the paths that satisfy something."""

    machine: Machine
    #: Where all that was promised is kept, whatever comes then.
    stop: int
    #: What has to hold again and again for promises not to be put off for ever.
    just: tuple[int, ...]
    #: Whether a path that satisfies it has done so after finitely many steps.
    ends: bool
    #: The states to be reached, where nothing else is asked of paths.
    target: int | None


def path_machine(
    system: SystemMachine, start: Machine, path: Path, facts: ViewFacts | None = None
) -> PathMachine:
    """Return the machine of a path formula, over a machine of the system.

    `facts` are what is known of views, where it matters what agents know.
    """
    return _Promising(system, start, path, facts).result


class _Promising:
    def __init__(
        self, system: SystemMachine, start: Machine, path: Path, facts: ViewFacts | None
    ) -> None:
        self._system = system
        self._start = start
        self._path = path
        self._promises = Promises(start)
        self._condition: Callable[[Formula], int] = partial(condition_of, system)
        if facts is not None:
            self._condition = MomentCircuits(system, self._promises.machine, facts)
        self._open: list[Path] = []
        self._made: list[Path] = []

    @cached_property
    def result(self) -> PathMachine:
        self._later(self._path)
        while self._open:
            path = self._open.pop()
            self._made.append(path)
            if len(self._made) > _MOST_PROMISES:
                msg = f"the formula takes more than {_MOST_PROMISES} promises about a path"
                raise OutOfReach(msg)
            self._promises.keep(path, self._value(path))
        self._promises.begin(self._path)
        return PathMachine(
            self._promises.machine,
            self._promises.all_kept(),
            tuple(map(self._just, filter(_may_wait, self._made))),
            not any(isinstance(path, PathRelease) for path in self._made),
            self._target(),
        )

    def _target(self) -> int | None:
        match self._path:
            case PathUntil(left, StateLiteral(formula)) if left == ANYTHING:
                return self._condition(formula)
            case StateLiteral(formula):
                # Only the initial states matter.
                here = self._condition(formula)
                return self._system.graph.both(self._start.initial, here)
            case _:
                return None

    def _later(self, path: Path) -> int:
        literal, new = self._promises.next(path)
        if new:
            self._open.append(path)
        return literal

    def _just(self, path: Path) -> int:
        assert isinstance(path, PathUntil)
        graph = self._system.graph
        return graph.either(self._promises.now(path) ^ 1, self._value(path.right))

    def _value(self, path: Path) -> int:
        graph = self._system.graph
        match path:
            case PathConstant(value):
                return TRUE if value else FALSE
            case StateLiteral(formula):
                return self._condition(formula)
            case Both(left, right):
                return graph.both(self._value(left), self._value(right))
            case Either(left, right):
                return graph.either(self._value(left), self._value(right))
            case PathNext(body):
                return self._later(body)
            case PathUntil(left, right):
                waits = graph.both(self._value(left), self._later(path))
                return graph.either(self._value(right), waits)
            case PathRelease(left, right):
                freed = graph.either(self._value(left), self._later(path))
                return graph.both(self._value(right), freed)
            case PathWindow(0, 0):
                return self._value(path.last)
            case PathWindow():
                won, kept = path.early if path.low else path.inside
                waits = graph.both(self._value(kept), self._later(path.rest()))
                return graph.either(self._value(won), waits)


def _may_wait(path: Path) -> bool:
    """Return whether what a promise is about might be put off for ever."""
    return isinstance(path, PathUntil)
