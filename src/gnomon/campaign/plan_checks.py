"""One check of a plan: models that are found and read, and what varies."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from glob import has_magic
from pathlib import Path
from typing import Any, Final, get_args

from gnomon.campaign.plan import FormulaSplit, PlannedCheck
from gnomon.campaign.plan_models import ENDING, MOST_LOOKED_AT, files_meant
from gnomon.campaign.plan_text import PlanPath
from gnomon.campaign.plan_values import PlanValues, as_toml
from gnomon.checking.attempts import Engine, LibraryChoice, OrderChoice
from gnomon.checking.load import read_source
from gnomon.checking.options import Options, Strategies
from gnomon.checking.selection import FormulaChoice, as_choice, is_choice
from gnomon.checking.sweep import sizes
from gnomon.text.diagnostic import InputError, closest
from gnomon.text.source import Source

#: What may have several values, each of which is tried with all others.
_AXES: Final[dict[str, tuple[str, ...]]] = {
    "engines": get_args(Engine),
    "strategies": get_args(Strategies),
    "orders": get_args(OrderChoice),
    "diagrams": get_args(LibraryChoice),
}
#: Options that are said as an axis, or elsewhere; a plan is about all initial states of its models.
_SAID_OTHERWISE: Final = frozenset(
    "engine strategies order diagrams uniform_group report predicates starts".split()
)
#: Options by their names in plans, which are those on the command line.
OPTION_KEYS: Final = {
    each.name.replace("_", "-"): each.name
    for each in fields(Options)
    if each.name not in _SAID_OTHERWISE
}
_SWITCHES: Final = {each.name for each in fields(Options) if each.type in {bool, bool | None}}
_CODES: Final = {"allow", "deny"}
#: Nobody sets more.
_MOST_CONSTANTS: Final = 1_000
CHECK_KEYS: Final = (
    *(
        "models",
        "constants",
        "formulae",
        "only",
        "predicates",
        "uniform-group",
        "repetitions",
        "split",
    ),
    *_AXES,
    *OPTION_KEYS,
)
#: What does not go together: who says one of them does not mean the other.
_INSTEAD: Final = {"formulae": "only", "only": "formulae"}


class _CheckTable:
    """What is said of a check: in its own table, or above all of them."""

    def __init__(self, path: PlanPath, own: Mapping[str, Any], usual: Mapping[str, Any]) -> None:
        left_out = {_INSTEAD[key] for key in own if key in _INSTEAD}
        self._inherited = {key: value for key, value in usual.items() if key not in left_out}
        self._path = path
        self._own = own

    def __contains__(self, key: str) -> bool:
        return key in self._own or key in self._inherited

    def __getitem__(self, key: str) -> tuple[PlanPath, Any]:
        """Return the way to what is said, and what that is."""
        if key in self._own:
            return (*self._path, key), self._own[key]
        return (key,), self._inherited[key]

    @property
    def path(self) -> PlanPath:
        """The way to the table."""
        return self._path


def planned_check(
    values: PlanValues,
    path: PlanPath,
    own: Mapping[str, Any],
    usual: Mapping[str, Any],
    folder: Path,
) -> PlannedCheck:
    """Return one check: what its own table says stands in the place of what is said above all of them."""
    given = _CheckTable(path, own, usual)
    if "formulae" in given and "only" in given:
        where, _ = given["only"]
        values.wrong(
            where, "`only` chooses among the model's own formulae: it does not go with others"
        )
    axes: dict[str, Any] = {
        name: values.choices(*given[name], known) for name, known in _AXES.items() if name in given
    }
    return PlannedCheck(
        tuple(_models(values, given, folder)),
        _constants(values, given),
        _strings(values, given, "formulae"),
        _only(values, given),
        _strings(values, given, "predicates"),
        options=_options(values, given),
        uniform_group=_group(values, given, axes.get("strategies", ())),
        repetitions=_number(values, given, "repetitions"),
        split=_split(values, given),
        **axes,
    )


def _strings(values: PlanValues, given: _CheckTable, key: str) -> tuple[str, ...]:
    return values.strings(*given[key]) if key in given else ()


def _number(values: PlanValues, given: _CheckTable, key: str) -> int:
    return (values.number(*given[key], 1) if key in given else None) or 1


def _split(values: PlanValues, given: _CheckTable) -> FormulaSplit:
    if "split" not in given:
        return "no"
    return (
        "formulae" if values.choice(*given["split"], get_args(FormulaSplit)) == "formulae" else "no"
    )


def _models(values: PlanValues, given: _CheckTable, folder: Path) -> Iterator[Source]:
    if "models" not in given:
        help_ = 'models = "ring.ispl", or ["models/*.ispl", "more/**/*.ispl"]'
        values.wrong(given.path, "no models are named", help=help_)
        return
    path, value = given["models"]
    seen: set[Path] = set()
    for pattern in dict.fromkeys(values.strings(path, value)):
        for name in _found(values, path, pattern, folder):
            place = (folder / name).resolve()  # links may lead back
            if place in seen:
                continue
            seen.add(place)
            try:
                text = read_source(str(folder / name)).text
            except InputError as error:
                values.wrong(path, error.diagnostics[0].message, pattern)
                continue
            yield Source(name, text)


def _found(values: PlanValues, path: PlanPath, pattern: str, folder: Path) -> list[str]:
    """Return the files that a pattern means; where there are none, or too many, tell it."""
    found = files_meant(folder, pattern)
    if found:
        return found
    if found is None:
        message = f"`{pattern}` means too many files: {MOST_LOOKED_AT:,} were looked at"
        values.wrong(path, message, pattern, help="name folders that have only models")
    elif (folder / pattern).is_dir():
        values.wrong(path, f"there is no model in the folder `{pattern}`", pattern)
    elif has_magic(pattern):
        values.wrong(path, f"there is no model `{pattern}`: no file has such a name", pattern)
    else:
        near = None if values.said.full else _beside(folder, pattern)
        help_ = f"did you mean `{near}`?" if near else ""
        values.wrong(path, f"there is no model `{pattern}`", pattern, help=help_)
    return []


def _beside(folder: Path, name: str) -> Path | None:
    """Return the model in the same folder that was probably meant."""
    beside = [each.name for each in (folder / name).parent.glob(f"*{ENDING}")]
    near = closest(Path(name).name, beside)
    return None if near is None else Path(name).with_name(near)


def _constants(values: PlanValues, given: _CheckTable) -> dict[str, tuple[int, ...]]:
    if "constants" not in given:
        return {}
    path, value = given["constants"]
    if isinstance(value, dict) and len(value) > _MOST_CONSTANTS:
        values.wrong(path, f"{len(value):,} constants, and {_MOST_CONSTANTS:,} are the most")
        return {}
    found = {
        name: values.constant((*path, name), several)
        for name, several in values.table(path, value).items()
    }
    if all(found.values()):
        try:
            next(sizes(found))
        except InputError as error:
            values.wrong(path, error.diagnostics[0].message)
    return found


def _only(values: PlanValues, given: _CheckTable) -> tuple[FormulaChoice, ...]:
    if "only" not in given:
        return ()
    path, value = given["only"]
    chosen: list[FormulaChoice] = []
    for each in value if isinstance(value, list) else [value]:
        choice = as_choice(each) if isinstance(each, str) else each
        if is_choice(choice):
            chosen.append(choice)
        else:
            message = f"only = {as_toml(each)} is no number from 1 on, and no name of a formula"
            values.wrong(path, message, each)
    return tuple(chosen)


def _options(values: PlanValues, given: _CheckTable) -> Options:
    """Return what does not vary, as far as it is right."""
    found: dict[str, Any] = {}
    for key, name in OPTION_KEYS.items():
        if key not in given:
            continue
        path, value = given[key]
        wanted = values.switch(path, value) if name in _SWITCHES else value
        wanted = values.codes(path, value) if name in _CODES else wanted
        alone: dict[str, Any] = {name: wanted}
        try:
            Options(**alone)
        except InputError as error:
            for item in error.diagnostics:
                said = item.message.replace(f"{name}={value!r}", f"{key} = {as_toml(value)}")
                values.wrong(path, said, value, notes=item.notes, help=item.help)
        else:
            found |= alone
    try:
        return Options(**found)
    except InputError as error:  # what does not go together
        values.wrong(given.path, error.diagnostics[0].message)
        return Options()


def _group(values: PlanValues, given: _CheckTable, strategies: tuple[str, ...]) -> str | None:
    if "uniform-group" not in given:
        return None
    path, value = given["uniform-group"]
    if "uniform-model" not in strategies:
        help_ = 'add it: strategies = ["uniform-model"]'
        values.wrong(path, "`uniform-group` goes with the reading `uniform-model`", help=help_)
    return values.string(path, value)
