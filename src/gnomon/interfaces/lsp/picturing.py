"""Pictures of reachable states, made by `gnomon show` in a process of its own, with its limits."""

import asyncio
import contextlib
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


async def reachable_graph(text: str, name: str) -> dict[str, Any]:
    """Return a page with the picture; raise `Refused` with the reason where there is none."""
    limits = ["--timeout", str(_SECONDS), "--memory", str(_MEGABYTES)]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # what lies in the folder of a model is no program of ours
        "-m",
        "gnomon",
        "show",
        "-",
        "--graph",
        "svg",
        *limits,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        said, errors = await asyncio.wait_for(
            process.communicate(text.encode("utf-8", "replace")), _SECONDS + 15
        )
    except (TimeoutError, asyncio.CancelledError):
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        raise
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
