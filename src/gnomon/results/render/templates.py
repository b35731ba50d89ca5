"""A program of templates as text: who there may be, what they have and do, and what is asked."""

from collections.abc import Iterable

from gnomon.model.parameterised.system import OpenSystem, show_size
from gnomon.results import phrases
from gnomon.results.render import table
from gnomon.results.render.model import formulae
from gnomon.results.styled import StyledText, wrap


def render_templates(
    model: str,
    system: OpenSystem,
    width: int = 80,
    constants: Iterable[tuple[str, int]] = (),
) -> StyledText:
    """Return what a model with templates is, with the constants that it was read with."""
    text = StyledText()
    facts = ["parameterised: the number of agents is open", *phrases.constants(constants)]
    text.add_heading(model, facts, width)
    for part in (system.environment, *system.templates):
        number = "" if part is system.environment else f"  [{show_size(part)}]"
        text.add(f"  {part.name}{number}")
        shared = [f"{name} ({system.role(name)})" for name in part.synchronised]
        for variable in part.variables:
            _add_wrapped(text, f"{variable.name} : ", str(variable.domain), "    ", width)
        actions = ", ".join((*part.local, *shared)) or "none"
        _add_wrapped(text, "actions  ", actions, "    ", width)
    if system.parameters:
        _add_wrapped(text, "parameters  ", ", ".join(system.parameters), "  ", width)
    for relation in system.relations.values():
        columns = " * ".join(map(str, relation.columns))
        result = f" -> {relation.result}" if relation.result else ""
        _add_wrapped(text, f"relation {relation.name} : ", columns + result, "  ", width)
    questions = list(formulae(system.questions))
    if questions:
        text.extend(table.render(["", ""], questions, width - 2), "  ")
    return text


def _add_wrapped(text: StyledText, head: str, words: str, indent: str, width: int) -> None:
    first, *rest = wrap(words, max(20, width - len(indent) - len(head)), "  ")
    text.add(indent, head, first)
    for part in rest:
        text.add(indent, part)
