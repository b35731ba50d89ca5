"""What is said of evolution lines that hold at once although only one is taken: where a run can come to it.

Where all reachable states are known, exactly those pairs of lines are told of that hold at once in one of
them. Where they are not, or are too many to look for, it is the pairs that hold at once for some values of
the variables, and that this is not known is said.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gnomon.engines.algebra import Algebra
from gnomon.model import expression as typed
from gnomon.model.agent import IDLE, EvolutionLine
from gnomon.model.budget import LimitReached
from gnomon.model.choices import choices_left
from gnomon.model.domain import show_value
from gnomon.model.evaluation import holds, value_by
from gnomon.model.expression import Expression, Read
from gnomon.model.occasions import Occasion, happening, may
from gnomon.model.system import System
from gnomon.text.diagnostic import Diagnostic, Diagnostics, Label
from gnomon.text.limits import room_to_recurse
from gnomon.text.source import Source

if TYPE_CHECKING:
    from gnomon.model.overlaps import LineOverlap

#: The most joint actions that one pair of lines is looked at with, a whole family of pairs, and how many at
#: once: a condition that is too large is no longer looked up quickly.
_MOST_ACTIONS: Final = 32
_MOST_WAYS: Final = 1_024
_AT_ONCE: Final = 64
#: The most families that are looked at: each takes a look at all states, in one way or another.
_MOST_FAMILIES: Final = 100

#: Lines that are written out longer than this are named by what they assign.
_LONGEST_SHOWN: Final = 60

_OPEN: Final = "whether a run comes to that is not known"
_TOO_MANY: Final = "too many joint actions meet the conditions, and not all were looked at"


class _OverlapTold(NamedTuple):
    """A pair of lines, where both hold, and what else there is to say."""

    overlap: "LineOverlap"
    occasion: Occasion
    notes: tuple[str, ...] = ()


def _open(overlap: "LineOverlap", why: str = "") -> _OverlapTold:
    """Return a pair that holds at once somewhere, of which it is open whether a run comes there."""
    return _OverlapTold(overlap, overlap.occasion, (f"{_OPEN}: {why}" if why else _OPEN,))


class Overlapping:
    """The pairs of lines of one system that may hold at once, those of one family together."""

    def __init__(
        self, system: System, source: Source, families: "Sequence[Sequence[LineOverlap]]"
    ) -> None:
        """Ask about these lines of a system that comes from this text."""
        self._system = system
        self._source = source
        self._families = families
        self._stopped = False

    def possible(self) -> tuple[Diagnostic, ...]:
        """Return a word on the lines that hold at once for some values of the variables, reachable or not."""
        return self._told(lambda family: _open(family[0]))

    def reachable(self, algebra: Algebra[Any]) -> tuple[Diagnostic, ...]:
        """Return a word on the lines that hold at once in a reachable state.

        Where a limit of time or memory is in the way, it is told of once.
        """
        self._stopped = False
        return self._told(partial(self._reached, algebra))

    def _reached(
        self, algebra: Algebra[Any], family: "Sequence[LineOverlap]"
    ) -> "_OverlapTold | None":
        """Return the first pair of a family for which there is a reachable state, and what happens there.

        Where not all ways to come there were looked at, it is a pair of which that is open.
        """
        unseen: list[LineOverlap] = []
        every = self._looked_at(family, unseen)
        left = islice(every, _MOST_WAYS)
        while ways := list(islice(left, _AT_ONCE)):
            try:
                states = algebra.where(typed.Or(tuple(condition for _, _, condition in ways)))
            except LimitReached as limit:
                known, self._stopped = self._stopped, True
                return None if known else _open(ways[0][0], str(limit))
            if not algebra.is_empty(states):
                state = algebra.pick(states)
                overlap, actions = next(
                    (overlap, actions)
                    for overlap, actions, condition in ways
                    if holds(condition, self._system, state)
                )
                variables = self._system.variables
                values = {Read(v.agent, v.name): x for v, x in zip(variables, state, strict=True)}
                return _OverlapTold(overlap, Occasion(values, actions))
        unseen += [overlap for overlap, _, _ in islice(every, 1)]
        return _open(unseen[0], _TOO_MANY) if unseen else None

    def _looked_at(
        self, family: "Sequence[LineOverlap]", unseen: "list[LineOverlap]"
    ) -> "Iterator[tuple[LineOverlap, Mapping[str, str], Expression]]":
        """Yield pairs with some of the ways to come to them; those with more ways become unseen."""
        for overlap in family:
            ways = self._ways(overlap)
            for actions, condition in islice(ways, _MOST_ACTIONS):
                yield overlap, actions, condition
            if next(ways, None) is not None:
                unseen.append(overlap)

    def _ways(self, overlap: "LineOverlap") -> Iterator[tuple[Mapping[str, str], Expression]]:
        """Yield what the agents that are looked at may do, with where that can happen and both lines hold."""
        system, condition = self._system, overlap.condition
        if not system.interleaved:
            for actions in _joint_actions(system, overlap):
                yield actions, typed.And(tuple(self._happening(condition, actions)))
            return
        for event, done in system.events.items():
            if event in overlap.agent.actions:
                doing = dict(zip(system.agent_index, done, strict=True))
                yield doing, happening(system, event, typed.decided(condition, doing))

    def _happening(self, condition: Expression, actions: Mapping[str, str]) -> Iterator[Expression]:
        """Yield what has to hold in a state in which these actions can be done and meet a condition."""
        yield typed.decided(condition, actions)
        for agent in self._system.agents:
            if agent.name in actions:
                yield may(agent, actions[agent.name])
            elif agent.actions and agent.other is None:
                yield typed.Or(tuple(may(agent, action) for action in agent.actions))

    def _told(
        self, find: "Callable[[Sequence[LineOverlap]], _OverlapTold | None]"
    ) -> tuple[Diagnostic, ...]:
        """Return a word on each pair of which one line has not been mentioned yet."""
        diagnostics = Diagnostics(self._source)
        mentioned: set[object] = set()
        with room_to_recurse(), suppress(RecursionError):
            for family in self._families[:_MOST_FAMILIES]:
                agent, first, second, *_ = family[0]
                lines = {line.line or (agent.name, line) for line in (first, second)}
                found = None if lines <= mentioned else find(family)
                if found is not None:
                    mentioned |= lines
                    self._tell(diagnostics, found)
        return diagnostics.sorted()

    def _tell(self, diagnostics: Diagnostics, told: "_OverlapTold") -> None:
        overlap, occasion, notes = told
        first, second = overlap.first, overlap.second
        these = f"this line and line {first.line}"
        span = self._source.line_span(second.line)
        other = self._source.line_span(first.line)
        related = () if other is None else (Label(other, "either this line"),)
        if span is None or span == other:
            these = _both(first, second, overlap.agent.name)
            related = ()
        where = _where(self._system, overlap, occasion)
        if self._system.semantics == "SingleAssignment":
            variable = first.assignments[0].variable
            values = " or ".join(_value(line, occasion) for line in (first, second))
            diagnostics.add(
                "G0407",
                f"{these} can give `{variable}` different values at the same time",
                span,
                label="or this one" if related else "",
                notes=(f"{where} it becomes {values}", *notes),
                related=related,
            )
            return
        lost = " or of ".join(_lost(overlap, occasion))
        what = f"the change of {lost} is lost" if lost else f"{_torn(overlap, occasion)} is lost"
        diagnostics.add(
            "G0416",
            f"{these} can hold at once, and only one is taken: {what}",
            span,
            label="or this one" if related else "",
            notes=(f"{where} both hold", *notes),
            help="let their conditions exclude each other and add a line for both"
            + ("" if self._system.interleaved else ", or use `Semantics = SingleAssignment`"),
            related=related,
        )


def _joint_actions(system: System, overlap: "LineOverlap") -> Iterator[dict[str, str]]:
    """Yield the actions of the agents that the lines look at, those first that are known to fit."""
    yield dict(overlap.occasion.actions)
    left = choices_left(overlap.condition) or {}
    acting = sorted(typed.actors(overlap.condition))
    each = [[a for a in system.agent(name).actions if a in left.get(name, (a,))] for name in acting]
    for actions in product(*each):
        yield dict(zip(acting, actions, strict=True))


def _where(system: System, overlap: "LineOverlap", occasion: Occasion) -> str:
    """Return the occasion in words: what the conditions of both lines look at."""
    guards = overlap.first.guard, overlap.second.guard
    seen = {read for guard in guards for read in typed.reads(guard)}
    parts = [
        f"{v.agent}.{v.name} = {show_value(occasion.values[Read(v.agent, v.name)])}"
        for v in system.variables
        if Read(v.agent, v.name) in seen
    ]
    parts += [
        f"{agent.name}.Action = {occasion.actions[agent.name]}"
        for agent in system.agents
        if any(agent.name in typed.actors(guard) for guard in guards)
        and occasion.actions[agent.name] != IDLE
    ]
    return f"where {' and '.join(parts)}," if parts else "in every state,"


def _lost(overlap: "LineOverlap", occasion: Occasion) -> Iterator[str]:
    """Yield, for each of the lines, the variables that only it would change, if there are any."""
    for line, other in ((overlap.first, overlap.second), (overlap.second, overlap.first)):
        kept = {item.variable for item in other.assignments}
        changed = [
            f"`{item.variable}`"
            for item in line.assignments
            for own in (Read(overlap.agent.name, item.variable),)
            if item.variable not in kept and _differ(item.value, own, occasion)
        ]
        if changed:
            yield " and ".join(changed)


def _torn(overlap: "LineOverlap", occasion: Occasion) -> str:
    """Return the values of which a variable gets one, where the lines assign it different ones."""
    second = {item.variable: item.value for item in overlap.second.assignments}
    for item in overlap.first.assignments:
        other = second.get(item.variable, item.value)
        if _differ(item.value, other, occasion):
            one, two = (_shown_value(value, occasion) for value in (item.value, other))
            return f"`{item.variable} = {one}` or `{item.variable} = {two}`"
    raise AssertionError("the lines do the same")


def _differ(one: Expression, two: Expression, occasion: Occasion) -> bool:
    """Return whether two values differ; of what is assigned alike, an occasion may have no values."""
    return one != two and value_by(one, occasion.look) != value_by(two, occasion.look)


def _value(line: EvolutionLine, occasion: Occasion) -> str:
    return _shown_value(line.assignments[0].value, occasion)


def _shown_value(expression: Expression, occasion: Occasion) -> str:
    value = value_by(expression, occasion.look)
    assert isinstance(value, (bool, int, str))
    return show_value(value)


def _both(first: EvolutionLine, second: EvolutionLine, agent: str) -> str:
    """Return two lines that were written as one, or on one; where they are long, by what they assign."""
    lines = first, second
    shown = [_shown(line) for line in lines]
    if max(map(len, shown)) > _LONGEST_SHOWN:
        assigned = ["` and `".join(item.variable for item in line.assignments) for line in lines]
        if assigned[0] != assigned[1]:
            return f"the lines of `{agent}` for `{assigned[0]}` and for `{assigned[1]}`"
        shown = [f"{text[:_LONGEST_SHOWN]}…" for text in shown]
    return f"`{shown[0]}` and `{shown[1]}` of `{agent}`"


def _shown(line: EvolutionLine) -> str:
    """Return a line as ISPL writes it, but for the agents in front of all names."""
    changes = (f"{item.variable} = {typed.show(item.value)}" for item in line.assignments)
    return f"{' and '.join(changes)} if {typed.show(line.guard)}"
