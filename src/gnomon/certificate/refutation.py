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

from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

from gnomon.certificate.propagation import is_refuted
from gnomon.certificate.replay import check_run
from gnomon.certificate.space import Rejected, bounded_moves, checked_state, require
from gnomon.model.evidence import Refutation, Run
from gnomon.model.formula import Finally, Formula, Globally, Next, Until
from gnomon.model.step import State, enabled_actions, holds, view
from gnomon.model.system import System

Truth = Callable[[Formula, State], bool]
#: States, and what the members do in each.
Walk: TypeAlias = tuple[tuple[State, tuple[str, ...]], ...]


def check_refutation(system: System, refutation: Refutation, truth: Truth) -> None:
    """Fail where a clause is not so, or where the clauses are not refuted."""
    checker = _Clauses(system, refutation, truth)
    for literals, reason in refutation.clauses:
        checker.check(literals, reason)
    clauses = [literals for literals, _ in refutation.clauses]
    require(is_refuted(clauses, refutation.lemmas), "the clauses are not refuted")


class _Clauses:
    def __init__(self, system: System, refutation: Refutation, truth: Truth) -> None:
        assert refutation.about is not None
        require(refutation.about.group.members, "the empty coalition has no strategy to look for")
        self._system = system
        self._truth = truth
        assert refutation.state is not None
        self._starts = {refutation.state}
        self._path = refutation.about.path
        self._members = [system.agent(name) for name in dict.fromkeys(refutation.members)]
        require(
            {agent.name for agent in self._members} == set(refutation.about.group.members),
            "another coalition",
        )
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
                    msg = f"a variable says nothing: {meaning}"
                    raise Rejected(msg)
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
        match self._checked(reason):
            case ("start", tuple(state)):
                require(state in self._starts, "it need not win from there")
                require(
                    not is_over(self._path, self._truth, state),
                    "the formula is decided at the start",
                )
                needed = [self._visits[state]]
            case ("broken", tuple(state)):
                require(state in self._starts, "it need not win from there")
                require(not isinstance(self._path, Next), "X is about the next state")
                require(is_broken(self._path, self._truth, state), "nothing is broken there")
                needed = []
            case ("acts", tuple(state), str(name)):
                agent = self._system.agent(name)
                require(agent in self._members, "not a member")
                seen = view(self._system, agent, state)
                enabled = enabled_actions(self._system, agent, state)
                needed = [-self._visits[state], *(self._does[name, seen, a] for a in enabled)]
            case ("disabled", tuple(state), str(name), str(action)):
                agent = self._system.agent(name)
                require(agent in self._members, "not a member")
                enabled = enabled_actions(self._system, agent, state)
                require(action not in enabled, "an enabled action")
                seen = view(self._system, agent, state)
                needed = [-self._visits[state], -self._does[name, seen, action]]
            case ("step", tuple(state), tuple(choice), tuple(target)):
                require(not isinstance(self._path, Next), "X is about one step")
                require(target in self._after(state, choice), "no such step")
                require(
                    not is_over(self._path, self._truth, target), "the formula is decided there"
                )
                needed = [*self._done(state, choice), self._visits[target]]
            case ("lost", tuple(state), tuple(choice), tuple(target)):
                require(target in self._after(state, choice), "no such step")
                require(is_broken(self._path, self._truth, target), "nothing is broken there")
                needed = self._done(state, choice)
            case ("stuck", tuple(state)):
                agents = self._system.agents
                able = [enabled_actions(self._system, agent, state) for agent in agents]
                require(not all(able), "everybody can do something")
                needed = [-self._visits[state]]
            case ("cycle", tuple(walk)):
                needed = self._cycle(cast("Walk", walk))
            case _:
                msg = f"no such reason: {reason}"
                raise Rejected(msg)
        require(set(needed) <= set(literals), "a clause says more than its reason")

    def _checked(self, reason: Sequence[object]) -> tuple[object, ...]:
        """Return a reason whose states are states."""
        kind, *rest = reason
        if kind == "cycle":
            [walk] = rest
            steps = cast("Walk", walk)
            return kind, tuple((checked_state(self._system, s), choice) for s, choice in steps)
        found = [checked_state(self._system, rest[0]), *rest[1:]]
        if kind in {"step", "lost"}:
            found[-1] = checked_state(self._system, found[-1])
        return (kind, *found)

    def _after(self, state: State, choice: tuple[str, ...]) -> set[State]:
        """Return what a choice of the members may lead to."""
        if state not in self._results:
            places = [self._system.agent_index[agent.name] for agent in self._members]
            found: dict[tuple[str, ...], set[State]] = {}
            for move in bounded_moves(self._system, state):
                if move.target is not None:
                    key = tuple(move.actions[place] for place in places)
                    found.setdefault(key, set()).add(move.target)
            self._results[state] = found
        return self._results[state].get(choice, set())

    def _done(self, state: State, choice: tuple[str, ...]) -> list[int]:
        """Return the literals for "not both visited and done there"."""
        pairs = zip(self._members, choice, strict=True)
        done = [(agent.name, view(self._system, agent, state), action) for agent, action in pairs]
        return [-self._visits[state], *(-self._does[key] for key in done)]

    def _cycle(self, walk: Walk) -> list[int]:
        require(isinstance(self._path, Finally | Until), "only what should come about can recede")
        needed = [-self._visits[walk[0][0]]]
        for (state, choice), (target, _) in zip(walk, (*walk[1:], walk[0]), strict=True):
            require(target in self._after(state, choice), "no such step")
            require(not is_over(self._path, self._truth, target), "the formula is decided there")
            needed += self._done(state, choice)[1:]
        return needed


def is_over(path: Formula, truth: Truth, state: State) -> bool:
    """Return whether a path formula is decided in a state that outcomes come to."""
    match path:
        case Next():
            return False
        case Finally(goal) | Until(_, goal) if truth(goal, state):
            return True
        case _:
            return is_broken(path, truth, state)


def is_broken(path: Formula, truth: Truth, state: State) -> bool:
    """Return whether a path formula fails for good in a state that outcomes come to."""
    match path:
        case Next(body) | Globally(body):
            return not truth(body, state)
        case Until(left, goal):
            return not truth(left, state) and not truth(goal, state)
        case _:
            return False
