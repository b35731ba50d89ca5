"""Questions that are not the program's own: what they ask of relations counts as much."""

import pytest

from gnomon.checking.check import Options, check
from gnomon.checking.load import load_text, read_specification
from gnomon.checking.verdict import Value
from tests.certificates import verified

LOADED = load_text("""
Types D : { a, b }; end Types
Relations R : D; S : D; end Relations
Axioms forall x : D (S(x) or x = a); end Axioms
Definitions
  here := R(a);
  there := exists i : T (R(i.w));
end Definitions
Environment
  Vars: x : boolean = false; end Vars
  Actions = { go };
  Protocol: x = false : { go }; end Protocol
  Evolution: x = true if Action = go; end Evolution
end Environment
Template T
  Vars: w : D = a; end Vars
end Template
Evaluation p if Environment.x = true; end Evaluation
Formulae AF p; end Formulae
""")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("EG here", Value.TRUE),
        ("EG !here", Value.TRUE),
        ("AF (p and !here)", Value.FALSE),
        ("AF there", Value.FALSE),
        ("AG !there", Value.FALSE),
        ("AG EF here", Value.FALSE),
        ("AF (p and here)", Value.FALSE),
        ("AG !K(T, here)", Value.TRUE),
        ("<Environment>G here", Value.FALSE),
        ("AF p", Value.TRUE),
        ("EG !p", Value.FALSE),
        ("LTL G !p", Value.FALSE),
    ],
)
def test_what_only_a_typed_formula_asks_may_be_so_or_not(text: str, value: Value) -> None:
    question = read_specification(LOADED, text)
    system = LOADED.templates
    assert system is not None
    result = check(system, [question], Options(certificate=True))

    assert [value] == [each.value for each in result.verdicts]
    assert result.certificate is not None
    [entry] = result.certificate["verdicts"]
    if entry["proof"] is not None:
        [outcome] = verified(system, {"verdicts": [{**entry, "index": 1}]}, [question])
        assert outcome.accepted, outcome


@pytest.mark.parametrize("text", ["EF p", "EG p", "E(p U !p)", "EF AG p", "AG !p", "A(!p U p)"])
def test_relations_that_only_axioms_ask_are_in_nobodys_way(text: str) -> None:
    system = LOADED.templates
    assert system is not None
    bare = check(system, [read_specification(LOADED, text)]).verdicts
    free = load_text(LOADED.source.text.replace("forall x : D (S(x) or x = a);", "")).templates
    assert free is not None
    [found], [expected] = bare, check(free, [read_specification(LOADED, text)]).verdicts

    assert expected.value == found.value


def test_a_run_says_how_relations_are_filled() -> None:
    system = LOADED.templates
    assert system is not None
    [found] = check(system, [read_specification(LOADED, "AF (p and !here)")]).verdicts

    assert found.numbers is not None
    assert "R(a)" in found.numbers.facts
