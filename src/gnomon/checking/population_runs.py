"""Runs of a population as evidence: its agents are named and numbered like those of any system."""

import re
from itertools import pairwise
from typing import Final

from gnomon.checking.knowledge_runs import knowing
from gnomon.checking.shown_runs import crowd, run_of
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.run import OpenRun, reaches
from gnomon.model.evidence import Branch, Evidence, Explanation, Run, Step
from gnomon.model.parameterised.condition import SELF, TRUE, Condition, positive, renamed, show
from gnomon.model.parameterised.instance import named
from gnomon.model.parameterised.levels import as_formula
from gnomon.model.parameterised.query import (
    Ability,
    Epistemic,
    Knowledge,
    OverTime,
    Safety,
    asks_for_some,
    reaching,
)
from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion

#: A condition that is not longer than this is told as it is.
_SHORT: Final = 40

_WORD: Final = re.compile(r"[A-Za-z_]\w*")


def evidence(
    system: OpenSystem, question: PopulationQuestion, decision: PopulationDecision
) -> Evidence:
    """Return the run, or the two runs, that show what was decided."""
    if isinstance(question.query, Ability):
        from gnomon.checking.population_games import game_evidence

        return game_evidence(system, question, question.query, decision)
    assert decision.run is not None
    run = decision.run
    match question.query:
        case Safety(bad, reach):
            what = _named(system, bad)
            text = f"{crowd(system, run)} can reach a state where {what}"
            whole = Explanation(
                question.parsed, reach, text, "time", run=run_of(system, run), quotes=(what,)
            )
            return Evidence("witness" if reach else "counterexample", whole)
        case OverTime() as query if decision.arrives:
            what = _named(system, reaching(query) or TRUE)
            text = f"{crowd(system, run)} can reach a state where {what}"
            some = asks_for_some(query)
            whole = Explanation(
                question.parsed, some, text, "time", run=run_of(system, run), quotes=(what,)
            )
            return Evidence("witness" if some else "counterexample", whole)
        case OverTime() as query:
            return _lasso(system, question, query, decision)
        case Knowledge() as query if decision.chain:
            return _chained(system, question, query, decision)
        case Epistemic() as query:
            return knowing(system, question, query, decision)
        case Knowledge() as query if decision.other is None:
            return knowing(system, question, as_formula(query), decision)
        case Knowledge() as query:
            assert decision.other is not None
            return _doubted(system, question, query, (run, decision.other))


def _lasso(
    system: OpenSystem,
    question: PopulationQuestion,
    query: OverTime,
    decision: PopulationDecision,
) -> Evidence:
    """Return a run that goes round for ever."""
    assert decision.run is not None
    run = run_of(system, decision.run)
    what = "can get to where nothing can happen any more"
    if decision.loop is not None:
        last = run.steps[-1]
        back = Step(run.steps[decision.loop].state, last.actions, last.lines)
        run = Run(run.steps[:-1], decision.loop, back)
        what = "can go on like this for ever"
    who = ""
    if query.template:
        who = f", and {named(decision.run.members)[0]} is the agent that the formula is about"
    text = f"{crowd(system, decision.run)} {what}{who}"
    some = asks_for_some(query)
    whole = Explanation(question.parsed, some, text, "time", run=run)
    return Evidence("witness" if some else "counterexample", whole)


def _chained(
    system: OpenSystem, question: PopulationQuestion, query: Knowledge, decision: PopulationDecision
) -> Evidence:
    """Return runs that look alike to somebody, one after the other."""
    first, *links = decision.chain
    known, there = _known_and_doubted(system, question, query.doubt, "")
    why = Explanation(known, False, f"{known} is false", quotes=(known,))
    for before, link in reversed(list(pairwise(decision.chain))):
        name = named(before.run.members)[before.agents[-1]]
        shown = run_of(system, link.run)
        last = link is links[-1]
        alike = named(link.run.members)[link.agents[0]]
        same = f", where it is {alike}" if alike != name else ""
        text = f"to {name} it looks the same as after this run{same}"
        why = Explanation(
            f"that {name} knows",
            False,
            f"{text}{' and' if same and last else ', where' if last else ''}{f' {there}' if last else ''}",
            "knowledge",
            (name,),
            shown,
            (Branch(len(shown.steps) - 1, why),),
            quotes=(there,) if last else (),
            as_whom=alike if alike != name else "",
        )
    shown = run_of(system, first.run)
    who = named(first.run.members)[first.agents[0]]
    here = _named(system, query.when, renamed(query.when, {SELF: who}))
    text = f"{crowd(system, first.run)} can reach a state where {here}"
    branch = Branch(len(shown.steps) - 1, why)
    whole = Explanation(
        question.parsed, False, text, "time", run=shown, branches=(branch,), quotes=(here,)
    )
    return Evidence("counterexample", whole)


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
    text = f"{crowd(system, run)} can reach a state where {here}"
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
