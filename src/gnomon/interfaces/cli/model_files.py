"""Finding the models below paths."""

import os
from collections.abc import Iterator, Sequence

import click

from gnomon.checking.batch import ModelCase
from gnomon.checking.keyword_expression import Selection

_ENDING = ".ispl"


def find_cases(paths: Sequence[str], selection: Selection) -> list[ModelCase]:
    """Return the models that are named, or that stand below folders, each once; `path::name` is one formula.

    Raises click's exception where a path is none, cannot be read, or has no model.
    """
    names: dict[str, list[str] | None] = {}
    shown: dict[str, str] = {}
    for given in paths:
        path, name = _split(given)
        for file in _files(path, name):
            place = os.path.realpath(file)
            shown.setdefault(place, file)
            before = names.setdefault(place, [])
            if name is None:
                names[place] = None  # all of them, whatever else is said
            elif before is not None:
                before.append(name)
    return [
        ModelCase(shown[place], tuple(dict.fromkeys(chosen or ())), selection)
        for place, chosen in names.items()
    ]


def _split(given: str) -> tuple[str, str | None]:
    """Return a path and the name behind it, if there is one; file names may have colons, too."""
    if given == "-":
        raise click.UsageError("models are tested by their names: `-` has none")
    path, mark, name = given.rpartition("::")
    if not mark or os.path.lexists(given):
        return given, None
    return path, name


def _files(path: str, name: str | None) -> Iterator[str]:
    if not os.path.isdir(path):
        if not os.path.exists(path):
            raise click.UsageError(f"there is no file and no folder `{path}`")
        yield path
        return
    if name is not None:
        raise click.UsageError(f"`{path}` is a folder: `::{name}` goes with one model")
    found = False
    for file in _below(path):
        found = True
        yield file
    if not found:
        raise click.UsageError(f"there is no model below `{path}`: no file `*{_ENDING}`")


def _below(folder: str) -> Iterator[str]:
    """Yield the models in a folder and below, in order; hidden ones and those that were seen are left out."""
    seen: set[str] = set()
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        place = os.path.realpath(here)
        if place in seen:
            continue  # a link that leads back
        seen.add(place)
        try:
            names = sorted(os.listdir(here))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise click.ClickException(f"cannot look into `{here}`: {reason}") from error
        inner = []
        for name in names:
            path = os.path.normpath(os.path.join(here, name))
            if name.startswith("."):
                continue
            if os.path.isdir(path):
                inner.append(path)
            elif name.endswith(_ENDING) and os.path.isfile(path):
                yield path
        waiting += reversed(inner)
