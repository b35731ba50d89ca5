"""What cells leave open, as data for people: each step with its lines, and with an example from the model."""

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Final, TypeAlias

from gnomon.certificate.listed_states import ways_to
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.open_games import game_left
from gnomon.checking.open_paths import CellStep, OpenPaths, WhatIsLeft
from gnomon.checking.run_out import PathsLeft
from gnomon.engines.abstraction.cell_moves import LineChoice, Resolved, Unit
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.concretise import (
    Cell,
    apply_move,
    cell_of,
    diagram_of,
    joint_action,
    pick_cell,
    space_concretiser,
)
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.abstraction.samples import Samples
from gnomon.engines.solvers.smt import NotExpressible, Satisfiable
from gnomon.model import expression as typed
from gnomon.model.agent import IDLE
from gnomon.model.domain import Integers, show_value
from gnomon.model.expression import Does, Expression, Read, show, substituted, with_leaves
from gnomon.model.formula import (
    All,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    Next,
    Release,
    Until,
    WeakUntil,
    show_formula,
)
from gnomon.model.open_cycle import OpenCycle, OpenQuantity, OpenStep
from gnomon.model.scheduled import ScheduledSystem, as_written
from gnomon.model.step import State, holds, may_follow
from gnomon.model.system import Logic, System

#: The variables that a step changes, with the values before and after.
StepChanges: TypeAlias = tuple[tuple[str, str, str], ...]

#: From so many initial cells, and so many states that differ by so much, some states are visited.
_MOST_STARTS: Final = 4
_MOST_TRIED: Final = 24
_NEAR: Final = (-2, 12)


def open_cycle(
    truth: CellDenotation, part: Formula, logic: Logic, start: Cell | None, predicate: str
) -> OpenCycle | None:
    """Return the shortest way round that is left to paths on which an open formula would be decided."""
    if isinstance(part, (Finally, Globally, Until, WeakUntil, Release, Next)):
        part = All(part)
    if not isinstance(part, (All, Exists, Enforces)) or not truth.algebra.ranked:
        return None
    space, choosing, trying = truth.algebra.space, tuple[str, ...](), ""
    left: WhatIsLeft
    if isinstance(part, Enforces) and part.group.members:
        found = game_left(truth, part)
        if found is None:
            return None
        left, space, choosing, trying = found, found.space, found.choosing, found.trying
    else:
        left = PathsLeft(truth, All(part.path) if isinstance(part, Enforces) else part, logic)
    rankings = [*truth.algebra.rankings, *(level.ranking for level in left.remaining.levels)]
    rankings = list(dict.fromkeys(rankings))
    visited = _visited(space)
    cells = {cell_of(space, state) for state in visited}
    paths = OpenPaths(space, left, rankings, cells)
    begin = space.initial.may if start is None else diagram_of(space, start)
    steps = paths.cycle(begin)
    if not steps:
        return None
    told = tuple(_step(space, paths, each, visited, choosing) for each in steps)
    fairness = tuple(show_formula(each.formula) for each in space.system.fairness)
    return OpenCycle(
        show_formula(part), told, tuple(_quantities(rankings, steps)), fairness, predicate, trying
    )


def _visited(space: CellSpace) -> tuple[State, ...]:
    """Return some states that runs from initial states come to."""
    samples = Samples(as_written(space.system))
    left = space.initial.may
    for _ in range(_MOST_STARTS):
        if left == space.diagrams.false:
            break
        cell = pick_cell(space, left)
        left = space.diagrams.minus(left, diagram_of(space, cell))
        concretiser = space_concretiser(space)
        _, state = concretiser.state_in(space.partition, cell, space.system.initial)
        if state is not None:
            samples.known += [state, *_others_like(space.system, state)]
    return samples.states


def _others_like(system: System, state: State) -> Iterator[State]:
    """Yield some initial states that differ from one in their numbers."""
    random = Random(0)
    for _ in range(_MOST_TRIED):
        other = tuple(
            int(value) + random.randint(*_NEAR) if isinstance(variable.domain, Integers) else value
            for variable, value in zip(system.variables, state, strict=True)
        )
        if holds(system.initial, system, other):
            yield other


def _step(
    space: CellSpace,
    paths: OpenPaths,
    step: CellStep,
    visited: Iterable[State],
    choosing: tuple[str, ...],
) -> OpenStep:
    (cell, _), (target, _) = paths.points[step.source], paths.points[step.target]
    taken = list(_taken(space, step))
    chosen = {name: step.move.actions[name] for name in choosing if name in step.move.actions}
    actions = _said_to_do(space, step.move)
    changes = [
        (f"{unit.agent.name}.{item.variable}", show(item.value))
        for unit, choice in taken
        for item in choice.assignments
    ]
    lines = [
        line.line
        for unit, choice in taken
        for line in unit.agent.evolution
        if line.line and line.assignments == choice.assignments and line.guard in choice.guards
    ]
    return OpenStep(
        cell.show(space.partition),
        tuple(actions),
        tuple(sorted(set(lines))),
        tuple(changes),
        _seen(space, (cell, target), step.move, visited, chosen)
        or _example(space, (cell, target), step.move, taken, chosen),
    )


