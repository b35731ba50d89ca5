"""What is said of coalitions of any number of agents is proved, and no damaged proof shows the opposite."""

from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given

from gnomon.certificate.parameterised import counted_steps
from gnomon.certificate.parameterised.counted_defeats import TogetherChosen, _ChosenTogether
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.checking.population_games import decide_ability, game_proof
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.system import OpenSystem
from tests.certificates import changed, leaves, verified
from tests.game_forgeries import strongest
from tests.population_games import question
from tests.populations import read
from tests.systems import examples, seeds

KINDS = ("some", "one", "all")


@pytest.fixture(autouse=True)
def _small_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_steps, "MOST_STEPS", 50_000)


def certificate(text: str) -> tuple[OpenSystem, Any]:
    """Return a system and the certificate of its question, in which there may be no proof."""
    system = read(text)
    [asked] = system.questions
    assert isinstance(asked.query, Ability)
    decision = decide_ability(system, asked.query, Budget(seconds=5))
    proof, _ = (
        game_proof(system, asked.query, decision, Budget())
        if decision.reached is not None
        else (None, "")
    )
    value = decision.reached is asked.query.everybody
    entry = {
        "index": 1,
        "name": None,
        "formula": asked.text,
        "parsed": asked.parsed,
        "logic": "CTL",
        "strategies": "perfect",
        "verdict": "true" if value else "false",
        "proof": proof,
        "reason": "",
    }
    return system, {"verdicts": [entry]}


def decided(seed: int) -> tuple[OpenSystem, Any] | None:
    """Return the certificate of a random question, if it has a proof."""
    found = question(seed, KINDS, forall=bool(seed % 2))
    if not isinstance(read(found.text).questions[0].query, Ability):
        return None
    try:
        system, data = certificate(found.text)
    except LimitReached:
        return None
    return (system, data) if data["verdicts"][0]["proof"] is not None else None


def outcome(system: OpenSystem, data: Any) -> bool | None:
    """Return whether a certificate is accepted."""
    try:
        [found] = verified(system, data, system.questions)
    except Rejected:
        return False
    return found.accepted


@given(seed=seeds)
@examples(40)
def test_what_was_decided_is_accepted_and_its_opposite_never(seed: int) -> None:
    found = decided(seed)
    if found is None:
        return
    system, data = found
    assert outcome(system, data)
    rng = Random(seed)
    other = deepcopy(data)
    entry = other["verdicts"][0]
    entry["verdict"] = {"true": "false", "false": "true"}[entry["verdict"]]
    for number in range(10):
        damaged = deepcopy(other)
        proof = damaged["verdicts"][0]["proof"]
        if number % 2:
            kinds = ("population-answers", "population-strategy", "counted-game", "counted-defeat")
            proof["kind"] = rng.choice(kinds)
        for _ in range(rng.choice((0, 1, 2))):
            places = list(leaves(proof))
            holder, key = rng.choice(places)
            holder[key] = changed(rng, holder[key])
        assert outcome(system, damaged) is not True


@given(seed=seeds)
@examples(25)
def test_what_populations_refute_is_not_shown_by_the_most_that_counting_allows(seed: int) -> None:
    found = decided(seed)
    if found is None:
        return
    system, data = found
    entry = data["verdicts"][0]
    [asked] = system.questions
    assert isinstance(asked.query, Ability)
    of_one = entry["proof"]["kind"] in ("population-answers", "population-strategy")
    for cap in (1, 2):
        try:
            told = strongest(system, asked.query, cap)
        except (Rejected, TooMuch):
            continue
        value = "false" if asked.query.everybody else "true"
        lie = {"verdicts": [{**entry, "verdict": value, "proof": told}]}
        assert not (of_one and outcome(system, lie))


GATE = """
    Environment
      Vars: open : boolean = true; end Vars
      Actions = { shut };
      Sync = { pass : one };
      Protocol: open = true : { pass, shut }; end Protocol
      Evolution: open = false if Action = shut; end Evolution
    end Environment
    Template Guest
      Vars: at : { out, door, in } = out; end Vars
      Actions = { come, go };
      Sync = { pass };
      Protocol: at = out : { come }; at = door : { pass, go }; at = in : { go }; end Protocol
      Evolution: at = door if Action = come; at = in if Action = pass; at = out if Action = go; end Evolution
    end Template
    Evaluation in if exists g : Guest (g.at = in); end Evaluation
    Formulae FORMULA; end Formulae
"""


