"""What one engine refuses, or cannot do in a short time, another one tries."""

import signal
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest

import gnomon
from gnomon.certificate.verify import ProofOutcome
from gnomon.checking.attempts import listed
from gnomon.checking.check import Options, check
from gnomon.checking.consistency import Disagreement, compare_with_reference
from gnomon.checking.load import load_text
from gnomon.checking.paranoid import compare, compare_proofs
from gnomon.checking.supervise import work_here
from gnomon.checking.turns import ListingTurn, Overtaken, TakingTurns
from gnomon.checking.verdict import Value
from gnomon.checking.walking import RandomWalk
from gnomon.engines.algebra import Algebra
from gnomon.engines.explicit.engine import explore
from gnomon.model.budget import Budget, LimitReached

WIDE = """
Agent P
  Vars: x : 0..100000; y : 0..100000; n : 0..10; end Vars
  Actions = {{ a }};
  Protocol: Other : {{ a }}; end Protocol
  Evolution: {step} and n = n + 1 if n < 10; end Evolution
end Agent
Evaluation big if P.x > 50; done if P.n = 10; end Evaluation
InitStates P.x = 90 and P.y = 5 and P.n = 0; end InitStates
Formulae EF big; AF done; AG (done -> P.x < 50); EF (P.y > 1000); true; end Formulae
"""
QUOTIENTS = WIDE.format(step="x = (x * 3 + n) / (n + 2) - x / (n + 2) and y = y + x / (n + 7)")
PRODUCTS = WIDE.format(step="x = x * y - x * (y - 1) and y = (x * y) mod 99991")
TOGGLE = """
Agent P
  Vars: on : boolean; n : 0..3; end Vars
  Actions = { a };
  Protocol: Other : { a }; end Protocol
  Evolution: on = !on and n = n + 1 if n < 3; end Evolution
end Agent
Evaluation on if P.on; end Evaluation
InitStates P.on = false and P.n = 0; end InitStates
Formulae AG (on -> AX !on); EF on; AF on; end Formulae
"""


def values(text: str, **options: Any) -> list[str]:
    return [str(answer.value) for answer in gnomon.load_text(text).check(**options)]


@pytest.mark.parametrize("text", [QUOTIENTS, PRODUCTS])
def test_few_states_with_wide_numbers_are_decided_without_being_asked(text: str) -> None:
    right = values(text, engine="explicit")

    assert "unknown" not in right
    assert right == values(text, timeout=120)


def test_an_engine_that_was_asked_for_says_what_it_cannot_take_and_decides_the_rest() -> None:
    wide = TOGGLE.replace("0..3;", "0..3; k : 0..1000000; j : 1..1000000;")
    model = gnomon.load_text(wide.replace("P.n = 0", "P.n = 0 and P.k = 0 and P.j = 1"))
    found = model.check("EF on", "EF (P.k / P.j = 1)", "AF on", engine="bdd", timeout=60)

    assert ["true", "unknown", "true"] == [str(answer.value) for answer in found]
    assert "divides" in found[1].reason


def working(condition: str = "True", **names: object) -> Callable[[], None]:
    """Return a function that does nothing but work, as if it were part of an engine."""
    module = {"__name__": "gnomon.engines.example", **names}
    exec(f"def work():\n    while {condition}:\n        pass", module)
    work = module["work"]
    assert callable(work)
    return cast(Callable[[], None], work)


def test_listing_states_takes_over_where_there_are_few() -> None:
    system = load_text(TOGGLE).system
    assert system is not None
    algebra = explore(system)
    turns = TakingTurns(lambda most, seconds: algebra, (ListingTurn(0.01, 5.0, 100),))
    work = working()

    with pytest.raises(Overtaken) as caught, turns.during():
        work()
    assert algebra is caught.value.algebra


def test_where_listing_is_too_much_the_work_goes_on() -> None:
    asked: list[tuple[int, float]] = []

    def hopeless(most: int, seconds: float) -> Algebra[Any]:
        asked.append((most, seconds))
        raise LimitReached

    turns = TakingTurns(hopeless, (ListingTurn(0.01, 0.01, 7), ListingTurn(0.02, 0.02, 8)))
    work = working("len(asked) < 2", asked=asked)
    with turns.during():
        work()

    assert [(7, 0.01), (8, 0.02)] == asked


def test_listing_that_does_not_look_at_the_clock_is_stopped_and_the_work_goes_on() -> None:
    asked: list[int] = []

    def endless(most: int, seconds: float) -> Algebra[Any]:
        asked.append(most)
        working()()
        raise AssertionError

    turns = TakingTurns(endless, (ListingTurn(0.01, 0.01, 7), ListingTurn(0.02, 0.01, 8)))
    work = working("len(asked) < 2", asked=asked)
    with turns.during():
        work()

    assert [7, 8] == asked


def test_a_signal_that_comes_late_leaves_no_timer_behind() -> None:
    turns = TakingTurns(
        lambda most, seconds: cast(Algebra[Any], most), (ListingTurn(60.0, 1.0, 5),)
    )
    with turns.during():
        pass
    turns._ring(signal.SIGALRM, None)

    assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_REAL)


def test_listing_ends_with_its_time() -> None:
    system = load_text(QUOTIENTS.replace("P.x = 90 and P.y = 5 and ", "")).system
    assert system is not None

    with pytest.raises(LimitReached, match="time limit"):
        listed(system, 10**9, 0.05, Budget())


