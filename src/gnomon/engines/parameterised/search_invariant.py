"""What a search that found nothing proves, in a form that can be checked without it."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final, TypeAlias

from gnomon.engines.parameterised.backward import BackwardSearch
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.decided_sets import decided
from gnomon.engines.parameterised.ground_facts import GroundFacts, Literals
from gnomon.engines.parameterised.local_sets import LocalSet, bits
from gnomon.engines.parameterised.local_space import BitSpace, LocalSpace, boxes
from gnomon.engines.parameterised.saturation import Saturation
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import OutOfReach
from gnomon.model.domain import Datum

#: Ready for JSON; `gnomon.certificate.parameterised` says what it means and checks it.
Invariant: TypeAlias = dict[str, Any]
#: For what agents of a template see of the environment, in which states of their own they see it.
ViewSets: TypeAlias = Mapping[tuple[Datum, ...], LocalSet]
#: More cases than this are not written out.
MOST_CASES: Final = 5_000
#: A set with more boxes is written down as decisions.
_MOST_BOXES: Final = 500


def of_saturation(search: Saturation, *, large: bool = False) -> Invariant | None:
    """Return what holds always: one of some cases, with what may be occupied; None if they are too many.

    A `large` one has the states of the environment together that have the same occupied, and sets of states
    as decisions where they have no few boxes.
    """
    cases = sum(states.bit_count() for states in search.seen.values())
    if not large and (not _is_listed(search.program) or cases > MOST_CASES):
        return None
    if len(search.seen) > MOST_CASES:
        return None
    try:
        found = list(_cases(search.program, search, together=cases > MOST_CASES))
    except OutOfReach:
        return None
    return {"kind": "occupied", "cases": found}


def _cases(
    program: CompiledPopulation, search: Saturation, *, together: bool
) -> Iterator[Invariant]:
    """Yield the cases: one for each state of the environment, unless all with the same are `together`."""
    spaces = program.spaces
    own = spaces[ENVIRONMENT]
    for (occupied, facts), states in search.seen.items():
        limits = {
            name: _region(spaces[name], mask)
            for name, mask in zip(program.names, occupied, strict=True)
        }
        case = {"occupied": limits, "facts": _facts(program.facts, facts)}
        if together or not isinstance(states, int):
            yield {"environment": {"states": _region(own, states)}, **case}
        else:
            for state in bits(states):
                yield {"environment": list(own.state(state)), **case}


def of_search(search: BackwardSearch, *, large: bool = False) -> Invariant | None:
    """Return what holds never: some different agents in these states, with the environment in those."""
    program = search.program
    spaces = program.spaces
    if not large and not _is_listed(program):
        return None
    try:
        return {
            "kind": "avoided",
            "within": {name: _region(spaces[name], mask) for name, mask in program.within.items()},
            "cubes": [
                {
                    "environment": _region(spaces[ENVIRONMENT], demand.environment),
                    "agents": [[name, _region(spaces[name], mask)] for name, mask in demand.agents],
                    "facts": _facts(program.facts, demand.facts),
                }
                for demand in search.visited
                if demand.used
            ],
        }
    except OutOfReach:
        return None


def written_views(program: CompiledPopulation, name: str, views: ViewSets) -> list[Any] | None:
    """Return sets of an agent's states by what it sees, in the same form."""
    if not _is_listed(program):
        return None
    return [[list(seen), _boxes(program.spaces[name], states)] for seen, states in views.items()]


def _is_listed(program: CompiledPopulation) -> bool:
    """Return whether all sets of local states are integers, which can be written out."""
    return all(isinstance(space, BitSpace) for space in program.spaces.values())


def _region(space: LocalSpace, mask: LocalSet) -> Any:
    """Return a set as boxes or, where these are too many, as decisions."""
    states = space.full & mask
    if isinstance(states, int):
        found = list(islice(boxes(space, states), _MOST_BOXES + 1))
        if len(found) <= _MOST_BOXES:
            return [[[name, list(values)] for name, values in box] for box in found]
    return decided(space, states)


def _boxes(space: LocalSpace, mask: LocalSet) -> list[list[list[Any]]]:
    assert isinstance(mask, int)
    return [[[name, list(values)] for name, values in box] for box in boxes(space, mask)]


def _facts(facts: GroundFacts, literals: Literals) -> list[list[Any]]:
    found = []
    for literal in sorted(literals, key=abs):
        relation, arguments, value = facts.atoms[abs(literal) - 1]
        found.append([relation, list(arguments), value, literal > 0])
    return found
