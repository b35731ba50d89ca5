"""A proof of unsatisfiability checked line by line: each follows from those before by unit propagation.

That is the format DRUP without its deletions (Heule, Hunt and Wetzler 2013); the last line is the empty
clause.
"""

from collections.abc import Iterable, Sequence


class Propagation:
    """Clauses, two literals of each watched, and what follows from assuming literals."""

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        """Start with some clauses."""
        self._watching: dict[int, list[list[int]]] = {}
        self._units: list[int] = []
        self._broken = False
        for clause in clauses:
            self.add(clause)

    def add(self, clause: Sequence[int]) -> None:
        """Add one clause."""
        literals = list(dict.fromkeys(clause))
        if not literals:
            self._broken = True
        elif len(literals) == 1:
            self._units.append(literals[0])
        else:
            for literal in literals[:2]:
                self._watching.setdefault(literal, []).append(literals)

    def follows(self, clause: Sequence[int]) -> bool:
        """Return whether assuming the opposite of a clause leads to a contradiction by units alone."""
        if self._broken:
            return True
        true: set[int] = set()
        waiting = [*self._units, *(-literal for literal in clause)]
        while waiting:
            literal = waiting.pop()
            if literal in true:
                continue
            if -literal in true:
                return True
            true.add(literal)
            if self._propagate(-literal, true, waiting):
                return True
        return False

    def _propagate(self, false: int, true: set[int], waiting: list[int]) -> bool:
        """Look at the clauses that watch a literal that is false now; return whether one is broken."""
        kept = []
        clauses = self._watching.get(false, [])
        for place, literals in enumerate(clauses):
            if literals[0] == false:
                literals[0], literals[1] = literals[1], literals[0]
            other = literals[0]
            if other in true:
                kept.append(literals)
                continue
            for position in range(2, len(literals)):
                if -literals[position] not in true:
                    literals[1], literals[position] = literals[position], literals[1]
                    self._watching.setdefault(literals[1], []).append(literals)
                    break
            else:
                kept.append(literals)
                if -other in true:
                    self._watching[false] = kept + clauses[place + 1 :]
                    return True
                waiting.append(other)
        self._watching[false] = kept
        return False


def is_refuted(clauses: Iterable[Sequence[int]], lemmas: Iterable[Sequence[int]]) -> bool:
    """Return whether the lemmas follow one after the other, and the empty clause from all of them."""
    known = Propagation(clauses)
    for lemma in lemmas:
        if not known.follows(lemma):
            return False
        known.add(lemma)
    return known.follows(())
