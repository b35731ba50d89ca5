"""`verify_open` says which verdicts about any number of agents a certificate proves."""

from collections.abc import Callable, Iterable
from typing import Any

from gnomon.certificate.parameterised.invariant import check_invariant
from gnomon.certificate.parameterised.obligations import Prover
from gnomon.certificate.parameterised.replay import check_runs
from gnomon.certificate.parameterised.solvers import SOLVERS
from gnomon.certificate.space import Rejected, TooMuch, require
from gnomon.certificate.verify import Outcome
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.system import OpenSystem, Question, Safety

#: What goes wrong where data does not have the shape that it should have.
_MALFORMED = (
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
)


def verify_open(
    system: OpenSystem,
    certificate: Any,
    question: Callable[[Any], Question],
    budget: Budget | None = None,
    solvers: tuple[str, ...] = SOLVERS,
) -> Iterable[Outcome]:
    """Yield what each entry of a certificate proves; `question` finds the formula it is about.

    An entry has at least `index`, `formula`, `parsed`, `logic`, `strategies`, `verdict`, `proof`, `reason`.
    """
    for entry in certificate["verdicts"]:
        if entry["proof"] is None:
            yield _outcome(entry, None, entry["reason"])
            continue
        try:
            _check(system, entry, question(entry), Prover(budget or Budget(), solvers))
        except Rejected as error:
            yield _outcome(entry, False, str(error))
        except (TooMuch, LimitReached) as limit:
            yield _outcome(entry, None, str(limit))
        except _MALFORMED as error:
            why = f"it is not well formed ({type(error).__name__}: {error})"
            yield _outcome(entry, False, why)
        else:
            yield _outcome(entry, True, "")


def _outcome(entry: Any, accepted: bool | None, why: str) -> Outcome:  # noqa: FBT001
    index, text, verdict = entry["index"], entry["formula"], entry["verdict"]
    return Outcome(index, text, verdict, accepted, why, entry["strategies"])


def _check(system: OpenSystem, entry: Any, asked: Question, prover: Prover) -> None:
    """Fail where the verdict is not proved."""
    require(asked.parsed == entry["parsed"], "the formula is another one")
    require(asked.text == entry["formula"], "the formula has another text")
    require(entry["logic"] == "CTL", "the formula is read in another logic")
    require(entry["strategies"] is None, "there are no strategies to speak of")
    query, proof = asked.query, entry["proof"]
    asks = isinstance(query, Safety) and query.reach
    match proof["kind"]:
        case "population-run":
            require(entry["verdict"] == _word(asks), "a run shows the opposite")
            check_runs(system, proof, query, prover)
        case "invariant":
            require(entry["verdict"] == _word(not asks), "an invariant shows the opposite")
            if not isinstance(query, Safety):
                raise Rejected("an invariant says nothing about knowledge")
            check_invariant(system, proof["invariant"], query.bad, prover)
        case kind:
            raise Rejected(f"an unknown kind of proof: {kind!r}")


def _word(value: bool) -> str:  # noqa: FBT001
    return "true" if value else "false"
