"""A walk beside every verdict: what some run shows cannot be otherwise.

A few states are visited by the reference semantics, whatever engine decides. Where one of them breaks an `AG`
that is said to be true, or is what an `EF` that is said to be false looks for, the verdict is wrong.
"""

import time
from functools import cached_property
from itertools import islice
from random import Random
from typing import Final

from gnomon.certificate.plain import plain_value
from gnomon.checking.consistency import Disagreement, show_state
from gnomon.checking.verdict import Value
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.formula import All, Exists, Finally, Formula, Globally, show_formula
from gnomon.model.step import State, initial_states, random_move
from gnomon.model.system import Specification, System

#: A walk ends after so many steps or seconds, or where a number gets longer than so many bits.
_STEPS: Final = 25
_SECONDS: Final = 0.005
_BITS: Final = 512
#: It takes more than that to step through a system of so many agents times variables.
_MOST_WORK: Final = 2_000


class RandomWalk:
    """Some states of a system, always the same ones."""

    def __init__(self, system: System) -> None:
        """Walk through this system, when it is first asked for."""
        self._system = system

    @cached_property
    def _starts(self) -> tuple[State, ...]:
        """At most two initial states; none where they are not found at once."""
        try:
            return tuple(islice(initial_states(self._system, Budget(_SECONDS)), 2))
        except LimitReached:
            return ()

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The states that were visited; none where not even the first is found at once."""
        system = self._system
        if len(system.agents) * len(system.variables) > _MOST_WORK:
            return ()
        chance = Random(len(system.variables))
        end = time.monotonic() + _SECONDS
        now: State | None = self._starts[0] if self._starts else None
        visited: list[State] = []
        while now is not None and len(visited) < _STEPS and time.monotonic() < end:
            visited.append(now)
            now = None if _is_long(now) else self._step(now, chance)
        return tuple(visited)

    def _step(self, state: State, chance: Random) -> State | None:
        move = random_move(self._system, state, chance)
        return None if move is None else move.target

    def compare(self, value: Value, engine: str, specification: Specification) -> None:
        """Raise `Disagreement` where a state that was visited shows that a value is wrong."""
        if self._system.fairness or specification.logic != "CTL":
            return  # then not every state counts
        said = f"`{specification.text}` is {value} by {engine}"
        match specification.formula, value:
            case All(Globally(body)), Value.TRUE:
                self._look_for(body, False, said)
            case Exists(Finally(body)), Value.FALSE if len(self._starts) == 1:
                # With more of them, it may be false in another one than the walk began in.
                self._look_for(body, True, said)
            case _:
                pass

    def _look_for(self, body: Formula, value: bool, said: str) -> None:  # noqa: FBT001
        end = time.monotonic() + _SECONDS
        for state in self.states:
            if time.monotonic() > end:
                return  # a condition may be as long as a file
            if plain_value(self._system, body, state) is value:
                raise Disagreement(
                    f"{said}, but `{show_formula(body)}` is {str(value).lower()} in the reachable state "
                    f"({show_state(self._system, state)})"
                )


def _is_long(state: State) -> bool:
    return any(isinstance(value, int) and value.bit_length() > _BITS for value in state)
