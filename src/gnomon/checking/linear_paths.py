"""What some path says: formulae that hold in a state just where one path from there satisfies something.

Quantifiers one inside the other become one where that is the same: some path comes to a state from which
some path does something just where some path comes there and goes on to do it.
"""

from gnomon.checking.momentary import KnowledgeFormula, doubts_of, is_momentary
from gnomon.logic.path import (
    FALSE,
    TRUE,
    Both,
    Either,
    Path,
    PathConstant,
    PathNext,
    PathRelease,
    PathUntil,
    PathWindow,
    StateLiteral,
    normal_form,
)
from gnomon.model.budget import OutOfReach
from gnomon.model.fold.systems import mapped
from gnomon.model.formula import (
    All,
    And,
    Exists,
    Finally,
    Formula,
    Globally,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Until,
    WeakUntil,
    is_path_formula,
    show_formula,
    walk,
)
from gnomon.text.errors import GnomonError


class NotLinear(GnomonError):
    """A formula says more than what holds on one path."""

    def __init__(self, formula: Formula) -> None:
        """Say which one."""
        super().__init__(show_formula(formula))


class LinearPaths:
    """Turns formulae into path formulae.

    `endless`: only infinite paths count; else those count as well that end, once all they had to do is done.
    `everywhere`: a path that counts starts in every state that is asked about.
    """

    def __init__(self, *, endless: bool, everywhere: bool) -> None:
        """Read paths like this."""
        self.endless = endless
        self._everywhere = everywhere

    def some(self, formula: Formula, *, wanted: bool) -> Path:
        """Return what some path satisfies just where a formula holds, or, not `wanted`, fails."""
        return self._some(without_idle_quantifiers(formula), wanted=wanted)

    def _some(self, formula: Formula, *, wanted: bool) -> Path:
        if is_momentary(formula):
            return normal_form(formula, wanted=wanted)
        match formula:
            case Not(body):
                return self._some(body, wanted=not wanted)
            case And(operands) if wanted:
                return self._all(formula, operands, wanted=wanted)
            case And(operands):
                return self._one_of(formula, operands, wanted=wanted)
            case Or(operands) if wanted:
                return self._one_of(formula, operands, wanted=wanted)
            case Or(operands):
                return self._all(formula, operands, wanted=wanted)
            case Implies(left, right):
                return self._some(Or((Not(left), right)), wanted=wanted)
            case Exists(path) if wanted:
                return self._along(path, wanted=wanted)
            case All(path) if not wanted:
                return self._along(path, wanted=wanted)
            case _ if is_path_formula(formula) and not wanted:
                return self._along(formula, wanted=wanted)
            case _:
                raise NotLinear(formula)

    def _all(self, formula: Formula, operands: tuple[Formula, ...], *, wanted: bool) -> Path:
        """Return that all of some hold: only one of them may be about paths."""
        plain = tuple(operand for operand in operands if is_momentary(operand))
        others = [operand for operand in operands if not is_momentary(operand)]
        if len(others) != 1:
            raise NotLinear(formula)
        found = self._some(others[0], wanted=wanted)
        for operand in plain:
            found = Both(normal_form(operand, wanted=wanted), found)
        return found

    def _one_of(self, formula: Formula, operands: tuple[Formula, ...], *, wanted: bool) -> Path:
        """Return that one of some holds. Where no path starts, what holds of the state alone says nothing."""
        if not self._everywhere and any(map(is_momentary, operands)):
            raise NotLinear(formula)
        found: Path = FALSE
        for operand in operands:
            found = Either(found, self._some(operand, wanted=wanted))
        return found

    def _along(self, path: Formula, *, wanted: bool) -> Path:
        """Return what a path has to satisfy for a formula about it to hold, or to fail."""
        if self.endless:
            return self._merged(normal_form(path, wanted=wanted), free=True)
        return self._merged(_strict(path, wanted=wanted), free=True)

    def _merged(self, path: Path, *, free: bool) -> Path:
        """Return a path formula without quantifiers inside.

        `free`: the rest of the path is up to this part alone, so that a path inside may be just that.
        """
        match path:
            case StateLiteral(formula):
                if is_momentary(formula):
                    return path
                if not free:
                    raise NotLinear(formula)
                return self._some(formula, wanted=True)
            case Both(left, right):
                alone = _is_plain(left), _is_plain(right)
                return Both(
                    self._merged(left, free=free and alone[1]),
                    self._merged(right, free=free and alone[0]),
                )
            case Either(left, right):
                return Either(self._merged(left, free=free), self._merged(right, free=free))
            case PathNext(body):
                return PathNext(self._merged(body, free=free))
            case PathUntil(left, right):
                return PathUntil(self._merged(left, free=False), self._merged(right, free=free))
            case PathRelease(left, right):
                return PathRelease(self._merged(left, free=False), self._merged(right, free=False))
            case PathWindow():
                for part in (*path.early, *path.inside, path.last):
                    self._merged(part, free=False)
                return path
            case PathConstant():
                return path


def _is_plain(path: Path) -> bool:
    """Return whether a part of a path formula only looks at the state."""
    match path:
        case PathConstant():
            return True
        case StateLiteral(formula):
            return is_momentary(formula)
        case Both(left, right) | Either(left, right):
            return _is_plain(left) and _is_plain(right)
        case _:
            return False


def _strict(path: Formula, *, wanted: bool) -> Path:
    """Return an operator of CTL in normal form, with all that says that a path goes on."""
    found = normal_form(path, wanted=wanted)
    if found != TRUE:
        return found
    match path:
        case Next():
            return PathNext(TRUE)
        case Globally() if wanted:
            return PathRelease(FALSE, TRUE)
        case Finally() if not wanted:
            return PathRelease(FALSE, TRUE)
        case Until(left, _) if not wanted:
            return PathRelease(normal_form(left, wanted=False), TRUE)
        case Release(left, _) if wanted:
            return PathRelease(normal_form(left), TRUE)
        case WeakUntil(_, right) if wanted:
            return PathRelease(normal_form(right), TRUE)
        case _:
            return found


def without_idle_quantifiers(formula: Formula) -> Formula:
    """Return a formula without quantifiers over what only looks at the state: those say nothing."""
    if isinstance(formula, All | Exists) and not is_path_formula(formula.path):
        return without_idle_quantifiers(formula.path)
    return mapped(formula, without_idle_quantifiers)


def check_knowledge(formula: Formula, *, endless: bool, fair: bool) -> None:
    """Raise `NotLinear` where no path shows that something is not known; `endless`: infinite paths count."""
    for part in walk(without_idle_quantifiers(formula)):
        if not isinstance(part, KnowledgeFormula):
            continue
        doubts = doubts_of(part)
        if doubts is None:
            raise NotLinear(part)
        for doubt in doubts:
            forever = fair or (endless and not is_momentary(doubt.body))
            LinearPaths(endless=forever, everywhere=fair or not forever).some(
                doubt.body, wanted=False
            )


def is_linear(formula: Formula) -> bool:
    """Return whether a formula, or its opposite, says what some path satisfies, or is made of such parts."""
    paths = LinearPaths(endless=False, everywhere=True)
    for wanted in (True, False):
        try:
            check_knowledge(formula, endless=False, fair=False)
            paths.some(formula, wanted=wanted)
        except (NotLinear, OutOfReach):
            continue
        return True
    return isinstance(formula, And) and all(map(is_linear, formula.operands))
