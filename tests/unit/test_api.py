"""What `import gnomon` gives."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gnomon
from gnomon import api
from tests.support import EXAMPLES

TEXT = """
Constants n = 2; end Constants
Agent P
  Vars: x : 0..n; end Vars
  Actions = { go };
  Protocol: Other : { go }; end Protocol
  Evolution: x = x + 1 if x < n; end Evolution
end Agent
Evaluation top if P.x = n; end Evaluation
InitStates P.x = 0; end InitStates
Groups g = { P }; end Groups
Formulae AF top; AG top; end Formulae
"""


def test_all_that_is_listed_exists() -> None:
    for name in gnomon.__all__:
        assert getattr(gnomon, name) is not None


def test_the_package_lists_what_the_interface_lists() -> None:
    assert sorted([*api.__all__, "__version__"]) == sorted(gnomon.__all__)
    assert sorted(gnomon.__all__) == dir(gnomon)


def test_what_is_listed_is_what_the_interface_defines_and_hands_on() -> None:
    public = {
        name
        for name, value in vars(api).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == api.__name__
    }
    # These are only ever met as the evidence of an answer.
    assert public - {"EvidenceView", "EvidencePicture"} == {
        name for name in api.__all__ if getattr(api, name).__module__ == api.__name__
    }


def test_lists_are_in_order() -> None:
    assert sorted(api.__all__) == api.__all__


def test_other_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        _ = gnomon.nothing


def test_importing_gnomon_loads_nothing_heavy() -> None:
    program = "import gnomon, sys; print([m for m in sys.modules if m.startswith('gnomon.')])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert "['gnomon.version']" == done.stdout.strip()


def test_a_file_can_be_loaded_and_checked() -> None:
    model = gnomon.load(str(EXAMPLES / "bit_transmission.ispl"))

    assert "finite" == model.kind
    assert len(model.check()) == len(model.system.specifications)


def test_a_path_can_be_loaded() -> None:
    assert "finite" == gnomon.load(EXAMPLES / "bit_transmission.ispl").kind


def test_answers_come_in_the_order_of_the_formulae() -> None:
    result = gnomon.check(gnomon.load_text(TEXT))

    assert [True, False] == [answer.holds for answer in result]
    assert ["AF top", "AG top"] == [answer.formula for answer in result]
    assert 2 == len(result)
    assert result[1].value is gnomon.Value.FALSE
    assert 3 == result.states


def test_formulae_can_be_given() -> None:
    model = gnomon.load_text(TEXT)

    assert [True] == [answer.holds for answer in model.check("EF top")]
    assert [True, False] == [a.holds for a in gnomon.check(model, "<g>F top", "top")]


def test_constants_can_be_given() -> None:
    assert 6 == gnomon.check(gnomon.load_text(TEXT, n=5)).states


def test_an_unknown_constant_is_an_input_error() -> None:
    with pytest.raises(gnomon.InputError, match="G0501"):
        gnomon.load_text(TEXT, m=5)


@pytest.mark.parametrize("text", ["", "Agent", TEXT.replace("P.x = 0", "P.y = 0")])
def test_a_bad_program_is_an_input_error_with_diagnostics(text: str) -> None:
    with pytest.raises(gnomon.InputError) as caught:
        gnomon.load_text(text)
    assert caught.value.diagnostics


@pytest.mark.parametrize("path", ["none.ispl", ".", "\0", ""])
def test_a_bad_path_is_an_input_error(path: str) -> None:
    with pytest.raises(gnomon.InputError, match="G0001"):
        gnomon.load(path)


@pytest.mark.parametrize("formula", ["", "AG", "nothing", "AG top; AG top", "K(Q, top)", "é"])
def test_a_bad_formula_is_an_input_error(formula: str) -> None:
    with pytest.raises(gnomon.InputError):
        gnomon.load_text(TEXT).check(formula)


def test_an_unknown_option_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="speed"):
        gnomon.load_text(TEXT).check(speed="high")  # type: ignore[call-arg]


def test_an_answer_is_neither_true_nor_false_by_itself() -> None:
    with pytest.raises(TypeError, match="holds"):
        bool(gnomon.load_text(TEXT).check()[0])


def test_sanity_checks_cannot_be_read_the_wrong_way_round() -> None:
    result = gnomon.load(str(EXAMPLES / "tickets.ispl")).check("AG true", check_deadlock=True)

    assert repr(result.checks) == "(<deadlock: found=False>,)"


def test_a_system_can_be_checked_directly() -> None:
    b = gnomon.SystemBuilder("a coin")
    coin = b.agent("Coin", actions=["toss"])
    side = coin.enumeration("side", ["heads", "tails"])
    coin.otherwise("toss")
    coin.evolve({side: "heads"})
    coin.evolve({side: "tails"})
    b.proposition("heads", side == "heads")
    b.formula("AG EF heads")

    assert [True] == [a.holds for a in gnomon.check(b.build(initial=side == "heads"))]


def test_everything_shows_itself() -> None:
    model = gnomon.load_text(TEXT)
    result = model.check()

    assert "<finite model <text>>" == repr(model)
    assert "AG top" in str(result)
    assert "P" in str(model)
    assert "<svg" in model.graph().svg()
    assert "digraph" in model.graph().dot()
    assert "<table" in result._repr_html_()
    assert result[1].evidence is not None
    assert "counterexample" == result[1].evidence.kind
    assert str(result[1].evidence)
    assert "<svg" in result[1].evidence._repr_html_()


def test_evidence_in_every_format() -> None:
    [answer] = gnomon.load_text(TEXT).check("AG top")
    assert answer.evidence is not None
    picture = answer.evidence.graph()
    assert picture.svg() == picture._repr_svg_()
    assert "digraph" in picture.dot()
    assert picture.mermaid().startswith("flowchart")
    assert json.loads(answer.evidence.itf())["states"]
    with pytest.raises(ValueError, match="the evidence has 1"):
        answer.evidence.itf(2)
    assert "AG top is false" in answer.story()
    assert answer.html().startswith("<!DOCTYPE html>")
    assert "P.x" in answer.story()
    assert "P.x" not in answer.story("Environment")


def test_proofs_are_there_when_they_are_asked_for() -> None:
    model = gnomon.load_text(TEXT)
    assert model.check().certificate is None
    certificate = model.check(certificate=True).certificate
    assert certificate is not None
    assert all(entry["proof"] for entry in certificate["verdicts"])


def test_the_dictionary_is_what_the_command_prints() -> None:
    data = gnomon.load_text(TEXT).check().to_dict()

    assert ["true", "false"] == [item["verdict"] for item in data["formulae"]]


def test_a_program_is_read_once_and_not_from_the_working_folder(tmp_path: Path) -> None:
    path = tmp_path / "model.ispl"
    path.write_text(TEXT)
    model = gnomon.load(str(path))
    path.unlink()

    assert [True] == [a.holds for a in model.check("EF top")]


OPEN = """
Environment
  Vars: locked : boolean; end Vars
  Sync = { enter };
  Protocol: locked = false : { enter }; end Protocol
  Evolution: locked = true if Action = enter; end Evolution
