"""A question is one value: validated, the same on every machine, and enough to be answered anywhere."""

import inspect
import json
import os
import subprocess
import sys
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gnomon
from gnomon.checking.options import Options
from gnomon.checking.question import Question, read
from gnomon.checking.verdict import Value
from gnomon.text.diagnostic import InputError
from tests.support import EXAMPLES
from tests.unit.results.schemas import validate

TEXT = (EXAMPLES / "bit_transmission.ispl").read_text(encoding="utf-8")
ROBOTS = (EXAMPLES / "parameterised" / "rooms.ispl").read_text(encoding="utf-8")
NUMBERS = (EXAMPLES / "tickets.ispl").read_text(encoding="utf-8")

questions = st.builds(
    Question,
    st.text(),
    st.text(),
    st.dictionaries(st.text(min_size=1), st.integers()).map(lambda d: tuple(sorted(d.items()))),
    st.just(()),
    st.lists(st.integers(1, 99) | st.sampled_from(["a", "b[1,2]", "*", "s?[*]"])).map(tuple),
    st.lists(st.text()).map(tuple),
    st.builds(
        Options,
        engine=st.sampled_from(["auto", "bdd", "explicit"]),
        strategies=st.sampled_from(["perfect", "uniform"]),
        timeout=st.none() | st.floats(0.01, 1e6),
        max_states=st.none() | st.integers(1),
        evidence=st.booleans(),
        certificate=st.booleans(),
    ),
)


@given(questions)
def test_a_question_survives_json(question: Question) -> None:
    data = json.loads(json.dumps(question.to_data()))

    assert question == Question.from_data(data)
    assert (question.digest, hash(question)) == (
        Question.from_data(data).digest,
        hash(Question.from_data(data)),
    )


@given(questions, questions)
def test_digests_are_the_same_exactly_where_the_same_is_asked(one: Question, two: Question) -> None:
    same = {**one.to_data(), "name": ""} == {**two.to_data(), "name": ""}

    assert same == (one.digest == two.digest)


def test_a_question_has_the_published_shape() -> None:
    question = Question(TEXT, "bits.ispl", (("n", 3),), only=(1, 2), options=Options(timeout=3))

    validate("question", json.dumps(question.to_data()))


def test_the_schema_knows_every_option() -> None:
    schema = json.loads((EXAMPLES.parent / "src/gnomon/results/schema/question.json").read_text())
    asked = {field.name for field in fields(Options)} - {"report", "predicates"}

    assert asked == set(schema["properties"]["options"]["properties"])


def test_a_digest_is_the_same_in_another_process() -> None:
    program = (
        "from gnomon.checking.question import Question\n"
        "print(Question('a text', constants=(('n', 2),), only=(1,)).digest)"
    )
    seeds = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    ]

    assert [Question("a text", constants=(("n", 2),), only=(1,)).digest] * 2 == seeds


@pytest.mark.parametrize("text", [TEXT, ROBOTS, NUMBERS], ids=["finite", "any number", "unbounded"])
def test_one_call_answers_every_kind(text: str) -> None:
    result = read(Question(text, only=(1,))).check()

    assert [1] == [verdict.index for verdict in result]
    assert result.verdicts[0].value in {Value.TRUE, Value.FALSE}


def test_everything_that_is_wrong_is_said_at_once() -> None:
    asked = read(Question(TEXT, formulae=("AF recieved", "AG ("), predicates=("AF received",)))

    assert {"G0601", "G0606"} <= {item.code for item in asked.diagnostics}
    assert 3 <= sum(item.is_error for item in asked.diagnostics)
    with pytest.raises(InputError):
        asked.check()


def test_a_formula_that_is_not_there_is_an_error() -> None:
    asked = read(Question(TEXT, only=(1, 99)))

    assert ["G0818"] == [item.code for item in asked.diagnostics if item.is_error]


