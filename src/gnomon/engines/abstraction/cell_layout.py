"""The order of the bits of cells, actions and choices in decision diagrams."""

from collections.abc import Iterable
from typing import Final

from gnomon.engines.abstraction.cell_codes import key_of
from gnomon.engines.abstraction.cell_moves import choice_name
from gnomon.engines.abstraction.linear import form_of
from gnomon.engines.abstraction.partition import Partition, reads_of
from gnomon.engines.diagrams.bit_layout import Beside, BitLayout, lay_out, structure_of
from gnomon.engines.diagrams.interface import Diagrams
from gnomon.engines.diagrams.ties import LayoutItem
from gnomon.engines.diagrams.with_oxidd import OxiddDiagrams
from gnomon.model.agent import Variable
from gnomon.model.domain import IntegerRange, size_of
from gnomon.model.expression import Read
from gnomon.model.formula import Formula
from gnomon.model.system import System
from gnomon.text.record import replace

_FEW_BITS: Final = 28
_MANY_BITS: Final = 400
_NODES: Final = {"few": 1 << 15, "many": 1 << 25}
_RESULTS: Final = {"few": 1 << 14, "many": 1 << 20}


def size_in(partition: Partition, variable: Variable) -> int:
    """Return how many codes a variable has: its pieces, or its values."""
    read = Read(variable.agent, variable.name)
    if read in partition.coarse:
        return partition.size(form_of(read))
    return size_of(variable.domain) or 1


def _shadow(partition: Partition) -> System:
    """Return the system with the numbers of pieces for the numbers that are cut: good for an order."""
    system = partition.system
    agents = []
    for agent in system.agents:
        variables = tuple(
            replace(variable, domain=IntegerRange(0, size_in(partition, variable) - 1))
            if Read(variable.agent, variable.name) in partition.coarse
            else variable
            for variable in agent.variables
        )
        agents.append(replace(agent, variables=variables))
    return System(
        system.name,
        tuple(agents),
        system.initial,
        system.semantics,
        system.propositions,
        system.groups,
        system.fairness,
        system.specifications,
    )


def layout_of(partition: Partition, formulae: Iterable[Formula]) -> BitLayout:
    """Return the order of all bits: those of the codes, of actions and of choices."""
    shadow = _shadow(partition)
    structure = structure_of(shadow, list(formulae))
    return lay_out(shadow, structure, beside=_beside(partition))


def _beside(partition: Partition) -> dict[LayoutItem, list[Beside]]:
    """Return the bits of relations and of choices, beside what they belong to."""
    beside: dict[LayoutItem, list[Beside]] = {}
    system = partition.system
    changing = {
        Read(agent.name, item.variable)
        for agent in system.agents
        for line in agent.evolution
        for item in line.assignments
    }
    for quantity in partition.relations:
        reads = reads_of(quantity)
        last = reads[-1]
        bits = (partition.size(quantity) - 1).bit_length()
        moves = bool(changing.intersection(reads))
        beside.setdefault((last.agent, last.variable), []).append(
            Beside(key_of(quantity), bits, moves)
        )
    for agent in system.agents:
        for line_variables in _chosen(system, agent.name):
            name, variable, count = line_variables
            bits = count.bit_length()
            beside.setdefault((agent.name, variable), []).append(Beside(name, bits))
    return beside


def _chosen(system: System, name: str) -> Iterable[tuple[str, str, int]]:
    """Return the choices of an agent: their names, a variable, and how many lines there are at most."""
    agent = system.agent(name)
    if system.semantics == "MultiAssignment":
        if agent.evolution:
            first = agent.evolution[0].assignments[0].variable
            yield choice_name(name), first, len(agent.evolution)
        return
    for variable in agent.variables:
        lines = [x for x in agent.evolution if x.assignments[0].variable == variable.name]
        if lines:
            yield choice_name(name, variable.name), variable.name, len(lines)


def diagrams_for(layout: BitLayout) -> Diagrams:
    """Return a manager of diagrams with room for that many bits."""
    size = "few" if layout.size <= _FEW_BITS else "many"
    results = _RESULTS[size] * (4 if layout.size > _MANY_BITS else 1)
    return OxiddDiagrams(layout.size, _NODES[size], results)
