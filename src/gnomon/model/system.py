"""The agents together: initial states, propositions, groups, fairness and formulae."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from gnomon.model.agent import IDLE, Agent, Semantics, Variable
from gnomon.model.bounds import UNBOUNDED, ValueBounds
from gnomon.model.domain import Domain, Integers
from gnomon.model.expression import Expression
from gnomon.model.formula import Formula, Group, show_formula
from gnomon.model.fragment import has_coalition
from gnomon.text.brief import brief, brief_fields
from gnomon.text.source import Span

Kind: TypeAlias = Literal["finite", "unbounded", "parameterised"]
Logic: TypeAlias = Literal["CTL", "LTL", "CTL*"]
Expectation: TypeAlias = Literal["true", "false", "undefined"]


@dataclass(frozen=True, slots=True, repr=False)
class Specification:
    """One formula of a program: its meaning, its text as written, its line, its name where it has one.

    `expected` is the verdict that its author expects, None where nothing is said. `logic` says over which
    paths it quantifies: the infinite ones in LTL and CTL*, while CTL also has the finite ones that end in a
    deadlock.
    """

    __repr__ = brief_fields

    formula: Formula
    text: str
    line: int = 0
    logic: Logic = "CTL"
    name: str = ""
    expected: Expectation | None = None
    #: Where it is written, without what is said about it; copies in `for` have one place.
    at: Span | None = field(default=None, compare=False, repr=False)

    @property
    def parsed(self) -> str:
        """Return the formula as it was read, with all brackets."""
        return show_formula(self.formula)

    @property
    def has_coalition(self) -> bool:
        """Return whether it depends on what strategies are."""
        return has_coalition(self.formula)


@dataclass(frozen=True, slots=True)
class GivenPredicate:
    """A condition that the author wants cells of states to be told apart by, and its line."""

    condition: Expression
    line: int = 0


@dataclass(frozen=True, slots=True)
class NamedExpression:
    """A definition: its node, what its values are, between which bounds, and whether it looks at actions."""

    expression: Expression
    domain: Domain
    bounds: ValueBounds = UNBOUNDED
    acts: bool = False


@dataclass(frozen=True, repr=False)
class System:
    """An interpreted system. The environment is its first agent, empty where none was given."""

    name: str
    agents: tuple[Agent, ...]
    initial: Expression
    semantics: Semantics = "MultiAssignment"
    propositions: Mapping[str, Expression] = field(default_factory=dict)
    groups: Mapping[str, Group] = field(default_factory=dict)
    fairness: tuple[Specification, ...] = ()
    specifications: tuple[Specification, ...] = ()
    predicates: tuple[GivenPredicate, ...] = ()
    definitions: Mapping[str, NamedExpression] = field(default_factory=dict)
    #: Where a run may end: a deadlock there is none to complain of. No formula depends on it.
    terminal: Expression | None = None
    #: Where the initial condition is written.
    initial_at: Span | None = field(default=None, compare=False, repr=False)

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """Return the variables of all agents, in the order in which a state lists their values."""
        return tuple(variable for agent in self.agents for variable in agent.variables)

    @cached_property
    def position(self) -> Mapping[tuple[str, str], int]:
        """Return where a state keeps the value of each (agent, variable)."""
        return {
            (variable.agent, variable.name): index for index, variable in enumerate(self.variables)
        }

    @cached_property
    def agent_index(self) -> Mapping[str, int]:
        """Return where a joint action keeps the action of each agent."""
        return {agent.name: index for index, agent in enumerate(self.agents)}

    @property
    def interleaved(self) -> bool:
        """Return whether one event happens at a time, and only those move that take part in it."""
        return self.semantics == "Interleaved"

    @cached_property
    def events(self) -> Mapping[str, tuple[str, ...]]:
        """Return the events of an interleaved system by name, each with what everybody does in it.

        All that have an action of the name take part.
        """
        names = dict.fromkeys(action for agent in self.agents for action in agent.actions)
        return {
            name: tuple(name if name in agent.actions else IDLE for agent in self.agents)
            for name in names
        }

    def agent(self, name: str) -> Agent:
        """Return the agent of that name."""
        return self.agents[self.agent_index[name]]

    @property
    def environment(self) -> Agent:
        """Return the environment."""
        return self.agents[0]

    @property
    def fixed(self) -> "System":
        """Return the system whose agents are known beforehand: this one."""
        return self

    @property
    def open(self) -> None:
        """Return None: it is no program of templates."""
        return None

    def __repr__(self) -> str:
        """Show what it is, and how much there is of it."""
        agents = sum(bool(agent.variables or agent.actions) for agent in self.agents)
        asked = len(self.specifications)
        parts = f"{agents} agent{'' if agents == 1 else 's'}, {len(self.variables)} variable"
        parts += (
            f"{'' if len(self.variables) == 1 else 's'}, {asked} formula{'' if asked == 1 else 'e'}"
        )
        return f"<{self.kind} system {brief(self.name)}: {parts}>"

    @property
    def kind(self) -> Kind:
        """Return "unbounded" where some variable has no bounds, else "finite"."""
        unbounded = any(isinstance(variable.domain, Integers) for variable in self.variables)
        return "unbounded" if unbounded else "finite"
