"""From a model and its formulae to verdicts."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from gnomon.checking.verdict import Result, SanityCheck, Value, Verdict
from gnomon.engines.explicit.engine import ExplicitAlgebra, explore
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import show_value
from gnomon.model.formula import has_coalition, show_formula
from gnomon.model.step import State
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source

Strategies: TypeAlias = Literal["perfect", "uniform", "uniform-subjective", "uniform-model"]
ENGINE = "explicit"


@dataclass(frozen=True)
class Options:
    """How to check: the reading of coalition operators, what else to look for, and the limits."""

    strategies: Strategies = "perfect"
    uniform_group: str | None = None
    evidence: bool = False
    check_deadlock: bool = False
    check_overflow: bool = False
    timeout: float | None = None
    memory: float | None = None
    max_states: int | None = 5_000_000
    report: Callable[[str, int], None] | None = None


def check(
    system: System,
    specifications: Iterable[Specification] | None = None,
    options: Options | None = None,
    *,
    model: str = "",
    diagnostics: tuple[Diagnostic, ...] = (),
    source: Source | None = None,
    on_verdict: Callable[[Verdict], None] | None = None,
) -> Result:
    """Decide the formulae of a model in order, those of the model itself unless others are given."""
    chosen = tuple(system.specifications if specifications is None else specifications)
    session = _Session(system, options or Options(), source or Source(model or system.name, ""))
    session.on_verdict = on_verdict
    session.run(chosen)
    return Result(
        model=model or system.name,
        kind=system.kind,
        engine=ENGINE,
        states=session.states,
        seconds=time.monotonic() - session.budget.started,
        verdicts=tuple(session.verdicts),
        checks=tuple(session.checks),
        diagnostics=(*diagnostics, *session.diagnostics),
        system=system,
        interrupted=session.interrupted,
    )


class _Session:
    """One call of `check` under way."""

    def __init__(self, system: System, options: Options, source: Source) -> None:
        self.system = system
        self.options = options
        self.source = source
        self.budget = Budget(options.timeout, options.memory, options.max_states, options.report)
        self.verdicts: list[Verdict] = []
        self.checks: list[SanityCheck] = []
        self.diagnostics: list[Diagnostic] = []
        self.states: int | None = None
        self.interrupted = False
        self.on_verdict: Callable[[Verdict], None] | None = None
        self.reason = ""

    def run(self, specifications: tuple[Specification, ...]) -> None:
        """Explore, then decide one formula after the other, until a limit is reached."""
        algebra: ExplicitAlgebra | None = None
        try:
            algebra = explore(self.system, self.budget)
            self.states = algebra.count(algebra.reachable)
            self._warn(algebra)
        except (LimitReached, MemoryError, KeyboardInterrupt) as limit:
            self._stop(limit)
        truth = None if algebra is None else Satisfaction(algebra, self.system.fairness)
        for index, specification in enumerate(specifications, start=1):
            self._add(self._decide(index, specification, truth))

    def _stop(self, limit: BaseException) -> None:
        """Remember why the rest stays unknown."""
        match limit:
            case LimitReached():
                self.reason = str(limit)
            case KeyboardInterrupt():
                self.reason, self.interrupted = "interrupted", True
            case _:
                self.reason = "there was no more memory"

    def _add(self, verdict: Verdict) -> None:
        self.verdicts.append(verdict)
        if self.on_verdict is not None:
            self.on_verdict(verdict)

    def _decide(
        self,
        index: int,
        specification: Specification,
        truth: "Satisfaction[frozenset[int] | set[int]] | None",
    ) -> Verdict:
        started = time.monotonic()
        verdict = Verdict(
            index=index,
            formula=specification.text,
            parsed=show_formula(specification.formula),
            value=Value.UNKNOWN,
            engine=ENGINE,
            seconds=0.0,
            strategies=self.options.strategies if has_coalition(specification.formula) else None,
            line=specification.line,
        )
        if truth is not None and not self.reason:
            try:
                holds = truth.holds(specification.formula, specification.logic)
                verdict = replace(verdict, value=Value.TRUE if holds else Value.FALSE)
            except (LimitReached, MemoryError, KeyboardInterrupt) as limit:
                self._stop(limit)
        reason = self.reason if verdict.value is Value.UNKNOWN else ""
        return replace(verdict, reason=reason, seconds=time.monotonic() - started)

    def _warn(self, algebra: ExplicitAlgebra) -> None:
        """Say what is odd about the model and changes what formulae mean."""
        if not algebra.initial:
            self._say("G0803", "no state satisfies `InitStates`: every formula is true")
        if algebra.deadlocks:
            where = self._show(algebra.pick(algebra.deadlocks))
            self._say("G0801", "the model can get stuck", f"a reachable deadlock: {where}")
        if algebra.overflows:
            where = self._show(algebra.pick(algebra.overflows))
            self._say("G0802", "a value can leave its range", f"a reachable state: {where}")

    def _say(self, code: str, message: str, *notes: str) -> None:
        self.diagnostics.append(Diagnostic(code, message, self.source, notes=notes))

    def _show(self, state: State) -> str:
        pairs = zip(self.system.variables, state, strict=True)
        return ", ".join(f"{v.agent}.{v.name} = {show_value(value)}" for v, value in pairs)
