"""A race: several ways to decide the same side by side, of which the first certain answer counts.

The leader is what would have happened without a race. What anybody decides for certain is decided, formula by
formula, whoever that is; who has nothing more to say is ended. The limits are for all of them together.
Where two contradict each other, it is our bug: `Disagreement` has both opinions.
"""

import os
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from gnomon.checking import hints
from gnomon.checking.consistency import Opinion
from gnomon.checking.cores import IdleCores, usable_cores
from gnomon.checking.decider import Task
from gnomon.checking.options import Options
from gnomon.checking.process.child import Tell
from gnomon.checking.proofs import Proofs, Proved, combined
from gnomon.checking.racers import Entrant, called, entrants
from gnomon.checking.rivals import CERTAIN, compare_findings, compare_verdicts
from gnomon.checking.session import decide_all
from gnomon.checking.supervise import Crew, Ended, Worker
from gnomon.checking.told import Findings, Heard, Message, Progress
from gnomon.checking.verdict import SanityCheck, Verdict
from gnomon.text.diagnostic import InputError
from gnomon.text.errors import GnomonError

#: For so many seconds it is measured whether processors have nothing to do; then for longer and longer.
_MEASURED: Final = 0.5
_MEASURED_AT_MOST: Final = 8.0
#: Whoever joins without being asked for steps back by so much where processors are wanted after all.
_NICE: Final = 5


@dataclass(eq=False)
class Racer:
    """Somebody who takes part: what was asked, and all that it has told."""

    name: str
    options: Options
    asked: frozenset[int]
    findings: Findings
    proofs: Proofs = field(default_factory=Proofs)
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    worker: Worker = field(init=False)

    def has_said_all(self) -> bool:
        """Return whether it has decided all that it was asked, with proofs, and so will end by itself."""
        told = {check.name for check in self.findings.checks}
        certain = all(self.decided(number) is not None for number in self.asked)
        return certain and told >= set(self.options.checks) and self.has_proved(self.asked)

    def decided(self, number: int) -> Verdict | None:
        """Return its verdict on a formula, where that is certain."""
        verdict = self.verdicts.get(number)
        return verdict if verdict is not None and verdict.value in CERTAIN else None

    def has_proved(self, numbers: frozenset[int]) -> bool:
        """Return whether there is a word on the proofs of these verdicts, or none is to be had any more."""
        if not self.options.certificate or self.worker.ended is not None:
            return True
        return all(number in self.proofs for number in numbers)


