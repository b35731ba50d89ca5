"""Agents of a system: protocol and evolution to typed lines."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.agent import Agent, Assignment, EvolutionLine, ProtocolLine, Semantics, Variable
from gnomon.model.domain import Domain, Enumeration, IntegerRange, comparable, is_within
from gnomon.model.elaborate.comparisons import about_empty_sum
from gnomon.model.elaborate.domains import describe
from gnomon.model.elaborate.expressions import ExpressionReader
from gnomon.model.elaborate.lines import (
    check_actions,
    check_constant,
    check_targets,
)
from gnomon.model.elaborate.names import AgentNames, Names
from gnomon.model.elaborate.problems import unknown_variable
from gnomon.model.elaborate.scope import Scope
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.record import replace
from gnomon.text.source import Span

if TYPE_CHECKING:
    from gnomon.model.elaborate.array_lines import PlainLine
    from gnomon.model.elaborate.memory import MeaningMemory


Written = TypeVar("Written")
Meaning = TypeVar("Meaning")

#: What stands for the condition of a line that has none.
_OTHER: Final = "Other"
#: The actions of a line of a protocol, and when they are possible: None where nobody knows.
_ReadChoice: TypeAlias = tuple[tuple[str, ...], typed.Expression | Literal["Other"] | None]


class AgentReader:
    """Turns the sections of one agent into typed lines."""

    def __init__(
        self,
        names: Names,
        semantics: Semantics,
        diagnostics: Diagnostics,
        memory: "MeaningMemory | None" = None,
    ) -> None:
        """Read with the program's names; what is remembered need not be read again."""
        self.names = names
        self.memory = memory
        self.semantics = semantics
        self.diagnostics = diagnostics

    def agent(self, agent: syntax.Agent) -> Agent:
        """Return the agent."""
        if self.memory is None:
            return self._read(agent)
        own = self.names.agents[agent.name.text]
        line = self.diagnostics.source.line_of(agent.span)
        found, before = self.memory.recall(
            agent, "agent", lambda each: (self._read(each), line), own
        )
        if line != before:
            found = _in_other_lines(found, line - before)
            self.memory.correct(agent, "agent", (found, line))
        return found

    def _read(self, agent: syntax.Agent) -> Agent:
        own = self.names.agents[agent.name.text]
        reader = ExpressionReader(Scope(self.names, own, self.diagnostics))
        protocol, other = self._protocol(agent, own, reader)
        found = Agent(
            name=own.name,
            variables=tuple(own.variables.values()),
            actions=tuple(own.actions),
            protocol=protocol,
            other=other,
            evolution=self._evolution(agent, own),
            sees=tuple(own.observed),
            red=self._red(agent, reader),
        )
        if own.unseen:
            from gnomon.model.elaborate.unseen import report_unseen  # only for what is wrong

            report_unseen(own, self.names, self.diagnostics)
        return found

    def _red(self, agent: syntax.Agent, reader: ExpressionReader) -> typed.Expression | None:
        if agent.red is None:
            return None
        try:
            return reader.condition(agent.red)
        except Reported:
            return None

    # Protocol

    def _protocol(
        self, agent: syntax.Agent, own: AgentNames, reader: ExpressionReader
    ) -> tuple[tuple[ProtocolLine, ...], tuple[str, ...] | None]:
        if agent.protocol is None and own.actions and agent.kind != "environment":
            self.diagnostics.add(
                "G0211",
                f"agent `{own.name}` has actions but no `Protocol` that says when they are possible",
                own.span,
                help="`Protocol: Other : { … }; end Protocol` makes actions possible everywhere",
            )

        def read(line: syntax.ProtocolLine) -> _ReadChoice:
            return self._choice(line, own, reader)

        lines: list[ProtocolLine] = []
        listed: set[str] = set()
        other: tuple[str, ...] | None = None
        for line in agent.protocol or ():
            assert isinstance(line, syntax.ProtocolLine)
            actions, condition = self._recall(line, "protocol", read, own)
            listed.update(actions)
            if condition == _OTHER:
                if other is not None:
                    self.diagnostics.add("G0402", "a second `Other` line", line.span)
                other = tuple(dict.fromkeys((*(other or ()), *actions)))
            elif condition is not None:
                place = self.diagnostics.source.line_of(line.span)
                lines.append(ProtocolLine(condition, actions, place))
        self._report_unused(agent, own, listed)
        return tuple(lines), other

    def _choice(
        self, line: syntax.ProtocolLine, own: AgentNames, reader: ExpressionReader
    ) -> "_ReadChoice":
        """Return the actions that a line lists, and when they are possible; None where that was reported."""
        check_actions(line, own, self.diagnostics)
        actions = tuple(dict.fromkeys(action.text for action in line.actions))
        if line.condition is None:
            return actions, _OTHER
        try:
            return actions, reader.condition(line.condition)
        except Reported:
            return actions, None

    def _recall(
        self,
        written: Written,
        question: str,
        read: Callable[[Written], Meaning],
        own: AgentNames,
    ) -> Meaning:
        """Return what something means, read or remembered."""
        if self.memory is None:
            return read(written)
        return self.memory.recall(written, question, read, own)

    def _report_unused(self, agent: syntax.Agent, own: AgentNames, listed: set[str]) -> None:
        """Report actions that no line of the protocol lists."""
        if not agent.protocol or not listed <= set(own.actions):
            # One of the unused is probably what an unknown one was meant to be.
            return
        for action, place in own.actions.items():
            if action not in listed:
                self.diagnostics.add(
                    "G0406", f"action `{action}` of `{own.name}` is never enabled", place
                )

    # Evolution

    def _evolution(self, agent: syntax.Agent, own: AgentNames) -> tuple[EvolutionLine, ...]:
        guards = ExpressionReader(Scope(self.names, own, self.diagnostics, actions=True))

        def read(line: syntax.EvolutionLine) -> tuple[tuple[EvolutionLine, ...], int]:
            place = self.diagnostics.source.line_of(line.span)
            return self._changes(line, own, guards, place), place

        lines: list[EvolutionLine] = []
        for line in agent.evolution or ():
            assert isinstance(line, syntax.EvolutionLine)
            found, before = self._recall(line, "evolution", read, own)
            if self.memory is not None:
                by = self.diagnostics.source.line_of(line.span) - before
                found = tuple(_further_on(each, by) for each in found) if by else found
            lines += found
        return tuple(lines)

    def _changes(
        self, line: syntax.EvolutionLine, own: AgentNames, guards: ExpressionReader, place: int
    ) -> tuple[EvolutionLine, ...]:
        """Return the lines that a line stands for."""
        self._check_single(line)
        guards.scope.looked_at_actions = False
        changes: list[tuple[tuple[Assignment, ...], tuple[typed.Expression, ...]]] = []
        for plain, when in self._plain_lines(line, own, guards):
            assignments = self._assignments(plain, own, guards)
            changes.append((assignments, when))
            if len(assignments) < len(line.assignments):
                break  # what is wrong with one is mostly wrong with all
        by_action = guards.scope.looked_at_actions
        try:
            guard = guards.condition(line.guard)
        except Reported:
            return ()
        lines: list[EvolutionLine] = []
        for assignments, when in changes:
            whole = typed.And((*when, guard)) if when else guard
            written = EvolutionLine(assignments, whole, place, bool(when))
            lines.extend(self._by_action(written, own, line.span) if by_action else (written,))
        return tuple(lines)

    def _by_action(
        self, line: EvolutionLine, own: AgentNames, span: Span
    ) -> tuple[EvolutionLine, ...]:
        """Return a line whose values look at actions as lines whose values do not."""
        from gnomon.model.by_action import by_action  # rarely used

        known, alone = self.names.agents, own.name if self.semantics == "Interleaved" else None
        actions = {name: agent.actions for name, agent in known.items()}
        try:
            return by_action(line, actions.__getitem__, self.diagnostics, span, alone=alone)
        except Reported:
            return ()

    def _plain_lines(
        self, line: syntax.EvolutionLine, own: AgentNames, reader: ExpressionReader
    ) -> "list[PlainLine]":
        """Return the lines that a line stands for: several where it assigns to computed indices."""
        if not any(item.target.indices for item in line.assignments):
            return [(line, ())]
        from gnomon.model.elaborate.array_lines import plain_lines  # few programs compute indices

        try:
            return list(plain_lines(line, own, reader))
        except Reported:
            return []

    def _assignments(
        self, line: syntax.EvolutionLine, own: AgentNames, reader: ExpressionReader
    ) -> tuple[Assignment, ...]:
        check_targets(line, self.diagnostics)
        assignments: list[Assignment] = []
        for item in line.assignments:
            try:
                assignments.append(self._assignment(item, own, reader))
            except Reported:
                continue
        return tuple(assignments)

    def _check_single(self, line: syntax.EvolutionLine) -> None:
        if self.semantics == "SingleAssignment" and len(line.assignments) > 1:
            self.diagnostics.add(
                "G0312",
                "a line assigns one variable under `Semantics = SingleAssignment`",
                line.assignments[1].span,
                label="a second assignment",
                help="write a line for each variable, or use `Semantics = MultiAssignment`",
            )

    def _assignment(
        self, item: syntax.Assignment, own: AgentNames, reader: ExpressionReader
    ) -> Assignment:
        name = item.target.text
        variable = own.variables.get(name)
        if variable is None:
            hint = ""
            if name in own.observed:
                hint = (
                    "only the environment changes its variables: let it look at this agent's action"
                )
            whose, span = f"agent `{own.name}`", item.target.span
            raise unknown_variable(self.diagnostics, whose, name, span, own.variables, hint)
        value, domain = reader.read(item.value, variable.domain)
        source = reader.scope.variable(item.value)
        self._check_fits(item, variable, value, domain, source)
        return Assignment(name, value)

    def _check_fits(
        self,
        item: syntax.Assignment,
        variable: Variable,
        value: typed.Expression,
        domain: Domain,
        source: Variable | None,
    ) -> None:
        """Refuse a value that can be none of the variable's; `source` is the variable that it is, if any."""
        target = variable.domain
        if comparable(target, domain):
            wider = isinstance(target, Enumeration) and not is_within(domain, target)
            if not wider:
                notes = about_empty_sum(item.value)
                check_constant(item, variable, value, self.diagnostics, notes)
                if source is None or not _are_disjoint(target, source.domain):
                    return
        missing = _missing_actions(item.value, domain, target)
        if missing:
            names = (*(target.names if isinstance(target, Enumeration) else ()), *missing)
            raise self.diagnostics.fail(
                "G0307",
                f"`{variable.name}` cannot hold every action: {', '.join(missing)} "
                f"{'is' if len(missing) == 1 else 'are'} not among its values",
                item.span,
                label="does not fit",
                help=f"declare it as `{variable.name} : {Enumeration(names)};`",
            )
        raise self.diagnostics.fail(
            "G0307",
            f"`{variable.name}` is {describe(target)} ({target}) and cannot take "
            f"{describe(domain)} ({domain})"
            if not isinstance(target, Enumeration)
            else f"`{variable.name}` is {describe(target)} and cannot take {describe(domain)}",
            item.span,
            label="does not fit",
        )


def _in_other_lines(agent: Agent, by: int) -> Agent:
    """Return an agent that was written so many lines further on."""
    protocol = (
        ProtocolLine(each.condition, each.actions, each.line + by) for each in agent.protocol
    )
    evolution = tuple(_further_on(each, by) for each in agent.evolution)
    return replace(agent, protocol=tuple(protocol), evolution=evolution)


def _further_on(line: EvolutionLine, by: int) -> EvolutionLine:
    return EvolutionLine(line.assignments, line.guard, line.line + by, line.split)


def _missing_actions(value: syntax.Expression, actions: Domain, target: Domain) -> tuple[str, ...]:
    """Return the actions that a variable has no value for, where actions are assigned to it."""
    if not isinstance(value, syntax.ActionOf) or not isinstance(actions, Enumeration):
        return ()
    known = target.names if isinstance(target, Enumeration) else ()
    return tuple(name for name in actions.names if name not in known)


def _are_disjoint(target: Domain, source: Domain) -> bool:
    match target, source:
        case IntegerRange(low, high), IntegerRange(other_low, other_high):
            return other_high < low or high < other_low
        case _:
            return False
