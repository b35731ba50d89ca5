"""Systems built in Python, with ordinary operators.

>>> b = SystemBuilder("a coin")
>>> coin = b.agent("Coin", actions=["toss"])
>>> side = coin.enumeration("side", ["heads", "tails"])
>>> coin.otherwise("toss")
>>> coin.evolve({side: "heads"}, when=coin.does("toss"))
>>> coin.evolve({side: "tails"}, when=coin.does("toss"))
>>> b.proposition("heads", side == "heads")
>>> b.formula("AG EF heads")
>>> system = b.build(initial=side == "heads")
>>> system.kind
'finite'
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from gnomon.language.lexer import FORMULA_WORDS, KEYWORDS
from gnomon.model import expression as typed
from gnomon.model.agent import (
    ENVIRONMENT,
    Agent,
    Assignment,
    EvolutionLine,
    ProtocolLine,
    Semantics,
    Variable,
)
from gnomon.model.built_formula import (
    BuiltFormula,
    ExpectedVerdict,
    constraint,
    expectation,
    specifications,
)
from gnomon.model.domain import (
    Boolean,
    Datum,
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
    contains,
)
from gnomon.model.formula import Group
from gnomon.model.operand import Operand, as_condition, as_operand, shown
from gnomon.model.system import System

_LONGEST_NAME: Final = 1000


_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\[-?[0-9]+(,-?[0-9]+)*\])?")


def _name(name: object, what: str, reserved: frozenset[str] = KEYWORDS) -> str:
    """Return a name that formulae and files can use, or refuse it."""
    if not isinstance(name, str):
        msg = f"{shown(name)} cannot be the name of {what}: a name is a string"
        raise TypeError(msg)
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        msg = (
            f"{shown(name[:_LONGEST_NAME])} cannot be the name of {what}: a name is a letter and then "
            "letters, digits and _, with indices such as [1] or [1,2] where it belongs to a family"
        )
        raise ValueError(msg)
    if name in reserved:
        msg = f"{name} is a reserved word and cannot be the name of {what}"
        raise ValueError(msg)
    return name


def _names(names: Iterable[str], what: str, reserved: frozenset[str] = KEYWORDS) -> tuple[str, ...]:
    if isinstance(names, str):
        msg = f"{shown(names)} is one string: give a list of names, each the name of {what}"
        raise TypeError(msg)
    return tuple(_name(name, what, reserved) for name in names)


class AgentBuilder:
    """One agent in the making."""

    def __init__(
        self, name: str, actions: Iterable[str], sees: Iterable[Operand], red: Operand | None
    ) -> None:
        """Start with its actions and the environment's variables that it sees."""
        self.name = name
        self.actions = _names(actions, f"an action of {name}")
        self.variables: dict[str, Variable] = {}
        self._sees = tuple(sees)
        self._red = red
        self._protocol: list[ProtocolLine] = []
        self._other: tuple[str, ...] | None = None
        self._evolution: list[EvolutionLine] = []

    def boolean(self, name: str, *, observed: bool = False) -> Operand:
        """Declare a Boolean."""
        return self._declare(name, Boolean(), observed=observed)

    def enumeration(self, name: str, values: Iterable[str], *, observed: bool = False) -> Operand:
        """Declare a variable with these values."""
        names = _names(values, f"a value of {name}", KEYWORDS - FORMULA_WORDS)
        if not names or len(set(names)) < len(names):
            msg = f"{name} needs at least one value, and each value once"
            raise ValueError(msg)
        return self._declare(name, Enumeration(names), observed=observed)

    def integer(
        self,
        name: str,
        low: int | None = None,
        high: int | None = None,
        *,
        observed: bool = False,
    ) -> Operand:
        """Declare an integer from `low` to `high`, or an unbounded one where neither is given."""
        if low is None or high is None:
            if low is not None or high is not None:
                msg = "give both bounds or neither"
                raise ValueError(msg)
            return self._declare(name, Integers(), observed=observed)
        if low > high:
            msg = f"the range {IntegerRange(low, high)} of {name} is empty"
            raise ValueError(msg)
        return self._declare(name, IntegerRange(low, high), observed=observed)

    def _declare(self, name: str, domain: Domain, *, observed: bool) -> Operand:
        _name(name, f"a variable of {self.name}")
        if name in self.variables:
            msg = f"agent {self.name} has a variable {name} already"
            raise ValueError(msg)
        self.variables[name] = Variable(self.name, name, domain, observed)
        return Operand(typed.Read(self.name, name), domain)

    def does(self, action: str) -> Operand:
        """Return the condition that this agent does `action` in the current step."""
        self._must_have(action)
        return Operand(typed.Does(self.name, action), Boolean())

    def may(self, *actions: str, when: Operand) -> None:
        """Enable actions wherever a condition holds."""
        for action in actions:
            self._must_have(action)
        self._protocol.append(ProtocolLine(as_condition(when), actions))

    def otherwise(self, *actions: str) -> None:
        """Enable actions wherever no other line does."""
        for action in actions:
            self._must_have(action)
        self._other = (*(self._other or ()), *actions)

    def evolve(
        self, changes: Mapping[Operand, "Operand | Datum"], *, when: Operand | bool = True
    ) -> None:
        """Let these variables take these values, all at once, wherever a condition holds."""
        assignments = tuple(self._assignment(target, value) for target, value in changes.items())
        self._evolution.append(EvolutionLine(assignments, as_condition(when)))

    def _assignment(self, target: Operand, value: "Operand | Datum") -> Assignment:
        read = target.expression
        if not isinstance(read, typed.Read) or read.agent != self.name:
            msg = f"{target!r} is not a variable of agent {self.name}"
            raise ValueError(msg)
        if not isinstance(value, Operand) and not contains(target.domain, value):
            msg = f"{shown(value)} is not a value of {target!r} ({target.domain})"
            raise ValueError(msg)
        return Assignment(read.variable, as_operand(value, target.domain))

    def assigns_together(self) -> bool:
        """Return whether some line changes several variables."""
        return any(len(line.assignments) > 1 for line in self._evolution)

    def _must_have(self, action: str) -> None:
        if action not in self.actions:
            msg = f"{action} is not an action of agent {self.name}: {', '.join(self.actions)}"
            raise ValueError(msg)

    def finish(self, shared: tuple[str, ...]) -> Agent:
        """Return the agent; `shared` are the variables of the environment that everybody sees."""
        self._check_sight(shared)
        seen = [term.expression for term in self._sees]
        local = [read.variable for read in seen if isinstance(read, typed.Read)]
        is_environment = self.name == ENVIRONMENT
        return Agent(
            name=self.name,
            variables=tuple(self.variables.values()),
            actions=self.actions,
            protocol=tuple(self._protocol),
            other=self._other,
            evolution=tuple(self._evolution),
            sees=() if is_environment else tuple(dict.fromkeys((*shared, *local))),
            red=None if self._red is None else as_condition(self._red),
        )

    def _check_sight(self, shared: tuple[str, ...]) -> None:
        """Refuse lines that look at what the agent cannot see, and protocols that look at actions."""
        local = {term.expression for term in self._sees}
        conditions = [line.condition for line in self._protocol]
        values = [item.value for line in self._evolution for item in line.assignments]
        if any(typed.actors(condition) for condition in conditions):
            msg = f"the protocol of {self.name} cannot look at actions"
            raise ValueError(msg)
        for expression in (*conditions, *values, *(line.guard for line in self._evolution)):
            for read in typed.reads(expression):
                observed = read.agent == ENVIRONMENT and read.variable in shared
                if read.agent != self.name and not observed and read not in local:
                    msg = f"agent {self.name} cannot see {read.agent}.{read.variable}"
                    raise ValueError(msg)


