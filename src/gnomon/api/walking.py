"""A walk through a model from Python: choose, go back, fork, and ask what holds in between."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from random import Random
from typing import Self, TypeAlias

from gnomon.api.answers import Answer, EvidenceView
from gnomon.api.asking import must_be_number
from gnomon.api.traces import StateValues, Trace
from gnomon.api.walk_choices import fitting_step, wishes_of
from gnomon.api.walk_views import AlikeStates, WalkHistory, WalkMove, WalkMoves
from gnomon.checking.load import Loaded, read_formula
from gnomon.checking.options import Options, Strategies
from gnomon.checking.verdict import Value, Verdict
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import Datum
from gnomon.model.evidence import Run
from gnomon.model.step import initial_states
from gnomon.results.data import of_state
from gnomon.results.evidence_tree import evidence_tree
from gnomon.results.model_walk import ModelWalk, WalkError
from gnomon.results.projection import propositions_in
from gnomon.results.render import walk_page
from gnomon.text.brief import brief
from gnomon.text.diagnostic import closest
from gnomon.workbench.state_queries import StateValue, look_alikes, value_here

#: What `choose` takes: a number, a move, or actions and new values as a text or by name.
MoveChoice: TypeAlias = int | WalkMove | str | Mapping[str, Datum]


class Walk:
    """A walk through a model: where it stands, which ways lead on, and what holds here.

    It begins in an initial state. Steps that cannot be taken raise `WalkError` and leave it where it is, and
    so do limits: each thing to do has `timeout` seconds and `memory` megabytes. It belongs to one thread at a
    time; `fork` gives another one.

    >>> import gnomon
    >>> walk = gnomon.load("examples/bit_transmission.ispl").walk()
    >>> walk.state["Sender"]
    {'bit': 'zero', 'acknowledged': False}
    >>> walk
    <walk through examples/bit_transmission.ispl: state 0, an initial state>
    >>> len(walk.moves), walk.deadlock, walk.may_end
    (4, False, False)
    >>> walk.choose(1).choose(1).goto(1).number, walk.depth, walk.propositions
    (1, 1, ('zero', 'received'))
    >>> len(walk.trace), len(walk.history), walk.stopped
    (2, 3, '')
    >>> walk.name, walk.timeout, walk.memory
    ('examples/bit_transmission.ispl', 5.0, None)
    """

    def __init__(
        self,
        loaded: Loaded,
        start: int = 1,
        *,
        seed: int | None = None,
        timeout: float | None = 5.0,
        memory: float | None = None,
    ) -> None:
        """Begin in an initial state; `Model.walk` makes them."""
        assert loaded.system is not None
        Options(timeout=timeout, memory=memory)  # which refuses what is no limit
        self.name: str = loaded.source.name
        self.timeout = timeout
        self.memory = memory
        self._loaded = loaded
        self._walk = ModelWalk(loaded.system)
        self._seed = Random().randrange(1_000_000) if seed is None else seed
        self._random = Random(self._seed)
        self._by_chance = False
        self._stopped = (-1, "")
        self.restart(start)

    # Where we are

    @property
    def state(self) -> StateValues:
        """Return the value of each variable here, by agent and name."""
        return of_state(self._walk.here.state, self._walk.system)

    @property
    def number(self) -> int:
        """Return the number of this state: states are numbered from 0 as they are visited."""
        return self._walk.at

    @property
    def depth(self) -> int:
        """Return how many steps from the initial state we are."""
        return len(self._walk.path()) - 1

    @property
    def propositions(self) -> tuple[str, ...]:
        """Return the propositions that hold here."""
        return tuple(propositions_in(self._walk.system, self._walk.here.state))

    @property
    def moves(self) -> WalkMoves:
        """Return the ways on from here; printed they are a table."""
        with self._doing():
            return WalkMoves(self._walk, self._walk.options())

    @property
    def deadlock(self) -> bool | None:
        """Return whether there is no way on; None where that is not known."""
        return self.moves.deadlock

    @property
    def may_end(self) -> bool:
        """Return whether this is a terminal state, in which a run may end."""
        return self._walk.may_end

    @property
    def stopped(self) -> str:
        """Return why random steps ended here before there were as many as wanted, or ""."""
        place, why = self._stopped
        return why if place == self._walk.at else ""

    @property
    def trace(self) -> Trace:
        """Return the run from the initial state to here; printed it is a table."""
        seed = self._seed if self._by_chance else None
        return Trace(
            self.name, self._walk.system, self._walk.run(), seed=seed, stopped=self.stopped
        )

    @property
    def history(self) -> WalkHistory:
        """Return all states that were visited; printed they are a tree."""
        return WalkHistory(self._walk)

    # Going on, and back

    def choose(self, which: MoveChoice | None = None, /, **actions: Datum) -> Self:
        """Take a step: by its number, or by what is done or changes in it, if that is one step alone.

        >>> import gnomon
        >>> walk = gnomon.load("examples/tickets.ispl").walk()
        >>> walk.choose(1).state
        {'Environment': {'waiting': 1}}
        >>> walk.choose(Customer="walk_on", Clerk="serve").state
        {'Environment': {'waiting': 0}}
        >>> walk.choose({"Environment.waiting": 1}).number
        3
        >>> walk.choose("Customer=join Clerk=serve").number
        4
        """
        with self._doing():
            if type(which) is int and not actions:
                self._walk.take(which)
                return self
            wishes = wishes_of(self._walk.system, which, actions)
            self._walk.go(fitting_step(self._walk, wishes))
        return self

    def random(self, steps: int = 1, *, seed: int | None = None) -> Self:
        """Take steps at random; where there are fewer than wanted, `stopped` says why.

        >>> import gnomon
        >>> walk = gnomon.load("examples/tickets.ispl").walk(seed=1)
        >>> walk.random(10).depth
        10
        """
        must_be_number("steps", steps, 0)
        if seed is not None:
            self._seed, self._random = seed, Random(seed)
        self._by_chance = self._by_chance or steps > 0
        self._walk.budget = self._budget()
        stopped = self._walk.wander(self._random, steps)
        self._stopped = (self._walk.at, stopped)
        return self

    def undo(self, steps: int = 1) -> Self:
        """Go back so many steps.

        >>> import gnomon
        >>> walk = gnomon.load("examples/tickets.ispl").walk().choose(1).choose(1)
        >>> walk.undo(2).number, walk.redo().number
        (0, 1)
        """
        must_be_number("steps", steps, 1)
        with self._doing():
            for _ in range(steps):
                self._walk.undo()
        return self

    def redo(self, steps: int = 1) -> Self:
        """Take steps again that were undone."""
        must_be_number("steps", steps, 1)
        with self._doing():
            for _ in range(steps):
                self._walk.redo()
        return self

    def goto(self, number: int) -> Self:
        """Go to a state that was visited; a step from there forks."""
        must_be_number("number", number, 0)
        with self._doing():
            self._walk.goto(number)
        return self

    def restart(self, start: int = 1) -> Self:
        """Go to the initial state of that number, from 1."""
        must_be_number("start", start, 1)
        with self._doing():
            self._walk.start(start)
        return self

    def initial_states(self, limit: int = 20) -> list[StateValues]:
        """Return the first initial states; `restart` takes their numbers, from 1.

        >>> import gnomon
        >>> walk = gnomon.load("examples/bit_transmission.ispl").walk()
        >>> [state["Sender"]["bit"] for state in walk.initial_states()]
        ['zero', 'one']
        >>> walk.restart(2).state["Sender"]["bit"]
        'one'
        """
        must_be_number("limit", limit, 0)
        system = self._walk.system
        with self._doing():
            found = islice(initial_states(system, self._walk.budget), limit)
            return [of_state(state, system) for state in found]

    def follow(self, along: "Trace | Answer | EvidenceView") -> Self:
        """Go along a run to its end, such as the one that explains an answer.

        >>> import gnomon
        >>> model = gnomon.load("examples/tickets.ispl")
        >>> walk = model.walk().follow(model.check("AG !full")[0])
        >>> walk.depth, walk.propositions
        (3, ('full',))
        """
        run, system = _run_of(along)
        if system is not None and system != self._walk.system:
            raise WalkError("this is a run of another model")
        with self._doing():
            self._walk.follow(run)
        return self

    def fork(self) -> "Walk":
        """Return the same walk once more: where one of them goes is nothing to the other.

        >>> import gnomon
        >>> walk = gnomon.load("examples/tickets.ispl").walk()
        >>> other = walk.fork().choose(1)
        >>> walk.number, other.number
        (0, 1)
        """
        other = Walk.__new__(Walk)
        chance = Random()
        chance.setstate(self._random.getstate())
        other.__dict__.update(self.__dict__, _walk=self._walk.fork(), _random=chance)
        return other

    __copy__ = fork

    def __deepcopy__(self, _: object) -> "Walk":
        """Return a fork: what both share never changes."""
        return self.fork()

    # What holds here

    def evaluate(
        self, formula: str, *, strategies: Strategies = "perfect", evidence: bool = True
    ) -> Answer:
        """Return the answer to a formula in this state; knowledge is that of the whole model.

        >>> import gnomon
        >>> walk = gnomon.load("examples/bit_transmission.ispl").walk()
        >>> walk.evaluate("EF received")
        <EF received: true>
        >>> walk.evaluate("K(Sender, Sender.bit = zero)").holds
        True
        """
        if not isinstance(formula, str):
            msg = f"{formula!r} is no formula: give a text"
            raise TypeError(msg)
        if strategies == "uniform-model":
            msg = (
                "strategies for the whole model say nothing of a single state: take another reading"
            )
            raise ValueError(msg)
        Options(strategies=strategies, evidence=evidence)  # which refuses what is no choice
        specification = read_formula(self._loaded, formula)
        began, here = time.monotonic(), self._walk.here.state
        with self._doing() as budget:
            try:
                found = value_here(
                    self._walk.system, specification, here, budget, strategies, evidence=evidence
                )
            except LimitReached as limit:
                found = StateValue("unknown", str(limit))
        value = Value(found.value)
        verdict = Verdict(
            1,
            specification.text,
            specification.parsed,
            value,
            "",
            time.monotonic() - began,
            strategies if specification.has_coalition else None,
            found.remark if value in (Value.UNKNOWN, Value.UNDEFINED) else "",
            found.evidence,
            name=specification.name,
        )
        return Answer(verdict, self._walk.system)

    def holds(self, formula: str, *, strategies: Strategies = "perfect") -> bool | None:
        """Return whether a formula holds here; None where that is open.

        >>> import gnomon
        >>> walk = gnomon.load("examples/tickets.ispl").walk()
        >>> walk.holds("empty"), walk.holds("AX empty")
        (True, False)
        """
        return self.evaluate(formula, strategies=strategies, evidence=False).holds

    def look_alikes(self, agent: str, limit: int = 100) -> AlikeStates:
        """Return the states that look to an agent as this one does: what it considers possible.

        >>> import gnomon
        >>> walk = gnomon.load("examples/bit_transmission.ispl").walk()
        >>> {state["Sender"]["bit"] for state in walk.look_alikes("Receiver")} == {"zero", "one"}
        True
        """
        must_be_number("limit", limit, 1)
        system = self._walk.system
        if agent not in system.agent_index:
            near = closest(str(agent), [*system.agent_index])
            hint = (
                f"did you mean `{near}`?" if near else f"there are {', '.join(system.agent_index)}"
            )
            raise WalkError(f"there is no agent `{agent}`: {hint}")
        with self._doing() as budget:
            known = [visit.state for visit in self._walk.visits]
            here = self._walk.here.state
            [found] = look_alikes(system, here, (agent,), limit, budget, known)
        return AlikeStates(self._walk, agent, found)

    def _budget(self) -> Budget:
        return Budget(self.timeout, self.memory)

    @contextmanager
    def _doing(self) -> Iterator[Budget]:
        """Do something within the limits; what goes wrong leaves the walk where it is."""
        self._walk.budget = self._budget()
        try:
            with self._walk.all_or_nothing():
                yield self._walk.budget
        except LimitReached as limit:
            raise WalkError(f"given up: {limit}") from limit

    def __str__(self) -> str:
        """Show the state and the ways on."""
        state = walk_page.render_state(self._walk).plain().rstrip()
        return f"{state}\n\n{self.moves}"

    def __repr__(self) -> str:
        """Show where it stands."""
        depth = self.depth
        steps = "an initial state" if depth == 0 else f"{depth} step{'' if depth == 1 else 's'} in"
        return brief(f"<walk through {self.name}: state {self.number}, {steps}>")

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import walk as page  # only notebooks want it

        with self._doing():
            return page.render(self.name, self._walk, self._walk.options())


def _run_of(along: "Trace | Answer | EvidenceView") -> tuple[Run, object]:
    """Return a run, and the system that it is a run of."""
    if isinstance(along, Trace):
        return along.run, along.system
    evidence = along.evidence if isinstance(along, Answer) else along
    if evidence is None:
        raise WalkError("there is no run to follow: the answer has no evidence")
    if not isinstance(evidence, EvidenceView):
        raise WalkError(f"{along!r} is no run: give an answer, its evidence or a trace")
    runs = evidence_tree(evidence.data).runs
    if not runs:
        raise WalkError("there is no run to follow in this evidence")
    return runs[0].run, evidence.system
