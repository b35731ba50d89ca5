"""Random questions about coalitions of any number of agents, and an oracle that plays every game literally.

It follows the page on semantics and shares no code with what decides: everybody chooses, agents are somebody,
and sets of configurations are worked out as fixpoints.
"""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import NamedTuple

from gnomon.model.parameterised.condition import SELF
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.step import Completed, Configuration, Event, World
from gnomon.model.parameterised.system import OpenSystem
from tests.populations import Generator, all_places, interpretations, members

#: The shapes of questions: who is in the coalition, and what they are to enforce.
GOALS = ("F P", "G P", "(P U Q)", "(P W Q)", "(P R Q)")


class LiteralGame:
    """The game of one population; the environment is -1, and `self` is agent 0."""

    def __init__(self, world: World, coalition: frozenset[int]) -> None:
        """Work out, for each configuration, what may come of each choice of the coalition."""
        self.world = world
        self.coalition = coalition
        self.initial = list(world.initial())
        self.options: dict[Configuration, list[set[Configuration]]] = {}
        waiting = list(self.initial)
        while waiting:
            now = waiting.pop()
            if now not in self.options:
                self.options[now] = self._options(now)
                waiting += set().union(*self.options[now])

    def _options(self, now: Configuration) -> list[set[Configuration]]:
        world = self.world
        everybody = range(-1, len(world.members))
        if not any(True for _ in world.events(now)):
            return [{now}]
        can = {}
        for who in everybody:
            number = None if who < 0 else who
            part = world.system.environment if who < 0 else world.system.part[world.members[who]]
            can[who] = [None] + [a for a in part.actions if world.can(number, a, now)]
        by_choice: dict[tuple[object, ...], set[Configuration]] = {}
        for joint in product(*(can[who] for who in everybody)):
            mine = tuple(joint[who + 1] for who in sorted(self.coalition))
            for after in self._after(now, joint):
                by_choice.setdefault(mine, set()).add(after)
        return list(by_choice.values())

    def _after(self, now: Configuration, joint: tuple[str | None, ...]) -> Iterator[Configuration]:
        """Yield what comes of it; nothing where nobody acts."""
        offer, *wanted = joint
        kind = self.world.system.sync.get(offer or "")
        taking = {n for n, action in enumerate(wanted) if kind and action == offer}
        groups: list[set[int]] = []
        if kind == "all":
            able = {n for n in range(len(wanted)) if self.world.can(n, str(offer), now)}
            groups = [able]
        elif kind == "one":
            groups = [{n} for n in taking]
        elif kind == "some" and taking:
            groups = [taking]
        follower = self.world.system.followed_by.get(offer or "")
        for group in groups:
            doing: list[str | None] = []
            for n in range(len(wanted)):
                follows = follower is not None and self.world.can(n, follower, now)
                doing.append(offer if n in group else follower if follows else None)
            yield self._step(now, offer, doing)
        if groups:
            return
        own = None if kind else offer
        together = {*self.world.system.sync, *self.world.system.followed_by.values()}
        local = [None if a in together else a for a in wanted]
        if own is not None or any(local):
            yield self._step(now, own, local)

    def _step(
        self, now: Configuration, offer: str | None, agents: list[str | None]
    ) -> Configuration:
        after = self.world.step(Event(offer, tuple(agents)), now)
        assert after is not None
        return after

    def wins(self, query: Ability) -> bool:
        """Return whether the coalition wins from all initial configurations."""
        who = {"Environment": None, SELF: 0 if query.template else None}
        stay = {now for now in self.options if self.world.holds(query.stay, now, who)}
        goal = {now for now in self.options if self.world.holds(query.goal, now, who)}
        found = set(self.options) if query.forever else set()
        while True:
            pre = {n for n, options in self.options.items() if any(o <= found for o in options)}
            following = goal | (stay & pre)
            if following == found:
                return set(self.initial) <= found
            found = following


def coalition_of(query: Ability, crowd: tuple[str, ...]) -> frozenset[int]:
    """Return who is in the coalition."""
    found = {-1} if query.environment else set()
    if query.own:
        found.add(0)
    if query.everybody:
        found |= set(range(len(crowd)))
    return frozenset(found)


def enforced(system: OpenSystem, query: Ability, counts: tuple[int, ...]) -> bool:
    """Return whether the coalition wins in a population, whatever the relations are."""
    crowd = tuple(sorted(members(system, counts), key=lambda name: name != query.template))
    for facts in interpretations(system, all_places(system)):
        world = World(system, crowd, Completed(system, facts))
        game = LiteralGame(world, coalition_of(query, crowd))
        if not game.wins(query) or (query.everybody and not game.initial):
            return False
    return True


def allowed(system: OpenSystem, query: Ability, most: int) -> list[tuple[int, ...]]:
    """Return the populations of at most so many agents, smaller ones first."""
    names = [part.name for part in system.templates]
    counts = product(range(most + 1), repeat=len(names))
    return [
        each
        for each in sorted(counts, key=lambda each: (sum(each), each))
        if sum(each) <= most
        and all(p.allows(n) for p, n in zip(system.templates, each, strict=True))
        and (not query.template or each[names.index(query.template)])
    ]


class GameQuestion(NamedTuple):
    """A program with one question about a coalition."""

    text: str
    who: str
    goal: str


def question(seed: int, kinds: tuple[str, ...], *, forall: bool = False) -> GameQuestion:
    """Return a random program with a question about a coalition."""
    rng = Random(seed)
    generator = Generator(rng, kinds)
    generator.forall = forall
    text = generator.program()
    owners = [name for name, variables in generator.own.items() if variables]
    everybody = "<all>" if rng.random() < 0.5 else f"<{', '.join(generator.own)}>"
    choices = ["<Environment>", everybody]
    if owners:
        choices += ["<i>", "<Environment, i>"]
    who = rng.choice(choices)
    template = rng.choice(owners) if "i" in who.strip("<>").split(", ") else ""
    if owners and who == "<Environment>" and rng.random() < 0.3:
        template = rng.choice(owners)  # who is followed is an opponent
    goal = rng.choice(GOALS if who != everybody or rng.random() < 0.3 else GOALS[:3:2])

    named: list[str] = []
    propositions: list[str] = []

    def condition() -> str:
        if template and rng.random() < 0.6:
            name = rng.choice(list(generator.own[template]))
            value = generator.value(min(2, generator.own[template][name]))
            return f"i.{name} {rng.choice(['=', '<>'])} {value}"
        named.append(f"p{len(named)}")
        propositions.append(f"{named[-1]} if {generator.condition(None, 2)};")
        negated = rng.random() < (0.1 if who == everybody else 0.4)
        return f"!{named[-1]}" if negated else named[-1]

    asked = goal
    for letter in "PQ":
        asked = asked.replace(letter, f"({condition()})")
    asked = f"{who}{asked}"
    if template:
        asked = f"forall i : {template} ({asked})"
    before, _, rest = text.partition("end Evaluation")
    body = f"{before}  {' '.join(propositions)}\nend Evaluation{rest}"
    head = body[: body.index("Formulae")]
    return GameQuestion(f"{head}Formulae\n  {asked};\nend Formulae\n", who, goal)
