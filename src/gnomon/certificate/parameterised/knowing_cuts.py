"""What agents know where there are too many configurations to be counted: sets of views, inner ones first.

For each thing that somebody is to know a certificate has the views with which it may be unknown. Whoever has
another view knows it: that is a condition on the configuration, and an invariant excludes that it is not so
there. With which views it surely is not known, runs show, as elsewhere. So the whole is a condition, too.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from gnomon.certificate.parameterised.invariant_data import InvariantReader
from gnomon.certificate.parameterised.look_alikes import (
    KnowledgePoint,
    KnownAt,
    ViewOfAgent,
    WhatIsSeen,
)
from gnomon.certificate.parameterised.view_cuts import SeenRegion, read_views, view_in
from gnomon.certificate.rejection import Rejected, require
from gnomon.certificate.shape import items, member
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget
from gnomon.model.expression import Compare, Literal, Read
from gnomon.model.parameterised.condition import (
    And,
    Condition,
    Exists,
    Forall,
    Holds,
    Not,
    Or,
    positive,
)
from gnomon.model.parameterised.knowing import (
    AgentKnows,
    AllOf,
    AnyOf,
    EpistemicFormula,
    EveryAgent,
    Here,
    OppositeOf,
    SomeAgent,
    normal,
    within,
)
from gnomon.model.parameterised.query import Epistemic
from gnomon.model.parameterised.system import OpenSystem


def excluded_views(
    system: OpenSystem,
    data: object,
    query: Epistemic,
    sure: Iterable[KnowledgePoint],
    budget: Budget,
) -> Condition:
    """Return what an invariant is to exclude: all by which what agents know could be otherwise."""
    formula = normal(query.formula, wanted=not query.reach)
    known = things_known(formula)
    listed = items(member(data, "views"))
    require(len(listed) == len(known), "there is to be a set of views for each thing to be known")
    reader = InvariantReader(system)
    views = {
        each: read_views(system, each.template, said, reader)
        for each, said in zip(known, listed, strict=True)
    }

    doubtful = {each: partial(_is_in, views[each]) for each in known}
    cut = _KnowingCut(system, views, KnownAt(None, sure, budget, doubtful))
    return Or((*map(cut.broken, known), positive(Not(cut.surely(formula)))))


def _is_in(views: Sequence[SeenRegion], view: WhatIsSeen) -> bool:
    assert isinstance(view, ViewOfAgent)
    return any(seen == view.seen and region.holds(view.local) for seen, region in views)


def things_known(formula: EpistemicFormula) -> tuple[AgentKnows, ...]:
    """Return what somebody is to know in a formula, inner things first."""
    found: dict[AgentKnows, None] = {}
    for part in within(formula):
        match part:
            case AgentKnows():
                found[part] = None
            case Here() | OppositeOf() | AllOf() | AnyOf() | SomeAgent() | EveryAgent():
                pass
            case _:
                raise Rejected("there is no such rule for what agents know in common or together")
    return tuple(reversed(found))


class _KnowingCut:
    """Formulae about what agents know as conditions under which they surely hold."""

    def __init__(
        self,
        system: OpenSystem,
        views: Mapping[AgentKnows, Sequence[SeenRegion]],
        known: KnownAt,
    ) -> None:
        self._system = system
        self._views = views
        self._known = known

    def broken(self, known: AgentKnows) -> Condition:
        """Return that something is not so, for all that is known, where somebody has none of its views."""
        doubt = positive(Not(self.surely(known.body)))
        other = Not(view_in(self._system, known.template, self._views[known], known.index))
        return Exists(known.index, known.template, And((other, doubt)))

    def surely(self, formula: EpistemicFormula) -> Condition:
        """Return under which condition a formula surely holds."""
        match formula:
            case Here(condition):
                return condition
            case AllOf(operands):
                return And(tuple(map(self.surely, operands)))
            case AnyOf(operands):
                return Or(tuple(map(self.surely, operands)))
            case SomeAgent(index, template, body):
                return Exists(index, template, self.surely(body))
            case EveryAgent(index, template, body):
                return Forall(index, template, self.surely(body))
            case AgentKnows(index, template):
                return Not(view_in(self._system, template, self._views[formula], index))
            case OppositeOf(AgentKnows(index) as known):
                return Or(tuple(self._sees(index, v) for v in self._known.unknown(known)))
            case _:
                raise AssertionError(formula)

    def _sees(self, index: str, view: ViewOfAgent) -> Condition:
        """Return that an agent has a view."""
        part = self._system.part[view.template]
        own = (Read(index, variable.name) for variable in part.variables)
        around = (Read(ENVIRONMENT, name) for name in part.sees)
        both = zip((*own, *around), (*view.local, *view.seen), strict=True)
        return And(tuple(Holds(Compare("=", read, Literal(value))) for read, value in both))
