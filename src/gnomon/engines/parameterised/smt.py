"""Backward search with a solver: numbers without bounds, types that are not listed, relations with keys.

A cube demands different agents and says of them, of the environment and of the relations what a condition
says. What an action does is determined, so the cube before a step is the cube after it with the new values in
the place of the variables, and the guards. It need not end: `unknown` is an answer here.
"""

import heapq
from collections.abc import Iterator, Mapping
from itertools import count, islice, permutations, product
from typing import Any, Final, TypeVar

from gnomon.certificate.parameterised.conditions import of_condition
from gnomon.engines.parameterised.decision import Decision
from gnomon.engines.parameterised.needed_facts import needed_facts
from gnomon.engines.parameterised.program import Overlap
from gnomon.engines.parameterised.run import OpenRun, in_order, reaches
from gnomon.engines.parameterised.shortening import shortened
from gnomon.engines.parameterised.substitute import Substitution, flat
from gnomon.engines.solvers.population_terms import Oracle, PopulationTerms, SolverModel
from gnomon.engines.solvers.smt import Satisfiable
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import (
    Enumeration,
    IntegerRange,
    OpenEnumeration,
    Value,
    values_of,
)
from gnomon.model.parameterised.condition import (
    SELF,
    And,
    Condition,
    Equal,
    Exists,
    Forall,
    ForValues,
    Holds,
    Lookup,
    Not,
    Or,
    Term,
    positive,
    renamed,
    walk,
)
from gnomon.model.parameterised.step import Configuration, Event, Place, World
from gnomon.model.parameterised.system import Change, OpenSystem, Part, Query, Safety
from gnomon.text.record import Record, replace

#: The most cubes that are gone through, and the most that one step back may give.
_MOST_CUBES: Final = 300
_MOST_BRANCHES: Final = 5_000
#: An agent more counts as much as so many steps more, in the order of the search.
_WEIGHT: Final = 3

Item = TypeVar("Item")


class Contradiction(Exception):
    """Nothing satisfies the axioms."""


class Cube(Record):
    """Different agents, by their templates, and what holds of them; agent n is the index `a<n>`."""

    agents: tuple[str, ...]
    body: tuple[Condition, ...]


class _Found(Record):
    """A cube, how it leads to another one, and how far it is from the goal."""

    cube: Cube
    depth: int = 0
    leads_to: "_Found | None" = None
    environment: str | None = None
    actions: tuple[tuple[int, str], ...] = ()


def never(cubes: list[Cube]) -> dict[str, Any]:
    """Return as an invariant that nothing of this ever is."""
    return {
        "kind": "never",
        "cubes": [
            {"agents": list(cube.agents), "conditions": list(map(of_condition, cube.body))}
            for cube in cubes
        ],
    }


class _Effect(Record):
    """What an act does where some conditions hold: the new values."""

    when: tuple[Condition, ...]
    values: tuple[tuple[str, Term], ...]


def decide_with_solver(system: OpenSystem, query: Query, budget: Budget) -> Decision:
    """Return whether any number of agents can reach a bad configuration, if the search ends."""
    if not isinstance(query, Safety):
        reason = "knowledge is decided only where all values are listed"
        return Decision(None, "search with a solver", reason=reason)
    search = _Search(system, budget)
    if search.oracle.ask([]) is Satisfiable.NO:
        raise Contradiction
    search.refuse_overlaps()
    return search.decide(query.bad)


def index(number: int) -> str:
    """Return the index of an agent of a cube."""
    return f"a{number}"


class _ModelFacts(Mapping[Place, Value]):
    """The facts of a model, worked out as they are asked for; all that were asked for so far."""

    def __init__(self, model: SolverModel) -> None:
        self._model = model
        self._known: dict[Place, Value] = {}

    def __getitem__(self, place: Place) -> Value:
        if place not in self._known:
            self._known[place] = self._model.fact(place)
        return self._known[place]

    def __iter__(self) -> Iterator[Place]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


