"""One text that is read again after every change, as an editor does."""

from collections.abc import Mapping
from types import MappingProxyType

from gnomon.checking.load import Loaded, load_parsed
from gnomon.language.reparse import Rereader
from gnomon.model.answers import Answers
from gnomon.model.elaborate.memory import AskedName, MeaningMemory
from gnomon.text.limits import paused_collection
from gnomon.text.source import Source

_NOTHING: Mapping[str, int] = MappingProxyType({})
_NO_FACTS: Mapping[AskedName, object] = MappingProxyType({})


class Reloader:
    """Reads a program as `load_source` does, and remembers what need not be read again.

    What it returns is exactly what `load_source` returns. It is for one thread at a time. An exception, such
    as one that the watch of `text.limits` raises, leaves it fit for the next text.
    """

    def __init__(self) -> None:
        """Start with nothing."""
        self._reader = Rereader()
        self._answers = Answers()
        self._facts: Mapping[AskedName, object] = _NO_FACTS

    def load(self, text: str, name: str, constants: Mapping[str, int] = _NOTHING) -> Loaded:
        """Read a text that may be much like the one before."""
        source = Source(name, text)
        with paused_collection():
            parsed, kept = self._reader.parse(source)
            memory = MeaningMemory(kept.of, parsed.diagnostics, self._facts)
            answers = Answers(self._answers)
            loaded = load_parsed(source, parsed, constants, memory, answers)
        self._facts = memory.facts
        if loaded.model is not None:
            self._answers = answers.done()
        return loaded
