"""What the operators of a logic range over: which states count and which paths."""

from dataclasses import dataclass, field
from typing import Generic

from gnomon.engines.algebra import ModalAlgebra, Set


@dataclass(frozen=True)
class Frame(Generic[Set]):
    """An algebra together with the states and paths that count.

    `universe` are the states that count: the reachable ones, or the fair ones. A path counts where
    it visits each of `constraints` infinitely often; `tail` are the states such a path can start
    in, so that any finite run into `tail` can be continued to a path that counts.
    """

    algebra: ModalAlgebra[Set]
    universe: Set
    tail: Set
    constraints: tuple[Set, ...] = ()
    #: The states that agents take into account, where `universe` does not tell: under fairness, cells say
    #: something about their fair states only, and may have others, too.
    fair: Set | None = None
    #: Where some outcome is fair whatever a coalition does, once that was asked.
    fair_against: dict[frozenset[str], Set] = field(default_factory=dict, compare=False, repr=False)

    def opposite(self, states: Set) -> Set:
        """Return the states that count and are not in `states`."""
        return self.algebra.difference(self.universe, states)

    def doubt(self, body: Set) -> Set:
        """Return the states that count and in which `body` fails, as agents take them into account."""
        failing = self.opposite(body)
        return failing if self.fair is None else self.algebra.intersection(failing, self.fair)
