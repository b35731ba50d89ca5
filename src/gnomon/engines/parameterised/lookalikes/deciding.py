"""Deciding what agents know in formulae of any shape, for all populations at once."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.lookalikes.crowds import Crowds
from gnomon.engines.parameterised.lookalikes.insights import Insights, NoRunsShow, shown_by
from gnomon.engines.parameterised.lookalikes.points import CountedPoint, CountedPoints
from gnomon.engines.parameterised.lookalikes.valuation import Valuation
from gnomon.engines.parameterised.recurrence.situations import least_cap
from gnomon.engines.parameterised.recurrence.tracker import Track
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.parameterised import condition as c
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.knowing import (
    AgentKnows,
    AllOf,
    AnyOf,
    Common,
    EpistemicFormula,
    EveryAgent,
    Here,
    JointlyKnown,
    OppositeOf,
    SomeAgent,
    normal,
    within,
)
from gnomon.model.parameterised.query import Epistemic
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace

#: Where one cap leaves something open, the next one may not.
_RUNGS: Final = 2


class Judgement(NamedTuple):
    """What a graph with one cap says, and by what."""

    decision: PopulationDecision
    valuation: Valuation
    crowds: Crowds


def decide_knowing(
    system: OpenSystem, query: Epistemic, track: Track, budget: Budget
) -> PopulationDecision:
    """Return whether some configuration is as a formula excludes, or asks for."""
    reason = ""
    try:
        for decision, _, _ in judgements(system, query, track, budget):
            if decision.reached is not None:
                return decision
            reason = decision.reason
    except OutOfReach as error:
        reason = reason or str(error)
    return PopulationDecision(None, "", reason=reason)


def judgements(
    system: OpenSystem, query: Epistemic, track: Track, budget: Budget
) -> Iterator[Judgement]:
    """Yield what graphs say that count further and further; raise `OutOfReach` where one is too large."""
    always = normal(query.formula, wanted=not query.reach)
    asked = list(segments(always))
    least = least_cap(system, asked)
    compares = any(isinstance(part, c.Same) for each in asked for part in c.walk(each))
    for cap in range(least, least + _RUNGS):
        points = CountedPoints(system, cap, track, budget, compares=compares)
        yield _judged(points, Crowds(points, track, budget), always, budget)


def _judged(
    points: CountedPoints, crowds: Crowds, always: EpistemicFormula, budget: Budget
) -> Judgement:
    """Judge by one graph, and by larger and larger populations where that is not exact."""
    everything = set(points.points)
    sure: set[CountedPoint] = everything if points.is_exact else set()
    counts = points.is_exact and any(isinstance(part, JointlyKnown) for part in within(always))
    method = f"configurations counted up to {points.cap}"
    while True:
        valuation = Valuation(crowds, sure, budget)
        values = {p: valuation.value(always, points.moment(p)) for p in points.points}
        if all(value is True for value in values.values()):
            decision = PopulationDecision(False, method, steps=points.steps)
            return Judgement(decision, valuation, crowds)
        wrong = {point for point, value in values.items() if value is False and point in sure}
        if wrong:
            decision = _shown(valuation, crowds, always, wrong, method)
            return Judgement(decision, valuation, crowds)
        if (sure == everything and not counts) or not crowds.more():
            break
        sure = everything if points.is_exact else crowds.reached()
    reason = _open(points, crowds)
    decision = PopulationDecision(None, method, reason=reason, steps=points.steps)
    return Judgement(decision, valuation, crowds)


def _shown(
    valuation: Valuation,
    crowds: Crowds,
    always: EpistemicFormula,
    wrong: set[CountedPoint],
    method: str,
) -> PopulationDecision:
    """Return the decision with runs that show it."""
    points = valuation.points
    counts = any(isinstance(part, JointlyKnown) for part in within(always))
    insights = Insights(valuation, crowds, counts=counts)
    for there in insights.reached(wanted=wrong):
        try:
            found = shown_by(insights, always, there, method)
            return replace(found, steps=points.steps)
        except NoRunsShow:
            continue
    reason = "it is so for some population, but no runs were found that show it"
    return PopulationDecision(None, method, reason=reason, steps=points.steps)


def _open(points: CountedPoints, crowds: Crowds) -> str:
    """Say why it is open."""
    if points.is_exact:
        return "what agents know together depends on how many they are"
    return (
        f"configurations counted up to {points.cap} may be more than there are, and those of up to "
        f"{crowds.up_to} agents do not settle it"
    )


def segments(formula: EpistemicFormula) -> Iterator[Condition]:
    """Yield what is said of one configuration at a time: the whole, and what each of its agents knows."""
    yield _without_knowledge(formula)
    for part in within(formula):
        match part:
            case AgentKnows(_, _, body) | Common(_, body) | JointlyKnown(_, body):
                yield _without_knowledge(body)
            case _:
                pass


def _without_knowledge(formula: EpistemicFormula) -> Condition:
    match formula:
        case Here(condition):
            return condition
        case OppositeOf(body):
            return c.Not(_without_knowledge(body))
        case AllOf(operands):
            return c.And(tuple(map(_without_knowledge, operands)))
        case AnyOf(operands):
            return c.Or(tuple(map(_without_knowledge, operands)))
        case SomeAgent(index, template, body):
            return c.Exists(index, template, _without_knowledge(body))
        case EveryAgent(index, template, body):
            return c.Forall(index, template, _without_knowledge(body))
        case AgentKnows() | Common() | JointlyKnown():
            return c.TRUE
