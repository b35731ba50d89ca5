"""What agents know in states, as far as it was found out, and what was seen on the way."""

from abc import ABC, abstractmethod
from typing import Final, Protocol

from gnomon.certificate.plain import connected, plain_value
from gnomon.checking.circuit_work import CircuitWork
from gnomon.checking.linear_paths import LinearPaths, without_idle_quantifiers
from gnomon.checking.moment_circuits import MomentCircuits
from gnomon.checking.momentary import Doubt, doubts_of, is_momentary, joint_view
from gnomon.checking.path_question import Limit
from gnomon.checking.view_facts import ViewFacts
from gnomon.engines.sat.clauses import CircuitCopy, Gates
from gnomon.engines.sat.reachability import Cube
from gnomon.model.formula import Formula, GroupKnows, Knows, Obliged
from gnomon.model.step import State

#: So many runs are kept to be looked at before anything else is asked, and so many of their states.
_MOST_RUNS: Final = 200
_MOST_STATES: Final = 5_000


class Learnable(Protocol):
    """What may leave an invariant, if it is gone on with."""

    def clauses(self, limit: Limit) -> tuple[Cube, ...] | None:
        """Return cubes that no reachable state is in."""


class KnownViews(ABC):
    """What agents know in the states of one system, as far as somebody asked."""

    def __init__(self, work: CircuitWork, *, endless: bool) -> None:
        """Settle nothing yet; `endless`: only infinite paths count, in what is known, too."""
        self.work = work
        self.facts = ViewFacts(work.circuit, work.machine.valid)
        self._endless = endless
        self.fair = bool(work.system.fairness)
        self._excluding: dict[Doubt, _Excluding] = {}
        #: Questions that were answered without an invariant, although there may be one.
        self.unlearned: list[Learnable] = []
        #: Runs that count.
        self.runs: list[tuple[tuple[State, ...], int | None]] = []
        #: States that are reached, whether they count or not.
        self.reached: dict[State, None] = {}

    @abstractmethod
    def settle(self, formula: Formula, state: State) -> bool:
        """Find out one thing of what is open in a state that counts; return whether there is one."""

    def paths(self, body: Formula) -> LinearPaths:
        """Return how paths are read on which something is not so that agents know or not."""
        timeless = is_momentary(without_idle_quantifiers(body))
        endless = self.fair or (self._endless and not timeless)
        return LinearPaths(endless=endless, everywhere=self.fair or not endless)

    def value(self, formula: Formula, state: State) -> bool | None:
        """Return the value of a formula about one moment; None if it is another one, or open."""
        return self._value(without_idle_quantifiers(formula), state)

    def _value(self, formula: Formula, state: State) -> bool | None:
        plain = plain_value(self.work.system, formula, state)
        if plain is not None:
            return plain
        match formula:
            case Knows() | GroupKnows() | Obliged():
                values = [self.known(doubt, state) for doubt in doubts_of(formula) or ()]
                return False if True in values else None if None in values else True
            case _:
                return connected(formula, lambda part: self._value(part, state))

    def known(self, doubt: Doubt, state: State) -> bool | None:
        """Return whether somebody is in doubt in a state that counts, if it was found out or is plain."""
        seen = joint_view(self.work.system, doubt.agents, state)
        found = self.facts.known(doubt, seen)
        if found is None and self._is_excluded(doubt, seen):
            self.facts.is_sure(doubt, self.facts.bits_of(doubt, seen), by_invariant=True)
            return False
        return found

    def _is_excluded(self, doubt: Doubt, seen: State) -> bool:
        """Return whether what is known of all reachable states leaves none that looks like this."""
        known = self._excluding.get(doubt)
        if known is None or known.valid != self.facts.valid:
            known = self._excluding[doubt] = _Excluding(self, doubt)
        return known.is_impossible(seen)

    def learn(self, cubes: tuple[Cube, ...] | None) -> bool:
        """Learn that no reachable state is in any of some cubes, if there are any."""
        if cubes is not None:
            self.facts.strengthen(cubes, [bit.now for bit in self.work.machine.bits])
        return cubes is not None

    def note(self, states: list[State], loop: int | None, *, counts: bool) -> None:
        """Keep a run: what looks like one of its states may be asked about later."""
        if len(self.reached) < _MOST_STATES:
            self.reached.update(dict.fromkeys(states))
        if counts and len(self.runs) < _MOST_RUNS:
            self.runs.append((tuple(states), loop))


class _Excluding:
    """A solver that knows what holds in all reachable states, and asks of views whether anything is left."""

    def __init__(self, alike: KnownViews, doubt: Doubt) -> None:
        work = alike.work
        self._work = work
        self._facts = alike.facts
        self._doubt = doubt
        self.valid = alike.facts.valid
        machine = work.machine.copied()
        machine.valid = self.valid
        fails = MomentCircuits(work.circuit, machine, alike.facts).fails(doubt)
        self._gates = Gates()
        self._copy = CircuitCopy(self._gates, machine.graph, {})
        self._gates.require(self._copy.literal(fails))

    def is_impossible(self, seen: State) -> bool:
        bits = self._facts.bits_of(self._doubt, seen)
        places = {bit: self._copy.variable(bit) for bit in bits}
        view = [places[bit] if value else -places[bit] for bit, value in bits.items()]
        return not self._work.finished(self._gates.solving(view))
