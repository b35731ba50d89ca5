"""Mistakes about reading the environment, and about those who follow others, are found out by the oracle."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest

from gnomon.certificate.parameterised import situations
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_rules import check_invariant
from gnomon.certificate.rejection import Rejected
from gnomon.checking.population_invariants import decide_with_guesses
from gnomon.checking.population_paths import decide_paths
from gnomon.engines.parameterised import run as runs
from gnomon.engines.parameterised import safety, solver_predecessors
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.invariants.guesses import Guesser
from gnomon.engines.parameterised.predecessors import Predecessors
from gnomon.engines.parameterised.recurrence.situations import Joint
from gnomon.engines.parameterised.solitary import SolitaryMoves
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import OverTime, Safety
from gnomon.model.parameterised.step import Configuration, Event, World
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace
from tests.comparing import Wrong, compare_safety, compare_solver
from tests.contract import test_population_paths as over_time
from tests.populations import KINDS, chain_program, number_program, random_program, read

#: What to plant: a class or module, a name in it, and what stands there instead.
Mutant: TypeAlias = list[tuple[Any, str, Any]]

#: Everything is `some`, but for those who follow.
ONLY_SOME = ("some", "some")

CONTESTS: dict[str, Callable[[int], object]] = {
    "programs": lambda seed: compare_safety(random_program(seed, KINDS)),
    "some": lambda seed: compare_safety(random_program(seed, ONLY_SOME)),
    "ways": lambda seed: compare_safety(chain_program(seed, KINDS)),
    "numbers": lambda seed: compare_safety(number_program(seed, KINDS)),
    "solver": lambda seed: compare_solver(random_program(seed, KINDS)),
    "time": lambda seed: over_time.compare("mixed", seed, forall=False),
}


def fault(contest: str, seed: int) -> str | None:
    """Return what a comparison finds wrong, if anything."""
    try:
        CONTESTS[contest](seed)
    except (Wrong, AssertionError) as found:
        return f"{type(found).__name__}: {found}"
    return None


# The environment, read where agents change


by_environment = CompiledPopulation._effects_by_environment


def whatever_the_environment_is(self: CompiledPopulation, *arguments: Any) -> Iterator[Any]:
    return (replace(effect, environment=-1) for effect in by_environment(self, *arguments))


def as_it_is_first(self: CompiledPopulation, *arguments: Any) -> Iterator[Any]:
    return (replace(e, environment=-1) for e in list(by_environment(self, *arguments))[:1])


# Those who follow


def nobody_follows(
    self: Predecessors, name: Any, environment: Any, agents: Any, chosen: Any
) -> Iterator[Any]:
    yield environment, tuple(agents)


followed = Predecessors._followed


def some_stay_behind(
    self: Predecessors, name: Any, environment: Any, agents: Any, chosen: Any
) -> Iterator[Any]:
    for there, before in followed(self, name, environment, agents, chosen):
        pairs = zip(before, agents, strict=True)
        yield there, tuple((part, mask | other) for (part, mask), (_, other) in pairs)


def leaders_follow_too(
    self: Predecessors, name: Any, environment: Any, agents: Any, chosen: Any
) -> Iterator[Any]:
    return followed(self, name, environment, agents, [None] * len(chosen))


preimage = Predecessors._broadcast_preimage


def none_of_all_follow(self: Predecessors, acts: Any, mask: Any, sample: int, *_: Any) -> Any:
    return preimage(self, acts, mask, sample)


def those_who_can_take_part_follow(
    self: Predecessors, acts: Any, mask: Any, sample: int, following: Any = ()
) -> Any:
    return preimage(self, following, mask, sample, acts)


moves_of = SolitaryMoves._moves_of


def others_are_left_alone(self: SolitaryMoves, name: str) -> Iterator[Any]:
    system = self._program.system
    leaders = dict(system.followed_by)
    system.followed_by.clear()  # type: ignore[attr-defined]
    try:
        yield from moves_of(self, name)
    finally:
        system.followed_by.update(leaders)  # type: ignore[attr-defined]


def whoever_follows(compiled: CompiledPopulation) -> bool:
    system = compiled.system
    some = all(kind == "some" for kind in system.sync.values())
    return some and compiled.is_exact and all(part.high is None for part in system.templates)


def without_those_who_follow(world: World, event: Event, now: Configuration) -> Event:
    name = event.environment
    if name is None or world.system.sync.get(name) != "all":
        return event
    able = [world.can(agent, name, now) for agent in range(len(world.members))]
    return Event(name, tuple(name if each else None for each in able))


led = solver_predecessors._led


def only_leaders(system: OpenSystem, action: str | None) -> tuple[str, ...]:
    return tuple(name for name in led(system, action) if name == action)


def others_stay(self: Joint, place: int) -> tuple[int, bool]:
    return place, False


def others_follow_unseen(self: Joint, place: int) -> tuple[int, bool]:
    return self.followed.get(place, place), False


#: By name: which comparison finds it out, with which seeds, and the mistake.
MUTANTS: dict[str, tuple[str, tuple[int, ...], Mutant]] = {
    "changes do not look at the environment": (
        "programs",
        (117, 256),
        [(CompiledPopulation, "_effects_by_environment", whatever_the_environment_is)],
    ),
    "the environment is always the same": (
        "programs",
        (310,),
        [(CompiledPopulation, "_effects_by_environment", as_it_is_first)],
    ),
    "nobody follows": ("ways", (289, 534), [(Predecessors, "_followed", nobody_follows)]),
    "some stay behind": ("ways", (392, 776), [(Predecessors, "_followed", some_stay_behind)]),
    "leaders follow too": ("ways", (317, 465), [(Predecessors, "_followed", leaders_follow_too)]),
    "where all lead nobody follows": (
        "ways",
        (68, 187),
        [(Predecessors, "_broadcast_preimage", none_of_all_follow)],
    ),
    "who could lead follows": (
        "ways",
        (3, 108),
        [(Predecessors, "_broadcast_preimage", those_who_can_take_part_follow)],
    ),
    "others are left alone": (
        "ways",
        (3, 15),
        [(SolitaryMoves, "_moves_of", others_are_left_alone)],
    ),
    "saturation whoever follows": ("some", (772,), [(safety, "is_for", whoever_follows)]),
    "runs without those who follow": (
        "ways",
        (28, 68),
        [(runs, "with_all", without_those_who_follow)],
    ),
    "the solver forgets who follows": (
        "solver",
        (359, 722),
        [(solver_predecessors, "_led", only_leaders)],
    ),
    "others stay, over time": ("time", (99,), [(Joint, "others", others_stay)]),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    contest, seeds, mutant = MUTANTS[name]
    before = {seed: said for seed in seeds if (said := fault(contest, seed))}
    for owner, attribute, instead in mutant:
        monkeypatch.setattr(owner, attribute, instead)
    after = {seed: fault(contest, seed) for seed in seeds}

    assert {} == before
    assert None not in after.values()


# Those who follow act: that is what fairness asks of them, and what an invariant has to withstand

DRAGGED = """
    Environment
      Sync = {lead : one};
      Protocol: true : {lead}; end Protocol
    end Environment
    Template Leader [1..1]
      Vars: led : boolean; end Vars
      Sync = {lead};
      Protocol: true : {lead}; end Protocol
      Evolution: led = true if Action = lead; end Evolution
    end Template
    Template Crowd [1..*]
      Vars: at : {a, b, c}; end Vars
      Sync = {follow : all with lead};
      Protocol: at <> c : {follow}; end Protocol
      Evolution: at = b if Action = follow; end Evolution
    end Template
    Evaluation moved if exists i : Crowd (i.at = b); lost if exists i : Crowd (i.at = c); end Evaluation
    InitStates Leader.led = false and Crowd.at = a; end InitStates
    Fairness weak; end Fairness
    Formulae AF lost; AG !moved; AG !lost; end Formulae
