"""Loading models for the commands, and showing what is wrong with them."""

from collections.abc import Iterable, Mapping

from gnomon.checking.load import Loaded, load
from gnomon.interfaces.cli.screen import Screen
from gnomon.text.diagnostic import Diagnostic, InputError


def try_to_load(
    path: str, constants: Mapping[str, int]
) -> tuple[Loaded | None, tuple[Diagnostic, ...]]:
    """Return the model where there is a usable one, and all that is to be said about it."""
    try:
        loaded = load(path, constants)
    except InputError as error:
        return None, error.diagnostics
    if any(item.is_error for item in loaded.diagnostics):
        return None, loaded.diagnostics
    return loaded, loaded.diagnostics


def show_diagnostics(screen: Screen, diagnostics: Iterable[Diagnostic]) -> None:
    """Draw all of them, with a count of the errors at the end where there are several."""
    items = list(diagnostics)
    if not items:
        return
    from gnomon.results.render.diagnostic import render

    screen.write(render(items, screen.width))
    errors = sum(item.is_error for item in items)
    warnings = len(items) - errors
    if len(items) > 1:
        parts = [_count(errors, "error"), _count(warnings, "warning")]
        screen.write(", ".join(part for part in parts if part) + "\n")


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}" if number else ""
