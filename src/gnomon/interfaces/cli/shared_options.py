"""Options that several commands share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = TypeVar("Command", bound=Callable[..., Any])

#: Nobody types longer ones.
_MOST_DIGITS = 4000

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


Completer = Callable[[click.Context, click.Parameter, str], list["CompletionItem"]]


def completing(what: str) -> Completer:
    """Return what completes a parameter in a shell: the function of that name in `completion`."""

    def complete(
        context: click.Context, option: click.Parameter, incomplete: str
    ) -> list["CompletionItem"]:
        del option
        from gnomon.interfaces.cli import completion  # nobody else needs it

        found: list[CompletionItem] = getattr(completion, what)(context, incomplete)
        return found

    return complete


class Amount(click.FloatRange):
    """Seconds or megabytes, more than nothing. What nobody waits for or has is no limit, and no mistake."""

    _ENDLESS = 1e7
    _UNITS: Final[dict[str, str]] = {"S": " of seconds", "MB": " of megabytes", "DAYS": " of days"}

    def __init__(self) -> None:
        """Accept every positive number."""
        super().__init__(min=0, min_open=True)

    def convert(
        self, value: float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the amount; clocks and libraries do not count up to infinity."""
        try:
            float(value)
        except ValueError:
            unit = self._UNITS.get(getattr(param, "metavar", None) or "", "")
            self.fail(f"`{value}` is no number{unit}", param, ctx)
        amount: float = super().convert(value, param, ctx)
        if amount != amount:  # noqa: PLR0124 - only what is no number differs from itself
            self.fail(f"{value} is no amount", param, ctx)
        return min(amount, self._ENDLESS)


def appearance(function: Command) -> Command:
    """Add `--no-color` and `--verbose`."""
    function = click.option("--no-color", is_flag=True, help="No colours (also: NO_COLOR=1).")(
        function
    )
    return click.option("-v", "--verbose", is_flag=True, help="Say more.")(function)


def constants(function: Command) -> Command:
    """Add `--set NAME=INT`."""
    return click.option(
        "--set",
        "constants",
        metavar="NAME=INT",
        multiple=True,
        callback=_read_constants,
        shell_complete=completing("constants"),
        help="Give a constant of the model another value (repeatable).",
    )(function)


def swept_constants(function: Command) -> Command:
    """Add `--set NAME=VALUES`, where a constant may have several values."""
    return click.option(
        "--set",
        "constants",
        metavar="NAME=VALUES",
        multiple=True,
        callback=_read_values,
        shell_complete=completing("constants"),
        help="Give a constant of the model another value, n=3, or check it for each of several: "
        "n=1..20, n='2..20 step 2', n=2,4,8 (repeatable).",
    )(function)


def _read_constants(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> dict[str, int]:
    values: dict[str, int] = {}
    for item in given:
        name, number = _name_and_value(context, option, item, "NAME=INT, such as n=3")
        try:
            values[name] = int(number)
        except ValueError:
            message = f"`{item}` is not of the form NAME=INT, such as n=3"
            raise click.BadParameter(message, context, option) from None
    return values


def _read_values(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> dict[str, tuple[int, ...]]:
    values: dict[str, tuple[int, ...]] = {}
    for item in given:
        name, several = _name_and_value(
            context, option, item, "NAME=VALUES, such as n=3 or n=1..20"
        )
        if several.strip().isdigit():  # nothing more is loaded for it
            values[name] = (int(several),)
            continue
        from gnomon.checking.sweep import read_values

        try:
            values[name] = read_values(several)
        except ValueError as error:
            raise click.BadParameter(f"`{item}`: {error}", context, option) from None
    return values


def _name_and_value(
    context: click.Context, option: click.Parameter, item: str, form: str
) -> tuple[str, str]:
    name, equals, value = item.partition("=")
    if len(value) > _MOST_DIGITS:
        message = f"the value of `{name[:40]}` has more than {_MOST_DIGITS} digits"
        raise click.BadParameter(message, context, option)
    if not equals or not name.strip():
        message = f"`{item}` is not of the form {form}"
        raise click.BadParameter(message, context, option)
    return name.strip(), value


def effort(seconds: float, what: str) -> Callable[[Command], Command]:
    """Return what adds `--timeout` and `--memory`, with defaults; `what` says what the seconds are for."""

    def decorate(function: Command) -> Command:
        function = click.option(
            "--memory",
            type=Amount(),
            default=2000.0,
            show_default="2000",
            metavar="MB",
            help="The most megabytes; what does not fit into them is left out.",
        )(function)
        return click.option(
            "--timeout",
            type=Amount(),
            default=seconds,
            show_default=f"{seconds:g}",
            metavar="S",
            help=what,
        )(function)

    return decorate


def output(function: Command) -> Command:
    """Add `-o FILE`."""
    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        shell_complete=completing("files"),
        help="Print to this file, which appears whole or not at all.",
    )(function)