end Environment
Template P
  Vars: inside : boolean; end Vars
  Sync = { enter };
  Protocol: inside = false : { enter }; end Protocol
  Evolution: inside = true if Action = enter; end Evolution
end Template
Evaluation clash if exists i, j : P ( i != j and i.inside = true and j.inside = true ); end Evaluation
InitStates Environment.locked = false and P.inside = false; end InitStates
Formulae AG !clash; end Formulae
"""


def test_a_model_with_templates_is_checked_for_any_number_of_agents() -> None:
    model = gnomon.load_text(OPEN)
    (answer,) = model.check()

    assert ("parameterised", False) == (model.kind, answer.holds)
    assert answer.numbers is not None and ({"P": 2},) == answer.numbers.populations
    assert answer.evidence is not None and "P2" in str(answer.evidence)
    assert "2 P" in answer.story()


def test_a_model_with_templates_can_be_given_agents() -> None:
    model = gnomon.load_text(OPEN)
    assert isinstance(model, gnomon.OpenModel)

    assert [[True], [False]] == [
        [answer.holds for answer in model.with_agents(P=number).check()] for number in (1, 2)
    ]
    with pytest.raises(ValueError, match="no template `Q`"):
        model.with_agents(Q=1)
    with pytest.raises(ValueError, match="the number of agents is open"):
        model.graph()


EXPECTING = """\
Constants n = 2; end Constants
Agent Counter
  Vars: x : 0..n; end Vars
  Actions = { up, stay };
  Protocol: x < n : { up, stay }; Other : { stay }; end Protocol
  Evolution: x = x + 1 if Action = up; end Evolution
