"""Some of the initial states, by what variables are worth there: texts such as `Environment.west=1`.

`=` and `<>` are the relations there are, so that what is left without one part can always be said as well.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from gnomon.model.domain import Boolean, Datum, Domain, contains, is_number, show_value
from gnomon.model.expression import And, Compare, Expression, Literal, Read
from gnomon.model.system import System


class StartCondition(NamedTuple):
    """What a variable is, or is not, in an initial state; the value as it is written."""

    agent: str
    variable: str
    equal: bool
    value: str

    def __str__(self) -> str:
        """Show it as options have it."""
        return f"{self.agent}.{self.variable}{'=' if self.equal else '<>'}{self.value}"


def read_start(text: str) -> StartCondition | None:
    """Return the condition that a text stands for; None where it has not the form of one."""
    relation = "<>" if "<>" in text else "="
    place, _, value = (part.strip() for part in text.partition(relation))
    agent, _, variable = place.partition(".")
    if not (agent and variable and value):
        return None
    return StartCondition(agent, variable, relation == "=", value)


def start_expression(system: System, condition: StartCondition) -> Expression | None:
    """Return what a condition says of a state; None where the system has no such variable or value."""
    place = system.position.get((condition.agent, condition.variable))
    if place is None:
        return None
    value = _value_of(system.variables[place].domain, condition.value)
    if value is None:
        return None
    read = Read(condition.agent, condition.variable)
    return Compare("=" if condition.equal else "<>", read, Literal(value))


def _value_of(domain: Domain, text: str) -> Datum | None:
    value: Datum = text
    if isinstance(domain, Boolean):
        value = text == "true" if text in {"true", "false"} else text
    elif is_number(domain):
        digits = text.removeprefix("-")
        value = int(text) if digits.isdecimal() and digits.isascii() else text
    return value if contains(domain, value) else None


def start_conditions(system: System, texts: Sequence[str]) -> Expression:
    """Return what several conditions say together; raise `ValueError` where one does not fit the system."""
    found = []
    for text in texts:
        condition = read_start(text)
        expression = None if condition is None else start_expression(system, condition)
        if expression is None:
            msg = f"{text!r} says nothing about a variable of the model"
            raise ValueError(msg)
        found.append(expression)
    return And(tuple(found))


def started(system: System, texts: Sequence[str]) -> System:
    """Return a system with only those of its initial states in which all conditions hold."""
    if not texts:
        return system
    return replace(system, initial=And((system.initial, start_conditions(system, texts))))


def show_start(agent: str, variable: str, value: Datum, *, equal: bool) -> str:
    """Return a condition as a text."""
    return str(StartCondition(agent, variable, equal, show_value(value)))
