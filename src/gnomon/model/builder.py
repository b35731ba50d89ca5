"""Systems built in Python, with ordinary operators; `gnomon.SystemBuilder` makes models of them.

>>> b = SystemDraft("a coin")
>>> coin = b.agent("Coin", actions=["toss"])
>>> side = coin.enumeration("side", ["heads", "tails"])
>>> coin.otherwise("toss")
>>> coin.evolve({side: "heads"}, when=coin.does("toss"))
>>> coin.evolve({side: "tails"}, when=coin.does("toss"))
>>> b.proposition("heads", side == "heads")
>>> b.formula("AG EF heads")
>>> system = b.finished(initial=side == "heads")
>>> system.kind
'finite'
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import get_args

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
from gnomon.model.built import report_mistakes
from gnomon.model.built_formula import (
    BuiltFormula,
    ExpectedVerdict,
    constraint,
    expectation,
    specifications,
)
from gnomon.model.by_action import by_action
from gnomon.model.domain import (
    Boolean,
    Datum,
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
    contains,
    is_within,
)
from gnomon.model.formula import Group
from gnomon.model.given_names import checked_name, checked_names
from gnomon.model.observers import with_observers
from gnomon.model.operand import Operand, as_condition, as_operand, shown
from gnomon.model.operand_actions import ActionOperand
from gnomon.model.system import NamedExpression, System
from gnomon.text.brief import brief
from gnomon.text.diagnostic import Diagnostics, InputError
from gnomon.text.errors import Reported
from gnomon.text.source import Source


class AgentBuilder:
    """One agent in the making.

    >>> import gnomon
    >>> b = gnomon.SystemBuilder("walker")
    >>> walker = b.agent("Walker", actions=["left", "right"])
    >>> place = walker.integer("place", 0, 4, initial=0)
    >>> mood = walker.enumeration("mood", ["calm", "hasty"], initial="calm")
    >>> tired = walker.boolean("tired", initial=False)
    >>> last = walker.enumeration("last", ["left", "right"])
    >>> walker.may("right", when=place < 4)
    >>> walker.otherwise("left")
    >>> walker.evolve({place: place + 1}, when=walker.does("right"))
    >>> walker.evolve({last: walker.action})
    >>> walker
    <agent Walker with place, mood, tired, last>
    >>> b.build().check("EF Walker.place = 4")[0].holds
    True
    """

    def __init__(
        self, name: str, actions: Iterable[str], sees: Iterable[Operand], red: Operand | None
    ) -> None:
        """Start with its actions and the environment's variables that it sees."""
        self.name = name
        self.actions: tuple[str, ...] = tuple(
            dict.fromkeys(checked_names(actions, f"an action of {name}"))
        )
        self.variables: dict[str, Variable] = {}
        #: What variables that have a value at the start must be.
        self.initial: list[typed.Expression] = []
        self._sees = tuple(_of_environment(term) for term in sees)
        self._red = red
        self._protocol: list[ProtocolLine] = []
        self._other: tuple[str, ...] | None = None
        self._evolution: list[EvolutionLine] = []

    def __repr__(self) -> str:
        """Show its name and what it has so far."""
        names = ", ".join(self.variables) or "no variables"
        return brief(f"<agent {self.name} with {names}>")

    def boolean(self, name: str, *, observed: bool = False, initial: bool | None = None) -> Operand:
        """Declare a Boolean, with its value at the start where one is given."""
        return self._declare(name, Boolean(), observed, initial)

    def enumeration(
        self,
        name: str,
        values: Iterable[str],
        *,
        observed: bool = False,
        initial: str | None = None,
    ) -> Operand:
        """Declare a variable with these values, and with the one at the start where it is given."""
        names = checked_names(values, f"a value of {name}", KEYWORDS - FORMULA_WORDS)
        if not names or len(set(names)) < len(names):
            msg = f"{name} needs at least one value, and each value once"
            raise ValueError(msg)
        return self._declare(name, Enumeration(names), observed, initial)

    def integer(
        self,
        name: str,
        low: int | None = None,
        high: int | None = None,
        *,
        observed: bool = False,
        initial: int | None = None,
    ) -> Operand:
        """Declare an integer from `low` to `high`, or an unbounded one where neither is given.

        `initial` is its value at the start; without it, `build` says what it may be.
        """
        if low is None or high is None:
            if low is not None or high is not None:
                msg = "give both bounds or neither"
                raise ValueError(msg)
            return self._declare(name, Integers(), observed, initial)
        if type(low) is not int or type(high) is not int:
            msg = f"the bounds {shown(low)} and {shown(high)} of {name} are not both whole numbers"
            raise TypeError(msg)
        if low > high:
            msg = f"the range {IntegerRange(low, high)} of {name} is empty"
            raise ValueError(msg)
        return self._declare(name, IntegerRange(low, high), observed, initial)

    def _declare(
        self,
        name: str,
        domain: Domain,
        observed: bool,  # noqa: FBT001 - handed on
        initial: Datum | None,
    ) -> Operand:
        checked_name(name, f"a variable of {self.name}")
        if name in self.variables:
            msg = f"agent {self.name} has a variable {name} already"
            raise ValueError(msg)
        variable = Operand(typed.Read(self.name, name), domain)
        if initial is not None:
            if not contains(domain, initial):
                msg = f"{shown(initial)} is not a value of {variable!r} ({domain})"
                raise ValueError(msg)
            value = typed.Literal(initial)
            self.initial.append(typed.Compare("=", variable.expression, value))
        self.variables[name] = Variable(self.name, name, domain, observed)
        return variable

    def does(self, action: str) -> Operand:
        """Return the condition that this agent does `action` in the current step."""
        self._must_have(action)
        return Operand(typed.Does(self.name, action), Boolean())

    @property
    def action(self) -> Operand:
        """Return what this agent does in the current step, as a value to store or to compare."""
        if not self.actions:
            msg = f"agent {self.name} has no actions"
            raise ValueError(msg)
        return ActionOperand(self.name, self.actions)

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
        """Let these variables take these values, all at once, wherever a condition holds.

        This is a line for each of the variables, and each variable follows its own lines. Under
        `MultiAssignment` it is one line, and an alternative to all other lines of the agent that hold.
        """
        if not changes:
            msg = f"a line of {self.name} changes nothing: give a variable and its new value"
            raise ValueError(msg)
        assignments = tuple(self._assignment(target, value) for target, value in changes.items())
        if len({each.variable for each in assignments}) < len(assignments):
            msg = f"a line of {self.name} gives one variable two values"
            raise ValueError(msg)
        self._evolution.append(EvolutionLine(assignments, as_condition(when)))

    def _assignment(self, target: Operand, value: "Operand | Datum") -> Assignment:
        read = target.expression
        if not isinstance(read, typed.Read) or read.agent != self.name:
            msg = f"{target!r} is not a variable of agent {self.name}"
            raise ValueError(msg)
        if not isinstance(value, Operand) and not contains(target.domain, value):
            msg = f"{shown(value)} is not a value of {target!r} ({target.domain})"
            raise ValueError(msg)
        expression = as_operand(value, target.domain)
        if isinstance(value, Operand) and not _may_become(target.domain, value):
            msg = (
                f"{target!r} ({target.domain}) cannot take the values of {value!r} ({value.domain})"
            )
            raise ValueError(msg)
        return Assignment(read.variable, expression)

    def _must_have(self, action: str) -> None:
        if action not in self.actions:
            msg = f"{action} is not an action of agent {self.name}: {', '.join(self.actions)}"
            raise ValueError(msg)

    def finish(self, shared: tuple[str, ...]) -> Agent:
        """Return the agent; `shared` are the variables of the environment that everybody sees."""
        is_environment = self.name == ENVIRONMENT
        return Agent(
            name=self.name,
            variables=tuple(self.variables.values()),
            actions=self.actions,
            protocol=tuple(self._protocol),
            other=self._other,
            evolution=tuple(self._evolution),
            sees=() if is_environment else tuple(dict.fromkeys((*shared, *self._sees))),
            red=None if self._red is None else as_condition(self._red),
        )


