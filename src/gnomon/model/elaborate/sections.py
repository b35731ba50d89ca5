"""Sections of a program that read the same with agents and with templates."""

from gnomon.language import syntax
from gnomon.model.elaborate.names import Names
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import Source, Span


def report_missing_sections(program: syntax.Program, diagnostics: Diagnostics) -> None:
    """Report that nothing is said of where to start, or nothing asked."""
    end = Span(max(program.span.end - 1, 0), program.span.end)
    if program.initial is None:
        diagnostics.add(
            "G0113",
            "the program does not say which states are initial",
            end,
            help="add `InitStates … end InitStates`",
        )
    if not program.formulae:
        diagnostics.add(
            "G0410",
            "the program has no formula: there is nothing to check",
            end,
            help="add `Formulae … end Formulae`, or give one with `--formula`",
        )


def declare_proposition(line: syntax.Proposition, names: Names, diagnostics: Diagnostics) -> None:
    """Note where a proposition is defined."""
    name = line.name.text
    if name in names.propositions:
        diagnostics.add(
            "G0402",
            f"proposition `{name}` is defined twice; the last definition counts",
            line.span,
        )
    names.propositions[name] = line.span


def as_written(source: Source, span: Span) -> str:
    """Return a piece of the program on one line, without its comments."""
    lines = source.slice(span).split("\n")
    return " ".join(" ".join(line.split("--")[0] for line in lines).split())
