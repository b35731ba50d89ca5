"""The names that formulae are given, each for one of them."""

from gnomon.language import syntax
from gnomon.text.diagnostic import Diagnostics, Label
from gnomon.text.source import Span


class FormulaNames:
    """The names of formulae that were read so far."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        """Start without any; mistakes go to `diagnostics`."""
        self._diagnostics = diagnostics
        self._places: dict[str, Span] = {}

    def name(self, line: syntax.FormulaLine) -> str:
        """Return the name of a formula, "" where it has none; a name that is taken is reported."""
        given = line.annotation.name
        if given is None:
            return ""
        if given.text in self._places:
            self._report(given, self._places[given.text])
        else:
            self._places[given.text] = given.span
        return given.text

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
