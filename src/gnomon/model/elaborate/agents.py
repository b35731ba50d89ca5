"""Agents: declarations to names and domains, then protocol and evolution to typed lines."""

from collections.abc import Iterable

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.agent import (
    ENVIRONMENT,
    Agent,
    Assignment,
    EvolutionLine,
    ProtocolLine,
    Semantics,
    Variable,
)
from gnomon.model.domain import (
    Boolean,
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
    contains,
    show_value,
)
from gnomon.model.elaborate.expressions import Elaborator, TypeProblem, describe, unknown_action
from gnomon.model.elaborate.scope import AgentNames, Names
from gnomon.text.diagnostic import Diagnostics, Label, closest


def declare(
    agents: Iterable[syntax.Agent], diagnostics: Diagnostics
) -> tuple[Names, list[syntax.Agent]]:
    """Collect the names of all agents; the environment is first, empty where none was written."""
    names = Names()
    kept: list[syntax.Agent] = []
    ordered = sorted(agents, key=lambda agent: agent.kind != "environment")
    if not ordered or ordered[0].kind != "environment":
        ordered.insert(0, syntax.Agent(syntax.Name(ENVIRONMENT), "environment"))
    else:
        names.has_environment = True
    for agent in ordered:
        if agent.name.text in names.agents:
            first = names.agents[agent.name.text]
            diagnostics.add(
                "G0402",
                f"a second agent `{agent.name.text}`; it is left out",
                agent.name.span,
                label="declared again",
                related=(Label(first.span, "the first one is here"),),
            )
            continue
        kept.append(agent)
        names.agents[agent.name.text] = _declare_agent(agent, diagnostics)
    for agent in kept:
        _declare_observed(agent, names, diagnostics)
    return names, kept


def _declare_agent(agent: syntax.Agent, diagnostics: Diagnostics) -> AgentNames:
    names = AgentNames(agent.name.text, agent.name.span)
    for action in agent.actions or ():
        if action.text in names.actions:
            diagnostics.add("G0402", f"action `{action.text}` is declared twice", action.span)
        names.actions.setdefault(action.text, action.span)
    for line in agent.observed or ():
        assert isinstance(line, syntax.VariableDeclaration)
        _declare_variable(line, names, diagnostics, observed=True)
    for line in agent.variables or ():
        assert isinstance(line, syntax.VariableDeclaration)
        _declare_variable(line, names, diagnostics, observed=False)
    if agent.observed and agent.kind != "environment":
        diagnostics.add(
            "G0212",
            f"only the environment has `Obsvars`, and `{agent.name.text}` is another agent",
            agent.observed[0].span,
            help="use `Vars`, or move the variables to the environment",
        )
    _check_values(names, diagnostics)
    return names


def _declare_variable(
    line: syntax.VariableDeclaration, names: AgentNames, diagnostics: Diagnostics, *, observed: bool
) -> None:
    name = line.name.text
    domain = read_domain(line.type, name, diagnostics)
    if name in names.variables:
        diagnostics.add(
            "G0402",
            f"variable `{name}` is declared twice; the second declaration is left out",
            line.span,
            related=(Label(names.places[name], "the first one is here"),),
        )
        return
    names.variables[name] = Variable(names.name, name, domain, observed)
    names.places[name] = line.span


def read_domain(type_: syntax.Type, name: str, diagnostics: Diagnostics) -> Domain:
    """Return the domain of a declared type."""
    match type_:
        case syntax.BooleanType():
            return Boolean()
        case syntax.IntegerType():
            return Integers()
        case syntax.EnumerationType(values, more, span):
            if more:
                diagnostics.add(
                    "G0310",
                    f"`{name}` has values that are not named: such types belong to templates",
                    span,
                    help="declare the type in `Types`, and the agents with `Template`",
                )
            texts = [value.text for value in values]
            if len(set(texts)) < len(texts):
                diagnostics.add("G0402", f"`{name}` lists the same value twice", span)
            return Enumeration(tuple(dict.fromkeys(texts)))
        case syntax.RangeType(syntax.Number(low), syntax.Number(high), span):
            if low > high:
                diagnostics.add(
                    "G0308",
                    f"the range {IntegerRange(low, high)} of `{name}` is empty",
                    span,
                    help=f"write `{IntegerRange(high, low)}`",
                )
                return IntegerRange(high, low)
            return IntegerRange(low, high)
        case syntax.RangeType(_, _, span):
            diagnostics.add(
                "G0309",
                f"the bounds of `{name}` must be numbers",
                span,
                help="name them in `Constants` to use them here",
            )
            return Integers()
        case syntax.NamedType(type_name, span):
            hint = "an unbounded integer has the type `int`"
            guess = closest(type_name.text, ["boolean", "int"])
            diagnostics.add(
                "G0310",
                f"`{type_name.text}` is not a type",
                span,
                help=f"did you mean `{guess}`?" if guess else hint,
            )
            return Integers()


