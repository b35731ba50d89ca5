"""Sets of counted states: the operators of time, knowledge and coalitions, where members may change places.

All sets are such that members changing places leads from no state of it out of it. So what does not leave the
crowd alone has no set here: it is refused (`Unsuited`), wherever it comes up.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NoReturn

from gnomon.engines.concrete.compile import condition_function
from gnomon.engines.counting.agents import CrowdChooser
from gnomon.engines.counting.counted_space import CountedSpace, CountedViews
from gnomon.engines.counting.layout import Layout
from gnomon.engines.explicit.explicit_sets import ExplicitSets, States, useful
from gnomon.engines.game import CoalitionGame, StrategySearch, ViewChoices
from gnomon.model.budget import Unsuited
from gnomon.model.crowd import AlikeCrowd
from gnomon.model.expression import Expression, Read
from gnomon.model.step import State
from gnomon.model.system import System


class OfOne(frozenset[int]):
    """Where a constraint holds that is about one member, and that there is for each of them."""


class CountedSets(ExplicitSets):
    """Sets of counted states; `whole` is the crowd that they leave alone.

    Where one of that crowd is kept apart in the space, what is said of each is said of that one.
    """

    space: CountedSpace  # type: ignore[assignment]

    def __init__(self, space: CountedSpace, whole: AlikeCrowd) -> None:
        """Work on the states of `space`, whose crowd is `whole` or all of it but one."""
        super().__init__(space)  # type: ignore[arg-type]
        self.whole = whole
        self._counted = space.layout.crowd
        self._views: dict[frozenset[str], CountedViews] = {}
        self._choices: dict[tuple[CrowdChooser, ...], list[tuple[tuple[int, ...], ...] | None]] = {}

    @property
    def system(self) -> System:
        """The system whose states these are."""
        return self.space.layout.system

    def count(self, states: States) -> int:
        """Return exactly how many states there are: each that was counted stands for several."""
        return sum(map(self.space.weight, states))

    def where(self, condition: Expression) -> States:
        """Return the reachable states in which a condition holds."""
        if not self.whole.leaves_alone(condition):
            msg = "a condition speaks of single agents of a crowd"
            raise Unsuited(msg)
        places: dict[Read | str, str] = {
            Read(agent, name): f"s[{at}]" for (agent, name), at in self.system.position.items()
        }
        holds = condition_function(condition, places, "s")
        pairs = zip(self.space.numbers(), self.space.states, strict=True)
        return frozenset([number for number, state in pairs if holds(state)])

    # Whoever is one of the crowd, as one of them who is kept apart

    @cached_property
    def _together(self) -> tuple[list[int], list[list[int]]]:
        """Return the states of each class that the whole crowd changing places leaves alone."""
        layout = Layout(self.whole)
        numbers: dict[object, int] = {}
        class_of: list[int] = []
        members: list[list[int]] = []
        for number, state in zip(self.space.numbers(), self.space.states, strict=True):
            found = numbers.setdefault(layout.counted(state), len(members))
            if found == len(members):
                members.append([])
            members[found].append(number)
            class_of.append(found)
        return class_of, members

    def _for_each(self, states: States) -> States:
        """Return where all states are among these that the whole crowd changing places leads to."""
        class_of, members = self._together
        return frozenset([n for n in states if states.issuperset(members[class_of[n]])])

    def _for_some(self, states: States) -> States:
        """Return where some of those states is among these."""
        class_of, members = self._together
        return frozenset([n for each in {class_of[n] for n in states} for n in members[each]])

    def _stand_in(self, agent: str) -> str | None:
        """Return the agent of the member kept apart that is what this one is for a member of the crowd."""
        found = self.whole.numbers_in("agent", agent)
        if not found:
            return None
        kept = [each for each in self.whole.members if each in self._counted.apart]
        if len(found) > 1 or len(kept) != 1:
            msg = f"what `{agent}` sees is asked of one of a crowd"
            raise Unsuited(msg)
        return self.whole.renamed("agent", agent, found[0], kept[0])

    # Time

    def fairly_lasting(self, within: States, constraints: tuple[States, ...]) -> States:
        """Return the greatest Z = `within` ∩ ⋂ pre(E[Z U Z ∩ c]) over all constraints c, for each member."""
        found = self.lasting(within)
        while True:
            before = found
            for constraint in dict.fromkeys(constraints):
                target = frozenset(found & constraint)
                visits = self.leads_to(target, found)
                found = self.before(visits, found)
                if isinstance(constraint, OfOne):
                    found = self._for_each(found)
            if before <= found:
                return found

    def union(self, left: States, right: States) -> States:
        """Return the states in either."""
        _refuse_of_one(left, right)
        return frozenset(left | right)

    def intersection(self, left: States, right: States) -> States:
        """Return the states in both."""
        _refuse_of_one(left, right)
        return frozenset(left & right)

    def difference(self, left: States, right: States) -> States:
        """Return the states of `left` that are not in `right`."""
        _refuse_of_one(left, right)
        return frozenset(left - right)

    # Knowledge

    def _seen(self, agents: Collection[str]) -> CountedViews:
        """Return what some agents see together; they are the same whoever changes places."""
        names = frozenset(agents)
        if names not in self._views:
            if not self._counted.leaves_agents_alone(names):
                msg = "what somebody sees is asked of one of a crowd"
                raise Unsuited(msg)
            environment = self.system.environment.name
            visible = set()
            for name in names:
                agent = self.system.agent(name)
                visible |= {Read(name, each.name) for each in agent.variables}
                visible |= {Read(environment, each) for each in agent.sees}
            self._views[names] = CountedViews(self.space, frozenset(visible))
        return self._views[names]

    def indistinguishable(self, agents: Collection[str], states: States) -> States:
        """Return the states that look like one of `states` to all of `agents` at once."""
        if not self.whole.leaves_agents_alone(agents):
            msg = "what somebody sees is asked of one of a crowd"
            raise Unsuited(msg)
        return self._alike(agents, states)

    def _alike(self, agents: Collection[str], states: States) -> States:
        views = self._seen(agents)
        return frozenset(
            [n for view in {views.class_of[n] for n in states} for n in views.members[view]]
        )

    def confused(self, agents: Collection[str], states: States) -> States:
        """Return the states that look like one of `states` to one of `agents`."""
        if not self.whole.leaves_agents_alone(agents):
            msg = "what somebody sees is asked of some of a crowd"
            raise Unsuited(msg)
        found = self.empty
        asked: set[str] = set()
        for agent in agents:
            instead = self._stand_in(agent)
            name = agent if instead is None else instead
            if name in asked:
                continue
            asked.add(name)
            alike = self._alike((name,), states)
            found = self.union(found, alike if instead is None else self._for_some(alike))
        return found

    def views(self, agents: Collection[str], states: States) -> int:
        """Return exactly how many views all of `agents` together have of the states."""
        names = set(agents)
        if len(names) == 1:  # each of a crowd has as many as any other
            names = {self._stand_in(name) or name for name in names}
        elif not self.whole.leaves_agents_alone(names):
            msg = "what somebody sees is asked of some of a crowd"
            raise Unsuited(msg)
        views = self._seen(names)
        return sum(views.weights[view] for view in {views.class_of[n] for n in states})

    # Coalitions

    def _options(self, coalition: Collection[str]) -> Callable[[int], tuple[tuple[int, ...], ...]]:
        """Return what gives, for a state, the results that each useful choice may have."""
        names = frozenset(coalition)
        if not self.whole.leaves_agents_alone(names):
            msg = "a coalition has some of a crowd in it"
            raise Unsuited(msg)
        space, system = self.space, self.system
        choosers = tuple(
            each
            for each in space.moves.agents.choosers
            if system.agents[each.agents[0]].name in names
        )
        table = self._choices.setdefault(choosers, [None] * len(space.counted))

        def options(number: int) -> tuple[tuple[int, ...], ...]:
            found = table[number]
            if found is None:
                space.budget.check("choices", number)
                found = table[number] = useful(list(space.choices(number, choosers).values()))
            return found

        return options

    # What is asked of single states is asked of one of those that were counted together, or not at all.

    def classes(self, agents: frozenset[str]) -> tuple[list[int], list[list[int]]]:
        """Refuse: views are counted."""
        return _not_counted(agents)

    def choose(
        self, coalition: Collection[str], state: State, target: States
    ) -> tuple[tuple[str, str], ...] | None:
        """Refuse: what single agents do is not counted."""
        return _not_counted(coalition, state, target)

    def able(self, agent: str, action: str) -> States:
        """Refuse: what single agents do is not counted."""
        return _not_counted(agent, action)

    def results(self, state: State, actions: Mapping[str, str]) -> States:
        """Refuse: what single agents do is not counted."""
        return _not_counted(state, actions)

    def forcing_choices(
        self, coalition: Collection[str], target: States, within: States
    ) -> Iterable[tuple[tuple[str, ...], States]]:
        """Refuse: what single agents do is not counted."""
        return _not_counted(coalition, target, within)

    def uniform_search(
        self, coalition: Collection[str], game: CoalitionGame[States]
    ) -> StrategySearch[States]:
        """Refuse: members of a crowd need not all do the same."""
        return _not_counted(coalition, game)

    def informed_strategy(
        self, coalition: Collection[str], game: CoalitionGame[States], state: State
    ) -> dict[State, tuple[tuple[str, str], ...]] | None:
        """Refuse: strategies are about single states."""
        return _not_counted(coalition, game, state)

    def conflicting_views(
        self,
        coalition: Collection[str],
        game: CoalitionGame[States],
        states: Sequence[State],
        most: int,
    ) -> list[tuple[str, tuple[State, ...]]]:
        """Refuse: strategies are about single states."""
        return _not_counted(coalition, game, states, most)

    def confused_states(
        self, coalition: Collection[str], state: State, universe: States
    ) -> list[State]:
        """Refuse: states are not listed one by one."""
        return _not_counted(coalition, state, universe)

    def pruned(self, agents: Collection[str]) -> "Iterable[tuple[ViewChoices, CountedSets]]":
        """Refuse: strategies are about single agents."""
        return _not_counted(agents)


def _refuse_of_one(*states: States) -> None:
    if any(isinstance(each, OfOne) for each in states):
        msg = "fairness is asked of each of a crowd, and not of paths of CTL"
        raise Unsuited(msg)


def _not_counted(*_asked: object) -> NoReturn:
    msg = "it is asked about single states or agents of a crowd"
    raise Unsuited(msg)
