"""A strategy for people: rules where there are any, and the table of what is done where."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gnomon.model.agent import IDLE
from gnomon.model.evidence import Choice, Rule, Strategy
from gnomon.results.extent import HOW, MOST_LINES
from gnomon.results.styled import Styled, StyledText, fill, pad, width_of, wrap

_GAP = "  "


def render(strategy: Strategy, width: int = 80, most: int | None = MOST_LINES) -> StyledText:
    """Return the rules and rows of a strategy, at most `most` rows, with a word about the rest.

    Where the rules are much shorter, they stand alone, unless everything is wanted (`most` is None).
    """
    text = StyledText()
    if not strategy.choices and not strategy.rules:
        text.add(Styled("nothing has to be done", "dim"))
        return text
    add_rules(text, strategy.rules, width, most)
    if not strategy.choices:
        return text
    if most is not None and rules_suffice(strategy):
        count = len(strategy.choices)
        for part in wrap(f"(--full or --json shows the table of {count} rows)", width):
            text.add(Styled(part, "dim"))
        return text
    if strategy.rules:
        text.add()
    _rows(text, strategy, width, most)
    return text


def add_rules(text: StyledText, rules: Sequence[Rule], width: int, most: int | None) -> None:
    """Add rules, at most so many, with a word about the rest."""
    words = rule_words(rules)
    for where, action in words[:most]:
        *head, last = wrap(where, max(20, width - 2 - width_of(action)), "  ")
        for part in head:
            text.add(part)
        text.add(f"{last} ", Styled(action, "agent"))
    left = len(words) - len(words[:most])
    if left:
        text.add(Styled(f"… and {left} more rules ({HOW})", "dim"))


def rules_suffice(strategy: Strategy) -> bool:
    """Return whether the rules say the same in much fewer lines than the table."""
    return bool(strategy.rules) and 2 * len(strategy.rules) <= len(strategy.choices)


def rule_words(rules: Sequence[Rule]) -> list[tuple[str, str]]:
    """Return each rule as the words before the action, and the action."""
    said: set[str] = set()
    words = []
    for rule in rules:
        if rule.action == IDLE:
            continue  # whoever has no actions has nothing to decide
        where = f"when {' and '.join(rule.conditions)}"
        if not rule.conditions:
            where = "otherwise" if rule.agent in said else "always"
        said.add(rule.agent)
        words.append((f"{where}: {rule.agent} does", rule.action))
    return words


def _rows(text: StyledText, strategy: Strategy, width: int, most: int | None) -> None:
    left = len(strategy.choices)
    for number, table in enumerate(tables(strategy, most)):
        if number:
            text.add()
        sizes = [
            max(width_of(name), *(width_of(row[place]) for row in table.rows))
            for place, name in enumerate(table.header)
        ]
        if sum(sizes) + len(_GAP) * len(sizes) + 2 <= width:
            _table(text, table, sizes)
        else:
            for choice in table.choices:
                _item(text, choice, width)
        left -= len(table.choices)
    if left:
        text.add(Styled(f"… and {left} more (--full or --json shows all)", "dim"))


class StrategyTable(NamedTuple):
    """Rows in which the same members act: a header, how many of its cells are about the place, and rows."""

    header: list[str]
    split: int
    rows: list[list[str]]
    choices: list[Choice]


def tables(strategy: Strategy, most: int | None = None) -> list[StrategyTable]:
    """Return what is done where; members that go by what each of them sees have a table each."""
    groups: dict[tuple[str, ...], list[Choice]] = {}
    for choice in strategy.choices[:most]:
        groups.setdefault(tuple(name for name, _ in choice.actions), []).append(choice)
    found = []
    for members, choices in groups.items():
        where = _names(choice.where for choice in choices)
        rows = [_row(choice, where) for choice in choices]
        found.append(StrategyTable([*where, *members], len(where), rows, choices))
    return found


def _names(groups: Iterable[tuple[tuple[str, str], ...]]) -> list[str]:
    """Return the first halves of all pairs, each once, in their order."""
    names: dict[str, None] = {}
    for pairs in groups:
        names.update(dict.fromkeys(name for name, _ in pairs))
    return list(names)


def _row(choice: Choice, where: list[str]) -> list[str]:
    """Return the values, any where a cell of states leaves them open, and what each member does."""
    values = dict(choice.where)
    return [*(values.get(name, "any") for name in where), *(action for _, action in choice.actions)]


def _table(text: StyledText, table: StrategyTable, sizes: list[int]) -> None:
    """Add the table; a bar stands between what is seen and what is done."""

    def halves(cells: list[str]) -> tuple[str, str]:
        padded = [pad(cell, size) for cell, size in zip(cells, sizes, strict=True)]
        return _GAP.join(padded[: table.split]), _GAP.join(padded[table.split :])

    left, right = halves(table.header)
    bar = " │ " if table.split else ""
    text.add(Styled(left, "strong"), Styled(bar, "dim"), Styled(right, "strong"))
    for row in table.rows:
        left, right = halves(row)
        text.add(left, Styled(bar, "dim"), Styled(right, "agent"))


def _item(text: StyledText, choice: Choice, width: int) -> None:
    conditions = [
        f"{name} {value}" if value.startswith(("<", ">")) else f"{name} = {value}"
        for name, value in choice.where
    ] or ["anywhere"]
    for part in fill(conditions, width, "  ", ", "):
        text.add(part)
    for part in fill([f"{who}: {what}" for who, what in choice.actions], width - 2, "  ", ", "):
        text.add(Styled("→ ", "dim"), Styled(part, "agent"))
