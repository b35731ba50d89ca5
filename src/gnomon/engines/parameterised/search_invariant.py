"""What a search that found nothing proves, in a form that can be checked without it."""

from typing import Any, Final, TypeAlias

from gnomon.engines.parameterised.backward import BackwardSearch
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.ground_facts import GroundFacts, Literals
from gnomon.engines.parameterised.local_sets import LocalSet, bits
from gnomon.engines.parameterised.local_space import BitSpace, LocalSpace, boxes
from gnomon.engines.parameterised.saturation import Saturation
from gnomon.model.agent import ENVIRONMENT

#: Ready for JSON; `gnomon.certificate.parameterised` says what it means and checks it.
Invariant: TypeAlias = dict[str, Any]
#: More cases than this are not written out.
MOST_CASES: Final = 5_000


def of_saturation(search: Saturation) -> Invariant | None:
    """Return what holds always: one of some cases, with what may be occupied; None if they are too many."""
    program = search.program
    spaces = program.spaces
    cases: list[Invariant] = []
    if not _is_listed(program):
        return None
    for (occupied, facts), states in search.seen.items():
        limits = {
            name: _boxes(spaces[name], mask)
            for name, mask in zip(program.names, occupied, strict=True)
        }
        told = _facts(program.facts, facts)
        assert isinstance(states, int)
        for state in bits(states):
            values = list(spaces[ENVIRONMENT].state(state))
            cases.append({"environment": values, "occupied": limits, "facts": told})
            if len(cases) > MOST_CASES:
                return None
    return {"kind": "occupied", "cases": cases}


def _is_listed(program: CompiledPopulation) -> bool:
    """Return whether all sets of local states are integers, which can be written out."""
    return all(isinstance(space, BitSpace) for space in program.spaces.values())


def of_search(search: BackwardSearch) -> Invariant | None:
    """Return what holds never: some different agents in these states, with the environment in those."""
    program = search.program
    spaces = program.spaces
    if not _is_listed(program):
        return None
    return {
        "kind": "avoided",
        "within": {name: _boxes(spaces[name], mask) for name, mask in program.within.items()},
        "cubes": [
            {
                "environment": _boxes(spaces[ENVIRONMENT], demand.environment),
                "agents": [[name, _boxes(spaces[name], mask)] for name, mask in demand.agents],
                "facts": _facts(program.facts, demand.facts),
            }
            for demand in search.visited
            if demand.used
        ],
    }


def _boxes(space: LocalSpace, mask: LocalSet) -> list[list[list[Any]]]:
    assert isinstance(mask, int)
    return [[[name, list(values)] for name, values in box] for box in boxes(space, mask)]


def _facts(facts: GroundFacts, literals: Literals) -> list[list[Any]]:
    found = []
    for literal in sorted(literals, key=abs):
        relation, arguments, value = facts.atoms[abs(literal) - 1]
        found.append([relation, list(arguments), value, literal > 0])
    return found
