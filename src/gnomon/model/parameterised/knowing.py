"""What agents of any number know: formulae about configurations, of any shape, without operators of time.

Agents are named by indices that `exists` and `forall` bind. Inside what an agent knows only that agent can be
named: any other configuration that looks the same to it has agents of its own.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.expression import reads
from gnomon.model.parameterised import condition as c
from gnomon.model.parameterised.condition import Condition
from gnomon.text.record import Record

#: How indices begin that stand for everybody and are not written: `GK(Robot, b)`.
EACH: Final = "each "


class Here(Record):
    """A condition on the configuration at hand."""

    condition: Condition


class OppositeOf(Record):
    """The opposite."""

    body: "EpistemicFormula"


class AllOf(Record):
    """All of its operands."""

    operands: tuple["EpistemicFormula", ...]


class AnyOf(Record):
    """At least one of its operands."""

    operands: tuple["EpistemicFormula", ...]


class SomeAgent(Record):
    """Some agent of a template satisfies the body, in which `index` stands for it."""

    index: str
    template: str
    body: "EpistemicFormula"


class EveryAgent(Record):
    """Every agent of a template satisfies the body."""

    index: str
    template: str
    body: "EpistemicFormula"


class AgentKnows(Record):
    """The body holds wherever it looks the same to an agent, which is `index` there as well."""

    index: str
    template: str
    body: "EpistemicFormula"


class Common(Record):
    """Any number of steps, each to what looks the same to an agent of a template, lead to the body only."""

    template: str
    body: "EpistemicFormula"


class JointlyKnown(Record):
    """The body holds wherever it looks the same to all agents of a template, who share what they see."""

    template: str
    body: "EpistemicFormula"


EpistemicFormula: TypeAlias = (
    Here | OppositeOf | AllOf | AnyOf | SomeAgent | EveryAgent | AgentKnows | Common | JointlyKnown
)


def inner(formula: EpistemicFormula) -> tuple[EpistemicFormula, ...]:
    """Return the direct parts."""
    match formula:
        case Here():
            return ()
        case AllOf(operands) | AnyOf(operands):
            return operands
        case OppositeOf(body) | Common(_, body) | JointlyKnown(_, body):
            return (body,)
        case SomeAgent(_, _, body) | EveryAgent(_, _, body) | AgentKnows(_, _, body):
            return (body,)


def within(formula: EpistemicFormula) -> Iterator[EpistemicFormula]:
    """Yield a formula and all its parts."""
    waiting = [formula]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(inner(current))


def conditions(formula: EpistemicFormula) -> Iterator[Condition]:
    """Yield the conditions that a formula is made of."""
    return (part.condition for part in within(formula) if isinstance(part, Here))


def named(formula: EpistemicFormula) -> frozenset[str]:
    """Return the indices that stand for agents outside of a formula."""
    match formula:
        case Here(condition):
            return named_in(condition)
        case SomeAgent(index, _, body) | EveryAgent(index, _, body):
            return named(body) - {index}
        case AgentKnows(index, _, body):
            return named(body) | {index}
        case _:
            return frozenset().union(*map(named, inner(formula)))


def named_in(condition: Condition) -> frozenset[str]:
    """Return the indices that stand for agents outside of a condition."""
    match condition:
        case c.Exists(index, _, body) | c.Forall(index, _, body):
            return named_in(body) - {index}
        case c.Same(left, right):
            return frozenset((left, right))
        case _:
            own: set[str] = set()
            if not c.parts(condition):
                for expression in c.expressions(condition):
                    own |= {read.agent for read in reads(expression)}
            found = frozenset(own).union(*map(named_in, c.parts(condition)))
            return found - {ENVIRONMENT, ""}


def normal(formula: EpistemicFormula, *, wanted: bool = True) -> EpistemicFormula:
    """Return a formula, or its opposite, with opposites in front of conditions and of knowledge only."""
    match formula:
        case Here(condition):
            return Here(c.positive(condition, wanted=wanted))
        case OppositeOf(body):
            return normal(body, wanted=not wanted)
        case AllOf(operands) | AnyOf(operands):
            inside = tuple(normal(each, wanted=wanted) for each in operands)
            return AllOf(inside) if isinstance(formula, AllOf) == wanted else AnyOf(inside)
        case SomeAgent(index, template, body) | EveryAgent(index, template, body):
            kind = SomeAgent if isinstance(formula, SomeAgent) == wanted else EveryAgent
            return kind(index, template, normal(body, wanted=wanted))
        case AgentKnows() | Common() | JointlyKnown():
            known = with_inner(formula, normal)
            return known if wanted else OppositeOf(known)


def with_inner(
    formula: EpistemicFormula, change: Callable[[EpistemicFormula], EpistemicFormula]
) -> EpistemicFormula:
    """Return a formula with every direct part changed."""
    match formula:
        case Here():
            return formula
        case OppositeOf(body):
            return OppositeOf(change(body))
        case AllOf(operands) | AnyOf(operands):
            return type(formula)(tuple(map(change, operands)))
        case SomeAgent(index, template, body) | EveryAgent(index, template, body):
            return type(formula)(index, template, change(body))
        case AgentKnows(index, template, body):
            return AgentKnows(index, template, change(body))
        case Common(template, body) | JointlyKnown(template, body):
            return type(formula)(template, change(body))


def renamed(formula: EpistemicFormula, names: Mapping[str, str]) -> EpistemicFormula:
    """Return a formula with other names for some indices, bound ones included."""
    match formula:
        case Here(condition):
            return Here(c.renamed(condition, names))
        case SomeAgent(index, template, body) | EveryAgent(index, template, body):
            return type(formula)(names.get(index, index), template, renamed(body, names))
        case AgentKnows(index, template, body):
            return AgentKnows(names.get(index, index), template, renamed(body, names))
        case _:
            return with_inner(formula, lambda part: renamed(part, names))


def show(
    formula: EpistemicFormula, say: Callable[[Condition], str] = c.show, *, inside: bool = False
) -> str:
    """Return a formula as it is written in a model; conditions as they are to be said."""
    match formula:
        case Here(condition):
            text = say(condition)
            written = inside and text == c.show(condition)
            return c.show(condition, inside=True) if written else text
        case OppositeOf(body):
            text = show(body, say)
            bare = isinstance(body, AgentKnows | Common | JointlyKnown)
            return f"!{text}" if bare else f"!({text})"
        case AllOf(operands) | AnyOf(operands):
            word = " and " if isinstance(formula, AllOf) else " or "
            text = word.join(show(each, say, inside=True) for each in operands)
            return f"({text})" if inside else text
        case SomeAgent(index, template, body):
            return f"exists {index} : {template} ({show(body, say)})"
        case EveryAgent(index, template, AgentKnows(_, _, known)) if index.startswith(EACH):
            return f"GK({template}, {show(known, say)})"
        case EveryAgent(index, template, body):
            return f"forall {index} : {template} ({show(body, say)})"
        case AgentKnows(index, _, body):
            return f"K({index}, {show(body, say)})"
        case Common(template, body):
            return f"GCK({template}, {show(body, say)})"
        case JointlyKnown(template, body):
            return f"DK({template}, {show(body, say)})"
