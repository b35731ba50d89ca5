"""A real kernel: what a long check shows, and what is kept where a cell is interrupted."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from queue import Empty
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.support import ROOT

if TYPE_CHECKING:  # it need not be installed
    from jupyter_client.blocking.client import BlockingKernelClient
    from jupyter_client.manager import KernelManager

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")]

#: Nobody waits longer for a kernel.
_PATIENCE = 90.0

PREPARE = """
import gnomon
from tests import pigeons
model = gnomon.load_text(pigeons.pigeons(), "pigeons.ispl")
model.check("AF over", progress=False)
"""


class Cell(NamedTuple):
    """What came of a cell: what it printed, its displays in their order, and the error that ended it."""

    printed: str
    displays: list[dict[str, Any]]
    error: str


class Kernel:
    """A kernel that runs cells, and interrupts them when something is seen."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self._manager = manager
        self._client = client

    def run(self, code: str, until: Callable[[Cell], bool] | None = None) -> Cell:
        """Run a cell, and interrupt it once `until` is so."""
        asked = self._client.execute(code)
        cell, ends = Cell("", [], ""), time.monotonic() + _PATIENCE
        while time.monotonic() < ends:
            if until is not None and until(cell):
                self._manager.interrupt_kernel()
                until = None
            try:
                message = self._client.get_iopub_msg(timeout=0.2)
            except Empty:
                continue
            if message["parent_header"].get("msg_id") != asked:
                continue
            content = message["content"]
            match message["msg_type"]:
                case "status" if content["execution_state"] == "idle":
                    return cell
                case "stream" if content["name"] == "stdout":
                    cell = cell._replace(printed=cell.printed + content["text"])
                case "display_data" | "update_display_data":
                    cell.displays.append(content)
                case "error":
                    cell = cell._replace(error=content["ename"])
        pytest.fail("the cell did not end")


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    pytest.importorskip("ipykernel")
    manager_of = pytest.importorskip("jupyter_client.manager")
    manager = manager_of.KernelManager(kernel_name="python3")
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    manager.start_kernel(cwd=str(ROOT), env={**os.environ, "PYTHONPATH": path})
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=_PATIENCE)
        found = Kernel(manager, client)
        assert "" == found.run(PREPARE).error
        yield found
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def told(words: str) -> Callable[[Cell], bool]:
    """Return whether some progress was shown."""
    return lambda cell: any(words in each["data"]["text/plain"] for each in cell.displays)


def test_an_interrupted_check_keeps_what_was_decided(kernel: Kernel) -> None:
    code = 'r = model.check(strategies="uniform")\nprint(*(each.value for each in r), r[0].reason)'
    cell = kernel.run(code, told("4 of 5 formulae"))
    shown = kernel.run("from IPython.display import display; display(r)").displays[0]["data"]

    assert "" == cell.error
    assert "unknown true true false false interrupted\n" == cell.printed
    assert 1 == len({each["transient"]["display_id"] for each in cell.displays})
    assert {"text/plain": "", "text/html": ""} == cell.displays[-1]["data"]
    assert "interrupted: what was decided is kept" in shown["text/html"]


def test_an_interrupted_sweep_keeps_the_sizes_that_are_done(kernel: Kernel) -> None:
    code = (
        's = gnomon.sweep(model, {"pigeons": [3, 12, 13]}, pigeons.HARD, strategies="uniform")\n'
        "print([(c, str(r[0].value)) for c, r in s], s.as_expected)"
    )
    cell = kernel.run(code, told("1 of 3 sizes"))

    assert "" == cell.error
    assert "[({'pigeons': 3}, 'false'), ({'pigeons': 12}, 'unknown')] False\n" == cell.printed


def test_an_interrupted_campaign_keeps_what_has_come(kernel: Kernel) -> None:
    code = """
campaign = gnomon.Campaign(jobs=2)
easy = campaign.submit(model, "AF over")
hard = campaign.submit(model, pigeons.HARD, strategies="uniform")
print(easy.result().value)
hard.result()
"""
    cell = kernel.run(code, lambda cell: "true" in cell.printed)
    after = kernel.run("print(campaign, [str(each.value) for each in campaign.results])")
    ended = kernel.run("campaign.close(wait=False)\nprint(hard.cancelled())")

    assert "KeyboardInterrupt" == cell.error
    assert "1 of 2 checks: 1 expected ['true']\n" == after.printed
    assert "True\n" == ended.printed


def test_an_interrupted_search_for_groups_says_what_is_open(kernel: Kernel) -> None:
    code = 'w = model.who("G !clash", strategies="uniform")\nprint(w.open())'
    cell = kernel.run(code, told("groups"))

    assert "" == cell.error
    assert "(('Keeper',),)\n" == cell.printed


def test_what_is_over_at_once_shows_nothing(kernel: Kernel) -> None:
    cell = kernel.run('print(model.check("AF over")[0].value)')

    assert "true\n" == cell.printed
    assert [] == cell.displays
