"""What agents and lines meant when they were read before, for a program that has changed somewhere.

What something means depends on how it is written, and on what the names in it stand for. So the tables of
names note what they are asked while something is read. What it meant is taken again where the same would be
answered now. Only what was read without a word is remembered: messages look at more, and tell places.
"""

from collections.abc import Callable, Iterator, Mapping
from operator import eq
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar

from gnomon.language.reparse import KeptUnit
from gnomon.model.elaborate.names import AgentNames, DefinedName, Names
from gnomon.text.diagnostic import Diagnostics

Written = TypeVar("Written")
Meaning = TypeVar("Meaning")
Value = TypeVar("Value")

#: A table, and what it was asked for: a name, or None for all there is.
AskedName: TypeAlias = tuple[str, str | None]


class Remembered(NamedTuple):
    """What something means, if the tables answer what they answered when it was read."""

    asked: tuple[AskedName, ...]
    facts: tuple[object, ...]
    meaning: Any


class _Notes:
    """What the tables were asked since somebody began to listen."""

    __slots__ = ("asked",)

    def __init__(self) -> None:
        self.asked: set[AskedName] = set()


class _WatchedNames(dict[str, Value]):
    """A table of names that notes what it is asked."""

    __slots__ = ("notes", "table")

    def __init__(self, notes: "_Notes", table: str) -> None:
        super().__init__()
        self.notes = notes
        self.table = table

    def __getitem__(self, key: str) -> Value:
        self.notes.asked.add((self.table, key))
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.notes.asked.add((self.table, key))
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.notes.asked.add((self.table, str(key)))
        return super().__contains__(key)

    def _all(self) -> None:
        self.notes.asked.add((self.table, None))

    def __iter__(self) -> Iterator[str]:
        self._all()
        return super().__iter__()

    def __len__(self) -> int:
        self._all()
        return super().__len__()

    def keys(self) -> Any:
        self._all()
        return super().keys()

    def values(self) -> Any:
        self._all()
        return super().values()

    def items(self) -> Any:
        self._all()
        return super().items()


class MeaningMemory:
    """Remembers what the units of one program mean, and what they meant in the one before."""

    def __init__(
        self,
        units: dict[int, KeptUnit],
        diagnostics: Diagnostics,
        before: Mapping[AskedName, object] = MappingProxyType({}),
    ) -> None:
        """Remember for these units, by the identity of their trees; `diagnostics` are where words go.

        `before` are the facts of the program before this one.
        """
        self.units = units
        self._diagnostics = diagnostics
        self._notes = _Notes()
        self._before = before
        #: What agents are to those who ask.
        self.facts: dict[AskedName, object] = {}
        #: What all of the program is read by.
        self.semantics = ""
        self.names = Names(
            agents=_WatchedNames(self._notes, "agents"),
            propositions=_WatchedNames(self._notes, "propositions"),
            groups=_WatchedNames(self._notes, "groups"),
            definitions=_WatchedNames(self._notes, "definitions"),
            defined_at=_WatchedNames(self._notes, "defined_at"),
            # What an index chooses is shared by all who use it: who does is read again.
            members=_WatchedNames(self._notes, "members"),
        )

    def recall(
        self,
        written: Written,
        question: str,
        read: Callable[[Written], Meaning],
        own: AgentNames | None = None,
    ) -> Meaning:
        """Return what something means: what it meant before, if that is still so, or what is read now.

        `own` is the agent in which it stands, if that is known to whoever reads.
        """
        unit = self.units.get(id(written))
        if unit is None or unit.node is not written:
            return read(written)
        notes = self._notes
        asking = (question, self.semantics)
        known: Remembered | None = unit.meaning.get(asking)
        if known is not None and self._holds(known):
            notes.asked.update(known.asked)
            meaning: Meaning = known.meaning
            return meaning
        said, unseen = self._diagnostics.said, len(own.unseen) if own else 0
        outer, notes.asked = notes.asked, set()
        try:
            if own is not None:
                notes.asked.add(("agents", own.name))
            meaning = read(written)
            silent = self._diagnostics.said == said and (own is None or len(own.unseen) == unseen)
            if silent and not any(table == "members" for table, _ in notes.asked):
                asked = tuple(notes.asked)
                unit.meaning[asking] = Remembered(asked, tuple(map(self.fact, asked)), meaning)
        finally:
            outer |= notes.asked
            notes.asked = outer
        return meaning

    def correct(self, written: object, question: str, meaning: object) -> None:
        """Remember the same with other places in it: what was recalled for something that has moved."""
        unit = self.units.get(id(written))
        if unit is not None:
            known: Remembered = unit.meaning[question, self.semantics]
            unit.meaning[question, self.semantics] = known._replace(meaning=meaning)

    def _holds(self, known: Remembered) -> bool:
        return all(map(eq, map(self.fact, known.asked), known.facts))

    def fact(self, asked: AskedName) -> object:
        """Return what a table answers now, but for places in the text, which only messages tell."""
        found = self.facts.get(asked)
        if found is not None:
            return found
        table, key = asked
        names: dict[str, Any] = getattr(self.names, table)
        if key is not None:
            found = (_fact(dict.get(names, key)),)
        else:
            found = tuple((name, _fact(item)) for name, item in dict.items(names))
        if table == "agents":  # all of them are declared before anything is remembered
            before = self._before.get(asked)
            # What is the same object is quickly compared.
            found = self.facts[asked] = before if before == found else found
        return found


def _fact(item: object) -> object:
    match item:
        case AgentNames():
            sees = tuple(item.observed.items())
            return item.name, tuple(item.variables.values()), tuple(item.actions), sees
        case DefinedName(expression, domain, reads, uses, acts, fractional, bounds):
            read = tuple(each for each, _ in reads)
            return expression, domain, read, uses, acts, fractional, bounds
        case None:
            return None
        case (str(), *_) | ():
            return item  # the members of a group
        case _:
            return True  # where it is declared
