"""An agent: its variables, its actions, what it may do, how it changes and what it sees."""

from typing import Literal, TypeAlias

from gnomon.model.domain import Domain
from gnomon.model.expression import Expression
from gnomon.text.record import Record

ENVIRONMENT = "Environment"

#: What an agent without any action does at every step, and one that takes no part in an event.
IDLE = "-"

#: How lines are picked: one of an agent, or one of each variable. `Interleaved` picks as MultiAssignment
#: does, and is the only one in which not all agents move at once.
Semantics: TypeAlias = Literal["MultiAssignment", "SingleAssignment", "Interleaved"]


class Variable(Record):
    """A variable of one agent; an `observed` one is an environment variable that everybody sees."""

    agent: str
    name: str
    domain: Domain
    observed: bool = False


class ProtocolLine(Record):
    """The actions that are enabled wherever the condition holds."""

    condition: Expression
    actions: tuple[str, ...]
    line: int = 0


class Assignment(Record):
    """The next value of one variable."""

    variable: str
    value: Expression


class EvolutionLine(Record):
    """Simultaneous assignments, possible wherever the guard holds; `line` is where it was written.

    `split` says that it is one of several that one written line stands for, by the values of an index.
    """

    assignments: tuple[Assignment, ...]
    guard: Expression
    line: int = 0
    split: bool = False


class Agent(Record):
    """One agent of an interpreted system.

    `other` are the actions enabled where no protocol line applies (None: no `Other` line). `sees` are
    the environment's variables in its view, beside its own. `red` marks its forbidden states. An `observer`
    is added for fairness on actions: no program names it, and it has no choice.
    """

    name: str
    variables: tuple[Variable, ...]
    actions: tuple[str, ...]
    protocol: tuple[ProtocolLine, ...] = ()
    other: tuple[str, ...] | None = None
    evolution: tuple[EvolutionLine, ...] = ()
    sees: tuple[str, ...] = ()
    red: Expression | None = None
    observer: bool = False

    @property
    def is_environment(self) -> bool:
        """Return whether this is the environment."""
        return self.name == ENVIRONMENT
