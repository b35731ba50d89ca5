"""Games against strategies, and against the answers to all that a coalition can do."""

from collections.abc import Mapping
from typing import Final

from gnomon.workbench.bench import Handler

HANDLERS: Final[Mapping[str, Handler]] = {}
