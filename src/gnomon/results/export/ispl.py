"""Any system as an ISPL program, written so that MCMAS 1.3.0 reads it, too.

MCMAS knows fewer conditions than we do: Boolean variables are compared with `true` and `false`, there are no
constants, and where a program starts is said with `=` alone. So everything is worked out first as far as it
goes, what is left is said in MCMAS's words, and agents get the sections that MCMAS insists on.
"""

from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap
from types import MappingProxyType

from gnomon.language.dialect import report_beyond_mcmas
from gnomon.language.format import WIDTH, format_text
from gnomon.language.parse import parse
from gnomon.model.fold.systems import folded
from gnomon.model.parameterised.ordinary import Translation
from gnomon.model.system import System
from gnomon.results.export.completion import completed
from gnomon.results.export.ispl_program import ProgramWriter
from gnomon.results.export.mcmas_formulae import with_names
from gnomon.results.styled import visible
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import room_to_recurse
from gnomon.text.source import Source

_NO_NOTES: Mapping[int, str] = MappingProxyType({})


def written(translation: Translation) -> str:
    """Return the program of a system that had templates, with what there is to say about it."""
    return render(translation.system, translation.header, translation.notes)


def render(system: System, header: Iterable[str] = (), notes: Mapping[int, str] = _NO_NOTES) -> str:
    """Return the program of a system; `notes` are comments on its formulae, by their place from 0.

    Agents may only read what ISPL lets them: their own variables and those they see.
    """
    with room_to_recurse():
        writer = ProgramWriter(with_names(completed(folded(system))), notes)
        body = format_text(Source(system.name, "\n".join(writer.lines())))
    said = [*header, *writer.names.other(), *_beyond(body)]
    # The name of the file is in them, and names may hold anything.
    words = [visible(text, "") for text in said]
    comments = [line for text in words for line in wrap(text, WIDTH - 3, break_on_hyphens=False)]
    return "".join(f"-- {line}\n" for line in comments) + ("\n" if comments else "") + body


def _beyond(text: str) -> Iterator[str]:
    """Yield what MCMAS would not read, in one sentence."""
    parsed = parse(Source("", text))
    found = Diagnostics(parsed.diagnostics.source)
    report_beyond_mcmas(parsed.program, found)
    whats = [item.message.removeprefix("MCMAS does not read ") for item in found.items]
    if whats:
        yield f"MCMAS does not read {', '.join(dict.fromkeys(whats))}: this is for Gnomon alone."
