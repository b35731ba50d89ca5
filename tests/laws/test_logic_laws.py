"""Laws that hold of every model, whatever the engine."""

from random import Random

from hypothesis import given

from gnomon.engines.algebra import Algebra, Graph
from gnomon.engines.explicit.engine import ExplicitAlgebra, explore
from gnomon.engines.explicit.explicit_sets import States
from gnomon.logic.satisfaction import Reading, Satisfaction
from gnomon.model import formula as f
from gnomon.model.system import Specification, System
from tests.fairness import fairly
from tests.systems import examples, random_formula, random_system, seeds


def model(seed: int, *, fair: bool = False) -> tuple[Random, System, Satisfaction[States]]:
    rng = Random(seed)
    system = random_system(rng)
    if fair:
        system = fairly(rng, system)
    return rng, system, Satisfaction(explore(system), system.fairness)


def some_states(rng: Random, algebra: ExplicitAlgebra) -> States:
    return frozenset(s for s in algebra.reachable if rng.random() < 0.5)


@given(seeds)
@examples(200)
def test_always_is_never_not(seed: int) -> None:
    rng, system, truth = model(seed, fair=seed % 2 == 0)
    body = random_formula(rng, system, 2, "bool ctl know")
    always, sometime = f.All(f.Globally(body)), f.Exists(f.Finally(f.Not(body)))
    assert truth.states(always) == truth.states(f.Not(sometime))
    surely, never = f.All(f.Finally(body)), f.Exists(f.Globally(f.Not(body)))
    assert truth.states(surely) == truth.states(f.Not(never))


@given(seeds)
@examples(200)
def test_finally_is_until_with_nothing_on_the_way(seed: int) -> None:
    rng, system, truth = model(seed, fair=seed % 2 == 0)
    body = random_formula(rng, system, 1, "bool ctl know")
    until = f.Until(f.Constant(True), body)
    for quantify in (f.All, f.Exists):
        assert truth.states(quantify(f.Finally(body))) == truth.states(quantify(until))


@given(seeds)
@examples(200)
def test_what_is_known_is_true_and_known_to_be_known(seed: int) -> None:
    rng, system, truth = model(seed, fair=seed % 2 == 0)
    body = random_formula(rng, system, 2, "bool ctl know")
    agent = rng.choice(system.agents).name
    known = truth.states(f.Knows(agent, body))
    assert known <= truth.states(body)
    assert known == truth.states(f.Knows(agent, f.Knows(agent, body)))
    unknown = f.Not(f.Knows(agent, body))
    assert truth.states(unknown) == truth.states(f.Knows(agent, unknown))


@given(seeds)
@examples(200)
def test_a_group_knows_in_common_less_than_each_and_together_more(seed: int) -> None:
    rng, system, truth = model(seed, fair=seed % 2 == 0)
    body = random_formula(rng, system, 1, "bool ctl know")
    group = system.groups["g"]
    common = truth.states(f.GroupKnows("common", group, body))
    everybody = truth.states(f.GroupKnows("everybody", group, body))
    together = truth.states(f.GroupKnows("distributed", group, body))
    assert common <= everybody
    for member in group.members:
        one = truth.states(f.Knows(member, body))
        assert everybody <= one <= together
    assert common == truth.states(
        f.GroupKnows("common", group, f.GroupKnows("common", group, body))
    )


@given(seeds)
@examples(200)
def test_the_empty_coalition_enforces_what_is_inevitable(seed: int) -> None:
    rng, system, truth = model(seed, fair=seed % 2 == 0)
    body = random_formula(rng, system, 1, "bool ctl know")
    for path in (f.Next(body), f.Finally(body), f.Globally(body)):
        assert truth.states(f.All(path)) == truth.states(f.Enforces(f.Group(()), path))


@given(seeds)
@examples(200)
def test_a_larger_coalition_enforces_no_less(seed: int) -> None:
    rng, system, truth = model(seed, fair=seed % 2 == 0)
    names = [agent.name for agent in system.agents]
    few = tuple(rng.sample(names, rng.randint(1, len(names))))
    many = tuple({*few, *rng.sample(names, 1)})
    body = random_formula(rng, system, 1, "bool")
    for path in (f.Next(body), f.Finally(body), f.Globally(body)):
        small, large = f.Enforces(f.Group(few), path), f.Enforces(f.Group(many), path)
        assert truth.states(small) <= truth.states(large)


@given(seeds)
@examples(150)
def test_who_sees_less_enforces_less(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=12)
    if rng.random() < 0.4:
        system = fairly(rng, system)
    body, other = (random_formula(rng, system, 1, "bool") for _ in range(2))
    group = system.groups["g"]
    readings: tuple[Reading, ...] = ("uniform-subjective", "uniform", "perfect")
    algebra = explore(system)
    truths = [Satisfaction(algebra, system.fairness, reading) for reading in readings]
    for path in (f.Next(body), f.Finally(body), f.Globally(body), f.Until(other, body)):
        formula = f.Enforces(group, path)
        won = [truth.states(formula) for truth in truths]
        assert won[0] <= won[1] <= won[2]


@given(seeds)
@examples(150)
def test_without_deadlocks_linear_time_agrees_with_branching_time(seed: int) -> None:
    rng, system, truth = model(seed)
    if truth.algebra.deadlocks:
        return
    body = random_formula(rng, system, 1, "bool know")
    for path in (f.Next(body), f.Finally(body), f.Globally(body)):
        formula = f.All(path)
        assert truth.states(formula) == truth.states(formula, "LTL")
        # The same once more, in a shape that only the automaton can read.
        doubled = f.All(f.And((path, path)))
        assert truth.states(formula) == truth.states(doubled, "CTL*")


@given(seeds)
@examples(150)
def test_a_constraint_that_always_holds_only_rules_out_what_ends(seed: int) -> None:
    rng, system, plain = model(seed)
    trivial = (Specification(f.Constant(True), "true"),)
    fair = Satisfaction(plain.algebra, trivial)
    body = random_formula(rng, system, 1, "bool")
    endless = plain.states(f.Exists(f.Globally(f.Constant(True))))
    assert endless == fair.frame().universe
    formula = f.Exists(f.Globally(body))
    assert plain.states(formula) == fair.states(formula)
    group = system.groups["g"]
    if not plain.algebra.deadlocks and not plain.algebra.overflows:
        for path in (f.Next(body), f.Finally(body), f.Globally(body)):
            enforced = f.Enforces(group, path)
            assert plain.states(enforced) == fair.states(enforced)


@given(seeds)
@examples(200)
def test_the_fast_operations_agree_with_their_definitions(seed: int) -> None:
    rng, system, truth = model(seed)
    algebra = truth.algebra
    assert isinstance(algebra, ExplicitAlgebra)
    target, within = some_states(rng, algebra), some_states(rng, algebra)
    slow = frozenset(s for s in within if target & set(algebra.space.successors[s]))
    assert slow == algebra.before(target, within)
    assert Graph.inevitable(algebra, target, within) == algebra.inevitable(target, within)
    group = system.groups["g"].members
    assert Algebra.unavoidable(algebra, group, target, within) == algebra.unavoidable(
        group, target, within
    )
