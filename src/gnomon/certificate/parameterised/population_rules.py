"""The rules for any number of agents: runs are replayed, invariants are proved by a solver."""

from gnomon.certificate.document import AskedFormula, ClaimedVerdict
from gnomon.certificate.parameterised.avoided import check_avoided
from gnomon.certificate.parameterised.invariant_data import InvariantReader
from gnomon.certificate.parameterised.never import check_never, read_never
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.occupied import check_occupied
from gnomon.certificate.parameterised.population_runs import check_runs
from gnomon.certificate.rejection import Rejected, require, shown
from gnomon.certificate.shape import member
from gnomon.certificate.solvers import SOLVERS
from gnomon.model.budget import Budget
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion, Safety


class PopulationRules:
    """Checks proofs with the first of some solvers that has an answer."""

    def __init__(
        self, system: OpenSystem, budget: Budget, solvers: tuple[str, ...] = SOLVERS
    ) -> None:
        """Check proofs about a system."""
        self._system = system
        self._budget = budget
        self._solvers = solvers

    def check(self, claim: ClaimedVerdict, asked: AskedFormula) -> str:
        """Fail where a verdict is not proved."""
        assert isinstance(asked, PopulationQuestion)
        require(asked.parsed == claim.parsed, "the formula is another one")
        require(asked.text == claim.formula, "the formula has another text")
        require(claim.name in ("", asked.name), "the formula has another name")
        require(claim.logic == "CTL", "the formula is read in another logic")
        require(claim.strategies is None, "there are no strategies to speak of")
        query, proof = asked.query, claim.proof
        prover = ObligationProver(self._budget, self._solvers)
        asks = isinstance(query, Safety) and query.reach
        match member(proof, "kind"):
            case "population-run":
                require(claim.verdict == _word(asks), "a run shows the opposite")
                check_runs(self._system, proof, query, prover)
            case "invariant":
                require(claim.verdict == _word(not asks), "an invariant shows the opposite")
                if not isinstance(query, Safety):
                    raise Rejected("an invariant says nothing about knowledge")
                check_invariant(self._system, member(proof, "invariant"), query.bad, prover)
            case kind:
                raise Rejected(f"an unknown kind of proof: {shown(kind)}")
        return ""


def check_invariant(
    system: OpenSystem, data: object, bad: Condition, prover: ObligationProver
) -> None:
    """Fail unless what a certificate gives as an invariant is one, and no bad configuration satisfies it."""
    reader = InvariantReader(system)
    match member(data, "kind"):
        case "occupied":
            check_occupied(system, reader.cases(data), bad, prover)
        case "avoided":
            check_avoided(system, reader.cubes(data), bad, prover)
        case "never":
            check_never(system, read_never(system, member(data, "cubes")), bad, prover)
        case kind:
            raise Rejected(f"an unknown kind of invariant: {shown(kind)}")


def _word(value: bool) -> str:  # noqa: FBT001
    return "true" if value else "false"
