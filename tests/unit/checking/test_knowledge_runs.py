"""Evidence about what agents know: runs that look the same to somebody, and what is said of them."""

from gnomon.checking.check import Options, check
from gnomon.checking.shown_runs import ABSENT
from gnomon.checking.verdict import Verdict
from gnomon.model.evidence import Explanation
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
