"""What races have taught: who won for models like this one, kept from one program to the next.

It is a hint and nothing more: it says who starts first. A file that is damaged, or cannot be read or written,
is as good as none.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final, TypeAlias

from gnomon.checking.options import Options
from gnomon.model.any import AnyModel, AnySpecification
from gnomon.model.domain import size_of

#: Names another file, or says `off`.
VARIABLE: Final = "GNOMON_HINTS"
_FORMAT: Final = "gnomon hints 1"
#: So many sorts of models are remembered, those that raced last.
_MOST: Final = 500
#: No file of ours is longer.
_MOST_BYTES: Final = 1 << 20
#: So many races are counted; then they are halved, so that what was learned can be unlearned.
_MOST_RACES: Final = 32
#: What is expected of somebody who has never raced.
UNTRIED: Final = 0.5

#: By sorts of models and names of racers: how often each has won, and raced.
_Learned: TypeAlias = dict[str, dict[str, tuple[int, int]]]


def sort_of(model: AnyModel, formulae: Iterable[AnySpecification], options: Options) -> str:
    """Return what models that race alike have in common: their kind, about their size, what is asked."""
    sizes = ""
    if model.fixed is not None:
        variables = model.fixed.variables
        bits = sum(((size_of(each.domain) or 1) - 1).bit_length() for each in variables)
        numbers = (len(model.fixed.agents), len(variables), bits)
        sizes = " ".join(str(number.bit_length()) for number in numbers)
    asked = sorted({f"{each.logic}{'+' * each.has_coalition}" for each in formulae})
    return " ".join((model.kind, sizes, *asked, options.strategies))


def promise(sort: str) -> Mapping[str, float]:
    """Return how likely each of those who raced for such models is to win again, by Laplace's rule.

    Whoever has not raced is as likely to win as not (`UNTRIED`), and so comes before those who lose.
    """
    path = _path()
    known = {} if path is None else _read(path).get(sort, {})
    return {name: (won + 1) / (raced + 2) for name, (won, raced) in known.items()}


def learn(sort: str, winner: str, racers: Iterable[str]) -> None:
    """Remember who has raced for such a model, and who has won."""
    path = _path()
    if path is None:
        return
    table = _read(path)
    known = table.pop(sort, {})
    for name in racers:
        won, raced = known.get(name, (0, 0))
        if raced >= _MOST_RACES:
            won, raced = won // 2, raced // 2
        known[name] = (won + (name == winner), raced + 1)
    table[sort] = known  # at the end: it is the newest
    with suppress(OSError):
        _write(path, dict(list(table.items())[-_MOST:]))


def _path() -> Path | None:
    """Return where hints are kept: where the platform keeps what a program could do without."""
    given = os.environ.get(VARIABLE)
    if given is not None:
        return None if given in {"", "0", "off"} else Path(given)
    try:
        return caches() / "gnomon" / "races.json"
    except RuntimeError:
        return None  # nobody knows where this user is at home


def caches() -> Path:
    """Return where the platform keeps it; `RuntimeError` where nobody knows where this user is at home."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return given if given.is_absolute() else Path.home() / ".cache"


def _read(path: Path) -> _Learned:
    """Return what a file says, as far as it is ours."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return {}
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != _FORMAT:
            return {}
        return {
            sort: {name: (won, raced) for name, (won, raced) in known.items() if 0 <= won <= raced}
            for sort, known in data["races"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _write(path: Path, table: _Learned) -> None:
    """Put a file in the place of another, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=".races-", delete=False
    ) as file:
        try:
            json.dump({"format": _FORMAT, "races": table}, file, indent=1)
            file.flush()
            os.replace(file.name, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(file.name)
            raise
