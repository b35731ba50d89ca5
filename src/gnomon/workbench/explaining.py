"""Why a formula has its value, in any format that there is for it."""

from collections.abc import Mapping
from typing import Final

from gnomon.workbench.bench import Handler

HANDLERS: Final[Mapping[str, Handler]] = {}
