"""Small remarks between the words of a text: what constants are worth, how large agents and families are."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from gnomon.editing.analysis import Analysis
from gnomon.editing.describing import between, local_states
from gnomon.editing.symbols import Symbol, SymbolKind
from gnomon.language import syntax
from gnomon.model.system import System
from gnomon.results.phrases import grouped
from gnomon.text.codes import CODES
from gnomon.text.numbers import show_integer
from gnomon.text.source import Span

_CODE: Final = re.compile(r"\bG[0-9]{4}\b")
#: Larger numbers are told by their size.
_LONG: Final = 10**9


class InlineHint(NamedTuple):
    """A few words behind a place, and more for who points at them."""

    offset: int
    label: str
    tooltip: str = ""


class CodeLink(NamedTuple):
    """A code that is written in a text."""

    span: Span
    code: str


def hints(analysis: Analysis) -> Iterator[InlineHint]:
    """Yield all hints of a text that was read without mistakes."""
    system = analysis.loaded.system
    yield from _constants(analysis)
    if system is None:
        return
    for agent in analysis.program.agents:
        yield from _agent(system, agent)
    yield from _family_lines(analysis)


def _constants(analysis: Analysis) -> Iterator[InlineHint]:
    """Yield what constants are worth where they are calculated, or were set from outside."""
    known = dict(analysis.loaded.in_force)
    for constant in analysis.program.constants:
        value = known.get(constant.name)
        written = isinstance(constant.value, syntax.Number) and constant.value.value == value
        if value is not None and not written:
            yield InlineHint(constant.span.end, f"= {_shown(value)}", "its value")
    for each in analysis.symbols.occurrences:
        if each.symbol.kind is SymbolKind.CONSTANT and not each.declares:
            value = known.get(each.symbol.name)
            if value is not None:
                yield InlineHint(each.span.end, f"= {_shown(value)}", f"{each.symbol.name} is that")


def _agent(system: System, agent: syntax.Agent) -> Iterator[InlineHint]:
    found = [each for each in system.agents if each.name.partition("[")[0] == agent.name.text]
    if not found:
        return
    sizes = [local_states(each) for each in found]
    told = "1 local state" if set(sizes) == {1} else f"{_sizes(sizes)} local states"
    many = f"{len(found)} agents, each with " if len(found) > 1 else ""
    yield InlineHint(agent.name.span.end, f"{many}{told}", _listed([each.name for each in found]))


def _family_lines(analysis: Analysis) -> Iterator[InlineHint]:
    """Yield what lines with indices of their own are written out to."""
    system = analysis.loaded.system
    if system is None or not analysis.program.uses_families:
        return
    expanded: dict[Symbol, list[str]] = {}
    for variable in system.variables:
        owner, base = variable.agent.partition("[")[0], variable.name.partition("[")[0]
        expanded.setdefault(Symbol(SymbolKind.VARIABLE, base, owner), []).append(variable.name)
    for name in system.propositions:
        base = name.partition("[")[0]
        expanded.setdefault(Symbol(SymbolKind.PROPOSITION, base), []).append(name)
    for symbol, members in expanded.items():
        names = list(dict.fromkeys(members))
        if len(names) > 1:
            for each in analysis.symbols.declarations(symbol):
                place = _behind_indices(analysis.text, each.span.end)
                yield InlineHint(place, f"× {len(names)}", _listed(names))
    for written in analysis.written:
        if len(written.numbers) > 1:
            label = f"{len(written.numbers)} formulae"
            texts = [each.parsed for each in written.formulae]
            yield InlineHint(written.span.end, label, _listed(texts))


def _behind_indices(text: str, offset: int) -> int:
    """Return the place behind the indices of a name."""
    if not text.startswith("[", offset):
        return offset
    depth = 0
    for place in range(offset, min(len(text), offset + 500)):
        depth += (text[place] == "[") - (text[place] == "]")
        if not depth:
            return place + 1
    return offset


def _sizes(sizes: list[int | None]) -> str:
    """Return a number of states, or the least and the largest of several, as long as one can read them."""
    if len(set(sizes)) == 1 and sizes[0] is not None:
        return _shown(sizes[0])
    return between(sizes)


def _shown(number: int) -> str:
    return grouped(number) if abs(number) < _LONG else f"{len(show_integer(abs(number)))} digits"


def _listed(names: list[str]) -> str:
    return "\n".join(names[:20]) + ("\n…" if len(names) > 20 else "")


def code_links(analysis: Analysis) -> Iterator[CodeLink]:
    """Yield the codes that comments name."""
    for found in _CODE.finditer(analysis.text):
        if found.group() in CODES:
            yield CodeLink(Span(*found.span()), found.group())
