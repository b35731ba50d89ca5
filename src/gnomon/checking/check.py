"""From a model and its formulae to verdicts: asks a process of its own, and puts together what it tells."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from gnomon.checking.options import Options, Strategies, fitting
from gnomon.checking.proofs import UNFINISHED, entry_of
from gnomon.checking.session import Task, decide_all, first_engine, unanswered
from gnomon.checking.supervise import supervise
from gnomon.checking.told import Findings, Heard, Limits
from gnomon.checking.verdict import Result, Verdict
from gnomon.model.budget import Budget
from gnomon.model.system import Specification, System
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
    text = source or Source(model or system.name, "")
    budget = Budget(given.timeout, given.memory, report=given.report)
    heard = Heard(Findings(first_engine(given)), given.report, on_verdict)
    task = Task(system, asked, replace(given, report=None), Limits.of(budget), text)
    ended = supervise(partial(decide_all, task), budget, heard.hear)
    engine = heard.findings.engine
    left = [partial(unanswered, *each, given, engine) for each in asked]
    heard.close(ended, left, given.checks)
    certificate = None
    if given.certificate:
        entries = [
            {**entry_of(verdict, specification.logic, UNFINISHED), "typed": not own}
            for verdict, specification in zip(heard.verdicts, chosen, strict=True)
        ]
        certificate = heard.proofs.document(text, constants, entries)
    said = heard.fields()
    return Result(
        model=model or system.name,
        kind=system.kind,
        seconds=budget.spent(),
        system=system,
        certificate=certificate,
        **{**said, "diagnostics": (*diagnostics, *said["diagnostics"])},
    )
