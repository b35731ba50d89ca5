import json

import pytest

from gnomon.results.render.json import compact, dumps

LONG = 7 * 10**5000 + 1


@pytest.mark.parametrize("indent", [None, 2])
def test_numbers_of_any_length_are_written_in_full(indent: int | None) -> None:
    value = {"a": [1, LONG, -LONG, True, None, 1.5, "é\n"], "b": {}, "c": [], "d": {"e": (2,)}}
    small = json.dumps(
        {**value, "a": [1, 23, -23, True, None, 1.5, "é\n"]}, indent=indent, ensure_ascii=False
    )
    digits = "7" + "0" * 4999 + "1"

    assert compact(value, indent) == small.replace("23", digits)


@pytest.mark.parametrize("text", ["\x9b", "\u202e", "\udcff", "\u2028", "\ufeff"])
def test_what_acts_on_terminals_is_written_by_its_number(text: str) -> None:
    written = dumps({text: text})

    assert written.isascii()
    assert json.loads(written) == {text: text}


def test_letters_stay_letters() -> None:
    assert compact("✓ é 漢") == '"✓ é 漢"'
