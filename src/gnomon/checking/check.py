"""From a model and its formulae to verdicts: asks a process of its own, and puts together what it tells."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from gnomon.checking.options import Options, Strategies, fitting
from gnomon.checking.process.child import Tell
from gnomon.checking.proofs import UNFINISHED, entry_of
from gnomon.checking.session import Task, decide_all, first_engine, unanswered
from gnomon.checking.supervise import supervise
from gnomon.checking.told import Findings, Heard, Limits
from gnomon.checking.verdict import Result, Verdict
from gnomon.model.budget import Budget
from gnomon.model.system import Logic, Specification, System
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source

__all__ = ["Options", "Strategies", "check"]

_NOTHING: Mapping[str, int] = MappingProxyType({})


def check(
    system: System,
    specifications: Iterable[Specification] | None = None,
    options: Options | None = None,
    *,
    model: str = "",
    diagnostics: tuple[Diagnostic, ...] = (),
    source: Source | None = None,
    constants: Mapping[str, int] = _NOTHING,
    numbers: Sequence[int] | None = None,
    on_verdict: Callable[[Verdict], None] | None = None,
) -> Result:
    """Decide formulae in order, those of the model itself unless others are given.

    `numbers` says which of the model's own formulae the given ones are; without it they are new ones.
    `source` is the text that the system comes from and `constants` those it was read with, for certificates.
    """
    chosen = tuple(system.specifications if specifications is None else specifications)
    given = options or Options()
    fitting(given, system)
    own = specifications is None or numbers is not None
    asked = tuple(zip(numbers or range(1, len(chosen) + 1), chosen, strict=True))
    about = About(model or system.name, source or Source(model or system.name, ""), constants, own)
    decide = partial(_check, system, asked, about, diagnostics)
    if not given.paranoid:
        return decide(given, on_verdict)
    from gnomon.checking.paranoid import checked_twice

    return checked_twice(
        given,
        lambda these, telling: decide(these, on_verdict if telling else None),
        partial(_verify_all, system, dict(asked)),
    )


class About(NamedTuple):
    """What a certificate says of where the formulae come from."""

    model: str
    source: Source
    constants: Mapping[str, int]
    #: Whether they are the model's own.
    own: bool


def _check(
    system: System,
    asked: tuple[tuple[int, Specification], ...],
    about: About,
    diagnostics: tuple[Diagnostic, ...],
    options: Options,
    on_verdict: Callable[[Verdict], None] | None,
) -> Result:
    budget = Budget(options.timeout, options.memory, report=options.report)
    heard = Heard(Findings(first_engine(options)), options.report, on_verdict)
    task = Task(system, asked, replace(options, report=None), Limits.of(budget), about.source)
    ended = supervise(partial(decide_all, task), budget, heard.hear)
    engine = heard.findings.engine
    left = [partial(unanswered, *each, options, engine) for each in asked]
    heard.close(ended, left, options.checks)
    logics = {number: each.logic for number, each in asked}
    said = heard.fields()
    return Result(
        model=about.model,
        kind=system.kind,
        seconds=budget.spent(),
        system=system,
        certificate=certificate(heard, about, logics) if options.certificate else None,
        **{**said, "diagnostics": (*diagnostics, *said["diagnostics"])},
    )


def certificate(heard: Heard, about: About, logics: Mapping[int, Logic]) -> dict[str, Any]:
    """Return the certificate of what was decided, with a proof where there is one."""
    entries = [
        {**entry_of(verdict, logics[verdict.index], UNFINISHED), "typed": not about.own}
        for verdict in heard.verdicts
    ]
    return heard.proofs.document(about.source, about.constants, entries)


def _verify_all(
    system: System,
    by_number: Mapping[int, Specification],
    document: Any,
    limits: Limits,
    tell: Tell,
) -> None:
    from gnomon.certificate.verify import verify

    found = verify(system, document, lambda entry: by_number[entry["index"]], limits.budget(tell))
    for outcome in found:
        tell(outcome)
