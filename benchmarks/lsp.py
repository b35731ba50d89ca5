"""How long an editor waits for the language server, and what it takes while one types.

    python benchmarks/lsp.py                 all of it (five minutes)
    python benchmarks/lsp.py --edits 500     memory over fewer edits

For a text of 1,000 lines and one of 1 MB: from a keystroke to its diagnostics (aims: 100 ms and a second),
beside the time that the file takes to be read once from scratch; and how long another message waits while one
types. Then the memory of the server over 10,000 edits. Wall clock, on whatever else the machine does: read
the ratios.
"""

import argparse
import asyncio
import statistics
import sys
import time
from functools import partial
from random import Random
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from gnomon.checking.load import load_text

URI = "file:///nowhere/model.ispl"


def robots(count: int) -> str:
    """Return a program with so many robots: 26 lines each."""
    parts = [_ENVIRONMENT, *(_ROBOT.replace("#", str(number)) for number in range(count))]
    busy = (
        f"  busy{k} if Robot{k}.place{k} = work and Robot{k}.load{k} > 3;" for k in range(count)
    )
    start = (
        f"  and Robot{k}.place{k} = home and Robot{k}.load{k} = 0 and Robot{k}.tired{k} = false"
        for k in range(count)
    )
    asked = (f"  sure{k} : AG (busy{k} -> K(Robot{k}, busy{k})) expect true;" for k in range(count))
    parts += [
        "Evaluation",
        *busy,
        "end Evaluation",
        "InitStates",
        "  Environment.t = 0",
        *start,
        "  ;",
    ]
    parts += ["end InitStates", "Formulae", *asked, "end Formulae", ""]
    return "\n".join(parts)


_ENVIRONMENT = """Agent Environment
  Vars: t : 0..3; end Vars
  Actions = { tick };
  Protocol: Other : { tick }; end Protocol
  Evolution: t = t + 1 if t < 3; t = 0 if t = 3; end Evolution
end Agent
"""
_ROBOT = """Agent Robot#
  Vars:
    place# : { home, road, work, shop };
    load# : 0..9;
    tired# : boolean;
  end Vars
  Actions = { go, stay, lift, rest };
  Protocol:
    place# = home and tired# = false : { go, stay };
    place# = road : { go };
    place# = work and load# < 9 : { lift, go };
    Other : { rest, stay };
  end Protocol
  Evolution:
    place# = road if place# = home and Action = go;
    place# = work if place# = road and Action = go and Environment.Action = tick;
    load# = load# + 1 if Action = lift and load# < 9;
    tired# = true if load# = 9;
    tired# = false if Action = rest;
    load# = 0 if Action = rest;
  end Evolution
end Agent
"""


class Typist:
    """A client with one text."""

    def __init__(self, client: LanguageClient, text: str) -> None:
        """Hear of diagnostics by their version."""
        self.client = client
        self.lines = text.split("\n")
        self.text = text
        self.version = 1
        self.heard: dict[int | None, float] = {}
        self.published = asyncio.Event()
        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(Typist.hear, self))

    def hear(self, params: types.PublishDiagnosticsParams) -> None:
        """Note when a version was told about."""
        self.heard[params.version] = time.perf_counter()
        self.published.set()

    def open(self) -> None:
        """Open the text."""
        item = types.TextDocumentItem(URI, "ispl", 1, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def type(self, line: int, column: int, new: str, removed: int = 0) -> None:
        """Replace some characters of a line."""
        place = types.Range(types.Position(line, column), types.Position(line, column + removed))
        self.version += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, URI),
                [types.TextDocumentContentChangePartial(place, new)],
            )
        )

    async def told(self) -> float:
        """Return when the server told about the text as it is now."""
        while self.version not in self.heard:
            self.published.clear()
            await asyncio.wait_for(self.published.wait(), 60)
        return self.heard[self.version]


async def connect() -> LanguageClient:
    """Start a server."""
    client = LanguageClient("benchmark", "1")
    await client.start_io(sys.executable, "-m", "gnomon", "lsp")
    capabilities = types.ClientCapabilities()
    await client.initialize_async(types.InitializeParams(capabilities))
    client.initialized(types.InitializedParams())
    return client


async def latency(name: str, robots_count: int, keystrokes: int) -> None:
    """Print how long keystrokes in a text wait for their diagnostics."""
    text = robots(robots_count)
    alone = min(_load(text) for _ in range(3))
    client = await connect()
    typist = Typist(client, text)
    typist.open()
    await typist.told()
    random = Random(1)
    waits, hovers = [], []
    for _ in range(keystrokes):
        line = random.randrange(8, len(typist.lines) - 2)
        for new, removed in (("x", 0), ("", 1)):
            before = time.perf_counter()
            typist.type(line, 0, new, removed)
            waits.append(await typist.told() - before)
    for _ in range(8):
        line = random.randrange(8, len(typist.lines) - 2)
        for _ in range(10):
            typist.type(line, 0, "x")
            await asyncio.sleep(0.02)
        before = time.perf_counter()
        await client.workspace_execute_command_async(
            types.ExecuteCommandParams("gnomon.cancel", [{"uri": URI}])
        )
        hovers.append(time.perf_counter() - before)
    size = f"{len(typist.lines):,} lines, {len(text) / 1e6:.2f} MB"
    print(f"{name}: {size}; from scratch {alone * 1000:.0f} ms")
    print(f"  keystroke to diagnostics: {_spread(waits)}")
    print(f"  a message in between while one types: {_spread(hovers)}")
    await stop(client)


def _load(text: str) -> float:
    before = time.perf_counter()
    load_text(text)
    return time.perf_counter() - before


def _spread(times: list[float]) -> str:
    ordered = sorted(1000 * each for each in times)
    most = ordered[int(0.95 * (len(ordered) - 1))]
    return f"median {statistics.median(ordered):.0f} ms, 95 % {most:.0f} ms, worst {ordered[-1]:.0f} ms"


async def memory(edits: int) -> None:
    """Print the memory of the server while a text is edited."""
    client = await connect()
    typist = Typist(client, robots(38))
    typist.open()
    await typist.told()
    random = Random(2)
    process: Any = client._server  # noqa: SLF001 - the library has no other way to it
    print(f"memory over {edits:,} edits:", end=" ", flush=True)
    for number in range(edits):
        line = random.randrange(8, 900)
        typist.type(line, 0, random.choice("abc ;-"))
        typist.type(line, 0, "", 1)
        if number % 5 == 0:
            await typist.told()
            typist.heard.clear()
        if number % max(edits // 10, 1) == 0:
            print(f"{_resident(process.pid):.0f}", end=" ", flush=True)
    await typist.told()
    print(f"{_resident(process.pid):.0f} MB")
    await stop(client)


def _resident(pid: int) -> float:
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        for line in file:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0


async def stop(client: LanguageClient) -> None:
    """End the server."""
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()


async def main() -> None:
    """Measure all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=10_000)
    asked = parser.parse_args()
    await latency("small", 38, 40)
    await latency("large", 1180, 12)
    await memory(asked.edits)


if __name__ == "__main__":
    asyncio.run(main())
