"""What is said of vacuous truths never stands in the way of a verdict."""

from math import inf

import pytest

from gnomon.checking.check import Options, Strategies, check
from gnomon.checking.load import load_text
from gnomon.checking.supervise import work_here
from gnomon.checking.vacuous import told
from gnomon.checking.verdict import Value, Verdict
from gnomon.engines.explicit.engine import explore
from gnomon.logic.exact_vacuity import ExactVacuity
from gnomon.logic.satisfaction import Satisfaction
from gnomon.logic.vacuity import Vacuity
from gnomon.model.budget import Budget, LimitReached, OutOfReach, TryAnother, Turn
from gnomon.model.system import System

LAMP = """
Agent Lamp
  Vars: colour : { green, red, broken }; end Vars
  Evolution:
    colour = red if colour = green;
    colour = green if colour = red;
  end Evolution
end Agent
Evaluation
  green if Lamp.colour = green;
  broken if Lamp.colour = broken;
end Evaluation
InitStates Lamp.colour = green; end InitStates
Formulae
  AG (broken -> green);
  AG (broken -> green) and AG green;
  AG (green -> AX !green);
end Formulae
"""
BROKEN = "`broken` is true in no reachable state, so nothing is said of `green`"


def lamp(text: str = LAMP) -> System:
    system = load_text(text).system
    assert system is not None
    return system


def verdicts(options: Options | None = None, text: str = LAMP) -> list[Verdict]:
    return list(check(lamp(text), options=options))


def test_only_a_formula_that_is_true_is_vacuous() -> None:
    found = [(each.value, each.vacuous) for each in verdicts()]

    assert [(Value.TRUE, BROKEN), (Value.FALSE, ""), (Value.TRUE, "")] == found


@pytest.mark.parametrize("strategies", ["perfect", "uniform", "uniform-subjective"])
def test_readings_of_coalitions_do_not_matter_here(strategies: Strategies) -> None:
    assert BROKEN == verdicts(Options(strategies=strategies))[0].vacuous


def test_nothing_is_said_of_models_that_are_pruned() -> None:
    assert ["", "", ""] == [each.vacuous for each in verdicts(Options(strategies="uniform-model"))]


def test_a_second_opinion_does_not_mind() -> None:
    assert BROKEN == verdicts(Options(paranoid=True))[0].vacuous


def test_without_initial_states_nothing_is_vacuous() -> None:
    system = lamp(LAMP.replace("colour = green; end", "colour = green and !(true); end"))
    truth = Satisfaction(explore(system))
    found = ExactVacuity(truth, truth.initial)

    assert ["", "", ""] == [found.sentence(each.formula) for each in system.specifications]


@pytest.mark.parametrize("limit", [LimitReached, TryAnother, OutOfReach, MemoryError])
def test_a_limit_takes_the_note_and_leaves_the_verdict(
    limit: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(*_: object) -> str:
        raise limit

    monkeypatch.setattr(Vacuity, "sentence", look)
    with work_here():
        found = [(each.value, each.vacuous) for each in verdicts()]

    assert [(Value.TRUE, ""), (Value.FALSE, ""), (Value.TRUE, "")] == found


def test_looking_has_a_time_of_its_own_and_the_budget_gets_its_own_back() -> None:
    system = lamp()
    truth = Satisfaction(explore(system))
    for seconds, least, most in ((None, 50, 60), (1.0, 1, 1), (1_000.0, 50, 60)):
        budget = Budget(seconds)
        seen: list[float] = []

        def look(budget: Budget = budget, seen: list[float] = seen) -> None:
            seen.append(budget.seconds or 0)

        found = ExactVacuity(truth, truth.initial, "CTL", look)

        assert BROKEN == told(found, system.specifications[0].formula, budget, 50.0)
        assert seconds == budget.seconds
        assert least <= min(seen) <= max(seen) <= most


@pytest.mark.parametrize(("ends", "note"), [(inf, BROKEN), (0.0, "")])
def test_only_the_end_of_all_turns_takes_a_note_away(ends: float, note: str) -> None:
    system = lamp()
    truth = Satisfaction(explore(system))
    budget = Budget(turn=Turn(0.0, 0.0, ends, inf))
    found = ExactVacuity(truth, truth.initial, "CTL", budget.check)

    assert note == told(found, system.specifications[0].formula, budget, 1.0)
    assert budget.turn is not None


def test_of_very_many_implications_some_are_looked_at() -> None:
    many = " and ".join(
        f"(broken -> AX Lamp.colour = {'red' if n % 2 else 'green'})" for n in range(500)
    )
    text = LAMP.replace("AG (broken -> green);", f"AG ({many});")

    assert 2 == verdicts(text=text)[0].vacuous.count("is true in no reachable state")


def test_what_is_long_is_cut_short() -> None:
    long = " and ".join(["broken"] * 100)
    text = LAMP.replace("AG (broken -> green);", f"AG (({long}) -> green);")

    note = verdicts(text=text)[0].vacuous
    assert len(note) < 150
    assert "…` is true in no reachable state" in note
