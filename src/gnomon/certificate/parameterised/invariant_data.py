"""Invariants as they are written in a certificate. Whatever does not fit is refused.

An invariant of the kind `occupied` is a list of cases, of which one holds always: the environment's state,
where the agents of each template may be, and facts. One of the kind `avoided` says where agents and the
environment are always (`within`), and what never is (`cubes`): different agents in these states, the
environment in those, and facts.

A set of states is a list of boxes; a box lists, for some variables, the values they may have. Or it is a list
of decisions, each on one variable: for which values which earlier decision follows, or that a state is in the
set; for other values it is not. Several cases may be told as one, with a set of the environment's states. A
fact is a relation, its arguments, its value there (true for a relation without a key), and whether it is so.
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from gnomon.certificate.parameterised.encoding import AgentEncoding
from gnomon.certificate.parameterised.symbols import AgentName
from gnomon.certificate.rejection import Rejected, TooMuch, require, shown
from gnomon.certificate.shape import integer, items, mapping, member, row
from gnomon.certificate.smt_terms import FALSE, TRUE, SmtText, conj, disj, neg, same
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Boolean, Datum, Domain, Enumeration, IntegerRange, Integers
from gnomon.model.parameterised.step import Local, fits
from gnomon.model.parameterised.system import OpenSystem, Part, Relation
from gnomon.text.record import Record, replace

#: The most boxes of one certificate, with all its sets of states.
_MOST_BOXES: Final = 500_000
#: The most cases, or cubes, and the most agents of one cube.
_MOST_CASES: Final = 20_000
_MOST_AGENTS: Final = 40

#: For some variables, by their places, the values they may have.
VariableBox: TypeAlias = tuple[tuple[int, frozenset[Datum]], ...]


class Region(Record):
    """States of a part: those in one of the boxes, or those in none."""

    part: str
    boxes: tuple[VariableBox, ...]
    inside: bool = True

    def holds(self, local: Local) -> bool:
        """Return whether a state is one of them."""
        found = any(all(local[place] in values for place, values in box) for box in self.boxes)
        return found == self.inside

    def text(self, encoding: AgentEncoding, variables: tuple[SmtText, ...]) -> SmtText:
        """Return that variables have the values of one of the states."""
        among = encoding.vocabulary.among
        found = disj(
            conj(among(variables[place], values) for place, values in box) for box in self.boxes
        )
        return found if self.inside else neg(found)


class Decisions(Record):
    """States of a part by decisions: for some values of a variable, what follows."""

    part: str
    #: Each for a variable, by its place; what follows are earlier ones, or the answer.
    nodes: tuple[tuple[int, tuple[tuple[frozenset[Datum], bool | int], ...]], ...]
    root: bool | int
    inside: bool = True

    def holds(self, local: Local) -> bool:
        """Return whether a state is one of them."""
        known: list[bool] = []

        def value(child: bool | int) -> bool:  # noqa: FBT001
            return child if isinstance(child, bool) else known[child]

        for place, branches in self.nodes:
            known.append(any(local[place] in values and value(child) for values, child in branches))
        return value(self.root) == self.inside

    def text(self, encoding: AgentEncoding, variables: tuple[SmtText, ...]) -> SmtText:
        """Return that variables have the values of one of the states; what is shared is said once."""
        among = encoding.vocabulary.among
        levels: list[list[SmtText]] = []
        level_of: list[int] = []

        def value(child: bool | int) -> SmtText:  # noqa: FBT001
            if isinstance(child, bool):
                return TRUE if child else FALSE
            return f"d{child}"

        for number, (place, branches) in enumerate(self.nodes):
            earlier = [level_of[child] for _, child in branches if not isinstance(child, bool)]
            level_of.append(max(earlier, default=-1) + 1)
            said = disj(
                conj((among(variables[place], values), value(child))) for values, child in branches
            )
            if level_of[-1] == len(levels):
                levels.append([])
            levels[level_of[-1]].append(f"(d{number} {said})")
        found = value(self.root)
        if not isinstance(self.root, bool):
            for level in reversed(levels):
                found = f"(let ({' '.join(level)}) {found})"
        return found if self.inside else neg(found)


#: A set of states of a part.
StateSet: TypeAlias = Region | Decisions


class Fact(Record):
    """What holds of the relations, or does not."""

    relation: str
    arguments: tuple[Datum, ...]
    value: Datum
    so: bool

    def text(self, encoding: AgentEncoding) -> SmtText:
        """Return the fact."""
        arguments = tuple(map(encoding.vocabulary.value, self.arguments))
        found = encoding.fact(self.relation, arguments)
        if encoding.system.relations[self.relation].result is not None:
            found = same(found, encoding.vocabulary.value(self.value))
        return found if self.so else neg(found)


class AvoidedCube(Record):
    """Different agents in some states, the environment in some states, and facts."""

    environment: StateSet
    agents: tuple[StateSet, ...]
    facts: tuple[Fact, ...] = ()

    @property
    def templates(self) -> tuple[str, ...]:
        """Return the template of each agent."""
        return tuple(region.part for region in self.agents)

    def text(
        self, encoding: AgentEncoding, names: tuple[AgentName, ...], *, after: bool = False
    ) -> SmtText:
        """Return that these agents are where the cube says, now or after the step."""
        variables = encoding.after if after else encoding.now
        return conj(
            (
                self.environment.text(encoding, variables(None)),
                *(fact.text(encoding) for fact in self.facts),
                *(
                    region.text(encoding, variables(name))
                    for region, name in zip(self.agents, names, strict=True)
                ),
                encoding.different(names),
            )
        )


class OccupiedCase(Record):
    """The environment's states, where agents of each template may be, and facts."""

    environment: StateSet
    occupied: tuple[StateSet, ...]
    facts: tuple[Fact, ...] = ()
    #: The environment's state, if there is just one.
    state: Local | None = None


