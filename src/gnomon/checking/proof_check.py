"""Certificates checked again: a text to documents, and a document to what each of its proofs is worth."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gnomon.certificate.document import (
    FORMAT,
    VERSION,
    Certificate,
    ClaimedVerdict,
    read,
)
from gnomon.certificate.rejection import Rejected
from gnomon.certificate.verify import FindFormula, ProofOutcome, outcome_of, verify
from gnomon.checking.load import Loaded, read_specification
from gnomon.checking.process.child import Tell
from gnomon.checking.supervise import supervise
from gnomon.checking.told import Limits
from gnomon.model.any import AnyModel, AnySpecification
from gnomon.model.budget import Budget
from gnomon.text.diagnostic import InputError
from gnomon.text.errors import Unable
from gnomon.text.limits import paused_collection
from gnomon.text.numbers import read_integer

#: Integers of more digits take long to read.
_MOST_DIGITS = 400_000


class NoCertificate(Unable):
    """A text is no certificate; the message goes on after its name."""


def certificates_in(text: str) -> list[Certificate]:
    """Return the certificates of a text, which has one or a list of them."""
    try:
        found = _parsed(text)
    except (ValueError, RecursionError) as error:  # json has no other words for too deep
        raise NoCertificate(f"is no certificate: {error}") from error
    listed = found if isinstance(found, list) else [found]
    if not listed:
        raise NoCertificate("is empty")
    return [_certificate(each) for each in listed]


def _parsed(text: str) -> Any:
    if FORMAT not in text:
        msg = "it does not say that it is one of gnomon's"
        raise ValueError(msg)
    try:
        with paused_collection():
            return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        # Python refuses integers of more than some thousand digits, which states may have.
        return json.loads(text, parse_int=_integer)


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        msg = f"it has a number of {len(digits):,} digits"
        raise ValueError(msg)
    return read_integer(digits)


def _certificate(data: object) -> Certificate:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise NoCertificate("is no certificate of gnomon's")
    if data.get("version") != VERSION:
        raise NoCertificate("is a certificate of another version of gnomon")
    try:
        found = read(data)
    except Rejected as error:
        raise NoCertificate("is no complete certificate") from error
    if not found.verdicts:
        raise NoCertificate("is no complete certificate")
    return found


def own_formulae(loaded: Loaded) -> Sequence[AnySpecification]:
    """Return the formulae of a model itself."""
    return () if loaded.model is None else loaded.model.specifications


def asked_formula(loaded: Loaded, claim: ClaimedVerdict) -> AnySpecification:
    """Return the formula that a verdict is about: one of the model's, or one that somebody typed."""
    if claim.typed:
        return _typed_formula(loaded, claim)
    own = own_formulae(loaded)
    if not 1 <= claim.index <= len(own):
        raise Rejected(f"the model has no formula {claim.index}")
    return own[claim.index - 1]


def _typed_formula(loaded: Loaded, claim: ClaimedVerdict) -> AnySpecification:
    """Return a formula that somebody typed, by the name that they gave it; names of the model are its own."""
    try:
        found = read_specification(loaded, claim.formula)
    except InputError as error:
        raise Rejected(f"its formula cannot be read: {error.diagnostics[0].message}") from error
    for item in own_formulae(loaded):
        if claim.name and item.name == claim.name and item.parsed != found.parsed:
            raise Rejected("its name is that of another formula of the model")
    return replace(found, name=claim.name)


def check_certificate(
    loaded: Loaded, certificate: Certificate, budget: Budget
) -> tuple[list[ProofOutcome], str]:
    """Return what `check_proofs` does for a model that was read without errors."""
    assert loaded.model is not None
    return check_proofs(loaded.model, certificate, partial(asked_formula, loaded), budget)


def check_proofs(
    model: AnyModel, certificate: Certificate, find: FindFormula, budget: Budget
) -> tuple[list[ProofOutcome], str]:
    """Return what each proof is worth, and why the work was given up, if it was.

    It is done in a process of its own, to which `find` must be able to go; what was not looked at by its end
    stays open.
    """
    outcomes: list[ProofOutcome] = []
    job = partial(_tell_all, model, certificate, find, Limits.of(budget))
    reason = supervise(job, budget, outcomes.append).reason
    left = certificate.verdicts[len(outcomes) :]
    return [*outcomes, *(outcome_of(claim, None, reason) for claim in left)], reason


def _tell_all(
    model: AnyModel,
    certificate: Certificate,
    find: FindFormula,
    limits: Limits,
    tell: Tell,
) -> None:
    for outcome in verify(model, certificate, find, limits.budget(tell)):
        tell(outcome)
