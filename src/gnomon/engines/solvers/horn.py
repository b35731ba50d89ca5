"""Invariants from Spacer, z3's solver of Horn clauses: where to cut, not what to believe.

A condition is asked for: can it ever hold? If the solver finds an invariant that rules it out, the
comparisons in it are worth cutting by. Whether they are enough is for the cells to say.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from gnomon.engines.solvers.smt import Context, NotExpressible
from gnomon.engines.solvers.system_terms import SystemTerms
from gnomon.model import expression as typed
from gnomon.model.agent import Agent, EvolutionLine
from gnomon.model.budget import Budget
from gnomon.model.expression import Expression, Read
from gnomon.model.patience import patience
from gnomon.model.system import System
from gnomon.text.numbers import read_integer

#: So many milliseconds may one question take.
_PATIENCE: Final = 4_000
#: Whether a condition is kept by steps is answered at once, or does not matter.
_BRIEF: Final = 500
_OPERATORS: Final = {"<=": "<=", ">=": ">=", "<": "<", ">": ">", "=": "="}


def invariant_atoms(
    system: System, bad: Expression, context: Context, budget: Budget
) -> list[Expression]:
    """Return comparisons of an invariant under which a condition never holds; none where there is none."""
    import z3

    try:
        return list(_Horn(system, context).atoms(bad, patience(_PATIENCE, budget)))
    except (NotExpressible, z3.Z3Exception):  # the latter when its time is over
        return []


def inductive(
    system: System, candidates: Iterable[Expression], context: Context, budget: Budget
) -> list[Expression]:
    """Return those of some conditions that hold at first and, all together, after every step.

    The largest such set, but for what the solver does not know (Houdini, FME 2001).
    """
    import z3

    try:
        return _Horn(system, context).inductive(list(candidates), budget)
    except (NotExpressible, z3.Z3Exception):  # the latter when its time is over
        return []


class _Horn:
    """A system as Horn clauses."""

    def __init__(self, system: System, context: Context) -> None:
        import z3

        self._z3 = z3
        self._context = context.of_solver
        self._system = system
        self._reads = [Read(variable.agent, variable.name) for variable in system.variables]
        self._acts = {
            agent.name: z3.Int(f"does {agent.name}", self._context) for agent in system.agents
        }
        self._now = _Acting(system, context, self._acts)
        self._next = SystemTerms(system, context, "'")

    def atoms(self, bad: Expression, milliseconds: int) -> Iterator[Expression]:
        z3 = self._z3
        solver = z3.Fixedpoint(ctx=self._context)
        solver.set(engine="spacer", timeout=milliseconds)
        number, truth = z3.IntSort(self._context), z3.BoolSort(self._context)
        reached = z3.Function("reached", *[number] * len(self._reads), truth)
        solver.register_relation(reached)
        now = [self._now.variable(read) for read in self._reads]
        after = [self._next.variable(read) for read in self._reads]
        solver.declare_var(*now, *after, *self._acts.values())
        ranges = [part for read in self._reads for part in self._now.domain(read)]
        solver.rule(reached(now), [*ranges, self._now.condition(self._system.initial)])
        solver.rule(reached(after), [reached(now), *self._steps()])
        if solver.query(z3.And(reached(now), self._now.condition(bad))) != z3.unsat:
            return
        invariant = z3.substitute_vars(solver.get_cover_delta(-1, reached), *now)
        names = {str(variable): read for variable, read in zip(now, self._reads, strict=True)}
        seen: set[str] = set()
        waiting = [invariant]
        while waiting:
            part = waiting.pop()
            if part.get_id() in seen:
                continue
            seen.add(part.get_id())
            atom = self._comparison(part, names)
            if atom is not None:
                yield atom
            else:
                waiting.extend(part.children())

    def inductive(self, candidates: list[Expression], budget: Budget) -> list[Expression]:
        kept = [each for each in candidates if self._is_initial(each, budget)]
        while True:
            lost = next((each for each in kept if not self._is_kept(each, kept, budget)), None)
            if lost is None:
                return kept
            kept.remove(lost)

    def _never(self, parts: Iterable[Any], budget: Budget) -> bool:
        """Return whether some conditions surely cannot hold together."""
        solver = self._z3.Solver(ctx=self._context)
        solver.set("timeout", patience(_BRIEF, budget))
        solver.add(*parts)
        return bool(solver.check() == self._z3.unsat)

    def _is_initial(self, condition: Expression, budget: Budget) -> bool:
        initial = self._now.condition(self._system.initial)
        return self._never([initial, self._z3.Not(self._now.condition(condition))], budget)

    def _is_kept(self, condition: Expression, given: list[Expression], budget: Budget) -> bool:
        """Return whether a condition holds after all steps from where all that is given does."""
        agents = {read.agent for read in typed.reads(condition)}
        acting = {
            name
            for agent in self._system.agents
            if agent.name in agents
            for line in agent.evolution
            for name in typed.actors(line.guard)
        }
        return self._never(
            [
                *map(self._now.condition, given),
                *(self._enabled(agent) for agent in self._system.agents if agent.name in acting),
                *(
                    unit
                    for agent in self._system.agents
                    if agent.name in agents
                    for unit in self._units(agent)
                ),
                self._z3.Not(self._next.condition(condition)),
            ],
            budget,
        )

    def _units(self, agent: Agent) -> Iterator[Any]:
        """Yield how the variables of an agent change."""
        if self._system.semantics == "MultiAssignment":
            yield self._unit(agent, [v.name for v in agent.variables], list(agent.evolution))
            return
        for variable in agent.variables:
            own = [x for x in agent.evolution if x.assignments[0].variable == variable.name]
            yield self._unit(agent, [variable.name], own)

    def _steps(self) -> Iterator[Any]:
        """Yield what a step is: enabled actions, one line (or none) of each unit, values in their ranges."""
        for agent in self._system.agents:
            yield self._enabled(agent)
            yield from self._units(agent)
        for read in self._reads:
            yield self._next.all(self._next.domain(read))

    def _enabled(self, agent: Agent) -> Any:
        z3 = self._z3
        act = self._acts[agent.name]
        if not agent.actions:
            return act == 0
        some = self._now.any(self._now.condition(line.condition) for line in agent.protocol)
        cases = []
        for number, action in enumerate(agent.actions):
            where = [
                self._now.condition(line.condition)
                for line in agent.protocol
                if action in line.actions
            ]
            if agent.is_environment and not agent.protocol and agent.other is None:
                where.append(self._now.condition(typed.TRUE))
            elif agent.other is not None and action in agent.other:
                where.append(z3.Not(some))
            cases.append(z3.And(act == number, self._now.any(where)))
        return self._now.any(cases)

    def _unit(self, agent: Agent, names: list[str], lines: list[EvolutionLine]) -> Any:
        z3 = self._z3
        guards = [self._now.condition(line.guard) for line in lines]
        cases = [
            z3.And(guard, *self._changes(agent, names, line))
            for line, guard in zip(lines, guards, strict=True)
        ]
        nothing = z3.Not(self._now.any(guards))
        cases.append(z3.And(nothing, *self._changes(agent, names, None)))
        return self._now.any(cases)

    def _changes(self, agent: Agent, names: list[str], line: EvolutionLine | None) -> Iterator[Any]:
        values = {} if line is None else {x.variable: x.value for x in line.assignments}
        for name in names:
            read = Read(agent.name, name)
            value = values.get(name, read)
            yield self._now.becomes(self._next.variable(read), read, value)

    def _comparison(self, part: Any, names: dict[str, Read]) -> Expression | None:
        """Return a comparison of the solver as one of ours."""
        z3 = self._z3
        operator = _OPERATORS.get(part.decl().name()) if z3.is_app(part) else None
        if operator is None or part.num_args() != 2 or not z3.is_int(part.arg(0)):
            return None
        left, right = (self._term(side, names) for side in part.children())
        if left is None or right is None:
            return None
        return typed.Compare(operator, left, right)  # type: ignore[arg-type]

    def _term(self, part: Any, names: dict[str, Read]) -> Expression | None:
        z3 = self._z3
        if z3.is_int_value(part):
            return typed.Literal(read_integer(part.as_string()))
        if z3.is_const(part):
            return names.get(str(part))
        inner = [self._term(child, names) for child in part.children()]
        known = tuple(item for item in inner if item is not None)
        if len(known) < len(inner):
            return None
        if z3.is_add(part):
            return typed.Sum(known)
        if z3.is_mul(part) and len(known) == 2:
            return typed.Arithmetic("*", *known)
        if z3.is_sub(part):
            return typed.Sum((known[0], *map(typed.Negative, known[1:])))
        return typed.Negative(known[0]) if part.decl().kind() == z3.Z3_OP_UMINUS else None


class _Acting(SystemTerms):
    """Terms that can speak of what agents do, too."""

    def __init__(self, system: System, context: Context, acts: dict[str, Any]) -> None:
        super().__init__(system, context)
        self._acts = acts

    def condition(self, expression: Expression) -> Any:
        """Return a condition, also on actions."""
        if isinstance(expression, typed.Does):
            number = self._system.agent(expression.agent).actions.index(expression.action)
            return self._acts[expression.agent] == number
        return super().condition(expression)

    def becomes(self, after: Any, read: Read, value: Expression) -> Any:
        """Return that a variable gets a value."""
        kind = self._kind(read)
        if kind == "number":
            return after == self.number(value)
        if kind == "condition":
            return (after == 1) == self.condition(value)
        assert not isinstance(kind, str)
        return after == self._name(value, kind)
