"""Legal but suspicious programs: lines that never apply, states without an action.

Lines that hold at once are looked for when a model is checked: see `overlaps`.

Each question is about a handful of variables and actions, so it is answered by trying all their values;
where there are too many it is left open, and nothing is said.
"""

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Final

from gnomon.model import expression as typed
from gnomon.model.agent import IDLE, Agent
from gnomon.model.domain import Datum, Domain, show_value, size_of, values_of
from gnomon.model.expression import Compare, Does, Expression, Literal, Read, actors, decided, reads
from gnomon.model.step import JointAction, State, holds
from gnomon.model.system import System
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import check_limits, room_to_recurse

_MOST_CASES: Final = 512
_MOST_WORK: Final = 4_000
#: After so many questions the limits of time and memory are looked at.
_WATCHED: Final = 256

Situation = tuple[State, JointAction]


def lint(system: System, diagnostics: Diagnostics) -> None:
    """Report what is suspicious about a system."""
    linter = _Linter(system, diagnostics)
    with room_to_recurse():
        for agent in system.agents:
            check_limits()
            linter.protocol(agent)
            linter.evolution(agent)
        if system.interleaved:
            linter.events()


class _Linter:
    def __init__(self, system: System, diagnostics: Diagnostics) -> None:
        self.system = system
        self.diagnostics = diagnostics
        self.work = 0
        self.asked = 0

    def ask(self) -> None:
        """Count a question; now and then, look at the limits."""
        self.asked += 1
        if not self.asked % _WATCHED:
            check_limits()

    # Trying all cases

    def cases(self, *expressions: Expression) -> list[Situation] | None:
        """Return every situation that the expressions can tell apart, or None if there are too many."""
        read = sorted({item for part in expressions for item in reads(part)}, key=str)
        acting = sorted({item for part in expressions for item in actors(part)})
        domains = [self.system.variables[self._place(item)].domain for item in read]
        actions = [self.system.agent(name).actions or (IDLE,) for name in acting]
        sizes = [size_of(domain) for domain in domains]
        bounded = [size for size in sizes if size is not None]
        if len(bounded) < len(sizes):
            return None
        total = prod(bounded) * prod(map(len, actions))
        if total > _MOST_CASES or self.work + total > _MOST_WORK:
            return None
        self.work += total
        return list(self._cases(read, acting, domains, actions))

    def _place(self, item: Read) -> int:
        return self.system.position[item.agent, item.variable]

    def _cases(
        self,
        read: list[Read],
        acting: list[str],
        domains: list[Domain],
        actions: list[tuple[str, ...]],
    ) -> Iterator[Situation]:
        places = [self._place(item) for item in read]
        indices = [self.system.agent_index[name] for name in acting]
        blank: list[Datum] = [False] * len(self.system.variables)
        idle = [IDLE] * len(self.system.agents)
        for values in product(*map(values_of, domains)):
            for chosen in product(*actions):
                state, joint = list(blank), list(idle)
                for place, value in zip(places, values, strict=True):
                    state[place] = value
                for index, action in zip(indices, chosen, strict=True):
                    joint[index] = action
                yield tuple(state), tuple(joint)

    def impossible(self, condition: Expression) -> bool:
        """Return whether it is certain that the condition never holds."""
        self.ask()
        if _plainly_possible(condition):
            return False
        cases = self.cases(condition)
        return cases is not None and not any(
            holds(condition, self.system, state, joint) for state, joint in cases
        )

    # Protocol

    def protocol(self, agent: Agent) -> None:
        for line in agent.protocol:
            if self.impossible(line.condition):
                self.warn("G0405", line.line, f"this protocol line of `{agent.name}` never applies")
        if agent.is_environment and not agent.protocol and agent.other is None:
            return
        # Where events are interleaved, an agent that can do nothing waits for others.
        if agent.actions and agent.other is None and not self.system.interleaved:
            self._find_gap(agent)

    def _find_gap(self, agent: Agent) -> None:
        conditions = [line.condition for line in agent.protocol]
        # Where a run may end, nobody has to do anything.
        fine = [self.system.terminal] if self.system.terminal is not None else []
        cases = self.cases(*conditions, *fine)
        for state, _ in cases or ():
            if not any(holds(condition, self.system, state) for condition in (*conditions, *fine)):
                read = sorted({item for part in conditions for item in reads(part)}, key=str)
                values = [
                    f"{item.variable} = {show_value(state[self._place(item)])}" for item in read
                ]
                where = " and ".join(values) or "any state"
                line = agent.protocol[-1].line if agent.protocol else 0
                self.warn(
                    "G0403",
                    line,
                    f"agent `{agent.name}` has no action where {where}",
                    help="add a line for it, or `Other : { … };`",
                )
                return

    # Evolution

    def evolution(self, agent: Agent) -> None:
        if self.system.interleaved and not agent.actions:
            for line in agent.evolution[:1]:
                self.warn(
                    "G0404",
                    line.line,
                    f"`{agent.name}` has no action, so it takes part in no event and never changes",
                )
            return
        for line in agent.evolution:
            if all(map(self.impossible, self._occasions(agent, line.guard))):
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
        from gnomon.model.occasions import may  # only interleaved systems have use for it here

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
