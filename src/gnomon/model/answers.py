"""What was found out about conditions, for a system that is looked at again after a change.

Whether some values meet a condition depends on the condition, and on what values its variables and what
actions its agents can have. Where these are as they were, so is the answer. How much work it took is known,
too, and counted again: a search that comes to its end after so much work ends in the same place.
"""

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from gnomon.model.expression import Expression, Read, actors, reads
from gnomon.model.system import System

if TYPE_CHECKING:
    from gnomon.model.occasions import Occasion, OccasionSearch

#: What an answer depends on beside the condition: domains of variables, and actions of agents.
_AnswerFacts: TypeAlias = tuple[object, ...]


class KnownAnswer(NamedTuple):
    """Values that meet a condition, if there are any; `parts` that were looked at, None where too many."""

    found: "Occasion | None"
    parts: int | None
    reads: tuple[Read, ...]
    actors: tuple[str, ...]
    facts: _AnswerFacts


class Answers:
    """The answers of one look at a system, and those of the look before it, while it lasts."""

    def __init__(self, before: "Answers | None" = None) -> None:
        """Begin, with answers from before where there are some."""
        self._before = before
        self._system: System | None = None
        self._unbounded = False
        #: Whether it is plain that a condition can hold, and what was found out where it is not.
        self.plain: dict[Expression, bool] = {}
        self.answers: dict[Expression, KnownAnswer] = {}

    def look_at(self, system: System) -> None:
        """Look at this system now."""
        self._system = system
        # Where some number has no bounds, all numbers are tried in another way.
        self._unbounded = system.kind == "unbounded"

    def done(self) -> "Answers":
        """Forget what nobody asked for this time."""
        self._before = self._system = None
        return self

    def was_plain(self, condition: Expression) -> bool | None:
        """Return whether it was plain that a condition can hold: that depends on nothing else."""
        found = None if self._before is None else self._before.plain.get(condition)
        if found is not None:
            self.plain[condition] = found
        return found

    def known(self, condition: Expression) -> KnownAnswer | None:
        """Return what was found out about a condition, if it is still so."""
        answer = self.answers.get(condition)
        if answer is None and self._before is not None:
            answer = self._before.answers.get(condition)
        if answer is None or answer.facts != self._facts(answer.reads, answer.actors):
            return None
        self.answers[condition] = answer
        return answer

    def learn(
        self, condition: Expression, found: "Occasion | None", search: "OccasionSearch"
    ) -> None:
        """Remember what a search has just found out; not where it came to the end of all its work."""
        parts = search.parts
        if parts is not None:
            read, acting = tuple(reads(condition)), tuple(actors(condition))
            facts = self._facts(read, acting)
            known = None if search.gave_up else parts
            self.answers[condition] = KnownAnswer(found, known, read, acting, facts)

    def _facts(self, read: tuple[Read, ...], acting: tuple[str, ...]) -> _AnswerFacts:
        system = self._system
        assert system is not None, "some system is looked at"
        variables, position = system.variables, system.position
        domains = [variables[position[each.agent, each.variable]].domain for each in read]
        return (self._unbounded, *domains, *[system.agent(name).actions for name in acting])
