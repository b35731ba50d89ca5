"""Options that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def appearance(function: Command) -> Command:
    """Add `--no-color` and `--verbose`."""
    function = click.option("--no-color", is_flag=True, help="No colours (also: NO_COLOR=1).")(
        function
    )
    return click.option("--verbose", is_flag=True, help="Say more.")(function)


def constants(function: Command) -> Command:
    """Add `--set NAME=INT`."""
    return click.option(
        "--set",
        "constants",
        metavar="NAME=INT",
        multiple=True,
        callback=_read_constants,
        help="Give a constant of the model another value (repeatable).",
    )(function)


def _read_constants(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> dict[str, int]:
    values: dict[str, int] = {}
    for item in given:
        name, equals, number = item.partition("=")
        try:
            values[name.strip()] = int(number)
        except ValueError:
            equals = ""
        if not equals or not name.strip():
            message = f"`{item}` is not of the form NAME=INT, such as n=3"
            raise click.BadParameter(message, context, option)
    return values


def output(function: Command) -> Command:
    """Add `-o FILE`."""
    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        help="Print to this file, which appears whole or not at all.",
    )(function)
