"""A population of any size as an ordinary system that says which local states are occupied.

Where any number of agents may take part in every action, a further agent can do all that another one does.
So nothing is lost by keeping only which local states have agents in them at all: the system has a Boolean
variable for each, and no step takes agents away from where they are. What it can reach is what any number of
agents can.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.local_sets import bits
from gnomon.model import formula as logic
from gnomon.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from gnomon.model.domain import Boolean, Datum, contains, values_of
from gnomon.model.expression import (
    FALSE,
    TRUE,
    And,
    Compare,
    Does,
    Expression,
    Literal,
    Not,
    Or,
    Read,
    reads,
    substituted,
)
from gnomon.model.fold.expressions import Folder
from gnomon.model.formula import Formula
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.grounding import Grounding, fresh, joined
from gnomon.model.parameterised.instance import NOP
from gnomon.model.parameterised.query import Safety
from gnomon.model.parameterised.step import Local
from gnomon.model.parameterised.system import (
    Looked,
    Part,
    change_when_doing,
    values_in,
    when_doing,
    with_values,
)
from gnomon.model.system import Specification, System
from gnomon.text.record import Record


class _OccupancyMove(Record):
    """An agent in one local state can get to another where a condition holds."""

    source: Local
    target: Local
    when: Expression


class OccupancyTranslation(Grounding):
    """Writes the system; agents that conditions look for are stand-ins, each in a known local state."""

    def __init__(self, program: CompiledPopulation) -> None:
        """Write the system of a population for which saturation is exact."""
        super().__init__(program.system)
        self.program = program
        self.states: dict[str, list[Local]] = {}
        #: Whether there are agents in a local state.
        self.there: dict[tuple[str, Local], Variable] = {}
        self.stand_ins: dict[str, tuple[str, Local]] = {}
        taken = {variable.name for variable in self._kept()}
        for name in program.names:
            within, space = program.within[name], program.spaces[name]
            assert isinstance(within, int), "diagrams are too large to be written out"
            self.states[name] = [space.state(number) for number in bits(within)]
            for state in self.states[name]:
                shown = fresh(joined(name, state), taken)
                taken.add(shown)
                self.there[name, state] = Variable(ENVIRONMENT, shown, Boolean())
        self.variables = (*self._kept(), *self.there.values())
        self.fold = Folder({(ENVIRONMENT, v.name): v.domain for v in self.variables})

    def _kept(self) -> Iterator[Variable]:
        for variable in self.open.environment.variables:
            yield Variable(ENVIRONMENT, variable.name, variable.domain)
        yield from self.facts.values()

    # Agents

    def candidates(
        self, index: str, template: str, who: Mapping[str, str]
    ) -> Iterator[tuple[Expression, Mapping[str, str]]]:
        """Yield the agents that are spoken of already, and another one in each local state.

        Wherever there are agents there may be as many as one likes: another one is there if any is.
        """
        for name in dict.fromkeys(who.values()):
            if name in self.stand_ins and self.stand_ins[name][0] == template:
                yield TRUE, {**who, index: name}
        for state in self.states[template]:
            name = self._stand_in(template, state, len(who))
            yield self._is_there(template, state), {**who, index: name}

    def _stand_in(self, template: str, state: Local, number: int) -> str:
        name = f"{joined(template, state)} {number}"
        self.stand_ins[name] = (template, state)
        return name

    def _is_there(self, template: str, state: Local) -> Expression:
        return Read(ENVIRONMENT, self.there[template, state].name)

    def read(self, agent: str, variable: str) -> Expression:
        """Return the value of a variable, which is known of stand-ins."""
        if agent not in self.stand_ins:
            return Read(agent, variable)
        template, state = self.stand_ins[agent]
        return Literal(state[self.open.position[template, variable]])

    # Moves

    def _moves(self, part: Part, action: str) -> Iterator[_OccupancyMove]:
        """Yield all that agents of a template can do with an action."""
        if action not in part.guards:
            return
        for state in self.states[part.name]:
            who = {SELF: self._stand_in(part.name, state, 0), ENVIRONMENT: ENVIRONMENT}
            guard = self.fold(self.expression(part.guards[action], who))
            if guard == FALSE:
                continue
            for values in self._environments(part, action):
                here = And((guard, *(Compare("=", read, value) for read, value in values.items())))
                for target, when in self._targets(part, action, state, who, values):
                    whole = self.fold(And((here, when)))
                    # What cannot be reached at all cannot be reached by this.
                    if whole != FALSE and (part.name, target) in self.there:
                        yield _OccupancyMove(state, target, whole)

    def _environments(self, part: Part, action: str) -> Iterator[dict[Read, Literal]]:
        """Yield all values of the environment's variables that a change of an agent reads."""
        changes = self.open.effects[part.name, action]
        asked = {
            read
            for guard, change in changes
            for read in reads(guard, *values_in(change))
            if read.agent == ENVIRONMENT
        }
        listed = sorted(asked, key=repr)
        domains = {v.name: v.domain for v in self.open.environment.variables}
        for values in product(*(values_of(domains[read.variable]) for read in listed)):
            yield dict(zip(listed, map(Literal, values), strict=True))

    def _targets(
        self,
        part: Part,
        action: str,
        state: Local,
        who: Mapping[str, str],
        environment: Mapping[Read, Literal],
    ) -> Iterator[tuple[Local, Expression]]:
        """Yield the local states after an action, and under which facts."""

        def known(expression: Expression) -> Expression:
            return self.fold(self.named(substituted(expression, environment), who))

        after: dict[str, Datum] = {}
        looked: list[Looked] = []
        for each in part.changes:
            if known(when_doing(each.line.guard, action)) == TRUE:
                change = with_values(
                    change_when_doing(each, action), lambda e: substituted(e, environment)
                )
                looked += change.looked
                for item in change.line.assignments:
                    value = known(item.value)
                    if not isinstance(value, Literal):
                        return  # a fraction is no value of any variable
                    after[item.variable] = value.value
        results = [self.open.relations[item.value.relation].result for item in looked]
        for values in product(*(values_of(result) for result in results if result is not None)):
            found = {item.variable: value for item, value in zip(looked, values, strict=True)}
            when = [
                self.has_value(item.value, value, who)
                for item, value in zip(looked, values, strict=True)
            ]
            target = _changed(part, state, {**after, **found})
            if target is not None:
                yield target, And(tuple(when))

    def _where(self, part: Part, moves: Iterable[_OccupancyMove]) -> Expression:
        """Return whether there is an agent for one of the moves."""
        sources: dict[Expression, list[Expression]] = {}
        for move in moves:
            there = self._is_there(part.name, move.source)
            sources.setdefault(move.when, []).append(there)
        return self.fold(
            Or(tuple(And((Or(tuple(there)), when)) for when, there in sources.items()))
        )

    def _arrivals(
        self, part: Part, moves: list[_OccupancyMove], does: Does, enabled: Expression
    ) -> Iterator[EvolutionLine]:
        """Yield what becomes occupied; `enabled` need not be said again."""
        for target in dict.fromkeys(move.target for move in moves):
            found = [move for move in moves if move.target == target and move.source != target]
            where = self._where(part, found)
            if where != FALSE:
                occupied = Assignment(self.there[part.name, target].name, TRUE)
                guard = does if where == enabled else And((does, where))
                yield EvolutionLine((occupied,), guard)

    # The system

    def system(self) -> System:
        """Return the system, which has no agent but the environment."""
        taken = {NOP, *self.open.environment.actions}
        actions: list[str] = []
        lines: list[ProtocolLine] = []
        evolution: list[EvolutionLine] = []
        for action, enabled, found in (*self._by_environment(), *self._by_agents(taken)):
            actions.append(action)
            lines.append(ProtocolLine(enabled, (action,)))
            evolution += found
        nop = fresh(NOP, actions)
        environment = Agent(
            ENVIRONMENT,
            self.variables,
            (nop, *actions),
            tuple(lines),
            other=(nop,),
            evolution=tuple(evolution),
        )
        propositions, specifications = self._asked()
        return System(
            name=self.open.name,
            agents=(environment,),
            initial=self.fold(self._initial()),
            semantics="SingleAssignment",
            propositions=propositions,
            specifications=specifications,
        )

    def _by_environment(self) -> Iterator[tuple[str, Expression, list[EvolutionLine]]]:
        """Yield what the environment does, alone or with agents: where, and what it changes."""
        part, who = self.open.environment, {ENVIRONMENT: ENVIRONMENT}
        for action in part.actions:
            if action not in part.guards:
                continue
            does = Does(ENVIRONMENT, action)
            enabled: list[Expression] = [
                self.expression(part.guards[action], who),
                self.within(part, action, who),
            ]
            changes = list(self.changes(part, action, does, who))
            if action in self.open.sync:
                moves = [
                    (taker, list(self._moves(taker, action))) for taker in self._takers(action)
                ]
                joined_in = self.fold(Or(tuple(self._where(taker, each) for taker, each in moves)))
                enabled.append(joined_in)
                for taker, each in moves:
                    changes += self._arrivals(taker, each, does, joined_in)
            where = self.fold(And(tuple(enabled)))
            if where != FALSE:
                yield action, where, changes

    def _takers(self, action: str) -> list[Part]:
        return [part for part in self.open.templates if action in part.synchronised]

    def _by_agents(self, taken: set[str]) -> Iterator[tuple[str, Expression, list[EvolutionLine]]]:
        """Yield what agents do alone: where that gets them anywhere, and where."""
        for part in self.open.templates:
            for action in part.local:
                moves = [move for move in self._moves(part, action) if move.source != move.target]
                if moves:
                    name = fresh(f"{part.name}_{action}", taken)
                    taken.add(name)
                    where = self._where(part, moves)
                    does = Does(ENVIRONMENT, name)
                    yield name, where, list(self._arrivals(part, moves, does, where))

    def _initial(self) -> Expression:
        found = [self.expression(self.open.environment.initial, {ENVIRONMENT: ENVIRONMENT})]
        found += [self.expression(axiom, {}) for axiom in self.open.axioms]
        for name in self.program.names:
            space, starts = self.program.spaces[name], self.program.initial[name]
            for state in self.states[name]:
                there = self._is_there(name, state)
                found.append(there if starts >> space.number(state) & 1 else Not(there))
        return And(tuple(found))

    def _asked(self) -> tuple[dict[str, Expression], tuple[Specification, ...]]:
        """Return the formulae about what can be reached, and the propositions that they need.

        Others might say that there is no agent somewhere, and that is not known.
        """
        propositions: dict[str, Expression] = {}
        specifications: list[Specification] = []
        for question in self.open.questions:
            if isinstance(question.query, Safety):
                bad, reach = question.query.bad, question.query.reach
                where = self._formula(bad, propositions)
                formula: Formula = logic.All(logic.Globally(logic.Not(where)))
                if reach:
                    formula = logic.Exists(logic.Finally(where))
                # It says what any number of agents can do, and so all that is decided of them.
                expected = None if question.expected == "undefined" else question.expected
                asked = Specification(
                    formula, question.text, question.line, name=question.name, expected=expected
                )
                specifications.append(asked)
        return propositions, tuple(specifications)

    def _formula(self, condition: Condition, propositions: dict[str, Expression]) -> Formula:
        expression = self.fold(self.expression(condition, {ENVIRONMENT: ENVIRONMENT}))
        for name, meaning in self.open.propositions.items():
            if meaning == condition:
                propositions[name] = expression
                return logic.Proposition(name)
        return logic.StateCondition(expression)


def _changed(part: Part, state: Local, after: Mapping[str, Datum]) -> Local | None:
    """Return a local state with other values; None where one of them is none of its variable's."""
    values = []
    for variable, before in zip(part.variables, state, strict=True):
        value = after.get(variable.name, before)
        if not contains(variable.domain, value):
            return None
        values.append(value)
    return tuple(values)
