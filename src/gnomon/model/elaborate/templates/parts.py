"""The environment and the templates: declarations to names, protocol and evolution to data."""

from typing import Final, TypeAlias

from gnomon.language import syntax
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.elaborate.declarations import (
    check_seen_values,
    check_values,
    declare_variables,
    refuse_observed,
    unknown_observed,
    values_of_environment,
)
from gnomon.model.elaborate.lines import (
    check_actions,
    listed_actions,
)
from gnomon.model.elaborate.names import AgentNames
from gnomon.model.elaborate.templates.changes import ChangeReader
from gnomon.model.elaborate.templates.indices import IndexScope, PopulationNames
from gnomon.model.elaborate.templates.quantifiers import ConditionReader
from gnomon.model.elaborate.templates.synchronisation import check_broadcast, declare_actions
from gnomon.model.elaborate.templates.thresholds import ThresholdReader
from gnomon.model.parameterised.condition import (
    SELF,
    Condition,
    Exists,
    Forall,
    Not,
    Or,
    parts,
    positive,
    walk,
)
from gnomon.model.parameterised.linear import LinearTerm
from gnomon.model.parameterised.system import Part
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.source import Span

_MOST_AGENTS = 1_000_000
#: The least and the greatest number of agents, and both as terms where they depend on parameters.
_PartSize: TypeAlias = tuple[int, int | None, tuple[LinearTerm, LinearTerm | None] | None]
_ANY_NUMBER: Final[_PartSize] = (0, None, None)


def declare_part(
    agent: syntax.Agent, names: PopulationNames, diagnostics: Diagnostics
) -> AgentNames:
    """Collect the names of the environment or of a template."""
    own = AgentNames(agent.name.text, agent.name.span)
    is_environment = agent.kind == "environment"
    reader = ENVIRONMENT if is_environment else SELF
    declare_variables(agent, own, reader, names, diagnostics)
    if not is_environment:
        refuse_observed(agent, "a template", diagnostics)
    declare_actions(agent, own, diagnostics)
    check_values(own, diagnostics)
    return own


