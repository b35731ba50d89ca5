"""Questions about one state of a walk: does a formula hold, what looks the same, which moves are meant."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from gnomon.certificate.plain import plain_value
from gnomon.checking.check import Options, Strategies, check
from gnomon.checking.possible import states_possible
from gnomon.checking.verdict import Value, Verdict
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import show_value
from gnomon.model.evidence import Evidence, Explanation
from gnomon.model.formula import (
    All,
    Exists,
    Formula,
    Globally,
    Implies,
    Not,
    StateCondition,
    is_path_formula,
)
from gnomon.model.step import State, view
from gnomon.model.system import Logic, Specification, System
from gnomon.results.model_walk import NumberedMove, WalkError, explore
from gnomon.text.ending import Terminated
from gnomon.workbench.replaying import exactly

#: More states than this take longer than anybody waits for.
_STATES: Final = 200_000
#: So many states are looked at one by one where no engine has all of them.
_REACH: Final = 5_000
#: The part of the time in which engines look for all states; the rest is for looking at some of them.
_EXACTLY: Final = 0.7
#: Where no initial state is fair, neither is this one, and that is what is said of it.
_WELCOME: Final = ("G0803", "G0804")


#: What stands between wishes; commas of indices, as in `Worker[1,2]`, do not.
_BETWEEN: Final = re.compile(r"[\s,]+(?![^\[\]]*\])")


@dataclass(frozen=True, slots=True)
class Filter:
    """Which moves are wanted: (agent, action) or (agent.variable, new value), all of them."""

    wishes: tuple[tuple[str, str], ...]

    @staticmethod
    def read(text: str, system: System) -> "Filter":
        """Read `Sender=send Sender.ack=true`; commas and `and` between them are allowed."""
        wishes = []
        for word in _BETWEEN.split(text):
            if word in ("", "and"):
                continue
            name, equals, value = word.partition("=")
            if not equals:
                raise WalkError(f"`{word}` is not of the form Agent=action or Agent.variable=value")
            name = name.replace(" ", "")  # `Worker[1, 2]` is `Worker[1,2]`
            agent, dot, variable = name.removesuffix(".Action").partition(".")
            known = (agent, variable) in system.position if dot else agent in system.agent_index
            if not known:
                raise WalkError(f"`{name}` is no agent and no variable of one")
            wishes.append((name.removesuffix(".Action"), value))
        return Filter(tuple(wishes))

    def accepts(self, option: NumberedMove, system: System) -> bool:
        """Return whether a move is as wished."""
        actions = option.step.actions
        assert actions is not None
        for name, value in self.wishes:
            agent, dot, variable = name.partition(".")
            found = (
                show_value(option.step.state[system.position[agent, variable]])
                if dot
                else actions[system.agent_index[agent]]
            )
            if found != value:
                return False
        return True

    def __str__(self) -> str:
        """Show it as it was typed."""
        return " ".join(f"{name}={value}" for name, value in self.wishes)


# Values


class StateValue(NamedTuple):
    """The value of a formula in a state, one of four words; how it was found, and why, if known."""

    value: str
    remark: str = ""
    evidence: Evidence | None = None


def value_here(
    system: System,
    specification: Specification,
    state: State,
    budget: Budget,
    strategies: Strategies = "perfect",
    *,
    evidence: bool = False,
) -> StateValue:
    """Return the value of a formula in a state that can be reached, with evidence where that is wanted."""
    formula = unquantified(specification.formula)
    value = plain_value(system, formula, state)
    if value is not None:
        return StateValue("true" if value else "false")
    # `f` holds in the reachable state s iff AG (s -> f) holds in the model: so knowledge, too, is
    # asked for in the whole model and not in the part that can be reached from here.
    asked = [always_after(system, state, each) for each in (formula, Not(formula))]
    logic: Logic = "CTL" if specification.logic == "CTL" else "CTL*"
    questions = [replace(specification, formula=each, logic=logic) for each in asked]
    options = Options(strategies=strategies, evidence=evidence, max_states=_STATES)
    result = check(system, questions, within(options, budget))
    if result.interrupted:  # there is no answer to keep, and whoever asks must hear of it
        raise Terminated if result.terminated else KeyboardInterrupt
    yes, no = result.verdicts
    match yes.value, no.value:
        case Value.TRUE, Value.TRUE:
            return StateValue("undefined", _nothing_counts(system, logic))
        case Value.TRUE, _:
            return StateValue(
                "true", "decided in the whole model", _about(no, state, opposite=True)
            )
        case _, Value.TRUE:
            return StateValue("false", "decided in the whole model", _about(yes, state))
        case _:
            reason = yes.reason or no.reason or "the engine could not tell"
            return StateValue("unknown", reason)


def unquantified(formula: Formula) -> Formula:
    """Return the same without quantifiers over runs of which nothing is said, as in `LTL p`."""
    while isinstance(formula, All | Exists) and not is_path_formula(formula.path):
        formula = formula.path
    return formula


def always_after(system: System, state: State, formula: Formula) -> Formula:
    """Return that a formula holds whenever a run comes to a state."""
    return All(Globally(Implies(StateCondition(exactly(system, state)), formula)))


def within(options: Options, budget: Budget, part: float = 1.0) -> Options:
    """Return options with the limits that are left of a budget."""
    left = None
    if budget.seconds is not None:  # it may be named in a message: as few digits as will do
        left = max(round((budget.seconds - budget.spent()) * part, 2), 0.05)
    return replace(options, allow=_WELCOME, timeout=left, memory=budget.megabytes)


def _nothing_counts(system: System, logic: str) -> str:
    """Return why no run that counts goes through a state."""
    if system.fairness:
        return "no fair run goes through this state"
    if logic != "CTL":
        return "no infinite run goes through this state"
    return "no run comes to this state"


def _about(verdict: Verdict, state: State, *, opposite: bool = False) -> Evidence | None:
    """Return what a counterexample to AG (here -> f) shows of `f`; where it is to !f, the `opposite`."""
    found = verdict.evidence
    why = None if found is None else after_premise(found.explanation)
    if found is None or why is None:
        return None
    if opposite:
        why = why.branches[0].because if why.branches else None
    if why is None or why.state != state:
        return None
    role = Evidence("witness" if why.value else "counterexample").kind
    if why.value and found.strategies:
        role = "strategy"
    return Evidence(role, why, found.strategies, found.defences, found.clashes)


def after_premise(explanation: Explanation | None) -> Explanation | None:
    """Return why the right side of an implication is false at the end of a run that shows it."""
    if explanation is None or not explanation.branches:
        return None
    implication = explanation.branches[-1].because
    return implication.branches[-1].because if implication.branches else None


# What looks the same


class LookAlikes(NamedTuple):
    """States that look to an agent as one does, this one first; how many there are, and who has found them.

    Where these are not `complete`, the `reason` says why.
    """

    states: tuple[State, ...]
    total: int
    complete: bool
    reason: str
    engine: str


def look_alikes(
    system: System,
    state: State,
    agents: Iterable[str],
    limit: int,
    budget: Budget,
    known: Iterable[State] = (),
) -> list[LookAlikes]:
    """Return what each agent considers possible in a state: the states that count and look the same to it.

    Where not all can be found, those that are `known` to be reachable are among those that are looked at.
    """
    names = list(agents)
    part = budget.share(_EXACTLY)
    try:
        engine, counted = states_possible(system, state, names, limit, part)
    except LimitReached as why:
        said = str(why).partition(" (--")[0]  # nobody is at a command line here
        return [
            LookAlikes(states[:limit], len(states), False, f"{looked}: {said}", "explicit")
            for states, looked in _some_alike(system, state, names, budget, known)
        ]
    fair = "states from which no fair run starts do not count" if system.fairness else ""
    return [LookAlikes(states, total, True, fair, engine) for states, total in counted]


def _some_alike(
    system: System, state: State, agents: list[str], budget: Budget, known: Iterable[State]
) -> list[tuple[tuple[State, ...], str]]:
    """Return states that look the same among the first that can be reached, and how many were looked at."""
    seen = {name: view(system, system.agent(name), state) for name in agents}
    looked = dict.fromkeys((state, *known))
    try:
        for each in explore(system, _REACH, budget.share(0.9)):
            looked[each] = None
    except LimitReached:
        pass
    fair = ", fair or not" if system.fairness else ""
    words = f"only {len(looked):,} states were looked at one by one{fair}"
    return [
        (tuple(s for s in looked if view(system, system.agent(name), s) == own), words)
        for name, own in seen.items()
    ]
