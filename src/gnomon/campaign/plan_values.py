"""The values of a plan, each of the sort that is wanted; what is none is told at its place, and left out."""

import json
from collections.abc import Collection, Mapping
from datetime import date, datetime, time
from typing import Any, Final

from gnomon.campaign.plan_text import PlanPath, PlanText
from gnomon.checking.sweep import read_values
from gnomon.text.diagnostic import Diagnostics

_CODE: Final = "G0902"
_SORTS: Final = {
    bool: "true or false",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a table",
    date: "a date",
    datetime: "a date",
    time: "a time of day",
}
#: Nobody reads more of a value.
_WIDEST: Final = 40


class PlanValues:
    """Reads values of a plan, and keeps what is wrong with them."""

    def __init__(self, text: PlanText) -> None:
        """Begin without mistakes."""
        self.text: Final = text
        self.said: Final = Diagnostics(text.source)

    def wrong(
        self,
        path: PlanPath,
        message: str,
        value: object = None,
        *,
        notes: tuple[str, ...] = (),
        help: str = "",
    ) -> None:
        """Tell a mistake at a value, or at the key of it; where there are very many, only count it."""
        span = None if self.said.full else self.text.place(path, value)
        self.said.add(_CODE, message, span, notes=notes, help=help)

    def known_keys(
        self,
        path: PlanPath,
        given: Mapping[str, Any],
        known: Collection[str],
        above: Collection[str] = (),
    ) -> None:
        """Tell of keys that mean nothing; or only `above` all tables."""
        for key in given:
            if key in above:
                message = f"`{key}` is for the whole plan, and stands above its tables"
                self.wrong((*path, key), message)
            elif key not in known:
                near = self.said.did_you_mean(key, known)
                self.wrong(
                    (*path, key),
                    f"there is no `{key}` {'in a plan' if not path else f'in `{_shown(path)}`'}",
                    notes=() if near else self.said.listing("there are", sorted(known)),
                    help=near,
                )

    def string(self, path: PlanPath, value: object) -> str | None:
        """Return a text with something in it."""
        if not isinstance(value, str) or not value.strip():
            self._no(path, value, "a text, and not an empty one")
            return None
        if "\0" in value:
            self.wrong(path, f"`{_shown(path)}` has a zero byte in it")
            return None
        return value

    def strings(self, path: PlanPath, value: object) -> tuple[str, ...]:
        """Return a text or the texts of a list."""
        if isinstance(value, str):
            return tuple(filter(None, [self.string(path, value)]))
        if not isinstance(value, list) or not value:
            self._no(path, value, "a text, or a list of some")
            return ()
        return tuple(filter(None, [self.string(path, each) for each in value]))

    def codes(self, path: PlanPath, value: object) -> tuple[str, ...]:
        """Return the codes of a list, which may be empty, or the one."""
        return () if value == [] else self.strings(path, value)

    def switch(self, path: PlanPath, value: object) -> bool:
        """Return true or false."""
        if isinstance(value, bool):
            return value
        self._no(path, value, "true or false")
        return False

    def choices(self, path: PlanPath, value: object, known: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of a list (or the one) that there are, each once."""
        found = []
        for each in self.strings(path, value):
            if each in known:
                found.append(each)
                continue
            self.wrong(
                path,
                f"`{_shown(path)}` has no choice `{each}`",
                each,
                notes=self.said.listing("there are", known),
                help=self.said.did_you_mean(each, known),
            )
        return tuple(dict.fromkeys(found))

    def choice(self, path: PlanPath, value: object, known: tuple[str, ...]) -> str:
        """Return the one that is chosen; the first one where it is none."""
        if not isinstance(value, str):
            self._no(path, value, f"one of {', '.join(known)}")
            return known[0]
        return next(iter(self.choices(path, value, known)), known[0])

    def number(
        self, path: PlanPath, value: object, least: int, most: int | None = None
    ) -> int | None:
        """Return a whole number that is no smaller, and no larger."""
        if type(value) is int and value >= least and (most is None or value <= most):
            return value
        bounds = f"from {least} on" if most is None else f"from {least} to {most:,}"
        self._no(path, value, f"a whole number {bounds}")
        return None

    def table(self, path: PlanPath, value: object) -> Mapping[str, Any]:
        """Return a table."""
        if isinstance(value, dict):
            return value
        self._no(path, value, "a table")
        return {}

    def constant(self, path: PlanPath, value: object) -> tuple[int, ...]:
        """Return the values of a constant: a number, a range, or a list of both."""
        found: list[int] = []
        for each in value if isinstance(value, list) else [value]:
            if type(each) is int:
                found.append(each)
            elif isinstance(each, str):
                try:
                    found += read_values(each)
                except ValueError as error:
                    self.wrong(path, f"`{path[-1]}`: {error}", each)
            else:
                self._no(path, each, 'a whole number, or a range such as "2..8"')
        if value == []:
            self.wrong(path, f"there is no value for the constant `{path[-1]}`")
        return tuple(dict.fromkeys(found))

    def _no(self, path: PlanPath, value: object, wanted: str) -> None:
        sort = _SORTS.get(type(value), "something else")
        shown = "empty" if value in ("", []) else as_toml(value) if type(value) is int else sort
        self.wrong(path, f"`{_shown(path)}` is {wanted}; this is {shown}", value)


def as_toml(value: object) -> str:
    """Return a value about as it is written in a plan; of a long one, its beginning.

    >>> as_toml([1, "a", True, date(2020, 1, 2)])
    '[1, "a", true, 2020-01-02]'
    """
    if isinstance(value, list):
        said = f"[{', '.join(as_toml(each) for each in value[:_WIDEST])}]"
    elif isinstance(value, dict):
        said = "{ … }" if value else "{}"
    elif isinstance(value, str | bool):
        said = json.dumps(value, ensure_ascii=False)
    elif isinstance(value, int) and value.bit_length() > 4 * _WIDEST:
        said = "a number of very many digits"
    elif isinstance(value, date | time):
        said = value.isoformat()
    else:
        said = str(value)
    return said if len(said) <= _WIDEST else f"{said[:_WIDEST]}…"


def _shown(path: PlanPath) -> str:
    """Return the way to a value as it is said: without the numbers of tables."""
    return ".".join(each for each in path if isinstance(each, str))
