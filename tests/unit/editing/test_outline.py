"""Outlines, folds and selections are well formed, whatever the text."""

from pathlib import Path

import pytest

from gnomon.editing.analysis import analyse
from gnomon.editing.colouring import coloured
from gnomon.editing.outline import OutlineNode, folds, grown, outline
from gnomon.text.source import Source

EXAMPLES = sorted(Path("examples").rglob("*.ispl"))

ONE = "Formulae\n p : AG q;\nend Formulae\n"
ODD = {
    "two sections": f"Agent A end Agent\n{ONE}{ONE.replace('p', 'r')}",
    "no end": "Agent A\n Vars:\n x : 0..3;\nAgent B\nVars:\n y : boolean;\n",
    "a digit of another script": "Agent B Vars: for v\u0660 : 1..2: x[v] : boolean; end for end Vars",
    "nothing": "",
    "very deep": "Formulae\n" + "for i : 1..2: " * 5_000,
}


def _check(node: OutlineNode, text: str) -> None:
    assert node.name
    assert 0 <= node.span.start <= node.span.end <= len(text)
    for child in node.children:
        assert node.span.start <= child.span.start
        assert child.span.end <= node.span.end
        _check(child, text)


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_texts_have_outlines_that_are_nested(text: str) -> None:
    analysis = analyse(Source("a.ispl", text))
    for node in outline(analysis):
        _check(node, text)
    for offset in range(0, len(text) + 1, max(len(text) // 200, 1)):
        spans = grown(analysis, offset)
        assert all(span.start <= offset <= span.end for span in spans)

    assert all(token.span.start < token.span.end for token in coloured(analysis, 0, len(text)))
    assert all(fold.first < fold.last for fold in folds(analysis))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_have_outlines_that_are_nested(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    analysis = analyse(Source("a.ispl", text))
    nodes = outline(analysis)
    for node in nodes:
        _check(node, text)

    assert "Formulae" in {node.name for node in nodes}
    assert {section.word for section in analysis.sections} >= {"Formulae"}
    assert all(section.closed for section in analysis.sections)


def test_sections_without_an_end_go_on_to_the_next() -> None:
    analysis = analyse(Source("a.ispl", ODD["no end"]))
    names = [(node.name, [child.name for child in node.children]) for node in outline(analysis)]

    assert [("A", ["Vars"]), ("B", ["Vars"])] == names
