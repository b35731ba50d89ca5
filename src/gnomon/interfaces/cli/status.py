"""The exit statuses of all commands, which are a promise (docs/reference/command-line.md has the same table).

Nothing here imports more than Python has loaded anyway: a program is asked to end while it starts, too.
"""

from enum import IntEnum


class Status(IntEnum):
    """What a command tells whoever called it; where several apply, the docstring of the command decides."""

    DONE = 0
    """Done; for commands that decide: every formula is as expected, every verdict is proved."""

    REFUTED = 1
    """Something was decided and is not as expected, is rejected, or not as it should be."""

    BAD_INPUT = 2
    """Bad input or bad usage, and nothing was checked; or the result cannot be written."""

    OPEN = 3
    """None of these, but something was not decided, not read or not drawn within the limits."""

    BUG = 4
    """A fault of Gnomon itself."""

    INTERRUPTED = 130
    """Interrupted by Ctrl-C: 128 and the number of the signal, as shells have it."""

    READER_GONE = 141
    """Whoever read the output has closed it, as after SIGPIPE."""

    TERMINATED = 143
    """Ended by SIGTERM or SIGHUP."""
