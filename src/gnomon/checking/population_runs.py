"""Runs of a population as evidence: its agents are named and numbered like those of any system."""

import re
from typing import Any, Final

from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.run import OpenRun, reaches, replayed
from gnomon.model.agent import IDLE
from gnomon.model.evidence import Branch, Evidence, Explanation, Run, Step
from gnomon.model.parameterised.condition import SELF, Condition, positive, renamed, show
from gnomon.model.parameterised.instance import named
from gnomon.model.parameterised.step import Completed, Configuration, Event, World
from gnomon.model.parameterised.system import Knowledge, OpenSystem, PopulationQuestion, Safety

#: A condition that is not longer than this is told as it is.
_SHORT: Final = 40

_WORD: Final = re.compile(r"[A-Za-z_]\w*")


def evidence(
    system: OpenSystem, question: PopulationQuestion, decision: PopulationDecision
) -> Evidence:
    """Return the run, or the two runs, that show what was decided."""
    assert decision.run is not None
    run = decision.run
    match question.query:
        case Safety(bad, reach):
            what = _named(system, bad)
            text = f"{_crowd(system, run)} can reach a state where {what}"
            whole = Explanation(
                question.parsed, reach, text, "time", run=run_of(system, run), quotes=(what,)
            )
            return Evidence("witness" if reach else "counterexample", whole)
        case Knowledge() as query:
            assert decision.other is not None
            return _doubted(system, question, query, (run, decision.other))


def _doubted(
    system: OpenSystem,
    question: PopulationQuestion,
    query: Knowledge,
    runs: tuple[OpenRun, OpenRun],
) -> Evidence:
    """Return a run to where something should be known, and one to a state that looks the same.

    Where it is false at the end of the first run, that is all there is to show: what is false is not known.
    """
    run, other = runs
    name = named(run.members)[0]
    if reaches(system, run, query.doubt, 0):
        other = run
    here = _named(system, query.when, renamed(query.when, {SELF: name}))
    known, there = _known_and_doubted(system, question, query.doubt, name)
    elsewhere = run_of(system, other)
    false = Explanation(known, False, f"{known} is false", quotes=(known,))
    alike = Explanation(
        f"K({name}, {known})",
        False,
        f"to {name} it looks the same as after this run, where {there}",
        "knowledge",
        (name,),
        elsewhere,
        (Branch(len(elsewhere.steps) - 1, false),),
        quotes=(there,),
    )
    shown = run_of(system, run)
    branch = Branch(len(shown.steps) - 1, alike)
    text = f"{_crowd(system, run)} can reach a state where {here}"
    whole = Explanation(
        question.parsed,
        False,
        text,
        "time",
        run=shown,
        branches=(branch,),
        quotes=(here,),
    )
    return Evidence("counterexample", whole)


def _known_and_doubted(
    system: OpenSystem, question: PopulationQuestion, doubt: Condition, name: str
) -> tuple[str, str]:
    """Return what should be known, and its opposite, by the name that the question has for it, if any."""
    words = set(_WORD.findall(question.text))
    for said, what in system.propositions.items():
        if said in words and positive(what, wanted=False) == positive(doubt):
            return said, f"!{said}"
        if said in words and what == doubt:
            return f"!{said}", said
    shown = renamed(doubt, {SELF: name})
    there = _named(system, doubt, shown)
    opposites = (
        f"!{there}" if there.isidentifier() else f"!({there})",
        show(positive(shown, wanted=False)),
    )
    return min(opposites, key=lambda text: (text.count("!("), len(text))), there


def _named(system: OpenSystem, condition: Condition, shown: Condition | None = None) -> str:
    """Return a condition as it is written: by its name where it is long and has one."""
    text = show(condition if shown is None else shown)
    if len(text) <= _SHORT:
        return text
    names = (name for name, what in system.propositions.items() if what == condition)
    return next(names, text)


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
