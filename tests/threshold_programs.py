"""Random programs with parameters, and an oracle: all small parameters, all steps as they are defined."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import NamedTuple

from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.given import NoSuchParameters, given, with_values
from gnomon.model.parameterised.step import World
from gnomon.model.parameterised.system import OpenSystem
from tests.population_paths import SHAPES, breaks
from tests.populations import reachable

PHASES = ("start", "middle", "done")
#: Questions: what is reached, and what has to happen.
QUESTIONS = ("AG P", "EF P", *SHAPES)


class Asked(NamedTuple):
    """A program with one question, what it is made of, and whether it is about one agent."""

    text: str
    shape: str
    own: str


class ThresholdGenerator:
    """Makes random programs: most of them such that guards only come true, some not."""

    def __init__(self, rng: Random, *, wild: bool = False) -> None:
        """Make programs; `wild` ones go back, or ask what becomes false again."""
        self.rng = rng
        self.wild = wild
        self.parameters = rng.choice((("n",), ("n", "t"), ("n", "t", "f"), ("n", "f_1")))
        self.templates = ("Node", "Loud_1")[: rng.choice((1, 1, 1, 2))]
        self.flags = {name: self._flags() for name in self.templates}
        self.mode = rng.random() < 0.3
        #: Whether one guard comes true after the other, and what is asked is behind the last.
        self.ladder = rng.random() < 0.2
        if self.ladder:
            self.flags["Node"] = ("sent",)

    def _flags(self) -> tuple[str, ...]:
        return ("sent", "asked")[: self.rng.choice((0, 1, 1, 2))]

    # Terms

    def term(self, least: int = -1) -> str:
        """Return a linear term."""
        rng = self.rng
        if rng.random() < 0.6:
            n, last = self.parameters[0], self.parameters[-1]
            choices = ["1", "2", f"{last} + 1"]
            choices += [] if last == n else [last, f"{n} - {last}", f"{n} - {last} - 1"]
            return rng.choice(choices)
        parts = [
            f"{rng.choice(('', '', '2 * '))}{name}"
            for name in self.parameters
            if rng.random() < 0.5
        ]
        signs = [rng.choice(("+", "+", "-")) for _ in parts]
        text = " ".join(f"{sign} {part}" for sign, part in zip(signs, parts, strict=True))
        text = text.removeprefix("+ ")
        if text.startswith("- "):
            text = "0 " + text
        number = rng.randint(least, 2)
        if not text:
            return str(number)
        return text if not number else f"{text} {'+' if number > 0 else '-'} {abs(number)}"

    def size(self) -> str:
        """Return how many agents a template has."""
        rng = self.rng
        n = self.parameters[0]
        last = self.parameters[-1]
        choices = ["1", "2", n, f"0..{n}", f"{last}..{n}", "0..2", f"1..{n}"]
        if last != n:
            choices += [f"{n} - {last}"] * 6 + [last, f"{n} + {last}", f"{last}..*"]
        return rng.choice(choices)

    def assumption(self) -> str:
        rng = self.rng
        n, last = self.parameters[0], self.parameters[-1]
        if last == n:
            return rng.choice((f"{n} >= 1", f"{n} <> 2", f"{n} > 0 -> {n} >= 2", "true"))
        return rng.choice(
            (
                f"{n} > 3 * {last}",
                f"{n} >= 2 * {last}",
                f"{n} > {last}",
                f"{last} <= 1",
                f"{n} = {last} + 2",
                f"{n} >= 1 or {last} >= 1",
                f"!({last} > 1)",
            )
        )

    # Conditions

    def own(self, template: str, index: str) -> str:
        """Return a condition on an agent's own variables that stays true, mostly."""
        rng = self.rng
        prefix = f"{index}." if index else ""
        choices = [f"{prefix}phase <> start", f"{prefix}phase = done", f"{prefix}only = it"]
        choices += [f"{prefix}sent = true"] * 2 if "sent" in self.flags[template] else []
        if self.wild or rng.random() < 0.03:
            choices += [f"{prefix}phase = middle", f"{prefix}phase = start"]
        if "asked" in self.flags[template]:
            choices += [f"{prefix}asked = {rng.choice(('true', 'false'))}"]
        text = rng.choice(choices)
        if rng.random() < 0.15:
            text += f" {rng.choice(('and', 'or'))} {rng.choice(choices)}"
        return text

    def counted(self, me: str) -> str:
        """Return a comparison of counts that comes true, mostly; `me` is a template that has a `self`."""
        rng = self.rng
        template = rng.choice(self.templates)
        body = self.own(template, "j")
        other = " and j != self" if me == template and rng.random() < 0.15 else ""
        match rng.randrange(10):
            case 0:
                return f"(exists j : {template} ({body}{other}))"
            case 1 if other == "":
                return f"(forall j : {template} ({body}))"
            case 2:
                return f"count j : {template} (!({body}){other}) <= {self.term(0)}"
            case 3:
                more = self.own(template, "k")
                return (
                    f"2 * count j : {template} ({body}{other}) + count k : {template} ({more})"
                    f" {rng.choice(('>', '>='))} {self.term()}"
                )
            case 4:
                return f"{self.term()} <= count j : {template} ({body}{other})"
            case _:
                added = rng.choice(("", "", f" + {self.parameters[-1]}"))
                return f"count j : {template} ({body}{other}){added} {rng.choice(('>=', '>'))} {self.term()}"

    def guard(self, template: str) -> str:
        rng = self.rng
        parts = [self.counted(template) for _ in range(rng.choice((0, 0, 1, 1, 1, 2)))]
        if self.mode and rng.random() < 0.3:
            parts.append("Environment.mode = odd")
        if "asked" in self.flags[template] and rng.random() < 0.5:
            parts.append(f"asked = {rng.choice(('true', 'false'))}")
        if not parts:
            return ""
        joined = f" {rng.choice(('and', 'or'))} ".join(parts)
        return f" and ({joined})"

    # Programs

    def template(self, name: str) -> str:
        rng = self.rng
        flags = self.flags[name]
        variables = "phase : { start, middle, done }; only : { it }; "
        variables += " ".join(f"{flag} : boolean;" for flag in flags)
        protocol, evolution, actions = [], [], []
        for number in range(3 if self.ladder else rng.choice((1, 2, 2, 3, 3))):
            action = f"act{number}"
            actions.append(action)
            source = rng.choice(("start", "start", "middle"))
            if self.ladder and name == "Node":
                steps = ("phase = start", "phase = start", "phase = middle")
                behind = ("start", "middle", "done")[number % 3]
                least = rng.choice(("1", "1", "2", self.parameters[-1]))
                guard = f" and count j : Node (j.phase = {behind} or j.phase = done) >= {least}"
                then = ("middle", "done", "done and sent = true")[number % 3]
                protocol.append(f"{steps[number % 3]}{guard if number else ''} : {{ {action} }};")
                evolution.append(f"phase = {then} if Action = {action};")
                continue
            goals = {"start": ("middle", "middle", "done"), "middle": ("done",)}[source]
            goal = rng.choice(PHASES) if self.wild and rng.random() < 0.3 else rng.choice(goals)
            changes = [f"phase = {goal}"]
            if "sent" in flags and rng.random() < 0.6:
                value = "false" if self.wild and rng.random() < 0.2 else "true"
                changes.append(f"sent = {value}")
            protocol.append(f"phase = {source}{self.guard(name)} : {{ {action} }};")
            read = " and Environment.mode = odd" if self.mode and rng.random() < 0.2 else ""
            evolution.append(f"{' and '.join(changes)} if Action = {action}{read};")
        if rng.random() < 0.25:
            actions.append("wait")
            where = rng.choice(
                ("phase = done", "phase = start", "true", f"phase = middle{self.guard(name)}")
            )
            protocol.append(f"{where} : {{ wait }};")
        return (
            f"Template {name} [{self.size()}] Vars: {variables} end Vars "
            f"Actions = {{ {', '.join(actions)} }}; "
            f"Protocol: {' '.join(protocol)} end Protocol "
            f"Evolution: {' '.join(evolution)} end Evolution end Template\n"
        )

    def initial(self) -> str:
        parts = []
        for name in self.templates:
            parts.append(f"{name}.phase = start")
            if "sent" in self.flags[name] and self.rng.random() < 0.8:
                parts.append(f"{name}.sent = false")
        return " and ".join(parts)

    def condition(self, own: str) -> str:
        """Return what a question asks of configurations; `me` is the agent that it is about."""
        rng = self.rng
        if own and rng.random() < 0.7:
            return self.own(own, "me")
        text = self.counted("")
        if self.ladder and rng.random() < 0.6:
            text = f"count j : Node (j.sent = true) >= {rng.choice(('1', '1', '2', self.term()))}"
        if rng.random() < 0.2:
            text = f"({text}) {rng.choice(('and', 'or'))} ({self.counted('')})"
        if rng.random() < 0.1:
            text = f"({text}) {rng.choice(('and', 'or'))} {self.parameters[-1]} {rng.choice(('<', '>='))} 1"
        return f"!({text})" if rng.random() < 0.4 else f"({text})"

    def program(self, shape: str) -> Asked:
        rng = self.rng
        mode = "Vars: mode : { odd, even }; end Vars " if self.mode else ""
        own = rng.choice(self.templates) if shape in SHAPES and rng.random() < 0.3 else ""
        asked = shape
        for letter in "PQ":
            asked = asked.replace(letter, f"({self.condition(own)})")
        if own:
            word = "exists" if shape.startswith("E") else "forall"
            asked = f"{word} me : {own} ({asked})"
        if "(F G" in shape or "(G F" in shape:
            asked = f"CTL* {asked}"
        assumed = " ".join(f"{self.assumption()};" for _ in range(rng.choice((0, 1, 1, 2))))
        text = (
            f"Parameters {', '.join(self.parameters)}; end Parameters\n"
            f"Assume {assumed} end Assume\n"
            f"Environment {mode}end Environment\n"
            + "".join(map(self.template, self.templates))
            + f"InitStates {self.initial()}; end InitStates\n"
            + (self.fairness() if shape in SHAPES else "")
            + f"Evaluation p0 if true; end Evaluation\nFormulae {asked}; end Formulae\n"
        )
        return Asked(text, shape, own)

    def fairness(self) -> str:
        rng = self.rng
        lines = [f"{rng.choice(('weak', 'strong'))};"] if rng.random() < 0.5 else []
        if rng.random() < 0.3:
            each = rng.choice(self.templates)
            lines.append(f"forall i : {each} ({self.own(each, 'i')} or !({self.counted('')}));")
        if rng.random() < 0.15:
            lines.append(f"{self.condition('')};")
        return f"Fairness {' '.join(lines)} end Fairness\n" if lines else ""


