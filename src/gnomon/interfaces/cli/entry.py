"""Where the program begins: before anything is imported, it can already be interrupted."""

import sys

from gnomon.interfaces.cli.signals import (
    INTERRUPTED,
    TERMINATED,
    Terminated,
    have_streams,
    hear_nothing_more,
    hear_termination,
)


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
        sys.exit(INTERRUPTED)
    except Terminated:
        hear_nothing_more()
        sys.exit(TERMINATED)
    finally:
        hear_nothing_more()
