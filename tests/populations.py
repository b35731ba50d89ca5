"""Random programs with templates, and an oracle: all interpretations, small populations, step by step."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace as with_fields
from itertools import product

from gnomon.language.expand import expand
from gnomon.language.parse import parse
from gnomon.model.domain import Datum
from gnomon.model.elaborate import elaborate
from gnomon.model.parameterised.condition import SELF, Condition, positive
from gnomon.model.parameterised.query import Knowledge
from gnomon.model.parameterised.step import Completed, Configuration, Place, World
from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion
from gnomon.text.record import Record, replace
from gnomon.text.source import Source

VALUES = ("a", "b", "c")
KINDS = ("some", "one", "all")
#: How many values variables have.
SIZES = (1, 2, 2, 2, 2, 3, 3)


def read(text: str) -> OpenSystem:
    """Return the system of a program, which must be without mistakes."""
    parsed = parse(Source("<random>", text))
    system = elaborate(expand(parsed.program, {}, parsed.diagnostics), parsed.diagnostics)
    assert not parsed.diagnostics.has_errors, (parsed.diagnostics.sorted(), text)
    assert isinstance(system, OpenSystem)
    return system


# The oracle


def interpretations(system: OpenSystem, places: Iterable[Place]) -> Iterator[dict[Place, Datum]]:
    """Yield all ways to fill the places of relations that the axioms allow."""
    from gnomon.model.domain import values_of

    listed = sorted(places, key=repr)
    choices: list[tuple[Datum, ...]] = []
    for relation, _ in listed:
        result = system.relations[relation].result
        choices.append((False, True) if result is None else tuple(values_of(result)))
    for values in product(*choices):
        facts = dict(zip(listed, values, strict=True))
        world = World(system, (), Completed(system, facts))
        empty = Configuration((), ())
        if all(world.holds(axiom, empty, {}) for axiom in system.axioms):
            yield facts


def all_places(system: OpenSystem) -> set[Place]:
    """Return every place of every relation."""
    from gnomon.model.domain import values_of

    return {
        (name, arguments)
        for name, relation in system.relations.items()
        for arguments in product(*(values_of(column) for column in relation.columns))
    }


def reachable(world: World) -> set[Configuration]:
    """Return all reachable configurations, agents of one template in a fixed order."""
    seen = {_sorted(world, now) for now in world.initial()}
    waiting = list(seen)
    while waiting:
        now = waiting.pop()
        for event in world.events(now):
            after = world.step(event, now)
            assert after is not None, event
            ordered = _sorted(world, after)
            if ordered not in seen:
                seen.add(ordered)
                waiting.append(ordered)
    return seen


def _sorted(world: World, now: Configuration) -> Configuration:
    agents = [local for _, local in sorted(zip(world.members, now.agents, strict=True), key=repr)]
    return Configuration(now.environment, tuple(agents))


def members(system: OpenSystem, counts: tuple[int, ...]) -> tuple[str, ...]:
    """Return the population with so many agents of each template, in the order of `_sorted`."""
    names = [part.name for part, n in zip(system.templates, counts, strict=True) for _ in range(n)]
    return tuple(sorted(names))


def is_reached(system: OpenSystem, counts: tuple[int, ...], bad: Condition) -> bool:
    """Return whether so many agents can get to a bad configuration, with some interpretation."""
    for facts in interpretations(system, all_places(system)):
        world = World(system, members(system, counts), Completed(system, facts))
        who = {"Environment": None}
        if any(world.holds(bad, now, who) for now in reachable(world)):
            return True
    return False


def views(
    system: OpenSystem, counts: tuple[int, ...], template: str, condition: Condition
) -> set[tuple[object, ...]]:
    """Return the views in which an agent of a template may be where a condition on it holds."""
    found: set[tuple[object, ...]] = set()
    part = system.part[template]
    seen = [system.position["Environment", name] for name in part.sees]
    for facts in interpretations(system, all_places(system)):
        world = World(system, members(system, counts), Completed(system, facts))
        for now in reachable(world):
            for number, name in enumerate(world.members):
                who = {"Environment": None, SELF: number}
                if name == template and world.holds(condition, now, who):
                    shown = tuple(now.environment[position] for position in seen)
                    found.add((now.agents[number], shown))
    return found


# Random programs


class Generator:
    """Makes random programs: small, and with everything in them that can be decided."""

    def __init__(self, rng: random.Random, kinds: tuple[str, ...] = ("some",)) -> None:
        self.rng = rng
        self.kinds = kinds
        self.templates = rng.choice([1, 1, 2])
        self.own = {
            f"T{t}": {f"v{i}": rng.choice(SIZES) for i in range(rng.choice([0, 1, 1, 1, 2, 2]))}
            for t in range(self.templates)
        }
        self.environment = {f"x{i}": rng.choice(SIZES) for i in range(rng.choice([0, 1, 1, 2, 2]))}
        #: How often there is what is treated specially somewhere.
        self.census: Counter[str] = Counter()
        self.relation = rng.random() < 0.6
        self.keyed = self.relation and rng.random() < 0.3
        self.forall = False
        #: A stream of its own: other choices stay as they are, whatever comes of these.
        self.more = random.Random(repr(rng.getstate()))
        self.reads = self.more.random() < 0.5
        #: Which action follows another one.
        self.followed_by: dict[str, str] = {}

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def value(self, size: int = 3) -> str:
        return self.rng.choice(VALUES[:size])

    def read(self, owner: str | None, indices: dict[str, str]) -> tuple[str, int]:
        """Return a variable that may be read, or a value where there is none, and how many values it has."""
        choices: list[tuple[str, dict[str, int]]] = [("Environment.", self.environment)]
        if owner is not None and owner != "Environment":
            choices += [("", self.own[owner])] * 2
        choices += [(f"{index}.", self.own[template]) for index, template in indices.items()]
        some = [choice for choice in choices if choice[1]]
        if not some:
            return "", 0
        prefix, variables = self.rng.choice(some)
        name = self.rng.choice(list(variables))
        return prefix + name, variables[name]

    def term(self, owner: str | None, indices: dict[str, str]) -> str:
        """Return something that has one of three values."""
        return self.read(owner, indices)[0] or self.value()

    def atom(self, owner: str | None, indices: dict[str, str]) -> str:
        sign = self.rng.choice(["=", "=", "<>"])
        chance = self.rng.random()
        if self.relation and chance < 0.25:
            relation = f"R({self.term(owner, indices) if self.chance(0.5) else self.value()})"
            return relation if self.chance(0.6) else f"!{relation}"
        if self.keyed and chance < 0.4:
            inner = self.term(owner, indices) if self.chance(0.5) else self.value()
            other = self.term(owner, indices) if self.chance(0.3) else self.value()
            return f"Key({inner}) {sign} {other}"
        alike = [index for index, template in indices.items() if template == owner]
        if alike and owner is not None and chance < 0.5:
            return f"{self.rng.choice(alike)} {sign} self"
        pairs = [(i, j) for i in indices for j in indices if i < j and indices[i] == indices[j]]
        if pairs and chance < 0.55:
            one, other = self.rng.choice(pairs)
            return f"{one} {self.rng.choice(['=', '<>', '<>'])} {other}"
        left, size = self.read(owner, indices)
        if not left:
            return self.rng.choice(["true", "false"])
        right = self.term(owner, indices) if self.chance(0.2) else self.value(min(2, size))
        if right in VALUES[size:]:
            right = "a"
        return f"{left} {sign} {right}"

    def condition(
        self, owner: str | None, depth: int, indices: dict[str, str] | None = None
    ) -> str:
        indices = dict(indices or {})
        chance = self.rng.random()
        if depth > 0 and chance < 0.3 and len(indices) < 2:
            template = f"T{self.rng.randrange(self.templates)}"
            index = f"i{len(indices)}"
            inner = self.condition(owner, depth - 1, {**indices, index: template})
            return f"exists {index} : {template} ({inner})"
        if depth > 0 and chance < 0.85:
            word = self.rng.choice(["and", "and", "or"])
            parts = [self.condition(owner, depth - 1, indices) for _ in range(2)]
            return "(" + f" {word} ".join(parts) + ")"
        return self.atom(owner, indices)

    def universal(self, owner: str) -> str:
        """Return a condition on every agent."""
        template = f"T{self.rng.randrange(self.templates)}"
        own = "" if template != owner or self.chance(0.4) else "k = self or "
        if not self.own[template]:
            return f"forall k : {template} ({own}{self.rng.choice(['true', 'false'])})"
        name = self.rng.choice(list(self.own[template]))
        against = self.value(min(2, self.own[template][name]))
        if self.chance(0.3):
            against = self.read(owner, {})[0] or against
        return f"forall k : {template} ({own}k.{name} {self.rng.choice(['=', '<>'])} {against})"

    def changes(
        self, variables: dict[str, int], action: str, *, template: bool = False
    ) -> list[str]:
        """Return what an action does; agents of a template may read the environment."""
        lines: list[str] = []
        if not variables:
            return lines
        tested, size = self.rng.choice(list(variables.items()))
        seen = {f"Environment.{name}": n for name, n in self.environment.items()}
        if not (template and self.reads):
            seen = {}
        value = self.value(size)
        conditions = [""]
        if self.chance(0.3):
            conditions = [f" and {tested} = {value}", f" and {tested} <> {value}"]
        if seen and self.more.random() < 0.4:
            tested, size = self.more.choice(list(seen.items()))
            value = self.more.choice(VALUES[:size])
            conditions = [f" and {tested} = {value}", f" and {tested} <> {value}"]
            self.census["a change where the environment is so"] += 1
        for condition in conditions:
            for name, size in variables.items():
                if not self.chance(0.55):
                    continue
                assigned = self.value(size)
                if self.keyed and size == 3 and self.chance(0.3):
                    assigned = f"Key({self.rng.choice(list(variables))})"
                    if seen and self.more.random() < 0.5:
                        assigned = f"Key({self.more.choice(list(seen))})"
                elif self.chance(0.15):
                    assigned = self.rng.choice([n for n, s in variables.items() if s <= size])
                fitting = [n for n, s in seen.items() if s <= size or self.more.random() < 0.1]
                if fitting and "Key(" not in assigned and self.more.random() < 0.35:
                    assigned = self.more.choice(fitting)
                    self.census["a value of the environment"] += 1
                lines.append(f"{name} = {assigned} if Action = {action}{condition};")
        return lines

    def program(self) -> str:
        """Return a random program."""
        kinds = {f"s{i}": self.rng.choice(self.kinds) for i in range(self.rng.choice([1, 2, 3]))}
        if self.kinds != ("some",) and self.more.random() < 0.5:
            led = [name for name in kinds if self.more.random() < 0.6]
            self.followed_by = {name: f"f{name}" for name in led}
            self.census["an action that others follow"] += bool(led)
        lines = ["Semantics = Interleaved;", "Types", "  D : {a, b, c}; end Types"]
        lines.insert(1, "")
        if self.relation:
            keyed = "Key : D -> D;" if self.keyed else ""
            lines.append(f"Relations R : D; {keyed} end Relations")
            if self.chance(0.25):
                axiom = self.rng.choice(
                    ["R(a) -> R(b)", "forall x : D (R(x) or x = a)", "!R(a) or !R(b)"]
                )
                lines.append(f"Axioms {axiom}; end Axioms")
        lines += self.environment_part(kinds)
        for name in self.own:
            lines += self.template_part(name, kinds)
        goal = self.condition(None, 2)
        while "exists" not in goal and self.chance(0.9):
            goal = self.condition(None, 3)
        lines += [f"Evaluation bad if {goal}; end Evaluation", "InitStates"]
        initial = [
            f"Environment.{name} = {self.value(min(2, size))}"
            for name, size in self.environment.items()
        ]
        for template, variables in self.own.items():
            initial += [
                f"{template}.{name} = {self.value(min(2, size))}"
                for name, size in variables.items()
                if self.chance(0.85)
            ]
        initial = initial or ["true"]
        self._count()
        lines += [" and ".join(initial) + ";", "end InitStates", "Formulae AG !bad; end Formulae"]
        return "\n".join(lines)

    def _count(self) -> None:
        """Take note of what is treated specially somewhere."""
        sizes = [size for variables in self.own.values() for size in variables.values()]
        self.census.update(
            {
                "a template without variables": not all(self.own.values()),
                "an environment without variables": not self.environment,
                "a type with one value": 1 in (*sizes, *self.environment.values()),
                "a relation with a key": self.keyed,
                "no relation": not self.relation,
            }
        )

    def declared(self, variables: dict[str, int]) -> str:
        named = {1: "{a}", 2: "{a, b}", 3: "D"}
        return " ".join(f"{name} : {named[size]};" for name, size in variables.items())

    def broadcast_guard(self, variables: dict[str, int]) -> str:
        """Return a condition on an agent and the environment."""
        guard = "true"
        if variables:
            name = self.rng.choice(list(variables))
            value = self.value(min(2, variables[name]))
            guard = f"{name} {self.rng.choice(['=', '<>'])} {value}"
        if self.environment and self.chance(0.4):
            guard += f" and Environment.x0 = {self.value(min(2, self.environment['x0']))}"
        return guard

    def environment_part(self, kinds: dict[str, str]) -> list[str]:
        protocol, evolution = [], []
        local = ["e0"] if self.chance(0.5) else []
        for action in (*kinds, *local):
            guard = self.condition("Environment", self.rng.choice([0, 0, 1, 2]))
            if self.chance(0.35):
                guard = "true"
            protocol.append(f"{guard} : {{{action}}};")
            evolution += self.changes(self.environment, action)
        sync = ", ".join(f"{name} : {kind}" for name, kind in kinds.items())
        section = "Obsvars" if self.chance(0.3) else "Vars"
        return [
            "Environment",
            f"  {section}: {self.declared(self.environment)} end {section}"
            if self.environment
            else "",
            f"  Actions = {{{', '.join(local)}}};" if local else "",
            f"  Sync = {{{sync}}};",
            "  Protocol: " + " ".join(protocol) + " end Protocol",
            "  Evolution: " + " ".join(evolution) + " end Evolution",
            "end Environment",
        ]

    def template_part(self, name: str, kinds: dict[str, str]) -> list[str]:
        variables = self.own[name]
        protocol, evolution = [], []
        local = [f"l{i}" for i in range(self.rng.choice([0, 1, 1, 2, 2, 2]))]
        shared = [action for action in kinds if self.chance(0.8)]
        self.census["a template without actions"] += not (local or shared)
        self.census["a template without local actions"] += not local
        following = [f for f in self.followed_by.values() if self.more.random() < 0.8]
        for action in (*local, *shared, *following):
            guard = self.condition(name, self.rng.choice([0, 1, 1, 2]))
            if kinds.get(action) == "all" or action in following:
                guard = self.broadcast_guard(variables)
            elif self.forall and self.chance(0.5):
                guard = f"({guard}) and {self.universal(name)}"
            protocol.append(f"{guard} : {{{action}}};")
            found = self.changes(variables, action, template=True)
            if kinds.get(action) == "all" or action in following:
                found = [line for line in found if "Key(" not in line]
            evolution += found
        bounds = self.rng.choice(["", "", "", "", "[1..1]", "[0..2]", "[1..*]", "[0..0]"])
        if self.kinds == ("some",):
            bounds = ""
        self.census["nobody"] += bounds == "[0..0]"
        return [
            f"Template {name} {bounds}",
            f"  Vars: {self.declared(variables)} end Vars" if variables else "",
            f"  Actions = {{{', '.join(local)}}};",
            f"  Sync = {{{', '.join((*shared, *_followers(self.followed_by, following)))}}};",
            "  Protocol: " + " ".join(protocol) + " end Protocol",
            "  Evolution: " + " ".join(evolution) + " end Evolution",
            "end Template",
        ]


def _followers(followed_by: dict[str, str], named: Iterable[str]) -> Iterator[str]:
    """Yield the declarations of actions that follow others."""
    for leader, follower in followed_by.items():
        if follower in named:
            yield f"{follower} : all with {leader}"


def generated(
    seed: int, kinds: tuple[str, ...] = ("some",), *, forall: bool = False
) -> tuple[str, Counter[str]]:
    """Return the text of a random program, and what occurs in it."""
    generator = Generator(random.Random(seed), kinds)
    generator.forall = forall
    return generator.program(), generator.census


def random_program(seed: int, kinds: tuple[str, ...] = ("some",), *, forall: bool = False) -> str:
    """Return the text of a random program."""
    return generated(seed, kinds, forall=forall)[0]


def chain_program(seed: int, kinds: tuple[str, ...] = ("some",)) -> str:
    """Return a program in which agents go from place to place: longer runs, and facts both ways."""
    rng = random.Random(seed)
    places = [f"p{i}" for i in range(rng.choice([3, 4, 5]))]
    bits = [f"x{i}" for i in range(rng.choice([1, 2, 3]))]
    facts = rng.choice([0, 2, 3])

    def bit() -> str:
        return f"Environment.{rng.choice(bits)} = {rng.choice(['true', 'false'])}"

    def guard(place: str) -> str:
        parts = [f"pc = {place}"]
        if rng.random() < 0.55:
            parts.append(bit())
        if rng.random() < 0.3:
            distinct = "j != self and " if rng.random() < 0.5 else ""
            parts.append(f"exists j : T ({distinct}j.pc = {rng.choice(places)})")
        if facts and rng.random() < 0.35:
            fact = f"R(p{rng.randrange(facts)})"
            parts.append(fact if rng.random() < 0.5 else f"!{fact}")
        return " and ".join(parts)

    protocol, evolution, environment, changes = [], [], [], []
    kind_of = {f"s{i}": rng.choice(kinds) for i in range(rng.choice([2, 3, 4]))}
    more = random.Random(f"more {seed}")
    followed_by: dict[str, str] = {}
    for action, kind in kind_of.items():
        source = rng.choice(places)
        target = rng.choice([source, rng.choice(places)])
        line = f"pc = {source}" if kind == "all" else guard(source)
        protocol.append(f"{line} : {{{action}}};")
        where = ""
        if more.random() < 0.25:
            sign = more.choice(["=", "<>"])
            where = f" and Environment.{more.choice(bits)} {sign} true"
        evolution.append(f"pc = {target} if Action = {action}{where};")
        if kinds != ("some",) and more.random() < 0.3:
            followed_by[action] = f"f{action}"
            come, go = more.choice(places), more.choice(places)
            protocol.append(f"pc = {come} : {{{followed_by[action]}}};")
            evolution.append(f"pc = {go} if Action = {followed_by[action]};")
        environment.append(f"{bit() if rng.random() < 0.6 else 'true'} : {{{action}}};")
        changes += [
            f"{name} = {rng.choice(['true', 'false'])} if Action = {action};"
            for name in bits
            if rng.random() < 0.5
        ]
    local = []
    for number in range(len(places) - 1):
        for variant in range(rng.choice([0, 1, 1, 2])):
            action = f"l{number}_{variant}"
            local.append(action)
            protocol.append(f"{guard(places[number])} : {{{action}}};")
            evolution.append(f"pc = {places[number + 1]} if Action = {action};")
    wanted = [f"i.pc = {rng.choice(places[1:])}", bit()]
    second = rng.random() < 0.6
    if second:
        wanted += [f"k.pc = {rng.choice(places[1:])}", "i != k"]
    goal = " and ".join(wanted)
    inner = f"exists k : T ({goal})" if second else goal
    initial = [f"Environment.{name} = {rng.choice(['true', 'false'])}" for name in bits]
    bounds = "" if kinds == ("some",) else rng.choice(["", "", "[0..2]", "[2..3]"])
    return "\n".join(
        [
            f"Types P : {{{', '.join(places)}}}; end Types",
            "Relations R : P; end Relations" if facts else "",
            "Environment",
            "  Vars: " + " ".join(f"{name} : boolean;" for name in bits) + " end Vars",
            "  Sync = {" + ", ".join(f"{a} : {k}" for a, k in kind_of.items()) + "};",
            "  Protocol: " + " ".join(environment) + " end Protocol",
            "  Evolution: " + " ".join(changes) + " end Evolution",
            "end Environment",
            f"Template T {bounds}",
            "  Vars: pc : P; end Vars",
            f"  Actions = {{{', '.join(local)}}};",
            f"  Sync = {{{', '.join((*kind_of, *_followers(followed_by, followed_by.values())))}}};",
            "  Protocol: " + " ".join(protocol) + " end Protocol",
            "  Evolution: " + " ".join(evolution) + " end Evolution",
            "end Template",
            f"Evaluation bad if exists i : T ({inner}); end Evaluation",
            "InitStates " + " and ".join([*initial, "T.pc = p0"]) + "; end InitStates",
            "Formulae AG !bad; end Formulae",
        ]
    )


class Clauses(Record):
    """Facts that steps depend on: one of each of the first must hold, the others are axioms."""

    steps: tuple[tuple[str, ...], ...]
    axioms: tuple[tuple[str, ...], ...]
    keyed: bool


def clauses(seed: int) -> Clauses:
    """Return random clauses over what relations say of four values."""
    rng = random.Random(seed)
    keyed = rng.random() < 0.35

    def literal() -> str:
        value = f"p{rng.randrange(4)}"
        if keyed and rng.random() < 0.6:
            return f"Key({value}) {rng.choice(['=', '<>', '<>'])} {rng.choice('abc')}"
        return rng.choice(["", "!"]) + f"R({value})"

    def clause() -> tuple[str, ...]:
        return tuple(literal() for _ in range(rng.choice([1, 2, 2, 3])))

    steps = tuple(clause() for _ in range(rng.choice([3, 5, 7, 9])))
    axioms = tuple(clause() for _ in range(rng.choice([0, 0, 1, 2])))
    return Clauses(steps, axioms, keyed)


def is_satisfiable(given: Clauses) -> bool:
    """Return whether all clauses can hold together."""
    return any(
        all(any(_says(literal, related, keys) for literal in clause) for clause in both)
        for both in [given.steps + given.axioms]
        for related in product((False, True), repeat=4)
        for keys in product("abc", repeat=4 if given.keyed else 0)
    )


def _says(literal: str, related: tuple[bool, ...], keys: tuple[str, ...]) -> bool:
    number = int(literal[literal.index("(p") + 2])
    if not literal.startswith("Key"):
        return related[number] != literal.startswith("!")
    _, sign, value = literal.split()
    return (keys[number] == value) == (sign == "=")


def literal_program(seed: int) -> str:
    """Return a program whose goal can be reached exactly if the clauses of a seed can hold together.

    Agents go on from clause to clause by a literal of each, alone, together, or led by the environment.
    """
    given = clauses(seed)
    rng = random.Random(seed)
    last = len(given.steps)
    places = [f"c{i}" for i in range(last + 1)]
    local, shared = [], []
    protocol, evolution, environment, changes = [], [], [], []
    for number, clause in enumerate(given.steps):
        for variant, literal in enumerate(clause):
            action = f"s{number}_{variant}"
            here, there = f"pc = {places[number]}", f"pc = {places[number + 1]}"
            look = f" and exists j : T (j.pc = {places[number]})" if rng.random() < 0.2 else ""
            if rng.random() < 0.5:
                local.append(action)
                protocol.append(f"{here} and {literal}{look} : {{{action}}};")
            else:
                shared.append(action)
                mine = rng.random() < 0.5
                protocol.append(f"{here}{'' if mine else f' and {literal}'} : {{{action}}};")
                environment.append(f"{literal if mine else 'true'} : {{{action}}};")
            evolution.append(f"{there} if Action = {action};")
            if action in shared and rng.random() < 0.5:
                changes.append(f"x = {rng.choice(['true', 'false'])} if Action = {action};")
    kinds = {action: rng.choice(["some", "one"]) for action in shared}
    if rng.random() < 0.5:
        kinds = dict.fromkeys(shared, "some")
    relations = "Relations R : P; Key : P -> V; end Relations"
    if not given.keyed:
        relations = "Relations R : P; end Relations"
    axioms = " ".join(" or ".join(clause) + ";" for clause in given.axioms)
    return "\n".join(
        [
            f"Types P : {{p0, p1, p2, p3}}; V : {{a, b, c}}; C : {{{', '.join(places)}}}; end Types",
            relations,
            f"Axioms {axioms} end Axioms" if axioms else "",
            "Environment",
            "  Vars: x : boolean; end Vars",
            "  Sync = {" + ", ".join(f"{a} : {k}" for a, k in kinds.items()) + "};",
            "  Protocol: " + " ".join(environment) + " end Protocol",
            "  Evolution: " + " ".join(changes) + " end Evolution",
            "end Environment",
            "Template T",
            "  Vars: pc : C; end Vars",
            f"  Actions = {{{', '.join(local)}}};",
            f"  Sync = {{{', '.join(shared)}}};",
            "  Protocol: " + " ".join(protocol) + " end Protocol",
            "  Evolution: " + " ".join(evolution) + " end Evolution",
            "end Template",
            f"Evaluation bad if exists i : T (i.pc = {places[-1]}); end Evaluation",
            "InitStates Environment.x = false and T.pc = c0; end InitStates",
            "Formulae AG !bad; end Formulae",
        ]
    )


def knowing_system(seed: int, kinds: tuple[str, ...] = ("some",)) -> OpenSystem:
    """Return a system that asks what agents of a template know, who may see some of the environment."""
    rng = random.Random(seed)
    generator = Generator(rng, kinds)
    text = generator.program()
    who = f"T{rng.randrange(generator.templates)}"
    for name in generator.own:
        if generator.environment and generator.chance(0.5):
            seen = rng.choice(list(generator.environment))
            place = text.index("  Actions", text.index(f"Template {name}"))
            text = f"{text[:place]}  Lobsvars = {{{seen}}};\n{text[place:]}"
    # What is asked is read as what two actions need, which are taken away again.
    when, doubt = (generator.condition(who, depth) for depth in (rng.choice([0, 1]), 2))
    before, after = text.split(f"Template {who}")
    after = after.replace("Actions = {", "Actions = {ask, doubt, ", 1).replace(", }", "}", 1)
    after = after.replace("Protocol:", f"Protocol: {when} : {{ask}}; {doubt} : {{doubt}};", 1)
    system = read(f"{before}Template {who}{after}")
    asked = system.part[who].guards
    query = Knowledge(who, positive(asked["ask"]), positive(asked["doubt"]))
    templates = tuple(
        replace(
            part,
            local=tuple(action for action in part.local if action not in ("ask", "doubt")),
            guards={a: guard for a, guard in part.guards.items() if a not in ("ask", "doubt")},
        )
        for part in system.templates
    )
    question = PopulationQuestion(query, "knowledge", "knowledge")
    return with_fields(system, templates=templates, questions=(question,))


def number_program(seed: int, kinds: tuple[str, ...] = ("some",)) -> str:
    """Return a program with numbers in ranges that they would leave, and several initial states."""
    rng = random.Random(seed)
    highest = rng.choice([0, 1, 2, 2])
    kind_of = {f"s{i}": rng.choice(kinds) for i in range(rng.choice([1, 2]))}
    local = [f"l{i}" for i in range(rng.choice([1, 2, 3]))]
    more = random.Random(f"more {seed}")
    followed_by: dict[str, str] = {}

    def number(name: str) -> str:
        return str(rng.randrange(-1, 2) if name.endswith("m") else rng.randrange(highest + 1))

    def compared(name: str) -> str:
        return f"{name} {rng.choice(['=', '<>', '<', '>'])} {number(name)}"

    def change(name: str, others: list[str]) -> str:
        by = rng.choice(["+ 1", "+ 1", "- 1", "+ 2"])
        return rng.choice([f"{name} {by}", f"{name} {by}", *others, number(name)])

    def guard(*, simple: bool = False) -> str:
        parts = [rng.choice(["true", compared("n"), compared("n")])]
        if rng.random() < 0.3:
            parts.append(compared("Environment.x"))
        if not simple and rng.random() < 0.35:
            distinct = rng.choice(["", "j != self and "])
            against = rng.choice(["self.n", number("n")])
            parts.append(f"exists j : T ({distinct}j.n {rng.choice(['=', '<', '>'])} {against})")
        return " and ".join(parts)

    protocol, evolution, environment, changes = [], [], [], []
    for action in (*kind_of, *local):
        protocol.append(f"{guard(simple=kind_of.get(action) == 'all')} : {{{action}}};")
        x = "Environment.x"
        value = change("n", ["m", "m + n"])
        value = more.choice([value, value, value, x, f"{x} - n", f"n + {x}"])
        where = more.choice(["", "", f" and {x} <> {highest}", f" and {x} > n"])
        evolution.append(f"n = {value} if Action = {action}{where};")
        if rng.random() < 0.4:
            value = change("m", ["n", "m * 2"])
            value = more.choice([value, value, f"m + {x}"])
            evolution.append(f"m = {value} if Action = {action};")
        if action in kind_of and kinds != ("some",) and more.random() < 0.3:
            followed_by[action] = f"f{action}"
            value = more.choice(["0", "n + 1", "n - 1", x])
            protocol.append(f"n {more.choice(['<', '>', '='])} {highest} : {{f{action}}};")
            evolution.append(f"n = {value} if Action = f{action};")
    for action in kind_of:
        environment.append(f"{rng.choice(['true', compared('x')])} : {{{action}}};")
        if rng.random() < 0.7:
            changes.append(f"x = {change('x', ['2 - x'])} if Action = {action};")
    goal = f"{compared('i.n')} and {rng.choice(['true', compared('i.m')])}"
    if rng.random() < 0.5:
        goal = f"exists k : T ({goal} and i != k and {compared('k.n')})"
    bounds = "" if kinds == ("some",) else rng.choice(["", "", "[0..2]", "[1..2]", "[2..*]"])
    beside = rng.choice(["true", compared("Environment.x")])
    initial = [rng.choice(["Environment.x = 0", "Environment.x < 2"])]
    initial += [f"T.n {rng.choice(['= 0', '= 0', '< 2'])}", "T.m = 0"]
    return "\n".join(
        [
            "Environment",
            f"  Vars: x : 0..{highest}; end Vars",
            "  Sync = {" + ", ".join(f"{a} : {k}" for a, k in kind_of.items()) + "};",
            "  Protocol: " + " ".join(environment) + " end Protocol",
            "  Evolution: " + " ".join(changes) + " end Evolution",
            "end Environment",
            f"Template T {bounds}",
            f"  Vars: n : 0..{highest}; m : -1..1; end Vars",
            f"  Actions = {{{', '.join(local)}}};",
            f"  Sync = {{{', '.join((*kind_of, *_followers(followed_by, followed_by.values())))}}};",
            "  Protocol: " + " ".join(protocol) + " end Protocol",
            "  Evolution: " + " ".join(evolution) + " end Evolution",
            "end Template",
            f"Evaluation bad if exists i : T ({goal}) and {beside}; end Evaluation",
            f"InitStates {' and '.join(initial)}; end InitStates",
            "Formulae AG !bad; end Formulae",
        ]
    )
