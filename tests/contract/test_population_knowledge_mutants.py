"""Tempting mistakes about what agents of any number know: each is planted, and gives another verdict."""

from collections.abc import Iterable
from typing import Any

import pytest

from gnomon.checking.population_paths import decide_known
from gnomon.engines.parameterised.lookalikes import crowds, deciding, points, valuation
from gnomon.engines.parameterised.lookalikes.valuation import (
    NOBODY,
    AgentNaming,
    Chained,
    KnownTable,
    Valuation,
)
from gnomon.engines.parameterised.recurrence.interpretations import interpretations
from gnomon.model.budget import Budget
from gnomon.model.parameterised.levels import as_formula
from gnomon.model.parameterised.query import Epistemic, Knowledge
from tests.populations import read

LETTERS = """
Environment
  Vars: sent : boolean = false; end Vars
  Sync = { first : one };
  Protocol: sent = false : { first }; end Protocol
  Evolution: sent = true if Action = first; end Evolution
end Environment
Template Person
  Vars: level : 0..3 = 0; end Vars
  Actions = { reply };
  Sync = { first };
  Protocol:
    level = 0 : { first };
    level = 0 and exists p : Person (p.level = 1) : { reply };
    level = 1 and exists p : Person (p != self and p.level >= 1) : { reply };
    level = 2 and exists p : Person (p != self and p.level >= 2) : { reply };
  end Protocol
  Evolution: level = 1 if Action = first; level = level + 1 if Action = reply; end Evolution
end Template
Evaluation news if Environment.sent = true; end Evaluation
"""

#: One goes in, and then one goes out: who is out knows that nobody is in.
ONE_BY_ONE = """
Environment
  Vars: phase : 0..2 = 0; end Vars
  Sync = { enter : one, leave : one };
  Protocol: phase = 0 : { enter }; phase = 1 : { leave }; end Protocol
  Evolution: phase = phase + 1 if Action = enter or Action = leave; end Evolution
end Environment
Template T
  Vars: at : { a, b, c } = a; end Vars
  Sync = { enter, leave };
  Protocol: at = a : { enter }; at = b : { leave }; end Protocol
  Evolution: at = b if Action = enter; at = c if Action = leave; end Evolution
end Template
"""

BELL = """
Environment
  Vars: fire : boolean = false; end Vars
  Obsvars: bell : boolean = false; end Obsvars
  Actions = { light };
  Sync = { spot : some, ring : some };
  Protocol: fire = false : { light }; fire = true : { spot }; bell = false : { ring }; end Protocol
  Evolution: fire = true if Action = light; bell = true if Action = ring; end Evolution
end Environment
Template Watch
  Vars: saw : boolean = false; end Vars
  Sync = { spot, ring };
  Protocol: saw = false : { spot }; saw = true : { ring }; end Protocol
  Evolution: saw = true if Action = spot; end Evolution
end Template
Template Villager
end Template
Evaluation
  burning if Environment.fire = true;
  alert if exists w : Watch (w.saw = true) and forall v : Watch (v.saw = true);
end Evaluation
"""

#: It takes two to have met: who knows to be alone knows that nobody has.
MEETING = """
Environment
  Vars: met : boolean = false; end Vars
  Actions = { note };
  Protocol: exists i, j : T (i.at = l and j.at = r) : { note }; end Protocol
  Evolution: met = true if Action = note; end Evolution
end Environment
Template T
  Vars: at : { s, l, r } = s; end Vars
  Actions = { left, right, back };
  Protocol: at = s : { left, right }; at = l or at = r : { back }; end Protocol
  Evolution: at = l if Action = left; at = r if Action = right; at = s if Action = back; end Evolution
end Template
Evaluation met if Environment.met = true; end Evaluation
"""

JAMMED = """
Environment
  Vars: stuck : boolean = false; green : boolean = false; end Vars
  Actions = { turn, jam };
  Protocol: stuck = false : { turn, jam }; end Protocol
  Evolution:
    green = true if Action = turn and green = false;
    green = false if Action = turn and green = true;
    stuck = true if Action = jam;
  end Evolution
end Environment
Template T
end Template
Evaluation works if Environment.stuck = false; green if Environment.green = true; end Evaluation
Fairness green; !green; end Fairness
"""

