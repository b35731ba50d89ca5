"""How a mover moves from some states: a list of conditions, each with what is done where it holds.

A mover who `forces` something are some agents, whatever all others do; without members it is every path. One
who `prevents` it are all others, who answer whatever the members do; without members it is some path.
"""

from typing import Final, NamedTuple

from gnomon.certificate.deductive.steps import ChosenLines, SymbolicSteps
from gnomon.certificate.deductive.written_conditions import ConditionRef, WrittenConditions
from gnomon.certificate.rejection import require
from gnomon.certificate.shape import integer, items, mapping, row, string
from gnomon.model.agent import Agent
from gnomon.text.record import Record


class Mover(Record):
    """Who moves: some agents, or all others against them."""

    members: tuple[str, ...]
    forces: bool


EVERY_PATH: Final = Mover((), forces=True)
SOME_PATH: Final = Mover((), forces=False)


class Entry(NamedTuple):
    """What is done where a condition holds: by whom, and which lines are taken."""

    where: ConditionRef
    actions: dict[str, str]
    lines: ChosenLines


class Conduct(NamedTuple):
    """A mover, and what it does, the entries one after the other."""

    mover: Mover
    entries: tuple[Entry, ...]


def read_conduct(
    steps: SymbolicSteps,
    assertions: WrittenConditions,
    mover: Mover,
    data: object,
) -> Conduct:
    """Return how a mover moves; raises `Rejected` where nobody could move like that."""
    if mover.forces and not mover.members:
        return Conduct(mover, ())
    own = [agent for agent in steps.agents if (agent.name in mover.members) == mover.forces]
    return Conduct(
        mover, tuple(_entry(steps, assertions, own, mover, each) for each in items(data))
    )


def _entry(
    steps: SymbolicSteps,
    assertions: WrittenConditions,
    own: list[Agent],
    mover: Mover,
    data: object,
) -> Entry:
    where, actions, lines = row(data, 3)
    done = {
        name: string(action) for name, action in mapping(actions, "no actions of agents").items()
    }
    require(done.keys() == {agent.name for agent in own}, "not everybody who moves does something")
    for agent in own:
        require(done[agent.name] in agent.actions, "there is no such action")
    found = assertions.ref(where)
    require(not mover.forces or not assertions.agents(found), "it goes by what others do just then")
    acting = assertions.agents(found)
    require(acting.isdisjoint(done), "what somebody does depends on itself")
    choosing = {agent.name for agent in steps.agents}
    require(acting <= choosing, "it goes by what is nobody's choice there")
    units = {unit.name: unit for unit in steps.units}
    taken: dict[tuple[str, str], frozenset[int]] = {}
    for each in items(lines):
        agent_name, variable, places = row(each, 3)
        name = string(agent_name), string(variable)
        require(not mover.forces and name in units, "there is no such choice among lines")
        chosen = frozenset(map(integer, items(places)))
        known = units[name].lines
        require(all(0 <= place < len(known) for place in chosen), "there is no such line")
        require(
            len({known[place].assignments for place in chosen}) <= 1,
            "lines that do not do the same",
        )
        taken[name] = chosen
    return Entry(found, done, taken)
