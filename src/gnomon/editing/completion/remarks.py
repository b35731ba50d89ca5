"""What may stand in a comment that Gnomon reads: `--! allow G0407`, `--! name expect false`."""

import re
from collections.abc import Iterator
from typing import Final

from gnomon.editing.completion.items import Completion, CompletionKind
from gnomon.text.codes import CODES

_WORD: Final = re.compile(r"[A-Za-z]\w*")
_RULES: Final = (
    ("allow", "nothing is said of a warning"),
    ("deny", "a warning counts as an error"),
)
_VERDICTS: Final = ("true", "false", "undefined")


def remark_completions(said: str) -> tuple[Completion, ...]:
    """Return what may follow in a comment, by what was said in it before the word at the cursor."""
    return tuple(_offered(_WORD.findall(said)))


def _offered(words: list[str]) -> Iterator[Completion]:
    if words and words[0] in ("allow", "deny"):
        yield from _codes(set(words))
    elif words and words[-1] == "expect":
        for place, verdict in enumerate(_VERDICTS):
            yield _word(verdict, "what is expected", place)
    elif len(words) < 2 or "expect" not in words:
        yield _word("expect", "the verdict that is expected of the next formula", 0)
        if not words:
            for place, (word, detail) in enumerate(_RULES, 1):
                yield _word(word, detail, place)


def _word(word: str, detail: str, place: int) -> Completion:
    return Completion(word, CompletionKind.KEYWORD, word, detail=detail, sort=f"1{place:05d}")


def _codes(written: set[str]) -> Iterator[Completion]:
    """Yield the codes that users may allow and deny, and have not yet."""
    for place, (code, meaning) in enumerate(CODES.items()):
        if meaning.allowable and code not in written:
            yield Completion(
                code,
                CompletionKind.VALUE,
                code,
                detail=meaning.title,
                documentation=meaning.story,
                sort=f"1{place:05d}",
            )
