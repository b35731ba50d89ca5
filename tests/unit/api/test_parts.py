"""What a model is made of, as Python lists it."""

import gnomon
from tests.support import EXAMPLES

MUTEX = str(EXAMPLES / "parameterised" / "mutex_some.ispl")


def built() -> gnomon.Model:
    b = gnomon.SystemBuilder("lamp")
    around = b.environment()
    dark = around.boolean("dark", initial=True)
    hand = b.agent("Hand", actions=["press", "rest"], sees=[dark])
    count = hand.integer("count", 0, 3, initial=0)
    hand.otherwise("press", "rest")
    b.proposition("none", count == 0)
    b.group("all", hand)
    b.formula("AG none", name="never", expect=False)
    return b.build()


def test_a_built_model_lists_its_agents() -> None:
    around, hand = built().agents

    assert ("Environment", {"dark": "boolean"}, ()) == (around.name, around.variables, around.sees)
    assert {"count": "0..3"} == hand.variables
    assert (("press", "rest"), ("dark",)) == (hand.actions, hand.sees)
    assert "<agent Hand: has count : 0..3; does press, rest; sees dark>" == repr(hand)


def test_a_built_model_lists_its_formulae_and_names() -> None:
    model = built()
    [formula] = model.formulae

    assert (1, "never", "AG none") == (formula.number, formula.name, formula.text)
    assert gnomon.Value.FALSE is formula.expected
    assert {"none": "Hand.count = 0"} == model.propositions
    assert {"all": ("Hand",)} == model.groups


def test_an_environment_of_nothing_is_no_agent() -> None:
    b = gnomon.SystemBuilder("still")
    b.agent("Hand", actions=["rest"]).otherwise("rest")

    assert ["Hand"] == [agent.name for agent in b.build().agents]


def test_each_formula_can_be_asked_by_its_number_and_name() -> None:
    model = gnomon.load(str(EXAMPLES / "tickets.ispl"))

    for formula in model.formulae:
        for choice in (formula.number, formula.name):
            [answer] = model.check(only=choice, evidence=False)
            assert (formula.text, formula.line) == (answer.formula, answer.line)
            assert formula.expected is answer.expected


def test_an_open_model_lists_its_templates() -> None:
    model = gnomon.load(MUTEX)
    assert isinstance(model, gnomon.OpenModel)

    assert ["Process"] == [each.name for each in model.templates]
    assert repr(model.templates[0]).startswith("<template Process: ")
    assert model.templates[0] in model.agents
    assert "clash" in model.propositions
    assert {} == model.groups
    assert model.formulae
