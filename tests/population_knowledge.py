"""Random questions about what agents know, of any shape, and an oracle that follows the definitions, naively.

A point is a reachable configuration of some population under some interpretation. The oracle knows those of
small populations only, and compares every point with every other one.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from random import Random
from typing import NamedTuple, TypeAlias

from gnomon.model.parameterised.step import Completed, Configuration, World
from gnomon.model.parameterised.system import OpenSystem
from tests.population_paths import Literal
from tests.populations import Generator, all_places, interpretations, members, reachable

#: A formula: an operator and what it is applied to.
Tree: TypeAlias = tuple[object, ...]
Who: TypeAlias = Mapping[str, int]


class Asked(NamedTuple):
    """A program with one question about knowledge, and the formula that it is about."""

    text: str
    formula: Tree
    reach: bool


class Spot(NamedTuple):
    """A configuration of a population."""

    world: World
    now: Configuration

    def view(self, agent: int) -> tuple[object, ...]:
        """Return what an agent sees: its template and state, and what is shown of the environment."""
        template = self.world.members[agent]
        return template, self.now.agents[agent], shown(self.world.system, template, self.now)

    def agents(self, template: str) -> list[int]:
        return [n for n, name in enumerate(self.world.members) if name == template]


def counting(world: World) -> Iterable[Configuration]:
    """Return the reachable configurations from which a run goes on that counts."""
    if not world.system.fairness:
        return reachable(world)
    literal = Literal(world, own=False)
    going_on = literal.for_ever(set(range(len(literal.listed))))
    return [literal.listed[number] for number in sorted(going_on)]


def shown(system: OpenSystem, template: str, now: Configuration) -> tuple[object, ...]:
    seen = system.part[template].sees
    names = [variable.name for variable in system.environment.variables]
    return tuple(now.environment[names.index(name)] for name in seen)


class Points:
    """All configurations of populations with at most so many agents, and what formulae are worth there."""

    def __init__(self, system: OpenSystem, most: int) -> None:
        self.system = system
        self.spots: list[Spot] = []
        counts = product(range(most + 1), repeat=len(system.templates))
        for each in counts:
            allowed = all(p.allows(n) for p, n in zip(system.templates, each, strict=True))
            if sum(each) > most or not allowed:
                continue
            for facts in interpretations(system, all_places(system)):
                world = World(system, members(system, each), Completed(system, facts))
                self.spots += [Spot(world, now) for now in counting(world)]
        self.alike: dict[tuple[object, ...], list[tuple[Spot, int]]] = {}
        for spot in self.spots:
            for agent in range(len(spot.world.members)):
                self.alike.setdefault(spot.view(agent), []).append((spot, agent))
        self._known: dict[tuple[object, ...], bool] = {}

    def holds(self, formula: Tree, spot: Spot, who: Who) -> bool:
        """Return whether a formula holds, by the definition."""
        match formula:
            case ("named", str(name)):
                condition = self.system.propositions[name]
                return spot.world.holds(condition, spot.now, {"Environment": None}) is True
            case ("own", str(index), str(variable), bool(equal), value):
                template = spot.world.members[who[index]]
                names = [each.name for each in self.system.part[template].variables]
                found = spot.now.agents[who[index]][names.index(variable)]
                return (found == value) == equal
            case ("other", str(one), str(other)):
                return who[one] != who[other]
            case ("not", tuple(body)):
                return not self.holds(body, spot, who)
            case ("and", tuple(left), tuple(right)):
                return self.holds(left, spot, who) and self.holds(right, spot, who)
            case ("or", tuple(left), tuple(right)):
                return self.holds(left, spot, who) or self.holds(right, spot, who)
            case ("some", str(index), str(template), tuple(body)):
                agents = spot.agents(template)
                return any(self.holds(body, spot, {**who, index: n}) for n in agents)
            case ("every", str(index), str(template), tuple(body)):
                agents = spot.agents(template)
                return all(self.holds(body, spot, {**who, index: n}) for n in agents)
            case ("K", str(index), tuple(body)):
                return self._knows(index, body, spot.view(who[index]))
            case ("GK", str(template), tuple(body)):
                agents = spot.agents(template)
                return all(self._knows("", body, spot.view(n)) for n in agents)
            case ("GCK", str(template), tuple(body)):
                return all(self.holds(body, each, {}) for each in self._chained(template, spot))
            case ("DK", str(template), tuple(body)):
                return self._pooled(template, body, spot)
        raise AssertionError(formula)

    def _knows(self, index: str, body: Tree, view: tuple[object, ...]) -> bool:
        key = ("K", index, body, view)
        if key not in self._known:
            found = (self.holds(body, there, {index: n}) for there, n in self.alike[view])
            self._known[key] = all(found)
        return self._known[key]

    def _chained(self, template: str, spot: Spot) -> Iterator[Spot]:
        """Yield what one or more steps to what looks the same to an agent of a template lead to."""
        seen: set[tuple[object, ...]] = set()
        waiting = [spot.view(agent) for agent in spot.agents(template)]
        while waiting:
            view = waiting.pop()
            if view in seen:
                continue
            seen.add(view)
            for there, _ in self.alike[view]:
                yield there
                waiting += {there.view(agent) for agent in there.agents(template)} - seen

    def _pooled(self, template: str, body: Tree, spot: Spot) -> bool:
        pooled = self._together(template, spot)
        key = ("DK", template, body, pooled)
        if key not in self._known:
            self._known[key] = all(
                self.holds(body, there, {})
                for there in self.spots
                if self._together(template, there) == pooled
            )
        return self._known[key]

    def _together(self, template: str, spot: Spot) -> tuple[object, ...]:
        return tuple(sorted((spot.view(agent) for agent in spot.agents(template)), key=repr))

    def breaking(self, formula: Tree, *, reach: bool) -> bool:
        """Return whether some configuration is as `AG formula` excludes, or `EF formula` asks for."""
        return any(self.holds(formula, spot, {}) is reach for spot in self.spots)


# Questions


class Shapes:
    """Makes random formulae."""

    def __init__(
        self, rng: Random, generator: Generator, *, together: bool, different: bool
    ) -> None:
        self.rng = rng
        self.generator = generator
        self.together = together
        self.different = different
        self.named: list[str] = []
        self.names = 0

    def formula(self, depth: int, who: dict[str, str]) -> Tree:
        """Return a formula; `who` are the agents that can be named, and their templates."""
        rng = self.rng
        chance = rng.random()
        template = f"T{rng.randrange(self.generator.templates)}"
        if depth == 0 or chance < 0.12:
            return self.atom(who)
        if chance < 0.25:
            return ("not", self.formula(depth - 1, who))
        if chance < 0.42:
            kind = rng.choice(["and", "or", "or"])
            return (kind, self.formula(depth - 1, who), self.formula(depth - 1, who))
        if chance < 0.57 or (chance < 0.82 and not who):
            index = self.fresh("a")
            kind = rng.choice(["some", "every"])
            body = self.formula(depth - 1, {**who, index: template})
            if self.rng.random() < 0.7:
                body = ("K", index, self.formula(depth - 1, {index: template}))
            mates = [each for each in who if who[each] == template]
            if mates and self.different and rng.random() < 0.6:
                other = ("other", index, rng.choice(mates))
                body = ("and", other, body) if kind == "some" else ("or", ("not", other), body)
            return (kind, index, template, body)
        if chance < 0.82:
            index = rng.choice(list(who))
            return ("K", index, self.formula(depth - 1, {index: who[index]}))
        if chance < 0.88:
            return ("GK", template, self.formula(depth - 1, {}))
        if self.together and chance < 0.94:
            return ("DK", template, self.formula(depth - 1, {}))
        return ("GCK", template, self.formula(depth - 1, {}))

    def fresh(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    def atom(self, who: dict[str, str]) -> Tree:
        owners = [index for index, template in who.items() if self.generator.own[template]]
        if owners and self.rng.random() < 0.6:
            index = self.rng.choice(owners)
            variables = self.generator.own[who[index]]
            variable = self.rng.choice(list(variables))
            value = self.generator.value(min(2, variables[variable]))
            return ("own", index, variable, self.rng.random() < 0.5, value)
        if not self.named or (len(self.named) < 2 and self.rng.random() < 0.6):
            condition = self.generator.condition(None, self.rng.choice([0, 1, 1]))
            if not self.different:
                while "i0" in condition and ("i1 " in condition or "i1)" in condition):
                    condition = self.generator.condition(None, 1)
            self.named.append(condition)
        return ("named", f"p{self.rng.randrange(len(self.named))}")


def written(formula: Tree) -> str:
    """Return a formula as a program has it."""
    match formula:
        case ("named", str(name)):
            return name
        case ("own", index, variable, equal, value):
            return f"({index}.{variable} {'=' if equal else '<>'} {value})"
        case ("other", one, other):
            return f"({one} != {other})"
        case ("not", tuple(body)):
            return f"!{written(body)}"
        case ("and" | "or" as kind, tuple(left), tuple(right)):
            return f"({written(left)} {kind} {written(right)})"
        case ("some" | "every" as kind, index, template, tuple(body)):
            word = "exists" if kind == "some" else "forall"
            return f"({word} {index} : {template} ({written(body)}))"
        case (kind, who, tuple(body)):
            return f"{kind}({who}, {written(body)})"
    raise AssertionError(formula)


def asked(
    seed: int,
    kinds: tuple[str, ...],
    *,
    forall: bool = False,
    together: bool = False,
    different: bool = False,
    fair: bool = False,
) -> Asked:
    """Return a random program with a question about knowledge."""
    rng = Random(seed)
    generator = Generator(rng, kinds)
    generator.forall = forall
    text = generator.program()
    if not different:
        text = text.replace("k = self or ", "")
    shapes = Shapes(rng, generator, together=together, different=different)
    formula = shapes.formula(rng.choice([2, 3, 3]), {})
    while not knows(formula):
        formula = shapes.formula(3, {})
    reach = rng.random() < 0.3
    question = f"{'EF' if reach else 'AG'} {written(formula)}"
    lines = " ".join(f"p{n} if {each};" for n, each in enumerate(shapes.named))
    fairness = ""
    if fair:
        promise = rng.choice(["", "weak;", "strong;"])
        fairness = f"Fairness {promise} often; end Fairness\n"
        lines = f"often if {generator.condition(None, 0)}; {lines}"
    text = text.replace("Formulae AG !bad;", f"{fairness}Formulae {question};")
    return Asked(text.replace("Evaluation ", f"Evaluation {lines} "), formula, reach)


def knows(formula: Tree) -> bool:
    """Return whether a formula says what somebody knows."""
    if formula[0] in ("K", "GK", "GCK", "DK"):
        return True
    return any(knows(part) for part in formula if isinstance(part, tuple))
