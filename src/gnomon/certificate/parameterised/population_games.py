"""Games of one population, played by the reference semantics: strategies, and answers of the others.

Each configuration that can be met has an entry: what the members of the coalition choose there, or for each
choice that they have, what all choose and which step comes of it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_runs import ReplayedRun, read_members
from gnomon.certificate.rejection import Rejected, TooMuch, require
from gnomon.certificate.shape import items, member, row, string
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.game import (
    Chooser,
    ChosenActions,
    choices_of,
    coalition,
    is_stuck,
    open_to,
    results,
    steps_of,
)
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.step import Configuration, Event, World
from gnomon.model.parameterised.system import OpenSystem

#: The most configurations, and the most choices of all together in one.
_MOST: Final = 20_000
_MOST_CHOICES: Final = 200_000

#: What can come next, by configuration.
_NextInGame: TypeAlias = Mapping[Configuration, tuple[Configuration, ...]]


class _GivenAnswer(NamedTuple):
    """What all choose, and the step that comes of it."""

    choice: Event
    step: Event


def check_answers(
    system: OpenSystem, data: object, query: Ability, prover: ObligationProver
) -> None:
    """Fail unless in some population the others have an answer to all that a coalition may choose."""
    require(not query.everybody, "that one population fails says nothing: some other may not")
    game = _ReplayedGame(system, data, query, prover)
    game.play(game.start, game.answered, ends=game.is_broken, fails=game.is_won)
    if query.forever:
        game.must_end()


def check_strategy(
    system: OpenSystem, data: object, query: Ability, prover: ObligationProver
) -> None:
    """Fail unless all agents of some population have a strategy, wherever they may begin."""
    require(query.everybody, "that one population wins says nothing: some other may not")
    require(
        not system.used_relations,
        "a strategy has to win under every interpretation of the relations",
    )
    game = _ReplayedGame(system, data, query, prover)
    begun = False
    for start in game.world.initial():
        prover.count()
        if start == _sorted(game.world, start):
            begun = True
            game.play(start, game.chosen, ends=game.is_won, fails=game.is_broken)
    require(begun, "such a population has nowhere to begin")
    if not query.forever:
        game.must_end()


class _ReplayedGame:
    """A game as it is played by what a certificate says."""

    def __init__(
        self, system: OpenSystem, data: object, query: Ability, prover: ObligationProver
    ) -> None:
        self.members = read_members(system, member(data, "members"))
        if query.template:
            first = self.members[:1] == (query.template,)
            require(first, f"the first agent is not one of `{query.template}`")
        run = ReplayedRun(system, self.members, {**_object(data), "events": []}, prover)
        run.must_leave_nothing_open()
        self.world = run.world
        self.start = run.last
        self._query = query
        self._prover = prover
        self._coalition = coalition(query, self.members)
        self._entries = dict(self._read(item) for item in items(member(data, "entries")))
        self._following: dict[Configuration, tuple[Configuration, ...]] = {}

    def _read(self, data: object) -> tuple[Configuration, tuple[_GivenAnswer, ...]]:
        where, listed = row(data, 2)
        own, agents = row(where, 2)
        answers = []
        for each in items(listed):
            choice, step = row(each, 2)
            answers.append(_GivenAnswer(self._event(choice), self._event(step)))
        locals_ = tuple(tuple(items(each)) for each in row(agents, len(self.members)))
        return Configuration(tuple(items(own)), locals_), tuple(answers)  # type: ignore[arg-type]

    def _event(self, data: object) -> Event:
        own, agents = row(data, 2)
        read = [None if each is None else string(each) for each in row(agents, len(self.members))]
        return Event(None if own is None else string(own), tuple(read))

    # What the query says

    def _holds(self, condition: Condition, now: Configuration) -> bool:
        who: dict[str, int | None] = {ENVIRONMENT: None}
        if self._query.template:
            who[SELF] = 0
        return self.world.holds(condition, now, who) is True

    def is_won(self, now: Configuration) -> bool:
        """Return whether the coalition has got what it wants."""
        return self._holds(self._query.goal, now)

    def is_broken(self, now: Configuration) -> bool:
        """Return whether it cannot get it any more."""
        return not self.is_won(now) and not self._holds(self._query.stay, now)

    # Playing

    def play(
        self,
        start: Configuration,
        following: Callable[[Configuration], Iterator[Configuration]],
        *,
        ends: Callable[[Configuration], bool],
        fails: Callable[[Configuration], bool],
    ) -> None:
        """Follow what is said from a configuration on, up to where the game ends."""
        waiting = [start]
        while waiting:
            now = waiting.pop()
            if now in self._following:
                continue
            self._prover.count()
            if len(self._following) > _MOST:
                raise TooMuch(f"a game has more than {_MOST:,} configurations")
            require(not fails(now), "the game goes where it should not")
            self._following[now] = () if ends(now) else tuple(following(now))
            waiting += self._following[now]

    def answered(self, now: Configuration) -> Iterator[Configuration]:
        """Yield what the answers lead to: there is one to each choice that the coalition has."""
        answers = {self._mine(each.choice): each for each in self._entry(now)}
        for chosen in choices_of(self.world, self._coalition, now):
            found = answers.get(tuple(chosen[player] for player in self._coalition))
            if found is None:
                possible = self._results(chosen, now)
                require(not possible, "a choice of the coalition has no answer")
                continue
            yield self._after(now, found)

    def chosen(self, now: Configuration) -> Iterator[Configuration]:
        """Yield all that may come of what the coalition chooses."""
        entry = self._entry(now)
        require(len(entry) == 1, "there is to be one choice")
        mine = dict(zip(self._coalition, self._mine(entry[0].choice), strict=True))
        for player, action in mine.items():
            require(action in open_to(self.world, player, now), "a member cannot do that")
        found = self._results(mine, now)
        require(found, "nothing can come of what the coalition chooses")
        yield from found

    def must_end(self) -> None:
        """Fail where the game may go on for ever: a configuration comes back."""
        if _comes_back(self._following):
            raise Rejected("the game may go on for ever")

    def _entry(self, now: Configuration) -> tuple[_GivenAnswer, ...]:
        found = self._entries.get(now)
        if found is None:
            raise Rejected("a configuration that can be met has no entry")
        return found

    def _mine(self, choice: Event) -> tuple[str | None, ...]:
        return tuple(
            choice.environment if player is None else choice.agents[player]
            for player in self._coalition
        )

    def _after(self, now: Configuration, answer: _GivenAnswer) -> Configuration:
        """Return what an answer leads to."""
        players: tuple[Chooser, ...] = (None, *range(len(self.members)))
        for player in players:
            action = answer.choice.environment if player is None else answer.choice.agents[player]
            require(action in open_to(self.world, player, now), "somebody cannot do that")
        if is_stuck(self.world, now):
            return now
        require(
            answer.step in steps_of(self.world, answer.choice, now), "that step does not come of it"
        )
        after = self.world.step(answer.step, now)
        if after is None:
            raise Rejected("a step cannot happen")
        return after

    def _results(self, chosen: ChosenActions, now: Configuration) -> tuple[Configuration, ...]:
        """Return what may come of what some choose."""
        ways = 1
        for player in (None, *range(len(self.members))):
            if player not in chosen:
                ways *= len(open_to(self.world, player, now))
        if ways > _MOST_CHOICES:
            raise TooMuch("there are too many choices to be gone through")
        return tuple(results(self.world, chosen, now))


def _object(data: object) -> dict[str, object]:
    if not isinstance(data, dict):
        raise Rejected("it is no object")
    return data


def _sorted(world: World, now: Configuration) -> Configuration:
    """Return a configuration with the agents of each template in order: it is the same up to who is who."""
    ordered = sorted(
        enumerate(zip(world.members, now.agents, strict=True)), key=lambda e: repr(e[1])
    )
    queues = {
        name: [local for _, (template, local) in ordered if template == name]
        for name in set(world.members)
    }
    return Configuration(now.environment, tuple(queues[name].pop(0) for name in world.members))


def _comes_back(following: _NextInGame) -> bool:
    """Return whether some configuration follows from itself."""
    left = {now: len(set(after)) for now, after in following.items()}
    before: dict[Configuration, list[Configuration]] = {}
    for now, after in following.items():
        for each in set(after):
            before.setdefault(each, []).append(now)
    ended = [now for now, number in left.items() if not number]
    count = 0
    while ended:
        count += 1
        for source in before.get(ended.pop(), ()):
            left[source] -= 1
            if not left[source]:
                ended.append(source)
    return count < len(left)
