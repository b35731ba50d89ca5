"""The options of the plugin: each is an option of pytest's command line, and a setting of its files."""

import os
from typing import Any, Final, NamedTuple

import pytest

_GROUP: Final = "models in ISPL (gnomon)"


class PytestOption(NamedTuple):
    """An option: `--gnomon-max-states` on the command line is `gnomon_max_states` in a file."""

    name: str
    help: str
    metavar: str = ""
    #: "float", "int", "string", "bool", or "args" where it can be given several times.
    kind: str = "string"

    @property
    def setting(self) -> str:
        """What it is called in a file, and where pytest keeps it."""
        return f"gnomon_{self.name}"


OPTIONS: Final = (
    PytestOption("timeout", "seconds for each model, after which it is undecided", "S", "float"),
    PytestOption("formula_timeout", "seconds for each formula", "S", "float"),
    PytestOption("memory", "megabytes for each model", "MB", "float"),
    PytestOption("max_states", "the most states the explicit engine keeps", "N", "int"),
    PytestOption("strict", "let warnings fail, and formulae that are true of nothing", kind="bool"),
    PytestOption("allow", "say nothing of this warning (repeatable)", "CODE", "args"),
    PytestOption("deny", "let this warning fail (repeatable)", "CODE", "args"),
    PytestOption("engine", "how to decide, as for `gnomon check`", "NAME"),
    PytestOption("strategies", "what coalitions choose from, as for `gnomon check`", "READING"),
    PytestOption("uniform_group", "who is uniform in `uniform-model`", "GROUP"),
    PytestOption(
        "set", "a value for a constant, in models that have it (repeatable)", "NAME=N", "args"
    ),
)


def add_options(parser: pytest.Parser) -> None:
    """Add all of them, and the one that asks for models."""
    group = parser.getgroup("gnomon", _GROUP)
    said = "collect *.ispl: every formula is a test, against what the file expects of it"
    group.addoption("--gnomon", action="store_true", default=None, help=said)
    parser.addini("gnomon", said, type="bool", default=False)
    # Numbers are settings of their own kind from pytest 8.4 on, and before that they are texts.
    has_numbers = pytest.version_tuple >= (8, 4)
    for option in OPTIONS:
        how: dict[str, Any] = {"dest": option.setting, "default": None, "help": option.help}
        match option.kind:
            case "bool":
                how["action"] = "store_true"
            case "args":
                how |= {"action": "append", "metavar": option.metavar}
            case "float" | "int":
                how |= {"type": float if option.kind == "float" else int, "metavar": option.metavar}
            case _:
                how["metavar"] = option.metavar
        group.addoption(f"--gnomon-{option.name.replace('_', '-')}", **how)
        kind: Any = option.kind if has_numbers or option.kind not in {"float", "int"} else "string"
        parser.addini(option.setting, option.help, type=kind, default=None)


def is_wanted(config: pytest.Config) -> bool:
    """Return whether models are to be collected."""
    return bool(config.getoption("gnomon", default=None) or config.getini("gnomon"))


def refuse_alone(config: pytest.Config) -> None:
    """Raise pytest's exception where an option was typed that only matters with `--gnomon`.

    What stands in files is for the runs with it.
    """
    for option in OPTIONS:
        flag = f"--gnomon-{option.name.replace('_', '-')}"
        if any(each.partition("=")[0] == flag for each in config.invocation_params.args):
            said = f"{flag} is about models that pytest collects, and it collects none"
            raise pytest.UsageError(f"{said}: add --gnomon")


def given(config: pytest.Config) -> dict[str, Any]:
    """Return what was chosen, by the names of the options; the command line goes before the files."""
    found = {}
    for option in OPTIONS:
        value = config.getoption(option.setting)
        if value is None:
            value = config.getini(option.setting)
        if isinstance(value, str) and option.kind in {"float", "int"}:
            value = _number(option, value)
        if value not in (None, "", []):
            found[option.name] = value
    return found


def _number(option: PytestOption, text: str) -> float | None:
    try:
        return (float if option.kind == "float" else int)(text) if text.strip() else None
    except ValueError:
        raise pytest.UsageError(f"{option.setting}: {text!r} is no number") from None


def as_written_from(folder: str | os.PathLike[str], path: str | os.PathLike[str]) -> str:
    """Return a path as somebody in a folder would write it."""
    try:
        return os.path.relpath(path, folder)
    except ValueError:  # it is on another drive
        return str(path)
