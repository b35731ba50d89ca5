"""A program of templates in a notebook: who there may be, what they have and do, and what is asked."""

from collections.abc import Iterable

from gnomon.model.parameterised.system import OpenSystem, show_size
from gnomon.results import phrases
from gnomon.results.render.notebook.frame import (
    folded,
    framed,
    paragraph,
    quoted,
    row,
    shown,
    table,
)
from gnomon.results.render.notebook.model import few, formulae


def render(name: str, system: OpenSystem, constants: Iterable[tuple[str, int]] = ()) -> str:
    """Return one output about a model in which the number of agents is open."""
    facts = " · ".join(["parameterised", *phrases.constants(constants)])
    rows = []
    for part in (system.environment, *system.templates):
        most = "any number" if part.high is None else str(part.high)
        number = f"{part.low} to {most}"
        if part.high is None:
            number = f"{part.low} or more" if part.low else "any number"
        if part.size is not None:
            number = show_size(part)
        variables = [
            f"<code>{shown(each.name)} : {shown(str(each.domain))}</code>"
            for each in part.variables
        ]
        shared = [f"{each} ({system.role(each)})" for each in part.synchronised]
        cells = [
            f"<strong>{shown(part.name)}</strong>",
            "one" if part is system.environment else number,
            few(variables, "<br>"),
            few([shown(each) for each in (*part.local, *shared)], ", "),
        ]
        rows.append(row(cells))
    relations = [
        f"<li>{shown(each.name)} : {shown(' * '.join(map(str, each.columns)))}"
        f"{shown(f' -> {each.result}') if each.result else ''}</li>"
        for each in system.relations.values()
    ]
    return framed(
        paragraph(f'<strong>{shown(name)}</strong> <span class="g-soft">{shown(facts)}</span>'),
        table(["template", "how many", "variables", "actions"], rows),
        folded(f"relations ({len(relations)})", f"<ul>{''.join(relations)}</ul>")
        if relations
        else "",
        formulae(system.questions),
        paragraph(
            quoted(
                "`check()` decides for any number of agents; "
                f"`with_agents({shown(system.templates[0].name)}=3)` is the model with so many."
            ),
            "g-soft",
        )
        if system.templates
        else "",
    )
