"""What is said to a solver in the course of a proof: symbols, abbreviations, one obligation after another."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeAlias

from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.certificate.smt_terms import (
    FALSE,
    TRUE,
    SmtText,
    Vocabulary,
    conj,
    neg,
    sort_of,
)
from gnomon.certificate.solvers import PATIENCE, Dialogue
from gnomon.model.agent import Agent
from gnomon.model.budget import Budget
from gnomon.model.expression import Read
from gnomon.model.patience import patience
from gnomon.model.system import System

#: Texts that are longer than this get a name: they are likely to be used again.
_SHORT: Final = 24
#: The most characters that are written for one proof, and the most obligations.
_MOST_WRITTEN: Final = 64_000_000
_MOST_OBLIGATIONS: Final = 100_000
#: So many are asked for at once.
_TOGETHER: Final = 32


#: Returns what else is known, which may take long to write.
KnownMore: TypeAlias = Callable[[], Iterable[SmtText]]


class _Obligation(NamedTuple):
    """What must not be possible, what is wrong where it is, and what else is known."""

    text: SmtText
    what: str
    more: KnownMore | None = None


class Script:
    """A dialogue with one solver about the states of one system.

    Variables are `v0`, `v1`, …, and `w0`, … in another state that looks the same; actions are numbers.
    """

    def __init__(self, system: System, solver: str, budget: Budget) -> None:
        """Declare the variables; raises `ImportError` where the solver is not installed."""
        self.system = system
        self.vocabulary = Vocabulary(variable.domain for variable in system.variables)
        self._budget = budget
        self._dialogue = Dialogue(solver, patience(PATIENCE, budget), logic="ALL")
        self._names: dict[tuple[str, SmtText], str] = {}
        self._declared: set[str] = set()
        self._waiting: list[str] = []
        self._asked: set[_Obligation] = set()
        #: What follows by itself, or else the whole proof is refused.
        self._follows: set[SmtText] = set()
        self._queue: list[_Obligation] = []
        self._written = 0

    def variable(self, read: Read, prefix: str = "v") -> SmtText:
        """Return the symbol of a variable, which has a value of its type."""
        place = self.system.position[read.agent, read.variable]
        name = f"{prefix}{place}"
        if name not in self._declared:
            domain = self.system.variables[place].domain
            self._declare(name, sort_of(domain))
            self._say_that(self.vocabulary.member(domain, name))
        return name

    def action(self, agent: Agent) -> SmtText:
        """Return the symbol of what an agent does: the number of its action."""
        name = f"a{self.system.agent_index[agent.name]}"
        if name not in self._declared:
            self._declare(name, "Int")
            self._say_that(f"(and (<= 0 {name}) (< {name} {len(agent.actions)}))")
        return name

    def choice(self, number: int) -> SmtText:
        """Return the symbol of a choice among lines."""
        name = f"c{number}"
        if name not in self._declared:
            self._declare(name, "Int")
        return name

    def _declare(self, name: str, sort: str) -> None:
        self._declared.add(name)
        self._say(f"(declare-const {name} {sort})")

    def _say_that(self, text: SmtText) -> None:
        if text != TRUE:
            self._say(f"(assert {text})")

    def _say(self, text: str) -> None:
        self._waiting.append(text)
        self._written += len(text)
        if self._written > _MOST_WRITTEN:
            raise TooMuch("the proof becomes too long where it is written out for a solver")

    def named(self, text: SmtText, sort: str = "Bool") -> SmtText:
        """Return a name for a text, where it is long."""
        if len(text) <= _SHORT:
            return text
        key = (sort, text)
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"d{len(self._names)}"
            self._say(f"(define-fun {name} () {sort} {text})")
        return name

    def prove(
        self, known: Iterable[SmtText], goal: SmtText, what: str, more: KnownMore | None = None
    ) -> None:
        """Have it proved that something follows; `what` says what is wrong where it does not.

        Where it does not follow, it is asked once again with all `more` that is known.
        Obligations are collected: that they are all proved is known when `finish` has returned.
        """
        given = conj(known)
        if goal == TRUE or given in (FALSE, goal):
            return
        obligation = _Obligation(conj((given, neg(goal))), what, more)
        # What only follows from all that is known of one step need not follow of another, nor by itself.
        if obligation.text in self._follows or obligation in self._asked:
            return
        self._budget.check("obligations", len(self._asked))
        self._asked.add(obligation)
        if more is None:
            self._follows.add(obligation.text)
        if len(self._asked) > _MOST_OBLIGATIONS:
            raise TooMuch(f"the proof has more than {_MOST_OBLIGATIONS:,} obligations")
        self._queue.append(obligation)
        if len(self._queue) >= _TOGETHER:
            self.finish()

    def finish(self) -> None:
        """Have everything proved that was collected; raises `Rejected` where something does not follow."""
        queue, self._queue = self._queue, []
        if not queue:
            return
        texts = list(dict.fromkeys(each.text for each in queue))
        possible = dict(zip(texts, self._possible(texts), strict=True))
        self._follows.update(text for text in texts if not possible[text])
        for obligation in queue:
            if possible[obligation.text] and not self._follows_from_more(obligation):
                raise Rejected(obligation.what)

    def _possible(self, texts: list[SmtText]) -> list[bool]:
        said = "\n".join(self._waiting)
        self._waiting.clear()
        questions = [f"(push 1)\n(assert {each})\n(check-sat)\n(pop 1)" for each in texts]
        return self._dialogue.answers(said, questions)

    def _follows_from_more(self, obligation: _Obligation) -> bool:
        if obligation.more is None:
            return False
        whole = conj((obligation.text, *obligation.more()))
        if whole == obligation.text:
            return False
        [possible] = self._possible([whole])
        return not possible
