"""Runs of a program with parameters as numbers: how many agents take each rule, segment by segment.

While no guard comes true, all rules that can be taken stay so. They can be put in the order of the locations
and taken by many agents at once. So with m conditions in guards that may come true, whatever can be reached
is reached in m + 1 such segments, each of which takes every rule some number of times, in order.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from gnomon.engines.parameterised.thresholds.automaton import ThresholdAutomaton
from gnomon.engines.parameterised.thresholds.counted import (
    AgentRule,
    atoms,
    never_falls,
    never_rises,
)
from gnomon.engines.parameterised.thresholds.plans import NotPlanned, RunPlan
from gnomon.engines.solvers.whole_numbers import (
    AtLeast,
    Every,
    NumberCondition,
    NumberName,
    OneOf,
    WholeNumbers,
    at_least,
    either,
    every,
    opposite,
)
from gnomon.model.budget import Budget
from gnomon.model.parameterised.condition import Condition, show
from gnomon.model.parameterised.linear import LinearTerm as Term

#: More rules, in all segments of all stages together, are not written down.
_MOST_MOVES: Final = 20_000

#: How many agents are at each location, as a sum of unknowns.
Where: TypeAlias = tuple[Mapping[NumberName, int], ...]


class TakenRule(NamedTuple):
    """That a rule is taken, and what the number of agents is called."""

    rule: AgentRule
    times: NumberName


class Start(NamedTuple):
    """That an agent starts at a location, and what the number of agents is called."""

    location: int
    agents: NumberName


class Schema:
    """All runs that follow a plan."""

    def __init__(self, automaton: ThresholdAutomaton, plan: RunPlan, budget: Budget) -> None:
        """Write them down; raises `NotPlanned` where what is to hold always may come and go."""
        self.automaton = automaton
        self.numbers = WholeNumbers(budget)
        self.starts: list[Start] = []
        self.taken: list[TakenRule] = []
        self._moving = tuple(rule for rule in automaton.rules if not rule.stays)
        self._guards = frozenset(rule.guard for rule in self._moving)
        self._budget = budget
        self.segments = 1 + len(opening(automaton))
        moves = len(plan.stages) * self.segments * len(self._moving)
        if moves > _MOST_MOVES:
            raise NotPlanned(
                f"{len(self._moving):,} rules in {self.segments:,} segments are more than are counted"
            )
        where = self._start()
        self._follow(plan, where)

    # Where runs start

    def _start(self) -> Where:
        automaton = self.automaton
        counts: list[dict[NumberName, int]] = [{} for _ in automaton.locations]
        for part in automaton.system.templates:
            own = part.name == automaton.own
            size = self._some(counts, automaton.initial(part.name))
            if own:
                one = self._some(counts, automaton.initial(part.name, own=True))
                self._equal(one, {}, 1)
            least, most = part.size or (Term((), part.low), _term(part.high))
            self._say(at_least(_less(size, least), int(own) - least.number))
            if most is not None:
                more = {name: -factor for name, factor in _less(size, most).items()}
                self._say(at_least(more, most.number - int(own)))
        for assumed in automaton.system.assumptions:
            self._say(automaton.counter.condition(assumed))
        return tuple(counts)

    def _some(
        self, counts: list[dict[NumberName, int]], places: Iterable[int]
    ) -> dict[NumberName, int]:
        """Let agents start at some places, and return how many that are."""
        total: dict[NumberName, int] = {}
        for place in places:
            name = ("start", place)
            self.starts.append(Start(place, name))
            counts[place][name] = 1
            total[name] = 1
        return total

    # What happens

    def _follow(self, plan: RunPlan, where: Where) -> None:
        first, *later = plan.stages
        held: list[NumberCondition] = []
        self._stage(first.now, first.always, where, held)
        for stage in later:
            where = self._go(where)
            self._stage(stage.now, stage.always, where, held)
        if not plan.ends:
            return
        where = self._go(where)
        for condition in (*held, *map(self._shape, plan.end), *self._resting()):
            self._say(self._at(condition, where))

    def _stage(
        self,
        now: Iterable[Condition],
        always: Iterable[Condition],
        where: Where,
        held: list[NumberCondition],
    ) -> None:
        """Say what holds at a stage; what stays true where it does in the end is added to `held`."""
        for condition in now:
            self._say(self._at(self._shape(condition), where))
        for condition in always:
            for part in _conjuncts(self._shape(condition)):
                if never_falls(part, self._moving):
                    self._say(self._at(part, where))
                elif never_rises(part, self._moving):
                    held.append(part)
                else:
                    what = f"what is to be so all the time must not come and go: {show(condition)}"
                    raise NotPlanned(f"with `Parameters`, {what}")

    def _go(self, where: Where) -> Where:
        """Return where agents are after so many segments that everything can have happened."""
        for _ in range(self.segments):
            counts = [dict(each) for each in where]
            allowed = {guard: self._at(guard, where) for guard in self._guards}
            for rule in self._moving:
                self._budget.check("rules", len(self.taken))
                name = ("times", len(self.taken))
                self.taken.append(TakenRule(rule, name))
                self._say(either(at_least({name: -1}, 0), allowed[rule.guard]))
                counts[rule.source][name] = -1
                counts[rule.target][name] = 1
            for count in counts:
                self._say(at_least(count, 0))
            where = tuple(counts)
        return where

    def _resting(self) -> tuple[NumberCondition, ...]:
        """Return what holds where a run can stay for ever, fairly."""
        automaton = self.automaton
        leaving: dict[int, list[AgentRule]] = {}
        for rule in automaton.rules:
            leaving.setdefault(rule.source, []).append(rule)
        found = [automaton.fair(each) for each in automaton.system.fairness]
        moves, stays = [], []
        for place, rules in leaving.items():
            empty = at_least({place: -1}, 0)
            moving = either(*(rule.guard for rule in rules if not rule.stays))
            staying = either(*(rule.guard for rule in rules if rule.stays))
            moves.append(either(empty, every(opposite(moving), opposite(staying))))
            stays.append(every(opposite(empty), staying))
            if automaton.system.promise != "none":
                found.append(either(empty, opposite(moving), staying))
        if automaton.system.promise == "none":
            found.append(either(every(*moves), *stays))
        return tuple(found)

    # Conditions

    def _shape(self, condition: Condition) -> NumberCondition:
        return self.automaton.counter.condition(condition)

    def _at(self, condition: NumberCondition, where: Where) -> NumberCondition:
        """Return a condition on agents at locations as one on the unknowns that their numbers are sums of."""
        match condition:
            case AtLeast(terms, constant):
                total: dict[NumberName, int] = {}
                for name, factor in terms:
                    parts = where[name] if isinstance(name, int) else {name: 1}
                    for unknown, times in parts.items():
                        total[unknown] = total.get(unknown, 0) + factor * times
                return at_least(total, constant)
            case Every(parts):
                return every(*(self._at(part, where) for part in parts))
            case OneOf(parts):
                return either(*(self._at(part, where) for part in parts))

    def _say(self, condition: NumberCondition) -> None:
        self.numbers.add(condition)

    def _equal(
        self, one: Mapping[NumberName, int], other: Mapping[NumberName, int], more: int
    ) -> None:
        """Say that a sum is another one, and so many more."""
        terms = dict(one)
        for name, factor in other.items():
            terms[name] = terms.get(name, 0) - factor
        self._say(at_least(terms, -more))
        self._say(at_least({name: -factor for name, factor in terms.items()}, more))


def opening(automaton: ThresholdAutomaton) -> tuple[AtLeast, ...]:
    """Return the conditions in guards that may come true when agents move."""
    moving = [rule for rule in automaton.rules if not rule.stays]
    found = dict.fromkeys(atom for rule in moving for atom in atoms(rule.guard))
    return tuple(atom for atom in found if not never_rises(atom, moving))


def _conjuncts(condition: NumberCondition) -> Iterator[NumberCondition]:
    if isinstance(condition, Every):
        for part in condition.parts:
            yield from _conjuncts(part)
    else:
        yield condition


def _less(size: Mapping[NumberName, int], term: Term) -> dict[NumberName, int]:
    """Return how many agents there are more than a term of the parameters, without its constant."""
    found = dict(size)
    for name, factor in term.times:
        found[name] = found.get(name, 0) - factor
    return found


def _term(number: int | None) -> Term | None:
    return None if number is None else Term((), number)
