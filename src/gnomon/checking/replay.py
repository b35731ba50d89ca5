"""Evidence is checked against the reference semantics before anybody sees it.

Nothing here looks at an engine's sets, but for the value of a subformula that the evidence states and
does not explain.
"""

from collections.abc import Callable

from gnomon.checking.replay_defence import replay_defence
from gnomon.checking.replay_strategy import Constraint, replay_strategy, rules_agree
from gnomon.logic.evidence import Evidence, Explanation, Run, Step
from gnomon.model.formula import (
    All,
    And,
    Condition,
    Constant,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    GroupKnows,
    Implies,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    Until,
    is_path_formula,
)
from gnomon.model.step import State, alternatives, enabled_actions, holds, view
from gnomon.model.system import System

#: What an engine says about a formula in a state.
Truth = Callable[[Formula, State], bool]


class ReplayError(Exception):
    """Evidence does not hold up: a fault of ours."""


def require(condition: object, what: str) -> None:
    """Fail where the evidence is not as it should be."""
    if not condition:
        raise ReplayError(what)


def replay(
    system: System, evidence: Evidence, truth: Truth, constraints: tuple[Constraint, ...] = ()
) -> None:
    """Check all that the evidence says; `constraints` are those of fairness."""
    if evidence.explanation is not None:
        _Replay(system, truth).explanation(evidence.explanation)
    for strategy in evidence.strategies:
        require(
            replay_strategy(system, strategy, truth, constraints),
            f"the strategy for {strategy.formula} does not win",
        )
        require(rules_agree(strategy), f"the rules for {strategy.formula} say something else")
    for defence in evidence.defences:
        require(
            replay_defence(system, defence, truth),
            f"the answers against {defence.formula} are not enough",
        )


class _Replay:
    def __init__(self, system: System, truth: Truth) -> None:
        self._system = system
        self._truth = truth

    def explanation(self, node: Explanation) -> None:
        """Check a tree from its root."""
        formula, state = node.about, node.state
        assert formula is not None
        assert state is not None
        states: tuple[State, ...] = (state,)
        if node.run is not None:
            self._run(node.run)
            states = tuple(step.state for step in node.run.steps)
            self._start(node, state, states)
        for branch in node.branches:
            require(branch.because.state == states[branch.position], "a branch starts elsewhere")
            self.explanation(branch.because)
        require(self._follows(node, formula, states), f"{node.formula} is not {node.value}")

    def _start(self, node: Explanation, state: State, states: tuple[State, ...]) -> None:
        """Check where a run starts, and for knowledge where it ends."""
        if node.relation in {"here", "time"}:
            require(states[0] == state, "a run starts in another state")
            return
        require(holds(self._system.initial, self._system, states[0]), "a run starts anywhere")
        agents = [self._system.agent(name) for name in node.agents]
        if node.relation == "norm":
            for agent in agents:
                red = agent.red is not None and holds(agent.red, self._system, states[-1])
                require(not red, "a red state is given for a green one")
            return
        for agent in agents:
            same = view(self._system, agent, state) == view(self._system, agent, states[-1])
            require(same, f"{agent.name} can tell the states apart")

    def _run(self, run: Run) -> None:
        for before, after in zip(run.steps, run.steps[1:], strict=False):
            self._step(before.state, after)
        if run.loop is not None:
            require(run.back is not None, "a loop is not closed")
            assert run.back is not None
            require(run.back.state == run.steps[run.loop].state, "a loop ends elsewhere")
            self._step(run.steps[-1].state, run.back)

    def _step(self, source: State, step: Step) -> None:
        """Check one step: enabled actions, and one alternative of each agent that leads there."""
        system, actions = self._system, step.actions
        assert actions is not None
        for index, agent in enumerate(system.agents):
            require(actions[index] in enabled_actions(system, agent, source), "a disabled action")
            places = {v.name: system.position[agent.name, v.name] for v in agent.variables}
            possible = []
            for local in alternatives(system, agent, source, actions):
                new = dict(local.changes)
                reached = all(new.get(n, source[p]) == step.state[p] for n, p in places.items())
                if reached and not local.overflow:
                    possible.append(tuple(line.line for line in local.lines))
            require(step.lines[index] in possible, "an agent does not get there")

    def _value(self, node: Explanation, formula: Formula, position: int, state: State) -> bool:
        """Return the value of a subformula: looked at, explained by a branch, or as stated."""
        plain = plain_value(self._system, formula, state)
        if plain is not None:
            return plain
        for branch in node.branches:
            if branch.position == position and branch.because.about == formula:
                return branch.because.value
        return self._truth(formula, state)

    def _follows(self, node: Explanation, formula: Formula, states: tuple[State, ...]) -> bool:
        """Return whether the value of the formula follows from what the node shows."""

        def value(part: Formula, position: int = 0) -> bool:
            return self._value(node, part, position, states[position])

        elsewhere = node.relation in {"knowledge", "norm"}
        match formula:
            case Constant() | Proposition() | Condition() | Norm():
                return plain_value(self._system, formula, states[0]) == node.value
            case Not(body):
                return value(body) != node.value
            case And(operands):
                return all(map(value, operands)) == node.value
            case Or(operands):
                return any(map(value, operands)) == node.value
            case Implies(left, right):
                return (not value(left) or value(right)) == node.value
            case Knows(_, body) | Obliged(_, body) | GroupKnows(_, _, body) if elsewhere:
                last = len(states) - 1
                return not value(body, last) or (
                    isinstance(formula, GroupKnows) and not value(formula, last)
                )
            case Exists(path) | All(path) if node.relation == "time" and node.run is not None:
                existential = isinstance(formula, Exists)
                run_value = path_value(path, len(states), node.run.loop, value)
                return node.value == existential and run_value == existential
            case Knows() | Obliged() | GroupKnows() | Exists() | All() | Enforces():
                return self._truth(formula, states[0]) == node.value
            case Next() | Finally() | Globally() | Until():
                return False


