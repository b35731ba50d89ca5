"""A profile of uniform strategies, one for each agent, and the system that it leaves.

For each agent a proof lists conditions on what that agent sees, with an action each; the first that holds
counts. The system that is left has other protocols, and what is proved of it is proved of the profile. That
it is a profile is checked with the invariant of that system: wherever runs come to, what an agent is said to
do can be done, and in a view of which nothing is said, nothing can be done.
"""

from collections.abc import Mapping
from dataclasses import replace as with_fields
from typing import NamedTuple

from gnomon.certificate.arithmetic_data import known_variable, read_comparison
from gnomon.certificate.deductive.assertions import Assertion, of_the_model
from gnomon.certificate.deductive.knowing import seen_by
from gnomon.certificate.deductive.steps import SymbolicSteps
from gnomon.certificate.rejection import require
from gnomon.certificate.shape import boolean, items, mapping, member, row, string
from gnomon.model import expression as typed
from gnomon.model.agent import Agent, ProtocolLine
from gnomon.model.domain import IntegerRange, Integers, contains
from gnomon.model.expression import Expression, reads
from gnomon.model.scheduled import enabled_when
from gnomon.model.system import System
from gnomon.text.record import replace


class ChosenAction(NamedTuple):
    """What an agent does where a condition holds, and none of those before it."""

    where: Expression
    action: str


class StrategyProfile:
    """What each agent does by what it sees."""

    def __init__(self, system: System, data: object) -> None:
        """Read it; raises `Rejected` where somebody is left out, or goes by what it does not see."""
        self._system = system
        choosing = [each for each in system.agents if each.actions and not each.observer]
        told = mapping(data, "no strategies of agents")
        require(told.keys() == {each.name for each in choosing}, "not a strategy for each agent")
        self._choices = {each.name: _choices(system, each, told) for each in choosing}

    def pruned(self) -> System:
        """Return the system in which agents do only that."""
        return with_fields(self._system, agents=tuple(map(self._bound, self._system.agents)))

    def _bound(self, agent: Agent) -> Agent:
        if agent.name not in self._choices:
            return agent
        lines = (ProtocolLine(each.where, (each.action,)) for each in self._choices[agent.name])
        # Without any line, an environment could do anything.
        nothing = ProtocolLine(typed.FALSE, agent.actions)
        return replace(agent, protocol=(*lines, nothing), other=None)

    def check(self, steps: SymbolicSteps, invariant: Assertion) -> None:
        """Have it proved that it is a profile, as far as runs go that follow it."""
        now, script = steps.step({}).now, steps.script
        for name, choices in self._choices.items():
            agent = self._system.agent(name)

            def text(condition: Expression) -> str:
                return of_the_model(self._system, condition).text(now)

            for each in choices:
                here = [invariant.text(now), text(each.where)]
                able = text(enabled_when(agent, each.action))
                script.prove(here, able, "a profile says what cannot be done")
            told = typed.Or(tuple(each.where for each in choices))
            able = text(typed.Or(tuple(enabled_when(agent, action) for action in agent.actions)))
            said = "a profile says nothing where something can be done"
            script.prove([invariant.text(now), able], text(told), said)


def _choices(system: System, agent: Agent, told: Mapping[str, object]) -> tuple[ChosenAction, ...]:
    seen = seen_by(system, (agent.name,))
    looked_at = frozenset[typed.Read]().union(*(reads(line.condition) for line in agent.protocol))
    # What looks the same can then be done wherever it can be done once.
    require(looked_at <= seen, f"{agent.name} does not see what it may do")
    found: list[ChosenAction] = []
    before: list[Expression] = []
    for each in items(told[agent.name]):
        atoms, action = row(each, 2)
        view = typed.And(tuple(_atom(system, atom) for atom in items(atoms)))
        require(reads(view) <= seen, f"{agent.name} goes by what it does not see")
        require(string(action) in agent.actions, "there is no such action")
        here = typed.And((view, *map(typed.Not, before)))
        found.append(ChosenAction(here, string(action)))
        before.append(view)
    return tuple(found)


def _atom(system: System, data: object) -> Expression:
    """Return a condition on one variable whose values are no numbers, or a comparison or its negation."""
    if isinstance(data, dict) and "comparison" in data:
        comparison = read_comparison(system, data["comparison"])
        return comparison if boolean(member(data, "holds")) else typed.Not(comparison)
    read = known_variable(system, *row(member(data, "variable"), 2))
    domain = system.variables[system.position[read.agent, read.variable]].domain
    require(not isinstance(domain, Integers | IntegerRange), "a number is looked at as a name")
    value = member(data, "value")
    require(contains(domain, value), "a variable is said to have no value of its own")
    assert isinstance(value, bool | str)
    return typed.Compare("=", read, typed.Literal(value))
