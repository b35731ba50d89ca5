"""What the user has chosen in the editor, looked at as carefully as what is typed at a prompt."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from gnomon.checking.options import Options
from gnomon.text.diagnostic import InputError, closest

#: Settings by the names that clients give them, those of `gnomon.check` and those beside it.
_CHECK: Final = {
    "timeout": "timeout",
    "memory": "memory",
    "engine": "engine",
    "strategies": "strategies",
    "onSave": "on_save",
}
_BESIDE: Final = {"lenses": "lenses", "hints": "hints"}
_SWITCHES: Final = ("on_save", "lenses", "hints")
#: What only clients use.
_THEIRS: Final = ("check", "path", "server", "trace")


@dataclass(frozen=True)
class EditorSettings:
    """How to check, and what to show."""

    timeout: float | None = 60.0
    memory: float | None = None
    engine: str = "auto"
    strategies: str = "perfect"
    on_save: bool = False
    lenses: bool = True
    hints: bool = True

    def options(self, strategies: str | None = None) -> Options:
        """Return how to check; raise `InputError` where there is no such thing."""
        return Options(
            engine=self.engine,  # type: ignore[arg-type]  # it is looked at there
            strategies=strategies or self.strategies,  # type: ignore[arg-type]  # the same
            timeout=self.timeout,
            memory=self.memory,
            evidence=True,
        )


def read_settings(data: object) -> tuple[EditorSettings, list[str]]:
    """Return what a client has sent, as far as it can be used, and what is wrong with the rest."""
    found = EditorSettings()
    if not isinstance(data, Mapping):
        return found, []
    check = data.get("check")
    wrong: list[str] = []
    given: Mapping[str, Any] = check if isinstance(check, Mapping) else {}
    for name, value, field in (*_known(given, _CHECK), *_known(data, _BESIDE)):
        tried = replace(found, **{field: value})
        mistakes = list(_mistakes(tried, name, field))
        wrong += mistakes
        found = found if mistakes else tried
    wrong += [*_unknown(given, _CHECK), *_unknown(data, (*_BESIDE, *_THEIRS))]
    return found, wrong


def _known(given: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[tuple[str, Any, str]]:
    for name, field in names.items():
        if name in given:
            yield name, given[name], field


def _mistakes(tried: EditorSettings, name: str, field: str) -> Iterator[str]:
    if field in _SWITCHES:
        if not isinstance(getattr(tried, field), bool):
            yield f"{name}={getattr(tried, field)!r} is neither true nor false"
        return
    try:
        tried.options()
    except InputError as error:
        for item in error.diagnostics:
            yield "; ".join((item.message, *item.notes))


def _unknown(
    given: Mapping[str, Any], names: "Mapping[str, str] | tuple[str, ...]"
) -> Iterator[str]:
    for name in given:
        if name not in names:
            near = closest(str(name), list(names))
            yield f"there is no setting {name}" + (f": did you mean {near}?" if near else "")
