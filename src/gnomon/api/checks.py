"""`gnomon.check`: the questions of a model, asked of whatever is one."""

from collections.abc import Sequence
from os import PathLike

from gnomon.api.answers import CheckResult
from gnomon.api.models import Model, load
from gnomon.checking.attempts import Engine, LibraryChoice, OrderChoice
from gnomon.checking.options import Expected, Strategies
from gnomon.checking.selection import FormulaChoice
from gnomon.model.budget import Report
from gnomon.model.system import System


def check(
    model: Model | System | str | PathLike[str],
    *formulae: str,
    only: FormulaChoice | Sequence[FormulaChoice] = (),
    engine: Engine = "auto",
    strategies: Strategies = "perfect",
    uniform_group: str | None = None,
    evidence: bool = True,
    certificate: bool = False,
    paranoid: bool = False,
    race: bool | None = None,
    check_deadlock: bool = False,
    check_overflow: bool = False,
    timeout: float | None = None,
    formula_timeout: float | None = None,
    memory: float | None = None,
    max_states: int | None = None,
    refine: int | None = None,
    predicates: Sequence[str] = (),
    expect: Expected = "declared",
    strict: bool = False,
    allow: Sequence[str] = (),
    deny: Sequence[str] = (),
    starts: Sequence[str] = (),
    order: OrderChoice = "auto",
    diagrams: LibraryChoice = "auto",
    account: bool = False,
    report: Report | None = None,
    progress: bool | None = None,
) -> CheckResult:
    """Check a model's own formulae, all or `only` some, or those given here.

    `model` is one that was loaded or built, or the name of a file. All options are those of `Model.check`.

    >>> import gnomon
    >>> gnomon.check(gnomon.load("examples/tickets.ispl"), "EF full")[0]
    <EF full: true>
    >>> gnomon.check("examples/tickets.ispl", only="may_fill_up")[0].holds
    True
    """
    subject = load(model) if isinstance(model, str | PathLike) else model
    subject = Model(subject) if isinstance(subject, System) else subject
    return subject.check(
        *formulae,
        only=only,
        engine=engine,
        strategies=strategies,
        uniform_group=uniform_group,
        evidence=evidence,
        certificate=certificate,
        paranoid=paranoid,
        race=race,
        check_deadlock=check_deadlock,
        check_overflow=check_overflow,
        timeout=timeout,
        formula_timeout=formula_timeout,
        memory=memory,
        max_states=max_states,
        refine=refine,
        predicates=predicates,
        expect=expect,
        strict=strict,
        allow=allow,
        deny=deny,
        starts=starts,
        order=order,
        diagrams=diagrams,
        account=account,
        report=report,
        progress=progress,
    )