DOOR = """
Types Door : { front }; end Types
Relations Locked : Door; end Relations
Template T
  Vars: in : boolean = false; end Vars
  Actions = { enter };
  Protocol: !Locked(front) : { enter }; end Protocol
  Evolution: in = true if Action = enter; end Evolution
end Template
Evaluation locked if Locked(front); end Evaluation
"""


def verdict(program: str, formula: str) -> bool | None:
    """Return whether a formula is true, None where that is open."""
    system = read(f"{program}Formulae {formula}; end Formulae")
    query = system.questions[0].query
    if isinstance(query, Knowledge):
        query = as_formula(query)
    assert isinstance(query, Epistemic)
    reached = decide_known(system, query, Budget(seconds=60)).reached
    return None if reached is None else reached == query.reach


#: The programs, what is asked of them, and the truth, by hand.
LETTER_IS_COMMON = LETTERS, "AG (Person.level = 3 -> GCK(Person, news))", False
NOBODY_KNOWS_OF_B = (
    ONE_BY_ONE,
    "AG (T.at = c -> !K(T, forall j : T (j.at <> b)))",
    False,
)
BELL_IS_COMMON = BELL, "AG (Environment.bell = true -> GCK(Villager, burning))", True
FIRE_IS_COMMON = BELL, "AG (alert -> GCK(Watch, burning))", False
IT_WORKS = JAMMED, "AG GK(T, works)", True
NOBODY_KNOWS_OF_LOCKS = DOOR, "AG (T.in = false -> !K(T, !locked))", True


def one_only(_: object, *__: object) -> int:
    return 1


def yes(*_: object) -> bool:
    return True


def nothing(*_: object) -> tuple[object, ...]:
    return ()


def apart(self: Chained, views: list[points.PopulationView], *, broken: bool) -> None:
    """Take each view for itself, as if nobody was beside it."""
    for view in views:
        self._root(view)
        if broken:
            self._broken.add(view)


def at_once(self: KnownTable, sight: object) -> bool:
    """Take what may be otherwise for what is."""
    return sight not in self.possible


def everything(_: object, __: object, found: Iterable[Any], *___: object) -> list[Any]:
    return list(found)


def all_found(_: object, __: object, found: list[Any]) -> list[Any]:
    return found


def the_first(system: Any) -> list[Any]:
    return list(interpretations(system))[:1]


Planted = list[tuple[object, str, object]]

MISTAKES: dict[str, tuple[tuple[str, str, bool], Planted]] = {
    "one in each place is enough for !=": (
        LETTER_IS_COMMON,
        [(deciding, "least_cap", one_only), (deciding, "_RUNGS", 1), (points, "has_copies", yes)],
    ),
    "whatever is counted exists": (NOBODY_KNOWS_OF_B, [(points, "has_copies", yes)]),
    "what may not be known is not known": (NOBODY_KNOWS_OF_B, [(KnownTable, "value", at_once)]),
    "agents see nothing of the environment": (
        BELL_IS_COMMON,
        [(points, "seen_by", nothing), (valuation, "seen_by", nothing)],
    ),
    "chains have one link": (FIRE_IS_COMMON, [(Chained, "join", apart)]),
    "all runs count": (
        IT_WORKS,
        [
            (points.CountedPoints, "_counting", everything),
            (crowds.Crowds, "_counting", all_found),
        ],
    ),
    "relations are known": (NOBODY_KNOWS_OF_LOCKS, [(points, "interpretations", the_first)]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_gives_another_verdict(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (program, formula, truth), planted = MISTAKES[name]

    assert truth is verdict(program, formula)

    for owner, what, instead in planted:
        monkeypatch.setattr(owner, what, instead)
    try:
        found = verdict(program, formula)
    except AssertionError:
        return  # a run that would show it could not be replayed

    assert found is not truth


def test_that_many_do_not_know_together_says_nothing_of_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    formula = "EF (DK(T, !met) and exists i : T (i.at = s))"

    # One agent alone knows that it is alone, and that nobody has met.
    assert verdict(MEETING, formula) is not False

    value = Valuation.value

    def positive(
        self: Valuation, formula: Any, moment: Any, who: AgentNaming = NOBODY, **_: bool
    ) -> bool | None:
        return value(self, formula, moment, who)

    monkeypatch.setattr(Valuation, "value", positive)
    monkeypatch.setattr(Valuation, "_counted", yes)

    assert verdict(MEETING, formula) is False
