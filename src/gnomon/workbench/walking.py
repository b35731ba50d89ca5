"""Steps through a model: where it begins, what may happen, and whether a run is one of the model."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from random import Random
from typing import Final

from gnomon.certificate.plain import plain_value
from gnomon.checking.load import read_predicate
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.evidence import Step
from gnomon.model.initial import InfinitelyMany
from gnomon.model.small_starts import some_initial_states
from gnomon.model.step import State, initial_states
from gnomon.model.system import System
from gnomon.results.data import Object
from gnomon.results.model_walk import (
    MOST_MOVES,
    WalkError,
    may_end,
    move_list,
    moves_with,
    random_step,
    refuse_endless_numbers,
)
from gnomon.results.projection import propositions_in
from gnomon.text.diagnostic import InputError
from gnomon.workbench.bench import Bench, BenchModel, Handler
from gnomon.workbench.failure import bad_request
from gnomon.workbench.joining import join
from gnomon.workbench.moves_here import (
    MOST_SEARCHED,
    agents_here,
    chosen_in,
    each_effect_once,
    few_at_once,
    is_deadlock,
    move_data,
    says_all,
)
from gnomon.workbench.parameters import (
    Parameters,
    read_given_run,
    run_data,
    state_data,
    step_data,
)
from gnomon.workbench.reading import readable
from gnomon.workbench.replaying import Replayed, Replayer

#: So many are sent unless fewer are wanted.
_PAGE: Final = 100
_MOST_SENT: Final = 1_000
_MOST_STEPS: Final = 10_000
#: For so many seconds, moves of one state are listed.
_PATIENCE: Final = 1.5
#: The part of the time that is kept for saying what was found.
_KEPT: Final = 0.1


def _initial(bench: Bench, params: Parameters) -> Object:
    _, system = bench.walkable(params)
    limit = params.number("limit", _PAGE, _MOST_SENT)
    budget = bench.budget.share(1 - _KEPT)
    found: dict[State, None] = {}
    reason = ""
    try:
        for state in islice(initial_states(system, budget), limit + 1):
            found[state] = None
    except InfinitelyMany as why:
        reason = str(why)
        with suppress(LimitReached):
            for state in islice(some_initial_states(system, budget), limit):
                found[state] = None
    except LimitReached as why:
        reason = str(why)
    return {
        "states": [state_data(state, system) for state in islice(found, limit)],
        "more": len(found) > limit or reason != "",
        "reason": reason,
    }


def _moves(bench: Bench, params: Parameters) -> Object:
    model, system = bench.walkable(params)
    state, words = params.state("state", system), params.text("filter", "")
    offset = params.number("offset", 0)
    limit = params.number("limit", _PAGE, _MOST_SENT)
    chosen = {**chosen_in(system, words), **_chosen(params, system)}
    budget = Budget(_PATIENCE, within=bench.budget.share(1 - _KEPT))
    most = MOST_SEARCHED if words.strip() else MOST_MOVES
    accepts = says_all(system, state, words)
    ways = moves_with(system, state, budget, chosen)
    if model.population is not None:
        accepts = each_effect_once(accepts)
        ways = few_at_once(system, state, budget, chosen)
    found = move_list(ways, accepts, most)
    shown = found.items[offset : offset + limit]
    return {
        "agents": agents_here(model, system, state),
        "moves": [move_data(system, state, each.step) for each in shown],
        "total": len(found.items),
        "shown_from": offset,
        "overflows": found.overflows,
        "cut": found.cut,
        "deadlock": is_deadlock(system, state, found, bench.budget),
        "may_end": may_end(system, state),
        "propositions": propositions_in(system, state),
    }


def _chosen(params: Parameters, system: System) -> dict[str, str]:
    chosen = params.words("chosen")
    strange = [name for name in chosen if name not in system.agent_index]
    if strange:
        raise bad_request(f"there is no agent {strange[0]} in this model")
    return chosen


def _random(bench: Bench, params: Parameters) -> Object:
    _, system = bench.walkable(params)
    state, wanted = params.state("state", system), params.number("steps", 1, _MOST_STEPS)
    random = Random(params.number("seed", 0, 2**53))
    steps: list[Step] = []
    stopped = ""
    budget = bench.budget.share(1 - 2 * _KEPT)
    try:
        while len(steps) < wanted:
            budget.check("steps", len(steps))
            step = _random_step(system, state, random, budget)
            refuse_endless_numbers(step.state)
            steps.append(step)
            state = step.state
    except (WalkError, LimitReached) as why:
        stopped = str(why)
    return {"steps": [step_data(step, system) for step in steps], "stopped": stopped}


def _random_step(system: System, state: State, random: Random, budget: Budget) -> Step:
    """Return a step at random; raise `WalkError` where there is none."""
    step = random_step(system, state, random, budget)
    if step is not None:
        return step
    found = move_list(moves_with(system, state, budget))
    if found.items:
        return random.choice(found.items).step
    if found.is_deadlock is None:
        raise WalkError(f"no way on was found, and not every move was looked at: {found.cut}")
    if may_end(system, state):
        raise WalkError("a terminal state: the run may end here")
    raise WalkError("a deadlock: there is no way on")


def _replay(bench: Bench, params: Parameters) -> Object:
    _, system = bench.walkable(params)
    given = read_given_run(params.raw("run"), system)
    return replayed_data(Replayer(system, bench.budget).replay(given), system)


def replayed_data(found: Replayed, system: System) -> Object:
    """Return a replayed run as it is sent."""
    empty: Object = {"steps": [], "loop": None, "back": None}
    run = empty if found.run is None else run_data(found.run, system)
    return {"run": run, "broken": found.broken, "reason": found.reason}


def _cell(bench: Bench, params: Parameters) -> Object:
    model, system = bench.walkable(params)
    state, predicates = params.state("state", system), params.raw("predicates")
    if not isinstance(predicates, list):
        raise bad_request("`predicates` is a list of texts with their origins")
    value = partial(_holds, model, system, state)
    parts: list[Object] = []
    for each in predicates:
        if not isinstance(each, Mapping) or not isinstance(each.get("text"), str):
            raise bad_request("`predicates` is a list of texts with their origins")
        bench.budget.check("predicates", len(parts))
        text, origin = each["text"], str(each.get("origin", ""))
        parts.append({"text": text, "origin": origin, "holds": value(text)})
    return {"parts": parts}


def _holds(model: BenchModel, system: System, state: State, text: str) -> bool | None:
    """Return whether a predicate holds in a state; None where it is none of this model's."""
    try:
        return plain_value(system, read_predicate(readable(model), text), state)
    except InputError:
        return None


HANDLERS: Final[Mapping[str, Handler]] = {
    "run/initial": _initial,
    "run/moves": _moves,
    "run/random": _random,
    "run/replay": _replay,
    "run/cell": _cell,
    "run/join": join,
}
