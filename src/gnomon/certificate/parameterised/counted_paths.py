"""What holds of all runs of all populations: a graph that counts agents, of which nothing recurs for ever.

A certificate has, for each way to fill the relations, the cap up to which agents are counted, the nodes that
can be reached, and in which order steps are deleted, with the reasons. The steps are worked out here, from
the model, and so is the tableau that watches them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace as with_fields
from typing import Final, Generic, TypeVar

from gnomon.certificate.deductive.tableau import tableau
from gnomon.certificate.parameterised.arrivals import Arrivals
from gnomon.certificate.parameterised.counted_steps import CountedPopulations, CountedState
from gnomon.certificate.parameterised.deletions import RemainingSteps
from gnomon.certificate.parameterised.fillings import Filling, fillings
from gnomon.certificate.parameterised.inner_paths import BranchLabel, branching, state_value
from gnomon.certificate.parameterised.invariant_data import checked_local
from gnomon.certificate.parameterised.population_runs import read_facts
from gnomon.certificate.parameterised.watched_paths import CountedNode, watched_steps
from gnomon.certificate.rejection import Rejected, TooMuch, require, shown
from gnomon.certificate.shape import integer, items, member, nullable, row
from gnomon.model import formula as f
from gnomon.model.budget import Budget
from gnomon.model.one_path import one_path
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.step import Completed, ConflictingLines, Facts
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace

#: Agents are not counted beyond this.
_MOST_COUNTED: Final = 50
_MOST_NODES: Final = 200_000

Listed = TypeVar("Listed")


def check_counted(system: OpenSystem, data: object, query: OverTime, budget: Budget) -> None:
    """Fail unless no fair run of any population is one that a question is about, or excludes."""
    if not system.is_finite:
        raise Rejected("agents with values that are not listed cannot be counted")
    given = counted_ways(system, data)
    for filled in fillings(system, query.conditions):
        require(filled in given, "a way to fill the relations is left out")
        try:
            CountedClaims(
                system, given[filled], query, Completed(system, dict(filled)), budget
            ).check()
        except ConflictingLines as clash:
            raise Rejected(f"`{clash}` is given two values") from clash


def counted_ways(system: OpenSystem, data: object) -> dict[Filling, object]:
    """Return what a certificate says for each way to fill the relations."""
    given: dict[Filling, object] = {}
    for way in items(member(data, "ways")):
        facts = tuple(sorted(read_facts(system, member(way, "facts")).items(), key=repr))
        require(facts not in given, "the relations are filled twice in the same way")
        given[facts] = way
    return given


def check_from_on(system: OpenSystem, data: object, query: OverTime, budget: Budget) -> str:
    """Fail unless the same is so of all populations from a number on; say in words which they are."""
    least = integer(member(data, "least"))
    if len(system.templates) != 1:
        raise Rejected("numbers are said of one template only")
    [template] = system.templates
    within = least > template.low and (template.high is None or least <= template.high)
    require(within, "there are no such numbers of agents")
    if least > _MOST_COUNTED:
        raise TooMuch(f"agents are counted up to more than {_MOST_COUNTED}")
    larger = with_fields(system, templates=(replace(template, low=least),))
    check_counted(larger, data, query, budget)
    return f"from {least} {template.name} on"


Counting = TypeVar("Counting", bound=CountedPopulations)


class CountedListing(Generic[Counting]):
    """Counted states as a certificate lists them: by the numbers of places."""

    def __init__(self, populations: Counting, data: object) -> None:
        """Read the places and the states."""
        self.populations = populations
        places = [self._place(each) for each in items(member(data, "places"))]
        self.states = [self._state(places, each) for each in items(member(data, "states"))]

    def _place(self, data: object) -> int:
        name, local = row(data, 2)
        templates = self.populations.system.templates
        part = next((part for part in templates if part.name == name), None)
        if part is None:
            raise Rejected(f"no such template: {shown(name)}")
        return self.populations.place(part.name, checked_local(part, local))

    def _state(self, places: Sequence[int], data: object) -> CountedState:
        environment, own, listed = row(data, 3)
        who = nullable(integer, own)
        others: dict[int, int] = {}
        for each in items(listed):
            place, number = row(each, 2)
            found = _chosen(places, place)
            require(found not in others, "a place is counted twice")
            counted = integer(number)
            require(1 <= counted <= self.populations.cap, "agents are counted otherwise")
            others[found] = counted
        self_at = None if who is None else _chosen(places, who)
        of = "" if self_at is None else self.populations.places[self_at][0]
        require(of == self.populations.template, "another agent is distinguished")
        part = self.populations.system.environment
        return CountedState(
            checked_local(part, environment), self_at, tuple(sorted(others.items()))
        )

    def state(self, number: object) -> CountedState:
        """Return the state with a number in the list."""
        return _chosen(self.states, number)


def checked_cap(data: object) -> int:
    """Return up to which number agents are counted."""
    cap = integer(member(data, "cap"))
    if cap > _MOST_COUNTED:
        raise TooMuch(f"agents are counted up to more than {_MOST_COUNTED}")
    return cap


class CountedClaims:
    """What a certificate says for one way to fill the relations."""

    def __init__(
        self, system: OpenSystem, data: object, query: OverTime, facts: Facts, budget: Budget
    ) -> None:
        """Read which cap, places and states it speaks of."""
        cap = checked_cap(data)
        self._data = data
        self._query = query
        self._facts = facts
        self._budget = budget
        self.populations = CountedPopulations(
            system, facts, cap, query.conditions, budget, query.template
        )
        self._listed = CountedListing(self.populations, data)
        self._labels: dict[f.Formula, BranchLabel] = {}

    def check(self) -> None:
        """Fail unless no fair run of any population is one that the question is about, or excludes."""
        self.read_labels()
        never = member(self._data, "never")
        self._never(sought_path(self._query), self.populations.initial(), never)

    def read_labels(self) -> None:
        """Read what is said of the paths that branch off, and fail unless it is so."""
        paths = branching(sought_path(self._query))
        labels = items(member(self._data, "labels"))
        require(len(labels) == len(paths), "there is to be a label for each path that branches off")
        for path, label in zip(paths, labels, strict=True):
            self._labels[path] = self.label(path, label)

    def value(self, formula: f.Formula, state: CountedState) -> bool | None:
        """Return what a formula about a state is worth by the labels; None where they do not say."""
        return state_value(formula, state, self._holds, self._labels)

    def state(self, number: object) -> CountedState:
        """Return the state with a number in the list."""
        return self._listed.state(number)

    # Claims

    def label(self, path: f.Formula, data: object) -> BranchLabel:
        """Return where no fair run satisfies a path formula, and where some surely does; fail unless so."""
        never = [self.state(each) for each in items(member(data, "states"))]
        self._never(path, never, member(data, "never"))
        certain = frozenset(self._certain(path, items(member(data, "certain"))))
        return BranchLabel(frozenset(never), certain)

    def _certain(self, path: f.Formula, listed: Sequence[object]) -> Iterator[CountedState]:
        """Yield the states from which some run gets where a path formula says, with any number of agents."""
        if not listed:
            return
        arrivals = Arrivals(self.populations, self._query, path, self._facts)
        for number, each in enumerate(listed):
            self._budget.check("states", number)
            where, events = row(each, 2)
            state = self.state(where)
            arrivals.check(state, events)
            yield state

    def _never(self, path: f.Formula, starts: Iterable[CountedState], data: object) -> None:
        """Fail unless no fair run from some states satisfies a path formula."""
        nodes: list[CountedNode] = []
        for each in items(member(data, "nodes")):
            state, watching = row(each, 2)
            nodes.append(CountedNode(self.state(state), integer(watching)))
        if len(nodes) > _MOST_NODES:
            raise TooMuch(f"there are more than {_MOST_NODES:,} nodes")
        number = {node: n for n, node in enumerate(nodes)}
        require(len(number) == len(nodes), "a node is listed twice")
        watch = tableau(path)
        steps = watched_steps(self.populations, watch, starts, number, self._possible, self._budget)
        left = RemainingSteps(self.populations, watch, nodes, steps)
        for each in items(member(data, "deletions")):
            self._budget.check("steps", len(left.steps))
            left.delete(each)
        require(not left.steps, "some steps may be taken for ever")

    def _possible(self, formula: f.Formula, state: CountedState) -> bool:
        return self.value(formula, state) is not False

    def _holds(self, number: int, state: CountedState) -> bool:
        own = state.own if self._query.template else None
        return self.populations.holds(self._query.conditions[number], state, own)


def sought_path(query: OverTime) -> f.Formula:
    """Return what holds on the runs that a question is about, or excludes."""
    match query.formula:
        case f.All(path):
            return one_path(f.Not(path))
        case f.Exists(path):
            return one_path(path)
        case _:
            raise Rejected("this is a question neither about all runs nor about some run")


def _chosen(listed: Sequence[Listed], number: object) -> Listed:
    """Return what has a number in a list."""
    place = integer(number)
    if not 0 <= place < len(listed):
        raise Rejected(f"no such place in a list: {shown(number)}")
    return listed[place]
