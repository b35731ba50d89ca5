"""Why a coalition has no strategy: answers to every choice, or views that would need two actions at once."""

from typing import Final, Generic

from gnomon.engines.algebra import Set
from gnomon.logic.defence import defence
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.budget import OutOfReach
from gnomon.model.evidence import Clash, Clashes, Defence
from gnomon.model.formula import Enforces, Group, show_formula
from gnomon.model.step import State, joint_action_count, view
from gnomon.model.system import Logic
from gnomon.model.views import state_values, view_values

#: Of the views in conflict, so many are named.
_NAMED: Final = 3
#: Of the values in which two states differ, so many are named.
_DIFFERENCES: Final = 6
#: Of the states that look alike, so many are kept.
_MOST_STATES: Final = 4


class Refusals(Generic[Set]):
    """Says why coalition formulae fail; `defences` and `clashes` collect what it comes across."""

    def __init__(self, truth: Satisfaction[Set], logic: Logic) -> None:
        """Look things up in `truth`."""
        self._truth = truth
        self._logic = logic
        self._algebra = truth.algebra
        self.defences: list[Defence] = []
        self.clashes: list[Clashes] = []

    def explain(self, formula: Enforces, state: State, what: str) -> str:
        """Return the reason in a sentence; `what` is what the coalition wants, in words."""
        group, kind = formula.group, self._truth.strategies
        if kind == "perfect" or not self._could(formula, state):
            found = defence(self._truth, formula, state, self._logic)
            if found is not None:
                self.defences.append(found)
            answered = "" if found is None else f": {self._answered(found)}"
            informed = "" if kind == "perfect" else ", even if it saw everything"
            return f"{group} {has(group)} no strategy for {what}{informed}{answered}"
        start = f"{group} {has(group)} no uniform strategy for {what}"
        start += ", though it would have one if it saw everything"
        starts = self._starts(formula, state)
        lost = [each for each in starts if not self._could(formula, each)]
        if lost:
            return f"{start}: {self._looks_like(formula, state, lost[0])}"
        views = self._views(formula, starts)
        if not views:
            return start
        members = tuple(dict.fromkeys(formula.group.members))
        self.clashes.append(Clashes(show_formula(formula), members, views))
        return f"{start}: {_conflict(views)}"

    def _looks_like(self, formula: Enforces, state: State, lost: State) -> str:
        """Say which member takes a state for one where nothing helps, and why nothing helps there."""
        system = self._algebra.system
        member = next(
            name
            for name in formula.group.members
            if view(system, system.agent(name), state) == view(system, system.agent(name), lost)
        )
        found = defence(self._truth, formula, lost, self._logic)
        if found is not None:
            self.defences.append(found)
        pairs = zip(state_values(system, state), state_values(system, lost), strict=True)
        other = [f"{name} = {value}" for (_, here), (name, value) in pairs if here != value]
        more = ", …" if len(other) > _DIFFERENCES else ""
        shown = ", ".join(other[:_DIFFERENCES]) + more
        return (
            f"to {member} the state with {shown} looks the same, and there even that would not help"
        )

    def _answered(self, found: Defence) -> str:
        """Return what a defence comes to."""
        if found.answers:
            return "the others have an answer to every choice"
        assert found.state is not None
        system = self._algebra.system
        if not joint_action_count(system, found.state):
            return "nothing can happen here"
        return "it is broken here already"

    def _could(self, formula: Enforces, state: State) -> bool:
        """Return whether the coalition would win if it saw everything."""
        game = self._truth.game(formula, self._logic)
        assert game is not None
        return self._algebra.is_subset(self._algebra.only(state), game.bound)

    def _starts(self, formula: Enforces, state: State) -> list[State]:
        """Return the states from which the strategy has to win."""
        if self._truth.strategies != "uniform-subjective":
            return [state]
        universe = self._truth.frame(self._logic).universe
        return self._algebra.confused_states(formula.group.members, state, universe)

    def _views(self, formula: Enforces, starts: list[State]) -> tuple[Clash, ...]:
        """Return the views in conflict, where they can be found without much ado."""
        game = self._truth.game(formula, self._logic)
        assert game is not None
        members, system = formula.group.members, self._algebra.system
        try:
            found = self._algebra.conflicting_views(members, game, starts, _MOST_STATES)
        except OutOfReach:
            return ()
        return tuple(
            Clash(
                name, view_values(system, name, view(system, system.agent(name), shown[0])), shown
            )
            for name, shown in found
        )


def has(group: Group) -> str:
    """Return the verb that goes with a group: a name, or several agents."""
    return "has" if group.name or len(set(group.members)) == 1 else "have"


def _conflict(views: tuple[Clash, ...]) -> str:
    """Return in words which views are in conflict."""
    if len(views) == 1:
        [clash] = views
        return f"whatever {clash.agent} does on seeing {_seen(clash)}, it fails in a state that looks so"
    named = [f"{clash.agent} on seeing {_seen(clash)}" for clash in views[:_NAMED]]
    more = f"; and {len(views) - _NAMED} more" if len(views) > _NAMED else ""
    return f"no choice of actions does for all states that look so to {'; '.join(named)}{more}"


def _seen(clash: Clash) -> str:
    return ", ".join(f"{name} = {value}" for name, value in clash.where) or "nothing"
