"""Where formulae hold in a model of which it is only counted how many of a crowd are where."""

from functools import cached_property

from gnomon.engines.counting.counted_sets import CountedSets, OfOne
from gnomon.engines.explicit.explicit_sets import States
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.budget import Unsuited
from gnomon.model.formula import Formula, GroupKnows
from gnomon.model.system import Logic, Specification


class CountedTruth(Satisfaction[States]):
    """The satisfaction relation over counted states."""

    algebra: CountedSets

    def __init__(self, algebra: CountedSets, fairness: tuple[Specification, ...] = ()) -> None:
        """Read formulae over `algebra`, on the paths that meet all fairness constraints."""
        super().__init__(algebra, fairness)
        self._given = fairness

    @cached_property
    def constraints(self) -> tuple[States, ...]:
        """Return the states of each constraint.

        Where there is the same one for each of a crowd, it is that of the member who is kept apart.
        """
        plain = Satisfaction(self.algebra)
        found: list[States | None] = []
        for each in self._given:
            try:
                found.append(plain.states(each.formula, each.logic))
            except Unsuited:
                found.append(None)
        if None not in found:
            return tuple(each for each in found if each is not None)
        of_one = self._of_one(
            [each for each, known in zip(self._given, found, strict=True) if known is None]
        )
        pairs = zip(self._given, found, strict=True)
        return tuple(of_one[each] if known is None else known for each, known in pairs)

    def _of_one(self, constraints: list[Specification]) -> dict[Specification, States]:
        """Return, for each constraint, the states of the same one about the member who is kept apart."""
        algebra, whole = self.algebra, self.algebra.whole
        alone = Satisfaction(CountedSets(algebra.space, algebra.space.layout.crowd))
        known: dict[int, States] = {}
        for each in constraints:
            try:
                states = OfOne(alone.states(each.formula, each.logic))
            except Unsuited:
                continue
            known[whole.formula_shape(each.formula, {})] = states
        kept = [each for each in whole.members if each in algebra.space.layout.crowd.apart]
        found: dict[Specification, States] = {}
        for each in constraints:
            for member in whole.members:
                change = {member: kept[0], kept[0]: member} if kept else {}
                shape = whole.formula_shape(each.formula, change)
                if shape in known:
                    found[each] = known[shape]
                    break
            else:
                msg = f"the constraint `{each.text}` is not there for each of a crowd"
                raise Unsuited(msg)
        return found

    def _states(self, formula: Formula, logic: Logic) -> States:
        if isinstance(formula, GroupKnows) and formula.kind == "everybody":
            # What each of a crowd knows is what none of them doubts.
            frame = self.frame(logic)
            doubt = frame.doubt(self.states(formula.body, logic))
            return frame.opposite(self.algebra.confused(formula.group.members, doubt))
        return super()._states(formula, logic)
