"""The parts of a text as a tree, for outlines; what can be folded; what a selection grows to."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from gnomon.editing.analysis import Analysis
from gnomon.editing.sections import Section
from gnomon.editing.symbols import Occurrence, SymbolKind
from gnomon.text.record import Record
from gnomon.text.source import Source, Span

_SHORT: Final = 60


@dataclass(frozen=True)
class OutlineNode:
    """A part with a name: a section (`kind` is None) or something that is declared."""

    name: str
    detail: str
    kind: SymbolKind | None
    span: Span
    name_span: Span
    children: tuple["OutlineNode", ...] = ()


class FoldedLines(NamedTuple):
    """Lines, from 1, that can be folded into the first of them."""

    first: int
    last: int
    is_comment: bool = False


#: What stands in the outline below a section; indices and values are too small for it.
_SHOWN: Final = frozenset(SymbolKind) - {SymbolKind.INDEX, SymbolKind.VALUE}


def outline(analysis: Analysis) -> tuple[OutlineNode, ...]:
    """Return the sections of a text, with what they declare."""
    return tuple(_node(analysis, section) for section in analysis.sections)


def _node(analysis: Analysis, section: Section) -> OutlineNode:
    children = [_node(analysis, child) for child in section.children if child.word != "for"]
    if not section.is_agent:
        children += _declared(analysis, section)
    name = section.word
    kind = None
    if section.is_agent:
        kind = SymbolKind.TEMPLATE if section.word == "Template" else SymbolKind.AGENT
        name = section.name or "?"
    children.sort(key=lambda node: node.span)
    detail = "" if name == section.word else section.word.lower()
    return OutlineNode(name, detail, kind, section.span, section.head, tuple(children))


def _declared(analysis: Analysis, section: Section) -> Iterator[OutlineNode]:
    if section.word == "Formulae":
        yield from _formulae(analysis, section.span)
        return
    start, end = section.head.end, section.span.end
    declared = [each for each in analysis.symbols.between(start, end) if each.declares]
    for each in declared:
        if each.symbol.kind in _SHOWN:
            yield _declaration(analysis.source, each)


def _declaration(source: Source, each: Occurrence) -> OutlineNode:
    """Return something that is declared, with the rest of its line up to `;` or `,`."""
    rest = re.compile(r"[^;,}\n]*").match(source.text, each.span.end)
    detail = " ".join(rest.group().split()) if rest else ""
    end = each.span.end if rest is None else each.span.end + len(rest.group().rstrip())
    span = Span(each.span.start, max(end, each.span.end))
    return OutlineNode(each.symbol.name, _cut(detail), each.symbol.kind, span, each.span)


def _formulae(analysis: Analysis, part: Span) -> Iterator[OutlineNode]:
    for written in analysis.written:
        if not (part.start <= written.span.start and written.span.end <= part.end):
            continue
        text = analysis.source.on_one_line(written.line.span)
        given = written.line.annotation.name
        inside = given is not None and written.span.start <= given.span.start
        place = given.span if given is not None and inside else written.line.span
        name = written.name or _cut(text)
        detail = _cut(text) if written.name else ""
        yield OutlineNode(name, detail, SymbolKind.FORMULA, written.span, place)


def _cut(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"


def folds(analysis: Analysis) -> Iterator[FoldedLines]:
    """Yield what can be folded: sections, and comments of several lines."""
    source = analysis.source
    for section in analysis.sections:
        for each in section.walk():
            first, last = source.line_of(each.span), source.location(each.span.end).line
            if not each.closed:
                last = source.location(max(each.span.end - 1, each.span.start)).line
            if last > first:
                yield FoldedLines(first, last)
    yield from _comments(source)


def _comments(source: Source) -> Iterator[FoldedLines]:
    """Yield the blocks of lines that are nothing but comments."""
    first = None
    last = len(source.line_starts)
    for number in range(1, last + 2):
        is_comment = number <= last and source.line(number).lstrip().startswith("--")
        if is_comment and first is None:
            first = number
        elif not is_comment and first is not None:
            if number - first > 1:
                yield FoldedLines(first, number - 1, is_comment=True)
            first = None


def grown(analysis: Analysis, offset: int) -> list[Span]:
    """Return what a selection at a place grows to, step by step: a word, expressions, a line, sections."""
    found = [Span(0, len(analysis.text))]
    for section in analysis.sections:
        found += [each.span for each in section.walk() if _holds(each.span, offset)]
    found += _tree_spans(analysis, offset)
    place = bisect_right(analysis.tokens.starts, offset) - 1
    if place >= 0:
        found.append(Span(analysis.tokens.starts[place], analysis.tokens.ends[place]))
    ordered = sorted({span for span in found if _holds(span, offset)}, key=_size)
    nested = ordered[:1]
    for span in ordered[1:]:
        if span.start <= nested[-1].start and nested[-1].end <= span.end:
            nested.append(span)
    return nested


def _tree_spans(analysis: Analysis, offset: int) -> Iterator[Span]:
    """Yield the places of the parts of the tree around an offset; parts that are elsewhere are left out."""
    waiting: list[object] = [analysis.program]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(part)
        elif isinstance(part, Record):
            span = getattr(part, "span", None)
            if isinstance(span, Span) and span != Span(0, 0) and not _holds(span, offset):
                continue
            if isinstance(span, Span):
                yield span
            fields: tuple[str, ...] = type(part).__match_args__
            waiting.extend(getattr(part, name) for name in fields)


def _holds(span: Span, offset: int) -> bool:
    return span.start <= offset <= span.end


def _size(span: Span) -> tuple[int, int]:
    return (span.end - span.start, span.start)
