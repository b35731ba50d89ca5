"""Whether an invariant holds always, and excludes what is bad."""

from typing import Any

from gnomon.certificate.parameterised.avoided import check_avoided
from gnomon.certificate.parameterised.data import Reader
from gnomon.certificate.parameterised.never import check_never, read_never
from gnomon.certificate.parameterised.obligations import Prover
from gnomon.certificate.parameterised.occupied import check_occupied
from gnomon.certificate.space import Rejected
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.system import OpenSystem


def check_invariant(
    system: OpenSystem,
    data: Any,
    bad: Condition,
    prover: Prover,
) -> None:
    """Fail unless what a certificate gives as an invariant is one, and no bad configuration satisfies it."""
    reader = Reader(system)
    match data["kind"]:
        case "occupied":
            check_occupied(system, reader.cases(data), bad, prover)
        case "avoided":
            check_avoided(system, reader.cubes(data), bad, prover)
        case "never":
            check_never(system, read_never(system, data["cubes"]), bad, prover)
        case kind:
            raise Rejected(f"an unknown kind of invariant: {kind!r}")