def _check_values(names: AgentNames, diagnostics: Diagnostics) -> None:
    """A variable and a value of the same name could not be told apart."""
    for variable in names.variables.values():
        if not isinstance(variable.domain, Enumeration):
            continue
        for value in variable.domain.names:
            if value in names.variables:
                diagnostics.add(
                    "G0209",
                    f"`{value}` is a variable of `{names.name}` and also a value of "
                    f"`{variable.name}`",
                    names.places[value],
                    related=(Label(names.places[variable.name], "the value is declared here"),),
                    help="rename one of them",
                )


def _declare_observed(agent: syntax.Agent, names: Names, diagnostics: Diagnostics) -> None:
    own = names.agents[agent.name.text]
    if agent.kind == "environment":
        return
    for name, variable in names.environment.variables.items():
        if variable.observed:
            own.observed[name] = variable
    for item in agent.local_observed or ():
        found = names.environment.variables.get(item.text)
        if found is None:
            guess = closest(item.text, list(names.environment.variables))
            diagnostics.add(
                "G0210",
                f"the environment has no variable `{item.text}` to observe",
                item.span,
                help=f"did you mean `{guess}`?" if guess else "",
            )
        elif found.observed:
            diagnostics.add(
                "G0409", f"`{item.text}` is in `Obsvars`: every agent sees it already", item.span
            )
        else:
            own.observed[item.text] = found


# Protocol and evolution


