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
#: and look at infinite runs only; what CTL says of states that are reached, it says of `any` run.
_MEANINGS = {
    ("AG", True): "every {any} has `{f}` in all its states",
    ("AG", False): "a {run} reaches a state where `{f}` is false",
    ("AF", True): "every {endless} gets to `{f}`",
    ("AF", False): "an {endless} never gets to `{f}`",
    ("AX", True): "every {endless} has `{f}` after its first step",
    ("AX", False): "a {run} has `{f}` false after its first step",
    ("EG", True): "from every {start} an {endless} has `{f}` in all its states",
    ("EG", False): "from some {start} no {endless} has `{f}` in all its states",
    ("EF", True): "from every {start} a {run} gets to `{f}`",
    ("EF", False): "from some {start} no {any} gets to `{f}`",
    ("EX", True): "from every {start} a {run} has `{f}` after its first step",
    ("EX", False): "from some {start} no {endless} has `{f}` after its first step",
    ("AG !", True): "no {any} gets to `{f}`",
    ("AG !", False): "a {run} gets to `{f}`",
}
_RUNS = {"run": "run", "any": "run", "endless": "infinite run", "start": "initial state"}
_INFINITE_RUNS = _RUNS | {"any": "infinite run"}
_FAIR_RUNS = {
    "run": "fair run",
    "any": "endless fair run",
    "endless": "endless fair run",
    "start": "fair initial state",
}


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
    words = _FAIR_RUNS if system is not None and system.fairness else _words(verdict)
    if verdict.numbers is not None:
        # How many agents there are is open: "every initial state" would be that of every number.
        meaning = _meaning(verdict, words) if verdict.parsed.startswith("AG ") else ""
        return "; ".join(filter(None, (meaning, *phrases.numbers(verdict.numbers))))
    explanation = verdict.evidence.explanation if verdict.evidence else None
    return _meaning(verdict, words) or (explanation.text if explanation else "")


def _words(verdict: Verdict) -> Mapping[str, str]:
    of_paths = verdict.formula.lstrip().startswith(("LTL", "CTL*"))
    return _INFINITE_RUNS if of_paths else _RUNS


def _meaning(verdict: Verdict, words: Mapping[str, str]) -> str:
    """Return what the outermost operator means, "" where it is another one, or not about all runs."""
    if verdict.strategies == "uniform-model":
        return (
            ""  # formulae of all kinds are about a smaller model then, and there are many of them
        )
    holds = verdict.value is Value.TRUE
    operator, _, body = verdict.parsed.partition(" ")
    if operator in {"<>X", "<>F", "<>G"}:
        operator = f"A{operator[-1]}"  # what nobody sees to happens anyway
    if operator == "AG" and body.startswith("!"):
        operator, body = "AG !", body[1:]
    if (operator, holds) in _MEANINGS:
        return _MEANINGS[operator, holds].format(f=bare(body), **words)
    coalition = verdict.parsed.startswith("<") and not verdict.parsed.startswith("<>")
    if not coalition or verdict.strategies == "uniform-subjective":
        return ""
    return _of_coalition(verdict.parsed, words["start"], holds=holds)


def _of_coalition(parsed: str, start: str, *, holds: bool) -> str:
    who, _, goal = parsed[1:].partition(">")
    every, article = ("every", "a") if holds else ("some", "no")
    # One of several indices in a name has no blank behind its comma: `Robot[1,2]` is one agent.
    has = "have" if ", " in who else "has"
    return f"from {every} {start} {who} {has} {article} strategy for `{bare(goal)}`"
