"""All steps that some agents by name may take part in, with whoever else it takes, kind by kind.

In each case everybody who is spoken of has a name: those asked about, somebody else who takes part, and those
whom guards look for. Where guards of local actions look at others, any number of agents act at once; where
they do not, it comes to the same to let one act after the other.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final, TypeAlias

from gnomon.engines.solvers.population_counts import ALONE, NOBODY_ELSE, Counting
from gnomon.engines.solvers.population_steps import (
    AgentTemplates,
    NamedSteps,
    local_actions,
    looked_for,
    looks_at_others,
    name_of,
)
from gnomon.engines.solvers.population_terms import PopulationTerms
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import LimitReached
from gnomon.model.parameterised.condition import positive
from gnomon.model.parameterised.system import OpenSystem, Part

#: A case: all agents that it speaks of, and what happens.
NamedCase: TypeAlias = tuple[AgentTemplates, list[Any]]

#: The most agents that the guards of one step look for.
_MOST_WITNESSES: Final = 4


class PopulationClauses:
    """Writes down the cases in which something happens to some agents."""

    def __init__(self, terms: PopulationTerms, counting: Counting) -> None:
        """Write about one system, with the numbers of agents in some classes."""
        self._terms = terms
        self._system: OpenSystem = terms.system
        self._steps = NamedSteps(terms)
        self._counting = counting

    def cases(self, names: AgentTemplates) -> Iterator[NamedCase]:
        """Yield all cases for some agents."""
        if any(self._looks(part) for part in self._system.part.values()):
            yield from self._at_once(names)
        else:
            yield from self._one_by_one(names)
        for action, kind in self._system.sync.items():
            if action not in self._system.environment.guards:
                continue
            match kind:
                case "one":
                    yield from self._by_one(names, action)
                case "some":
                    yield from self._by_some(names, action)
                case "all":
                    yield from self._by_all(names, action)

    def _looks(self, part: Part) -> bool:
        return any(looks_at_others(part.guards[action]) for action in local_actions(part))

    def _at_once(self, names: AgentTemplates) -> Iterator[NamedCase]:
        """Yield local actions of any of those who are named, and of others."""
        everybody = {ENVIRONMENT: ENVIRONMENT, **names}
        actions = {
            name: local_actions(self._system.part[owner]) for name, owner in everybody.items()
        }
        for present in self._with_witnesses(names, actions):
            parts = [
                self._terms.either(
                    (
                        self._steps.idle(name, owner),
                        *(self._steps.acts(name, owner, act, present) for act in actions[name]),
                    )
                )
                for name, owner in everybody.items()
            ]
            yield present, [*parts, *self._counting.changed(names, ALONE)]

    def _one_by_one(self, names: AgentTemplates) -> Iterator[NamedCase]:
        """Yield local actions of one of those who are named, and of others alone."""
        everybody = {ENVIRONMENT: ENVIRONMENT, **names}
        for mover, owner in everybody.items():
            actions = local_actions(self._system.part[owner])
            if actions:
                acts = [self._steps.acts(mover, owner, action, names) for action in actions]
                found = [*self._idle(everybody, mover), self._terms.either(acts)]
                yield names, [*found, *self._counting.changed(names, NOBODY_ELSE)]
        if self._counting.move_alone():
            yield names, [*self._idle(everybody), *self._counting.changed(names, ALONE)]

    def _idle(self, names: AgentTemplates, but: str = "") -> Iterator[Any]:
        return (self._steps.idle(name, owner) for name, owner in names.items() if name != but)

    def _by_one(self, names: AgentTemplates, action: str) -> Iterator[NamedCase]:
        for mover, owner in [*names.items(), *self._others(names, action)]:
            if action not in self._system.part[owner].guards:
                continue
            taking = {**names, mover: owner}
            asked = {ENVIRONMENT: [action], mover: [action]}
            for present in self._with_witnesses(taking, asked):
                acts = [
                    self._steps.acts(ENVIRONMENT, ENVIRONMENT, action, present),
                    self._steps.acts(mover, owner, action, present),
                ]
                changed = self._counting.changed(taking, NOBODY_ELSE)
                yield present, [*self._idle(names, mover), *acts, *changed]

    def _by_some(self, names: AgentTemplates, action: str) -> Iterator[NamedCase]:
        for others in [[], *([other] for other in self._others(names, action))]:
            taking = {**names, **dict(others)}
            asked = {name: [action] for name in (ENVIRONMENT, *taking)}
            for present in self._with_witnesses(taking, asked):
                moves = {n: self._steps.acts(n, t, action, present) for n, t in taking.items()}
                somebody = self._terms.either(moves[name] for name, _ in others or names.items())
                parts = [
                    self._steps.acts(ENVIRONMENT, ENVIRONMENT, action, present),
                    somebody,
                    *(
                        self._terms.either((self._steps.idle(n, t), moves[n]))
                        for n, t in names.items()
                    ),
                ]
                yield present, [*parts, *self._counting.changed(taking, action)]

    def _by_all(self, names: AgentTemplates, action: str) -> Iterator[NamedCase]:
        for present in self._with_witnesses(names, {ENVIRONMENT: [action]}):
            parts = [self._steps.acts(ENVIRONMENT, ENVIRONMENT, action, present)]
            for name, owner in names.items():
                left = (
                    self._steps.cannot(name, owner, action, present),
                    self._steps.idle(name, owner),
                )
                acts = self._steps.acts(name, owner, action, present)
                parts.append(self._terms.either((self._terms.both(left), acts)))
            yield present, [*parts, *self._counting.changed(names, action)]

    def _others(self, names: AgentTemplates, action: str) -> list[tuple[str, str]]:
        """Return somebody else for each template that knows an action."""
        return [
            (name_of(len(names)), part.name)
            for part in self._system.templates
            if action in part.guards and is_within([*names.values(), part.name], part)
        ]

    def _with_witnesses(
        self, names: AgentTemplates, asked: Mapping[str, Sequence[str]]
    ) -> Iterator[dict[str, str]]:
        """Yield the agents with some more whom the guards of their actions may look for."""
        looked: list[str] = []
        for name, actions in asked.items():
            guards = self._system.part[names.get(name, ENVIRONMENT)].guards
            each = [list(looked_for(positive(guards[act]))) for act in actions if act in guards]
            if each:
                longest: list[str] = max(each, key=len)
                looked += longest
        if len(looked) > _MOST_WITNESSES:
            msg = f"the guards of one step look for more than {_MOST_WITNESSES} agents"
            raise LimitReached(msg)
        most = {template: looked.count(template) for template in looked}
        for numbers in product(*(range(number + 1) for number in most.values())):
            found = dict(names)
            for template, number in zip(most, numbers, strict=True):
                found |= {name_of(len(found) + n): template for n in range(number)}
            if all(is_within(found.values(), part) for part in self._system.templates):
                yield found


def is_within(templates: Iterable[str], part: Part) -> bool:
    """Return whether there may be so many agents of a template."""
    return part.high is None or list(templates).count(part.name) <= part.high
