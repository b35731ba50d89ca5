"""Path formulae in negation normal form: what a quantifier of LTL or CTL* has inside."""

from typing import TypeAlias

from gnomon.model import formula as f
from gnomon.model.budget import OutOfReach
from gnomon.text.record import Record


class PathConstant(Record):
    """`true` or `false`."""

    value: bool


class StateLiteral(Record):
    """A formula about the state, with nothing of the path outside its own quantifiers."""

    formula: f.Formula


class Both(Record):
    """A conjunction."""

    left: "Path"
    right: "Path"


class Either(Record):
    """A disjunction."""

    left: "Path"
    right: "Path"


class PathNext(Record):
    """At the next state."""

    body: "Path"


class PathUntil(Record):
    """`right` now or later, and `left` until then."""

    left: "Path"
    right: "Path"


class PathRelease(Record):
    """`right` up to and including the state where `left` holds, for ever if it never does."""

    left: "Path"
    right: "Path"


Path: TypeAlias = PathConstant | StateLiteral | Both | Either | PathNext | PathUntil | PathRelease

#: So many equivalences of paths may stand in one another.
_MOST_EQUIVALENCES = 8

TRUE = PathConstant(True)
FALSE = PathConstant(False)


def normal_form(formula: f.Formula, *, wanted: bool = True) -> Path:
    """Return a path formula, or its opposite, with every `not` inside the state formulae."""
    if not f.is_path_formula(formula):
        return _state(formula, wanted=wanted)
    match formula:
        case f.Not(body):
            return normal_form(body, wanted=not wanted)
        case f.And(operands) | f.Or(operands):
            join = _both if isinstance(formula, f.And) == wanted else _either
            found: Path = TRUE if join is _both else FALSE
            for operand in reversed(operands):
                found = join(normal_form(operand, wanted=wanted), found)
            return found
        case f.Implies(left, right):
            return normal_form(f.Or((f.Not(left), right)), wanted=wanted)
        case f.Iff(left, right):
            _refuse_deep(formula)
            both = _both(normal_form(left), normal_form(right, wanted=wanted))
            return _either(
                both, _both(normal_form(left, wanted=False), normal_form(right, wanted=not wanted))
            )
        case f.Next(body):
            inner = normal_form(body, wanted=wanted)
            return inner if isinstance(inner, PathConstant) else PathNext(inner)
        case f.Finally(body):
            inner = normal_form(body, wanted=wanted)
            return _until(TRUE, inner) if wanted else _release(FALSE, inner)
        case f.Globally(body):
            inner = normal_form(body, wanted=wanted)
            return _release(FALSE, inner) if wanted else _until(TRUE, inner)
        case f.Until(left, right):
            first, second = normal_form(left, wanted=wanted), normal_form(right, wanted=wanted)
            return _until(first, second) if wanted else _release(first, second)
        case _:
            msg = f"not a path formula: {f.show_formula(formula)}"
            raise ValueError(msg)


def _refuse_deep(formula: f.Formula) -> None:
    """Refuse equivalences of paths in one another: each of them doubles what is inside."""
    depth, level = 0, [formula]
    while level:
        depth += any(isinstance(part, f.Iff) for part in level)
        level = [inner for part in level for inner in f.parts(part) if f.is_path_formula(inner)]
    if depth > _MOST_EQUIVALENCES:
        msg = f"the formula has more than {_MOST_EQUIVALENCES} equivalences of paths in one another"
        raise OutOfReach(msg)


def _state(formula: f.Formula, *, wanted: bool) -> Path:
    match formula:
        case f.Constant(value):
            return PathConstant(value == wanted)
        case f.Not(body):
            return _state(body, wanted=not wanted)
        case _:
            return StateLiteral(formula if wanted else f.Not(formula))


def _both(left: Path, right: Path) -> Path:
    if FALSE in (left, right):
        return FALSE
    if left in (TRUE, right):
        return right
    return left if right == TRUE else Both(left, right)


def _either(left: Path, right: Path) -> Path:
    if TRUE in (left, right):
        return TRUE
    if left in (FALSE, right):
        return right
    return left if right == FALSE else Either(left, right)


def _until(left: Path, right: Path) -> Path:
    if isinstance(right, PathConstant) or left == FALSE:
        return right
    match right:
        case PathUntil(inner) if inner == left:
            return right  # `a U (a U b)` is `a U b`
        case _:
            return PathUntil(left, right)


def _release(left: Path, right: Path) -> Path:
    if isinstance(right, PathConstant) or left == TRUE:
        return right
    match right:
        case PathRelease(inner) if inner == left:
            return right
        case _:
            return PathRelease(left, right)
