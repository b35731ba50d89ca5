"""Pictures and whole sessions as files."""

from collections.abc import Mapping
from typing import Final

from gnomon.workbench.bench import Handler

HANDLERS: Final[Mapping[str, Handler]] = {}
