"""The work behind `gnomon campaign status`: a store, looked at once or again and again."""

import time
from collections import Counter
from pathlib import Path
from typing import Final

import click

from gnomon.campaign.plan_jobs import planned_jobs
from gnomon.campaign.plan_reading import read_plan
from gnomon.campaign.shards import Shard
from gnomon.campaign.store import Store
from gnomon.campaign.view import CampaignView, view_of_plan, views_of_store
from gnomon.interfaces.cli.campaign_running import is_plan, status_of
from gnomon.interfaces.cli.campaign_screen import status_page
from gnomon.interfaces.cli.screen import Screen, is_terminal
from gnomon.interfaces.cli.status import Status
from gnomon.results.styled import StyledText

_PAUSE: Final = 1.0
#: The page again in the place of the last one.
_HOME: Final = "\x1b[H\x1b[J"


class StatusOf:
    """What is looked at: the jobs of a plan, or all campaigns of a store."""

    def __init__(self, path: str, store: str | None, shard: Shard | None, screen: Screen) -> None:
        """Read the plan, where it is one; raise `InputError` where it has mistakes."""
        self._screen = screen
        self._plan = None
        self._store = Path(path)
        if is_plan([path]):
            plan = read_plan(path)
            self._plan = (
                plan.name if shard is None else f"{plan.name} {shard}",
                planned_jobs(plan, shard).jobs,
            )
            self._store = Path(store) if store else plan.store
        elif store or shard:
            raise click.UsageError("--store and --shard go with a plan")

    def show(self, *, watch: bool) -> int:
        """Show how it stands, once or until all is answered, and return the status."""
        again = watch and is_terminal(self._screen.stream)
        while True:
            views = self._views()
            if again:
                self._screen.put(_HOME)
            self._screen.write(self._page(views))
            if not watch or not any(view.left for view in views):
                return _status(views)
            time.sleep(_PAUSE)

    def _views(self) -> list[CampaignView]:
        with Store(self._store, must_exist=True, read_only=True) as store:
            if self._plan is not None:
                return [view_of_plan(*self._plan, store)]
            return views_of_store(store)

    def _page(self, views: list[CampaignView]) -> StyledText:
        text = StyledText()
        for view in views:
            if text.lines:
                text.add()
            text.extend(status_page(view, time.time(), self._screen.width))
        if not views:
            text.add("no campaign was begun in this store")
        return text


def _status(views: list[CampaignView]) -> Status:
    answered: Counter[str] = Counter()
    for view in views:
        answered.update(view.answered)
        answered["open"] += view.left
    return status_of(answered)
