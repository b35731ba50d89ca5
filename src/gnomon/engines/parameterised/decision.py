"""What a search says about any number of agents."""

from gnomon.engines.parameterised.demands import Population
from gnomon.engines.parameterised.run import OpenRun
from gnomon.engines.parameterised.search_invariant import Invariant
from gnomon.model.domain import Datum
from gnomon.model.parameterised.step import Place
from gnomon.text.record import Record


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
