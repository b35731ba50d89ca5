"""What satisfiability decides, what it refuses and why, and how it takes turns with others."""

from collections.abc import Iterator
from typing import Any

import pytest

import gnomon
from gnomon.checking import circuit_work, solving
from gnomon.checking.choose import deciders
from gnomon.checking.decider import Decider, Task
from gnomon.checking.exploring import Exploring
from gnomon.checking.load import load_text
from gnomon.checking.options import Options
from gnomon.checking.solving import Solving
from gnomon.checking.supervise import work_here
from gnomon.checking.told import Limits
from gnomon.checking.verdict import Value
from gnomon.model.budget import Budget, TryAnother
from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.text.diagnostic import InputError
from gnomon.text.source import Source
from tests.interrupting import turns_of
from tests.solving import formulae_of, solved

COUNTER = """
Agent Environment
  Vars: wraps : boolean; end Vars
end Agent
Agent P
  Vars: n : 0..11; done : boolean; end Vars
  Actions = {{ step, rest }};
  Protocol: {protocol} end Protocol
  Evolution:
    n = n + 1 if n < {top} and Action = step;
    done = true if n = {top};
  end Evolution
end Agent
Evaluation low if P.n < 8; high if P.n = 7; done if P.done; steps if P.n > 0; end Evaluation
InitStates P.n = 0 and P.done = false and Environment.wraps = false; end InitStates
{more}
Formulae {formulae} end Formulae
"""


def counter(
    formulae: str, top: int = 7, protocol: str = "Other : { step, rest };", more: str = ""
) -> str:
    return COUNTER.format(top=top, protocol=protocol, formulae=formulae, more=more)


def answers(text: str, **options: Any) -> list[tuple[str, str]]:
    found = gnomon.load_text(text).check(engine="sat", **options)
    return [(str(answer.value), answer.verdict.reason) for answer in found]


def _counts(evidence: Evidence) -> list[Any]:
    """Return what the counter is worth along a run."""
    assert evidence.explanation is not None
    assert evidence.explanation.run is not None
    return [step.state[1] for step in evidence.explanation.run.steps]


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("AG low;", "true"),
        ("EF high;", "true"),
        ("EF !low;", "false"),
        ("AF done;", "false"),
        ("EG !done;", "true"),
        ("AG (high -> EX high);", "unknown"),
        ("AG (high -> AX high);", "true"),
        ("AG (high -> AF done);", "true"),
        ("A(low W done);", "true"),
        ("E(low U done);", "true"),
        ("EF (done and EG done);", "true"),
        ("LTL G (high -> F done);", "true"),
        ("LTL F G low;", "true"),
        ("LTL (G F !high) -> F done;", "false"),
        ("EF<=7 high;", "true"),
        ("EF<=6 high;", "false"),
        ("AG low and EF high;", "true"),
        ("AG low and AF done;", "false"),
    ],
)
def test_what_is_said_of_single_paths_is_decided(formula: str, value: str) -> None:
    [(found, _)] = answers(counter(formula))

    assert value == found
    if value != "unknown":
        assert [value] == [str(each.value) for each in gnomon.load_text(counter(formula)).check()]


@pytest.mark.parametrize(
    "formula", ["AG EF high;", "AG GCK(all, low);", "K(P, EF high);", "<all>F high;"]
)
def test_other_formulae_stay_open_with_a_reason(formula: str) -> None:
    more = "Groups all = { P, Environment }; end Groups"
    [(value, reason)] = answers(counter(formula, more=more))

    assert value == "unknown"
    assert reason.startswith("satisfiability decides what can be asked of one path, and `")


def test_what_is_not_known_is_shown_by_a_run_to_what_looks_the_same() -> None:
    asked = gnomon.load_text(counter("AG (P.n = 2 -> K(Environment, P.n = 2));"))
    [found] = asked.check(engine="sat")
    assert found.evidence is not None
    whole = found.evidence.data.explanation
    assert whole is not None
    [here] = whole.branches
    _, unknown = here.because.branches

    assert found.holds is False
    assert ("time", "knowledge") == (whole.relation, unknown.because.relation)
    assert ("Environment",) == unknown.because.agents
    # Time need not be the same: what looks like it was there in the beginning.
    assert unknown.because.run is not None
    assert 1 == len(unknown.because.run.steps)


