"""Path formulae in negation normal form: what a quantifier of LTL or CTL* has inside."""

from typing import TypeAlias

from gnomon.model import formula as f
from gnomon.model.budget import OutOfReach
from gnomon.model.windows import at_step, dual
from gnomon.text.record import Record, replace


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


class PathWindow(Record):
    """Something with bounds: before step `low`, and from then on, what wins and what lets it go on.

    At step `high` it is won by `last`. Where it is `strong`, something has to come, and fewer steps say more;
    else something has to last, and more steps do.
    """

    low: int
    high: int
    early: tuple["Path", "Path"]
    inside: tuple["Path", "Path"]
    last: "Path"
    strong: bool

    def rest(self) -> "PathWindow":
        """Return what is left of it at the next step; there must be one."""
        return replace(self, low=max(self.low - 1, 0), high=self.high - 1)

    def implies(self, other: "PathWindow") -> bool:
        """Return whether it says all that another one says, for want of a better reason than the bounds."""
        if replace(self, low=other.low, high=other.high) != other or self.low or other.low:
            return False
        return self.high <= other.high if self.strong else self.high >= other.high


Path: TypeAlias = (
    PathConstant | StateLiteral | Both | Either | PathNext | PathUntil | PathRelease | PathWindow
)

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
        case f.Release(left, right):
            first, second = normal_form(left, wanted=wanted), normal_form(right, wanted=wanted)
            return _release(first, second) if wanted else _until(first, second)
        case f.WeakUntil(left, right):
            first, second = normal_form(left, wanted=wanted), normal_form(right, wanted=wanted)
            if wanted:
                return _release(second, _either(first, second))
            return _until(second, _both(first, second))
        case f.Bounded():
            return _window(formula if wanted else dual(formula))  # type: ignore[arg-type]
        case _:
            msg = f"not a path formula: {f.show_formula(formula)}"
            raise ValueError(msg)


def _window(formula: f.Bounded) -> Path:
    low, high = formula.low, formula.high

    def pair(step: int) -> tuple[Path, Path]:
        won, kept = at_step(formula, step)
        return normal_form(won), normal_form(kept)

    last, _ = pair(high)
    strong = isinstance(formula.path, f.Finally | f.Until)
    return PathWindow(low, high, pair(0), pair(min(low, high)), last, strong) if high else last


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
