"""The rules for any number of agents: runs are replayed, invariants are proved by a solver."""

from typing import Final

from gnomon.certificate.document import AskedFormula, ClaimedVerdict, ProofGrounds
from gnomon.certificate.parameterised.avoided import check_avoided
from gnomon.certificate.parameterised.counted_defeats import check_defeat
from gnomon.certificate.parameterised.counted_games import check_region
from gnomon.certificate.parameterised.counted_paths import check_counted, check_from_on
from gnomon.certificate.parameterised.invariant_data import InvariantReader
from gnomon.certificate.parameterised.knowing_cuts import excluded_views
from gnomon.certificate.parameterised.known_points import as_epistemic, check_known, sure_points
from gnomon.certificate.parameterised.never import check_never, check_numbers, read_never
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.occupied import check_occupied
from gnomon.certificate.parameterised.one_population import check_branching
from gnomon.certificate.parameterised.population_chains import check_chain
from gnomon.certificate.parameterised.population_games import check_answers, check_strategy
from gnomon.certificate.parameterised.population_lassos import branches, check_lasso
from gnomon.certificate.parameterised.population_runs import check_runs
from gnomon.certificate.parameterised.thresholds.impossible import check_impossible
from gnomon.certificate.parameterised.view_cuts import broken_cut
from gnomon.certificate.rejection import Rejected, require, shown
from gnomon.certificate.shape import integer, mapping, member
from gnomon.certificate.solvers import SOLVERS
from gnomon.model.budget import Budget
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.given import NoSuchParameters, given, query_with_values
from gnomon.model.parameterised.query import (
    Ability,
    Epistemic,
    Knowledge,
    OverTime,
    Query,
    Safety,
    asks_for_some,
    over_time,
    reached_only,
    reaching,
)
from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion

_NEVER: Final = {"counted": "what never happens", "invariant": "an invariant"}