def test_who_may_not_function_correctly_breaks_no_obligation() -> None:
    [found] = gnomon.load_text(counter("AG O(P, P.n < 7);")).check(engine="sat")
    assert found.evidence is not None
    whole = found.evidence.data.explanation
    assert whole is not None

    assert found.holds is False
    assert "norm" in str(whole.branches)


@pytest.mark.parametrize(
    "formula", ["AG (P.n = 3 -> K(P, P.n = 3));", "AG (done -> K(P, P.n = 7));", "AG K(P, low);"]
)
def test_what_is_always_known_has_a_certificate(formula: str) -> None:
    found = gnomon.load_text(counter(formula)).check(engine="sat", certificate=True)

    assert [True] == [answer.holds for answer in found]
    document: Any = found.certificate
    assert document["verdicts"][0]["proof"]["kind"] == "conditions"


def test_it_comes_for_what_agents_know() -> None:
    text = counter("AG (done -> K(P, P.n = 7));")

    assert "sat" in {decider.found.engine for decider in _offered(text)}


def test_fairness_that_is_not_about_states_alone_is_refused() -> None:
    more = "Fairness EF high; end Fairness"
    [(value, reason)] = answers(counter("AF done;", more=more))

    assert value == "unknown"
    assert reason == "satisfiability takes conditions on the state as fairness, not `EF high`"


def test_fairness_counts() -> None:
    more = "Fairness done or P.n > 6; end Fairness"

    assert ["true"] == [value for value, _ in answers(counter("AF done;", more=more))]


def test_where_no_path_is_fair_that_is_an_error() -> None:
    text = counter("AF done;", more="Fairness P.n > 9; end Fairness")

    with pytest.raises(InputError, match="no initial state has a fair path"):
        answers(text)
    assert ["true"] == [value for value, _ in answers(text, allow=["G0804"])]


def test_where_nothing_starts_that_is_an_error() -> None:
    text = counter("AF done;").replace("InitStates P.n = 0", "InitStates P.n = 0 and P.n = 1")

    with pytest.raises(InputError, match="no state satisfies"):
        answers(text)
    assert ["true"] == [value for value, _ in answers(text, allow=["G0803"])]


def test_runs_are_shown() -> None:
    [found] = gnomon.load_text(counter("AG (steps -> AF done);")).check(engine="sat")
    assert found.evidence is not None

    assert [0, 1] == _counts(found.evidence.data)[:2]


def test_numbers_without_bounds_need_another_engine() -> None:
    [(value, reason)] = answers(counter("AG low;").replace("n : 0..11", "n : int"))

    assert value == "unknown"
    assert reason == "satisfiability needs finite ranges: use --engine abstraction"


def test_without_the_solver_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(circuit_work, "find_spec", lambda _: None)
    monkeypatch.setattr(solving, "find_spec", lambda _: None)
    with work_here():
        [(value, reason)] = answers(counter("AG low;"))

    assert value == "unknown"
    assert reason == "--engine sat needs the package `python-sat`"
    assert not any(isinstance(each, Solving) for each in _offered(counter("AG low;")))


def test_deadlocks_and_overflows_are_found_or_excluded() -> None:
    stuck = gnomon.load_text(counter("AG low;", protocol="n < 5 : { step };"))
    fine = gnomon.load_text(counter("AG low;"))
    beyond = gnomon.load_text(counter("AG low;").replace("if n < 7 and Action", "if Action"))

    for model, deadlock, overflow in ((fine, False, False), (beyond, None, True)):
        found = model.check(engine="sat", check_deadlock=True, check_overflow=True)
        assert [deadlock, overflow] == [check.found for check in found.checks]
    [check] = stuck.check(engine="sat", check_deadlock=True).checks
    assert check.found
    assert check.evidence is not None
    assert [0, 1, 2, 3, 4, 5] == _counts(check.evidence)


