"""Satisfiability decides what agents know as the oracle does, with evidence, and proves it where it can."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from gnomon.certificate.deductive.proof import check_conditions
from gnomon.certificate.rejection import Rejected
from gnomon.checking.certify_clauses import proof_of
from gnomon.checking.circuit_work import NotSolvable
from gnomon.checking.load import load_text
from gnomon.checking.momentary import KnowledgeFormula
from gnomon.model import formula as f
from gnomon.model.budget import Budget
from gnomon.model.system import Logic, Specification, System
from tests.contract.compare import Solved
from tests.fairness import fairly
from tests.oracle import Oracle
from tests.solving import formulae_of, solved
from tests.systems import examples, random_formula, random_path, random_system, seeds

_KNOWING = "bool know norm"


def drawn_system(rng: Random) -> System:
    """Return a system with or without events, fairness and dead ends."""
    system = random_system(
        rng,
        largest=rng.choice((12, 48)),
        stuck=rng.choice((0.05, 0.4)),
        interleaved=rng.random() < 0.25,
    )
    return fairly(rng, system) if rng.random() < 0.35 else system


def drawn_formula(rng: Random, system: System) -> tuple[f.Formula, Logic]:
    """Return a formula about knowledge: always or once, or inside of others of each logic of time."""
    depth = rng.choice((2, 3))
    match rng.choice(("AG", "AG", "EF", "CTL", "CTL", "LTL", "CTL*")):
        case "AG":
            return f.All(f.Globally(random_formula(rng, system, depth, _KNOWING))), "CTL"
        case "EF":
            return f.Exists(f.Finally(random_formula(rng, system, depth, _KNOWING))), "CTL"
        case "LTL":
            return f.All(random_path(rng, system, rng.randint(1, 3), "bool know")), "LTL"
        case "CTL*":
            return random_formula(rng, system, 3, "bool star know norm"), "CTL*"
        case _:
            return random_formula(rng, system, rng.choice((2, 3, 4)), "bool ctl know norm"), "CTL"


def compare_knowledge(seed: int) -> Counter[str]:
    """Compare with the oracle; return what was said, and of what."""
    rng = Random(seed)
    system = drawn_system(rng)
    compared = Solved(system)
    for _ in range(5):
        formula, logic = drawn_formula(rng, system)
        refused = compared.said["refused"]
        compared.on(formula, logic)
        if compared.said["refused"] == refused:
            compared.said.update(_kinds(system, formula))
    return compared.said


#: Two who see a coin each, and a third coin that nobody sees.
_COINS = """
Agent Environment
  Vars: hidden: boolean; end Vars
  Evolution:
  end Evolution
end Agent
Agent Ann
  Vars: coin: boolean; end Vars
  Actions = {wait};
  Protocol: Other: {wait}; end Protocol
  Evolution:
  end Evolution
end Agent
Agent Bob
  Vars: coin: boolean; end Vars
  Actions = {wait};
  Protocol: Other: {wait}; end Protocol
  Evolution:
  end Evolution
end Agent
Evaluation
  same if Ann.coin = Environment.hidden;
  heads if Ann.coin = true;
end Evaluation
InitStates Environment.hidden = true or Environment.hidden = false; end InitStates
Formulae
  EF (heads and !K(Ann, same) and !K(Bob, K(Ann, same) or heads));
  AG (heads -> K(Ann, same) or K(Bob, K(Ann, same) or heads));
end Formulae
"""


def compare_chain(seed: int) -> None:
    """Compare what is said where one doubts the same here and elsewhere, which takes two other states."""
    del seed
    system = load_text(_COINS).system
    assert system is not None
    for asked in system.specifications:
        Solved(system).on(asked.formula)


def _kinds(system: System, formula: f.Formula) -> set[str]:
    """Return what is special about a question, so that it can be seen to occur."""
    known = [part for part in f.walk(formula) if isinstance(part, KnowledgeFormula)]
    within = [part for each in known for part in f.walk(each.body)]
    found = {type(part).__name__ for part in known}
    found |= {part.kind for part in known if isinstance(part, f.GroupKnows)}
    if any(isinstance(part, KnowledgeFormula) for part in within):
        found.add("nested")
    if any(isinstance(part, f.All | f.Exists) for part in within):
        found.add("time within")
    if known and system.fairness:
        found.add("fair")
    if known and system.interleaved:
        found.add("interleaved")
    return found


def compare_proofs(seed: int) -> Counter[str]:
    """Have proofs of what is always known checked; forged ones of what is not must be refused."""
    rng = Random(seed)
    system = random_system(rng, stuck=rng.choice((0.05, 0.4)), interleaved=rng.random() < 0.25)
    formulae, oracle, said = formulae_of(system), Oracle(system), Counter[str]()
    for _ in range(4):
        known = random_formula(rng, system, rng.choice((1, 2)), _KNOWING)
        formula = f.All(f.Globally(f.Or((f.Proposition("p"), known))))
        asked = Specification(formula, f.show_formula(formula), 0)
        found = solved(formulae, formula)
        try:
            if str(found.outcome().value) != "true":
                continue
        except NotSolvable:
            continue
        proof = proof_of(found, formula)
        if proof is None:
            said["none"] += 1
            continue
        check_conditions(system, asked, proof, Budget(), value=True, solvers=("cvc5",))
        said["proved"] += 1
        said["views"] += any(not isinstance(each["where"], bool) for each in proof["labels"])
        for label in proof["labels"][1:]:
            claimed = f.All(f.Globally(known))
            if not oracle.holds(claimed):
                forged = {**proof, "labels": [{**label, "where": True}]}
                forged["labels"].append(
                    {**proof["labels"][0], "formula": f.show_formula(claimed), "where": True}
                )
                with pytest.raises(Rejected):
                    check_conditions(
                        system,
                        Specification(claimed, f.show_formula(claimed), 0),
                        forged,
                        Budget(),
                        value=True,
                        solvers=("cvc5",),
                    )
                said["forged"] += 1
    return said


@given(seed=seeds)
@examples(600)
def test_what_agents_know_is_decided_as_the_oracle_does(seed: int) -> None:
    compare_knowledge(seed)


@given(seed=seeds)
@examples(150)
def test_what_is_always_known_is_proved(seed: int) -> None:
    compare_proofs(seed)


def test_the_same_is_doubted_in_two_states_for_two_reasons() -> None:
    compare_chain(0)


def test_much_is_decided_of_every_kind() -> None:
    said: Counter[str] = sum((compare_knowledge(seed) for seed in range(60)), Counter())

    assert said["true"] > 90
    assert said["false"] > 50
    assert said["shown"] > 70
    assert said["refused"] < 0.3 * said.total()
    kinds = ("Knows", "Obliged", "everybody", "distributed", "common", "nested", "time within")
    assert min(said[kind] for kind in (*kinds, "fair", "interleaved")) > 3


def test_proofs_say_with_which_views_something_is_certain() -> None:
    said: Counter[str] = sum((compare_proofs(seed) for seed in range(60)), Counter())

    assert said["proved"] > 30
    assert said["views"]
    assert said["forged"] > 3
