"""The page and what belongs to it: files of the package, and nothing else."""

import secrets
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

#: What a page is made of, by the ending of the file.
_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
#: What a page says that sends a key with its web sockets.
_KEYED: Final = '<meta name="studio-key"'
#: What stands in the page where its nonce belongs: styles that the editor makes carry it.
_NONCE: Final = "@NONCE@"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


def built_page() -> Path:
    """Return the folder of the page, as it is built."""
    return Path(__file__).parent / "static"


class PageAssets:
    """The files of one folder, by their names."""

    def __init__(self, folder: Path) -> None:
        """Serve the files of a folder."""
        self._folder = folder

    def takes_key(self) -> bool:
        """Return whether the page sends a key with its web sockets."""
        try:
            return _KEYED in (self._folder / "index.html").read_text(encoding="utf-8")
        except (OSError, ValueError):
            return True

    async def page(self, request: Request) -> Response:
        """Return the page."""
        nonce = secrets.token_urlsafe(18)
        policy = _POLICY.format(nonce=nonce, host=request.headers["host"])
        try:
            text = (self._folder / "index.html").read_text(encoding="utf-8")
        except OSError:
            return _missing()
        return HTMLResponse(
            text.replace(_NONCE, nonce), headers={"Content-Security-Policy": policy}
        )

    async def asset(self, request: Request) -> Response:
        """Return a file of the page."""
        # Names are compared, and never joined to a path: nothing else can be reached.
        wanted = request.path_params["name"]
        for path in self._folder.rglob("*"):
            name = path.relative_to(self._folder).as_posix()
            if name == wanted and path.suffix in _KINDS and path.is_file():
                return self._file(request, path)
        return _missing()

    @staticmethod
    def _file(request: Request, path: Path) -> Response:
        found = path.stat()
        tag = f'"{found.st_mtime_ns:x}-{found.st_size:x}"'
        headers = {
            "Cache-Control": "no-cache",
            "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
            "ETag": tag,
        }
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(path.read_bytes(), media_type=_KINDS[path.suffix], headers=headers)


def _missing() -> Response:
    return PlainTextResponse("There is no such page.\n", status_code=404)
