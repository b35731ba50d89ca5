"""Types, relations, the environment and the templates."""

from gnomon.language import syntax
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT, Assignment, EvolutionLine, Variable
from gnomon.model.domain import (
    Domain,
    Enumeration,
    Integers,
    OpenEnumeration,
    contains,
    show_value,
)
from gnomon.model.elaborate.agents import check_seen_values, read_domain, values_of_environment
from gnomon.model.elaborate.expressions import TypeProblem, describe, unknown_action
from gnomon.model.elaborate.scope import AgentNames
from gnomon.model.parameterised.condition import (
    SELF,
    Condition,
    Exists,
    Forall,
    Lookup,
    Not,
    Or,
    parts,
    positive,
    relations,
    walk,
)
from gnomon.model.parameterised.elaborate.conditions import ConditionReader, same_kind
from gnomon.model.parameterised.elaborate.scope import OpenNames
from gnomon.model.parameterised.system import Change, Looked, Multiplicity, Part, Relation
from gnomon.text.diagnostic import Diagnostics, Label, closest
from gnomon.text.source import Span

_MOST_AGENTS = 1_000_000


def declare_types(
    declarations: tuple[syntax.TypeDeclaration, ...], names: OpenNames, diagnostics: Diagnostics
) -> None:
    """Collect the named types."""
    for line in declarations:
        name = line.name.text
        if name in names.types:
            diagnostics.add(
                "G0402", f"type `{name}` is declared twice; the first one counts", line.span
            )
            continue
        match line.type:
            case syntax.EnumerationType(values, True):
                named = tuple(dict.fromkeys(value.text for value in values))
                names.types[name] = OpenEnumeration(named, name)
            case _:
                names.types[name] = _domain(line.type, name, names, diagnostics)


def _domain(type_: syntax.Type, name: str, names: OpenNames, diagnostics: Diagnostics) -> Domain:
    match type_:
        case syntax.NamedType(syntax.Name(text)) if text in names.types:
            return names.types[text]
        case syntax.NamedType(type_name, span) if names.types:
            guess = closest(type_name.text, ["boolean", "int", *names.types])
            diagnostics.add(
                "G0702",
                f"there is no type `{type_name.text}`",
                span,
                label="not declared in `Types`",
                notes=(f"the types: {', '.join(names.types)}",),
                help=f"did you mean `{guess}`?" if guess else "",
            )
            return Integers()
        case _:
            return read_domain(type_, name, diagnostics)


def declare_relations(
    declarations: tuple[syntax.RelationDeclaration, ...], names: OpenNames, diagnostics: Diagnostics
) -> None:
    """Collect the relations."""
    for line in declarations:
        name = line.name.text
        if name in names.relations:
            diagnostics.add(
                "G0402", f"relation `{name}` is declared twice; the first one counts", line.span
            )
            continue
        columns = tuple(_column(column, names, diagnostics) for column in line.columns)
        result = None if line.result is None else _column(line.result, names, diagnostics)
        names.relations[name] = Relation(name, columns, result)


def _column(column: syntax.Name, names: OpenNames, diagnostics: Diagnostics) -> Domain:
    if column.text in names.types:
        return names.types[column.text]
    guess = closest(column.text, list(names.types))
    diagnostics.add(
        "G0702",
        f"there is no type `{column.text}`",
        column.span,
        label="not declared in `Types`",
        notes=(f"the types: {', '.join(names.types) or 'none'}",),
        help=f"did you mean `{guess}`?"
        if guess
        else "declare it: `Types Name : { a, b }; end Types`",
    )
    return Enumeration(())


def declare_part(agent: syntax.Agent, names: OpenNames, diagnostics: Diagnostics) -> AgentNames:
    """Collect the names of the environment or of a template."""
    is_environment = agent.kind == "environment"
    own = AgentNames(agent.name.text, agent.name.span)
    index = ENVIRONMENT if is_environment else SELF
    for observed, lines in ((True, agent.observed or ()), (False, agent.variables or ())):
        for line in lines:
            name = line.name.text
            if name in own.variables:
                diagnostics.add(
                    "G0402",
                    f"variable `{name}` is declared twice; the second declaration is left out",
                    line.span,
                    related=(Label(own.places[name], "the first one is here"),),
                )
                continue
            domain = _domain(line.type, name, names, diagnostics)
            own.variables[name] = Variable(index, name, domain, observed)
            own.places[name] = line.span
    if agent.observed and not is_environment:
        diagnostics.add(
            "G0212",
            f"only the environment has `Obsvars`, and `{agent.name.text}` is a template",
            agent.observed[0].span,
            help="use `Vars`, or move the variables to the environment",
        )
    for action in agent.actions or ():
        _declare_action(own, action, diagnostics)
    for item in agent.synchronised or ():
        _declare_action(own, item.name, diagnostics)
    _check_values(own, diagnostics)
    return own


