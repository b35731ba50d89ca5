"""The lines of a program, section by section."""

from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap

from gnomon.language.line_writer import WIDTH
from gnomon.model.agent import ENVIRONMENT, Agent, Assignment, Variable
from gnomon.model.domain import Boolean, Enumeration, IntegerRange, Integers, OpenEnumeration
from gnomon.model.expression import TRUE, Expression, show
from gnomon.model.fold.expressions import is_constant
from gnomon.model.system import Specification, System
from gnomon.model.translation import CannotExport
from gnomon.results.export.identifiers import Identifiers
from gnomon.results.export.mcmas_conditions import Wording
from gnomon.results.export.mcmas_formulae import spelled
from gnomon.results.styled import visible


class ProgramWriter:
    """A system that has all that MCMAS insists on, as a program."""

    def __init__(self, system: System, notes: Mapping[int, str]) -> None:
        """Take the comments on formulae by their place from 0."""
        self.system = system
        self.notes = notes
        self.names = Identifiers(system)
        self.words = Wording(system, self.names)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the program, laid out no further."""
        system = self.system
        yield f"Semantics = {system.semantics};"
        for agent in system.agents:
            if not agent.is_environment or agent.variables or agent.actions:
                yield from self._agent(agent)
        yield "Evaluation"
        for name, condition in system.propositions.items():
            yield f"{self.names.propositions[name]} if {self.words.condition(condition, None)};"
        yield from ("end Evaluation", "InitStates")
        yield f"{self.words.initial()};"
        yield "end InitStates"
        if system.groups:
            yield "Groups"
            for name, group in system.groups.items():
                members = ", ".join(self.names.agents[member] for member in group.members)
                yield f"{self.names.groups[name]} = {{{members}}};"
            yield "end Groups"
        if system.fairness:
            yield "Fairness"
            yield from (f"{spelled(item, self.names)};" for item in system.fairness)
            yield "end Fairness"
        yield "Formulae"
        for number, item in enumerate(system.specifications):
            if number in self.notes:
                words = visible(self.notes[number], "\n\t")
                yield from (f"-- {line}" for line in wrap(words, WIDTH - 5))
            yield from _said(item)
            yield f"{spelled(item, self.names)};"
        yield "end Formulae"

    # Agents

    def _agent(self, agent: Agent) -> Iterator[str]:
        yield f"Agent {self.names.agents[agent.name]}"
        yield from self._variables(agent)
        if agent.red is not None:
            yield f"RedStates: {self.words.condition(agent.red, agent)}; end RedStates"
        yield f"Actions = {{{self._actions(agent, agent.actions)}}};"
        yield "Protocol:"
        for condition, actions in self._protocol(agent):
            yield f"{condition} : {{{self._actions(agent, actions)}}};"
        yield from ("end Protocol", "Evolution:")
        for line in agent.evolution:
            assigned = " and ".join(self._assigned(agent, item) for item in line.assignments)
            yield f"{assigned} if {self.words.condition(line.guard, agent)};"
        yield from ("end Evolution", "end Agent")

    def _variables(self, agent: Agent) -> Iterator[str]:
        hidden = {
            variable.name for variable in self.system.environment.variables if not variable.observed
        }
        seen = [self.names.variables[ENVIRONMENT, name] for name in agent.sees if name in hidden]
        if seen and not agent.is_environment:
            yield f"Lobsvars = {{{', '.join(seen)}}};"
        for observed, section in ((True, "Obsvars"), (False, "Vars")):
            found = [
                v for v in agent.variables if (v.observed and agent.is_environment) == observed
            ]
            if found:
                yield f"{section}:"
                yield from (f"{self._name(agent, v.name)} : {self._domain(v)};" for v in found)
                yield f"end {section}"

    def _name(self, agent: Agent, variable: str) -> str:
        return self.names.variables[agent.name, variable]

    def _domain(self, variable: Variable) -> str:
        match variable.domain:
            case OpenEnumeration():
                raise CannotExport(f"the values of `{variable.domain}` are not listed")
            case Enumeration(names):
                return "{" + ", ".join(self.names.values[name] for name in names) + "}"
            case Boolean() | IntegerRange() | Integers():
                return str(variable.domain)

    def _actions(self, agent: Agent, actions: Iterable[str]) -> str:
        return ", ".join(self.names.actions[agent.name, action] for action in actions)

    def _protocol(self, agent: Agent) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the lines of a protocol; what is always allowed goes into each of them, and into `Other`."""
        always: list[str] | None = None
        found: dict[Expression, list[str]] = {}
        for line in agent.protocol:
            if is_constant(line.condition, TRUE):
                always = [*(always or ()), *line.actions]
            else:
                found.setdefault(line.condition, []).extend(line.actions)
        for condition, actions in found.items():
            yield (
                self.words.condition(condition, agent),
                tuple(dict.fromkeys((*(always or ()), *actions))),
            )
        # Even where it allows nothing, it has to be said: an environment without any line may do everything.
        other = agent.other if always is None else tuple(dict.fromkeys(always))
        if other is not None:
            yield "Other", other

    def _assigned(self, agent: Agent, item: Assignment) -> str:
        return f"{self._name(agent, item.variable)} = {show(self.words.value(item.value, agent))}"


def _said(item: Specification) -> Iterator[str]:
    """Yield the comment that names a formula and says what to expect of it, which MCMAS skips."""
    expected = item.expected and f"expect {item.expected}"
    words = [word for word in (item.name, expected) if word]
    if words:
        yield f"--! {' '.join(words)}"
