"""The others' answers to all choices of a coalition, chosen so that few rules say them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from gnomon.logic.rules import ListedDecision, Row, decisions
from gnomon.logic.rules import rules as rules_of
from gnomon.model.agent import Agent
from gnomon.model.evidence import DefenceAnswer, Rule
from gnomon.model.step import JointAction, State
from gnomon.model.system import System

#: What the members do, in their order; what the others do, in theirs.
AnswerActions: TypeAlias = tuple[str, ...]


class OpenAnswer(NamedTuple):
    """A state and a choice of the members there, with all that the others can do that answers it."""

    state: State
    choice: AnswerActions
    ways: Mapping[AnswerActions, tuple[JointAction, State]]


class AnswerBook:
    """What the others do, whichever state they come to."""

    def __init__(
        self, system: System, members: tuple[str, ...], answers: Sequence[OpenAnswer]
    ) -> None:
        """Choose among answers: those with which few conditions do."""
        self._system = system
        self._members = members
        self._others = [agent for agent in system.agents if agent.name not in members]
        self._rows = [(*each.state, *each.choice) for each in answers]
        allowed: dict[AnswerActions, int] = {}
        for number, each in enumerate(answers):
            for way in each.ways:
                allowed[way] = allowed.get(way, 0) | 1 << number
        self._decisions = decisions(answer_names(system, members), self._rows, allowed)
        self._chosen: dict[State, list[tuple[int, DefenceAnswer]]] = {}
        for decision in self._decisions:
            for number, each in enumerate(answers):
                if decision.rows >> number & 1:
                    joint, result = each.ways[decision.label]
                    choice = tuple(zip(members, each.choice, strict=True))
                    answer = DefenceAnswer(each.state, choice, joint, result)
                    self._chosen.setdefault(each.state, []).append((number, answer))

    def here(self, state: State) -> list[DefenceAnswer]:
        """Return the answers in a state, in the order in which they were given."""
        return [
            answer for _, answer in sorted(self._chosen.get(state, []), key=lambda each: each[0])
        ]

    def rules(self, answers: Sequence[DefenceAnswer]) -> tuple[Rule, ...]:
        """Return the rules for some of the answers, agent by agent."""
        kept = {(*each.state, *(action for _, action in each.choice)) for each in answers}
        numbers = sum(1 << number for number, row in enumerate(self._rows) if row in kept)
        used = [each for each in self._decisions if each.rows & numbers]
        found: list[Rule] = []
        for place, agent in enumerate(self._others):
            if len(agent.actions) > 1:
                plain = _of_agent(self._system, self._members, answers, agent)
                by_decisions = _of_decisions(agent, place, used)
                found += plain if len(plain) < len(by_decisions) else by_decisions
        return tuple(found)


def _of_decisions(
    agent: Agent, place: int, used: Sequence[ListedDecision[AnswerActions]]
) -> list[Rule]:
    """Return what one agent does by decisions of all; at the end, what it does anyway is said once."""
    found = [Rule(agent.name, each.conditions, each.label[place]) for each in used]
    while len(found) > 1 and found[-2].action == found[-1].action:
        found[-2:] = [Rule(agent.name, (), found[-1].action)]
    if found:
        # The last decision is for whatever is left, among what can be met.
        found[-1] = Rule(agent.name, (), found[-1].action)
    return found


def _of_agent(
    system: System, members: Sequence[str], answers: Sequence[DefenceAnswer], agent: Agent
) -> list[Rule]:
    place = system.agent_index[agent.name]
    rows = [
        Row((*each.state, *(action for _, action in each.choice)), each.actions[place])
        for each in answers
    ]
    return list(rules_of(agent.name, answer_names(system, members), rows))


def answer_rules(
    system: System, members: Sequence[str], answers: Sequence[DefenceAnswer]
) -> tuple[Rule, ...]:
    """Return answers in rules, agent by agent: what each of the others does where, and to which choice."""
    deciding = (a for a in system.agents if a.name not in members and len(a.actions) > 1)
    return tuple(rule for agent in deciding for rule in _of_agent(system, members, answers, agent))


def answer_names(system: System, members: Sequence[str]) -> list[str]:
    """Return the names of what an answer may depend on: the state, and what the members do."""
    names = [f"{variable.agent}.{variable.name}" for variable in system.variables]
    return names + [f"{name}.Action" for name in members]
