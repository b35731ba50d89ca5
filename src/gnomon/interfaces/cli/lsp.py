"""`gnomon lsp`: the language server, for editors."""

import click

from gnomon.interfaces.cli import shared_options
from gnomon.interfaces.cli.screen import standard_error
from gnomon.interfaces.cli.status import Status

_HELP = """
\b
Editors start it by themselves; docs/how-to/editors.md has the lines to paste.

\b
Examples:
  gnomon lsp
  gnomon lsp --tcp 7777
"""


@click.command("lsp", context_settings=shared_options.SETTINGS, epilog=_HELP)
@click.option(
    "--tcp",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Listen on this port of this machine (0: a free one, which is told) instead of the streams.",
)
@click.option("--stdio", is_flag=True, help="Talk over the standard streams: the default.")
def command(*, tcp: int | None, stdio: bool) -> int:
    """Serve an editor: diagnostics, completion, renaming, checks and more, over the protocol of its own."""
    if tcp is not None and stdio:
        raise click.UsageError("--tcp and --stdio: one of them")
    try:
        from gnomon.interfaces.lsp.serve import HOST, serve_port, serve_streams
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        raise click.ClickException(
            "the language server needs pygls, which is not installed: pip install 'gnomon[lsp]'"
        ) from None
    if tcp is None:
        serve_streams()
    else:
        errors = standard_error(no_color=True)
        serve_port(tcp, lambda port: errors.write(f"listening on {HOST}:{port}\n"))
    return Status.DONE
