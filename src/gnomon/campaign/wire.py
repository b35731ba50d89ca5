"""Jobs and answers as they travel and are kept: JSON on one line, with numbers of any length."""

import json
import zlib
from typing import Any

from gnomon.results.render.json import compact
from gnomon.text.numbers import read_integer


def packed(value: object) -> str:
    """Return a value as JSON that is plain text whatever is in it."""
    return compact(value)


def unpacked(text: str | bytes) -> Any:
    """Return what JSON stands for; Python alone would refuse long numbers."""
    return json.loads(text, parse_int=read_integer)


def compressed(text: str) -> bytes:
    """Return a text as it is kept; halves of characters, which files cannot have, stay as they are."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def decompressed(data: bytes) -> str:
    """Return the text that is kept so."""
    return zlib.decompress(data).decode("utf-8", "surrogatepass")
