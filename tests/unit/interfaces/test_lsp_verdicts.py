"""Verdicts of a text: kept by what they depend on, and not for ever."""

from gnomon.editing.analysis import analyse
from gnomon.editing.fingerprint import VerdictKey, formula_keys
from gnomon.interfaces.lsp.verdicts import MOST_SHOWN, FoundRemark, FoundVerdict, VerdictBook
from gnomon.text.source import Source
from tests.editor import example

ANALYSIS = analyse(Source("a.ispl", example("bit_transmission.ispl")))


def _verdict(value: str = "true") -> FoundVerdict:
    return FoundVerdict({"verdict": value, "seconds": 0.0}, None, "perfect")


def test_a_verdict_counts_as_long_as_what_it_depends_on_is_the_same() -> None:
    book, keys = VerdictBook(), formula_keys(ANALYSIS)
    book.record([(keys[1]._replace(strategies="perfect"), "sender_is_sure", _verdict())])
    known = {each.number: each.state for each in book.status(ANALYSIS, keys)}
    unread = {each.number: each.state for each in book.status(ANALYSIS, {})}

    assert ("fresh", "none") == (known[1], known[2])
    assert ("stale", "none") == (unread[1], unread[2])


def test_the_reading_of_strategies_that_was_asked_last_is_shown() -> None:
    book, keys = VerdictBook(), formula_keys(ANALYSIS)
    for strategies, value in (("perfect", "true"), ("uniform", "false")):
        found = FoundVerdict({"verdict": value, "seconds": 0.0}, None, strategies)
        book.record([(keys[8]._replace(strategies=strategies), "channel_can_force", found)])
    [shown] = [each for each in book.status(ANALYSIS, keys) if each.number == 8]

    assert shown.found is not None
    assert ("uniform", "false") == (shown.found.strategies, shown.found.value)


def test_a_formula_of_another_name_has_the_verdict_of_its_meaning() -> None:
    book, keys = VerdictBook(), formula_keys(ANALYSIS)
    book.record([(keys[1], "called otherwise before", _verdict())])
    [first, *_] = book.status(ANALYSIS, keys)

    assert "fresh" == first.state


def test_all_formulae_that_are_shown_keep_their_verdicts() -> None:
    book = VerdictBook()
    keys = [VerdictKey("model", str(number)) for number in range(3 * MOST_SHOWN)]
    for start in range(0, len(keys), 1000):
        book.record((key, key.formula, _verdict()) for key in keys[start : start + 1000])
    book.record((key, key.formula, _verdict()) for key in keys)
    kept = {key.formula for key in book._found}

    assert {str(number) for number in range(MOST_SHOWN)} <= kept
    assert len(kept) <= 2 * MOST_SHOWN
    assert set(book._latest.values()) <= set(book._found)


def test_what_is_running_is_counted() -> None:
    book, keys = VerdictBook(), formula_keys(ANALYSIS)
    for _ in range(2):
        book.begin(keys[1])
    book.end(keys[1])
    [first, *_] = book.status(ANALYSIS, keys)
    book.end(keys[1])
    [then, *_] = book.status(ANALYSIS, keys)

    assert ("running", "none") == (first.state, then.state)
    assert book.is_empty


def test_what_a_check_says_of_a_model_counts_for_that_model() -> None:
    book, keys = VerdictBook(), formula_keys(ANALYSIS)
    said = (FoundRemark({}, None),)
    book.remark(keys[1].model, said, 18)
    then = (book.remarks(keys), book.states(keys))
    book.remark("another", said, 7)

    assert (said, 18) == then
    assert ((), None) == (book.remarks(keys), book.states(keys))
