"""The values a variable may take."""

from typing import TypeAlias

from gnomon.text.numbers import show_integer
from gnomon.text.record import Record

_SHOWN = 40

Datum: TypeAlias = bool | int | str


class Boolean(Record):
    """`true` and `false`."""

    def __str__(self) -> str:
        """Show it as ISPL writes it."""
        return "boolean"


class Enumeration(Record):
    """A finite set of names; their order means nothing."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        """Show it as ISPL writes it."""
        if len(self.names) > _SHOWN:
            return "{" + ", ".join(self.names[:_SHOWN]) + f", … {len(self.names)} values in all}}"
        return "{" + ", ".join(self.names) + "}"


class OpenEnumeration(Enumeration, Record):
    """The values of a named type of which only some are named, or none: there are any number of others."""

    names: tuple[str, ...]
    sort: str

    def __str__(self) -> str:
        """Show the name of the type."""
        return self.sort


class IntegerRange(Record):
    """The integers from `low` to `high`, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        """Show it as ISPL writes it."""
        return f"{show_integer(self.low)}..{show_integer(self.high)}"


class Integers(Record):
    """All integers."""

    def __str__(self) -> str:
        """Show it as ISPL writes it."""
        return "int"


Domain: TypeAlias = Boolean | Enumeration | IntegerRange | Integers


def values_of(domain: Domain) -> "tuple[Datum, ...] | range":
    """Return all values of a finite domain, in the order of its text."""
    match domain:
        case Boolean():
            return (False, True)
        case Enumeration(names):
            return names
        case IntegerRange(low, high):
            return range(low, high + 1)
        case Integers():
            msg = "an unbounded integer has no list of values"
            raise ValueError(msg)


def number_of(domain: Domain, value: Datum) -> int:
    """Return the place of a value among all values of a finite domain, from 0."""
    if isinstance(domain, IntegerRange):
        return int(value) - domain.low  # a range may be too long to be asked
    return values_of(domain).index(value)  # type: ignore[arg-type]


def value_at(domain: Domain, number: int) -> Datum:
    """Return the value at a place."""
    if isinstance(domain, IntegerRange):
        return domain.low + number
    return values_of(domain)[number]


def size_of(domain: Domain) -> int | None:
    """Return how many values a domain has, or None where there is no bound."""
    match domain:
        case Boolean():
            return 2
        case Enumeration(names):
            return len(names)
        case IntegerRange(low, high):
            return high - low + 1
        case Integers():
            return None


def contains(domain: Domain, value: object) -> bool:
    """Return whether `value` is one of the values of `domain`."""
    match domain:
        case Boolean():
            return isinstance(value, bool)
        case Enumeration(names):
            return isinstance(value, str) and value in names
        case IntegerRange(low, high):
            return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        case Integers():
            return isinstance(value, int) and not isinstance(value, bool)


def is_number(domain: Domain) -> bool:
    """Return whether the values of a domain are numbers."""
    return isinstance(domain, (IntegerRange, Integers))


def comparable(left: Domain, right: Domain) -> bool:
    """Return whether a value of one domain can equal one of the other.

    Numbers can, Booleans can, and names where one enumeration has all values of the other; a named type that
    is not listed is comparable with itself alone.
    """
    if left is right:
        return True
    match left, right:
        case (OpenEnumeration(), _) | (_, OpenEnumeration()):
            return left == right
        case Enumeration(names), Enumeration(others):
            smaller, larger = sorted((set(names), set(others)), key=len)
            return smaller <= larger
        case Boolean(), Boolean():
            return True
        case _:
            return is_number(left) and is_number(right)


def is_within(domain: Domain, other: Domain) -> bool:
    """Return whether all values of a domain are values of another that it is comparable with."""
    match other, domain:
        case IntegerRange(low, high), IntegerRange(least, most):
            return low <= least and most <= high
        case IntegerRange(), _:
            return False
        case Enumeration(wide), Enumeration(narrow):
            return set(narrow) <= set(wide)
        case _:
            return True


def show_value(value: Datum) -> str:
    """Return a value as ISPL writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return show_integer(value) if isinstance(value, int) else value
