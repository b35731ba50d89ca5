"""No uniform strategy wins: every clause is looked up in the model, then they are refuted.

A variable says that outcomes visit a state, or that an agent does an action wherever it has a certain view.
The clauses hold of every winning strategy, so where they cannot all hold there is none. Their reasons:

- `start`: outcomes visit a state from which the strategy has to win;
- `broken`: from such a state nothing can be won, so there is nothing to say;
- `acts`: in a state that is visited, an agent does something that is enabled there;
- `disabled`: ... and nothing that is not;
- `step`: a state that is visited, and the members' actions there, may lead to another;
- `lost`: ... to one where the formula is broken;
- `stuck`: ... nowhere, because somebody can do nothing at all;
- `cycle`: ... round and round without ever getting there.
"""

from collections.abc import Sequence
from typing import TypeAlias

from gnomon.certificate.listed_states import bounded_moves, by_choice, checked_state
from gnomon.certificate.plain import FormulaValue, standing
from gnomon.certificate.propagation import is_refuted
from gnomon.certificate.rejection import Rejected, require, shown
from gnomon.certificate.replay import check_run
from gnomon.certificate.shape import items, row, strings
from gnomon.model.agent import Agent
from gnomon.model.evidence import Refutation, Run
from gnomon.model.formula import Finally, Formula, Next, Until
from gnomon.model.step import State, enabled_actions, holds, joint_action_count, view
from gnomon.model.system import System

#: States, and what the members do in each.
ClaimedCycle: TypeAlias = Sequence[tuple[State, tuple[str, ...]]]


def check_refutation(system: System, refutation: Refutation, truth: FormulaValue) -> None:
    """Fail where a clause is not so, or where the clauses are not refuted."""
    checker = _ClauseChecker(system, refutation, truth)
    for literals, reason in refutation.clauses:
        checker.check(literals, reason)
    clauses = [literals for literals, _ in refutation.clauses]
    require(is_refuted(clauses, refutation.lemmas), "the clauses are not refuted")


