"""Truths that say nothing: parts of a true formula that could be replaced and leave it true.

A subformula is *asked* in the states on which its value has a bearing: the formula in the initial states that
count, what stands under a temporal operator in what may follow those, what is known in the states that look
like them, the right side of an implication where its left side holds. The set is rather too large than too
small: outside of it, whatever a subformula says makes no difference to the verdict. So, where a part and what
is put in its place agree on all states in which it is asked, the verdict stays the same. That is what each
`Note` claims of its `part` and `instead` (Beer, Ben-David, Eisner and Rodeh 2001 call it vacuity):

- `a` is false wherever `a -> b` is asked: `a -> false` for `a -> b`; `!a or b` is read as that.
- `i` confuses no two states that count; or `K(i, f)` is asked just in the initial states, and `i` confuses
  none of them with another one: `f` for `K(i, f)`. The same of `DK` where all members together confuse none,
  and of `GK` and `GCK` where none of them does.
- No state that counts is green for `i`: `O(i, false)` for `O(i, f)`.
- `g` has no members: `GK(g, false)` for `GK(g, f)`, and the same of `GCK`.

Nothing is said where a part is settled as it is written, by constants or by an empty range of indices, as in
`a -> false`, `AX false` or `exists j : i+1..n (…) -> …` for the last `i`: so one writes, and it is no slip.

All of this is decided by sets that are there or are found in a step or two, and only where it is certain; on
cells of states, a set counts as empty where it surely is.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, Generic, NamedTuple

from gnomon.engines.algebra import Set
from gnomon.logic.denotation import Denotation
from gnomon.logic.settled import settled
from gnomon.logic.sight import Sight
from gnomon.model import formula as f
from gnomon.model.fragment import has_coalition, is_path_formula
from gnomon.model.system import Logic

FALSE: Final = f.Constant(False)
#: So many parts of a formula are looked at, each at the cost of a set or two.
_MOST_PARTS: Final = 64
#: So many notes are told of one formula.
_MOST_TOLD: Final = 2
#: A part of a formula is shown with so many letters.
_MOST_LETTERS: Final = 60


class Note(NamedTuple):
    """What is vacuous about a true formula: with `instead` for this one `part` of it, it is still true."""

    text: str
    part: f.Formula
    instead: f.Formula


class Vacuity(Generic[Set]):
    """Looks for what is vacuous about true formulae, over any algebra."""

    def __init__(
        self,
        truth: Denotation[Set],
        initial: Set,
        logic: Logic = "CTL",
        look: Callable[[], object] = bool,
    ) -> None:
        """Look things up in `truth`; `initial` are the initial states that count, and perhaps others.

        `look` is called before each part, and may raise an exception to stop.
        """
        self._truth = truth
        self._algebra = truth.algebra
        self._frame = truth.frame(logic)
        self._initial = initial
        self._logic = logic
        self._look = look
        self._sight = Sight(truth.algebra.system)
        self._left = _MOST_PARTS

    def notes(self, formula: f.Formula) -> Iterator[Note]:
        """Yield what is vacuous about a formula that is true."""
        self._left = _MOST_PARTS
        yield from self._walk(formula, self._initial)

    def sentence(self, formula: f.Formula) -> str:
        """Return what is vacuous about a formula that is true; nothing where nothing is known to be."""
        told: dict[str, None] = {}
        for note in self.notes(formula):
            told[note.text] = None
            if len(told) == _MOST_TOLD:
                break
        return "; ".join(told)

    # Where what is asked

    def _walk(self, formula: f.Formula, asked: Set) -> Iterator[Note]:
        """Yield the notes on a formula, of states or of paths, that is asked in some states."""
        if self._algebra.is_empty(asked):
            return
        match formula:
            case f.Constant() | f.Proposition() | f.StateCondition() | f.Norm():
                return
            case f.Not(body):
                yield from self._walk(body, asked)
            case f.And(operands):
                for operand in operands:
                    yield from self._walk(operand, asked)
            case f.Or(operands):
                yield from self._walk_or(formula, operands, asked)
            case f.Implies(left, right):
                yield from self._implied(formula, left, right, f.Implies(left, FALSE), asked)
            case f.Iff(left, right):
                yield from self._walk(left, asked)
                yield from self._walk(right, asked)
            case f.Knows() | f.GroupKnows() | f.Obliged():
                yield from self._known(formula, asked)
            case f.All(path) | f.Exists(path):
                yield from self._quantified(formula, path, asked)
            case f.Enforces():
                yield from self._enforced(formula, asked)
            case f.Next(body):
                yield from self._walk(body, self._next(asked))
            case f.Finally(body) | f.Globally(body):
                yield from self._walk(body, self._frame.tail)
            case f.Until() | f.WeakUntil() | f.Release() | f.Bounded():
                for part in f.parts(formula):
                    yield from self._walk(part, self._frame.tail)

    def _next(self, asked: Set) -> Set:
        """Return the states that may come next, and perhaps more."""
        del asked
        return self._frame.tail

    def _alike(self, agents: Collection[str], asked: Set) -> Set:
        """Return the states that look like one that is asked about to all of `agents`, and perhaps more."""
        del agents, asked
        return self._frame.universe

    def _where(self, formula: f.Formula, within: Set) -> Set:
        """Return where a formula holds within a set, and perhaps more of the set."""
        # Uniform strategies were looked for where they mattered, and not in all states.
        searched = self._truth.strategies != "perfect" and has_coalition(formula)
        if searched or is_path_formula(formula):
            return within
        return self._algebra.intersection(within, self._truth.states(formula, self._logic))

    def _may_look(self) -> bool:
        """Return whether one more part may be looked at."""
        if self._left == 0:
            return False
        self._left -= 1
        self._look()
        return True

    # Implications

    def _walk_or(self, whole: f.Or, operands: tuple[f.Formula, ...], asked: Set) -> Iterator[Note]:
        """A disjunction with negations and others is an implication: `!a or !b or c` is `a and b -> c`.

        One of negations alone is not: `!a or !b` says that two things exclude each other.
        """
        refused = tuple(part for part in operands if isinstance(part, f.Not))
        others = tuple(part for part in operands if not isinstance(part, f.Not))
        if not refused or not others:
            for operand in operands:
                yield from self._walk(operand, asked)
            return
        left = _one(f.And, tuple(part.body for part in refused))
        yield from self._implied(whole, left, _one(f.Or, others), _one(f.Or, refused), asked)

    def _implied(
        self, whole: f.Formula, left: f.Formula, right: f.Formula, instead: f.Formula, asked: Set
    ) -> Iterator[Note]:
        """Yield the notes on an implication, under whatever form it is written."""
        if not self._may_look():
            return
        written = settled(left) is not None or settled(right) is not None
        if not written and not self._possible(left, asked):
            text = f"{self._name(left)} is true {self._nowhere(left, asked)}, so nothing is said of"
            yield Note(f"{text} {self._name(right)}", whole, instead)
            return
        yield from self._walk(left, asked)
        if not _is_plain(right):
            yield from self._walk(right, self._where(left, asked))

    def _possible(self, formula: f.Formula, asked: Set) -> bool:
        """Return whether a formula may hold in some of the states, or on a path from there."""
        if not is_path_formula(formula):
            return not self._algebra.is_empty(self._where(formula, asked))
        match formula:
            case f.And(operands):
                return all(self._possible(operand, asked) for operand in operands)
            case f.Or(operands):
                return any(self._possible(operand, asked) for operand in operands)
            case f.Next(body):
                return self._possible(body, self._next(asked))
            case f.Globally(body):
                return self._possible(body, asked)
            case f.Finally(body) | f.Until(_, body):
                return self._possible(body, self._frame.tail)
            case _:
                return True

    def _nowhere(self, formula: f.Formula, asked: Set) -> str:
        """Return in words where a formula does not hold that does not where it is asked."""
        if not self._possible(formula, self._frame.universe):
            return f"in no {self._kind} state"
        return "in no initial state" if asked is self._initial else "nowhere that it is asked"

    @property
    def _kind(self) -> str:
        return "fair" if self._frame.constraints else "reachable"

    # Knowledge and obligation

    def _known(self, whole: f.Knows | f.GroupKnows | f.Obliged, asked: Set) -> Iterator[Note]:
        if settled(whole.body) is not None or not self._may_look():
            return
        match whole:
            case f.Obliged(agent, body):
                green = self._where(f.Norm(agent, red=False), self._frame.universe)
                if self._algebra.is_empty(green):
                    text = f"no {self._kind} state is green for {agent}, so nothing is said of "
                    yield Note(text + self._name(body), whole, f.Obliged(agent, FALSE))
                yield from self._walk(body, green)
            case f.GroupKnows(kind, group, body) if not group.members and kind != "distributed":
                text = f"{group} has no members, so nothing is said of {self._name(body)}"
                yield Note(text, whole, f.GroupKnows(kind, group, FALSE))
            case f.GroupKnows("distributed", group, body):
                yield from self._seen(whole, [group.members], f"{group} together", body, asked)
            case f.GroupKnows(_, group, body):
                views = [(name,) for name in dict.fromkeys(group.members)]
                who = views[0][0] if len(views) == 1 else f"each of {group}"
                yield from self._seen(whole, views, who, body, asked)
            case f.Knows(agent, body):
                yield from self._seen(whole, [(agent,)], agent, body, asked)

    def _seen(
        self,
        whole: f.Knows | f.GroupKnows,
        views: Sequence[tuple[str, ...]],
        who: str,
        body: f.Formula,
        asked: Set,
    ) -> Iterator[Note]:
        """Yield the notes on what is known to those whose views count, one view or several."""
        sure = self._sure(views, asked)
        if not sure and not _is_plain(body):
            common = isinstance(whole, f.GroupKnows) and whole.kind == "common"
            around = self._frame.universe if common else self._around(views, asked)
            yield from self._walk(body, around)
        elif sure:
            text = f"{who} {sure}, so {self._name(whole)} says no more than {self._name(body)}"
            yield Note(text, whole, body)
            yield from self._walk(body, asked)

    def _sure(self, views: Sequence[tuple[str, ...]], asked: Set) -> str:
        """Return in words that those with these views confuse no states; nothing where they may.

        Only of all states, or where the initial ones alone are asked about: that an agent has no doubts where
        something holds, as in `AG (a -> K(i, a))`, is what such a formula is there to say.
        """
        if all(self._alone(agents, self._frame.universe) for agents in views):
            return f"can tell all {self._kind} states apart"
        if asked is self._initial and all(self._alone(agents, asked) for agents in views):
            return "can tell each initial state from all others"
        return ""

    def _around(self, views: Sequence[tuple[str, ...]], asked: Set) -> Set:
        """Return the states that look like one that is asked about in one of the views."""
        found = self._algebra.empty
        for agents in views:
            found = self._algebra.union(found, self._alike(agents, asked))
        return found

    def _alone(self, agents: Collection[str], asked: Set) -> bool:
        """Return whether agents together surely confuse no state that is asked about with another one."""
        del asked
        return self._sight.is_full(agents)

    # Paths and coalitions

    def _quantified(self, whole: f.All | f.Exists, path: f.Formula, asked: Set) -> Iterator[Note]:
        """Yield the notes on what is said of paths: those that count, which need not start everywhere."""
        del whole
        if is_path_formula(path) and not self._algebra.is_subset(asked, self._frame.tail):
            asked = self._algebra.intersection(asked, self._frame.tail)
        yield from self._walk(path, asked)

    def _enforced(self, formula: f.Enforces, asked: Set) -> Iterator[Note]:
        """Where a strategy has to win from states that look the same, these are asked about, too."""
        if self._truth.strategies != "perfect" and is_path_formula(formula.path):
            asked = self._frame.universe
        yield from self._walk(formula.path, asked)

    def _name(self, formula: f.Formula) -> str:
        """Return a part of the formula as it is written, in back-ticks, shortened where it is long."""
        shown = f.show_formula(f.without_quantifiers(formula) if self._logic == "LTL" else formula)
        if len(shown) > _MOST_LETTERS:
            shown = f"{shown[: _MOST_LETTERS - 1]}…"
        return f"`{shown}`"


def _is_plain(formula: f.Formula) -> bool:
    """Return whether there is nothing in a formula that could be vacuous, wherever it is asked."""
    match formula:
        case f.Constant() | f.Proposition() | f.StateCondition() | f.Norm():
            return True
        case f.Not(body):
            return _is_plain(body)
        case _:
            return False


def _one(join: type[f.And] | type[f.Or], parts: tuple[f.Formula, ...]) -> f.Formula:
    return parts[0] if len(parts) == 1 else join(parts)
