"""Random questions of time about any number of agents, and an oracle that takes every step, naively."""

from collections.abc import Iterable
from itertools import product
from random import Random
from typing import NamedTuple

from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.step import Completed, World
from gnomon.model.parameterised.system import OpenSystem
from tests.populations import Generator, all_places, interpretations, members

PROMISES = ("", "weak", "strong")
#: The shapes of questions: what they say of `P` and `Q`.
SHAPES = ("AF P", "AG (Q -> AF P)", "A(F G P)", "A(G F P)", "EG P", "E(G F P and F Q)", "AG AF P")
#: Those that speak of paths which branch off for good.
BRANCHING = ("AG EF P", "AF AG P", "EG EF P", "EF AG P")


class Question(NamedTuple):
    """A program with one question, and what it is made of."""

    text: str
    shape: str
    own: bool


class Step(NamedTuple):
    """A step between configurations, by their numbers, and who acts: -1 is the environment."""

    source: int
    target: int
    acting: frozenset[int]


class Literal:
    """The steps of one population as they are defined; the first agent is `self`."""

    def __init__(self, world: World, own: bool) -> None:
        """Go through all configurations."""
        self.world = world
        self.who = {"Environment": None, SELF: 0 if own else None}
        self.listed = list(world.initial())
        self.initial = range(len(self.listed))
        number = {now: n for n, now in enumerate(self.listed)}
        self.steps: list[Step] = []
        self.able: list[frozenset[int]] = []
        done = 0
        while done < len(self.listed):
            now = self.listed[done]
            events = list(world.events(now))
            able: set[int] = set()
            for event in events:
                after = world.step(event, now)
                assert after is not None
                if number.setdefault(after, len(self.listed)) == len(self.listed):
                    self.listed.append(after)
                doing = (event.environment, *event.agents)
                acting = frozenset(n - 1 for n, action in enumerate(doing) if action is not None)
                able |= acting
                self.steps.append(Step(done, number[after], acting))
            if not events:
                self.steps.append(Step(done, done, frozenset()))
            self.able.append(frozenset(able))
            done += 1

    def where(self, condition: Condition, who: int | None = None) -> set[int]:
        """Return where a condition holds."""
        named = self.who if who is None else {"Environment": None, SELF: who}
        return {n for n, now in enumerate(self.listed) if self.world.holds(condition, now, named)}

    def reaching(self, goals: set[int], within: set[int] | None = None) -> set[int]:
        """Return from where some goal can be reached, by way of some configurations only."""
        found = set(goals)
        while True:
            more = {
                step.source
                for step in self.steps
                if step.target in found and (within is None or step.source in within)
            } - found
            if not more:
                return found
            found |= more

    def for_ever(self, within: set[int], often: Iterable[set[int]] = ()) -> set[int]:
        """Return from where a fair run stays within some configurations and sees others time and again."""
        loops: set[int] = set()
        system = self.world.system
        wanted = list(often)
        for fair in system.fairness:
            if fair.template:
                agents = [n for n, t in enumerate(self.world.members) if t == fair.template]
                wanted += [self.where(fair.condition, agent) for agent in agents]
            else:
                wanted.append(self.where(fair.condition))
        waiting = [within]
        while waiting:
            part = waiting.pop()
            for loop in self._loops(part):
                steps = [s for s in self.steps if s.source in loop and s.target in loop]
                if not all(each & loop for each in wanted):
                    continue
                acting = frozenset().union(*(step.acting for step in steps))
                unfair = self._unfair(loop, acting)
                if not unfair:
                    loops |= loop
                elif unfair < loop:
                    waiting.append(loop - unfair)
        return self.reaching(loops, within)

    def _unfair(self, loop: set[int], acting: frozenset[int]) -> set[int]:
        everybody = range(-1, len(self.world.members))
        found: set[int] = set()
        for agent in everybody:
            able = {n for n in loop if agent in self.able[n]}
            if agent in acting or not able:
                continue
            match self.world.system.promise:
                case "weak" if able == loop:
                    found |= loop
                case "strong":
                    found |= able
        return found

    def _loops(self, part: set[int]) -> list[set[int]]:
        """Return the strongly connected components with a step, by who reaches whom."""
        following = {n: {n} for n in part}
        direct: dict[int, set[int]] = {n: set() for n in part}
        for step in self.steps:
            if step.source in part and step.target in part:
                direct[step.source].add(step.target)
        changed = True
        while changed:
            changed = False
            for n in part:
                more = following[n].union(*(following[m] for m in direct[n]))
                if more != following[n]:
                    following[n] = more
                    changed = True
        found: list[set[int]] = []
        left = set(part)
        while left:
            n = left.pop()
            loop = {m for m in following[n] if n in following[m]}
            left -= loop
            if any(direct[m] & loop for m in loop):
                found.append(loop)
        return found


