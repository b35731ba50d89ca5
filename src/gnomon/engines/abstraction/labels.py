"""Three-valued truth over cells: where a formula surely holds, and where it surely fails.

What is said of a cell is said of all the reachable states in it. Both sets come from one relation that is
too large rather than too small, and both look at all that may follow: that is what makes them sound.
"""

from collections.abc import Callable, Collection, Iterator
from functools import reduce
from typing import Final, NamedTuple

from gnomon.engines.abstraction.concrete import diagram_of, is_inhabited, pick_cell
from gnomon.engines.abstraction.label import Label, Layer, Step
from gnomon.engines.abstraction.linear import Form
from gnomon.engines.abstraction.mustreach import MustReach
from gnomon.engines.abstraction.space import Space
from gnomon.engines.abstraction.uniform import LocalStrategy, find_strategy
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model import expression as expressions
from gnomon.model.formula import (
    All,
    And,
    Condition,
    Constant,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    GroupKnows,
    Implies,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    Until,
    show_formula,
)

#: All candidates are tried, and with two quantities all pairs.
_MOST_RANKINGS: Final = {1: 400, 2: 12}
#: With uniform strategies, so many cells are asked about one by one.
_MOST_STARTS: Final = 50


def is_temporal(path: Formula) -> bool:
    """Return whether a coalition has anything to do for a formula."""
    return isinstance(path, (Next, Finally, Globally, Until))


class Inconsistent(Exception):
    """A formula surely holds and surely fails in one reachable cell: a fault of the engine."""


class Ranking(NamedTuple):
    """A quantity that cannot become less for ever: where it surely becomes less, and surely not more.

    Both speak of cells, actions and choices.
    """

    form: Form
    sign: int
    less: Diagram
    not_more: Diagram

    def __str__(self) -> str:
        """Show the quantity."""
        return str(self.form) if self.sign > 0 else f"-({self.form})"


