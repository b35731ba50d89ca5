"""Why a coalition has no strategy: answers to every choice, or views that would need two actions at once."""

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod
from typing import Final, Generic

from gnomon.engines.algebra import Set
from gnomon.engines.game import FIRST, OPEN, CoalitionGame
from gnomon.logic.defence import defence
from gnomon.logic.run_steps import find_move
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.budget import OutOfReach
from gnomon.model.evidence import Clash, Clashes, Defence, DefenceAnswer
from gnomon.model.formula import Bounded, Enforces, Group, show_formula
from gnomon.model.step import State, enabled_actions, joint_action_count, view
from gnomon.model.system import Logic, System
from gnomon.model.views import state_values, view_values

#: Of the views in conflict, so many are named.
_NAMED: Final = 3
#: Of the values in which two states differ, so many are named.
_DIFFERENCES: Final = 6
#: Of the states that look alike, so many are looked at, and so many are kept.
_MOST_TRIED: Final = 64
_MOST_STATES: Final = 4
#: Of what the other members may do beside an action, so much is looked at.
_MOST_CHOICES: Final = 16


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
            answered = f": {self._answered(formula, found)}"
            informed = "" if kind == "perfect" else f", even if {_pronoun(group)} saw everything"
            return f"{group} {has(group)} no strategy for {what}{informed}{answered}"
        start = f"{group} {has(group)} no uniform strategy for {what}"
        counted = " and counted the steps" if isinstance(formula.path, Bounded) else ""
        who = _pronoun(group)
        start += f", though {who} would have one if {who} saw everything{counted}"
        starts = self._starts(formula, state)
        lost = [each for each in starts if not self._could(formula, each)]
        if lost:
            return f"{start}: {self._looks_like(formula, state, lost[0])}"
        views = self._views(formula, starts)
        if not views:
            return start
        members = tuple(dict.fromkeys(formula.group.members))
        self.clashes.append(Clashes(show_formula(formula), members, views))
        return f"{start}: {conflict_in_words(self._algebra.system, views)}"

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
        none = f"where {formula.group} {has(formula.group)} none even if it saw everything"
        return f"{member} cannot tell this state from the one with {shown}, {none}"

    def _answered(self, formula: Enforces, found: Defence | None) -> str:
        """Return what a defence comes to; where there is none, why it is not shown."""
        if found is None and self._truth.frame(self._logic).constraints:
            return "what is fair shows in the long run only, and not in an answer to each choice"
        if found is None and isinstance(formula.path, Bounded):
            return "the others have an answer to every choice, and it goes by the step"
        if found is None:
            return "the others have an answer to every choice, but there are too many to be shown"
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
        members = formula.group.members
        try:
            found = self._algebra.conflicting_views(members, game, starts, _MOST_TRIED)
        except OutOfReach:
            return ()
        return tuple(self._clash(name, formula, game, shown) for name, shown in found)

    def _clash(
        self, name: str, formula: Enforces, game: CoalitionGame[Set], states: tuple[State, ...]
    ) -> Clash:
        """Return a view in conflict, with states that spoil each action, if every one is spoilt at once."""
        system = self._algebra.system
        agent = system.agent(name)
        where = view_values(system, name, view(system, agent, states[0]))
        kept = states[:_MOST_STATES]
        others = [each for each in dict.fromkeys(formula.group.members) if each != name]
        # Where one event happens at a time, what several choose may leave all of them waiting.
        if game.constraints or game.window is not None or (others and system.interleaved):
            return Clash(name, where, kept)
        safe = game.safe[FIRST if game.kind == "next" else OPEN]
        failing: dict[State, list[DefenceAnswer]] = {}
        actions = enabled_actions(system, agent, states[0])
        for state in states:
            if game.kind in ("until", "weak") and self._inside(state, game.right):
                continue  # whatever is done there, it is won
            for action in actions:
                failing.setdefault(state, []).extend(
                    self._failures(state, (name, action), others, safe)
                )
        spoilt = _cover(failing, actions)
        if not spoilt:
            return Clash(name, where, kept)
        return Clash(name, where, tuple(dict.fromkeys(each.state for each in spoilt)), spoilt)

    def _failures(
        self, state: State, does: tuple[str, str], others: list[str], safe: Set
    ) -> list[DefenceAnswer]:
        """Return how an action of a member fails in a state, whatever the others of them do, if it does."""
        system, algebra = self._algebra.system, self._algebra
        able = [enabled_actions(system, system.agent(name), state) for name in others]
        if prod(map(len, able)) > _MOST_CHOICES:
            return []
        found: list[DefenceAnswer] = []
        for rest in product(*able):
            choice = (does, *zip(others, rest, strict=True))
            lost = algebra.difference(algebra.results(state, dict(choice)), safe)
            if algebra.is_empty(lost):
                return []
            result = algebra.pick(lost)
            joint, _ = find_move(system, state, result, dict(choice))
            found.append(DefenceAnswer(state, choice, joint, result))
        return found

    def _inside(self, state: State, states: Set) -> bool:
        return self._algebra.is_subset(self._algebra.only(state), states)


