"""Pictures of reachable states, made by `gnomon show` in a process of its own, with its limits."""

import asyncio
import os
import re
import sys
from html import escape
from typing import Any, Final

from gnomon.interfaces.lsp.refusing import Refused

_SECONDS: Final = 20
#: What the picture of a text without a file is called.
_TITLE: Final = re.compile(r"<title>[^<]*</title>")
_MEGABYTES: Final = 1000
_STYLE: Final = (
    "body { margin: 1rem; background: #fff; color: #1f2933; font: 15px/1.4 system-ui, sans-serif; }"
    " svg { max-width: 100%; height: auto; }"
)


#: Our command in a process that is killed as soon as this one closes its end of a pipe, or is gone.
_DRAWING: Final = (
    "import sys; from gnomon.checking.process.child import live_as_long_as; "
    "live_as_long_as(int(sys.argv.pop(1))); from gnomon.interfaces.cli.entry import run; run()"
)


async def reachable_graph(text: str, name: str) -> dict[str, Any]:
    """Return a page with the picture; raise `Refused` with the reason where there is none."""
    said, errors = await _drawn(text)
    picture = said.decode("utf-8", "replace")
    start = picture.find("<svg")
    if start < 0:
        reason = errors.decode("utf-8", "replace").strip() or "there is no picture"
        raise Refused(reason[:500])
    title = f"reachable states of {name}"
    picture = _TITLE.sub(lambda _: f"<title>{escape(title)}</title>", picture, count=1)
    start = picture.find("<svg")
    page = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body>{picture[start:]}</body></html>\n"
    )
    return {"title": title, "html": page, "text": ""}


async def _drawn(text: str) -> tuple[bytes, bytes]:
    """Return what the command has written to its two streams."""
    reading, writing = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # what lies in the folder of a model is no program of ours
            *("-c", _DRAWING, str(reading), "show", "-", "--graph", "svg"),
            *("--timeout", str(_SECONDS), "--memory", str(_MEGABYTES)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            pass_fds=(reading,),
        )
        given = text.encode("utf-8", "replace")
        return await asyncio.wait_for(process.communicate(given), _SECONDS + 15)
    except TimeoutError:
        raise Refused(f"the picture was not finished after {_SECONDS + 15} s") from None
    finally:
        os.close(writing)
        os.close(reading)