class PopulationRules:
    """Checks proofs with the first of some solvers that has an answer."""

    def __init__(
        self, system: OpenSystem, budget: Budget, solvers: tuple[str, ...] = SOLVERS
    ) -> None:
        """Check proofs about a system."""
        self._system = system
        self._budget = budget
        self._solvers = solvers

    def check(self, claim: ClaimedVerdict, asked: AskedFormula) -> ProofGrounds:
        """Fail where a verdict is not proved."""
        assert isinstance(asked, PopulationQuestion)
        require(asked.parsed == claim.parsed, "the formula is another one")
        require(asked.text == claim.formula, "the formula has another text")
        require(claim.name in ("", asked.name), "the formula has another name")
        require(claim.logic == "CTL", "the formula is read in another logic")
        query = asked.query
        reading = "perfect" if isinstance(query, Ability) else None
        require(claim.strategies == reading, "strategies are read in another way")
        prover = ObligationProver(self._budget, self._solvers)
        system = self._system.asking((asked,))
        if system.parameters:
            self._with_parameters(system, claim, query, prover)
            return ProofGrounds()
        return self._check(system, claim, query, prover)

    def _with_parameters(
        self, system: OpenSystem, claim: ClaimedVerdict, query: Query, prover: ObligationProver
    ) -> None:
        """Check a run for some parameters, or that there is none for any."""
        if member(claim.proof, "kind") == "thresholds":
            asks = asks_for_some(query)
            require(
                claim.verdict == _word(not asks), "that there is no such run shows the opposite"
            )
            check_impossible(system, query, prover)
            return
        # For some parameters only a run is enough; what never happens with these may with others.
        if member(claim.proof, "kind") not in ("population-run", "population-lasso"):
            raise Rejected("that it is so with some parameters does not show it of all")
        if (claim.proof or {}).get("from_on") is not None:
            raise Rejected("numbers of agents are said of all parameters, or of none")
        data = mapping(member(claim.proof, "parameters"), "the parameters are no object")
        values = {name: integer(value) for name, value in data.items()}
        try:
            here = given(system, values)
        except NoSuchParameters as reason:
            raise Rejected(str(reason)) from None
        self._check(here, claim, query_with_values(query, values), prover)

    def _check(
        self, system: OpenSystem, claim: ClaimedVerdict, query: Query, prover: ObligationProver
    ) -> ProofGrounds:
        """Check a proof about a system without parameters."""
        proof = claim.proof
        asks = asks_for_some(query)
        match member(proof, "kind"):
            case "population-run" | "population-chain" | "population-lasso":
                require(claim.verdict == _word(asks), "a run shows the opposite")
                return self._by_runs(system, claim, query, prover)
            case "counted" | "invariant" as kind:
                require(claim.verdict == _word(not asks), f"{_NEVER[kind]} shows the opposite")
                self._of_all_runs(system, proof, query, prover)
            case "views" | "look-alikes" | "known-views":
                self._of_knowledge(system, claim, query, prover)
            case (
                "population-answers"
                | "population-strategy"
                | "counted-game"
                | "counted-defeat" as kind
            ):
                of_all = kind in ("counted-game", "counted-defeat")
                require(claim.verdict == _word(asks is not of_all), "a game shows the opposite")
                if not isinstance(query, Ability):
                    raise Rejected("nothing is asked about a coalition")
                check_game(system, proof, query, prover, self._budget)
            case kind:
                raise Rejected(f"an unknown kind of proof: {shown(kind)}")
        return ProofGrounds()

    def _by_runs(
        self, system: OpenSystem, claim: ClaimedVerdict, query: Query, prover: ObligationProver
    ) -> ProofGrounds:
        """Check runs that show what some population does."""
        proof = claim.proof
        match member(proof, "kind"):
            case "population-run":
                check_runs(system, proof, _arriving(system, query), prover)
            case "population-chain":
                if not isinstance(query, Knowledge):
                    raise Rejected("nothing is asked about what others know")
                check_chain(system, proof, query, prover)
            case _:
                if not isinstance(query, OverTime):
                    raise Rejected("nothing is asked about what goes on for ever")
                if branches(query):
                    check_branching(system, proof, query, prover, self._budget)
                else:
                    check_lasso(system, proof, query, prover)
                # Certificates that were written before know nothing of it.
                if (claim.proof or {}).get("from_on") is not None:
                    beyond = check_from_on(system, member(proof, "from_on"), query, self._budget)
                    opposite = _word(not asks_for_some(query))
                    return ProofGrounds(beyond=f"{opposite} {beyond}")
        return ProofGrounds()

    def _of_all_runs(
        self, system: OpenSystem, proof: object, query: Query, prover: ObligationProver
    ) -> None:
        """Check that no population does something."""
        if member(proof, "kind") == "invariant":
            if not isinstance(query, Safety):
                raise Rejected(
                    "an invariant says nothing about knowledge, or about what goes on for ever"
                )
            check_invariant(system, member(proof, "invariant"), query.bad, prover)
            return
        if isinstance(query, (Knowledge, Epistemic, Ability)):
            raise Rejected("runs over time say nothing about knowledge, or about coalitions")
        over = over_time(query) if isinstance(query, Safety) else query
        check_counted(system, proof, over, self._budget)

    def _of_knowledge(
        self, system: OpenSystem, claim: ClaimedVerdict, query: Query, prover: ObligationProver
    ) -> None:
        """Check what agents know."""
        proof = claim.proof
        if member(proof, "kind") == "known-views":
            if isinstance(query, (OverTime, Ability)):
                raise Rejected("nothing is asked about what agents know")
            shown_by = _word(not asks_for_some(query))
            require(claim.verdict == shown_by, "what is always known shows the opposite")
            sure = sure_points(system, proof, prover)
            broken = excluded_views(system, proof, as_epistemic(query), sure, self._budget)
            check_invariant(system, member(proof, "invariant"), broken, prover)
            return
        if member(proof, "kind") == "look-alikes":
            if isinstance(query, OverTime) and reaching(query) and not system.fairness:
                query = reached_only(query)
            if isinstance(query, (OverTime, Ability)):
                raise Rejected("nothing is asked about what agents know")
            check_known(system, proof, query, claim.verdict, prover, self._budget)
            return
        require(claim.verdict == "true", "what is always known is shown")
        if not isinstance(query, Knowledge):
            raise Rejected("nothing is asked about knowledge")
        broken = broken_cut(system, query, member(proof, "views"))
        check_invariant(system, member(proof, "invariant"), broken, prover)


def _arriving(system: OpenSystem, query: Query) -> Safety | Knowledge:
    """Return what a run can show that may go on in any way."""
    match query:
        case Safety() | Knowledge():
            return query
        case OverTime() if reaching(query) is not None and not system.fairness:
            # Whatever was promised to whom, every run is the beginning of one that keeps it.
            return reached_only(query)
        case Epistemic():
            raise Rejected("a run says nothing about what agents know")
        case OverTime() | Ability():
            raise Rejected("a run that ends anywhere says nothing about what goes on for ever")


def check_game(
    system: OpenSystem, data: object, query: Ability, prover: ObligationProver, budget: Budget
) -> None:
    """Fail unless a game of one population, or of all, goes as a certificate says."""
    fair = bool(system.fairness) or system.promise != "none"
    require(not fair, "there is no rule for games in which runs have to be fair")
    match member(data, "kind"):
        case "population-answers":
            check_answers(system, data, query, prover)
        case "population-strategy":
            check_strategy(system, data, query, prover)
        case "counted-defeat":
            check_defeat(system, data, query, prover, budget)
        case _:
            check_region(system, data, query, prover, budget)


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
        case "numbers":
            check_numbers(system, data, bad, prover)
        case kind:
            raise Rejected(f"an unknown kind of invariant: {shown(kind)}")


def _word(value: bool) -> str:  # noqa: FBT001
    return "true" if value else "false"
