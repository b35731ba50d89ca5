"""What to try next: choices in views, and clauses about those that failed."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

from gnomon.engines.abstraction.view_cells import LocalCell, LocalChoices
from gnomon.engines.solvers.sat import SatSolver
from gnomon.model.budget import Budget


class TriedChoices:
    """The choices of members in the views that mattered so far.

    Of some it is known that no strategy wins that makes them; of others only that none was shown to win.
    """

    def __init__(self, budget: Budget) -> None:
        """Start without a view."""
        self._budget = budget
        self._variables: dict[LocalCell, dict[str, int]] = {}
        #: Whether it loses already to choose nothing.
        self._hopeless: Literal["", "open", "lost"] = ""

    @cached_property
    def _solver(self) -> SatSolver:
        """The clauses; most questions need none."""
        return SatSolver(self._budget, "uniform strategies, clauses")

    @cached_property
    def _doubtful(self) -> int:
        """Where it is assumed, clauses about what was not shown count, too."""
        return self._solver.variable()

    def __contains__(self, sight: LocalCell) -> bool:
        """Return whether a view is one of those that are chosen for."""
        return sight in self._variables

    def add(self, sight: LocalCell, options: Sequence[str]) -> None:
        """Choose for one more view, the first option first."""
        variables = {action: self._solver.variable() for action in options}
        self._variables[sight] = variables
        self._solver.add(list(variables.values()))
        if variables:
            self._solver.prefer([variables[options[0]]])
            self._solver.prefer([-variables[action] for action in options[1:]])

    def propose(self) -> dict[LocalCell, str] | None:
        """Return choices that nothing speaks against; None where there are none."""
        if not self._variables or self._hopeless:
            return None if self._hopeless else {}
        model = self._solver.solve([self._doubtful])
        if model is None:
            return None
        chosen = set(model)
        return {
            sight: next(action for action, variable in variables.items() if variable in chosen)
            for sight, variables in self._variables.items()
        }

    def refute(self, choices: LocalChoices) -> None:
        """Note that no strategy wins that makes all of some choices."""
        if not choices:
            self._hopeless = "lost"
        self._solver.add(self._without(choices.items()))

    def doubt(self, choices: LocalChoices) -> None:
        """Note that no strategy that makes all of some choices was shown to win."""
        if not choices and not self._hopeless:
            self._hopeless = "open"
        self._solver.add([-self._doubtful, *self._without(choices.items())])

    def is_lost(self) -> bool:
        """Return whether no strategy is left of which it is not known that it loses."""
        return self._hopeless == "lost" or self._solver.solve() is None

    def _without(self, choices: Iterable[tuple[LocalCell, str]]) -> list[int]:
        return [-self._variables[sight][action] for sight, action in choices]
