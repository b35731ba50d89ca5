"""What the user has chosen in the editor, looked at as carefully as what is typed at a prompt."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gnomon.checking.options import Options
from gnomon.text.diagnostic import InputError


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
    wrong: list[str] = []
    found = EditorSettings()
    if not isinstance(data, Mapping):
        return found, wrong
    check = data.get("check")
    given: Mapping[str, Any] = check if isinstance(check, Mapping) else {}
    for key, field in (
        ("timeout", "timeout"),
        ("memory", "memory"),
        ("engine", "engine"),
        ("strategies", "strategies"),
    ):
        if key in given:
            tried = replace(found, **{field: given[key]})
            try:
                tried.options()
            except InputError as error:
                wrong += [item.message for item in error.diagnostics]
            else:
                found = tried
    switches = (("onSave", "on_save", given), ("lenses", "lenses", data), ("hints", "hints", data))
    for key, field, place in switches:
        if isinstance(place.get(key), bool):
            found = replace(found, **{field: place[key]})
    return found, wrong
