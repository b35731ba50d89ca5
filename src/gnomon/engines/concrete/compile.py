"""Expressions, protocols and evolutions as Python functions, so that a million states take seconds.

The text of the functions is made of our own names and of the `repr` of literals, nothing else.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, Final, TypeAlias, cast

from gnomon.model import arithmetic
from gnomon.model.agent import IDLE, Agent, EvolutionLine, Semantics
from gnomon.model.domain import Boolean, Datum, Domain, Enumeration, IntegerRange, Integers
from gnomon.model.expression import (
    And,
    Arithmetic,
    BitComplement,
    Compare,
    Conditional,
    Defined,
    Does,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sharing,
    Sum,
    parts,
    shared,
)

LocalValues: TypeAlias = tuple[Datum, ...]
#: Where the text of a function finds a variable or an agent's action.
Places: TypeAlias = Mapping[Read | str, str]
#: The new local states of an agent, and whether some alternative has no result.
EvolutionResult: TypeAlias = tuple[list[LocalValues], bool]
ProtocolFunction: TypeAlias = Callable[[LocalValues, LocalValues], tuple[str, ...]]
EvolutionFunction: TypeAlias = Callable[
    [LocalValues, LocalValues, Sequence[str]], EvolutionResult | None
]


def _total(terms: Sequence[arithmetic.Number]) -> arithmetic.Number:
    return reduce(arithmetic.add, terms, cast("arithmetic.Number", 0))


_HELPERS: Final[dict[str, object]] = {
    "total": _total,
    "multiply": arithmetic.multiply,
    "divide": arithmetic.divide,
    "div": arithmetic.euclidean_div,
    "mod": arithmetic.euclidean_mod,
    "complement": lambda value: (not value) if isinstance(value, bool) else ~value,
}
_COMPARISONS: Final = {"=": "==", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

#: Python's own parser gives up on deep nesting, so what is deeper becomes a line of its own.
_DEEPEST = 24
#: In the place of the one line that uses something that is shared.
_SEVERAL: Final = -1


class FunctionText:
    """The lines of a function under construction."""

    def __init__(self, places: Places) -> None:
        """Start empty."""
        self.lines: list[str] = []
        self._places = places
        self._temporaries = 0
        #: The names of what is shared, and those of them that are known in the current block alone.
        self._names: dict[Sharing, str] = {}
        self._in_block: list[Sharing] = []
        #: Whether what is shared divides.
        self._divides: dict[Sharing, bool] = {}

    def add(self, line: str, indent: int = 1) -> None:
        """Append one line."""
        self.lines.append("    " * indent + line)

    def expression(self, expression: Expression, indent: int = 1) -> str:
        """Return the text of an expression; where it is deep, lines are added that prepare it."""
        text, _ = self._write(expression, indent, exact=self._is_exact(expression))
        return text

    def ready(self, expressions: Iterable[Expression]) -> None:
        """Add the lines that prepare what is shared by several of some expressions."""
        users: dict[Sharing, int] = {}
        for number, expression in enumerate(expressions):
            waiting = [expression]
            while waiting:
                part = waiting.pop()
                if isinstance(part, (Conditional, Defined)):
                    user = users.get(part)
                    if user in (number, _SEVERAL):
                        continue
                    users[part] = number if user is None else _SEVERAL
                waiting.extend(parts(part))
        for part, user in users.items():
            if user == _SEVERAL:
                self.expression(part)

    def close(self) -> None:
        """Forget what was prepared within the block that ends here."""
        for part in self._in_block:
            del self._names[part]
        self._in_block.clear()

    def _is_exact(self, expression: Expression) -> bool:
        """Return whether an expression divides, so that its numbers may be no integers."""
        waiting = [expression]
        while waiting:
            part = waiting.pop()
            if isinstance(part, (Conditional, Defined)):
                if shared(part, self._divides, lambda each: any(map(self._is_exact, parts(each)))):
                    return True
            elif isinstance(part, Arithmetic) and part.operator == "/":
                return True
            else:
                waiting.extend(parts(part))
        return False

    def _name(self, expression: Sharing, indent: int) -> str:
        """Return the name of what is shared, worked out in a line of its own."""

        def named(part: Sharing) -> str:
            exact = self._is_exact(part)
            texts = [self._write(each, indent, exact=exact)[0] for each in parts(part)]
            if indent > 1:
                self._in_block.append(part)
            return self._keep(_join(part, texts, exact=exact), indent)

        return shared(expression, self._names, named)

    def _keep(self, text: str, indent: int) -> str:
        name = f"t{self._temporaries}"
        self._temporaries += 1
        self.add(f"{name} = {text}", indent)
        return name

    def _write(self, expression: Expression, indent: int, *, exact: bool) -> tuple[str, int]:
        match expression:
            case Literal(value):
                return f"({value!r})", 1
            case Read():
                return self._places[expression], 1
            case Does(agent, action):
                return f"({self._places[agent]} == {action!r})", 1
            case Conditional() | Defined():
                return self._name(expression, indent), 1
            case _:
                written = [self._write(part, indent, exact=exact) for part in parts(expression)]
                depth = 1 + max((depth for _, depth in written), default=0)
                text = "(" + _join(expression, [text for text, _ in written], exact=exact) + ")"
                if depth < _DEEPEST:
                    return text, depth
                return self._keep(text, indent), 1

    def function(self, parameters: str) -> Callable[..., Any]:
        """Compile the lines to the body of a function."""
        source = "\n".join((f"def function({parameters}):", *self.lines))
        scope: dict[str, object] = dict(_HELPERS)
        exec(compile(source, "<model>", "exec"), scope)  # noqa: S102 - our own text, made from literals
        return cast("Callable[..., Any]", scope["function"])


def _join(expression: Expression, texts: list[str], *, exact: bool) -> str:
    match expression:
        case Not():
            return f"not {texts[0]}"
        case And():
            return " and ".join(texts) or "True"
        case Or():
            return " or ".join(texts) or "False"
        case Compare(operator):
            return f" {_COMPARISONS[operator]} ".join(texts)
        case Sum():
            if exact:
                return f"total(({', '.join(texts)},))"
            return f"sum(({', '.join(texts)},))" if len(texts) > _DEEPEST else " + ".join(texts)
        case Negative():
            return f"multiply(-1, {texts[0]})" if exact else f"-{texts[0]}"
        case BitComplement():
            return f"complement({texts[0]})"
        case Arithmetic("/"):
            return f"divide({', '.join(texts)})"
        case Arithmetic("div" | "mod" as operator):
            return f"{operator}({', '.join(texts)})"
        case Arithmetic("*"):
            return f"multiply({', '.join(texts)})" if exact else " * ".join(texts)
        case Arithmetic(operator):
            return f" {operator} ".join(texts)
        case Conditional():
            return "{1} if {0} else {2}".format(*texts)
        case Defined():
            return texts[0]
        case Literal() | Read() | Does():
            raise AssertionError(expression)


def condition_function(
    condition: Expression, places: Places, parameters: str
) -> Callable[..., Any]:
    """Compile a condition to a function of `parameters`."""
    text = FunctionText(places)
    text.add(f"return {text.expression(condition)}")
    return text.function(parameters)


def protocol_function(agent: Agent, places: Places, *, waits: bool = False) -> ProtocolFunction:
    """Compile a protocol to a function from own and seen values to the enabled actions.

    An agent that `waits` idles where it can do nothing.
    """
    text = FunctionText(places)
    if not agent.actions:
        text.add(f"return {(IDLE,)!r}")
    elif agent.is_environment and not agent.protocol and agent.other is None:
        text.add(f"return {agent.actions!r}")
    else:
        text.add("found = set()")
        text.add("matched = False")
        for line in agent.protocol:
            text.add(f"if {text.expression(line.condition)}:")
            text.add("matched = True", 2)
            text.add(f"found.update({tuple(line.actions)!r})", 2)
        text.add("if not matched:")
        text.add(f"found.update({tuple(agent.other or ())!r})", 2)
        waiting = f" or {(IDLE,)!r}" if waits else ""
        text.add(f"return tuple([a for a in {agent.actions!r} if a in found]){waiting}")
    return text.function("o, s")


def evolution_function(
    agent: Agent, semantics: Semantics, places: Places, most: int | None = None
) -> EvolutionFunction:
    """Compile an evolution to a function from own and seen values and actions to the outcome.

    It returns None where there are more than `most` alternatives, before they are made.
    """
    text = FunctionText(places)
    text.add("lost = False")
    if semantics != "SingleAssignment":
        _write_alternatives(text, agent)
    else:
        _write_variables(text, agent, most)
    return text.function("o, s, a")


def _write_alternatives(text: FunctionText, agent: Agent) -> None:
    """One enabled line gives one new local state."""
    text.add("new = []")
    text.add("still = True")
    text.ready(_changes(agent))
    for line in agent.evolution:
        text.add(f"if {text.expression(line.guard)}:")
        text.add("still = False", 2)
        names = _write_values(text, agent, line)
        values = [
            names.get(variable.name, f"o[{index}]")
            for index, variable in enumerate(agent.variables)
        ]
        text.add(f"    new.append(({''.join(value + ', ' for value in values)}))", 2)
        text.add("else:", 2)
        text.add("    lost = True", 2)
        text.close()
    text.add("if still:")
    text.add("    new.append(o)")
    text.add("return new, lost")


def _changes(agent: Agent) -> Iterator[Expression]:
    """Yield what lines assign; what is shared by guards is worked out before the first that needs it."""
    for line in agent.evolution:
        yield from (item.value for item in line.assignments)


def _write_values(text: FunctionText, agent: Agent, line: EvolutionLine) -> dict[str, str]:
    """Write the new values and the test that they are in range; return the names of the values."""
    domains = {variable.name: variable.domain for variable in agent.variables}
    names: dict[str, str] = {}
    checks = []
    for position, assignment in enumerate(line.assignments):
        name = f"v{position}"
        text.add(f"{name} = {text.expression(assignment.value, 2)}", 2)
        checks.append(_is_in(domains[assignment.variable], name))
        names[assignment.variable] = name
    text.add(f"if {' and '.join(checks) or 'True'}:", 2)
    return names


def _write_variables(text: FunctionText, agent: Agent, most: int | None) -> None:
    """For each variable by itself, one enabled line gives one new value."""
    text.add("new = [()]")
    text.ready(_changes(agent))
    for index, variable in enumerate(agent.variables):
        lines = [line for line in agent.evolution if line.assignments[0].variable == variable.name]
        text.add("values = []")
        text.add("still = True")
        for line in lines:
            text.add(f"if {text.expression(line.guard)}:")
            text.add("still = False", 2)
            _write_values(text, agent, line)
            text.add("    values.append(v0)", 2)
            text.add("else:", 2)
            text.add("    lost = True", 2)
            text.close()
        text.add("if still:")
        text.add(f"    values.append(o[{index}])")
        if most is not None:
            text.add(f"if len(new) * len(values) > {most}:")
            text.add("    return None")
        text.add("new = [(*local, value) for local in new for value in values]")
    text.add("return new, lost")


def _is_in(domain: Domain, name: str) -> str:
    match domain:
        case Boolean():
            return f"{name}.__class__ is bool"
        case Enumeration(names):
            return f"{name} in {names!r}"
        case IntegerRange(low, high):
            return f"{name}.__class__ is int and {low} <= {name} <= {high}"
        case Integers():
            return f"{name}.__class__ is int"