def _cover(
    failing: Mapping[State, list[DefenceAnswer]], actions: tuple[str, ...]
) -> tuple[DefenceAnswer, ...]:
    """Return the failures of each action, in few states; nothing where some action need not fail at once."""
    found: dict[str, list[DefenceAnswer]] = {}
    while len(found) < len(actions):
        new: list[dict[str, list[DefenceAnswer]]] = [{} for _ in failing]
        for here, answers in zip(new, failing.values(), strict=True):
            for each in answers:
                if each.choice[0][1] not in found:
                    here.setdefault(each.choice[0][1], []).append(each)
        best = max(new, key=len, default={})
        if not best:
            return ()
        found |= best
    order = [*failing]
    spoilt = (each for answers in found.values() for each in answers)
    return tuple(sorted(spoilt, key=lambda each: order.index(each.state)))


def clashes(system: System, found: Iterable[tuple[str, tuple[State, ...]]]) -> tuple[Clash, ...]:
    """Return views in conflict, each with the agent and states that look so to it."""
    return tuple(
        Clash(
            name,
            view_values(system, name, view(system, system.agent(name), states[0])),
            states[:_MOST_STATES],
        )
        for name, states in found
    )


def has(group: Group) -> str:
    """Return the verb that goes with a group: a name, or several agents."""
    return "has" if group.name or len(set(group.members)) == 1 else "have"


def _pronoun(group: Group) -> str:
    """Return the pronoun that goes with the verb of a group."""
    return "it" if has(group) == "has" else "they"


def conflict_in_words(system: System, views: tuple[Clash, ...]) -> str:
    """Return in words which views are in conflict; one of them is enough where every action fails in it."""
    for clash in views:
        if len(clash.states) > 1 and clash.failures:
            return _spoilt(system, clash)
    if len(views) == 1:
        [clash] = views
        return f"whatever {clash.agent} does on seeing {_seen(clash)}, it fails in a state that looks so"
    named = [f"{clash.agent} on seeing {_seen(clash)}" for clash in views[:_NAMED]]
    more = f"; and {len(views) - _NAMED} more" if len(views) > _NAMED else ""
    return f"no choice of actions does for all states that look so to {'; '.join(named)}{more}"


def _spoilt(system: System, clash: Clash) -> str:
    """Return which look-alike states spoil whatever is done in a view."""
    shown = [state_values(system, state) for state in clash.states]
    apart = [index for index, names in enumerate(zip(*shown, strict=True)) if len(set(names)) > 1]
    states = [
        " and ".join(f"{name} = {value}" for name, value in (each[n] for n in apart[:_DIFFERENCES]))
        for each in shown
    ]
    first, *others = (f"the state with {each}" for each in states)
    which = "the two" if len(states) == 2 else "them"
    whoever = ", whatever the others of them do" if len(clash.failures[0].choice) > 1 else ""
    return (
        f"{clash.agent} cannot tell {first} from {' or '.join(others)}, and whatever it does on "
        f"seeing {_seen(clash)} fails in one of {which}{whoever}"
    )


def _seen(clash: Clash) -> str:
    return ", ".join(f"{name} = {value}" for name, value in clash.where) or "nothing"
