import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from syrupy.assertion import SnapshotAssertion

from gnomon.checking import question as asking
from gnomon.checking.options import Options
from gnomon.model.evidence import Branch, Evidence, Explanation
from gnomon.results.evidence_tree import RunPosition
from gnomon.results.projection import PictureStyle
from gnomon.results.render.evidence import dot, html, itf, mermaid, svg, tikz
from gnomon.results.render.evidence import json as story_json
from gnomon.results.render.evidence.columns import arrange
from gnomon.results.render.evidence.picture import RunPicture, draw
from gnomon.results.render.evidence.view import VerdictView
from tests.unit.results import samples
from tests.unit.results.schemas import validate

SYSTEM = samples.system()
NASTY = 'a<b & "c" \\ `d`|#\x07'


def nasty() -> Evidence:
    """Return evidence whose words could break any format."""
    return Evidence(
        "counterexample", Explanation(NASTY, False, NASTY, "time", run=samples.run("fail"))
    )


def forked() -> Evidence:
    """Return a run with a lasso that goes on from its last state, and a norm."""
    norm = Explanation("O(Sender, bit)", False, "", "norm", ("Sender",), samples.run())
    inner = Explanation(
        "AF q",
        False,
        "this run breaks F q",
        "time",
        run=samples.run("fail", "fail", loop=1),
        branches=(Branch(1, norm),),
    )
    outer = Explanation(
        "AG AF q", False, "", "time", run=samples.run(), branches=(Branch(0, inner),)
    )
    return Evidence("counterexample", outer)


class Reader(HTMLParser):
    """Checks that elements nest, and collects their names, attributes and text."""

    VOID = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


# The picture


def test_runs_share_no_states_even_where_they_are_equal() -> None:
    picture = draw(SYSTEM, samples.counterexample())

    assert [len(column.nodes) for column in picture.columns] == [2, 2]
    assert picture.columns[0].nodes[0].lines == picture.columns[1].nodes[0].lines


def test_a_link_joins_the_state_in_doubt_and_the_one_that_looks_the_same() -> None:
    [link] = draw(SYSTEM, samples.counterexample()).links

    assert (link.left, link.right) == (RunPosition(1, 1), RunPosition(2, 1))
    assert (link.agents, link.kind) == (("Sender",), "knowledge")


def test_a_run_that_goes_on_from_another_shares_that_state() -> None:
    picture = draw(SYSTEM, forked())

    assert [(edge.source, edge.target, edge.back) for edge in picture.edges] == [
        (RunPosition(1, 0), RunPosition(2, 1), False),
        (RunPosition(2, 1), RunPosition(2, 1), True),
    ]
    assert [link.kind for link in picture.links] == ["norm"]


def test_steps_have_actions_and_lines() -> None:
    [edge, _] = draw(SYSTEM, samples.counterexample()).edges

    assert edge.lines == ("Environment: work, Sender: send,", "Receiver: idle", "line 11, 41")


def test_parts_of_the_formula_stand_at_their_states() -> None:
    nodes = draw(SYSTEM, samples.counterexample()).nodes

    assert [list(map(str, node.marks)) for node in nodes] == [
        ["✗ AG (received -> K(Sender, received))"],
        ["✗ received -> K(Sender, received)", "✗ K(Sender, received)"],
        [],
        ["✗ received"],
    ]


def boxes(picture: RunPicture) -> list[tuple[float, float, float, float]]:
    return [
        (box.x, box.y, box.x + box.width, box.y + box.height)
        for box in arrange(picture).boxes.values()
    ]


@pytest.mark.parametrize("evidence", [samples.counterexample(), samples.lasso(), forked()])
def test_no_box_covers_another(evidence: Evidence) -> None:
    found = boxes(draw(SYSTEM, evidence))

    assert all(
        a is b or a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        for a in found
        for b in found
    )


def test_states_that_look_the_same_are_neighbours() -> None:
    sheet = arrange(draw(SYSTEM, samples.counterexample()))

    assert sheet.boxes[RunPosition(1, 1)].y == sheet.boxes[RunPosition(2, 1)].y


