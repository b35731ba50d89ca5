"""Knowledge and obligation, where states are conditions: other states, and what follows for them.

An obligation speaks of all states that are green, however they look: another state shows that it fails, as it
shows what nobody at all knows.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from gnomon.certificate.arithmetic_data import known_variable, read_value
from gnomon.certificate.deductive.assertions import (
    ALWAYS,
    NEVER,
    Assertion,
    condition_of,
    every,
    of_the_model,
    opposite,
    some,
)
from gnomon.certificate.deductive.symbolic_moment import SymbolicMoment
from gnomon.certificate.deductive.temporal_rules import Setting
from gnomon.certificate.rejection import Unproved, require
from gnomon.certificate.shape import items, member, row, strings
from gnomon.certificate.smt_terms import conj, disj
from gnomon.model.expression import FALSE, Expression, Read
from gnomon.model.formula import GroupKnows, Knows, Obliged, show_formula
from gnomon.model.system import System


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


def _is_confused(formula: Knows | GroupKnows | Obliged, agents: tuple[str, ...]) -> bool:
    """Return whether something is not known if these agents together take it for possible."""
    match formula:
        case Obliged():
            return not agents
        case Knows(agent):
            return agents == (agent,)
        case GroupKnows("distributed", group):
            return set(agents) == set(group.members)
        case GroupKnows(_, group):
            return len(agents) == 1 and agents[0] in group.members


class Knowing:
    """The rules for knowledge: what is known holds in all states that look the same and can be reached."""

    def __init__(self, setting: Setting, unfair: Assertion, fair: Assertion = ALWAYS) -> None:
        """Speak of the states in which an invariant holds.

        Those that are unfair do not count; those that are fair surely do.
        """
        self._system = setting.system
        self._script = setting.steps.script
        self._invariant = setting.invariant
        self._unfair = unfair
        self._fair = fair
        starts = of_the_model(setting.system, setting.system.initial)
        self._reached = some((starts, setting.reached))

    def check(
        self,
        formula: Knows | GroupKnows | Obliged,
        where: Assertion,
        body: Assertion,
        others: tuple[ConfusedState, ...],
        *,
        holds: bool,
    ) -> None:
        """Have a label proved; `body` is where that which is known holds, or where it fails.

        `others` are states that look the same and are reached, for what is not known.
        """
        if where is NEVER:
            return
        if not holds:
            self._not_known(formula, where, body, others)
            return
        match formula:
            case Obliged(agent):
                self._obliged(agent, body)
            case Knows(agent):
                self.alike((agent,), where, body)
            case GroupKnows("distributed", group):
                self.alike(group.members, where, body)
            case GroupKnows("everybody", group):
                for name in group.members:
                    self.alike((name,), where, body)
            case GroupKnows("common", group) if not group.members:
                pass  # nobody there to confuse this state with any
            case GroupKnows("common", group):
                now = SymbolicMoment(self._script)
                given = [self._invariant.text(now), where.text(now)]
                counts = some((body, self._unfair)).text(now)
                self._script.prove(given, counts, "what is commonly known may fail")
                for name in group.members:
                    self.alike((name,), where, where)

    def _obliged(self, agent: str, body: Assertion) -> None:
        """Have it proved that something holds wherever an agent is green. So it does for every label."""
        now = SymbolicMoment(self._script)
        given = [self._invariant.text(now), self._green(agent).text(now)]
        counts = some((body, self._unfair)).text(now)
        self._script.prove(given, counts, "what is an obligation may fail")

    def _green(self, agent: str) -> Assertion:
        return opposite(of_the_model(self._system, self._system.agent(agent).red or FALSE))

    def _not_known(
        self,
        formula: Knows | GroupKnows | Obliged,
        where: Assertion,
        body: Assertion,
        others: tuple[ConfusedState, ...],
    ) -> None:
        # A state looks like itself; to nobody at all there is nothing that looks like it.
        if (
            isinstance(formula, GroupKnows)
            and not formula.group.members
            and formula.kind != "distributed"
        ):
            raise Unproved(show_formula(formula))
        broken = body
        if isinstance(formula, Obliged):
            broken = every((body, self._green(formula.agent)))
        now = SymbolicMoment(self._script)
        given = [self._invariant.text(now), where.text(now)]
        known = disj((broken.text(now), *(each.where.text(now) for each in others)))
        self._script.prove(given, known, "what is not known may hold")
        for each in others:
            self._confused(formula, where, broken, each)
            if isinstance(formula, GroupKnows) and formula.kind == "common":
                # From there one comes further, in one step after the other.
                broken = some((broken, every((where, each.where))))

    def _confused(
        self,
        formula: Knows | GroupKnows | Obliged,
        where: Assertion,
        broken: Assertion,
        found: ConfusedState,
    ) -> None:
        """Have it proved that another state looks the same, is reached, counts, and breaks something."""
        require(_is_confused(formula, found.agents), "it is another one who does not know")
        seen = seen_by(self._system, found.agents)
        require(found.values.keys().isdisjoint(seen), "a state looks different")
        now = SymbolicMoment(self._script)
        values = {read: now.text(value) for read, value in found.values.items()}
        other = SymbolicMoment(self._script, values, now=now)
        given = [self._invariant.text(now), where.text(now), found.where.text(now)]
        fits = (other.fits(read) for read in values)
        goal = conj((*fits, self._reached.text(other), broken.text(other)))
        self._script.prove(given, goal, "a state that looks the same is not known to be reached")
        fair = self._fair.text(other)
        self._script.prove(given, fair, "it is not shown that a fair path starts there")

    def alike(self, agents: Collection[str], where: Assertion, target: Assertion) -> None:
        """Have it proved that whatever looks like a state to all of some agents is in the target."""
        now = SymbolicMoment(self._script)
        target = some((target, self._unfair))
        seen = seen_by(self._system, agents)
        reads = (target.reads | self._invariant.reads) - seen
        other = SymbolicMoment(
            self._script, {read: self._script.variable(read, "w") for read in reads}, now=now
        )
        given = [self._invariant.text(now), where.text(now), self._invariant.text(other)]
        self._script.prove(given, target.text(other), "a state looks the same where it fails")


def seen_by(system: System, agents: Collection[str]) -> frozenset[Read]:
    """Return the variables that some agents see together."""
    environment = system.environment.name
    return frozenset(
        read
        for name in agents
        for read in (
            *(Read(name, variable.name) for variable in system.agent(name).variables),
            *(Read(environment, seen) for seen in system.agent(name).sees),
        )
    )