@pytest.mark.parametrize(
    ("formula", "kind"),
    [
        ("<Environment>G !in", "counted-game"),
        ("<Environment>F Environment.open = false", "counted-game"),
        ("forall g : Guest (<g>G g.at <> in)", "counted-game"),
        ("forall g : Guest (<Environment, g>F g.at = door)", "counted-game"),
        ("<Environment>G exists g : Guest (g.at = out)", "population-answers"),
        ("forall g : Guest (<g>F g.at = in)", "population-answers"),
        ("<Guest>F exists g : Guest (g.at = door)", "population-strategy"),
    ],
)
def test_a_proof_without_one_of_its_parts_proves_nothing(formula: str, kind: str) -> None:
    system, data = certificate(GATE.replace("FORMULA", formula))
    proof = data["verdicts"][0]["proof"]
    assert kind == proof["kind"]
    assert outcome(system, data)

    def listed(whole: Any) -> list[Any]:
        own = whole["verdicts"][0]["proof"]
        found = own["ways"][0]["numbers"] if kind == "counted-game" else own["entries"]
        assert isinstance(found, list)
        return found

    for left_out in range(len(listed(data))):
        fewer = deepcopy(data)
        del listed(fewer)[left_out]
        assert outcome(system, fewer) is False


def test_a_strategy_has_nothing_to_say_where_nothing_can_happen() -> None:
    text = """
        Template Lamp [1..2]
          Vars: lit : boolean = false; end Vars
          Actions = { light };
          Protocol: lit = false : { light }; end Protocol
          Evolution: lit = true if Action = light; end Evolution
        end Template
        Formulae <Lamp>G exists l : Lamp (l = l); end Formulae
    """
    system, data = certificate(text)

    assert "population-strategy" == data["verdicts"][0]["proof"]["kind"]
    assert outcome(system, data)


def test_a_game_that_goes_round_gets_nowhere() -> None:
    system, data = certificate(GATE.replace("FORMULA", "<Environment>F Environment.open = false"))
    for state in data["verdicts"][0]["proof"]["ways"][0]["numbers"]:
        state[1] = 0

    assert outcome(system, data) is False


def test_counting_has_to_go_as_far_as_conditions_see() -> None:
    two = "exists g, h : Guest (g != h and g.at = in and h.at = in)"
    system, data = certificate(GATE.replace("FORMULA", f"<Environment>G !{two}"))
    [way] = data["verdicts"][0]["proof"]["ways"]
    assert way["cap"] >= 2
    way["cap"] = 1

    assert outcome(system, data) is False


#: Only the porter opens, and need not; one goes through at a time.
PORTER = """
    Environment
      Vars: open : boolean = false; end Vars
      Actions = { unlock, doze };
      Sync = { pass : one };
      Protocol: open = false : { unlock, doze }; open = true : { pass, doze }; end Protocol
      Evolution: open = true if Action = unlock; end Evolution
    end Environment
    Template Guest
      Vars: at : { out, in } = out; end Vars
      Actions = { walk };
      Sync = { pass };
      Protocol: at = out : { pass, walk }; end Protocol
      Evolution: at = in if Action = pass; end Evolution
    end Template
    Evaluation open if Environment.open = true; end Evaluation
    Formulae FORMULA; end Formulae
"""
#: The gate is open, and one goes through at a time.
QUEUE = """
    Environment
      Vars: open : boolean = true; end Vars
      Sync = { pass : one };
      Protocol: open = true : { pass }; end Protocol
    end Environment
    Template Guest
      Vars: at : { out, in } = out; end Vars
      Sync = { pass };
      Protocol: at = out : { pass }; end Protocol
      Evolution: at = in if Action = pass; end Evolution
    end Template
    Evaluation all_in if forall g : Guest (g.at = in); end Evaluation
    Formulae FORMULA; end Formulae
"""
#: Who has the ball throws it, all others can move; which side has begun is not known.
TEAMS = """
    Types Side : { left, right }; end Types
    Relations begins : Side; end Relations
    Environment
      Vars: turn : boolean = false; end Vars
      Sync = { throw : one };
      Protocol: turn = false and (begins(left) or !begins(left)) : { throw }; end Protocol
      Evolution: turn = true if Action = throw; end Evolution
    end Environment
    Template Player
      Vars: has : boolean = true; moved : boolean = false; end Vars
      Sync = { throw, move : all with throw };
      Protocol: has = true : { throw }; moved = false : { move }; end Protocol
      Evolution: has = false if Action = throw; moved = true if Action = move; end Evolution
    end Template
    Formulae FORMULA; end Formulae
"""


