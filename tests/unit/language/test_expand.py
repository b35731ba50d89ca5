import pytest

from gnomon.checking.load import load_text
from gnomon.language.expand import expand
from gnomon.language.expand import size as module
from gnomon.language.parse import parse
from gnomon.language.syntax import Program
from gnomon.text.source import Source

PLAIN = """
Agent P
  Vars: x : 0..3; end Vars
  Actions = { a };
  Protocol: Other : { a }; end Protocol
end Agent
Evaluation top if P.x = 3; end Evaluation
InitStates P.x = 0; end InitStates
Formulae EF top; end Formulae
"""


def expanded(text: str, **constants: int) -> tuple[Program, list[str]]:
    parsed = parse(Source("t", text))
    assert not parsed.diagnostics.has_errors
    program = expand(parsed.program, constants, parsed.diagnostics)
    return program, [item.code for item in parsed.diagnostics.sorted()]


def codes(text: str, **constants: int) -> list[str]:
    return [item.code for item in load_text(text, constants=constants).diagnostics]


def names(text: str, **constants: int) -> list[str]:
    program, found = expanded(f"Evaluation {text} end Evaluation", **constants)
    assert [] == found
    return [line.name.text for line in program.evaluation or ()]  # type: ignore[union-attr]


def test_a_program_without_families_is_left_alone() -> None:
    parsed = parse(Source("t", PLAIN))

    assert parsed.program is expand(parsed.program, {}, parsed.diagnostics)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p[1] if true;", ["p[1]"]),
        ("p[1 + 2 * 3] if true;", ["p[7]"]),
        ("p[i : 1..3] if true;", ["p[1]", "p[2]", "p[3]"]),
        ("p[i : 3..1] if true;", []),
        ("p[i : -1..1] if true;", ["p[-1]", "p[0]", "p[1]"]),
        ("p[i : 1..2, j : i..2] if true;", ["p[1,1]", "p[1,2]", "p[2,2]"]),
        ("p[i : 1..4 where i mod 2 = 0] if true;", ["p[2]", "p[4]"]),
        ("p[i : 1..2, 7] if true;", ["p[1,7]", "p[2,7]"]),
        ("for i : 1..2: p[i] if true; q[i] if true; end for", ["p[1]", "q[1]", "p[2]", "q[2]"]),
        ("for i : 1..2: for j : 1..2 where i <> j: p[i, j] if true; end for end for",
         ["p[1,2]", "p[2,1]"]),
        ("for i, j : 1..2 where i < j: p[i, j] if true; end for", ["p[1,2]"]),
        ("for i : 1..0: p[i] if true; end for", []),
    ],
)  # fmt: skip
def test_ranges_give_these_names(text: str, expected: list[str]) -> None:
    assert expected == names(text)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("7 div 2", 3),
        ("-7 div 2", -4),
        ("-7 mod 2", 1),
        ("7 mod -2", 1),
        ("-7 div -2", 4),
        ("6 / 3", 2),
    ],
)
def test_constants_are_computed_as_numbers_are(value: str, expected: int) -> None:
    text = f"Constants n = {value}; end Constants Evaluation p[n] if true; end Evaluation"
    program, found = expanded(text)

    assert [] == found
    assert [f"p[{expected}]"] == [line.name.text for line in program.evaluation or ()]  # type: ignore[union-attr]


def test_a_constant_may_use_those_before_it() -> None:
    text = "Constants n = 2; m = n * n; end Constants Evaluation p[m] if true; end Evaluation"

    assert "p[4]" == expanded(text)[0].evaluation[0].name.text  # type: ignore[index,union-attr]
    assert "p[9]" == expanded(text, n=3)[0].evaluation[0].name.text  # type: ignore[index,union-attr]


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ("Constants n = m; m = 1; end Constants", "G0503"),
        ("Constants n = n; end Constants", "G0503"),
        ("Constants n = 1 / 0; end Constants", "G0504"),
        ("Constants n = 3 / 2; end Constants", "G0504"),
        ("Constants n = true; end Constants", "G0504"),
        ("Constants n = 1; n = 2; end Constants", "G0502"),
    ],
)
def test_constants_without_a_value_are_refused_once(head: str, code: str) -> None:
    assert [code] == codes(head + PLAIN)


