"""What a coalition plays for, and what it wins, as data between the logic and the engines."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Generic, Literal, Protocol, TypeAlias, TypeVar

from gnomon.model.step import State
from gnomon.text.errors import Abandoned

Set = TypeVar("Set")
OtherSet = TypeVar("OtherSet")
#: How the formula stands where an outcome comes to: before the one step of X, open, or broken on the way
#: here, so that only an unfair future can save the coalition. With bounds, where it is open
#: that is the number of the step.
FormulaStatus: TypeAlias = Literal["first", "open", "broken"] | int
FIRST: Final[FormulaStatus] = "first"
OPEN: Final[FormulaStatus] = "open"
BROKEN: Final[FormulaStatus] = "broken"
#: What the coalition wants: `right` at the next state; `left` until `right`, which has to come; `left` up to
#: and including `right`, or for ever; or what a window says, step by step.
GameKind: TypeAlias = Literal["next", "until", "weak", "window"]
#: What agents do in their views.
ViewChoices: TypeAlias = Mapping[tuple[str, State], str]


class NotShown(Abandoned):
    """There may be evidence, but not in as few steps as are looked at."""


@dataclass(frozen=True)
class Window(Generic[Set]):
    """At each step up to `high`, where it is won and where it goes on: before step `low`, and from then on.

    At step `high` it is won in `last`, and goes on nowhere. Both parts of a pair may overlap: won counts.
    """

    low: int
    high: int
    early: tuple[Set, Set]
    inside: tuple[Set, Set]
    last: tuple[Set, Set]

    def at(self, step: int) -> tuple[Set, Set]:
        """Return where it is won at a step, and where it goes on."""
        if step == self.high:
            return self.last
        return self.early if step < self.low else self.inside

    def changed(
        self, change: Callable[[Set, Set], tuple[OtherSet, OtherSet]]
    ) -> "Window[OtherSet]":
        """Return the window with every pair changed."""
        early, inside, last = (change(*pair) for pair in (self.early, self.inside, self.last))
        return Window(self.low, self.high, early, inside, last)


@dataclass(frozen=True)
class CoalitionGame(Generic[Set]):
    """What the coalition wants of every path that counts.

    `bound` are the states it could win from with perfect information; `safe` those that an outcome may
    come to, by how the formula stood before, without being lost even for those who see everything. Only
    states of `universe` count. `rings`, each around the last, are nearer and nearer to `right`, where known.
    """

    kind: GameKind
    left: Set
    right: Set
    bound: Set
    universe: Set
    safe: Mapping[FormulaStatus, Set]
    constraints: tuple[Set, ...] = ()
    rings: tuple[Set, ...] = ()
    window: Window[Set] | None = None


@dataclass(frozen=True)
class Win(Generic[Set]):
    """A uniform strategy, by agent and view, and states from which it wins; no choices if they are many."""

    states: Set
    choices: ViewChoices | None


class SearchTooLong(Abandoned):
    """More states were met than a search was meant for."""


class StrategySearch(Protocol[Set]):
    """The search for uniform strategies of one coalition in one game; it remembers what it has learnt."""

    @abstractmethod
    def each(self, wanted: Set, *, subjective: bool, most: int | None = None) -> Iterator[Win[Set]]:
        """Yield strategies that together win from every state of `wanted` where one can.

        Only states of the game's bound are worth asking for. Subjective: the strategy must win from every
        state that some member confuses with it, too. Raises `SearchTooLong` when more states than `most`
        have been met; asked again, it goes on from there.
        """
