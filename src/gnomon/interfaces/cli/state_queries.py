"""Questions about one state of a walk: does a formula hold, what looks the same, which moves are meant."""

from dataclasses import dataclass, replace

from gnomon.certificate.plain import plain_value
from gnomon.checking.check import Options, check
from gnomon.checking.verdict import Value
from gnomon.model import expression
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import show_value
from gnomon.model.formula import (
    All,
    Globally,
    Implies,
    Not,
    StateCondition,
)
from gnomon.model.step import State, view
from gnomon.model.system import Specification, System
from gnomon.results.model_walk import ModelWalk, NumberedMove, WalkError, explore

#: More states than this take longer than anybody waits for `eval`.
_STATES = 200_000
#: How far `know` looks.
_REACH = 2_000


@dataclass(frozen=True, slots=True)
class Filter:
    """Which moves are wanted: (agent, action) or (agent.variable, new value), all of them."""

    wishes: tuple[tuple[str, str], ...]

    @staticmethod
    def read(text: str, system: System) -> "Filter":
        """Read `Sender=send Sender.ack=true`; commas and `and` between them are allowed."""
        wishes = []
        for word in text.replace(",", " ").split():
            if word == "and":
                continue
            name, equals, value = word.partition("=")
            if not equals:
                raise WalkError(f"`{word}` is not of the form Agent=action or Agent.variable=value")
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


def value_here(
    system: System, specification: Specification, state: State, budget: Budget
) -> tuple[str, str]:
    """Return the value of a formula in a state, and a remark about how it was found."""
    value = plain_value(system, specification.formula, state)
    if value is not None:
        return ("true" if value else "false"), ""
    # `f` holds in the reachable state s iff AG (s -> f) holds in the model: so knowledge, too, is
    # asked for in the whole model and not in the part that can be reached from here.
    here = StateCondition(_exactly(system, state))
    asked = [
        replace(specification, formula=All(Globally(Implies(here, formula))), logic="CTL")
        for formula in (specification.formula, Not(specification.formula))
    ]
    options = Options(
        # Where no initial state is fair, neither is this one, and that is what is said of it.
        allow=("G0804",),
        timeout=budget.seconds,
        memory=budget.megabytes,
        max_states=_STATES,
    )
    yes, no = check(system, asked, options)
    match yes.value, no.value:
        case Value.TRUE, Value.TRUE:
            return "undefined", "no fair run goes through this state"
        case (Value.TRUE, _) | (_, Value.TRUE):
            return ("true" if yes.value is Value.TRUE else "false"), "decided in the whole model"
        case _:
            return "unknown", yes.reason or no.reason or "the engine could not tell"


def states_alike(walk: ModelWalk, name: str) -> tuple[list[State], bool]:
    """Return the other states that look as this one does to an agent, and whether not all were looked at."""
    agent, here = walk.system.agent(name), walk.here.state
    found = dict.fromkeys(visit.state for visit in walk.visits)
    looked = 0
    cut = False
    try:
        for state in explore(walk.system, _REACH, walk.budget):
            found[state] = None
            looked += 1
    except LimitReached:
        cut = True
    seen = view(walk.system, agent, here)
    others = [state for state in found if state != here and view(walk.system, agent, state) == seen]
    return others, cut or looked >= _REACH


def _exactly(system: System, state: State) -> expression.Expression:
    return expression.And(
        tuple(
            expression.Compare(
                "=", expression.Read(variable.agent, variable.name), expression.Literal(value)
            )
            for variable, value in zip(system.variables, state, strict=True)
        )
    )