class _Search:
    def __init__(self, system: OpenSystem, budget: Budget) -> None:
        self.system = system
        self.budget = budget
        self.terms = PopulationTerms(system)
        self.oracle = Oracle(self.terms, budget)
        self.visited: list[Cube] = []
        self.approximate = False
        #: The fewest agents that a goal speaks of.
        self.least = 1_000_000
        self._guards = {
            (part.name, action): _few(_disjuncts(positive(guard)))
            for part in system.part.values()
            for action, guard in part.guards.items()
        }
        self._together = any(
            binders or universal
            for (part, action), found in self._guards.items()
            for binders, _, universal in found
            if action in system.part[part].local
        )

    # The search

    def decide(self, bad: Condition) -> Decision:
        waiting: list[tuple[int, int, _Found]] = []
        number = count()
        method = "search with a solver"

        def push(found: _Found) -> None:
            if any(
                part.high is not None and found.cube.agents.count(part.name) > part.high
                for part in self.system.templates
            ):
                return
            rank = _WEIGHT * len(found.cube.agents) + found.depth
            heapq.heappush(waiting, (rank, next(number), found))

        goals: list[tuple[str | None, _Choice]] = [
            (None, choice) for choice in _few(_disjuncts(positive(bad)))
        ]
        for agents, body in _few(self._placed((), goals)):
            self.least = min(self.least, len(agents))
            push(_Found(Cube(agents, body)))
        steps = 0
        while waiting:
            *_, found = heapq.heappop(waiting)
            self.budget.check("backward search", steps)
            if self._is_empty(found.cube) or self._is_covered(found.cube):
                continue
            answer = self._initial(found, bad)
            if answer is not None:
                return replace(answer, steps=steps)
            steps += 1
            if steps > _MOST_CUBES:
                reason = f"undecided after {_MOST_CUBES} cubes: the search may have no end"
                return Decision(None, method, reason=reason, steps=steps)
            self.visited.append(found.cube)
            for before in self._before(found):
                push(before)
        return Decision(False, method, invariant=never(self.visited), steps=steps)

    def _who(self, cube: Cube) -> dict[str, str]:
        return {index(n): template for n, template in enumerate(cube.agents)}

    def _formulae(self, cube: Cube) -> list[object]:
        who = self._who(cube)
        found = [self.terms.condition(part, who) for part in cube.body]
        for name, part in ((ENVIRONMENT, ENVIRONMENT), *who.items()):
            found += self.terms.typed(name, part)
        return found

    def _is_empty(self, cube: Cube) -> bool:
        return self.oracle.ask(self._formulae(cube)) is Satisfiable.NO

    def _is_covered(self, cube: Cube) -> bool:
        """Return whether all of a cube has been seen, as parts of other cubes."""
        formulae = self._formulae(cube)
        for old in self.visited:
            formulae += self._without(cube, old)
        return self.oracle.ask(formulae) is Satisfiable.NO

    def _without(self, cube: Cube, old: Cube) -> Iterator[object]:
        """Yield that no choice of the agents of a cube satisfies an older one."""
        self.budget.check("backward search", len(self.visited))
        if len(old.agents) > len(cube.agents):
            return
        who = self._who(cube)
        for chosen in permutations(range(len(cube.agents)), len(old.agents)):
            if all(
                cube.agents[n] == template for n, template in zip(chosen, old.agents, strict=True)
            ):
                names = {index(n): f"b{place}" for n, place in enumerate(chosen)}
                back = {f"b{place}": index(place) for place in chosen}
                body = [renamed(renamed(part, names), back) for part in old.body]
                yield self.terms.negation(
                    self.terms.both(self.terms.condition(part, who) for part in body)
                )

    # Where it begins

    def _initial(self, found: _Found, bad: Condition) -> Decision | None:
        cube = self._padded(found.cube)
        who = self._who(cube)
        formulae = self._formulae(cube)
        formulae.append(self.terms.condition(self.system.environment.initial, {}))
        for name, template in who.items():
            start = renamed(self.system.part[template].initial, {SELF: name})
            formulae.append(self.terms.condition(start, who))
        answer, model = self.oracle.model(formulae)
        method = "search with a solver"
        if answer is Satisfiable.NO:
            return None
        if model is None:
            return Decision(None, method, reason="the solver does not know whether a run exists")
        run = self._run(found, cube.agents, model, bad)
        if run is None or not reaches(self.system, run, bad):
            if not self.approximate:
                msg = "a run that was found cannot be replayed"
                raise AssertionError(msg)
            reason = "an over-approximation of `forall` reaches it by a run that is none"
            return Decision(None, method, reason=reason)
        short = in_order(self.system, shortened(self.system, run, bad))
        population = tuple(short.members.count(part.name) for part in self.system.templates)
        facts = needed_facts(self.system, short, bad)
        # A step back never needs fewer agents than the goal does.
        exact = len(population) == 1 and population[0] <= max(
            self.least, self.system.templates[0].low
        )
        return Decision(True, method, (population,), exact, short, facts=facts)

    def _padded(self, cube: Cube) -> Cube:
        """Return a cube with as many agents as there are at least."""
        missing = [
            part.name
            for part in self.system.templates
            for _ in range(part.low - cube.agents.count(part.name))
        ]
        return replace(cube, agents=(*cube.agents, *missing))

    def _run(
        self, found: _Found, members: tuple[str, ...], model: SolverModel, bad: Condition
    ) -> OpenRun | None:
        """Return the run from a model of the solver's, step by step."""
        facts = _ModelFacts(model)
        start = Configuration(
            model.local(ENVIRONMENT, ENVIRONMENT),
            tuple(model.local(index(n), template) for n, template in enumerate(members)),
        )
        world = World(self.system, members, facts)
        now, events = start, []
        current = found
        while current.leads_to is not None:
            event = self._event(current, world, now)
            after = world.step(event, now)
            if after is None:
                return None
            now = after
            events.append(event)
            current = current.leads_to
        # So that the facts that they ask for are among them.
        world.holds(bad, now, {ENVIRONMENT: None})
        for axiom in self.system.axioms:
            if not any(isinstance(part, ForValues) for part in walk(axiom)):
                world.holds(axiom, now, {})
        return OpenRun(members, tuple(sorted(facts.items(), key=repr)), start, tuple(events))

    def _event(self, found: _Found, world: World, now: Configuration) -> Event:
        size, name = len(world.members), found.environment
        if name is not None and self.system.sync.get(name) == "all":
            return Event(
                name, tuple(name if world.can(n, name, now) else None for n in range(size))
            )
        chosen = dict(found.actions)
        return Event(name, tuple(chosen.get(n) for n in range(size)))

    # One step back

    def _before(self, found: _Found) -> Iterator[_Found]:
        branches = 0
        for environment, chosen, extra in self._steps(found.cube):
            self.budget.check("backward search", len(self.visited))
            for before in self._step(found, environment, chosen, extra):
                branches += 1
                if branches > _MOST_BRANCHES:
                    msg = f"one step back gives more than {_MOST_BRANCHES:,} cubes"
                    raise LimitReached(msg)
                yield before

    def _steps(self, cube: Cube) -> Iterator[tuple[str | None, tuple[str | None, ...], str | None]]:
        """Yield who may have done what: the environment, the agents, and the template of somebody else."""
        system = self.system
        idle: tuple[str | None, ...] = (None,) * len(cube.agents)
        own = system.environment
        if self._together:
            choices = [(None, *self._acts(template, "local")) for template in cube.agents]
            for environment in (None, *self._acts(ENVIRONMENT, "local")):
                for chosen in product(*choices):
                    if environment is not None or any(chosen):
                        yield environment, chosen, None
        else:
            for environment in self._acts(ENVIRONMENT, "local"):
                yield environment, idle, None
            for number, template in enumerate(cube.agents):
                for action in self._acts(template, "local"):
                    yield None, (*idle[:number], action, *idle[number + 1 :]), None
        for action, kind in system.sync.items():
            if action not in own.guards:
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

    def _acts(self, name: str, kind: str) -> list[str]:
        part = self.system.part[name]
        return [action for action in getattr(part, kind) if action in part.guards]

    def _step(
        self,
        found: _Found,
        environment: str | None,
        chosen: tuple[str | None, ...],
        extra: str | None,
    ) -> Iterator[_Found]:
        """Yield the cubes before a step in which agents did what is chosen."""
        cube = found.cube
        agents = cube.agents
        doing_: list[tuple[str, str, str]] = []
        if environment is not None:
            doing_.append((ENVIRONMENT, ENVIRONMENT, environment))
        broadcast = environment is not None and self.system.sync.get(environment) == "all"
        for number, action in enumerate(chosen):
            if action is not None:
                doing_.append((index(number), agents[number], action))
        if extra is not None:
            assert environment is not None
            doing_.append((index(len(agents)), extra, environment))
            agents = (*agents, extra)
        actions = tuple((int(name[1:]), act) for name, _, act in doing_ if name != ENVIRONMENT)
        effects = [self._effects(name, part, action) for name, part, action in doing_]
        if broadcast:
            assert environment is not None
            effects += [
                self._broadcast(index(n), template, environment)
                for n, template in enumerate(cube.agents)
            ]
        guards = [
            [(name, choice) for choice in self._guards[part, action]]
            for name, part, action in doing_
        ]
        for combination in product(*effects):
            values: dict[plain.Read, Term] = {}
            when: list[Condition] = []
            for name, effect in combination:
                when += effect.when
                values.update({plain.Read(name, v): term for v, term in effect.values})
            body = tuple(map(Substitution(self.system, values).condition, cube.body))
            for guarded in product(*guards):
                self.budget.check("backward search", len(self.visited))
                for placed, needs in self._placed_all(agents, list(guarded)):
                    whole = flat((*needs, *when, *body))
                    if whole is not None:
                        yield _Found(
                            Cube(placed, whole), found.depth + 1, found, environment, actions
                        )

    def _effects(self, name: str, part: str, action: str) -> list[tuple[str, _Effect]]:
        return [(name, effect) for effect in self._changes(self.system.part[part], name, action)]

    def _broadcast(self, name: str, part: str, action: str) -> list[tuple[str, _Effect]]:
        """Return what becomes of an agent that takes part if it can."""
        guard = self.system.part[part].guards.get(action)
        if guard is None:
            return [(name, _Effect((), ()))]
        mine = renamed(guard, {SELF: name})
        able = [
            (name, replace(effect, when=(mine, *effect.when)))
            for effect in self._changes(self.system.part[part], name, action)
        ]
        # It cannot either where its guard does not hold, or where a value would leave its range.
        within = Or(tuple(And(effect.when) for _, effect in able))
        return [*able, (name, _Effect((positive(Not(within)),), ()))]

    def _changes(self, part: Part, name: str, action: str) -> Iterator[_Effect]:
        """Yield what an action does, by which of its lines apply."""
        lines = self.system.effects[part.name, action]
        uncertain = [guard for guard, _ in lines if guard != plain.TRUE]
        for truth in product((True, False), repeat=len(uncertain)):
            known = dict(zip(map(id, uncertain), truth, strict=True))
            when: list[Condition] = []
            values: dict[str, Term] = {}
            for guard, change in lines:
                holds = known.get(id(guard), True)
                if guard != plain.TRUE:
                    mine = renamed(Holds(guard), {SELF: name})
                    when.append(mine if holds else Not(mine))
                if holds:
                    values.update(
                        {i.variable: _mine(i.value, name) for i in change.line.assignments}
                    )
                    values.update({i.variable: _mine(i.value, name) for i in change.looked})
            yield _Effect((*when, *self._in_range(part, values)), tuple(values.items()))

    def _in_range(self, part: Part, values: Mapping[str, Term]) -> Iterator[Condition]:
        for variable in part.variables:
            value = values.get(variable.name)
            if value is None or isinstance(value, plain.Literal):
                continue
            domain = variable.domain
            if isinstance(domain, IntegerRange) and not isinstance(value, Lookup):
                yield Holds(plain.Compare("<=", plain.Literal(domain.low), value))
                yield Holds(plain.Compare("<=", value, plain.Literal(domain.high)))
            elif isinstance(domain, (Enumeration, IntegerRange)) and not isinstance(
                domain, OpenEnumeration
            ):
                yield Or(tuple(_is(value, plain.Literal(each)) for each in values_of(domain)))

    # Agents that guards look for

    def _placed(
        self, agents: tuple[str, ...], choices: list[tuple[str | None, "_Choice"]]
    ) -> Iterator[tuple[tuple[str, ...], tuple[Condition, ...]]]:
        for choice in choices:
            for placed, body in self._placed_all(agents, [choice]):
                found = flat(body)
                if found is not None:
                    yield placed, found

    def _placed_all(
        self, agents: tuple[str, ...], guards: "list[tuple[str | None, _Choice]]"
    ) -> Iterator[tuple[tuple[str, ...], tuple[Condition, ...]]]:
        """Yield the agents with all that guards look for among them, and what the guards say of them."""
        if not guards:
            yield agents, ()
            return
        (me, (binders, literals, universal)), *rest = guards
        for names, more in _assignments(agents, binders):
            mine = {**names, **({SELF: me} if me is not None else {})}
            body = tuple(renamed(literal, mine) for literal in literals)
            for placed, others in self._placed_all(more, rest):
                every = self._everyone(universal, mine, placed)
                yield placed, (*body, *every, *others)

    def _everyone(
        self, universal: tuple[Forall, ...], mine: Mapping[str, str], agents: tuple[str, ...]
    ) -> Iterator[Condition]:
        """Yield that a condition on every agent holds of those that are spoken of."""
        for condition in universal:
            self.approximate = True
            if any(isinstance(part, (Exists, Forall)) for part in walk(condition.body)):
                continue  # what looks for further agents is left out: more may seem possible
            for number, template in enumerate(agents):
                if template == condition.template:
                    names = {**mine, condition.index: index(number)}
                    yield renamed(condition.body, names)

    # Whether what an action does is determined

    def refuse_overlaps(self) -> None:
        """Raise `Overlap` where two lines can give a variable different values."""
        for part in self.system.part.values():
            name = ENVIRONMENT if part.name == ENVIRONMENT else SELF
            for action in part.actions:
                self._refuse_overlaps(part, name, action)

    def _refuse_overlaps(self, part: Part, name: str, action: str) -> None:
        lines = self.system.effects[part.name, action]
        for position, (guard, change) in enumerate(lines):
            for other_guard, other in lines[:position]:
                mine = dict(_values(change))
                for variable, value in _values(other):
                    if variable not in mine or mine[variable] == value:
                        continue
                    who = {SELF: part.name}
                    both = [Holds(guard), Holds(other_guard)]
                    formulae = [self.terms.condition(each, who) for each in both]
                    formulae += self.terms.typed(name, part.name)
                    domain = next(v.domain for v in part.variables if v.name == variable)
                    one = self.terms.term(mine[variable], who, domain)
                    formulae.append(one != self.terms.term(value, who, domain))
                    if self.oracle.ask(formulae) is not Satisfiable.NO:
                        raise Overlap(part.name, variable, (other.line.line, change.line.line))


