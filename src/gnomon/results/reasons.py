"""A verdict on one line: whether it is the expected one, and why it is so, without evidence.

Reasons say what the outermost operator means, turned round where the formula is false; a formula is
false if it is false in some initial state. Nothing is said of other formulae.
"""

from collections.abc import Mapping

from gnomon.checking.verdict import Value, Verdict
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.evidence_tree import bare

#: What formulae mean that begin with an operator of CTL over a condition. LTL formulae are written so, too,
#: and look at infinite runs only: where all runs count, what is said of the infinite ones is true as well.
_MEANINGS = {
    ("AG", True): "every {endless} has `{f}` in all its states",
    ("AG", False): "a {run} reaches a state where `{f}` is false",
    ("AF", True): "every {endless} gets to `{f}`",
    ("AF", False): "an {endless} never gets to `{f}`",
    ("AX", True): "every {endless} has `{f}` after its first step",
    ("AX", False): "a {run} has `{f}` false after its first step",
    ("EG", True): "from every {start} an {endless} has `{f}` in all its states",
    ("EG", False): "from some {start} no {endless} has `{f}` in all its states",
    ("EF", True): "from every {start} a {run} gets to `{f}`",
    ("EF", False): "from some {start} no {endless} gets to `{f}`",
    ("EX", True): "from every {start} a {run} has `{f}` after its first step",
    ("EX", False): "from some {start} no {endless} has `{f}` after its first step",
    ("AG !", True): "no {endless} gets to `{f}`",
    ("AG !", False): "a {run} gets to `{f}`",
}
_RUNS = {"run": "run", "endless": "infinite run", "start": "initial state"}
_FAIR_RUNS = {"run": "fair run", "endless": "endless fair run", "start": "fair initial state"}


def finding(verdict: Verdict, system: System | None) -> str:
    """Return the whole line."""
    reason = short_reason(verdict, system)
    why = f": {reason}" if reason else ""
    vacuous = f" (vacuous: {verdict.vacuous})" if verdict.vacuous else ""
    return f"{phrases.titled(verdict)} is {phrases.judgement(verdict)}{why}{vacuous}"


def short_reason(verdict: Verdict, system: System | None) -> str:
    """Return why in a sentence; "" where there is none that is short and sure."""
    if verdict.reason:
        return verdict.reason
    if verdict.value not in {Value.TRUE, Value.FALSE}:
        return ""
    words = _FAIR_RUNS if system is not None and system.fairness else _RUNS
    if verdict.numbers is not None:
        # How many agents there are is open: "every initial state" would be that of every number.
        meaning = _meaning(verdict, words) if verdict.parsed.startswith("AG ") else ""
        return "; ".join(filter(None, (meaning, *phrases.numbers(verdict.numbers))))
    explanation = verdict.evidence.explanation if verdict.evidence else None
    return _meaning(verdict, words) or (explanation.text if explanation else "")


def _meaning(verdict: Verdict, words: Mapping[str, str]) -> str:
    """Return what the outermost operator means, "" where it is another one."""
    holds = verdict.value is Value.TRUE
    operator, _, body = verdict.parsed.partition(" ")
    if operator == "AG" and body.startswith("!"):
        operator, body = "AG !", body[1:]
    if (operator, holds) in _MEANINGS:
        return _MEANINGS[operator, holds].format(f=bare(body), **words)
    if verdict.parsed.startswith("<") and verdict.strategies in {"perfect", "uniform"}:
        return _of_coalition(verdict.parsed, words["start"], holds=holds)
    return ""


def _of_coalition(parsed: str, start: str, *, holds: bool) -> str:
    who, _, goal = parsed[1:].partition(">")
    every, has = ("every", "has a") if holds else ("some", "has no")
    return f"from {every} {start} {who or 'nobody'} {has} strategy for `{bare(goal)}`"
