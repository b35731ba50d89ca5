"""Questions about one state: what looks the same, does a formula hold, how to get where one does."""

from collections.abc import Mapping
from typing import Final

from gnomon.workbench.bench import Handler

HANDLERS: Final[Mapping[str, Handler]] = {}