def _declare_action(own: AgentNames, action: syntax.Name, diagnostics: Diagnostics) -> None:
    if action.text in own.actions:
        diagnostics.add(
            "G0718",
            f"action `{action.text}` is declared twice",
            action.span,
            related=(Label(own.actions[action.text], "here it is, too"),),
            help="an action is either local, in `Actions`, or in `Sync`",
        )
    own.actions.setdefault(action.text, action.span)


def _check_values(own: AgentNames, diagnostics: Diagnostics) -> None:
    for variable in own.variables.values():
        if not isinstance(variable.domain, Enumeration):
            continue
        for value in variable.domain.names:
            if value in own.variables:
                diagnostics.add(
                    "G0209",
                    f"`{value}` is a variable of `{own.name}` and also a value of `{variable.name}`",
                    own.places[value],
                    related=(Label(own.places[variable.name], "the value is declared here"),),
                    help="rename one of them",
                )


def synchronised(agents: list[syntax.Agent], diagnostics: Diagnostics) -> dict[str, Multiplicity]:
    """Return the synchronised actions and how many agents take part in each."""
    environment = next((agent for agent in agents if agent.kind == "environment"), None)
    known = {item.name.text: item for item in (environment and environment.synchronised) or ()}
    found: dict[str, Multiplicity] = {name: item.multiplicity for name, item in known.items()}
    for agent in agents:
        for action in agent.actions or ():
            if action.text in known and agent.kind == "template":
                diagnostics.add(
                    "G0718",
                    f"`{action.text}` is local here and synchronised in the environment",
                    action.span,
                    related=(Label(known[action.text].span, "here it is synchronised"),),
                    help="move it to `Sync`, or choose another name",
                )
        for item in agent.synchronised or () if agent.kind == "template" else ():
            name = item.name.text
            if name not in found:
                _report_missing(item, agent, known, diagnostics)
                continue
            if item.multiplicity == "some" or item.multiplicity == found[name]:
                continue
            if found[name] != "some":
                diagnostics.add(
                    "G0707",
                    f"`{name}` is `{item.multiplicity}` here and `{found[name]}` elsewhere",
                    item.span,
                    help="say it once, in the environment",
                )
            found[name] = item.multiplicity
    return found


def _report_missing(
    item: syntax.SyncDeclaration,
    agent: syntax.Agent,
    known: dict[str, syntax.SyncDeclaration],
    diagnostics: Diagnostics,
) -> None:
    guess = closest(item.name.text, list(known))
    diagnostics.add(
        "G0706",
        f"`{item.name.text}` can never happen: the environment has no such `Sync` action",
        item.name.span,
        label=f"a synchronised action of `{agent.name.text}`",
        notes=(f"the environment has: {', '.join(known) or 'none'}",),
        help=f"did you mean `{guess}`?"
        if guess
        else "add it to the environment's `Sync`, or to `Actions`",
    )


