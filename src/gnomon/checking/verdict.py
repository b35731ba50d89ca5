"""Verdicts and results, as data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, TypeAlias

from gnomon.model.evidence import Evidence
from gnomon.model.open_cycle import OpenCycle
from gnomon.model.system import Kind, System
from gnomon.text.brief import brief_fields
from gnomon.text.diagnostic import Diagnostic


class Value(Enum):
    """The four answers.

    >>> import gnomon
    >>> [str(value) for value in gnomon.Value]
    ['true', 'false', 'undefined', 'unknown']
    >>> gnomon.Value.TRUE, gnomon.Value.FALSE, gnomon.Value.UNDEFINED, gnomon.Value.UNKNOWN
    (<Value.TRUE: 'true'>, <Value.FALSE: 'false'>, <Value.UNDEFINED: 'undefined'>, <Value.UNKNOWN: 'unknown'>)

    None of them is a Boolean: compare with `is`.

    >>> if gnomon.Value.FALSE:
    ...     print("never seen")
    Traceback (most recent call last):
        ...
    TypeError: false is one of four values: write `value is gnomon.Value.TRUE`, or ask the answer for `.holds`
    """

    TRUE = "true"
    FALSE = "false"
    UNDEFINED = "undefined"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        """Show the word."""
        return self.value

    def __bool__(self) -> bool:
        """Refuse: whoever asserts a value would be told that FALSE is fine."""
        msg = (
            f"{self} is one of four values: write `value is gnomon.Value.TRUE`, "
            "or ask the answer for `.holds`"
        )
        raise TypeError(msg)


#: How a formula came out: as it should, decided otherwise, or not decided where it should be.
Standing: TypeAlias = Literal["expected", "unexpected", "open"]


@dataclass(frozen=True, slots=True, repr=False)
class Thresholds:
    """What is known about how many agents a verdict takes, and which facts of the relations.

    Where something can be `reached` (a bad state, or a state in which an agent does not know), `populations`
    are the smallest numbers of agents of each template with which it can: all of them where they are `exact`.
    Where it cannot, there may be an invariant that shows it, of so many `cases`; as sentences where evidence
    is wanted.
    """

    __repr__ = brief_fields

    about: Literal["safety", "knowledge", "time", "ability"]
    reached: bool
    populations: tuple[Mapping[str, int], ...] = ()
    exact: bool = False
    facts: tuple[str, ...] = ()
    cases: int | None = None
    invariant: tuple[str, ...] = ()
    #: Over time more agents may make a difference again. Of one template: the numbers with which the formula
    #: is true and those with which it is false, as far as they were gone through, and from which number on it
    #: has the other value than with the smallest.
    true_with: tuple[int, ...] = ()
    false_with: tuple[int, ...] = ()
    from_on: int | None = None
    #: The parameters of the program, with the least values that it takes where something can be reached.
    parameters: Mapping[str, int | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """The answer to one formula.

    `formula` is the text as written, `parsed` the fully bracketed reading. `strategies` is the reading
    of coalition operators that was used, None where there are none. `reason` says why the value is
    unknown or undefined. `name` is the formula's, "" where it has none. `expected` is the value that it
    should have, `vacuous` says why a formula that is true says nothing, which `strict` does not accept.
    """

    __repr__ = brief_fields

    index: int
    formula: str
    parsed: str
    value: Value
    engine: str
    seconds: float
    strategies: str | None = None
    reason: str = ""
    evidence: Evidence | None = None
    line: int = 0
    #: For any number of agents: how many it takes, and the agents that the evidence is about.
    numbers: Thresholds | None = None
    system: System | None = None
    name: str = ""
    expected: Value = Value.TRUE
    vacuous: str = ""
    strict: bool = False
    #: A way round that a run might go for ever, where nobody could tell whether one does.
    cycle: OpenCycle | None = None

    @property
    def as_expected(self) -> bool:
        """Return whether it came out as it should."""
        return self.value is self.expected and not (self.strict and self.vacuous)

    @property
    def standing(self) -> Standing:
        """Return how it came out, which is what exit statuses and marks go by."""
        if self.as_expected:
            return "expected"
        return "unexpected" if self.value in {Value.TRUE, Value.FALSE} else "open"

    @property
    def label(self) -> str:
        """Return what to call the formula: its name, or else its number."""
        return self.name or str(self.index)


@dataclass(frozen=True, slots=True, repr=False)
class SanityCheck:
    """Whether the model has a reachable deadlock or overflow, with a run to one.

    `value` is TRUE where there is none.

    >>> import gnomon
    >>> [check] = gnomon.load("examples/tickets.ispl").check("EF full", check_deadlock=True).checks
    >>> check.name, check.found, check.as_expected
    ('deadlock', False, True)
    """

    name: str
    value: Value
    seconds: float
    reason: str = ""
    evidence: Evidence | None = None

    @property
    def found(self) -> bool | None:
        """Return whether there is one; None where that is not known."""
        return {Value.TRUE: False, Value.FALSE: True}.get(self.value)

    @property
    def as_expected(self) -> bool:
        """Return whether there surely is none."""
        return self.value is Value.TRUE

    def __repr__(self) -> str:
        """Return what was found: a value beside the name would read as if TRUE were that there is one."""
        return f"<{self.name}: found={self.found}>"


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """All the answers about one model."""

    __repr__ = brief_fields

    model: str
    kind: Kind
    engine: str
    states: int | None
    seconds: float
    verdicts: tuple[Verdict, ...]
    checks: tuple[SanityCheck, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    system: System | None = None
    #: Whether it was ended from outside before all was decided, by Ctrl-C or (terminated) by SIGTERM.
    interrupted: bool = False
    terminated: bool = False
    #: How many of the states are initial, where that is known.
    initial: int | None = None
    #: How many of the states are terminal, where that is known and something is said about it.
    terminal: int | None = None
    #: What the engine did, by name, where it was asked for.
    account: tuple[tuple[str, str], ...] = ()
    #: What it takes to check the verdicts again, ready for JSON, where it was asked for.
    certificate: dict[str, Any] | None = None
    #: What cells of states were told apart by, and where each predicate comes from.
    predicates: tuple[tuple[str, str], ...] = ()
    #: What the constants of the program were worth, in the order in which they are declared.
    constants: tuple[tuple[str, int], ...] = ()

    @property
    def refused(self) -> bool:
        """Return whether an error among the diagnostics says why there are no verdicts."""
        return any(item.is_error for item in self.diagnostics)

    @property
    def unchecked(self) -> bool:
        """Return whether nothing was checked, since this model or another one has errors."""
        return self.refused or not self.engine

    @property
    def as_expected(self) -> bool:
        """Return whether all came out as it should, the sanity checks included."""
        answers: list[Verdict | SanityCheck] = [*self.verdicts, *self.checks]
        return not self.unchecked and all(answer.as_expected for answer in answers)

    def __iter__(self) -> Iterator[Verdict]:
        """Go through the verdicts."""
        return iter(self.verdicts)

    def __len__(self) -> int:
        """Return how many formulae were checked."""
        return len(self.verdicts)

    def __getitem__(self, index: int) -> Verdict:
        """Return the verdict at `index`, from 0."""
        return self.verdicts[index]
