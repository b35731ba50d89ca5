"""Runs through a model as they are met in Python: states, and what led from one to the next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, overload

from gnomon.api.conversions import data_frame, flat
from gnomon.model.domain import Datum, show_value
from gnomon.model.evidence import Run, Step
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results.data import Object, of_actions, of_lines, of_run, of_state
from gnomon.results.projection import changes, propositions_in, taken
from gnomon.results.render import lanes
from gnomon.results.render.evidence import itf
from gnomon.text.brief import brief

if TYPE_CHECKING:
    from pandas import DataFrame

#: A state as people read it: the value of each variable, by agent and name.
StateValues: TypeAlias = dict[str, dict[str, Datum]]


@dataclass(frozen=True, slots=True, repr=False)
class TraceStep:
    """A state of a run, and how it was reached.

    >>> import gnomon
    >>> step = gnomon.load("examples/bit_transmission.ispl").simulate(3, seed=1)[1]
    >>> step.position, step.state["Receiver"], step.actions["Sender"]
    (1, {'got': 'zero'}, 'send_zero')
    >>> step.changes, step.propositions
    ({'Environment.channel': 'forward', 'Receiver.got': 'zero'}, ('zero', 'received'))
    >>> sorted(step.lines)
    ['Environment', 'Receiver']
    """

    #: Where it is in the run, from 0.
    position: int
    #: The value of each variable, by agent and name.
    state: StateValues
    #: What each agent did to get here; empty in the first state.
    actions: dict[str, str]
    #: What is new since the state before, as `Agent.variable`; all of it in the first state.
    changes: dict[str, Datum]
    #: The propositions that hold here.
    propositions: tuple[str, ...]
    #: The source lines of the rules that were used, by agent.
    lines: dict[str, list[int]]

    def __repr__(self) -> str:
        """Show what was done, and what is new."""
        done = shown_pairs(self.actions) or "the start"
        return brief(f"<{self.position}: {done}: {shown_pairs(self.changes) or 'no change'}>")


class Trace(Sequence[TraceStep]):
    """A run through a model, from an initial state on; printed it is a table with a lane for each agent.

    >>> import gnomon
    >>> trace = gnomon.load("examples/tickets.ispl").simulate(2, seed=7)
    >>> trace
    <run of examples/tickets.ispl: 2 steps, seed 7>
    >>> [step.state["Environment"]["waiting"] for step in trace]
    [0, 1, 1]
    >>> trace[0].propositions
    ('empty',)
    """

    def __init__(
        self, name: str, system: System, run: Run, *, seed: int | None = None, stopped: str = ""
    ) -> None:
        """Show a run of a system; `seed` is what it came from by chance, `stopped` why it is no longer."""
        self.name = name
        self.system = system
        self.run = run
        #: What chance began with; None where every step was chosen.
        self.seed = seed
        #: Why there are fewer steps than were wanted, or "".
        self.stopped = stopped

    def __len__(self) -> int:
        """Return how many states there are: one more than steps."""
        return len(self.run.steps)

    @overload
    def __getitem__(self, place: int) -> TraceStep: ...
    @overload
    def __getitem__(self, place: slice) -> list[TraceStep]: ...
    def __getitem__(self, place: int | slice) -> TraceStep | list[TraceStep]:
        """Return the state at a place, from 0, with how it was reached."""
        found = range(len(self))[place]
        return self._at(found) if isinstance(found, int) else [self._at(each) for each in found]

    def __iter__(self) -> Iterator[TraceStep]:
        """Go through the states."""
        return (self._at(position) for position in range(len(self)))

    def _at(self, position: int) -> TraceStep:
        steps = self.run.steps
        before = steps[position - 1].state if position else None
        return trace_step(self.system, position, before, steps[position])

    @property
    def states(self) -> list[StateValues]:
        """Return the states alone.

        >>> import gnomon
        >>> gnomon.load("examples/tickets.ispl").simulate(1, seed=7).states
        [{'Environment': {'waiting': 0}}, {'Environment': {'waiting': 1}}]
        """
        return [of_state(step.state, self.system) for step in self.run.steps]

    def to_dict(self) -> Object:
        """Return the run as `gnomon simulate --json` prints it.

        >>> import gnomon
        >>> gnomon.load("examples/tickets.ispl").simulate(1, seed=7).to_dict()["loop"] is None
        True
        """
        return of_run(self.run, self.system)

    def to_frame(self) -> "DataFrame":
        """Return a row for each state: `Agent.variable` for values, `Agent.Action` for what led to it.

        >>> import gnomon
        >>> gnomon.load("examples/tickets.ispl").simulate(2, seed=7).to_frame()["Environment.waiting"]
        0    0
        1    1
        2    1
        Name: Environment.waiting, dtype: int64
        """
        rows = [
            {**flat(step.state), **{f"{name}.Action": done for name, done in step.actions.items()}}
            for step in self
        ]
        return data_frame(rows, "`to_dict()`")

    def to_itf(self) -> str:
        """Return the run as a trace in Apalache's format, which the tools of TLA+ and Quint read.

        >>> import gnomon, json
        >>> len(json.loads(gnomon.load("examples/tickets.ispl").simulate(3, seed=7).to_itf())["states"])
        4
        """
        from gnomon.results.render.json import dumps

        about: Object = {"format": "ITF", "description": f"a run of {self.name}"}
        return dumps(itf.of_run(self.system, self.run, None, about))

    def __str__(self) -> str:
        """Show it as the command line does."""
        text = lanes.render(self.system, self.run).plain().rstrip()
        return f"{text}\n\n{self.stopped}" if self.stopped else text

    def __repr__(self) -> str:
        """Show what it is."""
        count = len(self) - 1
        seed = "" if self.seed is None else f", seed {self.seed}"
        stopped = f", {self.stopped}" if self.stopped else ""
        steps = f"{count:,} step{'' if count == 1 else 's'}"
        return brief(f"<run of {self.name}: {steps}{seed}{stopped}>")

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import walk  # only notebooks want it

        return walk.render_run(self.name, self.system, self.run, self.stopped)


def trace_step(system: System, position: int, before: State | None, step: Step) -> TraceStep:
    """Return a step of a run for people."""
    return TraceStep(
        position,
        of_state(step.state, system),
        {} if step.actions is None else of_actions(step.actions, system),
        new_values(system, before, step.state),
        tuple(propositions_in(system, step.state)),
        of_lines(step, system),
    )


def acting(system: System, step: Step) -> dict[str, str]:
    """Return what is done in a step by all who do something."""
    return dict(taken(system, step))


def new_values(system: System, before: State | None, after: State) -> dict[str, Datum]:
    """Return the values that are new in a state, by `Agent.variable`."""
    return {
        f"{each.agent}.{each.variable}": after[system.position[each.agent, each.variable]]
        for each in changes(system, before, after)
    }


def shown_pairs(values: dict[str, Datum] | dict[str, str]) -> str:
    """Return names with their values, as they are typed."""
    return ", ".join(f"{name}={show_value(value)}" for name, value in values.items())
