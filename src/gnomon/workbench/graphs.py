"""Pictures of a model: its reachable states, folded where there are too many, and who reads whom."""

from collections.abc import Mapping
from typing import Final

from gnomon.workbench.bench import Handler

HANDLERS: Final[Mapping[str, Handler]] = {}