def threshold_program(seed: int, *, wild: bool = False) -> Asked:
    """Return a random program with parameters and one question."""
    rng = Random(seed)
    return ThresholdGenerator(rng, wild=wild).program(rng.choice(QUESTIONS))


# The oracle


def small_worlds(
    system: OpenSystem, most: int, agents: int
) -> Iterator[tuple[dict[str, int], OpenSystem, tuple[str, ...]]]:
    """Yield all parameters up to a number, in their order, and all populations of few agents with them."""
    for values in product(range(most + 1), repeat=len(system.parameters)):
        parameters = dict(zip(system.parameters, values, strict=True))
        try:
            here = given(system, parameters)
        except NoSuchParameters:
            continue
        for counts in product(range(agents + 1), repeat=len(here.templates)):
            allowed = all(p.allows(n) for p, n in zip(here.templates, counts, strict=True))
            if allowed and sum(counts) <= agents:
                names = [
                    p.name for p, n in zip(here.templates, counts, strict=True) for _ in range(n)
                ]
                yield parameters, here, tuple(names)


def happens(
    asked: Asked,
    here: OpenSystem,
    members: tuple[str, ...],
    conditions: tuple[Condition, Condition],
) -> bool:
    """Return whether a population has a run that a question is about, or excludes."""
    if asked.shape in ("AG P", "EF P"):
        world = World(here, tuple(sorted(members)), {})
        who = {"Environment": None}
        wanted = asked.shape == "EF P"
        return any(world.holds(conditions[0], now, who) is wanted for now in reachable(world))
    if asked.own and asked.own not in members:
        return False
    ordered = tuple(sorted(members, key=lambda name: name != asked.own))
    world = World(here, ordered, {})
    return breaks(here, asked.shape, conditions, world, own=bool(asked.own))


def least_parameters(
    asked: Asked,
    system: OpenSystem,
    conditions: tuple[Condition, Condition],
    most: int,
    agents: int,
) -> tuple[dict[str, int], tuple[str, ...]] | None:
    """Return the first parameters, in their order, with which there is such a run, and a population."""
    for parameters, here, members in small_worlds(system, most, agents):
        now = tuple(with_values(each, parameters) for each in conditions)
        if happens(asked, here, members, (now[0], now[1])):
            return parameters, members
    return None