class InvariantReader:
    """Reads the invariants of a system."""

    def __init__(self, system: OpenSystem) -> None:
        """Know the parts and the relations."""
        self._system = system
        self._templates = tuple(part.name for part in system.templates)
        self._boxes = 0

    def cases(self, data: object) -> list[OccupiedCase]:
        """Return the cases of an invariant."""
        return [self._case(each) for each in _several(member(data, "cases"), "case")]

    def cubes(self, data: object) -> list[AvoidedCube]:
        """Return what never is, beginning with whatever is not within what is allowed."""
        cubes = _several(member(data, "cubes"), "cube")
        return [*self._outside(member(data, "within")), *map(self._cube, cubes)]

    def _case(self, data: object) -> OccupiedCase:
        missing = "a case does not say where the agents of each template are"
        occupied = mapping(member(data, "occupied"), missing)
        require(set(occupied) == set(self._templates), missing)
        own = member(data, "environment")
        state = None if isinstance(own, dict) else checked_local(self._system.environment, own)
        return OccupiedCase(
            self.region(ENVIRONMENT, member(own, "states")) if state is None else only(state),
            tuple(self.region(name, occupied[name]) for name in self._templates),
            self._facts(member(data, "facts")),
            state,
        )

    def _outside(self, data: object) -> Iterator[AvoidedCube]:
        anywhere = Region(ENVIRONMENT, ((),))
        missing = "it does not say where the environment and the agents of each template are"
        within = mapping(data, missing)
        require(set(within) == set(self._system.part), missing)
        for name, boxes in within.items():
            found = self.region(name, boxes)
            outside = replace(found, inside=False)
            own = name == ENVIRONMENT
            yield AvoidedCube(outside, ()) if own else AvoidedCube(anywhere, (outside,))

    def _cube(self, data: object) -> AvoidedCube:
        agents = items(member(data, "agents"), "the agents of a cube are no list")
        if len(agents) > _MOST_AGENTS:
            raise TooMuch(f"a cube speaks of more than {_MOST_AGENTS} agents")
        found: list[StateSet] = []
        for each in agents:
            name, boxes = row(each, 2)
            if not isinstance(name, str) or name not in self._templates:
                raise Rejected(f"no such template: {shown(name)}")
            found.append(self.region(name, boxes))
        return AvoidedCube(
            self.region(ENVIRONMENT, member(data, "environment")),
            tuple(sorted(found, key=lambda region: region.part)),
            self._facts(member(data, "facts")),
        )

    def region(self, name: str, data: object) -> StateSet:
        """Return a set of states of a part."""
        if isinstance(data, dict):
            return self._decisions(self._system.part[name], data)
        return self.listed(name, data)

    def listed(self, name: str, data: object) -> Region:
        """Return a set of states of a part that is a list of boxes."""
        boxes = items(data, "a set of states is no list")
        self._count(len(boxes))
        part = self._system.part[name]
        return Region(name, tuple(self._box(part, each) for each in boxes))

    def _count(self, boxes: int) -> None:
        self._boxes += boxes
        if self._boxes > _MOST_BOXES:
            raise TooMuch(f"the invariant has more than {_MOST_BOXES:,} boxes")

    def _decisions(self, part: Part, data: object) -> Decisions:
        places = {variable.name: place for place, variable in enumerate(part.variables)}
        nodes: list[tuple[int, tuple[tuple[frozenset[Datum], bool | int], ...]]] = []
        for each in items(member(data, "nodes")):
            name, listed = row(each, 2)
            if not isinstance(name, str) or name not in places:
                raise Rejected(f"no such variable: {shown(name)}")
            domain = part.variables[places[name]].domain
            branches: list[tuple[frozenset[Datum], bool | int]] = []
            for branch in items(listed):
                self._count(1)
                values, child = row(branch, 2)
                allowed = frozenset(checked_value(domain, value, name) for value in items(values))
                branches.append((allowed, _earlier(child, len(nodes))))
            nodes.append((places[name], tuple(branches)))
        return Decisions(part.name, tuple(nodes), _earlier(member(data, "root"), len(nodes)))

    def _box(self, part: Part, data: object) -> VariableBox:
        places = {variable.name: place for place, variable in enumerate(part.variables)}
        found: dict[int, frozenset[Datum]] = {}
        for each in items(data, "a box is no list"):
            name, values = row(each, 2)
            if not isinstance(name, str) or name not in places:
                raise Rejected(f"no such variable: {shown(name)}")
            place = places[name]
            require(place not in found, f"`{name}` is limited twice in a box")
            listed = items(values, "the values of a variable are no list")
            domain = part.variables[place].domain
            found[place] = frozenset(checked_value(domain, value, name) for value in listed)
        return tuple(found.items())

    def _facts(self, data: object) -> tuple[Fact, ...]:
        return tuple(map(self._fact, items(data, "the facts are no list")))

    def _fact(self, data: object) -> Fact:
        name, arguments, value, so = row(data, 4)
        relation = known_relation(self._system, name)
        count = len(relation.columns)
        given = row(arguments, count, f"`{name}` takes {count} values")
        found = tuple(
            _value_like(column, argument, relation.name)
            for column, argument in zip(relation.columns, given, strict=True)
        )
        require(relation.result is not None or value is True, f"`{name}` has no values")
        result = checked_value(relation.result or Boolean(), value, relation.name)
        if not isinstance(so, bool):
            raise Rejected("a fact is so or not")
        return Fact(relation.name, found, result, so)