class Labels:
    """The labels of formulae over the cells of one space."""

    def __init__(self, space: Space, depth: int = 2, *, uniform: bool = False) -> None:
        """Label over a space; `depth` is how many quantities a ranking may be made of (0: no rankings).

        `uniform`: the members of coalitions act on what they see.
        """
        self.space = space
        self.depth = depth
        self.uniform = uniform
        #: With uniform strategies: what was found for coalitions, by formula.
        self.found: dict[Formula, list[LocalStrategy]] = {}
        self._d = space.diagrams
        self._known: dict[Formula, Label] = {}
        #: How least fixpoints were reached: for a formula and the step that brings it about, or prevents it.
        self.layers: dict[tuple[Formula, Step], list[Layer]] = {}
        #: The rankings that were of use, by formula.
        self.used: dict[Formula, list[Ranking]] = {}
        self._current: Formula | None = None
        self._rankings: list[Ranking] | None = None
        self._must_reach: MustReach | None = None

    def label(self, formula: Formula) -> Label:
        """Return the label of a formula, checked for consistency."""
        known = self._known.get(formula)
        if known is None:
            known = self._label(formula)
            self._check(formula, known)
            self._known[formula] = known
        return known

    def _check(self, formula: Formula, label: Label) -> None:
        both = self._d.both(label.true, label.false)
        if both == self._d.false:
            return
        both = self._d.both(both, self.space.reachable)
        if both != self._d.false and is_inhabited(self.space, pick_cell(self.space, both)):
            msg = f"`{show_formula(formula)}` came out both true and false in one cell"
            raise Inconsistent(msg)

    def _label(self, formula: Formula) -> Label:
        d, label = self._d, self.label
        condition = self._condition(formula)
        if condition is not None:
            three = self.space.cells.condition(condition)
            everything = self.space.reachable
            return Label(d.both(three.must, everything), d.minus(everything, three.may))
        match formula:
            case Not(body):
                inner = label(body)
                return Label(inner.false, inner.true)
            case And(operands):
                return reduce(
                    self._both, map(label, operands), Label(self.space.reachable, d.false)
                )
            case Or(operands):
                return self._opposite(label(And(tuple(Not(operand) for operand in operands))))
            case Implies(left, right):
                return label(Or((Not(left), right)))
            case Knows(agent, body):
                return self._known_to((agent,), label(body))
            case GroupKnows(kind, group, body):
                return self._known_to_group(kind, group.members, label(body))
            case Exists(path):
                return self._path(formula, path, ("never", ()), ("surely", ()))
            case All(path):
                return self._path(formula, path, ("surely", ()), ("never", ()))
            case Enforces(group, path):
                members = group.members
                found = self._path(formula, path, ("surely", members), ("never", members))
                if self.uniform and members and is_temporal(path):
                    # Whoever cannot win seeing everything cannot win seeing less.
                    return Label(self._uniformly(formula, found.true), found.false)
                return found
            case Obliged(agent, body):
                return self._obliged(label(Norm(agent, red=False)), label(body))
            case (
                Next()
                | Finally()
                | Globally()
                | Until()
                | Constant()
                | Proposition()
                | Condition()
                | Norm()
            ):
                raise AssertionError(formula)  # a condition, or refused before any work

    def _condition(self, formula: Formula) -> expressions.Expression | None:
        system = self.space.system
        match formula:
            case Constant(value):
                return expressions.Literal(value)
            case Proposition(name):
                return system.propositions[name]
            case Condition(expression):
                return expression
            case Norm(agent, wanted):
                red = system.agent(agent).red or expressions.FALSE
                return red if wanted else expressions.Not(red)
            case _:
                return None

    def _opposite(self, label: Label) -> Label:
        return Label(label.false, label.true)

    def _both(self, one: Label, two: Label) -> Label:
        d = self._d
        return Label(d.both(one.true, two.true), d.either(one.false, two.false))

    # Time and strategy

    def _path(self, formula: Formula, path: Formula, can: Step, cannot: Step) -> Label:
        """Return the label of a path formula that `can` brings about and `cannot` prevents."""
        self._current = formula
        everything = Label(self.space.reachable, self._d.false)
        match path:
            case Next(body):
                inner = self.label(body)
                return Label(self._before(can, inner.true), self._before(cannot, inner.false))
            case Finally(body):
                return self._until(can, cannot, everything, self._inner(formula, body))
            case Until(left, right):
                first = self._inner(formula, left)
                return self._until(can, cannot, first, self._inner(formula, right))
            case Globally(body):
                # It fails where its opposite is reached in the end.
                inner = self._inner(formula, body)
                opposite = self._until(cannot, can, everything, self._opposite(inner))
                return self._opposite(opposite)
            case _:
                return self.label(path)

    def _uniformly(self, formula: Enforces, bound: Diagram) -> Diagram:
        """Return the cells from which members win who act on what they see of a cell."""
        d, space = self._d, self.space
        asked = d.both(bound, space.reachable)
        won = d.false
        for start in self._starts(asked):
            if d.minus(start, won) == d.false:
                continue
            strategy = find_strategy(self, formula, start)
            if strategy is not None:
                self.found.setdefault(formula, []).append(strategy)
                won = d.either(won, start)
        return won

    def _starts(self, asked: Diagram) -> Iterator[Diagram]:
        """Yield sets of cells to win from: all at once, the initial ones, then, if they are few, each."""
        d, space = self._d, self.space
        if asked == d.false:
            return
        yield asked
        first = d.both(asked, space.initial.may)
        if first != d.false:
            yield first
        left = asked
        for _ in range(_MOST_STARTS):
            if left == d.false:
                break
            one = diagram_of(space, pick_cell(space, left))
            left = d.minus(left, one)
            yield one

    def brought_about(self, formula: Enforces) -> Diagram:
        """Return where the members can bring a formula about, as they are bound now."""
        d = self._d
        self._current = formula
        step: Step = ("surely", formula.group.members)
        match formula.path:
            case Next(body):
                return self._before(step, self.label(body).true)
            case Finally(body):
                return self._attract(step, self.space.reachable, self.label(body).true)
            case Until(left, right):
                return self._attract(step, self.label(left).true, self.label(right).true)
            case Globally(body):
                return self._avoid(step, d.false, self.label(body).true)
            case _:
                raise AssertionError(formula)

    def _inner(self, formula: Formula, body: Formula) -> Label:
        found = self.label(body)
        self._current = formula
        return found

    def _until(self, can: Step, cannot: Step, left: Label, right: Label) -> Label:
        """Return the label of `left` until `right`: a least fixpoint for true, a greatest for false."""
        true = self._attract(can, left.true, right.true)
        false = self._avoid(cannot, left.false, right.false)
        return Label(true, false)

    def _before(self, step: Step, target: Diagram) -> Diagram:
        mode, members = step
        forbidden = self.space.after(self._d.minus(self.space.reachable, target))
        return self.space.predecessors(mode, members, forbidden)

    def _avoid(self, step: Step, exits: Diagram, within: Diagram) -> Diagram:
        """Return the greatest Z = within ∩ (exits ∪ pre(Z))."""
        d = self._d
        found = within
        while True:
            smaller = d.both(found, d.either(exits, self._before(step, found)))
            if smaller == found:
                return found
            found = smaller

    def _attract(self, step: Step, within: Diagram, target: Diagram) -> Diagram:
        """Return the least Z = target ∪ (within ∩ pre(Z)), and what a ranking adds to it."""
        d = self._d
        if step == ("surely", ()):
            # A path may also end where nothing has a result.
            within = d.both(within, self.space.lively)
        attractor = _Attractor(self, step, d.minus(within, target))
        rankings = self.rankings() if self.depth else []
        depth = min(self.depth, self.deepest(len(rankings)))
        outside = attractor.lead_to([(d.true, target)], d.true, rankings, depth)
        if self._current is not None:
            self.used.setdefault(self._current, []).extend(attractor.used)
            self.layers[self._current, step] = [Layer(target, d.false), *attractor.layers]
        return d.either(target, outside)

    @staticmethod
    def deepest(count: int) -> int:
        """Return of how many quantities rankings are tried, if there are so many candidates."""
        return max((depth for depth, most in _MOST_RANKINGS.items() if count <= most), default=0)

    def rankings(self) -> list[Ranking]:
        """Return the quantities that may serve as rankings, alone or together."""
        if self._rankings is None:
            self._rankings = list(self._find_rankings())
        return self._rankings

    def _find_rankings(self) -> Iterator[Ranking]:
        d, space = self._d, self.space
        for form, pieces in space.partition.pieces.items():
            for sign in (1, -1):
                bounded = space.cells.anyone(
                    space.cells.is_piece(form, number)
                    for number, piece in enumerate(pieces)
                    if (piece.low if sign > 0 else piece.high) is not None
                )
                less, not_more = space.moves.drifts(form, sign)
                less = d.both(less, bounded)
                if less != d.false:
                    yield Ranking(form, sign, less, not_more)

    # Knowledge

    @property
    def must_reach(self) -> MustReach:
        """The cells that surely contain reachable states."""
        if self._must_reach is None:
            self._must_reach = MustReach(self.space)
        return self._must_reach

    def _known_to(self, agents: Collection[str], body: Label) -> Label:
        """Return the label of what the agents together know."""
        d, space = self._d, self.space
        doubtful = space.alike(agents, d.minus(space.reachable, body.true))
        true = d.minus(space.reachable, doubtful)
        if d.minus(d.both(doubtful, space.reachable), body.false) == d.false:
            return Label(true, body.false)
        return Label(true, d.either(body.false, self._refuted(agents, body.false)))

    def _refuted(self, agents: Collection[str], false: Diagram) -> Diagram:
        """Return the cells all of whose states the agents confuse with a reachable one where it fails."""
        if self._d.both(false, self.space.reachable) == self._d.false:
            return self._d.false
        return self.must_reach.confused(agents, false)

    def _known_to_group(self, kind: str, agents: tuple[str, ...], body: Label) -> Label:
        d, space = self._d, self.space
        if kind == "distributed":
            return self._known_to(agents, body)
        if not agents:
            return Label(space.reachable, d.false)
        each = [self._known_to((agent,), body) for agent in agents]
        if kind == "everybody":
            return reduce(self._both, each)
        doubtful = self._grow(
            d.minus(space.reachable, body.true),
            lambda new: d.both(
                space.reachable, space.cells.anyone(space.alike((a,), new) for a in agents)
            ),
        )
        false = self._grow(
            body.false,
            lambda new: space.cells.anyone(self._refuted((agent,), new) for agent in agents),
        )
        return Label(d.minus(space.reachable, doubtful), false)

    def _grow(self, start: Diagram, step: Callable[[Diagram], Diagram]) -> Diagram:
        found = start
        while (larger := self._d.either(found, step(found))) != found:
            found = larger
        return found

    def _obliged(self, green: Label, body: Label) -> Label:
        """Return the label of what holds in every state where an agent is correct: everywhere or nowhere."""
        d, space = self._d, self.space
        open_ = d.minus(d.minus(space.reachable, green.false), body.true)
        if open_ == d.false:
            return Label(space.reachable, d.false)
        broken = d.both(d.both(green.true, body.false), self.must_reach.somewhere)
        return Label(d.false, space.reachable if broken != d.false else d.false)


