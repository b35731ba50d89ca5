"""What is said to those who misspell something, or give what cannot be right."""

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import gnomon
from tests.support import EXAMPLES

TICKETS = str(EXAMPLES / "tickets.ispl")
MUDDY = str(EXAMPLES / "muddy_children.ispl")
MUTEX = str(EXAMPLES / "parameterised" / "mutex_some.ispl")


@pytest.fixture
def model() -> gnomon.Model:
    return gnomon.load(TICKETS)


def test_an_option_that_is_misspelt_is_a_type_error_that_says_what_is_meant(
    model: gnomon.Model,
) -> None:
    with pytest.raises(TypeError, match="did you mean `among`"):
        model.who("F empty", amng=["Clerk"])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="did you mean `engine`"):
        model.question("EF full", engin="bdd")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="engin"):
        gnomon.sweep(model, {}, engin="bdd")  # type: ignore[call-arg]


def test_a_campaign_tells_options_from_constants(model: gnomon.Model) -> None:
    with gnomon.Campaign(jobs=1) as campaign:
        with pytest.raises(TypeError, match="did you mean `engine`"):
            campaign.submit(model, "EF full", engin="bdd")
        with pytest.raises(gnomon.InputError, match="G0501"):
            campaign.submit(model, "EF full", k=3)


def test_a_campaign_is_neither_copied_nor_sent_elsewhere() -> None:
    with gnomon.Campaign(jobs=1) as campaign:
        for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot be copied"):
                duplicate(campaign)


def test_everything_else_can_be_copied_and_sent(model: gnomon.Model) -> None:
    result = model.check("AG !full")
    things: list[object] = [
        model,
        result,
        result[0],
        result[0].evidence,
        model.walk(),
        model.walk().moves,
        model.simulate(3, seed=1),
        model.graph(),
        model.coverage(),
        gnomon.load(MUTEX),
        gnomon.Options(engine="bdd"),
        gnomon.SystemBuilder("b"),
    ]
    for thing in things:
        for other in (copy.copy(thing), copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))):
            assert repr(thing) == repr(other)


@pytest.mark.parametrize("number", [-1, 1.5, True, "2", None])
def test_a_number_of_agents_is_a_number(number: Any) -> None:
    model = gnomon.load(MUTEX)
    assert isinstance(model, gnomon.OpenModel)
    with pytest.raises(ValueError, match="not a number of agents"):
        model.with_agents(Process=number)


def test_a_place_that_is_not_there_is_named_as_it_was_given(
    model: gnomon.Model, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere/x\.ispl"):
        model.export(tmp_path / "nowhere" / "x.ispl")


@pytest.mark.parametrize("wrong", [None, 3, b"text"])
def test_what_is_no_text_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="a program is a text"):
        gnomon.load_text(wrong)


@pytest.mark.parametrize("value", list(gnomon.Value))
def test_no_value_is_a_boolean(value: gnomon.Value) -> None:
    with pytest.raises(TypeError, match=r"write `value is gnomon\.Value\.TRUE`, .*`\.holds`"):
        bool(value)


def test_an_answer_that_is_taken_for_a_boolean_says_what_to_write(model: gnomon.Model) -> None:
    with pytest.raises(TypeError, match=r"write `answer\.holds`"):
        bool(model.check("EF full")[0])


def test_an_input_error_has_its_notes_and_its_help_in_its_text(model: gnomon.Model) -> None:
    with pytest.raises(gnomon.InputError) as raised:
        model.check("EF ful")

    assert [
        "<formula>:1:4: error[G0601]: there is no proposition `ful`",
        "  note: the propositions: empty, full",
        "  help: did you mean `full`?",
    ] == str(raised.value).splitlines()


def test_an_option_with_choices_lists_them_in_the_error(model: gnomon.Model) -> None:
    with pytest.raises(
        gnomon.InputError, match=r"there are: auto, bdd[^$]*did you mean `explicit`"
    ):
        model.check(engine="explict")  # type: ignore[arg-type]


def test_whoever_asks_a_model_for_its_states_is_told_where_they_are(model: gnomon.Model) -> None:
    with pytest.raises(AttributeError, match=r"`model\.check\(\)\.states`"):
        _ = model.states  # type: ignore[attr-defined]


def test_the_name_of_a_formula_in_the_place_of_one_is_told_from_a_proposition(
    model: gnomon.Model,
) -> None:
    with pytest.raises(gnomon.InputError, match='`--only may_fill_up` asks, in Python `only="may_'):
        model.check("may_fill_up")


@pytest.mark.parametrize("name", ["constants", "set"])
def test_constants_in_a_dictionary_are_shown_as_keywords(name: str) -> None:
    given: Any = {name: {"n": 4, "m": 2}}
    with pytest.raises(gnomon.InputError, match="write n=4, m=2"):
        gnomon.load(MUDDY, **given)


def test_constants_of_a_sweep_as_keywords_are_shown_as_a_dictionary() -> None:
    with pytest.raises(TypeError, match=r"write \{'n': \[3, 4\]\}"):
        gnomon.sweep(MUDDY, n=[3, 4])  # type: ignore[call-arg]
