"""Counted steps beside the literal ones: whatever a small population does, is done there."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given

from gnomon.certificate.parameterised import counted_steps
from gnomon.certificate.parameterised.counted_steps import (
    CountedPopulations,
    CountedState,
    CountedStep,
    CountedStrand,
)
from gnomon.certificate.parameterised.told_apart import distinguished
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget
from gnomon.model.parameterised.condition import SELF
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.step import Completed, Configuration, Event, World
from gnomon.model.parameterised.system import OpenSystem
from tests.population_paths import question
from tests.populations import all_places, interpretations, members, read
from tests.systems import examples, seeds

KINDS = {"some": ("some",), "one": ("one",), "mixed": ("some", "one", "all")}


class Counting:
    """What a population does, in the words of counted steps; the first agent may be distinguished."""

    def __init__(self, counted: CountedPopulations, world: World) -> None:
        self.counted = counted
        self.world = world
        self.own = bool(counted.template)

    def place(self, number: int, now: Configuration) -> int:
        return self.counted.place(self.world.members[number], now.agents[number])

    def state(self, now: Configuration) -> CountedState:
        others = Counter(self.place(n, now) for n in range(self.own, len(now.agents)))
        capped = sorted((place, min(n, self.counted.cap)) for place, n in others.items())
        return CountedState(
            now.environment, self.place(0, now) if self.own else None, tuple(capped)
        )

    def step(self, now: Configuration, event: Event, after: Configuration) -> CountedStep:
        # Those who take part are counted apart from those who follow, also where they go the same way.
        ways = Counter(
            (
                self.place(n, now),
                self.place(n, after),
                event.agents[n] is not None,
                self.leads(event, n),
            )
            for n in range(self.own, len(now.agents))
        )
        cap = self.counted.cap
        alone = self.world.system.sync.get(event.environment or "") == "one"
        strands = [
            CountedStrand(here, there, moved, min(n, cap), n < cap or (alone and leads))
            for (here, there, moved, leads), n in ways.items()
        ]
        acts = self.own and event.agents[0] is not None
        return CountedStep(
            self.state(after),
            tuple(sorted(strands)),
            environment_acts=event.environment is not None,
            own_acts=acts,
        )

    def leads(self, event: Event, number: int) -> bool:
        return event.environment is not None and event.agents[number] == event.environment


def compare(counting: Counting, query: OverTime) -> int:
    """Hold all steps of a population against the counted ones; return how many there are."""
    world, counted = counting.world, counting.counted
    starts = set(counted.initial())
    waiting = list(world.initial())
    assert {counting.state(now) for now in waiting} <= starts
    seen = set(waiting)
    steps = 0
    while waiting and steps < 300:
        now = waiting.pop()
        state = counting.state(now)
        found = {
            each._replace(strands=tuple(sorted(each.strands))) for each in counted.steps(state)
        }
        events = list(world.events(now))
        for event in events:
            steps += 1
            after = world.step(event, now)
            assert after is not None
            assert counting.step(now, event, after) in found
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if not events:
            nobody = Event(None, (None,) * len(now.agents))
            assert found == {counting.step(now, nobody, now)}
        able = counted.able(state)
        assert able.environment == world.able(None, now)
        for number in range(len(now.agents)):
            assert world.able(number, now) == (counting.place(number, now) in able.places)
            me = number if number == 0 and counting.own else None
            who = {ENVIRONMENT: None, SELF: me}
            for condition in query.conditions if me is not None or not query.template else ():
                held = counted.holds(condition, state, None if me is None else state.own)
                assert held == world.holds(condition, now, who)
    return steps


def populations(system: OpenSystem, template: str) -> list[tuple[str, ...]]:
    most = 3 if len(system.templates) == 1 else 2
    found = []
    for counts in product(range(most + 1), repeat=len(system.templates)):
        allowed = all(p.allows(n) for p, n in zip(system.templates, counts, strict=True))
        crowd = sorted(members(system, counts), key=lambda name: name != template)
        if allowed and len(crowd) <= 3 and (not template or template in crowd):
            found.append(tuple(crowd))
    return found


def compared(kind: str, seed: int) -> Counter[str]:
    rng = Random(seed)
    system = read(question(seed, KINDS[kind], forall=True).text)
    query = system.questions[0].query
    assert isinstance(query, OverTime)
    least = distinguished(system, query.conditions)
    facts = rng.choice(list(interpretations(system, all_places(system))) or [{}])
    cap = least + rng.randrange(2)
    counted = CountedPopulations(
        system, Completed(system, facts), cap, query.conditions, Budget(), query.template
    )
    seen = Counter({f"cap {least}": 1, "self": bool(query.template), "facts": bool(facts)})
    for crowd in populations(system, query.template):
        world = World(system, crowd, Completed(system, facts))
        try:
            seen["steps"] += compare(Counting(counted, world), query)
        except TooMuch:
            return Counter(["too much"])
    return seen


@pytest.fixture(autouse=True)
def _small_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_steps, "MOST_STEPS", 10_000)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@examples(30)
def test_what_populations_do_is_counted(kind: str, seed: int) -> None:
    compared(kind, seed)


def test_what_is_counted_differs() -> None:
    seen = sum((compared("mixed", seed) for seed in range(40)), Counter[str]())

    assert min(seen[each] for each in ("cap 1", "cap 2", "self", "facts")) > 3


def test_a_cap_that_guards_see_beyond_is_refused() -> None:
    seeded = (read(question(seed, ("some",)).text) for seed in range(100))
    system = next(each for each in seeded if distinguished(each, ()) > 1)

    with pytest.raises(Rejected):
        CountedPopulations(system, {}, 1, (), Budget())
