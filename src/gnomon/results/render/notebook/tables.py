"""Strategies in a notebook, and why there is none: rules, tables, answers and views in conflict."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from gnomon.model.evidence import Clashes, Defence, Evidence, Rule, Strategy
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.projection import ShownAgents
from gnomon.results.render import clash, defence, strategy
from gnomon.results.render.notebook.frame import (
    folded,
    heading,
    paragraph,
    quoted,
    row,
    shown,
    table,
)

#: Of longer tables there is the beginning.
_MOST_ROWS: Final = 60
_MOST_RULES: Final = 30
_MOST_VIEWS: Final = 12


def tables(system: System, evidence: Evidence, agents: ShownAgents = None) -> Iterator[str]:
    """Yield strategies, answers and conflicts, each with its title."""
    for each in evidence.strategies:
        yield heading(phrases.strategy_title(each))
        yield from _strategy(each)
    for refusal in evidence.defences:
        yield heading(phrases.defence_title(refusal))
        yield from _defence(system, refusal, agents)
    for clashes in evidence.clashes:
        yield heading(phrases.clashes_title(clashes))
        yield from _clashes(system, clashes, agents)


def _more(left: int, what: str, where: str) -> str:
    return (
        paragraph(quoted(f"… and {left:,} more {what}; `{where}` has all"), "g-soft")
        if left
        else ""
    )


def _rules(rules: Sequence[Rule]) -> str:
    words = strategy.rule_words(rules)
    items = [
        f"<li>{shown(where)} <strong>{shown(action)}</strong></li>"
        for where, action in words[:_MOST_RULES]
    ]
    more = _more(len(words) - len(items), "rules", ".evidence.data")
    return f"<ul>{''.join(items)}</ul>{more}" if items else ""


def _strategy(item: Strategy) -> Iterator[str]:
    yield _rules(item.rules)
    if not item.choices:
        if not item.rules:
            yield paragraph("nothing has to be done", "g-soft")
        return
    pieces = [_strategy_table(each) for each in strategy.tables(item, _MOST_ROWS)]
    left = max(0, len(item.choices) - _MOST_ROWS)
    pieces.append(_more(left, "rows", ".evidence.data.strategies"))
    count = len(item.choices)
    if strategy.rules_suffice(item):
        yield folded(f"the same as a table of {count:,} rows", *pieces)
    else:
        yield from pieces


def _strategy_table(found: strategy.StrategyTable) -> str:
    of = [
        "g-split" if found.split and place == found.split else ""
        for place in range(len(found.header))
    ]
    rows = [row(map(shown, cells), of=of) for cells in found.rows]
    return table([*map(shown, found.header)], rows, of)


def _defence(system: System, item: Defence, agents: ShownAgents) -> Iterator[str]:
    short = defence.rules_suffice(item)
    if short:
        yield _rules(item.rules)
    header = ["position", "as the first, but", "if", "then the others", "and then"]
    rows = []
    for answered in defence.answered_states(system, item, _MOST_ROWS, agents):
        values = "<br>".join(map(shown, answered.values[:40]))
        for index, reply in enumerate(answered.replies):
            place = [str(answered.number), values] if index == 0 else ["", ""]
            words = [shown(reply.choice), shown(reply.answer), shown(reply.result)]
            rows.append(row([*place, *words], "g-state" if index == 0 else ""))
    left = max(0, len(item.answers) - _MOST_ROWS)
    more = _more(left, "answers", ".evidence.data.defences")
    if not rows:
        yield paragraph("nothing has to be done", "g-soft")
    elif short:
        yield folded(
            f"the {len(item.answers):,} answers, state by state", table(header, rows), more
        )
    else:
        yield table(header, rows)
        yield more


def _clashes(system: System, item: Clashes, agents: ShownAgents) -> Iterator[str]:
    for each in islice(item.views, _MOST_VIEWS):
        yield paragraph(quoted(clash.view_words(each)))
        states = clash.states_apart(system, each.states[:_MOST_VIEWS], agents)
        listed = "".join(f"<li>{shown(', '.join(values))}</li>" for values in states)
        yield f"<ul>{listed}</ul>"
    yield _more(max(0, len(item.views) - _MOST_VIEWS), "views", ".evidence.data.clashes")
