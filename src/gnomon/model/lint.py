"""Legal but suspicious programs: lines that never apply, states without an action.

Lines that hold at once are looked for when a model is checked: see `overlaps`.

Each question is whether some values of a handful of variables meet a condition. The search goes by the
condition; where it takes long it is left open, and nothing is said. One copy of each line that is written is
looked at before the others are: a family is not looked at less because it is large.
"""

from typing import Final

from gnomon.model import expression as typed
from gnomon.model.agent import Agent
from gnomon.model.choices import choices_left
from gnomon.model.domain import Domain, show_value, size_of
from gnomon.model.expression import Compare, Does, Expression, Literal, Read, reads
from gnomon.model.occasions import Occasion, OccasionSearch
from gnomon.model.system import System
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import check_limits, room_to_recurse

#: So many parts of conditions are looked at: for one question, for one copy of each line, and for the others.
_AT_ONCE: Final = 4_000
_MOST_WORK: Final = 40_000
_MOST_FOR_COPIES: Final = 10_000
#: After so many questions the limits of time and memory are looked at.
_WATCHED: Final = 256


def lint(system: System, diagnostics: Diagnostics) -> None:
    """Report what is suspicious about a system."""
    asked: set[object] = set()
    with room_to_recurse():
        for work, again in ((_MOST_WORK, False), (_MOST_FOR_COPIES, True)):
            linter = _Linter(system, diagnostics, work, asked, again=again)
            for agent in system.agents:
                check_limits()
                linter.protocol(agent)
                linter.evolution(agent)


class _Linter:
    """Asks about lines: of those that are written once, about the first copy, or (`again`) the others."""

    def __init__(
        self,
        system: System,
        diagnostics: Diagnostics,
        work: int,
        first: set[object],
        *,
        again: bool,
    ) -> None:
        self.system = system
        self.diagnostics = diagnostics
        self.asked = 0
        self._first = first
        self._again = again
        self._work = work
        self._search: OccasionSearch | None = None

    def ask(self) -> None:
        """Count a question; now and then, look at the limits."""
        self.asked += 1
        if not self.asked % _WATCHED:
            check_limits()

    def _due(self, kind: str, agent: Agent, number: int, lines: tuple[int, ...]) -> bool:
        """Return whether it is time to ask something of lines: of their first copy before the others."""
        written = (kind, lines) if lines and all(lines) else (kind, agent.name, number)
        mine = (written, agent.name, number)
        if self._again:
            return mine not in self._first
        if written in self._first:
            return False
        self._first.update((written, mine))
        return True

    def _found(self, condition: Expression) -> tuple[Occasion | None, bool]:
        """Return values that meet a condition, if there are any, and whether that is certain."""
        if any(size_of(self._domain(item)) is None for item in reads(condition)):
            return None, False
        search = self._search = self._search or OccasionSearch(
            self.system, self._work, _AT_ONCE, by_protocol=False
        )
        if search.work >= self._work:
            return None, False
        found = search.first(condition, choices_left(condition) or {})
        return found, search.sure

    def _domain(self, item: Read) -> Domain:
        return self.system.variables[self.system.position[item.agent, item.variable]].domain

    def impossible(self, condition: Expression) -> bool:
        """Return whether it is certain that the condition never holds."""
        self.ask()
        if _plainly_possible(condition):
            return False
        found, sure = self._found(condition)
        return found is None and sure

    # Protocol

    def protocol(self, agent: Agent) -> None:
        for number, line in enumerate(agent.protocol):
            if self._due("protocol", agent, number, (line.line,)) and self.impossible(
                line.condition
            ):
                self.warn("G0405", line.line, f"this protocol line of `{agent.name}` never applies")
        if agent.is_environment and not agent.protocol and agent.other is None:
            return
        lines = tuple(line.line for line in agent.protocol)
        if agent.actions and agent.other is None and self._due("gap", agent, 0, lines):
            self._find_gap(agent)

    def _find_gap(self, agent: Agent) -> None:
        conditions = [line.condition for line in agent.protocol]
        found, _ = self._found(typed.And(tuple(typed.Not(each) for each in conditions)))
        if found is None:
            return
        read = sorted({item for part in conditions for item in reads(part)}, key=str)
        values = [f"{item.variable} = {show_value(found.values[item])}" for item in read]
        self.warn(
            "G0403",
            agent.protocol[-1].line if agent.protocol else 0,
            f"agent `{agent.name}` has no action where {' and '.join(values) or 'any state'}",
            help="add a line for it, or `Other : { … };`",
        )

    # Evolution

    def evolution(self, agent: Agent) -> None:
        for number, line in enumerate(agent.evolution):
            if self._due("evolution", agent, number, (line.line,)) and self.impossible(line.guard):
                self.warn(
                    "G0404", line.line, f"the guard of this line of `{agent.name}` can never hold"
                )

    # Reporting

    def warn(self, code: str, line: int, message: str, help: str = "") -> None:
        span = self.diagnostics.source.line_span(line)
        self.diagnostics.add(code, message, span, help=help)


def _plainly_possible(condition: Expression) -> bool:
    """Return whether the condition is a conjunction of choices for different variables and agents."""
    pinned: set[object] = set()
    operands = condition.operands if isinstance(condition, typed.And) else (condition,)
    for operand in operands:
        match operand:
            case Compare("=", Read() as read, Literal()):
                key: object = read
            case Does(agent):
                key = agent
            case Read() as read:
                key = read
            case _:
                return False
        if key in pinned:
            return False
        pinned.add(key)
    return True
