"""Words that were meant to be others, wherever the help says which."""

import re
from collections.abc import Iterator
from contextlib import suppress
from difflib import SequenceMatcher
from typing import Final

from gnomon.editing.edits import TextChange
from gnomon.editing.fixes.fix import Fix, Mistake
from gnomon.editing.fixes.writing import tokens_named
from gnomon.editing.rename import RenameRefused
from gnomon.editing.rename import rename as rename_everywhere
from gnomon.language import syntax
from gnomon.text.record import walk
from gnomon.text.source import Span

_GUESS: Final = re.compile(r"did you mean `([^`]+)`\?")
_WRITE: Final = re.compile(r"(?:if you mean the variable, )?write `([^`…]+)`")
_WORD: Final = re.compile(r"[A-Za-z]\w*(?:\[[\d, ]*\])?")
#: Words that are less like each other are no slip of the pen.
_ALIKE: Final = 0.5


def rename(mistake: Mistake) -> Iterator[Fix]:
    """Write the word that was probably meant."""
    guess = _GUESS.search(mistake.help)
    if guess is None:
        return
    place = misspelt(mistake, guess[1])
    if place is not None:
        wrong = mistake.text[place.start : place.end]
        title = f"Write `{guess[1]}` instead of `{wrong}`"
        yield Fix(title, (TextChange(place, guess[1]),), preferred=True)


def misspelt(mistake: Mistake, meant: str) -> Span | None:
    """Return the word at the place of a mistake that is most like another one."""
    start, written = mistake.span.start, mistake.written
    best, found = _ALIKE, None
    for word in _WORD.finditer(written):
        alike = SequenceMatcher(None, word[0].lower(), meant.lower()).ratio()
        if word[0] != meant and alike > best:
            best, found = alike, Span(start + word.start(), start + word.end())
    return found


def write_instead(mistake: Mistake) -> Iterator[Fix]:
    """Write what the help says in place of all that is marked."""
    advice = _WRITE.fullmatch(mistake.help)
    if advice is not None and mistake.written:
        yield mistake.replace(advice[1], preferred=True)


def write_apart(mistake: Mistake) -> Iterator[Fix]:
    """Write `AG p` for `AGp`."""
    if mistake.help.startswith("operators are written apart") and len(mistake.advised) == 1:
        yield mistake.replace(mistake.advised[0], preferred=True)


def choose_another_name(mistake: Mistake) -> Iterator[Fix]:
    """Call something that has a reserved word for its name otherwise, wherever it is named."""
    word = mistake.written
    found = mistake.analysis.symbols.at(mistake.span.start)
    if found is None or not mistake.advised:
        yield from _another_formula_name(mistake)
        return
    new = mistake.advised[0]
    places = {each.span for each in mistake.analysis.symbols.of(found.symbol)}
    changes = tuple(TextChange(each, new) for each in sorted(places))
    yield Fix(f"Call it `{new}` instead of `{word}`", changes)


def _another_formula_name(mistake: Mistake) -> Iterator[Fix]:
    if mistake.advised and mistake.message.endswith("the name of a formula"):
        yield mistake.replace(mistake.advised[0])


def call_otherwise(mistake: Mistake) -> Iterator[Fix]:
    """Give something a name that nothing else has, where all else keeps its meaning by that."""
    old = mistake.quoted[0] if mistake.quoted else ""
    if not _WORD.fullmatch(old) or not mistake.written.startswith(old) or "[" in old:
        return
    with suppress(RenameRefused):
        changes = rename_everywhere(mistake.analysis, mistake.span.start, f"{old}_")
        yield Fix(f"Call it `{old}_`", tuple(changes))


def add_owner(mistake: Mistake) -> Iterator[Fix]:
    """Write a variable with its agent in front, or an action with its own."""
    written = mistake.written
    action = re.match(r"Action\b", written) is not None
    owners = [*_actors(mistake)] if action else [*_owners(mistake, written)]
    for owner in owners:
        title = f"Write `{owner}.{written}`"
        change = TextChange(Span(mistake.span.start, mistake.span.start), f"{owner}.")
        yield Fix(title, (change,), preferred=len(owners) == 1)


def _owners(mistake: Mistake, name: str) -> Iterator[str]:
    """Yield the agents that have a variable of a name, one that the help names before the others."""
    program = mistake.analysis.program
    named = [advice.partition(".")[0] for advice in mistake.advised if "." in advice]
    known = [
        agent.name.text
        for agent in program.agents
        if not agent.name.indices
        for line in syntax.each_line((*(agent.observed or ()), *(agent.variables or ())))
        if line.name.text == name.partition("[")[0]
    ]
    yield from dict.fromkeys([*(name for name in named if "…" not in name), *known])


def _actors(mistake: Mistake) -> Iterator[str]:
    """Yield the agents that have the action that is looked at."""
    action = mistake.written.split()[-1]
    for agent in mistake.analysis.program.agents:
        if not agent.name.indices and any(each.text == action for each in agent.actions or ()):
            yield agent.name.text


def name_the_owner(mistake: Mistake) -> Iterator[Fix]:
    """Write the agent in front of a variable in a formula, where only the comparison is marked."""
    if "written with its agent in front" not in mistake.help:
        return
    tokens = mistake.analysis.tokens
    place = max((at for at in tokens.starts if at < mistake.span.start), default=0)
    name = _WORD.match(mistake.text, place)
    if name is None:
        return
    owners = [each for each in _owners(mistake, name[0]) if each != "agent"]
    for owner in owners:
        change = TextChange(Span(place, place), f"{owner}.")
        yield Fix(f"Write `{owner}.{name[0]}`", (change,), preferred=len(owners) == 1)


def use_div(mistake: Mistake) -> Iterator[Fix]:
    """Divide whole numbers."""
    if mistake.help != "use `div`":
        return
    text = mistake.text
    changes = []
    for start, end in tokens_named(mistake.analysis, mistake.span, "/"):
        before = "" if text[start - 1 : start].isspace() else " "
        behind = "" if text[end : end + 1].isspace() else " "
        changes.append(TextChange(Span(start, end), f"{before}div{behind}"))
    if changes:
        yield Fix("Divide with `div`, without a remainder", tuple(changes), preferred=True)


def compare_for_equality(mistake: Mistake) -> Iterator[Fix]:
    """Compare what has no order with `=` or `<>`."""
    for part in walk(mistake.analysis.program):
        if isinstance(part, syntax.Binary) and part.span == mistake.span:
            gap = Span(part.left.span.end, part.right.span.start)
            for place in tokens_named(mistake.analysis, gap, part.operator):
                for operator in ("=", "<>"):
                    change = TextChange(place, operator)
                    yield Fix(f"Compare with `{operator}`", (change,))
            return
