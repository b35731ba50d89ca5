"""`gnomon explain`: the story behind a diagnostic code."""

import click

from gnomon.interfaces.cli import shared_options
from gnomon.interfaces.cli.screen import Screen, standard_output
from gnomon.interfaces.cli.status import Status
from gnomon.results.styled import Styled, StyledText, wrap
from gnomon.text.codes import CODES

_EXAMPLE = """
\b
Examples:
  gnomon explain G0204
  gnomon explain          (lists all codes)
"""


@click.command("explain", context_settings=shared_options.SETTINGS, epilog=_EXAMPLE)
@click.argument("code", required=False, shell_complete=shared_options.completing("codes"))
@shared_options.appearance
def command(*, code: str | None, no_color: bool, verbose: bool) -> int:
    """Tell the story behind a diagnostic CODE; list all codes where none is given."""
    del verbose  # the story is all there is
    screen = standard_output(no_color=no_color)
    if code is None:
        screen.write(_list(screen))
        return Status.DONE
    known = _find(code)
    if known is None:
        raise click.UsageError(_unknown(code))
    screen.write(_story(known, screen))
    return Status.DONE


def _find(code: str) -> str | None:
    """Return the code as registered: `g204` and `204` mean `G0204`."""
    wanted = code.strip().upper()
    if wanted.lstrip("G").isdecimal() and len(wanted) <= 9:
        wanted = f"G{int(wanted.lstrip('G')):04}"
    return wanted if wanted in CODES else None


def _unknown(code: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(code.upper(), list(CODES), n=3, cutoff=0.5)
    words = [
        known
        for known, entry in CODES.items()
        if code.lower() in f"{entry.title} {entry.story}".lower()
    ]
    found = (words or near)[:5]
    hint = f"; did you mean {', '.join(found)}?" if found else ""
    return f"there is no code `{code}`{hint} (`gnomon explain` lists all)"


def _list(screen: Screen) -> StyledText:
    text = StyledText()
    for code in sorted(CODES):
        entry = CODES[code]
        first, *rest = wrap(entry.title, max(20, screen.width - 16))
        text.add(Styled(code, entry.severity), f"  {entry.severity:<7}  {first}")
        for part in rest:
            text.add(" " * 16, part)
    return text


def _story(code: str, screen: Screen) -> StyledText:
    entry = CODES[code]
    text = StyledText()
    head = f"{entry.severity}[{code}]"
    first, *rest = wrap(f"{head}: {entry.title}", min(screen.width, 100), "  ")
    text.add(Styled(head, entry.severity), Styled(first[len(head) :], "strong"))
    for part in rest:
        text.add(Styled(part, "strong"))
    text.add()
    for line in entry.story.strip("\n").splitlines():
        # Indented lines are examples: they keep their shape.
        for part in [line] if line.startswith((" ", "\t")) else wrap(line, min(screen.width, 100)):
            text.add(part)
    return text
