"""What a coalition plays for, and what it wins, as data between the logic and the engines."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from gnomon.model.step import State

Set = TypeVar("Set")
#: What agents do in their views.
ViewChoices: TypeAlias = Mapping[tuple[str, State], str]


@dataclass(frozen=True)
class Game(Generic[Set]):
    """What the coalition wants of every path that counts.

    "next": `right` at the next state; "until": `left` until `right`; "globally": `left` for ever.
    `bound` are the states it could win from with perfect information; `escape` those where, so
    informed, it could make every outcome unfair. Only states of `universe` count.
    """

    kind: Literal["next", "until", "globally"]
    left: Set
    right: Set
    bound: Set
    escape: Set
    universe: Set
    constraints: tuple[Set, ...] = ()


@dataclass(frozen=True)
class Win(Generic[Set]):
    """A uniform strategy, by agent and view, and states from which it wins."""

    states: Set
    choices: ViewChoices
