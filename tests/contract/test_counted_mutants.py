"""Mistakes planted in the checker of counted graphs: each lets a lie through that is refused as it is."""

import inspect
import json
from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import NamedTuple

import pytest

from gnomon.certificate.parameterised import (
    counted_paths,
    deletions,
)
from gnomon.certificate.rejection import Rejected
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.system import OpenSystem
from tests.counted_forgeries import LOCK, SERVED, forged
from tests.populations import read

_BUSY = "Formulae AF forall i : Process (i.at = critical); end Formulae"
_COINS = """
Environment
  Vars: turn : 0..1; end Vars
  Sync = { put : one, back : one };
  Protocol: turn = 0 : { put }; turn = 1 : { back }; end Protocol
  Evolution: turn = 1 if Action = put; turn = 0 if Action = back; end Evolution
end Environment
Template Coin
  Vars: inside : boolean; end Vars
  Sync = { put, back };
  Protocol: inside = false : { put }; inside = true : { back }; end Protocol
  Evolution: inside = true if Action = put; inside = false if Action = back; end Evolution
end Template
InitStates Environment.turn = 0 and Coin.inside = false; end InitStates
Formulae CTL* A(F G Environment.turn = 0); end Formulae
"""
#: Two steps put agents in and one takes them out, but any number of them at once.
_CROWD = """
Environment
  Vars: turn : 0..2; end Vars
  Sync = { put : some, add : some, back : some };
  Protocol: turn = 0 : { put }; turn = 1 : { add }; turn = 2 : { back }; end Protocol
  Evolution: turn = 1 if Action = put; turn = 2 if Action = add; turn = 0 if Action = back; end Evolution
end Environment
Template Coin
  Vars: inside : boolean; end Vars
  Sync = { put, add, back };
  Protocol: inside = false : { put, add }; inside = true : { back }; end Protocol
  Evolution: inside = true if Action = put or Action = add; inside = false if Action = back; end Evolution
end Template
InitStates Environment.turn = 0 and Coin.inside = false; end InitStates
Formulae CTL* A(F G Environment.turn <> 2); end Formulae
"""
_CLOCK = """
Environment
  Vars: light : boolean; end Vars
  Actions = { on, off };
  Protocol: light = false : { on }; light = true : { off }; end Protocol
  Evolution: light = true if Action = on; light = false if Action = off; end Evolution
end Environment
Template Walker [1..*]
  Vars: at : { here, there }; end Vars
  Actions = { cross, wait };
  Protocol: at = here and Environment.light = true : { cross }; at = there : { wait }; end Protocol
  Evolution: at = there if Action = cross; end Evolution
end Template
InitStates Environment.light = false and Walker.at = here; end InitStates
"""
_CROSSED = "Formulae forall i : Walker (AF i.at = there); end Formulae"
_SOMEBODY = "Formulae AF exists i : Walker (i.at = there); end Formulae"
_LIT = "Formulae CTL* A(F G Environment.light = true); end Formulae"


def _fair(what: str) -> str:
    return f"Fairness {what}; end Fairness\n"


#: Programs whose questions small populations refute.
REFUTED = (
    LOCK + SERVED,
    LOCK + _fair("weak") + SERVED,
    LOCK + _fair("Environment.locked = true") + SERVED,
    LOCK + _fair("forall each : Process (each.at = idle)") + _BUSY,
    LOCK + _fair("forall each : Process (each.at = idle)") + SERVED,
    LOCK + _BUSY,
    LOCK + _fair("strong") + _BUSY,
    _COINS,
    _CROWD,
    _CLOCK + _CROSSED,
    _CLOCK + _fair("weak") + _CROSSED,
    _CLOCK + _fair("weak") + _SOMEBODY,
    _CLOCK + _fair("strong") + _LIT,
    _CLOCK + _fair("weak") + _LIT,
)


class Mistake(NamedTuple):
    """What is planted where: a text in the place of another one, in the source of a module."""

    module: ModuleType
    old: str
    new: str
    name: str


MISTAKES = {
    "numbers may rise": Mistake(
        deletions, 'require(after <= before, "a step', 'require(True, "a step', "RemainingSteps"
    ),
    "a promise is put off somewhere": Mistake(
        deletions, "require(all(late)", "require(any(late)", "RemainingSteps"
    ),
    "a condition need not be missing": Mistake(
        deletions,
        "require(not any(self._recurs(self._fair(which), n) for n in nodes), _FAIR)",
        "require(not all(self._recurs(self._fair(which), n) for n in nodes), _FAIR)",
        "RemainingSteps",
    ),
    "who acts is said not to act": Mistake(
        deletions, "require(not acts,", "require(True,", "RemainingSteps"
    ),
    "who is able at times is able always": Mistake(
        deletions,
        'require(able == nodes, "who is',
        'require(bool(able), "who is',
        "RemainingSteps",
    ),
    "who is never able is treated unfairly": Mistake(
        deletions,
        '            case "strong":\n                return able',
        '            case "strong":\n                return nodes',
        "RemainingSteps",
    ),
    "much is promised without a promise": Mistake(
        deletions,
        'raise Rejected("nothing was promised to anybody")',
        "return nodes",
        "RemainingSteps",
    ),
    "agents may rise": Mistake(
        deletions,
        "require(all(b >= a for b, a, _ in ways)",
        "require(True",
        "RemainingSteps",
    ),
    "agents who act are said not to": Mistake(
        deletions, "require(integer(number) not in moving", "require(True", "RemainingSteps"
    ),
    "agents are able at times": Mistake(
        deletions,
        'self._promise != "weak" or len(able) == len(group)',
        "len(able) > 0",
        "RemainingSteps",
    ),
    "agents meet a condition": Mistake(
        deletions, "require(not any(met), _FAIR)", "require(True, _FAIR)", "RemainingSteps"
    ),
    "any number of agents count as one": Mistake(
        deletions,
        "require(strand.exact or more <= 0,",
        "require(True,",
        "RemainingSteps",
    ),
    "weights may rise": Mistake(
        deletions, 'require(change <= 0, "a step', 'require(True, "a step', "RemainingSteps"
    ),
    "something may be left": Mistake(
        counted_paths, "require(not left.steps,", "require(True,", "check_counted"
    ),
}


def questions() -> Iterator[tuple[OpenSystem, OverTime]]:
    for text in REFUTED:
        system = read(text)
        query = system.questions[0].query
        assert isinstance(query, OverTime)
        yield system, query


def lies_that_pass() -> Iterator[str]:
    for number, (system, query) in enumerate(questions()):
        for lie, proof in forged(system, query, Random(7)):
            try:
                counted_paths.check_counted(system, json.loads(json.dumps(proof)), query, Budget())
            except Rejected:
                continue
            yield f"{number}: {lie}"


def plant(mistake: Mistake, patch: pytest.MonkeyPatch) -> None:
    source = inspect.getsource(mistake.module)
    assert source.count(mistake.old) == 1
    module = ModuleType(mistake.module.__name__)
    exec(compile(source.replace(mistake.old, mistake.new), "planted", "exec"), module.__dict__)
    patch.setattr(counted_paths, mistake.name, getattr(module, mistake.name))


def test_no_lie_passes() -> None:
    assert list(lies_that_pass()) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_lets_a_lie_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(MISTAKES[name], monkeypatch)

    assert next(lies_that_pass(), None) is not None
