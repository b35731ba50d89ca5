"""The way to a state in which a formula holds: from here if there is one, or else from an initial state."""

from dataclasses import replace
from typing import Final, Literal, NamedTuple, TypeAlias

from gnomon.checking.check import Options, check
from gnomon.checking.verdict import Value, Verdict
from gnomon.model.budget import Budget
from gnomon.model.evidence import Run
from gnomon.model.formula import All, Globally, Not
from gnomon.model.fragment import is_propositional
from gnomon.model.step import State
from gnomon.model.system import Logic, Specification, System
from gnomon.workbench.failure import RequestFailed
from gnomon.workbench.replaying import Replayer, given_run
from gnomon.workbench.state_queries import after_premise, always_after, unquantified, within

RunOrigin: TypeAlias = Literal["here", "start"]

_NONE: Final = "no such state can be reached"
_NO_FAIR: Final = "no fair run comes to such a state"
_NO_INFINITE: Final = "no infinite run comes to such a state"
_NO_RUN: Final = "such a state can be reached, but no run to one could be shown"


class Sought(NamedTuple):
    """A run to a state of the wanted kind, and where it begins; where there is none, the reason."""

    run: Run | None
    origin: RunOrigin | None
    reason: str
    engine: str


def seek(
    system: System, specification: Specification, here: State | None, budget: Budget
) -> Sought:
    """Look for a run to a state in which a formula holds, and replay it."""
    wanted = unquantified(specification.formula)
    plain = is_propositional(wanted)
    # Fair or not, a state can be reached; but what holds in it may depend on fair runs alone.
    asked = replace(system, fairness=()) if plain else system
    never = All(Globally(Not(wanted)))
    formulae = [never] if here is None else [always_after(system, here, never), never]
    # In LTL and CTL* only infinite runs count, also on the way: to a condition, any run will do.
    logic: Logic = "CTL" if plain or specification.logic == "CTL" else "CTL*"
    questions = [replace(specification, formula=each, logic=logic) for each in formulae]
    *first, last = check(asked, questions, within(Options(evidence=True), budget, 0.9))
    if first and first[0].value is Value.FALSE:
        why = after_premise(None if first[0].evidence is None else first[0].evidence.explanation)
        if why is not None and why.run is not None:
            return _sought(system, why.run, "here", first[0], budget)
    if last.value is Value.FALSE:
        why = None if last.evidence is None else last.evidence.explanation
        if why is not None and why.run is not None:
            return _sought(system, why.run, "start", last, budget)
        return Sought(None, None, _NO_RUN, last.engine)
    if last.value is Value.TRUE:
        unfound = _NONE if logic == "CTL" else _NO_INFINITE
        return Sought(None, None, _NO_FAIR if asked.fairness else unfound, last.engine)
    return Sought(None, None, last.reason or "the engine could not tell", last.engine)


def _sought(
    system: System, run: Run, origin: RunOrigin, verdict: Verdict, budget: Budget
) -> Sought:
    """Return a run with the lines of its steps, each of them looked up in the model."""
    found = Replayer(system, budget, anywhere=origin == "here").replay(given_run(run, system))
    if found.broken is not None:
        raise RequestFailed("bug", f"step {found.broken} of the run that was found is none")
    return Sought(found.run, origin, "", verdict.engine)