def breaks(
    system: OpenSystem,
    shape: str,
    conditions: tuple[Condition, Condition],
    world: World,
    *,
    own: bool,
) -> bool:
    """Return whether a population has a run that a question is about, or excludes."""
    literal = Literal(world, own)
    everything = set(range(len(literal.listed)))
    p, q = (literal.where(each) for each in conditions)
    start = set(literal.initial)
    match shape:
        case "AF P":
            return bool(start & literal.for_ever(everything - p))
        case "AG (Q -> AF P)" | "AG AF P":
            asked = q if "Q" in shape else everything
            return bool(asked & literal.for_ever(everything - p))
        case "A(F G P)":
            return bool(start & literal.for_ever(everything, [everything - p]))
        case "A(G F P)":
            return bool(literal.for_ever(everything - p))
        case "EG P":
            return bool(start & literal.for_ever(p))
        case "E(G F P and F Q)":
            return bool(q & literal.for_ever(everything, [p]))
        case _:
            return _branches(shape, literal, p)
    raise AssertionError(shape)


def _branches(shape: str, literal: Literal, p: set[int]) -> bool:
    """Return the same for a question about paths that branch off; only fair ones count."""
    everything = set(range(len(literal.listed)))
    start = set(literal.initial)
    fair = literal.for_ever(everything)
    somewhere = literal.reaching(p & fair)
    always = everything - literal.reaching((everything - p) & fair)
    match shape:
        case "AG EF P":
            return bool(fair - somewhere)
        case "AF AG P":
            return bool(start & literal.for_ever(everything - always))
        case "EG EF P":
            return bool(start & literal.for_ever(somewhere))
        case "EF AG P":
            return bool(start & literal.reaching(always & fair))
    raise AssertionError(shape)


def smallest_breaking(
    system: OpenSystem,
    shape: str,
    conditions: tuple[Condition, Condition],
    most: int,
    template: str,
) -> tuple[int, ...] | None:
    """Return the smallest population in which there is such a run."""
    names = [part.name for part in system.templates]
    counts = product(range(most + 1), repeat=len(names))
    for each in sorted(counts, key=lambda each: (sum(each), each)):
        allowed = all(p.allows(n) for p, n in zip(system.templates, each, strict=True))
        if sum(each) > most or not allowed or (template and not each[names.index(template)]):
            continue
        crowd = sorted(members(system, each), key=lambda name: name != template)
        for facts in interpretations(system, all_places(system)):
            world = World(system, tuple(crowd), Completed(system, facts))
            if breaks(system, shape, conditions, world, own=bool(template)):
                return each
    return None


def question(
    seed: int,
    kinds: tuple[str, ...],
    *,
    forall: bool = False,
    shapes: tuple[str, ...] = SHAPES,
) -> Question:
    """Return a random program with a question of time, perhaps about each agent of a template."""
    rng = Random(seed)
    generator = Generator(rng, kinds)
    generator.forall = forall
    text = generator.program()
    shape = rng.choice(shapes)
    owners = [name for name, variables in generator.own.items() if variables]
    own = bool(owners) and rng.random() < 0.4

    named: list[str] = []
    propositions: list[str] = []

    def condition(template: str, depth: int = 2) -> str:
        if template and rng.random() < 0.7:
            name = rng.choice(list(generator.own[template]))
            value = generator.value(min(2, generator.own[template][name]))
            return f"me.{name} {rng.choice(['=', '<>'])} {value}"
        named.append(f"p{len(named)}")
        propositions.append(f"{named[-1]} if {generator.condition(None, depth)};")
        return f"!{named[-1]}" if rng.random() < 0.4 else named[-1]

    template = rng.choice(owners) if own else ""
    asked = shape
    for letter in "PQ":
        asked = asked.replace(letter, f"({condition(template)})")
    if own:
        word = "exists" if shape.startswith("E") else "forall"
        asked = f"{word} me : {template} ({asked})"
    if "(F G" in shape or "(G F" in shape:
        asked = f"CTL* {asked}"
    promise = rng.choice(PROMISES)
    lines = [f"{promise};"] if promise else []
    if rng.random() < 0.2:
        lines.append(f"{condition('', 1)};")
    if owners and rng.random() < 0.2:
        each = rng.choice(owners)
        name = rng.choice(list(generator.own[each]))
        lines.append(f"forall each : {each} (each.{name} = a);")
    fairness = f"Fairness {' '.join(lines)} end Fairness\n" if lines else ""
    text = text.replace("Formulae AG !bad;", f"{fairness}Formulae {asked};")
    text = text.replace("Evaluation ", f"Evaluation {' '.join(propositions)} ")
    return Question(text, shape, own)
