"""Actions as values in other words: `last = Sender.Action` by cases, one for each action of `Sender`."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence

from gnomon.language import syntax
from gnomon.language.expression_text import ExpressionText
from gnomon.language.syntax import each_line
from gnomon.text.record import replace, walk


def fairness_on_actions(program: syntax.Program) -> Iterator[syntax.FormulaLine]:
    """Yield the fairness constraints that look at actions, be it by a definition."""
    acting: set[str] = set()

    def looks(tree: object) -> bool:
        return any(
            isinstance(part, (syntax.ActionIs, syntax.ActionOf))
            or (isinstance(part, syntax.Name) and part.text in acting)
            for part in walk(tree)
        )

    if program.definitions is not None and program.fairness:
        # Each names earlier ones alone.
        acting.update(
            part.name.text
            for part in walk(program.definitions)
            if isinstance(part, syntax.Definition) and looks(part.body)
        )
    yield from (
        part
        for part in walk(program.fairness)
        if isinstance(part, syntax.FormulaLine) and looks(part)
    )


class ActionCases:
    """Says what agents do with `Action = a` alone; knows the actions and variables of a program."""

    def __init__(self, program: syntax.Program) -> None:
        """Look up the agents of a program; those of families are left alone."""
        self._agents = {
            agent.name.text: agent for agent in program.agents if not agent.name.indices
        }

    def without(
        self, expression: syntax.Expression, agent: syntax.Agent | None
    ) -> syntax.Expression:
        """Return an expression of an agent's section without actions as values, itself if it has none."""
        match expression:
            case syntax.Binary("=" | "<>" as operator, left, right, span):
                for action, other in ((left, right), (right, left)):
                    if isinstance(action, syntax.ActionOf):
                        same = self._same(action, other, agent)
                        if same is not None:
                            return same if operator == "=" else syntax.Unary("!", same, span)
            case syntax.ActionIs(owner, action, equal, span):
                if action.text not in self._actions(owner, agent) and _has(agent, action.text):
                    value = syntax.Reference(None, action, action.span)
                    same = self._same(syntax.ActionOf(owner, span), value, agent)
                    if same is not None:
                        return same if equal else syntax.Unary("!", same, span)
            case syntax.Membership(syntax.ActionOf() as action, members, span):
                found = [
                    None
                    if isinstance(member, syntax.RangeType)
                    else self._same(action, member, agent)
                    for member in members
                ]
                tests = tuple(test for test in found if test is not None)
                if len(tests) == len(found):
                    return tests[0] if len(tests) == 1 else syntax.Chain("or", tests, span)
            case syntax.ActionOf(owner, span):
                return self._value(owner, agent, expression)
            case _:
                pass
        return _with_parts(expression, lambda part: self.without(part, agent))

    def _actions(self, owner: syntax.Name | None, agent: syntax.Agent | None) -> tuple[str, ...]:
        found = agent if owner is None else self._agents.get(owner.text)
        names = () if found is None or found.actions is None else found.actions
        return () if any(name.indices for name in names) else tuple(name.text for name in names)

    def _same(
        self, action: syntax.ActionOf, other: syntax.Expression, agent: syntax.Agent | None
    ) -> syntax.Expression | None:
        """Return that an agent does what a value is, None where its actions are not known."""
        span = action.span
        mine = self._actions(action.owner, agent)
        match other:
            case syntax.Reference(None, syntax.Name(text, ())) if text in mine:
                if not _has(agent, text):
                    return _does(action.owner, text, action)
            case _:
                pass
        tests: list[syntax.Expression] = []
        theirs = self._actions(other.owner, agent) if isinstance(other, syntax.ActionOf) else mine
        possible = self._possible(other, agent)
        for name in mine:
            if name not in theirs or (possible is not None and name not in possible):
                continue
            does = _does(action.owner, name, action)
            second: syntax.Expression
            if isinstance(other, syntax.ActionOf):
                second = _does(other.owner, name, other)
            else:
                value = syntax.Reference(None, syntax.Name(name, (), span), span)
                second = syntax.Binary("=", self.without(other, agent), value, span)
            tests.append(syntax.Chain("and", (does, second), span))
        if not tests:
            return None
        return tests[0] if len(tests) == 1 else syntax.Chain("or", tuple(tests), span)

    def _possible(self, value: syntax.Expression, agent: syntax.Agent | None) -> set[str] | None:
        """Return the values of a variable; None where they are not known."""
        match value:
            case syntax.Reference(owner, syntax.Name(text, ())):
                whose = agent if owner is None else self._agents.get(owner.text)
                for line in () if whose is None else declarations(whose):
                    if line.name.text == text and isinstance(line.type, syntax.EnumerationType):
                        return {name.text for name in line.type.values}
                return None
            case _:
                return None

    def _value(
        self, owner: syntax.Name | None, agent: syntax.Agent | None, action: syntax.ActionOf
    ) -> syntax.Expression:
        names = self._actions(owner, agent)
        if not names:
            return action
        span = action.span
        values = [syntax.Reference(None, syntax.Name(name, (), span), span) for name in names]
        result: syntax.Expression = values[-1]
        for name, value in reversed(list(zip(names[:-1], values[:-1], strict=True))):
            result = syntax.IfThenElse(_does(owner, name, action), value, result, span)
        return result


