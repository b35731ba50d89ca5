"""Loading models for the commands, and showing what is wrong with them."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from gnomon.checking.load import Loaded, limited, load_source, read_source
from gnomon.checking.supervise import machine_memory
from gnomon.interfaces.cli.screen import Screen
from gnomon.interfaces.cli.status import Status
from gnomon.model.budget import Budget, LimitReached
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source

_NOT_READ = "G0004"
#: Where nothing else is said, reading a model may take so long.
_SECONDS = 120.0
#: How often somebody hears that a model is still being read.
_BEAT = 0.1
_held: list[BaseException] = []


def try_to_load(
    path: str,
    constants: Mapping[str, int],
    budget: Budget | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> tuple[Loaded | None, tuple[Diagnostic, ...]]:
    """Return the model where there is a usable one, and all that is to be said about it.

    While it is read, `meanwhile` is called now and then.
    """
    try:
        with in_time(budget or Budget(), meanwhile):
            source = read_source(path)
        # Where nobody has set a time, waiting for somebody to write takes as long as it takes.
        given = budget or standing_limits()
        with limited(given), in_time(given, meanwhile):
            loaded = load_source(source, constants)
    except InputError as error:
        return None, error.diagnostics
    except (LimitReached, MemoryError) as limit:
        return None, (not_read(path, limit),)
    return None if loaded.has_errors else loaded, loaded.notices


def standing_limits() -> Budget:
    """Return the limits of commands that have no options for them."""
    return Budget(_SECONDS, machine_memory())


@contextmanager
def in_time(budget: Budget, meanwhile: Callable[[], None] | None = None) -> Iterator[None]:
    """Let what is read inside end with the time of a budget, waiting for somebody to write included.

    In between, `meanwhile` is called now and then. All of it comes by a timer's signal: a thread would have
    to be gone before the process is forked.
    """
    left = None if budget.seconds is None else max(budget.seconds - budget.spent(), 0.001)
    never = left is None and meanwhile is None
    if never or not hasattr(signal, "setitimer") or not _is_main_thread():
        yield
        return
    first = _BEAT if left is None else left if meanwhile is None else min(left, _BEAT)

    def ring(number: int, frame: object) -> None:
        del number, frame
        if budget.seconds is not None and budget.spent() >= budget.seconds:
            signal.setitimer(signal.ITIMER_REAL, 0)  # once is enough: what is open has to be closed
            msg = f"the time limit of {budget.seconds:g} s was reached"
            raise LimitReached(msg)
        if meanwhile is not None:
            meanwhile()

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, first, _BEAT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def not_read(path: str, limit: BaseException) -> Diagnostic:
    """Say that a model was not read to its end."""
    # Letting go of all that was read so far would take as long again; the program ends soon.
    _held.append(limit)
    why = str(limit) or "there is no more memory"
    source = Source("<stdin>" if path == "-" else path, "")
    return Diagnostic(_NOT_READ, f"`{source.name}` was not read to its end: {why}", source)


def status_of(diagnostics: Iterable[Diagnostic]) -> int:
    """Return the status where nothing can be checked: 2 for bad input, 3 where a limit stopped reading it."""
    codes = {item.code for item in diagnostics if item.is_error}
    return Status.OPEN if codes == {_NOT_READ} else Status.BAD_INPUT


def show_diagnostics(
    screen: Screen, diagnostics: Iterable[Diagnostic], *, brief: bool = False
) -> None:
    """Draw all of them, with a count of the errors at the end where there are several.

    Where it is to be brief, warnings have one line each, and nothing is counted.
    """
    items = list(diagnostics)
    if not items:
        return
    from gnomon.results.render.diagnostic import in_one_line, render

    if brief:
        for item in items:
            shown = render([item], screen.width) if item.is_error else in_one_line(item)
            screen.write(shown)
        return
    screen.write(render(items, screen.width))
    errors = sum(item.is_error for item in items)
    warnings = len(items) - errors
    if len(items) > 1:
        parts = [_count(errors, "error"), _count(warnings, "warning")]
        screen.write(", ".join(part for part in parts if part) + "\n")


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}" if number else ""
