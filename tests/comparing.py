"""What the engine for any number of agents says, beside the oracle; `Wrong` where that is something else."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from math import comb, prod

from gnomon.engines.parameterised.backward import BackwardSearch
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.knowledge import decide_knowledge
from gnomon.engines.parameterised.needed_facts import needed_facts
from gnomon.engines.parameterised.run import OpenRun, reaches, replayed
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.engines.parameterised.saturation import Saturation, is_for
from gnomon.engines.parameterised.solver_search import decide_with_solver
from gnomon.model.budget import Budget
from gnomon.model.domain import Datum, size_of
from gnomon.model.parameterised.condition import SELF, Condition, Forall, walk
from gnomon.model.parameterised.query import Knowledge, Safety
from gnomon.model.parameterised.step import Place, World
from gnomon.model.parameterised.system import OpenSystem
from tests.populations import (
    all_places,
    clauses,
    interpretations,
    is_satisfiable,
    literal_program,
    members,
    reachable,
    read,
)

#: Where a run is longer than that, not all of the facts it takes are tried to be left out.
_SHORT = 5_000
#: A run is replayed with no more interpretations than that.
_SOME = 40
#: Populations that can take many more steps than that, the environment aside, are left out.
_MOST_WORK = 1_500


class Wrong(Exception):
    """The engine says something that is not so."""


def bad_of(system: OpenSystem) -> Condition:
    """Return what the first question of a system takes to be bad."""
    query = system.questions[0].query
    assert isinstance(query, Safety)
    return query.bad


def populations(system: OpenSystem) -> list[tuple[int, ...]]:
    """Return how many agents of each template there may be: up to three, with two templates two.

    Populations with very many steps are left out.
    """
    most = 3 if len(system.templates) == 1 else 2
    ranges = [
        range(part.low, (most if part.high is None else min(part.high, most)) + 1)
        for part in system.templates
    ]
    return [counts for counts in product(*ranges) if _work(system, counts) <= _MOST_WORK]


def _work(system: OpenSystem, counts: tuple[int, ...]) -> int:
    """Return about how many steps so many agents can take."""
    found = 1
    for part, number in zip(system.templates, counts, strict=True):
        states = prod(size_of(variable.domain) or 0 for variable in part.variables)
        found *= comb(states + number - 1, number) * (1 + len(part.local)) ** number
    return found


def population_of(system: OpenSystem, run: OpenRun) -> tuple[int, ...]:
    """Return how many agents of each template take part in a run."""
    return tuple(run.members.count(part.name) for part in system.templates)


class Asked(dict[Place, Datum]):
    """Facts that remember which of them were asked for."""

    def __init__(self, facts: dict[Place, Datum]) -> None:
        super().__init__(facts)
        self.asked: dict[Place, Datum] = {}

    def get(self, place: Place, default: object = None) -> Datum:
        del default
        self.asked[place] = self[place]
        return self[place]


def worlds(system: OpenSystem, counts: tuple[int, ...]) -> Iterator[World]:
    """Yield so many agents with each interpretation that differs in what was asked of one before."""
    seen: list[dict[Place, Datum]] = []
    for facts in interpretations(system, all_places(system)):
        if not any(facts.items() >= asked.items() for asked in seen):
            known = Asked(facts)
            yield World(system, members(system, counts), known)
            seen.append(known.asked)


def can_reach(system: OpenSystem, counts: tuple[int, ...], bad: Condition) -> bool:
    """Return what `is_reached` does, without interpretations between which nothing tells a difference."""
    who = {"Environment": None}
    return any(
        world.holds(bad, now, who) for world in worlds(system, counts) for now in reachable(world)
    )


def can_see(
    system: OpenSystem, counts: tuple[int, ...], template: str, conditions: tuple[Condition, ...]
) -> list[set[tuple[object, ...]]]:
    """Return what `views` does for each of some conditions, in the same way."""
    found: list[set[tuple[object, ...]]] = [set() for _ in conditions]
    seen = [system.position["Environment", name] for name in system.part[template].sees]
    for world in worlds(system, counts):
        for now in reachable(world):
            for number, name in enumerate(world.members):
                view = (now.agents[number], tuple(now.environment[n] for n in seen))
                for condition, collected in zip(conditions, found, strict=True):
                    who = {"Environment": None, SELF: number}
                    if name == template and world.holds(condition, now, who):
                        collected.add(view)
    return found


def at_least(counts: tuple[int, ...], least: tuple[int, ...]) -> bool:
    """Return whether there are no fewer agents of any template."""
    return all(a >= b for a, b in zip(counts, least, strict=True))


def compare_safety(text: str) -> PopulationDecision:
    """Decide the question of a program; raise `Wrong` where the oracle or another search disagrees."""
    system = read(text)
    bad = bad_of(system)
    program = CompiledPopulation(system)
    decision = decide_safety(program, bad, Budget())
    check_thresholds(system, bad, decision)
    if decision.run is not None:
        check_run(system, decision.run, bad, decision.facts)
    if is_for(program):
        compare_searches(program, bad)
    return decision


def looks_at_all(system: OpenSystem) -> bool:
    """Return whether some guard speaks of every agent at once, so that more agents may do less."""
    return any(
        isinstance(part, Forall)
        for owner in system.part.values()
        for guard in owner.guards.values()
        for part in walk(guard)
    )


def check_thresholds(system: OpenSystem, bad: Condition, decision: PopulationDecision) -> None:
    """See to it that what was decided holds of every small population."""
    if (decision.reached is True) != bool(decision.smallest):
        raise Wrong(f"reached: {decision.reached}, by {decision.smallest}")
    for counts in populations(system):
        enough = counts in decision.smallest
        if decision.exact or not looks_at_all(system):
            enough = any(at_least(counts, least) for least in decision.smallest)
        unknown = decision.reached is None or (decision.reached and not decision.exact)
        if not enough and unknown:
            continue
        if can_reach(system, counts, bad) != enough:
            raise Wrong(f"{counts} agents, where {decision.smallest} is said to be enough")
    for least in decision.smallest:
        for n, part in zip(least, system.templates, strict=True):
            if n < part.low or (part.high is not None and n > part.high):
                raise Wrong(f"a population of {least} that there cannot be")
        if any(other != least and at_least(least, other) for other in decision.smallest):
            raise Wrong(f"not the smallest: {decision.smallest}")
    run = decision.run
    if decision.exact and run is not None and population_of(system, run) not in decision.smallest:
        raise Wrong(f"a run of {population_of(system, run)}, but it takes {decision.smallest}")


def check_run(
    system: OpenSystem,
    run: OpenRun,
    goal: Condition,
    facts: tuple[tuple[Place, Datum], ...],
    who: int | None = None,
) -> None:
    """See to it that a run is one, that the axioms allow it, and that it takes these facts and no more."""
    for n, part in zip(population_of(system, run), system.templates, strict=True):
        if n < part.low or (part.high is not None and n > part.high):
            raise Wrong(f"a run of {n} agents of {part.name}")
    if not reaches(system, run, goal, who):
        raise Wrong("a run that is none")
    check_facts(system, run, goal, facts, who)


def check_facts(
    system: OpenSystem,
    run: OpenRun,
    goal: Condition,
    facts: tuple[tuple[Place, Datum], ...],
    who: int | None = None,
) -> None:
    """See to it that a run is one whatever else holds, and not one for sure without some fact."""
    known = dict(facts)
    allowed = list(interpretations(system, all_places(system)))
    if not any(each.items() >= dict(run.facts).items() for each in allowed):
        raise Wrong("facts of a run that do not go together")
    if not any(each.items() >= known.items() for each in allowed):
        raise Wrong("facts that do not go together")
    if not reaches(system, run, goal, who, known):
        raise Wrong(f"a run that may be none where {known}")
    for each in islice(completions(system, known), _SOME):
        if not reaches(system, run, goal, who, each):
            raise Wrong(f"a run that is none where {each}")
    if len(facts) * len(run.events) > _SHORT:
        return
    for place in known:
        fewer = {key: value for key, value in known.items() if key != place}
        if reaches(system, run, goal, who, fewer):
            raise Wrong(f"a run that can do without {place}")


def completions(system: OpenSystem, facts: dict[Place, Datum]) -> Iterator[dict[Place, Datum]]:
    """Yield all ways to fill the other places of the relations, whatever the axioms say."""
    free = all_places(system) - set(facts)
    for others in interpretations(replace(system, axioms=()), free):
        yield {**facts, **others}


def compare_searches(program: CompiledPopulation, bad: Condition) -> None:
    """See to it that saturation and the backward search agree."""
    goals = program.goal(bad)
    forwards, backwards = Saturation(program, goals).run(), BackwardSearch(program, goals).run()
    if forwards != backwards:
        raise Wrong(f"reached forwards: {forwards}, backwards: {backwards}")


def compare_literals(seed: int) -> PopulationDecision:
    """Compare what is reached with which clauses can hold together; raise `Wrong` where it differs."""
    system = read(literal_program(seed))
    bad = bad_of(system)
    program = CompiledPopulation(system)
    decision = decide_safety(program, bad, Budget())
    expected = ((1,),) if is_satisfiable(clauses(seed)) else ()
    if decision.smallest != expected or decision.reached != bool(expected):
        raise Wrong(f"{decision.smallest} agents, where it takes {expected}")
    if decision.run is not None:
        check_run(system, decision.run, bad, decision.facts)
    if is_for(program):
        compare_searches(program, bad)
    return decision


def compare_knowledge(system: OpenSystem) -> PopulationDecision:
    """Decide what agents know; raise `Wrong` where the oracle disagrees."""
    query = system.questions[0].query
    assert isinstance(query, Knowledge)
    decision = decide_knowledge(CompiledPopulation(system), query, Budget())
    for counts in populations(system):
        one, other = can_see(system, counts, query.template, (query.when, query.doubt))
        enough = any(at_least(counts, least) for least in decision.smallest)
        if one & other and not decision.reached:
            raise Wrong(f"{counts} agents are enough for doubt")
        if enough and not one & other:
            raise Wrong(f"{counts} agents are not enough for doubt")
    if decision.reached:
        check_doubt(system, query, decision)
    return decision


def check_doubt(system: OpenSystem, query: Knowledge, decision: PopulationDecision) -> None:
    """See to it that two runs lead to where the first agent sees the same."""
    run, other = decision.run, decision.other
    if run is None or other is None:
        raise Wrong("no runs")
    counts = {population_of(system, each) for each in (run, other)}
    if counts != set(decision.smallest):
        raise Wrong(f"{counts} agents, but {decision.smallest} is said to be enough")
    ends = []
    for each, goal in ((run, query.when), (other, query.doubt)):
        if each.members[0] != query.template:
            raise Wrong(f"the first agent is of {each.members[0]}")
        check_run(system, each, goal, needed_facts(system, each, goal, 0), 0)
        ends.append((replayed(system, each) or [])[-1])
    if ends[0].agents[0] != ends[1].agents[0]:
        raise Wrong("two states of the agent")
    for name in system.part[query.template].sees:
        position = system.position["Environment", name]
        if ends[0].environment[position] != ends[1].environment[position]:
            raise Wrong(f"it sees a difference in {name}")


def compare_solver(text: str, seconds: float | None = None) -> PopulationDecision:
    """Decide a finite program with the solver; raise `Wrong` where the other engine disagrees.

    Raises `LimitReached` where the time is over.
    """
    system = read(text)
    bad = bad_of(system)
    exact = decide_safety(CompiledPopulation(system), bad, Budget())
    found = decide_with_solver(system, Safety(bad), Budget(seconds=seconds))
    if None not in (found.reached, exact.reached) and found.reached != exact.reached:
        raise Wrong(f"the solver: {found.reached}, the other engine: {exact.reached}")
    if found.run is not None:
        check_run(system, found.run, bad, found.facts)
    for least in found.smallest if exact.exact else ():
        enough = any(at_least(least, other) for other in exact.smallest)
        if not enough or (found.exact and found.smallest != exact.smallest):
            raise Wrong(f"the solver: {least}, the other engine: {exact.smallest}")
    return found
