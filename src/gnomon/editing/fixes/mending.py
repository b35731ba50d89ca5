"""Whether a fix mends what it is for: it is tried before anybody is offered it.

A fix is right where, once the changed text is read,

* what it mends is said one time less, and
* no error is new, but for those that nobody could see before: where a line could not be read, mistakes
  behind it in the text, and what the names and types in the program come to; where one could not be
  understood, others in lines in which something was wrong.

Errors are the same where they have the same code and say the same.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeAlias

from gnomon.checking.load import Loaded, load_source
from gnomon.editing.edits import TextChange, changed
from gnomon.editing.fixes.fix import Fix
from gnomon.language.lexer import tokenize
from gnomon.text.diagnostic import Diagnostic, Diagnostics
from gnomon.text.source import Source

#: Longer texts take longer to read again than somebody waits for a menu; fixes are then taken for right.
MOST_CHARACTERS: Final = 100_000
#: Mistakes in the text itself, and in families: what is behind them may not have been read.
_UNREAD: Final = ("G01", "G05")
#: Where a single sign is put right, all of the line has to be readable then.
_WHOLE_LINES: Final = ("G0101", "G0102")
#: Lines that are counted differently once others are added.
_LINES: Final = re.compile(r"\blines? \d+(?: and \d+)?")

_Said: TypeAlias = tuple[str, str]


def mends(loaded: Loaded, diagnostic: Diagnostic, fix: Fix) -> bool:
    """Return whether a fix does what it is for, and no harm."""
    text = loaded.source.text
    if len(text) > MOST_CHARACTERS:
        return True
    new = Source(loaded.source.name, changed(text, fix.changes))
    if new.text == text:
        return False
    again = load_source(new, loaded.constants)
    new_name = _renamed(text, fix.changes)
    before = Counter(new_name(_key(item)) for item in loaded.notices)
    after = Counter(map(_key, again.notices))
    told = new_name(_key(diagnostic))
    if after[told] >= before[told] > 0:
        return False
    hidden = _Hidden(loaded, diagnostic, fix.changes)
    return all(
        hidden.may_have(item)
        for item in again.notices
        if item.is_error and after[_key(item)] > before[_key(item)]
    )


def _key(item: Diagnostic) -> _Said:
    return item.code, _LINES.sub("line", item.message)


def _renamed(text: str, changes: tuple[TextChange, ...]) -> Callable[[_Said], _Said]:
    """Return how messages have changed where something is called otherwise wherever it is named."""
    pairs = {(text[start:end], new) for (start, end), new in changes}
    old, new = pairs.pop() if len(pairs) == 1 and len(changes) > 1 else ("", "")
    if not (old.isidentifier() and new.isidentifier()):
        return lambda said: said
    return lambda said: (said[0], re.sub(rf"\b{old}\b", new, said[1]))


class _Hidden:
    """What could not be seen in a text before something was mended there."""

    def __init__(
        self, loaded: Loaded, diagnostic: Diagnostic, changes: tuple[TextChange, ...]
    ) -> None:
        self.mended = diagnostic
        self.changes = sorted(changes)
        tokens = tokenize(loaded.source, Diagnostics(loaded.source))
        pairs = zip(tokens.texts, tokens.starts, strict=True)
        self.ends = [start for text, start in pairs if text == ";"]
        self.wrong = {
            self._line(item.span.start)
            for item in loaded.diagnostics
            if item.is_error and item.span is not None
        }

    def _line(self, offset: int) -> int:
        """Return the number of the line of a section, which ends with `;`."""
        return bisect_right(self.ends, offset - 1)

    def may_have(self, error: Diagnostic) -> bool:
        """Return whether an error may have been there before."""
        place = 0 if error.span is None else error.span.start
        unread = self.mended.code.startswith(_UNREAD)
        if unread and not error.code.startswith(_UNREAD):
            return True
        if unread:
            return self.mended.code not in _WHOLE_LINES and place >= self._last_change()
        if error.code.startswith("G01"):
            return False  # all that can be understood could be read
        return self._line(self._before(place)) in self.wrong

    def _last_change(self) -> int:
        """Return where the last of what is written ends, in the new text."""
        grown = sum(len(new) - (end - start) for (start, end), new in self.changes)
        return self.changes[-1].span.end + grown

    def _before(self, place: int) -> int:
        """Return where something of the new text stood in the old one."""
        moved = 0
        for (start, end), new in self.changes:
            if place < start + moved:
                break
            if place < start + moved + len(new):
                return start
            moved += len(new) - (end - start)
        return place - moved