class _ClauseChecker:
    def __init__(self, system: System, refutation: Refutation, truth: FormulaValue) -> None:
        assert refutation.about is not None
        require(refutation.about.group.members, "the empty coalition has no strategy to look for")
        require(set(refutation.members) == set(refutation.about.group.members), "another coalition")
        self._system = system
        self._truth = truth
        assert refutation.state is not None
        self._starts = {refutation.state}
        self._path = refutation.about.path
        self._members = [system.agent(name) for name in dict.fromkeys(refutation.members)]
        for run in refutation.alike:
            self._add_start(refutation.state, run)
        self._visits: dict[State, int] = {}
        self._does: dict[tuple[str, State, str], int] = {}
        for number, meaning in enumerate(refutation.meanings, 1):
            match meaning:
                case ("visit", tuple(values)):
                    state = checked_state(system, values)
                    require(self._visits.setdefault(state, number) == number, "said twice")
                case ("do", str(agent), tuple(seen), str(action)):
                    key = (agent, seen, action)
                    require(self._does.setdefault(key, number) == number, "said twice")
                case _:
                    raise Rejected(f"a variable says nothing: {shown(meaning)}")
        self._results: dict[State, dict[tuple[str, ...], set[State]]] = {}

    def _add_start(self, state: State, run: Run) -> None:
        """Check that a run leads from an initial state to one that some member confuses with a state."""
        check_run(self._system, run)
        require(
            holds(self._system.initial, self._system, run.steps[0].state), "a run from anywhere"
        )
        other = run.steps[-1].state
        alike = [
            view(self._system, agent, state) == view(self._system, agent, other)
            for agent in self._members
        ]
        require(any(alike), "all members can tell the states apart")
        self._starts.add(other)

    def check(self, literals: Sequence[int], reason: Sequence[object]) -> None:
        """Check one clause: exactly what its reason allows, or more literals."""
        require(set(self._needed(reason)) <= set(literals), "a clause says more than its reason")

    def _needed(self, reason: Sequence[object]) -> list[int]:
        """Return the literals of the clause that a reason is one for, having checked the reason."""
        match tuple(reason):
            case ("start", state):
                start = self._start(state)
                require(
                    not is_over(self._path, self._truth, start),
                    "the formula is decided at the start",
                )
                return [self._visit(start)]
            case ("broken", state):
                start = self._start(state)
                require(not isinstance(self._path, Next), "X is about the next state")
                require(is_broken(self._path, self._truth, start), "nothing is broken there")
                return []
            case ("acts", state, str(name)):
                here, agent = self._state(state), self._member(name)
                enabled = enabled_actions(self._system, agent, here)
                return [-self._visit(here), *(self._do(agent, here, each) for each in enabled)]
            case ("disabled", state, str(name), str(action)):
                here, agent = self._state(state), self._member(name)
                enabled = enabled_actions(self._system, agent, here)
                require(action not in enabled, "an enabled action")
                return [-self._visit(here), -self._do(agent, here, action)]
            case ("step", state, choice, target):
                require(not isinstance(self._path, Next), "X is about one step")
                here, done, there = self._move(state, choice, target)
                require(not is_over(self._path, self._truth, there), "the formula is decided there")
                return [*self._done(here, done), self._visit(there)]
            case ("lost", state, choice, target):
                here, done, there = self._move(state, choice, target)
                require(is_broken(self._path, self._truth, there), "nothing is broken there")
                return self._done(here, done)
            case ("stuck", state):
                here = self._state(state)
                require(not joint_action_count(self._system, here), "everybody can do something")
                return [-self._visit(here)]
            case ("cycle", walk):
                pairs = (row(each, 2) for each in items(walk))
                return self._cycle([(self._state(s), strings(choice)) for s, choice in pairs])
            case _:
                raise Rejected(f"no such reason: {shown(reason)}")

    def _state(self, data: object) -> State:
        return checked_state(self._system, data)

    def _start(self, data: object) -> State:
        state = self._state(data)
        require(state in self._starts, "it need not win from there")
        return state

    def _member(self, name: str) -> Agent:
        for agent in self._members:
            if agent.name == name:
                return agent
        raise Rejected("not a member")

    def _visit(self, state: State) -> int:
        """Return the variable that says that outcomes visit a state."""
        number = self._visits.get(state)
        if number is None:
            raise Rejected("no variable says that a state is visited")
        return number

    def _do(self, agent: Agent, state: State, action: str) -> int:
        """Return the variable that says that an agent does an action wherever it sees what it sees here."""
        number = self._does.get((agent.name, view(self._system, agent, state), action))
        if number is None:
            raise Rejected("no variable says what an agent does")
        return number

    def _move(
        self, state: object, choice: object, target: object
    ) -> tuple[State, tuple[str, ...], State]:
        """Return a step that a choice of the members may lead to."""
        here, done, there = self._state(state), strings(choice), self._state(target)
        require(there in self._after(here, done), "no such step")
        return here, done, there

    def _after(self, state: State, choice: tuple[str, ...]) -> set[State]:
        """Return what a choice of the members may lead to."""
        if state not in self._results:
            names = [agent.name for agent in self._members]
            moved = [(m.actions, m.target) for m in bounded_moves(self._system, state)]
            self._results[state] = by_choice(self._system, state, names, moved, state)
        return self._results[state].get(choice, set())

    def _done(self, state: State, choice: tuple[str, ...]) -> list[int]:
        """Return the literals for "not both visited and done there", for a choice that leads somewhere."""
        done = zip(self._members, choice, strict=True)
        return [-self._visit(state), *(-self._do(agent, state, action) for agent, action in done)]

    def _cycle(self, walk: ClaimedCycle) -> list[int]:
        require(isinstance(self._path, Finally | Until), "only what should come about can recede")
        require(walk, "a cycle without a state")
        needed = [-self._visit(walk[0][0])]
        for (state, choice), (target, _) in zip(walk, (*walk[1:], walk[0]), strict=True):
            require(target in self._after(state, choice), "no such step")
            require(not is_over(self._path, self._truth, target), "the formula is decided there")
            needed += self._done(state, choice)[1:]
        return needed


def is_over(path: Formula, truth: FormulaValue, state: State) -> bool:
    """Return whether a path formula is decided in a state that outcomes come to."""
    return not isinstance(path, Next) and standing(path, truth, state) != "open"


def is_broken(path: Formula, truth: FormulaValue, state: State) -> bool:
    """Return whether a path formula fails for good in a state that outcomes come to."""
    return standing(path, truth, state) == "broken"
