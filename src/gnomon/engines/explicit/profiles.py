"""The model pruned to every profile of uniform strategies, decided only for the views reached."""

from collections.abc import Collection, Iterator

from gnomon.engines.concrete.joint_moves import JointMoves
from gnomon.engines.concrete.players import NumberedState
from gnomon.engines.explicit.explicit_sets import ExplicitSets
from gnomon.engines.explicit.state_space import StateSpace
from gnomon.engines.uniform.statewise import AgentView
from gnomon.model.budget import OutOfReach

#: The most partial profiles that are tried for one formula.
MOST_TRIED = 200_000


class Profiles:
    """All choices of one action a view for some agents, on one full space."""

    def __init__(self, algebra: ExplicitSets, agents: Collection[str]) -> None:
        """Prune the model of `algebra` to what `agents` choose."""
        self._space = algebra.space
        self._moves: JointMoves = algebra.space.moves
        self._chosen = algebra.members(agents)
        self._allowed: dict[AgentView, set[str]] = {}
        for state in self._space.states:
            for index in self._chosen:
                player = self._moves.players[index]
                actions = set(player.enabled(state))
                self._allowed.setdefault((index, player.view(state)), actions).intersection_update(
                    actions
                )

    def __iter__(self) -> Iterator[tuple[dict[AgentView, str], StateSpace]]:
        """Yield each profile, as far as it matters, with the pruned model."""
        budget = self._space.budget
        tried = 0
        start = list(self._space.states[: self._space.initial_count])
        stack: list[tuple[dict[AgentView, str], list[NumberedState], int]] = [({}, start, 0)]
        while stack:
            fixed, states, position = stack.pop()
            tried += 1
            budget.check("profiles", tried)
            if tried > MOST_TRIED:
                msg = f"more than {MOST_TRIED:,} partial profiles were tried"
                raise OutOfReach(msg)
            sight, position = self._explore(fixed, states, position)
            if sight is None:
                yield fixed, StateSpace(self._moves, budget, fixed=fixed)
                continue
            stack.extend(
                ({**fixed, sight: action}, list(states), position)
                for action in sorted(self._allowed[sight], reverse=True)
            )

    def _explore(
        self, fixed: dict[AgentView, str], states: list[NumberedState], position: int
    ) -> tuple[AgentView | None, int]:
        """Go on from a position of the states found; stop where a view has no action yet."""
        known = set(states)
        while position < len(states):
            state = states[position]
            for index in self._chosen:
                sight = (index, self._moves.players[index].view(state))
                if sight not in fixed and self._allowed[sight]:
                    return sight, position
            for target in self._moves.successors(state, fixed)[0]:
                if target not in known:
                    known.add(target)
                    states.append(target)
            position += 1
        return None, position
