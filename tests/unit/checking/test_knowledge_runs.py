"""Evidence about what agents know: runs that look the same to somebody, and what is said of them."""

import re
from itertools import pairwise

from gnomon.checking.check import Options, check
from gnomon.checking.shown_runs import ABSENT
from gnomon.checking.verdict import Verdict
from gnomon.model.evidence import Explanation
from gnomon.results import story
from tests.populations import read

GUARDED = """
Environment
  Vars: alarm : boolean = false; end Vars
  Sync = { trip : some };
  Protocol: alarm = false : { trip }; end Protocol
  Evolution: alarm = true if Action = trip; end Evolution
end Environment
Template Guard
end Template
Template Thief
  Vars: in : boolean = false; end Vars
  Sync = { trip };
  Protocol: in = false : { trip }; end Protocol
  Evolution: in = true if Action = trip; end Evolution
end Template
Evaluation
  quiet if Environment.alarm = false;
  alone if forall t : Thief (false);
end Evaluation
"""


def verdict(formula: str) -> Verdict:
    system = read(f"{GUARDED}Formulae {formula}; end Formulae")
    [found] = check(system, system.specifications, Options(evidence=True))
    return found


def shown(formula: str) -> Explanation:
    found = verdict(formula)
    assert found.evidence is not None
    assert found.evidence.explanation is not None
    return found.evidence.explanation


def test_ignorance_is_shown_by_a_run_that_looks_the_same() -> None:
    whole = shown("EF !K(Guard, quiet)")

    assert "1 Guard can reach a state where !K(Guard1, quiet)" == whole.text
    [branch] = whole.branches
    why = branch.because
    assert (
        "to Guard1 it looks the same as after this run of 1 Guard and 1 Thief, where !quiet"
        == why.text
    )
    assert why.run is not None
    assert (True, True) == why.run.steps[-1].state


def test_who_is_not_there_is_shown_as_absent() -> None:
    whole = shown("EF !K(Guard, quiet)")

    assert whole.run is not None
    assert (False, ABSENT) == whole.run.steps[0].state


def test_what_is_known_is_said_and_has_no_run() -> None:
    whole = shown("EF exists t : Thief (K(t, !quiet))")

    [branch] = whole.branches
    assert "!quiet: it holds wherever it looks the same to Thief1" == branch.because.text
    assert branch.because.run is None


def test_all_runs_together_say_how_many_agents_it_takes() -> None:
    numbers = verdict("EF !K(Guard, quiet)").numbers

    assert numbers is not None
    assert ({"Guard": 1, "Thief": 1},) == tuple(dict(each) for each in numbers.populations)
    assert not numbers.exact


def test_what_is_known_together_is_shown_by_as_many_agents() -> None:
    whole = shown("AG (DK(Guard, quiet))")

    assert whole.run is not None
    [branch] = whole.branches
    assert branch.because.run is not None
    assert "looks the same as after this run" in branch.because.text


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
    level in { 0, 1 } and exists p : Person (p != self and p.level >= 1) : { reply };
    level = 2 and exists p : Person (p != self and p.level >= 2) : { reply };
  end Protocol
  Evolution: level = 1 if Action = first; level = level + 1 if Action = reply; end Evolution
end Template
Evaluation news if Environment.sent = true; end Evaluation
Formulae
  AG (Person.level = 3 -> GCK(Person, news));
  AG (Person.level >= 1 -> K(Person, forall q : Person (K(q, news))));
end Formulae
"""


def test_who_is_somebody_else_in_another_run_sees_the_same_as_that_one() -> None:
    verdicts = check(read(LETTERS), None, Options(evidence=True)).verdicts
    told = [[s.text for s in story.story(each.system, each)] for each in verdicts]
    said = " ".join(each for sentences in told for each in sentences)

    assert "where it is Person" in said
    assert "It sees Person1.level = 2 here, and Person2.level = 2 there." in said
    for sees, different in pairwise(each for sentences in told for each in sentences):
        if sees.startswith("In both it sees the same: ") and "is different" in different:
            seen = re.findall(r"(\w+\.\w+) = ", sees)
            assert not any(f" {name} (" in different for name in seen), (sees, different)


def test_that_somebody_knows_is_said_as_what_is_not_known() -> None:
    verdict = check(read(LETTERS), None, Options(evidence=True)).verdicts[1]
    said = " ".join(each.text for each in story.story(verdict.system, verdict))

    assert re.search(r"Person\d does not know that Person\d knows", said)
