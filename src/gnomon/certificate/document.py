"""A certificate from outside: what it is about, the verdicts it claims, and the proofs, not yet looked into.

`results/schema/certificate.json` publishes the whole shape. `read` finds out whether a JSON value has the
outer part of it; what is inside a proof is read by the rules that check it.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from gnomon.certificate.rejection import Malformed
from gnomon.certificate.shape import boolean, integer, items, member, nullable, string
from gnomon.model.parameterised.system import PopulationQuestion
from gnomon.model.system import Specification
from gnomon.text.record import Record

FORMAT: Final = "gnomon-certificate"
VERSION: Final = 1

#: A formula of a model, or one that was given with the question.
AskedFormula: TypeAlias = Specification | PopulationQuestion

#: An index is a small number.
_MOST_FORMULAE: Final = 10**9
#: What a formula can be called.
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\[-?[0-9]+(,-?[0-9]+)*\])?")


class ClaimedVerdict(Record):
    """A verdict that a certificate claims, with its proof, or with the reason why there is none."""

    index: int
    formula: str
    parsed: str
    logic: str
    strategies: str | None
    verdict: str
    proof: dict[str, object] | None
    reason: str
    #: Whether the formula was given with the question, and is not the model's own.
    typed: bool = False
    #: The name of the formula; "" where nothing is said about one.
    name: str = ""


class ProofGrounds(Record):
    """What an accepted proof rests on, and what it proves beside the verdict."""

    #: Who has the last word on what was asked of solvers, where that was needed.
    solver: str = ""
    #: In words, what holds of other numbers of agents.
    beyond: str = ""


class Certificate(Record):
    """Verdicts with their proofs, and what the proofs share: a list of states, and labels on them."""

    verdicts: tuple[ClaimedVerdict, ...]
    space: object = None
    labels: Sequence[object] = ()
    digest: str = ""
    constants: Mapping[str, int] = MappingProxyType({})


def read(data: object) -> Certificate:
    """Return a certificate; raises `Rejected` where its outside does not have the published shape."""
    return Certificate(
        tuple(map(read_verdict, items(member(data, "verdicts")))),
        nullable(_object, member(data, "space")),
        items(member(data, "labels")),
        string(member(data, "digest")),
        {name: integer(value) for name, value in _object(member(data, "constants")).items()},
    )


def read_verdict(data: object) -> ClaimedVerdict:
    """Return a verdict that a certificate claims."""
    index = integer(member(data, "index"))
    if not 0 <= index <= _MOST_FORMULAE:
        raise Malformed("there are not so many formulae")
    return ClaimedVerdict(
        index,
        string(member(data, "formula")),
        string(member(data, "parsed")),
        string(member(data, "logic")),
        nullable(string, member(data, "strategies")),
        string(member(data, "verdict")),
        nullable(_object, member(data, "proof")),
        string(member(data, "reason")),
        boolean(member(data, "typed")),
        # Certificates that were written before formulae had names have no such member.
        nullable(_name, _object(data).get("name")) or "",
    )


def _name(data: object) -> str:
    found = string(data)
    if not _NAME.fullmatch(found):
        raise Malformed("a formula cannot have such a name")
    return found


def _object(data: object) -> dict[str, object]:
    if not isinstance(data, dict):
        raise Malformed("not an object")
    return data
