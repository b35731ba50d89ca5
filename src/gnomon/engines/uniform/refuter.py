"""A proof that no uniform strategy wins, for those who want to check it themselves.

Here every clause is one that can be looked up in the model, so nothing is pruned by what those who see
everything could do: it takes longer than the search, and is made only when asked for.
"""

from collections.abc import Callable, Iterator
from typing import Final

from gnomon.certificate.listed_states import by_choice
from gnomon.certificate.refutation import is_broken, is_over
from gnomon.engines.solvers.sat import SatSolver, drup_lemmas
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.evidence import Refutation, Run
from gnomon.model.formula import Bounded, Enforces, Finally, Formula, Next, Until, show_formula
from gnomon.model.step import State, enabled_actions, joint_action_count, moves, view
from gnomon.model.system import System

FormulaTruth = Callable[[Formula, State], bool]
#: So many states can be written down and checked in a minute or two.
MOST_STATES: Final = 10_000
MOST_MOVES: Final = 20_000


def refutation(
    system: System,
    formula: Enforces,
    state: State,
    truth: FormulaTruth,
    budget: Budget,
    alike: tuple[Run, ...] = (),
) -> Refutation | None:
    """Return the proof that a coalition has no uniform strategy from a state; None if it has one.

    `alike` lead to other states from which the strategy would have to win.
    """
    if isinstance(formula.path, Bounded):
        msg = "a proof would have to count steps"
        raise OutOfReach(msg)
    return _Refuter(system, formula, truth, budget).prove(state, alike)