def plain_value(system: System, formula: Formula, state: State) -> bool | None:
    """Return the value of a formula that only looks at the state; None for another."""

    def value(part: Formula) -> bool | None:
        return plain_value(system, part, state)

    match formula:
        case Constant(constant):
            return constant
        case Proposition(name):
            return holds(system.propositions[name], system, state)
        case Condition(expression):
            return holds(expression, system, state)
        case Norm(agent, red):
            condition = system.agent(agent).red
            return (condition is not None and holds(condition, system, state)) == red
        case Not(body):
            inner = value(body)
            return None if inner is None else not inner
        case And(operands) | Or(operands):
            values = [value(operand) for operand in operands]
            if None in values:
                return None
            return all(values) if isinstance(formula, And) else any(values)
        case Implies(left, right):
            return value(Or((Not(left), right)))
        case _:
            return None


def path_value(
    path: Formula, length: int, loop: int | None, value: Callable[[Formula, int], bool]
) -> bool | None:
    """Return the value of a path formula on a run; None where a run without a loop leaves it open.

    On a lasso every operator is evaluated at every position, `until` as a least fixpoint.
    """

    def along(part: Formula) -> list[bool | None]:
        if not is_path_formula(part):
            return [value(part, position) for position in range(length)]
        match part:
            case Not(body):
                return [None if v is None else not v for v in along(body)]
            case And(operands):
                return [_all(column) for column in zip(*map(along, operands), strict=True)]
            case Or(operands):
                return along(Not(And(tuple(Not(operand) for operand in operands))))
            case Implies(left, right):
                return along(Or((Not(left), right)))
            case Next(body):
                inner = along(body)
                return [*inner[1:], None if loop is None else inner[loop]]
            case Finally(body):
                return _until([True] * length, along(body), loop)
            case Globally(body):
                return [None if v is None else not v for v in along(Finally(Not(body)))]
            case Until(left, right):
                return _until(along(left), along(right), loop)
            case _:
                raise AssertionError(part)

    return along(path)[0]


def _all(values: tuple[bool | None, ...]) -> bool | None:
    return False if False in values else (None if None in values else True)


def _until(
    left: list[bool | None] | list[bool], right: list[bool | None], loop: int | None
) -> list[bool | None]:
    """Go round the loop often enough for what happens on it to be known at its start."""
    found: list[bool | None] = [None if loop is None else False] * len(right)
    for _ in range(1 if loop is None else 2):
        later = None if loop is None else found[loop]
        for position in reversed(range(len(right))):
            waits = _all((left[position], later))
            later = True if right[position] else (None if waits is None else waits)
            if right[position] is None and later is False:
                later = None
            found[position] = later
    return found