# Projection

SHOWN = ("Sender",)
DRAWN: dict[str, Callable[..., str]] = {
    "dot": dot.render,
    "mermaid": mermaid.render,
    "svg": svg.render,
    "tikz": tikz.render,
    "itf": itf.render,
}


@pytest.mark.parametrize("form", DRAWN)
def test_agents_can_be_left_out(form: str) -> None:
    whole = DRAWN[form](SYSTEM, samples.counterexample())
    shown = SHOWN if form == "itf" else PictureStyle(SHOWN)
    some = DRAWN[form](SYSTEM, samples.counterexample(), shown)

    assert "channel" in whole
    assert "work" in whole
    assert "channel" not in some
    assert "work" not in some
    assert "Receiver" not in some
    assert "send" in some
    assert form == "itf" or "same for Sender" in some


def test_agents_can_be_left_out_of_a_page_and_of_data() -> None:
    verdict = samples.verdict(samples.counterexample())
    result = replace(samples.result(), verdicts=(verdict,), checks=())
    page = read(html.render(SYSTEM, verdict, SHOWN)).text
    data = story_json.explain(VerdictView(result, SHOWN))

    assert "channel" not in page + data
    assert "same for Sender" in page
    assert "bit = false" in page


# Formats


def test_dot(snapshot: SnapshotAssertion) -> None:
    assert dot.render(SYSTEM, samples.counterexample()) == snapshot


@pytest.mark.parametrize("evidence", [samples.counterexample(), samples.lasso(), forked(), nasty()])
def test_dot_is_balanced_and_quoted(evidence: Evidence) -> None:
    text = dot.render(SYSTEM, evidence)
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", text, flags=re.DOTALL)

    assert '"' not in bare
    assert bare.count("{") == bare.count("}")
    assert bare.count("[") == bare.count("]")


def test_mermaid(snapshot: SnapshotAssertion) -> None:
    assert mermaid.render(SYSTEM, forked()) == snapshot


def test_mermaid_escapes_what_has_a_meaning() -> None:
    text = mermaid.render(SYSTEM, nasty())

    assert "a#60;b #38; #34;c#34;" in text
    assert all(line.count('"') % 2 == 0 for line in text.splitlines())


def test_svg(snapshot: SnapshotAssertion) -> None:
    assert svg.render(SYSTEM, samples.counterexample()) == snapshot


@pytest.mark.parametrize("evidence", [samples.counterexample(), samples.lasso(), forked(), nasty()])
def test_svg_is_well_formed(evidence: Evidence) -> None:
    assert ET.fromstring(svg.render(SYSTEM, evidence)).tag == "{http://www.w3.org/2000/svg}svg"


def test_svg_shows_links_loops_and_strange_words() -> None:
    tree = ET.fromstring(svg.render(SYSTEM, forked()))
    words = [text.text for text in ET.fromstring(svg.render(SYSTEM, nasty())).findall(".//{*}text")]

    assert len(tree.findall(".//{*}path[@class='norm']")) == 1
    assert len(tree.findall(".//{*}path[@class='back']")) == 1
    assert "✗ " + NASTY.replace("\x07", r"\x07") in words


def trace(evidence: Evidence, number: int = 1) -> Any:
    return json.loads(itf.render(SYSTEM, evidence, None, number, "bits.ispl"))


@pytest.mark.parametrize("evidence", [samples.counterexample(), samples.lasso(), forked()])
def test_itf_has_its_shape(evidence: Evidence) -> None:
    for number in range(1, itf.count(evidence) + 1):
        value = trace(evidence, number)

        assert value["#meta"]["format"] == "ITF"
        assert value["#meta"]["source"] == "bits.ispl"
        for index, state in enumerate(value["states"]):
            assert state.pop("#meta")["index"] == index
            assert set(state) == set(value["vars"])
            assert all(isinstance(item, bool | str | dict) for item in state.values())


