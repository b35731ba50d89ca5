"""Uniform strategies: what each member does by what it sees, whatever the others do.

A proof lists, for each member, conditions on what that member sees, with an action for each; the first that
holds counts. Together that is one uniform strategy for each of them, for all states it is said to win from.
Where members have to know that it wins, it wins from all that they take for possible.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Final, NamedTuple

from gnomon.certificate.deductive.assertions import (
    ALWAYS,
    NEVER,
    Assertion,
    condition_of,
    every,
    opposite,
    some,
)
from gnomon.certificate.deductive.clock import ClockObjective, check_clock
from gnomon.certificate.deductive.conduct import Conduct, Mover
from gnomon.certificate.deductive.knowing import Knowing, seen_by
from gnomon.certificate.deductive.moves import MoveCase, Moves
from gnomon.certificate.deductive.temporal_rules import (
    Fairness,
    Objective,
    Setting,
    check_moves,
)
from gnomon.certificate.rejection import TooMuch, require
from gnomon.certificate.shape import items, mapping, member, row, string
from gnomon.certificate.smt_terms import disj
from gnomon.model.agent import Agent
from gnomon.model.expression import Read, reads

#: What members do together is split into at most so many cases.
_MOST_JOINT: Final = 2_000


class MemberEntry(NamedTuple):
    """What a member does where a condition holds, and none of those before it."""

    where: Assertion
    action: str


class MemberStrategy(NamedTuple):
    """What one member does, and whether it sees all that its protocol looks at."""

    agent: Agent
    entries: tuple[MemberEntry, ...]
    informed: bool


def check_uniform(
    setting: Setting,
    objective: Objective | ClockObjective,
    members: tuple[str, ...],
    where: Assertion,
    data: object,
    fairness: Fairness,
    *,
    knowing: Knowing | None,
) -> None:
    """Have a label proved of which it is said that members enforce something by what they see.

    From some states they may do so by one strategy, from others by another. `knowing`: they have to know that
    the strategy wins. Where only fair outcomes count, a strategy may say from where it makes all outcomes
    unfair: these states are won, whatever was before.
    """
    enough: list[Assertion] = []
    for each in items(member(data, "strategies")):
        won = _condition(setting, member(each, "where"))
        strategy = _read_strategy(setting, members, member(each, "views"))
        _check_wins(setting, objective, (members, strategy), won, each, fairness)
        if knowing is not None:
            known = _condition(setting, member(each, "known"))
            for name in dict.fromkeys(members):
                knowing.alike((name,), known, won)
            won = every((won, known))
        enough.append(won)
    now = setting.steps.step({}).now
    given = [setting.invariant.text(now), where.text(now)]
    setting.steps.script.prove(given, some(enough).text(now), "no strategy wins from a state")


def _check_wins(
    setting: Setting,
    objective: Objective | ClockObjective,
    played: "tuple[tuple[str, ...], tuple[MemberStrategy, ...]]",
    won: Assertion,
    data: object,
    fairness: Fairness,
) -> None:
    def moves(here: Assertion) -> Moves:
        return UniformMoves(setting, *played, here)

    if isinstance(data, dict) and "unfair" in data:
        require(bool(fairness.fails), "all outcomes count")
        told = data["unfair"]
        never_fair = _condition(setting, member(told, "where"))
        check_moves(setting, Objective("until", ALWAYS, NEVER), moves, never_fair, told, fairness)
        fairness = fairness._replace(unfair=some((fairness.unfair, never_fair)))
    if isinstance(objective, ClockObjective):
        check_clock(setting, objective, moves, won, member(data, "steps"), fairness.unfair)
    else:
        check_moves(setting, objective, moves, won, data, fairness)


def _condition(setting: Setting, data: object) -> Assertion:
    return condition_of(setting.written, setting.written.ref(data))


def _read_strategy(
    setting: Setting, members: tuple[str, ...], data: object
) -> tuple[MemberStrategy, ...]:
    """Return what the members do; raises `Rejected` where somebody goes by what it does not see."""
    agents = [a for a in setting.steps.of(members).agents if a.name in members]
    views = mapping(data, "no strategies of agents")
    require(views.keys() == {a.name for a in agents}, "not a strategy for each member")
    found = tuple(_member_strategy(setting, agent, views) for agent in agents)
    if prod(len(each.entries) for each in found) > _MOST_JOINT:
        raise TooMuch(f"members do more than {_MOST_JOINT:,} things together")
    return found


def _member_strategy(setting: Setting, agent: Agent, views: Mapping[str, object]) -> MemberStrategy:
    seen = seen_by(setting.system, (agent.name,))
    entries: list[MemberEntry] = []
    before: list[Assertion] = []
    for each in items(views[agent.name]):
        where, action = row(each, 2)
        condition = _condition(setting, where)
        require(condition.reads <= seen, f"{agent.name} goes by what it does not see")
        require(string(action) in agent.actions, "there is no such action")
        entries.append(MemberEntry(every((condition, *map(opposite, before))), string(action)))
        before.append(condition)
    looked_at: frozenset[Read] = frozenset().union(
        *(reads(line.condition) for line in agent.protocol)
    )
    return MemberStrategy(agent, tuple(entries), looked_at <= seen)


class UniformMoves(Moves):
    """The moves of members who go by what they see, from the states in which a condition holds."""

    def __init__(
        self,
        setting: Setting,
        members: tuple[str, ...],
        strategies: tuple[MemberStrategy, ...],
        here: Assertion,
    ) -> None:
        """Look at what they do where a condition holds."""
        conduct = Conduct(Mover(members, forces=True), ())
        steps = setting.steps.of(members)
        super().__init__(steps, setting.written, conduct, here, setting.invariant)
        self._strategies = strategies

    def cases(self, looked_at: frozenset[Read]) -> Iterator[MoveCase]:
        """Yield the moves that can change some variables."""
        looked_at |= self._invariant.reads
        for joint in product(*(each.entries for each in self._strategies)):
            where = every(entry.where for entry in joint)
            actions = {
                each.agent.name: entry.action
                for each, entry in zip(self._strategies, joint, strict=True)
            }
            for step, known in self._steps.cases(looked_at, (), actions):
                yield self._case(step, known, where.text(step.now))

    def check(self) -> None:
        """Have it proved that each member knows what to do, and can do it, also where it looks the same."""
        anything = self._steps.step({})
        now = anything.now
        given = [self._invariant.text(now), self._here.text(now)]
        self._check_others(anything, given)
        for each in self._strategies:
            covered = disj(entry.where.text(now) for entry in each.entries)
            self._script.prove(given, covered, "a strategy says nothing about a state")
            for entry in each.entries:
                step = self._steps.step({each.agent.name: entry.action})
                there = [self._invariant.text(step.now), entry.where.text(step.now)]
                if each.informed:  # where it looks the same, it can do the same
                    there.append(self._here.text(step.now))
                self._script.prove(there, step.done(), "a strategy says what cannot be done")
