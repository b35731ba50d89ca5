"""Random programs with templates and numbers without bounds, and an oracle: small populations, step by step.

Numbers that go far from zero are not followed, and a population is given up where it has many configurations:
what the oracle reaches is reached, and it says nothing else.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.step import Configuration, World
from gnomon.model.parameterised.system import OpenSystem
from tests.populations import members

STATES = ("a", "b", "c")
KINDS = ("one", "one", "one", "some", "all")
#: Numbers beyond this are not followed, and so many configurations of one population are.
_FAR = 4
_MOST = 1_500


class CountedProgram:
    """A random program: agents go round, alone and with an environment that counts them."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.templates = [f"T{n}" for n in range(rng.choice([1, 1, 1, 2]))]
        self.states = STATES[: rng.choice([1, 2, 2, 3, 3])]
        self.numbers = ["n", "m"][: rng.choice([0, 1, 1, 1, 2])]
        self.flag = rng.random() < 0.5
        self.own = rng.random() < 0.25
        self.forall = rng.random() < 0.4
        self.kind = {f"s{n}": rng.choice(KINDS) for n in range(rng.choice([1, 2, 2, 3]))}
        #: By action, what all others do who can when it is done.
        self.follows = {s: f"f{s}" for s in self.kind if rng.random() < 0.15}
        self.census: Counter[str] = Counter()
        self.text = self._text()

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    # Conditions

    def _own_atom(self, prefix: str) -> str:
        rng = self.rng
        if self.own and self.chance(0.4):
            other = rng.choice(["0", "1", *(f"Environment.{n}" for n in self.numbers)])
            self.census["an agent's number"] += 1
            return f"{prefix}num {rng.choice(['=', '<', '>=', '<>'])} {other}"
        return f"{prefix}at {rng.choice(['=', '=', '<>'])} {rng.choice(self.states)}"

    def _environment_atom(self) -> str:
        rng = self.rng
        if self.numbers and self.chance(0.7):
            self.census["a number of the environment"] += 1
            name = rng.choice(self.numbers)
            other = rng.choice(["0", "0", "1", "2", *(f"Environment.{n}" for n in self.numbers)])
            return f"Environment.{name} {rng.choice(['=', '<', '>', '<=', '<>'])} {other}"
        if self.flag:
            return f"Environment.flag = {rng.choice(['true', 'false'])}"
        return "true"

    def _others(self, owner: str | None) -> str:
        """Return a condition on others: some, two, or all of them."""
        rng = self.rng
        template = rng.choice(self.templates)
        # An index may have the name that an engine would give it.
        index = rng.choice(["i", "a0", "self_", "a1"])
        if self.forall and self.chance(0.5):
            self.census["forall"] += 1
            own = f"{index} = self or " if owner == template and self.chance(0.7) else ""
            return f"forall {index} : {template} ({own}{self._about(index, owner == template)})"
        self.census["exists"] += 1
        if self.chance(0.25):
            other = f"{index}b"
            both = f"{self._own_atom(f'{index}.')} and {self._own_atom(f'{other}.')}"
            return (
                f"exists {index} : {template} (exists {other} : {template} "
                f"({index} <> {other} and {both}))"
            )
        differs = f"{index} <> self and " if owner == template and self.chance(0.5) else ""
        return f"exists {index} : {template} ({differs}{self._about(index, owner == template)})"

    def _about(self, index: str, alike: bool) -> str:
        if self.own and alike and self.chance(0.3):
            self.census["two agents' numbers compared"] += 1
            return f"{index}.num {self.rng.choice(['<', '<=', '=', '<>'])} num"
        return self._own_atom(f"{index}.")

    def _guard(self, owner: str | None, *, alone: bool = False) -> str:
        parts = [self._own_atom("")] if owner is not None else []
        if self.chance(0.45):
            parts.append(self._environment_atom())
        if not alone and self.chance(0.3):
            parts.append(self._others(owner))
        self.rng.shuffle(parts)
        return self.rng.choice([" and ", " and ", " or "]).join(parts) or "true"

    # Changes

    def _changes(self, action: str, owner: str | None) -> Iterator[str]:
        rng = self.rng
        if owner is not None:
            if self.chance(0.75):
                yield f"at = {rng.choice(self.states)} if Action = {action};"
            if self.own and self.chance(0.4):
                own = [f"Environment.{name}" for name in self.numbers]
                value = rng.choice(["num + 1", "0", "num - 1", *own])
                self.census["reads the environment in Evolution"] += value in own
                yield f"num = {value} if Action = {action};"
            return
        for name in self.numbers:
            if self.chance(0.6):
                value = rng.choice([f"{name} + 1", f"{name} - 1", f"{name} + 2", "0"])
                if value == "0" and self.chance(0.6):
                    value = f"{name} + 1"
                where = f" and {name} < 2" if self.chance(0.15) else ""
                yield f"{name} = {value} if Action = {action}{where};"
        if self.flag and self.chance(0.4):
            yield f"flag = {rng.choice(['true', 'false'])} if Action = {action};"

    # The program

    def _text(self) -> str:
        lines = ["Environment", *self._environment(), "end Environment"]
        for template in self.templates:
            lines += self._template(template)
        initial = [f"Environment.{name} = {self.rng.choice([0, 0, 1, 2])}" for name in self.numbers]
        if self.numbers and self.chance(0.1):
            initial[0] = f"Environment.{self.numbers[0]} >= 0"
            self.census["a number that starts anywhere"] += 1
        if self.flag and self.chance(0.8):
            initial.append("Environment.flag = false")
        for template in self.templates:
            if self.chance(0.85):
                initial.append(f"{template}.at = {self.rng.choice(self.states[:2])}")
            if self.own:
                initial.append(f"{template}.num = {self.rng.choice([0, 0, 1])}")
        lines += [
            f"Evaluation bad if {self._goal()}; end Evaluation",
            f"InitStates {' and '.join(initial) or 'true'}; end InitStates",
            "Formulae AG !bad; end Formulae",
        ]
        self.census["one state"] += len(self.states) == 1
        for kind in self.kind.values():
            self.census[kind] += 1
        return "\n".join(lines)

    def _goal(self) -> str:
        rng = self.rng
        template = rng.choice(self.templates)
        match rng.choice(["env", "one", "one", "two", "two", "counted", "two templates"]):
            case "env":
                self.census["nobody is bad"] += 1
                return f"{self._environment_atom()} and {self._environment_atom()}"
            case "one":
                return f"exists i : {template} ({self._own_atom('i.')})"
            case "counted":
                body = f"{self._own_atom('i.')} and {self._environment_atom()}"
                return f"exists i : {template} ({body})"
            case "two":
                both = f"{self._own_atom('i.')} and {self._own_atom('j.')}"
                return f"exists i, j : {template} (i <> j and {both})"
            case _:
                other = self.templates[-1]
                both = f"{self._own_atom('i.')} and {self._own_atom('j.')}"
                return f"exists i : {template} (exists j : {other} ({both}))"

    def _environment(self) -> Iterator[str]:
        variables = [f"{name} : int;" for name in self.numbers]
        variables += ["flag : boolean;"] if self.flag else []
        if variables:
            yield f"  Vars: {' '.join(variables)} end Vars"
        local = ["tick"] if self.chance(0.3) else []
        if local:
            yield "  Actions = { tick };"
        yield f"  Sync = {{ {', '.join(f'{a} : {k}' for a, k in self.kind.items())} }};"
        protocol: list[str] = []
        evolution: list[str] = []
        for action in (*self.kind, *local):
            guard = self._environment_atom() if self.chance(0.5) else "true"
            if self.chance(0.2):
                guard = f"{guard} and {self._others(None)}"
            protocol.append(f"{guard} : {{ {action} }};")
            evolution += self._changes(action, None)
        yield f"  Protocol: {' '.join(protocol)} end Protocol"
        if evolution:
            yield f"  Evolution: {' '.join(evolution)} end Evolution"

    def _template(self, name: str) -> Iterator[str]:
        rng = self.rng
        bounds = rng.choice(["", "", "", "", "[1..1]", "[0..2]", "[1..*]", "[0..0]", "[2..2]"])
        self.census[f"bounds {bounds}"] += 1
        yield f"Template {name} {bounds}"
        number = " num : int;" if self.own else ""
        yield f"  Vars: at : {{ {', '.join(self.states)} }};{number} end Vars"
        local = [f"l{n}" for n in range(rng.choice([0, 1, 1, 2]))]
        shared = [action for action in self.kind if self.chance(0.8)]
        if local:
            yield f"  Actions = {{ {', '.join(local)} }};"
        follows = [f"f{action}" for action in self.follows if self.chance(0.8)]
        self.census["follows"] += bool(follows)
        declared = [*shared, *(f"{each} : all with {each[1:]}" for each in follows)]
        if declared:
            yield f"  Sync = {{ {', '.join(declared)} }};"
        protocol: list[str] = []
        evolution: list[str] = []
        for action in (*local, *shared, *follows):
            by_all = self.kind.get(action) == "all" or action in follows
            guard = self._guard(name, alone=by_all)
            protocol.append(f"{guard} : {{ {action} }};")
            evolution += self._changes(action, name)
        if protocol:
            yield f"  Protocol: {' '.join(protocol)} end Protocol"
        if evolution:
            yield f"  Evolution: {' '.join(evolution)} end Evolution"
        yield "end Template"


