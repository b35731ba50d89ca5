"""Names of definitions that something else has."""

from collections.abc import Iterator

from gnomon.language import syntax
from gnomon.text.diagnostic import Diagnostics, Label
from gnomon.text.source import Span


def report_taken(program: syntax.Program, diagnostics: Diagnostics) -> None:
    """Report definitions whose name could also mean something else; families are written out already."""
    if program.definitions is None:
        return
    taken = dict(_taken(program))
    for line in program.definitions.lines:
        assert isinstance(line, syntax.Definition)
        name = line.name.text
        if name in taken:
            what, place = taken[name]
            repeated = place == line.span
            diagnostics.add(
                "G0220",
                f"`{name}` is already the name of {what}",
                line.name.span,
                label="defined again",
                related=() if repeated else (Label(place, "this has the name"),),
                help="inside `for`, give it the indices: `name[i] := …`"
                if repeated
                else "choose another name for the definition",
            )
        taken[name] = ("a definition", line.span)


def _taken(program: syntax.Program) -> Iterator[tuple[str, tuple[str, Span]]]:
    """Yield all names that can be met where a definition may be used, with what they are and where."""
    for type_ in program.types:
        yield type_.name.text, ("a type", type_.name.span)
        yield from _values(type_.type, f"`{type_.name.text}`")
    for relation in program.relations:
        yield relation.name.text, ("a relation", relation.name.span)
    for line in program.evaluation or ():
        if isinstance(line, syntax.Proposition):
            yield line.name.text, ("a proposition", line.name.span)
    for agent in program.agents:
        yield agent.name.text, ("an agent", agent.name.span)
        for action in agent.actions or ():
            yield action.text, (f"an action of `{agent.name.text}`", action.span)
        for variable in (*(agent.observed or ()), *(agent.variables or ())):
            yield from _values(variable.type, f"`{agent.name.text}.{variable.name.text}`")
            what = f"a variable of `{agent.name.text}`"
            yield variable.name.text, (what, variable.name.span)


def _values(type_: syntax.Type, whose: str) -> Iterator[tuple[str, tuple[str, Span]]]:
    if isinstance(type_, syntax.EnumerationType):
        for value in type_.values:
            yield value.text, (f"a value of {whose}", value.span)
