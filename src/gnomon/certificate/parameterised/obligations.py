"""What it takes to prove obligations: a solver that answers, within limits."""

from collections.abc import Callable
from typing import Final

from gnomon.certificate.parameterised.encoding import AgentEncoding
from gnomon.certificate.rejection import TooMuch
from gnomon.certificate.smt_terms import FALSE, SmtText
from gnomon.certificate.solvers import PATIENCE, Dialogue, Undecided
from gnomon.model.budget import Budget
from gnomon.model.patience import patience

#: The most questions that are put to a solver for one invariant, and the most seconds they may take.
_MOST_QUESTIONS: Final = 200_000
_MOST_SECONDS: Final = 600.0
_LINEAR: Final = "QF_LIA"


class ObligationProver:
    """Asks solvers, one after the other where one has no answer."""

    def __init__(self, budget: Budget, solvers: tuple[str, ...]) -> None:
        """Ask these solvers, as far as they are installed."""
        self._budget = budget
        self._own = Budget(_MOST_SECONDS)
        self._solvers = solvers
        self._questions = 0

    def prove(self, encoding: AgentEncoding, work: Callable[["SolverContext"], None]) -> None:
        """Do some work on an encoding with the first solver that can do all of it."""
        for name in self._solvers:
            try:
                work(SolverContext(encoding, name, self))
            except (Undecided, ImportError):
                continue
            return
        raise TooMuch("no solver could decide an obligation")

    def converse(self, work: Callable[[Dialogue], None]) -> None:
        """Do some work in a dialogue about whole numbers, with the first solver that can do all of it."""
        for name in self._solvers:
            try:
                work(Dialogue(name, self.milliseconds(), _LINEAR))
            except (Undecided, ImportError):
                continue
            return
        raise TooMuch("no solver could decide an obligation")

    @property
    def questions(self) -> int:
        """Return how many questions were counted."""
        return self._questions

    def milliseconds(self) -> int:
        """Return how long one question may take."""
        return patience(PATIENCE, self._budget)

    def count(self) -> None:
        """Count a question; raise where there are too many, or they take too long."""
        self._questions += 1
        self._budget.check("obligations", self._questions)
        self._own.check()
        if self._questions > _MOST_QUESTIONS:
            raise TooMuch(f"the invariant has more than {_MOST_QUESTIONS:,} obligations")


class SolverContext:
    """An encoding that a solver was told of."""

    def __init__(self, encoding: AgentEncoding, solver: str, prover: ObligationProver) -> None:
        """Tell it."""
        self.encoding = encoding
        self._prover = prover
        self._dialogue = Dialogue(solver, prover.milliseconds())
        self._dialogue.tell(encoding.declarations())
        #: How much has been said of values that are looked up, and how much before each thing supposed.
        self._said = 0
        self._before: list[int] = []

    def _say_more(self) -> None:
        """Say what is to be said of values that are looked up and were not spoken of before."""
        found = self.encoding.looked_up(self._said)
        self._said += len(found)
        self.assume(*found)

    def assume(self, *texts: SmtText) -> None:
        """Assume something, until what was supposed last is taken back."""
        self._dialogue.tell("\n".join(f"(assert {text})" for text in texts))

    def suppose(self, text: SmtText) -> None:
        """Assume something until it is taken back."""
        self._before.append(self._said)
        self._dialogue.suppose(text)

    def take_back(self) -> None:
        """Forget what was supposed last."""
        self._said = self._before.pop()
        self._dialogue.take_back()

    def is_possible(self) -> bool:
        """Return whether all that is assumed can be so."""
        self._prover.count()
        self._say_more()
        return self._dialogue.is_possible()

    def can_be(self, text: SmtText) -> bool:
        """Return whether something can be, with all that is assumed."""
        if text == FALSE:
            return False
        self.suppose(text)
        found = self.is_possible()
        self.take_back()
        return found

    def values(self, terms: list[SmtText]) -> list[bool | int]:
        """Return the values of terms in the case that was found possible last."""
        return self._dialogue.values(terms)
