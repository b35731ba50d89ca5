"""Backward search with counted agents: exact for `some`, `one` and `all`, and for bounded templates.

A cube of the search demands some different agents, each in a set of local states, a state of the environment
in a set, and facts. From the goals it goes back step by step; a step back never needs fewer agents, so that
taking the cubes with the fewest agents first finds the smallest populations first. It ends, because no
sequence of such cubes goes on for ever without one that contains a later one.

Guards that speak of every agent are taken to hold of those that a cube speaks of: then more may seem
reachable than is, and what is found has to be confirmed.
"""

import heapq
from collections.abc import Callable, Iterator
from itertools import count, product
from typing import Final, TypeAlias

from gnomon.engines.parameterised.cubes import Agents, Cube, matches
from gnomon.engines.parameterised.facts import Literals
from gnomon.engines.parameterised.program import Act, Program
from gnomon.engines.parameterised.run import OpenRun
from gnomon.engines.parameterised.space import Space
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.step import Completed, Configuration, Event, Local, World
from gnomon.text.record import Record

_OFTEN: Final = 32
#: Where the cubes are limited, so are their comparisons: so many for each.
_WORK: Final = 400
Population: TypeAlias = tuple[int, ...]


class Demand:
    """A cube of the search. The agents of the cube that it leads to come first, in the same order."""

    __slots__ = (
        "actions",
        "agents",
        "core",
        "counts",
        "depth",
        "environment",
        "facts",
        "leads_to",
        "own",
        "used",
    )

    def __init__(
        self,
        environment: int,
        agents: Agents,
        facts: Literals,
        leads_to: "Demand | None" = None,
        own: str | None = None,
        actions: tuple[tuple[int, str], ...] = (),
    ) -> None:
        """Demand agents; `own` and `actions` are what the environment and they do to get on."""
        self.environment = environment
        #: Where the agents are, or can get to without anybody else: first where they have to be.
        self.core = self.agents = agents
        self.counts: dict[str, int] = {}
        for name, _ in agents:
            self.counts[name] = self.counts.get(name, 0) + 1
        self.facts = facts
        self.leads_to = leads_to
        self.own = own
        self.actions = actions
        self.depth: int = 0 if leads_to is None else leads_to.depth + 1
        self.used = True


Push: TypeAlias = Callable[[Demand], None]


class _Option:
    """One way in which an agent may have got to where it is wanted."""

    __slots__ = ("act", "cube", "source")

    def __init__(self, act: Act, cube: Cube, source: int) -> None:
        self.act = act
        self.cube = cube
        self.source = source


class Alone(Record):
    """A move that an agent can make by itself: from some states, in some states of the environment."""

    act: Act
    own: int
    environment: int
    facts: Literals
    #: Where it leads to.
    targets: int


