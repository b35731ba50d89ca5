"""What the names of a program stand for, and every place where each of them is written."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from gnomon.text.source import Span


class SymbolKind(Enum):
    """What a name may stand for."""

    AGENT = "agent"
    TEMPLATE = "template"
    VARIABLE = "variable"
    ACTION = "action"
    VALUE = "value"
    PROPOSITION = "proposition"
    GROUP = "group"
    DEFINITION = "definition"
    FORMULA = "formula"
    CONSTANT = "constant"
    PARAMETER = "parameter"
    TYPE = "type"
    RELATION = "relation"
    INDEX = "index"


class Symbol(NamedTuple):
    """Something with a name; variables and actions have an `owner`, and an index the place of its binder.

    Families are one symbol: `coin[1]` and `coin[i + 1]` are both `coin`. The values of enumerations go by
    their names alone, because enumerations are compared by them.
    """

    kind: SymbolKind
    name: str
    owner: str = ""
    scope: int = -1

    @property
    def title(self) -> str:
        """Return what to call it: `variable Train.at`."""
        whose = f"{self.owner}." if self.owner else ""
        return f"{self.kind.value} `{whose}{self.name}`"


class Occurrence(NamedTuple):
    """A place where a name is written: only the name, without its indices."""

    span: Span
    symbol: Symbol
    declares: bool = False
    assigns: bool = False


class SymbolIndex:
    """All occurrences in one text, in its order."""

    def __init__(self, occurrences: Iterable[Occurrence]) -> None:
        """Sort them; a place has one meaning, and a declaration comes first."""
        chosen: dict[Span, Occurrence] = {}
        for each in occurrences:
            known = chosen.get(each.span)
            if known is None or (each.declares and not known.declares):
                chosen[each.span] = each
        self.occurrences: tuple[Occurrence, ...] = tuple(
            sorted(chosen.values(), key=lambda each: each.span)
        )
        self._starts = [each.span.start for each in self.occurrences]
        self._by_symbol: dict[Symbol, list[Occurrence]] = {}
        for each in self.occurrences:
            self._by_symbol.setdefault(each.symbol, []).append(each)

    def at(self, offset: int) -> Occurrence | None:
        """Return the name at an offset, or the one that ends there."""
        place = bisect_right(self._starts, offset) - 1
        for candidate in (place, place - 1):
            if candidate >= 0:
                found = self.occurrences[candidate]
                if found.span.start <= offset <= found.span.end:
                    return found
        return None

    def between(self, start: int, end: int) -> Iterator[Occurrence]:
        """Yield the names that begin in a part of the text."""
        place = bisect_right(self._starts, start - 1)
        while place < len(self.occurrences) and self._starts[place] < end:
            yield self.occurrences[place]
            place += 1

    def of(self, symbol: Symbol) -> list[Occurrence]:
        """Return all places of a symbol."""
        return self._by_symbol.get(symbol, [])

    def declarations(self, symbol: Symbol) -> list[Occurrence]:
        """Return where a symbol is declared; several times, where several declare the same."""
        return [each for each in self.of(symbol) if each.declares]

    def symbols(self) -> Iterator[Symbol]:
        """Yield all symbols."""
        return iter(self._by_symbol)
