"""Paths that branch off in one population: what is false is proved, and what is true is never refuted."""

import json
from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given

from gnomon.certificate.parameterised import one_population
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.one_population import OnePopulation, check_branching
from gnomon.certificate.parameterised.population_lassos import Lasso, branches
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.certificate.solvers import SOLVERS
from gnomon.checking.certify_branching import BranchingWriter, branching_attempts
from gnomon.checking.certify_counted import tracker
from gnomon.checking.population_paths import decide_paths
from gnomon.checking.written_runs import written_run
from gnomon.engines.parameterised.recurrence.capped import Capped
from gnomon.engines.parameterised.recurrence.crowd import CrowdGraph, event_of
from gnomon.engines.parameterised.recurrence.crowd_truth import CrowdTruth
from gnomon.engines.parameterised.recurrence.interpretations import interpretations
from gnomon.engines.parameterised.recurrence.lassos import CrowdLasso
from gnomon.engines.parameterised.recurrence.situations import Situations, least_cap
from gnomon.engines.parameterised.run import OpenRun
from gnomon.model import formula as f
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.step import Completed
from gnomon.model.parameterised.system import OpenSystem
from tests.certificates import changed, damage, leaves
from tests.contract.test_counted_certificates import KINDS, asked
from tests.counted_forgeries import LIES, Forger
from tests.populations import read
from tests.systems import examples, seeds

_ANYHOW: Final = f.Globally(f.Constant(True))


def accepted(system: OpenSystem, query: OverTime, proof: Any) -> bool | None:
    """Return whether a proof is accepted; None where it is too large to be checked."""
    budget = Budget()
    try:
        check_branching(system, proof, query, ObligationProver(budget, SOLVERS), budget)
    except Rejected:
        return False
    except TooMuch:
        return None
    return True


class Liar(Forger, BranchingWriter):
    """Says of paths what it likes, and of runs that they are others."""

    def lasso(self, path: f.Formula, now: Capped) -> CrowdLasso | None:
        if self.rng.random() < 0.4:
            return super().lasso(path, now)
        return super().lasso(_ANYHOW, now) if self.rng.random() < 0.5 else None


def lies(system: OpenSystem, query: OverTime, rng: Random, number: int = 6) -> list[Any]:
    """Return proofs that some run of a small population is one that was asked about."""
    [template, *others] = system.templates
    if others:
        return []
    members = (template.name,) * max(template.low, rng.choice((1, 2)))
    facts = next(iter(interpretations(system)))
    situations = Situations(system, least_cap(system, query.conditions), Completed(system, facts))
    graph = CrowdGraph(situations, members)
    way = CrowdTruth(graph, query, tracker, Budget()).lasso(_ANYHOW)
    if way is None:
        return []
    happening = [edge.step for edge in way.steps if edge.step.somebody_acts]
    listed = tuple(sorted(facts.items(), key=repr))
    run = OpenRun(members, listed, graph.configuration(way.start), tuple(map(event_of, happening)))
    found = []
    for lie in rng.sample(LIES, number):
        writer = Liar(system_of(system, members), query, run, Budget(), balanced=False)
        writer.lie, writer.rng = lie, rng
        try:
            told = writer.branches()
        except LimitReached:
            continue
        found.append(
            {
                "members": list(members),
                "run": written_run(run),
                "loop": way.loop if len(happening) == len(way.steps) else None,
                "branches": told,
            }
        )
    return found


def system_of(system: OpenSystem, members: tuple[str, ...]) -> OpenSystem:
    return one_population.with_just(system, members)


def compared(kind: str, seed: int) -> str:
    """Have a verdict proved, or see lies about it refused; return what was seen."""
    system, query = asked(kind, seed, branching=True)
    try:
        decision = decide_paths(system, query, Budget(seconds=2))
    except LimitReached:
        return "too much"
    if decision.reached is False:
        for lie in lies(system, query, Random(seed)):
            assert not accepted(system, query, json.loads(json.dumps(lie)))
    if not decision.reached or not branches(query):
        return str(decision.reached)
    for attempt in branching_attempts(system, query, decision, None, Budget(seconds=20)):
        proof = json.loads(json.dumps(attempt.proof))
        if accepted(system, query, proof):
            _damaged(system, query, proof, Random(seed))
            return "proved"
    return "no proof"


def _damaged(system: OpenSystem, query: OverTime, proof: Any, rng: Random) -> None:
    """Change a proof in some places: nothing breaks."""
    for _ in range(8):
        other = deepcopy(proof)
        if rng.random() < 0.5:
            holder, key = rng.choice(list(leaves(other)))
            holder[key] = changed(rng, holder[key])
        else:
            damage(rng, other)
        accepted(system, query, other)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@examples(10)
def test_what_is_false_of_a_population_is_proved_and_what_is_true_never_refuted(
    kind: str, seed: int
) -> None:
    assert compared(kind, seed) != "no proof"


def test_most_of_what_is_decided_has_a_proof() -> None:
    seen = Counter(compared("some", seed) for seed in range(15))

    assert seen["proved"] > 4
    assert seen["False"] >= 1


