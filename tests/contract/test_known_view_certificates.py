"""What agents always know, in any shape, by sets of views: proved, and sets that are no proof refused."""

import json
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given

from gnomon.certificate.parameterised import knowing_cuts
from gnomon.certificate.parameterised.knowing_cuts import excluded_views, things_known
from gnomon.certificate.parameterised.known_points import sure_points
from gnomon.certificate.parameterised.look_alikes import KnownAt
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_rules import check_invariant
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.certificate.solvers import SOLVERS
from gnomon.checking.certify_knowledge import by_views
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.lookalikes.searching import decide_searching
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.knowing import normal
from gnomon.model.parameterised.query import Epistemic
from gnomon.model.parameterised.system import OpenSystem
from tests.contract.test_look_alike_certificates import claim, program
from tests.contract.test_population_knowledge import question
from tests.contract.test_population_knowledge_mutants import BELL, ONE_BY_ONE
from tests.look_alike_forgeries import every_run
from tests.systems import examples, seeds

KINDS: Final = ("some", "one")


def accepted(system: OpenSystem, query: Epistemic, proof: Any) -> bool | None:
    """Return whether a proof that a formula holds always is accepted; None where it is too large."""
    prover = ObligationProver(Budget(), SOLVERS)
    try:
        sure = sure_points(system, proof, prover)
        broken = excluded_views(system, proof, query, sure, Budget())
        invariant = proof["invariant"]
        if invariant is None:
            program_ = CompiledPopulation(system, Budget(seconds=1))
            invariant = decide_safety(program_, broken, Budget(seconds=1)).invariant
        if invariant is None:
            return False
        check_invariant(system, json.loads(json.dumps(invariant)), broken, prover)
    except Rejected:
        return False
    except (TooMuch, LimitReached):
        return None
    return True


def lies(system: OpenSystem, query: Epistemic, rng: Random) -> list[Any]:
    """Return sets of views as one likes, with runs of few agents; the invariant is looked for."""
    runs = every_run(system, 2, 20)
    found = []
    for _ in range(3):
        views = [_some_views(system, each.template, rng) for each in things(query)]
        found.append({"kind": "known-views", "runs": runs, "views": views, "invariant": None})
    return found


def things(query: Epistemic) -> Any:
    return things_known(normal(query.formula, wanted=not query.reach))


def _some_views(system: OpenSystem, template: str, rng: Random) -> list[Any]:
    found: dict[tuple[Any, ...], list[Any]] = {}
    for run in every_run(system, 2, 20):
        start = run["run"]["start"]
        seen = [
            start[0][system.position["Environment", name]] for name in system.part[template].sees
        ]
        names = [variable.name for variable in system.part[template].variables]
        for member, local in zip(run["members"], start[1], strict=True):
            if member == template and rng.random() < 0.3:
                box = [[name, [value]] for name, value in zip(names, local, strict=True)]
                found.setdefault(tuple(seen), []).append(box)
    return [[list(seen), boxes] for seen, boxes in found.items()]


def compared(kind: str, seed: int) -> str:
    """Have what searches decide proved, and lies about the rest refused; return what was seen."""
    found = question(kind, seed)
    system, query = claim(found.text)
    try:
        decision = decide_searching(CompiledPopulation(system), query, Budget(seconds=1))
    except LimitReached:
        return "out of reach"
    if decision.reached:
        try:
            told = lies(system, query, Random(seed))
        except Rejected:
            return "out of reach"
        for lie in told:
            assert not accepted(system, query, lie)
        return "false"
    try:
        for attempt in by_views(system, query, Budget(seconds=20)):
            if accepted(system, query, json.loads(json.dumps(attempt.proof))):
                return "proved"
    except LimitReached:
        return "too much"
    return "no proof"


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@examples(4)
def test_what_is_known_by_views_is_proved_and_no_set_of_views_shows_the_opposite(
    kind: str, seed: int
) -> None:
    assert compared(kind, seed) != "no proof"


@pytest.mark.parametrize(
    ("kind", "seed", "seen"),
    [("one", 10, "proved"), ("some", 12, "proved"), ("one", 18, "proved"), ("some", 29, "false")],
)
def test_some_of_it_is_decided(kind: str, seed: int, seen: str) -> None:
    assert compared(kind, seed) == seen


# By hand

#: Who knows what, and the sets of views with which they may not know.
KNOWS: Final = "AG (T.at = c -> K(T, forall j : T (j.at <> b)))"
BEFORE: Final = [[[], [[["at", ["a", "b"]]]]]]


def told(formula: str, *views: Any, text: str = ONE_BY_ONE) -> tuple[OpenSystem, Epistemic, Any]:
    system, query = claim(program(text, formula).text)
    proof = {"runs": every_run(system, 1), "views": list(views), "invariant": None}
    return system, query, proof


def test_who_is_out_knows_that_nobody_is_in() -> None:
    assert accepted(*told(KNOWS, BEFORE))


@pytest.mark.parametrize(
    ("flaw", "formula", "views", "text"),
    [
        ("nobody may be in doubt", KNOWS, [[]], ONE_BY_ONE),
        ("who is out may be, too", KNOWS, [[[[], [[]]]]], ONE_BY_ONE),
        ("a set is missing", KNOWS, [], ONE_BY_ONE),
        ("a set too many", KNOWS, [BEFORE, BEFORE], ONE_BY_ONE),
        ("an unknown variable", KNOWS, [[[[], [[["on", ["a"]]]]]]], ONE_BY_ONE),
        (
            "no run shows the doubt",
            "AG (T.at = c -> !K(T, forall j : T (j.at <> b)))",
            [BEFORE],
            ONE_BY_ONE,
        ),
        (
            "there is no rule for what is common",
            "AG (alert -> (GCK(Watch, burning) or burning))",
            [],
            BELL,
        ),
    ],
)
def test_sets_of_views_that_are_no_proof_are_refused(
    flaw: str, formula: str, views: list[Any], text: str
) -> None:
    assert not accepted(*told(formula, *views, text=text)), flaw


def _nothing(*_: object) -> Any:
    from gnomon.model.parameterised.condition import FALSE

    return FALSE


def _everything(self: KnownAt, formula: Any) -> Any:
    views = {
        point.view(agent) for point in self._certain for agent in point.agents(formula.template)
    }
    return frozenset(views)


@pytest.mark.parametrize(
    ("owner", "what", "planted", "formula", "views"),
    [
        (
            knowing_cuts._KnowingCut,
            "broken",
            _nothing,
            "AG (T.at = b -> K(T, exists j : T (j.at = a)))",
            [[]],
        ),
        (
            KnownAt,
            "unknown",
            _everything,
            "AG (T.at = b -> !K(T, exists j : T (j.at = b)))",
            [[[[], [[]]]]],
        ),
    ],
)
def test_a_lie_is_accepted_where_a_mistake_is_planted(
    owner: Any, what: str, planted: Any, formula: str, views: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not accepted(*told(formula, *views))

    monkeypatch.setattr(owner, what, planted)

    assert accepted(*told(formula, *views))
