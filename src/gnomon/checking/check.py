"""From a model and its formulae to verdicts: asks a process of its own, and puts together what it tells."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gnomon.checking.choose import first_engine
from gnomon.checking.consistency import Disagreement
from gnomon.checking.decider import Decision, Task
from gnomon.checking.options import Options, Strategies
from gnomon.checking.policy import Policy
from gnomon.checking.proofs import UNDECIDED, UNFINISHED, entry_of
from gnomon.checking.refusals import refuse
from gnomon.checking.session import decide_all, verdict_on
from gnomon.checking.supervise import Crew, Ended, has_processes, supervise
from gnomon.checking.told import Findings, Heard, Limits, Message
from gnomon.checking.verdict import Result, Value, Verdict
from gnomon.model.any import AnyModel, AnySpecification
from gnomon.model.budget import Budget
from gnomon.model.starts import started
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source

if TYPE_CHECKING:
    from gnomon.checking.race import Race

__all__ = ["Options", "Strategies", "check"]

_NOTHING: Mapping[str, int] = MappingProxyType({})
#: What takes less than so many seconds is decided by one alone; then it is measured who could help.
_ALONE: Final = 1.5


def check(
    model: AnyModel,
    specifications: Iterable[AnySpecification] | None = None,
    options: Options | None = None,
    *,
    name: str = "",
    diagnostics: tuple[Diagnostic, ...] = (),
    policy: Policy | None = None,
    source: Source | None = None,
    constants: Mapping[str, int] = _NOTHING,
    numbers: Sequence[int] | None = None,
    already: float = 0.0,
    on_verdict: Callable[[Verdict], None] | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Result:
    """Decide formulae, those of the model itself unless others are given.

    `numbers` says which of the model's own formulae the given ones are; without it they are new ones.
    `policy` says what becomes of warnings where a file says something about that, too.
    `source` is the text that the model comes from and `constants` those it was read with, for certificates.
    So many seconds have been spent on it `already`. `on_verdict` hears of every verdict when it is found, in
    whatever order; `meanwhile` is called many times a second. Raises `InputError` where what is found about
    the model is an error, by the policy or because it has no initial state.
    """
    chosen = tuple(model.specifications if specifications is None else specifications)
    given = options or Options()
    called = name or model.name
    text = source or Source(called, "")
    refuse(model, chosen, given, text)
    own = specifications is None or numbers is not None
    asked = tuple(zip(numbers or range(1, len(chosen) + 1), chosen, strict=True))
    judging = policy or Policy.of((), given.allow, given.deny, strict=given.strict)
    begun: AnyModel = model if model.fixed is None else started(model.fixed, given.starts)
    if begun.open is not None:
        begun = begun.open.asking(chosen)
    inquiry = _Inquiry(begun, asked, called, text, constants, own, diagnostics, judging, already)
    if not given.paranoid:
        return inquiry.answer(given, on_verdict, meanwhile)
    from gnomon.checking.paranoid import checked_twice

    alone = inquiry._replace(already=0.0)
    return checked_twice(
        begun,
        given,
        # What was spent before has been taken off the time of a second opinion already.
        lambda these, first: (
            inquiry.answer(these, on_verdict, meanwhile)
            if first
            else alone.answer(these, None, meanwhile)
        ),
        dict(asked),
    )


class _Inquiry(NamedTuple):
    """Formulae about a model, by their numbers, and where both come from."""

    model: AnyModel
    asked: tuple[tuple[int, AnySpecification], ...]
    name: str
    source: Source
    constants: Mapping[str, int]
    #: Whether the formulae are the model's own.
    own: bool
    #: What was said about it before.
    diagnostics: tuple[Diagnostic, ...]
    policy: Policy
    already: float

    def answer(
        self,
        options: Options,
        on_verdict: Callable[[Verdict], None] | None,
        meanwhile: Callable[[], None] | None,
    ) -> Result:
        """Have it decided in a process of its own, and return all that was told."""
        budget = Budget(options.timeout, options.memory, report=options.report)
        budget.started -= self.already
        heard = Heard(Findings(first_engine(self.model, options)), options.report, on_verdict)
        plain = replace(options, report=None)
        task = Task(self.model, self.asked, plain, Limits.of(budget), self.source, self.policy)
        waiting = [heard.wait] if options.report is not None else []
        waiting += [meanwhile] if meanwhile is not None else []
        ended = self._supervised(task, budget, heard, partial(_call_all, waiting))
        asked = {
            number: partial(self._unknown, number, formula, options, heard)
            for number, formula in self.asked
        }
        heard.close(ended, asked, options.checks)
        return Result(
            model=self.name,
            kind=self.model.kind,
            seconds=budget.spent(),
            system=self.model.fixed,
            certificate=self._certificate(heard) if options.certificate else None,
            **heard.fields(self.diagnostics),
        )

    def _supervised(
        self, task: Task, budget: Budget, heard: Heard, meanwhile: Callable[[], None]
    ) -> Ended:
        """Have a task done, by several side by side where that takes long, and return what it has come to."""
        joining = _Joining(task, heard)
        job = partial(decide_all, task)
        try:
            ended = supervise(job, budget, joining.hear, meanwhile, joining.look)
        except Disagreement as found:
            if joining.race is None or not found.opinions:
                raise
            from gnomon.checking.rivals import with_certificates

            raise with_certificates(
                found, joining.race.options_of, self._answer_again, budget
            ) from None
        joining.close(ended)
        return ended

    def _answer_again(self, options: Options, number: int) -> Result:
        """Answer one formula alone, with other options."""
        asked = tuple(item for item in self.asked if item[0] == number)
        return self._replace(asked=asked, already=0.0).answer(options, None, None)

    @staticmethod
    def _unknown(
        number: int, formula: AnySpecification, options: Options, heard: Heard, reason: str
    ) -> Verdict:
        decision = Decision(Value.UNKNOWN, reason)
        return verdict_on(number, formula, options, heard.findings.engine, decision)

    def _certificate(self, heard: Heard) -> dict[str, Any]:
        """Return the certificate of what was decided, with a proof where there is one."""
        formulae = dict(self.asked)
        entries = [
            {
                **entry_of(verdict, formulae[verdict.index].logic, _unproved(verdict)),
                "typed": not self.own,
            }
            for verdict in heard.verdicts
        ]
        return heard.proofs.document(self.source, self.constants, entries)


class _Joining:
    """Lets others join a check, once it takes long or at once; what it takes to race is not loaded before."""

    def __init__(self, task: Task, heard: Heard) -> None:
        """Listen to who begins."""
        self.race: Race | None = None
        self._task = task
        self._heard = heard
        #: Whether others are to join: at once, never, or once it takes long.
        self._wanted = task.options.race if task.asked and has_processes() else False
        #: When others may join, and what is to be heard by then.
        self._due = inf
        self._waiting: list[Message] = []

    def hear(self, message: Message) -> None:
        """Take down a message of the one who has begun."""
        if self.race is not None:
            self.race.hear(message)
        elif self._wanted:
            self._waiting.append(message)  # an answer that is not certain may still get better
        else:
            self._heard.hear(message)

    def look(self, crew: Crew) -> Ended | None:
        """Return what it has come to once it is over."""
        if self.race is None:
            if not self._is_time(crew):
                return crew.leader.ended
            from gnomon.checking.race import Race  # most checks are over before

            self.race = Race(self._task, self._heard, crew)
            for message in self._waiting:
                self.race.hear(message)
        return self.race.look(crew)

    def _is_time(self, crew: Crew) -> bool:
        """Return whether others may join by now; the clock starts when the first has begun."""
        if self._wanted is not None:
            return self._wanted
        if crew.leader.ended is not None or crew.leader.pid is None:
            return False
        now = time.monotonic()
        self._due = min(self._due, now + _ALONE)
        return now >= self._due

    def close(self, ended: Ended) -> None:
        """Put together what was told."""
        if self.race is not None:
            self.race.close(ended)
            return
        for message in self._waiting:  # it was ended before anybody could join
            self._heard.hear(message)


def _call_all(functions: Sequence[Callable[[], None]]) -> None:
    for function in functions:
        function()


def _unproved(verdict: Verdict) -> str:
    """Return why there is no proof of a verdict that nobody has proved."""
    return UNFINISHED if verdict.value in {Value.TRUE, Value.FALSE} else UNDECIDED
