"""The conditions that a proof is made of, as it writes them down: cases of what quantities are worth.

A condition is true, false, or the number of a node. A node looks at one quantity, and says for some of its
values which condition is left, and which for all others. Nodes only refer to nodes before them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from gnomon.certificate.arithmetic_data import known_variable, numeric, read_comparison
from gnomon.certificate.deductive.symbolic_moment import SymbolicMoment, chosen
from gnomon.certificate.rejection import Malformed, TooMuch, require, shown
from gnomon.certificate.shape import boolean, integer, items, member, nullable, row, string
from gnomon.certificate.smt_terms import FALSE, TRUE, SmtText, conj, disj, number, same
from gnomon.model.agent import Agent
from gnomon.model.domain import IntegerRange, Integers, contains
from gnomon.model.evaluation import evaluate
from gnomon.model.expression import Compare, Read, reads
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.text.record import Record

#: A condition: true, false, or a node by its number.
ConditionRef: TypeAlias = bool | int
#: A number is between these, ends included; None: there is no bound.
NumberRange: TypeAlias = tuple[int | None, int | None]

#: The most nodes of one proof.
_MOST_NODES: Final = 100_000
#: Nodes refer to each other in chains of at most so many.
_LONGEST_CHAIN: Final = 5_000


class LinearSum(Record):
    """Multiples of variables, added up; with a modulus, what is left of that."""

    terms: tuple[tuple[int, Read], ...]
    modulus: int = 0

    @property
    def reads(self) -> frozenset[Read]:
        """The variables in it."""
        return frozenset(read for _, read in self.terms)

    def text(self, moment: SymbolicMoment) -> SmtText:
        """Return it at some moment."""
        parts = [
            moment.variable(read)
            if weight == 1
            else f"(* {number(weight)} {moment.variable(read)})"
            for weight, read in self.terms
        ]
        whole = parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"
        return f"(mod {whole} {number(self.modulus)})" if self.modulus else whole

    def value(self, system: System, state: State) -> int:
        """Return what it is in a state."""
        total = sum(
            weight * int(state[system.position[read.agent, read.variable]])
            for weight, read in self.terms
        )
        return total % self.modulus if self.modulus else total


class OneVariable(Record):
    """A variable whose values are no numbers."""

    read: Read


class OneComparison(Record):
    """A comparison of numbers, told apart as it is."""

    expression: Compare


class OneAction(Record):
    """What an agent does."""

    agent: Agent


ProofQuantity: TypeAlias = LinearSum | OneVariable | OneComparison | OneAction


class NodeCase(NamedTuple):
    """Some values, and the condition that is left for them."""

    values: tuple[NumberRange | bool | str, ...]
    left: ConditionRef


class Node(NamedTuple):
    """A condition by cases of one quantity."""

    quantity: ProofQuantity
    cases: tuple[NodeCase, ...]
    otherwise: ConditionRef


class WrittenConditions:
    """All conditions of one proof."""

    def __init__(self, system: System, data: object) -> None:
        """Read them; raises `Rejected` where they are no conditions on the states of this system."""
        self.system = system
        quantities = [self._quantity(each) for each in items(member(data, "quantities"))]
        listed = items(member(data, "conditions"))
        if len(listed) > _MOST_NODES:
            raise TooMuch(f"the proof has more than {_MOST_NODES:,} conditions")
        self._nodes: list[Node] = []
        #: Many nodes look at the same variables.
        self._one_of_each: dict[frozenset[Read], frozenset[Read]] = {}
        self._reads: list[frozenset[Read]] = []
        self._agents: list[frozenset[str]] = []
        #: How many nodes lie one below the other.
        self._depths: list[int] = []
        for each in listed:
            self._add(self._node(each, quantities))

    def _add(self, node: Node) -> None:
        below = [case.left for case in node.cases] + [node.otherwise]
        inner = [ref for ref in below if not isinstance(ref, bool)]
        self._depths.append(1 + max((self._depths[ref] for ref in inner), default=0))
        if self._depths[-1] > _LONGEST_CHAIN:
            raise TooMuch(f"more than {_LONGEST_CHAIN:,} conditions refer to each other in a row")
        own, acts = _looks_at(node.quantity)
        reads = own.union(*(self._reads[ref] for ref in inner))
        self._reads.append(self._one_of_each.setdefault(reads, reads))
        self._agents.append(acts.union(*(self._agents[ref] for ref in inner)))
        self._nodes.append(node)

    # Reading

    def linear(self, data: object) -> tuple[tuple[int, Read], ...]:
        """Return multiples of variables whose values are numbers."""
        found = []
        for term in items(data):
            weight, agent, variable = row(term, 3)
            found.append((integer(weight), numeric(self.system, agent, variable)))
        require(found, "a sum of nothing")
        return tuple(found)

    def _quantity(self, data: object) -> ProofQuantity:
        match integer_key(data):
            case "sum":
                return LinearSum(self.linear(member(data, "sum")))
            case "remainder":
                modulus = integer(member(data, "modulus"))
                require(modulus > 0, "a remainder of division by a number that is not positive")
                return LinearSum(self.linear(member(data, "remainder")), modulus)
            case "variable":
                read = known_variable(self.system, *row(member(data, "variable"), 2))
                domain = self.system.variables[
                    self.system.position[read.agent, read.variable]
                ].domain
                numeric = isinstance(domain, Integers | IntegerRange)
                require(not numeric, "a number is looked at as a name")
                return OneVariable(read)
            case "comparison":
                return OneComparison(read_comparison(self.system, member(data, "comparison")))
            case _:
                name = string(member(data, "action"))
                require(name in self.system.agent_index, "there is no such agent")
                return OneAction(self.system.agent(name))

    def _node(self, data: object, quantities: Sequence[ProofQuantity]) -> Node:
        index, cases, otherwise = row(data, 3)
        place = integer(index)
        require(0 <= place < len(quantities), "there is no such quantity")
        quantity = quantities[place]
        found = []
        for case in items(cases):
            values, left = row(case, 2)
            among = tuple(self._value(quantity, each) for each in items(values))
            found.append(NodeCase(among, self.ref(left)))
        return Node(quantity, tuple(found), self.ref(otherwise))

    def _value(self, quantity: ProofQuantity, data: object) -> NumberRange | bool | str:
        match quantity:
            case LinearSum():
                low, high = row(data, 2)
                return nullable(integer, low), nullable(integer, high)
            case OneComparison():
                return boolean(data)
            case OneVariable(read):
                domain = self.system.variables[
                    self.system.position[read.agent, read.variable]
                ].domain
                require(contains(domain, data), "a variable is said to have no value of its own")
                return data  # type: ignore[return-value]
            case OneAction(agent):
                name = string(data)
                require(name in agent.actions, "there is no such action")
                return name

    def ref(self, data: object) -> ConditionRef:
        """Return a condition that is written down before the place where it is used."""
        if isinstance(data, bool):
            return data
        found = integer(data)
        require(0 <= found < len(self._nodes), "a condition refers to none before it")
        return found

    # Use

    def reads(self, ref: ConditionRef) -> frozenset[Read]:
        """Return the variables that a condition looks at."""
        return frozenset() if isinstance(ref, bool) else self._reads[ref]

    def agents(self, ref: ConditionRef) -> frozenset[str]:
        """Return the agents whose actions a condition looks at."""
        return frozenset() if isinstance(ref, bool) else self._agents[ref]

    def text(self, ref: ConditionRef, moment: SymbolicMoment) -> SmtText:
        """Return a condition at some moment."""
        if isinstance(ref, bool):
            return TRUE if ref else FALSE
        known = moment.nodes.get(ref)
        if known is not None:
            return known
        if moment.now is not None and not moment.differs_on(self._reads[ref]):
            return self.text(ref, moment.now)
        node = self._nodes[ref]
        found = self.text(node.otherwise, moment)
        for case in reversed(node.cases):
            here = _among(node.quantity, case.values, moment)
            found = chosen(here, self.text(case.left, moment), found)
        found = moment.nodes[ref] = moment.script.named(found)
        return found

    def value(self, ref: ConditionRef, state: State) -> bool:
        """Return whether a condition holds in a state; what is done cannot be looked at."""
        while not isinstance(ref, bool):
            node = self._nodes[ref]
            ref = next(
                (case.left for case in node.cases if self._is_among(node.quantity, case, state)),
                node.otherwise,
            )
        return ref

    def _is_among(self, quantity: ProofQuantity, case: NodeCase, state: State) -> bool:
        match quantity:
            case LinearSum():
                value = quantity.value(self.system, state)
                return any(_lies_between(value, limits) for limits in case.values)
            case OneVariable(read):
                return state[self.system.position[read.agent, read.variable]] in case.values
            case OneComparison(expression):
                return bool(evaluate(expression, self.system, state)) in case.values
            case OneAction():
                raise Malformed("a condition on states looks at what is done")


def integer_key(data: object) -> str:
    """Return the kind of a quantity: the first of its words."""
    for key in ("sum", "remainder", "variable", "comparison", "action"):
        if isinstance(data, Mapping) and key in data:
            return key
    raise Malformed(f"no such quantity: {shown(data)}")


def _looks_at(quantity: ProofQuantity) -> tuple[frozenset[Read], frozenset[str]]:
    match quantity:
        case LinearSum():
            return quantity.reads, frozenset()
        case OneVariable(read):
            return frozenset((read,)), frozenset()
        case OneComparison(expression):
            return reads(expression), frozenset()
        case OneAction(agent):
            return frozenset(), frozenset((agent.name,))


def _among(quantity: ProofQuantity, values: Iterable[object], moment: SymbolicMoment) -> SmtText:
    """Return that a quantity has one of some values."""
    match quantity:
        case LinearSum():
            term = moment.script.named(quantity.text(moment), "Int")
            return disj(_between(term, *limits) for limits in values)  # type: ignore[misc]
        case OneVariable(read):
            return moment.script.vocabulary.among(moment.variable(read), values)  # type: ignore[arg-type]
        case OneComparison(expression):
            holds = moment.condition(expression)
            return disj(
                chosen(holds, TRUE, FALSE) if v else chosen(holds, FALSE, TRUE) for v in values
            )
        case OneAction(agent):
            return disj(moment.does(agent, action) for action in values)  # type: ignore[arg-type]


def _lies_between(value: int, limits: object) -> bool:
    assert isinstance(limits, tuple)
    low, high = limits
    return (low is None or low <= value) and (high is None or value <= high)


def _between(term: SmtText, low: int | None, high: int | None) -> SmtText:
    if low is not None and low == high:
        return same(term, number(low))
    above = TRUE if low is None else f"(<= {number(low)} {term})"
    return conj((above, TRUE if high is None else f"(<= {term} {number(high)})"))
