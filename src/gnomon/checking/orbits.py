"""Verdicts that follow from others, since agents may change places: one formula of each orbit is decided."""

import re
from collections import Counter
from typing import Final

from gnomon.checking.decider import Decision, Task
from gnomon.checking.verdict import Value
from gnomon.model.any import AnySpecification
from gnomon.model.formula_orbits import FormulaOrbits
from gnomon.model.system import Specification

_NUMBERS: Final = re.compile(r"\d+")


class KnownOrbits:
    """What is known of formulae up to symmetry.

    A verdict is taken over only where that is all there was to say: evidence speaks of some agents by name,
    so whoever gets some gets what was found for their own formula.
    """

    def __init__(self, task: Task) -> None:
        """Look at what is asked; symmetries are looked for when two formulae look alike."""
        self._system = task.model.fixed
        self._orbits: FormulaOrbits | None = None
        self._decided: dict[tuple[object, int], Decision] = {}
        options = task.options
        # Each proof is made for its own formula, and with `--paranoid` each verdict is found by itself.
        usable = not options.certificate and options.strategies != "uniform-model"
        texts = [_without_numbers(each) for _, each in task.asked] if usable else []
        self._repeated = {text for text, often in Counter(texts).items() if often > 1}
        self._followed = 0

    def known(self, formula: AnySpecification) -> Decision | None:
        """Return what follows for a formula from what was decided before."""
        key = self._key(formula)
        decision = None if key is None else self._decided.get(key)
        self._followed += decision is not None
        return decision

    def learn(self, formula: AnySpecification, decision: Decision, engine: str) -> None:
        """Remember what was decided, where others may follow from it."""
        key = self._key(formula)
        bare = Decision(decision.value, engine=decision.engine or engine)
        if key is None or decision.value not in {Value.TRUE, Value.FALSE}:
            return
        if decision._replace(engine=bare.engine) == bare:
            self._decided.setdefault(key, bare)

    def account(self) -> list[tuple[str, str]]:
        """Return what followed, for those who want to know what was done."""
        if not self._followed or self._orbits is None:
            return []
        many = "1 formula follows" if self._followed == 1 else f"{self._followed} formulae follow"
        return [("symmetry", f"{many} from others, with agents in other places")]

    def _key(self, formula: AnySpecification) -> tuple[object, int] | None:
        if self._system is None or not isinstance(formula, Specification):
            return None
        if not self._repeated or _without_numbers(formula) not in self._repeated:
            return None
        if self._orbits is None:
            self._orbits = FormulaOrbits(self._system)
        if not self._orbits.symmetries:
            self._repeated = set()
            return None
        return formula.logic, self._orbits.orbit(formula.formula)


def _without_numbers(formula: AnySpecification) -> str:
    return _NUMBERS.sub("#", formula.text)