def only(state: Local) -> Region:
    """Return one state of the environment."""
    return Region(ENVIRONMENT, (tuple((n, frozenset((value,))) for n, value in enumerate(state)),))


def _earlier(data: object, number: int) -> bool | int:
    """Return what follows a decision: an answer, or one of so many earlier decisions."""
    if isinstance(data, bool):
        return data
    found = integer(data)
    require(0 <= found < number, "a decision relies on a later one")
    return found


def checked_local(part: Part, data: object) -> Local:
    """Return a local state: a value of its own type for every variable, and nothing else."""
    wrong = f"not a state of `{part.name}`: {shown(data)}"
    values = row(data, len(part.variables), wrong)
    return tuple(
        checked_value(variable.domain, value, variable.name)
        for variable, value in zip(part.variables, values, strict=True)
    )


def checked_value(domain: Domain, data: object, name: str) -> Datum:
    """Return a value of a type, which something has that is called so."""
    if isinstance(data, bool | int | str) and fits(domain, data):
        return data
    raise Rejected(f"not a value of `{name}`: {shown(data)}")


def known_relation(system: OpenSystem, name: object) -> Relation:
    """Return the relation of a name."""
    relation = system.relations.get(name) if isinstance(name, str) else None
    if relation is None:
        raise Rejected(f"no such relation: {shown(name)}")
    return relation


def _several(data: object, what: str) -> Sequence[object]:
    found = items(data, f"no list of {what}s")
    if len(found) > _MOST_CASES:
        raise TooMuch(f"the invariant has more than {_MOST_CASES:,} {what}s")
    return found


def _value_like(column: Domain, data: object, relation: str) -> Datum:
    """Return a value of the kind of a type; a guard may ask for one outside its range."""
    match column, data:
        case Boolean(), bool():
            return data
        case Enumeration(), str():
            return data
        case (IntegerRange() | Integers(), int()) if not isinstance(data, bool):
            return data
        case _:
            raise Rejected(f"not a value for `{relation}`: {shown(data)}")