class Search:
    """The search backwards from some cubes."""

    def __init__(
        self,
        program: Program,
        goals: tuple[Cube, ...],
        budget: Budget | None = None,
        most: int | None = None,
        own: tuple[str, int] | None = None,
    ) -> None:
        """Search from goals, through no more than `most` cubes.

        `own` is an agent that the goals call `self`, by its template and states: it comes first.
        """
        self.program = program
        self.budget = budget or Budget()
        self.most = most
        self.count = 0
        self.work = 0
        self._steps = 0
        self.visited: list[Demand] = []
        self.hits: list[tuple[Population, Demand]] = []
        self.complete = False
        self._goals = goals
        self._own = own
        system = program.system
        self._caps = {part.name: part.high for part in system.templates}
        self._lows = [part.low for part in system.templates]
        self._preimages: dict[tuple[int, int], int] = {}
        asked = {
            f for acts in program.acts.values() for act in acts for c in act.cubes for f in c.facts
        }
        asked |= {fact for cube in goals for fact in cube.facts}
        self._mixed = asked if not program.facts.is_free else {f for f in asked if -f in asked}
        self._local = {name: program.local(name) for name in (ENVIRONMENT, *program.names)}
        self._shared = {
            name: [act for act in acts if act.name in system.sync]
            for name, acts in program.acts.items()
        }
        self._together = self._moves_together()
        self._free = {name: list(self._moves_alone(name)) for name in program.names}
        self._closures: dict[tuple[str, int, tuple[int, ...]], int] = {}

    def _moves_together(self) -> bool:
        """Return whether local actions done at once can do more than one after the other.

        They can where a guard looks at other agents, who may move in the same step.
        """
        return any(
            cube.others or cube.every
            for acts in self._local.values()
            for act in acts
            for cube in act.cubes
        )

    def _moves_alone(self, name: str) -> Iterator[Alone]:
        """Yield what an agent can do by itself while the environment stays as it is."""
        for act in self._local[name]:
            for cube in act.cubes:
                if not cube.others and not cube.every:
                    yield self._alone(act, cube.own, cube.environment, cube.facts)
        for act in self._shared[name]:
            if self.program.system.sync[act.name] == "all":
                continue
            for own in self._shared[ENVIRONMENT]:
                if own.name != act.name or not own.stays:
                    continue
                for mine, other in product(act.cubes, own.cubes):
                    if mine.others or mine.every or other.others or other.every:
                        continue
                    both = mine.environment & other.environment
                    yield self._alone(act, mine.own, both, mine.facts | other.facts)

    def _alone(self, act: Act, own: int, environment: int, facts: Literals) -> Alone:
        targets = self.program.spaces[act.part].image(act.pieces, own)
        return Alone(act, own, environment, self._kept(facts), targets)

    def _kept(self, facts: Literals) -> Literals:
        """Return the facts that matter both ways; nothing stands against the others."""
        return frozenset(fact for fact in facts if fact in self._mixed)

    def _applying(self, name: str, environment: int, facts: Literals) -> tuple[int, ...]:
        """Return which moves of an agent alone are possible in all states of a cube, by number."""
        return tuple(
            number
            for number, move in enumerate(self._free[name])
            if not environment & ~move.environment and move.facts <= facts
        )

    def _closed(self, name: str, mask: int, environment: int, facts: Literals) -> int:
        """Return from where an agent can get into a set by itself."""
        moves = self._applying(name, environment, facts)
        key = (name, mask, moves)
        found = self._closures.get(key)
        if found is None:
            found = fresh = mask
            while fresh:
                before = 0
                for number in moves:
                    move = self._free[name][number]
                    if fresh & move.targets:
                        before |= self._preimage(move.act, fresh) & move.own
                fresh = before & ~found
                found |= fresh
            self._closures[key] = found
        return found

    # Search

    def run(self, *, spare: int = 0) -> bool:
        """Search; return whether an initial configuration was found.

        Then go on through `spare` more cubes at most, until all the smallest populations are known:
        `complete` says whether they are.
        """
        waiting: list[tuple[int, int, int, Demand]] = []
        number = count()

        def push(demand: Demand) -> None:
            heapq.heappush(waiting, (len(demand.agents), demand.depth, next(number), demand))

        for cube in self._goals:
            own = () if self._own is None else ((self._own[0], self._own[1] & cube.own),)
            if all(mask for _, mask in own):
                self._emit(push, cube.environment, (*own, *cube.others), cube.facts)
        last: int | None = None
        most_work = 0
        while waiting:
            if last is not None and (self.count >= last or self.work >= most_work):
                return True
            *_, demand = heapq.heappop(waiting)
            population = self.population(demand)
            if any(_at_least(population, known) for known, _ in self.hits):
                continue
            if self._is_covered(demand):
                continue
            if self._is_initial(demand):
                self.hits = [hit for hit in self.hits if not _at_least(hit[0], population)]
                self.hits.append((population, demand))
                if last is None:
                    last, most_work = self.count + spare, self.work + _WORK * spare
                continue
            self._visit(demand)
            self._predecessors(demand, push)
        self.complete = True
        return bool(self.hits)

    def population(self, demand: Demand) -> Population:
        """Return how many agents of each template a cube demands, or there are at least."""
        return tuple(
            max(low, sum(1 for name, _ in demand.agents if name == template))
            for low, template in zip(self._lows, self.program.names, strict=True)
        )

    def _visit(self, demand: Demand) -> None:
        self.count += 1
        if self.most is not None and self.count > self.most:
            msg = f"more than {self.most:,} cubes in the backward search"
            raise LimitReached(msg)
        if self.count % _OFTEN == 0:
            self.budget.check("backward search", self.count)
            self.visited = [old for old in self.visited if old.used]
        for old in self.visited:
            if (
                old.used
                and not old.environment & ~demand.environment
                and demand.facts <= old.facts
                and _fewer(demand.counts, old.counts)
                and matches(demand.agents, old.agents)
            ):
                old.used = False
        self.visited.append(demand)

    def _is_covered(self, demand: Demand) -> bool:
        """Take away what has been seen; return whether nothing is left."""
        self.work += len(self.visited)
        if self.most is not None and self.work > _WORK * self.most:
            msg = "too many comparisons in the backward search"
            raise LimitReached(msg)
        for old in self.visited:
            if not demand.environment & old.environment or not old.used:
                continue
            if (
                old.facts <= demand.facts
                and _fewer(old.counts, demand.counts)
                and matches(old.agents, demand.agents)
            ):
                demand.environment &= ~old.environment
                if not demand.environment:
                    return True
        return False

    def _is_initial(self, demand: Demand) -> bool:
        initial = self.program.initial
        return bool(demand.environment & initial[ENVIRONMENT]) and all(
            mask & initial[name] for name, mask in demand.agents
        )

    # One step back

    def _preimage(self, act: Act, mask: int) -> int:
        key = (id(act), mask)
        found = self._preimages.get(key)
        if found is None:
            found = self.program.spaces[act.part].preimage(act.pieces, mask)
            self._preimages[key] = found
        return found

    def _options(self, acts: list[Act] | tuple[Act, ...], mask: int) -> Iterator[_Option]:
        for act in acts:
            source = self._preimage(act, mask)
            for cube in act.cubes if source else ():
                own = cube.environment if act.part == ENVIRONMENT else cube.own
                if source & own:
                    yield _Option(act, cube, source & own)

    def _predecessors(self, demand: Demand, push: Push) -> None:
        self._local_steps(demand, push)
        for name, kind in self.program.system.sync.items():
            own = [act for act in self._shared[ENVIRONMENT] if act.name == name]
            for environment in self._options(own, demand.environment):
                if kind == "all":
                    self._broadcast(demand, environment, push)
                else:
                    self._synchronised(demand, environment, push, alone=kind == "one")

    def _local_steps(self, demand: Demand, push: Push) -> None:
        choices: list[list[_Option | None]] = [
            [None, *self._options(self._local[name], mask)] for name, mask in demand.agents
        ]
        environments = [None, *self._options(self._local[ENVIRONMENT], demand.environment)]
        if self._together:
            for own in environments:
                for chosen in product(*choices):
                    if own is not None or any(chosen):
                        self._step(demand, own, list(chosen), push)
            return
        idle: list[_Option | None] = [None] * len(choices)
        for own in environments[1:]:
            self._step(demand, own, idle, push)
        for index, options in enumerate(choices):
            mask = demand.agents[index][1]
            for option in options[1:]:
                if option is not None and not option.source & ~mask:
                    continue  # it can get here by itself, which has been seen to
                self._step(demand, None, [*idle[:index], option, *idle[index + 1 :]], push)

    def _synchronised(self, demand: Demand, own: _Option, push: Push, *, alone: bool) -> None:
        choices: list[list[_Option | None]] = []
        for name, mask in demand.agents:
            acts = [act for act in self._shared[name] if act.name == own.act.name]
            choices.append([None, *self._options(acts, mask)])
        idle: list[_Option | None] = [None] * len(choices)
        for name in self.program.names:
            for act in self._shared[name]:
                for cube in act.cubes if act.name == own.act.name else ():
                    # Somebody takes part of whom nothing is known afterwards.
                    extra = (name, _Option(act, cube, cube.own))
                    self._step(demand, own, idle, push, extra)
        if alone:
            for index, options in enumerate(choices):
                for option in options[1:]:
                    self._step(demand, own, [*idle[:index], option, *idle[index + 1 :]], push)
            return
        for chosen in product(*choices):
            if any(chosen):
                self._step(demand, own, list(chosen), push)

    def _step(
        self,
        demand: Demand,
        own: _Option | None,
        chosen: list[_Option | None],
        push: Push,
        extra: tuple[str, _Option] | None = None,
    ) -> None:
        """Go back over a step in which agents did what is chosen."""
        self._steps += 1
        if self._steps % _OFTEN == 0:  # one demand may have very many
            self.budget.check("backward search", self.count)
        environment = demand.environment if own is None else own.source
        facts = demand.facts
        agents = list(demand.agents)
        wanted: list[tuple[int, Agents]] = []
        every: list[tuple[int, Agents]] = []
        actions: list[tuple[int, str]] = []
        everyone = [*enumerate(chosen)]
        if extra is not None:
            everyone.append((len(agents), extra[1]))
            agents.append((extra[0], extra[1].source))
        for index, option in ((-1, own), *everyone):
            if option is None:
                continue
            if index >= 0:
                agents[index] = (agents[index][0], option.source)
                environment &= option.cube.environment
                actions.append((index, option.act.name))
            facts |= option.cube.facts
            if option.cube.others:
                wanted.append((index, option.cube.others))
            if option.cube.every:
                every.append((index, option.cube.every))
        if not environment or not self.program.facts.possible(facts):
            return
        name = None if own is None else own.act.name
        for placed in _placed(tuple(agents), wanted):
            limited = _limited(placed, every)
            if limited is not None:
                self._emit(
                    push, environment, limited, facts, demand, own=name, actions=tuple(actions)
                )

    def _broadcast(self, demand: Demand, own: _Option, push: Push) -> None:
        """Go back over a step in which all agents that can take part do."""
        name = own.act.name
        facts = demand.facts | own.cube.facts
        if not self.program.facts.possible(facts):
            return
        acts = {
            part: [act for act in self._shared[part] if act.name == name]
            for part in self.program.names
        }
        cubes = [cube for found in acts.values() for act in found for cube in act.cubes]
        for environment, sample in _classes(self.program.spaces[ENVIRONMENT], own.source, cubes):
            agents = tuple(
                (part, self._broadcast_preimage(acts[part], mask, sample))
                for part, mask in demand.agents
            )
            if not all(mask for _, mask in agents):
                continue
            wanted = [(-1, own.cube.others)] if own.cube.others else []
            every = [(-1, own.cube.every)] if own.cube.every else []
            for placed in _placed(agents, wanted):
                limited = _limited(placed, every)
                if limited is not None:
                    self._emit(push, environment, limited, facts, demand, own=name)

    def _broadcast_preimage(self, acts: list[Act], mask: int, sample: int) -> int:
        moving, result = 0, 0
        for act in acts:
            able = 0
            for cube in act.cubes:
                if cube.environment >> sample & 1:
                    able |= cube.own
            moving |= able
            result |= self._preimage(act, mask) & able
        return result | (mask & ~moving)

    def _emit(
        self,
        push: Push,
        environment: int,
        agents: Agents,
        facts: Literals,
        leads_to: Demand | None = None,
        *,
        own: str | None = None,
        actions: tuple[tuple[int, str], ...] = (),
    ) -> None:
        for name, cap in self._caps.items():
            if cap is not None and sum(1 for other, _ in agents if other == name) > cap:
                return
        kept = self._kept(facts)
        demand = Demand(environment, agents, kept, leads_to, own, actions)
        demand.agents = tuple(
            (name, self._closed(name, mask, environment, kept)) for name, mask in agents
        )
        push(demand)

    # What was found

    def witness(self, demand: Demand) -> OpenRun:
        """Return a run from an initial cube to a goal."""
        program = self.program
        initial, spaces = program.initial, program.spaces
        facts = program.facts.interpretation(self._chain_facts(demand))
        members = tuple(name for name, _ in demand.agents)
        start = Configuration(
            _some(spaces[ENVIRONMENT], demand.environment & initial[ENVIRONMENT]),
            tuple(_some(spaces[name], mask & initial[name]) for name, mask in demand.agents),
        )
        world = World(program.system, members, Completed(program.system, facts))
        now = start
        events: list[Event] = []
        current: Demand | None = demand
        while current is not None:
            steps = self._approach(current, now, len(members))
            if current.leads_to is not None:
                steps = [*steps, None]
            for step in steps:
                event = step or self._event(current, world, now, len(members))
                after = world.step(event, now)
                if after is None:
                    current = None  # only an over-approximation comes to this
                    break
                now = after
                events.append(event)
            current = current and current.leads_to
        known = tuple(sorted(facts.items(), key=repr))
        return OpenRun(members, known, start, tuple(events))

    def _approach(self, demand: Demand, now: Configuration, size: int) -> list[Event | None]:
        """Return what the agents of a cube do by themselves to get where they have to be."""
        found: list[Event | None] = []
        for agent, (name, core) in enumerate(demand.core):
            space = self.program.spaces[name]
            moves = [
                self._free[name][n] for n in self._applying(name, demand.environment, demand.facts)
            ]
            for act in self._way(name, space.number(now.agents[agent]), core, moves):
                shared = act.name if act.name in self.program.system.sync else None
                joint = tuple(act.name if number == agent else None for number in range(size))
                found.append(Event(shared, joint))
        return found

    def _way(self, name: str, start: int, core: int, moves: list[Alone]) -> list[Act]:
        """Return the acts that lead an agent into a set, as few as possible."""
        space = self.program.spaces[name]
        before: dict[int, tuple[int, Act] | None] = {start: None}
        for state in (waiting := [start]):
            if core >> state & 1:
                acts: list[Act] = []
                here = state
                while (step := before[here]) is not None:
                    here = step[0]
                    acts.append(step[1])
                return acts[::-1]
            for move in moves:
                after = space.image(move.act.pieces, space.only(state) & move.own)
                target = space.first(after) if after else start
                if target not in before:
                    before[target] = (state, move.act)
                    waiting.append(target)
        return []

    def _event(self, demand: Demand, world: World, now: Configuration, size: int) -> Event:
        name = demand.own
        if name is not None and self.program.system.sync.get(name) == "all":
            able = [world.can(number, name, now) for number in range(size)]
            return Event(name, tuple(name if each else None for each in able))
        doing = dict(demand.actions)
        return Event(name, tuple(doing.get(number) for number in range(size)))

    def _chain_facts(self, demand: Demand) -> Literals:
        """Return all facts on the way, those that nothing stands against included."""
        found = set(demand.facts)
        if not self.program.facts.is_free:
            return frozenset(found)
        asked = {
            fact
            for acts in self.program.acts.values()
            for act in acts
            for cube in act.cubes
            for fact in cube.facts
        } | {fact for cube in self._goals for fact in cube.facts}
        return frozenset(found | (asked - self._mixed))