# By hand

#: Whoever has fallen stays down, and as long as nobody helps, everybody may fall.
ICE = """
Template Skater
  Vars: down : boolean = false; end Vars
  Actions = { fall, glide, crawl, LEAVE };
  Protocol: down = false : { fall, glide }; LEAVING end Protocol
  Evolution: down = true if Action = fall; down = false if Action = LEAVE; end Evolution
end Template
Evaluation up if forall s : Skater (s.down = false); end Evaluation
FAIRNESS
Formulae FORMULA; end Formulae
"""


def skating(
    formula: str, *, helped: bool = False, fairness: str = ""
) -> tuple[OpenSystem, OverTime]:
    text = ICE.replace("LEAVING", "down = true : { rise, crawl };" if helped else "")
    text = text.replace("LEAVE", "rise").replace("FORMULA", formula).replace("FAIRNESS", fairness)
    system = read(text)
    query = system.questions[0].query
    assert isinstance(query, OverTime)
    return system, query


@pytest.mark.parametrize(
    ("formula", "helped", "fairness"),
    [
        ("AF AG up", True, ""),
        ("AG EF up", False, ""),
        ("AG EF AG up", True, "Fairness weak; end Fairness"),
        ("AF AG EF !up", False, "Fairness up; end Fairness"),
        ("forall s : Skater (AG EF AG s.down = false)", True, ""),
        ("EF AG !up", False, ""),
        ("EG EF !up", True, "Fairness strong; end Fairness"),
    ],
)
def test_what_takes_more_than_one_run_is_proved(formula: str, helped: bool, fairness: str) -> None:
    system, query = skating(formula, helped=helped, fairness=fairness)
    decision = decide_paths(system, query, Budget())
    assert decision.reached

    [proof] = [
        each.proof
        for each in branching_attempts(system, query, decision, None, Budget())
        if accepted(system, query, json.loads(json.dumps(each.proof)))
    ]

    assert not accepted(system, query, {**proof, "branches": {**proof["branches"], "labels": []}})
    assert not accepted(system, query, {**proof, "members": [*proof["members"], "Skater"]})


def _always(*_: object) -> bool:
    return True


def _believed(_: object, __: object, path: f.Formula, ___: object = None) -> None:
    """Take it on trust that no fair run does that."""


#: What is planted, and what is said then of skaters who are helped: all of it is wrong.
PLANTED: Final[dict[str, tuple[str, str, list[tuple[object, str, object]]]]] = {
    "a run from elsewhere need not be as it is said": (
        "AG EF up",
        "",
        [(OnePopulation, "holds_on", _always)],
    ),
    "no run has to be excluded": (
        "AG EF up",
        "",
        [(OnePopulation, "_never", _believed)],
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_lie_is_accepted_where_a_mistake_is_planted(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    formula, fairness, mistakes = PLANTED[name]
    system, query = skating(formula, helped=True, fairness=fairness)
    told = [lie for seed in range(12) for lie in lies(system, query, Random(seed))]

    assert not any(accepted(system, query, lie) for lie in told)

    for owner, what, instead in mistakes:
        monkeypatch.setattr(owner, what, instead)

    assert any(accepted(system, query, lie) for lie in told)


def test_runs_from_elsewhere_have_to_be_fair(monkeypatch: pytest.MonkeyPatch) -> None:
    system, query = skating("AF !EF EG !up", helped=True, fairness="Fairness up; end Fairness")
    fall, crawl, rise = ([None, [action]] for action in ("fall", "crawl", "rise"))
    nothing: Any = {"states": [], "never": {"nodes": [], "deletions": []}}
    stays_down = {**nothing, "certain": [[0, [crawl], 0]]}
    gets_there = {**nothing, "certain": [[0, [rise, fall], 0], [1, [fall, rise], 0]]}
    proof = {
        "members": ["Skater"],
        "run": {
            "facts": [],
            "start": [[], [[False]]],
            "events": [fall, rise],
        },
        "loop": 0,
        "branches": {
            "cap": 2,
            "places": [["Skater", [True]], ["Skater", [False]]],
            "states": [[[], None, [[0, 1]]], [[], None, [[1, 1]]]],
            "labels": [stays_down, gets_there],
        },
    }

    assert decide_paths(system, query, Budget()).reached is False
    assert not accepted(system, query, proof)

    monkeypatch.setattr(one_population, "fair_lasso", Lasso)

    assert accepted(system, query, proof)


def test_a_state_of_another_population_is_none_of_this_one() -> None:
    system, query = skating("AG EF up")
    decision = decide_paths(system, query, Budget())
    [attempt] = branching_attempts(system, query, decision, None, Budget())
    proof = json.loads(json.dumps(attempt.proof))
    proof["branches"]["cap"] = 4
    more = deepcopy(proof["branches"]["states"][0])
    more[2][0][1] += 1
    proof["branches"]["states"].append(more)
    assert accepted(system, query, proof)

    last = len(proof["branches"]["states"]) - 1
    proof["branches"]["labels"][0]["certain"] = [[last, [], None]]

    assert not accepted(system, query, proof)
