"""Any system as an ISPL program, written so that MCMAS 1.3.0 reads it, too.

MCMAS knows fewer conditions than we do: Boolean variables are compared with `true` and `false`, there are no
constants, and where a program starts is said with `=` alone. So everything is worked out first as far as it
goes, what is left is said in MCMAS's words, and agents get the sections that MCMAS insists on.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as changed
from itertools import product
from math import prod
from textwrap import wrap
from types import MappingProxyType
from typing import Final

from gnomon.checking.translation import CannotExport
from gnomon.language.dialect import report_beyond_mcmas
from gnomon.language.format import format_text
from gnomon.language.lexer import KEYWORDS
from gnomon.language.parse import parse
from gnomon.model import formula as logic
from gnomon.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from gnomon.model.domain import (
    Boolean,
    Enumeration,
    IntegerRange,
    Integers,
    OpenEnumeration,
    Value,
    size_of,
    values_of,
)
from gnomon.model.evaluation import holds
from gnomon.model.expression import (
    FALSE,
    TRUE,
    And,
    Arithmetic,
    BitComplement,
    Compare,
    Does,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sum,
    reads,
    show,
)
from gnomon.model.folding import Folder, folded, is_constant, mapped
from gnomon.model.formula import Formula, Group, show_formula, without_quantifiers
from gnomon.model.system import Specification, System
from gnomon.results.styled import visible
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import room_to_recurse
from gnomon.text.record import Record, replace
from gnomon.text.source import Source

_WIDTH: Final = 97
#: A condition on where a program starts is written out by cases, as long as there are no more than that.
_MOST_CASES: Final = 4_096
_NO_NOTES: Mapping[int, str] = MappingProxyType({})


class Export(Record):
    """A program, and what whoever asked for it should know."""

    text: str
    warnings: tuple[str, ...] = ()


def render(system: System, header: Iterable[str] = (), notes: Mapping[int, str] = _NO_NOTES) -> str:
    """Return the program of a system; `notes` are comments on its formulae, by their place from 0.

    Agents may only read what ISPL lets them: their own variables and those they see.
    """
    with room_to_recurse():
        printer = _Printer(_completed(folded(system)), notes)
        body = format_text(Source(system.name, "\n".join(printer.lines())))
    said = [*header, *printer.names.other(), *_beyond(body)]
    # The name of the file is in them, and names may hold anything.
    words = [visible(text, "") for text in said]
    comments = [line for text in words for line in wrap(text, _WIDTH, break_on_hyphens=False)]
    return "".join(f"-- {line}\n" for line in comments) + ("\n" if comments else "") + body


def _beyond(text: str) -> Iterator[str]:
    """Yield what MCMAS would not read, in one sentence."""
    parsed = parse(Source("", text))
    found = Diagnostics(parsed.diagnostics.source)
    report_beyond_mcmas(parsed.program, found)
    whats = [item.message.removeprefix("MCMAS does not read ") for item in found.items]
    if whats:
        yield f"MCMAS does not read {', '.join(dict.fromkeys(whats))}: this is for Gnomon alone."


# What MCMAS insists on


def _completed(system: System) -> System:
    """Return the system with what every program must have: an agent, and for agents all sections."""
    environment, *others = system.agents
    if not others:
        others = [Agent("Nobody", (), ())]
    agents = [_completed_environment(environment), *map(_completed_agent, others)]
    added = [
        Not(Read(agent.name, agent.variables[0].name))
        for agent, before in zip(agents, (environment, *others), strict=True)
        if len(agent.variables) > len(before.variables)
    ]
    fold = Folder({(v.agent, v.name): v.domain for agent in agents for v in agent.variables})
    specifications = system.specifications
    if not specifications:
        nothing = logic.All(logic.Globally(logic.Constant(True)))
        specifications = (Specification(nothing, show_formula(nothing)),)
    return changed(
        system,
        agents=tuple(agents),
        initial=fold(And((system.initial, *added))),
        specifications=specifications,
    )


def _completed_environment(agent: Agent) -> Agent:
    never = bool(agent.protocol) and all(
        is_constant(line.condition, FALSE) for line in agent.protocol
    )
    # What never applies, and what is always or never red, is said of a variable.
    needed = (never and agent.other is None) or agent.red is not None
    return _with_variable(agent) if needed else agent


def _completed_agent(agent: Agent) -> Agent:
    agent = _with_variable(agent)
    if not agent.actions:
        agent = replace(agent, actions=("nop",), protocol=(), other=("nop",))
    if not agent.protocol and agent.other is None:
        agent = replace(agent, protocol=(ProtocolLine(FALSE, agent.actions),))
    if not agent.evolution:
        name = agent.variables[0].name
        stays = Assignment(name, Read(agent.name, name))
        line = EvolutionLine((stays,), Does(agent.name, agent.actions[0]))
        agent = replace(agent, evolution=(line,))
    return agent


def _with_variable(agent: Agent) -> Agent:
    return (
        agent
        if agent.variables
        else replace(agent, variables=(Variable(agent.name, "idle", Boolean()),))
    )


# Names


class _Names:
    """An identifier that MCMAS reads for every name, the name itself wherever that is one."""

    def __init__(self, system: System) -> None:
        names = [agent.name for agent in system.agents[1:]]
        self.agents = {**_apart(names), ENVIRONMENT: ENVIRONMENT}
        self.variables: dict[tuple[str, str], str] = {}
        self.actions: dict[tuple[str, str], str] = {}
        for agent in system.agents:
            own = _apart([variable.name for variable in agent.variables])
            self.variables |= {(agent.name, name): spelled for name, spelled in own.items()}
            acts = _apart(agent.actions)
            self.actions |= {(agent.name, name): spelled for name, spelled in acts.items()}
        values = [
            name
            for variable in system.variables
            if isinstance(variable.domain, Enumeration)
            for name in variable.domain.names
        ]
        # A value with the name of a variable could not be told from it.
        self.values = _apart(values, set(self.variables.values()))
        self.propositions = _apart(system.propositions)
        self.groups = _apart(system.groups)

    def other(self) -> Iterator[str]:
        """Yield which names are others than in the model, in one sentence."""
        pairs = dict.fromkeys(
            (name, spelled)
            for names in (self.agents, self.values, self.propositions, self.groups)
            for name, spelled in names.items()
        )
        pairs |= dict.fromkeys((key[1], spelled) for key, spelled in self.variables.items())
        pairs |= dict.fromkeys((key[1], spelled) for key, spelled in self.actions.items())
        found = [f"{name} is {spelled}" for name, spelled in pairs if name != spelled]
        if found:
            yield f"Names that are taken or reserved are changed: {', '.join(found)}."


def _apart(names: Iterable[str], taken: Collection[str] = ()) -> dict[str, str]:
    """Return different identifiers for names."""
    used = KEYWORDS | set(taken)
    listed = list(dict.fromkeys(names))
    result = {name: name for name in listed if name not in used and _is_identifier(name)}
    for name in listed:
        if name not in result:
            spelled = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
            spelled = spelled if _is_identifier(spelled) else f"x{spelled}"
            while spelled in used or spelled in result.values():
                spelled += "_"
            result[name] = spelled
    return {name: result[name] for name in listed}


def _is_identifier(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) is not None


# The text


class _Printer:
    """Writes a system that is complete."""

    def __init__(self, system: System, notes: Mapping[int, str]) -> None:
        self.notes = notes
        self.propositions = dict(system.propositions)
        self.groups = dict(system.groups)
        #: Conditions that got a name.
        self.named: dict[Expression, str] = {}
        #: The formulae as they are written, which takes propositions for what has no name yet.
        self.formulae = [self._formula(item) for item in system.specifications]
        self.fairness = [self._formula(item) for item in system.fairness]
        self.system = changed(system, propositions=self.propositions, groups=self.groups)
        self.names = _Names(self.system)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the program, laid out no further."""
        system = self.system
        yield f"Semantics = {system.semantics};"
        for agent in system.agents:
            if not agent.is_environment or agent.variables or agent.actions:
                yield from self._agent(agent)
        yield "Evaluation"
        for name, condition in system.propositions.items():
            yield f"{self.names.propositions[name]} if {self._condition(condition, None)};"
        yield from ("end Evaluation", "InitStates")
        yield f"{self._initial()};"
        yield "end InitStates"
        if system.groups:
            yield "Groups"
            for name, group in system.groups.items():
                members = ", ".join(self.names.agents[member] for member in group.members)
                yield f"{self.names.groups[name]} = {{{members}}};"
            yield "end Groups"
        if self.fairness:
            yield "Fairness"
            yield from (f"{self._spelled(item)};" for item in self.fairness)
            yield "end Fairness"
        yield "Formulae"
        for number, item in enumerate(self.formulae):
            if number in self.notes:
                words = visible(self.notes[number], "\n\t")
                yield from (f"-- {line}" for line in wrap(words, _WIDTH - 2))
            yield f"{self._spelled(item)};"
        yield "end Formulae"

    # Agents

    def _agent(self, agent: Agent) -> Iterator[str]:
        yield f"Agent {self.names.agents[agent.name]}"
        yield from self._variables(agent)
        if agent.red is not None:
            yield f"RedStates: {self._condition(agent.red, agent)}; end RedStates"
        yield f"Actions = {{{self._actions(agent, agent.actions)}}};"
        yield "Protocol:"
        for condition, actions in self._protocol(agent):
            yield f"{condition} : {{{self._actions(agent, actions)}}};"
        yield from ("end Protocol", "Evolution:")
        for line in agent.evolution:
            assigned = " and ".join(self._assigned(agent, item) for item in line.assignments)
            yield f"{assigned} if {self._condition(line.guard, agent)};"
        yield from ("end Evolution", "end Agent")

    def _variables(self, agent: Agent) -> Iterator[str]:
        hidden = {
            variable.name for variable in self.system.environment.variables if not variable.observed
        }
        seen = [self.names.variables[ENVIRONMENT, name] for name in agent.sees if name in hidden]
        if seen and not agent.is_environment:
            yield f"Lobsvars = {{{', '.join(seen)}}};"
        for observed, section in ((True, "Obsvars"), (False, "Vars")):
            found = [
                v for v in agent.variables if (v.observed and agent.is_environment) == observed
            ]
            if found:
                yield f"{section}:"
                yield from (f"{self._name(agent, v.name)} : {self._domain(v)};" for v in found)
                yield f"end {section}"

    def _name(self, agent: Agent, variable: str) -> str:
        return self.names.variables[agent.name, variable]

    def _domain(self, variable: Variable) -> str:
        match variable.domain:
            case OpenEnumeration():
                raise CannotExport(f"the values of `{variable.domain}` are not listed")
            case Enumeration(names):
                return "{" + ", ".join(self.names.values[name] for name in names) + "}"
            case Boolean() | IntegerRange() | Integers():
                return str(variable.domain)

    def _actions(self, agent: Agent, actions: Iterable[str]) -> str:
        return ", ".join(self.names.actions[agent.name, action] for action in actions)

    def _protocol(self, agent: Agent) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the lines of a protocol; what is always allowed goes into each of them, and into `Other`."""
        always: list[str] | None = None
        found: dict[Expression, list[str]] = {}
        for line in agent.protocol:
            if is_constant(line.condition, TRUE):
                always = [*(always or ()), *line.actions]
            else:
                found.setdefault(line.condition, []).extend(line.actions)
        for condition, actions in found.items():
            yield (
                self._condition(condition, agent),
                tuple(dict.fromkeys((*(always or ()), *actions))),
            )
        # Even where it allows nothing, it has to be said: an environment without any line may do everything.
        other = agent.other if always is None else tuple(dict.fromkeys(always))
        if other is not None:
            yield "Other", other

    def _assigned(self, agent: Agent, item: Assignment) -> str:
        return f"{self._name(agent, item.variable)} = {show(self._value(item.value, agent))}"

    # Conditions and values: names become bare words, which `show` writes as they are

    def _condition(self, condition: Expression, owner: Agent | None) -> str:
        if isinstance(condition, Literal):
            condition = self._constant(condition, owner)
        return show(self._worded(condition, owner))

    def _constant(self, constant: Literal, owner: Agent | None) -> Expression:
        """Return what is always, or never, so: MCMAS has no words for that."""
        variable = (owner or self.system).variables[0]
        read = Read(variable.agent, variable.name)
        some: Expression = read
        if not isinstance(variable.domain, Boolean):
            value = 0 if isinstance(variable.domain, Integers) else values_of(variable.domain)[0]
            some = Compare("=", read, Literal(value))
        return (Or if constant.value else And)((some, Not(some)))

    def _worded(self, condition: Expression, owner: Agent | None) -> Expression:
        match condition:
            case Read():
                return Compare("=", self._value(condition, owner), TRUE)
            case Not(Read() as read):
                return Compare("=", self._value(read, owner), FALSE)
            case Not(operand):
                return Not(self._worded(operand, owner))
            case And(operands) | Or(operands):
                return type(condition)(tuple(self._worded(each, owner) for each in operands))
            case Does(agent, action):
                own = owner is not None and agent == owner.name
                whose = "" if own else f"{self.names.agents[agent]}."
                word = Literal(self.names.actions[agent, action])
                return Compare("=", Literal(f"{whose}Action"), word)
            case Compare(operator, left, right):
                return Compare(operator, self._value(left, owner), self._value(right, owner))
            case _:
                return self._value(condition, owner)

    def _value(self, value: Expression, owner: Agent | None) -> Expression:
        match value:
            case Literal(str() as name):
                return Literal(self.names.values.get(name, name))
            case Read(agent, variable):
                return Literal(self._reference(agent, variable, owner))
            case Sum(terms):
                words = [self._value(term, owner) for term in terms]
                return Sum(tuple(_terms(words)))
            case Negative(operand):
                return Sum((Literal(0), Negative(self._value(operand, owner))))
            case BitComplement(operand):
                return BitComplement(self._value(operand, owner))
            case Arithmetic(operator, left, right):
                return Arithmetic(operator, self._value(left, owner), self._value(right, owner))
            case _:
                return value

    def _reference(self, agent: str, variable: str, owner: Agent | None) -> str:
        name = self.names.variables[agent, variable]
        if owner is not None and agent == owner.name:
            return name
        if owner is not None and (agent != ENVIRONMENT or variable not in owner.sees):
            raise CannotExport(f"`{owner.name}` reads `{agent}.{variable}`, which it does not see")
        return f"{self.names.agents[agent]}.{name}"

    # Where it starts

    def _initial(self) -> str:
        fold = Folder({(v.agent, v.name): v.domain for v in self.system.variables})
        return self._condition_on_start(fold(self._by_cases(self.system.initial)))

    def _condition_on_start(self, condition: Expression) -> str:
        if isinstance(condition, Literal):
            condition = self._constant(condition, None)
        return show(_with_equality_alone(self._worded(condition, None)))

    def _by_cases(self, condition: Expression) -> Expression:
        """Return a condition in which variables are only compared with values."""
        match condition:
            case And(operands) | Or(operands):
                return type(condition)(tuple(map(self._by_cases, operands)))
            case Not(operand):
                return Not(self._by_cases(operand))
            case Compare("=" | "<>", Read(), Literal()) | Read() | Literal():
                return condition
        used = sorted(reads(condition), key=str)
        domains = [
            self.system.variables[self.system.position[r.agent, r.variable]].domain for r in used
        ]
        sizes = [size_of(domain) for domain in domains]
        if prod(size or _MOST_CASES + 1 for size in sizes) > _MOST_CASES:
            return condition
        # Not by folding, which leaves fractions as they are: every case has an answer.
        state: list[Value] = [False] * len(self.system.variables)
        cases = []
        for values in product(*map(values_of, domains)):
            for read, value in zip(used, values, strict=True):
                state[self.system.position[read.agent, read.variable]] = value
            if holds(condition, self.system, tuple(state)):
                known = zip(used, map(Literal, values), strict=True)
                cases.append(And(tuple(Compare("=", read, value) for read, value in known)))
        return Or(tuple(cases))

    # Formulae

    def _formula(self, item: Specification) -> Specification:
        """Return a formula with names for all that has none."""

        def inner(formula: Formula) -> Formula:
            match formula:
                case logic.Condition(expression):
                    return logic.Proposition(self._proposition(expression))
                case logic.Constant(value):
                    return logic.Proposition(self._proposition(Literal(value)))
                case logic.Enforces(group, path):
                    return logic.Enforces(self._group(group), inner(path))
                case logic.GroupKnows(kind, group, body):
                    return logic.GroupKnows(kind, self._group(group), inner(body))
                case _:
                    return mapped(formula, inner)

        return changed(item, formula=inner(item.formula))

    def _proposition(self, condition: Expression) -> str:
        if condition not in self.named:
            number = 1
            while f"condition{number}" in self.propositions:
                number += 1
            self.named[condition] = f"condition{number}"
            self.propositions[f"condition{number}"] = condition
        return self.named[condition]

    def _group(self, group: Group) -> Group:
        if group.name in self.groups:
            return group
        number = 1
        while f"group{number}" in self.groups:
            number += 1
        named = Group(group.members, f"group{number}")
        self.groups[named.name] = named
        return named

    def _spelled(self, item: Specification) -> str:
        def inner(formula: Formula) -> Formula:
            match formula:
                case logic.Proposition(name):
                    return logic.Proposition(self.names.propositions[name])
                case logic.Norm(agent, red):
                    return logic.Norm(self.names.agents[agent], red)
                case logic.Enforces(group, path):
                    return logic.Enforces(self._spelled_group(group), inner(path))
                case logic.GroupKnows(kind, group, body):
                    return logic.GroupKnows(kind, self._spelled_group(group), inner(body))
                case logic.Knows(agent, body) | logic.Obliged(agent, body):
                    return type(formula)(self.names.agents[agent], inner(body))
                case _:
                    return mapped(formula, inner)

        formula = inner(item.formula)
        if item.logic == "LTL":
            return f"LTL {show_formula(without_quantifiers(formula))}"
        return ("CTL* " if item.logic == "CTL*" else "") + show_formula(formula)

    def _spelled_group(self, group: Group) -> Group:
        return replace(group, name=self.names.groups[group.name])


def _terms(words: Sequence[Expression]) -> Iterator[Expression]:
    """Yield the terms of a sum; the first one has no sign, and no number has a sign of its own."""
    for place, word in enumerate(words):
        match word:
            case Sum((Literal(0), Negative() as negative)) if place:
                yield negative
            case Sum((Literal(0) as zero, Negative() as negative)):
                yield from (zero, negative)
            case Literal(int() as value) if place and value < 0:
                yield Negative(Literal(-value))
            case _:
                yield word


def _with_equality_alone(condition: Expression) -> Expression:
    match condition:
        case Compare("<>", left, right):
            return Not(Compare("=", left, right))
        case Not(operand):
            return Not(_with_equality_alone(operand))
        case And(operands) | Or(operands):
            return type(condition)(tuple(map(_with_equality_alone, operands)))
        case _:
            return condition
