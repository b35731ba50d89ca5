"""The explicit engine: the algebra of numbered states, complete."""

from collections.abc import Collection, Iterator

from gnomon.engines.concrete.moves import Moves
from gnomon.engines.explicit.algebra import ExplicitSets, States
from gnomon.engines.explicit.field import ExplicitField
from gnomon.engines.explicit.profiles import Profiles
from gnomon.engines.explicit.space import Space
from gnomon.engines.game import Game, ViewChoices, Win
from gnomon.engines.uniform.field import show_choices
from gnomon.model.budget import Budget
from gnomon.model.system import System


class ExplicitAlgebra(ExplicitSets):
    """Sets of reachable states, with the search for uniform strategies."""

    def uniform_wins(
        self, coalition: Collection[str], game: Game[States], wanted: States, *, subjective: bool
    ) -> Iterator[Win[States]]:
        """Yield uniform strategies that together win from every state of `wanted` where one can."""
        from gnomon.engines.uniform.search import uniform_wins

        asked = wanted & game.bound
        members = self.members(coalition)
        return uniform_wins(ExplicitField(self), members, game, asked, subjective=subjective)

    def pruned(self, agents: Collection[str]) -> "Iterator[tuple[ViewChoices, ExplicitAlgebra]]":
        """Yield the model pruned to every profile of one action a view for each of `agents`."""
        for actions, space in Profiles(self, agents):
            yield show_choices(space.moves, actions.items()), ExplicitAlgebra(space)


def explore(system: System, budget: Budget | None = None) -> ExplicitAlgebra:
    """Return the algebra of all reachable states of a system."""
    return ExplicitAlgebra(Space(Moves(system), budget))
