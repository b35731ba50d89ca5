"""Reading a text again after a change is the same as reading it for the first time, in all there is."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

import pytest

from gnomon.checking.load import Loaded, load_text
from gnomon.checking.reload import Reloader
from gnomon.language.expand import size
from gnomon.language.expand.kept import KeptCopies
from gnomon.language.reparse import KeptUnits
from gnomon.model import lint
from gnomon.model.answers import Answers
from gnomon.model.elaborate.memory import MeaningMemory
from gnomon.text import diagnostic
from gnomon.text.limits import watch
from gnomon.text.record import Record
from gnomon.text.source import Source
from tests.laws.edits import Edits
from tests.laws.programs import ProgramWriter
from tests.open_programs import OpenProgram
from tests.support import EXAMPLES

FUZZING = os.environ.get("GNOMON_HYPOTHESIS") == "fuzz"
FAST = os.environ.get("GNOMON_HYPOTHESIS") == "fast"
SEEDS = range(200 if FUZZING else 2 if FAST else 5)
ROUNDS = 30 if FUZZING else 1 if FAST else 4
CHANGES = 12

TEXTS = [
    path.read_text(encoding="utf-8")
    for path in sorted(EXAMPLES.rglob("*.ispl"))
    if path.stat().st_size < 5_000
]


def seen(thing: object) -> list[object]:
    """Return everything that can be seen of something, places included, as plain data."""
    waiting = [thing]
    result: list[object] = []
    while waiting:
        item = waiting.pop()
        if isinstance(item, Record):
            names: tuple[str, ...] = item.__match_args__
            result.append((item.__class__, names))
            waiting.extend(getattr(item, name) for name in names)
        elif isinstance(item, Source):
            result.append((item.name, item.text))
        elif is_dataclass(item):
            result.append(type(item))
            waiting.extend(getattr(item, part.name) for part in fields(item))
        elif isinstance(item, Mapping):
            result.append(("mapping", len(item)))
            waiting.extend(item.items())
        elif isinstance(item, tuple | list):
            result.append((type(item), len(item)))
            waiting.extend(item)
        else:
            result.append((type(item), item))
    return result


def compare(found: Loaded, text: str, constants: Mapping[str, int]) -> None:
    """Compare everything with what is read for the first time."""
    fresh = load_text(text, "x", constants)
    assert found.diagnostics == fresh.diagnostics
    for part in fields(Loaded):
        assert seen(getattr(found, part.name)) == seen(getattr(fresh, part.name)), part.name


def programs(random: Random) -> Iterator[str]:
    """Yield programs of all kinds."""
    while True:
        yield random.choice(TEXTS)
        yield ProgramWriter(random, small=random.random() < 0.5).program()
        yield ProgramWriter(random, families=False).program()
        yield OpenProgram(random.randrange(10_000)).text()
        lines = ProgramWriter(random).program().split("\n")
        yield "\n".join(line for line in lines for _ in range(random.choice([1, 1, 1, 3])))


def usual(_patch: pytest.MonkeyPatch) -> None:
    """Leave the limits as they are."""


def tight(patch: pytest.MonkeyPatch) -> None:
    """Let every limit that counts something be reached now and then."""
    patch.setattr(diagnostic, "MOST_DIAGNOSTICS", 3)
    patch.setattr(size, "MAX_COPIES", 25)
    patch.setattr(size, "MAX_PARTS", 400)
    patch.setattr(size, "_MAX_STEPS", 200)
    patch.setattr(size, "_WATCHED", 16)
    patch.setattr(lint, "_AT_ONCE", 12)
    patch.setattr(lint, "_MOST_WORK", 150)
    patch.setattr(lint, "_MOST_FOR_COPIES", 40)


@pytest.mark.parametrize("limits", [usual, tight])
@pytest.mark.parametrize("seed", SEEDS)
def test_reading_again_is_reading(
    seed: int, limits: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    limits(monkeypatch)
    random = Random(seed)
    source = programs(random)
    reloader = Reloader()
    for _ in range(ROUNDS):
        edits = Edits(next(source), [next(source) for _ in range(4)], random)
        kept: list[tuple[Loaded, str, Mapping[str, int]]] = []
        for _ in range(CHANGES):
            text, constants = edits.next(), random.choice([{}, {}, {}, {"n": 2}])
            found = reloader.load(text, "x", constants)
            if not found.has_errors:
                edits.fine()
            if random.random() < 0.7:
                compare(found, text, constants)
            else:
                # Whoever still looks at what was read earlier sees what it was.
                kept.append((found, text, constants))
        for each in kept:
            compare(*each)


class Interrupted(Exception):
    """Somebody does not want to wait."""


class Patience:
    """A watch that is looked at so many times before it raises."""

    def __init__(self, looks: int) -> None:
        """Begin to wait."""
        self.left = looks

    def __call__(self) -> None:
        """Look once more."""
        self.left -= 1
        if self.left < 0:
            raise Interrupted


@pytest.mark.parametrize("seed", SEEDS)
def test_who_was_interrupted_goes_on(seed: int) -> None:
    random = Random(seed)
    reloader = Reloader()
    source = programs(random)
    for _ in range(ROUNDS):
        edits = Edits(next(source), [next(source)], random)
        for _ in range(CHANGES):
            text = edits.next()
            token = watch.set(Patience(random.randint(0, 25)))
            try:
                found = reloader.load(text, "x")
            except Interrupted:
                continue
            finally:
                watch.reset(token)
            compare(found, text, {})


#: What has to happen, and how often in a hundred changes at least.
WANTED = {"units": 100, "copies": 5, "meanings": 50, "answers": 5, "errors": 20, "none": 10}
CODES = "G0101 G0102 G0103 G0104 G0105 G0108 G0109 G0114 G0201 G0402 G0417 G0502 G0503"


@pytest.mark.slow
def test_changes_have_what_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    happened: Counter[str] = Counter()

    def count(kind: type, method: str, what: str) -> None:
        original = getattr(kind, method)

        def counting(self: Any, *given: Any) -> Any:
            found = original(self, *given)
            happened[what] += bool(found)
            return found

        monkeypatch.setattr(kind, method, counting)

    count(KeptUnits, "take", "units")
    count(KeptCopies, "take", "copies")
    count(MeaningMemory, "_holds", "meanings")
    count(Answers, "known", "answers")
    random = Random(1)
    source, reloader = programs(random), Reloader()
    changes = 0
    for _ in range(80):
        edits = Edits(next(source), [next(source)], random)
        for _ in range(CHANGES):
            found = reloader.load(edits.next(), "x")
            changes += 1
            if not found.has_errors:
                edits.fine()
            happened["errors" if found.has_errors else "none"] += 1
            happened.update({item.code for item in found.diagnostics})
            happened[found.kind] += 1
            if found.system is not None:
                happened[found.system.semantics] += 1
    rare = {
        what: happened[what] for what in WANTED if happened[what] < WANTED[what] * changes / 100
    }
    kinds = (
        "finite",
        "unbounded",
        "parameterised",
        "MultiAssignment",
        "SingleAssignment",
        "Interleaved",
    )
    missing = {what for what in (*CODES.split(), *kinds) if not happened[what]}
    assert (rare, missing) == ({}, set())
