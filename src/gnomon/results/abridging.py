"""What is left out of evidence that is long: runs, and the depth of formulae, with a word about it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from gnomon.model.evidence import Explanation
from gnomon.model.formula import show_formula, walk
from gnomon.results.evidence_tree import EvidenceTree, PlacedExplanation, bare
from gnomon.results.extent import HOW
from gnomon.results.phrases import enumerated


class LeftOut(NamedTuple):
    """What is not told: so many explanations with so many runs, of these states of the first run."""

    explanations: int
    runs: int
    states: tuple[int, ...] = ()

    def __str__(self) -> str:
        """Say so in a sentence."""
        what = f"{self.explanations} more explanation{_s(self.explanations)}"
        if self.states:
            what = f"what there is to say of {states_named(self.states)}"
        runs = f", with {self.runs} more run{_s(self.runs)}" if self.runs else ""
        return f"… left out: {what}{runs} ({HOW})"


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def states_named(positions: Iterable[int]) -> str:
    """Return states of a run by their numbers, those in a row as from and to.

    >>> states_named([3]), states_named([0, 1]), states_named([1, 4, 5, 6, 7])
    ('state 3', 'states 0 and 1', 'states 1 and 4 to 7')
    """
    ordered = sorted(set(positions))
    rows: list[list[int]] = []
    for position in ordered:
        if rows and rows[-1][-1] == position - 1:
            rows[-1].append(position)
        else:
            rows.append([position])
    parts = [
        part
        for row in rows
        for part in ([f"{row[0]} to {row[-1]}"] if len(row) > 2 else map(str, row))
    ]
    return f"state{_s(len(ordered))} {enumerated(parts)}"


def cut(tree: EvidenceTree, most: int | None) -> tuple[EvidenceTree, LeftOut | None]:
    """Return what is told where there may be so many runs, and what is left out, if anything.

    What comes after the last run that is told is left out as a whole: it may speak of later runs.
    """
    if tree.root is None or most is None or len(tree.runs) <= most:
        return tree, None
    cutter = _Cutter(most)
    root = cutter.told(tree.root) or replace(tree.root, parts=())
    left = [each for placed in cutter.left for each in placed.walk()]
    states = tuple(
        placed.here.position
        for placed in cutter.left
        if placed.here is not None and placed.here.run == 1
    )
    all_of_first = len(states) == len(cutter.left)
    missing = LeftOut(len(left), len(tree.runs) - most, states if all_of_first else ())
    return EvidenceTree(root, tree.runs[:most]), missing


class _Cutter:
    """Goes through explanations in the order in which they are told, up to a run too many."""

    def __init__(self, most: int) -> None:
        self._most = max(1, most)
        self.left: list[PlacedExplanation] = []

    def told(self, placed: PlacedExplanation) -> PlacedExplanation | None:
        """Return an explanation without those of its parts that are left out; None where it is one itself."""
        numbered = placed.numbered
        if self.left or (numbered is not None and numbered.number > self._most):
            self.left.append(placed)
            return None
        before = len(self.left)
        parts = [part for each in placed.parts if (part := self.told(each)) is not None]
        if placed.parts and not parts and numbered is None:
            # What it says, its parts were to show: nothing is left to say of it.
            self.left[before:] = [placed]
            return None
        return replace(placed, parts=tuple(parts))


# Formulae in sentences


def word_about_dots(sentences: Iterable[str], most: int | None) -> str:
    """Return what dots in sentences stand for, "" where there are none."""
    dotted = any("…" in text and not text.startswith("…") for text in sentences)
    return (
        "(… stands for parts of formulae: --full shows them)" if dotted and most is not None else ""
    )


def shortened(text: str, explanation: Explanation, most: int | None) -> str:
    """Return a sentence with the long formulae of an explanation abbreviated."""
    if most is None or len(text) <= most:
        return text
    for formula in _quoted(explanation):
        if len(formula) > most:
            text = text.replace(formula, abbreviated(formula, most))
    return text


def _quoted(explanation: Explanation) -> list[str]:
    """Return the formulae that may stand in the text of an explanation, the longest first."""
    found = {explanation.formula, bare(explanation.formula), *explanation.quotes}
    if explanation.about is not None:
        for part in walk(explanation.about):
            shown = show_formula(part)
            found |= {shown, bare(shown)}
    for branch in explanation.branches:
        found |= {branch.because.formula, bare(branch.because.formula)}
    return sorted(found, key=len, reverse=True)


def abbreviated(formula: str, most: int | None) -> str:
    """Return a formula with dots for what stands deepest in brackets, until it is short enough.

    >>> abbreviated("p -> K(Sender, (q and AX (r or s)))", 30)
    'p -> K(Sender, (q and AX (…)))'
    >>> abbreviated("one or two or three or four", 20)
    'one or two … or four'
    """
    if most is None:
        return formula
    while len(formula) > most:
        cut = _without_deepest(formula)
        if cut is None:
            return _ends(formula, most)
        formula = cut
    return formula


def _without_deepest(formula: str) -> str | None:
    """Return the formula without what the deepest brackets hold; None where there is nothing more to cut."""
    opened: list[int] = []
    found: list[tuple[int, int, int]] = []
    for place, sign in enumerate(formula):
        if sign == "(":
            opened.append(place)
        elif sign == ")" and opened:
            start = opened.pop()
            keep = _first_argument(formula, start + 1, place)
            if formula[keep:place] != "…":
                found.append((-len(opened), keep, place))
    if not found:
        return None
    deepest = min(found)[0]
    for _, start, end in sorted((each for each in found if each[0] == deepest), reverse=True):
        formula = f"{formula[:start]}…{formula[end:]}"
    return formula


def _first_argument(formula: str, start: int, end: int) -> int:
    """Return where to cut in brackets: behind the agent or group of an operator of knowledge."""
    comma = formula.find(", ", start, end)
    before = formula[start : max(comma, start)]
    is_name = before and not any(sign in before for sign in " ()<>=")
    return comma + 2 if is_name else start


def _ends(formula: str, most: int) -> str:
    """Return the first and the last words of a formula."""
    words = formula.split(" ")
    if len(words) < 4:
        return formula
    first, last = words[:1], words[-2:]
    for word in words[1:-2]:
        if len(" ".join([*first, word, "…", *last])) > most:
            break
        first.append(word)
    return " ".join([*first, "…", *last])
