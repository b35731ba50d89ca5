"""What shells offer when Tab is pressed: models, what is in them, and codes.

Nothing here may fail, wait or print: whoever presses Tab gets what can be found out at once, or nothing. A
module of its own, which is imported only then.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress

import click
from click.shell_completion import CompletionItem

from gnomon.checking.load import Loaded
from gnomon.interfaces.cli.models import try_to_load
from gnomon.model.any import AnySpecification
from gnomon.model.budget import Budget
from gnomon.results.styled import squeeze, visible
from gnomon.text.codes import CODES

#: Reading a model for its names may take so many seconds and megabytes.
_SECONDS = 1.0
_MEGABYTES = 1000.0
#: Folders with more entries are left to the shell.
_MOST = 2000
#: A folder that is the only choice is looked into, so many deep.
_DEEPEST = 6
_SUFFIX = ".ispl"
#: A formula beside its name is cut there.
_LETTERS = 60
#: What a shell would take apart or for something else.
_SPECIAL = frozenset(" \t\n\"'\\$&;|<>()`!*?{}#~")

Items = list[CompletionItem]


def models(context: click.Context, incomplete: str) -> Items:
    """Return models and folders that begin so; whatever files there are, where there is no model."""
    del context
    found = _models(incomplete)
    if not found or not all(map(_is_plain, found)):
        return files(None, incomplete)
    return [CompletionItem(path) for path in found]


def files(context: click.Context | None, incomplete: str) -> Items:
    """Leave it to the shell, which knows how to complete and quote the names of files."""
    del context
    return [CompletionItem(incomplete, type="file")]


def formulae(context: click.Context, incomplete: str) -> Items:
    """Return the names of formulae that begin so; numbers where formulae have no names."""
    loaded = _loaded(context)
    model = None if loaded is None else loaded.model
    own: Sequence[AnySpecification] = () if model is None else model.specifications
    named = [
        CompletionItem(item.name or str(number), help=_short(item.text))
        for number, item in enumerate(own, 1)
    ]
    return _beginning(named, incomplete)


def constants(context: click.Context, incomplete: str) -> Items:
    """Return the constants that begin so, each with the value that it has."""
    loaded = _loaded(context)
    known = () if loaded is None else loaded.in_force
    return _beginning([CompletionItem(f"{name}={value}") for name, value in known], incomplete)


def agents(context: click.Context, incomplete: str) -> Items:
    """Return the agents that begin so."""
    loaded = _loaded(context)
    system = None if loaded is None else loaded.system
    known = [] if system is None else [agent.name for agent in system.agents]
    return _beginning([CompletionItem(name) for name in known], incomplete)


def groups(context: click.Context, incomplete: str) -> Items:
    """Return the groups and agents that begin so."""
    loaded = _loaded(context)
    system = None if loaded is None else loaded.system
    known = [] if system is None else list(system.groups)
    found = _beginning([CompletionItem(name) for name in known], incomplete)
    return [*found, *agents(context, incomplete)]


def codes(context: click.Context, incomplete: str) -> Items:
    """Return the codes of diagnostics that begin so."""
    del context
    every = [CompletionItem(code, help=entry.title) for code, entry in CODES.items()]
    return _beginning(every, incomplete.upper())


def warnings(context: click.Context, incomplete: str) -> Items:
    """Return the codes that begin so and can be allowed: of warnings, and of models that say nothing."""
    return [item for item in codes(context, incomplete) if CODES[item.value].allowable]


def _is_plain(path: str) -> bool:
    return path.isprintable() and not _SPECIAL & set(path)


def _short(text: str) -> str:
    """Return a formula as a remark beside its name."""
    words = visible(squeeze(text), "")
    return words if len(words) <= _LETTERS else f"{words[: _LETTERS - 1]}…"


def _beginning(items: Items, incomplete: str) -> Items:
    return [item for item in items if item.value.startswith(incomplete)]


def _loaded(context: click.Context) -> Loaded | None:
    """Return the model that the line names, if it can be read at once; nobody is told why not."""
    given = context.params
    # Where a line ends with an option that lacks its value, arguments have not been given their names yet.
    words = [*(given.get("models") or ()), given.get("model"), *context.args]
    path = next((word for word in words if isinstance(word, str) and os.path.isfile(word)), None)
    if path is None:
        return None
    # Of several values that a constant is to have, the first does as well as any other.
    chosen = {
        name: value if isinstance(value, int) else value[0]
        for name, value in (given.get("constants") or {}).items()
    }
    with suppress(Exception):  # a shell that waits for names is no place to report anything
        return try_to_load(path, chosen, Budget(_SECONDS, _MEGABYTES))[0]
    return None


def _models(incomplete: str, deep: int = 0) -> list[str]:
    """Return models and folders that begin so, all that is in a folder where it is the only one."""
    folder, start = os.path.split(incomplete)
    found = sorted(_entries(folder, start))
    if len(found) == 1 and found[0].endswith(os.sep) and deep < _DEEPEST:
        return _models(found[0], deep + 1)
    return found


def _entries(folder: str, start: str) -> Iterator[str]:
    with suppress(OSError), os.scandir(folder or os.curdir) as entries:
        for number, entry in enumerate(entries):
            if number >= _MOST:
                return
            hidden = entry.name.startswith(".") and not start.startswith(".")
            if hidden or not entry.name.startswith(start):
                continue
            if entry.is_dir():
                yield os.path.join(folder, entry.name) + os.sep
            elif entry.name.endswith(_SUFFIX):
                yield os.path.join(folder, entry.name)
