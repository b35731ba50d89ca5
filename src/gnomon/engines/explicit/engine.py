"""The explicit engine: the algebra of numbered states, complete."""

from collections.abc import Collection, Iterator
from functools import cached_property

from gnomon.engines.concrete.interleaved_moves import moves_of
from gnomon.engines.concrete.joint_moves import MoveRoom
from gnomon.engines.explicit.explicit_sets import ExplicitSets, States
from gnomon.engines.explicit.explicit_statewise import ExplicitStatewise
from gnomon.engines.explicit.profiles import Profiles
from gnomon.engines.explicit.state_space import StateSpace
from gnomon.engines.game import ViewChoices
from gnomon.engines.uniform.searching import SearchedAlgebra
from gnomon.engines.uniform.statewise import StatewiseSets, show_choices
from gnomon.model.budget import Budget
from gnomon.model.system import System


class ExplicitAlgebra(ExplicitSets, SearchedAlgebra[States]):
    """Sets of reachable states, with the search for uniform strategies."""

    @cached_property
    def statewise(self) -> StatewiseSets[States]:
        """The same states one at a time, for the search for strategies."""
        return ExplicitStatewise(self)

    def pruned(self, agents: Collection[str]) -> "Iterator[tuple[ViewChoices, ExplicitAlgebra]]":
        """Yield the model pruned to every profile of one action a view for each of `agents`."""
        for actions, space in Profiles(self, agents):
            yield show_choices(space.moves, actions.items()), ExplicitAlgebra(space)


def explore(system: System, budget: Budget | None = None) -> ExplicitAlgebra:
    """Return the algebra of all reachable states of a system."""
    return ExplicitAlgebra(StateSpace(moves_of(system), budget))


def explore_few(system: System, moves: int, budget: Budget) -> ExplicitAlgebra:
    """Return the same of a system that has few moves; raises `TryAnother` where it turns out to have more."""
    joint = moves_of(system, MoveRoom(moves))
    found = ExplicitAlgebra(StateSpace(joint, budget))
    joint.room = None
    return found
