"""The search for uniform strategies: one action a view, decided only for the views that are reached.

Exact, and exponential in the worst case: the problem is hard. A branch ends as soon as an outcome
leaves what could be won with perfect information, or closes a cycle that must not be.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from gnomon.engines.explicit.agents import View
from gnomon.engines.explicit.algebra import ExplicitSets, States
from gnomon.engines.explicit.moves import Moves
from gnomon.engines.explicit.space import Choices
from gnomon.engines.game import Game, Win
from gnomon.model.budget import OutOfReach
from gnomon.model.step import State

#: First: before the one step of a "next" game. Open: nothing is decided yet. Broken: the formula has
#: failed on the way here, so that only an unfair future can save the coalition.
FIRST, OPEN, BROKEN = range(3)

Node: TypeAlias = tuple[int, int]
#: An agent, by index, and what it sees.
Sight: TypeAlias = tuple[int, View]

#: The most partial strategies that are tried for one formula.
MOST_TRIED = 2_000_000
#: How many of the nodes that wait are compared before one is chosen.
_LOOKED_AT = 16


@dataclass
class _Decision:
    """A node whose choice is being varied, and what the present choice has added."""

    node: Node
    options: Iterator[tuple[str, ...]]
    sights: list[Sight] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)


def uniform_wins(
    algebra: ExplicitSets,
    coalition: Collection[str],
    game: Game[States],
    wanted: States,
    *,
    subjective: bool,
) -> Iterator[Win[States]]:
    """Yield uniform strategies that together win from every state of `wanted` where one can.

    Subjective: the strategy must win from every state that some member confuses with it, too.
    """
    search = _Search(algebra, coalition, game)
    won: set[int] = set()
    for number in sorted(wanted & game.bound):
        if number in won:
            continue
        together = search.confused(number) if subjective else {number}
        found = search.run(together)
        if found is None:
            continue
        states = search.covered(found)
        if subjective:
            states = frozenset(s for s in wanted if search.confused(s) <= states)
        won |= states
        yield Win(frozenset(states), show_choices(algebra.space.moves, found.actions))


@dataclass(frozen=True)
class _Found:
    actions: Mapping[Sight, str]
    follow: Mapping[Node, tuple[Node, ...]]


class _Search:
    """The search for one coalition and one game."""

    def __init__(
        self, algebra: ExplicitSets, coalition: Collection[str], game: Game[States]
    ) -> None:
        self._algebra = algebra
        self._space = algebra.space
        self._game = game
        self._members = algebra.members(coalition)
        self._players = [algebra.space.moves.players[index] for index in self._members]
        self._choices: dict[int, Choices] = {}
        self._allowed: dict[Sight, frozenset[str]] = {}
        self._names = [algebra.system.agents[index].name for index in self._members]
        self._rank = self._ranks(coalition)
        self._tried = 0

    def _ranks(self, coalition: Collection[str]) -> dict[int, int]:
        """Return how soon each state can be won with perfect information, where that is known."""
        game, rank = self._game, dict.fromkeys(self._game.right, 0)
        new: States = game.right
        while game.kind == "until" and new:
            won = frozenset(rank)
            candidates = (game.left if len(rank) == len(game.right) else self._before(new)) - won
            new = self._algebra.controllable(coalition, won, candidates)
            rank.update(dict.fromkeys(new, len(rank)))
        return rank

    def _before(self, states: States) -> States:
        return self._algebra.before(states, self._game.left)

    def confused(self, number: int) -> frozenset[int]:
        """Return the states that count and that some member confuses with a state."""
        found: set[int] = {number}
        for name in self._names:
            found |= self._algebra.indistinguishable((name,), frozenset((number,)))
        return frozenset(found & self._game.universe)

    def _start(self, number: int) -> Node | None:
        return (number, FIRST) if self._game.kind == "next" else self._enter(number, OPEN)

    def _enter(self, number: int, mode: int) -> Node | None:
        """Return the node of a state that an outcome comes to; None where nothing can go wrong."""
        game = self._game
        if number not in game.universe:
            return None
        if mode == BROKEN:
            return number, BROKEN
        if game.kind != "globally" and number in game.right:
            return None
        kept = mode == OPEN and number in game.left
        return (number, OPEN) if kept else (number, BROKEN)

    def _hopeless(self, node: Node) -> bool:
        number, mode = node
        return number not in (self._game.escape if mode == BROKEN else self._game.bound)

    def _sights(self, number: int) -> list[Sight]:
        state = self._space.states[number]
        return [(player.index, player.view(state)) for player in self._players]

    def _actions(self, sight: Sight, number: int) -> frozenset[str]:
        """Return the actions that are enabled in every state with the same view."""
        if sight not in self._allowed:
            index = sight[0]
            player = self._space.moves.players[index]
            class_of, members = self._algebra.classes(
                frozenset((self._algebra.system.agents[index].name,))
            )
            sets = [set(player.enabled(self._space.states[s])) for s in members[class_of[number]]]
            self._allowed[sight] = frozenset(set.intersection(*sets))
        return self._allowed[sight]

    def _options(self, node: Node, actions: Mapping[Sight, str]) -> list[tuple[str, ...]]:
        """Return the joint choices in a node that fit the strategy so far, hopeful ones first."""
        number, mode = node
        if number not in self._choices:
            self._choices[number] = self._space.choices(number, self._members)
        sights = self._sights(number)
        found = []
        for choice, targets in self._choices[number].items():
            fits = all(
                actions[sight] == action
                if sight in actions
                else action in self._actions(sight, number)
                for sight, action in zip(sights, choice, strict=True)
            )
            if not fits:
                continue
            nodes = [self._enter(target, mode) for target in targets]
            if not any(node is not None and self._hopeless(node) for node in nodes):
                furthest = max((self._rank.get(target, 0) for target in targets), default=0)
                found.append((furthest, choice))
        found.sort(key=lambda pair: pair[0])
        return [choice for _, choice in found]

    def run(self, starts: Collection[int]) -> _Found | None:
        """Return a strategy that wins from all the states given, if there is one."""
        nodes = [node for number in sorted(starts) if (node := self._start(number)) is not None]
        if any(self._hopeless(node) for node in nodes):
            return None
        actions: dict[Sight, str] = {}
        follow: dict[Node, tuple[Node, ...]] = {}
        pending = dict.fromkeys(nodes)
        stack: list[_Decision] = []
        while True:
            if not pending:
                return _Found(actions, follow)
            stack.append(self._decide(pending, actions))
            while not self._advance(stack[-1], pending, actions, follow):
                stack.pop()
                if not stack:
                    return None
                self._undo(stack[-1], pending, actions, follow)

    def _decide(self, pending: dict[Node, None], actions: Mapping[Sight, str]) -> _Decision:
        """Choose the pending node with the fewest options, among those that came last."""
        best: tuple[Node, list[tuple[str, ...]]] | None = None
        for count, node in enumerate(reversed(pending)):
            options = self._options(node, actions)
            if best is None or len(options) < len(best[1]):
                best = (node, options)
            if len(best[1]) <= 1 or count >= _LOOKED_AT:
                break
        assert best is not None
        return _Decision(best[0], iter(best[1]))

    def _advance(
        self,
        decision: _Decision,
        pending: dict[Node, None],
        actions: dict[Sight, str],
        follow: dict[Node, tuple[Node, ...]],
    ) -> bool:
        """Take the next option of a decision that closes no bad cycle; False where none is left."""
        number, mode = decision.node
        for choice in decision.options:
            self._count()
            decision.sights = self._assign(number, choice, actions)
            targets = [self._enter(target, mode) for target in self._choices[number][choice]]
            nodes = tuple(dict.fromkeys(node for node in targets if node is not None))
            del pending[decision.node]
            follow[decision.node] = nodes
            decision.nodes = [n for n in nodes if n not in follow and n not in pending]
            pending.update(dict.fromkeys(decision.nodes))
            if not self._closes_bad_cycle(decision.node, follow):
                return True
            self._undo(decision, pending, actions, follow)
        return False

    def _assign(
        self, number: int, choice: tuple[str, ...], actions: dict[Sight, str]
    ) -> list[Sight]:
        """Let each member do its part; return the views that had no action before."""
        new = []
        for sight, action in zip(self._sights(number), choice, strict=True):
            if sight not in actions:
                actions[sight] = action
                new.append(sight)
        return new

    def _undo(
        self,
        decision: _Decision,
        pending: dict[Node, None],
        actions: dict[Sight, str],
        follow: dict[Node, tuple[Node, ...]],
    ) -> None:
        for sight in decision.sights:
            del actions[sight]
        for node in decision.nodes:
            del pending[node]
        del follow[decision.node]
        pending[decision.node] = None

    def _count(self) -> None:
        self._tried += 1
        if self._tried % 256 == 0:
            self._space.budget.check("strategies", self._tried)
        if self._tried > MOST_TRIED:
            msg = f"more than {MOST_TRIED:,} partial uniform strategies were tried"
            raise OutOfReach(msg)

    def _closes_bad_cycle(self, node: Node, follow: Mapping[Node, tuple[Node, ...]]) -> bool:
        """Return whether the node is on a cycle of outcomes that count and never win."""
        mode = node[1]
        if mode == FIRST or (mode == OPEN and self._game.kind == "globally"):
            return False
        ahead = _reachable(node, lambda n: follow.get(n, ()), mode)
        if node not in ahead:
            return False
        back: dict[Node, list[Node]] = {}
        for source in ahead:
            for target in follow.get(source, ()):
                back.setdefault(target, []).append(source)
        cycle = _reachable(node, lambda n: back.get(n, []), mode) & ahead
        states = {number for number, _ in cycle}
        return all(not states.isdisjoint(constraint) for constraint in self._game.constraints)

    def covered(self, found: _Found) -> frozenset[int]:
        """Return the states from which a strategy is known to win."""
        # Also where the formula is broken: from there the strategy makes every outcome unfair.
        won = {number for number, _ in found.follow}
        if self._game.kind == "until":
            won |= self._game.right
        return frozenset(won)


def show_choices(moves: Moves, actions: Mapping[Sight, str]) -> dict[tuple[str, State], str]:
    """Return what is done in which view, with the names and values of the model."""
    return {
        (moves.system.agents[index].name, (*moves.locals[index].values[own], *seen)): action
        for (index, (own, seen)), action in actions.items()
    }


def _reachable(node: Node, follow: Callable[[Node], Collection[Node]], mode: int) -> set[Node]:
    """Return the nodes of one mode that are reached from a node in one or more steps."""
    found: set[Node] = set()
    waiting = [node]
    while waiting:
        new = [n for n in follow(waiting.pop()) if n[1] == mode and n not in found]
        found.update(new)
        waiting.extend(new)
    return found
