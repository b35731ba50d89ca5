"""Loading models for the commands, and showing what is wrong with them."""

from collections.abc import Iterable, Mapping

from gnomon.checking.load import Loaded, limited, load
from gnomon.checking.supervise import machine_memory
from gnomon.interfaces.cli.screen import Screen
from gnomon.model.budget import Budget, LimitReached
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source

BAD_INPUT = 2
_OPEN = 3
_NOT_READ = "G0004"


def try_to_load(
    path: str, constants: Mapping[str, int], budget: Budget | None = None
) -> tuple[Loaded | None, tuple[Diagnostic, ...]]:
    """Return the model where there is a usable one, and all that is to be said about it."""
    try:
        with limited(budget or Budget(megabytes=machine_memory())):
            loaded = load(path, constants)
    except InputError as error:
        return None, error.diagnostics
    except (LimitReached, MemoryError) as limit:
        return None, (not_read(path, limit),)
    if any(item.is_error for item in loaded.diagnostics):
        return None, loaded.diagnostics
    return loaded, loaded.diagnostics


def not_read(path: str, limit: BaseException) -> Diagnostic:
    """Say that a model was not read to its end."""
    why = str(limit) or "there is no more memory"
    source = Source("<stdin>" if path == "-" else path, "")
    return Diagnostic(_NOT_READ, f"`{source.name}` was not read to its end: {why}", source)


def status_of(diagnostics: Iterable[Diagnostic]) -> int:
    """Return the status where nothing can be checked: 2 for bad input, 3 where a limit stopped reading it."""
    codes = {item.code for item in diagnostics if item.is_error}
    return _OPEN if codes == {_NOT_READ} else BAD_INPUT


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
