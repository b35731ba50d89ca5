"""How something is asked from Python: the options, in one place for all who take them."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import TypeAlias, TypedDict, TypeVar, get_type_hints

from gnomon.checking.attempts import Engine, LibraryChoice, OrderChoice
from gnomon.checking.options import Expected, Options, Strategies
from gnomon.checking.selection import FormulaChoice
from gnomon.model.budget import Report
from gnomon.text.diagnostic import closest

#: The values that options and constants have, where both are given by name.
OptionValue: TypeAlias = bool | int | float | str | Sequence[str] | Sequence[FormulaChoice] | None


class HowToCheck(TypedDict, total=False):
    """How a question is answered: what everybody who asks one can say."""

    engine: Engine
    strategies: Strategies
    uniform_group: str | None
    certificate: bool
    paranoid: bool
    race: bool | None
    check_deadlock: bool
    check_overflow: bool
    timeout: float | None
    formula_timeout: float | None
    memory: float | None
    max_states: int | None
    refine: int | None
    expect: Expected
    strict: bool
    allow: Sequence[str]
    deny: Sequence[str]
    starts: Sequence[str]
    order: OrderChoice
    diagrams: LibraryChoice
    account: bool


class QuestionOptions(HowToCheck, total=False):
    """What is asked of a model, too: all that makes a question."""

    only: FormulaChoice | Sequence[FormulaChoice]
    evidence: bool
    predicates: Sequence[str]


class CheckOptions(QuestionOptions, total=False):
    """The options of `check` by their names, for functions that hand them on.

    >>> from typing import Unpack
    >>> import gnomon
    >>> def quickly(model: gnomon.Model, **asked: Unpack[gnomon.CheckOptions]) -> gnomon.CheckResult:
    ...     return model.check(timeout=10, **asked)
    >>> quickly(gnomon.load("examples/tickets.ispl"), only=1)[0].holds
    True
    """

    report: Report | None
    progress: bool | None


class WhoOptions(HowToCheck, total=False):
    """What can be said where it is asked who can or knows something."""

    among: Sequence[str]
    environment: bool
    at_most: int | None
    evidence: bool
    jobs: int | None
    predicates: Sequence[str]
    report: Report | None
    progress: bool | None


class _AsUsual:
    """What an option is that nobody gives; the function says what that is."""

    def __repr__(self) -> str:
        """Show that there is something."""
        return "…"


_AS_USUAL = _AsUsual()

_Function = TypeVar("_Function", bound=Callable[..., object])


def naming(options: type) -> Callable[[_Function], _Function]:
    """Let `help` and editors show the names of the options that a function takes in `**asked`.

    The function has no other parameters with defaults: the pages of the reference could not show those.

    >>> from typing import Unpack
    >>> @naming(WhoOptions)
    ... def ask(goal: str, **asked: Unpack[WhoOptions]) -> None: ...
    >>> list(inspect.signature(ask).parameters)[:3]
    ['goal', 'engine', 'strategies']
    """

    def named(function: _Function) -> _Function:
        found = inspect.signature(function)
        kinds = inspect.Parameter
        own = [each for each in found.parameters.values() if each.kind is not kinds.VAR_KEYWORD]
        hints = get_type_hints(options)
        more = [
            kinds(name, kinds.KEYWORD_ONLY, default=_AS_USUAL, annotation=hint)
            for name, hint in hints.items()
        ]
        function.__signature__ = found.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
        return function

    return named


_KNOWN = frozenset(field.name for field in fields(Options))


def options_of(asked: HowToCheck, *, evidence: bool = False) -> Options:
    """Return options of a check; a single code or condition may be given as it is."""
    given = dict(asked)
    for name in given:
        if name not in _KNOWN:
            near = closest(name, [*_KNOWN, *WhoOptions.__annotations__])
            hint = f": did you mean `{near}`?" if near and near != name else ""
            msg = f"there is no option `{name}` here{hint}"
            raise TypeError(msg)
    for name in ("allow", "deny", "starts"):
        if name in given:
            given[name] = listed(given[name])
    return Options(**given, evidence=evidence)  # type: ignore[arg-type]  # they are looked at there


def listed(given: object) -> object:
    """Return some texts as what options want; a single one may be given as it is."""
    if isinstance(given, str):
        return (given,)
    return tuple(given) if isinstance(given, Iterable) else given


def must_be_number(name: str, value: object, least: int) -> None:
    """Raise `ValueError` where something is no whole number, or a smaller one."""
    if type(value) is not int or value < least:
        msg = f"{name}={value!r} is not a number from {least} on"
        raise ValueError(msg)


def must_be_one_of(name: str, value: object, choices: Sequence[object]) -> None:
    """Raise `ValueError` where something is none of the choices: 1 is not `True`."""
    if not any(type(value) is type(each) and value == each for each in choices):
        msg = f"{name}={value!r} is not a choice: there are {', '.join(map(repr, choices))}"
        raise ValueError(msg)
