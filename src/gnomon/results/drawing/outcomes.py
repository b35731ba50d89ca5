"""What may happen when a coalition plays a strategy, as a diagram: its choices, and what the others do."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from gnomon.certificate.plain import plain_value, standing, standing_at
from gnomon.certificate.rejection import Unproved
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.evidence import Strategy
from gnomon.model.formula import Bounded, Formula, Next
from gnomon.model.step import NO_LIMIT, JointAction, State, joint_action_count, moves, view
from gnomon.model.system import System
from gnomon.model.views import state_values, view_values
from gnomon.results.drawing.bundles import ArrowWords, few_lines, options
from gnomon.results.drawing.diagram import (
    BoxDiagram,
    BoxKind,
    DiagramEdge,
    DiagramNode,
    LabelLine,
    Look,
    shortened,
)
from gnomon.results.drawing.state_words import StateWords, look_notes, looks
from gnomon.results.phrases import strategy_title
from gnomon.results.projection import PictureStyle

#: Where an outcome stands: the goal is reached, play goes on, or nothing is said of what to do.
OutcomeKind: TypeAlias = Literal["goal", "open", "done", "stuck"]

#: How its box looks.
_KIND: Final[Mapping[OutcomeKind, BoxKind]] = {
    "goal": "goal",
    "open": "plain",
    "done": "goal",
    "stuck": "stuck",
}
#: What is written in a box beside its values.
_SAID: Final = {"goal": "✓ goal", "open": "", "done": "✓ nothing more to do", "stuck": "no step"}


#: A state that an outcome comes to, and at which step, where that matters: where an operator has bounds, what
#: is done goes by the step; and what holds where X is asked, before the first step, does not matter, also
#: where that step leads to the same state.
MetState: TypeAlias = tuple[State, int | None]


@dataclass(slots=True)
class _Outcomes:
    """The states that outcomes come to, by number, how each stands, and the steps between them."""

    order: dict[MetState, int] = field(default_factory=dict)
    stands: dict[int, OutcomeKind] = field(default_factory=dict)
    chosen: dict[int, dict[str, str]] = field(default_factory=dict)
    steps: dict[tuple[int, int], dict[JointAction, None]] = field(default_factory=dict)
    #: What leads to states that are not there.
    beyond: dict[int, list[JointAction]] = field(default_factory=dict)
    #: Why not all are there.
    why: str = ""


class PlayedStrategy:
    """A strategy as it is played: what the members do in a state, and how the goal stands there."""

    def __init__(self, system: System, strategy: Strategy) -> None:
        """Play a strategy for a formula that is known."""
        assert strategy.about is not None
        self.system = system
        self.strategy = strategy
        self.path = strategy.about.path
        self._rows: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}
        for row in strategy.choices:
            self._rows.setdefault(row.where, {}).update(row.actions)

    @property
    def start(self) -> MetState:
        """Return where it begins."""
        assert self.strategy.state is not None
        return self.strategy.state, 0 if isinstance(self.path, Next | Bounded) else None

    def following(self, step: int | None) -> int | None:
        """Return the step after one, where it matters."""
        return step + 1 if step is not None and isinstance(self.path, Bounded) else None

    def chosen(self, met: MetState) -> dict[str, str] | None:
        """Return the action of each member, None where the table says nothing."""
        found: dict[str, str] = {}
        for name in self.strategy.members:
            action = self.action(name, met)
            if action is None:
                return None
            found[name] = action
        return found

    def action(self, name: str, met: MetState) -> str | None:
        """Return the action of one member, None where the table says nothing."""
        state, step = met
        where = state_values(self.system, state)
        if isinstance(self.path, Bounded):
            where = (("step", str(step)), *where)
        if self.strategy.reading != "perfect":
            seen = view(self.system, self.system.agent(name), state)
            where = view_values(self.system, name, seen)
        return self._rows.get(where, {}).get(name)

    def stands(self, met: MetState) -> OutcomeKind:
        """Return whether the goal is reached; where only an engine could tell, the table has to."""
        state, _ = met
        if self._standing(met) == "won":
            return "goal"
        if not joint_action_count(self.system, state):
            return "stuck"
        return "done" if self.chosen(met) is None else "open"

    def is_broken(self, met: MetState) -> bool:
        """Return whether it is known to be lost, as it is nowhere where the strategy leads to."""
        return self._standing(met) == "broken"

    def _standing(self, met: MetState) -> str | int:
        """Return how it stands; open where that is not known, and before the one step of X."""
        state, step = met
        try:
            if isinstance(self.path, Bounded):
                assert step is not None
                return standing_at(self.path, self._truth, state, step)
            return "open" if step is not None else standing(self.path, self._truth, state)
        except Unproved:
            return "open"

    def _truth(self, formula: Formula, state: State) -> bool:
        value = plain_value(self.system, formula, state)
        if value is None:
            raise Unproved(self.strategy.formula)
        return value


def can_be_drawn(system: System, strategy: Strategy) -> bool:
    """Return whether the table is one of single states or views, and starts in one; cells are neither."""
    if strategy.about is None or strategy.state is None or "cells" in strategy.reading:
        return False
    play = PlayedStrategy(system, strategy)
    return isinstance(play.path, Next) or play.stands(play.start) != "done"


def outcome_diagram(
    system: System,
    strategy: Strategy,
    style: PictureStyle = PictureStyle(),
    budget: Budget = NO_LIMIT,
) -> BoxDiagram:
    """Return all that may happen, up to the goal, with a word about what is left out."""
    return outcome_picture(PlayedStrategy(system, strategy), style, budget)[0]


def outcome_picture(
    play: PlayedStrategy, style: PictureStyle = PictureStyle(), budget: Budget = NO_LIMIT
) -> tuple[BoxDiagram, list[State]]:
    """Return the same for a strategy that is played, and the states of the boxes."""
    system, strategy = play.system, play.strategy
    found = _Outcomes()
    try:
        _follow(play, found, style.limit, budget)
    except LimitReached as reached:
        found.why = str(reached)
    states = [state for state, _ in found.order]
    counted = isinstance(play.path, Bounded)
    titles = [f"{n} at step {step}" if counted else str(n) for (_, step), n in found.order.items()]
    words = StateWords(system, states, style, cut=found.why != "")
    watching = () if strategy.reading == "perfect" else strategy.members
    boxes = [(state,) for state in states]
    classes = looks(system, boxes, watching)
    nodes = tuple(
        _node(number, titles[number], words.lines(state), classes[number], found)
        for number, state in enumerate(states)
    )
    cut = (f"cut after {len(states)} states: {found.why}",) if found.why else ()
    notes = (*cut, *words.notes(), *look_notes(system, boxes, classes, watching))
    edges = _edges(system, style, found)
    return BoxDiagram(strategy_title(strategy), nodes, edges, notes), states


def _follow(play: PlayedStrategy, found: _Outcomes, limit: int, budget: Budget) -> None:
    """Go breadth first through the outcomes."""
    waiting = [play.start]
    found.order[play.start] = 0
    for met in waiting:  # it grows while we go
        number, (state, step) = found.order[met], met
        is_before = step is not None and isinstance(play.path, Next)
        found.stands[number] = "open" if is_before else play.stands(met)
        chosen = play.chosen(met)
        if found.stands[number] != "open" or chosen is None:
            continue
        found.chosen[number] = chosen
        for actions, after in _steps(play.system, state, chosen, budget):
            target = (after, play.following(step))
            if target not in found.order:
                if len(found.order) >= limit:
                    found.why = "there are more"
                    found.beyond.setdefault(number, []).append(actions)
                    continue
                found.order[target] = len(found.order)
                waiting.append(target)
            found.steps.setdefault((number, found.order[target]), {})[actions] = None


def _steps(
    system: System, state: State, chosen: dict[str, str], budget: Budget
) -> Iterator[tuple[JointAction, State]]:
    """Yield what may happen where the members do what they chose."""
    for move in moves(system, state, budget, chosen):
        if move.target is not None:
            yield move.actions, move.target


def _node(
    number: int, title: str, lines: tuple[str, ...], some: tuple[Look, ...], found: _Outcomes
) -> DiagramNode:
    stands = found.stands.get(number, "open")
    said = [_SAID[stands]] if _SAID[stands] else []
    if number in found.beyond or number not in found.stands:
        said.append("… more steps")
    return DiagramNode(number, title, (*lines, *said), some, number == 0, _KIND[stands])


def _edges(system: System, style: PictureStyle, found: _Outcomes) -> tuple[DiagramEdge, ...]:
    words = ArrowWords(system, style, named=True)
    leaving: dict[int, list[int]] = {}
    for source, target in found.steps:
        leaving.setdefault(source, []).append(target)
    edges = []
    for source, targets in leaving.items():
        chosen = found.chosen[source]
        choice = [f"{who}: {what}" for who, what in chosen.items() if style.shows(who, what)]
        every = [actions for target in targets for actions in found.steps[source, target]]
        beyond = found.beyond.get(source, [])
        is_single = len(targets) == 1 and not beyond
        free = options([*every, *beyond], len(system.agents))
        others = [i for i, agent in enumerate(system.agents) if agent.name not in chosen]
        for target in targets:
            # With a single outcome it does not matter what the others do.
            joint = tuple(found.steps[source, target])
            if system.interleaved:
                lines = words.events(joint)
            else:
                lines = [] if is_single else words.lines(joint, free, others)
            label = (
                *(LabelLine(shortened(text), chosen=True) for text in choice),
                *map(LabelLine, few_lines(lines)),
            )
            edges.append(DiagramEdge(source, target, label, " / ".join([*choice, *lines])))
    return tuple(edges)
