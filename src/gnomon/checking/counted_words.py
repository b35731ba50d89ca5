"""Invariants that count agents, in words: sums that stay what they are, and what never is."""

import re
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from gnomon.certificate.parameterised.counted_classes import COUNT, CountedClass
from gnomon.certificate.parameterised.never import Never, read_numbers
from gnomon.checking.state_words import by_agent, region_words
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import And, Condition, Holds, show
from gnomon.model.parameterised.system import OpenSystem


def counted_words(system: OpenSystem, invariant: dict[str, Any]) -> Iterator[str]:
    """Yield what an invariant says that counts agents, sentence by sentence."""
    classes, always, cubes = read_numbers(system, invariant)
    words = _CountWords(system, classes)
    yield from map(words.always, always)
    yield from map(words.never, cubes)


class _CountWords:
    """Words for conditions on how many agents there are in some classes."""

    def __init__(self, system: OpenSystem, classes: Sequence[CountedClass]) -> None:
        self._system = system
        self._classes = classes

    def always(self, condition: Condition) -> str:
        """Say that a condition holds always: an equation in the words for what is equal."""
        match condition:
            case Holds(plain.Compare("=", left, right)):
                if isinstance(left, plain.Conditional) and not isinstance(right, plain.Literal):
                    left, right = right, left
                return f"{self._sum(left)} is always {self._sum(right)}"
            case _:
                return f"it is always so that {self._named(show(condition))}"

    def never(self, cube: Never) -> str:
        """Say what never is."""
        condition = cube.condition
        conjuncts = condition.operands if isinstance(condition, And) else (condition,)
        texts = [show(each, inside=True) for each in conjuncts]
        if not cube.templates and any(f"{COUNT}." in text for text in texts):
            together = " and ".join(re.sub(rf"\b{ENVIRONMENT}\.", "", text) for text in texts)
            return f"it is never so that {self._named(together)}"
        return self._named(by_agent(cube.templates, texts))

    def _named(self, text: str) -> str:
        """Put words in the place of numbers of agents."""
        return re.sub(
            rf"{COUNT}\.(\d+)", lambda found: self._count([self._classes[int(found[1])]]), text
        )

    # Sums

    def _sum(self, expression: plain.Expression) -> str:
        terms = expression.terms if isinstance(expression, plain.Sum) else (expression,)
        classes: dict[tuple[str, int], list[CountedClass]] = {}
        words: list[str] = []
        for term in terms:
            factor, each = _split(term)
            if isinstance(each, plain.Read) and each.agent == COUNT:
                counted = self._classes[int(each.variable)]
                classes.setdefault((counted.template, factor), []).append(counted)
            else:
                words.append(_times(factor, self._term(each)))
        words += [_times(factor, self._count(each)) for (_, factor), each in classes.items()]
        return " plus ".join(words)

    def _term(self, term: plain.Expression) -> str:
        match term:
            case plain.Read(agent, variable) if agent == ENVIRONMENT:
                return f"`{variable}`"
            case plain.Conditional(condition, plain.Literal(1), plain.Literal(0)):
                is_read = isinstance(condition, plain.Read)
                text = f"{plain.show(condition)}{' = true' if is_read else ''}"
                return f"1 if {text.removeprefix(f'{ENVIRONMENT}.')} and else 0"
            case _:
                return self._named(plain.show(term))

    def _count(self, classes: Sequence[CountedClass]) -> str:
        """Return the number of agents in some classes of one template."""
        part = self._system.part[classes[0].template]
        rows = [
            {part.variables[place].name: value for place, value in each.values} for each in classes
        ]
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = {
            name: list(dict.fromkeys(row[name] for row in rows if name in row)) for name in names
        }
        boxes = [[[name, [value]] for name, value in row.items()] for row in rows]
        if all(len(row) == len(names) for row in rows) and len(rows) == prod(
            map(len, columns.values())
        ):
            boxes = [[[name, values] for name, values in columns.items()]]
        states = region_words(part, boxes)
        return f"the number of agents of `{part.name}`{f' with {states}' if states else ''}"


def _split(term: plain.Expression) -> tuple[int, plain.Expression]:
    """Return how many times something is taken."""
    match term:
        case plain.Arithmetic("*", plain.Literal(int(factor)), each):
            return factor, each
        case _:
            return 1, term


def _times(factor: int, words: str) -> str:
    return words if factor == 1 else f"{factor} times {words}"
