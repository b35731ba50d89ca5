"""A search backwards from what is bad and from what is guessed never to be reached, either.

If nothing of all that is reached from the start, the guesses were right, and what was visited is an
invariant: the search is the same as without guesses, only its goals are more. If a guess is reached it is
dropped and the search begins again. A guess never says that something is reached.
"""

from typing import Final

from gnomon.engines.parameterised.backward import BackwardSearch
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.cubes import AgentCube
from gnomon.engines.parameterised.guessing.few_agents import FewAgents
from gnomon.engines.parameterised.guessing.guesses import CubeGuesser
from gnomon.engines.parameterised.local_space import BitSpace
from gnomon.model.budget import Budget, LimitReached

#: So many demands in one search, and so many guesses that turn out to be wrong.
_DEMANDS: Final = 1_000
_WRONG: Final = 20


def proved_with_guesses(
    program: CompiledPopulation, goals: tuple[AgentCube, ...], budget: Budget
) -> BackwardSearch | None:
    """Return a search that came to its end and reaches nothing bad, if guesses help with that."""
    if program.asked_facts(goals) or not all(
        isinstance(space, BitSpace) for space in program.spaces.values()
    ):
        return None
    few = FewAgents(program, budget)
    rejected: set[AgentCube] = set()
    while few.count and len(rejected) < _WRONG:
        guesser = CubeGuesser(program, few, rejected)
        search = BackwardSearch(program, goals, budget, most=_DEMANDS, guess=guesser.guess)
        try:
            if not search.run():
                return search
        except LimitReached:
            budget.check()
            return None
        wrong = search.guess_behind(search.hits[0][1])
        if wrong is None:
            return None
        rejected.add(wrong)
    return None