@pytest.mark.parametrize("formula", ["<Guest>F open", "<Guest>G !open"])
def test_that_no_number_is_enough_is_proved(formula: str) -> None:
    # To keep something for ever more may be worse; so there are three at most.
    few = (
        PORTER.replace("Template Guest", "Template Guest [1..3]") if "G" in formula[7:] else PORTER
    )
    system, data = certificate(few.replace("FORMULA", formula))
    proof = data["verdicts"][0]["proof"]
    assert proof["kind"] == "counted-defeat"
    assert outcome(system, data)

    [way] = proof["ways"]
    for numbers in ([], [[where, 0] for where, _ in way["numbers"]][:1]):
        fewer = deepcopy(data)
        fewer["verdicts"][0]["proof"]["ways"][0]["numbers"] = numbers
        assert outcome(system, fewer) is False


def test_that_a_number_is_enough_is_not_refuted_by_states_where_they_win() -> None:
    system, data = certificate(PORTER.replace("FORMULA", "<Guest>F open"))
    other, lie = certificate(GATE.replace("FORMULA", "<Guest>F Environment.open = false"))
    told = data["verdicts"][0]["proof"]
    [way] = told["ways"]
    way["places"] = [["Guest", ["out"]]]
    way["states"] = [
        [[True], None, []],
        *([[True], None, [[0, n]]] for n in range(1, way["cap"] + 1)),
    ]
    way["numbers"] = [[number, 0] for number in range(len(way["states"]))]
    lie["verdicts"][0].update(proof=told, verdict="false")

    assert outcome(other, lie) is False
    assert system is not other


@pytest.mark.parametrize("formula", ["forall g : Guest (<g>F g.at = in)", "<Environment>F all_in"])
def test_opponents_who_run_out_of_agents_have_a_proof(formula: str) -> None:
    system, data = certificate(QUEUE.replace("FORMULA", formula))
    [way] = data["verdicts"][0]["proof"]["ways"]
    assert way["plays"]
    assert outcome(system, data)

    without = deepcopy(data)
    without["verdicts"][0]["proof"]["ways"][0]["deletions"] = []
    assert outcome(system, without) is False

    elsewhere = deepcopy(data)
    for play in elsewhere["verdicts"][0]["proof"]["ways"][0]["plays"]:
        play[1] = play[1][:1]
    assert outcome(system, elsewhere) is False


def test_games_are_won_however_the_relations_are_filled_and_whoever_follows() -> None:
    formula = "forall p : Player (<p>G (p.moved = false or Environment.turn = true))"
    system, data = certificate(TEAMS.replace("FORMULA", formula))
    proof = data["verdicts"][0]["proof"]
    assert proof["kind"] == "counted-game"
    assert len(proof["ways"]) > 1
    assert outcome(system, data)

    del proof["ways"][0]

    assert outcome(system, data) is False


def test_games_in_which_runs_have_to_be_fair_have_no_rule() -> None:
    system, data = certificate(GATE.replace("FORMULA", "<Environment>G !in"))
    fair = read(
        GATE.replace("FORMULA", "<Environment>G !in").replace(
            "    Formulae", "Fairness weak; end Fairness Formulae"
        )
    )

    assert outcome(system, data)
    assert outcome(fair, data) is False


# Mistakes in the checker


def _without_results(self: Any, *_: Any) -> Any:
    yield from ()


def _only_waiting(_: Any, __: Any, place: int, number: int, ___: Any) -> list[Any]:
    return [[_ChosenTogether(place, place, None, number)]]


@pytest.mark.parametrize(
    ("owner", "what", "planted"),
    [
        # Agents are taken to choose less than they can, or less to come of it.
        (TogetherChosen, "_ways", _only_waiting),
        (TogetherChosen, "_results", _without_results),
    ],
)
def test_a_lie_about_all_agents_is_accepted_where_a_mistake_is_planted(
    owner: Any, what: str, planted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guests get in as soon as they want to; that they never do is a lie."""
    system = read(QUEUE.replace("FORMULA", "<Guest>F exists g : Guest (g.at = in)"))
    states = [[[True], None, []], *([[True], None, [[0, n]]] for n in (1, 2))]
    way = {"facts": [], "cap": 2, "places": [["Guest", ["out"]]], "states": states}
    numbers = [[n, 0] for n in range(3)]
    proof = {"kind": "counted-defeat", "ways": [{**way, "numbers": numbers}]}
    [asked] = system.questions
    entry = {
        "index": 1,
        "name": None,
        "formula": asked.text,
        "parsed": asked.parsed,
        "logic": "CTL",
        "strategies": "perfect",
        "verdict": "false",
        "proof": proof,
        "reason": "",
    }

    assert outcome(system, {"verdicts": [entry]}) is False

    monkeypatch.setattr(owner, what, planted)

    assert outcome(system, {"verdicts": [entry]})
