"""A model in a notebook: who there is, what each has, sees and does, what is asked, and its states."""

from collections.abc import Iterable, Sequence
from typing import Final

from gnomon.checking.sizes import Sizes
from gnomon.model.agent import Agent
from gnomon.model.any import AnySpecification
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.expression import show
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.graph import StateGraph, reachable_graph
from gnomon.results.phrases import grouped
from gnomon.results.render.notebook.drawing import of_graph
from gnomon.results.render.notebook.formulae import aloud, formula
from gnomon.results.render.notebook.frame import (
    beside,
    folded,
    framed,
    heading,
    paragraph,
    quoted,
    row,
    shown,
    table,
)

#: A model with more states has no picture beside it.
MOST_DRAWN: Final = 24
#: Nobody waits longer for a picture that was not asked for.
_SECONDS: Final = 1.0
_MOST_ARROWS: Final = 80
_MOST_ROWS: Final = 40
_MOST_VALUES: Final = 12


def states_of(system: System) -> StateGraph | None:
    """Return all reachable states where they are few and found at once."""
    try:
        graph = reachable_graph(system, MOST_DRAWN, budget=Budget(_SECONDS))
    except LimitReached:
        return None
    return None if graph.cut or graph.unlooked else graph


def render(
    name: str,
    system: System,
    found: StateGraph | Sizes,
    constants: Iterable[tuple[str, int]] = (),
) -> str:
    """Return one output about a model, of which all states are `found` or counted."""
    parts = [
        _agents(system),
        paragraph(_states(found)),
        _pairs("propositions", [(key, show(what)) for key, what in system.propositions.items()]),
        _pairs("groups", [(key, ", ".join(each.members)) for key, each in system.groups.items()]),
        _pairs("fairness", [(str(at), each.text) for at, each in enumerate(system.fairness, 1)]),
    ]
    words = "\n".join(part for part in parts if part)
    drawn = _picture(found) if isinstance(found, StateGraph) else ""
    asked = formulae(system.specifications)
    return framed(_title(name, system, constants), beside(words, drawn), asked)


def _title(name: str, system: System, constants: Iterable[tuple[str, int]]) -> str:
    agents = [agent for agent in system.agents if agent.variables or agent.actions]
    facts = [
        system.kind,
        *phrases.constants(constants),
        system.semantics,
        _count(len(agents), "agent"),
        _count(len(system.variables), "variable"),
    ]
    return paragraph(
        f'<strong>{shown(name)}</strong> <span class="g-soft">{shown(" · ".join(facts))}</span>',
        "g-title",
    )


def _agents(system: System) -> str:
    agents = [agent for agent in system.agents if agent.variables or agent.actions]
    if not agents:
        return paragraph("nobody is in it", "g-soft")
    rows = [_agent(system, agent) for agent in agents[:_MOST_ROWS]]
    return table(["agent", "variables", "sees also", "actions"], rows) + _more(
        len(agents) - len(rows), "agents"
    )


def _agent(system: System, agent: Agent) -> str:
    variables = [
        f"<code>{shown(each.name)} : {shown(str(each.domain))}</code>" for each in agent.variables
    ]
    sees = [] if agent.name == system.environment.name else [shown(each) for each in agent.sees]
    cells = [
        f"<strong>{shown(agent.name)}</strong>",
        few(variables, "<br>"),
        few(sees, ", "),
        few([shown(each) for each in agent.actions], ", "),
    ]
    return row(cells)


def formulae(specifications: Sequence[AnySpecification]) -> str:
    """Return formulae, each with its name or number, in words, and with what is expected of it."""
    if not specifications:
        return ""
    expected = any(each.expected for each in specifications)
    rows = []
    for number, each in enumerate(specifications[:_MOST_ROWS], 1):
        words = aloud(each.text)
        below = f'<br><small class="g-soft">{quoted(words)}</small>' if words else ""
        cells = [shown(each.name or str(number)), formula(each.text) + below]
        rows.append(row([*cells, shown(str(each.expected or ""))] if expected else cells))
    header = ["formula", "what it asks", *(["expected"] if expected else [])]
    left = len(specifications) - len(rows)
    return heading("formulae") + table(header, rows) + _more(left, "formulae")


def _pairs(title: str, pairs: list[tuple[str, str]]) -> str:
    if not pairs:
        return ""
    rows = [row([shown(name), f"<code>{shown(text)}</code>"]) for name, text in pairs[:_MOST_ROWS]]
    inner = table(["", title], rows) + _more(len(pairs) - len(rows), title)
    return folded(f"{title} ({len(pairs):,})", inner)


def _states(found: StateGraph | Sizes) -> str:
    if isinstance(found, StateGraph):
        starts = sum(node.initial for node in found.nodes)
        return f"{_count(len(found.nodes), 'reachable state')}, {starts:,} initial"
    if found.reachable is None:
        return "infinitely many states"
    most = "" if found.complete else "at least "
    hint = "" if found.complete else "; <code>check()</code> counts on"
    initial = "" if found.initial is None else f", {grouped(found.initial)} initial"
    return f"{most}{grouped(found.reachable)} reachable states{initial}{hint}"


def _picture(graph: StateGraph) -> str:
    if len(graph.edges) > _MOST_ARROWS:
        return ""
    try:
        return of_graph(graph, Budget(_SECONDS))
    except LimitReached:
        return ""


def few(items: Sequence[str], joint: str) -> str:
    """Return the first items, and how many more there are."""
    kept = list(items[:_MOST_VALUES])
    left = len(items) - len(kept)
    return joint.join([*kept, f"… {left:,} more"] if left > 0 else kept)


def _more(left: int, what: str) -> str:
    words = f"… and {left:,} more {what}; `print(model)` has all"
    return paragraph(quoted(words), "g-soft") if left > 0 else ""


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
