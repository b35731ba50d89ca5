"""Texts of an editor to what is known of them; only the thread that reads calls this."""

from collections import OrderedDict
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from gnomon.checking.reload import Reloader
from gnomon.editing.analysis import Analysis, read_open_text
from gnomon.editing.fingerprint import ModelPlaces, VerdictKey, formula_keys

#: Of so many texts it is remembered what need not be read again.
_REMEMBERED: Final = 8


class ReadText(NamedTuple):
    """What was read, and what verdicts on its formulae depend on where somebody wants to know."""

    analysis: Analysis
    keys: Mapping[int, VerdictKey] = MappingProxyType({})
    #: Where the tokens of the model are, where there are verdicts that tell of them.
    places: ModelPlaces | None = None


class TextReader:
    """Reads texts again and again."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._reloaders: OrderedDict[str, Reloader] = OrderedDict()

    def read(self, uri: str, text: str, name: str, *, keys: bool) -> ReadText:
        """Read a text as it is now."""
        source = read_open_text(text, name)
        if isinstance(source, Analysis):
            return ReadText(source)
        analysis = Analysis(self._reloader(uri).load(source.text, name))
        _ = analysis.diagnostics  # worked out here, and not where messages are taken
        if not keys:
            return ReadText(analysis)
        return ReadText(analysis, formula_keys(analysis), ModelPlaces(analysis))

    def _reloader(self, uri: str) -> Reloader:
        found = self._reloaders.setdefault(uri, Reloader())
        self._reloaders.move_to_end(uri)
        while len(self._reloaders) > _REMEMBERED:
            self._reloaders.popitem(last=False)
        return found

    def forget(self, uri: str) -> None:
        """Keep nothing of a text."""
        self._reloaders.pop(uri, None)
