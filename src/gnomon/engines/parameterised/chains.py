"""Knowledge inside knowledge, and common knowledge, by chains of configurations that look alike to somebody.

That the agents of T know that those of U know b fails where a chain begins at a configuration in question,
goes on by what looks the same to an agent of T and then to one of U, and ends where b does not hold. Two
agents that follow each other in a chain are together in one configuration; so it is enough to ask which views
can be there together, and each link may have a population and an interpretation of its own.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.decision import NO_START, ChainLink, PopulationDecision
from gnomon.engines.parameterised.local_sets import LocalSet, bits
from gnomon.engines.parameterised.run import OpenRun, in_order, replayed, with_idle
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.engines.parameterised.search_invariant import ViewSets
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.domain import Datum, values_of
from gnomon.model.expression import Compare, Literal, Read
from gnomon.model.parameterised.condition import SELF, And, Condition, Exists, Holds, Not, Same
from gnomon.model.parameterised.query import Knowledge
from gnomon.model.parameterised.step import Completed, Local, World
from gnomon.model.parameterised.system import OpenSystem

_OTHER = "other"


class ChainView(NamedTuple):
    """What an agent of a template sees: its own state, and values of the environment's variables."""

    template: str
    local: Local
    seen: tuple[Datum, ...]


class Chains:
    """Looks for a chain against one question about knowledge."""

    def __init__(self, program: CompiledPopulation, query: Knowledge, budget: Budget) -> None:
        """Look among what any number of agents can reach."""
        self._program = program
        self._system = program.system
        self._query = query
        self._budget = budget
        self._known: dict[Condition, OpenRun | None] = {}
        self.asked = 0
        #: The views at each level that were gone through.
        self.cut: list[list[ChainView]] = []

    def found(self) -> list[ChainLink] | None:
        """Return a chain, None where there is none."""
        levels = self._query.levels
        front = self._first()
        for level, following in zip(levels, (*levels[1:], None), strict=True):
            if level.common:
                front = self._closed(front)
            self.cut.append(list(front))
            if following is None:
                return self._last(front)
            front = self._next(front, following.template)
        return None

    def _first(self) -> dict[ChainView, list[ChainLink]]:
        """Return the views of agents in configurations that the question is about."""
        found: dict[ChainView, list[ChainLink]] = {}
        for view in self._views(self._query.template):
            own = And((self._query.when, self._sees(SELF, view)))
            link = self._link(Exists(SELF, view.template, own), (view,))
            if link is not None:
                found[view] = [link]
        return found

    def _next(
        self, front: dict[ChainView, list[ChainLink]], template: str
    ) -> dict[ChainView, list[ChainLink]]:
        """Return the views that agents of a template have beside somebody with one of these views."""
        found: dict[ChainView, list[ChainLink]] = {}
        for other in self._views(template):
            for view, chain in front.items():
                if other == view:
                    found[other] = chain
                    break
                link = self._beside(view, other)
                if link is not None:
                    found[other] = [*chain, link]
                    break
        return found

    def _closed(self, front: dict[ChainView, list[ChainLink]]) -> dict[ChainView, list[ChainLink]]:
        """Return the views of the same template that are any number of links away."""
        found = dict(front)
        waiting = list(front)
        while waiting:
            view = waiting.pop(0)
            for other in self._views(view.template):
                if other in found:
                    continue
                link = self._beside(view, other)
                if link is not None:
                    found[other] = [*found[view], link]
                    waiting.append(other)
        return found

    def _last(self, front: dict[ChainView, list[ChainLink]]) -> list[ChainLink] | None:
        for view, chain in sorted(front.items(), key=lambda item: len(item[1])):
            doubt = And((self._query.doubt, self._sees(SELF, view)))
            link = self._link(Exists(SELF, view.template, doubt), (view,))
            if link is not None:
                return [*chain, link]
        return None

    # What can be together

    def _beside(self, view: ChainView, other: ChainView) -> ChainLink | None:
        """Return a run to where two different agents have these views."""
        shown = dict(zip(self._seen(view.template), view.seen, strict=True))
        also = dict(zip(self._seen(other.template), other.seen, strict=True))
        if any(shown[name] != also[name] for name in shown.keys() & also.keys()):
            return None
        both = [self._sees(SELF, view), self._sees(_OTHER, other)]
        if view.template == other.template:
            both.append(Not(Same(SELF, _OTHER)))
        inner = Exists(_OTHER, other.template, And(tuple(both)))
        return self._link(Exists(SELF, view.template, inner), (view, other))

    def _link(self, condition: Exists, views: tuple[ChainView, ...]) -> ChainLink | None:
        self._budget.check("views", self.asked)
        if condition not in self._known:
            self.asked += 1
            decision = decide_safety(self._program, condition, self._budget)
            if decision.reached is None:
                raise OutOfReach(decision.reason or "knowledge is not decided here")
            self._known[condition] = decision.run if decision.reached else None
        run = self._known[condition]
        return None if run is None else ChainLink(run, self._who(run, condition, len(views)))

    def _who(self, run: OpenRun, condition: Exists, number: int) -> tuple[int, ...]:
        """Return which agents the indices of a condition stand for at the end of a run."""
        configurations = replayed(self._system, run)
        assert configurations is not None
        world = World(self._system, run.members, Completed(self._system, dict(run.facts)))
        names: list[tuple[str, str]] = []
        body: Condition = condition
        while isinstance(body, Exists) and len(names) < number:
            names.append((body.index, body.template))
            body = body.body
        choices = [
            [n for n, member in enumerate(run.members) if member == template]
            for _, template in names
        ]
        for chosen in product(*choices):
            who = dict(zip((index for index, _ in names), chosen, strict=True))
            if world.holds(body, configurations[-1], {ENVIRONMENT: None, **who}) is True:
                return chosen
        msg = "a run that was found does not end where it should"
        raise AssertionError(msg)

    # Views

    def _seen(self, template: str) -> tuple[str, ...]:
        return self._system.part[template].sees

    def _views(self, template: str) -> Iterator[ChainView]:
        """Yield all views that agents of a template may have."""
        space = self._program.spaces[template]
        states = self._program.within[template]
        if not isinstance(states, int):
            msg = f"the views of an agent of `{template}` are too many to be gone through"
            raise OutOfReach(msg)
        domains = {v.name: v.domain for v in self._system.environment.variables}
        values = [values_of(domains[name]) for name in self._seen(template)]
        for state in bits(states):
            for seen in product(*values):
                yield ChainView(template, space.state(state), seen)

    def _sees(self, index: str, view: ChainView) -> Condition:
        """Return that an agent has a view."""
        own = zip(self._system.part[view.template].variables, view.local, strict=True)
        around = zip(self._seen(view.template), view.seen, strict=True)
        parts = [(Read(index, variable.name), value) for variable, value in own]
        parts += [(Read(ENVIRONMENT, name), value) for name, value in around]
        return And(tuple(Holds(Compare("=", read, Literal(value))) for read, value in parts))


