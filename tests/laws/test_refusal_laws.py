"""Why coalitions cannot: the others' answers in rules, and the look-alike states that spoil a strategy."""

from collections.abc import Callable
from itertools import chain
from random import Random

from hypothesis import given

from gnomon.certificate.defence import looks_alike, replay_defence
from gnomon.certificate.strategy import answers_agree
from gnomon.engines.explicit.engine import explore
from gnomon.logic.exact_evidence import evidence_at
from gnomon.logic.satisfaction import Reading, Satisfaction
from gnomon.model import formula as f
from gnomon.model.evidence import Evidence
from gnomon.model.step import State
from gnomon.model.system import System
from tests.systems import examples, random_formula, random_system, seeds


def refusals(seed: int, reading: Reading) -> list[tuple[System, f.Enforces, Evidence]]:
    """Return why a formula about one agent fails, in some states of a random system."""
    rng = Random(seed)
    system = random_system(rng)
    truth = Satisfaction(explore(system), strategies=reading)
    agent = rng.choice([agent.name for agent in system.agents if agent.actions] or [""])
    if not agent:
        return []
    one, two = (random_formula(rng, system, 1, "bool") for _ in range(2))
    path = rng.choice([f.Next(one), f.Finally(one), f.Globally(one), f.Until(one, two)])
    formula = f.Enforces(f.Group((agent,)), path)
    algebra, found = truth.algebra, []
    failing = algebra.difference(algebra.reachable, truth.states(formula, "CTL"))
    while len(found) < 3 and not algebra.is_empty(failing):
        state = algebra.pick(failing)
        failing = algebra.difference(failing, algebra.only(state))
        found.append((system, formula, evidence_at(truth, formula, "CTL", state, value=False)))
    return found


def informed(system: System) -> Callable[[f.Formula, State], bool]:
    """Return whether a formula holds in a state, for those who see everything."""
    truth = Satisfaction(explore(system))
    return lambda formula, state: truth.algebra.is_subset(
        truth.algebra.only(state), truth.states(formula, "CTL")
    )


@given(seeds)
@examples(150)
def test_the_rules_of_the_others_say_what_their_answers_are(seed: int) -> None:
    for system, _, found in refusals(seed, "perfect"):
        for defence in found.defences:
            assert replay_defence(system, defence, informed(system))
            assert answers_agree(system, defence)


@given(seeds)
@examples(150)
def test_what_fails_in_a_look_alike_state_is_lost_even_for_those_who_see_everything(
    seed: int,
) -> None:
    readings: tuple[Reading, ...] = ("uniform", "uniform-subjective")
    for system, formula, found in chain(*(refusals(seed, reading) for reading in readings)):
        path = formula.path
        goal = path.body if isinstance(path, f.Next) else formula
        for clash in (clash for clashes in found.clashes for clash in clashes.views):
            assert looks_alike(system, clash)
            assert not any(informed(system)(goal, each.result) for each in clash.failures)
