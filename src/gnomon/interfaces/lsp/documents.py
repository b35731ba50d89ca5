"""The texts that an editor has open, as it has them: versions, changes, and what was last read of each."""

from collections.abc import Mapping, Sequence
from copy import copy
from itertools import count

from lsprotocol import types
from pygls.uris import to_fs_path

from gnomon.editing.analysis import Analysis
from gnomon.editing.fingerprint import ModelPlaces, VerdictKey, is_harmless
from gnomon.interfaces.lsp.positions import Encoding, TextLines
from gnomon.interfaces.lsp.reading import ReadText
from gnomon.interfaces.lsp.verdicts import ShownFormula, VerdictBook

#: No two states of any text have the same number, not even of one that was closed and opened again.
_REVISIONS = count(1)


class OpenDocument:
    """One text; only the thread of the protocol changes it."""

    def __init__(self, uri: str, text: str, version: int, encoding: Encoding) -> None:
        """Begin with what the editor has opened."""
        self.uri = uri
        self.name = to_fs_path(uri) or uri
        #: The number that the client gives to the text, which need not rise, and our own, which does.
        self.version = version
        self.revision = next(_REVISIONS)
        self.lines = TextLines(text, encoding)
        #: The newest revision that was read, which may be an older one than there is now.
        self.read: tuple[int, Analysis] | None = None
        #: What the verdicts on the formulae of that revision depend on, by their numbers.
        self.keys: Mapping[int, VerdictKey] = {}
        self._places: ModelPlaces | None = None
        #: What checks have found.
        self.book = VerdictBook()
        #: Whether nothing has changed since that could change a verdict.
        self.same_since_read = True

    @property
    def text(self) -> str:
        """Return the text as it is now."""
        return self.lines.text

    @property
    def analysis(self) -> Analysis | None:
        """Return what was last read, of this or of an older version."""
        return None if self.read is None else self.read[1]

    @property
    def is_read(self) -> bool:
        """Return whether the text as it is now was read."""
        return self.read is not None and self.read[0] == self.revision

    def frozen(self) -> "OpenDocument":
        """Return the text and all that is known of it as they are now, for another thread."""
        still = copy(self)
        still.book = self.book.copied()
        return still

    def status(self, strategies: str) -> list[ShownFormula]:
        """Return all formulae with what is known of them, where strategies are read like this."""
        if self.analysis is None:
            return []
        keys = self.keys if self.is_current else {}
        return list(self.book.status(self.analysis, keys, strategies))

    @property
    def is_current(self) -> bool:
        """Return whether what was read last says all that matters for verdicts of the text as it is now."""
        return self.is_read or self.same_since_read

    def change(self, changes: Sequence[types.TextDocumentContentChangeEvent], version: int) -> None:
        """Take changes over, one after the other."""
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                span = self.lines.span(change.range)
                self.same_since_read &= is_harmless(self.text, span, change.text)
                text = f"{self.text[: span.start]}{change.text}{self.text[span.end :]}"
            else:
                text = change.text
                self.same_since_read = False
            self.lines = TextLines(text, self.lines.encoding)
        self.version = version
        self.revision = next(_REVISIONS)

    def was_read(self, read: ReadText) -> None:
        """Keep what was read of the text as it is now, and what verdicts on it depend on."""
        self.read = (self.revision, read.analysis)
        self.keys, self._places = read.keys, read.places
        self.same_since_read = True

    @property
    def places(self) -> ModelPlaces:
        """Return where the tokens of the model are, in what was last read."""
        if self._places is None:
            assert self.analysis is not None
            self._places = ModelPlaces(self.analysis)
        return self._places