def _of_environment(term: Operand) -> str:
    """Return the name of a variable of the environment, or refuse what is none."""
    if isinstance(term, Operand):
        read = term.expression
        if isinstance(read, typed.Read) and read.agent == ENVIRONMENT:
            return read.variable
    msg = f"{shown(term)} is not a variable of the environment that an agent could see"
    raise ValueError(msg)


def _may_become(target: Domain, value: Operand) -> bool:
    """Return whether a value can fit: no name too many, and a variable with some number in common."""
    match target, value.domain:
        case Enumeration(), Enumeration():
            return is_within(value.domain, target)
        case IntegerRange(low, high), IntegerRange(least, most):
            return not isinstance(value.expression, typed.Read) or (low <= most and least <= high)
        case _:
            return True


class SystemDraft:
    """A system in the making."""

    def __init__(self, name: str = "system", *, semantics: Semantics = "SingleAssignment") -> None:
        """Start empty; the name is any text that can be written to a file.

        By `SingleAssignment` each variable follows its own lines of the evolution; by `MultiAssignment` an
        agent takes one of its lines that hold, and what only the others would have changed stays as it is.
        By `Interleaved` it does the same, in the events that it takes part in: one action happens at a time,
        done by all agents that have it.
        """
        if semantics not in get_args(Semantics):
            msg = f"{shown(semantics)} is no semantics: there are {', '.join(get_args(Semantics))}"
            raise ValueError(msg)
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
        self._definitions: dict[str, NamedExpression] = {}
        self._groups: dict[str, Group] = {}
        self._fairness: list[str] = []
        self._formulae: list[BuiltFormula] = []

    def __repr__(self) -> str:
        """Show its name, and who is there so far."""
        names = ", ".join(agent.name for agent in self._agents) or "no agents"
        return brief(f"<{type(self).__name__} {self.name} with {names}>")

    def environment(self, actions: Iterable[str] = ()) -> AgentBuilder:
        """Declare the environment."""
        if self._environment is not None:
            msg = f"there is an agent {ENVIRONMENT} already"
            raise ValueError(msg)
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
        agent = AgentBuilder(checked_name(name, "an agent"), actions, sees, red)
        self._agents.append(agent)
        return agent

    def define(self, name: str, expression: Operand) -> Operand:
        """Name an expression, and return what stands for it: all uses share it, whatever its size.

        Its value is that of the expression where it is used; explanations and formulae call it by its name.
        """
        if not isinstance(expression, Operand):
            msg = f"{shown(expression)} is no expression that could have a name"
            raise TypeError(msg)
        if checked_name(name, "a definition") in self._definitions:
            msg = f"there is a definition {name} already"
            raise ValueError(msg)
        defined = Operand(typed.Defined(name, expression.expression), expression.domain)
        acts = self._looks_at_actions(expression.expression)
        self._definitions[name] = NamedExpression(defined.expression, defined.domain, acts=acts)
        return defined

    def _looks_at_actions(self, expression: typed.Expression) -> bool:
        """Return whether an expression looks at actions, going into no definition again."""
        waiting = [expression]
        while waiting:
            part = waiting.pop()
            match part:
                case typed.Does():
                    return True
                case typed.Defined(name) if name in self._definitions:
                    if self._definitions[name].acts:
                        return True
                case _:
                    waiting.extend(typed.parts(part))
        return False

    def proposition(self, name: str, condition: Operand) -> None:
        """Name a condition on states."""
        self._propositions[checked_name(name, "a proposition")] = as_condition(condition)

    def group(self, name: str, *members: "AgentBuilder | str") -> None:
        """Name a group of agents."""
        names = tuple(item if isinstance(item, str) else item.name for item in members)
        self._groups[checked_name(name, "a group")] = Group(names, name)

    def fairness(self, formula: str) -> None:
        """Count only paths on which the formula holds again and again."""
        self._fairness.append(formula)

    def formula(self, formula: str, *, name: str = "", expect: ExpectedVerdict = None) -> None:
        """Ask a question, with a name, and with the verdict that is expected: True, False, "undefined"."""
        label = checked_name(name, "a formula") if name else ""
        self._formulae.append(BuiltFormula(formula, label, expectation(expect)))

    def finished(
        self, *, initial: Operand | bool = True, terminal: Operand | bool | None = None
    ) -> System:
        """Return the finished system; raise `InputError` with all for which a program would be refused.

        `initial` holds at the start, together with what variables were declared to begin with.
        `terminal` says where a run may end, so that a deadlock there is none to complain of.
        """
        environment = self._environment or AgentBuilder(ENVIRONMENT, (), (), None)
        shared = tuple(item.name for item in environment.variables.values() if item.observed)
        agents = (environment, *self._agents)
        given = tuple(value for agent in agents for value in agent.initial)
        condition = as_condition(initial)
        system = System(
            name=self.name,
            agents=tuple(agent.finish(shared) for agent in agents),
            initial=typed.And((condition, *given)) if given else condition,
            terminal=None if terminal is None else as_condition(terminal),
            semantics=self.semantics,
            propositions=self._propositions,
            groups=self._groups,
            definitions=self._definitions,
        )
        diagnostics = Diagnostics(Source(self.name, ""))
        report_mistakes(system, diagnostics)
        if not diagnostics.has_errors:
            system = replace(system, agents=_by_action(system, diagnostics))
        if diagnostics.has_errors:
            raise InputError(diagnostics.sorted())
        if self.semantics == "SingleAssignment":
            system = replace(system, agents=tuple(map(_line_by_line, system.agents)))
        return with_observers(
            replace(
                system,
                fairness=tuple(constraint(text, system) for text in self._fairness),
                specifications=tuple(specifications(self._formulae, system)),
            )
        )


def _by_action(system: System, diagnostics: Diagnostics) -> tuple[Agent, ...]:
    """Return the agents with a line of its own for every action that values look at."""
    agents: list[Agent] = []
    for agent in system.agents:
        lines: list[EvolutionLine] = []
        for line in agent.evolution:
            if not any(typed.actors(each.value) for each in line.assignments):
                lines.append(line)
                continue
            alone = agent.name if system.interleaved else None
            with suppress(Reported):
                lines += by_action(
                    line, lambda name: system.agent(name).actions, diagnostics, alone=alone
                )
        agents.append(with_evolution(agent, tuple(lines)))
    return tuple(agents)


def _line_by_line(agent: Agent) -> Agent:
    """Return the agent with a line of its own for every variable that a line changes."""
    lines = tuple(
        EvolutionLine((assignment,), line.guard)
        for line in agent.evolution
        for assignment in line.assignments
    )
    return with_evolution(agent, lines)


def with_evolution(agent: Agent, lines: tuple[EvolutionLine, ...]) -> Agent:
    """Return an agent that evolves by other lines."""
    fields = agent.name, agent.variables, agent.actions, agent.protocol, agent.other
    return Agent(*fields, lines, agent.sees, agent.red)
