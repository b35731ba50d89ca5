"""The oracles see through plausible mistakes: each is planted in the engine, and has to be found out.

P1 to P8 are readings of the literature, as they stand there or as they are easily misread (predicate
abstraction for ATLK, AAMAS 2016); the others are mistakes that this engine could make by itself.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from random import Random
from typing import Any, TypeAlias
from unittest.mock import patch

import pytest

from gnomon.certificate.rejection import Rejected
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.engines.abstraction import event_choices, overflows, rankings, three_valued
from gnomon.engines.abstraction.cell_conditions import CellConditions
from gnomon.engines.abstraction.cell_moves import CellMoves
from gnomon.engines.abstraction.cell_space import CellSpace, Certainty
from gnomon.engines.abstraction.elimination import CellsByNode, Elimination
from gnomon.engines.abstraction.event_choices import EventChoices
from gnomon.engines.abstraction.fair_games import FairGames
from gnomon.engines.abstraction.intervals import Interval
from gnomon.engines.abstraction.linear import form_of
from gnomon.engines.abstraction.must_reachability import MustReachability
from gnomon.engines.abstraction.node_product import NodeProduct
from gnomon.engines.abstraction.partition import Origin, Partition, Predicate, reads_of
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.abstraction.three_valued import (
    CellAlgebra,
    Inconsistent,
    ThreeValued,
)
from gnomon.engines.diagrams.image import RelationPart
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.solvers import system_terms
from gnomon.logic.denotation import Denotation
from gnomon.logic.frame import Frame
from gnomon.model import scheduled as model_scheduled
from gnomon.model.agent import ENVIRONMENT, IDLE, Agent, Assignment, EvolutionLine, Variable
from gnomon.model.domain import Integers
from gnomon.model.expression import TRUE, Compare, Expression, Literal, Or, Read, Sum
from gnomon.model.formula import (
    All,
    And,
    Enforces,
    Finally,
    Formula,
    Group,
    Not,
    StateCondition,
)
from gnomon.model.scheduled import enabled_when, left_to_happen
from gnomon.model.system import Logic, System
from tests.abstraction import (
    Wrong,
    by_events,
    emptied,
    fair,
    fair_play,
    finite,
    groping,
    knowing,
    linear,
    mishaps,
    playing,
    racing,
    unbounded,
    waning,
)
from tests.event_choices import bargaining

#: What to plant: a class or module, a name in it, and what stands there instead.
Mutant: TypeAlias = list[tuple[Any, str, Any]]

#: The comparisons there are, by what they look at.
CONTESTS: dict[str, Callable[[int], object]] = {
    "states": lambda seed: finite(Random(seed)).compare(),
    "knowledge": lambda seed: knowing(Random(seed)).compare(),
    "strategies": lambda seed: playing(Random(seed)).compare(),
    "sight": lambda seed: groping(Random(seed)).compare_uniform_labels(),
    "connectives": lambda seed: finite(Random(seed), "bool bool ctl").compare(),
    "window": lambda seed: unbounded(Random(seed)).compare(),
    "fairness": lambda seed: fair(Random(seed)).compare(),
    "paths": lambda seed: linear(Random(seed)).compare(),
    "phases": lambda seed: waning(Random(seed)).compare(),
    "races": lambda seed: racing(Random(seed)).compare(),
    "turns": lambda seed: fair_play(Random(seed)).compare(),
    "stuck": lambda seed: emptied(Random(seed)).compare(),
    "events": lambda seed: by_events(Random(seed)).compare(),
    "choices": lambda seed: bargaining(Random(seed)).compare_labels(),
    "mishaps": lambda seed: mishaps(Random(seed)).compare_sanity(2),
}
SEEDS = range(60)
#: These are quickly compared, and some mistakes show in one of sixty.
MANY: dict[str, range] = {
    "strategies": range(400),
    "connectives": range(200),
    "phases": range(200),
    "fairness": range(300),
    "turns": range(150),
    "stuck": range(200),
    "choices": range(75, 135),
}


@pytest.fixture(scope="module", autouse=True)
def impatience() -> Iterator[None]:
    """Wait only shortly for answers of the solver that are hard to find: none is needed."""
    with patch.object(system_terms, "_PATIENCE", 100):
        yield


def fault(contest: str, seed: int) -> str | None:
    """Return what a comparison finds wrong, if anything."""
    try:
        CONTESTS[contest](seed)
    except (Wrong, Inconsistent, Rejected) as found:
        return f"{type(found).__name__}: {found}"
    return None


# What a coalition can bring about


def joined(space: CellSpace, parts: Iterable[RelationPart]) -> Diagram:
    return space.cells.conjunction(part.diagram for part in parts)


def without(space: CellSpace, diagram: Diagram, *levels: Iterable[int]) -> Diagram:
    return space.diagrams.exists(diagram, space.diagrams.cube(chain(*levels)))


def sides(
    space: CellSpace, mode: Certainty, coalition: Collection[str]
) -> tuple[list[str], list[str]]:
    """Return who acts and who answers: to refute a coalition is to let the others act."""
    inside = [name for name in space.moves.enabled if name in coalition]
    outside = [name for name in space.moves.enabled if name not in coalition]
    return (inside, outside) if mode == "surely" else (outside, inside)


def all_that_may_be(space: CellSpace) -> Diagram:
    moves = space.moves
    return joined(space, (*moves.changes, *moves.choosing, *moves.acting.values()))


def some_successor(
    space: CellSpace,
    mode: Certainty,
    coalition: Collection[str],
    forbidden: Diagram,
    *,
    guarded: bool,
) -> Diagram:
    d = space.diagrams
    members, others = sides(space, mode, coalition)
    fine = d.minus(all_that_may_be(space), forbidden)
    leads = without(space, fine, space.layout.next, space.choice_levels)
    answers = joined(space, (space.moves.acting[name] for name in others))
    if not guarded:
        does = [
            [space.cells.does(name, action) for action in space.system.agent(name).actions]
            for name in others
        ]
        answers = space.cells.conjunction(space.cells.disjunction(each) for each in does if each)
    failing = without(space, d.minus(answers, leads), space.action_levels(others))
    good = d.minus(space.all, failing)
    return space._somehow(good, frozenset(members), space.moves.acting_surely)


def unguarded_some_successor(
    self: CellSpace, mode: Certainty, coalition: Collection[str], forbidden: Diagram
) -> Diagram:
    return some_successor(self, mode, coalition, forbidden, guarded=False)


def guarded_some_successor(
    self: CellSpace, mode: Certainty, coalition: Collection[str], forbidden: Diagram
) -> Diagram:
    return some_successor(self, mode, coalition, forbidden, guarded=True)


def own_changes(space: CellSpace, name: str) -> Iterator[tuple[Diagram, list[int]]]:
    """Yield how each variable of an agent changes, with its next bits."""
    for part in space.moves.changes:
        for variable in part.assigned:
            if variable.agent == name:
                bits = space.layout.variables[variable.agent, variable.name].next
                yield part.diagram, list(bits)


def several(space: CellSpace, change: Diagram, bits: list[int]) -> Diagram:
    """Return where more than one next value is possible."""
    d = space.diagrams
    found = d.false
    for bit in bits:
        seen = without(space, change, (other for other in bits if other != bit))
        high = without(space, d.both(seen, d.variable(bit)), [bit])
        low = without(space, d.minus(seen, d.variable(bit)), [bit])
        found = d.either(found, d.both(high, low))
    return found


def vanishing(
    space: CellSpace,
    mode: Certainty,
    coalition: Collection[str],
    forbidden: Diagram,
    *,
    union: bool,
) -> Diagram:
    """Leave out moves for which a member has no sure result, or none for all completions together."""
    d = space.diagrams
    members, others = sides(space, mode, coalition)
    relation = all_that_may_be(space)
    everything = [level for levels in space.layout.actions.values() for level in levels]
    for name in members:
        own = space.layout.actions.get(name, ())
        rest = [level for level in everything if level not in own]
        for change, bits in own_changes(space, name):
            relation = d.minus(relation, several(space, change, bits))
            if union:
                spread = without(space, change, rest)
                relation = d.minus(relation, several(space, spread, bits))
    gone = (space.layout.next, space.choice_levels, space.action_levels(others))
    bad = without(space, d.both(relation, forbidden), *gone)
    good = d.both(space.all, d.minus(without(space, relation, *gone), bad))
    return space._somehow(good, frozenset(members), space.moves.acting_surely)


def moves_vanish(
    self: CellSpace, mode: Certainty, coalition: Collection[str], forbidden: Diagram
) -> Diagram:
    return vanishing(self, mode, coalition, forbidden, union=False)


def actions_vanish(
    self: CellSpace, mode: Certainty, coalition: Collection[str], forbidden: Diagram
) -> Diagram:
    return vanishing(self, mode, coalition, forbidden, union=True)


predecessors = CellSpace.predecessors


def no_answer_is_an_answer(
    self: CellSpace, mode: Certainty, coalition: Collection[str], forbidden: Diagram
) -> Diagram:
    if mode == "surely":
        return predecessors(self, mode, coalition, forbidden)
    d, moves = self.diagrams, self.moves
    others = [name for name in moves.enabled if name not in coalition]
    bad = without(self, d.both(joined(self, moves.changes), forbidden), self.layout.next)
    answers = joined(self, (*moves.choosing_surely, *(moves.acting_surely[x] for x in others)))
    lost = without(self, d.both(answers, bad), self.choice_levels, self.action_levels(others))
    unanswered = self._somehow(lost, frozenset(coalition), moves.acting)
    return d.minus(self.all, unanswered)


# What agents surely can do

make_moves = CellMoves.__init__


def what_has_one_result_is_enabled(self: CellMoves, *arguments: Any) -> None:
    make_moves(self, *arguments)
    d, layout = self.diagrams, self.encoder.layout
    for name, may in self.acting.items():
        own = layout.actions.get(name, ())
        rest = [level for levels in layout.actions.values() for level in levels if level not in own]
        doubtful = d.false
        for part in self.changes:
            for variable in part.assigned:
                if variable.agent == name:
                    bits = layout.variables[variable.agent, variable.name].next
                    spread = d.exists(part.diagram, d.cube(rest))
                    doubtful = d.either(doubtful, _several(self, spread, bits))
        more = d.minus(may.diagram, doubtful)
        self.acting_surely[name] = self.part(d.either(self.acting_surely[name].diagram, more))


def _several(moves: CellMoves, change: Diagram, bits: Iterable[int]) -> Diagram:
    d = moves.diagrams
    bits = list(bits)
    found = d.false
    for bit in bits:
        seen = d.exists(change, d.cube(other for other in bits if other != bit))
        high = d.exists(d.both(seen, d.variable(bit)), d.cube([bit]))
        low = d.exists(d.minus(seen, d.variable(bit)), d.cube([bit]))
        found = d.either(found, d.both(high, low))
    return found


def what_may_be_done_surely_can(self: CellMoves, *arguments: Any) -> None:
    make_moves(self, *arguments)
    self.acting_surely = self.acting


def what_may_be_chosen_surely_can(self: CellMoves, *arguments: Any) -> None:
    make_moves(self, *arguments)
    self.choosing_surely = self.choosing


# Three-valued sets

states_of = Denotation._states
where = CellAlgebra.where
trap = CellAlgebra.trap


def line_26(
    self: CellAlgebra,
    coalition: Collection[str],
    within: ThreeValued,
    free: ThreeValued | None = None,
) -> ThreeValued:
    members = tuple(coalition)
    reached = self.attraction(("surely", members), self.space.reachable, within.false)
    return self._checked(trap(self, coalition, within, free).true, reached.cells)


def negation_is_the_complement(self: Any, formula: Formula, logic: Logic) -> ThreeValued:
    if not isinstance(formula, Not):
        return states_of(self, formula, logic)  # type: ignore[no-any-return]
    inner = self.states(formula.body)
    space = self.algebra.space
    return ThreeValued(space.diagrams.minus(space.all, inner.true), inner.true)


def what_is_not_true_of_all_is_false(self: Any, formula: Formula, logic: Logic) -> ThreeValued:
    found: ThreeValued = states_of(self, formula, logic)
    if isinstance(formula, And):
        return only_true(self.algebra, found)
    return found


def only_true(algebra: CellAlgebra, found: ThreeValued) -> ThreeValued:
    return ThreeValued(found.true, algebra.space.diagrams.minus(algebra.space.all, found.true))


def open_conditions_are_false(self: CellAlgebra, condition: Expression) -> ThreeValued:
    return only_true(self, where(self, condition))


def some_path_is_a_strategy_of_all(self: Any, path: Formula, logic: Logic) -> ThreeValued:
    everybody = Group(tuple(self.algebra.space.moves.enabled))
    return self._enforced(Enforces(everybody, path), logic)  # type: ignore[no-any-return]


def seen_or_not(self: Any, formula: Enforces, _: ThreeValued, logic: Logic) -> ThreeValued:
    return self._enforced(formula, logic)  # type: ignore[no-any-return]


# Reachability and knowledge


def reached_by_sure_steps(self: CellSpace) -> Diagram:
    must = MustReachability(self)
    return must._closure(self.initial.may, must._single)


def whoever_sees_a_part_sees_the_sum(self: CellSpace, agents: Collection[str]) -> frozenset[int]:
    levels = set(local_levels(self, agents))
    shown = self.shown_to(agents)
    for quantity in self.partition.relations:
        if shown.intersection(reads_of(quantity)):
            levels.update(self.cells.bits(quantity).now)
    return frozenset(levels)


local_levels = CellSpace.local_levels


def everything(self: MustReachability, *_: object) -> Diagram:
    return self._d.true


def each_change_is_certain(self: MustReachability, part: RelationPart) -> RelationPart:
    return part


def may_start_anywhere(self: MustReachability) -> Diagram:
    return self._space.initial.may


# Rankings

find_rankings = rankings.find_rankings


def rankings_without_bounds(space: CellSpace) -> Iterator[Ranking]:
    for form in space.partition.pieces:
        for sign in (1, -1):
            less, not_more = space.moves.drifts(form, sign)
            if less != space.diagrams.false:
                yield Ranking(form, sign, less, not_more)


def rankings_that_climb(space: CellSpace) -> Iterator[Ranking]:
    for ranking in find_rankings(space):
        yield ranking._replace(not_more=space.diagrams.true)


def rankings_that_rest(space: CellSpace) -> Iterator[Ranking]:
    for ranking in find_rankings(space):
        yield ranking._replace(less=ranking.not_more)


by_node = NodeProduct.ranked


def rankings_that_climb_by_node(self: NodeProduct, found: Iterable[Ranking]) -> list[Ranking]:
    return [each._replace(not_more=self.diagrams.true) for each in by_node(self, found)]


surely_accepting = CellAlgebra._surely_accepting
may_be_accepting = CellAlgebra._may_be_accepting


def what_may_be_met_is(self: CellAlgebra, following: Any, labels: Any, visited: Any) -> Any:
    def may(sets: tuple[ThreeValued, ...]) -> tuple[ThreeValued, ...]:
        d, reachable = self.space.diagrams, self.space.reachable
        return tuple(ThreeValued(d.minus(reachable, each.false), each.false) for each in sets)

    return surely_accepting(self, following, may(labels), [may(each) for each in visited])


def what_is_not_surely_met_is_not(
    self: CellAlgebra, following: Any, labels: Any, visited: Any
) -> Any:
    def must(sets: tuple[ThreeValued, ...]) -> tuple[ThreeValued, ...]:
        d, reachable = self.space.diagrams, self.space.reachable
        return tuple(ThreeValued(each.true, d.minus(reachable, each.true)) for each in sets)

    return may_be_accepting(self, following, labels, [must(each) for each in visited])


def only_at_once(self: Elimination, target: CellsByNode, *_: object) -> CellsByNode:
    return target


make_games = FairGames.__init__


def constraints_may_be_met(
    self: FairGames, algebra: CellAlgebra, coalition: Any, fair: Any, constraints: Any
) -> None:
    d, reachable = algebra.space.diagrams, algebra.space.reachable
    met = tuple(ThreeValued(d.minus(reachable, each.false), each.false) for each in constraints)
    make_games(self, algebra, coalition, fair, met)


def constraints_may_be_missed(
    self: FairGames, algebra: CellAlgebra, coalition: Any, fair: Any, constraints: Any
) -> None:
    d, reachable = algebra.space.diagrams, algebra.space.reachable
    missed = tuple(ThreeValued(each.true, d.minus(reachable, each.true)) for each in constraints)
    make_games(self, algebra, coalition, fair, missed)


def all_are_in(self: CellMoves, _: object) -> Diagram:
    return self.diagrams.true


def dead_ends_go_on(self: FairGames, cells: Diagram) -> Diagram:
    return cells


def everybody_may(*_: object) -> Expression:
    return TRUE


def one_can_do_it(system: System, event: str) -> Expression:
    return Or(tuple(enabled_when(each, event) for each in system.agents if event in each.actions))


def all_events_are_left(
    system: model_scheduled.ScheduledSystem, _members: Collection[str]
) -> Iterator[tuple[str, Expression]]:
    return REAL_EVENTS(system, ())


def nobody_waits(choices: EventChoices, members: Collection[str]) -> tuple[Diagram, Diagram]:
    waiting = choices._cells.does(choices._system.scheduler, IDLE)
    may, surely = REAL_LEFT(choices, members)
    d = choices._cells.diagrams
    return d.minus(may, waiting), d.minus(surely, waiting)


def all_may_wait(choices: EventChoices, members: Collection[str]) -> tuple[Diagram, Diagram]:
    waiting = choices._cells.does(choices._system.scheduler, IDLE)
    may, surely = REAL_LEFT(choices, members)
    d = choices._cells.diagrams
    return d.either(may, waiting), d.either(surely, waiting)


def what_may_happen_does(
    choices: EventChoices, members: Collection[str]
) -> tuple[Diagram, Diagram]:
    may, _ = REAL_LEFT(choices, members)
    return may, may


def only_what_surely_happens(
    choices: EventChoices, members: Collection[str]
) -> tuple[Diagram, Diagram]:
    _, surely = REAL_LEFT(choices, members)
    return surely, surely


REAL_LEFT, REAL_EVENTS = EventChoices._left, left_to_happen
UNBOUNDED_RANKINGS: Mutant = [(three_valued, "find_rankings", rankings_without_bounds)]

# Numbers


def met_is_covered(self: Interval, other: Interval) -> bool:
    return self.meets(other)


def always_fits(self: CellMoves, *_: object) -> Diagram:
    return self.diagrams.true


#: By name: which comparison finds it out, and the mistake.
MUTANTS: dict[str, tuple[str, Mutant]] = {
    "P1 some successor is enough, and disabled actions count": (
        "strategies",
        [(CellSpace, "predecessors", unguarded_some_successor)],
    ),
    "P2 some successor is enough": (
        "strategies",
        [(CellSpace, "predecessors", guarded_some_successor)],
    ),
    "P3 moves without a sure result do not exist": (
        "strategies",
        [(CellSpace, "predecessors", moves_vanish)],
    ),
    "P3b actions without one sure result do not exist": (
        "strategies",
        [(CellSpace, "predecessors", actions_vanish)],
    ),
    "P4 an action with one result is surely enabled": (
        "strategies",
        [(CellMoves, "__init__", what_has_one_result_is_enabled)],
    ),
    "P5 a coalition fails to keep what it can break": (
        "strategies",
        [(CellAlgebra, "trap", line_26)],
    ),
    "P6 what is reached is reached by sure steps": (
        "states",
        [(CellSpace, "reachable", property(reached_by_sure_steps))],
    ),
    "P7 negation is the complement": (
        "connectives",
        [(Denotation, "_states", negation_is_the_complement)],
    ),
    "P8 a conjunction is true or false": (
        "connectives",
        [(Denotation, "_states", what_is_not_true_of_all_is_false)],
    ),
    "open conditions are false": ("states", [(CellAlgebra, "where", open_conditions_are_false)]),
    "no answer is an answer": ("strategies", [(CellSpace, "predecessors", no_answer_is_an_answer)]),
    "whoever wins seeing everything wins": ("sight", [(CellDenotation, "_uniformly", seen_or_not)]),
    "what is hidden is as one likes": (
        "states",
        [(CellConditions, "for_all_hidden", CellConditions.for_some_hidden)],
    ),
    "some path is a strategy of all": (
        "states",
        [(Denotation, "_exists", some_path_is_a_strategy_of_all)],
    ),
    "what may be done surely can": (
        "strategies",
        [(CellMoves, "__init__", what_may_be_done_surely_can)],
    ),
    "what may be chosen surely can": (
        "strategies",
        [(CellMoves, "__init__", what_may_be_chosen_surely_can)],
    ),
    "all new values fit": ("strategies", [(CellMoves, "_fits", always_fits)]),
    "whoever sees a part sees the sum": (
        "knowledge",
        [(CellSpace, "local_levels", whoever_sees_a_part_sees_the_sum)],
    ),
    "some reachable state looks like all of its cell": (
        "knowledge",
        [(MustReachability, "_exactly_seen", everything)],
    ),
    "what may be initial is": (
        "knowledge",
        [(MustReachability, "_start", property(may_start_anywhere))],
    ),
    "what may follow does": ("knowledge", [(MustReachability, "_certain", each_change_is_certain)]),
    "what is met is covered": ("knowledge", [(Interval, "inside", met_is_covered)]),
    "what has no bound runs out": ("races", UNBOUNDED_RANKINGS),
    "what goes up again runs out": (
        "connectives",
        [(three_valued, "find_rankings", rankings_that_climb)],
    ),
    "what may be met is met": (
        "fairness",
        [(CellAlgebra, "_surely_accepting", what_may_be_met_is)],
    ),
    "what holds perhaps is on the path": (
        "paths",
        [(CellAlgebra, "_surely_accepting", what_may_be_met_is)],
    ),
    "what is not surely met is not met": (
        "fairness",
        [(CellAlgebra, "_may_be_accepting", what_is_not_surely_met_is_not)],
    ),
    "opponents meet what may be met": (
        "turns",
        [(FairGames, "__init__", constraints_may_be_met)],
    ),
    "coalitions miss what may be missed": (
        "turns",
        [(FairGames, "__init__", constraints_may_be_missed)],
    ),
    "what goes up again runs out on fair outcomes": (
        "turns",
        [(three_valued, "find_rankings", rankings_that_climb)],
    ),
    "what goes up again runs out on paths": (
        "paths",
        [(NodeProduct, "ranked", rankings_that_climb_by_node)],
    ),
    "others always can act": ("stuck", [(CellMoves, "able", all_are_in)]),
    "others never can act": ("stuck", [(CellMoves, "unable", all_are_in)]),
    "a fair outcome goes on from dead ends": ("stuck", [(FairGames, "alive", dead_ends_go_on)]),
    "one of those who take part is enough": (
        "events",
        [(model_scheduled, "_possible", one_can_do_it)],
    ),
    "all events are left": (
        "choices",
        [(event_choices, "left_to_happen", all_events_are_left)],
    ),
    "what leaves nothing comes to nothing": ("choices", [(EventChoices, "_left", nobody_waits)]),
    "one may always wait": ("choices", [(EventChoices, "_left", all_may_wait)]),
    "what may be left is": ("choices", [(EventChoices, "_left", what_may_happen_does)]),
    "what may be left is not": ("choices", [(EventChoices, "_left", only_what_surely_happens)]),
    "what is not enabled loses values": ("mishaps", [(overflows, "enabled_when", everybody_may)]),
    "unfair states are taken into account": ("fairness", [(Frame, "doubt", Frame.opposite)]),
    "what grows later on runs out": (
        "phases",
        [(Elimination, "_leads_to", only_at_once)],
    ),
    "what rests runs out": ("races", [(three_valued, "find_rankings", rankings_that_rest)]),
}


def plant(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, attribute, instead in mutant:
        monkeypatch.setattr(owner, attribute, instead)


@pytest.mark.parametrize("contest", CONTESTS)
def test_without_a_mistake_nothing_is_found(contest: str) -> None:
    seeds = MANY.get(contest, SEEDS)[::6]  # `make fuzz` tries many more in other tests
    found = {seed: said for seed in seeds if (said := fault(contest, seed))}

    assert {} == found


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    contest, mutant = MUTANTS[name]
    plant(mutant, monkeypatch)

    assert any(fault(contest, seed) for seed in MANY.get(contest, SEEDS))


def countdown() -> CellDenotation:
    """Return what is known of a number that goes down for ever, from any number."""
    number = Variable(ENVIRONMENT, "n", Integers())
    read = Read(ENVIRONMENT, "n")
    down = EvolutionLine((Assignment("n", Sum((read, Literal(-1)))),), TRUE)
    system = System("countdown", (Agent(ENVIRONMENT, (number,), (), evolution=(down,)),), TRUE)
    cut = Predicate(form_of(read), 0, Origin("here"))
    space = CellSpace(Partition(system, frozenset({read}), [cut]))
    return CellDenotation(CellAlgebra(space))


BELOW_ZERO = StateCondition(Compare("<", Read(ENVIRONMENT, "n"), Literal(0)))
ABOVE_ZERO = StateCondition(Compare(">", Read(ENVIRONMENT, "n"), Literal(0)))


def test_what_goes_down_from_above_zero_gets_below_it() -> None:
    truth = countdown()

    assert truth.algebra.space.all == truth.states(All(Finally(Not(ABOVE_ZERO)))).true


def test_what_has_no_bound_is_both_true_and_false_if_it_runs_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    climbs = All(Finally(ABOVE_ZERO))
    before = countdown().states(climbs)
    plant(UNBOUNDED_RANKINGS, monkeypatch)

    assert before.true != before.false
    with pytest.raises(Inconsistent):
        countdown().states(climbs)


def test_inconsistency_alone_finds_what_has_no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(UNBOUNDED_RANKINGS, monkeypatch)
    said = [fault("races", seed) for seed in SEEDS]

    assert any(each.startswith("Inconsistent") for each in said if each)
