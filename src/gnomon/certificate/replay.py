"""Evidence is checked against the reference semantics before anybody sees it.

Nothing here looks at an engine's sets, but for the value of a subformula that the evidence states and
does not explain.
"""

from gnomon.certificate.defence import looks_alike, replay_defence
from gnomon.certificate.listed_states import ways_to
from gnomon.certificate.plain import FormulaValue, connected, path_value, plain_value
from gnomon.certificate.rejection import Unproved, require
from gnomon.certificate.strategy import Constraint, answers_agree, replay_strategy, rules_agree
from gnomon.model.evidence import Evidence, Explanation, Run, Step
from gnomon.model.formula import (
    All,
    And,
    Bounded,
    Constant,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    GroupKnows,
    Iff,
    Implies,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    Release,
    StateCondition,
    Until,
    WeakUntil,
)
from gnomon.model.step import State, holds, may_follow, view
from gnomon.model.system import System


def replay(
    system: System,
    evidence: Evidence,
    truth: FormulaValue,
    constraints: tuple[Constraint, ...] = (),
    *,
    endless: bool = False,
) -> None:
    """Check all that the evidence says; `constraints` are those of fairness.

    `endless`: only paths that go on for ever count.
    """
    if evidence.explanation is not None:
        replaying = _Replay(system, truth, constraints, endless=endless)
        replaying.explanation(evidence.explanation)
        if constraints:
            replaying.counts(evidence.explanation, evidence.counts)
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
        require(
            answers_agree(system, defence),
            f"the rules against {defence.formula} say something else",
        )
    for clashes in evidence.clashes:
        require(
            all(looks_alike(system, clash) for clash in clashes.views),
            f"the states that spoil {clashes.formula} do not look alike, or something else can be done",
        )


