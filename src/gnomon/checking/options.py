"""How to check: what can be chosen, with every choice looked at before anything begins."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from gnomon.checking.attempts import Engine, LibraryChoice, OrderChoice
from gnomon.checking.policy import refused_codes
from gnomon.model.budget import Report
from gnomon.model.formula import Formula
from gnomon.model.fragment import is_propositional
from gnomon.model.starts import read_start, start_expression
from gnomon.model.system import System
from gnomon.text.brief import brief_fields
from gnomon.text.diagnostic import Diagnostic, InputError, closest
from gnomon.text.source import Source

Strategies: TypeAlias = Literal["perfect", "uniform", "uniform-subjective", "uniform-model"]

Expected: TypeAlias = Literal["declared", "true"]

_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "engine": get_args(Engine),
    "order": get_args(OrderChoice),
    "diagrams": get_args(LibraryChoice),
    "strategies": get_args(Strategies),
    "expect": get_args(Expected),
}
#: More seconds or megabytes than anybody has.
_ENDLESS: Final = 1e12
_SWITCHES: Final = (
    "evidence",
    "check_deadlock",
    "check_overflow",
    "account",
    "certificate",
    "paranoid",
    "strict",
)


@dataclass(frozen=True, repr=False)
class Options:
    """How to check: the reading of coalition operators, what else to look for, and the limits.

    Without `max_states` the limit of the explicit engine goes by the kind of model. `order` and `diagrams`
    are for experts: how the symbolic engine orders its variables, and which library it uses. `account` asks
    for what the engine did, `certificate` for what it takes to check the verdicts again. A value that does
    not exist is an `InputError` that lists those that do.

    >>> import gnomon
    >>> gnomon.Options(engine="bdd", timeout=10, check_deadlock=True)
    Options(engine='bdd', check_deadlock=True, timeout=10)
    >>> gnomon.Options(check_deadlock=True).checks
    ('deadlock',)
    >>> gnomon.Options(engine="explict")
    Traceback (most recent call last):
        ...
    gnomon.text.diagnostic.InputError: <options>: error[G0816]: engine='explict' is not a choice
      note: there are: auto, bdd, explicit, sat, counting, abstraction, parameterised
      help: did you mean `explicit`?
    """

    __repr__ = brief_fields

    engine: Engine = "auto"
    order: OrderChoice = "auto"
    diagrams: LibraryChoice = "auto"
    strategies: Strategies = "perfect"
    uniform_group: str | None = None
    evidence: bool = False
    check_deadlock: bool = False
    check_overflow: bool = False
    timeout: float | None = None
    formula_timeout: float | None = None
    memory: float | None = None
    max_states: int | None = None
    report: Report | None = None
    account: bool = False
    certificate: bool = False
    #: Every verdict twice: by two engines where two can, with evidence replayed and proofs checked.
    paranoid: bool = False
    #: Whether other ways are tried side by side: at once, never, or (None) once it takes long.
    race: bool | None = None
    #: The most refinements of an abstraction (None: until it is hopeless), and conditions to begin with.
    refine: int | None = None
    predicates: tuple[Formula, ...] = ()
    #: Whether formulae are held to what their authors expect, or all of them to being true.
    expect: Expected = "declared"
    #: Whether warnings count as errors, and formulae that are true of nothing as not what was expected.
    strict: bool = False
    #: Codes of warnings that are welcome, and of those that count as errors.
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    #: Only initial states in which all of this holds: `Agent.variable=value` or `Agent.variable<>value`.
    starts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what does not exist, all of it at once."""
        wrong = tuple(_wrong(self))
        if wrong:
            raise InputError(wrong)

    @property
    def checks(self) -> tuple[str, ...]:
        """Return the names of the questions about the model itself that are asked."""
        wanted = (("deadlock", self.check_deadlock), ("overflow", self.check_overflow))
        return tuple(name for name, asked in wanted if asked)


def fitting(options: Options, system: System) -> None:
    """Raise `InputError` where options name what a system does not have."""
    wrong = tuple(unfitting(options, system))
    if wrong:
        raise InputError(wrong)