def test_an_invariant_is_proved_by_clauses() -> None:
    found = gnomon.load_text(counter("AG low; AF done; LTL G low;"))
    checked = found.check(engine="sat", certificate=True)

    assert ["true", "false", "true"] == [str(each.value) for each in checked]
    assert checked.certificate is not None
    assert found.verify(checked.certificate).all_proved


def test_it_is_told_what_was_done() -> None:
    loaded = load_text(counter("AG low; EF high;"))
    assert loaded.system is not None
    formulae = formulae_of(loaded.system)
    told = []
    for item in loaded.system.specifications:
        question = solved(formulae, item.formula)
        question.outcome()
        told.append(question.story())

    assert "k-induction" in told[0] or "IC3" in told[0]
    assert told[1] == "bounded search, up to 7 steps"


@pytest.mark.parametrize("looks", [0, 1, 7])
def test_what_was_interrupted_goes_on(looks: int) -> None:
    text = counter("AG low; EF high; AF done; LTL (G F !high) -> F done;")
    right = [value for value, _ in answers(text)]
    with turns_of(looks) as interrupted, work_here():
        found = gnomon.load_text(text).check(engine="sat")

    assert right == [str(each.value) for each in found]
    assert interrupted.phases


# Turns with those who explore


def _task(text: str, **options: Any) -> tuple[Task, Budget]:
    loaded = load_text(text)
    assert loaded.system is not None
    budget = Budget()
    asked = tuple(enumerate(loaded.system.specifications, 1))
    chosen = Options(**options)
    return Task(loaded.system, asked, chosen, Limits.of(budget), Source("", text)), budget


def _offered(text: str, most: int = 40, **options: Any) -> Iterator[Decider]:
    for number, decider in enumerate(deciders(*_task(text, **options))):
        if number == most:
            return
        yield decider


def test_it_comes_after_each_order_that_failed() -> None:
    found = [decider.found.engine for decider in _offered(counter("AG low;"))]

    assert ["explicit", "bdd", "sat", "bdd", "sat"] == found[:5]
    assert "explicit" == found[-1]


@pytest.mark.parametrize("chosen", [{"order": "near"}, {"diagrams": "oxidd"}, {"engine": "bdd"}])
def test_it_does_not_come_where_a_way_was_asked_for(chosen: dict[str, Any]) -> None:
    found = {decider.found.engine for decider in _offered(counter("AG low;"), **chosen)}

    assert "sat" not in found


def test_it_goes_on_with_what_it_has() -> None:
    found = [each for each in _offered(counter("AG low;")) if isinstance(each, Solving)]

    assert len({id(each._solved) for each in found}) == 1


@pytest.mark.parametrize("formula", ["AG EF high;", "<all>F high;"])
def test_it_does_not_come_where_it_has_nothing_to_say(formula: str) -> None:
    text = counter(formula, more="Groups all = { P }; end Groups")

    assert "sat" not in {decider.found.engine for decider in _offered(text)}


def test_what_it_refuses_is_left_to_others_after_all_that_it_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def outgrown(self: Exploring) -> None:
        if not self._final or self.found.engine == "bdd":
            msg = "there is no room"
            raise TryAnother(msg)
        prepare(self)

    prepare = Exploring.prepare
    monkeypatch.setattr(Exploring, "prepare", outgrown)
    monkeypatch.setattr(
        solving, "_SHARE", 0.0
    )  # a process that runs tests has been at work for long
    with work_here():
        found = gnomon.load_text(counter("AG EF high; AG low; EF high;")).check(race=False)

    assert ["true", "true", "true"] == [str(answer.value) for answer in found]
    assert ["explicit", "sat", "sat"] == [answer.verdict.engine for answer in found]


def test_its_share_of_the_time_ends() -> None:
    task, budget = _task(counter("AG low;"))
    assert isinstance(task.model, System)
    formulae = formulae_of(task.model, budget)
    formulae.work.allow(-1.0)

    with pytest.raises(TryAnother, match="no answer within its share"):
        formulae.of(1, task.asked[0][1]).outcome()  # type: ignore[arg-type]
    formulae.work.allow(60.0)
    assert Value.TRUE is formulae.of(1, task.asked[0][1]).outcome().value  # type: ignore[arg-type]
