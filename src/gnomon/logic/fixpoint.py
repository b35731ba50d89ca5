"""The three fixpoints that all temporal operators are made of, on any graph."""

from gnomon.engines.algebra import Graph, Set


def until(graph: Graph[Set], left: Set, right: Set) -> Set:
    """E[left U right] is the least Z with Z = right ∪ (left ∩ pre(Z))."""
    return graph.leads_to(right, left)


def globally(graph: Graph[Set], body: Set) -> Set:
    """EG body is the greatest Z with Z = body ∩ pre(Z)."""
    return graph.lasting(body)


def fair_globally(graph: Graph[Set], body: Set, constraints: tuple[Set, ...]) -> Set:
    """EG body on fair paths is the greatest Z = body ∩ ⋂ pre(E[Z U Z ∩ c]) over all constraints c.

    Emerson and Lei 1986.
    """
    found = globally(graph, body)
    while True:
        before = found
        for constraint in constraints:
            visits = until(graph, found, graph.intersection(found, constraint))
            found = graph.before(visits, found)
        if graph.is_subset(before, found):
            return found
