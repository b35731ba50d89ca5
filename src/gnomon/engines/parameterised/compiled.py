"""A system compiled: what each action needs as cubes, and what it does as updates."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count, product
from math import prod
from typing import Final

from gnomon.engines.parameterised.cube_compiler import CubeCompiler
from gnomon.engines.parameterised.cubes import AgentCube, AgentSets, absorbed
from gnomon.engines.parameterised.ground_facts import NOTHING, GroundFacts, Literals
from gnomon.engines.parameterised.local_sets import DiagramSet, LocalSet
from gnomon.engines.parameterised.local_space import (
    BitSpace,
    GuardedUpdate,
    LocalSpace,
    TooManyLocalStates,
)
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import Datum, contains, number_of
from gnomon.model.expression import Expression, Literal, Read, reads, substituted
from gnomon.model.parameterised.condition import Condition, Lookup, Term, positive
from gnomon.model.parameterised.system import (
    Change,
    GuardedChange,
    OpenSystem,
    Part,
    values_in,
    with_values,
)
from gnomon.text.errors import Senseless
from gnomon.text.record import Record, replace

#: As many local states as matters to nobody any more.
MANY: Final = 1_000_000
_MOST_PIECES: Final = 50_000
_MOST_ROUNDS: Final = 100


class CompiledAction(Record):
    """One way of doing an action: what it needs, and what it does to the agent that does it."""

    part: str
    name: str
    cubes: tuple[AgentCube, ...]
    updates: tuple[GuardedUpdate, ...]

    @property
    def stays(self) -> bool:
        """Return whether it changes nothing."""
        return not any(update.values for update in self.updates)


class _ActionEffect(Record):
    """What an action does under some facts, and where it can be done at all.

    What an agent reads of the environment is known: the effect is that in some states of the environment.
    """

    possible: LocalSet
    updates: tuple[GuardedUpdate, ...]
    facts: Literals = NOTHING
    environment: LocalSet = -1


class Overlap(Senseless):
    """Two lines can give a variable different values."""

    def __init__(self, part: str, variable: str, lines: tuple[int, int]) -> None:
        """Say which."""
        super().__init__(f"lines {lines[0]} and {lines[1]} of `{part}`")
        self.part = part
        self.variable = variable
        self.lines = lines


class _Given(Record):
    """A value that a line gives a variable where an action is done, by its number or looked up."""

    variable: str
    where: LocalSet
    value: int | Lookup | None
    line: int


def _give(given: list[_Given], part: Part, more: list[_Given]) -> None:
    """Take note of values; raise `Overlap` where a variable gets different ones at once."""
    for new in more:
        for old in given:
            if old.variable == new.variable and old.value != new.value and old.where & new.where:
                raise Overlap(part.name, new.variable, (old.line, new.line))
    given += more


class CompiledPopulation:
    """A system with finitely many local states, compiled."""

    def __init__(self, system: OpenSystem, budget: Budget | None = None) -> None:
        """Compile a system; raises `LimitReached` where it is too large for that."""
        self.system = system
        self._budget = budget or Budget()
        self.facts = GroundFacts(system)
        self.spaces = {name: _space(part) for name, part in system.part.items()}
        self.compiler = CubeCompiler(self.spaces, self.facts, budget)
        self.names = tuple(part.name for part in system.templates)
        self.initial = {name: self._initial(part) for name, part in system.part.items()}
        acts = {name: self._acts(part) for name, part in system.part.items()}
        #: The local states that can be reached if all that an agent does not see itself is as it likes.
        self.within = {name: self._reachable(name, found) for name, found in acts.items()}
        self.acts = {
            name: tuple(cut for act in found if (cut := self._cut_act(act)).cubes)
            for name, found in acts.items()
        }
        self.is_exact = not any(
            cube.every for found in self.acts.values() for act in found for cube in act.cubes
        )

    @property
    def has_start(self) -> bool:
        """Whether there is an initial configuration at all."""
        return bool(self.initial[ENVIRONMENT]) and all(
            self.initial[part.name] or not part.low for part in self.system.templates
        )

    def places(self) -> int:
        """Return how many local states agents may be in; where they are not listed, very many."""
        sets = [self.within[name] for name in self.names]
        return sum(each.bit_count() if isinstance(each, int) else MANY for each in sets)

    def goal(self, condition: Condition, owner: str | None = None) -> tuple[AgentCube, ...]:
        """Return the cubes of a condition, which may speak of `self` where an owner is given."""
        cubes = self.compiler.cubes(positive(condition), owner)
        return tuple(cut for cube in cubes if (cut := self._cut(cube, owner)) is not None)

    def local(self, name: str) -> tuple[CompiledAction, ...]:
        """Return the acts of a part that are done alone."""
        return tuple(act for act in self.acts[name] if act.name not in self.system.shared)

    def shared(self, name: str) -> tuple[CompiledAction, ...]:
        """Return the acts of a part that are synchronised, to lead or to follow."""
        return tuple(act for act in self.acts[name] if act.name in self.system.shared)

    def asked_facts(self, goals: Iterable[AgentCube]) -> Literals:
        """Return the facts that actions and goals depend on."""
        acts = (act for found in self.acts.values() for act in found)
        cubes = chain(chain.from_iterable(act.cubes for act in acts), goals)
        return NOTHING.union(*(cube.facts for cube in cubes))

    def contested_facts(self, goals: Iterable[AgentCube]) -> Literals:
        """Return the facts that matter both ways and have to be assumed; the others may just hold."""
        asked = self.asked_facts(goals)
        return frozenset(f for f in asked if -f in asked) if self.facts.is_free else asked

    def _initial(self, part: Part) -> LocalSet:
        cubes = self.compiler.cubes(part.initial, part.name)
        result: LocalSet = 0
        for cube in cubes:
            result |= cube.environment if part.name == ENVIRONMENT else cube.own
        return result

    # Actions

    def _acts(self, part: Part) -> tuple[CompiledAction, ...]:
        found: list[CompiledAction] = []
        for action in part.actions:
            guard = part.guards.get(action)
            if guard is None:
                continue
            cubes = self.compiler.cubes(guard, part.name)
            for effect in self._effects_by_environment(part, action):
                self._budget.check("actions", len(found))
                broadcast = part.name != ENVIRONMENT and action in self.system.broadcast
                if effect.facts and broadcast:
                    msg = f"what `{action}` does is looked up, and all agents that can take part"
                    raise LimitReached(msg)
                limited = [self._limited(part, cube, effect) for cube in cubes]
                kept = absorbed([cube for cube in limited if cube is not None])
                found.append(CompiledAction(part.name, action, tuple(kept), effect.updates))
        return tuple(found)

    def _limited(self, part: Part, cube: AgentCube, effect: _ActionEffect) -> AgentCube | None:
        """Return a cube where the effect is possible."""
        facts = cube.facts | effect.facts
        if part.name == ENVIRONMENT:
            result = replace(cube, environment=cube.environment & effect.possible, facts=facts)
            return result if result.environment and self.facts.possible(facts) else None
        environment = cube.environment & effect.environment
        result = replace(cube, own=cube.own & effect.possible, environment=environment, facts=facts)
        possible = result.own and environment and self.facts.possible(facts)
        return result if possible else None

    def _effects_by_environment(self, part: Part, action: str) -> Iterator[_ActionEffect]:
        """Yield what an action does in the states of the environment that an agent can tell apart."""
        changes = self.system.effects[part.name, action]
        names = sorted(_read_of_environment(changes)) if part.name != ENVIRONMENT else []
        if not names:
            yield from self._effects(part, changes)
            return
        space = self.spaces[ENVIRONMENT]
        if prod(space.sizes[space.index[name]] for name in names) > _MOST_PIECES:
            msg = f"what `{action}` does to `{part.name}` has more than {_MOST_PIECES:,} cases"
            raise LimitReached(msg)
        found: dict[_ActionEffect, LocalSet] = {}
        for known, there in _valuations(space, names, space.full):
            self._budget.check("states of the environment that an action reads", len(found))
            values: dict[Read, Expression] = {
                Read(ENVIRONMENT, name): Literal(value) for name, value in known.items()
            }
            for effect in self._effects(part, [_told(*each, values) for each in changes]):
                found[effect] = found.get(effect, 0) | there
        yield from (replace(effect, environment=there) for effect, there in found.items())

    def _effects(self, part: Part, changes: Iterable[GuardedChange]) -> list[_ActionEffect]:
        space = self.spaces[part.name]
        effects = [_ActionEffect(space.full, (GuardedUpdate(space.full, ()),))]
        given: list[_Given] = []
        for guard, change in changes:
            active = space.where(guard)
            if not active:
                continue
            for item in change.line.assignments:
                variable = space.index[item.variable]
                domain = part.variables[variable].domain
                cases = [
                    (there, number_of(domain, value) if contains(domain, value) else None)  # type: ignore[arg-type]
                    for there, value in space.cases(item.value, active)
                ]
                _give(
                    given, part, [_Given(item.variable, *case, change.line.line) for case in cases]
                )
                effects = [_assigned(effect, variable, cases) for effect in effects]
            for looked in change.looked:
                _give(
                    given, part, [_Given(looked.variable, active, looked.value, change.line.line)]
                )
                effects = [
                    inner
                    for effect in effects
                    for inner in self._looked(effect, space, looked.variable, looked.value, active)
                ]
        return [effect for effect in effects if effect.possible]

    def _looked(
        self, effect: _ActionEffect, space: LocalSpace, name: str, value: Lookup, active: LocalSet
    ) -> Iterator[_ActionEffect]:
        """Yield an effect for each value that may be looked up, under the fact that it is the one."""
        idle = effect.possible & ~active
        if idle:
            yield replace(effect, possible=idle)
        variable = space.index[name]
        domain = space.part.variables[variable].domain
        names = sorted(_variables(value))
        for known, there in _valuations(space, names, effect.possible & active):
            self._budget.check("values that are looked up")
            for (found,), needed in self.facts.looked_up((_known(value, known),)):
                facts = effect.facts | frozenset(needed)
                if contains(domain, found) and self.facts.possible(facts):
                    number = number_of(domain, found)
                    limited = replace(effect, possible=there, facts=facts)
                    yield _assigned(limited, variable, [(there, number)])

    # What can be reached at all

    def _reachable(self, name: str, acts: tuple[CompiledAction, ...]) -> LocalSet:
        space, environment = self.spaces[name], name == ENVIRONMENT
        possible = []
        for act in acts:
            where: LocalSet = 0
            for cube in act.cubes:
                where |= cube.environment if environment else cube.own
            possible.append((act.updates, where))
        found = fresh = self.initial[name]
        for round_ in count():
            if not fresh:
                break
            if round_ > _MOST_ROUNDS and isinstance(space.full, DiagramSet):
                return space.full  # diagrams that grow slowly would take too long
            after: LocalSet = 0
            for updates, where in possible:
                if fresh & where:
                    after |= space.image(updates, fresh & where)
            fresh = after & ~found
            found |= fresh
        return found

    def _cut_act(self, act: CompiledAction) -> CompiledAction:
        cubes = [self._cut(cube, act.part) for cube in act.cubes]
        return replace(act, cubes=tuple(absorbed([cube for cube in cubes if cube is not None])))

    def _cut(self, cube: AgentCube, owner: str | None) -> AgentCube | None:
        """Return a cube within what can be reached."""
        own = cube.own if owner in (None, ENVIRONMENT) else cube.own & self.within[owner or ""]
        environment = cube.environment & self.within[ENVIRONMENT]
        others: AgentSets = tuple((name, mask & self.within[name]) for name, mask in cube.others)
        if not own or not environment or not all(mask for _, mask in others):
            return None
        every = tuple(
            (name, mask & self.within[name])
            for name, mask in cube.every
            if self.within[name] & ~mask
        )
        return AgentCube(environment, own, others, cube.facts, every)


def _space(part: Part) -> LocalSpace:
    """Return the local states of a part, on decision diagrams if there are very many."""
    try:
        return BitSpace(part)
    except TooManyLocalStates:
        from gnomon.engines.parameterised.diagram_space import DiagramSpace

        return DiagramSpace(part)


def _assigned(
    effect: _ActionEffect, variable: int, cases: list[tuple[LocalSet, int | None]]
) -> _ActionEffect:
    """Return the effect with one more variable assigned; None is a value outside its range."""
    possible, updates = effect.possible, []
    rest: LocalSet = -1
    for there, number in cases:
        rest &= ~there
        if number is None:
            possible &= ~there
            continue
        for update in effect.updates:
            both = update.where & there
            if both:
                kept = tuple(item for item in update.values if item[0] != variable)
                updates.append(GuardedUpdate(both, (*kept, (variable, number))))
    updates += [
        GuardedUpdate(update.where & rest, update.values)
        for update in effect.updates
        if update.where & rest
    ]
    merged: dict[tuple[tuple[int, int], ...], LocalSet] = {}
    for update in updates:
        merged[update.values] = merged.get(update.values, 0) | update.where
    if len(merged) > _MOST_PIECES:
        msg = f"an action falls into more than {_MOST_PIECES:,} cases"
        raise LimitReached(msg)
    joined = tuple(GuardedUpdate(where, values) for values, where in merged.items())
    return replace(effect, possible=possible, updates=joined)


def _read_of_environment(changes: Iterable[GuardedChange]) -> set[str]:
    """Return the variables of the environment that some changes of an agent read."""
    return {
        read.variable
        for guard, change in changes
        for read in reads(guard, *values_in(change))
        if read.agent == ENVIRONMENT
    }


def _told(guard: Expression, change: Change, values: Mapping[Read, Expression]) -> GuardedChange:
    """Return a change where the values of the environment's variables are known."""
    return substituted(guard, values), with_values(change, lambda e: substituted(e, values))


def _variables(term: Term) -> set[str]:
    if isinstance(term, Lookup):
        return set().union(*map(_variables, term.arguments))
    return {read.variable for read in reads(term)}


def _known(term: Term, known: Mapping[str, Datum]) -> Term:
    if isinstance(term, Lookup):
        return Lookup(term.relation, tuple(_known(argument, known) for argument in term.arguments))
    values: dict[Read, Expression] = {read: Literal(known[read.variable]) for read in reads(term)}
    return substituted(term, values)


def _valuations(
    space: LocalSpace, names: list[str], among: LocalSet
) -> Iterator[tuple[dict[str, Datum], LocalSet]]:
    choices = [list(space.classes(name, among)) for name in names]
    for combination in product(*choices):
        there = among
        for _, where in combination:
            there &= where
        if there:
            yield dict(zip(names, (value for value, _ in combination), strict=True)), there
