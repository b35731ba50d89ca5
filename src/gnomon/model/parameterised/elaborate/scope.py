"""What names mean in a program with templates: types, relations, parts and their variables."""

from dataclasses import dataclass, field

from gnomon.model.domain import Domain
from gnomon.model.elaborate.scope import AgentNames, Names
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.system import Relation
from gnomon.text.source import Span


@dataclass(slots=True)
class OpenNames:
    """All the names of a program. The variables of a part belong to `self`, or to `Environment`."""

    types: dict[str, Domain] = field(default_factory=dict)
    relations: dict[str, Relation] = field(default_factory=dict)
    parts: Names = field(default_factory=Names)
    propositions: dict[str, Condition] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)

    @property
    def templates(self) -> dict[str, AgentNames]:
        """Return the names of the templates."""
        return {name: agent for name, agent in self.parts.agents.items() if name != "Environment"}
