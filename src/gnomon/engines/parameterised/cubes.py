"""Conditions on agents as cubes: sets of states for the environment, for `self` and for other agents.

Local states are finite, so whatever compares two agents, or asks a relation about them, is a disjunction over
the values that are compared: every condition becomes a disjunction of cubes in which each agent is limited by
a set of its own, beside some facts. The other agents of a cube are different from each other and from `self`.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Final, TypeAlias

from gnomon.engines.parameterised.facts import NOTHING, Facts, Literals
from gnomon.engines.parameterised.space import Space
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import Value, contains
from gnomon.model.evaluation import value_of
from gnomon.model.parameterised.condition import (
    SELF,
    And,
    Condition,
    Equal,
    Exists,
    Forall,
    Holds,
    Lookup,
    Not,
    Or,
    Related,
    Same,
    Term,
    renamed,
    terms,
    walk,
    with_reads,
)
from gnomon.text.record import Record

#: The most cubes of one condition.
_MOST_CUBES: Final = 20_000

#: Agents that a cube demands: the template of each, and the states it may be in.
Agents: TypeAlias = tuple[tuple[str, int], ...]


class Cube(Record):
    """States of the environment, of `self` (-1 where there is none), of other agents, and facts.

    `every` limits all agents of a template but `self`.
    """

    environment: int
    own: int
    others: Agents = ()
    facts: Literals = NOTHING
    every: Agents = ()


class _Disjunct(Record):
    """What must hold together: agents that are looked for, conditions without parts, and universal ones."""

    binders: tuple[tuple[str, str], ...] = ()
    literals: tuple[Condition, ...] = ()
    universal: tuple[Forall, ...] = ()


class Compiler:
    """Turns conditions into cubes."""

    def __init__(
        self, spaces: Mapping[str, Space], facts: Facts, budget: Budget | None = None
    ) -> None:
        """Compile conditions over these local states."""
        self.spaces = spaces
        self.facts = facts
        self.budget = budget or Budget()
        self._fresh = 0

    def cubes(self, condition: Condition, owner: str | None) -> list[Cube]:
        """Return the cubes of a positive condition; `owner` is the part that is `self` in it."""
        me = owner if owner != ENVIRONMENT else None
        found: dict[Cube, None] = {}
        for disjunct in self._disjuncts(condition):
            for number, blocks in enumerate(_patterns(disjunct, me)):
                self.budget.check("conditions", len(found))
                if number > _MOST_CUBES:
                    msg = "a condition looks for too many agents at once"
                    raise LimitReached(msg)
                for cube in self._expand(disjunct, blocks, me):
                    found[cube] = None
                    if len(found) > _MOST_CUBES:
                        msg = f"a condition falls into more than {_MOST_CUBES:,} cases"
                        raise LimitReached(msg)
        return absorbed(_joined(found))

    # Disjunctive form

    def _disjuncts(self, condition: Condition) -> list[_Disjunct]:
        match condition:
            case Or(operands) if _local(condition) is None:
                return [found for operand in operands for found in self._disjuncts(operand)]
            case And(operands) if _local(condition) is None:
                result = [_Disjunct()]
                for operand in operands:
                    inner = self._disjuncts(operand)
                    result = [_both(one, other) for one in result for other in inner]
                    if len(result) > _MOST_CUBES:
                        msg = f"a condition falls into more than {_MOST_CUBES:,} cases"
                        raise LimitReached(msg)
                return result
            case Exists(index, template, body):
                self._fresh += 1
                name = f"{index}'{self._fresh}"
                inner = self._disjuncts(renamed(body, {index: name}))
                return [_both(_Disjunct(((name, template),)), each) for each in inner]
            case Forall():
                return [_Disjunct(universal=(condition,))]
            case _:
                local = _local(condition)
                return [_Disjunct(literals=(condition if local is None else Holds(local),))]

    # Cubes

    def _expand(
        self, disjunct: _Disjunct, blocks: Mapping[str, str], me: str | None
    ) -> Iterator[Cube]:
        """Yield the cubes of a disjunct where indices with one block stand for one agent."""
        sorts = {ENVIRONMENT: ENVIRONMENT}
        if me is not None:
            sorts[SELF] = me
        for name, template in disjunct.binders:
            sorts[blocks[name]] = template
        masks = {block: self.spaces[sort].full for block, sort in sorts.items()}
        crossing: list[Condition] = []
        for written in disjunct.literals:
            literal = renamed(written, blocks)
            local = _local(literal)
            if local is not None:
                owners = {read.agent for read in plain.reads(local)}
                block = next(iter(owners), ENVIRONMENT)
                masks[block] &= self.spaces[sorts[block]].where(local)
            elif not isinstance(literal, Same) and not _is_not_same(literal):
                crossing.append(literal)
        if not all(masks.values()):
            return
        universal = tuple(renamed(each, blocks) for each in disjunct.universal)
        yield from self._split(masks, sorts, crossing, universal, me)

    def _split(
        self,
        masks: dict[str, int],
        sorts: Mapping[str, str],
        crossing: list[Condition],
        universal: tuple[Condition, ...],
        me: str | None,
    ) -> Iterator[Cube]:
        """Fix the values that conditions on several agents, or on relations, speak of."""
        wanted = _compared(crossing, universal)
        for values, limited in self._valuations(sorted(wanted), masks, sorts):
            known = {plain.Read(*key): plain.Literal(value) for key, value in values.items()}
            for facts in self._facts([with_reads(literal, known) for literal in crossing]):
                cube = self._with_universal(limited, sorts, facts, universal, known, me)
                if cube is not None:
                    yield cube

    def _valuations(
        self,
        wanted: list[tuple[str, str]],
        masks: dict[str, int],
        sorts: Mapping[str, str],
    ) -> Iterator[tuple[dict[tuple[str, str], Value], dict[str, int]]]:
        if not wanted:
            yield {}, masks
            return
        (block, variable), *rest = wanted
        for value, there in self.spaces[sorts[block]].classes(variable, masks[block]):
            for values, limited in self._valuations(rest, {**masks, block: there}, sorts):
                yield {(block, variable): value, **values}, limited

    def _facts(self, literals: list[Condition]) -> Iterator[Literals]:
        """Yield the sets of facts under which conditions without variables hold."""
        alternatives = [list(self._alternatives(literal)) for literal in literals]
        for combination in product(*alternatives):
            facts = frozenset(fact for part in combination for fact in part)
            if self.facts.possible(facts):
                yield facts

    def _alternatives(self, literal: Condition) -> Iterator[tuple[int, ...]]:
        wanted = not isinstance(literal, Not)
        inner = literal.operand if isinstance(literal, Not) else literal
        match inner:
            case Holds(expression):
                if bool(value_of(expression, {})) == wanted:
                    yield ()
            case Related(relation, arguments):
                for values, needed in self.facts.looked_up(arguments):
                    fact = self.facts.literal(relation, values)
                    yield (*needed, fact if wanted else -fact)
            case Equal(left, right):
                yield from self._equal(left, right, wanted=wanted)
            case _:
                msg = f"not a literal: {inner}"
                raise ValueError(msg)

    def _equal(self, left: Term, right: Term, *, wanted: bool) -> Iterator[tuple[int, ...]]:
        if isinstance(left, Lookup) and not isinstance(right, Lookup):
            # One fact says it, or its opposite does.
            ((value,), _), *_ = self.facts.looked_up((right,))
            result = self.facts.system.relations[left.relation].result
            for arguments, needed in self.facts.looked_up(left.arguments):
                if result is not None and contains(result, value):
                    fact = self.facts.literal(left.relation, arguments, value)
                    yield (*needed, fact if wanted else -fact)
                elif not wanted:
                    yield needed
            return
        if isinstance(right, Lookup) and not isinstance(left, Lookup):
            yield from self._equal(right, left, wanted=wanted)
            return
        for (one, other), needed in self.facts.looked_up((left, right)):
            if (one == other) == wanted:
                yield needed

    def _with_universal(
        self,
        masks: dict[str, int],
        sorts: Mapping[str, str],
        facts: Literals,
        universal: tuple[Condition, ...],
        known: Mapping[plain.Read, plain.Expression],
        me: str | None,
    ) -> Cube | None:
        masks = dict(masks)
        every: dict[str, int] = {}
        for condition in universal:
            assert isinstance(condition, Forall)
            body = with_reads(condition.body, known)
            space = self.spaces[condition.template]
            allowed = space.where(_alone(body, condition.index, myself=False))
            every[condition.template] = every.get(condition.template, space.full) & allowed
            if condition.template == me:
                masks[SELF] &= space.where(_alone(body, condition.index, myself=True))
        for block, sort in sorts.items():
            if sort in every and block != SELF:
                masks[block] &= every[sort]
        if not all(masks.values()):
            return None
        others = tuple(
            sorted(
                (sort, masks[block])
                for block, sort in sorts.items()
                if block not in (SELF, ENVIRONMENT)
            )
        )
        own = masks[SELF] if me is not None else -1
        return Cube(masks[ENVIRONMENT], own, others, facts, tuple(sorted(every.items())))


def _both(one: _Disjunct, other: _Disjunct) -> _Disjunct:
    return _Disjunct(
        one.binders + other.binders,
        one.literals + other.literals,
        one.universal + other.universal,
    )


def _is_not_same(literal: Condition) -> bool:
    return isinstance(literal, Not) and isinstance(literal.operand, Same)


def _local(condition: Condition) -> plain.Expression | None:
    """Return a condition as one on the variables of a single agent, if it is that."""
    expression = _plain(condition)
    if expression is None or len({read.agent for read in plain.reads(expression)}) > 1:
        return None
    return expression


def _plain(condition: Condition) -> plain.Expression | None:
    """Return a condition without quantifiers, relations and indices as an expression."""
    match condition:
        case Holds(expression):
            return expression
        case Not(operand):
            inner = _plain(operand)
            return None if inner is None else plain.Not(inner)
        case And(operands) | Or(operands):
            found = [_plain(operand) for operand in operands]
            if any(part is None for part in found):
                return None
            kind = plain.And if isinstance(condition, And) else plain.Or
            return kind(tuple(part for part in found if part is not None))
        case _:
            return None


def _patterns(disjunct: _Disjunct, me: str | None) -> Iterator[dict[str, str]]:
    """Yield all ways in which indices may stand for one agent: the block of each index."""
    by_template: dict[str, list[str]] = {me: [SELF]} if me is not None else {}
    for name, template in disjunct.binders:
        by_template.setdefault(template, []).append(name)
    apart = {
        frozenset((literal.operand.left, literal.operand.right))
        for literal in disjunct.literals
        if isinstance(literal, Not) and isinstance(literal.operand, Same)
    }
    for choice in _choices(list(by_template.values()), apart):
        blocks = {name: block[0] for partition in choice for block in partition for name in block}
        if all(_agrees(literal, blocks) for literal in disjunct.literals):
            yield blocks


def _agrees(literal: Condition, blocks: Mapping[str, str]) -> bool:
    match literal:
        case Same(left, right):
            return blocks.get(left, left) == blocks.get(right, right)
        case Not(Same(left, right)):
            return blocks.get(left, left) != blocks.get(right, right)
        case _:
            return True


def _choices(
    templates: list[list[str]], apart: set[frozenset[str]]
) -> Iterator[list[list[list[str]]]]:
    """Yield a partition for each template, one combination after the other."""
    if not templates:
        yield []
        return
    for partition in _partitions(templates[0], apart):
        for rest in _choices(templates[1:], apart):
            yield [partition, *rest]


def _partitions(items: list[str], apart: set[frozenset[str]]) -> Iterator[list[list[str]]]:
    """Yield the ways to put indices into blocks, such that none are together that must be apart."""
    if not items:
        yield []
        return
    *before, last = items
    for partition in _partitions(before, apart):
        for index, block in enumerate(partition):
            if not any(frozenset((other, last)) in apart for other in block):
                yield [*partition[:index], [*block, last], *partition[index + 1 :]]
        yield [*partition, [last]]


def _compared(
    crossing: Iterable[Condition], universal: Iterable[Condition]
) -> set[tuple[str, str]]:
    """Return the variables whose values have to be known one by one."""
    found: set[tuple[str, str]] = set()
    for literal in crossing:
        for part in walk(literal):
            for expression in _expressions(terms(part)):
                found |= {(read.agent, read.variable) for read in plain.reads(expression)}
    for condition in universal:
        assert isinstance(condition, Forall)
        for part in walk(condition.body):
            for expression in _expressions(terms(part)):
                found |= {
                    (read.agent, read.variable)
                    for read in plain.reads(expression)
                    if read.agent != condition.index
                }
    return found


def _expressions(values: Iterable[Term]) -> Iterator[plain.Expression]:
    for value in values:
        if isinstance(value, Lookup):
            yield from _expressions(value.arguments)
        else:
            yield value


def _alone(body: Condition, index: str, *, myself: bool) -> plain.Expression:
    """Return what a universal condition asks of one agent: of another one, or of oneself."""
    match body:
        case Holds(expression):
            return expression
        case Same(left, right) if {left, right} <= {index, SELF}:
            return plain.Literal(left == right or myself)
        case Not(operand):
            return plain.Not(_alone(operand, index, myself=myself))
        case And(operands) | Or(operands):
            kind = plain.And if isinstance(body, And) else plain.Or
            return kind(tuple(_alone(operand, index, myself=myself) for operand in operands))
        case _:
            msg = "a condition on every agent that asks relations or looks at third agents is not decided"
            raise LimitReached(msg)


# Fewer cubes


def _joined(cubes: Iterable[Cube]) -> list[Cube]:
    """Return the cubes with those joined that differ in the environment, or in `self`, only."""
    by_rest: dict[tuple[int, Agents, Literals, Agents], int] = {}
    for cube in cubes:
        key = (cube.own, cube.others, cube.facts, cube.every)
        by_rest[key] = by_rest.get(key, 0) | cube.environment
    again: dict[tuple[int, Agents, Literals, Agents], int] = {}
    for (own, others, facts, every), environment in by_rest.items():
        rest = (environment, others, facts, every)
        again[rest] = again.get(rest, 0) | own
    return [Cube(rest[0], own, *rest[1:]) for rest, own in again.items()]


def absorbed(cubes: list[Cube]) -> list[Cube]:
    """Return the cubes without those that another one contains."""
    kept: list[Cube] = []
    for cube in sorted(cubes, key=lambda c: (len(c.others), len(c.facts), len(c.every))):
        if not any(_contains(other, cube) for other in kept):
            kept.append(cube)
    return kept


def _contains(wide: Cube, narrow: Cube) -> bool:
    return (
        not narrow.environment & ~wide.environment
        and (wide.own < 0 or not narrow.own & ~wide.own)
        and wide.facts <= narrow.facts
        and (not wide.every or wide.every == narrow.every)
        and matches(wide.others, narrow.others)
    )


def matches(wide: Agents, narrow: Agents) -> bool:
    """Return whether the agents of `wide` can be found, all different, among those of `narrow`."""
    if len(wide) > len(narrow):
        return False
    taken = [-1] * len(narrow)
    candidates = [
        [n for n, (other, mask) in enumerate(narrow) if other == template and not mask & ~wanted]
        for template, wanted in wide
    ]

    def place(agent: int, seen: set[int]) -> bool:
        for candidate in candidates[agent]:
            if candidate not in seen:
                seen.add(candidate)
                if taken[candidate] < 0 or place(taken[candidate], seen):
                    taken[candidate] = agent
                    return True
        return False

    return all(place(agent, set()) for agent in range(len(wide)))
