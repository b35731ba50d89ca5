"""Games solved: where a coalition wins, in which order that follows, and what it chooses."""

from collections.abc import Callable, Iterable
from itertools import count
from typing import Final

from gnomon.engines.parameterised.games.counted_game import CountedGame, CountedOption
from gnomon.engines.parameterised.recurrence.capped import Capped
from gnomon.model.budget import OutOfReach

#: Games with more configurations are not played.
MOST_CONFIGURATIONS: Final = 50_000
#: Whether something holds in a configuration.
IsTrue = Callable[[Capped], bool]


class SolvedGame:
    """The configurations that can be reached from some, and where the coalition wins.

    What is worked out is a least set: where the coalition gets to its goal, or where its opponents break
    what it has to keep for ever. `rank` has that set, with a number for each: what decides it has lower
    numbers.
    """

    def __init__(
        self,
        game: CountedGame,
        starts: Iterable[Capped],
        stay: IsTrue,
        goal: IsTrue,
        *,
        forever: bool,
    ) -> None:
        """Explore and solve."""
        self.starts = tuple(dict.fromkeys(starts))
        self._stay = stay
        self._goal = goal
        self._forever = forever
        self.options = self._explored(game)
        self.rank = self._lost() if forever else self._won()

    def wins(self, now: Capped) -> bool:
        """Return whether the coalition wins from a configuration."""
        return (now in self.rank) is not self._forever

    @property
    def won(self) -> bool:
        """Whether the coalition wins from everywhere it may start."""
        return all(map(self.wins, self.starts))

    def choice(self, now: Capped) -> CountedOption | None:
        """Return a choice with which the coalition wins; None where there is nothing left to do."""
        if self._goal(now):
            return None
        if self._forever:
            good = (o for o in self.options[now] if all(map(self.wins, o.results)))
            return next(good)
        rank = self.rank[now]
        return next(
            o for o in self.options[now] if all(self.rank.get(r, rank) < rank for r in o.results)
        )

    def _explored(self, game: CountedGame) -> dict[Capped, tuple[CountedOption, ...]]:
        """Return the options everywhere, except where it is decided who has won."""
        found: dict[Capped, tuple[CountedOption, ...]] = {}
        waiting = list(self.starts)
        while waiting:
            now = waiting.pop()
            if now in found:
                continue
            if len(found) >= MOST_CONFIGURATIONS:
                msg = f"a game has more than {MOST_CONFIGURATIONS:,} configurations"
                raise OutOfReach(msg)
            over = self._goal(now) or not self._stay(now)
            found[now] = () if over else tuple(game.options(now))
            waiting += [after for option in found[now] for after in option.results]
        return found

    def _won(self) -> dict[Capped, int]:
        """Return from where the coalition gets to its goal: some choice has good results only."""
        left = {
            (now, number): len(option.results)
            for now, options in self.options.items()
            for number, option in enumerate(options)
        }

        def decides(source: Capped, option: int) -> bool:
            left[source, option] -= 1
            return not left[source, option]

        return self._ranked([now for now in self.options if self._goal(now)], decides)

    def _lost(self) -> dict[Capped, int]:
        """Return from where the opponents break it: every choice has a bad result."""
        left = {now: set(range(len(options))) for now, options in self.options.items()}

        def decides(source: Capped, option: int) -> bool:
            left[source].discard(option)
            return not left[source]

        broken = [now for now in self.options if not self._goal(now) and not self._stay(now)]
        return self._ranked(broken, decides)

    def _ranked(
        self, first: list[Capped], decides: Callable[[Capped, int], bool]
    ) -> dict[Capped, int]:
        """Return what is decided, each with its number; a result of an option may be what `decides`."""
        before = self._before()
        rank: dict[Capped, int] = {}
        layer = first
        for number in count():
            fresh = [now for now in dict.fromkeys(layer) if now not in rank]
            if not fresh:
                break
            rank.update(dict.fromkeys(fresh, number))
            layer = [
                source
                for now in fresh
                for source, option in before.get(now, ())
                if decides(source, option)
            ]
        return rank

    def _before(self) -> dict[Capped, list[tuple[Capped, int]]]:
        """Return by result the configurations and the numbers of the options that it may come of."""
        found: dict[Capped, list[tuple[Capped, int]]] = {}
        for now, options in self.options.items():
            for number, option in enumerate(options):
                for after in option.results:
                    found.setdefault(after, []).append((now, number))
        return found
