"""What agents of any number know, in formulae of any shape.

A certificate has runs, which are replayed: each of their configurations surely is one of some population. It
may also say up to which number agents are to be counted: then all that there may be is worked out here, step
by step. Under fairness the runs go on for ever, and it may say from which counted configurations none does.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from gnomon.certificate.parameterised.counted_paths import CountedClaims, counted_ways
from gnomon.certificate.parameterised.counted_steps import CountedPopulations, CountedState
from gnomon.certificate.parameterised.fillings import fillings
from gnomon.certificate.parameterised.look_alikes import KnowledgePoint, KnownAt, segments
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_lassos import fair_lasso
from gnomon.certificate.parameterised.population_runs import (
    ReplayedRun,
    read_members,
)
from gnomon.certificate.rejection import Rejected, TooMuch, require
from gnomon.certificate.shape import integer, items, member, nullable
from gnomon.model import formula as f
from gnomon.model.budget import Budget
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.knowing import Here, OppositeOf
from gnomon.model.parameterised.levels import as_formula
from gnomon.model.parameterised.query import Epistemic, Knowledge, OverTime, Safety
from gnomon.model.parameterised.step import (
    Completed,
    Configuration,
    ConflictingLines,
    World,
)
from gnomon.model.parameterised.system import OpenSystem

#: Agents are not counted beyond this, and no more counted configurations are looked at.
_MOST_COUNTED: Final = 50
_MOST_POINTS: Final = 100_000
#: That a fair run goes on.
GOES_ON: Final = f.Globally(f.Constant(True))


def check_known(
    system: OpenSystem,
    data: object,
    query: Safety | Epistemic | Knowledge,
    verdict: str,
    prover: ObligationProver,
    budget: Budget,
) -> None:
    """Fail unless what agents know is as a verdict says."""
    asked = as_epistemic(query)
    always = OppositeOf(asked.formula) if asked.reach else asked.formula
    sure = sure_points(system, data, prover)
    require(verdict in ("true", "false"), "this is no verdict that can be proved")
    cap = nullable(integer, member(data, "cap"))
    possible = None
    if cap is not None:
        said = list(segments(always))
        possible = list(_all_points(system, data, cap, said, budget))
    known = KnownAt(possible, sure, budget)
    if (verdict == "true") == asked.reach:
        found = any(known.value(always, point) is False for point in sure)
        require(found, "no run ends where what agents know is as it should be")
        return
    if possible is None:
        raise Rejected("nothing is said of all that there may be")
    right = all(known.value(always, point) is True for point in possible)
    require(right, "in some counted configuration what agents know may be otherwise")


def as_epistemic(query: Safety | Epistemic | Knowledge) -> Epistemic:
    """Return a question as one about what agents know."""
    match query:
        case Safety(bad, reach):
            return Epistemic(Here(bad) if reach else OppositeOf(Here(bad)), reach)
        case Knowledge():
            return as_formula(query)
        case Epistemic():
            return query


# What surely is there


def sure_points(system: OpenSystem, data: object, prover: ObligationProver) -> list[KnowledgePoint]:
    """Return the configurations of the runs that a certificate has."""
    runs = items(member(data, "runs"))
    return [point for run in runs for point in _points_of(system, run, prover)]


def _points_of(
    system: OpenSystem, data: object, prover: ObligationProver
) -> Iterator[KnowledgePoint]:
    """Yield the configurations of a run; under fairness it has to go on."""
    members = read_members(system, member(data, "members"))
    run = ReplayedRun(system, members, member(data, "run"), prover)
    if system.fairness:
        fair_lasso(run, member(data, "loop"))
    return (KnowledgePoint(run.world, now) for now in run.configurations)


# What there may be


def _all_points(
    system: OpenSystem, data: object, cap: int, said: Sequence[Condition], budget: Budget
) -> Iterator[KnowledgePoint]:
    """Yield all counted configurations from which a fair run may go on, for all fillings of the relations."""
    if not system.is_finite:
        raise Rejected("agents with values that are not listed cannot be counted")
    if not 1 <= cap <= _MOST_COUNTED:
        raise TooMuch(f"agents are counted up to {_MOST_COUNTED} at most")
    given = counted_ways(system, data)
    number = 0
    for filled in fillings(system, said):
        facts = Completed(system, dict(filled))
        try:
            populations, gone = _counted(system, given.get(filled), cap, said, facts, budget)
            for state in _reached(populations, budget):
                number += 1
                if number > _MOST_POINTS:
                    raise TooMuch(f"there are more than {_MOST_POINTS:,} counted configurations")
                if state not in gone:
                    yield _standing(populations, facts, state)
        except ConflictingLines as clash:
            raise Rejected(f"`{clash}` is given two values") from clash


def _counted(
    system: OpenSystem,
    data: object,
    cap: int,
    said: Sequence[Condition],
    facts: Completed,
    budget: Budget,
) -> tuple[CountedPopulations, frozenset[CountedState]]:
    """Return how agents are counted, and from which counted configurations no fair run goes on."""
    if data is None:
        return CountedPopulations(system, facts, cap, said, budget), frozenset()
    asked = OverTime(f.Exists(GOES_ON), tuple(said))
    claims = CountedClaims(system, data, asked, facts, budget)
    require(claims.populations.cap == cap, "agents are counted up to another number")
    return claims.populations, claims.label(GOES_ON, member(data, "gone")).never


def _reached(populations: CountedPopulations, budget: Budget) -> Iterable[CountedState]:
    found = dict.fromkeys(populations.initial())
    waiting = list(found)
    while waiting:
        budget.check("counted configurations", len(found))
        for step in populations.steps(waiting.pop()):
            if step.after not in found:
                found[step.after] = None
                waiting.append(step.after)
    return found


def _standing(
    populations: CountedPopulations, facts: Completed, state: CountedState
) -> KnowledgePoint:
    """Return a counted configuration with as many agents in each place as were counted."""
    listed = [populations.places[place] for place, n in state.others for _ in range(n)]
    members = tuple(template for template, _ in listed)
    now = Configuration(state.environment, tuple(local for _, local in listed))
    return KnowledgePoint(World(populations.system, members, facts), now, populations.cap)
