"""All that a page can ask, by the names of the protocol, and who answers it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from gnomon.interfaces.studio.calls import CallProgress
from gnomon.interfaces.studio.checks import known_model
from gnomon.interfaces.studio.folder import MOST_BYTES, MOST_NAME, StudioFolder
from gnomon.interfaces.studio.gallery import read_example
from gnomon.interfaces.studio.lanes import BenchLane
from gnomon.interfaces.studio.models import OPEN, POPULATE
from gnomon.interfaces.studio.studio import Studio
from gnomon.interfaces.studio.watching import FolderWatch
from gnomon.results.groups import WhoReport
from gnomon.workbench.bench import digest
from gnomon.workbench.drawing_data import PICTURE_FORMATS
from gnomon.workbench.failure import RequestFailed, bad_request
from gnomon.workbench.methods import METHODS
from gnomon.workbench.parameters import Parameters

#: What the workbench answers at once, and does not keep waiting behind what takes long.
QUICK: Final = frozenset(
    {
        OPEN,
        POPULATE,
        "run/initial",
        "run/moves",
        "run/random",
        "run/replay",
        "run/cell",
        "run/join",
    }
)


@dataclass
class PageDesk:
    """What one page has to itself."""

    studio: Studio
    quick: BenchLane
    slow: BenchLane
    watch: FolderWatch | None
    #: What was found last about groups, by what was asked: its pictures may be wanted as files.
    groups: tuple[str, WhoReport] | None = None

    def folder(self) -> StudioFolder:
        """Return the folder that is open."""
        found = self.studio.settings.folder
        if found is None:
            raise RequestFailed("unable", "no folder is open: `gnomon studio FOLDER` opens one")
        return found


PageHandler: TypeAlias = Callable[[PageDesk, Parameters, CallProgress], Awaitable[Any]]


async def _hello(desk: PageDesk, params: Parameters, progress: CallProgress) -> Any:
    del params, progress
    return await asyncio.to_thread(desk.studio.hello)


async def _list(desk: PageDesk, params: Parameters, progress: CallProgress) -> Any:
    del params, progress
    if desk.studio.settings.folder is None:
        return {"files": [], "cut": False}
    files, cut = await asyncio.to_thread(desk.folder().files)
    return {"files": files, "cut": cut}


async def _read(desk: PageDesk, params: Parameters, progress: CallProgress) -> Any:
    del progress
    path = params.text("path")
    text, version = await asyncio.to_thread(desk.folder().read, path)
    if desk.watch is not None:
        desk.watch.note(path, version)
    return {"path": path, "text": text, "version": version}


async def _write(desk: PageDesk, params: Parameters, progress: CallProgress) -> Any:
    del progress
    path, text = params.text("path"), params.text("text")
    before = params.text("version") if params.has("version") else None
    version = await asyncio.to_thread(desk.folder().write, path, text, before)
    if desk.watch is not None:
        desk.watch.note(path, version)
    return {"version": version}


async def _example(desk: PageDesk, params: Parameters, progress: CallProgress) -> Any:
    del desk, progress
    name = params.text("name")
    return {"name": name, "text": await asyncio.to_thread(read_example, name)}


async def _check(desk: PageDesk, params: Parameters, progress: CallProgress) -> Any:
    model = known_model(desk.studio.models, params)
    return await desk.studio.desk.check(model, params, progress)


async def _who(desk: PageDesk, params: Parameters, progress: CallProgress) -> Any:
    from gnomon.interfaces.studio.finding_groups import groups_data

    return await asyncio.to_thread(groups_data, await _groups(desk, params, progress))


async def _groups(desk: PageDesk, params: Parameters, progress: CallProgress) -> WhoReport:
    """Return what is found about groups; what was found last is at hand."""
    from gnomon.interfaces.studio.finding_groups import who  # few ask, and it has much to load

    asked = digest({name: value for name, value in params.given.items() if name != "survey"})
    if desk.groups is not None and desk.groups[0] == asked:
        return desk.groups[1]
    model = known_model(desk.studio.models, params)
    studio = desk.studio
    report = await who(studio.pool, model, params, studio.settings.limits, progress)
    if not report.is_open:
        desk.groups = (asked, report)
    return report


async def _export(desk: PageDesk, params: Parameters, progress: CallProgress) -> Any:
    """Have a picture made by whoever knows what it shows."""
    if params.raw("what") != "who":
        return await desk.slow.ask("export/drawing", params.given)
    from gnomon.interfaces.studio.finding_groups import groups_picture

    format_ = params.text("format")
    if format_ not in PICTURE_FORMATS:
        raise bad_request(f"`format` is one of {', '.join(PICTURE_FORMATS)}")
    inner = Parameters(params.raw("params"))
    report = await _groups(desk, inner, progress)
    return await asyncio.to_thread(groups_picture, report, inner.text("survey"), format_)


async def _sweep(desk: PageDesk, params: Parameters, progress: CallProgress) -> Any:
    short_enough(params)
    return await desk.studio.sweeps.sweep(params, progress)


HANDLERS: Final[Mapping[str, PageHandler]] = {
    "hello": _hello,
    "files/list": _list,
    "files/read": _read,
    "files/write": _write,
    "gallery/read": _example,
    "model/check": _check,
    "model/who": _who,
    "model/sweep": _sweep,
    "export/drawing": _export,
}


def all_methods() -> frozenset[str]:
    """Return the names of all that can be asked."""
    return frozenset(HANDLERS) | frozenset(METHODS)


def short_enough(params: Parameters) -> None:
    """Refuse a text that is too long, and a name."""
    if params.has("name") and len(params.text("name")) > MOST_NAME:
        raise RequestFailed("limit", f"names are at most {MOST_NAME:,} characters long")
    if params.has("text") and len(params.text("text").encode("utf-8", "replace")) > MOST_BYTES:
        raise RequestFailed("limit", f"texts are at most {MOST_BYTES:,} bytes long")


async def answer(desk: PageDesk, method: str, given: Any, progress: CallProgress) -> Any:
    """Return the answer to a request; raise `RequestFailed` where there is none."""
    params = Parameters(given)
    handler = HANDLERS.get(method)
    if handler is not None:
        return await handler(desk, params, progress)
    short_enough(params)
    lane = desk.quick if method in QUICK else desk.slow
    return await lane.ask(method, given)
