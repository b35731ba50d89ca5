"""How many agents there are in each class: in the beginning, always, and after a step.

An obligation names some agents. The others of a template go from class to class, so many along each way; and
where somebody goes at all, there is a name for one of them, who does what it takes. So nothing that some
population does is missed, and nothing is quantified.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from gnomon.certificate.parameterised.encoding import AgentEncoding
from gnomon.certificate.parameterised.symbols import AgentName
from gnomon.certificate.smt_terms import FALSE, SmtText, conj, disj, implies, neg, number, same
from gnomon.model.parameterised.system import Change, Part
from gnomon.text.record import Record


class CrowdFlow(Record):
    """So many agents without names go from one class to another; `one` is the name of one of them."""

    start: int
    end: int
    number: SmtText
    one: AgentName | None


class CountedCrowd:
    """The agents of one template, counted by class; the last class are those in none of the others."""

    def __init__(self, encoding: AgentEncoding, part: Part) -> None:
        """Count the agents of a template."""
        self.encoding = encoding
        self.part = part
        self._classes = [
            (place, each)
            for place, each in enumerate(encoding.classes)
            if each.template == part.name
        ]
        self._rest = len(self._classes)

    def may_change(self, actions: Iterable[str]) -> bool:
        """Return whether some actions give variables a value by which classes differ."""
        places = {place for _, each in self._classes for place, _ in each.values}
        names = {self.part.variables[place].name for place in places}
        return any(
            name in names
            for action in actions
            for _, change in self.encoding.system.effects.get((self.part.name, action), ())
            for name in assigned(change)
        )

    def inside(self, place: int, name: AgentName, *, after: bool = False) -> SmtText:
        """Return that somebody is in a class."""
        if place == self._rest:
            return conj(neg(self.inside(n, name, after=after)) for n in range(self._rest))
        values = self.encoding.after(name) if after else self.encoding.now(name)
        _, each = self._classes[place]
        return conj(
            self.encoding.vocabulary.among(values[variable], (value,))
            for variable, value in each.values
        )

    def count(self, place: int, *, after: bool = False) -> SmtText:
        """Return how many agents are in a class."""
        if place == self._rest:
            return self.encoding.others(self.part.name, after=after)
        return self.encoding.count(self._classes[place][0], after=after)

    @property
    def _places(self) -> range:
        return range(self._rest + 1)

    def always(self, names: Sequence[AgentName]) -> Iterator[SmtText]:
        """Yield what holds of the numbers: they are as many as the named agents, and within the bounds."""
        for place in self._places:
            yield f"(>= {self.count(place)} {self._named(place, names)})"
        total = _sum(map(self.count, self._places))
        yield f"(>= {total} {number(self.part.low)})"
        if self.part.high is not None:
            yield f"(<= {total} {number(self.part.high)})"

    def _named(self, place: int, names: Sequence[AgentName], *, after: bool = False) -> SmtText:
        """Return how many of the named agents are in a class: each who is there, once."""
        found: list[SmtText] = []
        own = [name for name in names if name.template == self.part.name]
        for position, name in enumerate(own):
            doubled = disj(self.encoding.alike(name, other) for other in own[:position])
            counts = conj(
                (self.encoding.there(name), neg(doubled), self.inside(place, name, after=after))
            )
            if counts != FALSE:
                found.append(f"(ite {counts} 1 0)")
        return _sum(found)

    def somebody(self) -> list[AgentName]:
        """Return a name for somebody in each class."""
        return [self.encoding.name(self.part.name) for _ in self._places]

    def starts(self, ones: Sequence[AgentName], initial: Callable[[AgentName], SmtText]) -> SmtText:
        """Return that in each class that is not empty somebody is in an initial state."""
        return conj(
            implies(
                f"(> {self.count(place)} 0)",
                conj((self.encoding.there(one), self.inside(place, one), initial(one))),
            )
            for place, one in zip(self._places, ones, strict=True)
        )

    def ways(self, *, moving: bool, staying: bool) -> list[CrowdFlow]:
        """Return the ways from class to class, with a name for somebody who goes it.

        Without `moving` nobody changes class; with `staying` it takes somebody who does to stay, too.
        """
        found: list[CrowdFlow] = []
        for start in self._places:
            for end in self._places:
                if start != end and not moving:
                    continue
                is_shown = start != end or staying
                one = self.encoding.name(self.part.name) if is_shown else None
                found.append(CrowdFlow(start, end, self.encoding.number_of_agents(), one))
        return found

    def goes(
        self,
        ways: Sequence[CrowdFlow],
        names: Sequence[AgentName],
        does: Callable[[AgentName, bool], SmtText],
    ) -> Iterator[SmtText]:
        """Yield what becomes of the numbers: named agents act, and so many others go each way.

        `does` says that somebody takes part in the step, or, if it stays in its class, that it may stay.
        """
        for way in ways:
            yield f"(>= {way.number} 0)"
            if way.one is not None:
                one = way.one
                shown = (
                    self.encoding.there(one),
                    does(one, way.start == way.end),
                    self.inside(way.start, one),
                    self.inside(way.end, one, after=True),
                )
                yield implies(f"(> {way.number} 0)", conj(shown))
        for place in self._places:
            leaving = [way.number for way in ways if way.start == place]
            coming = [way.number for way in ways if way.end == place]
            yield same(self.count(place), _sum([*leaving, self._named(place, names)]))
            now = _sum([*coming, self._named(place, names, after=True)])
            yield same(self.count(place, after=True), now)


def crowds_of(encoding: AgentEncoding) -> list[CountedCrowd]:
    """Return the agents of all templates that are counted."""
    counted = {each.template for each in encoding.classes}
    return [
        CountedCrowd(encoding, part) for part in encoding.system.templates if part.name in counted
    ]


def assigned(change: Change) -> Iterator[str]:
    """Yield the variables that a change gives a value."""
    yield from (item.variable for item in change.line.assignments)
    yield from (item.variable for item in change.looked)


def _sum(terms: Iterable[SmtText]) -> SmtText:
    listed = list(terms)
    return f"(+ 0 {' '.join(listed)})" if listed else "0"