class Race:
    """The race for the formulae of one task; it begins while the leader is under way."""

    def __init__(self, task: Task, heard: Heard, crew: Crew) -> None:
        """Let others join the leader, who has told what was `heard` up to now."""
        self._task = task
        self._heard = heard
        self._crew = crew
        formulae = [formula for _, formula in task.asked]
        self._sort = hints.sort_of(task.model, formulae, task.options)
        self._waiting = entrants(task.model, task.options, hints.promise(self._sort))
        self._idle = IdleCores()
        self._measured = _MEASURED
        #: So many may race at once, once that is known.
        self._room = max(2, usable_cores()) if task.options.race else 0
        before = {verdict.index: verdict for verdict in heard.verdicts}
        numbers = frozenset(number for number, _ in task.asked)
        leader = Racer(
            called(task.options), task.options, numbers, heard.findings, heard.proofs, before
        )
        leader.worker = crew.leader
        self._racers = [leader]
        #: Who has decided which formula; what the leader had left open before stays so.
        self._by = {number: leader for number in before if leader.decided(number) is not None}
        self._open = set(numbers - before.keys())
        self._contested = frozenset(self._open)

    @property
    def _leader(self) -> Racer:
        return self._racers[0]

    # What is told

    def hear(self, message: Message) -> None:
        """Take down a message of the leader."""
        self._hear(self._leader, message)

    def _hear(self, racer: Racer, message: Message) -> None:
        match message:
            case Progress():
                if self._crew.busy and racer.worker is self._crew.busy[0]:
                    self._heard.hear(message)
            case Findings():
                racer.findings = message
                for other in self._racers:
                    compare_findings(other.name, other.findings, racer.name, message)
            case Proved():
                racer.proofs.add(message)
            case Verdict():
                racer.verdicts[message.index] = message
                if message.value in CERTAIN:
                    for other in self._racers:
                        known = other.decided(message.index) or message
                        compare_verdicts(Opinion(other.name, known), Opinion(racer.name, message))
                    self._take(racer, message)

    def _take(self, racer: Racer, verdict: Verdict) -> None:
        """Let a verdict be the answer, unless there is one."""
        if verdict.index in self._open:
            self._open.discard(verdict.index)
            self._by[verdict.index] = racer
            self._heard.hear(verdict)

    def options_of(self, name: str) -> Options:
        """Return the options under which somebody has raced."""
        return next(racer.options for racer in self._racers if racer.name == name)

    # Who is at work

    def look(self, crew: Crew) -> Ended | None:
        """Let others start, end who is not needed, and return what it has come to once it is over."""
        if self._is_settled():
            for racer in self._racers:
                if not racer.has_said_all():
                    racer.worker.end()
            return None if crew.busy else Ended()
        ended = crew.leader.ended
        if ended is not None and self._ends_with_the_leader():
            return ended
        self._start()
        return None if crew.busy else ended

    def _ends_with_the_leader(self) -> bool:
        """Return whether nobody goes on longer than the leader: formulae are limited, or nobody came."""
        return self._room == 0 or self._task.options.formula_timeout is not None

    def _is_settled(self) -> bool:
        """Return whether there is a certain answer to everything, with its proof."""
        if self._open or self._open_checks():
            return False
        return all(racer.has_proved(frozenset({number})) for number, racer in self._by.items())

    def _open_checks(self) -> set[str]:
        return set(self._task.options.checks) - self._certain_checks().keys()

    def _certain_checks(self) -> dict[str, Racer]:
        """Return the questions about the model itself that are answered, and by whom."""
        return {
            check.name: racer
            for racer in reversed(self._racers)
            for check in racer.findings.checks
            if check.value in CERTAIN
        }

    def _start(self) -> None:
        """Let as many start as there is room for."""
        if self._room == 0 and self._idle.seconds >= self._measured:
            free = self._idle.free()
            self._measured = min(2 * self._measured, _MEASURED_AT_MOST)
            self._room = min(1 + free, usable_cores()) if free else 0
        while self._waiting and len(self._crew.busy) < self._room:
            try:
                self._enter(self._waiting.pop(0))
            except OSError:  # the machine allows no more processes
                self._waiting.clear()

    def _enter(self, entrant: Entrant) -> None:
        """Let somebody decide what is open."""
        checks = self._open_checks()
        options = replace(
            entrant.options,
            check_deadlock="deadlock" in checks,
            check_overflow="overflow" in checks,
        )
        asked = tuple(item for item in self._task.asked if item[0] in self._open)
        task = self._task._replace(asked=asked, options=options)
        numbers = frozenset(number for number, _ in asked)
        racer = Racer(entrant.name, options, numbers, Findings(options.engine))
        job = partial(_contend, task, 0 if self._task.options.race else _NICE)
        racer.worker = self._crew.start(job, partial(self._hear, racer))
        self._racers.append(racer)

    # What has come of it

    def close(self, ended: Ended) -> None:
        """Put together what all have told, and remember who has won; it may have been ended early."""
        for number in sorted(self._open):
            word = self._last_word(number, ended)
            if word is not None:
                self._heard.hear(word)
        best = self._best()
        account = best.findings.account
        if len(self._racers) > 1:
            if self._task.options.account:
                account += (("race", "; ".join(map(self._story, self._racers))),)
            if self._contested and not self._open:
                *_, winner = self._by.values()  # who decided the last formula
                hints.learn(self._sort, winner.name, [racer.name for racer in self._racers])
        self._heard.findings = best.findings._replace(checks=self._checks(), account=account)
        self._heard.proofs = combined({number: each.proofs for number, each in self._by.items()})

    def _last_word(self, number: int, ended: Ended) -> Verdict | None:
        """Return what is said of a formula that nobody has decided: by the leader, if it has a word on it."""
        said = [racer.verdicts.get(number) for racer in self._racers]
        if said[0] is not None or ended.reason:
            return said[0]
        return next((word for word in said if word is not None), None)

    def _best(self) -> Racer:
        """Return who has decided most formulae, the one that entered first of several."""
        won = list(self._by.values())
        return max(self._racers, key=won.count)

    def _checks(self) -> tuple[SanityCheck, ...]:
        """Return the answers about the model itself: the certain ones, and else what the leader says."""
        by = self._certain_checks()
        found = []
        for name in self._task.options.checks:
            told = by.get(name, self._leader).findings.checks
            found += [check for check in told if check.name == name]
        return tuple(found)

    def _story(self, racer: Racer) -> str:
        """Return in words what somebody has come to."""
        won = list(self._by.values()).count(racer)
        ended = racer.worker.ended or Ended()
        reasons = (ended.reason, ended.value, *(each.reason for each in racer.verdicts.values()))
        reason = next(filter(None, reasons), "")
        story = f"{racer.name} decided {won} of {len(self._task.asked)}"
        return f"{story} ({reason})" if reason else story


def _contend(task: Task, nice: int, tell: Tell) -> str:
    """Decide a task as one of several, who steps back by so much where others want the processors.

    Return why it was given up, if it was. What an engine that nobody has asked for cannot take, or fails at,
    costs nobody the answer; that it contradicts the reference semantics or itself is raised all the same.
    """
    os.nice(nice)
    try:
        decide_all(task, tell)
    except InputError as refusal:
        if task.options.engine != "abstraction":
            raise  # it is about the model
        return str(refusal)  # it refuses what other engines take
    except (GnomonError, OSError, EOFError):
        raise  # a bug that was found out, or nobody listens any more
    except Exception as error:  # noqa: BLE001 - the others go on, whatever it is
        return f"{type(error).__name__}: {error}: this is a bug in gnomon, please report it"
    return ""
