"""What becomes of warnings, by code."""

import pickle

import pytest

from gnomon.checking.options import Options
from gnomon.checking.policy import Policy, accepted, judged, refused_codes, report_rules
from gnomon.language.syntax import CodeRule
from gnomon.text.codes import CODES
from gnomon.text.diagnostic import Diagnostic, Diagnostics, InputError, Severity
from gnomon.text.source import Source

SOURCE = Source("model.ispl", "Agent P end Agent\n")
LINT = Diagnostic("G0407", "a line", SOURCE)
STUCK = Diagnostic("G0801", "it can get stuck", SOURCE, notes=("here",))
EMPTY = Diagnostic("G0803", "no initial state", SOURCE)
BROKEN = Diagnostic("G0102", "what is this", SOURCE)
ALL = (LINT, STUCK, EMPTY, BROKEN)

ALLOW, DENY = CodeRule("allow", "G0407"), CodeRule("deny", "G0407")


def codes(found: tuple[Diagnostic, ...]) -> list[str]:
    return [f"{item.code} {item.severity.value}" for item in found]


def test_without_a_word_nothing_changes() -> None:
    assert ALL == judged(ALL, Policy())
    assert ["G0407 warning", "G0801 warning", "G0803 error", "G0102 error"] == codes(ALL)


def test_what_is_allowed_is_left_out_errors_of_the_text_aside() -> None:
    policy = Policy.of((), allow=["G0407", "g0803", "G0102"])

    assert ["G0801 warning", "G0102 error"] == codes(judged(ALL, policy))


def test_strict_makes_errors_of_all_warnings_that_are_not_allowed() -> None:
    policy = Policy.of((), allow=["G0407"], strict=True)

    assert ["G0801 error", "G0803 error", "G0102 error"] == codes(judged(ALL, policy))


def test_a_denied_warning_says_who_denied_it() -> None:
    [by_option] = judged([STUCK], Policy.of((), deny=["G0801"]))
    [by_file] = judged([LINT], Policy.of((DENY,)))
    [by_strict] = judged([LINT], Policy.of((), strict=True))

    assert ("here", "this warning is an error by `--deny G0801`") == by_option.notes
    assert ("this warning is an error by `--! deny G0407`, which the file says",) == by_file.notes
    assert ("this warning is an error by `--strict`",) == by_strict.notes
    assert Severity.ERROR is by_strict.severity


def test_an_error_is_not_denied_again() -> None:
    assert (EMPTY,) == judged([EMPTY], Policy.of((), deny=["G0803"], strict=True))


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (Policy.of((ALLOW,)), []),
        (Policy.of((ALLOW,), strict=True), []),
        (Policy.of((ALLOW,), deny=["G0407"]), ["G0407 error"]),
        (Policy.of((DENY,)), ["G0407 error"]),
        (Policy.of((DENY,), allow=["G0407"]), []),
        (Policy.of((DENY, ALLOW)), []),
        (Policy.of((ALLOW, DENY)), ["G0407 error"]),
        (Policy.of((DENY,)).lenient(), ["G0407 warning"]),
        (Policy.of((ALLOW,)).lenient(), []),
    ],
)
def test_the_particular_goes_before_the_general_and_who_asks_before_the_file(
    policy: Policy, expected: list[str]
) -> None:
    assert expected == codes(judged([LINT], policy))


def test_how_many_more_there_are_goes_with_what_there_is_more_of() -> None:
    more = Diagnostic("G0415", "and 7 more", SOURCE, more_of="G0407")

    assert () == judged([more], Policy.of((), allow=["G0407"]))
    assert () == judged([more], Policy.of((), allow=["G0415"]))
    assert ["G0415 error"] == codes(judged([more], Policy.of((), deny=["G0407"])))


def test_what_is_not_accepted_is_raised_with_all_that_was_said() -> None:
    assert (LINT,) == accepted([LINT], Policy())
    with pytest.raises(InputError) as refused:
        accepted([LINT, EMPTY], Policy())

    assert (LINT, EMPTY) == refused.value.diagnostics


def test_a_policy_travels_to_another_process() -> None:
    policy = Policy.of((DENY,), allow=["G0801"], strict=True)

    assert policy == pickle.loads(pickle.dumps(policy))


@pytest.mark.parametrize(
    ("allow", "deny", "said"),
    [
        (["G0407", "g0803"], ["G0801"], []),
        (["GO407"], [], [("there is no diagnostic `GO407`", "did you mean `G0407`?")]),
        ([], ["x" * 99], [(f"there is no diagnostic `{'x' * 40}…`", "")]),
        (["G0407"], ["g0407"], [("`G0407` cannot be both allowed and denied", "")]),
    ],
)
def test_codes_that_cannot_be_named(
    allow: list[str], deny: list[str], said: list[tuple[str, str]]
) -> None:
    assert said == list(refused_codes(allow, deny))


def test_every_error_of_the_text_is_refused_and_may_be_denied() -> None:
    fatal = [code for code, about in CODES.items() if about.severity == "error"]
    refused = [code for code in fatal if list(refused_codes([code], []))]

    assert {"G0803", "G0804"} == set(fatal) - set(refused)
    assert [] == list(refused_codes([], fatal))


@pytest.mark.parametrize("wrong", ["G0407", ["G0407"], (4,), ("nonsense",), None])
def test_options_take_tuples_of_codes_that_there_are(wrong: object) -> None:
    with pytest.raises(InputError):
        Options(allow=wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        Options(deny=wrong)  # type: ignore[arg-type]


def test_options_do_not_contradict_themselves() -> None:
    with pytest.raises(InputError, match="both allowed and denied"):
        Options(allow=("G0407",), deny=("G0407",))


def test_comments_that_name_codes_in_vain() -> None:
    found = Diagnostics(SOURCE)
    report_rules((CodeRule("allow", "G0001"), CodeRule("deny", "me"), DENY, DENY, ALLOW), found)

    assert [
        "`G0001` cannot be allowed: it is an error, after which nothing can be checked",
        "there is no diagnostic `me`",
        "`G0407` was said to be denied before: this line counts",
    ] == [item.message for item in found.items]
