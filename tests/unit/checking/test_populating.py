"""Templates with so many agents: an ordinary system that is the model with these agents."""

from pathlib import Path

import pytest

from gnomon.checking.load import Loaded, load, read_formula
from gnomon.checking.populating import (
    MOST_WALKING,
    about_population,
    populate,
    template_facts,
    template_propositions,
    template_reads,
)
from gnomon.model import expression as typed
from gnomon.model import formula as f
from gnomon.model.fold.systems import mapped
from gnomon.model.step import initial_states, successors
from gnomon.model.translation import CannotExport
from tests.support import EXAMPLES

PARAMETERISED = sorted((EXAMPLES / "parameterised").glob("*.ispl"))


def rooms() -> Loaded:
    return load(str(EXAMPLES / "parameterised" / "rooms.ispl"))


def test_there_are_so_many_agents_of_each_template() -> None:
    found = populate(rooms(), {"Robot": 3})

    assert ["Environment", "Robot1", "Robot2", "Robot3"] == [a.name for a in found.system.agents]
    assert {"Robot1": "Robot", "Robot2": "Robot", "Robot3": "Robot"} == found.template_of
    assert {"Robot": 3} == found.numbers


def test_nobody_may_be_there() -> None:
    found = populate(rooms(), {"Robot": 0})

    assert ["Environment"] == [agent.name for agent in found.system.agents]
    assert list(initial_states(found.system))


def test_who_is_not_named_is_there_as_often_as_it_must_be() -> None:
    loaded = load(str(EXAMPLES / "parameterised" / "quorum_three.ispl"))

    assert {"Voter": 1} == populate(loaded, {}).numbers


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"Voter": 0}, "`Voter` has 1 to 3 agents, not 0"),
        ({"Voter": 4}, "`Voter` has 1 to 3 agents, not 4"),
        ({"Voter": -1}, "`Voter` has 1 to 3 agents, not -1"),
        ({"Robot": 1}, "there is no template `Robot`: there are Voter"),
    ],
)
def test_numbers_are_those_that_the_template_allows(numbers: dict[str, int], said: str) -> None:
    loaded = load(str(EXAMPLES / "parameterised" / "quorum_three.ispl"))

    with pytest.raises(CannotExport, match=said):
        populate(loaded, numbers)


def test_too_many_are_refused() -> None:
    with pytest.raises(CannotExport, match="too many to walk with"):
        populate(rooms(), {"Robot": MOST_WALKING + 1})


def test_a_model_without_templates_has_no_population() -> None:
    loaded = load(str(EXAMPLES / "nim.ispl"))

    assert () == template_facts(loaded)
    assert ({}, {}) == (template_propositions(loaded), template_reads(loaded))
    with pytest.raises(CannotExport, match="no templates"):
        populate(loaded, {})


def test_every_action_says_where_it_is_enabled() -> None:
    robot = populate(rooms(), {"Robot": 1}).system.agent("Robot1")
    lines = {rule.actions: rule.line for rule in robot.protocol}

    assert {
        ("nop",): 0,
        ("enter_A",): 40,
        ("enter_B",): 41,
        ("enter_C",): 42,
    }.items() <= lines.items()


def test_agents_see_what_their_template_sees() -> None:
    """Also where their guards look at more: else they would know more than in the model."""
    assert () == populate(rooms(), {"Robot": 2}).system.agent("Robot1").sees


@pytest.mark.parametrize("path", PARAMETERISED, ids=lambda path: path.stem)
def test_two_agents_can_be_walked_with(path: Path) -> None:
    loaded = load(str(path))
    names = {each.name: max(2, each.low) for each in template_facts(loaded) if each.is_template}
    if path.stem == "vault":
        with pytest.raises(CannotExport, match="not listed"):
            populate(loaded, names)
        return
    system = populate(loaded, names).system
    if path.stem == "batteries":  # they begin with any charge
        return

    assert successors(system, next(initial_states(system)))


def spread(formula: f.Formula) -> f.Formula:
    """Return a formula with connectives around conditions, not in them, which makes no difference."""
    match formula:
        case f.StateCondition(typed.And(parts)):
            return f.And(tuple(spread(f.StateCondition(part)) for part in parts))
        case f.StateCondition(typed.Or(parts)):
            return f.Or(tuple(spread(f.StateCondition(part)) for part in parts))
        case f.StateCondition(typed.Not(body)):
            return f.Not(spread(f.StateCondition(body)))
        case _:
            return mapped(formula, spread)


@pytest.mark.parametrize("path", PARAMETERISED, ids=lambda path: path.stem)
def test_formulae_are_read_with_the_names_of_a_population(path: Path) -> None:
    loaded = load(str(path))
    if path.stem == "vault":
        return
    names = {each.name: max(2, each.low) for each in template_facts(loaded) if each.is_template}
    system = populate(loaded, names).system
    about = about_population(loaded, system)

    assert [spread(item.formula) for item in system.specifications] == [
        spread(read_formula(about, item.parsed).formula) for item in system.specifications
    ]


def test_templates_read_the_environment_and_each_other() -> None:
    found = template_reads(rooms())

    assert ("security", "armed") == found["Robot", "Environment"].variables
    assert ("enter_B", "enter_C", "switch_off", "trap") == found["Robot", "Environment"].together
    assert ("Environment", "Robot") not in found
