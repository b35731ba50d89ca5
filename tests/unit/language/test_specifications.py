"""Names and expectations as they are read; `tests/spec/expectations.md` says what they mean."""

import pytest

from gnomon.api import check
from gnomon.checking.load import load_text, read_specification
from gnomon.checking.question import Question, read
from gnomon.language import syntax
from gnomon.language.parse import parse
from gnomon.model.builder import SystemDraft
from gnomon.text.diagnostic import InputError
from gnomon.text.source import Source

MODEL = """
Agent P
  Vars: x : boolean; end Vars
  Actions = {{ a }};
  Protocol: Other : {{ a }}; end Protocol
  Evolution: x = true if Action = a; end Evolution
end Agent
Evaluation p if P.x = true; end Evaluation
InitStates P.x = false; end InitStates
Formulae
{formulae}
end Formulae
"""


def model(*formulae: str) -> str:
    return MODEL.format(formulae="\n".join(formulae))


def program(*formulae: str) -> syntax.Program:
    parsed = parse(Source("<text>", model(*formulae)))
    assert not parsed.diagnostics.items, parsed.diagnostics.items
    return parsed.program


@pytest.mark.parametrize("line", ["sure[2, -1] : EF p;", "--! sure[ 2,-1 ]\nEF p;"])
def test_a_name_with_numbers_makes_no_family_of_a_program(line: str) -> None:
    found = program(line)
    assert found.formulae is not None
    [formula] = found.formulae

    assert not found.uses_families
    assert isinstance(formula, syntax.FormulaLine)
    assert formula.annotation.name == syntax.Name("sure[2,-1]")


def test_the_place_of_a_formula_is_without_what_is_said_about_it() -> None:
    text = model("--! b expect true", "b : EF p expect true;")
    [formula] = parse(Source("<text>", text)).program.formulae or ()

    assert text[slice(*formula.span)] == "EF p"


def test_rules_about_codes_are_kept_in_their_order_with_their_places() -> None:
    text = model("--! deny G0401 G0402 -- since they are mistakes", "EF p; --! allow G0407, G0408")
    rules = parse(Source("<text>", text)).program.code_rules

    assert [("deny", "G0401"), ("deny", "G0402"), ("allow", "G0407"), ("allow", "G0408")] == [
        (rule.word, rule.code) for rule in rules
    ]
    assert [rule.code for rule in rules] == [text[slice(*rule.span)] for rule in rules]


def test_comments_that_only_look_alike_say_nothing() -> None:
    found = program("--!a expects false", "--!", "--!! b", "-- ! c", "--!\u00a0d", "EF p;")
    [formula] = found.formulae or ()

    assert isinstance(formula, syntax.FormulaLine)
    assert formula.annotation == syntax.Annotation()


def test_the_blank_may_be_missing_where_a_word_of_ours_follows() -> None:
    found = program("--!a expect false", "EF p;", "--!allow G0407")

    [formula] = found.formulae or ()
    assert isinstance(formula, syntax.FormulaLine)
    assert formula.annotation == syntax.Annotation(syntax.Name("a"), "false")
    assert found.code_rules == (syntax.CodeRule("allow", "G0407"),)


def test_thousands_of_formulae_have_names() -> None:
    lines = [f"f{number} : EF p expect true;" for number in range(3000)]
    lines += [f"--! g{number} expect true\nEF p;" for number in range(3000)]
    asked = read(Question(model(*lines), only=("g2999", "f1??")))

    assert not asked.has_errors
    assert [*range(101, 201), 6000] == [number for number, _ in asked.items]


@pytest.mark.parametrize("form", ["{} : EF p;", "--! {}\nEF p;"])
def test_a_name_may_be_long(form: str) -> None:
    name = "n" * 100_000
    system = load_text(model(form.format(name))).system

    assert system is not None
    assert [name] == [item.name for item in system.specifications]


def test_one_formula_in_many_places_is_said_to_have_a_name_once() -> None:
    text = model("for i : 1..1000: same : EF p; end for")
    found = [item.code for item in load_text(text).diagnostics]

    assert ["G0607"] == found


def test_a_formula_that_is_typed_is_one_formula() -> None:
    loaded = load_text(model("EF p;"))
    with pytest.raises(InputError, match="G0506"):
        read_specification(loaded, "many[i : 1..3000000000] : EF p")
    found = read_specification(loaded, "--! one[1 + 1] expect false\nEF p;")

    assert ("one[2]", "false", "EF p") == (found.name, found.expected, found.text)


def test_formulae_about_a_built_system_have_indices_as_well() -> None:
    b = SystemDraft("coins")
    agent = b.agent("Coin[1]", actions=["toss"])
    heads = agent.boolean("heads")
    agent.otherwise("toss")
    agent.evolve({heads: True}, when=agent.does("toss"))
    b.proposition("heads[1]", heads)
    [answer] = check(b.finished(initial=~heads), "seen[1] : EF (heads[1] and Coin[1].heads)")

    assert answer.holds
