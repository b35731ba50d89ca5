"""A strategy for people: rules where there are any, and the table of what is done where."""

from collections.abc import Iterable, Sequence

from gnomon.model.agent import IDLE
from gnomon.model.evidence import Choice, Rule, Strategy
from gnomon.results.styled import Styled, StyledText, fill, pad, width_of, wrap

#: How many rows a terminal gets unless it asks for more.
ROWS = 30

_GAP = "  "


def render(strategy: Strategy, width: int = 80, most: int | None = ROWS) -> StyledText:
    """Return the rules and rows of a strategy, at most `most` rows, with a word about the rest.

    Where the rules are much shorter, they stand alone, unless everything is wanted (`most` is None).
    """
    text = StyledText()
    if not strategy.choices and not strategy.rules:
        text.add(Styled("nothing has to be done", "dim"))
        return text
    for words, action in rule_words(strategy.rules):
        *head, last = wrap(words, max(20, width - 2 - width_of(action)), "  ")
        for part in head:
            text.add(part)
        text.add(f"{last} ", Styled(action, "agent"))
    if not strategy.choices:
        return text
    if most is not None and rules_suffice(strategy):
        count = len(strategy.choices)
        for part in wrap(f"(--verbose or --json shows the table of {count} rows)", width):
            text.add(Styled(part, "dim"))
        return text
    if strategy.rules:
        text.add()
    _rows(text, strategy, width, most)
    return text


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
    shown = strategy.choices[:most]
    header, split, rows = table(strategy, most)
    sizes = [
        max(width_of(name), *(width_of(row[place]) for row in rows))
        for place, name in enumerate(header)
    ]
    if sum(sizes) + len(_GAP) * len(sizes) + 2 <= width:
        _table(text, header, rows, sizes, split)
    else:
        for choice in shown:
            _item(text, choice, width)
    left = len(strategy.choices) - len(shown)
    if left:
        text.add(Styled(f"… and {left} more (--verbose or --json shows all)", "dim"))


def table(strategy: Strategy, most: int | None = None) -> tuple[list[str], int, list[list[str]]]:
    """Return a header, how many of its cells are about the place, and the rows below it."""
    shown = strategy.choices[:most]
    where = _names(choice.where for choice in shown)
    members = _names(choice.actions for choice in shown)
    return [*where, *members], len(where), [_row(choice, where, members) for choice in shown]


def _names(groups: Iterable[tuple[tuple[str, str], ...]]) -> list[str]:
    """Return the first halves of all pairs, each once, in their order."""
    names: dict[str, None] = {}
    for pairs in groups:
        names.update(dict.fromkeys(name for name, _ in pairs))
    return list(names)


def _row(choice: Choice, where: list[str], members: list[str]) -> list[str]:
    values, actions = dict(choice.where), dict(choice.actions)
    return [
        *(values.get(name, "any") for name in where),
        *(actions.get(name, "any") for name in members),
    ]


def _table(
    text: StyledText, header: list[str], rows: list[list[str]], sizes: list[int], split: int
) -> None:
    """Add the table; a bar stands between what is seen and what is done."""

    def halves(cells: list[str]) -> tuple[str, str]:
        padded = [pad(cell, size) for cell, size in zip(cells, sizes, strict=True)]
        return _GAP.join(padded[:split]), _GAP.join(padded[split:])

    left, right = halves(header)
    bar = " │ " if split else ""
    text.add(Styled(left, "strong"), Styled(bar, "dim"), Styled(right, "strong"))
    for row in rows:
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
