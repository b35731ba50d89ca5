"""What a program declares, as it is written: the names that everything else in it may use."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from gnomon.editing.symbols import Symbol, SymbolKind
from gnomon.language import syntax
from gnomon.language.syntax import each_line
from gnomon.text.record import walk


@dataclass(slots=True)
class AgentScope:
    """What an agent declares."""

    name: str
    variables: set[str] = field(default_factory=set)
    actions: set[str] = field(default_factory=set)


class DeclaredNames:
    """What a program declares, before anything that uses it is looked at."""

    def __init__(self, program: syntax.Program) -> None:
        """Collect them."""
        self.agents: dict[str, AgentScope] = {}
        self.templates: set[str] = set()
        self.values: set[str] = set()
        #: Actions of one name that are one: where agents act together by it.
        self.joint: set[str] = set()
        self.interleaved = program.semantics == "Interleaved"
        for agent in program.agents:
            self._declare(agent)
        for declared in program.types:
            self._values(declared.type)
        self.parameters = {name.text for line in program.parameters for name in line.names}
        self.constants = {constant.name for constant in program.constants}
        self.types = {declared.name.text for declared in program.types}
        self.pointers = dict(self._pointers(program))
        self.relations = {declared.name.text for declared in program.relations}
        lines = () if program.definitions is None else program.definitions.lines
        self.definitions = {line.name.text for line in each_line(lines)}
        self.propositions = {line.name.text for line in each_line(program.evaluation or ())}
        self.groups = {line.name.text for line in each_line(program.groups)}
        #: Whether actions are compared with values, so that they are the same things.
        self.actions_are_values = any(isinstance(part, syntax.ActionOf) for part in walk(program))

    def _declare(self, agent: syntax.Agent) -> None:
        own = self.agents.setdefault(agent.name.text, AgentScope(agent.name.text))
        if agent.kind == "template":
            self.templates.add(agent.name.text)
        for line in (*(agent.observed or ()), *(agent.variables or ())):
            for each in each_line((line,)):
                own.variables.add(each.name.text)
                self._values(each.type)
        own.actions.update(name.text for name in agent.actions or ())
        for synchronised in agent.synchronised or ():
            own.actions.add(synchronised.name.text)
            self.joint.add(synchronised.name.text)

    def _pointers(self, program: syntax.Program) -> Iterator[tuple[str, str]]:
        """Yield the variables of the environment that are agents of templates, with these."""
        for agent in program.agents:
            for line in (*(agent.observed or ()), *(agent.variables or ())):
                match line:
                    case syntax.VariableDeclaration(name, syntax.NamedType(template)):
                        if agent.kind == "environment" and self.is_pointed_to(template.text):
                            yield name.text, template.text

    def is_pointed_to(self, name: str) -> bool:
        """Return whether a name in the place of a type is that of a template."""
        return name in self.templates and name not in self.types

    def _values(self, type_: syntax.Type) -> None:
        if isinstance(type_, syntax.EnumerationType):
            self.values.update(value.text for value in type_.values)

    def agent(self, name: str) -> Symbol:
        """Return the agent or template of a name."""
        kind = SymbolKind.TEMPLATE if name in self.templates else SymbolKind.AGENT
        return Symbol(kind, name)

    def action(self, agent: str, name: str) -> Symbol:
        """Return an action; those of one name are one symbol where agents act together by it, or store it."""
        if self.actions_are_values and name in self.values:
            return Symbol(SymbolKind.VALUE, name)
        shared = self.interleaved or self.actions_are_values or name in self.joint
        return Symbol(SymbolKind.ACTION, name, "" if shared else agent)
