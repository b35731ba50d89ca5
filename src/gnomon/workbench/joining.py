"""One more agent of a template in the middle of a walk: the same run, and the new agent idle all along."""

from collections.abc import Sequence

from gnomon.checking.populating import WalkedPopulation
from gnomon.model.budget import Budget
from gnomon.model.initial import InfinitelyMany
from gnomon.model.system import System
from gnomon.results.data import Object
from gnomon.workbench.bench import Bench
from gnomon.workbench.failure import RequestFailed, bad_request
from gnomon.workbench.opening import opened, with_population
from gnomon.workbench.parameters import GivenRun, GivenStep, Parameters, read_given_run, run_data
from gnomon.workbench.replaying import Replayed, Replayer


def join(bench: Bench, params: Parameters) -> Object:
    """Return the model with one more agent, and the run with it as far as it goes."""
    model, system = bench.walkable(params)
    template = params.text("template")
    numbers = model.population
    if numbers is None or template not in numbers:
        raise bad_request("`template` is one of a model whose numbers of agents were chosen")
    larger = with_population(bench, model, {**numbers, template: numbers[template] + 1})
    assert larger.system is not None
    before: WalkedPopulation = model.remembered[WalkedPopulation]
    after: WalkedPopulation = larger.remembered[WalkedPopulation]
    names = _same_agents(before, after)
    [new] = after.template_of.keys() - set(names.values())
    given = _among_more(read_given_run(params.raw("run"), system), system, larger.system, names)
    likely = [name for name, its in after.template_of.items() if its == template and name != new]
    found, why = _idle(larger.system, given, new, likely, bench.budget)
    if found.run is None:
        raise RequestFailed("unable", f"{new} cannot join: {why}")
    reason = ""
    if found.broken is not None:
        reason = f"{new} has joined, but step {found.broken} is not possible any more: {why}"
    return {
        "opened": opened(larger),
        "run": run_data(found.run, larger.system),
        "reason": reason,
    }


def _same_agents(before: WalkedPopulation, after: WalkedPopulation) -> dict[str, str]:
    """Return what the agents of a population are called where there is one more; the last one is new."""
    left: dict[str, list[str]] = {}
    for name, template in after.template_of.items():
        left.setdefault(template, []).append(name)
    return {name: left[template].pop(0) for name, template in before.template_of.items()}


def _among_more(given: GivenRun, before: System, after: System, names: dict[str, str]) -> GivenRun:
    """Return a run in terms of the system with one more agent: of that one, nothing is said."""
    places = {}
    for (agent, variable), place in before.position.items():
        there = after.position.get((names.get(agent, agent), variable))
        if there is not None:
            places[place] = there

    def moved(step: GivenStep) -> GivenStep:
        values = {places[place]: value for place, value in step.values.items() if place in places}
        actions = step.actions
        if actions is not None:
            actions = {names.get(name, name): action for name, action in actions.items()}
        return step._replace(values=values, actions=actions)

    back = None if given.back is None else moved(given.back)
    return GivenRun(tuple(map(moved, given.steps)), given.loop, back)


def _idle(
    system: System, given: GivenRun, new: str, likely: Sequence[str], budget: Budget
) -> tuple[Replayed, str]:
    """Return the run in which the new agent stays as it is, and why it does not go on.

    It begins as one of its kind does, or in any other way that it may.
    """
    own = {each.name: system.position[new, each.name] for each in system.agent(new).variables}
    replayer = Replayer(system, budget, frozenset(own.values()))
    first = given.steps[0]
    found = Replayed((), broken=0)
    for name in (*likely, None):
        begun = given
        if name is not None:
            same = {own[each]: first.values.get(system.position[name, each]) for each in own}
            known = {place: value for place, value in same.items() if value is not None}
            begin = first._replace(values={**first.values, **known})
            begun = given._replace(steps=(begin, *given.steps[1:]))
        try:
            now = replayer.replay(begun)
        except InfinitelyMany as why:
            now = Replayed((), broken=0, reason=str(why))
        if now.broken is None:
            return now, ""
        if len(now.steps) > len(found.steps) or not found.reason:
            found = now
    return found, _why_not(system, given, new, found, budget)


def _why_not(system: System, given: GivenRun, new: str, found: Replayed, budget: Budget) -> str:
    """Return why the new agent cannot stay as it is."""
    if not found.steps:
        return found.reason
    broken = (*given.steps, given.back)[len(found.steps)]
    assert broken is not None
    if next(Replayer(system, budget).ways(found.steps[-1].state, broken), None) is not None:
        return f"all have to take part in it, and {new} cannot idle"
    return "a condition looks at all agents, and is another one with one more of them"
