"""Whether a run is one of the model's: each step is looked for among the moves, and gaps are filled in."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from gnomon.logic.run_steps import find_move
from gnomon.model import expression
from gnomon.model.agent import IDLE
from gnomon.model.budget import Budget
from gnomon.model.domain import Datum
from gnomon.model.evidence import Run, Step
from gnomon.model.initial import assignments_satisfying
from gnomon.model.step import State, enabled_actions, holds
from gnomon.model.system import System
from gnomon.results.model_walk import lines_used, moves_with
from gnomon.workbench.parameters import GivenRun, GivenStep

#: So many ways to fill in what is not said of the first state are tried.
_MOST_STARTS: Final = 2_000


class Replayed(NamedTuple):
    """A run as far as it is one of the model's.

    `broken` is the position of the first step that is none, None where all are; the step that closes a loop
    comes after all others.
    """

    steps: tuple[Step, ...]
    loop: int | None = None
    back: Step | None = None
    broken: int | None = None
    reason: str = ""

    @property
    def run(self) -> Run | None:
        """Return the run; None where not even its first state is one of the model's."""
        return Run(self.steps, self.loop, self.back) if self.steps else None


class Replayer:
    """Looks for the steps of runs among the moves of a system.

    The variables at the places of `still` keep their values all along. A run may begin `anywhere`, or in an
    initial state alone.
    """

    def __init__(
        self,
        system: System,
        budget: Budget,
        still: frozenset[int] = frozenset(),
        *,
        anywhere: bool = False,
    ) -> None:
        """Replay within a budget, which raises `LimitReached` where it ends first."""
        self.system = system
        self.budget = budget
        self._still = still
        self._anywhere = anywhere
        self._starts_left = False
        #: Where values are that some line changes.
        self._changing = {
            system.position[agent.name, each.variable]
            for agent in system.agents
            for line in agent.evolution
            for each in line.assignments
        }

    def replay(self, given: GivenRun) -> Replayed:
        """Return the run as far as it goes, with all that was left open.

        Where there are several ways to fill in what was not said, they are tried one after the other.
        """
        path: list[Step] = []
        best: tuple[Step, ...] = ()
        tried: set[tuple[int, State, State | None]] = set()
        waiting: list[Iterator[Step]] = [self._starts(given.steps[0])]
        while waiting:
            self.budget.check("steps", len(path))
            del path[len(waiting) - 1 :]
            step = next(waiting[-1], None)
            if step is None:
                waiting.pop()
                continue
            # Where the loop begins may be open as well: the last step has to lead back there.
            looping = given.loop is not None and given.loop < len(path)
            key = (len(path), step.state, path[given.loop or 0].state if looping else None)
            if key in tried:
                continue
            tried.add(key)
            path.append(step)
            if len(path) > len(best):
                best = tuple(path)
            if len(path) < len(given.steps):
                waiting.append(self.ways(step.state, given.steps[len(path)]))
                continue
            if given.loop is None:
                return Replayed(tuple(path))
            back = self._back(path, given.loop, given.back)
            if back is not None:
                return Replayed(tuple(path), given.loop, back)
            waiting.append(iter(()))
        reason = self._why_not(best, given)
        if self._starts_left:
            reason += ", in all that was tried; not all ways to fill in what is open were"
        return Replayed(best, None, None, len(best), reason)

    def _starts(self, given: GivenStep) -> Iterator[Step]:
        """Yield the states in which a run of this kind may begin."""
        system = self.system
        if given.unfit:
            return
        if len(given.values) == len(system.variables):
            state = tuple(given.values[place] for place in range(len(system.variables)))
            if self._anywhere or holds(system.initial, system, state):
                yield Step(state)
            return
        condition = expression.And((system.initial, *_conditions(system, given.values)))
        for number, state in enumerate(assignments_satisfying(system, condition, self.budget)):
            if number == _MOST_STARTS:
                self._starts_left = True
                return
            yield Step(state)

    def ways(self, state: State, given: GivenStep) -> Iterator[Step]:
        """Yield the steps from a state that are as they were told, one for each state that they lead to."""
        if given.unfit:
            return
        told = {} if given.actions is None else dict(given.actions)
        wanted = {name: action for name, action in told.items() if self._is_said(name, action)}
        target = self._whole(state, given.values)
        quiet = [agent.name for agent in self.system.agents if agent.name not in wanted]
        if target is not None:
            quiet = [name for name in quiet if not self._changes(name, state, target)]
        elif given.actions is None:
            quiet = []
        # Whoever is said to idle, or stays as before, most likely does the first thing that there is to do.
        tries = [{**self._first_actions(state, quiet), **wanted}, wanted]
        if target is not None and not self.system.interleaved:
            for each in tries:
                step = self._way_to(state, target, each)
                if step is not None:
                    yield step
                    return
            return
        found: set[State] = set()
        for each in tries:
            for move in moves_with(self.system, state, self.budget, each):
                target = move.target
                if target is None or target in found or not self._fits(state, target, given.values):
                    continue
                found.add(target)
                yield Step(target, move.actions, lines_used(move.alternatives))

    def _whole(self, state: State, values: Mapping[int, Datum]) -> State | None:
        """Return the state that is told of, where only values are missing that stay as they are."""
        places = range(len(self.system.variables))
        if not all(n in values or n in self._still or n not in self._changing for n in places):
            return None
        return tuple(values.get(place, state[place]) for place in places)

    def _changes(self, name: str, before: State, after: State) -> bool:
        places = (self.system.position[name, v.name] for v in self.system.agent(name).variables)
        return any(before[place] != after[place] for place in places)

    def _way_to(self, state: State, target: State, wanted: Mapping[str, str]) -> Step | None:
        """Return a step to a state that is wholly known, if there is one; not all moves are gone through."""
        system = self.system
        if not self._fits(state, target, {}) or not all(
            action in enabled_actions(system, system.agent(name), state)
            for name, action in wanted.items()
        ):
            return None
        try:
            return Step(target, *find_move(system, state, target, wanted, self.budget))
        except ValueError:
            return None  # there is no such move

    def _is_said(self, name: str, action: str) -> bool:
        """Return whether an action is one to look for: runs of populations only say that somebody idles."""
        agent = self.system.agent(name)
        return action != IDLE or self.system.interleaved or not agent.actions

    def _first_actions(self, state: State, names: Iterable[str]) -> dict[str, str]:
        system = self.system
        if system.interleaved:
            return {}
        enabled = {name: enabled_actions(system, system.agent(name), state) for name in names}
        return {name: actions[0] for name, actions in enabled.items() if actions}

    def _fits(self, before: State, after: State, values: Mapping[int, Datum]) -> bool:
        told = all(after[place] == value for place, value in values.items())
        return told and all(before[place] == after[place] for place in self._still)

    def _back(self, path: list[Step], loop: int, given: GivenStep | None) -> Step | None:
        """Return the step that closes a loop."""
        assert given is not None
        target = path[loop].state
        if any(target[place] != value for place, value in given.values.items()):
            return None
        closing = given._replace(values=dict(enumerate(target)))
        return next(self.ways(path[-1].state, closing), None)

    # Why it is none

    def _why_not(self, steps: tuple[Step, ...], given: GivenRun) -> str:
        """Return why there is no way on."""
        closing = len(steps) == len(given.steps)
        step = given.back if closing else given.steps[len(steps)]
        assert step is not None
        if step.unfit:
            return step.unfit
        if not steps:
            return "this is no initial state of the model"
        what = "back to where the loop begins" if closing else "to this state"
        refused = self._refused(steps[-1].state, step)
        if refused:
            return refused
        return f"no move leads {what}" if step.actions is None else f"this does not lead {what}"

    def _refused(self, state: State, given: GivenStep) -> str:
        """Return who cannot do what is said."""
        for name, action in (given.actions or {}).items():
            agent = self.system.agent(name)
            if not self._is_said(name, action) or action == IDLE:
                continue
            if action not in agent.actions:
                return f"{name} has no action `{action}`"
            if action not in enabled_actions(self.system, agent, state):
                return f"{name} may not do `{action}` here"
        return ""


def _conditions(system: System, values: Mapping[int, Datum]) -> Iterator[expression.Expression]:
    for place, value in values.items():
        variable = system.variables[place]
        read = expression.Read(variable.agent, variable.name)
        yield expression.Compare("=", read, expression.Literal(value))


def exactly(system: System, state: State) -> expression.Expression:
    """Return the condition that holds in this state alone."""
    return expression.And(tuple(_conditions(system, dict(enumerate(state)))))


def given_run(run: Run, system: System) -> GivenRun:
    """Return a run of which all is said."""

    def given(step: Step) -> GivenStep:
        values = dict(enumerate(step.state))
        if step.actions is None:
            return GivenStep(values)
        return GivenStep(values, dict(zip(system.agent_index, step.actions, strict=True)))

    back = None if run.back is None else given(run.back)
    return GivenRun(tuple(map(given, run.steps)), run.loop, back)
