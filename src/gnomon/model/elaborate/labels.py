"""The names that formulae are given, each for one of them."""

from gnomon.language import syntax
from gnomon.text.diagnostic import Diagnostics, Label
from gnomon.text.source import Span


class FormulaNames:
    """The names of formulae that were read so far."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        """Start without any; mistakes go to `diagnostics`."""
        self._diagnostics = diagnostics
        self._lines: dict[str, syntax.FormulaLine] = {}

    def name(self, line: syntax.FormulaLine) -> str:
        """Return the name of a formula, "" where it has none; a name that is taken is reported."""
        given = line.annotation.name
        if given is None:
            return ""
        self.take(given.text, line)
        return given.text

    def take(self, name: str, line: syntax.FormulaLine) -> None:
        """Give a name to the formula of a line; one that is taken is reported."""
        first = self._lines.setdefault(name, line)
        if first is not line:
            given, before = line.annotation.name, first.annotation.name
            assert given is not None, "it has a name"
            assert before is not None, "it has a name"
            self._report(given, before.span)

    def _report(self, given: syntax.Name, before: Span) -> None:
        repeated = before == given.span
        related = () if repeated else (Label(before, "the first one is here"),)
        help_ = "choose another name"
        if repeated:
            help_ = f"inside `for`, give it the indices: `{given.text.partition('[')[0]}[i] : …`"
        self._diagnostics.add(
            "G0607",
            f"a second formula is named `{given.text}`",
            given.span,
            related=related,
            help=help_,
        )
