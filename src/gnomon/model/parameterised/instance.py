"""A definite number of agents of each template as an ordinary system.

The environment says which kind of step it is: `step` for local actions of agents alone, one of its local
actions, or a synchronised one. What agents choose that does not go with that has no effect. So the reachable
states are those of the definition, step by step.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

from gnomon.model.agent import ENVIRONMENT, Agent, EvolutionLine, ProtocolLine, Variable
from gnomon.model.expression import FALSE, TRUE, And, Does, Expression, Not, Or
from gnomon.model.formula import (
    All,
    Constant,
    Exists,
    Formula,
    Globally,
    Group,
    GroupKnows,
    Knows,
    Proposition,
    StateCondition,
)
from gnomon.model.formula import And as FormulaAnd
from gnomon.model.formula import Finally as Eventually
from gnomon.model.formula import Implies as FormulaImplies
from gnomon.model.formula import Not as FormulaNot
from gnomon.model.formula import Or as FormulaOr
from gnomon.model.parameterised import condition as open_condition
from gnomon.model.parameterised import knowing
from gnomon.model.parameterised.condition import SELF
from gnomon.model.parameterised.grounding import Grounding, fresh
from gnomon.model.parameterised.query import (
    Ability,
    Epistemic,
    Knowledge,
    KnownBy,
    OverTime,
    Safety,
)
from gnomon.model.parameterised.system import OpenSystem, Part, PopulationQuestion
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
            guard = self._able(name, action)
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
        leader = next((a for a, each in self.open.followed_by.items() if each == action), None)
        if leader is not None:
            return self._follows(name, leader, guard)
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

    def _follows(self, name: str, leader: str, guard: Expression) -> Expression:
        """Return when an agent does what follows an action that it does not take part in."""
        if leader not in self.open.environment.guards:
            return FALSE
        leads: Expression = Does(name, leader)
        if name not in self._who_can(leader):
            leads = FALSE
        elif self.open.sync[leader] == "all":
            leads = self._able(name, leader)
        return And((Does(ENVIRONMENT, leader), self._takes_place(leader), Not(leads), guard))

    def _able(self, name: str, action: str) -> Expression:
        """Return where an agent can do an action."""
        part = self.open.part[self._template(name)]
        if action not in part.guards:
            return FALSE
        who = {SELF: name, ENVIRONMENT: ENVIRONMENT}
        return And((self.expression(part.guards[action], who), self.within(part, action, who)))

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
                case Knowledge() | Epistemic() if self.open.fairness:
                    # It has no fairness, and so more configurations that look alike.
                    continue
                case Knowledge() as query:
                    yield from self._knowing(question, query, expected, taken)
                case Epistemic(knowledge, reach):
                    known = self._epistemic(knowledge, {ENVIRONMENT: ENVIRONMENT})
                    yield Specification(
                        Exists(Eventually(known)) if reach else All(Globally(known)),
                        question.text,
                        question.line,
                        name=question.name,
                    )
                case OverTime() | Ability():
                    # The program of a definite number has steps in which nobody acts.
                    continue

    def _epistemic(self, formula: knowing.EpistemicFormula, who: Mapping[str, str]) -> Formula:
        """Return what so many agents know, who know how many they are, and who is who."""
        match formula:
            case knowing.Here(condition):
                return self._formula(condition, who)
            case knowing.OppositeOf(body):
                return FormulaNot(self._epistemic(body, who))
            case knowing.AllOf(operands):
                return FormulaAnd(tuple(self._epistemic(each, who) for each in operands))
            case knowing.AnyOf(operands):
                return FormulaOr(tuple(self._epistemic(each, who) for each in operands))
            case knowing.SomeAgent(index, template, body):
                found = (self._epistemic(body, {**who, index: n}) for n in self._all_of(template))
                return FormulaOr(tuple(found)) if self._all_of(template) else Constant(False)
            case knowing.EveryAgent(index, template, body):
                found = (self._epistemic(body, {**who, index: n}) for n in self._all_of(template))
                return FormulaAnd(tuple(found)) if self._all_of(template) else Constant(True)
            case knowing.AgentKnows(index, _, body):
                return Knows(who[index], self._epistemic(body, who))
            case knowing.Common(template, body):
                group = Group(self._all_of(template))
                known = self._epistemic(body, who)
                return GroupKnows("common", group, known) if group.members else Constant(True)
            case knowing.JointlyKnown(template, body):
                group = Group(self._all_of(template))
                return GroupKnows("distributed", group, self._epistemic(body, who))

    def _all_of(self, template: str) -> tuple[str, ...]:
        """Return the names of all agents of a template."""
        return tuple(name for name in self.names if self._template(name) == template)

    def _knowing(
        self,
        question: PopulationQuestion,
        query: Knowledge,
        expected: Expectation | None,
        taken: set[str],
    ) -> Iterator[Specification]:
        """Yield what each agent is to know, or once what is common knowledge."""
        knowing = [name for name in self.names if self._template(name) == query.template]
        labels = _numbered(question.name, len(knowing), taken)
        for name, label in zip(knowing, labels, strict=True):
            who = {ENVIRONMENT: ENVIRONMENT, SELF: name}
            known = self._known(query.further, FormulaNot(self._formula(query.doubt, who)))
            if query.common:
                knows: Formula = GroupKnows("common", Group(tuple(knowing)), known)
            else:
                knows = Knows(name, known)
            inside = FormulaImplies(self._formula(query.when, who), knows)
            yield Specification(
                All(Globally(inside)),
                question.text,
                question.line,
                name=label,
                expected=expected,
            )

    def _known(self, levels: tuple[KnownBy, ...], body: Formula) -> Formula:
        """Return that all agents of some templates know, from outside to inside."""
        for level in reversed(levels):
            members = tuple(n for n in self.names if self._template(n) == level.template)
            kind: Literal["common", "everybody"] = "common" if level.common else "everybody"
            # Of nobody everything can be said.
            body = GroupKnows(kind, Group(members), body) if members else Constant(True)
        return body

    def _template(self, name: str) -> str:
        return self.members[self.names.index(name)]

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
