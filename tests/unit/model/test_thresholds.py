"""Parameters: what comparisons of counts say, and systems in which parameters have values."""

import operator
from itertools import product

import pytest

from gnomon.checking.check import Options, check
from gnomon.model.parameterised.condition import Not, positive, show
from gnomon.model.parameterised.given import NoSuchParameters, given, with_values
from gnomon.model.parameterised.instance import instance
from gnomon.model.parameterised.step import Configuration, World
from tests.populations import reachable, read
from tests.support import VACUOUS

PROGRAM = """
Parameters n, t; end Parameters
Assume n >= t; end Assume
Definitions twice := 2 * count i : Node (i.on = true); end Definitions
Template Node [n - t] Vars: on : boolean; end Vars
  Actions = {{ press }}; Protocol: on = false{guard} : {{ press }}; end Protocol
  Evolution: on = true if Action = press; end Evolution end Template
Evaluation p if {condition}; end Evaluation
InitStates Node.on = false; end InitStates
Formulae AG !p; end Formulae
"""
COMPARED = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@pytest.mark.parametrize("sign", COMPARED)
@pytest.mark.parametrize("turned", [False, True])
def test_comparisons_are_those_of_numbers(sign: str, turned: bool) -> None:
    left, right = "twice - t", "n - 2 * (t - 1) + count j : Node (j.on = false)"
    sides = (right, left) if turned else (left, right)
    system = read(PROGRAM.format(condition=f"{sides[0]} {sign} {sides[1]}", guard=""))
    said = system.propositions["p"]
    for n, t, on in product(range(5), range(3), range(5)):
        if t > n or on > n - t:
            continue
        values = {"n": n, "t": t}
        world = World(given(system, values), ("Node",) * (n - t), {})
        now = Configuration((), tuple((number < on,) for number in range(n - t)))
        numbers = [2 * on - t, n - 2 * (t - 1) + (n - t - on)]
        expected = COMPARED[sign](*(reversed(numbers) if turned else numbers))

        assert world.holds(with_values(said, values), now, {}) is expected
        opposite = positive(Not(with_values(said, values)))
        assert world.holds(opposite, now, {}) is not expected


def test_terms_are_shown_as_they_are_written() -> None:
    system = read(PROGRAM.format(condition="twice + t > n - 1", guard=""))

    assert show(system.propositions["p"]) == "2 * count i : Node (i.on = true) >= n - t"
    assert show(positive(Not(system.propositions["p"]))) == (
        "2 * count i : Node (i.on = true) <= n - t - 1"
    )


def test_values_have_to_be_as_assumed() -> None:
    system = read(PROGRAM.format(condition="n > 1", guard=""))

    assert [part.low for part in given(system, {"n": 3, "t": 1}).templates] == [2]
    for values in ({"n": 1, "t": 2}, {"n": 1}, {"n": 1, "t": -1}, {"n": 1, "t": 0, "f": 0}):
        with pytest.raises(NoSuchParameters):
            given(system, values)


@pytest.mark.parametrize(
    "values", [{"n": 2, "t": 0}, {"n": 3, "t": 1}, {"n": 3, "t": 0}, {"n": 1, "t": 1}]
)
@pytest.mark.parametrize("least", ["n - 1", "t", "1"])
def test_written_out_it_is_the_same(values: dict[str, int], least: str) -> None:
    guard = f" and count j : Node (j.on = true) + t >= {least}"
    system = read(PROGRAM.format(condition="count i : Node (i.on = true) >= 2", guard=guard))
    here = given(system, values)
    members = ("Node",) * here.templates[0].low
    world = World(here, members, {})
    reached = any(world.holds(here.propositions["p"], now, {}) for now in reachable(world))

    [verdict] = check(instance(here, members), None, Options(allow=VACUOUS))

    assert (str(verdict.value) == "false") is reached
