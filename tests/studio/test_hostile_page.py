"""A page of somebody else in the same browser, on another port of the same machine: as close as can be."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browsing import browser, chromium  # noqa: F401  (fixtures)
from tests.studio.running import Running, studio

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

#: Every way in which a page can try to read, include, open or call something; what came of each.
ATTACK = """
async ([place, key, token]) => {
  const at = "http://" + place, found = {};
  const late = () => new Promise((end) => setTimeout(() => end("nothing"), 1500));
  const say = async (name, tried) => {
    try { found[name] = String(await Promise.race([tried(), late()])); } catch { found[name] = "failed"; }
  };
  const included = (made, attributes) => () => new Promise((end) => {
    const element = Object.assign(document.createElement(made), attributes);
    element.onload = () => end(made === "iframe" ? shown(element) : "loaded");
    element.onerror = () => end("failed");
    document.body.append(element);
  });
  const shown = (frame) => {
    try { return frame.contentDocument.body.innerText || "empty"; } catch { return "hidden"; }
  };
  const socket = (path, protocols) => () => new Promise((end) => {
    const made = new WebSocket("ws://" + place + path, protocols);
    made.onopen = () => end("open");
    made.onerror = () => end("failed");
  });
  const call = (path, more) => fetch(at + path, { credentials: "include", ...more });
  for (const path of ["/", "/static/app.js", "/rpc", "/?token=" + token]) {
    await say("fetch " + path, async () => (await call(path)).status);
    await say("post " + path, async () => (await call(path, { method: "POST", body: "{}" })).status);
    await say("blind " + path, async () => {
      const got = await call(path, { mode: "no-cors" });
      return got.type + (await got.text()).length;
    });
    await say("script " + path, included("script", { src: at + path }));
    await say("style " + path, included("link", { rel: "stylesheet", href: at + path }));
    await say("image " + path, included("img", { src: at + path }));
    await say("frame " + path, included("iframe", { src: at + path }));
    await say("object " + path, included("object", { data: at + path }));
  }
  for (const path of ["/rpc", "/lsp"]) {
    await say("socket " + path, socket(path, []));
    await say("socket with the key " + path, socket(path, ["gnomon-studio", "key." + key]));
  }
  await say("events", () => new Promise((end) => {
    const made = new EventSource(at + "/rpc", { withCredentials: true });
    made.onopen = () => end("open");
    made.onerror = () => { made.close(); end("failed"); };
  }));
  const workers = navigator.serviceWorker;
  await say("worker", async () => (await workers.register(at + "/static/app.js")).scope);
  await say("cookie", async () => document.cookie);
  await say("window", () => new Promise((end) => {
    const opened = window.open(at + "/");
    setTimeout(() => {
      try { end(opened.closed ? "cut off" : opened.document.body.innerText); } catch { end("hidden"); }
    }, 800);
  }));
  return found;
}
"""
HARMLESS = {"failed", "nothing", "hidden", "opaque0", "cut off", "", "empty"}


class Listener:
    """A server of somebody else: keeps what browsers send, and sets cookies."""

    def __init__(self, port: int) -> None:
        self.heard: list[dict[str, str]] = []
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                listener.heard.append({name.lower(): value for name, value in self.headers.items()})
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                if self.path == "/toss":
                    for path in ("/rpc", "/static"):
                        toss = f"gnomon-studio-{port}=tossed; Path={path}"
                        self.send_header("Set-Cookie", toss)
                self.end_headers()
                self.wfile.write(b"<!DOCTYPE html><title>another page</title><body>another page")

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def place(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture(scope="module")
def own(static: Path) -> Iterator[Running]:
    with studio(static) as found:
        yield found


@pytest.fixture(scope="module")
def listener(own: Running) -> Iterator[Listener]:
    found = Listener(own.port)
    yield found
    found.server.shutdown()
    found.server.server_close()


def test_a_page_on_another_port_gets_nothing(
    browser: Browser,  # noqa: F811
    own: Running,
    listener: Listener,
) -> None:
    context = browser.new_context()
    try:
        mine = context.new_page()
        mine.goto(f"http://{own.host}/?token={own.token}")
        theirs = context.new_page()
        theirs.goto(listener.place)
        found = theirs.evaluate(ATTACK, [own.host, own.key, own.token])
        got = {name: value for name, value in found.items() if value not in HARMLESS}
        ours = mine.evaluate(ATTACK, [own.host, own.key, own.token])
    finally:
        context.close()

    assert {} == got
    # The same from our own page shows that it would be seen.
    assert ("200", "open") == (ours["fetch /"], ours["socket with the key /rpc"])
    assert "failed" == ours["socket /rpc"]
    assert len(found) > 35


def test_what_a_neighbour_hears_of_us_opens_nothing(
    browser: Browser,  # noqa: F811
    own: Running,
    listener: Listener,
) -> None:
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(f"http://{own.host}/?token={own.token}")
        assert page.url.endswith(f"/#key={own.key}")
        page.goto(listener.place)
        page.goto(f"{listener.place}/toss")
        page.goto(f"http://{own.host}/")
        shown = page.evaluate("fetch('/static/app.js').then(got => got.status)")
    finally:
        context.close()
    heard = json.dumps(listener.heard)

    # Browsers do send our cookie there; it is good for a page that everybody may know.
    assert own.secret in heard
    assert own.token not in heard
    assert own.key not in heard
    assert not any(own.host in each.get("referer", "") for each in listener.heard)
    assert 200 == shown
