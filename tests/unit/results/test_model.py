from syrupy.assertion import SnapshotAssertion

from gnomon.results.describe import Sizes, measure, of_system, seen_by
from gnomon.results.render import model
from gnomon.results.render.json import dumps
from tests.unit.results import samples
from tests.unit.results.schemas import validate


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
    assert measure(samples.system(), 7).complete is False
    assert measure(samples.system(), 1).all_initial is False


def test_an_agent_sees_its_own_variables() -> None:
    seen = {
        variable.name: seen_by(samples.system(), variable)
        for variable in samples.system().variables
    }

    assert seen["bit"] == ["Sender"]
