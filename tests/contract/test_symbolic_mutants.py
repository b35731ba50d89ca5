"""The oracle sees through plausible mistakes of the symbolic engine and of logics: each is planted and found.

Every mistake is one that a careful author could make; some were made. What finds each of them is the random
comparison of the contract, with random systems of the kind that all its tests draw.
"""

from collections.abc import Callable, Collection, Iterable
from contextlib import ExitStack
from random import Random
from typing import Any, TypeAlias
from unittest.mock import patch

import pytest

from gnomon.engines.algebra import Graph
from gnomon.engines.bdd import bdd_sets as symbolic
from gnomon.engines.bdd.bdd_algebra import BddAlgebra
from gnomon.engines.bdd.bdd_statewise import BddStatewise
from gnomon.engines.concrete.players import NumberedState
from gnomon.engines.diagrams import bit_layout as layout
from gnomon.engines.diagrams import events
from gnomon.engines.diagrams.circuits import BitVector as Number
from gnomon.engines.diagrams.circuits import Circuits
from gnomon.engines.diagrams.encode import Encoder
from gnomon.engines.diagrams.events import _EventCase, _EventCases
from gnomon.engines.diagrams.image import RelationPart
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.diagrams.linear_constraints import Linear
from gnomon.engines.diagrams.quotients import Cleared, Quotients
from gnomon.engines.diagrams.relation import ProtocolDiagrams, TransitionRelation
from gnomon.logic import atl, ctl, epistemic
from gnomon.logic.frame import Frame
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model import expression as typed
from gnomon.model.agent import Agent, EvolutionLine, Variable
from gnomon.model.domain import size_of, value_at
from gnomon.model.formula import All, Enforces, Exists, Formula
from gnomon.model.system import Logic
from tests.contract.compare import Contest, compare_steps
from tests.contract.test_formulae import coalition, compare_numbers, fair, knowledge
from tests.contract.test_games import game, prying, wishes
from tests.systems import LOGICS, random_formula, random_system

#: What to plant: a class or module, a name in it, and what stands there instead.
Mutant: TypeAlias = list[tuple[Any, str, Any]]


# What is compared


def steps(seed: int) -> None:
    compare_steps("bdd", random_system(Random(seed)))


