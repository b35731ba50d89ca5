"""An explanation in sentences, from the outside in, each with the run that shows what it says."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gnomon.model.evidence import Run
from gnomon.results.abridging import LeftOut, shortened, states_named
from gnomon.results.evidence_tree import EvidenceTree, PlacedExplanation, RunPosition, bare
from gnomon.results.phrases import capitalised, enumerated, few

#: Words that an explanation begins with, where it begins neither with a formula nor with a name.
_OURS: Final = re.compile(
    r"(?:(?:in|on|after) )?(?:this|a) (?:run|state)\b|run \d|to \S+ it looks\b|nothing can happen\b|nobody\b"
)


class ExplanationSentence(NamedTuple):
    """One sentence of an explanation: how deep it stands, and the run that shows what it says."""

    depth: int
    text: str
    run: Run | None = None


def sentences(
    tree: EvidenceTree, left_out: LeftOut | None = None, letters: int | None = None
) -> Iterator[ExplanationSentence]:
    """Yield what evidence says; formulae of more than so many letters are abbreviated."""
    if tree.root is not None:
        several = len(tree.runs) > 1 or left_out is not None
        yield from _SentenceTeller(tree, several=several, letters=letters).outermost(tree.root)
    if left_out is not None:
        yield ExplanationSentence(1, str(left_out))


def brief(
    tree: EvidenceTree, letters: int | None, *, tables: bool
) -> Iterator[ExplanationSentence]:
    """Yield one sentence, with its run; a lone state is not worth a run where there are `tables`."""
    chosen = decisive(tree)
    if chosen is not None:
        run = None if chosen.numbered is None else chosen.numbered.run
        shown = run is not None and (moves(run) or not tables)
        words = own_words(chosen, letters)
        if words.endswith(", because"):
            words = f"{words} {enumerated(few(_reasons(chosen, letters), 3))}"
        yield ExplanationSentence(0, words, run if shown else None)


def _reasons(placed: PlacedExplanation, letters: int | None) -> list[str]:
    """Return what gives a compound formula its value: those of its parts."""
    found = [part.explanation for part in placed.parts]
    return [
        shortened(f"{bare(why.formula)} is {'true' if why.value else 'false'}", why, letters)
        for why in found
    ]


def begun(text: str) -> str:
    """Return a sentence with a capital, unless it begins with a formula or a name, which stay as they are.

    >>> begun("this run breaks G p"), begun("good -> p is true")
    ('This run breaks G p', 'good -> p is true')
    """
    return capitalised(text) if _OURS.match(text) else text


def decisive(tree: EvidenceTree) -> PlacedExplanation | None:
    """Return the explanation that matters most: the first with a run, of several states if any."""
    if tree.root is None:
        return None
    with_runs = [placed for placed in tree.root.walk() if placed.numbered is not None]
    moving = [placed for placed in with_runs if placed.numbered and moves(placed.numbered.run)]
    return (moving or with_runs or [tree.root])[0]


def own_words(
    placed: PlacedExplanation, letters: int | None = None, *, several: bool = False
) -> str:
    """Return what an explanation says of itself; where there are `several` runs, they go by their numbers."""
    why = placed.explanation
    text = why.text.strip()
    if not text:
        text = f"{why.formula} is {'true' if why.value else 'false'} here"
    if why.relation in {"knowledge", "norm"} and placed.here is not None and placed.there is None:
        text = _false_here(placed, text)
    elif placed.numbered is None and placed.there is not None:
        text = text.replace("the last state of this run", named(placed.there))
        text = text.replace("as after this run", f"as in {named(placed.there)}")
    elif placed.again is not None:
        text = text.replace("this run", f"run {placed.again.number}")
    elif placed.numbered is not None and several:
        text = text.replace("this run", f"run {placed.numbered.number}")
    return shortened(text, why, letters)


def _false_here(placed: PlacedExplanation, text: str) -> str:
    """Return the words about a state that is its own counterexample: what is false is not known."""
    if placed.explanation.relation == "norm":
        return text.replace("in the last state of this run", "here")
    text, elsewhere, _ = text.partition(": the last state of this run")
    if elsewhere:
        return f"{text}: it is false right there"
    formula = placed.parts[0].explanation.formula if placed.parts else ""
    who = " and ".join(placed.explanation.agents) or "nobody"
    does = "do" if len(placed.explanation.agents) > 1 else "does"
    return f"{who} {does} not know {bare(formula)}: it is false right there"


def named(place: RunPosition) -> str:
    """Return a state by its number; those of the first run need no other name."""
    run = "" if place.run == 1 else f" of run {place.run}"
    return f"state {place.position}{run}"


def is_obvious(part: PlacedExplanation) -> bool:
    """Return whether a part says no more than the value of a formula that was just named."""
    why = part.explanation
    plain = f"{bare(why.formula)} is {'true' if why.value else 'false'}"
    return not part.parts and part.numbered is None and why.text.strip() in {"", plain}


class _SentenceTeller:
    """Tells explanations in sentences."""

    def __init__(self, tree: EvidenceTree, *, several: bool, letters: int | None) -> None:
        self._tree = tree
        self._several = several
        self._letters = letters

    def outermost(self, placed: PlacedExplanation) -> Iterator[ExplanationSentence]:
        """Yield all; the state that everything is about comes first where it has a run of its own."""
        first, *rest = self.told(placed, 0)
        main = self._tree.runs[0] if self._tree.runs else None
        elsewhere = placed.explanation.relation in {"knowledge", "norm"}
        if main is None or placed.numbered is main or not elsewhere:
            yield first
        else:
            yield ExplanationSentence(0, f"in this state, an initial one, {first.text}", main.run)
            if first.run is not None and placed.numbered is not None:
                yield ExplanationSentence(0, f"run {placed.numbered.number}:", first.run)
        yield from rest

    def told(self, placed: PlacedExplanation, depth: int) -> Iterator[ExplanationSentence]:
        """Yield what an explanation says, then its parts."""
        text = own_words(placed, self._letters, several=self._several)
        yield ExplanationSentence(depth, text, _shown(placed, depth))
        for places, (first, *rest) in self._grouped(placed, depth + 1):
            where = f"in {_named_together(places)}: " if places else ""
            yield first._replace(text=where + first.text)
            yield from rest

    def _grouped(
        self, placed: PlacedExplanation, depth: int
    ) -> list[tuple[list[RunPosition], list[ExplanationSentence]]]:
        """Return what is said of each part, and of which state; equal words about a run stand together."""
        found: list[tuple[list[RunPosition], list[ExplanationSentence]]] = []
        run = placed.explanation.run
        for part in placed.parts:
            if placed.explanation.relation == "knowledge" and is_obvious(part):
                continue  # that it is false there was just said
            said = list(self.told(part, depth))
            several = run is not None and len(run.steps) > 1 and part.here is not None
            places = [part.here] if several and part.here is not None else []
            plain = len(said) == 1 and said[0].run is None
            if found and places and plain and found[-1][1] == said:
                found[-1][0].extend(places)
            else:
                found.append((places, said))
        return found


def _named_together(places: Sequence[RunPosition]) -> str:
    run = places[0].run
    return states_named(place.position for place in places) + ("" if run == 1 else f" of run {run}")


def _shown(placed: PlacedExplanation, depth: int) -> Run | None:
    """Return the run to show: a lone state further in was shown, unless it looks like another."""
    if placed.numbered is None:
        return None
    run = placed.numbered.run
    news = placed.explanation.relation == "knowledge" or depth == 0
    return run if news or moves(run) else None


def moves(run: Run) -> bool:
    """Return whether a run is more than one state."""
    return len(run.steps) > 1 or run.loop is not None