class KnownDeeds:
    """Who does one thing does no other: that settles conditions on actions."""

    def __init__(self, actions: Collection[str], text: ExpressionText) -> None:
        """Know the names that can only be actions after `Action =`."""
        self._actions = actions
        self._text = text

    def left_of(
        self, cases: Sequence[syntax.Expression], guard: Sequence[syntax.Expression]
    ) -> list[syntax.Expression] | None:
        """Return those of some cases that say something beside a guard; None where they cannot all hold."""
        done, left_undone = self._known((*guard, *cases))
        if any(len(some) > 1 or some & left_undone[who] for who, some in done.items()):
            return None
        _, ruled_out = self._known(guard)

        def is_said(case: syntax.Expression) -> bool:
            match self._deed(case):
                case (who, what, False):
                    return bool(done[who]) or what in ruled_out[who]
                case _:
                    return False

        return [case for case in cases if not is_said(case)]

    def _known(
        self, conditions: Sequence[syntax.Expression]
    ) -> tuple[defaultdict[str, set[str]], defaultdict[str, set[str]]]:
        """Return what each agent does where all conditions hold, and what it does not do."""
        done: defaultdict[str, set[str]] = defaultdict(set)
        left_undone: defaultdict[str, set[str]] = defaultdict(set)
        for part in conditions:
            match self._deed(part):
                case (who, what, does):
                    (done if does else left_undone)[who].add(what)
                case None:
                    pass
        return done, left_undone

    def _deed(self, part: syntax.Expression) -> tuple[str, str, bool] | None:
        """Return who does what, or does not do it; None where a condition says something else."""
        match part:
            case syntax.Unary("!", operand):
                found = self._deed(operand)
                return None if found is None else (*found[:2], not found[2])
            case syntax.ActionIs(owner, syntax.Name(what, ()), equal) if what in self._actions:
                return "" if owner is None else self._text.name(owner), what, equal
            case _:
                return None


def _does(owner: syntax.Name | None, name: str, action: syntax.ActionOf) -> syntax.Expression:
    return syntax.ActionIs(owner, syntax.Name(name, (), action.span), True, action.span)


def declarations(agent: syntax.Agent) -> tuple[syntax.VariableDeclaration, ...]:
    """Return the variables of an agent, those inside `for` as well."""
    return tuple(each_line((*(agent.observed or ()), *(agent.variables or ()))))


def _has(agent: syntax.Agent | None, name: str) -> bool:
    """Return whether an agent has a variable of this name."""
    return agent is not None and any(line.name.text == name for line in declarations(agent))


def _with_parts(
    expression: syntax.Expression, change: Callable[[syntax.Expression], syntax.Expression]
) -> syntax.Expression:
    """Return an expression with its direct parts changed, itself if none of them is."""
    match expression:
        case syntax.Unary(operand=operand):
            return _changed(expression, operand=change(operand))
        case syntax.Binary(left=left, right=right):
            return _changed(expression, left=change(left), right=change(right))
        case syntax.Chain(operands=operands):
            return _changed(expression, operands=tuple(map(change, operands)))
        case syntax.IfThenElse(condition, then, otherwise):
            branches = {"then": change(then), "otherwise": change(otherwise)}
            return _changed(expression, condition=change(condition), **branches)
        case syntax.Membership(value=value):
            return _changed(expression, value=change(value))
        case syntax.Application(arguments=arguments):
            return _changed(expression, arguments=tuple(map(change, arguments)))
        case syntax.Quantified(body=body):
            return _changed(expression, body=change(body))
        case _:
            return expression


def _changed(expression: syntax.Expression, **fields: object) -> syntax.Expression:
    def old(field: str) -> object:
        return getattr(expression, field)

    unchanged = all(
        all(a is b for a, b in zip(new, old(field), strict=True))  # type: ignore[call-overload]
        if isinstance(new, tuple)
        else new is old(field)
        for field, new in fields.items()
    )
    return expression if unchanged else replace(expression, **fields)
