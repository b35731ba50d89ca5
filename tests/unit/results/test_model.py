from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from gnomon.checking.load import load, load_text
from gnomon.checking.sizes import Sizes, measure
from gnomon.results.describe import of_system, seen_by
from gnomon.results.render import model
from gnomon.results.render.json import dumps
from gnomon.results.render.templates import render_templates
from gnomon.results.styled import width_of
from tests.support import EXAMPLES
from tests.unit.results import samples
from tests.unit.results.schemas import validate

COUNTS = """
Agent Counter
  Vars: x : int; end Vars
  Actions = { count };
  Protocol: Other : { count }; end Protocol
  Evolution: x = x + 1 if true; end Evolution
end Agent
Evaluation zero if Counter.x = 0; end Evaluation
InitStates Counter.x >= 0 and Counter.x < 3; end InitStates
Formulae EF zero; end Formulae
"""


def test_a_model_is_shown(snapshot: SnapshotAssertion) -> None:
    sizes = Sizes(24, 2, 20)

    assert model.render("bits.ispl", samples.system(), sizes, 60).plain() == snapshot


def test_a_count_that_stopped_says_so() -> None:
    text = model.render("m", samples.system(), Sizes(None, 5, 7, False, False)).plain()

    assert "possible   no bound" in text
    assert "at least 7 (counting stopped" in text
    assert "at least 5" in text


def test_a_description_is_as_published(snapshot: SnapshotAssertion) -> None:
    text = dumps(of_system("bits.ispl", samples.system(), Sizes(24, 2, 20)))
    validate("show", text)

    assert text == snapshot


def test_states_are_counted() -> None:
    assert measure(samples.system(), 1000) == Sizes(24, 2, 20)


def test_states_without_bound_are_counted_so_far() -> None:
    system = load_text(COUNTS).system
    assert system is not None

    assert measure(system, 7) == Sizes(None, 3, 7, complete=False)
    assert measure(system, 2).all_initial is False


def test_an_agent_sees_its_own_variables() -> None:
    seen = {
        variable.name: seen_by(samples.system(), variable)
        for variable in samples.system().variables
    }

    assert seen["bit"] == ["Sender"]


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.ispl")), ids=lambda path: path.stem)
@pytest.mark.parametrize("width", [40, 60, 80])
def test_every_example_fits_the_page(path: Path, width: int) -> None:
    loaded = load(str(path))
    if loaded.system is not None:
        shown = model.render(path.name, loaded.system, Sizes(24, 2, 20), width, loaded.in_force)
    else:
        assert loaded.templates is not None
        shown = render_templates(path.name, loaded.templates, width, loaded.in_force)

    assert [] == [line for line in shown.plain().splitlines() if width_of(line) > width]


def test_formulae_are_shown_with_names_and_expectations() -> None:
    text = COUNTS.replace("Formulae EF zero;", "Formulae low : EF zero; AG zero expect false;")
    system = load_text(text).system
    assert system is not None

    shown = model.render("m", system, Sizes(None, 3, None)).plain()

    assert "  low  EF zero\n  2    AG zero expect false\n" in shown


def test_the_constants_in_force_are_in_the_first_line() -> None:
    shown = model.render("m", samples.system(), Sizes(24, 2, 20), 80, (("n", 3), ("k", 1000)))

    assert shown.plain().startswith("m  finite · n = 3, k = 1,000 · ")