end Agent
Evaluation top if Counter.x = n; under if Counter.x < 0; end Evaluation
InitStates Counter.x = 0; end InitStates
Formulae
  forced : AF top expect false;
  reached : EF top;
  hollow : AG (under -> top);
  AG !top;
end Formulae
"""


def test_answers_have_names_and_expectations() -> None:
    result = gnomon.load_text(EXPECTING).check()
    forced = result["forced"]

    assert forced is result[0]
    assert (forced.name, forced.value, forced.expected) == (
        "forced",
        gnomon.Value.FALSE,
        gnomon.Value.FALSE,
    )
    assert forced.as_expected and not result[3].as_expected
    assert result["hollow"].vacuous.startswith("`under` is true in no reachable state")
    assert repr(forced) == "<forced: AF top: false, as expected>"
    assert repr(result[3]) == "<AG !top: false>"


def test_a_result_says_whether_all_is_as_expected() -> None:
    model = gnomon.load_text(EXPECTING)

    assert model.check(only=[1, 2, 3]).as_expected
    assert not model.check().as_expected
    assert not model.check(only=[3], strict=True).as_expected
    assert not model.check(only=[1], expect="true").as_expected
    assert model.check(only=[1], check_deadlock=True).as_expected


@pytest.mark.parametrize(
    ("text", "name", "hint"),
    [
        (EXPECTING, "forcd", "did you mean `forced`?"),
        (EXPECTING, "zzz", "there are: forced, reached, hollow"),
        (
            EXPECTING.replace("forced :", "").replace("reached :", "").replace("hollow :", ""),
            "x",
            "none",
        ),
    ],
)
def test_a_name_that_is_not_there_gets_a_hint(text: str, name: str, hint: str) -> None:
    result = gnomon.load_text(text).check()

    with pytest.raises(KeyError, match=re.escape(hint)):
        result[name]


def test_names_are_found_however_their_indices_are_spaced() -> None:
    text = EXPECTING.replace("reached :", "reached[i : 1..2, j : 1..1] :")
    result = gnomon.load_text(text).check(evidence=False)

    assert result["reached[2, 1]"] is result["reached[2,1]"] is result[2]
    assert "reached[1, 1]" in result and result[0] in result
    assert "reached" not in result and "" not in result and None not in result


def test_results_show_names_expectations_and_constants() -> None:
    result = gnomon.load_text(EXPECTING, "count.ispl", n=3).check(evidence=False)
    page = result._repr_html_()

    assert result.constants == {"n": 3}
    assert str(result).startswith("count.ispl  finite · n = 3\n\n  ✓ forced   AF top")
    assert "<strong>count.ispl</strong>" in page and "finite · n = 3" in page
    assert '>✓</span></td><td style="text-align:left">forced</td>' in page
    assert '<td class="g-true" style="text-align:left">false, as expected</td>' in page
    assert "vacuous: <code>under</code> is true in no reachable state" in page
    assert '>✗</span></td><td style="text-align:left">4</td>' in page


def test_stories_and_pages_have_the_constants() -> None:
    [answer] = gnomon.load_text(EXPECTING, n=3).check(only=[1])

    assert answer.story().splitlines()[:2] == ["forced: AF top is false, as expected", "n = 3"]
    assert '<p class="facts">n = 3</p>' in answer.html()
    assert '<span class="true">false, as expected</span>' in answer.html()


def test_a_parameter_is_no_constant_to_set() -> None:
    text = """
Parameters n, f; end Parameters
Assume n > 3 * f; f >= 0; end Assume
Environment
  Actions = { wait };
  Protocol: { wait };
  end Protocol
end Environment
Template Node [n - f]
  Vars: up : boolean = false; end Vars
  Actions = { rise };
  Protocol: !up : { rise };
  end Protocol
  Evolution: up = true if Action = rise; end Evolution
end Template
Evaluation all_up if forall i : Node (i.up = true); end Evaluation
Formulae EF all_up; end Formulae
"""
    with pytest.raises(gnomon.InputError, match="is a parameter") as raised:
        gnomon.load_text(text, n=4)

    [diagnostic] = [each for each in raised.value.diagnostics if each.code == "G0501"]
    assert "--agents n=4" in diagnostic.help
