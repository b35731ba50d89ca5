"""File names as URIs."""

import os
import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

#: What stands for the folder that relative names start from, as code scanning services know it.
ROOT: Final = "%SRCROOT%"
_DRIVE: Final = re.compile("[A-Za-z]:/")


def artifact(name: str, *, windows: bool = os.name == "nt") -> dict[str, object]:
    """Return where a file is, as SARIF has it.

    A relative name is relative to the folder in which all began, unless it leads out of it; what is no file,
    such as standard input, has a name and no folder.
    """
    if name.startswith("<") and name.endswith(">"):
        return {"uri": _quoted(name), "description": {"text": f"{name[1:-1]}: no file"}}
    path = _with_slashes(name, windows=windows)
    if not _is_absolute(path, windows=windows):
        parts = _parts(path)
        if ".." not in parts:
            return {"uri": "/".join(map(_quoted, parts)) or "./", "uriBaseId": ROOT}
        path = f"{_with_slashes(_here(), windows=windows)}/{path}"
    parts = _without_climbing(_parts(path))
    if not windows:
        return {"uri": f"file:///{'/'.join(map(_quoted, parts))}"}
    # A drive keeps its colon; the first part of `//server/share` is the name of a machine.
    start = "file://" if path.startswith("//") else "file:///"
    shown = [part if _DRIVE.match(f"{part}/") else _quoted(part) for part in parts]
    return {"uri": start + "/".join(shown)}


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:  # the folder is gone
        return ""


def _with_slashes(path: str, *, windows: bool) -> str:
    return path.replace("\\", "/") if windows else path


def _is_absolute(path: str, *, windows: bool) -> bool:
    return path.startswith("/") or (windows and _DRIVE.match(path) is not None)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in {"", "."}]


def _without_climbing(parts: Iterable[str]) -> list[str]:
    kept: list[str] = []
    for part in parts:
        if part == "..":
            del kept[-1:]
        else:
            kept.append(part)
    return kept


def _quoted(part: str) -> str:
    """Return a part of a path; its bytes need not be UTF-8."""
    try:
        data = part.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # it is no file name at all
        data = part.encode("utf-8", "surrogatepass")
    return quote(data, safe="")