def _said_to_do(space: CellSpace, move: Resolved) -> list[tuple[str, str]]:
    """Return what those do who have something to choose; of events, what those do who take part."""
    system = as_written(space.system)
    several = isinstance(space.system, ScheduledSystem)
    return [
        (agent.name, action)
        for agent, action in zip(system.agents, joint_action(space, move), strict=True)
        if (action != IDLE if several else len(agent.actions) > 1)
    ]


def _taken(space: CellSpace, step: CellStep) -> Iterator[tuple[Unit, LineChoice]]:
    """Yield what each unit does in a step: what was chosen, or what cell and actions decide."""
    d = space.diagrams
    for unit, chosen in zip(space.moves.units, step.move.choices, strict=True):
        if chosen is not None:
            yield unit, chosen
            continue
        for choice in unit.choices:
            if d.both(choice.when.may, step.moves) != d.false:
                yield unit, choice
                break


def _seen(
    space: CellSpace,
    ends: tuple[Cell, Cell],
    move: Resolved,
    visited: Iterable[State],
    chosen: Mapping[str, str],
) -> StepChanges | None:
    """Return what changes in a step from a state that is known to be visited, if there is one like this."""
    cell, target = ends
    for state in visited:
        if cell_of(space, state) == cell:
            result = apply_move(space, state, move)
            # What leaves its range is in no cell.
            if _is_real(space, state, move, result, chosen) and cell_of(space, result) == target:
                return _changed(space.system, state, result)
    return None


def _is_real(
    space: CellSpace, state: State, move: Resolved, result: State, chosen: Mapping[str, str]
) -> bool:
    """Return whether the reference semantics has a step where some agents have chosen what they do."""
    system, joint = as_written(space.system), joint_action(space, move)
    if not may_follow(system, state, joint, chosen):
        return False
    return all(ways_to(system, agent, state, joint, result) for agent in system.agents)


def _example(
    space: CellSpace,
    ends: tuple[Cell, Cell],
    move: Resolved,
    taken: list[tuple[Unit, LineChoice]],
    chosen: Mapping[str, str],
) -> StepChanges | None:
    """Return what changes in a step of the model from the one cell into the other, if one is found.

    A solver proposes a state; the reference semantics says where it leads.
    """
    system, (cell, target) = space.system, ends
    after = {
        Read(unit.agent.name, item.variable): item.value
        for unit, choice in taken
        for item in choice.assignments
    }
    guards = [typed.Or(choice.guards) for _, choice in taken if choice.guards]
    wanted = [cell.condition(space.partition), *guards]
    wanted.append(substituted(target.condition(space.partition), after))
    conditions = [_without_actions(each, move.actions) for each in wanted]
    try:
        answer, state = space_concretiser(space).solve(conditions)
    except NotExpressible:
        return None
    if answer is not Satisfiable.YES or state is None:
        return None
    result = apply_move(space, state, move)
    if cell_of(space, state) != cell or cell_of(space, result) != target:
        return None
    real = _is_real(space, state, move, result, chosen)
    return _changed(system, state, result) if real else None


def _without_actions(expression: Expression, actions: Mapping[str, str]) -> Expression:
    def change(part: Read | Does) -> Expression:
        if isinstance(part, Read):
            return part
        return typed.TRUE if actions.get(part.agent) == part.action else typed.Not(typed.TRUE)

    return with_leaves(expression, change)


def _changed(system: System, before: State, after: State) -> StepChanges:
    return tuple(
        (f"{variable.agent}.{variable.name}", show_value(old), show_value(new))
        for variable, old, new in zip(system.variables, before, after, strict=True)
        if old != new
    )


def _quantities(rankings: list[Ranking], steps: list[CellStep]) -> Iterator[OpenQuantity]:
    """Yield what falls in some steps, and those in which it may recover."""
    told: set[str] = set()
    for place, ranking in enumerate(rankings):
        falls = tuple(n for n, step in enumerate(steps, 1) if place in step.falls)
        grows = tuple(n for n, step in enumerate(steps, 1) if place in step.grows)
        if falls and str(ranking.form) not in told:
            told.add(str(ranking.form))
            way = "falls" if ranking.sign > 0 else "grows"
            yield OpenQuantity(str(ranking.form), way, falls, grows)
