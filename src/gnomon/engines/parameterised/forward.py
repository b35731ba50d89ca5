"""Saturation: which local states can be occupied, together with which states of the environment.

Where any number of agents may take part in every action and templates have no upper bound, a further agent
can do all that another one does. So what matters is the environment's state, the *set* of occupied local
states of each template, which only grows, and the facts assumed so far. Environments with the same occupied
states and facts are looked at together, as a set. What agents can do is done; only changes of the
environment, and facts that matter both ways, make branches.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from gnomon.engines.parameterised.cubes import Cube
from gnomon.engines.parameterised.facts import NOTHING, Literals
from gnomon.engines.parameterised.program import Act, Program
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget
from gnomon.text.record import Record

_OFTEN: Final = 64

#: What follows a layer: how, by what is occupied then.
Children: TypeAlias = "dict[tuple[int, ...], list[Arrival]]"
#: Acts of agents that join the environment: the number of their template, and the act.
Takers: TypeAlias = list[tuple[int, Act]]


def is_for(program: Program) -> bool:
    """Return whether saturation is exact for a system."""
    system = program.system
    return (
        program.is_exact
        and all(kind == "some" for kind in system.sync.values())
        and all(part.high is None for part in system.templates)
    )


class Doing(Record):
    """Agents of a template that do an act from some of its occupied states, allowed by a cube."""

    template: int
    act: Act
    cube: Cube
    source: int


class Stage(Record):
    """One step on a way: the environment's state before and after, who does what, and what was occupied."""

    environment: Act | None
    cube: Cube | None
    before: int
    after: int
    doings: tuple[Doing, ...]
    occupied: tuple[int, ...]


class Spread(Record):
    """Agents that get somewhere new while the environment stays as it is, whatever its state is here."""

    environment: Act | None
    cube: Cube | None
    doing: Doing
    occupied: tuple[int, ...]


class Arrival(Record):
    """How states of a layer were reached: what the environment did, from where to where, and who joined it.

    Without an act of the environment its state is the same as before.
    """

    environment: Act | None
    cube: Cube | None
    doings: tuple[Doing, ...]
    before: int
    after: int


class Layer:
    """States of the environment with the same occupied local states and facts, and how they were reached."""

    __slots__ = ("arrivals", "facts", "occupied", "parent", "since", "spreads", "states")

    def __init__(
        self,
        states: int,
        occupied: tuple[int, ...],
        facts: Literals,
        parent: "Layer | None" = None,
        arrivals: tuple[Arrival, ...] = (),
    ) -> None:
        """Begin a layer, after all that its parent has spread so far."""
        self.states = states
        self.occupied = occupied
        self.facts = facts
        self.parent = parent
        self.arrivals = arrivals
        #: How many spreads of the parent came before.
        self.since = 0 if parent is None else len(parent.spreads)
        self.spreads: list[Spread] = []


class Found(Record):
    """A state of the environment in a layer."""

    layer: Layer
    environment: int

    @property
    def occupied(self) -> tuple[int, ...]:
        """Return what is occupied there."""
        return self.layer.occupied

    @property
    def facts(self) -> Literals:
        """Return the facts assumed there."""
        return self.layer.facts


