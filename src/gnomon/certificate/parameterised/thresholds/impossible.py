"""That no run does what a formula excludes, whatever the parameters: asked of a solver as one question.

The argument. A guard that holds goes on holding (this is asked, guard by guard and move by move). So a run
has as many spans as there are guards, and one more, in which no guard comes true. Within a span its moves can
be put in the order of the places, and be counted: an agent leaves a place after all have come to it who do so
in this span. So any run gives numbers (who starts where, and span by span how many do each move, which its
guard allows where the span begins) that lead to the same counts. If no numbers do, no run does.
"""

from collections.abc import Iterator
from functools import partial

from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.thresholds.places import (
    CountedMove,
    CountedPlaces,
    Counts,
    environments,
    parameter,
)
from gnomon.certificate.parameterised.thresholds.wishes import WishedRun, wish_of
from gnomon.certificate.rejection import Rejected, TooMuch, require
from gnomon.certificate.smt_terms import FALSE, TRUE, SmtText, conj, disj, implies, neg, number
from gnomon.certificate.solvers import Dialogue
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.linear import LinearTerm
from gnomon.model.parameterised.query import OverTime, Query
from gnomon.model.parameterised.system import OpenSystem, Part

#: More moves in all spans together are not written down.
_MOST_MOVES = 50_000


def check_impossible(system: OpenSystem, query: Query, prover: ObligationProver) -> None:
    """Fail unless no run is what a question asks for, or excludes, whatever the parameters."""
    wish = wish_of(query)
    own = query.template if isinstance(query, OverTime) else ""
    for state in environments(system):
        argument = _Argument(system, CountedPlaces(system, state, own), prover)
        argument.check_order()
        prover.converse(argument.check_guards)
        prover.converse(partial(argument.check_runs, wish))


