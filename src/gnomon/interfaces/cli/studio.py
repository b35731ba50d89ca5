"""`gnomon studio`: models in a browser, on one's own machine."""

import os
import signal
import sys
from typing import TYPE_CHECKING

import click

from gnomon.interfaces.cli import shared_options
from gnomon.interfaces.cli.screen import standard_error, standard_output
from gnomon.interfaces.cli.signals import Terminated
from gnomon.interfaces.cli.status import Status

if TYPE_CHECKING:
    from pathlib import Path
    from socket import socket

    from gnomon.interfaces.studio.studio import StudioSettings

_HELP = """
\b
The link it prints has a token: nobody else gets in. Ctrl-C ends it, and all
that is under way.

\b
Examples:
  gnomon studio
  gnomon studio model.ispl
  gnomon studio models --port 7777 --no-browser
"""

_NEEDED = (
    "starlette",
    "uvicorn",
    "websockets",
    "pygls",
    "lsprotocol",
    "cattrs",
    "attrs",
    "anyio",
    "h11",
)


@click.command("studio", context_settings=shared_options.SETTINGS, epilog=_HELP)
@click.argument(
    "path", required=False, metavar="[PATH]", shell_complete=shared_options.completing("models")
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help="The port of this machine (0: a free one)  [default: 7423, or a free one]",
)
@click.option("--no-browser", is_flag=True, help="Open no browser: print the link only.")
@click.option(
    "--timeout",
    type=shared_options.Amount(),
    default=60.0,
    metavar="S",
    help="Seconds for each check, unless it is given fewer  [default: 60]",
)
@click.option(
    "--memory",
    type=shared_options.Amount(),
    default=2000.0,
    metavar="MB",
    help="Megabytes for each check, unless it is given fewer  [default: 2000]",
)
@click.option(
    "--store",
    metavar="FILE",
    help="Keep answers in this file  [default: one below your caches]",
)
@click.option("--no-store", is_flag=True, help="Keep no answers.")
def command(
    *,
    path: str | None,
    port: int | None,
    no_browser: bool,
    timeout: float,
    memory: float,
    store: str | None,
    no_store: bool,
) -> int:
    """Open a workbench in the browser: see the model at PATH, walk through it, play its counterexamples.

    PATH is a model, or a folder of models; without it there is a gallery of examples.
    """
    if store is not None and no_store:
        raise click.UsageError("--store and --no-store: one of them")
    try:
        from gnomon.interfaces.studio import pages, serving
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise click.ClickException(
            f"the studio needs {missing.name}, which is not installed: pip install 'gnomon[studio]'"
        ) from None
    page = pages.built_page()
    if not (page / "app.js").is_file():
        raise click.ClickException(
            "the page of the studio is not built: `make studio` builds it in a checkout (with Node.js 20 or "
            "newer and npm), and an installed gnomon has it if it was built where they are"
        )
    settings = _settings(path, timeout, memory, store, no_store=no_store)
    try:
        listening = serving.bound(port)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise click.ClickException(f"port {port} cannot be used: {why}") from None
    return _serve(settings, page, listening, browser=not no_browser)


def _settings(
    path: str | None, seconds: float, megabytes: float, store: str | None, *, no_store: bool
) -> "StudioSettings":
    from pathlib import Path

    from gnomon.interfaces.studio.checks import CheckLimits
    from gnomon.interfaces.studio.folder import StudioFolder
    from gnomon.interfaces.studio.keeping import usual_place
    from gnomon.interfaces.studio.studio import StudioSettings

    folder = None
    if path is not None and os.path.isdir(path):
        folder = StudioFolder(path)
    elif path is not None and os.path.isfile(path):
        place, name = os.path.split(os.path.realpath(path))
        folder = StudioFolder(place, name)
    elif path is not None:
        raise click.ClickException(f"there is no model and no folder `{path}`")
    kept = Path(store) if store is not None else None if no_store else usual_place()
    return StudioSettings(folder, CheckLimits(seconds, megabytes), kept)


def _serve(settings: "StudioSettings", page: "Path", listening: "socket", *, browser: bool) -> int:
    import asyncio

    from gnomon.interfaces.studio.guard import new_token
    from gnomon.interfaces.studio.serving import HOST, serve
    from gnomon.interfaces.studio.telling import tell_of_mistakes

    tell_of_mistakes()
    token, once = new_token(), new_token()
    link = f"http://{HOST}:{listening.getsockname()[1]}/?token="

    def ready(_: object) -> None:
        standard_output(no_color=True).write(f"{link}{token}\n")
        sys.stdout.flush()
        if browser and sys.stdout.isatty():
            # Others may see what programs are started with: what they see is used up by then.
            _open(f"{link}{once}")

    heard = asyncio.run(serve(settings, page, listening, token, ready, once))
    if heard == signal.SIGINT:
        raise KeyboardInterrupt
    if heard is not None:
        raise Terminated
    return Status.DONE


def _open(link: str) -> None:
    """Open the link in a browser, which may take its time."""
    from threading import Thread

    def opened() -> None:
        import webbrowser

        if not webbrowser.open(link):
            standard_error(no_color=True).write("no browser was found: open the link in one\n")

    Thread(target=opened, name="gnomon browser", daemon=True).start()
