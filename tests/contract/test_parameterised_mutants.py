"""The oracle sees through plausible mistakes about any number of agents: each is planted, and found out."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import pytest

from gnomon.engines.parameterised import (
    backward,
    backward_run,
    cube_compiler,
    cubes,
    disjuncts,
    knowledge,
    predecessors,
    safety,
)
from gnomon.engines.parameterised import (
    compiled as program,
)
from gnomon.engines.parameterised.backward import BackwardSearch
from gnomon.engines.parameterised.compiled import CompiledAction, CompiledPopulation
from gnomon.engines.parameterised.cube_compiler import CubeCompiler
from gnomon.engines.parameterised.cubes import AgentSets
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.demands import Demand, Population
from gnomon.engines.parameterised.ground_facts import GroundFacts, Literals
from gnomon.engines.parameterised.layers import Occupied, SaturationLayer
from gnomon.engines.parameterised.local_sets import LocalSet, first
from gnomon.engines.parameterised.predecessors import Predecessors
from gnomon.engines.parameterised.run import OpenRun
from gnomon.engines.parameterised.saturation import Saturation
from gnomon.engines.parameterised.shortening import shortened
from gnomon.engines.parameterised.solitary import SolitaryMoves
from gnomon.engines.parameterised.substitute import Substitution
from gnomon.engines.solvers.population_terms import PopulationTerms
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Datum
from gnomon.model.parameterised.condition import (
    SELF,
    TRUE,
    And,
    Condition,
    Exists,
    Holds,
    Same,
    expressions,
    walk,
)
from gnomon.model.parameterised.step import Place
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.text.record import replace
from tests.comparing import Wrong, compare_knowledge, compare_literals, compare_safety
from tests.open_programs import compare_open
from tests.populations import (
    KINDS,
    chain_program,
    knowing_system,
    number_program,
    random_program,
)

#: What to plant: a class or module, a name in it, and what stands there instead.
Mutant: TypeAlias = list[tuple[Any, str, Any]]


def small(kind: str, goal: str, *, own: str = "true", guard: str = "true", bounds: str = "") -> str:
    """Return agents that go from a to b with the environment, or to c alone."""
    return f"""
        Environment
          Vars: x : boolean; y : boolean; end Vars
          Sync = {{go : {kind}}};
          Protocol: {own} : {{go}}; end Protocol
          Evolution: x = true if Action = go; end Evolution
        end Environment
        Template T {bounds}
          Vars: at : {{a, b, c}}; end Vars
          Actions = {{walk}}; Sync = {{go}};
          Protocol: at = a and {guard} : {{go}}; at = a : {{walk}}; end Protocol
          Evolution: at = b if Action = go; at = c if Action = walk; end Evolution
        end Template
        Evaluation bad if {goal}; end Evaluation
        InitStates Environment.x = false and T.at = a; end InitStates
        Formulae AG !bad; end Formulae
    """


TWO_AT_B = "exists i, j : T (i != j and i.at = b and j.at = b)"
B_AND_C = "exists i, j : T (i.at = b and j.at = c)"
LEFT = "exists i : T (i.at = a and Environment.x = true)"
ALL_OTHERS_AT_B = "forall k : T (k = self or k.at = b)"
BY_HAND = [
    small("one", f"{TWO_AT_B} or {B_AND_C}", own="x = false"),
    small("some", B_AND_C, bounds="[0..1]"),
    small("all", LEFT, guard="Environment.y = true"),
    small("all", LEFT),
    small("one", "exists i : T (i.at = b)", guard=ALL_OTHERS_AT_B, bounds="[2..*]"),
    small("one", "Environment.x = true"),
    small("one", TWO_AT_B, own="x = false"),
]

#: The comparisons there are, by what they look at.
CONTESTS: dict[str, Callable[[int], PopulationDecision]] = {
    "some": lambda seed: compare_safety(random_program(seed)),
    "kinds": lambda seed: compare_safety(random_program(seed, KINDS)),
    "every": lambda seed: compare_safety(random_program(seed, KINDS, forall=True)),
    "ways": lambda seed: compare_safety(chain_program(seed)),
    "ways of kinds": lambda seed: compare_safety(chain_program(seed, KINDS)),
    "numbers": lambda seed: compare_safety(number_program(seed)),
    "numbers of kinds": lambda seed: compare_safety(number_program(seed, KINDS)),
    "facts": compare_literals,
    "by hand": lambda number: compare_safety(BY_HAND[number]),
    "knowledge": lambda seed: compare_knowledge(knowing_system(seed)),
    "knowledge of kinds": lambda seed: compare_knowledge(knowing_system(seed, KINDS)),
    "open types": lambda seed: compare_open(seed, 5),
}


def fault(contest: str, seed: int) -> str | None:
    """Return what a comparison finds wrong, if anything."""
    try:
        CONTESTS[contest](seed)
    except (Wrong, AssertionError) as found:
        return f"{type(found).__name__}: {found}"
    return None


# Backward search


def always_somebody_else(
    agents: AgentSets, wanted: list[tuple[int, AgentSets]]
) -> Iterator[AgentSets]:
    yield (*agents, *(agent for _, others in wanted for agent in others))


def one_after_the_other(self: Predecessors) -> bool:
    return False


def covered_whatever_the_facts(self: BackwardSearch, demand: Demand) -> bool:
    return any(
        not demand.environment & ~old.environment and cubes.matches(old.agents, demand.agents)
        for old in self.visited
    )


def one_agent_is_enough_for_all(wide: AgentSets, narrow: AgentSets) -> bool:
    return all(
        any(name == other and not mask & ~wanted for other, mask in narrow) for name, wanted in wide
    )


def however_many(some: dict[str, int], other: dict[str, int]) -> bool:
    return True


def whoever_can_somewhere_moves(
    self: Predecessors, acts: list[CompiledAction], mask: LocalSet, sample: int, *_: Any
) -> LocalSet:
    result: LocalSet = 0
    moving: LocalSet = 0
    for act in acts:
        for cube in act.cubes:
            moving |= cube.own
            result |= self._solitary.preimage(act, mask) & cube.own
    return result | (mask & ~moving)


all_move = Predecessors._broadcast_preimage


def some_stay_behind(
    self: Predecessors, acts: list[CompiledAction], mask: LocalSet, sample: int, *more: Any
) -> LocalSet:
    return all_move(self, acts, mask, sample, *more) | mask


step_back = Predecessors._step


def nobody_joins_unseen(self: Predecessors, *arguments: Any) -> None:
    if len(arguments) < 5 or arguments[4] is None:
        step_back(self, *arguments)


def wherever_the_environment_is(
    self: SolitaryMoves, name: str, environment: LocalSet, facts: Literals
) -> tuple[int, ...]:
    return tuple(n for n, move in enumerate(self._moves[name]) if move.facts <= facts)


def whatever_the_facts(
    self: SolitaryMoves, name: str, environment: LocalSet, facts: Literals
) -> tuple[int, ...]:
    moves = enumerate(self._moves[name])
    return tuple(n for n, move in moves if not environment & ~move.environment)


synchronised = Predecessors._synchronised


def several_are_one(self: Predecessors, *arguments: Any, alone: bool) -> None:
    synchronised(self, *arguments, alone=False)


make_predecessors = Predecessors.__init__


def without_upper_bounds(self: Predecessors, *arguments: Any, **options: Any) -> None:
    make_predecessors(self, *arguments, **options)
    self._caps = dict.fromkeys(self._caps)


def without_lower_bounds(self: BackwardSearch, demand: Demand) -> Population:
    return tuple(
        sum(1 for name, _ in demand.agents if name == template) for template in self.program.names
    )


# Saturation


def whoever_takes_part(compiled: CompiledPopulation) -> bool:
    return all(part.high is None for part in compiled.system.templates) and compiled.is_exact


def however_few_there_are(compiled: CompiledPopulation) -> bool:
    return all(kind == "some" for kind in compiled.system.sync.values()) and compiled.is_exact


make_saturation = Saturation.__init__


def all_facts_at_once(self: Saturation, *arguments: Any) -> None:
    make_saturation(self, *arguments)
    self._transitions.contested = frozenset()


def seen_whatever_the_facts(self: Saturation, occupied: Occupied, facts: Literals) -> LocalSet:
    found: LocalSet = 0
    for (more, _), states in self.seen.items():
        if not any(a & ~b for a, b in zip(occupied, more, strict=True)):
            found |= states
    return found


def seen_whatever_is_occupied(self: Saturation, occupied: Occupied, facts: Literals) -> LocalSet:
    found: LocalSet = 0
    for (_, fewer), states in self.seen.items():
        if fewer <= facts:
            found |= states
    return found


find = Saturation._find


def only_the_first_goal(self: Saturation, layer: SaturationLayer) -> int:
    everything = self.goals
    self.goals = everything[:1]
    try:
        return find(self, layer)
    finally:
        self.goals = everything


# Conditions and changes


def everybody_is_somebody_else(disjunct: Any, me: str | None) -> Iterator[dict[str, str]]:
    blocks = {name: name for name, _ in disjunct.binders} | {SELF: SELF}
    if all(disjuncts._agrees(literal, blocks) for literal in disjunct.literals):
        yield {name: block for name, block in blocks.items() if name != SELF or me is not None}


disjuncts_of = CubeCompiler._disjuncts


def speaks_of(body: Condition, index: str) -> bool:
    reads = {read.agent for part in expressions(body) for read in plain.reads(part)}
    same = {
        name for part in walk(body) if isinstance(part, Same) for name in (part.left, part.right)
    }
    return index in reads | same


def nobody_is_needed_of_whom_nothing_is_asked(
    self: CubeCompiler, condition: Condition
) -> list[Any]:
    if isinstance(condition, Exists) and not speaks_of(condition.body, condition.index):
        return self._disjuncts(condition.body)
    return disjuncts_of(self, condition)


initial = CompiledPopulation._initial


def only_the_first_state(self: CompiledPopulation, part: Part) -> int:
    found = initial(self, part)
    return 1 << first(found) if found else 0


make_program = CompiledPopulation.__init__


def wherever_it_leads(self: CompiledPopulation, system: OpenSystem) -> None:
    """The guards of those who join the environment do not look at it."""
    make_program(self, system)
    full = self.spaces[ENVIRONMENT].full
    for name in self.names:
        self.acts[name] = tuple(
            replace(act, cubes=tuple(replace(cube, environment=full) for cube in act.cubes))
            if system.sync.get(act.name) in ("some", "one")
            else act
            for act in self.acts[name]
        )


def every_agent_is_some_agent(self: CompiledPopulation, system: OpenSystem) -> None:
    make_program(self, system)
    self.is_exact = True


assigned = program._assigned


def what_does_not_fit_stays(
    effect: Any, variable: int, cases: Iterable[tuple[int, int | None]]
) -> Any:
    return assigned(effect, variable, [case for case in cases if case[1] is not None])


# What was found


def whatever_is_seen(
    system: OpenSystem, found: OpenRun, goal: Condition, *, keep: bool = False
) -> OpenRun:
    if keep and isinstance(goal, And):
        goal = goal.operands[0]
    return shortened(system, found, goal, keep=keep)


def nothing_is_seen(compiled: CompiledPopulation, name: str) -> dict[tuple[Datum, ...], LocalSet]:
    return {(): compiled.within[ENVIRONMENT]}


def all_facts_are_needed(
    system: OpenSystem, found: OpenRun, goal: Condition, who: int | None = None
) -> tuple[tuple[Place, Datum], ...]:
    return found.facts


def no_facts_are_needed(
    system: OpenSystem, found: OpenRun, goal: Condition, who: int | None = None
) -> tuple[tuple[Place, Datum], ...]:
    return ()


def without_the_least(system: OpenSystem, found: OpenRun) -> OpenRun:
    return found


# Search with a solver


def named_values_may_be_the_same(self: PopulationTerms) -> list[Any]:
    return [self.condition(axiom, {}) for axiom in self.system.axioms]


def what_is_looked_up_holds(self: Substitution, atom: Any) -> Any:
    if isinstance(atom, Holds) and isinstance(atom.expression, plain.Read):
        return TRUE if atom.expression in self._looked else atom
    return atom_with_values(self, atom)


def calculated_with_what_was_there(self: Substitution, atom: Any) -> Any:
    del self, atom
    return iter(())


atom_with_values = Substitution._atom


#: By name: which comparison finds it out, with which seeds, and the mistake.
MUTANTS: dict[str, tuple[str, tuple[int, ...], Mutant]] = {
    "demanded agents are always new ones": (
        "ways",
        (33,),
        [(predecessors, "placed", always_somebody_else)],
    ),
    "local steps are one after the other": (
        "ways",
        (33,),
        [(Predecessors, "_moves_together", one_after_the_other)],
    ),
    "what is covered is so whatever the facts": (
        "facts",
        (5, 12),
        [(BackwardSearch, "_is_covered", covered_whatever_the_facts)],
    ),
    "one agent does for several": (
        "by hand",
        (0,),
        [(backward, "matches", one_agent_is_enough_for_all), (backward, "fewer", however_many)],
    ),
    "saturation whoever takes part": (
        "ways of kinds",
        (5,),
        [(safety, "is_for", whoever_takes_part)],
    ),
    "saturation however few there are": (
        "by hand",
        (1,),
        [(safety, "is_for", however_few_there_are)],
    ),
    "a broadcast moves all who can somewhere": (
        "by hand",
        (2,),
        [(Predecessors, "_broadcast_preimage", whoever_can_somewhere_moves)],
    ),
    "a broadcast leaves agents behind": (
        "by hand",
        (3,),
        [(Predecessors, "_broadcast_preimage", some_stay_behind)],
    ),
    "all facts go together": ("kinds", (10, 29), [(GroundFacts, "is_free", True)]),
    "indices are different": (
        "every",
        (2, 9),
        [(cube_compiler, "patterns", everybody_is_somebody_else)],
    ),
    "there is one initial state": (
        "numbers of kinds",
        (1, 17),
        [(CompiledPopulation, "_initial", only_the_first_state)],
    ),
    "guards of those who join do not look": (
        "some",
        (16,),
        [(CompiledPopulation, "__init__", wherever_it_leads)],
    ),
    "every agent is some agent": (
        "by hand",
        (4,),
        [(CompiledPopulation, "__init__", every_agent_is_some_agent)],
    ),
    "nobody joins of whom nothing is known": (
        "by hand",
        (5,),
        [(Predecessors, "_step", nobody_joins_unseen)],
    ),
    "agents move alone wherever the environment is": (
        "ways of kinds",
        (5, 51),
        [(SolitaryMoves, "applying", wherever_the_environment_is)],
    ),
    "agents move alone whatever the facts": (
        "facts",
        (0, 3),
        [(SolitaryMoves, "applying", whatever_the_facts)],
    ),
    "several are one": ("by hand", (6,), [(Predecessors, "_synchronised", several_are_one)]),
    "there is no upper bound": (
        "every",
        (35, 44),
        [(Predecessors, "__init__", without_upper_bounds)],
    ),
    "there is no lower bound": (
        "kinds",
        (24, 26),
        [(BackwardSearch, "population", without_lower_bounds)],
    ),
    "runs have no lower bound": (
        "kinds",
        (24, 26),
        [(owner, "with_least", without_the_least) for owner in (safety, backward_run)],
    ),
    "facts need not be chosen": ("facts", (10, 11), [(Saturation, "__init__", all_facts_at_once)]),
    "what was seen was so whatever the facts": (
        "facts",
        (25, 45),
        [(Saturation, "_dominated", seen_whatever_the_facts)],
    ),
    "what was seen was so whatever is occupied": (
        "facts",
        (2, 49),
        [(Saturation, "_dominated", seen_whatever_is_occupied)],
    ),
    "there is one goal": ("knowledge", (2, 41), [(Saturation, "_find", only_the_first_goal)]),
    "nobody is needed of whom nothing is asked": (
        "some",
        (2, 10),
        [(CubeCompiler, "_disjuncts", nobody_is_needed_of_whom_nothing_is_asked)],
    ),
    "what does not fit stays": (
        "numbers of kinds",
        (75, 76),
        [(program, "_assigned", what_does_not_fit_stays)],
    ),
    "runs are cut short whatever is seen": (
        "knowledge of kinds",
        (3, 6),
        [(knowledge, "shortened", whatever_is_seen)],
    ),
    "nothing is seen": ("knowledge of kinds", (81, 117), [(knowledge, "_views", nothing_is_seen)]),
    "named values of open types may be the same": (
        "open types",
        (17, 41),
        [(PopulationTerms, "given", named_values_may_be_the_same)],
    ),
    "a truth that is looked up holds": (
        "open types",
        (60,),
        [(Substitution, "_atom", what_is_looked_up_holds)],
    ),
    "what is looked up is not calculated with": (
        "open types",
        (7, 21),
        [(Substitution, "_calculated", calculated_with_what_was_there)],
    ),
    "all facts are needed": ("facts", (1, 2), [(safety, "needed_facts", all_facts_are_needed)]),
    "no facts are needed": ("facts", (1, 2), [(safety, "needed_facts", no_facts_are_needed)]),
}


def plant(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, attribute, instead in mutant:
        monkeypatch.setattr(owner, attribute, instead)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    contest, seeds, mutant = MUTANTS[name]
    before = {seed: said for seed in seeds if (said := fault(contest, seed))}
    plant(mutant, monkeypatch)
    after = {seed: fault(contest, seed) for seed in seeds}

    assert {} == before
    assert None not in after.values()
