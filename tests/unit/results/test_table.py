import pytest

from gnomon.results.render.table import render
from gnomon.results.styled import width_of

HEADER = ["agent", "variable", "seen by", "values"]
ROWS = [
    ["Environment", "lead", "Environment, Croupier, Player[1], Player[2]", "{none, first, second}"],
    ["", "card", "Environment", "0..6"],
    ["Croupier", "given", "", "boolean"],
]


def test_columns_that_give_way_share_what_is_missing() -> None:
    shown = render(HEADER, ROWS, 60, (2, 3), 2).plain()

    assert shown == (
        "agent        variable  seen by            values\n"
        "Environment  lead      Environment,       {none, first,\n"
        "                       Croupier,          second}\n"
        "                       Player[1],\n"
        "                       Player[2]\n"
        "             card      Environment        0..6\n"
        "Croupier     given                        boolean\n"
    )


def test_without_room_for_columns_rows_are_paragraphs() -> None:
    assert render(HEADER, ROWS, 40, (2, 3), 2).plain() == (
        "Environment\n"
        "  lead: seen by Environment, Croupier,\n"
        "    Player[1], Player[2] · values {none,\n"
        "    first, second}\n"
        "  card: seen by Environment · values\n"
        "    0..6\n"
        "Croupier\n"
        "  given: values boolean\n"
    )


@pytest.mark.parametrize("width", [38, 40, 60, 80, 120])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    lines = render(HEADER, ROWS, width, (2, 3), 2).plain().splitlines()

    assert max(map(width_of, lines)) <= width
