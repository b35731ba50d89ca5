"""Invariants as they are written in a certificate. Whatever does not fit is refused.

An invariant of the kind `occupied` is a list of cases, of which one holds always: the environment's state,
where the agents of each template may be, and facts. One of the kind `avoided` says where agents and the
environment are always (`within`), and what never is (`cubes`): different agents in these states, the
environment in those, and facts.

A set of states is a list of boxes; a box lists, for some variables, the values they may have. A fact is a
relation, its arguments, its value there (true for a relation without a key), and whether it is so or not.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from gnomon.certificate.parameterised.scene import Name, Scene
from gnomon.certificate.parameterised.terms import Text, conj, disj, neg, same
from gnomon.certificate.space import Rejected, TooMuch, require, shown
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Boolean, Domain, Enumeration, Value
from gnomon.model.parameterised.step import Local, fits
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.text.record import Record

Json: TypeAlias = Any

#: The most boxes of one certificate, with all its sets of states.
_MOST_BOXES: Final = 500_000
#: The most cases, or cubes, and the most agents of one cube.
_MOST_CASES: Final = 20_000
_MOST_AGENTS: Final = 40

#: For some variables, by their places, the values they may have.
Box: TypeAlias = tuple[tuple[int, frozenset[Value]], ...]


class Region(Record):
    """States of a part: those in one of the boxes, or those in none."""

    part: str
    boxes: tuple[Box, ...]
    inside: bool = True

    def holds(self, local: Local) -> bool:
        """Return whether a state is one of them."""
        found = any(all(local[place] in values for place, values in box) for box in self.boxes)
        return found == self.inside

    def text(self, scene: Scene, variables: tuple[Text, ...]) -> Text:
        """Return that variables have the values of one of the states."""
        among = scene.vocabulary.among
        found = disj(
            conj(among(variables[place], values) for place, values in box) for box in self.boxes
        )
        return found if self.inside else neg(found)


class Fact(Record):
    """What holds of the relations, or does not."""

    relation: str
    arguments: tuple[Value, ...]
    value: Value
    so: bool

    def text(self, scene: Scene) -> Text:
        """Return the fact."""
        arguments = tuple(map(scene.vocabulary.value, self.arguments))
        found = scene.fact(self.relation, arguments)
        if scene.system.relations[self.relation].result is not None:
            found = same(found, scene.vocabulary.value(self.value))
        return found if self.so else neg(found)


class Cube(Record):
    """Different agents in some states, the environment in some states, and facts."""

    environment: Region
    agents: tuple[Region, ...]
    facts: tuple[Fact, ...] = ()

    def text(self, scene: Scene, names: tuple[Name, ...], *, after: bool = False) -> Text:
        """Return that these agents are where the cube says, now or after the step."""
        variables = scene.after if after else scene.now
        return conj(
            (
                self.environment.text(scene, variables(None)),
                *(fact.text(scene) for fact in self.facts),
                *(
                    region.text(scene, variables(name))
                    for region, name in zip(self.agents, names, strict=True)
                ),
                scene.different(names),
            )
        )


class Case(Record):
    """The environment's state, where agents of each template may be, and facts."""

    environment: Local
    occupied: tuple[Region, ...]
    facts: tuple[Fact, ...] = ()


