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
_ELSEWHERE: Final = "it was proved over another list of states than the others, and there is one"


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
        if outcome.accepted and outcome.solver:
            return attempt._replace(proof={**attempt.proof, "solver": outcome.solver}), ""
        if outcome.accepted:
            return attempt, ""
        why = outcome.why
    return None, why


class Proofs:
    """What was proved so far."""

    def __init__(self) -> None:
        """Start without any."""
        self.entries: dict[int, dict[str, Any]] = {}
        #: The formulae whose proofs use the list of states.
        self.listed: set[int] = set()
        self.space: dict[str, Any] | None = None
        self.labels: list[dict[str, Any]] = []

    def add(self, proved: Proved) -> None:
        """Take one up."""
        self.entries[proved.entry["index"]] = proved.entry
        if proved.listed:
            self.listed.add(proved.entry["index"])
            self.space = proved.space or self.space
            self.labels.extend(proved.labels)

    def __contains__(self, number: object) -> bool:
        """Return whether there is a word on the proof of a formula, be it that there is none."""
        return number in self.entries

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
            "space": self.space,
            "labels": self.labels,
            "verdicts": [
                {**self.entries.get(entry["index"], entry), "typed": entry["typed"]}
                for entry in unproved
            ],
        }


def combined(decided: Mapping[int, Proofs]) -> Proofs:
    """Return one certificate of what several have proved, by who has decided which formula.

    Lists of states go by their numbers, so that there is one of them in a certificate: that which most
    proofs use. Who proved something else over another list has proved it in vain.
    """
    every = list(dict.fromkeys(decided.values()))
    if len(every) == 1:
        return every[0]
    whole = Proofs()
    home = max(every, key=lambda each: len(each.listed & decided.keys()), default=whole)
    whole.space, whole.labels = home.space, home.labels
    for number, own in decided.items():
        if number in own:
            whole.entries[number] = _fitting(number, own, home)
    whole.listed = home.listed & whole.entries.keys()
    return whole


def _fitting(number: int, own: Proofs, home: Proofs) -> dict[str, Any]:
    """Return the entry of a formula that goes with the list of states that is at home."""
    if own is home or number not in own.listed:
        return own.entries[number]
    if number in home and home.entries[number]["proof"] is not None:
        return home.entries[number]
    return {**own.entries[number], "proof": None, "reason": _ELSEWHERE}


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