class Saturation:
    """The search; `goals` are the cubes to look for."""

    def __init__(
        self, program: Program, goals: tuple[Cube, ...], budget: Budget | None = None
    ) -> None:
        """Search a program within a budget."""
        self.program = program
        self.goals = goals
        self.budget = budget or Budget()
        self.names = program.names
        self.number = {name: n for n, name in enumerate(self.names)}
        self.space = program.spaces[ENVIRONMENT]
        self.count = 0
        #: The states of the environment that have been seen, by occupied local states and facts.
        self.seen: dict[tuple[tuple[int, ...], Literals], int] = {}
        self.layers: list[Layer] = []
        self.hit: tuple[Found, Cube] | None = None
        self._prepare()

    def _prepare(self) -> None:
        """Find the facts that matter both ways, which have to be assumed, and sort the acts."""
        program = self.program
        cubes = [cube for acts in program.acts.values() for act in acts for cube in act.cubes]
        asked = {fact for cube in (*cubes, *self.goals) for fact in cube.facts}
        self.mixed = asked if not program.facts.is_free else {f for f in asked if -f in asked}
        own = program.acts[ENVIRONMENT]
        self._own = [act for act in own if act.name not in program.system.sync]
        self._local: Takers = [
            (n, act) for n, name in enumerate(self.names) for act in program.local(name)
        ]
        shared: dict[str, Takers] = {}
        for n, name in enumerate(self.names):
            for act in program.acts[name]:
                if act.name in program.system.sync:
                    shared.setdefault(act.name, []).append((n, act))
        self._shared = [(act, shared[act.name]) for act in own if act.name in shared]
        self._spaces = [program.spaces[name] for name in self.names]
        #: The states of the environment that an act of its own leaves as they are.
        self._fixed = {id(act): self.space.fixed(act.pieces) for act in own}

    # Conditions

    def _allowed(self, cube: Cube, occupied: list[int], facts: Literals) -> int | None:
        """Return 0 where agents and facts allow a cube, None where not, else a fact that it depends on."""
        for name, mask in cube.others:
            if not occupied[self.number[name]] & mask:
                return None
        undecided = 0
        for fact in cube.facts:
            if fact in self.mixed and fact not in facts:
                if -fact in facts:
                    return None
                undecided = fact
        if undecided and not self.program.facts.possible(facts | cube.facts):
            return None
        return undecided

    def holds(self, cube: Cube, layer: Layer) -> bool:
        """Return whether what a cube says of others and of facts holds in a layer."""
        return self._allowed(cube, list(layer.occupied), layer.facts) == 0

    # Search

    def run(self, *, everything: bool = False) -> bool:
        """Search for a goal; return whether there is one. With `everything` go on until all is seen."""
        program = self.program
        occupied = tuple(program.initial[name] for name in self.names)
        self._waiting = [Layer(program.initial[ENVIRONMENT], occupied, NOTHING)]
        while self._waiting:
            layer = self._waiting.pop()
            layer.states &= ~self._dominated(layer.occupied, layer.facts)
            if not layer.states:
                continue
            self.count += 1
            if self.count % _OFTEN == 0:
                self.budget.check("saturation", self.count)
            self._look(layer)
            if self.hit is not None and not everything:
                return True
        return self.hit is not None

    def _look(self, layer: Layer) -> None:
        """Do all that agents can do in a layer, look for a goal, and follow the environment."""
        undecided = self._saturate(layer)
        layer.states &= ~self._dominated(layer.occupied, layer.facts)
        if not layer.states:
            return
        undecided = self._find(layer) or undecided
        if self.hit is not None and self.hit[0].layer is layer:
            self.layers.append(layer)
        if not undecided:
            children: Children = {}
            undecided = self._follow(layer, children)
            if not undecided:
                key = (layer.occupied, layer.facts)
                self.seen[key] = self.seen.get(key, 0) | layer.states
                self.layers.append(layer)
                self._enter(layer, children)
                return
        for fact in (-undecided, undecided):
            facts = layer.facts | {fact}
            if self.program.facts.possible(facts):
                self._waiting.append(Layer(layer.states, layer.occupied, facts, layer))

    def _dominated(self, occupied: tuple[int, ...], facts: Literals) -> int:
        """Return the states of the environment that have been seen with at least as much occupied."""
        found = 0
        for (more, fewer_facts), states in self.seen.items():
            if fewer_facts <= facts and not any(
                a & ~b for a, b in zip(occupied, more, strict=True)
            ):
                found |= states
        return found

    def _find(self, layer: Layer) -> int:
        """Look for a goal; return a fact on which one depends, or 0."""
        undecided = 0
        occupied = list(layer.occupied)
        for cube in self.goals:
            there = layer.states & cube.environment
            if not there:
                continue
            allowed = self._allowed(cube, occupied, layer.facts)
            if allowed == 0 and self.hit is None:
                self.hit = (Found(layer, self.space.first(there)), cube)
            # Whether other goals hold as well matters where everything is looked for.
            undecided = undecided or allowed or 0
        return undecided

    # Agents that get somewhere while the environment stays as it is

    def _saturate(self, layer: Layer) -> int:
        """Let agents get everywhere they can; return a fact on which more depends, or 0.

        What can be done in all states of the layer is done at once; what can be done in some only makes a
        layer of these.
        """
        occupied = list(layer.occupied)
        undecided = 0
        changed = True
        while changed and layer.states:
            self.budget.check("saturation", self.count)
            changed, undecided = False, 0
            for template, act in self._local:
                for cube in act.cubes:
                    grown, open_fact = self._spread(layer, occupied, (template, act, cube), None)
                    changed, undecided = changed or grown, undecided or open_fact
            for own, takers in self._shared:
                staying = self._fixed[id(own)]
                if not layer.states & staying:
                    continue
                for own_cube in own.cubes:
                    if not layer.states & own_cube.environment & staying:
                        continue
                    for template, act in takers:
                        for cube in act.cubes:
                            grown, open_fact = self._spread(
                                layer, occupied, (template, act, cube), (own, own_cube)
                            )
                            changed, undecided = changed or grown, undecided or open_fact
        layer.occupied = tuple(occupied)
        return undecided

    def _spread(
        self,
        layer: Layer,
        occupied: list[int],
        agents: tuple[int, Act, Cube],
        own: tuple[Act, Cube] | None,
    ) -> tuple[bool, int]:
        """Let agents do an act, if they get anywhere new; return whether they do, or a fact it depends on."""
        template, act, cube = agents
        source = cube.own & occupied[template]
        where = layer.states & cube.environment
        if own is not None:
            where &= own[1].environment & self._fixed[id(own[0])]
        if not source or not where:
            return False, 0
        new = self._spaces[template].image(act.pieces, source) & ~occupied[template]
        if not new:
            return False, 0
        for needed in (cube, own[1]) if own is not None else (cube,):
            allowed = self._allowed(needed, occupied, layer.facts)
            if allowed != 0:
                return False, allowed or 0
        doing = Doing(template, act, cube, source)
        before = tuple(occupied)
        act_of_own, cube_of_own = own if own is not None else (None, None)
        if where == layer.states:
            layer.spreads.append(Spread(act_of_own, cube_of_own, doing, before))
            occupied[template] |= new
            return True, 0
        grown = (*before[:template], before[template] | new, *before[template + 1 :])
        arrival = Arrival(act_of_own, cube_of_own, (doing,), where, where)
        self._waiting.append(Layer(where, grown, layer.facts, layer, (arrival,)))
        layer.states &= ~where
        return False, 0

    # What the environment does

    def _enter(self, layer: Layer, children: Children) -> None:
        """Wait for the layers that follow; those with most occupied are looked at first."""
        for grown, arrivals in sorted(children.items(), key=lambda item: _size(item[0])):
            states = 0
            for arrival in arrivals:
                states |= arrival.after
            self._waiting.append(Layer(states, grown, layer.facts, layer, tuple(arrivals)))

    def _follow(self, layer: Layer, children: Children) -> int:
        """Add what follows when the environment changes; return a fact on which more depends, or 0."""
        occupied = list(layer.occupied)
        undecided = 0
        for act in self._own:
            for cube, open_fact in self._cubes(act, layer, occupied):
                undecided = undecided or open_fact
                if not open_fact:
                    where = layer.states & cube.environment
                    self._change(layer, children, Arrival(act, cube, (), where, 0))
        for act, takers in self._shared:
            for cube, open_fact in self._cubes(act, layer, occupied):
                undecided = undecided or self._join(
                    layer, children, (act, cube, takers), open_own=open_fact
                )
        return undecided

    def _cubes(self, act: Act, layer: Layer, occupied: list[int]) -> Iterator[tuple[Cube, int]]:
        """Yield the cubes that allow an act which changes the environment, or a fact each depends on."""
        for cube in act.cubes:
            if not layer.states & cube.environment & ~self._fixed[id(act)]:
                continue
            allowed = self._allowed(cube, occupied, layer.facts)
            if allowed is not None:
                yield cube, allowed

    def _change(self, layer: Layer, children: Children, arrival: Arrival) -> None:
        act = arrival.environment
        assert act is not None
        changing = arrival.before & ~self._fixed[id(act)]
        after = self.space.image(act.pieces, changing)
        if not after:
            return
        grown = list(layer.occupied)
        for doing in arrival.doings:
            space = self._spaces[doing.template]
            grown[doing.template] |= space.image(doing.act.pieces, doing.source)
        reached = Arrival(act, arrival.cube, arrival.doings, changing, after)
        children.setdefault(tuple(grown), []).append(reached)

    def _join(
        self,
        layer: Layer,
        children: Children,
        shared: tuple[Act, Cube, Takers],
        *,
        open_own: int,
    ) -> int:
        """Follow a synchronised act, with all who can; return a fact on which more depends, or 0."""
        act, cube, takers = shared
        occupied = list(layer.occupied)
        where = layer.states & cube.environment & ~self._fixed[id(act)]
        undecided = 0
        joining: list[Doing] = []
        for template, other in takers:
            for needed in other.cubes:
                source = needed.own & occupied[template]
                if not source or not where & needed.environment:
                    continue
                allowed = self._allowed(needed, occupied, layer.facts)
                if allowed == 0:
                    joining.append(Doing(template, other, needed, source))
                undecided = undecided or allowed or 0
        for part in _parts(where, joining):
            doings = tuple(doing for doing in joining if not part & ~doing.cube.environment)
            if doings and open_own:
                return open_own
            if doings:
                self._change(layer, children, Arrival(act, cube, doings, part, 0))
        return undecided

    # What was found

    def path(self, found: Found) -> list[Stage]:
        """Return all stages on the way to a state of the environment in a layer."""
        stages: list[Stage] = []
        layer: Layer | None = found.layer
        state, spreads = found.environment, len(found.layer.spreads)
        while layer is not None:
            stages += [
                Stage(each.environment, each.cube, state, state, (each.doing,), each.occupied)
                for each in reversed(layer.spreads[:spreads])
            ]
            before = layer.parent
            arrival = next((each for each in layer.arrivals if each.after >> state & 1), None)
            if arrival is not None:
                after = state
                if arrival.environment is not None:
                    sources = self.space.preimage(
                        arrival.environment.pieces, self.space.only(state)
                    )
                    state = self.space.first(sources & arrival.before)
                occupied = self._before(layer)
                stages.append(
                    Stage(arrival.environment, arrival.cube, state, after, arrival.doings, occupied)
                )
            spreads, layer = layer.since, before
        return stages[::-1]

    def _before(self, layer: Layer) -> tuple[int, ...]:
        """Return what was occupied in a layer's parent when it began."""
        parent = layer.parent
        assert parent is not None
        if layer.since < len(parent.spreads):
            return parent.spreads[layer.since].occupied
        return parent.occupied

    def start(self, found: Found) -> int:
        """Return the environment's state in which the way to a state begins."""
        path = self.path(found)
        return path[0].before if path else found.environment


def _size(occupied: tuple[int, ...]) -> int:
    return sum(mask.bit_count() for mask in occupied)


def _parts(where: int, joining: list[Doing]) -> list[int]:
    """Return the states of the environment in classes within which the same agents can take part."""
    parts = [where] if where else []
    for cube in {doing.cube.environment: doing.cube for doing in joining}.values():
        parts = [
            half
            for part in parts
            for half in (part & cube.environment, part & ~cube.environment)
            if half
        ]
    return parts
