"""What supports a verdict on cells: runs and answers with concrete numbers, strategies by cells.

Labels say of every cell which moves lead on from there. Followed from a concrete state they give a concrete
run, step by step; nothing has to be searched for.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Final

from gnomon.certificate.plain import plain_value
from gnomon.certificate.rejection import Unproved
from gnomon.engines.abstraction.concrete import (
    Cell,
    apply_move,
    cell_of,
    diagram_of,
    pick_cell,
    space_concretiser,
)
from gnomon.engines.abstraction.decide import Decision
from gnomon.engines.abstraction.label import Layer, Step
from gnomon.engines.abstraction.labels import Labels, Ranking
from gnomon.engines.diagrams.interface import Diagram
from gnomon.logic.explain import confusion, leaf, say
from gnomon.logic.moves import run_through
from gnomon.logic.witness import is_plain
from gnomon.model.agent import IDLE
from gnomon.model.evidence import (
    Answer,
    Branch,
    Choice,
    Defence,
    Evidence,
    Explanation,
    Run,
    Strategy,
)
from gnomon.model.evidence import Step as RunStep
from gnomon.model.formula import (
    All,
    And,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    GroupKnows,
    Implies,
    Knows,
    Next,
    Not,
    Or,
    Until,
    show_formula,
)
from gnomon.model.step import State, enabled_actions, holds, moves, view
from gnomon.model.system import System
from gnomon.text.record import replace

_LONGEST: Final = 20_000
#: A run that shows that something goes on for ever is looked for no longer than this.
_ROUND: Final = 300
_MOST_ANSWERS: Final = 400
_MOST_ROWS: Final = 300
#: So many states are looked at for one that an agent confuses with another.
_MOST_SEARCHED: Final = 3_000
_MOST_EXPLANATIONS: Final = 60


class _NotShown(Exception):
    """There may be evidence, but not in so few steps."""


def evidence_on_cells(decision: Decision, formula: Formula) -> Evidence | None:
    """Return what supports a verdict; None where nothing concrete can be shown."""
    labels = decision.labels
    if decision.value == "undefined":
        return None
    start = decision.start
    value = decision.value == "true"
    explainer = _Explainer(labels)
    if start is None:
        start = explainer.initial_state()
    if start is None:
        return None
    explainer.start = start
    explanation = explainer.explain(formula, start, value=value)
    if explanation.run is None and not value:
        alone = Run((RunStep(start),))
        explanation = _with_run(explanation, alone)
    if value and not explainer.strategies and not _has_run(explanation):
        return None
    kind = "counterexample" if not value else "strategy" if explainer.strategies else "witness"
    return Evidence(
        kind,  # type: ignore[arg-type]
        explanation,
        tuple(explainer.strategies),
        tuple(explainer.defences),
    )


def _has_run(explanation: Explanation) -> bool:
    if explanation.run is not None:
        return True
    return any(_has_run(branch.because) for branch in explanation.branches)


def _with_run(explanation: Explanation, run: Run) -> Explanation:
    return replace(explanation, run=run)


def value_on_cells(labels: Labels, formula: Formula, state: State) -> bool:
    """Return what labels say of a formula in a state; raises `Unproved` where they say nothing."""
    space, d = labels.space, labels.space.diagrams
    plain = plain_value(space.system, formula, state)
    if plain is not None:
        return plain
    here = diagram_of(space, cell_of(space, state))
    label = labels.label(formula)
    if d.both(here, label.true) != d.false:
        return True
    if d.both(here, label.false) != d.false:
        return False
    msg = f"{show_formula(formula)} is open on the cell"
    raise Unproved(msg)


class _Explainer:
    """Explains a formula and its parts from one concrete state on."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self._space = labels.space
        self._d = labels.space.diagrams
        self._system: System = labels.space.system
        self.strategies: list[Strategy] = []
        self.defences: list[Defence] = []
        self._left = _MOST_EXPLANATIONS
        #: Where the whole formula is looked at.
        self.start: State | None = None

    def initial_state(self) -> State | None:
        """Return some initial state."""
        space = self._space
        if space.initial.may == self._d.false:
            return None
        cell = pick_cell(space, space.initial.may)
        found = space_concretiser(space).state_in(space.partition, cell, self._system.initial)
        return found[1]

    # Values

    def _here(self, state: State) -> Diagram:
        return diagram_of(self._space, cell_of(self._space, state))

    def _value(self, formula: Formula, state: State) -> bool | None:
        try:
            return value_on_cells(self._labels, formula, state)
        except Unproved:
            return None

    # Explanations

    def explain(self, formula: Formula, state: State, *, value: bool) -> Explanation:
        """Explain why a formula has a value in a state."""
        self._left -= 1
        word = "true" if value else "false"
        if is_plain(formula) or self._left < 0:
            return leaf(formula, state, value, f"{say(formula)} is {word}")
        try:
            return self._explain(formula, state, value=value)
        except _NotShown:
            return leaf(formula, state, value, f"{say(formula)} is {word}, as the cells tell")

    def _explain(self, formula: Formula, state: State, *, value: bool) -> Explanation:
        match formula:
            case Not(body):
                return self._because(formula, state, [(body, not value)], value=value)
            case And() | Or() | Implies():
                claims = self._connective(formula, state, value=value)
                return self._because(formula, state, claims, value=value)
            case Exists(path) if value:
                return self._run(formula, path, ("never", ()), state, value=True)
            case All(path) if not value:
                return self._run(formula, path, ("never", ()), state, value=False)
            case Exists(path) | All(path):
                text = f"{say(path)} on {'no' if isinstance(formula, Exists) else 'every'} path"
                return leaf(formula, state, value, f"{text} from here")
            case Enforces(group, path) if not group.members:
                inner = self._explain(All(path), state, value=value)
                return inner if inner.run is not None else leaf(formula, state, value, inner.text)
            case Enforces():
                return self._enforced(formula, state, value=value)
            case Knows(agent, body) if not value:
                return self._confused(formula, state, (agent,), body)
            case GroupKnows("distributed", group, body) if not value:
                return self._confused(formula, state, group.members, body)
            case GroupKnows("everybody", group, body) if not value:
                for agent in group.members:
                    if self._value(Knows(agent, body), state) is False:
                        return self._confused(formula, state, (agent,), body)
                raise _NotShown
            case _:
                raise _NotShown

    def _connective(
        self, formula: And | Or | Implies, state: State, *, value: bool
    ) -> list[tuple[Formula, bool]]:
        if isinstance(formula, Implies):
            sides = [(formula.left, False), (formula.right, True)]
        else:
            sides = [(operand, True) for operand in formula.operands]
        wanted = [(operand, positive == value) for operand, positive in sides]
        if isinstance(formula, And) == value:
            return wanted
        for operand, needed in wanted:
            if self._value(operand, state) is needed:
                return [(operand, needed)]
        raise _NotShown

    def _because(
        self, formula: Formula, state: State, claims: list[tuple[Formula, bool]], *, value: bool
    ) -> Explanation:
        branches = tuple(
            Branch(0, self.explain(part, state, value=needed)) for part, needed in claims
        )
        return Explanation(
            show_formula(formula),
            value,
            f"{say(formula)} is {'true' if value else 'false'}, because",
            branches=branches,
            about=formula,
            state=state,
        )

    # Runs

    def _run(
        self, formula: Formula, path: Formula, step: Step, state: State, *, value: bool
    ) -> Explanation:
        """Show a path that satisfies a path formula, or one that breaks it."""
        states, loop, claims = self._path(formula, path, step, state, value=value)
        run = run_through(self._system, states, loop)
        shape = "this run" if loop is None else "this run, which goes round for ever,"
        branches = tuple(
            Branch(position, self.explain(part, states[position], value=needed))
            for position, part, needed in claims
            if not is_plain(part) or (loop is None and position == len(states) - 1)
        )
        return Explanation(
            show_formula(formula),
            value,
            f"{shape} {'satisfies' if value else 'breaks'} {say(path)}",
            "time",
            run=run,
            branches=branches,
            about=formula,
            state=state,
        )

    def _path(
        self, formula: Formula, path: Formula, step: Step, state: State, *, value: bool
    ) -> tuple[list[State], int | None, list[tuple[int, Formula, bool]]]:
        """Return the states of a path, where its loop starts if it has one, and what holds where."""
        match path:
            case Next(body):
                following = self._step(state, self._side(body, value=value))
                return [state, following], None, [(1, body, value)]
            case Finally(body) if value:
                return self._reached(formula, step, state, [], body, value=True)
            case Globally(body) if not value:
                return self._reached(formula, step, state, [], body, value=False)
            case Until(left, right) if value:
                return self._reached(formula, step, state, [(left, True)], right, value=True)
            case Until(left, right):
                return self._avoided(formula, state, left, right)
            case Globally(body) | Finally(body):
                return self._round(formula, state, body, value=value)
            case _:
                raise _NotShown

    def _side(self, formula: Formula, *, value: bool) -> Diagram:
        label = self._labels.label(formula)
        return label.true if value else label.false

    def _step(self, state: State, target: Diagram) -> State:
        """Return what follows a state by a move that surely leads into the target."""
        forbidden = self._space.after(self._d.minus(self._space.reachable, target))
        found = self._space.answer(self._here(state), forbidden, {})
        if found is None:
            raise _NotShown
        return apply_move(self._space, state, found)

    def _reached(
        self,
        formula: Formula,
        step: Step,
        state: State,
        along: list[tuple[Formula, bool]],
        goal: Formula,
        *,
        value: bool,
    ) -> tuple[list[State], int | None, list[tuple[int, Formula, bool]]]:
        layers = self._labels.layers.get((formula, step))
        if layers is None:
            raise _NotShown
        states = [state]
        while (layer := self._layer(layers, states[-1])) != 0:
            if len(states) > _LONGEST:
                raise _NotShown
            forbidden = self._d.opposite(layers[layer].moves)
            found = self._space.answer(self._here(states[-1]), forbidden, {})
            if found is None:
                raise _NotShown
            states.append(apply_move(self._space, states[-1], found))
        last = len(states) - 1
        claims = [(place, part, needed) for part, needed in along for place in range(last)]
        return states, None, [*claims, (last, goal, value)]

    def _layer(self, layers: list[Layer], state: State) -> int:
        here = self._here(state)
        for number, layer in enumerate(layers):
            if self._d.both(here, layer.cells) != self._d.false:
                return number
        raise _NotShown

    def _round(
        self, formula: Formula, state: State, body: Formula, *, value: bool
    ) -> tuple[list[State], int | None, list[tuple[int, Formula, bool]]]:
        """Return a path that goes round: all along it the body has a value."""
        label = self._labels.label(formula)
        within = label.true if value else label.false
        states, loop = self._lasso(state, within, self._d.false)
        return states, loop, [(place, body, value) for place in range(len(states))]

    def _avoided(
        self, formula: Formula, state: State, left: Formula, right: Formula
    ) -> tuple[list[State], int | None, list[tuple[int, Formula, bool]]]:
        """Return a path on which `right` never comes, or not before `left` fails."""
        label = self._labels.label(formula)
        exits = self._d.both(self._side(left, value=False), self._side(right, value=False))
        states, loop = self._lasso(state, label.false, exits)
        claims = [(place, right, False) for place in range(len(states))]
        if loop is None:
            claims.append((len(states) - 1, left, False))
        return states, loop, claims

    def _lasso(
        self, state: State, within: Diagram, exits: Diagram
    ) -> tuple[list[State], int | None]:
        """Return a path inside a set of cells that ends in an exit, or goes round."""
        states, places = [state], {state: 0}
        while self._d.both(self._here(states[-1]), exits) == self._d.false:
            following = self._step(states[-1], within)
            if following in places:
                return states, places[following]
            if len(states) > _ROUND:
                raise _NotShown
            places[following] = len(states)
            states.append(following)
        return states, None

    # Strategies

    def _enforced(self, formula: Enforces, state: State, *, value: bool) -> Explanation:
        who = str(formula.group)
        has = "have" if len(formula.group.members) > 1 else "has"
        if value and self._labels.uniform:
            return self._enforced_uniformly(formula, state)
        if value:
            starts = self._space.initial.may if state == self.start else self._here(state)
            strategy = _CellStrategy(self._labels, formula).from_(state, starts)
            text = f"{who} {has} a strategy for {say(formula.path)}"
            if strategy is not None:
                self.strategies.append(strategy)
                text += "".join(dict.fromkeys(map(_ending, self._labels.used.get(formula, ()))))
            return leaf(formula, state, value, text)
        text = f"{who} cannot enforce {say(formula.path)}: the others can prevent it"
        defence = self._defence(formula, state)
        if defence is not None:
            self.defences.append(defence)
        else:
            text += ", as the cells tell"
        return leaf(formula, state, value, text)

    def _enforced_uniformly(self, formula: Enforces, state: State) -> Explanation:
        """Show what each member does by what it sees."""
        d, here = self._d, self._here(state)
        has = "have" if len(formula.group.members) > 1 else "has"
        text = f"{formula.group} {has} a strategy for {say(formula.path)}"
        for found in self._labels.found.get(formula, ()):
            if d.both(here, found.start) != d.false and len(found.choices) <= _MOST_ROWS:
                rows = tuple(
                    Choice(seen.show(self._space.partition), ((name, action),))
                    for (name, seen), action in found.choices
                )
                self.strategies.append(
                    Strategy(
                        show_formula(formula),
                        "local cells",
                        formula.group.members,
                        rows,
                        formula,
                        state,
                    )
                )
                break
        return leaf(formula, state, True, text)

    def _defence(self, formula: Enforces, state: State) -> Defence | None:
        """Return concrete answers to all that the coalition may do, if they come to an end."""
        try:
            answers = list(self._answers(formula, state))
        except _NotShown:
            return None
        members = formula.group.members
        return Defence(show_formula(formula), members, tuple(answers), formula, state)

    def _answers(self, formula: Enforces, state: State) -> Iterable[Answer]:
        waiting, seen = [state], {state}
        count = 0
        while waiting:
            current = waiting.pop()
            forbidden = self._to_prevent(formula, current, first=current is state)
            if forbidden is None:
                continue
            for choice in self._choices(formula.group.members, current):
                found = self._space.answer(self._here(current), forbidden, choice)
                if found is None:
                    raise _NotShown
                result = apply_move(self._space, current, found)
                count += 1
                if count > _MOST_ANSWERS:
                    raise _NotShown
                actions = tuple(found.actions.get(a.name, IDLE) for a in self._system.agents)
                yield Answer(current, tuple(choice.items()), actions, result)
                if result not in seen and not isinstance(formula.path, Next):
                    seen.add(result)
                    waiting.append(result)

    def _to_prevent(self, formula: Enforces, state: State, *, first: bool) -> Diagram | None:
        """Return which moves the others must not make here; None where the formula is broken."""
        d, space = self._d, self._space
        here = self._here(state)
        match formula.path:
            case Next(body):
                if not first:
                    return None
                return space.after(d.minus(space.reachable, self._side(body, value=False)))
            case Globally(body):
                if d.both(here, self._side(body, value=False)) != d.false:
                    return None
                layers = self._labels.layers.get((formula, ("never", formula.group.members)))
                if layers is None:
                    raise _NotShown
                return d.opposite(layers[self._layer(layers, state)].moves)
            case Finally() | Until():
                if isinstance(formula.path, Until):
                    left = self._side(formula.path.left, value=False)
                    if d.both(here, left) != d.false:
                        return None
                return space.after(d.minus(space.reachable, self._side(formula, value=False)))
            case _:
                raise _NotShown

    def _choices(self, members: tuple[str, ...], state: State) -> Iterable[dict[str, str]]:
        enabled = [
            enabled_actions(self._system, self._system.agent(name), state) for name in members
        ]
        for actions in product(*enabled):
            yield dict(zip(members, actions, strict=True))

    # Knowledge

    def _confused(
        self, formula: Formula, state: State, agents: tuple[str, ...], body: Formula
    ) -> Explanation:
        """Show a reachable state that looks the same to the agents and where the body fails."""
        path = self._alike(state, agents, body)
        last = path[-1]
        return Explanation(
            show_formula(formula),
            value=False,
            text=confusion(agents, body),
            relation="knowledge",
            agents=agents,
            run=run_through(self._system, path),
            branches=(Branch(len(path) - 1, self.explain(body, last, value=False)),),
            about=formula,
            state=state,
        )

    def _alike(self, state: State, agents: tuple[str, ...], body: Formula) -> list[State]:
        """Return a run from an initial state to one that looks the same, where the body fails."""
        seen = [self._system.agent(name) for name in agents]
        views = [view(self._system, agent, state) for agent in seen]
        parents: dict[State, State | None] = dict.fromkeys(self._starts(state))
        waiting = list(parents)
        for current in waiting:
            self._space.budget.check("looking for a state that looks the same", len(parents))
            same = [view(self._system, agent, current) for agent in seen] == views
            if same and self._value(body, current) is False:
                return _back(parents, current)
            for move in islice(moves(self._system, current), _MOST_SEARCHED):
                if move.target is not None and move.target not in parents:
                    parents[move.target] = current
                    waiting.append(move.target)
            if len(parents) > _MOST_SEARCHED:
                break
        raise _NotShown

    def _starts(self, state: State) -> list[State]:
        """Return initial states to look from: this one, if it is one, and some other."""
        found = self.initial_state()
        here = [state] if holds(self._system.initial, self._system, state) else []
        return here + [found] * (found is not None and found not in here)  # type: ignore[list-item]


