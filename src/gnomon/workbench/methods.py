"""The register of what can be asked of the workbench, by the names of the protocol."""

from collections.abc import Mapping
from typing import Final

from gnomon.workbench import asking, explaining, exporting, graphs, opening, playing, walking
from gnomon.workbench.bench import Handler

METHODS: Final[Mapping[str, Handler]] = {
    **opening.HANDLERS,
    **graphs.HANDLERS,
    **walking.HANDLERS,
    **asking.HANDLERS,
    **playing.HANDLERS,
    **explaining.HANDLERS,
    **exporting.HANDLERS,
}
