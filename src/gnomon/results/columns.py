"""The titles of columns, in tables that programs read."""

from typing import Final

from gnomon.results.styled import visible

FIRST: Final = ("model",)
REST: Final = (
    "index",
    "name",
    "formula",
    "verdict",
    "expected",
    "as_expected",
    "strategies",
    "engine",
    "states",
    "seconds",
    "reason",
    "vacuous",
)


def title_of(constant: str) -> str:
    """Return the title of a column of a constant, which may not be that of another one."""
    shown = visible(constant, "")
    return f"constants.{shown}" if shown in {*FIRST, *REST} else shown
