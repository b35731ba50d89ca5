"""One question about many initial states, asked in parts side by side.

A formula is false as soon as it is false of one part, and true once it is true of parts that together have
every initial state. A part that takes long is halved: what is asked of fewer initial states is smaller in
everything, the reachable states and the games on them included.
"""

import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from dataclasses import replace
from typing import Any, Final

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.executor import FutureAnswer, JobExecutor, JobLost
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.parts import (
    MOST_STARTS,
    StartsPart,
    covered,
    halves,
    listed_starts,
    parts_of,
    unsplittable,
)
from gnomon.checking.consistency import Opinion
from gnomon.checking.question import Asked, Question, read
from gnomon.checking.rivals import CERTAIN, compare_verdicts
from gnomon.checking.verdict import Result, Value, Verdict
from gnomon.logic.exact_evidence import for_one_of
from gnomon.model.budget import Budget, Report, no_details
from gnomon.model.evidence import Evidence
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.ending import Terminated

#: After so many seconds a part is halved.
PATIENCE: Final = 30.0
#: How often somebody hears of progress, in seconds.
_BEAT: Final = 0.1
#: No limit is shorter than an instant.
_INSTANT: Final = 0.001


def check_in_parts(
    asked: Asked,
    executor: JobExecutor,
    report: Report | None = None,
    *,
    patience: float = PATIENCE,
) -> Result:
    """Decide all that is asked, part by part; raise `InputError` where that cannot be done.

    Parts that are not decided after `patience` seconds are halved, as long as there is something to halve.
    """
    system, starts = _split_up(asked)
    under_way = _PartsUnderWay(asked, system, starts, executor, patience)
    try:
        under_way.run(report)
    except (KeyboardInterrupt, Terminated) as ended:
        return replace(
            under_way.result(), interrupted=True, terminated=isinstance(ended, Terminated)
        )
    return under_way.explained() if asked.question.options.evidence else under_way.result()


def _split_up(asked: Asked) -> tuple[System, tuple[State, ...]]:
    """Return the system and its initial states, or raise `InputError` with all that is in the way."""
    if asked.loaded is None or asked.has_errors:
        raise InputError(tuple(item for item in asked.diagnostics if item.is_error))
    model, question = asked.loaded.model, asked.question
    assert model is not None
    why = list(unsplittable(model, [formula for _, formula in asked.items], question.options))
    if question.options.starts:
        why.append("it is about some of the initial states already")
    system = model.fixed
    if not why and system is not None:
        starts = listed_starts(system, Budget(question.options.timeout, question.options.memory))
        if starts:
            return system, starts
        why.append(
            "no state is initial"
            if starts is not None
            else f"there are more than {MOST_STARTS:,} initial states"
        )
    help_ = "leave --parallel out, or choose other formulae with --only"
    raise InputError(
        tuple(
            Diagnostic(
                "G0822", f"this cannot be asked in parts: {each}", asked.loaded.source, help=help_
            )
            for each in dict.fromkeys(why)
        )
    )


