"""One way of deciding the formulae of one model: what every way offers to the session that uses it."""

from abc import abstractmethod
from typing import NamedTuple, Protocol

from gnomon.checking.options import Options
from gnomon.checking.policy import Policy
from gnomon.checking.proofs import Proved
from gnomon.checking.told import Findings, Limits
from gnomon.checking.verdict import Thresholds, Value, Verdict
from gnomon.model.any import AnyModel, AnySpecification
from gnomon.model.evidence import Evidence
from gnomon.model.open_cycle import OpenCycle
from gnomon.model.system import System
from gnomon.text.source import Source


class Task(NamedTuple):
    """What is to be decided: formulae by their numbers, about a model, within limits."""

    model: AnyModel
    asked: tuple[tuple[int, AnySpecification], ...]
    options: Options
    limits: Limits
    source: Source
    #: What becomes of what is found about the model.
    policy: Policy = Policy()


class Decision(NamedTuple):
    """What came of one formula: its value, why that is open where it is, and what supports it."""

    value: Value
    reason: str = ""
    evidence: Evidence | None = None
    #: For any number of agents: how many it takes, and those that the evidence is about.
    numbers: Thresholds | None = None
    system: System | None = None
    #: Who decided it, where it was not the engine of the decider.
    engine: str = ""
    #: Why a formula that is true says nothing.
    vacuous: str = ""
    #: A way round that is left, where a question about paths is open.
    cycle: OpenCycle | None = None


class Decider(Protocol):
    """Decides the formulae of one model in one way: by exploring, on cells of states, or for populations.

    Any method may raise `LimitReached` where a limit of the task is reached, `TryAnother` where this way has
    come to its end and another may do better, and `InputError` where it cannot be asked at all.
    """

    #: What it has found out about the model as a whole, up to now; its engine is the one at work.
    found: Findings
    #: What sets it apart from others with the same engine.
    name: str

    @abstractmethod
    def prepare(self) -> None:
        """Do what all formulae need: explore the states, or cut them into cells."""

    @abstractmethod
    def sanity(self, check: str) -> Decision:
        """Decide a question about the model itself: "deadlock" or "overflow", true where there is none."""

    @abstractmethod
    def decide(self, number: int, formula: AnySpecification) -> Decision:
        """Decide the formula of that number."""

    @abstractmethod
    def prove(self, verdict: Verdict, formula: AnySpecification) -> Proved:
        """Return a proof of a verdict of its own that the checker accepts, or why there is none."""

    @abstractmethod
    def account(self) -> tuple[tuple[str, str], ...]:
        """Return what was done, by name."""

    @abstractmethod
    def close(self) -> None:
        """Let go of all that was built."""
