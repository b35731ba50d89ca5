"""Texts become models: read, and with a number of agents where one is chosen."""

from collections.abc import Mapping
from typing import Final

from gnomon.workbench.bench import Handler

HANDLERS: Final[Mapping[str, Handler]] = {}
