"""Claims about random programs that count: what the checker accepts, held against all that is reached.

Claims are guessed invariants, the same damaged, and equations and bounds by chance. The values of conditions
are worked out here, configuration by configuration; only reading the data is shared with the checker.
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from gnomon.certificate.parameterised.counted_classes import COUNT
from gnomon.certificate.parameterised.never import read_numbers
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_rules import check_invariant
from gnomon.engines.parameterised.invariants.classes import classes_of
from gnomon.engines.parameterised.invariants.guesses import Guess, Guesser, Rung, can_be_guessed
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import Integers
from gnomon.model.evaluation import value_by
from gnomon.model.expression import Does, Read
from gnomon.model.parameterised.condition import FALSE, And, Condition, Holds, Not, Or
from gnomon.model.parameterised.step import Configuration
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.errors import Unconvinced
from tests.comparing import Wrong, bad_of
from tests.counted_programs import reached, small_populations
from tests.populations import members

RUNGS = (Rung(1, counting=True, effort=1), Rung(2, counting=False, effort=1))


def accepted(system: OpenSystem, invariant: Any, bad: Condition) -> bool:
    """Return whether the checker accepts an invariant that excludes something."""
    try:
        check_invariant(system, invariant, bad, ObligationProver(Budget(20), ("cvc5", "z3")))
    except Unconvinced:
        return False
    return True


def guesses(system: OpenSystem, bad: Condition) -> Iterator[Guess]:
    """Yield what is guessed, the cheapest first."""
    if not can_be_guessed(system):
        return
    guesser = Guesser(system, bad, Budget(20))
    try:
        yield from guesser.sums()
        yield from guesser.climb(RUNGS)
    except LimitReached:
        return


# What a claim means


class _Claim:
    """What an invariant says, for configurations one by one."""

    def __init__(self, system: OpenSystem, invariant: Any) -> None:
        whole = {"classes": [], "always": [], **invariant}
        self._system = system
        self._classes, self._always, self._cubes = read_numbers(system, whole)

    def holds(self, names: tuple[str, ...], now: Configuration) -> bool:
        """Return whether a configuration of some agents satisfies it."""
        counts = [
            sum(
                name == each.template and all(local[place] == value for place, value in each.values)
                for name, local in zip(names, now.agents, strict=True)
            )
            for each in self._classes
        ]
        if not all(self._value(each, now, counts, {}, names) for each in self._always):
            return False
        return not any(
            self._value(cube.condition, now, counts, who, names)
            for cube in self._cubes
            for who in _placed(cube.templates, names)
        )

    def _value(
        self,
        condition: Condition,
        now: Configuration,
        counts: list[int],
        who: dict[str, int],
        names: tuple[str, ...],
    ) -> bool:
        def look(read: Read | Does) -> object:
            assert isinstance(read, Read)
            if read.agent == COUNT:
                return counts[int(read.variable)]
            if read.agent == ENVIRONMENT:
                return now.environment[self._system.position[ENVIRONMENT, read.variable]]
            agent = who[read.agent]
            return now.agents[agent][self._system.position[names[agent], read.variable]]

        match condition:
            case Holds(expression):
                return bool(value_by(expression, look))
            case Not(operand):
                return not self._value(operand, now, counts, who, names)
            case And(operands):
                return all(self._value(each, now, counts, who, names) for each in operands)
            case Or(operands):
                return any(self._value(each, now, counts, who, names) for each in operands)
            case _:
                raise AssertionError(condition)


def _placed(templates: tuple[str, ...], names: tuple[str, ...]) -> Iterator[dict[str, int]]:
    """Yield all ways to choose different agents of some templates."""

    def placed(number: int, taken: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if number == len(templates):
            yield taken
            return
        for agent, name in enumerate(names):
            if name == templates[number] and agent not in taken:
                yield from placed(number + 1, (*taken, agent))

    for row in placed(0, ()):
        yield {f"a{n}": agent for n, agent in enumerate(row)}


# Claims by chance


def claims(system: OpenSystem, rng: random.Random, guessed: list[Any]) -> Iterator[Any]:
    """Yield claims: what was guessed, that damaged, and others by chance."""
    for invariant in guessed:
        yield invariant
        for _ in range(3):
            yield _damaged(invariant, rng)
    classes = [[each.template, [list(v) for v in each.values]] for each in classes_of(system)]
    merged = [[template, values[:1]] for template, values in classes]
    for _ in range(8):
        chosen = rng.sample(classes, min(len(classes), rng.choice([1, 1, 2, 2, 3])))
        if rng.random() < 0.2:
            chosen = [*chosen, rng.choice(merged)]
        own = [
            variable.name
            for variable in system.environment.variables
            if isinstance(variable.domain, Integers)
        ]
        terms = [["count", place] for place in range(len(chosen))]
        terms += [["read", ENVIRONMENT, name] for name in own if rng.random() < 0.6]
        weighted = [["*", ["value", rng.choice([-1, 1, 1, 2])], term] for term in terms]
        sign = rng.choice(["=", "=", "<=", ">="])
        claim = ["holds", [sign, ["+", *weighted], ["value", rng.choice([0, 0, 1, 2])]]]
        yield {"kind": "numbers", "classes": chosen, "always": [claim], "cubes": []}


def _damaged(invariant: Any, rng: random.Random) -> Any:
    """Return an invariant with something left out, or another number in it."""
    key = rng.choice([key for key in ("cubes", "always", "classes") if invariant.get(key)] or [""])
    if not key:
        return invariant
    items = list(invariant[key])
    place = rng.randrange(len(items))
    if key == "classes":
        items[place] = rng.choice(items)
    elif rng.random() < 0.5:
        del items[place]
    else:
        items[place] = _changed(items[place], rng)
    return {**invariant, key: items}


def _changed(data: Any, rng: random.Random) -> Any:
    """Return data with some numbers changed."""
    match data:
        case ["value", int(value)] if type(value) is int:
            return ["value", value + rng.choice([-1, 0, 1])]
        case [("<=" | ">=" | "<" | ">" | "=") as sign, left, right]:
            other = rng.choice(["<=", ">=", sign, sign])
            return [sign if _is_named(right) else other, left, _changed(right, rng)]
        case list():
            return [_changed(each, rng) for each in data]
        case dict():
            return {name: _changed(each, rng) for name, each in data.items()}
        case _:
            return data


def _is_named(term: Any) -> bool:
    return term[0] == "value" and type(term[1]) is not int


# The comparisons


def compare_claims(system: OpenSystem, seed: int, most: int = 3) -> Counter[str]:
    """Hold what the checker accepts against all that few agents reach; raise `Wrong` where it is not so."""
    rng, bad, found = random.Random(seed), bad_of(system), Counter[str]()
    guessed = [guess.invariant for guess in guesses(system, bad)]
    listed = [
        (members(system, counts), list(reached(system, counts)))
        for counts in small_populations(system, most)
    ]
    for invariant in claims(system, rng, guessed):
        found["claims"] += 1
        if accepted(system, invariant, FALSE):
            found["accepted"] += 1
            claim = _Claim(system, invariant)
            for names, configurations in listed:
                for now in configurations:
                    if not claim.holds(names, now):
                        raise Wrong(f"{invariant} does not hold of {names} at {now}")
    return found


def compare_guesses(system: OpenSystem, most: int = 3) -> Counter[str]:
    """Hold guesses against the checker and the oracle; raise `Wrong` where they differ.

    What the solver of Horn clauses says excludes what is bad, and sums that no step changes are invariants:
    the checker has to accept both, of what is written in two ways one, and nothing that is bad is reached.
    """
    bad, found = bad_of(system), Counter[str]()
    safe, held = False, dict[str, bool]()
    for guess in guesses(system, bad):
        is_sum = not guess.method.startswith("Horn")
        holds = accepted(system, guess.invariant, FALSE if is_sum else bad)
        held[guess.method] = held.get(guess.method, False) or holds
        found["guesses"] += 1
        safe = safe or (holds and accepted(system, guess.invariant, bad))
    if not all(held.values()):
        raise Wrong(f"refused: {held}")
    if safe:
        found["safe"] += 1
        for counts in small_populations(system, most):
            names = members(system, counts)
            for now in reached(system, counts):
                if _holds(system, names, bad, now):
                    raise Wrong(f"{counts} agents get there")
    return found


def _holds(
    system: OpenSystem, names: tuple[str, ...], bad: Condition, now: Configuration
) -> bool | None:
    from gnomon.model.parameterised.step import World

    return World(system, names, {}).holds(bad, now, {ENVIRONMENT: None})
