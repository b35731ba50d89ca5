"""Invariants over a few agents of any number, from Horn clauses.

What z3's solver of these, Spacer, looks for is a condition for each shape, that is for some agents by their
templates: on them, on the environment and on how many agents there are in each class. It has to hold of all
different agents, in the beginning and after each step if it did before, and to exclude what is bad. What is
found is a suggestion: nothing is believed that the checker of certificates has not accepted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any, Final, TypeAlias

import z3

from gnomon.engines.solvers.population_clauses import PopulationClauses
from gnomon.engines.solvers.population_counts import Counting
from gnomon.engines.solvers.population_steps import AgentTemplates, NamedSteps, later, name_of
from gnomon.engines.solvers.population_terms import PopulationTerms
from gnomon.engines.solvers.smt import interruptible
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.patience import patience
from gnomon.text.record import Record

#: Some agents, by their templates.
AgentShape: TypeAlias = tuple[str, ...]

#: What counts as one effort, which takes the solver about a second; and the milliseconds that it may take.
_EFFORT: Final = 8_000_000
_PATIENCE: Final = 5_000
#: So that conditions are found for what was asked, and not for what is left of it.
_PLAIN: Final = {
    "xform.inline_eager": False,
    "xform.inline_linear": False,
    "xform.slice": False,
    # On numbers that are counted up it finds conditions several times as fast.
    "spacer.eq_prop": False,
    # Who interrupts us means us, and not the solver.
    "ctrl_c": False,
}


class HornGoal(Record):
    """Different agents by their templates, and what of them is bad; their names are those of `name_of`."""

    agents: AgentShape
    body: tuple[Condition, ...]


class PopulationHorn:
    """The Horn clauses for invariants of some shapes."""

    def __init__(
        self,
        terms: PopulationTerms,
        shapes: Sequence[AgentShape],
        counting: Counting,
        goals: Iterable[HornGoal],
    ) -> None:
        """Write the clauses for a system, so that the goals are excluded."""
        self._terms = terms
        self._system: OpenSystem = terms.system
        self._steps = NamedSteps(terms)
        self._counting = counting
        self._clauses = PopulationClauses(terms, counting)
        truth = z3.BoolSort(terms.context)
        self._relations = {
            shape: z3.Function(
                f"always {number}",
                *(term.sort() for term in self._arguments(shape, named(shape))),
                truth,
            )
            for number, shape in enumerate(shapes)
        }
        self._bad = z3.Function("bad", truth)
        #: Whether the solver came to an end: with more effort it says the same.
        self.settled = False
        #: What follows, and from what.
        self._rules: list[tuple[Any, list[Any]]] = []
        for shape in shapes:
            self._rules += self._of_shape(shape)
        for goal in goals:
            names = named(goal.agents)
            holds = (terms.condition(part, names) for part in goal.body)
            self._rules.append((self._bad(), [*self._assumed(names), *holds]))

    def _arguments(
        self, shape: AgentShape, names: Iterable[str], *, after: bool = False
    ) -> list[Any]:
        """Return what a condition for a shape is about: the environment, the numbers, and the agents."""

        def variables(name: str, owner: str) -> Iterator[Any]:
            index = later(name) if after else name
            for variable in self._system.part[owner].variables:
                yield self._terms.variable(index, owner, variable.name)

        agents = (variables(*each) for each in zip(names, shape, strict=True))
        return [
            *variables(ENVIRONMENT, ENVIRONMENT),
            *self._counting.numbers(after=after),
            *chain.from_iterable(agents),
        ]

    # Clauses

    def _assumed(self, names: AgentTemplates) -> Iterator[Any]:
        """Yield what the invariant says of some agents: of all choices of them."""
        order = [part.name for part in self._system.templates]
        sorted_ = sorted(names, key=lambda name: order.index(names[name]))
        for shape, relation in self._relations.items():
            for chosen in combinations(sorted_, len(shape)):
                if tuple(names[name] for name in chosen) == shape:
                    yield relation(*self._arguments(shape, chosen))
        yield from self._steps.typed(names)
        yield from self._counting.assumed(names)

    def _of_shape(self, shape: AgentShape) -> Iterator[tuple[Any, list[Any]]]:
        """Yield why the condition for a shape holds: in the beginning, of others, and after a step."""
        relation, names = self._relations[shape], named(shape)
        head = relation(*self._arguments(shape, names))
        start = [*self._steps.typed(names), *self._steps.initial(names)]
        yield head, [*start, *self._counting.initial(names)]
        for swapped in _exchanged(shape, list(names)):
            yield relation(*self._arguments(shape, swapped)), [head]
        after = relation(*self._arguments(shape, names, after=True))
        for present, happens in self._clauses.cases(names):
            yield after, [*self._assumed(present), *happens]

    # The solver

    def solve(self, effort: int, budget: Budget) -> dict[AgentShape, Any] | None:
        """Return a condition for each shape, if the solver finds some with so much effort.

        What it takes is counted by the solver, so that how busy the machine is makes no difference.
        """
        solver = z3.Fixedpoint(ctx=self._terms.context)
        milliseconds = patience(_PATIENCE * effort, budget)
        solver.set(engine="spacer", timeout=milliseconds, rlimit=_EFFORT * effort, **_PLAIN)
        found: dict[AgentShape, Any] | None = None
        try:
            with interruptible(self._terms.context, budget):
                answer = self._asked(solver)
                self.settled = answer != z3.unknown
                if answer == z3.unsat:
                    found = dict(self._conditions(solver))
        except z3.Z3Exception:  # when its time is over
            found = None
        budget.check("Horn clauses")
        return found

    def _asked(self, solver: Any) -> Any:
        """Return whether what is bad follows."""
        relations = (*self._relations.values(), self._bad)
        own = {relation.name() for relation in relations}
        constants: dict[str, Any] = {}
        for head, body in self._rules:
            for term in (head, *body):
                constants |= _constants(term, own)
        solver.declare_var(*constants.values())
        for relation in relations:
            solver.register_relation(relation)
        for head, body in self._rules:
            solver.rule(head, body)
        return solver.query(self._bad())

    def _conditions(self, solver: Any) -> Iterator[tuple[AgentShape, Any]]:
        for shape, relation in self._relations.items():
            cover = solver.get_cover_delta(-1, relation)
            yield shape, z3.substitute_vars(cover, *self._arguments(shape, named(shape)))


def named(shape: AgentShape) -> dict[str, str]:
    """Return names for the agents of a shape."""
    return {name_of(number): template for number, template in enumerate(shape)}


def _exchanged(shape: AgentShape, names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the names with two neighbours of one template exchanged."""
    for place in range(len(names) - 1):
        if shape[place] == shape[place + 1]:
            one, other = names[place : place + 2]
            yield [*names[:place], other, one, *names[place + 2 :]]


def _constants(term: Any, own: set[str]) -> Mapping[str, Any]:
    """Return the constants in a term, by their names."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if part.get_id() not in seen:
            seen.add(part.get_id())
            waiting.extend(part.children())
            is_open = z3.is_const(part) and part.decl().kind() == z3.Z3_OP_UNINTERPRETED
            if is_open and part.decl().name() not in own:
                found[part.decl().name()] = part
    return found
