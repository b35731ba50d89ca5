"""What all pages of one studio share: the folder, the models, processes, checks and answers."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gnomon.campaign.job import CampaignJob
from gnomon.campaign.local import LocalPool
from gnomon.checking.cores import usable_cores
from gnomon.checking.question import Question
from gnomon.interfaces.studio.checks import CheckDesk, CheckLimits
from gnomon.interfaces.studio.folder import MOST_BYTES, StudioFolder
from gnomon.interfaces.studio.gallery import gallery
from gnomon.interfaces.studio.keeping import AnswerKeeper
from gnomon.interfaces.studio.lanes import BenchLane
from gnomon.interfaces.studio.models import KnownModels
from gnomon.interfaces.studio.stable import ProcessStable
from gnomon.interfaces.studio.sweeps import SweepDesk
from gnomon.version import __version__

#: So many checks at once: a small one need not wait for large ones.
_LEAST_AT_ONCE: Final = 4
#: What is quick may take so many seconds.
_QUICK_SECONDS: Final = 15.0


@dataclass(frozen=True)
class StudioSettings:
    """What the command was told."""

    folder: StudioFolder | None = None
    limits: CheckLimits = CheckLimits(60.0, 2000.0)
    store: Path | None = None


class Studio:
    """One studio, from its start to its end."""

    def __init__(self, settings: StudioSettings) -> None:
        """Have nothing under way."""
        self.settings = settings
        self.models = KnownModels()
        self.stable = ProcessStable()
        self.keeper = AnswerKeeper(settings.store)
        self.pool = LocalPool(max(_LEAST_AT_ONCE, usable_cores()))
        self.desk = CheckDesk(self.pool, self.keeper, settings.limits)
        self.sweeps = SweepDesk(self.desk)

    async def start(self) -> None:
        """Get ready for the first page."""
        await self.keeper.open()
        self.stable.prepare()
        # Nobody wants to know the answer: what answers loads meanwhile all that it needs.
        self.pool.submit(CampaignJob(Question("")))

    def lanes(self) -> tuple[BenchLane, BenchLane]:
        """Return what answers the requests of one page: those that are quick, and the rest."""
        seconds, megabytes = self.settings.limits
        quick = BenchLane(self.stable, self.models, min(_QUICK_SECONDS, seconds), megabytes)
        return quick, BenchLane(self.stable, self.models, seconds, megabytes)

    def hello(self) -> dict[str, Any]:
        """Return what a page wants to know first."""
        folder, limits = self.settings.folder, self.settings.limits
        return {
            "gnomon": __version__,
            "folder": None if folder is None else folder.name,
            "opened": None if folder is None else folder.opened,
            "gallery": [each.to_data() for each in gallery()],
            "limits": {
                "seconds": limits.seconds,
                "megabytes": limits.megabytes,
                "text_bytes": MOST_BYTES,
            },
            "store": self.keeper.is_open,
        }

    async def close(self) -> None:
        """End all that is under way; no process is left when this returns."""
        await asyncio.to_thread(self.pool.close)
        await self.stable.close()
        await self.keeper.close()
