"""The evidence for a verdict, replayed, or none."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeVar

from gnomon.certificate.listed_states import ListedStates
from gnomon.certificate.ranked_labels import CheckedLabels
from gnomon.certificate.rejection import TooManyAnswers, Unproved, require
from gnomon.certificate.replay import check_run, replay
from gnomon.certificate.strategy import MOST_ANSWERS, rules_agree
from gnomon.checking.deadlocks import real_deadlocks
from gnomon.checking.fixpoint_labels import Labeller, list_states
from gnomon.engines.algebra import Algebra
from gnomon.engines.game import ViewChoices
from gnomon.logic.exact_evidence import evidence
from gnomon.logic.run_steps import run_through
from gnomon.logic.runs import shortest
from gnomon.logic.satisfaction import Satisfaction
from gnomon.logic.strategies import view_rows, view_rules
from gnomon.model.agent import IDLE
from gnomon.model.budget import Budget
from gnomon.model.evaluation import holds
from gnomon.model.evidence import Evidence, Explanation, Strategy
from gnomon.model.formula import Enforces, Formula, show_formula
from gnomon.model.step import State, joint_action_count, moves
from gnomon.model.system import Specification, System
from gnomon.text.record import replace

Set = TypeVar("Set")


def supported(truth: Satisfaction[Set], specification: Specification) -> Evidence | None:
    """Return the evidence for the verdict on a formula; None where there is nothing to show."""
    found = evidence(truth, specification.formula, specification.logic)
    if found is None:
        return None
    algebra = truth.algebra

    def value(formula: Formula, state: State) -> bool:
        here = algebra.only(state)
        return algebra.is_subset(here, truth.states_within(formula, here, specification.logic))

    constraints = tuple(_membership(algebra, states) for states in truth.constraints)
    try:
        endless = bool(constraints) or specification.logic != "CTL"
        replay(algebra.system, found, value, constraints, endless=endless)
    except TooManyAnswers:
        return _not_shown(found)
    return found


def _not_shown(found: Evidence) -> Evidence | None:
    """Return what is left to say where a strategy cannot be replayed: only that there is one."""
    why = found.explanation
    if why is None or not isinstance(why.about, Enforces):
        return None
    text = f"{why.text}, with too many outcomes to be replayed here"
    said = replace(why, text=text, run=None, branches=(), onward=None)
    return Evidence("witness", said)


def _membership(algebra: Algebra[Set], states: Set) -> Callable[[State], bool]:
    return lambda state: algebra.is_subset(algebra.only(state), states)


def profile(
    system: System,
    specification: Specification,
    agents: tuple[str, ...],
    choices: ViewChoices,
    budget: Budget,
) -> Evidence | None:
    """Return the profile of uniform strategies in whose pruned model a formula holds, replayed there."""
    listed = list_states(system, budget, choices)
    if listed is None:
        return None
    labeller = Labeller(ListedStates(system, *listed, budget, choices), system)
    try:
        labeller.label(specification.formula)
        labels = CheckedLabels(labeller.space, labeller.table, system.fairness)
        found = labels.where(specification.formula)
    except Unproved:
        return None
    if specification.logic != "CTL" and not (system.fairness or all(labels.space.follow)):
        return None
    start = labels.space.initial & labels.universe
    require(start <= found, "the profile does not make it true")
    text = show_formula(specification.formula)
    strategy = Strategy(
        text,
        "uniform-model",
        agents,
        view_rows(system, choices),
        rules=view_rules(system, choices),
    )
    require(rules_agree(strategy), "the rules say something else")
    return Evidence("strategy", None, (strategy,))


def deadlock_check(algebra: Algebra[Set]) -> Evidence | None:
    """Return a run to a deadlock that is not terminal, None where there is none."""
    return _run_to(algebra, real_deadlocks(algebra), "deadlock")


def overflow_check(algebra: Algebra[Set]) -> Evidence | None:
    """Return a run to a state where a value can leave its range, None where there is none."""
    return _run_to(algebra, algebra.overflows, "overflow")


def _run_to(algebra: Algebra[Set], target: Set, name: str) -> Evidence | None:
    if algebra.is_empty(target):
        return None
    path = shortest(algebra, algebra.initial, algebra.reachable, target)
    assert path is not None, "all states are reachable"
    return mishap(algebra.system, path, name)


def mishap(system: System, path: Sequence[State], name: str) -> Evidence:
    """Return a run to a deadlock, or to an overflow, replayed, with what is said of it."""
    run = run_through(system, list(path))
    check_run(system, run)
    if name == "overflow":
        text = "after this run a value can leave its range"
    elif system.terminal is None:
        text = "nothing can happen after this run"
    else:
        text = "nothing can happen after this run, and it does not end in a terminal state"
        require(not holds(system.terminal, system, path[-1]), "it is a terminal state")
    text += _confirmed(system, path[-1], name)
    return Evidence("counterexample", Explanation(name, value=False, text=text, run=run))


def _confirmed(system: System, state: State, name: str) -> str:
    """Look at all moves from a state, unless there are too many, for what is said of it; say more of it."""
    if joint_action_count(system, state) > MOST_ANSWERS:
        return ""
    found = list(islice(moves(system, state), MOST_ANSWERS + 1))
    if len(found) > MOST_ANSWERS:
        return ""
    if name == "deadlock":
        require(all(move.target is None for move in found), "something can happen after all")
        return ""
    lost = next((move for move in found if move.target is None), None)
    require(lost is not None, "no value leaves its range")
    assert lost is not None
    agent, local = next(
        (agent, local)
        for agent, local in zip(system.agents, lost.alternatives, strict=True)
        if local.overflow
    )
    line = next((line.line for line in local.lines if line.line), 0)
    where = f", by line {line}" if line else ""
    done = [
        f"{each.name} does {action}"
        for each, action in zip(system.agents, lost.actions, strict=True)
        if (action != IDLE if system.interleaved else len(each.actions) > 1)
    ]
    how = f", when {' and '.join(done)}" if done else ""
    return f": {agent.name}.{local.overflow[0]}{where}{how}"
