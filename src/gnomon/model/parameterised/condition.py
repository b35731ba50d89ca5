"""Conditions on some of the agents of a configuration.

Agents are named by indices: `self`, `Environment`, and those that `exists` and `forall` bind. A variable of
an agent is `Read(index, variable)`. Two indices may stand for one agent unless a condition says otherwise.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from gnomon.model import expression as plain
from gnomon.model.domain import Domain
from gnomon.model.parameterised.linear import LinearTerm, scaled, show_linear, show_sum
from gnomon.text.record import Record, replace
from gnomon.text.source import NOWHERE, Span

SELF: Final = "self"


class Lookup(Record):
    """The value that a relation with a key has for its arguments."""

    relation: str
    arguments: tuple["Term", ...]


Term: TypeAlias = plain.Expression | Lookup


class Holds(Record):
    """A condition on variables alone."""

    expression: plain.Expression


class Related(Record):
    """Whether a relation holds of its arguments."""

    relation: str
    arguments: tuple[Term, ...]


class Equal(Record):
    """Whether two values are equal, at least one of them looked up."""

    left: Term
    right: Term


class Same(Record):
    """Whether two indices stand for one agent."""

    left: str
    right: str


class Not(Record):
    """The opposite."""

    operand: "Condition"


class And(Record):
    """All of its operands."""

    operands: tuple["Condition", ...]


class Or(Record):
    """At least one of its operands."""

    operands: tuple["Condition", ...]


class Exists(Record):
    """Some agent of a template satisfies the body, in which `index` stands for it."""

    index: str
    template: str
    body: "Condition"
    span: Span = NOWHERE


class Forall(Record):
    """Every agent of a template satisfies the body."""

    index: str
    template: str
    body: "Condition"
    span: Span = NOWHERE


class ForValues(Record):
    """The body holds of every value of a type; in axioms, for types that are not listed.

    In the body the value is `Read("", variable)`.
    """

    variable: str
    domain: Domain
    body: "Condition"


class Tally(Record):
    """How many agents of a template satisfy the body, in which `index` stands for each of them."""

    index: str
    template: str
    body: "Condition"
    span: Span = NOWHERE


class Enough(Record):
    """That counts, each so many times, and a linear term of the parameters are not below 0 together."""

    counts: tuple[tuple[int, Tally], ...]
    rest: LinearTerm


Condition: TypeAlias = (
    Holds | Related | Equal | Same | Not | And | Or | Exists | Forall | ForValues | Enough
)

TRUE: Final = Holds(plain.TRUE)
FALSE: Final = Holds(plain.FALSE)


def parts(condition: Condition) -> tuple[Condition, ...]:
    """Return the direct parts that are conditions."""
    match condition:
        case Holds() | Related() | Equal() | Same():
            return ()
        case Not(operand):
            return (operand,)
        case And(operands) | Or(operands):
            return operands
        case Exists(_, _, body) | Forall(_, _, body) | ForValues(_, _, body):
            return (body,)
        case Enough(counts):
            return tuple(tally.body for _, tally in counts)


def walk(condition: Condition) -> Iterator[Condition]:
    """Yield the condition and all its parts."""
    waiting = [condition]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(parts(current))


def terms(condition: Condition) -> tuple[Term, ...]:
    """Return the values that a condition itself speaks of, not those of its parts."""
    match condition:
        case Holds(expression):
            return (expression,)
        case Related(_, arguments):
            return arguments
        case Equal(left, right):
            return (left, right)
        case _:
            return ()


def _terms_within(condition: Condition) -> Iterator[Term]:
    """Yield all values that a condition speaks of, also those by which others are looked up."""
    for part in walk(condition):
        waiting = list(terms(part))
        while waiting:
            term = waiting.pop()
            yield term
            if isinstance(term, Lookup):
                waiting.extend(term.arguments)


def expressions(condition: Condition) -> Iterator[plain.Expression]:
    """Yield all expressions over variables in a condition, also those that are looked up."""
    return (term for term in _terms_within(condition) if not isinstance(term, Lookup))


def relations(condition: Condition) -> frozenset[str]:
    """Return the relations that a condition asks."""
    asked = {part.relation for part in walk(condition) if isinstance(part, Related)}
    looked = {term.relation for term in _terms_within(condition) if isinstance(term, Lookup)}
    return frozenset(asked | looked)


def with_parts(condition: Condition, change: Callable[[Condition], Condition]) -> Condition:
    """Return the condition with every direct part changed."""
    match condition:
        case Holds() | Related() | Equal() | Same():
            return condition
        case Not(operand):
            return Not(change(operand))
        case And(operands) | Or(operands):
            return type(condition)(tuple(map(change, operands)))
        case Exists(index, template, body, span) | Forall(index, template, body, span):
            return type(condition)(index, template, change(body), span)
        case ForValues(variable, domain, body):
            return ForValues(variable, domain, change(body))
        case Enough(counts, rest):
            return Enough(
                tuple((k, replace(tally, body=change(tally.body))) for k, tally in counts), rest
            )


def fewer(condition: Enough) -> Enough:
    """Return the opposite: that it is at most -1."""
    rest = scaled(condition.rest, -1)
    counts = tuple((-k, tally) for k, tally in condition.counts)
    return Enough(counts, LinearTerm(rest.times, rest.number - 1))


def positive(condition: Condition, *, wanted: bool = True) -> Condition:
    """Return the condition, or its opposite, with `Not` only in front of what has no parts."""
    match condition:
        case Not(operand):
            return positive(operand, wanted=not wanted)
        case And(operands) | Or(operands):
            inner = tuple(positive(operand, wanted=wanted) for operand in operands)
            return And(inner) if isinstance(condition, And) == wanted else Or(inner)
        case Exists(index, template, body, span) | Forall(index, template, body, span):
            kind = Exists if isinstance(condition, Exists) == wanted else Forall
            return kind(index, template, positive(body, wanted=wanted), span)
        case Enough():
            return condition if wanted else fewer(condition)
        case ForValues() | Holds() | Related() | Equal() | Same():
            return condition if wanted else Not(condition)


def with_reads(condition: Condition, values: Mapping[plain.Read, plain.Expression]) -> Condition:
    """Return the condition with expressions in the place of some variables."""
    return with_terms(condition, lambda expression: plain.substituted(expression, values))


def with_terms(
    condition: Condition, change: Callable[[plain.Expression], plain.Expression]
) -> Condition:
    """Return the condition with every expression over variables changed."""

    def term(value: Term) -> Term:
        if isinstance(value, Lookup):
            return Lookup(value.relation, tuple(map(term, value.arguments)))
        return change(value)

    match condition:
        case Holds(expression):
            return Holds(change(expression))
        case Related(relation, arguments):
            return Related(relation, tuple(map(term, arguments)))
        case Equal(left, right):
            return Equal(term(left), term(right))
        case _:
            return with_parts(condition, lambda part: with_terms(part, change))


def renamed(condition: Condition, names: Mapping[str, str]) -> Condition:
    """Return the condition with other names for some indices, bound ones included."""

    def reads(expression: plain.Expression) -> plain.Expression:
        found = {
            read: plain.Read(names[read.agent], read.variable)
            for read in plain.reads(expression)
            if read.agent in names
        }
        return plain.substituted(expression, found) if found else expression

    def indices(part: Condition) -> Condition:
        match part:
            case Same(left, right):
                return Same(names.get(left, left), names.get(right, right))
            case Exists(index, template, body, span) | Forall(index, template, body, span):
                return type(part)(names.get(index, index), template, indices(body), span)
            case Enough(counts, rest):
                return Enough(tuple((k, tally_indices(tally)) for k, tally in counts), rest)
            case _:
                return with_parts(part, indices)

    def tally_indices(tally: Tally) -> Tally:
        index = names.get(tally.index, tally.index)
        return replace(tally, index=index, body=indices(tally.body))

    return indices(with_terms(condition, reads))


def show(condition: Condition, *, inside: bool = False) -> str:
    """Return the condition as it is written in a model."""
    match condition:
        case Holds(expression):
            text = plain.show(expression)
            looser = isinstance(expression, (plain.And, plain.Or))
            return f"({text})" if inside and looser else text
        case Related(relation, arguments):
            return f"{relation}({', '.join(map(show_term, arguments))})"
        case Equal(left, right):
            return f"{show_term(left)} = {show_term(right)}"
        case Same(left, right):
            return f"{left} = {right}"
        case Not(Same(left, right)):
            return f"{left} != {right}"
        case Not(operand):
            return f"!({show(operand)})"
        case And(operands) | Or(operands):
            word = "and" if isinstance(condition, And) else "or"
            if not operands:
                return "true" if word == "and" else "false"
            text = f" {word} ".join(show(operand, inside=True) for operand in operands)
            return f"({text})" if inside and len(operands) > 1 else text
        case Exists() | Forall():
            return _show_quantified(condition)
        case ForValues(variable, domain, body):
            return f"forall {variable} : {domain} ({show(body)})"
        case Enough():
            return _show_enough(condition)


def _show_enough(condition: Enough) -> str:
    """Return a comparison of counts with a term: what is negative everywhere stands on the other side."""
    turned = bool(condition.counts) and all(k < 0 for k, _ in condition.counts)
    sign = -1 if turned else 1
    counts = [
        (sign * k, f"count {each.index} : {each.template} ({show(each.body)})")
        for k, each in condition.counts
    ]
    if not counts:
        return f"{show_linear(condition.rest)} >= 0"
    bound = scaled(condition.rest, -sign)
    return f"{show_sum(counts, 0)} {'<=' if turned else '>='} {show_linear(bound)}"


def _show_quantified(condition: Exists | Forall) -> str:
    """Return a quantified condition, quantifiers of one kind over one template joined."""
    indices = [condition.index]
    body = condition.body
    while type(body) is type(condition) and body.template == condition.template:
        indices.append(body.index)
        body = body.body
    word = "exists" if isinstance(condition, Exists) else "forall"
    return f"{word} {', '.join(indices)} : {condition.template} ({show(body)})"


def show_term(term: Term) -> str:
    """Return a value as it is written in a model."""
    if isinstance(term, Lookup):
        return f"{term.relation}({', '.join(map(show_term, term.arguments))})"
    return plain.show(term)