class _Refuter:
    def __init__(
        self, system: System, formula: Enforces, truth: FormulaTruth, budget: Budget
    ) -> None:
        self._system = system
        self._formula = formula
        self._path = formula.path
        self._truth = truth
        self._budget = budget
        self._members = [system.agent(name) for name in dict.fromkeys(formula.group.members)]
        self._meanings: list[tuple[object, ...]] = []
        self._numbers: dict[tuple[object, ...], int] = {}
        self._clauses: list[tuple[tuple[int, ...], tuple[object, ...]]] = []
        self._steps: dict[State, dict[tuple[str, ...], list[State]]] = {}

    def _number(self, *meaning: object) -> int:
        if meaning not in self._numbers:
            self._meanings.append(meaning)
            self._numbers[meaning] = len(self._meanings)
        return self._numbers[meaning]

    def _add(self, literals: list[int], *reason: object) -> None:
        self._clauses.append((tuple(literals), reason))

    def prove(self, start: State, alike: tuple[Run, ...]) -> Refutation | None:
        """Write down all clauses, then learn of cycles until nothing is left."""
        found = dict.fromkeys([start, *(run.steps[-1].state for run in alike)])
        starts = [state for state in found if not self._over(state)]
        lost = [
            state for state in found if not isinstance(self._path, Next) and self._broken(state)
        ]
        if lost:
            self._add([], "broken", lost[0])
            return self._written(start, alike)
        for state in starts:
            self._add([self._number("visit", state)], "start", state)
        self._explore(starts)
        solver = SatSolver(self._budget, "refuting, clauses")
        told = 0
        while True:
            for literals, _ in self._clauses[told:]:
                solver.add(literals)
            told = len(self._clauses)
            model = solver.solve()
            if model is None:
                return self._written(start, alike)
            self._budget.check("refuting, clauses", told)
            self._learn(starts, set(model))
            if len(self._clauses) == told:
                return None

    def _written(self, start: State, alike: tuple[Run, ...]) -> Refutation:
        members = tuple(agent.name for agent in self._members)
        return Refutation(
            show_formula(self._formula),
            members,
            tuple(self._meanings),
            tuple(self._clauses),
            tuple(drup_lemmas(literals for literals, _ in self._clauses)),
            self._formula,
            start,
            alike,
        )

    def _explore(self, starts: list[State]) -> None:
        """Say what may happen in all states that some choices lead to."""
        waiting, known = list(starts), set(starts)
        while waiting:
            state = waiting.pop()
            self._budget.check("refuting, states", len(known))
            for target in self._say(state):
                if target not in known:
                    known.add(target)
                    waiting.append(target)
            if len(known) > MOST_STATES:
                msg = f"a proof over more than {MOST_STATES:,} states would be too long"
                raise OutOfReach(msg)

    def _say(self, state: State) -> Iterator[State]:
        """Add the clauses of one state; yield what follows it."""
        system = self._system
        here = self._number("visit", state)
        if not joint_action_count(system, state):
            self._add([-here], "stuck", state)
            self._steps[state] = {}
            return
        for agent in self._members:
            seen, name = view(system, agent, state), agent.name
            enabled = enabled_actions(system, agent, state)
            doing = [self._number("do", name, seen, action) for action in enabled]
            self._add([-here, *doing], "acts", state, name)
            for action in agent.actions:
                if action not in enabled:
                    number = self._number("do", name, seen, action)
                    self._add([-here, -number], "disabled", state, name, action)
        self._steps[state] = steps = self._results(state)
        for choice, targets in steps.items():
            done = self._done(state, choice)
            broken = [target for target in targets if self._broken(target)]
            if broken:
                self._add(done, "lost", state, choice, broken[0])
                continue
            for target in targets:
                if not isinstance(self._path, Next) and not self._over(target):
                    self._add([*done, self._number("visit", target)], "step", state, choice, target)
                    yield target

    def _results(self, state: State) -> dict[tuple[str, ...], list[State]]:
        if joint_action_count(self._system, state) > MOST_MOVES:
            msg = f"there are more than {MOST_MOVES:,} joint actions in one state"
            raise OutOfReach(msg)
        moved = [(move.actions, move.target) for move in moves(self._system, state)]
        # In the order in which they are found: that of a set is never the same.
        order = {target: place for place, (_, target) in reversed(list(enumerate(moved)))}
        names = [agent.name for agent in self._members]
        found = by_choice(self._system, state, names, moved, state)
        return {
            choice: sorted(targets, key=lambda target: order.get(target, -1))
            for choice, targets in found.items()
        }

    def _done(self, state: State, choice: tuple[str, ...]) -> list[int]:
        pairs = zip(self._members, choice, strict=True)
        doing = [
            self._number("do", agent.name, view(self._system, agent, state), action)
            for agent, action in pairs
        ]
        return [-self._number("visit", state), *(-number for number in doing)]

    def _learn(self, starts: list[State], model: set[int]) -> None:
        """Follow the outcomes of a solution, and rule out a cycle among them."""
        if not isinstance(self._path, Finally | Until):
            return
        path: list[tuple[State, tuple[str, ...]]] = []
        places: dict[State, int] = {}
        done: set[State] = set()
        stack: list[Iterator[State]] = [iter(starts)]
        while stack:
            state = next(stack[-1], None)
            if state is None:
                stack.pop()
                if path:
                    last, _ = path.pop()
                    del places[last]
                    done.add(last)
                continue
            if state in places:
                self._rule_out(path[places[state] :])
                return
            if state in done:
                continue
            choice = self._chosen(state, model)
            places[state] = len(path)
            path.append((state, choice))
            targets = self._steps[state][choice]
            stack.append(iter([target for target in targets if not self._over(target)]))

    def _chosen(self, state: State, model: set[int]) -> tuple[str, ...]:
        """Return a choice that a solution makes in a state."""
        found = []
        for agent in self._members:
            seen = view(self._system, agent, state)
            found.append(
                next(
                    action
                    for action in enabled_actions(self._system, agent, state)
                    if self._number("do", agent.name, seen, action) in model
                )
            )
        return tuple(found)

    def _rule_out(self, walk: list[tuple[State, tuple[str, ...]]]) -> None:
        doing = dict.fromkeys(
            literal for state, choice in walk for literal in self._done(state, choice)[1:]
        )
        first = self._number("visit", walk[0][0])
        self._add([-first, *doing], "cycle", tuple(walk))

    def _over(self, state: State) -> bool:
        return is_over(self._path, self._truth, state)

    def _broken(self, state: State) -> bool:
        return is_broken(self._path, self._truth, state)