class SystemBuilder:
    """A system in the making."""

    def __init__(self, name: str = "system", *, semantics: Semantics = "MultiAssignment") -> None:
        """Start empty; the name is any text that can be written to a file."""
        try:
            name.encode()
        except UnicodeEncodeError:
            msg = f"{name!r} cannot be the name of a system: it cannot be written in UTF-8"
            raise ValueError(msg) from None
        self.name = name
        self.semantics = semantics
        self._environment: AgentBuilder | None = None
        self._agents: list[AgentBuilder] = []
        self._propositions: dict[str, typed.Expression] = {}
        self._groups: dict[str, Group] = {}
        self._fairness: list[str] = []
        self._formulae: list[BuiltFormula] = []

    def environment(self, actions: Iterable[str] = ()) -> AgentBuilder:
        """Declare the environment."""
        self._environment = AgentBuilder(ENVIRONMENT, actions, (), None)
        return self._environment

    def agent(
        self,
        name: str,
        actions: Iterable[str],
        *,
        sees: Iterable[Operand] = (),
        red: Operand | None = None,
    ) -> AgentBuilder:
        """Declare an agent that sees some of the environment's variables beside the observed ones."""
        if name == ENVIRONMENT or any(agent.name == name for agent in self._agents):
            msg = f"there is an agent {name} already"
            raise ValueError(msg)
        agent = AgentBuilder(_name(name, "an agent"), actions, sees, red)
        self._agents.append(agent)
        return agent

    def proposition(self, name: str, condition: Operand) -> None:
        """Name a condition on states."""
        self._propositions[_name(name, "a proposition")] = as_condition(condition)

    def group(self, name: str, *members: "AgentBuilder | str") -> None:
        """Name a group of agents."""
        names = tuple(item if isinstance(item, str) else item.name for item in members)
        self._groups[_name(name, "a group")] = Group(names, name)

    def fairness(self, formula: str) -> None:
        """Count only paths on which the formula holds again and again."""
        self._fairness.append(formula)

    def formula(self, formula: str, *, name: str = "", expect: ExpectedVerdict = None) -> None:
        """Ask a question, with a name, and with the verdict that is expected: True, False, "undefined"."""
        label = _name(name, "a formula") if name else ""
        self._formulae.append(BuiltFormula(formula, label, expectation(expect)))

    def _check(self) -> None:
        """Refuse what the agents by themselves could not know to be wrong."""
        _checked_names(self._groups, {ENVIRONMENT, *(agent.name for agent in self._agents)})
        builders = [*self._agents, *([self._environment] if self._environment else [])]
        if self.semantics == "SingleAssignment":
            for agent in builders:
                if agent.assigns_together():
                    msg = f"{agent.name}: a line assigns one variable under SingleAssignment"
                    raise ValueError(msg)

    def build(self, *, initial: Operand | bool = True) -> System:
        """Return the finished system."""
        self._check()
        environment = self._environment or AgentBuilder(ENVIRONMENT, (), (), None)
        shared = tuple(item.name for item in environment.variables.values() if item.observed)
        system = System(
            name=self.name,
            agents=tuple(agent.finish(shared) for agent in (environment, *self._agents)),
            initial=as_condition(initial),
            semantics=self.semantics,
            propositions=self._propositions,
            groups=self._groups,
        )
        return replace(
            system,
            fairness=tuple(constraint(text, system) for text in self._fairness),
            specifications=tuple(specifications(self._formulae, system)),
        )


def _checked_names(groups: Mapping[str, Group], known: set[str]) -> None:
    for group in groups.values():
        for member in group.members:
            if member not in known:
                msg = f"group {group.name} has a member {member}, and there is no such agent"
                raise ValueError(msg)
