"""What a model can make long looks at the budget: one that is used up stops everything at once."""

from collections.abc import Callable

import pytest

from gnomon.checking.sizes import Sizes, measure
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.builder import SystemDraft
from gnomon.model.initial import InfinitelyMany
from gnomon.model.step import alternatives, initial_states, moves
from gnomon.model.system import System
from gnomon.results.drawing.layout import lay_out
from gnomon.results.drawing.state_diagram import state_diagram
from gnomon.results.graph import reachable_graph
from gnomon.results.model_walk import ModelWalk, WalkError, explore
from gnomon.results.render.graph import svg
from tests.unit.results import samples

SYSTEM = samples.system()
FIRST = next(initial_states(SYSTEM))
GRAPH = reachable_graph(SYSTEM)
DIAGRAM = state_diagram(GRAPH)


def spent() -> Budget:
    """Return a budget of which nothing is left."""
    return Budget(seconds=-1.0)


def wide() -> System:
    """Return a system with very many initial states."""
    builder = SystemDraft("wide")
    agent = builder.agent("P", actions=["go"])
    x = agent.integer("x", 0, 10**9)
    agent.otherwise("go")
    return builder.finished(initial=x >= 0)


def endless() -> System:
    """Return a system with infinitely many initial states."""
    builder = SystemDraft("endless")
    agent = builder.agent("P", actions=["go"])
    x = agent.integer("x")
    agent.otherwise("go")
    return builder.finished(initial=x > 0)


@pytest.mark.parametrize(
    "work",
    [
        lambda: list(moves(SYSTEM, FIRST, spent())),
        lambda: alternatives(SYSTEM, SYSTEM.agents[0], FIRST, ("-",) * 3, spent()),
        lambda: list(initial_states(wide(), spent())),
        lambda: list(explore(SYSTEM, 10**9, spent())),
        lambda: lay_out(DIAGRAM, spent()),
        lambda: svg.render(GRAPH, spent()),
    ],
    ids=["moves", "alternatives", "initial states", "explore", "layout", "svg"],
)
def test_everything_ends_with_its_budget(work: Callable[[], object]) -> None:
    with pytest.raises(LimitReached):
        work()


def test_a_graph_has_what_was_found_before() -> None:
    graph = reachable_graph(SYSTEM, 10**30, budget=spent())

    assert (graph.cut, graph.why) == (True, "the time limit of -1 s was reached")
    assert len(graph.nodes) == 2  # the initial states
    assert not reachable_graph(SYSTEM, 10**30).cut


def test_a_walk_stays_where_it_is() -> None:
    walk = ModelWalk(SYSTEM)
    walk.start(1)
    walk.budget = spent()

    with pytest.raises(WalkError, match="only 0 were found, the time limit"):
        walk.take(1)
    with pytest.raises(WalkError, match="there is no initial state 99"):
        walk.start(99)
    assert walk.at == 0
    assert walk.options().is_deadlock is None


def test_counting_initial_states_ends_with_the_budget() -> None:
    walk = ModelWalk(wide())
    walk.budget = spent()

    with pytest.raises(WalkError, match="initial states were found: the time limit"):
        walk.start(10**12)


def test_infinitely_many_are_told_from_very_many() -> None:
    with pytest.raises(InfinitelyMany):
        list(initial_states(endless()))
    assert measure(endless(), 100, 5.0) == Sizes(None, None, None)


def test_counting_says_how_far_it_came() -> None:
    builder = SystemDraft("counts")
    agent = builder.agent("P", actions=["go"])
    x = agent.integer("x")
    agent.otherwise("go")
    agent.evolve({x: x + 1}, when=agent.does("go"))
    system = builder.finished(initial=x == 0)

    assert measure(system, 50, 30.0) == Sizes(None, 1, 50, complete=False)
