"""Where MCMAS reads CTL* differently: its temporal operators reach as far to the right as they can."""

from gnomon.language import syntax
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import Span


def warn_of_precedence(formula: syntax.Formula, diagnostics: Diagnostics) -> None:
    """Warn where a temporal operator without brackets stands before `and`, `or` or `->`."""
    match formula:
        case syntax.Connective(_, operands, span):
            doubtful = any(_is_open_ended(item, span, diagnostics) for item in operands[:-1])
            inner = operands
        case syntax.Implication(left, right, span):
            doubtful = _is_open_ended(left, span, diagnostics)
            inner = (left, right)
        case syntax.UntilFormula(left, right, span) | syntax.Equivalence(left, right, span):
            doubtful, inner = False, (left, right)
        case syntax.WeakFormula(_, left, right, span):
            doubtful, inner = False, (left, right)
        case syntax.BoundedFormula(body):
            warn_of_precedence(body, diagnostics)
            return
        case (
            syntax.Negation(body)
            | syntax.Temporal(_, body)
            | syntax.PathQuantifier(_, body)
            | syntax.Modality(_, _, body)
            | syntax.Coalition(_, body)
            | syntax.CannotAvoid(_, body)
        ):
            warn_of_precedence(body, diagnostics)
            return
        case _:
            return
    if doubtful:
        diagnostics.add(
            "G0604",
            "MCMAS may bracket this CTL* formula differently",
            span,
            notes=("here every temporal operator binds more tightly than `and`, `or` and `->`",),
            help="write the brackets you mean",
        )
    for part in inner:
        warn_of_precedence(part, diagnostics)


def _is_open_ended(operand: syntax.Formula, outer: Span, diagnostics: Diagnostics) -> bool:
    """Return whether an operand is a temporal formula without brackets around it."""
    if not isinstance(operand, (syntax.Temporal, syntax.UntilFormula, syntax.PathQuantifier)):
        return False
    text = diagnostics.source.text
    start, end = operand.span
    while start > outer.start and text[start - 1].isspace():
        start -= 1
    bracketed = start > outer.start and text[start - 1] == "("
    return not bracketed and text[end - 1 : end] != ")"
