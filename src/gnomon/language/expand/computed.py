"""Indices that no number is known for before a run: `x[Environment.i]` is left to the model."""

from gnomon.language import syntax
from gnomon.language.expand.ranges import Bindings, IndexReader
from gnomon.text.record import walk


class ComputedIndices:
    """Tells the indices that read variables, or look at actions, from those that are numbers."""

    def __init__(self, indices: IndexReader, program: syntax.Program) -> None:
        """Look at the indices of a program."""
        self.indices = indices
        self.program = program
        self._readable: frozenset[str] | None = None
        #: How often it was looked at what all of the program declares.
        self.looked = 0

    def stand_in(self, name: syntax.Name, bound: Bindings) -> bool:
        """Return whether some index of a name reads something, or looks at an action."""
        if not name.indices or any(isinstance(index, syntax.Binder) for index in name.indices):
            return False
        return any(self._reads(part, bound) for part in walk(name.indices))

    def _reads(self, part: object, bound: Bindings) -> bool:
        match part:
            case syntax.Reference(None, syntax.Name(text, ())):
                known = text in bound or text in self.indices.constants
                return not known and text in self._names()
            case syntax.Reference() | syntax.ActionIs() | syntax.ActionOf():
                return True
            case _:
                return False

    def _names(self) -> frozenset[str]:
        """Return the names of variables, definitions and values that run through types, without indices."""
        self.looked += 1
        if self._readable is None:
            declared = tuple((agent.variables, agent.observed) for agent in self.program.agents)
            self._readable = frozenset(
                part.name.text
                for part in walk((declared, self.program.definitions))
                if isinstance(part, (syntax.VariableDeclaration, syntax.Definition))
            )
            if self.program.types:
                self._readable |= frozenset(
                    part.variable
                    for part in walk(self.program)
                    if isinstance(part, syntax.Binder) and isinstance(part.domain, syntax.Name)
                )
        return self._readable
