"""The plugin that pytest finds by its entry point.

It is loaded in every run of everybody who has Gnomon installed. So it imports nothing of Gnomon until
somebody asks for models, by `--gnomon` or by the fixture.
"""

import os
from typing import TYPE_CHECKING

import pytest

from gnomon.interfaces.pytest.command_line import add_options, as_written_from, is_wanted

if TYPE_CHECKING:
    from gnomon.api.models import Model
    from gnomon.testing import ModelLoader


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


@pytest.fixture
def gnomon_model(request: pytest.FixtureRequest) -> "ModelLoader":
    """Load a model by its path from the file of the test: `gnomon_model("door.ispl", n=3)`."""
    from gnomon.api.models import load

    folder = request.path.parent

    def loader(path: str | os.PathLike[str], /, **constants: int) -> "Model":
        return load(as_written_from(os.getcwd(), folder / path), **constants)

    return loader
