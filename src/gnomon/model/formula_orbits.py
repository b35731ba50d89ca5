"""Formulae that have one verdict, since agents may change places; whom a formula speaks of."""

from collections.abc import Iterator

from gnomon.model import formula as logic
from gnomon.model import node
from gnomon.model.node import Expression, parts
from gnomon.model.numbered_names import IndexFamily, NameKind
from gnomon.model.pointing import named, number_names, pointing_variables
from gnomon.model.symmetry import Shapes, symmetries
from gnomon.model.system import System


class FormulaOrbits:
    """Which formulae about a system have one verdict, since its agents may change places."""

    def __init__(self, system: System) -> None:
        """Look for agents that may."""
        self._system = system
        self._shapes = Shapes(pointing_variables(system))
        self.symmetries = symmetries(system)

    def orbit(self, formula: logic.Formula) -> int:
        """Return a number that only formulae with the same verdict have."""
        changes = [
            (each.family, each.to_the_front(self._appearing(each.family, formula)))
            for each in self.symmetries
        ]

        def rename(kind: NameKind, name: str) -> str:
            for family, change in changes:
                name = family.renamed(kind, name, change)
            return name

        return self._shapes.formula(self._system, formula, rename)

    def _appearing(self, family: IndexFamily, formula: logic.Formula) -> Iterator[int]:
        """Yield the members in the order in which a formula speaks of them."""
        for part in logic.walk(formula):
            match part:
                case logic.Proposition(name):
                    yield from spoken_of(family, self._system.propositions[name])
                case logic.StateCondition(expression):
                    yield from spoken_of(family, expression)
                case logic.Norm(agent) | logic.Knows(agent) | logic.Obliged(agent):
                    yield from family.found_in("agent", agent)
                case logic.GroupKnows(_, group) | logic.Enforces(group):
                    for member in group.members:
                        yield from family.found_in("agent", member)
                case _:
                    continue


def spoken_of(family: IndexFamily, expression: Expression) -> Iterator[int]:
    """Yield the members that an expression speaks of, in order and as often as it does."""
    seen: set[int] = set()
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        waiting += reversed(parts(part))
        match part:
            case node.Read(agent, variable):
                yield from family.found_in("agent", agent)
                yield from family.found_in("variable", variable)
            case node.Does(agent, action):
                yield from family.found_in("agent", agent)
                yield from family.found_in("action", action)
            case node.Literal(value) if isinstance(value, str):
                yield from family.found_in("value", value)
            case node.Compare():
                pointed = named(part)
                if pointed is not None:
                    for name in number_names(pointed[1], pointed[2:]):
                        yield from family.found_in("number", name)
            case _:
                continue