def unfitting(options: Options, system: System) -> Iterator[Diagnostic]:
    """Yield what options name and a system does not have."""
    name = options.uniform_group
    if name is not None and name not in system.groups and name not in system.agent_index:
        known = [*system.groups, *system.agent_index]
        message = f"uniform_group={name!r}: the model has no such group and no such agent"
        yield _refusal(message, name, known)
    for text in options.starts:
        condition = read_start(text)
        if condition is not None and start_expression(system, condition) is None:
            yield _said(f"starts={text!r}: the model has no such variable, or it has no such value")


def _wrong(options: Options) -> Iterator[Diagnostic]:
    for name, allowed in _CHOICES.items():
        value = getattr(options, name)
        if not isinstance(value, str) or value not in allowed:
            yield _refusal(f"{name}={value!r} is not a choice", value, allowed)
    for name in _SWITCHES:
        value = getattr(options, name)
        if not isinstance(value, bool):
            yield _refusal(f"{name}={value!r} is not a choice", None, ("True", "False"))
    if options.race is not None and not isinstance(options.race, bool):
        yield _refusal(f"race={options.race!r} is not a choice", None, ("True", "False", "None"))
    elif options.race and options.paranoid:
        yield _said("race and paranoid do not go together: paranoid asks one after the other")
    yield from _wrong_numbers(options)
    yield from _wrong_codes(options)
    yield from _wrong_starts(options)
    group = options.uniform_group
    if group is not None and not isinstance(group, str):
        yield _said(f"uniform_group={group!r} is no name of a group or an agent")
    elif group is not None and options.strategies != "uniform-model":
        yield _said("uniform_group goes with strategies='uniform-model'")
    if options.report is not None and not callable(options.report):
        yield _said(f"report={options.report!r} is no function that could be told of progress")
    if not all(is_propositional(predicate) for predicate in options.predicates):
        yield Diagnostic(
            "G0606",
            "a predicate is a condition on one state: it has no operators of time or knowledge",
            Source("<predicate>", ""),
        )


def _wrong_numbers(options: Options) -> Iterator[Diagnostic]:
    limits = (("timeout", "seconds"), ("formula_timeout", "seconds"), ("memory", "megabytes"))
    for name, unit in limits:
        value = getattr(options, name)
        if value is not None and not (_is_number(value) and 0 < value < _ENDLESS):
            yield _said(f"{name}={value!r} is not a number of {unit} above 0")
    for name, least in (("max_states", 1), ("refine", 0)):
        value = getattr(options, name)
        if value is not None and not (type(value) is int and value >= least):
            yield _said(f"{name}={value!r} is not a number from {least} on")


def _wrong_codes(options: Options) -> Iterator[Diagnostic]:
    given: dict[str, Any] = {"allow": options.allow, "deny": options.deny}
    strange = [
        name
        for name, codes in given.items()
        if not isinstance(codes, tuple) or not all(isinstance(code, str) for code in codes)
    ]
    for name in strange:
        yield _said(f"{name}={given[name]!r} is no tuple of codes such as 'G0407'")
    if not strange:
        for message, help_ in refused_codes(options.allow, options.deny):
            yield _said(message, help=help_)


def _wrong_starts(options: Options) -> Iterator[Diagnostic]:
    given: Any = options.starts
    if not isinstance(given, tuple):
        yield _said(f"starts={given!r} is no tuple of conditions such as 'Player.hand=3'")
        return
    for text in given:
        if not isinstance(text, str) or read_start(text) is None:
            yield _said(
                f"starts={text!r} is no condition such as 'Player.hand=3' or 'Player.hand<>3'"
            )
    if given and options.certificate:
        yield _said("a certificate is about all initial states: it does not go with starts")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _refusal(message: str, value: object, allowed: Any) -> Diagnostic:
    near = closest(value.lower(), list(allowed)) if isinstance(value, str) else None
    help_ = f"did you mean `{near}`?" if near else ""
    return _said(message, f"there are: {', '.join(allowed)}", help=help_)


def _said(message: str, *notes: str, help: str = "") -> Diagnostic:
    return Diagnostic("G0816", message, Source("<options>", ""), notes=notes, help=help)
