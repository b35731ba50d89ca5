"""Certificates checked from Python: which verdicts are proved, and why others are not."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gnomon.api.published import CertificateData
from gnomon.certificate.document import Certificate
from gnomon.certificate.verify import ProofOutcome
from gnomon.checking.load import Loaded, load_source
from gnomon.checking.policy import judged
from gnomon.checking.proof_check import NoCertificate, certificates_in, check_certificate
from gnomon.checking.proofs import digest
from gnomon.checking.question import no_text
from gnomon.checking.refusals import nothing_starts
from gnomon.checking.verdict import Value
from gnomon.model.budget import Budget
from gnomon.results.render.json import dumps
from gnomon.text.brief import brief
from gnomon.text.diagnostic import InputError

#: A certificate as data, as text in JSON, or the name of a file.
GivenCertificate: TypeAlias = CertificateData | Sequence[CertificateData] | str | os.PathLike[str]

_MARKS = {True: "✓", False: "✗", None: "–"}


@dataclass(frozen=True, slots=True, repr=False)
class CheckedProof:
    """What the proof of one verdict is worth: `proved`, False where it is rejected, None without a proof.

    >>> import gnomon
    >>> model = gnomon.load("examples/tickets.ispl")
    >>> proof = model.verify(model.check("EF full", certificate=True).certificate)[0]
    >>> proof
    <EF full: true, proved>
    >>> proof.name, proof.formula, proof.value, proof.proved, proof.why
    ('', 'EF full', <Value.TRUE: 'true'>, True, '')
    """

    name: str
    formula: str
    value: Value
    proved: bool | None
    #: Why it is not.
    why: str

    def __repr__(self) -> str:
        """Show the formula, the value and what became of the proof."""
        return f"<{brief(f'{self.name or self.formula}: {self.value}, {self._said}')}>"

    def __str__(self) -> str:
        """Show the same in two lines, with the reason."""
        title = f"{self.name}  {self.formula}" if self.name else self.formula
        return f"{_MARKS[self.proved]} {title}\n     {self.value}, {self._said}"

    @property
    def _said(self) -> str:
        said = {
            True: "proved",
            False: "but the proof is rejected",
            None: "without a proof to check",
        }
        return said[self.proved] + (f": {self.why}" if self.why else "")


class Verification:
    """What the proofs of a certificate are worth, in the order of its verdicts.

    >>> import gnomon
    >>> model = gnomon.load("examples/tickets.ispl")
    >>> found = model.verify(model.check(only=[1, 3], certificate=True).certificate)
    >>> found
    <2 verdicts: 2 proved>
    >>> found.all_proved, found.proofs[0].proved, len(found)
    (True, True, 2)
    >>> print(found)
    ✓ not_negative  AG (Environment.waiting >= 0)
         true, proved
    ✓ may_fill_up  AG EF full
         true, proved
    """

    def __init__(self, proofs: tuple[CheckedProof, ...]) -> None:
        """List what was found out."""
        self.proofs: tuple[CheckedProof, ...] = proofs

    @property
    def all_proved(self) -> bool:
        """Return whether every verdict of the certificate is proved."""
        return all(proof.proved is True for proof in self.proofs)

    def __iter__(self) -> Iterator[CheckedProof]:
        """Go through the proofs."""
        return iter(self.proofs)

    def __len__(self) -> int:
        """Return how many verdicts there are."""
        return len(self.proofs)

    def __getitem__(self, index: int) -> CheckedProof:
        """Return the proof at an index, from 0."""
        return self.proofs[index]

    def __bool__(self) -> bool:
        """Refuse: that there are verdicts says nothing about their proofs."""
        msg = "some proofs may be rejected or missing: write `.all_proved`"
        raise TypeError(msg)

    def __str__(self) -> str:
        """Show every verdict with what became of its proof."""
        return "\n".join(map(str, self.proofs))

    def __repr__(self) -> str:
        """Show how many are proved."""
        words = {"proved": True, "rejected": False, "without a proof": None}
        counts = {
            word: sum(proof.proved is which for proof in self.proofs)
            for word, which in words.items()
        }
        told = ", ".join(f"{number} {word}" for word, number in counts.items() if number)
        return f"<{len(self)} verdict{'' if len(self) == 1 else 's'}: {told}>"


def verified(
    loaded: Loaded, given: GivenCertificate, timeout: float | None, allow: Sequence[str]
) -> Verification:
    """Return what the proofs of a certificate of this model are worth; raise `ValueError` for others."""
    if loaded.program is None:
        raise InputError((no_text(loaded.source.name),))
    assert loaded.model is not None
    bad = judged(nothing_starts(loaded.model, loaded.source), loaded.policy_with(allow))
    if bad:
        raise InputError(bad)
    certificate = _fitting(_read(given), loaded)
    outcomes, _ = check_certificate(loaded, certificate, Budget(timeout))
    return Verification(tuple(map(_checked, outcomes)))


def _checked(found: ProofOutcome) -> CheckedProof:
    return CheckedProof(found.name, found.formula, Value(found.verdict), found.accepted, found.why)


def _read(given: GivenCertificate) -> list[Certificate]:
    """Return the certificates of data, a text or a file."""
    name = "this"
    if isinstance(given, str) and given.lstrip()[:1] in {"{", "["}:
        text = given
    elif isinstance(given, str | os.PathLike):
        name = f"`{os.fspath(given)}`"
        with open(given, encoding="utf-8-sig") as file:
            text = file.read()
    elif isinstance(given, Mapping | list | tuple):
        text = dumps(given)
    else:
        msg = f"a certificate is data, a text or the name of a file, and {type(given).__name__} is none"
        if given is None:
            msg += ": `check(certificate=True)` makes one"
        raise TypeError(msg)
    try:
        found = certificates_in(text)
    except NoCertificate as error:
        msg = f"{name} {error}"
        raise ValueError(msg) from None
    known = {value.value for value in Value}
    if any(claim.verdict not in known for each in found for claim in each.verdicts):
        msg = f"{name} is no certificate: it has a verdict that is none"
        raise ValueError(msg)
    return found


def _fitting(certificates: Sequence[Certificate], loaded: Loaded) -> Certificate:
    """Return the certificate for this very text, with the constants of the model."""
    wanted = digest(loaded.source)
    own = [each for each in certificates if each.digest == wanted]
    if not own:
        msg = (
            f"the certificate is for another text than `{loaded.source.name}`: check the model "
            "again with `certificate=True`, or load the text that was checked"
        )
        raise ValueError(msg)
    for each in own:
        same = each.constants == loaded.constants
        if same or load_source(loaded.source, each.constants).in_force == loaded.in_force:
            return each
    sizes = ", ".join(f"{name}={value}" for name, value in own[0].constants.items())
    msg = f"the certificate is for other constants: `model.resized({sizes}).verify(…)` has them"
    raise ValueError(msg)
