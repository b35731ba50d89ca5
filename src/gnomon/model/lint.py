"""Legal but suspicious programs: lines that never apply, states without an action.

Lines that hold at once are looked for when a model is checked: see `overlaps`.

Each question is whether some values of a handful of variables meet a condition. The search goes by the
condition; where it takes long it is left open, and nothing is said. One copy of each line that is written is
looked at before the others are: a family is not looked at less because it is large.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gnomon.model import expression as typed
from gnomon.model.agent import Agent
from gnomon.model.domain import Domain, show_value, size_of
from gnomon.model.expression import Compare, Does, Expression, Literal, Read, actors, decided, reads
from gnomon.model.system import System
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import check_limits, room_to_recurse

if TYPE_CHECKING:
    from gnomon.model.answers import Answers
    from gnomon.model.occasions import Occasion, OccasionSearch

#: So many parts of conditions are looked at: for one question, for one copy of each line, and for the others.
_AT_ONCE: Final = 4_000
_MOST_WORK: Final = 40_000
_MOST_FOR_COPIES: Final = 4_000
#: After so many questions the limits of time and memory are looked at.
_WATCHED: Final = 256


def lint(system: System, diagnostics: Diagnostics, answers: "Answers | None" = None) -> None:
    """Report what is suspicious about a system; `answers` are from before, and for later."""
    asked: set[object] = set()
    if answers is not None:
        answers.look_at(system)
    with room_to_recurse():
        for work, again in ((_MOST_WORK, False), (_MOST_FOR_COPIES, True)):
            linter = _Linter(system, diagnostics, work, asked, again=again)
            linter.answers = answers
            for agent in system.agents:
                if agent.observer:
                    continue
                check_limits()
                linter.protocol(agent)
                linter.evolution(agent)
            if system.interleaved and not again:
                linter.events()


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
        self.answers: Answers | None = None

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

    def _found(self, condition: Expression) -> "tuple[Occasion | None, bool]":
        """Return values that meet a condition, if there are any, and whether that is certain."""
        known = None if self.answers is None else self.answers.known(condition)
        if known is None and any(size_of(self._domain(item)) is None for item in reads(condition)):
            return None, False
        # Of most programs it is plain that their conditions can hold.
        from gnomon.model.choices import choices_left
        from gnomon.model.occasions import OccasionSearch

        search = self._search = self._search or OccasionSearch(
            self.system, self._work, _AT_ONCE, by_protocol=False
        )
        if search.work >= self._work:
            return None, False
        if known is not None:
            found = known.found if search.count_again(known.parts) else None
            return found, search.sure
        search.forget()  # what a question takes is its own
        found = search.first(condition, choices_left(condition) or {})
        if self.answers is not None:
            self.answers.learn(condition, found, search)
        return found, search.sure

    def _domain(self, item: Read) -> Domain:
        return self.system.variables[self.system.position[item.agent, item.variable]].domain

    def impossible(self, condition: Expression) -> bool:
        """Return whether it is certain that the condition never holds."""
        self.ask()
        if self._plain(condition):
            return False
        found, sure = self._found(condition)
        return found is None and sure

    def _plain(self, condition: Expression) -> bool:
        if self.answers is None:
            return _plainly_possible(condition)
        plain = self.answers.was_plain(condition)
        if plain is None:
            plain = self.answers.plain[condition] = _plainly_possible(condition)
        return plain

    # Protocol

    def protocol(self, agent: Agent) -> None:
        for number, line in enumerate(agent.protocol):
            if self._due("protocol", agent, number, (line.line,)) and self.impossible(
                line.condition
            ):
                self.warn("G0405", line.line, f"this protocol line of `{agent.name}` never applies")
        if agent.is_environment and not agent.protocol and agent.other is None:
            return
        # Where events are interleaved, an agent that can do nothing waits for others.
        must_act = agent.actions and agent.other is None and not self.system.interleaved
        lines = tuple(line.line for line in agent.protocol)
        if must_act and self._due("gap", agent, 0, lines):
            self._find_gap(agent)

    def _find_gap(self, agent: Agent) -> None:
        conditions = [line.condition for line in agent.protocol]
        # Where a run may end, nobody has to do anything.
        fine = [self.system.terminal] if self.system.terminal is not None else []
        found, _ = self._found(typed.And(tuple(typed.Not(each) for each in (*conditions, *fine))))
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
        if self.system.interleaved and not agent.actions:
            for line in agent.evolution[:1]:
                if self._due("evolution", agent, 0, (line.line,)):
                    self.warn(
                        "G0404",
                        line.line,
                        f"`{agent.name}` has no action, so it takes part in no event and never changes",
                    )
            return
        for number, line in enumerate(agent.evolution):
            if not self._due("evolution", agent, number, (line.line,)):
                continue
            meant = [line]
            if line.split:
                # Of several lines that one stands for, some may be for values that cannot be there.
                split = (each for each in agent.evolution if each.split)
                meant = [each for each in split if each.line == line.line]
            if all(
                self.impossible(guard)
                for each in meant
                for guard in self._occasions(agent, each.guard)
            ):
                self.warn(
                    "G0404", line.line, f"the guard of this line of `{agent.name}` can never hold"
                )

    def _occasions(self, agent: Agent, guard: Expression) -> Iterator[Expression]:
        """Yield a guard as it is looked at: in each event of the agent, where these are interleaved."""
        if not self.system.interleaved or not actors(guard):
            yield guard
            return
        for event, actions in self.system.events.items():
            if event in agent.actions:
                doing = dict(zip(self.system.agent_index, actions, strict=True))
                yield decided(guard, doing)

    # Events

    def events(self) -> None:
        """Report actions that several agents share and can never do together."""
        from gnomon.model.occasions import may  # only where events are interleaved

        for event in self.system.events:
            sharing = [agent for agent in self.system.agents if event in agent.actions]
            if len(sharing) < 2 or any(self.impossible(may(agent, event)) for agent in sharing):
                continue  # one of them alone never does it, and that is said elsewhere
            if self.impossible(typed.And(tuple(may(agent, event) for agent in sharing))):
                names = " and ".join(f"`{agent.name}`" for agent in sharing)
                self.warn(
                    "G0420",
                    max((line.line for line in sharing[-1].protocol), default=0),
                    f"{names} share the action `{event}` and can never do it together",
                    help="an action happens where all agents that have it can do it: give it another name "
                    "in the agents that are to do it alone",
                )

    # Reporting

    def warn(self, code: str, line: int, message: str, help: str = "") -> None:
        span = self.diagnostics.source.line_span(line)
        self.diagnostics.add(code, message, span, help=help)


def _plainly_possible(condition: Expression) -> bool:
    """Return whether a condition says little enough for it to be plain that it can hold.

    So it is where each variable, and each agent, is chosen for once: in conjunctions, and in the first
    alternatives that go with what was chosen before them.
    """
    return _chosen_once(condition, {})


def _chosen_once(condition: Expression, chosen: dict[object, None]) -> bool:
    """Return whether nothing is chosen for twice, and add what a condition chooses for."""
    match condition:
        case Compare("=", Read() as key, Literal()) | Does(key) | (Read() as key):
            if key in chosen:
                return False
            chosen[key] = None
            return True
        case typed.And(operands):
            return all(_chosen_once(operand, chosen) for operand in operands)
        case typed.Or(operands):
            before = len(chosen)
            for operand in operands:
                if _chosen_once(operand, chosen):
                    return True
                while len(chosen) > before:
                    chosen.popitem()
            return False
        case _:
            return False
