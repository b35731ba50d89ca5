"""The first states of a system that has very many, for what a few of them show."""

from gnomon.engines.concrete.interleaved_moves import moves_of
from gnomon.engines.concrete.joint_moves import MoveRoom
from gnomon.engines.explicit.engine import ExplicitAlgebra
from gnomon.engines.explicit.state_space import StateSpace
from gnomon.model.budget import Budget, TryAnother
from gnomon.model.system import System


class FirstStates(StateSpace):
    """All initial states and what comes soon after them, breadth first; nothing follows the last ones."""

    def _explore(self) -> None:
        try:
            super()._explore()
        except TryAnother:
            self.successors += [()] * (len(self.states) - len(self.successors))


def explore_first(system: System, moves: int, budget: Budget) -> ExplicitAlgebra:
    """Return the algebra of what so many moves lead to; raises `TryAnother` where too many are initial."""
    joint = moves_of(system, MoveRoom(moves))
    found = ExplicitAlgebra(FirstStates(joint, budget))
    joint.room = None
    return found