class _PartsUnderWay:
    """A question in parts, on its way."""

    def __init__(
        self,
        asked: Asked,
        system: System,
        starts: tuple[State, ...],
        executor: JobExecutor,
        patience: float,
    ) -> None:
        self._asked = asked
        self._system, self._starts = system, starts
        self._executor = executor
        self._patience = patience
        self._began = time.monotonic() - asked.seconds
        self._submitted: dict[FutureAnswer, StartsPart] = {}
        numbers = [number for number, _ in asked.items]
        #: The parts of which each formula is true; one of which it is false; why it is open.
        self._true: dict[int, list[StartsPart]] = {number: [] for number in numbers}
        self._false: dict[int, StartsPart] = {}
        self._open: dict[int, str] = {}
        self._vacuous: dict[int, set[str]] = {number: set() for number in numbers}
        self._engines: Counter[str] = Counter()
        self._said: dict[tuple[str, str], Diagnostic] = {
            (item.code, item.message): item for item in asked.diagnostics
        }
        self._decided = 0

    def run(self, report: Report | None) -> None:
        """Ask about all parts until nothing is left to be found out; at the end none is under way."""
        try:
            # More parts would cost more together: much of what is done for a part is done for each.
            for part in parts_of(self._system, self._starts, self._executor.at_once):
                self._submit(part)
            while self._submitted and len(self._false) < len(self._true):
                done, _ = wait(self._submitted, _BEAT, FIRST_COMPLETED)
                for future in done:
                    self._take(future, self._submitted.pop(future))
                if report is not None:
                    report("", "initial states decided", self._decided, no_details)
        finally:
            for future in self._submitted:
                future.cancel()
            self._submitted.clear()

    def _submit(self, part: StartsPart) -> None:
        self._submitted[self._executor.submit(CampaignJob(self._question(part)))] = part

    def _question(self, part: StartsPart, *, evidence: bool = False) -> Question:
        question = self._asked.question
        limits = [] if self._left() is None else [self._left()]
        if len(part.starts) > 1 and not evidence:
            limits.append(self._patience)
        options = replace(
            question.options,
            starts=part.conditions,
            evidence=evidence,
            race=False,
            timeout=min(filter(None, limits), default=None),
        )
        return replace(question, options=options)

    def _left(self) -> float | None:
        limit = self._asked.question.options.timeout
        if limit is None:
            return None
        return max(limit - (time.monotonic() - self._began), _INSTANT)

    # Answers

    def _take(self, future: FutureAnswer, part: StartsPart) -> None:
        try:
            answer = future.result()
        except (JobLost, CancelledError) as lost:
            self._take_values(part, {}, f"{lost}")
        else:
            self._note(answer)
            found = {each["index"]: each for each in answer.formulae}
            self._take_values(part, found, "it was not decided")

    def _note(self, answer: JobAnswer) -> None:
        """Keep what is said about the model; raise `InputError` where it was refused while it was checked."""
        assert self._asked.loaded is not None
        for item in answer.diagnostics(self._asked.loaded.source):
            if item.code != "G0004":  # a part that was not read in its time
                self._said.setdefault((item.code, item.message), item)
        if answer.standing == "refused":
            raise InputError(tuple(item for item in self._said.values() if item.is_error))
        self._engines[answer.result["engine"] or ""] += 1

    def _take_values(
        self, part: StartsPart, found: Mapping[int, Mapping[str, Any]], otherwise: str
    ) -> None:
        """Take down what is certain of a part; halve it where something is not, and that can be done."""
        values = {
            number: Value(found[number]["verdict"]) if number in found else Value.UNKNOWN
            for number in self._true
        }
        for number, value in values.items():
            if value is Value.FALSE:
                self._false.setdefault(number, part)
        wanted = [number for number in values if number not in self._false]
        if any(values[number] not in CERTAIN for number in wanted) and self._can_halve(part):
            for half in halves(self._system, part):
                self._submit(half)
            return
        self._decided += len(part.starts)
        for number in wanted:
            if values[number] is Value.TRUE:
                self._true[number].append(part)
                self._vacuous[number].add(found[number]["vacuous"] or "")
            else:
                reason = found[number]["reason"] if number in found else None
                self._open.setdefault(number, reason or otherwise)

    def _can_halve(self, part: StartsPart) -> bool:
        left = self._left()
        return len(part.starts) > 1 and (left is None or left > _INSTANT)

    # What has come of it

    def result(self) -> Result:
        """Return all verdicts, as far as there are any."""
        begun = self._asked.begun()
        engine = self._engines.most_common(1)[0][0] if self._engines else ""
        return replace(
            begun,
            engine=engine,
            seconds=time.monotonic() - self._began,
            verdicts=tuple(self._verdict(each, engine) for each in begun.verdicts),
            diagnostics=tuple(self._said.values()),
            initial=len(self._starts),
        )

    def _verdict(self, begun: Verdict, engine: str) -> Verdict:
        value, reason, vacuous = self._value(begun.index)
        seconds = time.monotonic() - self._began
        return replace(
            begun, value=value, reason=reason, vacuous=vacuous, engine=engine, seconds=seconds
        )

    def _value(self, number: int) -> tuple[Value, str, str]:
        """Return the value of a formula, why it is open, and why it says nothing."""
        if number in self._false:
            return Value.FALSE, "", ""
        parts = self._true[number]
        if number in self._open or sum(len(part.starts) for part in parts) < len(self._starts):
            return Value.UNKNOWN, self._open.get(number, "not all parts were decided"), ""
        covered(self._system, self._starts, parts)
        # What makes it true for nothing has to be the same everywhere.
        why = self._vacuous[number]
        return Value.TRUE, "", next(iter(why)) if len(why) == 1 else ""

    def explained(self) -> Result:
        """Return all verdicts with evidence: parts that decide are asked about once more, here."""
        result = self.result()
        parts: dict[tuple[str, ...], StartsPart] = {}
        for verdict in result.verdicts:
            if verdict.value in CERTAIN:
                part = self._deciding(verdict.index)
                parts[part.conditions] = part
        again = {conditions: self._again(part) for conditions, part in parts.items()}
        verdicts = []
        for verdict in result.verdicts:
            shown = verdict
            if verdict.value in CERTAIN:
                other = again[self._deciding(verdict.index).conditions].get(verdict.index)
                if other is not None and other.value in CERTAIN:
                    compare_verdicts(Opinion("parts", verdict), Opinion(other.engine, other))
                    shown = replace(verdict, evidence=self._of_one(other))
            verdicts.append(shown)
        seconds = time.monotonic() - self._began
        return replace(result, verdicts=tuple(verdicts), seconds=seconds)

    def _of_one(self, verdict: Verdict) -> Evidence | None:
        """Return the evidence of a verdict; where that is for one initial state, it says so."""
        found = verdict.evidence
        one_of_many = verdict.value is Value.TRUE and len(self._starts) > 1
        if found is None or not (one_of_many and found.strategies and found.explanation):
            return found
        return for_one_of(found, len(self._starts))

    def _deciding(self, number: int) -> StartsPart:
        """Return a part that shows why a formula is what it is: any one initial state where it is true."""
        if number in self._false:
            return self._false[number]
        part = self._true[number][0]
        while len(part.starts) > 1:
            part = min(halves(self._system, part), key=lambda half: len(half.starts))
        return part

    def _again(self, part: StartsPart) -> dict[int, Verdict]:
        asked = read(self._question(part, evidence=True), self._asked.loaded)
        return {verdict.index: verdict for verdict in asked.check()}
