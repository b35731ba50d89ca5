"""The plugin that pytest finds by its entry point.

It is loaded in every run of everybody who has Gnomon installed. So it imports nothing of Gnomon until
somebody asks for models, by `--gnomon` or by the fixture.
"""

import os
from collections.abc import Generator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

import pytest

from gnomon.interfaces.pytest.command_line import (
    add_options,
    as_written_from,
    is_wanted,
    refuse_alone,
)

if TYPE_CHECKING:
    from gnomon.api.models import Model
    from gnomon.testing import ModelLoader

_PACKAGE: Final = Path(__file__).parents[2]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--gnomon` and its relatives, and the same as settings."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Know the marker of formulae; where models are wanted, have them collected."""
    config.addinivalue_line("markers", "gnomon: a formula of a model, collected by --gnomon.")
    if is_wanted(config):
        from gnomon.interfaces.pytest import collecting

        collecting.begin(config)
        config.pluginmanager.register(collecting, "gnomon-models")
    else:
        refuse_alone(config)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the line of the test, and not where Gnomon found that a model or a formula is wrong."""
    told = call.excinfo
    asks_us = "gnomon_model" in getattr(item, "fixturenames", ())
    whole = item.config.getoption("fulltrace", default=False)
    # What is none of our exceptions is a mistake of ours, or of the test: all of it matters.
    if told is not None and asks_us and not whole and told.type.__module__.startswith("gnomon."):
        _end_where_we_are_called(told.tb)
    return (yield)


def _end_where_we_are_called(traceback: TracebackType | None) -> None:
    """Leave out of a traceback what comes after the line that calls us."""
    while traceback is not None and traceback.tb_next is not None:
        if Path(traceback.tb_next.tb_frame.f_code.co_filename).is_relative_to(_PACKAGE):
            traceback.tb_next = None
        traceback = traceback.tb_next


@pytest.fixture
def gnomon_model(request: pytest.FixtureRequest) -> "ModelLoader":
    """Load a model by its path from the file of the test: `gnomon_model("door.ispl", n=3)`."""
    from gnomon.api.models import load

    folder = request.path.parent

    def loader(path: str | os.PathLike[str], /, **constants: int) -> "Model":
        return load(as_written_from(os.getcwd(), folder / path), **constants)

    return loader
