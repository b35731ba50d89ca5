"""Every verdict twice: by two engines where two can, with evidence replayed and proofs checked.

The result is that of the first check. Where anything disagrees with it, `Disagreement` is raised: one of our
ways of finding out is wrong, and it is our bug.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from gnomon.certificate.document import ClaimedVerdict, read
from gnomon.certificate.verify import ProofOutcome
from gnomon.checking.attempts import Engine
from gnomon.checking.choose import second_opinion
from gnomon.checking.consistency import Disagreement
from gnomon.checking.options import Options
from gnomon.checking.proof_check import check_proofs
from gnomon.checking.supervise import INTERRUPTED, TERMINATED
from gnomon.checking.verdict import Result, Value, Verdict
from gnomon.model.any import AnyModel, AnySpecification
from gnomon.model.budget import Budget

_DECIDED = (Value.TRUE, Value.FALSE)
#: A second opinion may take ten times as long as the first, and so many seconds.
_PATIENCE = 10.0


def checked_twice(
    model: AnyModel,
    options: Options,
    check: Callable[[Options, bool], Result],
    asked: Mapping[int, AnySpecification],
) -> Result:
    """Return what `check` decides; raise `Disagreement` where another way says otherwise.

    `check` takes options and whether to tell of verdicts as they come; `asked` are the formulae by number.
    """
    first = check(replace(options, paranoid=False, certificate=True, race=False), True)
    left = None if options.timeout is None else options.timeout - first.seconds
    if first.interrupted or (left is not None and left <= 0):
        return _as_asked(first, options)
    patience = _PATIENCE + 10 * first.seconds
    again = None
    other = second_opinion(model, first.engine, options)
    if other is not None:
        seconds = patience if left is None else min(left, patience)
        again = check(_plainly(options, other, seconds), False)
    if again is not None:
        compare(first, again)
        if again.interrupted:
            return replace(_as_asked(first, options), interrupted=True, terminated=again.terminated)
    certificate = read(first.certificate)
    outcomes, reason = check_proofs(model, certificate, partial(_numbered, asked), Budget(left))
    compare_proofs(first, outcomes)
    stopped = reason in {INTERRUPTED, TERMINATED}
    return replace(_as_asked(first, options), interrupted=stopped, terminated=reason == TERMINATED)


def _as_asked(result: Result, options: Options) -> Result:
    return result if options.certificate else replace(result, certificate=None)


def _plainly(options: Options, engine: Engine, seconds: float) -> Options:
    """Return options to decide the same with another engine, and nothing more."""
    return replace(
        options,
        paranoid=False,
        race=False,
        engine=engine,
        evidence=False,
        certificate=False,
        timeout=seconds,
        report=None,
        refine=None,
        predicates=(),
        order="auto",
        diagrams="auto",
    )


def compare(first: Result, again: Result) -> None:
    """Raise `Disagreement` where two results about the same questions contradict each other."""
    for one, two in zip(first.verdicts, again.verdicts, strict=True):
        if one.value in _DECIDED and two.value in _DECIDED and one.value is not two.value:
            raise Disagreement(
                f"`{one.formula}` is {one.value} by {one.engine} and {two.value} by {two.engine}"
            )
    for known, other in zip(first.checks, again.checks, strict=False):
        values = {known.value, other.value}
        if values <= set(_DECIDED) and len(values) > 1:
            raise Disagreement(f"{known.name}: {known.value} and {other.value}")
    exact = first.engine in {"bdd", "explicit"} and again.engine in {"bdd", "explicit"}
    counts = {first.states, again.states} - {None}
    if exact and len(counts) > 1:
        shown = f"{first.states:,} by {first.engine}, {again.states:,} by {again.engine}"
        raise Disagreement(f"the number of reachable states: {shown}")


def _numbered(asked: Mapping[int, AnySpecification], claim: ClaimedVerdict) -> AnySpecification:
    return asked[claim.index]


def compare_proofs(result: Result, outcomes: Sequence[ProofOutcome]) -> None:
    """Raise `Disagreement` where a proof that was made is not accepted."""
    decided: dict[int, Verdict] = {verdict.index: verdict for verdict in result.verdicts}
    for outcome in outcomes:
        if outcome.accepted is False:
            verdict = decided[outcome.index]
            raise Disagreement(
                f"`{verdict.formula}` is {verdict.value} by {verdict.engine}, and the proof of it is "
                f"rejected: {outcome.why}"
            )
