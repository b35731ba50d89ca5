"""Conditions on agents as disjunctions of cubes.

Local states are finite, so whatever compares two agents, or asks a relation about them, is a disjunction over
the values that are compared: every condition becomes a disjunction of cubes in which each agent is limited by
a set of its own, beside some facts.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

from gnomon.engines.parameterised.cubes import AgentCube, absorbed, joined
from gnomon.engines.parameterised.disjuncts import (
    Disjunct,
    alone,
    both,
    compared,
    is_not_same,
    local_expression,
    patterns,
)
from gnomon.engines.parameterised.ground_facts import GroundFacts, Literals
from gnomon.engines.parameterised.local_sets import LocalSet
from gnomon.engines.parameterised.local_space import LocalSpace
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import Datum, contains
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
    with_reads,
)

#: The most cubes of one condition.
_MOST_CUBES: Final = 20_000


class CubeCompiler:
    """Turns conditions into cubes."""

    def __init__(
        self, spaces: Mapping[str, LocalSpace], facts: GroundFacts, budget: Budget | None = None
    ) -> None:
        """Compile conditions over these local states."""
        self.spaces = spaces
        self.facts = facts
        self.budget = budget or Budget()
        self._fresh = 0

    def cubes(self, condition: Condition, owner: str | None) -> list[AgentCube]:
        """Return the cubes of a positive condition; `owner` is the part that is `self` in it."""
        me = owner if owner != ENVIRONMENT else None
        found: dict[AgentCube, None] = {}
        for disjunct in self._disjuncts(condition):
            for number, blocks in enumerate(patterns(disjunct, me)):
                self.budget.check("conditions", len(found))
                if number > _MOST_CUBES:
                    msg = "a condition looks for too many agents at once"
                    raise LimitReached(msg)
                for cube in self._expand(disjunct, blocks, me):
                    found[cube] = None
                    if len(found) > _MOST_CUBES:
                        msg = f"a condition falls into more than {_MOST_CUBES:,} cases"
                        raise LimitReached(msg)
        return absorbed(joined(found))

    # Disjunctive form

    def _disjuncts(self, condition: Condition) -> list[Disjunct]:
        match condition:
            case Or(operands) if local_expression(condition) is None:
                return [found for operand in operands for found in self._disjuncts(operand)]
            case And(operands) if local_expression(condition) is None:
                result = [Disjunct()]
                for operand in operands:
                    inner = self._disjuncts(operand)
                    result = [both(one, other) for one in result for other in inner]
                    if len(result) > _MOST_CUBES:
                        msg = f"a condition falls into more than {_MOST_CUBES:,} cases"
                        raise LimitReached(msg)
                return result
            case Exists(index, template, body):
                self._fresh += 1
                name = f"{index}'{self._fresh}"
                inner = self._disjuncts(renamed(body, {index: name}))
                return [both(Disjunct(((name, template),)), each) for each in inner]
            case Forall():
                return [Disjunct(universal=(condition,))]
            case _:
                local = local_expression(condition)
                return [Disjunct(literals=(condition if local is None else Holds(local),))]

    # Cubes

    def _expand(
        self, disjunct: Disjunct, blocks: Mapping[str, str], me: str | None
    ) -> Iterator[AgentCube]:
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
            local = local_expression(literal)
            if local is not None:
                owners = {read.agent for read in plain.reads(local)}
                block = next(iter(owners), ENVIRONMENT)
                masks[block] &= self.spaces[sorts[block]].where(local)
            elif not isinstance(literal, Same) and not is_not_same(literal):
                crossing.append(literal)
        if not all(masks.values()):
            return
        universal = tuple(renamed(each, blocks) for each in disjunct.universal)
        yield from self._split(masks, sorts, crossing, universal, me)

    def _split(
        self,
        masks: dict[str, LocalSet],
        sorts: Mapping[str, str],
        crossing: list[Condition],
        universal: tuple[Condition, ...],
        me: str | None,
    ) -> Iterator[AgentCube]:
        """Fix the values that conditions on several agents, or on relations, speak of."""
        wanted = compared(crossing, universal)
        for values, limited in self._valuations(sorted(wanted), masks, sorts):
            known = {plain.Read(*key): plain.Literal(value) for key, value in values.items()}
            for facts in self._facts([with_reads(literal, known) for literal in crossing]):
                cube = self._with_universal(limited, sorts, facts, universal, known, me)
                if cube is not None:
                    yield cube

    def _valuations(
        self,
        wanted: list[tuple[str, str]],
        masks: dict[str, LocalSet],
        sorts: Mapping[str, str],
    ) -> Iterator[tuple[dict[tuple[str, str], Datum], dict[str, LocalSet]]]:
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
        masks: dict[str, LocalSet],
        sorts: Mapping[str, str],
        facts: Literals,
        universal: tuple[Condition, ...],
        known: Mapping[plain.Read, plain.Expression],
        me: str | None,
    ) -> AgentCube | None:
        masks = dict(masks)
        every: dict[str, LocalSet] = {}
        for condition in universal:
            assert isinstance(condition, Forall)
            body = with_reads(condition.body, known)
            space = self.spaces[condition.template]
            allowed = space.where(alone(body, condition.index, myself=False))
            every[condition.template] = every.get(condition.template, space.full) & allowed
            if condition.template == me:
                masks[SELF] &= space.where(alone(body, condition.index, myself=True))
        for block, sort in sorts.items():
            if sort in every and block != SELF:
                masks[block] &= every[sort]
        if not all(masks.values()):
            return None
        others = tuple(
            sorted(
                (
                    (sort, masks[block])
                    for block, sort in sorts.items()
                    if block not in (SELF, ENVIRONMENT)
                ),
                key=_in_order,
            )
        )
        own: LocalSet = masks[SELF] if me is not None else -1
        return AgentCube(
            masks[ENVIRONMENT], own, others, facts, tuple(sorted(every.items(), key=_in_order))
        )


def _in_order(agent: tuple[str, LocalSet]) -> tuple[str, int]:
    """Put agents in the order of their templates and, where sets are integers, of these."""
    template, states = agent
    return template, states if isinstance(states, int) else 0
