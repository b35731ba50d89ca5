"""What the person who has started the studio is told, in the terminal."""

import sys
from contextlib import suppress

from gnomon.results.styled import visible


def tell(words: str) -> None:
    """Write a line to standard error, with nothing in it that a terminal obeys."""
    with suppress(OSError, ValueError):  # nobody may listen
        sys.stderr.write(f"{visible(words)}\n")
        sys.stderr.flush()
