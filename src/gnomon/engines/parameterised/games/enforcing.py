"""What a coalition enforces with any number of agents: games of small populations, and one of all at once.

The game of all populations proves, and the games of small ones find the numbers that it takes. Where neither
says anything the question stays open.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as with_fields
from itertools import product
from math import prod
from typing import Final, NamedTuple

from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.demands import Population
from gnomon.engines.parameterised.games.counted_game import CountedGame, sums
from gnomon.engines.parameterised.games.endless import PlayedForEver, run_out
from gnomon.engines.parameterised.games.solved_game import SolvedGame
from gnomon.engines.parameterised.recurrence.capped import Capped
from gnomon.engines.parameterised.recurrence.situations import LocalPlace, Situations, least_cap
from gnomon.engines.parameterised.small_populations import small_populations
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.domain import Datum
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.step import Completed, Place, World
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace

#: Populations of so many agents are tried before the first proof, before the second, and at last.
_FEW: Final = 2
_MORE: Final = 3
_MOST: Final = 6
#: In one game there are no more ways to begin.
_MOST_STARTS: Final = 50_000


class PlayedGame(NamedTuple):
    """A population that decides the question, under an interpretation, and its game."""

    population: Population
    facts: Mapping[Place, Datum]
    situations: Situations
    solved: SolvedGame


class WonGame(NamedTuple):
    """How a coalition wins in all populations, with the relations filled."""

    facts: Mapping[Place, Datum]
    situations: Situations
    cap: int
    solved: SolvedGame
    played: PlayedForEver | None

    def numbers(self) -> dict[Capped, int]:
        """Return where it wins and may come to, with numbers that fall where they have to."""
        plays = {} if self.played is None else self.played.chosen
        met = dict.fromkeys(self.solved.starts)
        waiting = list(met)
        while waiting:
            now = waiting.pop()
            option = plays.get(now) or self.solved.choice(now)
            fresh = [] if option is None else [each for each in option.results if each not in met]
            met.update(dict.fromkeys(fresh))
            waiting += fresh
        return {now: self.solved.rank.get(now, 0) for now in met if now not in plays}


class LostGame(NamedTuple):
    """How all agents together lose in all populations, with the relations filled."""

    facts: Mapping[Place, Datum]
    situations: Situations
    cap: int
    solved: SolvedGame

    def numbers(self) -> dict[Capped, int]:
        """Return where they lose and may come to, with numbers that fall where something has to be kept."""
        met = dict.fromkeys(start for start in self.solved.starts if not self.solved.wins(start))
        waiting = list(met)
        while waiting:
            options = self.solved.options[waiting.pop()]
            results = {each for option in options for each in option.results}
            fresh = [each for each in results if each not in met and not self.solved.wins(each)]
            met.update(dict.fromkeys(fresh))
            waiting += fresh
        return {now: self.solved.rank.get(now, 0) for now in met}


class Enforcing:
    """Decides one question about a coalition, all interpretations being given."""

    def __init__(
        self,
        system: OpenSystem,
        query: Ability,
        interpretations: Sequence[Mapping[Place, Datum]],
        budget: Budget,
    ) -> None:
        """Ask what a coalition enforces."""
        self._system = system
        self._query = query
        self._interpretations = interpretations
        self._budget = budget
        self._least = least_cap(system, (query.stay, query.goal))
        self._names = [part.name for part in system.templates]
        self._decides: dict[Population, PlayedGame | None] = {}
        #: The first population that is too large for its game to be played.
        self._skipped: Population = ()
        self._open = ""
        self._configurations = 0
        #: How the coalition wins in all populations, or loses, for each interpretation, where it is known.
        self.games: list[WonGame] | list[LostGame] = []
        #: The game that decides the question.
        self.played: PlayedGame | None = None

    def decide(self) -> PopulationDecision:
        """Return whether some population decides it: opponents who win, or members of the coalition."""
        least = max(sum(part.low for part in self._system.templates), bool(self._query.template))
        for cap, more in ((self._least, _FEW), (self._least + 1, _MORE)):
            self.played = self._deciding(least + more)
            if self.played is not None:
                return self._found(self.played)
            if self._proved(self._system, cap):
                method = f"game counted up to {cap}"
                return PopulationDecision(False, method, steps=self._configurations)
        self.played = self._deciding(least + _MOST)
        if self.played is not None:
            return self._found(self.played)
        if self._all_played():
            # Counted beyond the largest population, the games of all of them are one.
            self._proved(self._system, max(part.high or 0 for part in self._system.templates) + 1)
            return PopulationDecision(False, "all populations", steps=self._configurations)
        return PopulationDecision(None, "", reason=self._why_open())

    def _why_open(self) -> str:
        most = max((sum(each) for each in self._decides), default=0)
        if self._skipped:
            most = min(most, sum(self._skipped) - 1)
        agents = f"{most} agent{'' if most == 1 else 's'}"
        if self._query.everybody:
            return f"not with up to {agents}, and {self._open}"
        return f"it is enforced with up to {agents}, and {self._open}"

    # One population

    def _deciding(self, most: int) -> PlayedGame | None:
        """Return the smallest population that decides it, of at most so many agents."""
        for population in self._populations(most):
            if self._skipped and sum(population) >= sum(self._skipped):
                return None
            found = self._play(population)
            if found is not None:
                return found
        return None

    def _populations(self, most: int) -> Iterator[Population]:
        """Yield all populations of at most so many agents, in which there is one that it is asked of."""
        return small_populations(self._system, most, self._query.template)

    def _play(self, population: Population) -> PlayedGame | None:
        """Return the game of a population where it decides the question."""
        if population in self._decides or self._skipped:
            return self._decides.get(population)
        found = None
        try:
            for facts in self._interpretations:
                game = self._game(population, facts)
                if self._query.everybody:
                    # They have to win however they begin, and whatever the relations are.
                    found = game
                    if not game.solved.won or not game.solved.starts:
                        found = None
                        break
                elif not game.solved.won:
                    found = game
                    break
        except OutOfReach as error:
            self._skipped = population
            self._open = self._open or str(error)
            return None
        self._decides[population] = found
        return found

    def _game(self, population: Population, facts: Mapping[Place, Datum]) -> PlayedGame:
        """Return the game of a population, solved."""
        situations = self._situations(facts)
        cap = max(sum(population), self._least) + 1
        starts = self._starts(situations, population)
        solved = self._solved(situations, cap, starts, self._query)
        return PlayedGame(population, facts, situations, solved)

    def _situations(self, facts: Mapping[Place, Datum]) -> Situations:
        return Situations(self._system, self._least, Completed(self._system, facts))

    def _solved(
        self, situations: Situations, cap: int, starts: Sequence[Capped], query: Ability
    ) -> SolvedGame:
        game = CountedGame(situations, cap, query, self._budget)

        def stays(now: Capped) -> bool:
            return situations.holds(query.stay, game.graph.situation(now), now.own)

        def ends(now: Capped) -> bool:
            return situations.holds(query.goal, game.graph.situation(now), now.own)

        solved = SolvedGame(game, starts, stays, ends, forever=query.forever)
        self._configurations = len(solved.options)
        return solved

    def _starts(self, situations: Situations, population: Population) -> list[Capped]:
        """Return how a population may begin."""
        empty = World(self._system, (), {})
        ways: list[list[tuple[LocalPlace | None, tuple[tuple[LocalPlace, int], ...]]]] = []
        for part, number in zip(self._system.templates, population, strict=True):
            places = [situations.place(part.name, local) for local in empty.initial_of(part.name)]
            owns: list[LocalPlace | None] = [None]
            if part.name == self._query.template:
                owns = [*places]
                number -= 1  # noqa: PLW2901
            splits = [tuple(zip(places, each, strict=True)) for each in sums(number, len(places))]
            ways.append([(own, split) for own in owns for split in splits])
        environments = list(empty.initial_of(ENVIRONMENT))
        _check_starts(len(environments) * prod(map(len, ways)))
        return [
            Capped(
                environment,
                next((own for own, _ in chosen if own is not None), None),
                tuple(sorted((place, n) for _, split in chosen for place, n in split if n)),
            )
            for environment in environments
            for chosen in product(*ways)
        ]

    # All populations at once

    def _proved(self, system: OpenSystem, cap: int) -> bool:
        """Return whether no population decides it: the coalition wins always, or never."""
        try:
            if self._query.everybody:
                return self._never_won(cap)
            won: list[WonGame] = []
            for facts in self._interpretations:
                found = self._always_won(system, cap, facts)
                if found is None:
                    return False
                won.append(found)
            self.games = won
        except OutOfReach as error:
            self._open = self._open or str(error)
            return False
        return True

    def _always_won(
        self, system: OpenSystem, cap: int, facts: Mapping[Place, Datum]
    ) -> WonGame | None:
        """Return how the coalition wins in all populations of a system, None where it may not."""
        situations = Situations(system, self._least, Completed(system, facts))
        game = CountedGame(situations, cap, self._query, self._budget)
        empty = World(system, (), {})
        for part in system.templates:
            _check_starts((cap + 1) ** sum(1 for _ in empty.initial_of(part.name)))
        starts = list(game.graph.initial())
        solved = self._solved(situations, cap, starts, self._query)
        self._open = f"their opponents win where agents are counted up to {cap} only"
        if solved.won:
            return WonGame(facts, situations, cap, solved, None)
        if self._query.forever:
            return None
        played = run_out(game.graph, solved, self._budget)
        return None if played is None else WonGame(facts, situations, cap, solved, played)

    def _never_won(self, cap: int) -> bool:
        """Return whether each population loses from some start, under some interpretation.

        Where all agents of a template begin in one place, counting up to the cap loses nothing but how many
        more there are: so these starts stand for all populations with just such counts.
        """
        totals = [self._totals(part.low, part.high, cap) for part in self._system.templates]
        open_: set[Population] = set(product(*totals))
        lost: list[LostGame] = []
        for facts in self._interpretations:
            situations = self._situations(facts)
            begun = {population: self._gathered(situations, population) for population in open_}
            starts = [start for found in begun.values() for start in found]
            solved = self._solved(situations, cap, starts, self._query)
            lost.append(LostGame(facts, situations, cap, solved))
            open_ = {
                each for each, found in begun.items() if found and all(map(solved.wins, found))
            }
        self._open = f"where agents are counted up to {cap} only, they win"
        self.games = [] if open_ else lost
        return not open_

    def _totals(self, low: int, high: int | None, cap: int) -> list[int]:
        """Return how many agents there may be, counted up to the cap."""
        return [n for n in range(cap + 1) if (n >= low or n == cap) and (high is None or n <= high)]

    def _gathered(self, situations: Situations, population: Population) -> list[Capped]:
        """Return the starts in which all agents of a template are in one place."""
        empty = World(self._system, (), {})
        places = [
            [(situations.place(part.name, local), n) for local in empty.initial_of(part.name)]
            if n
            else [None]
            for part, n in zip(self._system.templates, population, strict=True)
        ]
        environments = list(empty.initial_of(ENVIRONMENT))
        _check_starts(len(environments) * prod(map(len, places)))
        return [
            Capped(environment, None, tuple(sorted(filter(None, chosen))))
            for environment in environments
            for chosen in product(*places)
        ]

    # What is said

    def _all_played(self) -> bool:
        """Return whether there are no other populations."""
        most = [part.high for part in self._system.templates]
        if self._skipped or None in most:
            return False
        every = sum(high for high in most if high is not None)
        return all(each in self._decides for each in self._populations(every))

    def _found(self, game: PlayedGame) -> PopulationDecision:
        examined, from_on = ({}, None) if self._query.everybody else self._numbers()
        return PopulationDecision(
            True,
            "games of small populations",
            smallest=(game.population,),
            # Of several templates, other numbers of members may do as well.
            exact=not self._query.everybody or len(self._names) == 1,
            steps=len(self._decides),
            examined=tuple(examined.items()),
            from_on=from_on,
        )

    def _numbers(self) -> tuple[dict[Population, bool], int | None]:
        """Return in which small populations the opponents win, and from how many agents on they do not."""
        if len(self._names) > 1:
            return {}, None
        least = min(map(sum, self._decides))
        for population in self._populations(least + _MORE):
            self._play(population)
        examined = {each: found is not None for each, found in self._decides.items()}
        last = max(each[0] for each, fails in examined.items() if fails) + 1
        if (last,) not in examined:
            return examined, None
        [template] = self._system.templates
        larger = with_fields(self._system, templates=(replace(template, low=last),))
        caps = (max(self._least, last), max(self._least, last) + 1)
        return examined, last if any(self._proved(larger, cap) for cap in caps) else None


def _check_starts(number: int) -> None:
    if number > _MOST_STARTS:
        msg = f"agents may begin in more than {_MOST_STARTS:,} ways"
        raise OutOfReach(msg)