"""


def in_the_end_lost() -> bool | None:
    query = read(DRAGGED).questions[0].query
    assert isinstance(query, OverTime)
    return decide_paths(read(DRAGGED), query, Budget()).reached


def test_who_follows_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert in_the_end_lost() is True

    monkeypatch.setattr(Joint, "others", others_follow_unseen)
    assert in_the_end_lost() is not True


def check_that_never(condition: list[Any], number: int) -> None:
    system = read(DRAGGED)
    query = system.questions[number].query
    assert isinstance(query, Safety)
    invariant = {"kind": "never", "cubes": [{"agents": ["Crowd"], "conditions": [condition]}]}
    check_invariant(system, invariant, query.bad, ObligationProver(Budget(), ("cvc5", "z3")))


def at(place: str) -> list[Any]:
    return ["holds", ["=", ["read", "a0", "at"], ["value", place]]]


def test_an_invariant_has_to_withstand_those_who_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    check_that_never(at("c"), 2)
    with pytest.raises(Rejected):
        check_that_never(at("b"), 1)

    monkeypatch.setattr(situations, "_choices", only_leading)
    check_that_never(at("b"), 1)


def only_leading(encoding: Any, name: Any, kind: Any) -> tuple[str | None, ...]:
    return (None, kind.shared) if kind.shared is not None else (None,)


def test_that_who_can_follow_does_is_known_to_the_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    text = DRAGGED.replace("moved if exists i : Crowd (i.at = b)", STAYED)
    text = text.replace("AF lost; AG !moved; AG !lost;", "AG !moved;")
    system = read(text)
    query = system.questions[0].query
    assert isinstance(query, Safety)
    cube = [at("a"), ["holds", ["read", "a1", "led"]]]
    invariant = {"kind": "never", "cubes": [{"agents": ["Crowd", "Leader"], "conditions": cube}]}
    prover = ObligationProver(Budget(), ("cvc5", "z3"))

    check_invariant(system, invariant, query.bad, prover)
    monkeypatch.setattr(situations, "_all_others", lambda *_: "true")
    with pytest.raises(Rejected):
        check_invariant(system, invariant, query.bad, prover)


#: Somebody is left where everybody begins, although it was led away.
STAYED = "moved if exists i : Crowd (i.at = a and exists j : Leader (j.led))"


# Where numbers of agents are counted by class, those who follow count

COUNTED = """
    Environment
      Vars: inside : int; end Vars
      Sync = {enter : one, leave : one};
      Protocol: true : {enter, leave}; end Protocol
      Evolution:
        inside = inside + 1 if Action = enter;
        inside = inside - 1 if Action = leave;
      end Evolution
    end Environment
    Template Guest
      Vars: at : {street, house}; end Vars
      Sync = {enter, leave, follow : all with enter};
      Protocol: at = street : {enter, follow}; at = house : {leave}; end Protocol
      Evolution: at = house if Action in {enter, follow}; at = street if Action = leave; end Evolution
    end Template
    Evaluation miscounted if Environment.inside = 0 and exists i : Guest (i.at = house); end Evaluation
    InitStates Environment.inside = 0 and Guest.at = street; end InitStates
    Formulae AG !miscounted; end Formulae
"""


def test_those_who_follow_are_not_forgotten_where_agents_are_counted() -> None:
    system = read(COUNTED)
    query = system.questions[0].query
    assert isinstance(query, Safety)
    decision = decide_with_guesses(system, query, Budget(60))
    wrong = list(Guesser(system, query.bad, Budget(60)).sums())

    assert (decision.reached, decision.smallest) == (True, ((2,),))
    assert [guess.invariant["kind"] for guess in wrong] == ["numbers"]
    with pytest.raises(Rejected):
        check_invariant(
            system, wrong[0].invariant, query.bad, ObligationProver(Budget(), ("cvc5", "z3"))
        )