_Choice = tuple[tuple[tuple[str, str], ...], tuple[Condition, ...], tuple[Forall, ...]]


def _few(items: Iterator[Item]) -> list[Item]:
    """Return all of them, unless they are too many."""
    found = list(islice(items, _MOST_BRANCHES + 1))
    if len(found) > _MOST_BRANCHES:
        msg = f"a condition falls into more than {_MOST_BRANCHES:,} cases"
        raise LimitReached(msg)
    return found


def _values(change: Change) -> Iterator[tuple[str, Term]]:
    for item in change.line.assignments:
        yield item.variable, item.value
    for looked in change.looked:
        yield looked.variable, looked.value


def _disjuncts(condition: Condition, prefix: str = "") -> Iterator[_Choice]:
    """Yield the alternatives of a positive condition: who is looked for, what holds, what of everybody."""
    match condition:
        case Or(operands):
            for number, operand in enumerate(operands):
                yield from _disjuncts(operand, f"{prefix}{number}")
        case And(operands):
            parts = [_few(_disjuncts(part, f"{prefix}{n}_")) for n, part in enumerate(operands)]
            for combination in product(*parts):
                yield (
                    tuple(binder for choice in combination for binder in choice[0]),
                    tuple(literal for choice in combination for literal in choice[1]),
                    tuple(each for choice in combination for each in choice[2]),
                )
        case Exists(name, template, body):
            fresh = f"{name}'{prefix}"
            for binders, literals, universal in _disjuncts(
                renamed(body, {name: fresh}), prefix + "_"
            ):
                yield ((fresh, template), *binders), literals, universal
        case Forall():
            yield (), (), (condition,)
        case _:
            yield (), (condition,), ()


def _assignments(
    agents: tuple[str, ...], binders: tuple[tuple[str, str], ...]
) -> Iterator[tuple[dict[str, str], tuple[str, ...]]]:
    """Yield who each index may be: one of the agents, or a new one."""
    if not binders:
        yield {}, agents
        return
    (name, template), *rest = binders
    for number, other in enumerate((*agents, template)):
        if other != template:
            continue
        more = agents if number < len(agents) else (*agents, template)
        for names, placed in _assignments(more, tuple(rest)):
            yield {name: index(number), **names}, placed


def _is(value: Term, wanted: plain.Literal) -> Condition:
    if isinstance(value, Lookup):
        return Equal(value, wanted)
    return Holds(plain.Compare("=", value, wanted))


def _mine(term: Term, name: str) -> Term:
    if isinstance(term, Lookup):
        return Lookup(term.relation, tuple(_mine(argument, name) for argument in term.arguments))
    found: dict[plain.Read, plain.Expression] = {
        read: plain.Read(name, read.variable) for read in plain.reads(term) if read.agent == SELF
    }
    return plain.substituted(term, found) if found else term
