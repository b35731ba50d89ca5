"""What is said about any number of agents, of so many of them."""

from dataclasses import replace
from pathlib import Path
from typing import cast, get_args

import pytest

from gnomon.checking.check import Options, check
from gnomon.checking.load import load, load_text
from gnomon.model.expression import reads
from gnomon.model.parameterised.grounding import NotFinite
from gnomon.model.parameterised.instance import instance
from gnomon.model.parameterised.ordinary import as_asked
from gnomon.model.parameterised.population import populated
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.system import Expectation
from tests.support import EXAMPLES

MODELS = ["mutex.ispl", "mutex_some.ispl", "rooms.ispl", "rooms_trap_all.ispl", "vault.ispl"]


def population(path: Path) -> OpenSystem:
    """Return a model whose formulae expect what they come out as."""
    found = load(str(path)).templates
    assert found is not None
    verdicts = check(found, None, Options(timeout=60))
    expected = {verdict.index: verdict.value.value for verdict in verdicts}
    questions = [
        replace(question, name=f"f{number}", expected=cast(Expectation, expected[number]))
        for number, question in enumerate(found.questions, 1)
        if expected[number] in get_args(Expectation)
    ]
    return replace(found, questions=tuple(questions))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_what_is_expected_of_so_many_agents_follows_from_what_is_true_of_all(
    name: str, number: int
) -> None:
    found = population(EXAMPLES / "parameterised" / name)
    members = tuple(part.name for part in found.templates for _ in range(number))
    try:
        system = instance(found, members)
    except NotFinite:
        pytest.skip("its values are not listed")
    turned, _ = as_asked(system)
    for each in (system, turned):
        values = [verdict.value.value for verdict in check(each, None, Options(timeout=60))]
        pairs = [
            (item.expected, value)
            for item, value in zip(each.specifications, values, strict=True)
            if item.expected is not None
        ]
        assert all(expected == value for expected, value in pairs), pairs
    names = [item.name for item in system.specifications]
    assert len(names) == len(set(names))


TEXT = """
Template T [1..2]
  Vars: on : boolean; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: on = true if Action = go; end Evolution
end Template
Evaluation some if exists i : T (i.on); end Evaluation
InitStates T.on = false; end InitStates
Formulae
  knows : AG (T.on -> K(T, T.on)) expect true;
  knows[1] : AG !(some and false) expect true;
  knows[2, 1] : AG (T.on -> K(T, T.on)) expect false;
  EF some expect undefined;
end Formulae
"""


@pytest.mark.parametrize(("number", "expected"), [(2, "true"), (3, None)])
def test_every_formula_has_a_name_of_its_own_and_expects_nothing_of_others(
    number: int, expected: str | None
) -> None:
    found = load_text(TEXT).templates
    assert found is not None
    system = instance(found, ("T",) * number)
    said = {item.name: item.expected for item in system.specifications}
    numbers = range(1, number + 1)

    assert {
        **{f"knows_[{each}]": expected for each in numbers},
        "knows[1]": expected,
        **{f"knows[2,1,{each}]": None for each in numbers},
        "": None,
    } == said


ENDING = """
Template T
  Vars: done : boolean = false; end Vars
  Actions = { work };
  Protocol: exists t : T (t != self and !t.done) : { work }; end Protocol
  Evolution: done = true if Action = work; end Evolution
end Template
TerminalStates forall t : T (t.done); end TerminalStates
Formulae AG !exists t : T (t.done); end Formulae
"""


def test_so_many_agents_keep_the_terminal_states() -> None:
    found = load_text(ENDING).templates
    assert found is not None
    result = check(instance(found, ("T", "T")), None, Options())

    assert (4, 1) == (result.states, result.terminal)


def test_terminal_states_go_with_the_variables_where_all_are_the_environments() -> None:
    found = load_text(ENDING).templates
    assert found is not None
    written = populated(found, {"T": 2}, "model.ispl").system

    assert written.terminal is not None
    assert {"T1_done", "T2_done"} == {read.variable for read in reads(written.terminal)}