@pytest.mark.parametrize(
    ("evaluation", "code"),
    [
        ("p[k] if P.x = 1;", "G0503"),
        ("p[i : 1..k] if P.x = 1;", "G0503"),
        ("p[i : 1..true] if P.x = 1;", "G0504"),
        ("p if P.x[i : 1..2] = 1;", "G0506"),
        ("p[i : 1..2, i : 1..2] if P.x = 1;", "G0502"),
        ("for i : 1..2: for i : 1..2: p[i] if P.x = 1; end for end for", "G0502"),
        ("p if forall i : 1..2 (exists i : 1..2 (P.x = i));", "G0502"),
        ("p[i : 1..2 where P.x = 1] if P.x = 1;", "G0503"),
        ("p[i : 1..2 where i] if P.x = 1;", "G0504"),
        ("p[i : 1..2000000] if P.x = 1;", "G0505"),
        ("p[i : Place] if P.x = 1;", "G0504"),
        ("for i : Place: p[i] if P.x = 1; end for", "G0504"),
    ],
)
def test_bad_families_are_refused_once(evaluation: str, code: str) -> None:
    assert [code] == codes(PLAIN.replace("top if", f"{evaluation} top if"))


def test_setting_an_unknown_constant_is_refused_with_a_suggestion() -> None:
    text = "Constants size = 2; end Constants" + PLAIN
    [found] = load_text(text, constants={"sise": 3}).diagnostics

    assert "G0501" == found.code
    assert "`size`" in found.help


def test_a_setting_for_a_program_without_constants_is_refused() -> None:
    assert ["G0501"] == codes(PLAIN, n=3)


def test_a_variable_with_the_name_of_a_constant_is_refused() -> None:
    assert "G0502" in codes("Constants x = 2; end Constants" + PLAIN)


def test_short_constants_may_be_followed_by_any_section() -> None:
    environment = (
        "Environment Actions = { t }; Protocol: Other : { t }; end Protocol end Environment"
    )

    assert [] == codes("Constants n = 2;" + PLAIN)
    assert [] == codes("Constants n = 2; Semantics = MA;" + PLAIN)
    assert [] == codes("Constants n = 2;" + environment + PLAIN)


@pytest.mark.parametrize("name", ["sum", "exists", "forall", "for", "where", "div", "mod", "int"])
def test_our_words_may_name_variables(name: str) -> None:
    text = PLAIN.replace("x : 0..3", f"{name} : 0..3").replace("P.x", f"P.{name}")
    guard = f"Evolution: {name} = {name} + 1 if {name} < 3 and {name} mod 2 = 0; end Evolution end Agent"

    assert [] == codes(text.replace("end Agent", guard))


# How large a program may become


def too_large(evaluation: str, monkeypatch: pytest.MonkeyPatch, **limits: int) -> tuple[str, str]:
    """Return what is said about a program with this line, under smaller limits, and where."""
    for name, value in limits.items():
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(module, "_WATCHED", 16)
    text = PLAIN.replace("top if", f"{evaluation} top if")
    [found] = load_text(text).diagnostics
    assert "G0505" == found.code
    assert found.span is not None
    return found.message, text[found.span.start : found.span.end]


LONG_LINE = " or ".join(["P.x = i"] * 100)


