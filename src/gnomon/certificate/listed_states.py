"""All reachable states, listed, and what may happen in each by the reference semantics."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod
from typing import Final, NamedTuple, TypeAlias, TypeVar

from gnomon.certificate.rejection import Rejected, TooMuch, require, shown
from gnomon.model.agent import IDLE, Agent, EvolutionLine
from gnomon.model.budget import Budget
from gnomon.model.domain import contains
from gnomon.model.step import (
    JointAction,
    Move,
    State,
    enabled_actions,
    initial_states,
    joint_action_count,
    line_choices,
    moves,
    view,
)
from gnomon.model.system import System

StateNumbers: TypeAlias = frozenset[int]
#: What each choice of some agents may lead to.
ChoiceResults: TypeAlias = dict[tuple[str, ...], set[int]]


#: More moves from one state than this are not gone through.
MOST_MOVES: Final = 50_000

#: However states are told apart.
Place = TypeVar("Place", State, int)
#: What is done by agents in their views.
Profile: TypeAlias = Mapping[tuple[str, State], str]


def checked_state(system: System, data: object) -> State:
    """Return a state: a value of its own domain for every variable, and nothing else.

    What comes from a file may have 1 for true, which are equal to Python and not to us.
    """
    if not isinstance(data, list | tuple):
        raise Rejected(f"not a state: {shown(data)}")
    values: State = tuple(data)
    require(len(values) == len(system.variables), "not a state: it has another length")
    for variable, value in zip(system.variables, values, strict=True):
        if not contains(variable.domain, value):
            raise Rejected(f"not a value of {variable.name}: {shown(value)}")
    return values


class WaysTo(NamedTuple):
    """The lines by which an agent gets to its part of a state: one of each group, however many that makes."""

    groups: list[list[int]]
    there: bool

    def __bool__(self) -> bool:
        """Return whether there is a way."""
        return self.there

    def first(self) -> tuple[int, ...]:
        """Return one of them."""
        return tuple(group[0] for group in self.groups)

    def has(self, lines: Sequence[int]) -> bool:
        """Return whether some lines are one."""
        pairs = zip(lines, self.groups, strict=False)
        as_many = len(lines) == len(self.groups)
        return self.there and as_many and all(line in group for line, group in pairs)


def ways_to(
    system: System, agent: Agent, source: State, actions: JointAction, target: State
) -> WaysTo:
    """Return by which lines an agent gets to its part of a state; they are not `there` where it cannot."""
    now, choices = line_choices(system, agent, source, actions)
    domains = {variable.name: variable.domain for variable in agent.variables}
    places = {name: system.position[agent.name, name] for name in domains}
    of_one = system.semantics == "SingleAssignment"

    def arrives(line: EvolutionLine) -> bool:
        new = {item.variable: now.value(item.value) for item in line.assignments}
        lasting = () if of_one else domains.keys() - new.keys()
        return all(
            contains(domains[name], value) and value == target[places[name]]
            for name, value in new.items()
        ) and all(source[places[name]] == target[places[name]] for name in lasting)

    groups = [[line.line for line in group if arrives(line)] for group in choices]
    taken = {line.assignments[0].variable for group in choices for line in group}
    lasting = domains.keys() - taken if of_one or not choices else set()
    stays = all(source[places[name]] == target[places[name]] for name in lasting)
    return WaysTo(groups, there=stays and all(groups))


def bounded_moves(system: System, state: State) -> Iterator[Move]:
    """Yield the moves from a state, if there are not too many to go through."""
    if joint_action_count(system, state) > MOST_MOVES:
        raise TooMuch(f"there are more than {MOST_MOVES:,} joint actions in one state")
    for count, move in enumerate(moves(system, state)):
        if count > MOST_MOVES:
            raise TooMuch(f"there are more than {MOST_MOVES:,} moves from one state")
        yield move


def profiled_moves(system: System, state: State, profile: Profile | None) -> Iterator[Move]:
    """Yield the moves from a state in which agents do what a profile says."""
    if profile is None:
        yield from bounded_moves(system, state)
        return
    wanted = [profile.get((agent.name, view(system, agent, state))) for agent in system.agents]
    for move in bounded_moves(system, state):
        pairs = zip(wanted, move.actions, strict=True)
        if all(w in {None, done} or (system.interleaved and done == IDLE) for w, done in pairs):
            yield move


def by_choice(
    system: System,
    state: State,
    members: Sequence[str],
    moved: Sequence[tuple[JointAction, Place | None]],
    stays: Place,
    profile: Profile | None = None,
) -> dict[tuple[str, ...], set[Place]]:
    """Return what each choice of some agents may lead to; none where nobody can complete it.

    `moved` is what may happen in the state, and where that leads; `stays` where a choice leads that leaves
    nothing to happen, as there is in interleaved systems.
    """
    places = [system.agent_index[name] for name in members]
    found: dict[tuple[str, ...], set[Place]] = {}
    if not system.interleaved:
        for actions, target in moved:
            results = found.setdefault(tuple(actions[place] for place in places), set())
            if target is not None:
                results.add(target)
        return found
    for choice in _choices(system, state, members, profile) if moved else ():
        pairs = list(zip(places, choice, strict=True))
        left = [
            target
            for actions, target in moved
            if all(actions[place] in (IDLE, chosen) for place, chosen in pairs)
        ]
        found[choice] = {target for target in left if target is not None} if left else {stays}
    return found


def _choices(
    system: System, state: State, members: Sequence[str], profile: Profile | None
) -> Iterator[tuple[str, ...]]:
    """Return all that some agents can choose together, if that is not too much."""
    options = []
    for name in members:
        agent = system.agent(name)
        fixed = (profile or {}).get((name, view(system, agent, state)))
        options.append(enabled_actions(system, agent, state) if fixed is None else (fixed,))
    if prod(map(len, options)) > MOST_MOVES:
        raise TooMuch(f"there are more than {MOST_MOVES:,} choices in one state")
    return product(*options)


class ListedStates:
    """A list of states that is checked to hold the reachable ones: all of them, and only those."""

    def __init__(
        self,
        system: System,
        states: Sequence[State],
        parents: Sequence[int | None],
        budget: Budget | None = None,
        profile: Profile | None = None,
    ) -> None:
        """Check the list. The parent of a state is the number of one before it that leads to it.

        A profile says what some agents do in which views; other moves of theirs do not count.
        """
        self.system = system
        self._profile = profile
        self.states = states
        self._budget = budget or Budget()
        self._number = {state: number for number, state in enumerate(states)}
        require(len(self._number) == len(states) == len(parents), "a state is listed twice")
        self._moves: list[list[tuple[tuple[str, ...], int]]] = []
        self.initial = self._initial()
        for number, state in enumerate(states):
            self._budget.check("states checked", number)
            self._moves.append(self._step(state))
        for number, parent in enumerate(parents):
            if parent is None:
                require(number in self.initial, "a state is reached from nowhere")
            else:
                require(0 <= parent < number, "a state is reached from a later one")
                require(number in self.follow[parent], "a state is not reached from its parent")

    def _initial(self) -> StateNumbers:
        """Return the initial states; the search for them ends at the first that is not listed."""
        return frozenset(self.number_of(state) for state in initial_states(self.system))

    def number_of(self, state: State) -> int:
        """Return the number of a state that has to be listed."""
        number = self._number.get(state)
        if number is None:
            raise Rejected(f"a reachable state is not listed: {shown(state)}")
        return number

    def _step(self, state: State) -> list[tuple[tuple[str, ...], int]]:
        """Return every joint action with a state that it may lead to; -1 for none at all."""
        found: dict[tuple[tuple[str, ...], int], None] = {}
        for move in profiled_moves(self.system, state, self._profile):
            target = -1 if move.target is None else self.number_of(move.target)
            found[move.actions, target] = None
        return list(found)

    @property
    def all(self) -> StateNumbers:
        """The numbers of all states."""
        return frozenset(range(len(self.states)))

    @cached_property
    def follow(self) -> list[set[int]]:
        """The successors of each state."""
        return [{target for _, target in found if target >= 0} for found in self._moves]

    def choices(self, number: int, members: Iterable[str]) -> ChoiceResults:
        """Return what each choice of some agents may lead to; none where nobody can complete it."""
        moved = [(actions, None if t < 0 else t) for actions, t in self._moves[number]]
        state, names = self.states[number], tuple(members)
        return by_choice(self.system, state, names, moved, number, self._profile)

    def classes(self, agents: Iterable[str]) -> list[list[int]]:
        """Return the states in classes that look the same to all of some agents at once."""
        seeing = [self.system.agent(name) for name in agents]
        found: dict[tuple[State, ...], list[int]] = {}
        for number, state in enumerate(self.states):
            key = tuple(view(self.system, agent, state) for agent in seeing)
            found.setdefault(key, []).append(number)
        return list(found.values())
