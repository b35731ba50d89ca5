"""What follows a layer of saturation: agents that spread, and what the environment does."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from gnomon.engines.parameterised.compiled import CompiledAction, CompiledPopulation
from gnomon.engines.parameterised.cubes import AgentCube, environment_classes
from gnomon.engines.parameterised.ground_facts import Literals
from gnomon.engines.parameterised.layers import Arrival, JoinedAction, SaturationLayer, Spread
from gnomon.engines.parameterised.local_sets import LocalSet
from gnomon.model.agent import ENVIRONMENT

#: What follows a layer: how, by what is occupied then.
Children: TypeAlias = dict[tuple[LocalSet, ...], list[Arrival]]
#: Acts of agents that join the environment: the number of their template, and the act.
Takers: TypeAlias = list[tuple[int, CompiledAction]]


class Transitions:
    """The acts of a program, sorted by who does them, and when they are possible.

    What may be possible, given a fact that is neither assumed nor excluded, is told by that fact: it is
    `undecided`, and 0 stands for none.
    """

    def __init__(self, program: CompiledPopulation, contested: Literals) -> None:
        """Sort the acts; only contested facts have to be assumed."""
        self._program = program
        self.contested = contested
        self._number = {name: n for n, name in enumerate(program.names)}
        own = program.acts[ENVIRONMENT]
        self.own = program.local(ENVIRONMENT)
        self.local: Takers = [
            (n, act) for n, name in enumerate(program.names) for act in program.local(name)
        ]
        shared: dict[str, Takers] = {}
        for n, name in enumerate(program.names):
            for act in program.shared(name):
                shared.setdefault(act.name, []).append((n, act))
        self.shared = [(act, shared[act.name]) for act in own if act.name in shared]
        self._space = program.spaces[ENVIRONMENT]
        self._spaces = [program.spaces[name] for name in program.names]
        #: The states of the environment that an act of its own leaves as they are.
        self._fixed = {id(act): self._space.fixed(act.updates) for act in own}

    def allowed(self, cube: AgentCube, occupied: Sequence[LocalSet], facts: Literals) -> int | None:
        """Return 0 where agents and facts allow a cube, None where not, else a fact that it depends on."""
        for name, mask in cube.others:
            if not occupied[self._number[name]] & mask:
                return None
        undecided = 0
        for fact in cube.facts:
            if fact in self.contested and fact not in facts:
                if -fact in facts:
                    return None
                undecided = fact
        if undecided and not self._program.facts.possible(facts | cube.facts):
            return None
        return undecided

    # Agents that get somewhere while the environment stays as it is

    def spread(
        self, layer: SaturationLayer, push: Callable[[SaturationLayer], None]
    ) -> tuple[bool, int]:
        """Let agents get somewhere once; return whether any did, and a fact on which more depends.

        What can be done in all states of the layer is done at once; what can be done in some only makes a
        layer of these.
        """
        occupied = list(layer.occupied)
        changed, undecided = False, 0
        for template, act in self.local:
            for cube in act.cubes:
                grown, fact = self._spread(layer, occupied, (template, act, cube), None, push)
                changed, undecided = changed or grown, undecided or fact
        for own, takers in self.shared:
            staying = self._fixed[id(own)]
            if not layer.states & staying:
                continue
            for own_cube in own.cubes:
                if not layer.states & own_cube.environment & staying:
                    continue
                for template, act in takers:
                    for cube in act.cubes:
                        grown, fact = self._spread(
                            layer, occupied, (template, act, cube), (own, own_cube), push
                        )
                        changed, undecided = changed or grown, undecided or fact
        layer.occupied = tuple(occupied)
        return changed, undecided

    def _spread(
        self,
        layer: SaturationLayer,
        occupied: list[LocalSet],
        agents: tuple[int, CompiledAction, AgentCube],
        own: tuple[CompiledAction, AgentCube] | None,
        push: Callable[[SaturationLayer], None],
    ) -> tuple[bool, int]:
        """Let agents do an act, if they get anywhere new; return whether they do, or a fact it depends on."""
        template, act, cube = agents
        source = cube.own & occupied[template]
        where = layer.states & cube.environment
        if own is not None:
            where &= own[1].environment & self._fixed[id(own[0])]
        if not source or not where:
            return False, 0
        new = self._spaces[template].image(act.updates, source) & ~occupied[template]
        if not new:
            return False, 0
        for needed in (cube, own[1]) if own is not None else (cube,):
            allowed = self.allowed(needed, occupied, layer.facts)
            if allowed != 0:
                return False, allowed or 0
        doing = JoinedAction(template, act, cube, source)
        before = tuple(occupied)
        act_of_own, cube_of_own = own if own is not None else (None, None)
        if where == layer.states:
            layer.spreads.append(Spread(act_of_own, cube_of_own, doing, before))
            occupied[template] |= new
            return True, 0
        grown = (*before[:template], before[template] | new, *before[template + 1 :])
        arrival = Arrival(act_of_own, cube_of_own, (doing,), where, where)
        push(SaturationLayer(where, grown, layer.facts, layer, (arrival,)))
        layer.states &= ~where
        return False, 0

    # What the environment does

    def follow(self, layer: SaturationLayer, children: Children) -> int:
        """Add what follows when the environment changes; return a fact on which more depends."""
        undecided = 0
        for act in self.own:
            for cube, fact in self._cubes(act, layer):
                undecided = undecided or fact
                if not fact:
                    where = layer.states & cube.environment
                    self._change(layer, children, Arrival(act, cube, (), where, 0))
        for act, takers in self.shared:
            for cube, fact in self._cubes(act, layer):
                undecided = undecided or self._join(layer, children, (act, cube, takers), fact)
        return undecided

    def _cubes(
        self, act: CompiledAction, layer: SaturationLayer
    ) -> Iterator[tuple[AgentCube, int]]:
        """Yield the cubes that allow an act which changes the environment, or a fact each depends on."""
        for cube in act.cubes:
            if not layer.states & cube.environment & ~self._fixed[id(act)]:
                continue
            allowed = self.allowed(cube, layer.occupied, layer.facts)
            if allowed is not None:
                yield cube, allowed

    def _change(self, layer: SaturationLayer, children: Children, arrival: Arrival) -> None:
        act = arrival.environment
        assert act is not None
        changing = arrival.before & ~self._fixed[id(act)]
        after = self._space.image(act.updates, changing)
        if not after:
            return
        grown = list(layer.occupied)
        for doing in arrival.doings:
            space = self._spaces[doing.template]
            grown[doing.template] |= space.image(doing.act.updates, doing.source)
        reached = Arrival(act, arrival.cube, arrival.doings, changing, after)
        children.setdefault(tuple(grown), []).append(reached)

    def _join(
        self,
        layer: SaturationLayer,
        children: Children,
        shared: tuple[CompiledAction, AgentCube, Takers],
        own_fact: int,
    ) -> int:
        """Follow a synchronised act, with all who can; return a fact on which more depends."""
        act, cube, takers = shared
        occupied = layer.occupied
        where = layer.states & cube.environment & ~self._fixed[id(act)]
        undecided = 0
        joining: list[JoinedAction] = []
        for template, other in takers:
            for needed in other.cubes:
                source = needed.own & occupied[template]
                if not source or not where & needed.environment:
                    continue
                allowed = self.allowed(needed, occupied, layer.facts)
                if allowed == 0:
                    joining.append(JoinedAction(template, other, needed, source))
                undecided = undecided or allowed or 0
        for part in environment_classes(where, [doing.cube for doing in joining]):
            doings = tuple(doing for doing in joining if not part & ~doing.cube.environment)
            if doings and own_fact:
                return own_fact
            if doings:
                self._change(layer, children, Arrival(act, cube, doings, part, 0))
        return undecided
