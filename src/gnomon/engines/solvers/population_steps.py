"""Steps of some agents by name, as formulae of the solver: who does what, and what becomes of each.

Different names are different agents, and all of them are there. What guards look for is looked for among
them, and what is asked of every agent is asked of them: so less is demanded than of a whole population, and
nothing that can happen there is missed.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from gnomon.engines.solvers.population_terms import PopulationTerms
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Domain
from gnomon.model.parameterised.condition import (
    FALSE,
    SELF,
    TRUE,
    And,
    Condition,
    Exists,
    Forall,
    Holds,
    Not,
    Or,
    positive,
    renamed,
    walk,
)
from gnomon.model.parameterised.system import OpenSystem, Part

#: The template of each agent by its name.
AgentTemplates: TypeAlias = Mapping[str, str]


def name_of(number: int) -> str:
    """Return the name of an agent, which stands in no program."""
    return f"@{number}"


def later(name: str) -> str:
    """Return the name under which somebody has the variables after the step."""
    return f"{name}'"


def among(condition: Condition, names: AgentTemplates, *, witnesses: bool = True) -> Condition:
    """Return what a positive condition says of some agents, given the template of each.

    What looks for somebody for every agent is left out, and, without `witnesses`, whatever looks for anybody.
    """
    match condition:
        case Exists(index, template, body):
            if not witnesses:
                return TRUE
            found = (renamed(body, {index: name}) for name in _of(names, template))
            return Or(tuple(among(each, names) for each in found))
        case Forall(index, template, body):
            asked = (renamed(body, {index: name}) for name in _of(names, template))
            return And(tuple(among(each, names, witnesses=False) for each in asked))
        case And(operands) | Or(operands):
            return type(condition)(
                tuple(among(each, names, witnesses=witnesses) for each in operands)
            )
        case _:
            return condition


def _of(names: AgentTemplates, template: str) -> list[str]:
    return [name for name, own in names.items() if own == template]


def looked_for(condition: Condition) -> Iterator[str]:
    """Yield the template of each agent that a positive condition looks for, but for every agent."""
    waiting = [condition]
    while waiting:
        match waiting.pop():
            case Exists(_, template, body):
                yield template
                waiting.append(body)
            case And(operands) | Or(operands):
                waiting.extend(operands)
            case _:
                pass


def looks_at_others(condition: Condition) -> bool:
    """Return whether a condition asks for anybody but its owner and the environment."""
    return any(isinstance(part, (Exists, Forall)) for part in walk(condition))


class NamedSteps:
    """Writes down what agents do, for some who have names."""

    def __init__(self, terms: PopulationTerms) -> None:
        """Write about one system."""
        self._terms = terms
        self._system: OpenSystem = terms.system

    def holds(self, condition: Condition, names: AgentTemplates, *, loosely: bool = False) -> Any:
        """Return a condition on these agents; `loosely` all whom it looks for are there."""
        found = among(positive(condition), names, witnesses=not loosely)
        return self._terms.condition(found, names)

    def typed(self, names: AgentTemplates) -> list[Any]:
        """Return that all variables have values of their types, those of the environment as well."""
        every = {ENVIRONMENT: ENVIRONMENT, **names}
        return [part for name, owner in every.items() for part in self._terms.typed(name, owner)]

    def initial(self, names: AgentTemplates) -> list[Any]:
        """Return that everybody is as in the beginning."""
        found = [self.holds(self._system.environment.initial, {})]
        for name, owner in names.items():
            start = renamed(self._system.part[owner].initial, {SELF: name})
            found.append(self.holds(start, names))
        return found

    def idle(self, name: str, owner: str) -> Any:
        """Return that somebody keeps its state."""
        return self._terms.both(
            new == old for _, old, new in self._variables(name, self._system.part[owner])
        )

    def acts(
        self,
        name: str,
        owner: str,
        action: str,
        names: AgentTemplates,
        *,
        loosely: bool = False,
    ) -> Any:
        """Return that somebody can do an action, and does; `loosely` all whom it looks for are there."""
        part = self._system.part[owner]
        if action not in part.guards:
            return self._terms.condition(FALSE, names)
        guard = renamed(part.guards[action], {SELF: name})
        allowed = self.holds(guard, names, loosely=loosely)
        return self._terms.both((allowed, *self._changed(name, part, action)))

    def cannot(self, name: str, owner: str, action: str, names: AgentTemplates) -> Any:
        """Return that somebody is not able to do an action, as far as it sees itself and the environment."""
        part = self._system.part[owner]
        if action not in part.guards:
            return self._terms.condition(TRUE, names)
        denied = positive(Not(renamed(part.guards[action], {SELF: name})))
        forbidden = self._terms.condition(among(denied, names, witnesses=False), names)
        within = (
            self._terms.within(value, domain)
            for _, value, domain in self._values(name, part, action)
        )
        return self._terms.either((forbidden, self._terms.negation(self._terms.both(within))))

    def _changed(self, name: str, part: Part, action: str) -> Iterator[Any]:
        values = {variable: term for variable, term, _ in self._values(name, part, action)}
        for variable, old, new in self._variables(name, part):
            yield new == values.get(variable, old)
        yield from self._terms.typed(later(name), part.name)

    def _values(self, name: str, part: Part, action: str) -> Iterator[tuple[str, Any, Domain]]:
        """Yield what becomes of the variables that an action may change."""
        lines = self._system.effects[part.name, action]
        who = {name: part.name} if part.name != ENVIRONMENT else {}
        for variable in part.variables:
            old = value = self._terms.variable(name, part.name, variable.name)
            for guard, change in lines:
                for item in change.line.assignments:
                    if item.variable != variable.name:
                        continue
                    mine = renamed(Holds(guard), {SELF: name})
                    assigned = renamed(Holds(item.value), {SELF: name})
                    assert isinstance(assigned, Holds)
                    term = self._terms.term(assigned.expression, who, variable.domain)
                    value = self._terms.choice(self._terms.condition(mine, who), term, value)
            if value is not old:
                yield variable.name, value, variable.domain

    def _variables(self, name: str, part: Part) -> Iterator[tuple[str, Any, Any]]:
        for variable in part.variables:
            old = self._terms.variable(name, part.name, variable.name)
            new = self._terms.variable(later(name), part.name, variable.name)
            yield variable.name, old, new


def local_actions(part: Part) -> list[str]:
    """Return what a part may do alone."""
    return [action for action in part.local if action in part.guards]
