"""Steps through a model: where it begins, what may happen, and whether a run is one of the model."""

from collections.abc import Mapping
from typing import Final

from gnomon.workbench.bench import Handler

HANDLERS: Final[Mapping[str, Handler]] = {}