@pytest.mark.parametrize("moment", ["importing", "finalising", "restoring"])
def test_nobody_is_overtaken_at_a_bad_moment(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    wait = "import time\nfor _ in range(20): time.sleep(0.005)\n"
    (tmp_path / "takes_a_while.py").write_text(wait)
    monkeypatch.syspath_prepend(str(tmp_path))

    class Finalised:
        def __del__(self) -> None:
            working("time.monotonic() < end", time=time, end=time.monotonic() + 0.1)()
            done.append("finalising")

    def anything(most: int, seconds: float) -> Algebra[Any]:
        return cast(Algebra[Any], most)

    with suppress(Overtaken), TakingTurns(anything, (ListingTurn(0.01, 1.0, 5),)).during():
        if moment == "importing":
            import_module("takes_a_while")
        elif moment == "finalising":
            Finalised()
        else:
            time.sleep(0.1)  # in a module that is neither an engine nor logic
        done.append(moment)

    assert moment in done


def test_a_wrong_step_of_an_engine_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    system = load_text(TOGGLE).system
    assert system is not None
    algebra = explore(system)
    compare_with_reference(algebra)
    monkeypatch.setattr(type(algebra), "after", lambda self, states: self.empty)

    with pytest.raises(Disagreement, match=r"P\.on = false, P\.n = 0"):
        compare_with_reference(algebra)


def test_a_wrong_step_is_a_bug_of_ours_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    system = load_text(TOGGLE).system
    assert system is not None
    kind = type(explore(system))
    monkeypatch.setattr(kind, "overflows", property(lambda self: self.reachable))

    with work_here(), pytest.raises(Disagreement, match="keeps its range"):
        check(system, options=Options(engine="explicit"))


def test_paranoid_answers_are_the_same() -> None:
    assert values(TOGGLE) == values(TOGGLE, paranoid=True)


def test_two_engines_that_disagree_are_a_bug_of_ours() -> None:
    system = load_text(TOGGLE).system
    assert system is not None
    one = check(system, options=Options(engine="explicit"))
    other = check(load_text(TOGGLE.replace("P.on = false", "P.on = true")).system or system)

    with pytest.raises(Disagreement, match="by explicit and"):
        compare(one, other)


def test_a_proof_that_is_rejected_is_a_bug_of_ours() -> None:
    system = load_text(TOGGLE).system
    assert system is not None
    found = check(system)
    wrong = ProofOutcome(2, "EF on", "true", False, "it leads nowhere")

    with pytest.raises(Disagreement, match="it leads nowhere"):
        compare_proofs(found, [wrong])


def test_a_built_model_has_no_certificate_but_a_text_that_has() -> None:
    built = gnomon.Model(load_text(TOGGLE).system)  # type: ignore[arg-type]
    with pytest.raises(gnomon.InputError, match="G0817"):
        built.check(certificate=True)

    assert gnomon.load_text(built.to_ispl()).check(certificate=True).certificate is not None


def test_a_walk_shows_that_a_verdict_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.checking.walking._SECONDS", 10.0)
    system = load_text(TOGGLE).system
    assert system is not None
    always, somewhere = load_text(TOGGLE.replace("AG (on -> AX !on)", "AG !on")).system, system
    assert always is not None
    walk = RandomWalk(system)
    wrong = [
        (always.specifications[0], Value.TRUE),
        (somewhere.specifications[1], Value.FALSE),
    ]
    for specification, value in wrong:
        with pytest.raises(Disagreement, match=r"in the reachable state \(P\.on = true"):
            walk.compare(value, "bdd", specification)


def test_an_engine_that_forgets_states_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TOGGLE.replace("AG (on -> AX !on)", "AG !on")
    monkeypatch.setattr("gnomon.checking.walking._SECONDS", 10.0)
    monkeypatch.setattr(
        "gnomon.checking.exploring.Satisfaction.holds", lambda self, formula, logic: True
    )

    with work_here(), pytest.raises(Disagreement, match="`AG !on` is true by explicit, but"):
        gnomon.load_text(text).check(evidence=False)


def test_what_one_of_several_starts_reaches_shows_nothing_of_the_others() -> None:
    text = TOGGLE.replace("P.on = false and P.n = 0", "P.n = 0 or P.n = 3")

    assert values(text, engine="explicit") == values(text)
    assert "false" == values(text)[1]  # where it starts with n = 3, `on` is what it was


def test_very_many_alternatives_of_one_agent_hold_nobody_up() -> None:
    names = [f"b{number}" for number in range(40)]
    lines = " ".join(f"{name} = true if true; {name} = false if true;" for name in names)
    text = f"""
Semantics = SingleAssignment;
Agent P
  Vars: {" ".join(f"{name} : boolean;" for name in names)} end Vars
  Actions = {{ a }};
  Protocol: Other : {{ a }}; end Protocol
  Evolution: {lines} end Evolution
end Agent
Evaluation first if P.b0; end Evaluation
InitStates {" and ".join(f"P.{name} = false" for name in names)}; end InitStates
Formulae AG EF first; AG !first; EF first; end Formulae
"""

    assert ["true", "false", "true"] == values(text, evidence=False, timeout=60)
