"""Reading a text again after a change is the same as reading it for the first time, in all there is."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from random import Random

import pytest

from gnomon.checking.load import Loaded, load_text
from gnomon.checking.reload import Reloader
from gnomon.text.limits import check_limits, watch
from gnomon.text.record import Record
from gnomon.text.source import Source
from tests.laws.edits import Edits
from tests.laws.programs import ProgramWriter
from tests.open_programs import OpenProgram
from tests.support import EXAMPLES

FUZZING = os.environ.get("GNOMON_HYPOTHESIS") == "fuzz"
ROUNDS = 1_000 if FUZZING else 12
SEEDS = range(100) if FUZZING else range(6)

TEXTS = [
    path.read_text(encoding="utf-8")
    for path in sorted(EXAMPLES.rglob("*.ispl"))
    if path.stat().st_size < 5_000
]


def seen(thing: object) -> object:
    """Return everything that can be seen of something, places included, as plain data."""
    waiting: list[object] = []
    result: list[object] = []
    waiting.append(thing)
    while waiting:
        item = waiting.pop()
        if isinstance(item, Record):
            names: tuple[str, ...] = item.__match_args__
            parts = [getattr(item, name) for name in names]
            result.append((item.__class__, len(parts)))
            waiting.extend(parts)
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
    assert (found.model is None) == (fresh.model is None)
    for name in ("source", "program", "model", "kind", "diagnostics", "constants", "in_force"):
        assert seen(getattr(found, name)) == seen(getattr(fresh, name)), name


def programs(random: Random) -> Iterator[str]:
    """Yield programs of all kinds."""
    while True:
        yield random.choice(TEXTS)
        yield ProgramWriter(random, small=random.random() < 0.5).program()
        yield ProgramWriter(random, families=False).program()
        yield OpenProgram(random.randrange(10_000)).text()


@pytest.mark.parametrize("seed", SEEDS)
def test_reading_again_is_reading(seed: int) -> None:
    random = Random(seed)
    source = programs(random)
    reloader = Reloader()
    for _ in range(ROUNDS):
        edits = Edits(next(source), [next(source) for _ in range(4)], random)
        constants = random.choice([{}, {}, {}, {"n": 2}])
        kept: list[tuple[Loaded, str, Mapping[str, int]]] = []
        for _ in range(12):
            text = edits.next()
            found = reloader.load(text, "x", constants)
            if random.random() < 0.7:
                compare(found, text, constants)
            else:
                # Whoever still looks at what was read earlier sees what it was.
                kept.append((found, text, constants))
        for each in kept:
            compare(*each)


class Interrupted(Exception):
    """Somebody does not want to wait."""


@pytest.mark.parametrize("seed", SEEDS)
def test_who_was_interrupted_goes_on(seed: int) -> None:
    random = Random(seed)
    reloader = Reloader()
    source = programs(random)
    for _ in range(ROUNDS):
        edits = Edits(next(source), [next(source)], random)
        for _ in range(8):
            text = edits.next()
            left = random.randint(0, 30)

            def look() -> None:
                nonlocal left
                left -= 1
                if left < 0:
                    raise Interrupted

            token = watch.set(look)
            try:
                found = reloader.load(text, "x")
            except Interrupted:
                continue
            finally:
                watch.reset(token)
            check_limits()
            compare(found, text, {})
