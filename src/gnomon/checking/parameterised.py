"""Verdicts for any number of agents."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from gnomon.checking.check import About, ask_a_process, certificate
from gnomon.checking.options import Options
from gnomon.checking.process.child import Job, Tell
from gnomon.checking.told import Findings, Limits
from gnomon.checking.verdict import Numbers, Result, Value, Verdict
from gnomon.engines.parameterised.compiled import CompiledPopulation as Program
from gnomon.engines.parameterised.compiled import Overlap
from gnomon.engines.parameterised.decision import PopulationDecision as Decision
from gnomon.engines.parameterised.ground_facts import contradiction
from gnomon.engines.parameterised.knowledge import decide_knowledge
from gnomon.engines.parameterised.run import OpenRun, replayed
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.model.agent import ENVIRONMENT, IDLE
from gnomon.model.budget import LimitReached
from gnomon.model.domain import show_value
from gnomon.model.evidence import Branch, Evidence, Explanation, Run, Step
from gnomon.model.parameterised.condition import SELF, renamed, show
from gnomon.model.parameterised.instance import named, pictured
from gnomon.model.parameterised.step import Completed, Configuration, Event, Place, World
from gnomon.model.parameterised.system import Knowledge, OpenSystem, Question, Safety
from gnomon.model.system import Logic
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source

ENGINE = "parameterised"
_LIMITS = (LimitReached, MemoryError)


def check_open(
    system: OpenSystem,
    questions: Iterable[Question] | None = None,
    options: Options | None = None,
    *,
    model: str = "",
    diagnostics: tuple[Diagnostic, ...] = (),
    source: Source | None = None,
    constants: Mapping[str, int] = MappingProxyType({}),
    numbers: Sequence[int] | None = None,
    already: float = 0.0,
    on_verdict: Callable[[Verdict], None] | None = None,
) -> Result:
    """Decide questions about any number of agents, those of the model itself unless others are given."""
    chosen = tuple(system.questions if questions is None else questions)
    given = options or Options()
    text = source or Source(model or system.name, "")
    _refuse(given, text)
    own = questions is None or numbers is not None
    asked = tuple(zip(numbers or range(1, len(chosen) + 1), chosen, strict=True))
    about = About(model or system.name, text, constants, own, already)
    decide = partial(_check, system, asked, about, diagnostics)
    if not given.paranoid:
        return decide(given, on_verdict)
    from gnomon.certificate.parameterised.verify import verify_open
    from gnomon.checking.paranoid import checked_twice, verify_all

    return checked_twice(
        given,
        lambda these, telling: decide(these, on_verdict if telling else None),
        partial(verify_all, verify_open, system, dict(asked)),
    )


def _check(
    system: OpenSystem,
    asked: tuple[tuple[int, Question], ...],
    about: About,
    diagnostics: tuple[Diagnostic, ...],
    options: Options,
    on_verdict: Callable[[Verdict], None] | None,
) -> Result:
    def job(limits: Limits) -> Job:
        task = Task(system, asked, replace(options, report=None), limits, about.source)
        return partial(decide_all, task)

    def left(engine: str) -> list[Callable[[str], Verdict]]:
        del engine  # there is one
        return [partial(_unanswered, *each) for each in asked]

    heard, budget = ask_a_process(job, ENGINE, about, options, on_verdict, left)
    logics: dict[int, Logic] = {number: "CTL" for number, _ in asked}
    return Result(
        model=about.model,
        kind="parameterised",
        seconds=budget.spent(),
        certificate=certificate(heard, about, logics) if options.certificate else None,
        **heard.fields(diagnostics),
    )


class Task(NamedTuple):
    """What is to be decided: questions by their numbers, about any number of agents, within limits."""

    system: OpenSystem
    asked: tuple[tuple[int, Question], ...]
    options: Options
    limits: Limits
    source: Source


def decide_all(task: Task, tell: Tell) -> None:
    """Decide every question of a task and tell of it; raise `InputError` where something cannot be asked."""
    _Session(task, tell).run()


def _unanswered(number: int, question: Question, reason: str) -> Verdict:
    return Verdict(
        index=number,
        formula=question.text,
        parsed=question.parsed,
        value=Value.UNKNOWN,
        engine=ENGINE,
        seconds=0.0,
        reason=reason,
        line=question.line,
    )


def _refuse(options: Options, source: Source) -> None:
    """Raise `InputError` where something is asked that has no meaning for any number of agents."""
    said: list[Diagnostic] = []
    if options.engine not in ("auto", "parameterised"):
        said.append(
            Diagnostic(
                "G0814",
                f"the number of agents is open, and --engine {options.engine} needs to know it",
                source,
                help="use --engine parameterised, or fix the number: gnomon export --agents 3",
            )
        )
    if options.strategies != "perfect" or options.refine is not None or options.predicates:
        said.append(
            Diagnostic(
                "G0814",
                "what can be asked of any number of agents has no coalitions, and nothing is refined",
                source,
                help="leave --strategies, --refine and --predicate out",
            )
        )
    if options.check_deadlock or options.check_overflow:
        said.append(
            Diagnostic(
                "G0814",
                "agents may always do nothing, so there is no deadlock, and overflows are not looked for",
                source,
                help="fix the number of agents: gnomon export --agents 3",
            )
        )
    if said:
        raise InputError(tuple(said))


class _Session:
    """One call under way."""

    def __init__(self, task: Task, tell: Tell) -> None:
        self.system = task.system
        self.asked = task.asked
        self.options = task.options
        self.source = task.source
        self.budget = task.limits.budget(tell)
        self.account: list[tuple[str, str]] = []
        self.diagnostics: list[Diagnostic] = []
        self._tell = tell
        self._program: Program | None = None

    def run(self) -> None:
        """Decide one question after the other, then prove what was decided in the time that is left."""
        found: list[tuple[Question, Verdict, Decision]] = []
        if contradiction(self.system):
            raise self._contradiction()
        try:
            for place, (index, question) in enumerate(self.asked, 1):
                self.budget.task = f"formula {place} of {len(self.asked)}"
                verdict, decision = self._decide(index, question)
                self._tell(verdict)
                found.append((question, verdict, decision))
        finally:
            said = tuple(self.diagnostics)
            self._tell(Findings(ENGINE, diagnostics=said, account=tuple(self.account)))
        if self.options.certificate:
            from gnomon.checking.certify_open import proved

            for question, verdict, decision in found:
                self._tell(proved(self.system, question, verdict, decision, self.budget))

    def _decide(self, index: int, question: Question) -> tuple[Verdict, Decision]:
        started = time.monotonic()
        try:
            decision = self._decision(question)
        except Overlap as overlap:
            raise self._overlap(overlap) from None
        except _LIMITS as limit:
            reason = str(limit) if isinstance(limit, LimitReached) else "out of memory"
            decision = Decision(None, "", reason=reason)
        self._note(index, decision)
        told: dict[str, Any] = {}
        if decision.run is not None and self.options.evidence:
            told = {
                "evidence": evidence(self.system, question, decision),
                "system": pictured(self.system, decision.run.members),
            }
        verdict = Verdict(
            index=index,
            formula=question.text,
            parsed=question.parsed,
            value=_value(question, decision),
            engine=ENGINE,
            seconds=time.monotonic() - started,
            reason=decision.reason,
            line=question.line,
            numbers=_numbers(self.system, question, decision),
            **told,
        )
        return verdict, decision

    def _decision(self, question: Question) -> Decision:
        if not self.system.is_finite:
            return self._with_solver(question)
        if self._program is None:
            try:
                self._program = Program(self.system, self.budget)
            except LimitReached:
                # There are too many values to be listed, as if there were no bounds.
                self.budget.check()
                return self._with_solver(question)
            self._warn(self._program)
        match question.query:
            case Safety(bad):
                return decide_safety(self._program, bad, self.budget)
            case Knowledge() as query:
                return decide_knowledge(self._program, query, self.budget)

    def _warn(self, program: Program) -> None:
        """Say where nobody can start."""
        for name, states in program.initial.items():
            if not states:
                who = "the environment" if name == ENVIRONMENT else f"an agent of `{name}`"
                message = f"no state satisfies what `InitStates` says of {who}"
                self.diagnostics.append(Diagnostic("G0803", message, self.source))

    def _with_solver(self, question: Question) -> Decision:
        from gnomon.engines.parameterised.solver_search import Contradiction, decide_with_solver

        try:
            return decide_with_solver(self.system, question.query, self.budget)
        except Contradiction:
            raise self._contradiction() from None

    def _contradiction(self) -> InputError:
        message = "nothing satisfies the axioms: every system would be safe"
        return InputError((Diagnostic("G0710", message, self.source),))

    def _overlap(self, overlap: Overlap) -> InputError:
        first, second = overlap.lines
        message = (
            f"lines {first} and {second} of `{overlap.part}` can give `{overlap.variable}` "
            "different values at once"
        )
        span = self.source.line_span(second)
        return InputError((Diagnostic("G0712", message, self.source, span),))

    def _note(self, index: int, decision: Decision) -> None:
        if not self.options.account or not decision.method:
            return
        cases = _cases(decision)
        proof = f", an invariant of {cases:,} cases" if cases is not None else ""
        self.account.append(
            (f"formula {index}", f"{decision.method}, {decision.steps:,} nodes{proof}")
        )


def _value(question: Question, decision: Decision) -> Value:
    if decision.reached is None:
        return Value.UNKNOWN
    asks = isinstance(question.query, Safety) and question.query.reach
    return Value.TRUE if decision.reached == asks else Value.FALSE


def _numbers(system: OpenSystem, question: Question, decision: Decision) -> Numbers | None:
    """Return how many agents it takes, and what of the relations."""
    if decision.reached is None:
        return None
    names = [part.name for part in system.templates]
    populations = tuple(dict(zip(names, each, strict=True)) for each in decision.smallest)
    facts = tuple(show_fact(place, value) for place, value in decision.facts)
    about: Literal["safety", "knowledge"] = (
        "knowledge" if isinstance(question.query, Knowledge) else "safety"
    )
    return Numbers(about, decision.reached, populations, decision.exact, facts, _cases(decision))


def _cases(decision: Decision) -> int | None:
    """Return of how many cases the invariant is, if there is one."""
    if decision.invariant is None:
        return None
    return len(decision.invariant["cases" if "cases" in decision.invariant else "cubes"])


def show_fact(place: Place, value: object) -> str:
    """Return a fact as the program would write it."""
    relation, arguments = place
    text = f"{relation}({', '.join(map(show_value, arguments))})"
    if isinstance(value, bool):
        return text if value else f"!{text}"
    return f"{text} = {value}"


# Evidence


def evidence(system: OpenSystem, question: Question, decision: Decision) -> Evidence:
    """Return the run, or the two runs, that show what was decided."""
    assert decision.run is not None
    run = decision.run
    match question.query:
        case Safety(bad, reach):
            text = f"{_crowd(system, run)} can reach a state where {show(bad)}"
            whole = Explanation(question.parsed, reach, text, "time", run=run_of(system, run))
            return Evidence("witness" if reach else "counterexample", whole)
        case Knowledge(_, when, doubt):
            assert decision.other is not None
            name = named(run.members)[0]
            here, there = (show(renamed(each, {SELF: name})) for each in (when, doubt))
            alike = Explanation(
                f"K({name}, !({there}))",
                False,
                f"to {name} it looks the same as after this run, where {there}",
                "knowledge",
                (name,),
                run_of(system, decision.other),
            )
            shown = run_of(system, run)
            branch = Branch(len(shown.steps) - 1, alike)
            text = f"{_crowd(system, run)} can reach a state where {here}"
            whole = Explanation(question.parsed, False, text, "time", run=shown, branches=(branch,))
            return Evidence("counterexample", whole)


def _crowd(system: OpenSystem, run: OpenRun) -> str:
    """Return how many agents there are, in words."""
    counts = {part.name: run.members.count(part.name) for part in system.templates}
    parts = [f"{number} {name}" for name, number in counts.items() if number]
    if not parts:
        return "the environment alone"
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 2 else parts)


def run_of(system: OpenSystem, run: OpenRun) -> Run:
    """Return a run of a population as one of its agents, for all that shows runs."""
    configurations = replayed(system, run)
    assert configurations is not None
    steps = [Step(_flat(configurations[0]))]
    world = World(system, run.members, Completed(system, dict(run.facts)))
    for before, event, after in zip(configurations, run.events, configurations[1:], strict=False):
        lines = tuple(
            world.lines(number, action, before)
            for number, action in ((None, event.environment), *enumerate(event.agents))
        )
        steps.append(Step(_flat(after), _joint(event), lines))
    return Run(tuple(steps))


def _flat(now: Configuration) -> tuple[Any, ...]:
    return tuple(value for local in (now.environment, *now.agents) for value in local)


def _joint(event: Event) -> tuple[str, ...]:
    return tuple(
        IDLE if action is None else action for action in (event.environment, *event.agents)
    )
