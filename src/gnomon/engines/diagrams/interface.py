"""The narrow interface to a decision-diagram library; names and types stay above it.

Variables are the integers 0, 1, …, and number n is at level n: the order is fixed before the first diagram
is made. Diagrams are values of the back end that can be compared with `==` and hashed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from gnomon.model.budget import TryAnother

#: A diagram of whatever library is behind the interface.
Diagram: TypeAlias = Any
#: A set of variables to quantify, in the form that the library likes.
QuantifiedSet: TypeAlias = Any
#: Diagrams that stand in the place of variables, in the form that the library likes.
Renaming: TypeAlias = Any


class Outgrown(TryAnother):
    """There is no room for more nodes: with another order, or more room, there may be."""

    def __init__(self) -> None:
        """Say what the user should know."""
        super().__init__("the decision diagrams outgrew the room there is for them")


class Diagrams(Protocol):
    """What an engine needs of a decision-diagram library."""

    @property
    def name(self) -> str:
        """The library, for reports."""

    @property
    def true(self) -> Diagram:
        """The constant true."""

    @property
    def false(self) -> Diagram:
        """The constant false."""

    def variable(self, number: int) -> Diagram:
        """Return the diagram of one variable."""

    def both(self, left: Diagram, right: Diagram) -> Diagram:
        """Return the conjunction."""

    def either(self, left: Diagram, right: Diagram) -> Diagram:
        """Return the disjunction."""

    def opposite(self, diagram: Diagram) -> Diagram:
        """Return the negation; it may cost as much as any other operation."""

    def minus(self, left: Diagram, right: Diagram) -> Diagram:
        """Return `left` without `right`."""

    def differ(self, left: Diagram, right: Diagram) -> Diagram:
        """Return the exclusive disjunction."""

    def choose(self, condition: Diagram, then: Diagram, otherwise: Diagram) -> Diagram:
        """Return `then` where the condition holds, else `otherwise`."""

    def cube(self, variables: Iterable[int]) -> QuantifiedSet:
        """Prepare a set of variables for quantification."""

    def exists(self, diagram: Diagram, cube: QuantifiedSet) -> Diagram:
        """Return the existential quantification."""

    def both_exists(self, left: Diagram, right: Diagram, cube: QuantifiedSet) -> Diagram:
        """Return the existential quantification of the conjunction, in one pass."""

    def renaming(self, pairs: Iterable[tuple[int, int]]) -> Renaming:
        """Prepare the exchange of each pair of variables."""

    def substitution(self, functions: Mapping[int, Diagram]) -> Renaming:
        """Prepare to put diagrams in the place of variables, all at once."""

    def substitute(self, diagram: Diagram, functions: Renaming) -> Diagram:
        """Return the diagram with other diagrams in the place of some variables."""

    def rename(self, diagram: Diagram, renaming: Renaming) -> Diagram:
        """Return the diagram with the pairs of variables exchanged."""

    def count(self, diagram: Diagram, variables: int) -> int:
        """Return exactly how many assignments to so many variables satisfy the diagram."""

    def pick(self, diagram: Diagram) -> dict[int, bool]:
        """Return one satisfying assignment; variables that do not matter are left out."""

    def evaluate(self, diagram: Diagram, values: Sequence[tuple[int, bool]]) -> bool:
        """Return the value of a diagram where its variables have the values given."""

    def support(self, diagram: Diagram, among: Collection[int] | None = None) -> Iterable[int]:
        """Return the variables that a diagram depends on; where known, all are `among` these."""

    def size(self, diagram: Diagram) -> int:
        """Return the number of nodes."""

    def total_size(self) -> int:
        """Return how many nodes there are in all."""

    def collect(self) -> None:
        """Give up the nodes that nobody uses."""

    def allow(self, nodes: int) -> None:
        """Give up, as `Outgrown`, where diagrams in use need more than about so many nodes."""

    def reorder(self, blocks: list[list[int]], seconds: float) -> list[list[int]]:
        """Move blocks of variables to where diagrams get smaller, for about so long; return their order.

        A library that cannot leaves them where they are.
        """
