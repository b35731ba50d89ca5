"""One system in several ways: as it was drawn, built in Python, and written as a program and read again.

Systems that are drawn may say what no program can: that a number becomes a literal outside its range, say.
`writable` says the same in words that there are.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace as changed

from gnomon.checking.load import load_text
from gnomon.language.format import format_text
from gnomon.language.parse import parse
from gnomon.model import expression as typed
from gnomon.model.agent import Agent, Assignment, EvolutionLine, Variable
from gnomon.model.builder import AgentBuilder, SystemDraft
from gnomon.model.domain import Boolean, Domain, Enumeration, IntegerRange, Integers, contains
from gnomon.model.expression import Expression, Literal, Read
from gnomon.model.fold.systems import mapped
from gnomon.model.formula import (
    Formula,
    Proposition,
    StateCondition,
    show_formula,
    without_quantifiers,
)
from gnomon.model.observers import with_observers
from gnomon.model.operand import Operand
from gnomon.model.system import Specification, System
from gnomon.model.translation import CannotExport
from gnomon.results.export.ispl import render
from gnomon.text.record import replace
from gnomon.text.source import Source

ZERO = Literal(0)


class CannotBuild(Exception):
    """The builder has no word for something."""


# Words for everything


def writable(system: System) -> System:
    """Return a system with the same steps and verdicts that can be written as a program."""
    system = _named(_told_apart(system))
    words = _Words(system)
    return changed(
        system,
        agents=tuple(words.agent(agent) for agent in system.agents),
        initial=words(system.initial),
        propositions={name: words(each) for name, each in system.propositions.items()},
        specifications=tuple(words.asked(each) for each in system.specifications),
        fairness=tuple(words.asked(each) for each in system.fairness),
    )


def _told_apart(system: System) -> System:
    """Rename variables with the name of a value: a program could not tell which is meant."""
    taken = {
        name
        for variable in system.variables
        if isinstance(variable.domain, Enumeration)
        for name in variable.domain.names
    }

    def named(name: str) -> str:
        return f"{name}_" if name in taken else name

    reads: dict[Read, Expression] = {
        Read(v.agent, v.name): Read(v.agent, named(v.name)) for v in system.variables
    }

    def over(expression: Expression) -> Expression:
        return typed.substituted(expression, reads)

    def inner(formula: Formula) -> Formula:
        if isinstance(formula, StateCondition):
            return StateCondition(over(formula.expression))
        return mapped(formula, inner)

    def asked(item: Specification) -> Specification:
        return changed(item, formula=inner(item.formula))

    def renamed(agent: Agent) -> Agent:
        return replace(
            agent,
            variables=tuple(replace(v, name=named(v.name)) for v in agent.variables),
            protocol=tuple(
                replace(line, condition=over(line.condition)) for line in agent.protocol
            ),
            evolution=tuple(
                EvolutionLine(
                    tuple(Assignment(named(a.variable), over(a.value)) for a in line.assignments),
                    over(line.guard),
                    line.line,
                )
                for line in agent.evolution
            ),
            sees=tuple(map(named, agent.sees)),
            red=None if agent.red is None else over(agent.red),
        )

    return changed(
        system,
        agents=tuple(map(renamed, system.agents)),
        initial=over(system.initial),
        propositions={name: over(each) for name, each in system.propositions.items()},
        specifications=tuple(map(asked, system.specifications)),
        fairness=tuple(map(asked, system.fairness)),
    )


def _named(system: System) -> System:
    """Give names to conditions in formulae that do not begin with a variable, as they have to there."""
    propositions = dict(system.propositions)

    def inner(formula: Formula) -> Formula:
        if isinstance(formula, StateCondition) and not _begins_with_a_name(formula):
            name = f"named{len(propositions)}"
            propositions[name] = formula.expression
            return Proposition(name)
        return mapped(formula, inner)

    def asked(item: Specification) -> Specification:
        return changed(item, formula=inner(item.formula))

    specifications = tuple(map(asked, system.specifications))
    fairness = tuple(map(asked, system.fairness))
    return changed(
        system, propositions=propositions, specifications=specifications, fairness=fairness
    )


def _begins_with_a_name(formula: StateCondition) -> bool:
    """Return whether a condition can be read as it is; one on actions, in brackets, can as well."""
    return show_formula(formula)[0].isalpha() or bool(typed.actors(formula.expression))


class _Words:
    """Says what programs refuse because it is never so, or never possible, in a roundabout way."""

    def __init__(self, system: System) -> None:
        self.domains: dict[tuple[str, str], Domain] = {
            (v.agent, v.name): v.domain for v in system.variables
        }

    def __call__(self, expression: Expression) -> Expression:
        match expression:
            case typed.Compare(operator, left, right):
                # Bounds are looked at where a plain variable meets a plain number, and nowhere else.
                if self._is_number(left) or self._is_number(right):
                    return typed.Compare(operator, typed.Sum((self(left), ZERO)), self(right))
                return typed.Compare(operator, self(left), self(right))
            case typed.Not(operand) | typed.Negative(operand) | typed.BitComplement(operand):
                return type(expression)(self(operand))
            case typed.And(operands) | typed.Or(operands):
                return type(expression)(tuple(map(self, operands)))
            case typed.Sum(terms):
                return typed.Sum(tuple(map(self, terms)))
            case typed.Arithmetic(operator, left, right):
                return typed.Arithmetic(operator, self(left), self(right))
            case _:
                return expression

    def _is_number(self, expression: Expression) -> bool:
        match expression:
            case Literal(value):
                return isinstance(value, int) and not isinstance(value, bool)
            case Read(agent, name):
                return isinstance(self.domains[agent, name], IntegerRange)
            case _:
                return False

    def agent(self, agent: Agent) -> Agent:
        lines = (self._line(agent, line) for line in agent.evolution)
        return replace(
            agent,
            protocol=tuple(
                replace(line, condition=self(line.condition)) for line in agent.protocol
            ),
            evolution=tuple(line for line in lines if line is not None),
            red=None if agent.red is None else self(agent.red),
        )

    def _line(self, agent: Agent, line: EvolutionLine) -> EvolutionLine | None:
        """Return a line, or None where a value is of a larger enumeration, for which there is no word."""
        assignments = []
        for item in line.assignments:
            target = self.domains[agent.name, item.variable]
            if isinstance(target, Enumeration) and isinstance(item.value, Read):
                source = self.domains[item.value.agent, item.value.variable]
                if not all(contains(target, name) for name in source.names):  # type: ignore[union-attr]
                    return None
            value = self(item.value)
            if isinstance(target, IntegerRange) and isinstance(value, Literal | Read):
                value = typed.Sum((value, ZERO))
            assignments.append(Assignment(item.variable, value))
        return EvolutionLine(tuple(assignments), self(line.guard), line.line)

    def asked(self, item: Specification) -> Specification:
        def inner(formula: Formula) -> Formula:
            if isinstance(formula, StateCondition):
                return StateCondition(self(formula.expression))
            return mapped(formula, inner)

        return changed(item, formula=inner(item.formula))


def text_of(item: Specification) -> str:
    """Return a question as it is written."""
    if item.logic == "LTL":
        return f"LTL {show_formula(without_quantifiers(item.formula))}"
    return ("CTL* " if item.logic == "CTL*" else "") + show_formula(item.formula)


# Ways


def exported(system: System) -> System:
    """Return the system as it is written by `export` and read again; the text is as `fmt` leaves it."""
    text = render(with_observers(system))
    assert text == format_text(Source("", text))
    loaded = load_text(text)
    assert loaded.system is not None, (text, [item.message for item in loaded.diagnostics])
    assert (
        parse(Source("", text)).program == parse(Source("", format_text(Source("", text)))).program
    )
    return loaded.system


def built(system: System) -> System:
    """Return the system once more, built in Python with the operators there are for it."""
    return _Building(system).result()


WAYS: dict[str, Callable[[System], System]] = {"exported": exported, "built": built}


class _Building:
    """Builds a system after the model of another."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.builder = SystemDraft(system.name, semantics=system.semantics)
        self.terms: dict[tuple[str, str], Operand] = {}
        self.agents: dict[str, AgentBuilder] = {}

    def result(self) -> System:
        for agent in self.system.agents:
            self._declare(agent)
        for agent in self.system.agents:
            self._fill(agent)
        for name, condition in self.system.propositions.items():
            self.builder.proposition(name, self.term(condition))
        for name, group in self.system.groups.items():
            self.builder.group(name, *group.members)
        for item in self.system.fairness:
            self.builder.fairness(text_of(item))
        for item in self.system.specifications:
            self.builder.formula(text_of(item))
        return self.builder.finished(initial=self.term(self.system.initial))

    def _declare(self, agent: Agent) -> None:
        if agent.is_environment:
            made = self.builder.environment(agent.actions)
        else:
            observed = {v.name for v in self.system.environment.variables if v.observed}
            sees = [
                self.terms[self.system.environment.name, name]
                for name in agent.sees
                if name not in observed
            ]
            # What is red is said of variables that are declared only now.
            made = self.builder.agent(agent.name, agent.actions, sees=sees)
        self.agents[agent.name] = made
        for variable in agent.variables:
            self.terms[agent.name, variable.name] = self._variable(made, variable)
        made._red = None if agent.red is None else self.term(agent.red)

    def _variable(self, made: AgentBuilder, variable: Variable) -> Operand:
        match variable.domain:
            case Boolean():
                return made.boolean(variable.name, observed=variable.observed)
            case Enumeration(names):
                return made.enumeration(variable.name, names, observed=variable.observed)
            case IntegerRange(low, high):
                return made.integer(variable.name, low, high, observed=variable.observed)
            case Integers():
                return made.integer(variable.name, observed=variable.observed)

    def _fill(self, agent: Agent) -> None:
        made = self.agents[agent.name]
        for line in agent.protocol:
            made.may(*line.actions, when=self.term(line.condition))
        lawless = not agent.protocol and agent.other is None
        if agent.actions and lawless and not agent.is_environment:
            raise CannotBuild  # as a program would be
        if agent.other is not None:
            made.otherwise(*agent.other)
        for rule in agent.evolution:
            changes = {
                self.terms[agent.name, item.variable]: self._given(item.value)
                for item in rule.assignments
            }
            made.evolve(changes, when=self.term(rule.guard))

    def _given(self, value: Expression) -> Operand | bool | int | str:
        return value.value if isinstance(value, Literal) else self.term(value)

    def term(self, expression: Expression) -> Operand:
        """Return an expression by Python's operators."""
        match expression:
            case Literal(bool() as value):
                return Operand(Literal(value), Boolean())
            case Literal(int() as value):
                return Operand(Literal(value), Integers())
            case Literal(value):
                return Operand(Literal(value), Enumeration((str(value),)))
            case Read(agent, name):
                return self.terms[agent, name]
            case typed.Does(agent, action):
                return self.agents[agent].does(action)
            case typed.Not(operand):
                return ~self.term(operand)
            case typed.And(operands):
                return self._joined(operands, Operand.__and__, empty=True)
            case typed.Or(operands):
                return self._joined(operands, Operand.__or__, empty=False)
            case typed.Sum(terms):
                total, *others = map(self.term, terms)
                for other in others:
                    total = total + other
                return total
            case typed.Negative(operand):
                return 0 - self.term(operand)
            case typed.Compare(operator, left, right):
                return self._compared(operator, left, right)
            case typed.Arithmetic(operator, left, right):
                return self._calculated(operator, self.term(left), self.term(right))
            case _:
                raise CannotBuild(typed.show(expression))

    def _joined(
        self,
        operands: tuple[Expression, ...],
        join: Callable[[Operand, Operand], Operand],
        *,
        empty: bool,
    ) -> Operand:
        if not operands:
            return Operand(Literal(empty), Boolean())
        total, *others = map(self.term, operands)
        for other in others:
            total = join(total, other)
        return total

    def _compared(self, operator: str, left: Expression, right: Expression) -> Operand:
        one = self.term(left)
        two = self._given(right)
        apply: dict[str, Callable[[], object]] = {
            "=": lambda: one == two,
            "<>": lambda: one != two,
            "<": lambda: one < two,  # type: ignore[operator]
            "<=": lambda: one <= two,  # type: ignore[operator]
            ">": lambda: one > two,  # type: ignore[operator]
            ">=": lambda: one >= two,  # type: ignore[operator]
        }
        found = apply[operator]()
        assert isinstance(found, Operand)
        return found

    def _calculated(self, operator: str, left: Operand, right: Operand) -> Operand:
        match operator:
            case "*":
                return left * right
            case "/":
                return left / right
            case "div":
                return left // right
            case "mod":
                return left % right
            case _:
                raise CannotBuild(operator)


def ways(system: System) -> Iterator[tuple[str, System]]:
    """Yield the same system in each way that has words for all of it."""
    for name, make in WAYS.items():
        try:
            yield name, make(system)
        except (CannotBuild, CannotExport):
            continue
