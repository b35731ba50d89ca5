"""What the person who has started the studio is told, in the terminal."""

import logging
import sys
from contextlib import suppress

from gnomon.results.styled import visible


def tell(words: str) -> None:
    """Write a line to standard error, with nothing in it that a terminal obeys."""
    with suppress(OSError, ValueError):  # nobody may listen
        sys.stderr.write(f"{visible(words)}\n")
        sys.stderr.flush()


class _TerminalLog(logging.Handler):
    """Tells what libraries say goes wrong."""

    def emit(self, record: logging.LogRecord) -> None:
        tell(self.format(record))


def tell_of_mistakes() -> None:
    """Tell what goes wrong; what pages send that makes no sense is answered there, and not told here."""
    logging.basicConfig(handlers=[_TerminalLog()], level=logging.ERROR)
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
