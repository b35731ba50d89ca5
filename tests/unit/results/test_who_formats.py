"""Groups in every format: found, followed, drawn, and said in words."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from gnomon.checking.verdict import Value
from gnomon.results.drawing.lattice import lattices
from gnomon.results.formats import WHO
from gnomon.results.groups import Direction, GroupAnswer, GroupSurvey, WhoReport
from gnomon.results.render.notebook import who as notebook
from gnomon.results.styled import Page, StyledText
from tests.unit.results.schemas import validate

YES, NO, OPEN = (Value.TRUE, True), (Value.FALSE, False), (Value.UNKNOWN, None)


def survey(
    answers: dict[int, tuple[Value, bool | None]],
    agents: int = 3,
    direction: Direction | None = "up",
    nobody: tuple[Value, bool | None] = NO,
) -> GroupSurvey:
    """Return what is known after some answers."""
    names = tuple(f"Agent{number}" for number in range(1, agents + 1))
    given = tuple(
        GroupAnswer(group, *found, f"<{group}>F done", "" if found[1] is not None else "no time")
        for group, found in answers.items()
    )
    empty = GroupAnswer(0, *nobody, "<>F done")
    return GroupSurvey("enforces", "<…>F done", names, agents, direction, given, empty)


def report(*surveys: GroupSurvey) -> WhoReport:
    """Return a report with these surveys."""
    return WhoReport("model.ispl", "finite", "enforces", "F done", surveys, strategies="perfect")


def shown(form: str, found: WhoReport, page: Page = Page()) -> str:
    """Return a report in a format, as plain text."""
    text = WHO[form].render(found, page)
    return text.plain() if isinstance(text, StyledText) else text


#: The first agent can alone, the others cannot together.
SIMPLE = survey({0b111: YES, 0b001: YES, 0b110: NO})
#: The first can; what the second can do alone nobody knows.
DOUBTFUL = survey({0b11: YES, 0b10: OPEN, 0b01: NO}, agents=2)


def test_text_has_the_border_and_nothing_else() -> None:
    text = shown("text", report(SIMPLE))

    assert "smallest coalitions that can:\n    ✓ Agent1\n" in text
    assert "largest coalitions that cannot:\n    ✗ Agent2, Agent3\n" in text
    assert "Agent1, Agent2" not in text


def test_what_is_not_certain_is_said_with_a_word_of_doubt() -> None:
    text = shown("text", report(DOUBTFUL))

    assert "✓ Agent1, Agent2  (perhaps not at the border: others are open)" in text
    assert "not known of 1 of 3:\n    ? Agent2: no time" in text


def test_where_nobody_is_needed_no_coalition_is_named() -> None:
    text = shown("text", report(survey({0b1: YES}, agents=1, nobody=YES)))

    assert "nobody is needed" in text
    assert "Agent1" not in text


def test_where_nobody_can_the_environment_that_was_left_out_is_named() -> None:
    nobody = report(survey({0b1: NO}, agents=1))
    somebody = report(SIMPLE)
    words = "the environment is not counted, and may be able to; --environment counts it"

    assert words in shown("text", replace(nobody, without_environment=True))
    assert words in notebook.render(replace(nobody, without_environment=True))
    assert words not in shown("text", nobody)
    assert words not in shown("text", replace(somebody, without_environment=True))


@pytest.mark.parametrize("form", ["svg", "dot", "tikz", "mermaid"])
def test_every_group_is_drawn_with_words_and_not_by_colour_alone(form: str) -> None:
    drawn = shown(form, report(SIMPLE))

    assert "can, minimal" in drawn
    assert "cannot, maximal" in drawn
    assert "nobody" in drawn
    if form == "svg":
        ET.fromstring(drawn)


def test_an_arrow_leads_to_each_group_with_one_member_less() -> None:
    [diagram] = lattices(report(SIMPLE))

    assert len(diagram.nodes) == 8
    assert len(diagram.edges) == 12


def test_of_many_groups_only_the_border_is_drawn() -> None:
    [diagram] = lattices(report(survey({0b111111: YES, 0b1: YES, 0b111110: NO}, agents=6)))

    assert [node.title for node in diagram.nodes] == ["Agent1", "Agent2, Agent3, Agent4, Agent5,"]
    assert "only the border of 63 groups: 2 of them" in diagram.notes


@pytest.mark.parametrize("found", [SIMPLE, DOUBTFUL, survey({1: YES, 3: NO}, 2, None)])
def test_data_follow_the_schema(found: GroupSurvey) -> None:
    data = validate("who", shown("json", report(found)))

    assert data["complete"] == (not found.open)
