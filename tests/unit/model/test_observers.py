"""Fairness on actions: who is added for it, and who does not notice."""

import pytest

import gnomon
from gnomon.checking.attempts import Engine
from gnomon.model.builder import SystemDraft
from gnomon.model.formula import Enforces, GroupKnows
from gnomon.model.observers import with_observers
from gnomon.model.step import view
from gnomon.model.system import System
from gnomon.text.diagnostic import InputError

PROGRAM = """
{semantics}
Agent Environment
  Vars: lit : boolean = false; end Vars
  Actions = {{ blink }};
  Protocol: Other : {{ blink }}; end Protocol
  Evolution: lit = true if lit = false; lit = false if lit = true; end Evolution
end Agent
Agent Train
  Vars: at : {{ out, in }} = out; end Vars
  Actions = {{ go, wait }};
  Protocol: Other : {{ go, wait }}; end Protocol
  Evolution:
    at = in if at = out and Action = go;
    at = out if at = in and Action = go;
  end Evolution
end Agent
Evaluation inside if Train.at = in; end Evaluation
Fairness {fairness} end Fairness
Formulae {formulae} end Formulae
"""


def program(fairness: str, formulae: str = "AF inside;", semantics: str = "") -> str:
    return PROGRAM.format(fairness=fairness, formulae=formulae, semantics=semantics)


def system(fairness: str, formulae: str = "AF inside;", semantics: str = "") -> System:
    model = gnomon.load_text(program(fairness, formulae, semantics))
    assert isinstance(model, gnomon.Model)
    return model.system


def refused(text: str, formula: str) -> list[str]:
    with pytest.raises(InputError) as raised:
        gnomon.load_text(text).check(formula)
    return [item.code for item in raised.value.diagnostics]


def observers(found: System) -> list[str]:
    return [agent.name for agent in found.agents if agent.observer]


@pytest.mark.parametrize("fairness", ["", "inside;", "Train.at = in; EF inside;"])
def test_who_does_not_look_at_actions_adds_nobody(fairness: str) -> None:
    found = system(fairness)

    assert observers(found) == []
    assert with_observers(found) is found


def test_each_constraint_on_actions_has_an_observer_of_its_number() -> None:
    found = system("Train.Action = go; inside; Train.Action <> go;")

    assert observers(found) == ["Fairness1", "Fairness3"]
    assert [item.text for item in found.fairness] == [
        "Train.Action = go",
        "inside",
        "Train.Action <> go",
    ]


def test_an_observer_takes_no_name_of_others() -> None:
    text = program("Train.Action = go;").replace("Train", "Fairness1")
    model = gnomon.load_text(text)

    assert isinstance(model, gnomon.Model)
    assert observers(model.system) == ["Fairness1_"]
    assert model.check()[0].value is gnomon.Value.TRUE


def test_nobody_sees_what_an_observer_remembers() -> None:
    found = system("Train.Action = go or Environment.lit = true;")
    [watching] = [agent for agent in found.agents if agent.observer]
    state = (False, "out", True)

    for agent in found.agents:
        if agent is not watching:
            assert view(found, agent, state) == view(found, agent, (*state[:2], False))


@pytest.mark.parametrize(
    "name", ["Fairness1.met = true", "K(Fairness1, inside)", "<Fairness1>F inside"]
)
def test_no_formula_names_an_observer(name: str) -> None:
    text = program("Train.Action = go;")

    assert refused(text, name) in (["G0203"], ["G0603"])
    with pytest.raises(InputError):
        gnomon.load_text(program("Train.Action = go;", f"{name};"))


def test_all_are_all_but_observers() -> None:
    model = gnomon.load_text(program("Train.Action = go;", "<all>F inside; GK(all, true);"))

    assert isinstance(model, gnomon.Model)
    for item in model.system.specifications:
        assert isinstance(item.formula, Enforces | GroupKnows)
        assert item.formula.group.members == ("Train",)
    [typed] = model.check("<all>F inside")
    assert typed.value is gnomon.Value.TRUE


def test_a_constraint_that_no_step_meets() -> None:
    result = gnomon.load_text(program("Train.Action = go and Train.Action = wait;")).check(
        allow=["G0804"]
    )

    [found] = [item for item in result.diagnostics if item.code == "G0805"]
    assert found.message.startswith("no step that can be taken meets `Train.Action = go and")


@pytest.mark.parametrize("engine", ["explicit", "bdd"])
def test_coalitions_that_may_wait_are_refused(engine: Engine) -> None:
    text = program("Train.Action = go;", semantics="Semantics = Interleaved;")
    model = gnomon.load_text(text)

    assert model.check(engine=engine)[0].value is gnomon.Value.TRUE
    for formula in ("<Train>F inside", "AG <Train>X inside"):
        with pytest.raises(InputError) as raised:
            model.check(formula, engine=engine)
        [item] = raised.value.diagnostics
        assert item.code == "G0821" and "`last = Action`" in item.help
    with pytest.raises(InputError):
        model.check(strategies="uniform-model")


def test_a_builder_takes_fairness_on_actions() -> None:
    b = SystemDraft("train")
    train = b.agent("Train", actions=["go", "wait"])
    inside = train.boolean("inside")
    train.otherwise("go", "wait")
    train.evolve({inside: ~inside}, when=train.does("go"))
    b.fairness("Train.Action = go")
    b.formula("AG AF Train.inside = true")

    found = b.finished(initial=~inside)

    assert observers(found) == ["Fairness1"]
    assert gnomon.Model(found).check()[0].value is gnomon.Value.TRUE
    b.fairness("Train.Action = go or K(Train, Train.inside = true)")
    with pytest.raises(InputError, match="G0611"):
        b.finished(initial=~inside)
