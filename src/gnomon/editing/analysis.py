"""All that is known of one version of a text: what was read, and on demand what stands where in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gnomon.checking.load import Loaded, decoded, load_source
from gnomon.checking.options import Options
from gnomon.checking.policy import judged
from gnomon.checking.refusals import contradictory_axioms, refusals
from gnomon.editing.resolve import resolve
from gnomon.editing.sections import Section, sections
from gnomon.editing.symbols import SymbolIndex
from gnomon.language import syntax
from gnomon.language.lexer import Tokens, tokenize
from gnomon.language.parse import parse
from gnomon.model.any import AnySpecification
from gnomon.text.diagnostic import Diagnostic, Diagnostics, InputError
from gnomon.text.source import Source, Span


@dataclass(frozen=True)
class Analysis:
    """A text that was read, with or without mistakes."""

    loaded: Loaded

    @property
    def source(self) -> Source:
        """Return the text."""
        return self.loaded.source

    @property
    def text(self) -> str:
        """Return its characters."""
        return self.loaded.source.text

    @cached_property
    def program(self) -> syntax.Program:
        """Return the program as it is written, families and definitions included."""
        read = self.loaded.program
        if read is None or read.is_parameterised:
            return parse(self.source).program  # what was loaded is written out
        return read

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return what `gnomon check` says about it before anything is decided."""
        loaded = self.loaded
        said = list(loaded.diagnostics)
        if loaded.model is not None:
            said += refusals(loaded.model, loaded.model.specifications, Options(), loaded.source)
            said += contradictory_axioms(loaded.model, loaded.source)
        return judged(said, loaded.policy())

    @cached_property
    def tokens(self) -> Tokens:
        """Return its tokens."""
        return tokenize(self.source, Diagnostics(self.source))

    @cached_property
    def sections(self) -> list[Section]:
        """Return its sections."""
        return sections(self.tokens)

    @cached_property
    def symbols(self) -> SymbolIndex:
        """Return its names, with what they mean."""
        return resolve(self.source, self.program)

    @cached_property
    def written(self) -> "tuple[WrittenFormula, ...]":
        """Return the lines of `Formulae`, each with the formulae that it stands for."""
        return _written(self)


@dataclass(frozen=True)
class WrittenFormula:
    """A line of `Formulae`: its tree, the whole place of it, and the numbers, from 1, of what it stands for.

    There is no number where the program has mistakes, and several where the line is repeated by `for`.
    """

    line: syntax.FormulaLine
    span: Span
    numbers: tuple[int, ...]
    formulae: tuple[AnySpecification, ...]

    @property
    def name(self) -> str:
        """Return how it is called in the text, without indices; "" where it has no name."""
        given = self.line.annotation.name
        return "" if given is None else given.text


def analyse(source: Source, constants: Mapping[str, int] | None = None) -> Analysis:
    """Read a text."""
    return Analysis(load_source(source, constants or {}))


def read_open_text(text: str, name: str) -> Source | Analysis:
    """Return the text of an editor as `gnomon check` would read its file, or what is wrong with it as a text.

    Every sign keeps its place.
    """
    marked = text.startswith("\ufeff")
    try:
        source = decoded(name, text.encode("utf-8", "surrogatepass"))
    except InputError as error:
        nothing = Source(name, "")
        return Analysis(Loaded(nothing, syntax.Program(), None, "finite", error.diagnostics))
    return Source(name, f" {source.text}") if marked else source


def unreadable(name: str, code: str, message: str) -> Analysis:
    """Return what is known of a text that was not read: that, and why."""
    nothing = Source(name, "")
    said = (Diagnostic(code, message, nothing),)
    return Analysis(Loaded(nothing, syntax.Program(), None, "finite", said))


def _written(analysis: Analysis) -> tuple[WrittenFormula, ...]:
    model = analysis.loaded.model
    known: dict[Span, list[tuple[int, AnySpecification]]] = {}
    formulae: Sequence[AnySpecification] = () if model is None else model.specifications
    for number, each in enumerate(formulae, 1):
        if each.at is not None:
            known.setdefault(each.at, []).append((number, each))
    found = []
    for line in syntax.each_line(analysis.program.formulae or ()):
        members = known.get(line.span, [])
        numbers = tuple(number for number, _ in members)
        found.append(
            WrittenFormula(line, _whole(line), numbers, tuple(each for _, each in members))
        )
    return tuple(found)


def _whole(line: syntax.FormulaLine) -> Span:
    """Return the place of a formula with its name and expectation."""
    said = line.annotation.span
    return Span(min(line.span.start, said.start), max(line.span.end, said.end))
