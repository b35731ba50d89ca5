"""Two ways of deciding disagree: everything that a report needs, in one file."""

import os
import platform
import sys
from collections.abc import Sequence
from tempfile import NamedTemporaryFile

import click

from gnomon.checking.consistency import Disagreement
from gnomon.checking.load import Loaded
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.status import Status
from gnomon.version import __version__


class Disagreeing(click.ClickException):
    """What the user is told; the status says that it is our bug."""

    exit_code = Status.BUG


def reported(error: Disagreement, request: Request, models: Sequence[Loaded]) -> Disagreeing:
    """Write a report into the folder we are in, or the one for temporary files, and say where it is."""
    from gnomon.results.render.json import dumps

    report = {
        "gnomon": __version__,
        "python": sys.version,
        "platform": platform.platform(),
        "libraries": _libraries(),
        "disagreement": str(error),
        "opinions": [
            {
                "by": opinion.who,
                "engine": opinion.verdict.engine,
                "formula": opinion.verdict.formula,
                "verdict": opinion.verdict.value.value,
                "certificate": opinion.certificate,
                "reason": opinion.why,
            }
            for opinion in error.opinions
        ],
        "place": list(getattr(error, "__notes__", ())),
        "request": {name: value for name, value in request._asdict().items() if name != "models"},
        "models": [
            {
                "name": loaded.source.name,
                "text": loaded.source.text,
                "constants": dict(loaded.constants),
            }
            for loaded in models
        ],
    }
    path = _written(dumps(report))
    where = (
        f"everything that a report needs is in `{path}`" if path else "no report could be written"
    )
    return Disagreeing(f"{error}\nthis is a bug in gnomon: please report it; {where}")


def _libraries() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in ("oxidd", "z3-solver", "python-sat", "dd", "click"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _written(text: str) -> str | None:
    for folder in (os.curdir, None):
        try:
            with NamedTemporaryFile(
                "w",
                encoding="utf-8",
                errors="backslashreplace",
                prefix="gnomon-disagreement-",
                suffix=".json",
                dir=folder,
                delete=False,
            ) as file:
                file.write(text)
                return file.name
        except OSError:
            continue
    return None
