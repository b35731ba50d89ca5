"""Chains of runs against what others know: each ends where it looks as before to somebody of the last."""

from itertools import pairwise
from typing import NamedTuple

from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_runs import (
    ReplayedRun,
    must_look_alike,
    read_members,
)
from gnomon.certificate.rejection import Rejected, require, shown
from gnomon.certificate.shape import items, member
from gnomon.model.parameterised.query import Knowledge, KnownBy
from gnomon.model.parameterised.system import OpenSystem


class _Link(NamedTuple):
    members: tuple[str, ...]
    run: ReplayedRun
    agents: tuple[int, ...]


def check_chain(
    system: OpenSystem, data: object, query: Knowledge, prover: ObligationProver
) -> None:
    """Fail unless a chain shows that somebody need not know what others know."""
    links = [
        _read(system, each, prover) for each in items(member(data, "chain"), "the chain is no list")
    ]
    require(len(links) > 1, "a chain has two runs or more")
    first, last = links[0], links[-1]
    require(len(first.agents) == len(last.agents) == 1, "a chain has one agent at each end")
    first.run.must(query.when, first.agents[0])
    levels = _following({0}, query.levels)
    require(_template(first, 0) == query.template, f"no agent of `{query.template}` is first")
    for before, link in pairwise(links):
        template = _template(before, -1)
        require(_template(link, 0) == template, "agents of different templates do not look alike")
        ends = (before.run.last, before.agents[-1]), (link.run.last, link.agents[0])
        must_look_alike(system, template, *ends)
        if link is not last:
            require(len(link.agents) == 2, "nobody goes on from here")
            levels = _beside(levels, _template(link, 1), query.levels)
    require(len(query.levels) - 1 in levels, "the chain goes by other agents")
    last.run.must(query.doubt, last.agents[0])


def _read(system: OpenSystem, data: object, prover: ObligationProver) -> _Link:
    members = read_members(system, member(data, "members"))
    agents: list[int] = []
    for each in items(member(data, "agents"), "the agents are no list"):
        if type(each) is not int or not 0 <= each < len(members) or each in agents:
            raise Rejected(f"no such agent: {shown(each)}")
        agents.append(each)
    return _Link(members, ReplayedRun(system, members, member(data, "run"), prover), tuple(agents))


def _template(link: _Link, place: int) -> str:
    return link.members[link.agents[place]]


def _following(levels: set[int], of: tuple[KnownBy, ...]) -> set[int]:
    """Return the levels at which an agent may be: it is also one of those that the next one is about."""
    found = set(levels)
    for level in range(len(of) - 1):
        if level in found and of[level].template == of[level + 1].template:
            found.add(level + 1)
    return found


def _beside(levels: set[int], template: str, of: tuple[KnownBy, ...]) -> set[int]:
    """Return the levels at which somebody else, of a template, may go on."""
    same = {level for level in levels if of[level].common and of[level].template == template}
    higher = {level + 1 for level in levels if level + 1 < len(of)}
    found = same | {level for level in higher if of[level].template == template}
    return _following(found, of)
