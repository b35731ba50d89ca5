"""The names that a program declares, collected before anything that uses them is read."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from gnomon.language import syntax
from gnomon.model.agent import ENVIRONMENT, Variable
from gnomon.model.bounds import UNBOUNDED, ValueBounds
from gnomon.model.domain import Domain, Enumeration
from gnomon.model.expression import (
    Arithmetic,
    Conditional,
    Defined,
    Expression,
    Read,
    parts,
    value_parts,
)
from gnomon.text.diagnostic import Label
from gnomon.text.limits import check_limits
from gnomon.text.source import Span

#: After so many parts of the program the limits of time and memory are looked at.
_WATCHED: Final = 4096


class UnseenRead(NamedTuple):
    """A variable that an agent reads and does not see; in guards of `Evolution` it could look at actions.

    `through` are the definitions that read it, in words, and `at` is where.
    """

    agent: str
    variable: str
    span: Span
    in_guard: bool
    through: tuple[str, ...] = ()
    at: tuple[Label, ...] = ()

    def __str__(self) -> str:
        """Show it as ISPL writes it."""
        return f"{self.agent}.{self.variable}"


@dataclass(slots=True)
class AgentNames:
    """The names of one agent. `observed` are the environment's variables that it sees."""

    name: str
    span: Span
    variables: dict[str, Variable] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)
    actions: dict[str, Span] = field(default_factory=dict)
    observed: dict[str, Variable] = field(default_factory=dict)
    #: What it lists in `Lobsvars`.
    listed: tuple[syntax.Name, ...] = ()
    #: The agent as it is written, for advice.
    written: syntax.Agent | None = None
    #: What it reads and does not see, which is reported when all of it is known.
    unseen: list[UnseenRead] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DefinedName:
    """A definition: the node that all uses share, and what it looks at by itself.

    `uses` are the definitions that its body names; `acts` says whether it looks at actions, be it through
    them, `fractional` whether its value may be a fraction, `bounds` between which numbers it lies.
    """

    expression: Expression
    domain: Domain
    reads: tuple[tuple[Read, Span], ...] = ()
    uses: tuple[str, ...] = ()
    acts: bool = False
    fractional: bool = False
    bounds: ValueBounds = UNBOUNDED


@dataclass(slots=True)
class Names:
    """All the names of a program; `types` are the named ones, which only go with templates."""

    agents: dict[str, AgentNames] = field(default_factory=dict)
    propositions: dict[str, Span] = field(default_factory=dict)
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    types: dict[str, Domain] = field(default_factory=dict)
    definitions: dict[str, DefinedName] = field(default_factory=dict)
    #: Where each definition stands, also of those that are not read yet, and those that cannot be read.
    defined_at: dict[str, Span] = field(default_factory=dict)
    undefined: set[str] = field(default_factory=set)
    #: Members of families by computed indices, by how they are written: they are shared like definitions.
    members: dict[str, DefinedName] = field(default_factory=dict)
    #: The definitions that each agent was found to see all of.
    seen_definitions: dict[str, set[str]] = field(default_factory=dict)
    #: Whether agents may do nothing in a step, because one event happens at a time.
    interleaved: bool = False
    work: int = 0
    #: Where it was reported that something is not seen: agents of a family share their lines.
    unseen_places: set[Span] = field(default_factory=set)

    def count(self) -> None:
        """Count a part of the program that is being read; now and then, look at the limits."""
        self.work += 1
        if not self.work % _WATCHED:
            check_limits()

    @property
    def environment(self) -> AgentNames:
        """Return the environment's names."""
        return self.agents[ENVIRONMENT]

    def owners_of(self, variable: str) -> list[str]:
        """Return the agents that have a variable of this name."""
        return [name for name, agent in self.agents.items() if variable in agent.variables]

    def shared(self, name: str) -> DefinedName:
        """Return what is known of a node that has a name."""
        return self.definitions.get(name) or self.members[name]

    def may_be_fraction(self, expression: Expression) -> bool:
        """Return whether a value may be made with `/`, also in definitions, but not in what is compared."""
        waiting = [expression]
        seen: set[Conditional] = set()
        while waiting:
            part = waiting.pop()
            match part:
                case Arithmetic("/"):
                    return True
                case Defined(name):
                    if self.shared(name).fractional:
                        return True
                case Conditional() if part not in seen:
                    seen.add(part)
                    waiting.extend(value_parts(part))
                case Conditional():
                    pass
                case _:
                    waiting.extend(parts(part))
        return False

    def has_value(self, value: str) -> bool:
        """Return whether some enumeration of the program has this value."""
        return any(
            isinstance(variable.domain, Enumeration) and value in variable.domain.names
            for agent in self.agents.values()
            for variable in agent.variables.values()
        )