NAMED = """
Agent P
  Vars: x : boolean; end Vars
  Actions = { a };
  Protocol: Other : { a }; end Protocol
  Evolution: x = true if Action = a; end Evolution
end Agent
Evaluation p if P.x = true; end Evaluation
InitStates P.x = false; end InitStates
Formulae
  bypass : AG p expect false;
  EF p;
  for i : 1..2, j : -1..0: safe[i, j] : EF p; end for
  safety : AF p;
end Formulae
"""


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        (("bypass",), [1]),
        ((2, "bypass"), [1, 2]),
        (("2",), [2]),
        (("*",), [1, 3, 4, 5, 6, 7]),
        (("safe[1,-1]",), [3]),
        (("safe[ 1, -1 ]",), [3]),
        (("safe[?,0]", "safe[?,0]"), [4, 6]),
        (("safe*",), [3, 4, 5, 6, 7]),
        (("s*y", 7), [7]),
        ((7, 1), [1, 7]),
    ],
    ids=str,
)
def test_formulae_are_chosen_by_number_name_and_pattern(
    only: tuple[int | str, ...], expected: list[int]
) -> None:
    asked = read(Question(NAMED, only=only))

    assert not asked.has_errors
    assert expected == [number for number, _ in asked.items]


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("bypas", "did you mean `bypass`?"),
        ("safe", "did you mean `safe[*]`?"),
        ("safe[1]", "did you mean `safe[1,0]`?"),
        ("Bypass", "did you mean `bypass`?"),
    ],
)
def test_a_name_that_no_formula_has_is_an_error(choice: str, words: str) -> None:
    asked = read(Question(NAMED, only=(choice, 1)))
    [said] = [item for item in asked.diagnostics if item.is_error]

    assert ("G0818", words) == (said.code, said.help)


def test_names_are_looked_for_in_vain_where_there_are_none() -> None:
    nameless = "".join(line for line in TEXT.splitlines(keepends=True) if "--!" not in line)
    [said] = [item for item in read(Question(nameless, only=("a*",))).diagnostics if item.is_error]

    assert "G0818" == said.code
    assert ("its formulae have no names: choose them by their numbers",) == said.notes


def test_many_stars_are_looked_for_in_no_time() -> None:
    text = NAMED.replace("bypass", "a" * 900)
    asked = read(Question(text, only=("*a" * 200 + "b",)))

    assert ["G0818"] == [item.code for item in asked.diagnostics if item.is_error]


def test_a_name_means_one_formula_among_those_that_are_given() -> None:
    asked = read(Question(NAMED, formulae=("a : EF p", "a : AG p")))

    assert ["G0607"] == [item.code for item in asked.diagnostics if item.is_error]


def test_the_names_of_a_model_are_kept_for_its_formulae() -> None:
    same, another = (
        read(Question(NAMED, formulae=(text,))) for text in ("bypass : AG p", "bypass : EF p")
    )

    assert not same.has_errors
    assert ["G0607"] == [item.code for item in another.diagnostics if item.is_error]


def test_questions_of_old_keep_their_digests() -> None:
    """They were made before there were names and expectations."""
    question = Question("a text", constants=(("n", 2),), only=(1,))

    assert "adac44e60f454ed33a605b80ff38f9757211b523ae9c2b53dfb701b0fed798cc" == question.digest
    assert question.digest != Question("a text", only=(1,), options=Options(strict=True)).digest


@pytest.mark.parametrize(
    "change",
    [
        {"format": "another"},
        {"version": 2},
        {"only": ["0"]},
        {"only": [0]},
        {"only": [True]},
        {"only": [""]},
        {"only": ["safe ["]},
        {"only": ["AG p"]},
        {"only": ["9" * 5000]},
        {"formulae": ["AG p"], "only": [1]},
        {"constants": {"n": True}},
        {"text": 3},
        {"options": {"engine": "explict"}},
        {"options": {"report": None}},
        {"options": {"unknown": 1}},
        {"options": 5},
        {"formulae": None},
    ],
    ids=str,
)
def test_what_is_no_question_is_refused(change: dict[str, object]) -> None:
    data = {**Question(TEXT).to_data(), **change}

    with pytest.raises(InputError):
        Question.from_data(data)


def test_the_interfaces_for_python_have_parameters_for_every_option() -> None:
    asked = {field.name for field in fields(Options)} | {"only", "progress"}
    for function in (gnomon.check, gnomon.Model.check):
        named = {
            name
            for name, parameter in inspect.signature(function).parameters.items()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        }

        assert asked == named


def test_python_asks_only_some_formulae_by_their_numbers() -> None:
    loaded = gnomon.load_text(TEXT)
    built = gnomon.Model(loaded.system)

    for model in (loaded, built):
        assert [2, 5] == [answer.verdict.index for answer in model.check(only=[5, 2])]
