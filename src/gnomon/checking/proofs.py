"""The certificate of a model's verdicts, put together from what was proved one after the other."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from gnomon.checking.verdict import Verdict
from gnomon.model.system import Logic
from gnomon.text.source import Source
from gnomon.version import __version__

UNFINISHED: Final = "a limit was reached before it was proved"


class Proved(NamedTuple):
    """The entry of one verdict, with its proof or the reason why there is none.

    A proof may use the list of states and labels on them: `space` comes with the first that does, and
    `labels` are those that none before it has brought.
    """

    entry: dict[str, Any]
    listed: bool = False
    space: dict[str, Any] | None = None
    labels: tuple[dict[str, Any], ...] = ()


class Proofs:
    """What was proved so far."""

    def __init__(self) -> None:
        """Start without any."""
        self._entries: dict[int, dict[str, Any]] = {}
        self._space: dict[str, Any] | None = None
        self._labels: list[dict[str, Any]] = []

    def add(self, proved: Proved) -> None:
        """Take one up."""
        self._entries[proved.entry["index"]] = proved.entry
        if proved.listed:
            self._space = proved.space or self._space
            self._labels.extend(proved.labels)

    def document(
        self, source: Source, constants: Mapping[str, int], unproved: Iterable[dict[str, Any]]
    ) -> dict[str, Any]:
        """Return all of it, ready for JSON.

        `unproved` has an entry for every verdict, in their order; what it says of where a formula comes from
        goes for the proved ones as well.
        """
        from gnomon.certificate.document import FORMAT, VERSION

        return {
            "format": FORMAT,
            "version": VERSION,
            "gnomon": __version__,
            "model": source.name,
            "digest": digest(source),
            "constants": dict(constants),
            "space": self._space,
            "labels": self._labels,
            "verdicts": [
                {**self._entries.get(entry["index"], entry), "typed": entry["typed"]}
                for entry in unproved
            ],
        }


def entry_of(verdict: Verdict, logic: Logic, reason: str) -> dict[str, Any]:
    """Return the entry of a verdict without a proof, and why it has none."""
    return {
        "index": verdict.index,
        "formula": verdict.formula,
        "parsed": verdict.parsed,
        "logic": logic,
        "strategies": verdict.strategies,
        "verdict": verdict.value.value,
        "proof": None,
        "reason": reason,
    }


def digest(source: Source) -> str:
    """Return what tells one text from another."""
    import hashlib

    return hashlib.sha256(source.text.encode()).hexdigest()