def _ending(ranking: Ranking) -> str:
    """Return in words why a quantity brings something to an end."""
    way = "down" if ranking.sign > 0 else "up"
    return f"; it gets there, since {ranking.form} cannot go {way} for ever without"


def _back(parents: dict[State, State | None], state: State) -> list[State]:
    """Return the run to a state."""
    path = [state]
    while (before := parents[path[-1]]) is not None:
        path.append(before)
    return path[::-1]


class _CellStrategy:
    """What members of a coalition do, cell by cell."""

    def __init__(self, labels: Labels, formula: Enforces) -> None:
        self._labels = labels
        self._space = labels.space
        self._d = labels.space.diagrams
        self._formula = formula
        self._layers = labels.layers.get((formula, ("surely", formula.group.members)))
        self.table: dict[Cell, dict[str, str]] = {}

    def from_(self, state: State, starts: Diagram) -> Strategy | None:
        """Return what is done in all cells that outcomes may come to; None where there are too many."""
        waiting = list(self._listed(starts))
        while waiting:
            cell = waiting.pop()
            if cell in self.table or self._is_over(cell):
                continue
            chosen = self.choice(cell)
            if chosen is None or len(self.table) >= _MOST_ROWS:
                return None
            self.table[cell] = chosen
            if not isinstance(self._formula.path, Next):
                waiting.extend(self._following(cell, chosen))
        members = self._formula.group.members
        rows = tuple(
            Choice(cell.show(self._space.partition), tuple(chosen.items()))
            for cell, chosen in self.table.items()
        )
        text = show_formula(self._formula)
        return Strategy(text, "cells", members, rows, self._formula, state)

    def choice(self, cell: Cell) -> dict[str, str] | None:
        """Return the actions of the members in a cell, None where nothing is known to help."""
        here = diagram_of(self._space, cell)
        forbidden = self._forbidden(here)
        if forbidden is None:
            return None
        return self._space.forced(here, self._formula.group.members, forbidden)

    def _forbidden(self, here: Diagram) -> Diagram | None:
        d, space = self._d, self._space
        match self._formula.path:
            case Next(body):
                return space.after(d.minus(space.reachable, self._labels.label(body).true))
            case Globally():
                whole = self._labels.label(self._formula).true
                return space.after(d.minus(space.reachable, whole))
            case _:
                for layer in self._layers or ():
                    if d.both(here, layer.cells) != d.false:
                        return d.opposite(layer.moves)
                return None

    def _is_over(self, cell: Cell) -> bool:
        """Return whether nothing has to be done any more."""
        match self._formula.path:
            case Finally(goal) | Until(_, goal):
                here = diagram_of(self._space, cell)
                return bool(self._d.both(here, self._labels.label(goal).true) != self._d.false)
            case _:
                return False

    def _following(self, cell: Cell, chosen: dict[str, str]) -> Iterable[Cell]:
        return self._listed(self._space.successors(diagram_of(self._space, cell), chosen))

    def _listed(self, cells: Diagram) -> Iterator[Cell]:
        left = cells
        for _ in range(_MOST_ROWS):
            if left == self._d.false:
                return
            found = pick_cell(self._space, left)
            left = self._d.minus(left, diagram_of(self._space, found))
            yield found
