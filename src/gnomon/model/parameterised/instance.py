"""A definite number of agents of each template as an ordinary system.

The environment says which kind of step it is: `step` for local actions of agents alone, one of its local
actions, or a synchronised one. What agents choose that does not go with that has no effect. So the reachable
states are those of the definition, step by step.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from gnomon.model.agent import ENVIRONMENT, Agent, EvolutionLine, ProtocolLine, Variable
from gnomon.model.expression import FALSE, TRUE, And, Does, Expression, Not, Or
from gnomon.model.formula import All, Exists, Formula, Globally, Knows, Proposition, StateCondition
from gnomon.model.formula import Finally as Eventually
from gnomon.model.formula import Implies as FormulaImplies
from gnomon.model.formula import Not as FormulaNot
from gnomon.model.parameterised import condition as open_condition
from gnomon.model.parameterised.condition import SELF
from gnomon.model.parameterised.grounding import Grounding, fresh
from gnomon.model.parameterised.system import (
    Knowledge,
    OpenSystem,
    Part,
    PopulationQuestion,
    Safety,
)
from gnomon.model.system import Expectation, Specification, System

STEP: Final = "step"
NOP: Final = "nop"


def named(members: Iterable[str]) -> tuple[str, ...]:
    """Return a name for each agent: its template's, and a number."""
    counts: dict[str, int] = {}
    found: list[tuple[str, int]] = []
    for template in members:
        counts[template] = counts.get(template, 0) + 1
        found.append((template, counts[template]))
    between = ""
    # The eleventh `T` and the first `T1` would have one name.
    while len({f"{template}{between}{number}" for template, number in found}) < len(found):
        between += "_"
    return tuple(f"{template}{between}{number}" for template, number in found)


def _numbered(name: str, count: int, taken: set[str]) -> list[str]:
    """Return a name with a number for each agent that a question is about, which no other formula has."""
    if not name:
        return [""] * count
    base, _, indices = name.removesuffix("]").partition("[")
    before = f"{indices}," if indices else ""
    while True:
        found = [f"{base}[{before}{number}]" for number in range(1, count + 1)]
        if taken.isdisjoint(found):
            taken.update(found)
            return found
        base += "_"


def pictured(system: OpenSystem, members: tuple[str, ...]) -> System:
    """Return the agents of a population with their variables and actions, to show a run of theirs."""
    agents = [_pictured(system.environment, ENVIRONMENT)]
    for template, name in zip(members, named(members), strict=True):
        agents.append(_pictured(system.part[template], name))
    return System(system.name, tuple(agents), TRUE)


def _pictured(part: Part, name: str) -> Agent:
    variables = tuple(Variable(name, v.name, v.domain, v.observed) for v in part.variables)
    return Agent(name, variables, (NOP, *part.actions), sees=part.sees)


def instance(system: OpenSystem, members: tuple[str, ...]) -> System:
    """Return the system with this population; the facts of relations are variables of the environment."""
    return _Instance(system, members).system()


