"""What is shared among expressions: each part is worked out once, however often it is used.

Much may be shared below `Defined` and `Conditional`, and below these two alone: written out, such an
expression may be larger than any memory. Whoever goes through expressions by recursion asks `shared` for what
these two come to.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from copyreg import pickle
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from gnomon.model.node import Conditional, Defined, Expression, parts

Result = TypeVar("Result")
#: The two kinds of expression that may be used many times.
Sharing: TypeAlias = Conditional | Defined


class Memory(Protocol[Result]):
    """Remembers what expressions come to: a dictionary, say."""

    def __contains__(self, expression: object, /) -> bool:
        """Return whether it is known what an expression comes to."""

    def __getitem__(self, expression: Sharing, /) -> Result:
        """Return what it comes to."""

    def __setitem__(self, expression: Sharing, result: Result, /) -> None:
        """Remember what it comes to."""


def all_parts(expression: Sharing) -> tuple[Expression, ...]:
    """Return all direct parts of what is shared."""
    return parts(expression)


def value_parts(expression: Sharing) -> tuple[Expression, ...]:
    """Return the parts of what is shared that it may be worth, without the condition that decides."""
    return parts(expression)[-2:]


def shared(
    expression: Sharing,
    known: Memory[Result],
    work: Callable[[Sharing], Result],
    below: Callable[[Sharing], tuple[Expression, ...]] = all_parts,
) -> Result:
    """Return what an expression comes to, worked out once for all its uses.

    `known` remembers. What the expression is made of is worked out first, so that definitions of
    definitions, thousands deep, take no recursion. `below` says in which parts to look for that.
    """
    if expression not in known:
        for part in _inner_first(expression, known, below):
            known[part] = work(part)
    return known[expression]


def _inner_first(
    expression: Sharing,
    known: Memory[Result],
    below: Callable[[Sharing], tuple[Expression, ...]],
) -> Iterator[Sharing]:
    """Yield what is shared in an expression and not known, each after what it is made of."""
    waiting = [(expression, _inner(expression, below))]
    while waiting:
        part, inner = waiting[-1]
        new = next((each for each in inner if each not in known), None)
        if new is not None:
            waiting.append((new, _inner(new, below)))
            continue
        waiting.pop()
        yield part


def _inner(
    expression: Sharing, below: Callable[[Sharing], tuple[Expression, ...]]
) -> Iterator[Sharing]:
    """Yield what is shared right below; where all parts count it is remembered, since each state asks."""
    if below is not all_parts:
        return nearest(below(expression))
    if not hasattr(expression, "_inner"):
        found = tuple(nearest(parts(expression)))
        _INNER[expression.__class__].__set__(expression, found)
    return iter(expression._inner)  # type: ignore[union-attr]  # noqa: SLF001


_INNER: Final[Mapping[type, Any]] = {
    kind: kind.__dict__["_inner"] for kind in (Conditional, Defined)
}


def nearest(expressions: tuple[Expression, ...]) -> Iterator[Sharing]:
    """Yield what is shared in expressions, with nothing else that is shared around it."""
    waiting = list(expressions)
    while waiting:
        current = waiting.pop()
        if isinstance(current, (Conditional, Defined)):
            yield current
        else:
            waiting.extend(parts(current))


# Sending to other processes

#: What is in the pickle that is being made.
_SENT: Final[ContextVar[dict[Sharing, None] | None]] = ContextVar("sent", default=None)


@contextmanager
def sending() -> Iterator[None]:
    """Let expressions be pickled inner ones first: definitions thousands deep take no recursion then."""
    token = _SENT.set({})
    try:
        yield
    finally:
        _SENT.reset(token)


def _sent(expression: Sharing) -> tuple[Any, ...]:
    kind = expression.__class__
    fields = (
        (expression.name, expression.body) if isinstance(expression, Defined) else parts(expression)
    )
    sent = _SENT.get()
    if sent is None or expression in sent:
        return kind, fields
    inner = []
    for part in _inner_first(expression, sent, all_parts):
        sent[part] = None
        inner.append(part)
    # It is the last one itself; the others are in the pickle before it asks for them.
    return _received, (tuple(inner[:-1]), kind, *fields)


def _received(_inner: tuple[Expression, ...], kind: type[Sharing], *fields: Any) -> Sharing:
    return kind(*fields)


for _kind in (Conditional, Defined):
    pickle(_kind, _sent)  # type: ignore[arg-type]


def body_of(expression: Expression) -> Expression:
    """Return what a definition stands for, and any other expression as it is."""
    while isinstance(expression, Defined):
        expression = expression.body
    return expression


def written_size(expression: Expression, known: dict[Sharing, int] | None = None) -> int:
    """Return how many parts an expression has where nothing is shared; it may be a very large number."""
    sizes: dict[Sharing, int] = {} if known is None else known

    def size(part: Expression) -> int:
        if isinstance(part, (Conditional, Defined)):
            return shared(part, sizes, inside)
        return inside(part)

    def inside(part: Expression) -> int:
        return 1 + sum(map(size, parts(part)))

    return size(expression)


def example_of(
    expression: Expression, known: dict[Sharing, Expression] | None = None
) -> Expression:
    """Return one of the expressions that an expression may be worth: all of them are of one type.

    What is `known` is not looked for again, which is of use to who asks for each link of a long chain.
    """
    examples: dict[Sharing, Expression] = {} if known is None else known
    passed: list[Sharing] = []
    while isinstance(expression, (Conditional, Defined)):
        passed.append(expression)
        expression = examples.get(expression) or parts(expression)[-1]
    if known is not None:
        known.update(dict.fromkeys(passed, expression))
    return expression
