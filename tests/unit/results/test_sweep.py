"""Which formulae belong together from one size of a family to the next."""

from gnomon.results.sweep import SweptFormula, columns


def test_a_formula_keeps_its_column_though_its_number_shifts() -> None:
    small = [
        SweptFormula(1, "safe[1]", 10, "AG p[1]"),
        SweptFormula(2, "", 12, "AF q"),
    ]
    large = [
        SweptFormula(1, "safe[1]", 10, "AG p[1]"),
        SweptFormula(2, "safe[2]", 10, "AG p[2]"),
        SweptFormula(3, "", 12, "AF q"),
    ]

    first, second = columns([small, large])

    assert (first.title, first.several) == ("safe[…]", True)
    assert (second.title, second.several) == ("line 12", False)


def test_names_and_steady_numbers_are_titles() -> None:
    asked = [SweptFormula(1, "reach", 3, "EF p"), SweptFormula(2, "", 4, "AF p")]

    assert [column.title for column in columns([asked, asked])] == ["reach", "2"]


def test_two_formulae_on_one_line_are_told_apart_by_their_names_alone() -> None:
    asked = [
        SweptFormula(1, "one", 3, "EF p"),
        SweptFormula(2, "two", 3, "AF p"),
        SweptFormula(3, "", 3, "AG p"),
        SweptFormula(4, "", 3, "EG p"),
    ]

    assert [(column.title, column.several) for column in columns([asked])] == [
        ("line 3", True),
        ("one", False),
        ("two", False),
    ]


def test_formulae_that_stand_in_no_file_go_by_their_numbers() -> None:
    asked = [SweptFormula(1, "", 0, "EF p"), SweptFormula(2, "", 0, "AF p")]

    assert [column.title for column in columns([asked, asked])] == ["1", "2"]