class PartReader:
    """Turns the sections of the environment or of a template into data."""

    def __init__(
        self, names: OpenNames, sync: dict[str, Multiplicity], diagnostics: Diagnostics
    ) -> None:
        """Read with the program's names."""
        self.names = names
        self.sync = sync
        self.diagnostics = diagnostics

    def part(self, agent: syntax.Agent, initial: Condition) -> Part:
        """Return the part."""
        own = self.names.parts.agents[agent.name.text]
        guards, lines = self._protocol(agent, own)
        low, high = self._bounds(agent)
        shared = {item.name.text for item in agent.synchronised or ()}
        return Part(
            name=own.name,
            variables=tuple(own.variables.values()),
            local=tuple(name for name in own.actions if name not in shared),
            synchronised=tuple(name for name in own.actions if name in shared),
            guards=guards,
            changes=self._changes(agent, own),
            initial=initial,
            low=low,
            high=high,
            sees=self._sees(agent),
            lines=lines,
        )

    def _line(self, span: Span) -> int:
        return self.diagnostics.source.location(span.start).line

    def _bounds(self, agent: syntax.Agent) -> tuple[int, int | None]:
        if agent.bounds is None:
            return 0, None
        low, high = agent.bounds
        numbers: list[int | None] = []
        for bound in (low, high):
            if bound is not None and not isinstance(bound, syntax.Number):
                self.diagnostics.add(
                    "G0309",
                    "the bounds of a template are numbers",
                    bound.span,
                    help="name them in `Constants` to use them here",
                )
                return 0, None
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
            return 0, None
        return least, most

    def _sees(self, agent: syntax.Agent) -> tuple[str, ...]:
        variables = self.names.parts.environment.variables
        seen = [name for name, variable in variables.items() if variable.observed]
        for item in agent.local_observed or ():
            if item.text in variables:
                seen.append(item.text)
                continue
            guess = closest(item.text, list(variables))
            self.diagnostics.add(
                "G0210",
                f"the environment has no variable `{item.text}` to observe",
                item.span,
                help=f"did you mean `{guess}`?" if guess else "",
            )
        if agent.kind != "template":
            return ()
        own = self.names.parts.agents[agent.name.text]
        own.observed = {name: variables[name] for name in seen}
        parts = self.names.parts
        check_seen_values(own, parts, values_of_environment(parts), self.diagnostics)
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
            except TypeProblem:
                continue
            finally:
                self._known_actions(line, own)
            for enabled in line.actions:
                name, here = enabled.text, self._line(line.span)
                allowed.setdefault(name, []).append(condition)
                lines[name] = (*lines.get(name, ()), here)
                if self.sync.get(name) == "all" and agent.kind == "template":
                    self._check_broadcast(enabled, condition, line)
        listed = {
            action.text
            for line in agent.protocol or ()
            if isinstance(line, syntax.ProtocolLine)
            for action in line.actions
        }
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
            reader = ConditionReader(self.names, own, self.diagnostics)
            written = reader.read_condition(line.condition)
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
            raise TypeProblem
        return condition

    def _known_actions(self, line: syntax.ProtocolLine, own: AgentNames) -> None:
        for action in line.actions:
            if action.text not in own.actions:
                unknown_action(self.diagnostics, own, action)

    def _check_broadcast(
        self, action: syntax.Name, condition: Condition, line: syntax.ProtocolLine
    ) -> None:
        quantified = any(isinstance(part, (Exists, Forall)) for part in walk(condition))
        if not quantified and not relations(condition):
            return
        what = "other agents" if quantified else "relations"
        self.diagnostics.add(
            "G0709",
            f"all agents that can take part in `{action.text}`, so its guard cannot look at {what}",
            line.span,
            label="looks at more than the agent and the environment",
            help=f"let `{action.text}` be `some` or `one`, or keep what matters in the environment",
        )

    # Evolution

    def _changes(self, agent: syntax.Agent, own: AgentNames) -> tuple[Change, ...]:
        changes: list[Change] = []
        for line in agent.evolution or ():
            assert isinstance(line, syntax.EvolutionLine)
            guards = ConditionReader(self.names, own, self.diagnostics, actions=True, alone=True)
            assignments, looked = self._assignments(line, own)
            try:
                guard = guards.condition(line.guard)
            except TypeProblem:
                continue
            for part in plain.walk(guard):
                if isinstance(part, plain.Does) and part.agent != own.name:
                    self.diagnostics.add(
                        "G0713",
                        f"`{own.name}` does not see what `{part.agent}` does",
                        line.guard.span,
                        help="write `Action = …`: what is synchronised is one action",
                    )
            written = EvolutionLine(tuple(assignments), guard, self._line(line.span))
            changes.append(Change(written, tuple(looked)))
        return tuple(changes)

    def _assignments(
        self, line: syntax.EvolutionLine, own: AgentNames
    ) -> tuple[list[Assignment], list[Looked]]:
        assignments: list[Assignment] = []
        looked: list[Looked] = []
        seen: set[str] = set()
        for item in line.assignments:
            name = item.target.text
            if name in seen:
                self.diagnostics.add("G0311", f"`{name}` is assigned twice in one line", item.span)
            seen.add(name)
            try:
                value = self._value(item, own)
            except TypeProblem:
                continue
            if isinstance(value, Lookup):
                looked.append(Looked(name, value))
            else:
                assignments.append(Assignment(name, value))
        return assignments, looked

    def _value(self, item: syntax.Assignment, own: AgentNames) -> plain.Expression | Lookup:
        name = item.target.text
        variable = own.variables.get(name)
        if variable is None:
            known = list(own.variables)
            guess = closest(name, known)
            self.diagnostics.add(
                "G0202",
                f"`{own.name}` has no variable `{name}`",
                item.target.span,
                label="unknown variable",
                notes=(f"its variables: {', '.join(known)}",) if known else (),
                help=f"did you mean `{guess}`?" if guess else "",
            )
            raise TypeProblem
        reader = ConditionReader(self.names, own, self.diagnostics, alone=True)
        value, domain = reader.term(item.value, variable.domain)
        target = variable.domain
        if not same_kind(target, domain):
            raise reader.fail(
                "G0307",
                f"`{name}` is {describe(target)} and cannot take {describe(domain)}",
                item.span,
                label="does not fit",
            )
        listed = not isinstance(target, OpenEnumeration)
        if isinstance(value, plain.Literal) and listed and not contains(target, value.value):
            raise reader.fail(
                "G0306",
                f"`{name}` is in {target} and cannot become {show_value(value.value)}",
                item.span,
                label="outside its range",
            )
        return value


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
