"""A formula that is planted to take for ever: what every way of deciding makes of the others."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from gnomon.checking import rounds
from gnomon.checking.attempts import Attempt
from gnomon.checking.cells import Cells
from gnomon.checking.check import Options, check
from gnomon.checking.decider import Decider, Decision
from gnomon.checking.exploring import Exploring
from gnomon.checking.load import load_text
from gnomon.checking.populations import Populations
from gnomon.checking.proofs import Proved
from gnomon.checking.verdict import Result, Value, Verdict
from gnomon.model.any import AnyModel
from gnomon.model.budget import TryAnother
from tests.interrupting import turns_of

COUNTER = """
Agent Counter
  Vars: x : {domain}; end Vars
  Actions = {{ up, stay }};
  Protocol: Other : {{ up, stay }}; end Protocol
  Evolution: x = x + 1 if x < 5 and Action = up; end Evolution
end Agent
Evaluation five if Counter.x = 5; six if Counter.x = 6; end Evaluation
InitStates Counter.x = 0; end InitStates
Formulae EF five; AG !six; AF five; EF six; AG !five; end Formulae
"""
ROOMS = """
Semantics = Interleaved;
Template T
  Vars: place : { out, in }; end Vars
  Actions = { enter, leave };
  Protocol: place = out : { enter }; place = in : { leave }; end Protocol
  Evolution: place = in if Action = enter; place = out if Action = leave; end Evolution
end Template
Evaluation
  inside if exists i : T (i.place = in);
end Evaluation
InitStates T.place = out; end InitStates
Formulae AG !inside; EF inside; AG !inside; EF inside; AG !inside; end Formulae
"""


def model(text: str) -> AnyModel:
    loaded = load_text(text)
    assert loaded.model is not None, loaded.diagnostics
    return loaded.model


BOUNDED = model(COUNTER.format(domain="0..6"))
UNBOUNDED = model(COUNTER.format(domain="int"))
WAYS: dict[str, tuple[AnyModel, Options, type[Decider]]] = {
    "explicit": (BOUNDED, Options(engine="explicit"), Exploring),
    "bdd": (BOUNDED, Options(engine="bdd"), Exploring),
    "auto": (BOUNDED, Options(), Exploring),
    "cells": (UNBOUNDED, Options(engine="abstraction"), Cells),
    "populations": (model(ROOMS), Options(), Populations),
}


@contextmanager
def endless(kind: type[Decider], number: int) -> Iterator[None]:
    """Let one formula never come to its end."""
    decide: Callable[..., Decision] = kind.decide

    def planted(self: Any, asked: int, formula: Any) -> Decision:
        while asked == number:
            self._budget.check("for ever")
        return decide(self, asked, formula)

    with patch.object(kind, "decide", planted):
        yield


def asked(way: str, hard: int, **more: Any) -> tuple[Result, list[int]]:
    """Return the result where one formula never ends, and in which order it was told."""
    subject, options, kind = WAYS[way]
    wanted = Options(engine=options.engine, evidence=True, certificate=True, **more)
    told: list[Verdict] = []
    with endless(kind, hard), turns_of(20, limit=3_000):
        found = check(subject, options=wanted, on_verdict=told.append)
    return found, [verdict.index for verdict in told]


@pytest.mark.parametrize("hard", [1, 3, 5])
@pytest.mark.parametrize("way", WAYS)
def test_all_others_are_decided_first_and_proved(way: str, hard: int) -> None:
    subject, options, _ = WAYS[way]
    wanted = Options(engine=options.engine, evidence=True, certificate=True)
    right = check(subject, options=wanted)
    found, told = asked(way, hard)
    others = [number for number in range(1, 6) if number != hard]

    assert [*others, hard] == told
    assert [1, 2, 3, 4, 5] == [verdict.index for verdict in found]
    assert right.certificate is not None
    assert found.certificate is not None
    for one, two, proof, again in zip(
        right,
        found,
        right.certificate["verdicts"],
        found.certificate["verdicts"],
        strict=True,
    ):
        if two.index == hard:
            assert (Value.UNKNOWN, "enough looks were taken") == (two.value, two.reason)
            assert "it was not decided" == again["reason"]
        else:
            assert one.value is two.value
            assert (one.evidence is None) == (two.evidence is None)
            assert (proof["proof"] is None) == (again["proof"] is None)


@pytest.mark.parametrize("way", WAYS)
def test_a_limit_for_a_formula_is_its_own_affair(way: str) -> None:
    subject, options, kind = WAYS[way]
    wanted = Options(engine=options.engine, formula_timeout=0.05)
    right = [verdict.value for verdict in check(subject, options=options)]
    with endless(kind, 2):
        found = check(subject, options=wanted)

    assert [right[0], Value.UNKNOWN, *right[2:]] == [verdict.value for verdict in found]
    assert "the time limit of 0.05 s for a formula was reached" == found.verdicts[1].reason


def test_a_question_about_the_model_waits_for_nobody_and_keeps_nobody_waiting() -> None:
    sanity: Callable[..., Decision] = Exploring.sanity

    def planted(self: Any, name: str) -> Decision:
        while name == "deadlock":
            self._budget.check("for ever")
        return sanity(self, name)

    options = Options(check_deadlock=True, check_overflow=True)
    with patch.object(Exploring, "sanity", planted), turns_of(20, limit=500):
        found = check(BOUNDED, options=options)

    assert all(verdict.value is not Value.UNKNOWN for verdict in found)
    assert ["deadlock", "overflow"] == [each.name for each in found.checks]
    assert [Value.UNKNOWN, Value.TRUE] == [each.value for each in found.checks]


def test_a_proof_that_takes_for_ever_keeps_no_verdict_and_no_other_proof() -> None:
    prove: Callable[..., Proved] = Exploring.prove

    def planted(self: Any, verdict: Verdict, formula: Any) -> Proved:
        while verdict.index == 1:
            self._budget.check("for ever")
        return prove(self, verdict, formula)

    with patch.object(Exploring, "prove", planted), turns_of(20, limit=500):
        found = check(BOUNDED, options=Options(certificate=True))

    assert all(verdict.value is not Value.UNKNOWN for verdict in found)
    assert found.certificate is not None
    proofs = [entry["proof"] is not None for entry in found.certificate["verdicts"]]
    assert [False, True, True, True, True] == proofs
    assert "a limit was reached before it was proved" == found.certificate["verdicts"][0]["reason"]


class Late:
    """A clock by which everything takes seconds."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def monotonic(self) -> float:
        return time.monotonic()

    def process_time(self) -> float:
        self.ahead += 5
        return time.process_time() + self.ahead


def test_what_needs_another_decider_does_not_take_the_others_with_it() -> None:
    """The first ways of exploring are too small for one formula, and that is found late; the rest stays."""
    decide: Callable[..., Decision] = Exploring.decide
    places: dict[int, list[str]] = {}

    def planted(self: Any, number: int, formula: Any) -> Decision:
        attempt: Attempt = self._attempt
        places.setdefault(number, []).append(attempt.name)
        if number == 2 and not attempt.final:
            raise TryAnother("too small")
        return decide(self, number, formula)

    with patch.object(Exploring, "decide", planted), patch.object(rounds, "time", Late()):
        found = check(BOUNDED, options=Options())
    tried = places.pop(2)

    assert all(verdict.value is not Value.UNKNOWN for verdict in found)
    assert [1, 2, 3, 4, 5] == [verdict.index for verdict in found]
    assert {(tried[0],)} == {tuple(each) for each in places.values()}
    assert len(tried) > 1