class PartReader:
    """Turns the sections of the environment or of a template into data."""

    def __init__(
        self, names: PopulationNames, broadcast: frozenset[str], diagnostics: Diagnostics
    ) -> None:
        """Read with the program's names, and the actions that all agents do who can."""
        self.names = names
        self.broadcast = broadcast
        self.diagnostics = diagnostics

    def part(self, agent: syntax.Agent, initial: Condition) -> Part:
        """Return the part."""
        own = self.names.agents[agent.name.text]
        guards, lines = self._protocol(agent, own)
        low, high, size = self._bounds(agent)
        shared = {item.name.text for item in agent.synchronised or ()}
        return Part(
            name=own.name,
            variables=tuple(own.variables.values()),
            local=tuple(name for name in own.actions if name not in shared),
            synchronised=tuple(name for name in own.actions if name in shared),
            guards=guards,
            changes=ChangeReader(self.names, own, self.diagnostics).changes(agent.evolution or ()),
            initial=initial,
            low=low,
            high=high,
            size=size,
            sees=self._sees(agent),
            lines=lines,
        )

    def _bounds(self, agent: syntax.Agent) -> _PartSize:
        if agent.bounds is None:
            return _ANY_NUMBER
        low, high = agent.bounds
        if self.names.parameters:
            return self._sized(low, high)
        numbers: list[int | None] = []
        for bound in (low, high):
            if bound is not None and not isinstance(bound, syntax.Number):
                self.diagnostics.add(
                    "G0309",
                    "the bounds of a template are numbers",
                    bound.span,
                    help="name them in `Constants` to use them here",
                )
                return _ANY_NUMBER
            numbers.append(None if bound is None else bound.value)
        least, most = numbers
        assert least is not None
        if least < 0 or (most is not None and (most < least or most > _MOST_AGENTS)):
            self.diagnostics.add(
                "G0717",
                f"`{agent.name.text}` cannot have from {least} to {most} agents",
                Span(low.span.start, (high or low).span.end),
                help="write the smaller number first, and `*` where there is no bound",
            )
            return _ANY_NUMBER
        return least, most, None

    def _sized(self, low: syntax.Expression, high: syntax.Expression | None) -> _PartSize:
        """Return bounds that are terms of the parameters."""
        reader = ThresholdReader(IndexScope(self.names, None, self.diagnostics))
        try:
            least = reader.linear(low)
            most = None if high is None else reader.linear(high)
        except Reported:
            return _ANY_NUMBER
        return 0, None, (least, most)

    def _sees(self, agent: syntax.Agent) -> tuple[str, ...]:
        variables = self.names.environment.variables
        seen = [name for name, variable in variables.items() if variable.observed]
        for item in agent.local_observed or ():
            if item.text in variables:
                seen.append(item.text)
                continue
            unknown_observed(item, self.names, self.diagnostics)
        if agent.kind != "template":
            return ()
        own = self.names.agents[agent.name.text]
        own.observed = {name: variables[name] for name in seen}
        values = values_of_environment(self.names)
        check_seen_values(own, self.names, values, self.diagnostics)
        return tuple(own.observed)

    # Protocol

    def _protocol(
        self, agent: syntax.Agent, own: AgentNames
    ) -> tuple[dict[str, Condition], dict[str, tuple[int, ...]]]:
        if agent.protocol is None and own.actions:
            whose = "the environment" if agent.kind == "environment" else f"`{own.name}`"
            self.diagnostics.add(
                "G0211",
                f"{whose} has actions but no `Protocol` that says when they are possible",
                agent.name.span,
                help="add `Protocol: true : { … }; end Protocol`",
            )
        allowed: dict[str, list[Condition]] = {}
        lines: dict[str, tuple[int, ...]] = {}
        others: list[Condition] = []
        # `Other` is where none of the other lines applies, wherever they stand.
        for line in sorted(agent.protocol or (), key=_is_other):
            assert isinstance(line, syntax.ProtocolLine)
            try:
                condition = self._condition(line, own, others)
            except Reported:
                continue
            finally:
                check_actions(line, own, self.diagnostics)
            for enabled in line.actions:
                name, here = enabled.text, self.diagnostics.source.line_of(line.span)
                allowed.setdefault(name, []).append(condition)
                lines[name] = (*lines.get(name, ()), here)
                if name in self.broadcast and agent.kind == "template":
                    check_broadcast(enabled, condition, line, self.diagnostics)
        listed = listed_actions(agent)
        for action, span in own.actions.items():
            if action not in listed and agent.protocol is not None:
                self.diagnostics.add("G0406", f"action `{action}` is never enabled", span)
        guards = {
            action: found[0] if len(found) == 1 else Or(tuple(found))
            for action, found in allowed.items()
        }
        return guards, lines

    def _condition(
        self, line: syntax.ProtocolLine, own: AgentNames, others: list[Condition]
    ) -> Condition:
        if line.condition is None:
            condition = positive(Not(Or(tuple(others))))
        else:
            scope = IndexScope(self.names, own, self.diagnostics)
            written = ConditionReader(scope).read(line.condition)
            others.append(written)
            check_polarity(written, self.diagnostics)
            condition = positive(written)
        if line.condition is None and any(isinstance(part, Forall) for part in walk(condition)):
            self.diagnostics.add(
                "G0708",
                "`Other` is where no other line applies, and those lines look for other agents",
                line.span,
                help="say when these actions are allowed",
            )
            raise Reported
        return condition


def _is_other(line: object) -> bool:
    return isinstance(line, syntax.ProtocolLine) and line.condition is None


def check_polarity(
    condition: Condition, diagnostics: Diagnostics, *, negated: bool = False
) -> None:
    """Report quantifiers over agents in the scope of a negation."""
    match condition:
        case Not(operand):
            check_polarity(operand, diagnostics, negated=not negated)
        case Exists(_, template, _, span) | Forall(_, template, _, span) if negated:
            some = isinstance(condition, Exists)
            diagnostics.add(
                "G0708",
                f"`{'exists' if some else 'forall'}` under a negation speaks of "
                f"{'every agent' if some else 'some agent'} of `{template}`",
                span,
                label="under a negation",
                help=f"say it with `{'forall' if some else 'exists'}` and the opposite condition"
                + (": that is decided by an over-approximation" if some else ""),
            )
        case Exists(_, _, body) | Forall(_, _, body):
            check_polarity(body, diagnostics, negated=negated)
        case _:
            for part in parts(condition):
                check_polarity(part, diagnostics, negated=negated)
