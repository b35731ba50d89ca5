"""The command `gnomon`: finds the module of a subcommand, and turns whatever happens into a status.

Only the module of the command that is used is imported, so that a small check stays quick.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import click

from gnomon.interfaces.cli.lazy_group import LazyGroup
from gnomon.interfaces.cli.screen import OutputLost, ReaderGone, standard_error
from gnomon.interfaces.cli.signals import Terminated
from gnomon.interfaces.cli.status import Status
from gnomon.version import __version__

#: Each command, and what the list of commands says about it.
COMMANDS = {
    "campaign": "Have many checks done, here or elsewhere, and lose none.",
    "check": "Check the formulae of models.",
    "explain": "Tell the story behind a diagnostic code.",
    "explain-verdict": "Tell the story behind a verdict, or draw it.",
    "export": "Write a model as an ordinary program, families and templates written out.",
    "fmt": "Format models in place.",
    "lsp": "Serve an editor: the language server.",
    "show": "Show what a model is, and draw it.",
    "simulate": "Walk through a model step by step.",
    "store": "List, export, merge and forget the answers of campaigns.",
    "studio": "Open a workbench for models in the browser.",
    "test": "Hold models to what they expect of their formulae.",
    "verify-certificate": "Check the proofs of verdicts again.",
    "who": "Tell who can enforce a goal, and who knows something.",
}


class _Commands(LazyGroup):
    """All commands; whatever happens, there is a status."""

    listed = COMMANDS

    def hint(self, word: str) -> str:
        return f" (to check it: gnomon check {word})" if os.path.exists(word) else ""

    def main(  # type: ignore[override]  # it never returns
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **extra: Any,
    ) -> NoReturn:
        words = list(sys.argv[1:] if args is None else args)
        extra["standalone_mode"] = False
        extra["obj"] = tuple(words)  # what was typed, for those who keep it
        try:
            status = super().main(words, prog_name or "gnomon", **extra)
            sys.stdout.flush()
        except (BrokenPipeError, ReaderGone):
            _forget_output()
            sys.exit(Status.READER_GONE)
        except (KeyboardInterrupt, click.Abort):
            standard_error().write("interrupted\n")
            sys.exit(Status.INTERRUPTED)
        except Terminated:
            standard_error().write("terminated\n")
            sys.exit(Status.TERMINATED)
        except click.ClickException as error:
            _explain(error)
            if isinstance(error, OutputLost):
                _forget_output()
            sys.exit(Status.BUG if error.exit_code == Status.BUG else Status.BAD_INPUT)
        except MemoryError:
            standard_error().write("gnomon: there is no memory left\n")
            sys.exit(Status.OPEN)
        except OSError as error:
            # The machine refuses something (a stream, a file, a process): that is no fault of ours.
            standard_error().write(f"gnomon: {_reason(error)}\n")
            _forget_output()
            sys.exit(Status.BAD_INPUT)
        except Exception as error:  # noqa: BLE001 - the last place to say something useful
            _report_bug(error, words)
            sys.exit(Status.BUG)
        sys.exit(status if isinstance(status, int) else Status.DONE)


def _explain(error: click.ClickException) -> None:
    """Show what is wrong, as click does, but with nothing in it that a terminal obeys."""
    from io import StringIO

    words = StringIO()
    error.show(words)
    standard_error().write(words.getvalue())


def _reason(error: OSError) -> str:
    named = f"`{error.filename}`: " if error.filename is not None else ""
    return f"{named}{(error.strerror or str(error)).lower()}"


def _forget_output() -> None:
    """Send what is left to nowhere: Python writes once more at the end, and must not complain then."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                os.dup2(nowhere, stream.fileno())


def _report_bug(error: Exception, words: list[str]) -> None:
    """Say that this is our fault, and what a report should contain."""
    from shlex import join

    python = ".".join(map(str, sys.version_info[:3]))
    lines = [
        f"gnomon: {type(error).__name__}: {error}",
        "this is a bug in gnomon: please report it with these lines and the model",
        f"  version  gnomon {__version__}, Python {python}, {sys.platform}",
        f"  command  gnomon {join(words)}",
    ]
    if "--verbose" in words or "-v" in words:
        from traceback import format_exception

        lines += ["", "".join(format_exception(error)).rstrip()]
    else:
        lines.append("  (with --verbose, the place in the code is shown, too)")
    standard_error().write("\n".join(lines) + "\n")


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: gnomon check examples/bit_transmission.ispl",
)
@click.version_option(__version__, prog_name="gnomon")
def main() -> None:
    """Decide what agents know and what coalitions can enforce.

    A model is a file in ISPL; `-` is standard input. `gnomon COMMAND --help` tells more.
    """


def run() -> None:
    """Run the command as a program of its own: it has one thread, and its children do the work."""
    from gnomon.checking.supervise import fork_from_here

    fork_from_here()
    main()