def formulae(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    contest = Contest("bdd", system)
    for _ in range(3):
        contest.on(random_formula(rng, system, 3))


def numbers(seed: int) -> None:
    compare_numbers("bdd", Random(seed))


def groups(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    contest = Contest("bdd", system)
    for _ in range(4):
        contest.on(knowledge(rng, system))


def coalitions(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    contest = Contest("bdd", system)
    for _ in range(3):
        contest.on(coalition(rng, system, 1))


def fairly(seed: int) -> None:
    rng = Random(seed)
    system = fair(rng, largest=12)
    contest = Contest("bdd", system)
    contest.on(random_formula(rng, system, 2, "bool ctl ctl know norm"))
    contest.on(coalition(rng, system, 0))


def at_the_end(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, stuck=0.4)
    contest = Contest("bdd", system)
    for logic in LOGICS:
        contest.on(random_formula(rng, system, 2, "ctl"), logic)
    contest.on(coalition(rng, system, 0))


def on_paths(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, stuck=0.2)
    contest = Contest("bdd", system)
    for logic in LOGICS[1:]:
        contest.on(random_formula(rng, system, 2, "bool star star know"), logic)


def uniformly(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=12, prying=0.2)
    for reading in ("uniform", "uniform-subjective"):
        contest = Contest("bdd", system, reading)
        for _ in range(2):
            contest.on(coalition(rng, system, 0))


def in_games(seed: int) -> None:
    rng = Random(seed)
    system = prying(rng, game(rng)) if seed % 2 else game(rng)
    for reading in ("uniform", "uniform-subjective"):
        Contest("bdd", system, reading).on(wishes(rng, system))


def with_settings(module: Any, settings: dict[str, float], contest: Callable[[int], None]) -> Any:
    """Return a contest that goes other ways: those that only large systems take."""

    def changed(seed: int) -> None:
        with ExitStack() as stack:
            for name, value in settings.items():
                stack.enter_context(patch.object(module, name, value))
            contest(seed)

    return changed


EACH_ACTION = {"_FEW_ACTIONS": 1, "_QUIET": 0.0}
JOINED = {"_FEW_ACTIONS": 1, "_QUIET": 2.0, "_MANY_ACTIONS": 0}

CONTESTS: dict[str, Callable[[int], None]] = {
    "steps": steps,
    "formulae": formulae,
    "numbers": numbers,
    "knowledge": groups,
    "coalitions": coalitions,
    "fairness": fairly,
    "paths": on_paths,
    "where runs end": at_the_end,
    "uniform": uniformly,
    "games": in_games,
    "an event for each action": with_settings(events, EACH_ACTION, steps),
    "joined case by case": with_settings(events, JOINED, steps),
    "cut down": with_settings(symbolic, {"_MANY_PREIMAGES": 1}, steps),
    "interleaved": with_settings(layout, {"_WIDE": 1, "_MANY_VALUES": 1}, steps),
}
SEEDS = range(150)
#: Games take longer, and show much; few steps leave the range of a variable.
OTHERWISE: dict[str, range] = {"games": range(24), "steps": range(260)}


def fault(contest: str, seed: int) -> str | None:
    """Return what a comparison finds wrong, if anything."""
    try:
        CONTESTS[contest](seed)
    except (AssertionError, IndexError, KeyError, ValueError, TypeError) as found:
        return f"{type(found).__name__}: {found}"
    return None


# Variables of one value: the mistake that was made, and its neighbours


evolution = TransitionRelation._evolution


def only_what_has_bits(self: TransitionRelation, agent: Agent) -> Iterable[RelationPart]:
    """Take for assigned what has bits for its next value."""
    named = self.encoder.layout.variables
    lines = tuple(
        EvolutionLine(
            tuple(item for item in line.assignments if named[agent.name, item.variable].next),
            line.guard,
            line.line,
        )
        for line in agent.evolution
    )
    if not any(named[agent.name, variable.name].next for variable in agent.variables):
        return ()
    from gnomon.text.record import replace

    return evolution(self, replace(agent, evolution=lines))


def noted_and_forgotten(self: TransitionRelation, agent: Agent) -> Iterable[RelationPart]:
    """Note that a value is left, and let the step happen."""
    bits = self.encoder.layout.variables
    return [part for part in evolution(self, agent) if part.levels & _next(bits)]


def _next(bits: Any) -> frozenset[int]:
    return frozenset(level for each in bits.values() for level in each.next)


becomes_number = Encoder._becomes_number


def one_value_fits_always(
    self: Encoder, variable: Variable, bits: tuple[int, ...], value: typed.Expression
) -> Diagram:
    if size_of(variable.domain) == 1:
        return self.diagrams.true
    return becomes_number(self, variable, bits, value)


def what_is_without_change_is_left_out(self: _EventCases, chosen: Diagram) -> _EventCase:
    """Take a part that gives no variable a value for one that says nothing."""
    found = cases_case(self, chosen)
    parts = self._relation.parts
    return found._replace(left=[item for item in found.left if parts[item[0]].assigned])


# Ranges and values


def values_wrap(
    self: Encoder, variable: Variable, bits: tuple[int, ...], value: typed.Expression
) -> Diagram:
    with patch.object(Encoder, "valid", lambda *_: self.diagrams.true):
        return becomes_number(self, variable, bits, value)


def literals_are_codes(
    self: Encoder, variable: Variable, bits: tuple[int, ...], value: typed.Expression
) -> Diagram:
    if isinstance(value, typed.Literal) and bits:
        return self.is_code(bits, int(value.value) % (size_of(variable.domain) or 1))
    return becomes_number(self, variable, bits, value)


def the_same_code_is_the_same_value(
    self: Encoder, variable: Variable, bits: tuple[int, ...], right: typed.Read
) -> Diagram:
    other = self.layout.variables[right.agent, right.variable].now
    short = min(len(bits), len(other))
    return self.equal_bits(bits[len(bits) - short :], other[len(other) - short :])


def everything_is_valid(self: TransitionRelation) -> Diagram:
    return self.diagrams.true


def no_overflow_is_noted(self: TransitionRelation, *_: object) -> None:
    return None


# Arithmetic


def truncated(self: Circuits, left: Number, right: Number) -> tuple[Number, Number]:
    """Divide as C does: the remainder has the sign of what is divided."""
    quotient, remainder = self._divide(self._absolute(left), self._absolute(right))
    flip = self._d.differ(left[-1], right[-1])
    by_zero = self.is_zero(right)
    quotient = self.choose(flip, self.negate(quotient), quotient)
    remainder = self.choose(left[-1], self.negate(remainder), remainder)
    return self.choose(by_zero, self.constant(0), quotient), self.choose(by_zero, left, remainder)


def unsigned_comparison(self: Circuits, operator: str, left: Number, right: Number) -> Diagram:
    return circuits_compare(self, operator, self._absolute(left), self._absolute(right))


circuits_compare = Circuits.compare


def never_the_last_remainder(
    operator: str, inner: Linear, modulus: int, other: Linear
) -> Iterable[int]:
    found = list(residues(operator, inner, modulus, other))
    return [each for each in found if each != modulus - 1]


residues = Encoder._residues
compare_residue = Encoder._compare_residue


def either_side(self: Encoder, *arguments: Any, flipped: bool) -> Diagram:
    return compare_residue(self, *arguments, flipped=False)


clear = Quotients.cleared


def the_sign_of_a_divisor_is_lost(self: Quotients, expression: typed.Expression) -> Cleared | None:
    match expression:
        case typed.Arithmetic("/", left, typed.Literal(value)) if value and int(value) < 0:
            return clear(self, typed.Arithmetic("/", left, typed.Literal(-int(value))))
        case _:
            return clear(self, expression)


def a_divisor_is_forgotten(self: Quotients, expression: typed.Expression) -> Cleared | None:
    found = clear(self, expression)
    return None if found is None else Cleared(found.number, 1)


# Protocols and evolution


protocol = TransitionRelation._protocol


def nobody_has_a_choice(self: TransitionRelation, agent: Agent) -> ProtocolDiagrams:
    found = protocol(self, agent)
    return ProtocolDiagrams(found.enabled, found.alive, forced=True)


def other_is_always_allowed(self: TransitionRelation, agent: Agent) -> ProtocolDiagrams:
    found = protocol(self, agent)
    true = self.diagrams.true
    enabled = {
        action: true if action in (agent.other or ()) else where
        for action, where in found.enabled.items()
    }
    alive = true if agent.other else found.alive
    return ProtocolDiagrams(enabled, alive, forced=self._exclusive(list(enabled.values())))


def nothing_is_free(self: TransitionRelation, agent: Agent) -> ProtocolDiagrams:
    if agent.actions and not agent.protocol and agent.other is None:
        false = self.diagrams.false
        return ProtocolDiagrams(dict.fromkeys(agent.actions, false), false, forced=True)
    return protocol(self, agent)


def each_variable_by_itself(self: TransitionRelation, agent: Agent) -> Iterable[RelationPart]:
    with patch.object(TransitionRelation, "_exclusive", lambda *_: True):
        return list(evolution(self, agent))


def whoever_may_do_nothing_stays(self: TransitionRelation, agent: Agent) -> RelationPart:
    d = self.diagrams
    allowed = self.choices(agent.name)
    return self.part(d.either(allowed, d.opposite(self.protocols[agent.name].alive)))


# Events


cases_case = _EventCases._case


def what_says_nothing_stays(
    self: _EventCases, number: int, part: RelationPart, diagram: Diagram
) -> bool:
    silent = diagram == self._relation.diagrams.true
    return bool(part.assigned) and (silent or diagram == self._relation.stay(part.assigned))


def nothing_is_still(self: _EventCases, chosen: Diagram) -> _EventCase:
    found = cases_case(self, chosen)
    return found._replace(still=[])


def only_from_the_start(self: BddAlgebra) -> None:
    self._events[0].restrict(self.initial)


# Choice


forcing = BddAlgebra.forcing


def stuck_is_safe(
    self: BddAlgebra, members: Collection[str], target: Diagram, within: Diagram
) -> Diagram:
    with patch.object(self.relation, "alive", self.diagrams.true):
        return forcing(self, members, target, within)


def whatever_is_not_allowed_is_fine(
    self: BddAlgebra, members: Collection[str], target: Diagram, within: Diagram
) -> Diagram:
    d = self.diagrams
    outside = d.rename(d.minus(self.reachable, target), self._exchange)
    bad = self._steps_keeping(frozenset(members)).apply(outside)
    return d.minus(d.both(self.relation.alive, within), bad)


def some_result_will_do(
    self: BddAlgebra, members: Collection[str], target: Diagram, within: Diagram
) -> Diagram:
    d = self.diagrams
    inside = d.rename(target, self._exchange)
    return d.both(self._steps_keeping(frozenset(members)).apply(inside), within)


def only_those_at_a_loss(self: BddAlgebra) -> Diagram:
    return self.diagrams.minus(self.reachable, self.relation.alive)


def whatever_is_done(self: BddAlgebra) -> Diagram:
    d = self.diagrams
    actions = [level for levels in self.layout.actions.values() for level in levels]
    return d.exists(d.both(self.relation.overflow, self.reachable), d.cube(actions))


# Knowledge


def own_variables_alone(self: BddAlgebra, agents: Collection[str], states: Diagram) -> Diagram:
    seen = {
        level
        for (owner, _), bits in self.layout.variables.items()
        if owner in agents
        for level in bits.now
    }
    rest = [level for level in self.layout.now if level not in seen]
    return self.diagrams.exists(states, self.diagrams.cube(rest))


def whoever_confuses_first(self: BddAlgebra, agents: Collection[str], states: Diagram) -> Diagram:
    return self.indistinguishable(tuple(agents)[:1], states)


def what_is_allowed_here(self: BddStatewise, index: int, state: NumberedState) -> frozenset[str]:
    return frozenset(self._moves.players[index].enabled(state))


# Single states


def the_first_value(self: BddAlgebra, states: Diagram) -> Any:
    found = self.diagrams.pick(states)
    values = []
    for variable in self.system.variables:
        code = 0
        for level in reversed(self.layout.variables[variable.agent, variable.name].now):
            code = 2 * code + found.get(level, False)
        values.append(value_at(variable.domain, min(code, (size_of(variable.domain) or 1) - 1)))
    return tuple(values)


# Logics


def one_step_of_doubt(frame: Frame[Any], agents: Collection[str], body: Any) -> Any:
    return epistemic.known_to_each(frame, agents, body)


def what_somebody_knows(frame: Frame[Any], agents: Collection[str], body: Any) -> Any:
    found = frame.algebra.empty
    for agent in agents:
        found = frame.algebra.union(found, jointly_known(frame, (agent,), body))
    return found


def nobody_knows_anything(frame: Frame[Any], agents: Collection[str], body: Any) -> Any:
    return jointly_known(frame, agents, body) if agents else frame.universe


jointly_known = epistemic.jointly_known


def reds_too(frame: Frame[Any], _: Any, body: Any) -> Any:
    algebra = frame.algebra
    return frame.universe if algebra.is_subset(frame.universe, body) else algebra.empty


def where_it_is_green(frame: Frame[Any], green: Any, body: Any) -> Any:
    """Read an obligation as a norm for the present state alone."""
    return frame.algebra.union(frame.opposite(green), body)


def for_all_next_there_is_one(frame: Frame[Any], body: Any) -> Any:
    found = ctl.exists_next(frame, frame.universe)
    return frame.algebra.intersection(found, all_next(frame, body))


all_next = ctl.all_next


def an_until_that_may_wait(frame: Frame[Any], left: Any, right: Any) -> Any:
    never = frame.opposite(right)
    return frame.opposite(ctl.exists_until(frame, never, frame.algebra.difference(never, left)))


enforces = Satisfaction._enforces


def nobody_is_everybody(self: Satisfaction[Any], formula: Enforces, logic: Logic) -> Any:
    if not formula.group.members:
        return self.states(Exists(formula.path), logic)
    return enforces(self, formula, logic)


def once_is_often(graph: Any, body: Any, constraints: tuple[Any, ...]) -> Any:
    found = graph.lasting(body)
    for constraint in constraints:
        found = graph.leads_to(graph.intersection(found, constraint), found)
    return found


def only_one_constraint(graph: Any, body: Any, constraints: tuple[Any, ...]) -> Any:
    return fairly_lasting(graph, body, constraints[:1])


fairly_lasting = Graph.fairly_lasting


def ends_are_paths(self: Satisfaction[Any]) -> Frame[Any]:
    """Count runs that end in a deadlock as infinite."""
    reachable = self.algebra.reachable
    if self._fairness:
        fair_states = self.algebra.fairly_lasting(reachable, self.constraints)
        return Frame(self.algebra, fair_states, fair_states, self.constraints)
    return Frame(self.algebra, reachable, reachable)


def win_later(frame: Frame[Any], members: Collection[str], left: Any, right: Any) -> Any:
    """Leave out the choices without any result, which win at once."""
    algebra = frame.algebra
    if frame.constraints:
        return enforce_until(frame, members, left, right)
    return algebra.grow(
        right,
        lambda new, won: algebra.controllable(members, won, algebra.before(new, left)),
    )


enforce_until = atl.enforce_until
holds = Satisfaction.holds


def somewhere_at_the_start(self: Satisfaction[Any], formula: Formula, logic: Logic = "CTL") -> bool:
    """Take a formula for true that holds in some initial state."""
    if isinstance(formula, All):
        return holds(self, formula, logic)
    found = self.algebra.intersection(self.initial, self.states(formula, logic))
    return not self.algebra.is_empty(found)


MUTANTS: dict[str, tuple[str, Mutant]] = {
    # One value
    "what has no bits is not assigned": (
        "steps",
        [(TransitionRelation, "_evolution", only_what_has_bits)],
    ),
    "what has no bits is not assigned, seen by formulae": (
        "formulae",
        [(TransitionRelation, "_evolution", only_what_has_bits)],
    ),
    "what has no bits is not assigned, seen by coalitions": (
        "coalitions",
        [(TransitionRelation, "_evolution", only_what_has_bits)],
    ),
    "what has no bits is not assigned, seen by uniform strategies": (
        "uniform",
        [(TransitionRelation, "_evolution", only_what_has_bits)],
    ),
    "a value that is left is noted and forgotten": (
        "steps",
        [(TransitionRelation, "_evolution", noted_and_forgotten)],
    ),
    "one value fits always": ("steps", [(Encoder, "_becomes_number", one_value_fits_always)]),
    "conditions without a change are left out of events": (
        "an event for each action",
        [(_EventCases, "_case", what_is_without_change_is_left_out)],
    ),
    "conditions without a change are left out of what is joined": (
        "joined case by case",
        [(_EventCases, "_case", what_is_without_change_is_left_out)],
    ),
    # Ranges
    "values wrap": ("steps", [(Encoder, "_becomes_number", values_wrap)]),
    "literals are codes": ("steps", [(Encoder, "_becomes_number", literals_are_codes)]),
    "the same code is the same value": (
        "formulae",
        [(Encoder, "_same_variable_value", the_same_code_is_the_same_value)],
    ),
    "every code is a value": ("steps", [(TransitionRelation, "valid", everything_is_valid)]),
    "no overflow is noted": (
        "steps",
        [(TransitionRelation, "_note_overflow", no_overflow_is_noted)],
    ),
    # Arithmetic
    "division is that of C": ("steps", [(Circuits, "euclidean", truncated)]),
    "numbers have no sign": ("numbers", [(Circuits, "compare", unsigned_comparison)]),
    "the last remainder is left out": (
        "numbers",
        [(Encoder, "_residues", staticmethod(never_the_last_remainder))],
    ),
    "a remainder is on either side": ("numbers", [(Encoder, "_compare_residue", either_side)]),
    "the sign of a divisor is lost": (
        "numbers",
        [(Quotients, "cleared", the_sign_of_a_divisor_is_lost)],
    ),
    "a divisor is forgotten": (
        "numbers",
        [(Quotients, "cleared", a_divisor_is_forgotten)],
    ),
    # Protocols and evolution
    "nobody has a choice": ("steps", [(TransitionRelation, "_protocol", nobody_has_a_choice)]),
    "other is always allowed": (
        "steps",
        [(TransitionRelation, "_protocol", other_is_always_allowed)],
    ),
    "an environment without a protocol is stuck": (
        "steps",
        [(TransitionRelation, "_protocol", nothing_is_free)],
    ),
    "alternatives are mixed": (
        "steps",
        [(TransitionRelation, "_evolution", each_variable_by_itself)],
    ),
    "whoever may do nothing stays": (
        "steps",
        [(TransitionRelation, "_may_act", whoever_may_do_nothing_stays)],
    ),
    # Events
    "what says nothing stays": (
        "an event for each action",
        [(_EventCases, "_just_stays", what_says_nothing_stays)],
    ),
    "nothing is still": ("joined case by case", [(_EventCases, "_case", nothing_is_still)]),
    "only from the start": ("cut down", [(BddAlgebra, "_look_back_less", only_from_the_start)]),
    # Choice
    "stuck is safe": ("where runs end", [(BddAlgebra, "forcing", stuck_is_safe)]),
    "whatever is not allowed is fine": (
        "coalitions",
        [(BddAlgebra, "forcing", whatever_is_not_allowed_is_fine)],
    ),
    "some result will do": ("coalitions", [(BddAlgebra, "forcing", some_result_will_do)]),
    "only those at a loss are stuck": (
        "steps",
        [(BddAlgebra, "deadlocks", property(only_those_at_a_loss))],
    ),
    "values are left whatever is done": (
        "steps",
        [(BddAlgebra, "overflows", property(whatever_is_done))],
    ),
    # Knowledge
    "agents see their own variables alone": (
        "formulae",
        [(BddAlgebra, "_alike", own_variables_alone)],
    ),
    "whoever confuses first": ("knowledge", [(BddAlgebra, "confused", whoever_confuses_first)]),
    "what is allowed here is allowed wherever it looks like here": (
        "games",
        [(BddStatewise, "always", what_is_allowed_here)],
    ),
    # Logics
    "common knowledge is one step": (
        "knowledge",
        [(epistemic, "commonly_known", one_step_of_doubt)],
    ),
    "together they know what somebody knows": (
        "knowledge",
        [(epistemic, "jointly_known", what_somebody_knows)],
    ),
    "nobody knows everything": ("knowledge", [(epistemic, "jointly_known", nobody_knows_anything)]),
    "obligations speak of red states": ("formulae", [(epistemic, "obliged", reds_too)]),
    "obligations speak of here": ("formulae", [(epistemic, "obliged", where_it_is_green)]),
    "there is always a next state": (
        "where runs end",
        [(ctl, "all_next", for_all_next_there_is_one)],
    ),
    "an until may wait for ever": ("formulae", [(ctl, "all_until", an_until_that_may_wait)]),
    "nobody is everybody": ("coalitions", [(Satisfaction, "_enforces", nobody_is_everybody)]),
    "once is often": ("fairness", [(Graph, "fairly_lasting", once_is_often)]),
    "only the first constraint counts": (
        "fairness",
        [(Graph, "fairly_lasting", only_one_constraint)],
    ),
    "runs that end are paths": (
        "paths",
        [(Satisfaction, "_infinite_frame", property(ends_are_paths))],
    ),
    "a choice without a result does not win": ("coalitions", [(atl, "enforce_until", win_later)]),
    "one initial state is enough": ("formulae", [(Satisfaction, "holds", somewhere_at_the_start)]),
}


@pytest.mark.parametrize("contest", CONTESTS)
def test_without_a_mistake_nothing_is_found(contest: str) -> None:
    seeds = OTHERWISE.get(contest, SEEDS)[::6]  # `make fuzz` tries many more in other tests
    found = {seed: said for seed in seeds if (said := fault(contest, seed))}

    assert {} == found


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    contest, mutant = MUTANTS[name]
    for owner, attribute, instead in mutant:
        monkeypatch.setattr(owner, attribute, instead)

    assert any(fault(contest, seed) for seed in OTHERWISE.get(contest, SEEDS))
