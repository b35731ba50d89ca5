"""What a symbol is, in Markdown: its type, its range, how many values, who sees it, what it is made of."""

import re
from collections.abc import Iterator, Sized

from gnomon.editing.analysis import Analysis
from gnomon.editing.symbols import Symbol, SymbolKind
from gnomon.language import syntax
from gnomon.language.syntax import each_line
from gnomon.model.agent import Agent, Variable
from gnomon.model.domain import size_of
from gnomon.model.system import System
from gnomon.results.describe import seen_by
from gnomon.results.phrases import few, grouped
from gnomon.text.numbers import show_integer
from gnomon.text.source import Span

_MOST = 300
#: An index with what it runs through.
_BINDER = re.compile(r"[A-Za-z]\w*\s*(?:,\s*\w+\s*)*:[^\](;:{}\n]*")


def describe(analysis: Analysis, symbol: Symbol) -> str:
    """Return what a symbol is: how it is declared, and what that means."""
    declared = _declaration(analysis, symbol)
    facts = [fact for fact in _facts(analysis, symbol) if fact]
    code = f"```ispl\n{declared}\n```\n\n" if declared else ""
    return f"{code}{symbol.title}" + "".join(f"  \n{fact}" for fact in facts)


def _facts(analysis: Analysis, symbol: Symbol) -> Iterator[str]:
    match symbol.kind:
        case SymbolKind.VARIABLE:
            yield from _variable(analysis, symbol)
        case SymbolKind.AGENT | SymbolKind.TEMPLATE:
            yield from _agent(analysis, symbol)
        case SymbolKind.ACTION:
            yield from _action(analysis, symbol)
        case SymbolKind.VALUE:
            yield _value(analysis, symbol)
        case SymbolKind.CONSTANT:
            known = dict(analysis.loaded.in_force)
            if symbol.name in known:
                yield f"worth {show_integer(known[symbol.name])}"
        case SymbolKind.GROUP:
            yield from _group(analysis, symbol)
        case SymbolKind.PROPOSITION | SymbolKind.DEFINITION:
            yield from _members(analysis, symbol)
        case SymbolKind.PARAMETER:
            yield "any number, from 0 on, that is assumed"
        case SymbolKind.FORMULA | SymbolKind.TYPE | SymbolKind.RELATION | SymbolKind.INDEX:
            pass
    uses = sum(not each.declares for each in analysis.symbols.of(symbol))
    yield f"used {uses} times" if uses != 1 else "used once"


def _variable(analysis: Analysis, symbol: Symbol) -> Iterator[str]:
    found = _variables(analysis.loaded.system, symbol)
    if not found:
        return
    values = f"{between([size_of(each.domain) for each in found])} values"
    if len(found) > 1:
        values += f" each, {grouped(len(found))} variables in all"
    domains = dict.fromkeys(str(each.domain) for each in found)
    yield f"{values}: `{_cut(', '.join(few(list(domains), 4)))}`"
    system = analysis.loaded.system
    assert system is not None
    seeing = seen_by(system, found[0])
    which = f"`{found[0].agent}.{found[0].name}` is " if len(found) > 1 else ""
    if len(seeing) == len([agent for agent in system.agents if not agent.observer]):
        yield f"{which}seen by everybody"
    else:
        yield f"{which}seen by {', '.join(few(seeing))}"


def _variables(system: System | None, symbol: Symbol) -> list[Variable]:
    if system is None:
        return []
    return [
        variable
        for variable in system.variables
        if _base(variable.name) == symbol.name and _base(variable.agent) == symbol.owner
    ]


def _agent(analysis: Analysis, symbol: Symbol) -> Iterator[str]:
    system = analysis.loaded.system
    found = [] if system is None else [a for a in system.agents if _base(a.name) == symbol.name]
    if not found:
        return
    if len(found) > 1:
        yield f"{grouped(len(found))} agents"
    agent = found[0]
    states = f"{between([local_states(each) for each in found])} local states"
    yield f"{_so_many(agent.variables, 'variable')}, {states}, {_so_many(agent.actions, 'action')}"
    if agent.sees:
        yield f"sees of the environment: {', '.join(few(agent.sees))}"


def local_states(agent: Agent) -> int | None:
    """Return how many values the variables of an agent have together; None where there is no bound."""
    product = 1
    for variable in agent.variables:
        size = size_of(variable.domain)
        if size is None:
            return None
        product *= size
    return product


def between(sizes: list[int | None]) -> str:
    """Return a number, or the least and the largest of several."""
    known = sorted({size for size in sizes if size is not None})
    if len(known) < len(set(sizes)):
        return "any number of"
    return grouped(known[0]) if len(known) == 1 else f"{grouped(known[0])} to {grouped(known[-1])}"


def _so_many(items: Sized, what: str) -> str:
    count = len(items)
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _action(analysis: Analysis, symbol: Symbol) -> Iterator[str]:
    lines = [
        analysis.source.line_of(line.span)
        for agent in analysis.program.agents
        if symbol.owner in ("", agent.name.text)
        for line in each_line(agent.protocol or ())
        if any(action.text == symbol.name for action in line.actions)
    ]
    if lines:
        places = ", ".join(map(str, lines[:8])) + (", …" if len(lines) > 8 else "")
        yield f"possible by line {places}"


def _value(analysis: Analysis, symbol: Symbol) -> str:
    owners = []
    for agent in analysis.program.agents:
        for line in (*(agent.observed or ()), *(agent.variables or ())):
            for each in each_line((line,)):
                type_ = each.type
                if isinstance(type_, syntax.EnumerationType) and any(
                    value.text == symbol.name for value in type_.values
                ):
                    owners.append(f"{agent.name.text}.{each.name.text}")
    return f"a value of {', '.join(few(owners))}" if owners else ""


def _group(analysis: Analysis, symbol: Symbol) -> Iterator[str]:
    system = analysis.loaded.system
    if system is not None and symbol.name in system.groups:
        members = system.groups[symbol.name].members
        yield f"{len(members)} agents: {', '.join(few(members))}" if members else "nobody"


def _members(analysis: Analysis, symbol: Symbol) -> Iterator[str]:
    system = analysis.loaded.system
    if system is None:
        return
    table = system.propositions if symbol.kind is SymbolKind.PROPOSITION else system.definitions
    count = sum(_base(name) == symbol.name for name in table)
    if count > 1:
        yield f"{grouped(count)} of them"
    if symbol.kind is SymbolKind.DEFINITION and symbol.name in system.definitions:
        yield f"`{_cut(str(system.definitions[symbol.name].domain))}`"


def _declaration(analysis: Analysis, symbol: Symbol) -> str:
    """Return the statement that declares a symbol, as it is written."""
    for each in analysis.symbols.declarations(symbol):
        if symbol.kind in (SymbolKind.VALUE, SymbolKind.ACTION):
            return ""
        if symbol.kind is SymbolKind.INDEX:
            found = _BINDER.match(analysis.text, each.span.start)
            return found.group().strip() if found else ""
        return _cut(analysis.source.on_one_line(_statement(analysis, each.span)))
    return ""


def _statement(analysis: Analysis, span: Span) -> Span:
    """Return a declaration up to the `;` that ends it, or to the end of its line."""
    text = analysis.text
    end, line = text.find(";", span.end), text.find("\n", span.end)
    heads = (section.head for section in analysis.sections)
    if end < 0 or any(head.start <= span.start <= head.end for head in heads):
        return Span(_line_start(text, span.start), len(text) if line < 0 else line)
    return Span(span.start, end)


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def _base(name: str) -> str:
    return name.partition("[")[0]


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"
