"""A lower bound: states that a coalition wins from with uniform strategies, by fixpoints on sets alone.

All states among which the members may be in doubt get one and the same choice. That is more than uniform
strategies have to do, so not every state that can be won from is found; but there may be any number of states
(after the lower bounds of Jamroga, Knapik, Kurpiewski and Mikulski 2019).
"""

from collections.abc import Collection
from math import prod
from typing import Final, Generic, NamedTuple, TypeAlias

from gnomon.engines.algebra import Algebra, Set
from gnomon.engines.game import CoalitionGame, ViewChoices
from gnomon.model.step import State, view

#: An action for each member, in the order of the agents.
CommonChoice: TypeAlias = tuple[str, ...]

#: More joint choices than this take longer than they are worth.
_MOST_CHOICES: Final = 512


class UniformLowerBound(NamedTuple, Generic[Set]):
    """An under-approximation of the states that are won, and in which of them which choice wins."""

    states: Set
    doing: list[tuple[CommonChoice, Set]]


def uniform_lower_bound(
    algebra: Algebra[Set], coalition: Collection[str], game: CoalitionGame[Set]
) -> UniformLowerBound[Set] | None:
    """Return states that are surely won; None where there is no quick way to tell.

    Under fairness there is none: what is unfair shows only in the long run.
    """
    system = algebra.system
    names = [agent.name for agent in system.agents if agent.name in coalition]
    options = prod(len(system.agent(name).actions) or 1 for name in names)
    if game.constraints or options > _MOST_CHOICES:
        return None
    bound = _FixpointBound(algebra, names)
    match game.kind:
        case "until":
            return bound.until(game)
        case "weak":
            return bound.weak(game)
        case _:
            return None


class _FixpointBound(Generic[Set]):
    """The fixpoints of one coalition."""

    def __init__(self, algebra: Algebra[Set], names: list[str]) -> None:
        self._algebra = algebra
        self._names = names
        self._able: dict[tuple[str, str], Set] = {}

    def until(self, game: CoalitionGame[Set]) -> UniformLowerBound[Set]:
        """Grow from the goal: a class joins when one choice leads all of it to what is won already."""
        algebra = self._algebra
        playing = algebra.difference(game.bound, game.right)
        won = game.right
        doing: list[tuple[CommonChoice, Set]] = []
        while True:
            left = algebra.difference(playing, won)
            found = self._chosen(won, left)
            if not found:
                return UniformLowerBound(won, doing)
            doing += found
            for _, states in found:
                won = algebra.union(won, states)

    def weak(self, game: CoalitionGame[Set]) -> UniformLowerBound[Set]:
        """Shrink to what can be kept: a class stays when one choice keeps all of it there, or it is won."""
        algebra = self._algebra
        kept = game.bound
        while True:
            doing = list(self._chosen(kept, algebra.difference(kept, game.right)))
            smaller = game.right
            for _, states in doing:
                smaller = algebra.union(smaller, states)
            if algebra.is_subset(kept, smaller):
                return UniformLowerBound(kept, doing)
            kept = smaller

    def _chosen(self, target: Set, within: Set) -> list[tuple[CommonChoice, Set]]:
        """Return whole classes of `within` that one choice leads into `target`, each class once."""
        algebra = self._algebra
        found: list[tuple[CommonChoice, Set]] = []
        left = within
        for choice, states in algebra.forcing_choices(self._names, target, within):
            good = self._always(choice, states)
            bad = self._in_doubt(algebra.difference(within, good), within)
            whole = algebra.difference(left, bad)
            if not algebra.is_empty(whole):
                found.append((choice, whole))
                left = algebra.difference(left, whole)
        return found

    def _always(self, choice: CommonChoice, states: Set) -> Set:
        """Leave out the states that look like one where an action is not enabled."""
        algebra = self._algebra
        for name, action in zip(self._names, choice, strict=True):
            if (name, action) not in self._able:
                unable = algebra.difference(algebra.reachable, algebra.able(name, action))
                alike = algebra.indistinguishable((name,), unable)
                self._able[name, action] = algebra.difference(algebra.reachable, alike)
            states = algebra.intersection(states, self._able[name, action])
        return states

    def _in_doubt(self, states: Set, within: Set) -> Set:
        """Return the states of `within` that members may, step by step, confuse with one of some states."""
        algebra = self._algebra

        def step(new: Set, _: Set) -> Set:
            found = algebra.empty
            for name in self._names:
                found = algebra.union(found, algebra.indistinguishable((name,), new))
            return algebra.intersection(found, within)

        return algebra.grow(algebra.intersection(states, within), step)


def views_of(
    algebra: Algebra[Set],
    coalition: Collection[str],
    doing: list[tuple[CommonChoice, Set]],
    most: int,
) -> ViewChoices | None:
    """Return the same by what each member sees; None where there are more views than `most`."""
    system = algebra.system
    names = [agent.name for agent in system.agents if agent.name in coalition]
    found: dict[tuple[str, State], str] = {}
    for choice, states in doing:
        for name, action in zip(names, choice, strict=True):
            left = states
            while not algebra.is_empty(left):
                state = algebra.pick(left)
                found[name, view(system, system.agent(name), state)] = action
                if len(found) > most:
                    return None
                alike = algebra.indistinguishable((name,), algebra.only(state))
                left = algebra.difference(left, alike)
    return found
