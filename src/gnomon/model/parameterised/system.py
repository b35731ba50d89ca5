"""A system with any number of agents: an environment, templates, and relations that nobody changes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as with_fields
from functools import cached_property
from types import MappingProxyType
from typing import Literal as Choice
from typing import TypeAlias

from gnomon.model.agent import EvolutionLine, Variable
from gnomon.model.domain import Domain, Integers, OpenEnumeration
from gnomon.model.expression import (
    FALSE,
    And,
    Conditional,
    Defined,
    Does,
    Expression,
    Literal,
    Not,
    Or,
    Read,
    Sharing,
    actors,
    shared,
    with_parts,
)
from gnomon.model.parameterised.condition import (
    TRUE,
    Condition,
    ForValues,
    Lookup,
    Term,
    relations,
    walk,
)
from gnomon.model.parameterised.knowing import conditions as conditions_of
from gnomon.model.parameterised.linear import LinearTerm, show_linear
from gnomon.model.parameterised.pointer import Pointer
from gnomon.model.parameterised.query import (
    Ability,
    Epistemic,
    FairCondition,
    Knowledge,
    OverTime,
    Promise,
    Query,
    Safety,
)
from gnomon.model.system import Expectation, Kind, Logic
from gnomon.text.brief import brief_fields
from gnomon.text.record import Record, replace
from gnomon.text.source import Span

#: How many agents take part in a synchronised action: any number but none, exactly one, or all that can.
Multiplicity: TypeAlias = Choice["some", "one", "all"]


class Relation(Record):
    """A relation that any interpretation may fill and no step changes.

    With a `result` it has a key: for all arguments there is exactly one value.
    """

    name: str
    columns: tuple[Domain, ...]
    result: Domain | None = None


class Looked(Record):
    """The next value of a variable, looked up."""

    variable: str
    value: Lookup


class Change(Record):
    """What an action does where a guard on its own variables holds: assignments, and what is looked up."""

    line: EvolutionLine
    looked: tuple[Looked, ...] = ()


#: What is left of a change's guard when an action is done, and the change.
GuardedChange: TypeAlias = tuple[Expression, Change]


class Part(Record):
    """The environment, or a template: any number of agents from `low` to `high` that are made alike.

    `guards` say when each action may be done; one that is missing is never done. Local actions are done
    alone; the others together with the environment. `sees` are the environment's variables in an agent's
    view, beside its own.
    """

    name: str
    variables: tuple[Variable, ...]
    local: tuple[str, ...]
    synchronised: tuple[str, ...]
    guards: Mapping[str, Condition]
    changes: tuple[Change, ...] = ()
    initial: Condition = TRUE
    low: int = 0
    high: int | None = None
    #: Where they depend on parameters: how many agents there are at least, and at most.
    size: tuple[LinearTerm, LinearTerm | None] | None = None
    sees: tuple[str, ...] = ()
    #: The lines in which each action is enabled.
    lines: Mapping[str, tuple[int, ...]] = MappingProxyType({})

    @property
    def actions(self) -> tuple[str, ...]:
        """Return all its actions."""
        return (*self.local, *self.synchronised)

    def allows(self, number: int) -> bool:
        """Return whether there may be so many agents of it."""
        return number >= self.low and (self.high is None or number <= self.high)


def show_size(part: Part) -> str:
    """Return how many agents of a template there may be, as it is written."""
    if part.size is None:
        return f"{part.low}..{'*' if part.high is None else part.high}"
    least, most = part.size
    if least == most:
        return show_linear(least)
    return f"{show_linear(least)}..{'*' if most is None else show_linear(most)}"


@dataclass(frozen=True, slots=True, repr=False)
class PopulationQuestion:
    """One formula of a program: its meaning, its text as written and as read, its line and its name."""

    __repr__ = brief_fields

    query: Query
    text: str
    parsed: str
    line: int = 0
    name: str = ""
    expected: Expectation | None = None
    at: Span | None = field(default=None, compare=False, repr=False)

    @property
    def logic(self) -> Logic:
        """Return "CTL": paths are as there."""
        return "CTL"

    @property
    def has_coalition(self) -> bool:
        """Return whether it is asked what a coalition can enforce."""
        return isinstance(self.query, Ability)


@dataclass(frozen=True, repr=False)
class OpenSystem:
    """A system with any number of agents."""

    __repr__ = brief_fields

    name: str
    environment: Part
    templates: tuple[Part, ...]
    #: The actions that the environment does with others, and how many of these.
    sync: Mapping[str, Multiplicity]
    relations: Mapping[str, Relation] = field(default_factory=dict)
    axioms: tuple[Condition, ...] = ()
    #: Where they stand in the text.
    axioms_at: Span | None = None
    #: Where the initial condition is written.
    initial_at: Span | None = None
    propositions: Mapping[str, Condition] = field(default_factory=dict)
    #: Where a run may end. No verdict depends on it: where nobody can act, a run stays as it is.
    terminal: Condition | None = None
    questions: tuple[PopulationQuestion, ...] = ()
    #: What is promised of all who are able to act, and what holds time and again on the runs that count.
    promise: Promise = "none"
    fairness: tuple[FairCondition, ...] = ()
    types: Mapping[str, Domain] = field(default_factory=dict)
    #: Numbers, from 0 on, that templates' sizes and guards depend on; and what is assumed of them.
    parameters: tuple[str, ...] = ()
    assumptions: tuple[Condition, ...] = ()
    #: What all who do not take part in one of `sync` do meanwhile, if they can: by its name another action.
    followed_by: Mapping[str, str] = field(default_factory=dict)
    #: The variables of the environment that are agents.
    pointers: Mapping[str, Pointer] = field(default_factory=dict)

    @property
    def specifications(self) -> tuple[PopulationQuestion, ...]:
        """Return what is asked, under the name that other models have for it."""
        return self.questions

    @property
    def fixed(self) -> None:
        """Return None: who the agents are is not known beforehand."""
        return None

    @property
    def open(self) -> "OpenSystem":
        """Return the program of templates: this one."""
        return self

    def asking(self, questions: Iterable[object]) -> "OpenSystem":
        """Return the system with questions beside its own: they may ask relations that nothing else asks."""
        own = self.questions
        new = tuple(
            each for each in questions if isinstance(each, PopulationQuestion) and each not in own
        )
        return with_fields(self, questions=(*self.questions, *new)) if new else self

    @property
    def kind(self) -> Kind:
        """Return "parameterised"."""
        return "parameterised"

    @cached_property
    def part(self) -> Mapping[str, Part]:
        """Return the environment and the templates by name."""
        return {part.name: part for part in (self.environment, *self.templates)}

    @cached_property
    def shared(self) -> frozenset[str]:
        """Return all actions that are done together with the environment, to lead or to follow."""
        return frozenset({*self.sync, *self.followed_by.values()})

    @cached_property
    def broadcast(self) -> frozenset[str]:
        """Return the actions that all agents do who can, if they are done at all."""
        by_all = (action for action, kind in self.sync.items() if kind == "all")
        return frozenset({*by_all, *self.followed_by.values()})

    def role(self, action: str) -> str:
        """Return who takes part in a synchronised action, in the words of a program."""
        leader = next((name for name, each in self.followed_by.items() if each == action), None)
        return self.sync[action] if leader is None else f"all with {leader}"

    @cached_property
    def position(self) -> Mapping[tuple[str, str], int]:
        """Return where a local state keeps the value of each (part, variable)."""
        return {
            (part.name, variable.name): index
            for part in self.part.values()
            for index, variable in enumerate(part.variables)
        }

    @cached_property
    def effects(self) -> Mapping[tuple[str, str], tuple[GuardedChange, ...]]:
        """Return by part and action the changes that may take effect, and what is left of their guards."""
        found: dict[tuple[str, str], list[GuardedChange]] = {}
        for part in self.part.values():
            found.update({(part.name, action): [] for action in part.actions})
            for change in part.changes:
                named = _actions(change.line.guard)
                for action in part.actions if named is None else sorted(named):
                    left = when_doing(change.line.guard, action)
                    if left != FALSE and (part.name, action) in found:
                        found[part.name, action].append((left, change_when_doing(change, action)))
        return {key: tuple(changes) for key, changes in found.items()}

    @cached_property
    def is_finite(self) -> bool:
        """Return whether all values are listed, so that an agent has finitely many states."""
        domains = [v.domain for part in self.part.values() for v in part.variables]
        if any(isinstance(part, ForValues) for axiom in self.axioms for part in walk(axiom)):
            return False
        for name in self.used_relations.union(*map(relations, self.axioms)):
            relation = self.relations[name]
            domains += [*relation.columns, *((relation.result,) if relation.result else ())]
        return not any(isinstance(domain, (Integers, OpenEnumeration)) for domain in domains)

    @cached_property
    def used_relations(self) -> frozenset[str]:
        """Return the relations that guards, changes and propositions ask."""
        found: set[str] = set()
        for part in self.part.values():
            for guard in part.guards.values():
                found |= relations(guard)
            for change in part.changes:
                for item in change.looked:
                    found |= asked(item.value)
        ends = () if self.terminal is None else (self.terminal,)
        for condition in (*self.propositions.values(), *ends, *self._asked):
            found |= relations(condition)
        return frozenset(found)

    @property
    def _asked(self) -> Iterator[Condition]:
        """Yield the conditions that questions are about."""
        for question in self.questions:
            match question.query:
                case Safety(bad):
                    yield bad
                case Knowledge(_, when, doubt):
                    yield from (when, doubt)
                case Epistemic(formula):
                    yield from conditions_of(formula)
                case OverTime(_, conditions):
                    yield from conditions
                case Ability(stay, goal):
                    yield from (stay, goal)
        yield from (each.condition for each in self.fairness)


def _actions(guard: Expression) -> frozenset[str] | None:
    """Return the only actions for which a guard can hold, None where it may for any."""
    match guard:
        case Does(_, name):
            return frozenset({name})
        case And(operands):
            found = [inner for inner in map(_actions, operands) if inner is not None]
            return frozenset.intersection(*found) if found else None
        case Or(operands):
            inner = [_actions(operand) for operand in operands]
            if None in inner:
                return None
            return frozenset().union(*(each for each in inner if each is not None))
        case _:
            return None  # definitions are not looked into: any action is tried for them


def when_doing(guard: Expression, action: str) -> Expression:
    """Return what is left of the guard of a change when an action is done."""
    known: dict[Sharing, Expression] = {}

    def left(part: Expression) -> Expression:
        match part:
            case Does(_, name):
                return Literal(name == action)
            case Not(operand):
                inner = left(operand)
                return Literal(not inner.value) if isinstance(inner, Literal) else Not(inner)
            case And(operands) | Or(operands):
                return _chain_left(part, [left(operand) for operand in operands])
            case Literal() | Read():
                return part
            case Conditional() | Defined():
                return shared(part, known, once)
            case _:
                return with_parts(part, left)

    def once(part: Sharing) -> Expression:
        changed = with_parts(part, left)
        match changed:
            case Defined(_, Literal() as constant):
                return constant
            case Conditional(Literal(value), then, otherwise):
                return then if value else otherwise
            case _:
                return changed

    return left(guard)


def change_when_doing(change: Change, action: str) -> Change:
    """Return a change whose values depend on no action any more: it is known which one is done."""
    if not actors(*values_in(change)):
        return change
    return with_values(change, lambda value: when_doing(value, action))


def with_values(change: Change, changed: Callable[[Expression], Expression]) -> Change:
    """Return a change with other values, also those by which others are looked up."""
    assignments = tuple(
        replace(item, value=changed(item.value)) for item in change.line.assignments
    )

    def term(value: Term) -> Term:
        return lookup(value) if isinstance(value, Lookup) else changed(value)

    def lookup(value: Lookup) -> Lookup:
        return Lookup(value.relation, tuple(map(term, value.arguments)))

    looked = tuple(Looked(item.variable, lookup(item.value)) for item in change.looked)
    return Change(replace(change.line, assignments=assignments), looked)


def values_in(change: Change) -> Iterator[Expression]:
    """Yield the values that a change gives, and those by which it looks others up."""
    yield from (item.value for item in change.line.assignments)
    waiting: list[Term] = [item.value for item in change.looked]
    while waiting:
        term = waiting.pop()
        if isinstance(term, Lookup):
            waiting.extend(term.arguments)
        else:
            yield term


def _chain_left(chain: And | Or, found: list[Expression]) -> Expression:
    decisive = Literal(isinstance(chain, Or))
    if decisive in found:
        return decisive
    rest = tuple(part for part in found if not isinstance(part, Literal))
    if not rest:
        return Literal(not decisive.value)
    return rest[0] if len(rest) == 1 else type(chain)(rest)


def asked(term: Term) -> frozenset[str]:
    """Return the relations that a value is looked up in."""
    if not isinstance(term, Lookup):
        return frozenset()
    return frozenset({term.relation}).union(*map(asked, term.arguments))