def decide_chains(
    program: CompiledPopulation, query: Knowledge, budget: Budget
) -> PopulationDecision:
    """Return whether somebody need not know what others know."""
    if not program.has_start:
        return PopulationDecision(False, NO_START)
    search = Chains(program, query, budget)
    chain = search.found()
    if chain is None:
        cut = tuple(_sets(program, views) for views in search.cut)
        return PopulationDecision(False, "chains of views", steps=search.asked, cut=cut)
    names = [part.name for part in program.system.templates]
    most = tuple(max(link.run.members.count(name) for link in chain) for name in names)
    wanted = dict(zip(names, most, strict=True))
    padded = tuple(_padded(program.system, link, wanted) for link in chain)
    # Where guards speak of everybody, those who do nothing may be in the way.
    shown = all(replayed(program.system, link.run) is not None for link in padded)
    return PopulationDecision(
        True,
        "chains of views",
        (most,),
        run=padded[0].run if shown else None,
        chain=padded if shown else tuple(chain),
        steps=search.asked,
    )


def _sets(program: CompiledPopulation, views: list[ChainView]) -> ViewSets:
    found: dict[tuple[Datum, ...], LocalSet] = {}
    for view in views:
        space = program.spaces[view.template]
        found[view.seen] = found.get(view.seen, 0) | space.only(space.number(view.local))
    return found


def _padded(system: OpenSystem, link: ChainLink, wanted: dict[str, int]) -> ChainLink:
    """Return a link with as many agents as wanted, in the order of their templates."""
    run = with_idle(system, link.run, wanted)
    names = [part.name for part in system.templates]
    order = sorted(range(len(run.members)), key=lambda n: (names.index(run.members[n]), n))
    return ChainLink(in_order(system, run), tuple(order.index(agent) for agent in link.agents))
