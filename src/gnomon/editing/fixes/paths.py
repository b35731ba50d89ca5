"""Formulae: quantifiers of paths, brackets and bounds."""

import re
from collections.abc import Iterator
from itertools import pairwise

from gnomon.editing.edits import TextChange
from gnomon.editing.fixes.fix import Fix, Mistake
from gnomon.editing.fixes.writing import indent_at, line_end
from gnomon.language import syntax
from gnomon.text.record import walk
from gnomon.text.source import Span


def quantify_paths(mistake: Mistake) -> Iterator[Fix]:
    """Say of which paths a formula speaks."""
    start, end = mistake.span
    logic = re.match(r"CTL\*\s*", mistake.written)
    inner = Span(start + (logic.end() if logic else 0), end)
    for quantifier, which in (("A", "all paths"), ("E", "some path")):
        changes = (
            TextChange(Span(inner.start, inner.start), f"{quantifier} ("),
            TextChange(Span(end, end), ")"),
        )
        yield Fix(f"Write `{quantifier}`: it is about {which}", changes)


def add_brackets(mistake: Mistake) -> Iterator[Fix]:
    """Write the brackets with which a formula is read here, or those of MCMAS."""
    for part in walk(mistake.analysis.program.formulae or ()):
        match part:
            case syntax.Connective(_, operands, span) if span == mistake.span:
                open_ended = [each for each in operands[:-1] if _reaches(each, mistake)]
            case syntax.Implication(left, _, span) if span == mistake.span:
                open_ended = [left] if _reaches(left, mistake) else []
            case _:
                continue
        changes = [change for each in open_ended for change in _bracketed(each.span)]
        yield Fix("Add the brackets with which it is read", tuple(changes), preferred=True)
        if len(open_ended) == 1 and isinstance(open_ended[0], syntax.Temporal):
            inside = Span(open_ended[0].body.span.start, mistake.span.end)
            yield Fix("Add the brackets with which MCMAS reads it", tuple(_bracketed(inside)))
        return


def _reaches(operand: syntax.Formula, mistake: Mistake) -> bool:
    """Return whether MCMAS lets an operand reach further to the right than it does here."""
    temporal = (syntax.Temporal, syntax.UntilFormula, syntax.PathQuantifier)
    return isinstance(operand, temporal) and mistake.text[operand.span.end - 1] != ")"


def _bracketed(span: Span) -> Iterator[TextChange]:
    yield TextChange(Span(span.start, span.start), "(")
    yield TextChange(Span(span.end, span.end), ")")


def swap_bounds(mistake: Mistake) -> Iterator[Fix]:
    """Write the smaller number first."""
    found = re.fullmatch(
        r"(?P<open>\[?\s*)(?P<low>\d+)(?P<between>\s*(?:,|\.\.)\s*)(?P<high>\d+)(?P<close>\s*\]?)",
        mistake.written,
    )
    if found is not None and int(found["high"]) < int(found["low"]):
        order = ("open", "high", "between", "low", "close")
        yield mistake.replace("".join(found[part] for part in order), preferred=True)


def without_bounds(mistake: Mistake) -> Iterator[Fix]:
    """Ask about as many steps as there are."""
    text, (start, end) = mistake.text, mistake.span
    behind = " " if text[end : end + 1].isalnum() else ""
    yield Fix("Leave the bounds out", (TextChange(Span(start, end), behind),))


def two_formulae(mistake: Mistake) -> Iterator[Fix]:
    """Ask about both sides of an `and` by themselves."""
    if mistake.help != "write two formulae":
        return
    for line in syntax.each_line(mistake.analysis.program.formulae or ()):
        formula = line.formula
        said = line.annotation.name or line.annotation.expected
        if formula.span != mistake.span or said or not isinstance(formula, syntax.Connective):
            continue
        end = f";{line_end(mistake.text)}{indent_at(mistake.text, line.span.start)}"
        changes = []
        for left, right in pairwise(formula.operands):
            gap = Span(left.span.end, right.span.start)
            if mistake.text[gap.start : gap.end].strip() != formula.operator:
                return  # there are brackets
            changes.append(TextChange(gap, end))
        yield Fix(f"Write {len(changes) + 1} formulae", tuple(changes), preferred=True)
        return
