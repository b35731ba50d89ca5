"""A whole text in MCMAS's words, as far as it can be said in them."""

from gnomon.language.format import read_whole
from gnomon.language.mcmas.choices import without_choices
from gnomon.language.mcmas.comments import format_for_mcmas, says_it_in_line
from gnomon.language.mcmas.definitions import has_definitions, without_definitions
from gnomon.language.syntax import each_line
from gnomon.results.export.formulae_in_text import with_plain_formulae
from gnomon.text.source import Source


def in_mcmas_words(source: Source) -> str | None:
    """Return a text in MCMAS's words, None where nothing has to be said in other words.

    What cannot be read raises `InputError`.
    """
    program = read_whole(source)
    said = any(map(says_it_in_line, each_line(program.formulae or ())))
    # Formulae first: conditions in them become propositions, which may name definitions and have choices.
    words = with_plain_formulae(source, program)
    if words is not None:
        source, said = Source(source.name, words), True
        program = read_whole(source)
    if has_definitions(program):
        source, said = without_definitions(source), True
        program = read_whole(source)
    words = without_choices(source, program)
    if words is not None:
        source, said = Source(source.name, words), True
    return format_for_mcmas(source) if said else None