class _Attractor:
    """The cells from which something is reached in the end, also where no number of steps is enough.

    Where a quantity is bounded below, never becomes more, and becomes less again and again, that comes to an
    end. `lead_to` is told exits, each a set of moves and the cells they may lead to then, and the moves that
    may be followed otherwise.
    """

    def __init__(self, labels: Labels, step: Step, within: Diagram) -> None:
        self._labels = labels
        self._space = labels.space
        self._d = labels.space.diagrams
        self._step = step
        self._within = within
        self.used: list[Ranking] = []
        self.layers: list[Layer] = []

    def lead_to(
        self,
        exits: list[tuple[Diagram, Diagram]],
        others: Diagram,
        rankings: list[Ranking],
        depth: int,
    ) -> Diagram:
        """Return the cells from which, by the other moves, an exit is taken in the end."""
        d = self._d
        fine = self._space.cells.anyone(
            d.both(moves, self._space.after(target)) for moves, target in exits
        )
        found = d.false
        while True:
            found = self._attract(fine, others, found)
            if depth == 0 or d.minus(self._within, found) == d.false:
                return found
            larger = self._by_ranking(exits, others, found, rankings, depth)
            if larger is None:
                return found
            found = larger

    def _attract(self, fine: Diagram, others: Diagram, found: Diagram) -> Diagram:
        d = self._d
        mode, members = self._step
        while True:
            good = d.either(fine, d.both(others, self._space.after(found)))
            before = self._space.predecessors(
                mode, members, d.minus(self._space.reachable_after, good)
            )
            larger = d.either(found, d.both(self._within, before))
            if larger == found:
                return found
            self.layers.append(Layer(d.minus(larger, found), good))
            found = larger

    def _by_ranking(
        self,
        exits: list[tuple[Diagram, Diagram]],
        others: Diagram,
        found: Diagram,
        rankings: list[Ranking],
        depth: int,
    ) -> Diagram | None:
        """Return more cells, where a quantity goes down until an exit is taken; None if there are none."""
        d = self._d
        for ranking in rankings:
            descending = d.both(others, ranking.less)
            if descending == d.false:
                continue
            stay = self._within
            left = [other for other in rankings if other is not ranking]
            known = len(self.layers)
            while True:
                del self.layers[known:]
                more = [*exits, (others, found), (descending, stay)]
                inner = self.lead_to(more, d.both(others, ranking.not_more), left, depth - 1)
                smaller = d.both(stay, d.either(inner, found))
                if smaller == stay:
                    break
                stay = smaller
            if d.minus(stay, found) != d.false:
                self.used.append(ranking)
                return d.either(found, stay)
            del self.layers[known:]
        return None
