"""Those who race must agree; where two do not, each is asked once more, for its proof."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from gnomon.checking.consistency import Disagreement, Opinion
from gnomon.checking.options import Options
from gnomon.checking.told import Findings
from gnomon.checking.verdict import Result, Value
from gnomon.model.budget import Budget

CERTAIN: Final = (Value.TRUE, Value.FALSE)
#: Engines that count the reachable states, and so must agree on how many there are.
_COUNTING: Final = frozenset({"bdd", "explicit"})
#: A proof may take ten times as long as the race has, and so many seconds.
_PATIENCE: Final = 10.0


def compare_verdicts(one: Opinion, two: Opinion) -> None:
    """Raise `Disagreement` where two certain verdicts on one formula differ."""
    first, second = one.verdict, two.verdict
    if first.value is not second.value:
        message = f"`{first.formula}` is {first.value} by {one.who} and {second.value} by {two.who}"
        raise Disagreement(message, (one, two))


def compare_findings(one: str, first: Findings, two: str, second: Findings) -> None:
    """Raise `Disagreement` where what two have found out about a model differs."""
    counted = {first.engine, second.engine} <= _COUNTING and first.states and second.states
    if counted and first.states != second.states:
        shown = f"{first.states:,} by {one}, {second.states:,} by {two}"
        raise Disagreement(f"the number of reachable states: {shown}")
    known = {check.name: check.value for check in first.checks}
    for check in second.checks:
        value = known.get(check.name)
        if value in CERTAIN and check.value in CERTAIN and value is not check.value:
            raise Disagreement(f"{check.name}: {value} by {one}, {check.value} by {two}")


def with_certificates(
    found: Disagreement,
    options_of: Callable[[str], Options],
    answer: Callable[[Options, int], Result],
    budget: Budget,
) -> Disagreement:
    """Return a disagreement with the certificates of both opinions, as far as they can be had in time.

    `answer` decides the formula of a number, with options. Whoever is wrong will hardly have a proof that the
    checker accepts: the certificate then says why it does not.
    """
    patience = _PATIENCE + 10 * budget.spent()

    def proved(opinion: Opinion) -> Opinion:
        left = patience if budget.seconds is None else budget.seconds - budget.spent()
        if left <= 0:
            return opinion._replace(why="there was no time left")
        options = replace(
            options_of(opinion.who),
            race=False,
            certificate=True,
            check_deadlock=False,
            check_overflow=False,
            timeout=min(left, patience),
        )
        try:
            result = answer(options, opinion.verdict.index)
        except Exception as error:  # noqa: BLE001 - who is wrong about a verdict may be wrong in any way
            return opinion._replace(why=f"{type(error).__name__}: {error}")
        return opinion._replace(certificate=result.certificate)

    return Disagreement(str(found), tuple(map(proved, found.opinions)))
