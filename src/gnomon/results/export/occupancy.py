"""A model with templates as an ordinary program about sets of agents, for any number of them.

Where any number of agents may take part in every action, a further agent can do all that another one does.
So nothing is lost by keeping only which local states have agents in them at all: the program has a Boolean
variable for each, and no step takes agents away from where they are. What it can reach is what any number of
agents can.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from gnomon.engines.parameterised.forward import is_for
from gnomon.engines.parameterised.program import Program
from gnomon.engines.parameterised.space import bits
from gnomon.model import formula as logic
from gnomon.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from gnomon.model.budget import LimitReached
from gnomon.model.domain import Boolean, Integers, OpenEnumeration, Value, contains, values_of
from gnomon.model.expression import FALSE, TRUE, And, Does, Expression, Literal, Not, Or, Read
from gnomon.model.formula import Formula
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.grounding import Grounding, NotFinite, fresh, joined
from gnomon.model.parameterised.instance import NOP
from gnomon.model.parameterised.step import Local
from gnomon.model.parameterised.system import Looked, OpenSystem, Part, Safety, when_doing
from gnomon.model.system import Specification, System
from gnomon.results.export.fold import Folder, folded
from gnomon.results.export.ispl import CannotExport, Export, render
from gnomon.results.export.population import as_asked, check_size, without_idle_facts
from gnomon.text.limits import room_to_recurse
from gnomon.text.record import Record

_GIVE_A_NUMBER = "give a number, as in --agents 3"


def export_occupancy(system: OpenSystem, model: str) -> Export:
    """Return the program that can reach what any number of agents can."""
    program = _compiled(system)
    counts = {name: program.within[name].bit_count() for name in program.names}
    check_size(system, counts, (*counts.items(), (ENVIRONMENT, 1)))
    try:
        with room_to_recurse():
            written = without_idle_facts(system, folded(_Occupancy(program).system()))
            written, notes = as_asked(written)
    except NotFinite as reason:
        raise CannotExport(str(reason)) from None
    header = [
        f"Exported by Gnomon from {model}, for any number of agents.",
        "Kept is where there are agents at all: what can be reached is what any number of agents can reach.",
        *(_legend(part) for part in system.templates),
    ]
    safety = [question for question in system.questions if isinstance(question.query, Safety)]
    left_out = len(system.questions) - len(safety)
    warnings: tuple[str, ...] = ()
    if left_out:
        if not safety:
            raise CannotExport(
                "sets of agents do not say what a single one knows, and the model asks nothing else: "
                f"{_GIVE_A_NUMBER}"
            )
        said = "Formulae about knowledge are left out: sets of agents do not say what a single one knows."
        header.append(said)
        warnings = (said,)
    return Export(render(written, header, notes), warnings)


def _legend(part: Part) -> str:
    shown = ", ".join(variable.name for variable in part.variables)
    name = "_".join([part.name, *(f"<{variable.name}>" for variable in part.variables)])
    return f"{name}: whether some {part.name} has these values of {shown or 'nothing'}."


def _compiled(system: OpenSystem) -> Program:
    """Return the system compiled, if sets of agents are all that matters."""
    if not system.is_finite:
        raise CannotExport(
            f"every local state becomes a variable, and there is no end to them: {_endless(system)}"
        )
    for action, kind in system.sync.items():
        if kind != "some":
            what = (
                "exactly one agent takes part" if kind == "one" else "all agents take part that can"
            )
            raise CannotExport(
                f"in `{action}` {what}, and sets of agents do not say how many there are: "
                f"{_GIVE_A_NUMBER}"
            )
    for part in system.templates:
        if part.high is not None:
            raise CannotExport(
                f"`{part.name}` has {part.high} agents at most, and sets of agents do not say how many there "
                f"are: {_GIVE_A_NUMBER}, or leave the bound out"
            )
    try:
        program = Program(system)
    except LimitReached as limit:
        raise CannotExport(f"{limit}: {_GIVE_A_NUMBER}") from None
    if not is_for(program):
        raise CannotExport(
            "a guard speaks of every agent with `forall`, and sets of agents only say where some are: "
            f"{_GIVE_A_NUMBER}"
        )
    return program


def _endless(system: OpenSystem) -> str:
    """Return what has infinitely many values, and what to do about it."""
    for part in system.part.values():
        for variable in part.variables:
            whole = f"{part.name}.{variable.name}"
            if isinstance(variable.domain, OpenEnumeration):
                return f"name all values of `{variable.domain}`, the type of `{whole}`, in `Types`"
            if isinstance(variable.domain, Integers):
                return f"give `{whole}` bounds, as in 0..9, or {_GIVE_A_NUMBER}"
    return "name all values of the types of relations in `Types`"


class _Move(Record):
    """An agent in one local state can get to another where a condition holds."""

    source: Local
    target: Local
    when: Expression


class _Occupancy(Grounding):
    """Writes the program; agents that conditions look for are stand-ins, each in a known local state."""

    def __init__(self, program: Program) -> None:
        super().__init__(program.system)
        self.program = program
        self.states: dict[str, list[Local]] = {}
        #: Whether there are agents in a local state.
        self.there: dict[tuple[str, Local], Variable] = {}
        self.stand_ins: dict[str, tuple[str, Local]] = {}
        taken = {variable.name for variable in self._kept()}
        for name in program.names:
            self.states[name] = [program.spaces[name].state(n) for n in bits(program.within[name])]
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

    def _moves(self, part: Part, action: str) -> Iterator[_Move]:
        """Yield all that agents of a template can do with an action."""
        if action not in part.guards:
            return
        for state in self.states[part.name]:
            who = {SELF: self._stand_in(part.name, state, 0), ENVIRONMENT: ENVIRONMENT}
            guard = self.fold(self.expression(part.guards[action], who))
            if guard == FALSE:
                continue
            for target, when in self._targets(part, action, state, who):
                whole = self.fold(And((guard, when)))
                # What cannot be reached at all cannot be reached by this.
                if whole != FALSE and (part.name, target) in self.there:
                    yield _Move(state, target, whole)

    def _targets(
        self, part: Part, action: str, state: Local, who: Mapping[str, str]
    ) -> Iterator[tuple[Local, Expression]]:
        """Yield the local states after an action, and under which facts."""
        after: dict[str, Value] = {}
        looked: list[Looked] = []
        for change in part.changes:
            if self.fold(self.named(when_doing(change.line.guard, action), who)) == TRUE:
                looked += change.looked
                for item in change.line.assignments:
                    value = self.fold(self.named(item.value, who))
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

    def _where(self, part: Part, moves: Iterable[_Move]) -> Expression:
        """Return whether there is an agent for one of the moves."""
        sources: dict[Expression, list[Expression]] = {}
        for move in moves:
            there = self._is_there(part.name, move.source)
            sources.setdefault(move.when, []).append(there)
        return self.fold(
            Or(tuple(And((Or(tuple(there)), when)) for when, there in sources.items()))
        )

    def _arrivals(
        self, part: Part, moves: list[_Move], does: Does, enabled: Expression
    ) -> Iterator[EvolutionLine]:
        """Yield what becomes occupied; `enabled` need not be said again."""
        for target in dict.fromkeys(move.target for move in moves):
            found = [move for move in moves if move.target == target and move.source != target]
            where = self._where(part, found)
            if where != FALSE:
                occupied = Assignment(self.there[part.name, target].name, TRUE)
                guard = does if where == enabled else And((does, where))
                yield EvolutionLine((occupied,), guard)

    # The program

    def system(self) -> System:
        """Return the program as a system of the environment alone."""
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
                specifications.append(Specification(formula, question.text, question.line))
        return propositions, tuple(specifications)

    def _formula(self, condition: Condition, propositions: dict[str, Expression]) -> Formula:
        expression = self.fold(self.expression(condition, {ENVIRONMENT: ENVIRONMENT}))
        for name, meaning in self.open.propositions.items():
            if meaning == condition:
                propositions[name] = expression
                return logic.Proposition(name)
        return logic.Condition(expression)


def _changed(part: Part, state: Local, after: Mapping[str, Value]) -> Local | None:
    """Return a local state with other values; None where one of them is none of its variable's."""
    values = []
    for variable, before in zip(part.variables, state, strict=True):
        value = after.get(variable.name, before)
        if not contains(variable.domain, value):
            return None
        values.append(value)
    return tuple(values)
