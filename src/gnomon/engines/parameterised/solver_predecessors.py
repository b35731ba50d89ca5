"""One step back for the search with a solver: a cube with the new values in it, and the guards."""

from collections.abc import Callable, Iterator
from itertools import product

from gnomon.engines.parameterised.solver_cubes import (
    MOST_BRANCHES,
    ConditionCube,
    Placement,
    alternatives,
    index,
)
from gnomon.engines.parameterised.solver_effects import broadcast_effects, effects_of
from gnomon.engines.parameterised.substitute import Substitution, flat
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import LimitReached
from gnomon.model.parameterised.condition import Condition, Term, positive
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import Record


class CubeStep(Record):
    """A cube, how one step leads from it to another one, and how far it is from the goal."""

    cube: ConditionCube
    depth: int = 0
    leads_to: "CubeStep | None" = None
    environment: str | None = None
    actions: tuple[tuple[int, str], ...] = ()


class SolverPredecessors:
    """Goes one step back from cubes."""

    def __init__(self, system: OpenSystem, placement: Placement, check: Callable[[], None]) -> None:
        """Go back in a system; `check` sees to the limits, now and then."""
        self._system = system
        self._placement = placement
        self._check = check
        self._guards = {
            (part.name, action): alternatives(positive(guard))
            for part in system.part.values()
            for action, guard in part.guards.items()
        }
        #: Whether local actions done at once can do more than one after the other.
        self._together = any(
            disjunct.binders or disjunct.universal
            for (part, action), found in self._guards.items()
            for disjunct in found
            if action in system.part[part].local
        )

    def before(self, step: CubeStep) -> Iterator[CubeStep]:
        """Yield the cubes from which one step leads into a cube."""
        branches = 0
        for environment, chosen, extra in self._steps(step.cube):
            self._check()
            for before in self._before(step, environment, chosen, extra):
                branches += 1
                if branches > MOST_BRANCHES:
                    msg = f"one step back gives more than {MOST_BRANCHES:,} cubes"
                    raise LimitReached(msg)
                yield before

    def _steps(
        self, cube: ConditionCube
    ) -> Iterator[tuple[str | None, tuple[str | None, ...], str | None]]:
        """Yield who may have done what: the environment, the agents, and the template of somebody else."""
        system = self._system
        idle: tuple[str | None, ...] = (None,) * len(cube.agents)
        if self._together:
            choices = [(None, *self._local(template)) for template in cube.agents]
            for environment in (None, *self._local(ENVIRONMENT)):
                for chosen in product(*choices):
                    if environment is not None or any(chosen):
                        yield environment, chosen, None
        else:
            for environment in self._local(ENVIRONMENT):
                yield environment, idle, None
            for number, template in enumerate(cube.agents):
                for action in self._local(template):
                    yield None, (*idle[:number], action, *idle[number + 1 :]), None
        for action, kind in system.sync.items():
            if action not in system.environment.guards:
                continue
            able = [action in system.part[template].guards for template in cube.agents]
            if kind == "all":
                yield action, idle, None
                continue
            for part in system.templates:
                if action in part.guards:
                    yield action, idle, part.name
            for chosen in product(*((None, action) if each else (None,) for each in able)):
                taking = sum(each is not None for each in chosen)
                if taking == 1 or (taking and kind == "some"):
                    yield action, chosen, None

    def _local(self, name: str) -> list[str]:
        part = self._system.part[name]
        return [action for action in part.local if action in part.guards]

    def _before(
        self,
        step: CubeStep,
        environment: str | None,
        chosen: tuple[str | None, ...],
        extra: str | None,
    ) -> Iterator[CubeStep]:
        """Yield the cubes before a step in which agents did what is chosen."""
        system, cube = self._system, step.cube
        agents = cube.agents
        doing: list[tuple[str, str, str]] = []
        if environment is not None:
            doing.append((ENVIRONMENT, ENVIRONMENT, environment))
        for number, action in enumerate(chosen):
            if action is not None:
                doing.append((index(number), agents[number], action))
        if extra is not None:
            assert environment is not None
            doing.append((index(len(agents)), extra, environment))
            agents = (*agents, extra)
        actions = tuple((int(name[1:]), act) for name, _, act in doing if name != ENVIRONMENT)
        effects = [
            effects_of(system, system.part[part], name, action) for name, part, action in doing
        ]
        led = _led(system, environment)
        effects += [
            broadcast_effects(system, system.part[template], index(n), led)
            for n, template in enumerate(cube.agents)
            if led and chosen[n] is None
        ]
        guards = [
            [(name, disjunct) for disjunct in self._guards[part, action]]
            for name, part, action in doing
        ]
        for combination in product(*effects):
            values: dict[plain.Read, Term] = {}
            when: list[Condition] = []
            for effect in combination:
                when += effect.when
                values.update({plain.Read(effect.agent, v): term for v, term in effect.values})
            body = tuple(map(Substitution(system, values).condition, cube.body))
            for guarded in product(*guards):
                self._check()
                for placed, needs in self._placement.placed(agents, list(guarded)):
                    whole = flat((*needs, *when, *body))
                    if whole is not None:
                        before = ConditionCube(placed, whole)
                        yield CubeStep(before, step.depth + 1, step, environment, actions)


def _led(system: OpenSystem, action: str | None) -> tuple[str, ...]:
    """Return what agents do of whom nothing is chosen: the first of these that they can."""
    if action is None or action not in system.sync:
        return ()
    joining = (action,) if system.sync[action] == "all" else ()
    follower = system.followed_by.get(action)
    return joining if follower is None else (*joining, follower)
