"""What a model is, for people."""

from collections.abc import Iterable, Iterator

from gnomon.checking.sizes import Sizes
from gnomon.model.any import AnySpecification
from gnomon.model.domain import size_of
from gnomon.model.expression import show
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.describe import seen_by
from gnomon.results.phrases import grouped
from gnomon.results.render import table
from gnomon.results.styled import Styled, StyledText, squeeze


def render(
    model: str,
    system: System,
    sizes: Sizes,
    width: int = 80,
    constants: Iterable[tuple[str, int]] = (),
) -> StyledText:
    """Return tables of all that the model declares, with the constants that it was read with."""
    text = StyledText()
    agents = [agent for agent in system.agents if agent.variables or agent.actions]
    facts = [
        system.kind,
        *phrases.constants(constants),
        system.semantics,
        _count(len(agents), "agent"),
        _count(len(system.variables), "variable"),
    ]
    text.add_heading(model, facts, width)
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
    _section(text, "Formulae", _pairs(list(formulae(system.specifications)), width))
    _section(text, "States", _pairs(_sizes(sizes), width))
    return text


def formulae(specifications: Iterable[AnySpecification]) -> Iterator[tuple[str, str]]:
    """Yield formulae, each with its name or number, and with what is expected of it."""
    for index, item in enumerate(specifications, 1):
        expected = f" expect {item.expected}" if item.expected else ""
        yield item.name or str(index), squeeze(item.text) + expected


def _section(text: StyledText, title: str, body: StyledText) -> None:
    if body.lines:
        text.add()
        text.add(Styled(title, "strong"))
        text.extend(body, "  ")


def _variables(system: System, width: int) -> StyledText:
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
    return table.render(header, rows, width - 2, (3, 4), 2) if rows else StyledText()


def _agents(system: System, width: int) -> StyledText:
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


def _pairs(pairs: list[tuple[str, str]], width: int) -> StyledText:
    return table.render(["", ""], pairs, width - 2) if pairs else StyledText()


def _numbered(texts: list[str], width: int) -> StyledText:
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
