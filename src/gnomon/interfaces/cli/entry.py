"""Where the program begins: before anything is imported, it can already be interrupted."""

import sys

from gnomon.interfaces.cli.signals import (
    Terminated,
    have_streams,
    hear_nothing_more,
    hear_termination,
)
from gnomon.interfaces.cli.status import Status


def run() -> None:
    """Run the command; Ctrl-C and requests to end are heard from the first import on."""
    try:
        hear_termination()
        have_streams()
        from gnomon.interfaces.cli.main import run as run_command

        run_command()
    except KeyboardInterrupt:
        hear_nothing_more()
        sys.stderr.write("interrupted\n")
        sys.exit(Status.INTERRUPTED)
    except Terminated:
        hear_nothing_more()
        sys.exit(Status.TERMINATED)
    except SystemExit as leaving:
        hear_nothing_more()
        _leave(leaving.code)
    finally:
        hear_nothing_more()


def _leave(status: object) -> None:
    """End at once: taking large models apart takes as long as reading them, and is of no use."""
    import os
    from contextlib import suppress

    if not isinstance(status, int):
        raise SystemExit(status)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(status)
