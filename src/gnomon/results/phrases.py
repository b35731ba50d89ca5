"""A verdict in sentences about agents, actions and knowledge."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gnomon.checking.verdict import SanityCheck, Standing, Thresholds, Value, Verdict
from gnomon.model.evidence import Clashes, Defence, Strategy
from gnomon.text.numbers import show_integer

#: Longer numbers are told by their size: nobody counts so many digits.
_MOST_DIGITS = 100


#: The sign and the style of a verdict, by how it came out.
MARKS: dict[Standing, str] = {"expected": "✓", "unexpected": "✗", "open": "?"}
STYLE_OF: dict[Standing, str] = {"expected": "true", "unexpected": "false", "open": "unknown"}

READINGS = {
    "perfect": "the agents see the whole state",
    "uniform": "each agent acts on what it sees, the same in states that look alike",
    "uniform-subjective": "as uniform, and they know that the strategy works",
    "uniform-model": "one uniform strategy for everybody, in the whole model",
}


def reading(strategies: str, *, brief: bool = False) -> str:
    """Return what coalition operators quantify over; unless `brief`, with its meaning."""
    if brief or strategies not in READINGS:
        return f"strategies: {strategies}"
    return f"strategies: {strategies} ({READINGS[strategies]})"


def strategy_title(strategy: Strategy) -> str:
    """Return the heading of a strategy table."""
    who = ", ".join(strategy.members) or "nobody"
    basis = {
        "perfect": "by the whole state",
        "cells": "by cells of states",
        "local cells": "by what each sees of a cell",
    }.get(strategy.reading, "by what each sees")
    if counts_steps(strategy):
        basis = "by the step and the whole state"
    return f"what {who} can do, {basis}, for {strategy.formula}"


def counts_steps(strategy: Strategy) -> bool:
    """Return whether what is done depends on the step."""
    return any(name == "step" for row in strategy.choices[:1] for name, _ in row.where)


def defence_title(defence: Defence, *, alike: bool = False) -> str:
    """Return the heading of a defence; `alike`: it starts in a state that looks like the one in question."""
    who = ", ".join(defence.members)
    where = " from the state that looks the same" if alike else ""
    does = f"answer to each choice of {who}" if who else "do"
    return f"what the others {does}{where}, against {defence.formula}"


def clashes_title(clashes: Clashes) -> str:
    """Return the heading of the views in conflict."""
    who = ", ".join(clashes.members) or "nobody"
    return f"why what {who} can see is not enough for {clashes.formula}"


#: Why a model without errors was not checked.
NOT_CHECKED = "nothing was checked, since there are errors elsewhere"

#: What each sanity check claims, and what is true instead where it fails.
_CHECKS = {
    "deadlock": ("no reachable deadlock", "a deadlock can be reached"),
    "overflow": ("no value leaves its range", "a value can leave its range"),
}


def check_claim(name: str) -> str:
    """Return what a sanity check is true of: that there is none."""
    return _CHECKS[name][0]


def check_label(name: str) -> str:
    """Return what to call a sanity check, so that nobody takes its success for what it looks for."""
    return f"no {name}"


def check_standing(check: SanityCheck) -> Standing:
    """Return how a sanity check came out."""
    match check.value:
        case Value.TRUE:
            return "expected"
        case Value.FALSE:
            return "unexpected"
        case Value.UNDEFINED | Value.UNKNOWN:
            return "open"


def check_sentence(check: SanityCheck) -> str:
    """Return what a sanity check found."""
    claim, otherwise = _CHECKS[check.name]
    match check.value:
        case Value.TRUE:
            return claim
        case Value.FALSE:
            return otherwise
        case Value.UNDEFINED | Value.UNKNOWN:
            return f"{claim}: {check.value}"


def numbers(found: Thresholds) -> Iterator[str]:
    """Yield how many agents it takes, and what of the relations, in sentences."""
    if found.parameters:
        yield _with_parameters(found)
        return
    if not found.reached:
        plural = "" if found.cases == 1 else "s"
        proof = "" if not found.cases else f", by an invariant of {found.cases:,} case{plural}"
        yield f"for any number of agents{proof}"
        return
    if found.about == "time":
        yield from _over_time(found)
    elif found.about == "ability":
        yield _enforcing(found)
    elif found.about == "safety":
        populations = " or ".join(_population(each) for each in found.populations)
        if found.populations and not any(found.populations[0].values()):
            yield "it takes no agent at all"
        elif found.exact:
            yield f"it takes {populations}: so many are enough, and no fewer"
        else:
            yield f"{populations} will do; whether fewer would was not found out"
    if found.facts:
        yield f"relying on {', '.join(found.facts)}"


def _with_parameters(found: Thresholds) -> str:
    """Say of which parameters a verdict is, and how many agents there are with the least of them."""
    names = list(found.parameters)
    if not found.reached:
        return f"for all {_listed(names)} that are assumed"
    values = ", ".join(f"{name} = {value}" for name, value in found.parameters.items())
    crowd = " or ".join(map(_population, found.populations))
    if not found.exact:
        return f"{values} will do, with {crowd}; whether smaller ones would was not found out"
    return f"it takes {values}, with {crowd}: the smallest {', then '.join(names)}"


def _enforcing(found: Thresholds) -> str:
    """Return how many agents it takes to enforce something together."""
    [least] = found.populations
    if not any(least.values()):
        return "it takes no agent at all"
    if found.exact:
        return f"it takes {_population(least)}: so many are enough, and no fewer"
    return f"{_population(least)} are enough, and no fewer agents; other numbers may do as well"


def _over_time(found: Thresholds) -> Iterator[str]:
    """Yield with how many agents a formula of time is true and false: more may make a difference again."""
    [least] = found.populations
    if not (found.true_with or found.false_with) and not any(least.values()):
        yield "it takes no agent at all; with more it may be different again"
        return
    if not (found.true_with or found.false_with):
        fewer = "and no fewer agents" if found.exact else "whether fewer would was not found out"
        yield f"{_population(least)} will do, {fewer}; with more it may be different again"
        return
    [name] = least
    reached = found.false_with if least[name] in found.false_with else found.true_with
    words = ("false", "true") if reached is found.false_with else ("true", "false")
    others = found.true_with if reached is found.false_with else found.false_with
    if found.from_on is None:
        rest = f"; {words[1]} with {_listed(others)}" if others else ""
        yield f"{words[0]} with {_listed(reached)} {name}{rest}; larger numbers were not gone through"
        return
    before = [number for number in others if number < found.from_on]
    rest = f" and with {_listed(before)}" if before else ""
    yield f"{words[1]} from {found.from_on} {name} on{rest}; {words[0]} with {_listed(reached)}"


def _listed(numbers: Iterable[int | str]) -> str:
    shown = [str(number) for number in numbers]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _population(counts: Mapping[str, int]) -> str:
    parts = [f"{number} {name}" for name, number in counts.items() if number]
    return " and ".join(parts) or "no agent at all"


def outcome(verdict: Verdict) -> str:
    """Return one verdict as a sentence."""
    text = " ".join(verdict.formula.split())
    reason = f": {verdict.reason}" if verdict.reason else ""
    return f"{text} is {verdict.value}{reason}"


def setting(constants: Iterable[tuple[str, int]]) -> str:
    """Return what constants are worth, on one line.

    >>> setting([("n", 3), ("m", -2)])
    'n = 3, m = -2'
    """
    return ", ".join(f"{name} = {show_integer(value)}" for name, value in constants)


def judgement(verdict: Verdict) -> str:
    """Return how a formula came out, beside what was expected of it."""
    if verdict.as_expected:
        return f"{verdict.value}, as expected"
    if verdict.value is verdict.expected:
        return f"{verdict.value}, but vacuous"
    return f"{verdict.value}, but {verdict.expected} was expected"


def judged_value(verdict: Verdict) -> str:
    """Return the value, with what was expected where a reader could not know that."""
    is_known = verdict.as_expected or verdict.value is not Value.TRUE
    return str(verdict.value) if verdict.expected is Value.TRUE and is_known else judgement(verdict)


def judged_outcome(verdict: Verdict) -> str:
    """Return one verdict as a sentence, with what was expected of it and why it is not so."""
    hollow = verdict.value is verdict.expected and not verdict.as_expected
    why = verdict.vacuous if hollow else verdict.reason
    reason = f": {why}" if why else ""
    return f"{' '.join(verdict.formula.split())} is {judged_value(verdict)}{reason}"


def titled(verdict: Verdict) -> str:
    """Return a formula with its name, if it has one."""
    text = " ".join(verdict.formula.split())
    return f"{verdict.name}: {text}" if verdict.name else text


def constants(values: Iterable[tuple[str, int]]) -> list[str]:
    """Return what constants are worth as one phrase, or nothing where there are none."""
    shown = ", ".join(f"{name} = {grouped(value)}" for name, value in values)
    return [shown] if shown else []


def capitalised(text: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def few(items: Sequence[str], most: int = 8) -> list[str]:
    """Return the first items, and how many more there are: nobody reads all to the end."""
    if len(items) <= most:
        return list(items)
    return [*items[:most], f"{len(items) - most} more"]


def enumerated(items: Iterable[str]) -> str:
    """Return a list as people say it.

    >>> enumerated(["a", "b", "c"])
    'a, b and c'
    """
    *head, last = list(items) or [""]
    return f"{', '.join(head)} and {last}" if head else last


def grouped(number: int) -> str:
    """Return a number with its thousands apart; of a very long one, how it begins and how long it is.

    >>> grouped(1234567), grouped(-(10**200))
    ('1,234,567', '-1.000e200')
    """
    if number.bit_length() <= _MOST_DIGITS * 3:
        return f"{number:,}"
    digits = show_integer(abs(number))
    if len(digits) <= _MOST_DIGITS:
        return f"{number:,}"
    return f"{'-' if number < 0 else ''}{digits[0]}.{digits[1:4]}e{len(digits) - 1}"
