from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from gnomon.results.render.diagnostic import render, render_one
from gnomon.results.styled import width_of
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source, Span
from tests.unit.results import sources


@pytest.mark.parametrize("make", sources.ALL, ids=lambda make: str(make.__name__))
def test_every_kind_of_place_is_drawn(
    make: Callable[[], Diagnostic], snapshot: SnapshotAssertion
) -> None:
    assert render_one(make(), 60).plain() == snapshot


def test_the_example_of_the_style_guide_is_drawn_like_there() -> None:
    expected = """\
error[G0204]: action `sendack` is not an action of agent `Receiver`
  ┌─ bit_transmission.ispl:7:16
7 │     state=r0: {sendack};
  │                ^^^^^^^ not declared
  = Receiver declares: nothing, sendAck
  = help: did you mean `sendAck`?
"""

    assert render_one(sources.unknown_action()).plain() == expected


def test_a_blank_line_follows_each_diagnostic() -> None:
    text = render([sources.no_place(), sources.no_place()]).plain()

    assert text.count("\n\n") == 2


@given(
    st.text(alphabet="ab \t\n漢é\u0301\x00\r", max_size=200),
    st.integers(0, 200),
    st.integers(0, 200),
    st.integers(20, 120),
)
def test_no_place_is_too_odd_to_draw(text: str, start: int, length: int, width: int) -> None:
    start = min(start, len(text))
    span = Span(start, min(start + length, len(text)))
    drawn = render_one(Diagnostic("G0204", "odd", Source("m", text), span, "here"), width)
    lines = drawn.plain().splitlines()

    assert any("^" in line for line in lines)
    assert all(width_of(line) <= max(width, 32) for line in lines[2:])