@pytest.mark.parametrize(
    "line",
    [
        f"p[i : 1..100, j : 1..100] if {LONG_LINE};",
        f"for i : 1..100, j : 1..100: p[i, j] if {LONG_LINE}; end for",
        f"for i : 1..100: for j : 1..100: p[i, j] if {LONG_LINE}; end for end for",
        f"p if forall i : 1..100, j : 1..100 ({LONG_LINE});",
        f"p if exists i : 1..100 (forall j : 1..100 ({LONG_LINE}));",
    ],
)
def test_few_copies_of_a_long_line_are_as_bad_as_many_of_a_short_one(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    message, where = too_large(line, monkeypatch, MAX_PARTS=20_000)

    start = "written out, the families of this program have more than 20,000 parts (about "
    assert message.startswith(start)
    assert 3_000_000 <= int(message.removeprefix(start).strip(")").replace(",", "")) <= 4_500_000
    assert where == "i : 1..100"


def test_long_names_count_as_much_as_many_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"for i : 1..1000: {'p' * 64_000}[i] if P.x = i; end for"
    message, _ = too_large(line, monkeypatch, MAX_PARTS=20_000)

    assert message.endswith("20,000 parts (about 1,100,000)")


def test_how_many_copies_there_would_be_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = "".join(f"forall i{number} : 1..10 (" for number in range(12))
    message, where = too_large(f"p if {deep}P.x = 1{')' * 12};", monkeypatch, MAX_COPIES=2_000)

    assert message.endswith("2,000 copies (about 1,100,000,000,000)")
    assert where == "i0 : 1..10"


def test_the_length_of_a_range_that_is_too_long_is_told() -> None:
    [found] = load_text(
        PLAIN.replace("top if", f"p[i : 1..1{'0' * 3000}] if P.x = 1; top if")
    ).diagnostics
    [small] = load_text(PLAIN.replace("top if", "p[i : 1..400001] if P.x = 1; top if")).diagnostics

    assert found.message.startswith(
        "this range has 10^3000 values, and all ranges together may have"
    )
    assert small.message.startswith("this range has 400,001 values")


def test_indices_that_take_long_to_work_out_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    total = " + ".join(["i"] * 100)
    message, where = too_large(
        f"p if P.x = sum i : 1..1000 where {total} < 0 (1);", monkeypatch, _MAX_STEPS=3_000
    )

    assert message == "the indices of this program take more than 3,000 steps to work out"
    assert where == "i"


def test_a_line_that_is_given_up_does_not_count_for_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_COPIES", 50)
    bad = "for i : 1..3: for j : 1..3: p[i, j, k] if P.x = 1; end for end for"
    text = PLAIN.replace("top if", f"{bad} q[i : 1..100] if P.x = 1; top if")
    found = [item.message for item in load_text(text).diagnostics]

    assert "this range has 100 values, and all ranges together may have 50" == found[-1]


def test_many_constants_do_not_make_every_copy_slow() -> None:
    constants = " ".join(f"c{number} = {number};" for number in range(300))
    program, found = expanded(
        f"Constants {constants} end Constants Evaluation p[i : 1..c3] if P.x = c2 + i; end Evaluation"
    )

    assert [] == found
    assert ["p[1]", "p[2]", "p[3]"] == [line.name.text for line in program.evaluation or ()]  # type: ignore[union-attr]


def test_an_axiom_that_cannot_be_written_out_is_reported() -> None:
    assert "G0503" in codes(PLAIN + "Axioms Near(x[k], y); end Axioms")


# Sums of nothing


@pytest.mark.parametrize(
    ("head", "line", "note"),
    [
        ("n = 1;", "p if P.x = sum j : 2..n (P.x);", " for n = 1"),
        (
            "n = 1; m = 4;",
            "p if P.x < sum j : m..m - n where j > n + m (1);",
            " for m = 4 and n = 1",
        ),
        (
            "n = 1;",
            "for i : 1..n: p[i] if P.x = sum j : 1..n where j <> i (P.x); end for",
            " for n = 1 and i = 1",
        ),
        ("", "p if P.x = sum j : 2..1 (P.x);", ""),
    ],
)
def test_a_value_that_is_0_because_nothing_was_added_up_says_so(
    head: str, line: str, note: str
) -> None:
    plain = PLAIN.replace("0..3", "1..3").replace("P.x = 0", "P.x = 1")
    text = f"Constants {head} end Constants" + plain
    [found] = load_text(text.replace("top if", f"{line} top if")).diagnostics

    assert f"this `sum` runs through no value at all{note}, and so it is 0" == found.notes[0]


def test_an_empty_sum_that_fits_is_not_mentioned() -> None:
    assert [] == codes("Constants n = 1;" + PLAIN.replace("P.x = 3", "P.x = sum j : 2..n (P.x)"))


def test_every_formula_of_a_family_reads_as_its_own() -> None:
    text = """
    Agent Tap
      Vars: level : 0..2; end Vars
      Actions = {keep};
      Protocol: Other : {keep}; end Protocol
    end Agent
    Evaluation low if Tap.level = 0; end Evaluation
    InitStates Tap.level = 0; end InitStates
    Formulae
      for i : 1..2: EF Tap.level = i; end for
      at[i : 0..0] : EF Tap.level = i;
      AG   low;
    end Formulae
    """
    system = load_text(text).system
    assert system is not None

    assert [item.text for item in system.specifications] == [
        "EF (Tap.level = 1)",
        "EF (Tap.level = 2)",
        "EF (Tap.level = 0)",
        "AG low",
    ]


def test_a_formula_that_indices_do_not_change_is_told_as_it_is_written() -> None:
    text = """
    Agent Tap[i : 1..2]
      Vars: level[k : 0..1] : 0..2 = 0; end Vars
      Actions = {keep};
      Protocol: Other : {keep}; end Protocol
    end Agent
    Evaluation low[i : 1..2] if Tap[i].level[0] = 0; end Evaluation
    InitStates true; end InitStates
    Formulae
      [[Tap[1]]] F low[2];
      EF [1, 2] Tap[2].level[1] = 1;
      for i : 1..2: <Tap[1]>X low[1]; end for
      AG low[1 + 1];
      AG forall i : 1..2 (low[i]);
      for i : 1..1: AG exists k : i..2 (low[k]); end for
    end Formulae
    """
    system = load_text(text).system
    assert system is not None

    assert [item.text for item in system.specifications] == [
        "[[Tap[1]]] F low[2]",
        "EF [1, 2] Tap[2].level[1] = 1",
        "<Tap[1]>X low[1]",
        "<Tap[1]>X low[1]",
        "AG low[1 + 1]",
        "AG forall i : 1..2 (low[i])",
        "AG (low[1] or low[2])",
    ]
