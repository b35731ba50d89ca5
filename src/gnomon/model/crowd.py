"""A crowd: agents that may change places, any with any, but for those that are kept apart."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from gnomon.model.expression import Expression
from gnomon.model.formula import Formula
from gnomon.model.numbered_names import IndexFamily, NameKind
from gnomon.model.pointing import pointing_variables
from gnomon.model.symmetry import Shapes
from gnomon.model.system import System


class AlikeCrowd:
    """Members of a family, by their numbers, of whom all permutations map the system to itself."""

    def __init__(self, system: System, family: IndexFamily, apart: Iterable[int] = ()) -> None:
        """Keep some of the family apart; the family must be one whose members change places any with any."""
        self.system = system
        self.family = family
        self.apart = frozenset(apart)
        self.members = tuple(each for each in family.numbers if each not in self.apart)
        self._known: dict[Expression, bool] = {}

    def numbers_in(self, kind: NameKind, name: str) -> tuple[int, ...]:
        """Return the members that a name speaks of, each once."""
        found = dict.fromkeys(self.family.found_in(kind, name))
        return tuple(number for number in found if number not in self.apart)

    def renamed(self, kind: NameKind, name: str, old: int, new: int) -> str:
        """Return a name with one member in the place of another one, whoever that was."""
        return self.family.renamed(kind, name, {old: new})

    def leaves_alone(self, condition: Expression) -> bool:
        """Return whether a condition says the same whoever of the crowd change places."""
        known = self._known.get(condition)
        if known is None:
            shapes = {shape_of(condition) for shape_of in self._shapes}
            known = self._known[condition] = len(shapes) == 1
        return known

    def leaves_agents_alone(self, agents: Iterable[str]) -> bool:
        """Return whether some agents are the same whoever of the crowd change places."""
        group = frozenset(agents)
        return all(
            frozenset(self.family.renamed("agent", each, change) for each in group) == group
            for change in self._changes
        )

    def formula_shape(self, formula: Formula, change: Mapping[int, int]) -> int:
        """Return the shape of a formula where members have changed places: one shape, one meaning."""
        return self._numbered.formula(
            self.system, formula, lambda kind, name: self.family.renamed(kind, name, change)
        )

    @cached_property
    def _changes(self) -> tuple[Mapping[int, int], ...]:
        """Two renamings that make all others: two are exchanged, and all are moved on by one."""
        members = self.members
        swapped = dict(zip(members[:2], reversed(members[:2]), strict=True))
        moved = dict(zip(members, (*members[1:], *members[:1]), strict=True))
        return swapped, moved

    @cached_property
    def _numbered(self) -> Shapes:
        return Shapes(pointing_variables(self.system))

    @cached_property
    def _shapes(self) -> tuple[Callable[[Expression], int], ...]:
        """Return the shapes of expressions as they are and renamed; what is looked at is kept."""
        shapes = self._numbered

        def under(change: Mapping[int, int]) -> Callable[[Expression], int]:
            return shapes.of_expressions(lambda kind, name: self.family.renamed(kind, name, change))

        return tuple(map(under, ({}, *self._changes)))
