"""What a search says about any number of agents."""

from collections.abc import Iterator
from typing import Any, Final

from gnomon.engines.parameterised.demands import Population
from gnomon.engines.parameterised.run import OpenRun
from gnomon.engines.parameterised.search_invariant import Invariant, ViewSets
from gnomon.model.domain import Datum
from gnomon.model.parameterised.knowing import EpistemicFormula
from gnomon.model.parameterised.step import Configuration, Event, Place
from gnomon.text.record import Record

#: How it is known that nothing is ever so where nothing can start.
NO_START: Final = "no initial configuration"


class ChainLink(Record):
    """A run, and by number one to whom it looks as before in the end, and who comes next."""

    run: OpenRun
    agents: tuple[int, ...]


class Insight(Record):
    """Why something is known, or is not: what is asked, and the run to where it is otherwise, if it is.

    `agent` is the one, at the end of the run before, to whom the end of this one looks the same; None where
    several put together what they see. In this run it is the agent with the number `alike`. `who` says which
    agents the indices of what is known stand for there, and `parts` why it is so.
    """

    formula: EpistemicFormula
    value: bool
    agent: int | None
    who: tuple[tuple[str, int], ...] = ()
    run: OpenRun | None = None
    alike: int | None = None
    parts: tuple["Insight", ...] = ()


def runs_of(insights: tuple[Insight, ...]) -> Iterator[OpenRun]:
    """Yield all runs that show something."""
    for each in insights:
        if each.run is not None:
            yield each.run
        yield from runs_of(each.parts)


class PlayedAnswer(Record):
    """In a configuration, what all choose when a coalition chooses its part, and what comes of it."""

    now: Configuration
    choice: Event
    step: Event
    after: Configuration


class PlayedTable(Record):
    """How a game goes: the population, the facts, where it begins, and what is chosen where."""

    members: tuple[str, ...]
    facts: tuple[tuple[Place, Datum], ...]
    start: Configuration
    answers: tuple[PlayedAnswer, ...]


class PopulationDecision(Record):
    """Whether bad configurations can be reached; None where that is open, and `reason` says why.

    `smallest` are the populations with which they can, in the order of the templates: all the minimal ones
    where they are `exact`. `run` has been replayed, and `facts` are all that it takes of the relations. For
    knowledge there are two runs, and `self` is the first agent of both.
    """

    reached: bool | None
    method: str
    smallest: tuple[Population, ...] = ()
    exact: bool = False
    run: OpenRun | None = None
    other: OpenRun | None = None
    facts: tuple[tuple[Place, Datum], ...] = ()
    invariant: Invariant | None = None
    reason: str = ""
    steps: int = 0
    #: Up to which number agents were counted, where a graph of all populations proves it.
    counted: int = 0
    #: Over time: after how many steps of the run the loop begins that ends with its last step; None where
    #: nothing can happen at its end.
    loop: int | None = None
    #: Over time, where it is only asked what is reached: the run arrives there, however it goes on.
    arrives: bool = False
    #: Of one template, which numbers of agents were gone through and whether they can; and from how many
    #: agents on none can.
    examined: tuple[tuple[Population, bool], ...] = ()
    from_on: int | None = None
    #: For what is always known: at each level the views, by what is seen of the environment, that are not
    #: excluded; None where they were not gone through.
    cut: tuple[ViewSets, ...] | None = None
    #: For what others know: runs that look alike, each to an agent of the one before.
    chain: tuple[ChainLink, ...] = ()
    #: The least values of parameters with which they can, in their order.
    parameters: tuple[tuple[str, int], ...] = ()
    #: For knowledge of any shape: which agents are named at the end of the run, and why that is so there.
    who: tuple[tuple[str, int], ...] = ()
    insights: tuple[Insight, ...] = ()
    #: For coalitions: the strategy of one, or what the others answer to all that it may choose.
    table: PlayedTable | None = None
    #: For what coalitions enforce in all populations, or in none: the games that were won (`games.enforcing`
    #: has `WonGame`) or lost (`LostGame`), one for each way to fill the relations.
    played: tuple[Any, ...] = ()
