"""Verdicts with their evidence, as they are: found out once, and kept with the model."""

from dataclasses import replace
from typing import Final

from gnomon.checking.check import check
from gnomon.checking.options import Options, Strategies
from gnomon.checking.verdict import Result, Value
from gnomon.results.styled import squeeze
from gnomon.workbench.bench import Bench, BenchModel
from gnomon.workbench.failure import RequestFailed
from gnomon.workbench.reading import question_of
from gnomon.workbench.state_queries import within

#: So many verdicts are kept with a model; some have much evidence.
_MOST: Final = 24
#: The part of the time in which it is decided; the rest is for showing it.
_DECIDING: Final = 0.85
#: What has no evidence by then may have had no time for it.
_EARLY: Final = 0.5


def explained_verdict(bench: Bench, model: BenchModel, text: str, strategies: Strategies) -> Result:
    """Return the result of one formula, with evidence; `system` is what that is about.

    Raises `InputError` where it cannot be read or asked.
    """
    known: dict[tuple[str, str], Result] = model.remembered.setdefault("verdicts", {})
    key = (squeeze(text), strategies)
    if key not in known:
        found = _decided(bench, model, text, strategies)
        if _is_hurried(bench, found):
            return found  # with more time it may be another one
        while len(known) >= _MOST:
            known.pop(next(iter(known)))
        known[key] = found
    return known[key]


def _is_hurried(bench: Bench, found: Result) -> bool:
    """Return whether there may be more to say with more time: also a verdict without evidence came late."""
    [verdict] = found.verdicts
    budget = bench.budget
    if verdict.value is Value.UNKNOWN:
        return True
    late = budget.seconds is not None and budget.spent() > budget.seconds * _EARLY
    return verdict.evidence is None and late


def _decided(bench: Bench, model: BenchModel, text: str, strategies: Strategies) -> Result:
    loaded = model.loaded
    whole = model.system or loaded.model
    if whole is None:
        raise RequestFailed("unable", "nothing can be decided before the mistakes are mended")
    asked = question_of(model, text)
    own = [number for number, each in enumerate(whole.specifications, 1) if each is asked]
    options = within(Options(strategies=strategies, evidence=True), bench.budget, _DECIDING)
    found = check(
        whole,
        (asked,),
        options,
        name=loaded.source.name,
        policy=loaded.policy(options),
        source=loaded.source,
        constants=loaded.constants,
        numbers=own[:1] or None,
    )
    system = found.verdicts[0].system or found.system
    return replace(found, constants=loaded.in_force, system=system)
