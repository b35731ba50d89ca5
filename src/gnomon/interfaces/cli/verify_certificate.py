"""`gnomon verify-certificate`: verdicts checked again, without the engine that gave them."""

import click

from gnomon.interfaces.cli import check_options, shared_options
from gnomon.interfaces.cli.screen import standard_output

_HELP = """
\b
The proofs are checked step by step against the reference semantics; no engine
takes part. The model has to be the very text that was checked.

\b
Exit status: 0 every verdict is proved, 1 some proof is rejected, 3 none is, but
some verdict has no proof that could be checked, 2 bad input, 130 interrupted.

\b
Example:
  gnomon check model.ispl --certificate proofs.json
  gnomon verify-certificate model.ispl proofs.json
"""


@click.command("verify-certificate", context_settings=shared_options.SETTINGS, epilog=_HELP)
@click.argument("model", metavar="MODEL", shell_complete=shared_options.completing("models"))
@click.argument("certificate", metavar="CERT", shell_complete=shared_options.completing("files"))
@click.option(
    "--timeout",
    type=shared_options.Amount(),
    metavar="S",
    help="Seconds; what is not checked by then stays open.",
)
@click.option(
    "--allow",
    multiple=True,
    callback=check_options.known_codes,
    metavar="CODE",
    help="Go on where this error would stop: G0803, no initial state (repeatable).",
)
@click.option("--json", is_flag=True, help="Print what was found as JSON.")
@shared_options.appearance
def command(
    *,
    model: str,
    certificate: str,
    timeout: float | None,
    allow: tuple[str, ...],
    json: bool,
    no_color: bool,
    verbose: bool,
) -> int:
    """Check the proofs in CERT of verdicts on MODEL again."""
    del verbose  # all there is to say is said
    from gnomon.interfaces.cli.verifying import VerifyRequest, run

    order = VerifyRequest(model, certificate, timeout, allow, as_json=json)
    return run(order, standard_output(no_color=no_color), no_color=no_color)