class AgentElaborator:
    """Turns the sections of one agent into typed lines."""

    def __init__(self, names: Names, semantics: Semantics, diagnostics: Diagnostics) -> None:
        """Read with the program's names."""
        self.names = names
        self.semantics = semantics
        self.diagnostics = diagnostics

    def agent(self, agent: syntax.Agent) -> Agent:
        """Return the agent."""
        own = self.names.agents[agent.name.text]
        protocol, other = self._protocol(agent, own)
        return Agent(
            name=own.name,
            variables=tuple(own.variables.values()),
            actions=tuple(own.actions),
            protocol=protocol,
            other=other,
            evolution=self._evolution(agent, own),
            sees=tuple(own.observed),
            red=self._red(agent, own),
        )

    def _line(self, offset: int) -> int:
        return self.diagnostics.source.location(offset).line

    def _red(self, agent: syntax.Agent, own: AgentNames) -> typed.Expression | None:
        if agent.red is None:
            return None
        try:
            return Elaborator(self.names, own, self.diagnostics).condition(agent.red)
        except TypeProblem:
            return None

    def _protocol(
        self, agent: syntax.Agent, own: AgentNames
    ) -> tuple[tuple[ProtocolLine, ...], tuple[str, ...] | None]:
        if agent.protocol is None and own.actions and agent.kind != "environment":
            self.diagnostics.add(
                "G0211",
                f"agent `{own.name}` has actions but no `Protocol` that says when they are possible",
                own.span,
                help="`Protocol: Other : { … }; end Protocol` makes actions possible everywhere",
            )
        reader = Elaborator(self.names, own, self.diagnostics)
        lines: list[ProtocolLine] = []
        other: tuple[str, ...] | None = None
        for line in agent.protocol or ():
            assert isinstance(line, syntax.ProtocolLine)
            actions = self._actions(line, own)
            if line.condition is None:
                if other is not None:
                    self.diagnostics.add("G0402", "a second `Other` line", line.span)
                other = tuple(dict.fromkeys((*(other or ()), *actions)))
                continue
            try:
                condition = reader.condition(line.condition)
            except TypeProblem:
                continue
            lines.append(ProtocolLine(condition, actions, self._line(line.span.start)))
        self._report_unused(agent, own)
        return tuple(lines), other

    def _report_unused(self, agent: syntax.Agent, own: AgentNames) -> None:
        """Report actions that no line of the protocol lists."""
        lines = [line for line in agent.protocol or () if isinstance(line, syntax.ProtocolLine)]
        listed = {action.text for line in lines for action in line.actions}
        if not listed <= set(own.actions):
            # One of the unused is probably what an unknown one was meant to be.
            return
        for action, place in own.actions.items():
            if lines and action not in listed:
                self.diagnostics.add(
                    "G0406", f"action `{action}` of `{own.name}` is never enabled", place
                )

    def _actions(self, line: syntax.ProtocolLine, own: AgentNames) -> tuple[str, ...]:
        for action in line.actions:
            if action.text not in own.actions:
                unknown_action(self.diagnostics, own, action)
        return tuple(dict.fromkeys(action.text for action in line.actions))

    def _evolution(self, agent: syntax.Agent, own: AgentNames) -> tuple[EvolutionLine, ...]:
        values = Elaborator(self.names, own, self.diagnostics)
        guards = Elaborator(self.names, own, self.diagnostics, actions=True)
        lines: list[EvolutionLine] = []
        for line in agent.evolution or ():
            assert isinstance(line, syntax.EvolutionLine)
            self._check_targets(line)
            assignments = [self._assignment(item, own, values) for item in line.assignments]
            try:
                guard = guards.condition(line.guard)
            except TypeProblem:
                continue
            kept = tuple(item for item in assignments if item is not None)
            lines.append(EvolutionLine(kept, guard, self._line(line.span.start)))
        return tuple(lines)

    def _check_targets(self, line: syntax.EvolutionLine) -> None:
        seen: set[str] = set()
        for item in line.assignments:
            if item.target.text in seen:
                self.diagnostics.add(
                    "G0311", f"`{item.target.text}` is assigned twice in one line", item.span
                )
            seen.add(item.target.text)
        if self.semantics == "SingleAssignment" and len(line.assignments) > 1:
            self.diagnostics.add(
                "G0312",
                "a line assigns one variable under `Semantics = SingleAssignment`",
                line.assignments[1].span,
                label="a second assignment",
                help="write a line for each variable, or use `Semantics = MultiAssignment`",
            )

    def _assignment(
        self, item: syntax.Assignment, own: AgentNames, reader: Elaborator
    ) -> Assignment | None:
        name = item.target.text
        variable = own.variables.get(name)
        if variable is None:
            self._unknown_target(item, own)
            return None
        try:
            value, domain = reader.read(item.value, variable.domain)
        except TypeProblem:
            return None
        if not self._fits(item, variable, value, domain, reader):
            return None
        return Assignment(name, value)

    def _unknown_target(self, item: syntax.Assignment, own: AgentNames) -> None:
        name = item.target.text
        known = list(own.variables)
        guess = closest(name, known)
        hint = f"did you mean `{guess}`?" if guess else ""
        if name in own.observed:
            hint = "only the environment changes its variables: let it look at this agent's action"
        self.diagnostics.add(
            "G0202",
            f"agent `{own.name}` has no variable `{name}`",
            item.target.span,
            label="unknown variable",
            notes=(f"its variables: {', '.join(known)}",) if known else (),
            help=hint,
        )

    def _fits(
        self,
        item: syntax.Assignment,
        variable: Variable,
        value: typed.Expression,
        domain: Domain,
        reader: Elaborator,
    ) -> bool:
        """Return whether the value can be one of the variable's, and report it otherwise."""
        target = variable.domain
        if _same_kind(target, domain):
            if isinstance(value, typed.Literal) and not contains(target, value.value):
                self.diagnostics.add(
                    "G0306",
                    f"`{variable.name}` is in {target} and cannot become {show_value(value.value)}",
                    item.span,
                    label="outside its range",
                )
                return False
            source = reader.variable(item.value)
            if source is None or not _disjoint(target, source.domain):
                return True
        self.diagnostics.add(
            "G0307",
            f"`{variable.name}` is {describe(target)} ({target}) and cannot take "
            f"{describe(domain)} ({domain})"
            if not isinstance(target, Enumeration)
            else f"`{variable.name}` is {describe(target)} and cannot take {describe(domain)}",
            item.span,
            label="does not fit",
        )
        return False


def _same_kind(target: Domain, domain: Domain) -> bool:
    match target, domain:
        case ((IntegerRange() | Integers()), (IntegerRange() | Integers())):
            return True
        case Boolean(), Boolean():
            return True
        case Enumeration(wide), Enumeration(narrow):
            return set(narrow) <= set(wide)
        case _:
            return False


def _disjoint(target: Domain, source: Domain) -> bool:
    match target, source:
        case IntegerRange(low, high), IntegerRange(other_low, other_high):
            return other_high < low or high < other_low
        case _:
            return False