# The oracle


def small_populations(system: OpenSystem, most: int) -> Iterator[tuple[int, ...]]:
    """Yield how many agents there may be of each template, with so many of all at most."""
    ranges = (
        range(part.low, (most if part.high is None else min(most, part.high)) + 1)
        for part in system.templates
    )
    yield from sorted((row for row in product(*ranges) if sum(row) <= most), key=sum)


def reached(system: OpenSystem, counts: tuple[int, ...]) -> Iterator[Configuration]:
    """Yield what so many agents reach, as far as they are followed."""
    world = World(system, members(system, counts), {})
    seen = set(_starts(world))
    waiting = list(seen)
    for now in waiting:
        yield now
        if len(seen) > _MOST:
            return
        for event in world.events(now):
            after = world.step(event, now)
            assert after is not None, event
            ordered = _ordered(world, after)
            if ordered not in seen and _is_near(ordered):
                seen.add(ordered)
                waiting.append(ordered)


def reaches_bad(system: OpenSystem, counts: tuple[int, ...], bad: Condition) -> bool:
    """Return whether so many agents get to what is bad, as far as they are followed."""
    world = World(system, members(system, counts), {})
    return any(
        world.holds(bad, now, {ENVIRONMENT: None}) is True for now in reached(system, counts)
    )


def _is_near(now: Configuration) -> bool:
    return all(
        isinstance(value, (str, bool)) or abs(value) <= _FAR
        for local in (now.environment, *now.agents)
        for value in local
    )


def _starts(world: World) -> Iterator[Configuration]:
    """Yield the initial configurations in which numbers are small."""
    from gnomon.model.domain import Integers, values_of
    from gnomon.model.parameterised.step import is_initial

    def locals_of(name: str) -> list[tuple[object, ...]]:
        part = world.system.part[name]
        choices = [
            range(-1, 3) if isinstance(v.domain, Integers) else values_of(v.domain)
            for v in part.variables
        ]
        return [row for row in product(*choices) if is_initial(world.system, name, row)]

    for environment, *agents in product(*map(locals_of, (ENVIRONMENT, *world.members))):
        yield _ordered(world, Configuration(environment, tuple(agents)))  # type: ignore[arg-type]


def _ordered(world: World, now: Configuration) -> Configuration:
    agents = sorted(zip(world.members, now.agents, strict=True), key=repr)
    return Configuration(now.environment, tuple(local for _, local in agents))
