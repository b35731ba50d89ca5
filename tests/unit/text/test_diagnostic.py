import pytest

from gnomon.text.codes import CODES
from gnomon.text.diagnostic import Diagnostic, Diagnostics, InputError, Label, Severity, closest
from gnomon.text.source import Source, Span

SOURCE = Source("file.ispl", "one\ntwo\nthree\n")


@pytest.mark.parametrize("code", sorted(CODES))
def test_the_code_decides_how_serious_it_is(code: str) -> None:
    found = Diagnostic(code, "message", SOURCE)

    assert CODES[code].severity == found.severity.value
    assert (found.severity is Severity.ERROR) == found.is_error


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_title_and_a_story(code: str) -> None:
    title, story = CODES[code].title, CODES[code].story

    assert not title.endswith(".")
    assert len(title) <= 60
    assert story.endswith((".", ")"))
    assert len(code) == 5
    assert code[0] == "G"
    assert code[1:].isdigit()


def test_a_diagnostic_knows_its_line_and_column() -> None:
    found = Diagnostic("G0102", "message", SOURCE, Span(5, 7))

    assert (2, 2) == (found.line, found.column)


def test_a_diagnostic_without_a_place_is_in_line_zero() -> None:
    found = Diagnostic("G0102", "message", SOURCE)

    assert (0, 0) == (found.line, found.column)


def test_the_same_is_not_said_twice_of_one_place() -> None:
    diagnostics = Diagnostics(SOURCE)
    diagnostics.add("G0102", "message", Span(5, 7))
    diagnostics.add("G0102", "message", Span(5, 7))
    diagnostics.add("G0102", "message", Span(6, 7))

    assert 2 == len(diagnostics.items)


def test_diagnostics_are_sorted_by_place_and_then_by_code() -> None:
    diagnostics = Diagnostics(SOURCE)
    diagnostics.add("G0103", "later", Span(5, 7))
    diagnostics.add("G0102", "same place", Span(5, 7))
    diagnostics.add("G0104", "first", Span(0, 1))
    diagnostics.add("G0501", "nowhere")

    assert ["nowhere", "first", "same place", "later"] == [
        item.message for item in diagnostics.sorted()
    ]


def test_only_errors_stop_the_work() -> None:
    diagnostics = Diagnostics(SOURCE)
    diagnostics.add("G0402", "a warning", Span(5, 7))
    assert not diagnostics.has_errors

    diagnostics.add("G0102", "an error", Span(5, 7))
    assert diagnostics.has_errors


def test_an_input_error_tells_every_diagnostic_with_its_place() -> None:
    found = (
        Diagnostic("G0102", "first", SOURCE, Span(0, 1)),
        Diagnostic("G0402", "second", SOURCE, Span(4, 5), related=(Label(Span(0, 1), "here"),)),
    )

    assert "file.ispl:1:1: error[G0102]: first\nfile.ispl:2:1: warning[G0402]: second" == str(
        InputError(found)
    )
    assert found == InputError(found).diagnostics


def test_an_input_error_never_is_without_words() -> None:
    assert "bad input" == str(InputError(()))


def test_an_input_error_without_a_place_shows_no_line_zero() -> None:
    found = Diagnostic("G0001", "`x` cannot be opened", Source("x", ""))

    assert ":0:0:" not in str(InputError((found,)))


# Suggestions


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("sendack", ["nothing", "sendAck"], "sendAck"),
        ("Evalution", ["Evaluation", "Evolution"], "Evaluation"),
        ("evolution", ["Evaluation", "Evolution"], "Evolution"),
        ("SENDER", ["Sender", "sender"], "Sender"),
        ("sneder", ["Sender", "Receiver"], "Sender"),
        ("zzz", ["Sender", "Receiver"], None),
        ("x", [], None),
        ("", ["x"], None),
        ("x1", ["x1", "x2"], "x1"),
        ("recieved", ["received", "sent"], "received"),
        ("b", ["bit", "ack"], None),
    ],
)
def test_the_closest_word_is_what_was_probably_meant(
    word: str, known: list[str], expected: str | None
) -> None:
    assert expected == closest(word, known)


def test_the_closest_word_is_case_blind_beyond_whole_matches() -> None:
    assert "received" == closest("RECIEVED", ["received", "sent"])


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (50, []),
        (51, ["and 1 more {} which is not shown"]),
        (5_050, ["and 5,000 more {} which are not shown"]),
    ],
)
@pytest.mark.parametrize(
    ("code", "more", "word"),
    [("G0102", "G0114", "mistake"), ("G0404", "G0415", "warning")],
)
def test_only_so_many_are_shown_and_the_rest_is_counted(
    code: str, more: str, word: str, count: int, expected: list[str]
) -> None:
    diagnostics = Diagnostics(Source("x", "a" * 9000))
    for place in range(count):
        diagnostics.add(code, "wrong", Span(place, place + 1))
    found = diagnostics.sorted()

    assert [code] * 50 == [item.code for item in found[:50]]
    words = (word if count == 51 else f"{word}s") + (" of G0404" if code == "G0404" else "")
    assert [text.format(words) for text in expected] == [item.message for item in found[50:]]
    assert all(item.code == more for item in found[50:])
    assert (word == "mistake") == diagnostics.has_errors


def test_what_is_said_twice_is_counted_once() -> None:
    diagnostics = Diagnostics(SOURCE)
    for _ in range(200):
        diagnostics.add("G0102", "message", Span(5, 7))

    assert 1 == len(diagnostics.sorted())
    assert not diagnostics.full


def test_suggestions_are_not_worked_out_for_what_is_not_shown() -> None:
    diagnostics = Diagnostics(Source("x", "a" * 200))
    assert "did you mean `sender`?" == diagnostics.did_you_mean("sneder", ["sender"])
    assert ("known: a, b",) == diagnostics.listing("known", ["a", "b"])
    for place in range(50):
        diagnostics.add("G0102", "wrong", Span(place, place + 1))

    assert diagnostics.full
    assert "" == diagnostics.did_you_mean("sneder", ["sender"])
    assert () == diagnostics.listing("known", ["a", "b"])


def test_a_list_of_nothing_says_so_or_is_left_out() -> None:
    diagnostics = Diagnostics(SOURCE)

    assert ("known: none",) == diagnostics.listing("known", [], none="none")
    assert () == diagnostics.listing("known", [])


def test_warnings_of_one_code_do_not_hide_those_of_another() -> None:
    diagnostics = Diagnostics(Source("x", "a" * 9000))
    for place in range(100):
        diagnostics.add("G0404", "many", Span(place, place + 1))
    diagnostics.add("G0405", "one", Span(0, 1))
    found = diagnostics.sorted()

    assert "one" in [item.message for item in found]
    assert [("G0415", "G0404")] == [(item.code, item.more_of) for item in found if item.more_of]
