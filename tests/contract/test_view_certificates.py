"""What is always known: sets of views that are no cut are refused, each for its reason."""

import json
from typing import Any

import pytest

from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_rules import check_invariant
from gnomon.certificate.parameterised.view_cuts import broken_cut
from gnomon.certificate.rejection import Rejected
from gnomon.certificate.solvers import SOLVERS
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.model.budget import Budget
from gnomon.model.parameterised.condition import Condition, Or
from gnomon.model.parameterised.query import Knowledge
from gnomon.model.parameterised.system import OpenSystem
from tests.populations import read

#: Scouts see the fire, and some blow a horn that all at the camp hear.
_MESSENGER = """
Environment
  Vars: fire : boolean; end Vars
  Obsvars: blown : boolean; end Obsvars
  Actions = { light };
  Sync = { see : some, blow : one, hear : all };
  Protocol: fire = false : { light }; fire = true : { see }; blown = false : { blow }; blown = true : { hear }; end Protocol
  Evolution: fire = true if Action = light; blown = true if Action = blow; end Evolution
end Environment
Template Scout
  Vars: saw : boolean; end Vars
  Sync = { see, blow };
  Protocol: saw = false : { see }; saw = true : { blow }; end Protocol
  Evolution: saw = true if Action = see; end Evolution
end Template
Template Camp
  Vars: heard : boolean; end Vars
  Sync = { hear };
  Protocol: heard = false : { hear }; end Protocol
  Evolution: heard = true if Action = hear; end Evolution
end Template
InitStates Environment.fire = false and Environment.blown = false and Scout.saw = false and Camp.heard = false; end InitStates
"""  # noqa: E501
KNOWN = "AG (Scout.saw = true -> K(Scout, Environment.fire = true))"
TOLD = "AG (Scout.saw = true -> K(Scout, forall c : Camp (K(c, Environment.fire = true))))"
COMMON = "AG (Environment.fire = true -> GCK(Camp, Environment.fire = true))"
#: What is seen, and all states of one's own.
UNBLOWN, BLOWN = [[False], [[]]], [[True], [[]]]
SEEN = [[False], [[["saw", [True]]]]]


def asked(formula: str) -> tuple[OpenSystem, Knowledge]:
    system = read(f"{_MESSENGER}Formulae {formula}; end Formulae")
    query = system.questions[0].query
    assert isinstance(query, Knowledge)
    return system, query


def accepted(system: OpenSystem, bad: Condition) -> bool:
    """Return whether an invariant that excludes something is found, and accepted."""
    found = decide_safety(CompiledPopulation(system), bad, Budget())
    if found.invariant is None:
        return False
    invariant = json.loads(json.dumps(found.invariant))
    check_invariant(system, invariant, bad, ObligationProver(Budget(), SOLVERS))
    return True


#: Questions, views that are no cut, and which part of the condition says so.
NO_CUTS: tuple[tuple[str, list[Any], int], ...] = (
    (KNOWN, [[]], 0),
    (KNOWN, [[UNBLOWN, BLOWN]], 1),
    (TOLD, [[SEEN, BLOWN], []], 2),
    (TOLD, [[SEEN, BLOWN], [UNBLOWN, BLOWN]], 1),
    (COMMON, [[BLOWN]], 0),
    (COMMON, [[UNBLOWN, BLOWN]], 1),
)


def test_what_is_known_has_a_cut() -> None:
    system, query = asked(KNOWN)

    assert accepted(system, broken_cut(system, query, [[SEEN, BLOWN]]))


@pytest.mark.parametrize(("formula", "views", "part"), NO_CUTS)
def test_views_that_are_no_cut_are_excluded_by_nothing_but_one_part(
    formula: str, views: list[Any], part: int
) -> None:
    system, query = asked(formula)
    broken = broken_cut(system, query, views)
    assert isinstance(broken, Or)
    others = Or(tuple(each for n, each in enumerate(broken.operands) if n != part))

    assert not accepted(system, broken)
    assert accepted(system, others)


_MALFORMED: dict[str, Any] = {
    "nothing": None,
    "no level": [],
    "too many levels": [[], []],
    "another type": [[[[0], [[]]]]],
    "too few values": [[[[], [[]]]]],
    "no such variable": [[[[True], [[["nobody", [True]]]]]]],
}


@pytest.mark.parametrize("views", _MALFORMED.values(), ids=_MALFORMED)
def test_views_that_are_none_are_refused(views: Any) -> None:
    system, query = asked(KNOWN)

    with pytest.raises(Rejected):
        broken_cut(system, query, views)
