"""Where agents can be, and conditions on how many of them are where, as a solver reads them.

All is worked out from the model by its reference semantics, with one or two agents at a time.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.certificate.smt_terms import FALSE, TRUE, SmtText, conj, disj, neg, number
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Integers, OpenEnumeration
from gnomon.model.expression import reads
from gnomon.model.parameterised.condition import (
    SELF,
    And,
    Condition,
    Enough,
    Exists,
    Forall,
    Holds,
    Not,
    Or,
    Same,
    Tally,
    expressions,
    walk,
)
from gnomon.model.parameterised.linear import LinearTerm
from gnomon.model.parameterised.step import Configuration, ConflictingLines, Local, World
from gnomon.model.parameterised.system import OpenSystem

_MOST_PLACES: Final = 500


class CountedPlace(NamedTuple):
    """A local state of the agents of a template; `own` is that of the one agent that a formula names."""

    template: str
    local: Local
    own: bool


#: For every place, how many agents are there, as a term.
Counts = Sequence[SmtText]


class CountedMove(NamedTuple):
    """That an agent may do an action at a place, by its number, and where it is then."""

    source: int
    target: int
    action: str


class CountedPlaces:
    """Where agents can be while the environment is in one of its states, and stays there."""

    def __init__(self, system: OpenSystem, environment: Local, own: str = "") -> None:
        """Go from where agents start wherever their actions lead, whatever guards ask."""
        check_kind(system)
        self.system = system
        self.environment = environment
        self.listed: list[CountedPlace] = []
        self.moves: list[CountedMove] = []
        for part in system.templates:
            for alone in (False, True) if part.name == own else (False,):
                self._explore(part.name, own=alone)

    def starts(self, template: str, *, own: bool) -> list[int]:
        """Return where agents of a template may start."""
        initial = set(World(self.system, (template,), {}).initial_of(template))
        return [
            n
            for n, place in enumerate(self.listed)
            if (place.template, place.own) == (template, own) and place.local in initial
        ]

    def _explore(self, template: str, *, own: bool) -> None:
        world = World(self.system, (template,), {})
        number: dict[Local, int] = {}
        waiting = list(world.initial_of(template))
        found: list[tuple[Local, str, Local]] = []
        while waiting:
            local = waiting.pop()
            if local in number:
                continue
            number[local] = len(self.listed)
            self.listed.append(CountedPlace(template, local, own))
            if len(self.listed) > _MOST_PLACES:
                raise TooMuch(f"there are more than {_MOST_PLACES} local states")
            for action, after in self._results(world, local):
                found.append((local, action, after))
                waiting.append(after)
        self.moves += [
            CountedMove(number[one], number[other], action) for one, action, other in found
        ]

    def _results(self, world: World, local: Local) -> Iterator[tuple[str, Local]]:
        part = self.system.part[world.members[0]]
        for action in part.local:
            if action not in part.guards:
                continue
            try:
                after = world.after(0, action, Configuration(self.environment, (local,)))
            except ConflictingLines as clash:
                raise Rejected(f"`{action}` gives `{clash}` two values") from clash
            if after is not None:
                yield action, after

    # Conditions

    def guard(self, move: CountedMove, counts: Counts) -> SmtText:
        """Return where an agent that is at the beginning of a move may do it."""
        part = self.system.part[self.listed[move.source].template]
        return self.condition(part.guards[move.action], counts, move.source)

    def condition(self, condition: Condition, counts: Counts, me: int | None = None) -> SmtText:
        """Return a condition; `self` in it is an agent at a place."""
        match condition:
            case Holds():
                return TRUE if self._holds(condition, me, None, "") else FALSE
            case Not(operand):
                return neg(self.condition(operand, counts, me))
            case And(operands):
                return conj([self.condition(operand, counts, me) for operand in operands])
            case Or(operands):
                return disj([self.condition(operand, counts, me) for operand in operands])
            case Same(left, right) if left == right:
                return TRUE
            case Exists(index, template, body):
                total = self._total(((1, Tally(index, template, body)),), counts, me)
                return _at_least(total, LinearTerm((), -1))
            case Forall(index, template, body):
                total = self._total(((-1, Tally(index, template, Not(body))),), counts, me)
                return _at_least(total, LinearTerm((), 0))
            case Enough(tallies, rest):
                return _at_least(self._total(tallies, counts, me), rest)
            case _:
                raise Rejected(
                    "there is no rule for a condition on relations, or on several agents"
                )

    def of_own(self, condition: Condition, counts: Counts) -> SmtText:
        """Return a condition in which `self` is the one agent that the formula names, if there is one."""
        places = [n for n, place in enumerate(self.listed) if place.own]
        if not places or not _speaks_of_self(condition):
            return self.condition(condition, counts)
        return disj(
            conj((f"(>= {counts[n]} 1)", self.condition(condition, counts, n))) for n in places
        )

    def _total(
        self, tallies: tuple[tuple[int, Tally], ...], counts: Counts, me: int | None
    ) -> list[SmtText]:
        found: list[SmtText] = []
        for factor, tally in tallies:
            if any(isinstance(part, Exists | Forall | Enough) for part in walk(tally.body)):
                raise Rejected("there is no rule for counts in counts")
            for n, place in enumerate(self.listed):
                if place.template != tally.template:
                    continue
                if self._holds(tally.body, me, n, tally.index):
                    others = f"(- {counts[n]} 1)" if n == me else counts[n]
                    found.append(f"(* {number(factor)} {others})")
                if n == me and self._holds(tally.body, me, None, tally.index):
                    found.append(number(factor))
        return found

    def _holds(self, condition: Condition, me: int | None, other: int | None, index: str) -> bool:
        """Return what is so of an agent, beside `self`; the index without another agent is `self`."""
        places = [self.listed[n] for n in (me, other) if n is not None]
        world = World(self.system, tuple(place.template for place in places), {})
        now = Configuration(self.environment, tuple(place.local for place in places))
        who: dict[str, int | None] = {ENVIRONMENT: None}
        if me is not None:
            who[SELF] = 0
        if index:
            who[index] = len(places) - 1
        return world.holds(condition, now, who) is True


def _speaks_of_self(condition: Condition) -> bool:
    same = any(
        isinstance(each, Same) and SELF in (each.left, each.right) for each in walk(condition)
    )
    return same or any(read.agent == SELF for e in expressions(condition) for read in reads(e))


def _at_least(total: list[SmtText], rest: LinearTerm) -> SmtText:
    parts = [*total, *(f"(* {number(k)} {parameter(name)})" for name, k in rest.times)]
    return f"(>= (+ {' '.join([*parts, number(rest.number), '0'])}) 0)"


def parameter(name: str) -> SmtText:
    """Return what a parameter is called."""
    return f"|p {name}|"


def environments(system: OpenSystem) -> list[Local]:
    """Return the states in which the environment may be."""
    return list(World(system, (), {}).initial_of(ENVIRONMENT))


def check_kind(system: OpenSystem) -> None:
    """Fail where there is more than agents that act alone, with values that are listed."""
    if system.environment.actions or any(part.synchronised for part in system.templates):
        raise Rejected("there is no rule for actions of the environment beside parameters")
    domains = (v.domain for part in system.part.values() for v in part.variables)
    if any(isinstance(domain, Integers | OpenEnumeration) for domain in domains):
        raise Rejected("there is no rule for values that are not listed beside parameters")
    if system.relations or system.axioms:
        raise Rejected("there is no rule for relations beside parameters")


def named(values: Mapping[str, int]) -> str:
    """Return parameters and their values, in words."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())
