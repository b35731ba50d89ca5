"""Verdicts explained as files, from evidence that is found once."""

import json

import pytest

from gnomon.results.formats import VERDICTS
from tests.benches import example, populated

CLAIM = "AG (received -> K(Sender, received))"


@pytest.mark.parametrize("format_", list(VERDICTS))
def test_a_verdict_is_explained_in_every_format(format_: str) -> None:
    asked = example("bit_transmission.ispl")

    found = asked.ask("model/explain", formula=CLAIM, format=format_)

    assert "received" in found["text"]
    assert found["name"].startswith("bit_transmission-sender_notices_arrival.")
    if format_ in {"json", "itf"}:
        assert json.loads(found["text"])
    if format_ in {"svg", "html"}:
        assert "<svg" in found["text"]


def test_the_verdict_is_found_once() -> None:
    asked = example("bit_transmission.ispl")
    for format_ in ("text", "json"):
        asked.ask("model/explain", formula=CLAIM, format=format_)

    assert 1 == len(asked.known.remembered["verdicts"])


def test_formulae_of_the_text_keep_their_names() -> None:
    asked = example("nim.ispl")

    found = asked.ask("model/explain", formula="<Ann>F ann_wins", format="tikz")

    assert "nim-ann_can_win.tex" == found["name"]


def test_any_number_of_agents_is_explained_as_well() -> None:
    asked = example("parameterised/mutex_some.ispl")

    found = asked.ask("model/explain", formula="AG !clash", format="text")

    assert "2 Process" in found["text"]
    several = populated(asked, Process=2)
    assert "Process2" in several.ask("model/explain", formula="AG !clash", format="text")["text"]


def test_unbounded_models_are_explained_as_well() -> None:
    asked = example("unbounded/token_bucket.ispl")

    found = asked.ask("model/explain", formula="AG (Environment.dropped = 0)", format="svg")

    assert "<svg" in found["text"]


def test_where_there_is_nothing_to_draw_that_is_told() -> None:
    asked = example("bit_transmission.ispl")

    kind, words = asked.failure("model/explain", formula="AG true", format="svg")

    assert ("unable", True) == (kind, words.startswith("nothing to draw"))
    assert "--format" not in words


def test_requests_that_make_no_sense_are_refused() -> None:
    asked = example("bit_transmission.ispl")

    assert "bad-request" == asked.failure("model/explain", formula="AG zero", format="doc")[0]
    assert "bad-input" == asked.failure("model/explain", formula="AG (", format="svg")[0]
