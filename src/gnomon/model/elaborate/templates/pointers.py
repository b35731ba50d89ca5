"""Variables of the environment that are agents, `owner : Client;`: as they are declared, and as they move.

A pointer is worth `none` or `some`, and the agent that it points to has a flag. Who does an action gets the
flag, and whoever had it loses it in the same step, by an action that follows. So it is always true that one
agent at most has the flag, and that one has it exactly where the pointer is worth `some`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace as with_fields
from typing import Final, TypeAlias

from gnomon.language import syntax
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT, Assignment, EvolutionLine, Variable
from gnomon.model.domain import Boolean
from gnomon.model.elaborate.templates.indices import PopulationNames
from gnomon.model.parameterised.condition import SELF, And, Condition, Holds, Not, Or, positive
from gnomon.model.parameterised.pointer import NOBODY, SOMEBODY, Pointer
from gnomon.model.parameterised.system import Change, OpenSystem, Part, when_doing
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.record import Record, replace
from gnomon.text.record import walk as parts_of
from gnomon.text.source import NOWHERE, Span

_Declarations: TypeAlias = tuple[syntax.VariableDeclaration, ...]

#: The type that a pointer is declared with instead.
_WORTH: Final = syntax.EnumerationType((syntax.Name(NOBODY), syntax.Name(SOMEBODY)))


# Declarations


def without_pointers(
    program: syntax.Program, names: PopulationNames, diagnostics: Diagnostics
) -> tuple[syntax.Agent, ...]:
    """Return the agents with pointers declared by what they are worth, and take note of these."""
    templates = {agent.name.text for agent in program.agents if agent.kind == "template"}
    templates -= names.types.keys()
    if not any(_points_to(line, templates) for a in program.agents for line in _variables(a)):
        return program.agents
    used = {part.text for part in parts_of(program) if isinstance(part, syntax.Name)}
    used |= {part.variable for part in parts_of(program) if isinstance(part, syntax.Binder)}

    def declared(
        agent: syntax.Agent, line: syntax.VariableDeclaration
    ) -> syntax.VariableDeclaration:
        template = _points_to(line, templates)
        if template is None:
            return line
        if agent.kind != "environment":
            diagnostics.add(
                "G0735",
                f"`{line.name.text}` would point to an agent, and only the environment does that",
                line.span,
                help="declare it in the environment, or say with a Boolean variable whether it is this agent",
            )
            return replace(line, type=syntax.BooleanType(line.type.span))
        flag = fresh(f"is_{line.name.text}", used)
        names.pointers[line.name.text] = Pointer(template, flag)
        return replace(line, type=replace(_WORTH, span=line.type.span))

    def lines(agent: syntax.Agent, found: _Declarations | None) -> _Declarations | None:
        return None if found is None else tuple(declared(agent, line) for line in found)

    return tuple(
        replace(
            agent,
            variables=lines(agent, agent.variables),
            observed=lines(agent, agent.observed),
        )
        for agent in program.agents
    )


def _variables(agent: syntax.Agent) -> Iterator[syntax.VariableDeclaration]:
    yield from agent.variables or ()
    yield from agent.observed or ()


def _points_to(line: syntax.VariableDeclaration, templates: Iterable[str]) -> str | None:
    """Return the template whose agents a variable is declared to be."""
    match line.type:
        case syntax.NamedType(syntax.Name(name)) if name in templates:
            return name
        case _:
            return None


def fresh(name: str, used: set[str]) -> str:
    """Return a name that nothing has, and have it."""
    while name in used:
        name += "_"
    used.add(name)
    return name


def declare_flags(names: PopulationNames) -> None:
    """Give the agents that are pointed to their flags."""
    for name, pointer in names.pointers.items():
        own = names.agents.get(pointer.template)
        if own is not None:
            own.variables[pointer.flag] = Variable(SELF, pointer.flag, Boolean())
            own.places[pointer.flag] = names.environment.places[name]


# Moves


class _PointerMove(Record):
    """What a line of the environment does to a pointer when an action is done, and where it does."""

    name: str
    action: str
    worth: str
    guard: plain.Expression
    line: int


def with_pointers(
    system: OpenSystem, promised_at: Span | None, diagnostics: Diagnostics
) -> OpenSystem:
    """Return a system in which flags move with the pointers, and all point to nobody at the start.

    What is promised of agents stands at `promised_at`.
    """
    moving = _FlagMoves(system, promised_at or NOWHERE, diagnostics)
    for action in system.environment.actions:
        moving.move(action)
    return moving.result()


class _FlagMoves:
    """The templates and those who follow, as far as pointers were seen to."""

    def __init__(self, system: OpenSystem, promised_at: Span, diagnostics: Diagnostics) -> None:
        self._system = system
        self._promised_at = promised_at
        self._diagnostics = diagnostics
        self._parts = {part.name: part for part in system.templates}
        self._followed_by = dict(system.followed_by)
        self._used = {
            name
            for part in system.part.values()
            for name in (*part.actions, *(variable.name for variable in part.variables))
        }
        #: Whether somebody may lose a flag who does not take part.
        self._taken = False

    def result(self) -> OpenSystem:
        """Return the system."""
        system = self._system
        environment, parts = system.environment, self._parts
        for name, pointer in system.pointers.items():
            starts = And((environment.initial, Holds(_is_worth(name, NOBODY))))
            environment = replace(environment, initial=positive(starts))
            if (part := parts.get(pointer.template)) is not None:
                unset = Holds(_has_flag(SELF, pointer.flag, has=False))
                initial = positive(And((part.initial, unset)))
                parts[part.name] = replace(part, initial=initial)
        if self._taken and system.promise != "none":
            self._diagnostics.add(
                "G0735",
                f"`{system.promise};` is promised where a pointer may be taken from another agent",
                self._promised_at,
                help="let it point to `none` before it points to somebody else, and say so in the protocol",
            )
        return with_fields(
            system,
            environment=environment,
            templates=tuple(parts.values()),
            followed_by=self._followed_by,
        )

    def move(self, action: str) -> None:
        """Let flags move as pointers do when the environment does an action."""
        system = self._system
        moves = [
            _PointerMove(item.variable, action, str(item.value.value), guard, change.line.line)
            for guard, change in system.effects[ENVIRONMENT, action]
            for item in change.line.assignments
            if item.variable in system.pointers and isinstance(item.value, plain.Literal)
        ]
        lost: dict[str, list[_PointerMove]] = {}
        for move in moves:
            if self._is_possible(move):
                self._of_those_who_act(move)
                if not self._nobody_else_has_it(move):
                    lost.setdefault(system.pointers[move.name].template, []).append(move)
        for template, found in lost.items():
            self._taken = True
            self._of_others(template, action, found)

    def _leaders(self, action: str) -> list[str]:
        return [part.name for part in self._system.templates if action in part.synchronised]

    def _is_possible(self, move: _PointerMove) -> bool:
        """Return whether it is clear who the agent is; report where it is not."""
        template = self._system.pointers[move.name].template
        if template not in self._parts:
            return False
        if move.action not in self._system.sync:
            self._report(
                move,
                f"`{move.action}` is an action of the environment alone, and moves `{move.name}`",
                f"declare it in `Sync`, as in `{move.action} : all`",
            )
            return False
        if move.worth == NOBODY:
            return True
        if self._system.sync[move.action] != "one":
            self._report(
                move,
                f"more than one may do `{move.action}`, and `{move.name}` points to one agent",
                f"declare it as `{move.action} : one`",
            )
            return False
        others = [name for name in self._leaders(move.action) if name != template]
        if others:
            self._report(
                move,
                f"`{move.action}` is also done by `{others[0]}`, and `{move.name}` points to a `{template}`",
                "give what they do names of their own",
            )
        return not others

    def _report(self, move: _PointerMove, message: str, help_: str) -> None:
        span = self._diagnostics.source.line_span(move.line)
        self._diagnostics.add("G0735", message, span, help=help_)

    def _of_those_who_act(self, move: _PointerMove) -> None:
        """Let who takes part have the flag, or have it no more."""
        pointer = self._system.pointers[move.name]
        part = self._parts[pointer.template]
        if move.action in part.synchronised:
            to = plain.Literal(move.worth == SOMEBODY)
            self._parts[part.name] = _changing(part, move.action, pointer.flag, to, move)

    def _nobody_else_has_it(self, move: _PointerMove) -> bool:
        """Return whether the guards say that nobody has the flag before, or who acts has it alone."""
        system = self._system
        pointer = system.pointers[move.name]
        free = _is_worth(move.name, NOBODY)
        allowed = system.environment.guards.get(move.action)
        if _says(Holds(move.guard), free) or (allowed is not None and _says(allowed, free)):
            return True
        own = self._parts[pointer.template].guards.get(move.action)
        return (
            system.sync[move.action] == "one"
            and self._leaders(move.action) == [pointer.template]
            and own is not None
            and _says(own, _has_flag(SELF, pointer.flag))
        )

    def _of_others(self, template: str, action: str, moves: list[_PointerMove]) -> None:
        """Let all others lose the flag: by what they do to follow an action, if anything."""
        part = self._parts[template]
        follower = self._followed_by.get(action)
        if follower is None:
            follower = self._followed_by[action] = fresh(f"let_go_at_{action}", self._used)
        flags = [self._system.pointers[move.name].flag for move in moves]
        losing: Condition = Or(
            tuple(
                Holds(plain.And((_has_flag(SELF, flag), move.guard)))
                for flag, move in zip(flags, moves, strict=True)
            )
        )
        if follower in part.synchronised:
            part = self._only_where_allowed(part, follower, moves[0])
            losing = Or((part.guards[follower], losing)) if follower in part.guards else losing
        else:
            part = replace(part, synchronised=(*part.synchronised, follower))
        part = replace(part, guards={**part.guards, follower: positive(losing)})
        for flag, move in zip(flags, moves, strict=True):
            part = _changing(part, follower, flag, plain.FALSE, move)
        self._parts[template] = part

    def _only_where_allowed(self, part: Part, follower: str, move: _PointerMove) -> Part:
        """Return a part that does what it did to follow only where it could: it follows more often now."""
        guard = part.guards.get(follower)
        allowed = plain.FALSE if guard is None else _expression(guard)
        if allowed is None:
            return part  # which was reported: it looks at others
        changes: list[Change] = []
        for change in part.changes:
            if when_doing(change.line.guard, follower) == plain.FALSE:
                changes.append(change)
                continue
            if not _fits_always(part, change):
                self._report(
                    move,
                    f"`{move.name}` may leave an agent that cannot do `{follower}` then",
                    f"what `{follower}` assigns may leave its range, which hinders it: assign constants",
                )
            does = plain.Does(part.name, follower)
            limited = plain.And((change.line.guard, plain.Or((plain.Not(does), allowed))))
            changes.append(Change(replace(change.line, guard=limited), change.looked))
        return replace(part, changes=tuple(changes))


def _is_worth(name: str, worth: str) -> plain.Expression:
    return plain.Compare("=", plain.Read(ENVIRONMENT, name), plain.Literal(worth))


def _has_flag(index: str, flag: str, *, has: bool = True) -> plain.Expression:
    return plain.Compare("=", plain.Read(index, flag), plain.Literal(has))


def _changing(part: Part, action: str, flag: str, to: plain.Expression, move: _PointerMove) -> Part:
    """Return a part that gives a flag a value when it does an action, where a pointer moves."""
    guard = plain.And((plain.Does(part.name, action), move.guard))
    line = EvolutionLine((Assignment(flag, to),), guard, move.line)
    return replace(part, changes=(*part.changes, Change(line)))


def _says(condition: Condition, wanted: plain.Expression) -> bool:
    """Return whether a condition plainly says something, be it among other things."""
    match condition:
        case Holds(plain.And(operands)):
            return any(_says(Holds(operand), wanted) for operand in operands)
        case Holds(plain.Or(operands)):
            return all(_says(Holds(operand), wanted) for operand in operands)
        case Holds(expression):
            return expression == wanted
        case And(parts):
            return any(_says(part, wanted) for part in parts)
        case Or(parts):
            return all(_says(part, wanted) for part in parts)
        case _:
            return False


def _expression(condition: Condition) -> plain.Expression | None:
    """Return a condition on an agent and the environment as an expression, None where it looks at more."""
    match condition:
        case Holds(expression):
            return expression
        case Not(operand):
            inner = _expression(operand)
            return None if inner is None else plain.Not(inner)
        case And(parts) | Or(parts):
            found = [_expression(part) for part in parts]
            kind: Callable[[tuple[plain.Expression, ...]], plain.Expression]
            kind = plain.And if isinstance(condition, And) else plain.Or
            return None if None in found else kind(tuple(each for each in found if each))
        case _:
            return None


def _fits_always(part: Part, change: Change) -> bool:
    """Return whether the values of a change are plainly within their ranges."""
    domains = {variable.name: variable.domain for variable in part.variables}

    def fits(item: Assignment) -> bool:
        match item.value:
            case plain.Literal():
                return True
            case plain.Read(reader, name) if reader == SELF:
                return domains[name] == domains[item.variable]
            case _:
                return isinstance(domains[item.variable], Boolean)

    return not change.looked and all(map(fits, change.line.assignments))