class _Replay:
    def __init__(
        self,
        system: System,
        truth: FormulaValue,
        constraints: tuple[Constraint, ...],
        *,
        endless: bool,
    ) -> None:
        self._system = system
        self._truth = truth
        self._constraints = constraints
        self._endless = endless

    def explanation(self, node: Explanation) -> None:
        """Check a tree from its root."""
        formula, state = node.about, node.state
        assert formula is not None
        assert state is not None
        states: tuple[State, ...] = (state,)
        elsewhere = node.relation in {"knowledge", "norm"}
        require(node.run is not None or not elsewhere, "another state without a run to it")
        if node.run is not None:
            check_run(self._system, node.run)
            states = tuple(step.state for step in node.run.steps)
            self._start(node, state, states)
            if (self._endless and node.relation == "time") or self._constraints:
                self._goes_on(node.run, node.onward)
        for branch in node.branches:
            within = 0 <= branch.position < len(states)
            require(
                within and branch.because.state == states[branch.position],
                "a branch starts elsewhere",
            )
            self.explanation(branch.because)
        require(self._follows(node, formula, states), f"{node.formula} is not {node.value}")

    def counts(self, root: Explanation, path: Run | None) -> None:
        """Check that a fair path starts in the state that the evidence is about."""
        require(path is not None, "nothing shows that the state has a fair path")
        assert path is not None
        check_run(self._system, path)
        require(path.steps[0].state == root.state, "a fair path starts elsewhere")
        self._meets(path)

    def _goes_on(self, run: Run, onward: Run | None) -> None:
        """Check that a run is a part of a path that counts."""
        if run.loop is not None:
            self._meets(run)
            return
        require(onward is not None, "nothing shows that a run can go on for ever")
        assert onward is not None
        check_run(self._system, onward)
        require(onward.steps[0].state == run.steps[-1].state, "a run goes on elsewhere")
        self._meets(onward)

    def _meets(self, run: Run) -> None:
        """Check that the loop of a run meets all constraints."""
        require(run.loop is not None, "a run does not go round")
        looped = [step.state for step in run.steps[run.loop :]]
        for constraint in self._constraints:
            require(any(map(constraint, looped)), "a loop is not fair")

    def _start(self, node: Explanation, state: State, states: tuple[State, ...]) -> None:
        """Check where a run starts, and for knowledge where it ends."""
        if node.relation in {"here", "time"}:
            require(states[0] == state, "a run starts in another state")
            return
        require(self._is_about(node), "the agents are not those of the formula")
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

    def _is_about(self, node: Explanation) -> bool:
        """Return whether the agents that are confused, or function correctly, are those to ask."""
        match node.about, node.relation:
            case Knows(agent, _), "knowledge":
                return node.agents == (agent,)
            case GroupKnows("distributed", group, _), "knowledge":
                return set(node.agents) == set(group.members)
            case GroupKnows(_, group, _), "knowledge":
                return len(node.agents) == 1 and node.agents[0] in group.members
            case Obliged(agent, _), "norm":
                return node.agents == (agent,)
            case _:
                return False

    def _value(
        self, node: Explanation, formula: Formula, position: int, state: State
    ) -> bool | None:
        """Return the value of a subformula: looked at, explained by a branch, or as stated.

        None where nothing says it: often it does not matter.
        """

        def value(part: Formula) -> bool | None:
            return self._value(node, part, position, state)

        plain = plain_value(self._system, formula, state)
        if plain is not None:
            return plain
        for branch in node.branches:
            if branch.position == position and branch.because.about == formula:
                return branch.because.value
        found = connected(formula, value)
        if found is not None:
            return found
        try:
            return self._truth(formula, state)
        except Unproved:
            return None

    def _follows(self, node: Explanation, formula: Formula, states: tuple[State, ...]) -> bool:
        """Return whether the value of the formula follows from what the node shows."""

        def value(part: Formula, position: int = 0) -> bool | None:
            return self._value(node, part, position, states[position])

        elsewhere = node.relation in {"knowledge", "norm"}
        match formula:
            case Constant() | Proposition() | StateCondition() | Norm():
                return plain_value(self._system, formula, states[0]) == node.value
            case Not() | And() | Or() | Implies() | Iff():
                return connected(formula, value) == node.value
            case Knows(_, body) | Obliged(_, body) | GroupKnows(_, _, body) if elsewhere:
                last = len(states) - 1
                chained = isinstance(formula, GroupKnows) and formula.kind == "common"
                return not node.value and (
                    value(body, last) is False or (chained and value(formula, last) is False)
                )
            case Exists(path) | All(path) if node.relation == "time" and node.run is not None:
                existential = isinstance(formula, Exists)
                run_value = path_value(path, len(states), node.run.loop, value)
                return node.value == existential and run_value == existential
            case Knows() | Obliged() | GroupKnows() | Exists() | All() | Enforces():
                return self._truth(formula, states[0]) == node.value
            case Next() | Finally() | Globally() | Until() | WeakUntil() | Release() | Bounded():
                return False


def check_run(system: System, run: Run) -> None:
    """Check a run step by step."""
    require(run.steps, "a run without a state")
    for before, after in zip(run.steps, run.steps[1:], strict=False):
        _check_step(system, before.state, after)
    if run.loop is not None:
        require(0 <= run.loop < len(run.steps), "a loop to nowhere")
        require(run.back is not None, "a loop is not closed")
        assert run.back is not None
        require(run.back.state == run.steps[run.loop].state, "a loop ends elsewhere")
        _check_step(system, run.steps[-1].state, run.back)


def _check_step(system: System, source: State, step: Step) -> None:
    """Check one step: enabled actions, and one alternative of each agent that leads there."""
    actions = step.actions
    assert actions is not None
    require(may_follow(system, source, actions), "a disabled action")
    for index, agent in enumerate(system.agents):
        ways = ways_to(system, agent, source, actions, step.state)
        require(ways.has(step.lines[index]), "an agent does not get there")
