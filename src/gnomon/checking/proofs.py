"""The certificate of a model's verdicts, put together from what was proved one after the other."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gnomon.checking.verdict import Verdict
from gnomon.model.budget import Budget
from gnomon.model.system import Logic, System
from gnomon.text.source import Source
from gnomon.version import __version__

if TYPE_CHECKING:  # a check without proofs needs none of it
    from gnomon.certificate.document import AskedFormula
    from gnomon.model.parameterised.system import OpenSystem

UNFINISHED: Final = "a limit was reached before it was proved"
UNDECIDED: Final = "it was not decided"


class Proved(NamedTuple):
    """The entry of one verdict, with its proof or the reason why there is none.

    A proof may use the list of states and labels on them: `space` comes with the first that does, and
    `labels` are those that none before it has brought.
    """

    entry: dict[str, Any]
    listed: bool = False
    space: dict[str, Any] | None = None
    labels: tuple[dict[str, Any], ...] = ()


class ProofAttempt(NamedTuple):
    """A proof that the checker may accept, with the list of states and the labels that it uses."""

    proof: dict[str, Any]
    space: dict[str, Any] | None = None
    labels: Sequence[dict[str, Any]] = ()


def first_accepted(
    model: "System | OpenSystem",
    asked: "AskedFormula",
    entry: dict[str, Any],
    attempts: Iterable[ProofAttempt],
    budget: Budget,
) -> tuple[ProofAttempt | None, str]:
    """Return the first proof of a verdict that the checker accepts, or why it does not accept the last."""
    from gnomon.certificate.document import Certificate, read_verdict
    from gnomon.certificate.verify import verify

    why = ""
    for attempt in attempts:
        claim = read_verdict({**entry, "proof": attempt.proof})
        certificate = Certificate((claim,), attempt.space, attempt.labels)
        [outcome] = verify(model, certificate, lambda _: asked, budget)
        if outcome.accepted:
            return attempt, ""
        why = outcome.why
    return None, why


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
        "name": verdict.name or None,
        "formula": verdict.formula,
        "parsed": verdict.parsed,
        "logic": logic,
        "strategies": verdict.strategies,
        "verdict": verdict.value.value,
        "proof": None,
        "reason": reason,
        "typed": False,
    }


def digest(source: Source) -> str:
    """Return what tells one text from another."""
    import hashlib

    return hashlib.sha256(source.text.encode()).hexdigest()
