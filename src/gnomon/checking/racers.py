"""The register of racers: other ways than the one that was asked for to answer the same question.

A line in `REGISTER` is a function that yields options under which the same is decided in another way. What
the user has fixed is kept: only what is left to us ("auto") may be another.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib.util import find_spec
from typing import Final, NamedTuple, TypeAlias

from gnomon.checking.choose import (
    orders_to_race,
    other_engines,
    takes_circuits,
    takes_diagrams,
)
from gnomon.checking.hints import UNTRIED
from gnomon.checking.options import Options
from gnomon.model.any import AnyModel

#: What sets racers apart.
_TOLD_APART: Final = ("engine", "order", "diagrams")


class Entrant(NamedTuple):
    """Somebody who may take part in a race."""

    name: str
    options: Options


RacerRegister: TypeAlias = tuple[Callable[[AnyModel, Options], Iterator[Options]], ...]


def _engines(model: AnyModel, options: Options) -> Iterator[Options]:
    for engine in other_engines(model, options):
        yield replace(options, engine=engine)


def _libraries(model: AnyModel, options: Options) -> Iterator[Options]:
    """Yield the library that moves variables as it goes, where it is installed."""
    if options.diagrams == "auto" and takes_diagrams(model, options) and _has_cudd():
        yield replace(options, engine="bdd", diagrams="cudd")


def _orders(model: AnyModel, options: Options) -> Iterator[Options]:
    if options.order == "auto":
        for order in orders_to_race(model, options):
            yield replace(options, engine="bdd", order=order)


def _solvers(model: AnyModel, options: Options) -> Iterator[Options]:
    if takes_circuits(model, options):
        yield replace(options, engine="sat")


REGISTER: Final[RacerRegister] = (_engines, _solvers, _libraries, _orders)


def entrants(
    model: AnyModel,
    options: Options,
    promise: Mapping[str, float],
    register: RacerRegister = REGISTER,
) -> list[Entrant]:
    """Return who may race with the leader, the most promising first, else as they are registered."""
    found = dict.fromkeys(each for yielding in register for each in yielding(model, options))
    found.pop(options, None)
    racers = [Entrant(called(each), each) for each in found]
    return sorted(racers, key=lambda racer: -promise.get(racer.name, UNTRIED))


def called(options: Options) -> str:
    """Return what a racer is called: what it was told to use."""
    chosen = [getattr(options, name) for name in _TOLD_APART]
    return " ".join(str(each) for each in chosen if each != "auto") or "auto"


def _has_cudd() -> bool:
    """Return whether there is a binding to CUDD, without loading it: this process may still be forked."""
    try:
        return find_spec("dd.cudd") is not None
    except ImportError:
        return False