class _Argument:
    """The argument for one state of the environment."""

    def __init__(self, system: OpenSystem, places: CountedPlaces, prover: ObligationProver) -> None:
        self.system = system
        self.places = places
        self.prover = prover
        anywhere = self._anywhere
        self.moves = [
            move
            for move in places.moves
            if move.source != move.target and places.guard(move, anywhere) != FALSE
        ]
        self.guards = {
            places.guard(move, anywhere): move
            for move in self.moves
            if places.guard(move, anywhere) != TRUE
        }

    @property
    def _anywhere(self) -> Counts:
        return [f"k{n}" for n in range(len(self.places.listed))]

    # Agents only go forward

    def check_order(self) -> None:
        """Fail where agents come back; put the moves in the order of the places that they begin at."""
        left = set(range(len(self.places.listed)))
        rank: dict[int, int] = {}
        while left:
            reached = {m.target for m in self.moves if m.source in left}
            free = left - reached
            require(free, "agents may come back to where they were")
            rank.update(dict.fromkeys(free, len(rank)))
            left -= free
        self.moves.sort(key=lambda move: rank[move.source])

    # Guards stay true

    def check_guards(self, dialogue: Dialogue) -> None:
        """Fail where a guard that holds may fail after a move."""
        self._declare(dialogue)
        for guard, move in self.guards.items():
            for step in self.moves:
                after = self.places.guard(move, self._after(step))
                stays = self._impossible(dialogue, step, conj((guard, neg(after))))
                require(stays, "what a guard asks may become false again")

    def _after(self, step: CountedMove) -> list[SmtText]:
        counts = list(self._anywhere)
        counts[step.source] = f"(- {counts[step.source]} 1)"
        counts[step.target] = f"(+ {counts[step.target]} 1)"
        return counts

    def _impossible(self, dialogue: Dialogue, step: CountedMove, what: SmtText) -> bool:
        """Return whether something cannot be so where a move is taken."""
        if what == FALSE:
            return True
        self.prover.count()
        dialogue.suppose(conj((f"(>= k{step.source} 1)", what)))
        possible = dialogue.is_possible()
        dialogue.take_back()
        return not possible

    def _declare(self, dialogue: Dialogue) -> None:
        """Declare parameters, and how many agents are at each place, in any configuration."""
        names = [*map(parameter, self.system.parameters), *self._anywhere]
        for name in names:
            dialogue.tell(f"(declare-const {name} Int)(assert (>= {name} 0))")
        own = [f"k{n}" for n, place in enumerate(self.places.listed) if place.own]
        if own:
            dialogue.tell(f"(assert (= {_sum(own)} 1))")

    # No run

    def check_runs(self, wish: WishedRun, dialogue: Dialogue) -> None:
        """Fail unless no numbers make a run that does what is wished for."""
        spans = (len(self.guards) + 1) * len(wish.moments)
        if spans * (len(self.moves) + 1) > _MOST_MOVES:
            raise TooMuch("there are too many moves to be counted span by span")
        held = self._held(wish)
        counts = self._start(dialogue)
        for number_, moment in enumerate(wish.moments):
            if number_:
                counts = self._go(dialogue, counts)
            self._assert(dialogue, self.places.of_own(moment.now, counts))
            for condition in moment.always:
                if not held[condition]:
                    self._assert(dialogue, self.places.of_own(condition, counts))
        if wish.ends:
            counts = self._go(dialogue, counts)
            finally_ = (condition for condition, falls in held.items() if falls)
            for condition in (*finally_, *wish.end):
                self._assert(dialogue, self.places.of_own(condition, counts))
            for text in self._ended(counts):
                self._assert(dialogue, text)
        self.prover.count()
        require(not dialogue.is_possible(), "the solver finds numbers that may be those of a run")

    def _start(self, dialogue: Dialogue) -> list[SmtText]:
        for name in map(parameter, self.system.parameters):
            dialogue.tell(f"(declare-const {name} Int)(assert (>= {name} 0))")
        counts = ["0"] * len(self.places.listed)
        for part in self.system.templates:
            everybody: list[SmtText] = []
            for own in (False, True):
                chosen = self.places.starts(part.name, own=own)
                for n in chosen:
                    counts[n] = f"s{n}"
                    everybody.append(counts[n])
                    dialogue.tell(f"(declare-const s{n} Int)(assert (>= s{n} 0))")
                if own and any(p.own and p.template == part.name for p in self.places.listed):
                    dialogue.tell(f"(assert (= {_sum([counts[n] for n in chosen])} 1))")
            for text in _sizes(part, _sum(everybody)):
                dialogue.tell(f"(assert {text})")
        for assumed in self.system.assumptions:
            self._assert(dialogue, self.places.condition(assumed, counts))
        return counts

    def _go(self, dialogue: Dialogue, counts: list[SmtText]) -> list[SmtText]:
        """Return the counts after as many spans as a run may have."""
        for _ in range(len(self.guards) + 1):
            self.prover.count()
            mark = self.prover.questions
            change: dict[int, list[SmtText]] = {}
            for n, move in enumerate(self.moves):
                times = f"t{mark}_{n}"
                dialogue.tell(f"(declare-const {times} Int)(assert (>= {times} 0))")
                allowed = self.places.guard(move, counts)
                self._assert(dialogue, implies(f"(> {times} 0)", allowed))
                change.setdefault(move.source, []).append(f"(- {times})")
                change.setdefault(move.target, []).append(times)
            following = list(counts)
            for place, changes in change.items():
                following[place] = f"k{mark}_{place}"
                dialogue.tell(f"(declare-const {following[place]} Int)")
                total = _sum([counts[place], *changes])
                dialogue.tell(f"(assert (= {following[place]} {total}))")
                dialogue.tell(f"(assert (>= {following[place]} 0))")
            counts = following
        return counts

    def _held(self, wish: WishedRun) -> dict[Condition, bool]:
        """Return whether what holds from a moment on is to be looked at in the end, and not at the moment.

        What once true stays true is looked at first; what once false stays false is looked at in the end.
        """
        found: dict[Condition, bool] = {}
        for condition in (each for moment in wish.moments for each in moment.always):
            if self._keeps(condition, wanted=True):
                found[condition] = False
            elif self._keeps(condition, wanted=False):
                found[condition] = True
            else:
                raise Rejected("what is to hold all the time may come and go")
        return found

    def _keeps(self, condition: Condition, *, wanted: bool) -> bool:
        """Return whether a condition keeps a value that it has, whatever is done."""
        found: list[bool] = []

        def work(dialogue: Dialogue) -> None:
            self._declare(dialogue)
            here = self.places.of_own(condition, self._anywhere)
            found.append(
                all(
                    self._impossible(dialogue, step, _turns(here, there, wanted=wanted))
                    for step in self.moves
                    for there in (self.places.of_own(condition, self._after(step)),)
                )
            )

        self.prover.converse(work)
        return found[-1]

    # Ends

    def _ended(self, counts: Counts) -> Iterator[SmtText]:
        """Yield what holds where a run stays for ever, and everybody is treated fairly."""
        yield from self._fair(counts)
        everywhere = range(len(self.places.listed))
        moving = {n: self._can(n, counts, staying=False) for n in everywhere}
        staying = {n: self._can(n, counts, staying=True) for n in everywhere}
        there = {n: f"(>= {counts[n]} 1)" for n in everywhere}
        if self.system.promise != "none":
            # Who is able acts: it does what changes nothing, or nothing can be done by it.
            for n in everywhere:
                yield implies(conj((there[n], moving[n])), staying[n])
            return
        nobody = conj(neg(conj((there[n], disj((moving[n], staying[n]))))) for n in everywhere)
        yield disj((nobody, *(conj((there[n], staying[n])) for n in everywhere)))

    def _can(self, place: int, counts: Counts, *, staying: bool) -> SmtText:
        """Return whether an agent at a place can do something that changes it, or that does not."""
        return disj(
            self.places.guard(move, counts)
            for move in self.places.moves
            if move.source == place and (move.source == move.target) == staying
        )

    def _fair(self, counts: Counts) -> Iterator[SmtText]:
        for fair in self.system.fairness:
            if not fair.template:
                yield self.places.condition(fair.condition, counts)
                continue
            for n, place in enumerate(self.places.listed):
                if place.template == fair.template:
                    holds = self.places.condition(fair.condition, counts, n)
                    yield implies(f"(>= {counts[n]} 1)", holds)

    @staticmethod
    def _assert(dialogue: Dialogue, text: SmtText) -> None:
        dialogue.tell(f"(assert {text})")


def _turns(here: SmtText, there: SmtText, *, wanted: bool) -> SmtText:
    return conj((here, neg(there)) if wanted else (neg(here), there))


def _sum(parts: list[SmtText]) -> SmtText:
    return f"(+ {' '.join([*parts, '0', '0'])})"


def _sizes(part: Part, size: SmtText) -> Iterator[SmtText]:
    """Yield how many agents of a template there are."""
    low, high = part.size or (
        LinearTerm((), part.low),
        None if part.high is None else LinearTerm((), part.high),
    )
    yield f"(>= {size} {_linear(low)})"
    if high is not None:
        yield f"(<= {size} {_linear(high)})"


def _linear(term: LinearTerm) -> SmtText:
    parts = [f"(* {number(k)} {parameter(name)})" for name, k in term.times]
    return _sum([*parts, number(term.number)])
