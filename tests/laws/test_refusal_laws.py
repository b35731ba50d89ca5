"""Why coalitions cannot: the others' answers in rules, and the look-alike states that spoil a strategy."""

from collections import Counter
from collections.abc import Callable
from itertools import chain, product
from random import Random

from hypothesis import given

from gnomon.certificate.defence import looks_alike, replay_defence
from gnomon.certificate.strategy import answers_agree
from gnomon.checking.load import load_text
from gnomon.engines.explicit.engine import explore
from gnomon.logic.exact_evidence import evidence_at
from gnomon.logic.satisfaction import Reading, Satisfaction
from gnomon.model import formula as f
from gnomon.model.evidence import Clash, Evidence
from gnomon.model.step import State, enabled_actions
from gnomon.model.system import System
from tests.systems import examples, random_formula, random_system, seeds

#: A card is dealt, perhaps shown, and guessed: what is won with which card is up to chance.
GUESSING = """
Agent Environment
  Obsvars: turn : 0..2; shown : boolean; result : {{ open, won, lost }}; end Obsvars
  Vars: card : 0..2; end Vars
  Actions = {{ deal0, deal1, deal2, show }};
  Protocol:
    turn = 0 : {{ deal0, deal1, deal2 }};
    Other : {{ show, deal0 }};
  end Protocol
  Evolution:
    card = 0 and turn = 1 if turn = 0 and Action = deal0;
    card = 1 and turn = 1 if turn = 0 and Action = deal1;
    card = 2 and turn = 1 if turn = 0 and Action = deal2;
    turn = 2 and shown = (card = {shown}) and result = won if turn > 0 and result = open and ({winning});
    turn = 2 and shown = (card = {shown}) and result = lost if turn > 0 and result = open and ({losing});
  end Evolution
end Agent
Agent P
  Vars: on : boolean; end Vars
  Actions = {{ a, b, c }};
  Protocol: Other : {{ {actions} }}; end Protocol
  Evolution: on = true if on; end Evolution
end Agent
Agent Q
  Actions = {{ x, y }};
  Protocol: Other : {{ x, y }}; end Protocol
end Agent
Evaluation won if Environment.result = won; lost if Environment.result = lost; end Evaluation
InitStates
  Environment.turn = {turn} and Environment.result = open and P.on and !Environment.shown;
end InitStates
Formulae EF won; end Formulae
"""


def guessing(rng: Random) -> tuple[System, f.Enforces]:
    """Return a random game of guessing, and what the guesser wants."""
    pairs = [(card, action) for card in range(3) for action in "abc"]
    kinds = {pair: rng.choice(["win", "win", "lose", ""]) for pair in pairs}
    # Q can help with some of the cards, or can be in the way.
    help_ = {card: rng.choice(["", "", "", "", " and Q.Action = x"]) for card in range(3)}
    words = {
        kind: " or ".join(
            f"card = {card} and P.Action = {action}{help_[card]}"
            for (card, action), its in kinds.items()
            if its == kind
        )
        or "card = 0 and card = 1"
        for kind in ("win", "lose")
    }
    text = GUESSING.format(
        shown=rng.randrange(3),
        winning=words["win"],
        losing=words["lose"],
        actions=rng.choice(["a, b, c", "a, b"]),
        turn=rng.choice([0, 1]),
    )
    system = load_text(text).system
    assert isinstance(system, System)
    won, lost = f.Proposition("won"), f.Proposition("lost")
    goals: list[f.Formula] = [
        f.Finally(won),
        f.Globally(f.Not(lost)),
        f.Until(f.Not(lost), won),
        f.Next(won),
    ]
    return system, f.Enforces(f.Group(rng.choice((("P",), ("P", "Q")))), rng.choice(goals))


def wandering(rng: Random) -> tuple[System, f.Enforces] | None:
    """Return any random system, and what one of its agents wants."""
    system = random_system(rng)
    agents = [agent.name for agent in system.agents if agent.actions]
    if not agents:
        return None
    one, two = (random_formula(rng, system, 1, "bool") for _ in range(2))
    paths: list[f.Formula] = [f.Next(one), f.Finally(one), f.Globally(one), f.Until(one, two)]
    members = tuple(rng.sample(agents, rng.randint(1, min(2, len(agents)))))
    return system, f.Enforces(f.Group(members), rng.choice(paths))


def refusals(seed: int, reading: Reading) -> list[tuple[System, f.Enforces, Evidence]]:
    """Return why a formula about one agent fails, in some states of a random system."""
    rng = Random(seed)
    made = wandering(rng) if seed % 3 == 0 else guessing(rng)
    if made is None:
        return []
    system, formula = made
    truth = Satisfaction(explore(system), strategies=reading)
    algebra = truth.algebra
    found: list[tuple[System, f.Enforces, Evidence]] = []
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
@examples(60)
def test_the_rules_of_the_others_say_what_their_answers_are(seed: int) -> None:
    for system, _, found in refusals(seed, "perfect"):
        for defence in found.defences:
            assert replay_defence(system, defence, informed(system))
            assert answers_agree(system, defence)


@given(seeds)
@examples(60)
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
            assert fails_whatever_the_others_do(system, formula, clash)


def fails_whatever_the_others_do(system: System, formula: f.Enforces, clash: Clash) -> bool:
    """Return whether what is listed is all that the members can do, for each action in one of the states."""
    others = [name for name in formula.group.members if name != clash.agent]
    listed = {(each.state, frozenset(each.choice)) for each in clash.failures}
    for state, choice in listed:
        does = next(each for each in choice if each[0] == clash.agent)
        able = [enabled_actions(system, system.agent(name), state) for name in others]
        for rest in product(*able):
            if (state, frozenset((does, *zip(others, rest, strict=True)))) not in listed:
                return False
    return True


def test_failures_are_told_of_groups_of_several() -> None:
    found = Counter(
        len(clash.failures[0].choice)
        for seed in range(1, 240, 3)
        for _, _, evidence in refusals(seed, "uniform-subjective")
        for clashes in evidence.clashes
        for clash in clashes.views
        if clash.failures
    )

    assert found[1] > 3
    assert found[2] > 3
