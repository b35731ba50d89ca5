"""What a model is, for people."""

from gnomon.checking.sizes import Sizes
from gnomon.model.domain import size_of
from gnomon.model.expression import show
from gnomon.model.system import System
from gnomon.results.describe import seen_by
from gnomon.results.numbers import grouped
from gnomon.results.render import table
from gnomon.results.styled import Span, Text, squeeze


def render(model: str, system: System, sizes: Sizes, width: int = 80) -> Text:
    """Return tables of all that the model declares."""
    text = Text()
    agents = [agent for agent in system.agents if agent.variables or agent.actions]
    facts = [
        system.kind,
        system.semantics,
        _count(len(agents), "agent"),
        _count(len(system.variables), "variable"),
    ]
    text.add(Span(model, "strong"), Span("  " + " · ".join(facts), "dim"))
    _section(text, "Variables", _variables(system, width))
    _section(text, "Agents", _agents(system, width))
    _section(
        text,
        "Propositions",
        _pairs([(name, show(what)) for name, what in system.propositions.items()], width),
    )
    _section(
        text,
        "Groups",
        _pairs([(name, ", ".join(group.members)) for name, group in system.groups.items()], width),
    )
    _section(text, "Fairness", _numbered([item.text for item in system.fairness], width))
    _section(text, "Formulae", _numbered([item.text for item in system.specifications], width))
    _section(text, "States", _pairs(_sizes(sizes), width))
    return text


def _section(text: Text, title: str, body: Text) -> None:
    if body.lines:
        text.add()
        text.add(Span(title, "strong"))
        text.extend(body, "  ")


def _variables(system: System, width: int) -> Text:
    rows = []
    before = ""
    for variable in system.variables:
        size = size_of(variable.domain)
        rows.append(
            [
                variable.agent if variable.agent != before else "",
                variable.name,
                "no bound" if size is None else grouped(size),
                ", ".join(seen_by(system, variable)),
                str(variable.domain),
            ]
        )
        before = variable.agent
    header = ["agent", "variable", "size", "seen by", "values"]
    return table.render(header, rows, width - 2) if rows else Text()


def _agents(system: System, width: int) -> Text:
    rows = [
        [
            agent.name,
            str(len(agent.protocol) + (agent.other is not None)),
            str(len(agent.evolution)),
            ", ".join(agent.actions) or "none: it idles",
        ]
        for agent in system.agents
        if agent.variables or agent.actions
    ]
    return table.render(["agent", "protocol", "evolution", "actions"], rows, width - 2)


def _pairs(pairs: list[tuple[str, str]], width: int) -> Text:
    return table.render(["", ""], pairs, width - 2) if pairs else Text()


def _numbered(texts: list[str], width: int) -> Text:
    return _pairs([(str(index), squeeze(text)) for index, text in enumerate(texts, 1)], width)


def _sizes(sizes: Sizes) -> list[tuple[str, str]]:
    cut = "" if sizes.complete else " (counting stopped; --max-states, --timeout allow more)"
    return [
        ("possible", "no bound" if sizes.possible is None else grouped(sizes.possible)),
        ("initial", _bound(sizes.initial, exact=sizes.all_initial)),
        ("reachable", _bound(sizes.reachable, exact=sizes.complete) + cut),
    ]


def _bound(number: int | None, *, exact: bool) -> str:
    if number is None:
        return "infinitely many"
    return f"{'' if exact else 'at least '}{grouped(number)}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