def test_itf_marks_the_loop_and_the_actions() -> None:
    value = trace(samples.lasso())

    assert value["loop"] == 1
    assert [state["Environment.Action"] for state in value["states"]] == ["", "fail"]
    assert value["#meta"]["back"]["Environment"] == "fail"
    assert "loop" not in trace(samples.counterexample())


def test_itf_has_one_run_a_document() -> None:
    evidence = samples.counterexample()

    assert itf.count(evidence) == 2
    assert trace(evidence, 1)["states"][1]["Receiver.got"] == "zero"
    assert trace(evidence, 2)["states"][1]["Environment.channel"] == "down"


@pytest.mark.parametrize(("value", "written"), [(7, {"#bigint": "7"}), (True, True), ("a", "a")])
def test_itf_writes_integers_as_strings(value: int | str, written: object) -> None:
    assert itf._value(value) == written


def test_html(snapshot: SnapshotAssertion) -> None:
    assert (
        html.render(SYSTEM, samples.verdict(samples.counterexample()), None, ["bits"]) == snapshot
    )


@pytest.mark.parametrize(
    "evidence",
    [
        None,
        samples.counterexample(),
        samples.lasso(),
        samples.refusal(),
        samples.ruled(),
        samples.strategy(),
        forked(),
        nasty(),
    ],
)
def test_html_needs_nothing_else(evidence: Evidence | None) -> None:
    page = html.render(SYSTEM, samples.verdict(evidence))
    reader = read(page)

    assert "http" not in page
    assert not {"script", "link", "img", "iframe"} & set(reader.tags)
    assert not {"src", "href"} & {name for name, _ in reader.attributes}
    assert "prefers-color-scheme: dark" in page


def test_html_shows_strange_words_as_they_are() -> None:
    reader = read(html.render(SYSTEM, samples.verdict(nasty())))

    assert NASTY.replace("\x07", "") in reader.text
    assert "b" not in reader.tags


def test_html_shows_rules_answers_and_conflicts() -> None:
    ruled = read(html.render(SYSTEM, samples.verdict(samples.ruled()))).text
    refused = read(html.render(SYSTEM, samples.verdict(samples.refusal()))).text

    assert "otherwise: Sender does send" in ruled
    assert "the table of 4 rows" in ruled
    assert "Environment does fail" in refused
    assert "Sender sees Sender.ack = false" in refused


def test_json_has_the_story_and_is_as_published() -> None:
    result = replace(samples.result(), verdicts=(samples.verdict(samples.counterexample()),))
    value = validate("check", story_json.explain(VerdictView(result)))
    [formula] = value["formulae"]

    assert formula["story"][0].startswith("A run reaches a state")
    assert formula["evidence"]["kind"] == "counterexample"


def unnoticed_arrival() -> VerdictView:
    """Return a verdict with two states of one run that look the same."""
    question = asking.Question(
        Path("examples/bit_transmission.ispl").read_text(encoding="utf-8"),
        only=("sender_notices_arrival",),
        options=Options(evidence=True),
    )
    return VerdictView(asking.read(question).check())


def test_states_of_one_run_that_look_the_same_are_joined_inside_the_picture() -> None:
    tree = ET.fromstring(svg.explain(unnoticed_arrival()))
    width = float(tree.attrib["width"])
    said = {text.text: float(text.attrib["x"]) for text in tree.findall(".//{*}text")}

    assert 0 < said["same for Sender"] < width
    assert all(0 <= x < width for x in said.values())


def test_in_tikz_they_are_joined_at_the_right_of_all_boxes() -> None:
    drawn = tikz.explain(unnoticed_arrival())
    [line] = [line for line in drawn.splitlines() if "draw[gnomon knowledge]" in line]
    first, bow, again, last = (float(x) for x in re.findall(r"\((-?[\d.]+),", line))
    boxes = re.findall(r"minimum width=([\d.]+)pt.*?at \((-?[\d.]+),", drawn)
    edges = [float(middle) + float(width) / 0.56 / 2 for width, middle in boxes]

    assert bow == again > max(edges)
    assert pytest.approx(sorted(edges), abs=1) == sorted([first, last])
