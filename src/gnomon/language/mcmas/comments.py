"""Names and expectations of formulae as comments, for files that MCMAS has to read.

`bypass : <attackers>F executed expect false;` becomes `--! bypass expect false` and the formula on the next
line. It is done on the tokens, so that all comments stay where they are.
"""

from collections.abc import Iterable, Iterator

from gnomon.language import syntax
from gnomon.language.annotations import read_remarks
from gnomon.language.cursor import Cursor
from gnomon.language.format import format_text, laid_out, read_whole, tokens_and_comments
from gnomon.language.lexer import tokenize
from gnomon.language.line_writer import SourceToken
from gnomon.language.syntax import each_line
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import paused_collection
from gnomon.text.source import Source


def says_it_in_line(line: syntax.FormulaLine) -> bool:
    """Return whether a line names its formula, or says what to expect, in a way that MCMAS does not read."""
    said = line.annotation
    named = said.name is not None and said.span.start < line.span.start
    return named or said.span.end > line.span.end


def format_for_mcmas(source: Source) -> str:
    """Return the text in its canonical form, with names and expectations of formulae in comments.

    It still has the same tree.
    """
    with paused_collection():
        formatted = Source(source.name, format_text(source))
        program = read_whole(formatted)
        pieces = _with_comments(formatted, program, tokens_and_comments(formatted.text))
        return laid_out(formatted, program, pieces)


def _with_comments(
    source: Source, program: syntax.Program, tokens: Iterable[SourceToken]
) -> list[SourceToken]:
    """Return the tokens of a program with all that is said about formulae in comments before them."""
    noted = _noted(source)
    lines = (line for line in each_line(program.formulae or ()) if says_it_in_line(line))
    turned = {line.annotation.span.start: line for line in lines}
    result: list[SourceToken] = []
    line: syntax.FormulaLine | None = None
    stray: list[SourceToken] = []
    for token in tokens:
        if token.kind == "comment":
            named = line is not None and token.start < line.span.start
            (stray if named and token.text.startswith("--!") else result).append(token)
            continue
        if token.start in turned:
            line = turned[token.start]
            result += _comment(source, line, noted.get(token.start, syntax.Annotation()), token)
        if line is None or token.start >= line.annotation.span.end:
            result.append(token)
        elif line.span.start <= token.start < line.span.end:
            # No empty line comes between the comment and the formula.
            token.newlines = min(token.newlines, 1)
            # A comment for us behind the name is about nothing; before the formula it would be about that.
            result += [token, *stray]
            stray.clear()
    return result


def _comment(
    source: Source, line: syntax.FormulaLine, noted: syntax.Annotation, first: SourceToken
) -> Iterator[SourceToken]:
    """Yield a comment that says what a line says about itself, unless a comment says it already."""
    said = line.annotation
    text = ""
    if said.name is not None and noted.name is None:
        text += f" {source.on_one_line(said.name.span)}"
    if said.expected is not None and noted.expected is None:
        text += f" expect {said.expected}"
    if text:
        yield SourceToken("comment", f"--!{text}", max(first.newlines, 1), spaced=True)


def _noted(source: Source) -> dict[int, syntax.Annotation]:
    """Return what comments say already, by where the line begins that they are about."""
    diagnostics = Diagnostics(source)
    tokens = tokenize(source, diagnostics)
    cursor = Cursor(tokens, diagnostics)
    read_remarks(tokens, cursor)
    return {tokens.starts[number]: said for number, said in cursor.annotations.items()}
