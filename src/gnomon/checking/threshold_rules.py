"""What members of a coalition do by cells, said by thresholds: neighbouring pieces become one condition."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias, TypeVar

from gnomon.engines.abstraction.clusters import piece_condition
from gnomon.engines.abstraction.concretise import Cell
from gnomon.engines.abstraction.linear import Form
from gnomon.engines.abstraction.partition import Partition
from gnomon.logic.rules import RuleTest, decisions_by
from gnomon.model import expression as typed
from gnomon.model.evidence import Rule
from gnomon.model.expression import Expression
from gnomon.model.step import State, holds
from gnomon.model.system import System

#: A member, a cell or what the member sees of it, and what the member does there.
ThresholdRow: TypeAlias = tuple[str, Cell, str]
Key = TypeVar("Key")

#: Longer tables are left as they are.
_MOST_ROWS: Final = 300


class ThresholdRules(NamedTuple):
    """Rules for people, and what their conditions are worth in a state."""

    rules: tuple[Rule, ...]
    conditions: Mapping[str, Expression]

    def agree(self, system: System, state: State, chosen: Mapping[str, str]) -> bool:
        """Return whether in a state the first rule that fits says what each member does."""
        for agent, action in chosen.items():
            own = [rule for rule in self.rules if rule.agent == agent]
            fitting = (
                rule
                for rule in own
                if all(holds(self.conditions[each], system, state) for each in rule.conditions)
            )
            first = next(fitting, None)
            if own and (first is None or first.action != action):
                return False
        return True


def threshold_rules(partition: Partition, rows: Sequence[ThresholdRow]) -> ThresholdRules:
    """Return rules that say the same as a table of cells; none where they are no shorter."""
    found: list[Rule] = []
    conditions: dict[str, Expression] = {}
    if len(rows) > _MOST_ROWS:
        return ThresholdRules((), {})
    for agent in dict.fromkeys(name for name, _, _ in rows):
        own = [(cell, action) for name, cell, action in rows if name == agent]
        tests = dict(_tests(partition, [cell for cell, _ in own]))
        allowed: dict[str, int] = {}
        for number, (_, action) in enumerate(own):
            allowed[action] = allowed.get(action, 0) | 1 << number
        listed = [RuleTest(typed.show(each), where) for each, where in tests.items()]
        decided = decisions_by(listed, len(own), allowed)
        found += [Rule(agent, each.conditions, each.label) for each in decided]
        conditions |= {typed.show(each): each for each in tests}
    if len(found) >= len({cell for _, cell, _ in rows}):
        return ThresholdRules((), {})
    return ThresholdRules(tuple(found), conditions)


def _tests(partition: Partition, cells: Sequence[Cell]) -> Iterator[tuple[Expression, int]]:
    """Yield the conditions that tell cells apart, with the cells they hold in: bit n for cell n."""
    for place, (read, _) in enumerate(cells[0].values):
        holding = _numbered([str(cell.values[place][1]) for cell in cells])
        values = {str(cell.values[place][1]): cell.values[place][1] for cell in cells}
        for text, where in holding.items() if len(holding) > 1 else ():
            yield typed.Compare("=", read, typed.Literal(values[text])), where
    for place, (quantity, _) in enumerate(cells[0].pieces):
        pieces = _numbered([cell.pieces[place][1] for cell in cells])
        if len(pieces) < 2:
            continue
        if isinstance(quantity, Form):
            yield from _thresholds(partition, quantity, pieces)
            continue
        for number, where in pieces.items():
            yield piece_condition(partition, quantity, number), where


def _thresholds(
    partition: Partition, form: Form, pieces: Mapping[int, int]
) -> Iterator[tuple[Expression, int]]:
    """Yield at least and at most for each bound between pieces, and equality where a piece is a point."""
    below, everything = 0, sum(pieces.values())
    intervals = partition.pieces[form]
    for number in pieces:
        if intervals[number].point is not None:
            yield piece_condition(partition, form, number), pieces[number]
    for number, following in pairwise(sorted(pieces)):
        below |= pieces[number]
        high, low = intervals[number].high, intervals[following].low
        if high is not None and low is not None:
            yield typed.Compare("<=", form.expression, typed.Literal(high)), below
            yield typed.Compare(">=", form.expression, typed.Literal(low)), everything & ~below


def _numbered(keys: Sequence[Key]) -> dict[Key, int]:
    found: dict[Key, int] = {}
    for number, key in enumerate(keys):
        found[key] = found.get(key, 0) | 1 << number
    return found