class Reader:
    """Reads the invariants of a system."""

    def __init__(self, system: OpenSystem) -> None:
        """Know the parts and the relations."""
        self._system = system
        self._templates = tuple(part.name for part in system.templates)
        self._boxes = 0

    def cases(self, data: Json) -> list[Case]:
        """Return the cases of an invariant."""
        return [self._case(each) for each in _several(data["cases"], "case")]

    def cubes(self, data: Json) -> list[Cube]:
        """Return what never is, beginning with whatever is not within what is allowed."""
        return [*self._outside(data["within"]), *map(self._cube, _several(data["cubes"], "cube"))]

    def _case(self, data: Json) -> Case:
        occupied = data["occupied"]
        require(
            isinstance(occupied, dict) and set(occupied) == set(self._templates),
            "a case does not say where the agents of each template are",
        )
        return Case(
            checked_local(self._system.environment, data["environment"]),
            tuple(self._region(name, occupied[name]) for name in self._templates),
            self._facts(data["facts"]),
        )

    def _outside(self, data: Json) -> Iterator[Cube]:
        anywhere = Region(ENVIRONMENT, ((),))
        require(
            isinstance(data, dict) and set(data) == set(self._system.part),
            "it does not say where the environment and the agents of each template are",
        )
        for name, boxes in data.items():
            found = self._region(name, boxes)
            outside = Region(name, found.boxes, inside=False)
            yield Cube(outside, ()) if name == ENVIRONMENT else Cube(anywhere, (outside,))

    def _cube(self, data: Json) -> Cube:
        agents = data["agents"]
        require(isinstance(agents, list), "the agents of a cube are no list")
        if len(agents) > _MOST_AGENTS:
            raise TooMuch(f"a cube speaks of more than {_MOST_AGENTS} agents")
        found: list[Region] = []
        for name, boxes in agents:
            require(name in self._templates, f"no such template: {name!r}")
            found.append(self._region(name, boxes))
        return Cube(
            self._region(ENVIRONMENT, data["environment"]),
            tuple(sorted(found, key=lambda region: region.part)),
            self._facts(data["facts"]),
        )

    def _region(self, name: str, data: Json) -> Region:
        require(isinstance(data, list), "a set of states is no list")
        self._boxes += len(data)
        if self._boxes > _MOST_BOXES:
            raise TooMuch(f"the invariant has more than {_MOST_BOXES:,} boxes")
        part = self._system.part[name]
        return Region(name, tuple(self._box(part, each) for each in data))

    def _box(self, part: Part, data: Json) -> Box:
        require(isinstance(data, list), "a box is no list")
        places = {variable.name: place for place, variable in enumerate(part.variables)}
        found: dict[int, frozenset[Value]] = {}
        for name, values in data:
            require(isinstance(name, str) and name in places, f"no such variable: {name!r}")
            place = places[name]
            require(place not in found, f"`{name}` is limited twice in a box")
            require(isinstance(values, list), "the values of a variable are no list")
            domain = part.variables[place].domain
            for value in values:
                require(fits(domain, value), f"not a value of `{name}`: {shown(value)}")
            found[place] = frozenset(values)
        return tuple(found.items())

    def _facts(self, data: Json) -> tuple[Fact, ...]:
        require(isinstance(data, list), "the facts are no list")
        return tuple(map(self._fact, data))

    def _fact(self, data: Json) -> Fact:
        name, arguments, value, so = data
        relation = self._system.relations.get(name)
        if relation is None:
            raise Rejected(f"no such relation: {name!r}")
        require(
            isinstance(arguments, list) and len(arguments) == len(relation.columns),
            f"`{name}` takes {len(relation.columns)} values",
        )
        for argument, column in zip(arguments, relation.columns, strict=True):
            require(_is_like(column, argument), f"not a value for `{name}`: {argument!r}")
        keyed = relation.result is not None
        require(
            fits(relation.result, value) if relation.result is not None else value is True,
            f"not a value of `{name}`: {shown(value)}" if keyed else f"`{name}` has no values",
        )
        require(isinstance(so, bool), "a fact is so or not")
        return Fact(name, tuple(arguments), value, so)


def checked_local(part: Part, data: Json) -> Local:
    """Return a local state: a value of its own type for every variable, and nothing else."""
    require(
        isinstance(data, list) and len(data) == len(part.variables),
        f"not a state of `{part.name}`: {data!r}",
    )
    for variable, value in zip(part.variables, data, strict=True):
        require(fits(variable.domain, value), f"not a value of `{variable.name}`: {shown(value)}")
    return tuple(data)


def _several(data: Json, what: str) -> list[Json]:
    require(isinstance(data, list), f"no list of {what}s")
    if len(data) > _MOST_CASES:
        raise TooMuch(f"the invariant has more than {_MOST_CASES:,} {what}s")
    return list(data)


def _is_like(column: Domain, value: object) -> bool:
    """Return whether a value is of the kind of a type; a guard may ask for one outside its range."""
    match column:
        case Boolean():
            return isinstance(value, bool)
        case Enumeration():
            return isinstance(value, str)
        case _:
            return isinstance(value, int) and not isinstance(value, bool)
