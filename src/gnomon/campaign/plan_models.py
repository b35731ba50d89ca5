"""The files that a plan means by `models`: names, folders, and patterns such as `models/**/*.ispl`."""

from collections.abc import Iterator
from fnmatch import fnmatch
from glob import has_magic
from itertools import islice
from os import scandir
from pathlib import Path
from typing import Final

ENDING: Final = ".ispl"
#: Who means more files has named the wrong folder.
MOST_LOOKED_AT: Final = 200_000
_ANY_DEPTH: Final = "**"


def files_meant(folder: Path, named: str) -> list[str] | None:
    """Return the files that a text in a plan means, by names that are the same wherever the folder is.

    A name is a pattern only where nothing has that name. In folders, and for `**`, no link to a folder is
    followed, since it may lead back, and what begins with a dot is left out. None where there are more than
    can be looked at.
    """
    place = folder / named
    if place.is_dir():
        return _Search(folder).below(Path(named), (_ANY_DEPTH, f"*{ENDING}"))
    if place.exists():
        return [named]
    if not has_magic(named):
        return []
    path = Path(named)
    return _Search(folder).below(Path(path.anchor), path.relative_to(path.anchor).parts)


class _Search:
    """Looks for files in a folder, at not more than can be meant."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._left = MOST_LOOKED_AT

    def below(self, start: Path, parts: tuple[str, ...]) -> list[str] | None:
        """Return the files below a start that parts of a pattern mean, each once; None for too many."""
        found = {str(path) for path in self._matching(start, parts)}
        return None if self._left < 0 else sorted(found)

    def _matching(self, at: Path, parts: tuple[str, ...]) -> Iterator[Path]:
        if not parts:
            if (self._folder / at).is_file():
                yield at
            return
        first, rest = parts[0], parts[1:]
        if first == _ANY_DEPTH:
            while rest[:1] == (_ANY_DEPTH,):
                rest = rest[1:]
            for each in self._folders(at):
                yield from self._matching(each, rest or ("*",))
        elif (self._folder / at / first).exists():
            yield from self._matching(at / first, rest)
        elif has_magic(first):
            for name, _ in self._entries(at):
                if fnmatch(name, first) and (first.startswith(".") or name[0] != "."):
                    yield from self._matching(at / name, rest)

    def _folders(self, top: Path) -> Iterator[Path]:
        """Yield a folder and all below it."""
        waiting = [top]
        while waiting:
            at = waiting.pop()
            yield at
            inside = self._entries(at)
            waiting += [at / name for name, is_own in inside if is_own and name[0] != "."]

    def _entries(self, at: Path) -> list[tuple[str, bool]]:
        """Return the names in a folder, each with whether it is a folder and no link to one.

        When as many have been looked at as can be, there are none any more, so that the search ends.
        """
        found: list[tuple[str, bool]] = []
        try:
            with scandir(self._folder / at) as entries:
                found += [
                    (entry.name, entry.is_dir(follow_symlinks=False))
                    for entry in islice(entries, max(self._left + 1, 0))
                ]
        except OSError:
            return []  # what nobody may read has no models
        self._left -= len(found)
        return found