def _fewer(some: dict[str, int], other: dict[str, int]) -> bool:
    return all(other.get(name, 0) >= number for name, number in some.items())


def _at_least(population: Population, known: Population) -> bool:
    return all(a >= b for a, b in zip(population, known, strict=True))


def _placed(agents: Agents, wanted: list[tuple[int, Agents]]) -> Iterator[Agents]:
    """Yield the agents with all who are wanted among them, as new ones or as some of those there are.

    Those that one guard wants are different from each other and from the agent whose guard it is.
    """
    flat = [
        (index, owner, agent) for owner, (index, others) in enumerate(wanted) for agent in others
    ]

    def place(number: int, now: Agents, used: frozenset[tuple[int, int]]) -> Iterator[Agents]:
        if number == len(flat):
            yield now
            return
        index, owner, (name, mask) = flat[number]
        for place_, (other, there) in enumerate(now):
            if place_ == index or (owner, place_) in used or other != name or not there & mask:
                continue
            narrowed = (*now[:place_], (name, there & mask), *now[place_ + 1 :])
            yield from place(number + 1, narrowed, used | {(owner, place_)})
        yield from place(number + 1, (*now, (name, mask)), used | {(owner, len(now))})

    return place(0, agents, frozenset())


def _limited(agents: Agents, every: list[tuple[int, Agents]]) -> Agents | None:
    """Return the agents within what guards say of every agent but the one whose guard it is."""
    for index, limits in every:
        for name, mask in limits:
            agents = tuple(
                (other, there if number == index or other != name else there & mask)
                for number, (other, there) in enumerate(agents)
            )
    return agents if all(mask for _, mask in agents) else None


def _some(space: Space, states: int) -> Local:
    return space.state(space.first(states))


def _classes(space: Space, environment: int, cubes: list[Cube]) -> list[tuple[int, int]]:
    """Return the environment's states by which cubes hold in them, with one state of each class."""
    classes = [environment]
    for cube in cubes:
        classes = [
            part
            for each in classes
            for part in (each & cube.environment, each & ~cube.environment)
            if part
        ]
    return [(each, space.first(each)) for each in classes]