class _Instance(Grounding):
    """The system of a population."""

    def __init__(self, system: OpenSystem, members: tuple[str, ...]) -> None:
        self.members = members
        self.names = named(members)
        self.step = fresh(STEP, system.environment.actions)
        super().__init__(system)

    def system(self) -> System:
        agents = [self._environment()]
        for number, template in enumerate(self.members):
            agents.append(self._agent(number, self.open.part[template]))
        return System(
            name=self.open.name,
            agents=tuple(agents),
            initial=self._initial(),
            terminal=self._terminal(),
            semantics="SingleAssignment",
            propositions=self._propositions(),
            specifications=tuple(self._specifications()),
        )

    def candidates(
        self, index: str, template: str, who: Mapping[str, str]
    ) -> Iterator[tuple[Expression, Mapping[str, str]]]:
        for name, member in zip(self.names, self.members, strict=True):
            if member == template:
                yield TRUE, {**who, index: name}

    # Agents

    def _environment(self) -> Agent:
        part = self.open.environment
        own = tuple(Variable(ENVIRONMENT, v.name, v.domain, v.observed) for v in part.variables)
        who = {ENVIRONMENT: ENVIRONMENT}
        lines = [ProtocolLine(TRUE, (self.step,))]
        for action in part.actions:
            if action in part.guards:
                guard = self.expression(part.guards[action], who)
                lines.append(ProtocolLine(And((guard, self.within(part, action, who))), (action,)))
        evolution: list[EvolutionLine] = []
        for action in part.actions:
            happens = And((Does(ENVIRONMENT, action), self._takes_place(action)))
            evolution += self.changes(part, action, happens, who)
        return Agent(
            ENVIRONMENT,
            (*own, *self.facts.values()),
            (self.step, *part.actions),
            tuple(lines),
            evolution=tuple(evolution),
        )

    def _takes_place(self, action: str) -> Expression:
        """Return whether enough agents take part in what the environment does."""
        kind = self.open.sync.get(action)
        if kind is None or kind == "all":
            return TRUE
        doing = [Does(name, action) for name in self._who_can(action)]
        if kind == "some":
            return Or(tuple(doing))
        return Or(tuple(self._alone(does, doing) for does in doing))

    def _alone(self, does: Does, doing: list[Does]) -> Expression:
        return And((does, *(Not(other) for other in doing if other != does)))

    def _who_can(self, action: str) -> list[str]:
        return [
            name
            for name, template in zip(self.names, self.members, strict=True)
            if action in self.open.part[template].actions
        ]

    def _agent(self, number: int, part: Part) -> Agent:
        name = self.names[number]
        who = {SELF: name, ENVIRONMENT: ENVIRONMENT}
        variables = tuple(Variable(name, v.name, v.domain) for v in part.variables)
        nop = fresh(NOP, part.actions)
        lines = [ProtocolLine(TRUE, (nop,))]
        evolution: list[EvolutionLine] = []
        for action in part.actions:
            if action not in part.guards:
                continue
            guard = And((self.expression(part.guards[action], who), self.within(part, action, who)))
            lines.append(ProtocolLine(guard, (action,)))
            happens = self._happens(name, action, guard)
            evolution += self.changes(part, action, happens, who)
        return Agent(
            name,
            variables,
            (nop, *part.actions),
            tuple(lines),
            evolution=tuple(evolution),
            sees=part.sees,
        )

    def _happens(self, name: str, action: str, guard: Expression) -> Expression:
        """Return when what an agent does has its effect."""
        kind = self.open.sync.get(action)
        if kind is None:
            modes = (self.step, *self.open.environment.local)
            return And((Does(name, action), Or(tuple(Does(ENVIRONMENT, mode) for mode in modes))))
        if action not in self.open.environment.guards:
            return FALSE
        together = Does(ENVIRONMENT, action)
        if kind == "all":
            return And((together, guard))
        if kind == "some":
            return And((together, Does(name, action)))
        doing = [Does(other, action) for other in self._who_can(action)]
        return And((together, self._alone(Does(name, action), doing)))

    # The rest

    def _initial(self) -> Expression:
        found = [self.expression(self.open.environment.initial, {ENVIRONMENT: ENVIRONMENT})]
        for name, template in zip(self.names, self.members, strict=True):
            found.append(self.expression(self.open.part[template].initial, {SELF: name}))
        found += [self.expression(axiom, {}) for axiom in self.open.axioms]
        return And(tuple(found))

    def _terminal(self) -> Expression | None:
        if self.open.terminal is None:
            return None
        return self.expression(self.open.terminal, {ENVIRONMENT: ENVIRONMENT})

    def _propositions(self) -> dict[str, Expression]:
        return {
            name: self.expression(condition, {ENVIRONMENT: ENVIRONMENT})
            for name, condition in self.open.propositions.items()
        }

    def _specifications(self) -> Iterator[Specification]:
        taken = {question.name for question in self.open.questions}
        for question in self.open.questions:
            expected = self._expected(question)
            match question.query:
                case Safety(bad, reach):
                    where: Formula = self._formula(bad, {ENVIRONMENT: ENVIRONMENT})
                    formula: Formula = (
                        Exists(Eventually(where)) if reach else All(Globally(FormulaNot(where)))
                    )
                    yield Specification(
                        formula,
                        question.text,
                        question.line,
                        name=question.name,
                        expected=expected,
                    )
                case Knowledge(template, when, doubt):
                    found = zip(self.names, self.members, strict=True)
                    knowing = [name for name, member in found if member == template]
                    labels = _numbered(question.name, len(knowing), taken)
                    for name, label in zip(knowing, labels, strict=True):
                        who = {ENVIRONMENT: ENVIRONMENT, SELF: name}
                        knows = Knows(name, FormulaNot(self._formula(doubt, who)))
                        inside = FormulaImplies(self._formula(when, who), knows)
                        yield Specification(
                            All(Globally(inside)),
                            question.text,
                            question.line,
                            name=label,
                            expected=expected,
                        )

    def _expected(self, question: PopulationQuestion) -> Expectation | None:
        """Return what to expect of this population, where that follows from what is expected of all."""
        match question.query:
            case Safety(_, reach=True):
                follows: Expectation = "false"
            case _:
                follows = "true"
        one_of_them = all(
            part.allows(self.members.count(part.name)) for part in self.open.templates
        )
        return follows if one_of_them and question.expected == follows else None

    def _formula(self, condition: open_condition.Condition, who: Mapping[str, str]) -> Formula:
        for name, meaning in self.open.propositions.items():
            if meaning == condition:
                return Proposition(name)
        return StateCondition(self.expression(condition, who))
