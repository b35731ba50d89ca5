"""What can be said about a model with any number of agents without an engine for it."""

from collections.abc import Iterable, Iterator

from gnomon.checking.load import Loaded
from gnomon.language.syntax import FormulaLine, Repeat


def formulae_of(loaded: Loaded) -> list[tuple[str, int]]:
    """Return the text and line of each formula, as written."""
    if loaded.program.formulae is None:
        return []
    return [
        (
            loaded.source.slice(line.span).rstrip().rstrip(";"),
            loaded.source.location(line.span.start).line,
        )
        for line in _flat(loaded.program.formulae)
    ]


def _flat(lines: "Iterable[FormulaLine | Repeat[FormulaLine]]") -> Iterator[FormulaLine]:
    for line in lines:
        if isinstance(line, Repeat):
            yield from _flat(line.lines)
        else:
            yield line
