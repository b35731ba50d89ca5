"""Whatever names a system has: what is made of it is well formed and harmless.

The builder refuses such names, so that this is about the second line of defence.
"""

import json as standard
import re
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch
from xml.etree import ElementTree as ET

import pytest

from gnomon.checking.check import Options, check
from gnomon.checking.verdict import Result
from gnomon.model.builder import SystemDraft
from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results.graph import StateGraph, reachable_graph
from gnomon.results.render import csv, json, jsonl, junit, sarif, text
from gnomon.results.render.evidence import dot as evidence_dot
from gnomon.results.render.evidence import html, itf
from gnomon.results.render.evidence import mermaid as evidence_mermaid
from gnomon.results.render.evidence import svg as evidence_svg
from gnomon.results.render.evidence import tikz as evidence_tikz
from gnomon.results.render.graph import dot, mermaid, svg, tikz
from gnomon.results.render.graph import json as graph_json

ODD = "a\ud800-\udcff\x1b[2J\x07\x9b\u202e\ufffe"
NAME = f"formula {ODD}"
#: What a terminal obeys, and half a character; none of it has a place in a document.
ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def odd_system() -> System:
    """Return a system in which everything has an odd name."""
    with (
        patch("gnomon.model.builder.checked_name", lambda name, *_: name),
        patch("gnomon.model.builder.checked_names", lambda names, *_: tuple(names)),
    ):
        builder = SystemDraft("model")
        agent = builder.agent(f"Agent {ODD}", actions=[f"go {ODD}"])
        on = agent.boolean(f"on {ODD}")
        agent.otherwise(f"go {ODD}")
        agent.evolve({on: True}, when=~on)
        builder.proposition("p", on)
        builder.formula("AG !p", name=NAME)
        return replace(builder.finished(initial=~on), name=f"model {ODD}")


SYSTEM = odd_system()
RESULT = replace(
    check(SYSTEM, None, Options(evidence=True), name=f"name {ODD}"), constants=((f"n {ODD}", 1),)
)


def evidence(result: Result) -> Evidence:
    """Return why the formula is false."""
    found = result.verdicts[0].evidence
    assert found is not None
    return found


def graph() -> StateGraph:
    """Return all states, with what the agent cannot tell apart."""
    return reachable_graph(SYSTEM, 9, [SYSTEM.agents[1].name])


WRITTEN: dict[str, Callable[[], str]] = {
    "text": lambda: text.render([RESULT]).plain(),
    "json": lambda: json.render([RESULT]),
    "jsonl": lambda: jsonl.render([RESULT]),
    "csv": lambda: csv.render([RESULT]).replace("\r\n", "\n"),
    "sarif": lambda: sarif.render([RESULT]),
    "junit": lambda: junit.render([RESULT]),
    "html": lambda: html.render(SYSTEM, RESULT.verdicts[0], None, [RESULT.model]),
    "svg of evidence": lambda: evidence_svg.render(SYSTEM, evidence(RESULT), name=NAME),
    "dot of evidence": lambda: evidence_dot.render(SYSTEM, evidence(RESULT), name=NAME),
    "mermaid of evidence": lambda: evidence_mermaid.render(SYSTEM, evidence(RESULT), name=NAME),
    "tikz of evidence": lambda: evidence_tikz.render(SYSTEM, evidence(RESULT), name=NAME),
    "tikz": lambda: tikz.render(graph()),
    "itf": lambda: itf.render(SYSTEM, evidence(RESULT), source=RESULT.model, name=NAME),
    "svg": lambda: svg.render(graph()),
    "dot": lambda: dot.render(graph()),
    "mermaid": lambda: mermaid.render(graph()),
    "graph json": lambda: graph_json.render(graph()),
}


@pytest.mark.parametrize("form", WRITTEN)
def test_odd_names_do_no_harm(form: str) -> None:
    written = WRITTEN[form]()

    assert ACTS.search(written) is None
    if form in {"junit", "svg", "svg of evidence"}:
        ET.fromstring(written)
    if form in {"json", "sarif", "itf", "graph json"}:
        standard.loads(written)


def test_json_has_the_names_as_they_are() -> None:
    assert standard.loads(json.render([RESULT]))["model"] == RESULT.model
