"""Models on the bench for tests, and requests about them as they come from outside."""

import json
from pathlib import Path
from typing import Any

from gnomon.checking.load import Loaded
from gnomon.model.budget import Budget
from gnomon.model.system import System
from gnomon.text.source import Source
from gnomon.workbench.bench import Bench, BenchModel
from gnomon.workbench.worker import answer
from tests.support import ROOT

EXAMPLES = ROOT / "examples"


class Asked:
    """One model on a bench of its own, and whatever is asked about it."""

    def __init__(self, model: str, bench: Bench, opened: dict[str, Any] | None = None) -> None:
        self.model = model
        self.bench = bench
        self.opened = opened or {}

    @property
    def known(self) -> BenchModel:
        found = self.bench.known(self.model)
        assert found is not None
        return found

    @property
    def system(self) -> System:
        assert self.known.system is not None
        return self.known.system

    def send(self, method: str, *, seconds: float = 60.0, **params: Any) -> dict[str, Any]:
        """Return the whole answer, after a journey as JSON."""
        request = {
            "id": 1,
            "method": method,
            "params": {"model": self.model, **params},
            "seconds": seconds,
        }
        found: dict[str, Any] = json.loads(
            json.dumps(answer(self.bench, json.loads(json.dumps(request))))
        )
        return found

    def ask(self, method: str, *, seconds: float = 60.0, **params: Any) -> Any:
        found = self.send(method, seconds=seconds, **params)
        assert "result" in found, found
        return found["result"]

    def failure(self, method: str, **params: Any) -> tuple[str, str]:
        """Return the kind and the words of a failure."""
        found = self.send(method, **params)
        assert "error" in found, found
        return found["error"]["data"]["kind"], found["error"]["message"]

    def first(self) -> Any:
        """Return the first initial state."""
        return self.ask("run/initial")["states"][0]


def opened(text: str, name: str = "model.ispl", **constants: int) -> Asked:
    """Return a text on a bench."""
    bench = Bench()
    found = Asked("", bench).ask("model/open", text=text, name=name, constants=constants)
    return Asked(found["model"], bench, found)


def example(name: str, **constants: int) -> Asked:
    """Return one of the examples on a bench."""
    return opened(Path(EXAMPLES, name).read_text(encoding="utf-8"), name, **constants)


def populated(asked: Asked, **numbers: int) -> Asked:
    """Return a model with so many agents of each template, on the same bench."""
    found = asked.ask("model/populate", population=numbers)
    return Asked(found["model"], asked.bench, found)


def built(system: System) -> Asked:
    """Return a system without a text on a bench."""
    loaded = Loaded(Source("built", ""), None, system, system.kind)
    bench = Bench(Budget())
    bench.put(BenchModel("built", loaded, system))
    return Asked("built", bench)
