"""What shows that a population decides a game: a strategy of its agents, or answers of the others.

It is made of the game on counted configurations, configuration by configuration, with agents who are
somebody, and by what the reference semantics says may come of what is chosen.
"""

from collections.abc import Callable, Iterator
from typing import Final

from gnomon.engines.parameterised.decision import PlayedAnswer, PlayedTable
from gnomon.engines.parameterised.games.enforcing import PlayedGame
from gnomon.engines.parameterised.recurrence.capped import Capped
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.game import (
    Chooser,
    ChosenActions,
    choices_of,
    coalition,
    is_stuck,
    results,
    steps_of,
)
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.step import Completed, Configuration, Event, Local, World
from gnomon.model.parameterised.system import OpenSystem

#: More is not written out.
_MOST: Final = 3_000


class WrittenGame:
    """Writes out what decides a game."""

    def __init__(
        self, system: OpenSystem, query: Ability, game: PlayedGame, budget: Budget
    ) -> None:
        """Write out the game of a population."""
        names = [part.name for part in system.templates]
        listed = [name for name, n in zip(names, game.population, strict=True) for _ in range(n)]
        self.members = tuple(sorted(listed, key=lambda name: name != query.template))
        self._world = World(system, self.members, Completed(system, game.facts))
        self._coalition = coalition(query, self.members)
        self._query = query
        self._game = game
        self._budget = budget

    def table(self) -> PlayedTable:
        """Return a table: the others' answers, or, where all agents are members, their strategy."""
        solved = self._game.solved
        if self._query.everybody:
            starts = [self._configuration(start) for start in solved.starts]
            answers = self._followed(starts, self._strategy)
        else:
            starts = [self._configuration(next(s for s in solved.starts if not solved.wins(s)))]
            answers = self._followed(starts, self._answers)
        facts = tuple(sorted(self._game.facts.items(), key=repr))
        return PlayedTable(self.members, facts, starts[0], answers)

    def _followed(
        self,
        starts: list[Configuration],
        rows: Callable[[Configuration], Iterator[PlayedAnswer]],
    ) -> tuple[PlayedAnswer, ...]:
        met = dict.fromkeys(starts)
        waiting = list(met)
        found: list[PlayedAnswer] = []
        while waiting:
            now = waiting.pop(0)
            for answer in rows(now):
                found.append(answer)
                if answer.after not in met:
                    met[answer.after] = None
                    waiting.append(answer.after)
            self._budget.check("what is chosen where", len(found))
            if len(found) > _MOST:
                msg = f"what shows it is longer than {_MOST:,} lines"
                raise OutOfReach(msg)
        return tuple(found)

    # The others' answers

    def _answers(self, now: Configuration) -> Iterator[PlayedAnswer]:
        """Yield an answer to each choice of the coalition that leads to where it loses as well."""
        rank = self._game.solved.rank
        counted = self._counted(now)
        if self._query.forever and not rank[counted]:
            return  # it is broken
        if not self._query.forever and not self._holds(self._query.stay, counted):
            return
        for chosen in choices_of(self._world, self._coalition, now):
            possible = self._results(chosen, now)
            if not possible:
                continue
            after = min(possible, key=lambda each: self._how_bad(each, now))
            yield self._answer(now, possible[after], after)

    def _how_bad(self, after: Configuration, now: Configuration) -> tuple[int, bool]:
        """Return how far it is until all is lost; where that does not matter, staying is best."""
        rank, counted = self._game.solved.rank, self._counted(after)
        if self._query.forever:
            return rank.get(counted, len(rank)), False
        return int(counted in rank), after != now

    # A strategy of all agents

    def _strategy(self, now: Configuration) -> Iterator[PlayedAnswer]:
        """Yield what may come of what all agents choose."""
        option = self._game.solved.choice(self._counted(now))
        if option is None:
            return
        left: dict[int, list[str | None]] = {}
        for part in option.others:
            left.setdefault(part.source, []).extend([part.action] * part.number)
        chosen: dict[Chooser, str | None] = {}
        for number, place in enumerate(self._places(now)):
            # Where nothing can happen there is nothing to choose.
            chosen[number] = left[place].pop() if place in left else None
        for after, choice in self._results(chosen, now).items():
            yield self._answer(now, choice, after)

    # Between counted configurations and those of agents

    def _results(self, chosen: ChosenActions, now: Configuration) -> dict[Configuration, Event]:
        self._budget.check("results of choices")
        return results(self._world, chosen, now)

    def _answer(self, now: Configuration, choice: Event, after: Configuration) -> PlayedAnswer:
        if is_stuck(self._world, now):
            return PlayedAnswer(now, choice, choice, after)
        steps = steps_of(self._world, choice, now)
        step = next(each for each in steps if self._world.step(each, now) == after)
        return PlayedAnswer(now, choice, step, after)

    def _places(self, now: Configuration) -> list[int]:
        place = self._game.situations.place
        return [place(name, local) for name, local in zip(self.members, now.agents, strict=True)]

    def _counted(self, now: Configuration) -> Capped:
        own, others = None, self._places(now)
        if self._query.template:
            own, *others = others
        counts: dict[int, int] = {}
        for each in others:
            counts[each] = counts.get(each, 0) + 1
        return Capped(now.environment, own, tuple(sorted(counts.items())))

    def _configuration(self, counted: Capped) -> Configuration:
        places = self._game.situations.places
        standing: dict[str, list[Local]] = {name: [] for name in self.members}
        if counted.own is not None:
            standing[places[counted.own][0]].append(places[counted.own][1])
        others = sorted(((places[p], n) for p, n in counted.others), key=repr)
        for (name, local), number in others:
            standing[name] += [local] * number
        return Configuration(
            counted.environment, tuple(standing[name].pop(0) for name in self.members)
        )

    def _holds(self, condition: Condition, counted: Capped) -> bool:
        situations = self._game.situations
        others = dict(counted.others)
        if counted.own is not None:
            others[counted.own] = others.get(counted.own, 0) + 1
        situation = situations.situation(counted.environment, tuple(sorted(others.items())))
        return situations.holds(condition, situation, counted.own)
