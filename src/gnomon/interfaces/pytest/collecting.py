"""The hooks of pytest that collect models, which are registered where models are wanted."""

import shutil
import tempfile
import warnings
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from gnomon.checking.options import Options
from gnomon.interfaces.pytest.checks import CheckSettings, fair_share
from gnomon.interfaces.pytest.command_line import given
from gnomon.interfaces.pytest.models import (
    INQUIRIES,
    SETTINGS,
    UNUSED,
    FormulaItem,
    ModelFile,
    told,
)
from gnomon.results.styled import visible
from gnomon.testing import GnomonWarning
from gnomon.text.diagnostic import InputError
from gnomon.version import __version__

_ENDING: Final = ".ispl"
_FOLDER: Final = pytest.StashKey[str]()
#: Where a process of pytest-xdist is told of the folder.
_WORKER_INPUT: Final = "gnomon_folder"


def begin(config: pytest.Config) -> None:
    """Read the settings; raise pytest's exception where one is wrong."""
    chosen = given(config)
    constants = dict(map(_setting, chosen.pop("set", ())))
    for name in ("allow", "deny"):
        chosen[name] = tuple(chosen.get(name, ()))
    try:
        options = Options(**chosen)
    except InputError as error:
        raise pytest.UsageError(f"gnomon: {error.diagnostics[0].message}") from None
    worker = _worker(config)
    options = fair_share(options, int(worker.get("workercount", 1)))
    config.stash[SETTINGS] = CheckSettings(options, constants, worker.get(_WORKER_INPUT))
    config.stash[INQUIRIES] = {}
    config.stash[UNUSED] = set(constants)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove what processes have left for each other."""
    folder = config.stash.get(_FOLDER, None)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a process of pytest-xdist of the folder in which all of them leave what they have found out."""
    config: pytest.Config = node.config
    if _FOLDER not in config.stash:
        config.stash[_FOLDER] = tempfile.mkdtemp(prefix="gnomon-pytest-")
    node.workerinput[_WORKER_INPUT] = config.stash[_FOLDER]


def pytest_report_header(config: pytest.Config) -> str:
    """Say how models are checked."""
    chosen = [f"{name} {_shown(value)}" for name, value in given(config).items()]
    return f"gnomon: {', '.join([__version__, *chosen])}"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ModelFile | None:
    """Collect models; hidden ones only where somebody names them."""
    if file_path.suffix != _ENDING:
        return None
    if file_path.name.startswith(".") and not parent.session.isinitpath(file_path):
        return None
    if not _is_text(str(file_path)):
        # Neither a report nor another process could be told of it: pytest would break down later.
        said = f"pytest cannot tell of `{visible(str(file_path), '')}`: its name is no text"
        raise pytest.UsageError(f"{said}; rename it, or leave it out with --ignore-glob")
    return ModelFile.from_parent(parent, path=file_path)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Take down which formulae are to be decided: those that are left, and are not skipped."""
    formulae = [item for item in session.items if isinstance(item, FormulaItem)]
    for item in formulae:
        if item.get_closest_marker("skip") is None:
            item.inquiry.numbers.add(item.number)
    config = session.config
    # A model that could not be read may be the one that has it.
    unused = () if session.testsfailed else config.stash[UNUSED]
    if formulae and unused and _worker(config).get("workerid", "gw0") == "gw0":
        names = ", ".join(f"`{name}`" for name in sorted(unused))
        said = f"no model has a constant {names}, which `gnomon_set` sets"
        warnings.warn_explicit(GnomonWarning(said), None, str(config.inipath or "gnomon_set"), 1)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Have our message be all of the report, in every phase of a test: pytest asks in one of them alone."""
    report = yield
    if isinstance(item, FormulaItem) and call.excinfo is not None and report.failed:
        report.longrepr = told(item.path, call.excinfo) or report.longrepr
    return report


def _is_text(name: str) -> bool:
    """Return whether a name is text: file systems take any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _worker(config: pytest.Config) -> Mapping[str, Any]:
    """Return what this process of pytest-xdist was told; nothing where it is none."""
    found: Mapping[str, Any] = getattr(config, "workerinput", {})
    return found


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _setting(text: str) -> tuple[str, int]:
    """Return the constant that `n=3` sets."""
    name, sign, value = text.partition("=")
    try:
        if sign and name.strip():
            return name.strip(), int(value)
    except ValueError:
        pass
    raise pytest.UsageError(f"gnomon_set: {text!r} is no setting such as n=3")
