"""Lines and items added to a text and taken out of it, in the style that it has."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from gnomon.editing.analysis import Analysis
from gnomon.editing.edits import TextChange
from gnomon.editing.sections import Section
from gnomon.text.source import Span

_INDENT: Final = "  "
#: The order in which programs mostly have their sections; whatever is not here stands before all of it.
_ORDER: Final = (
    "Agent",
    "Environment",
    "Template",
    "Definitions",
    "Evaluation",
    "InitStates",
    "TerminalStates",
    "Groups",
    "Fairness",
    "Formulae",
)

# Lines


def line_end(text: str) -> str:
    """Return how lines end in a text."""
    place = text.find("\n")
    return "\r\n" if place > 0 and text[place - 1] == "\r" else "\n"


def line_start(text: str, offset: int) -> int:
    """Return where the line of an offset begins."""
    return text.rfind("\n", 0, offset) + 1


def line_stop(text: str, offset: int) -> int:
    """Return where the next line begins, or where the text ends."""
    place = text.find("\n", offset)
    return len(text) if place < 0 else place + 1


def indent_at(text: str, offset: int) -> str:
    """Return the blanks at the beginning of the line of an offset."""
    line = text[line_start(text, offset) : line_stop(text, offset)]
    return line[: len(line) - len(line.lstrip(" \t"))]


def lines_behind(text: str, offset: int, lines: Iterable[str]) -> TextChange:
    """Return the change that adds whole lines behind the line of an offset."""
    end, place = line_end(text), line_stop(text, offset)
    added = "".join(f"{line}{end}" for line in lines)
    if place and text[place - 1] != "\n":
        added = end + added.removesuffix(end)
    return TextChange(Span(place, place), added)


def removed(text: str, span: Span) -> TextChange:
    """Return the change that takes something out, with its lines where nothing else stands on them."""
    start, end = span
    end -= text[start:end].endswith("\r")  # comments have the first half of the end of their line
    begin, stop = line_start(text, start), line_stop(text, end)
    before, after = text[begin:start], text[end:stop]
    if not before.strip() and not after.strip():
        return TextChange(Span(begin, stop), "")
    if not before.strip():
        blanks = len(after) - len(after.lstrip(" \t"))
        return TextChange(Span(start, end + blanks), "")
    return TextChange(Span(begin + len(before.rstrip()), end), "")


# Tokens


def token_at(analysis: Analysis, offset: int) -> int:
    """Return the number of the token at an offset, or of the next one."""
    tokens = analysis.tokens
    return min(bisect_right(tokens.ends, offset), len(tokens.kinds) - 1)


def tokens_in(analysis: Analysis, span: Span) -> Iterator[int]:
    """Yield the numbers of the tokens in a part of the text."""
    tokens = analysis.tokens
    place = token_at(analysis, span.start)
    while place < len(tokens.kinds) - 1 and tokens.ends[place] <= span.end:
        yield place
        place += 1


def token_span(analysis: Analysis, number: int) -> Span:
    """Return the place of a token."""
    return Span(analysis.tokens.starts[number], analysis.tokens.ends[number])


def tokens_named(analysis: Analysis, span: Span, text: str) -> list[Span]:
    """Return where a token stands in a part of the text."""
    texts = analysis.tokens.texts
    return [token_span(analysis, each) for each in tokens_in(analysis, span) if texts[each] == text]


def with_semicolon(analysis: Analysis, span: Span) -> Span:
    """Return the place of a line with the `;` behind it."""
    following = token_at(analysis, span.end)
    if analysis.tokens.texts[following] == ";":
        return Span(span.start, analysis.tokens.ends[following])
    return span


# Lists


def braces(analysis: Analysis, span: Span) -> tuple[int, int] | None:
    """Return the tokens `{` and `}` of the first list in a part of the text."""
    texts = analysis.tokens.texts
    opening = None
    for place in tokens_in(analysis, span):
        if texts[place] == "{" and opening is None:
            opening = place
        if texts[place] == "}" and opening is not None:
            return opening, place
    return None


def listed(analysis: Analysis, span: Span) -> str | None:
    """Return the list that stands in a part of the text as it is written, comments left out."""
    found = braces(analysis, span)
    if found is None:
        return None
    place = Span(analysis.tokens.starts[found[0]], analysis.tokens.ends[found[1]])
    return analysis.source.on_one_line(place)


def items_added(analysis: Analysis, span: Span, items: Sequence[str]) -> TextChange | None:
    """Return the change that adds items to the first list in a part of the text."""
    found = braces(analysis, span)
    if found is None:
        return None
    opening, closing = found
    tokens, added = analysis.tokens, ", ".join(items)
    place = tokens.ends[closing - 1]
    if closing > opening + 1:
        return TextChange(Span(place, place), f", {added}")
    return TextChange(Span(place, tokens.starts[closing]), f" {added} ")


def item_removed(analysis: Analysis, span: Span) -> tuple[TextChange, ...]:
    """Return the changes that take an item out of a list, with one of the commas beside it."""
    tokens, text = analysis.tokens, analysis.text
    following, before = token_at(analysis, span.end), token_at(analysis, span.start) - 1
    if tokens.texts[following] == ",":
        next_start = tokens.starts[following + 1]
        if "-" not in text[span.end : next_start] and "\n" not in text[span.end : next_start]:
            return (TextChange(Span(span.start, next_start), ""),)
        comma = token_span(analysis, following)
        return TextChange(span, ""), TextChange(comma, "")
    if before >= 0 and tokens.texts[before] == ",":
        gap = text[tokens.ends[before] : span.start]
        if not gap.strip():
            return (TextChange(Span(tokens.starts[before], span.end), ""),)
        return TextChange(token_span(analysis, before), ""), TextChange(span, "")
    blank = text[span.start - 1 : span.start] == " "
    return (TextChange(Span(span.start - blank, span.end), ""),)


# Sections


def child(section: Section, word: str) -> Section | None:
    """Return the section of a word in another one."""
    return next((each for each in section.children if each.word == word), None)


def program_section(analysis: Analysis, word: str) -> Section | None:
    """Return a section of the program."""
    return next((each for each in analysis.sections if each.word == word), None)


def agent_section(analysis: Analysis, name: str) -> Section | None:
    """Return an agent, all of a family where one of it is named."""
    wanted = name.partition("[")[0]
    found = (each for each in analysis.sections if each.is_agent and each.name == wanted)
    return next(found, None)


def body_end(analysis: Analysis, section: Section) -> int:
    """Return where the `end` of a section stands."""
    last = token_at(analysis, section.span.end) - 1
    if section.closed and analysis.tokens.texts[last - 1] == "end":
        return analysis.tokens.starts[last - 1]
    return section.span.end


def line_added(analysis: Analysis, section: Section, line: str) -> TextChange:
    """Return the change that adds a line at the end of a section."""
    text, tokens = analysis.text, analysis.tokens
    end = body_end(analysis, section)
    last = token_at(analysis, end)
    last -= tokens.starts[last] >= end
    place = tokens.ends[last]
    if "\n" not in text[place:end] and place < end:
        # The whole section is on one line.
        comment = "--" in line
        added = f" {line}{line_end(text) if comment else ''}"
        return TextChange(Span(place, place), added)
    indent = _inner_indent(analysis, section, last)
    return lines_behind(text, place, (f"{indent}{line}",))


def _inner_indent(analysis: Analysis, section: Section, last: int) -> str:
    """Return how far the lines of a section are indented."""
    text, tokens = analysis.text, analysis.tokens
    head = indent_at(text, section.head.start)
    first = token_at(analysis, section.head.end)
    first += tokens.texts[first] == ":"
    if first <= last and "\n" in text[section.head.end : tokens.starts[first]]:
        return indent_at(text, tokens.starts[first])
    return head + step(analysis)


def step(analysis: Analysis) -> str:
    """Return by how much inner lines are indented in a text."""
    for section in analysis.sections:
        outer = indent_at(analysis.text, section.head.start)
        for inner in section.children:
            indent = indent_at(analysis.text, inner.head.start)
            if indent.startswith(outer) and indent != outer:
                return indent.removeprefix(outer)
    return _INDENT


def part_added(analysis: Analysis, agent: Section, behind: str, lines: Sequence[str]) -> TextChange:
    """Return the change that adds lines to an agent, behind one of its sections or at its beginning."""
    text = analysis.text
    found = child(agent, behind)
    if found is not None:
        indent = indent_at(text, found.head.start)
        return _whole_lines(text, found.span.end, [f"{indent}{line}" for line in lines])
    indent = indent_at(text, agent.head.start) + step(analysis)
    if agent.children:
        indent = indent_at(text, agent.children[0].head.start)
    head = agent.head.end
    if agent.word == "Template":
        # Its numbers stand behind its name.
        closing = tokens_named(analysis, Span(head, agent.span.end), "]")
        following = token_at(analysis, head)
        if analysis.tokens.texts[following] == "[" and closing:
            head = closing[0].end
    return _whole_lines(text, head, [f"{indent}{line}" for line in lines])


def section_added(analysis: Analysis, word: str, lines: Sequence[str]) -> TextChange:
    """Return the change that adds a section to a program, where programs have it."""
    text, inner = analysis.text, step(analysis)
    rank = _ORDER.index(word)
    before = [
        each for each in analysis.sections if each.word not in _ORDER[rank + 1 :] and each.word
    ]
    written = [word, *(f"{inner}{line}" for line in lines), f"end {word}"]
    if not before:
        added = "".join(f"{line}{line_end(text)}" for line in written)
        return TextChange(Span(0, 0), added)
    place = before[-1].span.end
    following = text[line_stop(text, place) :].lstrip(" \t\r")
    if following.startswith("\n") or not following:
        written.insert(0, "")  # sections have blank lines between them
    return _whole_lines(text, place, written)


def _whole_lines(text: str, place: int, lines: Sequence[str]) -> TextChange:
    """Return the change that adds lines behind a place, also where more stands on its line."""
    rest = text[place : line_stop(text, place)].split("--", maxsplit=1)[0]
    if not rest.strip():
        return lines_behind(text, place, lines)
    end = line_end(text)
    return TextChange(Span(place, place), end + end.join(lines) + end)
