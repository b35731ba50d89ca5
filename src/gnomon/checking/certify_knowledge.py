"""Certificates for what agents of any number know: runs, and how far configurations are to be counted."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from gnomon.certificate.parameterised.knowing_cuts import excluded_views, things_known
from gnomon.certificate.parameterised.known_points import GOES_ON, as_epistemic, sure_points
from gnomon.certificate.parameterised.look_alikes import segments
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.solvers import SOLVERS
from gnomon.checking.certify_counted import CountedWriter
from gnomon.checking.population_paths import tracker
from gnomon.checking.proofs import ProofAttempt
from gnomon.checking.written_runs import written_run
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.lookalikes.deciding import Judgement, judgements
from gnomon.engines.parameterised.lookalikes.points import PopulationView
from gnomon.engines.parameterised.lookalikes.searching import METHOD as SEARCHED
from gnomon.engines.parameterised.lookalikes.searching import SearchedValuation
from gnomon.engines.parameterised.lookalikes.witnesses import DoubtRuns, continued, runs_shown
from gnomon.engines.parameterised.run import OpenRun
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.model.budget import Budget
from gnomon.model.formula import Exists
from gnomon.model.parameterised.knowing import JointlyKnown, OppositeOf, normal, within
from gnomon.model.parameterised.query import Epistemic, Knowledge, OverTime, Safety
from gnomon.model.parameterised.system import OpenSystem

_UNLISTED: Final = "there is no rule for what is always known where values are not listed"
_TOGETHER: Final = "there is no rule for what agents together do not know, however many they are"


def known_attempts(
    system: OpenSystem,
    query: Safety | Epistemic | Knowledge,
    decision: PopulationDecision,
    budget: Budget,
) -> Iterator[ProofAttempt]:
    """Yield proofs to try: the runs that were shown, then with all that there may be."""
    shown = runs_shown(decision)
    if shown:
        yield ProofAttempt(_proof(system, shown, None, [], budget))
    asked = as_epistemic(query)
    if decision.method == SEARCHED and decision.reached is False:
        yield from by_views(system, asked, budget)
    if system.is_finite:
        for judgement in judgements(system, asked, tracker, budget):
            if judgement.decision.reached is decision.reached:
                yield from _counted(system, asked, judgement, shown, budget)


def why_not(query: Safety | Epistemic | Knowledge, system: OpenSystem) -> str:
    """Return in words what there is no rule for, where it is known; else nothing."""
    if not system.is_finite:
        return _UNLISTED
    parts = within(as_epistemic(query).formula)
    return _TOGETHER if any(isinstance(part, JointlyKnown) for part in parts) else ""


def _counted(
    system: OpenSystem,
    query: Epistemic,
    judgement: Judgement,
    shown: Iterable[OpenRun],
    budget: Budget,
) -> Iterator[ProofAttempt]:
    """Yield proofs by all that there may be, with runs for what is not known."""
    always = normal(query.formula, wanted=not query.reach)
    points = judgement.valuation.points
    runs = DoubtRuns(judgement.valuation, judgement.crowds, shown).collect(always)
    proof = _proof(system, runs, points.cap, [], budget)
    yield ProofAttempt(proof)
    if system.fairness:
        # It may matter that from some configurations no fair run goes on.
        asked = OverTime(Exists(GOES_ON), tuple(segments(always)))
        writers = (
            CountedWriter(system, asked, facts, points.cap, budget, balanced=False)
            for facts in points.ways
        )
        yield ProofAttempt({**proof, "ways": [writer.gone() for writer in writers]})


def by_views(system: OpenSystem, query: Epistemic, budget: Budget) -> Iterator[ProofAttempt]:
    """Yield a proof by the views with which something is not known, and an invariant."""
    program = CompiledPopulation(system, budget)
    valuation = SearchedValuation(program, budget)
    always = normal(query.formula, wanted=not query.reach)
    views: list[Any] = []
    runs: dict[OpenRun, None] = {}
    denied = {part.body for part in within(always) if isinstance(part, OppositeOf)}
    for known in things_known(always):
        found = valuation.views_of(known)
        views.append([[list(v.seen), [_box(system, v)]] for v in found])
        if known in denied:
            runs.update(dict.fromkeys(found.values()))
    proof = {**_proof(system, runs, None, [], budget), "kind": "known-views", "views": views}
    prover = ObligationProver(budget, SOLVERS)
    broken = excluded_views(system, proof, query, sure_points(system, proof, prover), budget)
    decision = decide_safety(program, broken, budget, large=True)
    if decision.invariant is not None:
        yield ProofAttempt({**proof, "invariant": decision.invariant})


def _box(system: OpenSystem, view: PopulationView) -> list[Any]:
    """Return the local state of a view as a box: a value for each variable."""
    names = (variable.name for variable in system.part[view.template].variables)
    return [[name, [value]] for name, value in zip(names, view.local, strict=True)]


def _proof(
    system: OpenSystem,
    runs: Iterable[OpenRun],
    cap: int | None,
    ways: list[dict[str, Any]],
    budget: Budget,
) -> dict[str, Any]:
    written = []
    for run in runs:
        loop = None
        if system.fairness:
            longer = continued(system, run, tracker, budget)
            if longer is None:
                continue
            run, loop = longer  # noqa: PLW2901
        written.append({"members": list(run.members), "run": written_run(run), "loop": loop})
    return {"kind": "look-alikes", "runs": written, "cap": cap, "ways": ways}
