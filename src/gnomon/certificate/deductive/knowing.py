"""Knowledge, where states are conditions: two states that look the same, and what follows for the other."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from gnomon.certificate.arithmetic_data import known_variable, read_value
from gnomon.certificate.deductive.assertions import (
    Assertion,
    condition_of,
    of_the_model,
    some,
)
from gnomon.certificate.deductive.symbolic_moment import SymbolicMoment
from gnomon.certificate.deductive.temporal_rules import Setting
from gnomon.certificate.rejection import Unproved, require
from gnomon.certificate.shape import items, member, row, strings
from gnomon.certificate.smt_terms import SmtText, conj, disj
from gnomon.model.expression import Expression, Read
from gnomon.model.formula import GroupKnows, Knows, show_formula


class ConfusedState(NamedTuple):
    """Where another state looks the same to some agents, and what unseen variables are worth there."""

    where: Assertion
    agents: tuple[str, ...]
    values: Mapping[Read, Expression]


def read_confused_states(setting: Setting, data: object) -> tuple[ConfusedState, ...]:
    """Return the states that are said to look the same."""
    found = items(data.get("others", ())) if isinstance(data, dict) else ()
    return tuple(_confused_state(setting, each) for each in found)


def _confused_state(setting: Setting, data: object) -> ConfusedState:
    values: dict[Read, Expression] = {}
    for each in items(member(data, "values")):
        agent, variable, value = row(each, 3)
        read = known_variable(setting.system, agent, variable)
        values[read] = read_value(setting.system, read, value)
    where = condition_of(setting.written, setting.written.ref(member(data, "where")))
    agents = strings(member(data, "agents"))
    require(all(name in setting.system.agent_index for name in agents), "there is no such agent")
    return ConfusedState(where, agents, values)


def _is_confused(formula: Knows | GroupKnows, agents: tuple[str, ...]) -> bool:
    """Return whether something is not known if these agents together take it for possible."""
    match formula:
        case Knows(agent):
            return agents == (agent,)
        case GroupKnows("distributed", group):
            return set(agents) == set(group.members)
        case GroupKnows(_, group):
            return len(agents) == 1 and agents[0] in group.members


class Knowing:
    """The rules for knowledge: what is known holds in all states that look the same and can be reached."""

    def __init__(self, setting: Setting, unfair: Assertion) -> None:
        """Speak of the states in which an invariant holds; those that are unfair do not count."""
        self._system = setting.system
        self._script = setting.steps.script
        self._invariant = setting.invariant
        self._unfair = unfair

    def check(
        self,
        formula: Knows | GroupKnows,
        where: Assertion,
        body: Assertion,
        others: tuple[ConfusedState, ...],
        *,
        holds: bool,
    ) -> None:
        """Have a label proved; `body` is where that which is known holds, or where it fails.

        `others` are initial states that look the same, for what is not known.
        """
        now = SymbolicMoment(self._script)
        given = [self._invariant.text(now), where.text(now)]
        if not holds:
            self._not_known(formula, given, body, others)
            return
        match formula:
            case Knows(agent):
                self._alike((agent,), where, body)
            case GroupKnows("distributed", group):
                self._alike(group.members, where, body)
            case GroupKnows("everybody", group):
                for name in group.members:
                    self._alike((name,), where, body)
            case GroupKnows("common", group) if not group.members:
                pass  # nobody there to confuse this state with any
            case GroupKnows("common", group):
                counts = some((body, self._unfair)).text(now)
                self._script.prove(given, counts, "what is commonly known may fail")
                for name in group.members:
                    self._alike((name,), where, where)

    def _not_known(
        self,
        formula: Knows | GroupKnows,
        given: list[SmtText],
        body: Assertion,
        others: tuple[ConfusedState, ...],
    ) -> None:
        # A state looks like itself; to nobody at all there is nothing that looks like it.
        if isinstance(formula, GroupKnows) and not formula.group.members:
            raise Unproved(show_formula(formula))
        now = SymbolicMoment(self._script)
        known = disj((body.text(now), *(each.where.text(now) for each in others)))
        self._script.prove(given, known, "what is not known may hold")
        starts = of_the_model(self._system, self._system.initial)
        for each in others:
            require(_is_confused(formula, each.agents), "it is another one who does not know")
            seen = self._seen(each.agents)
            require(each.values.keys().isdisjoint(seen), "a state looks different")
            values = {read: now.text(value) for read, value in each.values.items()}
            other = SymbolicMoment(self._script, values, now=now)
            fits = (other.fits(read) for read in values)
            goal = conj((*fits, starts.text(other), body.text(other)))
            self._script.prove(
                [*given, each.where.text(now)],
                goal,
                "a state that looks the same is none to begin with",
            )

    def _alike(self, agents: Collection[str], where: Assertion, target: Assertion) -> None:
        """Have it proved that whatever looks like a state to all of some agents is in the target."""
        now = SymbolicMoment(self._script)
        target = some((target, self._unfair))
        seen = self._seen(agents)
        reads = (target.reads | self._invariant.reads) - seen
        other = SymbolicMoment(
            self._script, {read: self._script.variable(read, "w") for read in reads}, now=now
        )
        given = [self._invariant.text(now), where.text(now), self._invariant.text(other)]
        self._script.prove(given, target.text(other), "a state looks the same where it fails")

    def _seen(self, agents: Collection[str]) -> frozenset[Read]:
        """Return the variables that some agents see together."""
        environment = self._system.environment.name
        return frozenset(
            read
            for name in agents
            for read in (
                *(Read(name, variable.name) for variable in self._system.agent(name).variables),
                *(Read(environment, seen) for seen in self._system.agent(name).sees),
            )
        )
