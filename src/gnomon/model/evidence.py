"""What supports a verdict: runs, lassos, trees and strategies, as data."""

from typing import Literal

from gnomon.model.formula import Enforces, Formula
from gnomon.model.step import JointAction, State
from gnomon.text.record import Record


class Step(Record):
    """A state of a run and how it was reached: the joint action and, per agent, the lines used.

    The first state of a run has no action. `lines` are the source lines of the evolution rules, one
    tuple an agent.

    >>> import gnomon
    >>> evidence = gnomon.load("examples/tickets.ispl").check("AG !full")[0].evidence.data
    >>> evidence.explanation.run.steps[1]
    Step(state=(1,), actions=('idle', 'join', 'rest'), lines=((15,), (), ()))
    """

    state: State
    actions: JointAction | None = None
    lines: tuple[tuple[int, ...], ...] = ()


class Run(Record):
    """States joined by joint actions; where `loop` is given, it follows the last state.

    `back` is how the loop is closed: the joint action (and lines) from the last state to `loop`.

    >>> import gnomon
    >>> evidence = gnomon.load("examples/tickets.ispl").check("AG !full")[0].evidence.data
    >>> [step.state for step in evidence.explanation.run.steps], evidence.explanation.run.loop
    ([(0,), (1,), (2,), (3,)], None)
    """

    steps: tuple[Step, ...]
    loop: int | None = None
    back: Step | None = None


class Branch(Record):
    """What holds (or fails) at one position of a run, and why."""

    position: int
    because: "Explanation"


class Explanation(Record):
    """Why a formula has its value in a state.

    `run` starts in the state in question, or, where `relation` is "knowledge", is a run from an
    initial state to the state that `agents` cannot tell from it. `branches` explain subformulae
    along the run. `about` and `state` are what a replay needs: the formula itself and where it is
    explained; where only infinite or fair paths count, `onward` is how a finite run can go on for ever.
    `quotes` are formulae that the text quotes, beside those that `about` is made of. Of any number of agents,
    `as_whom` is who the agent is at the end of `run`, where that is another one.

    >>> import gnomon
    >>> evidence = gnomon.load("examples/tickets.ispl").check("AG !full")[0].evidence.data
    >>> evidence.explanation.formula, evidence.explanation.value, evidence.explanation.text
    ('AG !full', False, 'this run breaks G !full')
    """

    formula: str
    value: bool
    text: str
    relation: Literal["here", "time", "knowledge", "norm"] = "here"
    agents: tuple[str, ...] = ()
    run: Run | None = None
    branches: tuple[Branch, ...] = ()
    about: Formula | None = None
    state: State | None = None
    onward: Run | None = None
    quotes: tuple[str, ...] = ()
    as_whom: str = ""


class Choice(Record):
    """One row of a strategy: where (values by variable), and the action of each member there."""

    where: tuple[tuple[str, str], ...]
    actions: tuple[tuple[str, str], ...]


class Rule(Record):
    """What one member does wherever some conditions hold; without any, wherever no rule before says else."""

    agent: str
    conditions: tuple[str, ...]
    action: str


class Strategy(Record):
    """What the members of a coalition do: by state ("perfect") or by their own view ("uniform").

    `rules` say the same as `choices` in few words: for each member the first that fits counts.

    >>> import gnomon
    >>> model = gnomon.load("examples/tickets.ispl")
    >>> [strategy] = model.check("<Clerk, Customer>F full")[0].evidence.data.strategies
    >>> strategy.members, strategy.reading
    (('Clerk', 'Customer'), 'perfect')
    >>> strategy.rules[0]
    Rule(agent='Customer', conditions=(), action='join')
    """

    formula: str
    reading: str
    members: tuple[str, ...]
    choices: tuple[Choice, ...]
    about: Enforces | None = None
    state: State | None = None
    rules: tuple[Rule, ...] = ()


class DefenceAnswer(Record):
    """In one state, what the others do when the members of a coalition make a choice, and where it leads."""

    state: State
    choice: tuple[tuple[str, str], ...]
    actions: JointAction
    result: State


class Defence(Record):
    """Why a coalition cannot enforce a formula, seeing everything: an answer to each of its choices.

    `answers` start in `state`; from each result on there are answers again, unless the formula is broken
    there for good. `rules` say the same in few words, for each of the others the first that fits: conditions
    are about the state and, as `Agent.Action`, about what the members do.
    """

    formula: str
    members: tuple[str, ...]
    answers: tuple[DefenceAnswer, ...]
    about: Enforces | None = None
    state: State | None = None
    rules: tuple[Rule, ...] = ()


class Clash(Record):
    """A view in which one action of an agent would have to do for different states, and does not.

    Where they are known, `failures` has each action that is open to the agent there, in one of the states,
    with what may come of it, whatever the other members do: a state in which all is lost, even for those who
    see everything. In its `choice` the agent comes first.
    """

    agent: str
    where: tuple[tuple[str, str], ...]
    states: tuple[State, ...]
    failures: tuple[DefenceAnswer, ...] = ()


class Clashes(Record):
    """Why a coalition that could enforce a formula if it saw everything cannot with what it sees."""

    formula: str
    members: tuple[str, ...]
    views: tuple[Clash, ...]


class Refutation(Record):
    """A proof that no uniform strategy wins: clauses that cannot all hold, and how that is derived.

    A clause has a reason that can be looked up in the model: see `gnomon.certificate.refutation`.
    """

    formula: str
    members: tuple[str, ...]
    #: What each variable says, in order from 1.
    meanings: tuple[tuple[object, ...], ...]
    #: The literals of each clause, and its reason.
    clauses: tuple[tuple[tuple[int, ...], tuple[object, ...]], ...]
    #: Clauses that follow one after the other by unit propagation, the empty one last.
    lemmas: tuple[tuple[int, ...], ...]
    about: Enforces | None = None
    state: State | None = None
    #: Runs to other states that look the same to some member, from which it would have to win as well.
    alike: tuple[Run, ...] = ()


class Evidence(Record):
    """All that supports one verdict; `kind` names the role it plays. It has been replayed.

    >>> import gnomon
    >>> evidence = gnomon.load("examples/tickets.ispl").check("AG !full")[0].evidence.data
    >>> evidence.kind, evidence.strategies
    ('counterexample', ())
    """

    kind: Literal["witness", "counterexample", "strategy"]
    explanation: Explanation | None = None
    strategies: tuple[Strategy, ...] = ()
    defences: tuple[Defence, ...] = ()
    clashes: tuple[Clashes, ...] = ()
    refutations: tuple[Refutation, ...] = ()
    #: Under fairness: a fair path from the state that the explanation is about.
    counts: Run | None = None
