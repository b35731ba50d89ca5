"""What things of the Python interface look like when they are only looked at."""

from collections import deque
from collections.abc import Iterator, Mapping
from types import FunctionType, MethodType

import pytest

import gnomon
from gnomon.checking.question import Question
from gnomon.text.spelling import spelled
from tests.support import EXAMPLES

#: These are tables, which are as long as what they show.
TABLES = {"CheckResult", "Sweep", "Who", "WalkMoves", "WalkHistory", "AlikeStates"}
MOST = 300
PLAIN = (str, int, float, bytes, type, FunctionType, MethodType, type(None))


def roots() -> Iterator[object]:
    model = gnomon.load(str(EXAMPLES / "bit_transmission.ispl"))
    yield model
    yield model.check(
        "AG !received", "<Sender>F received", check_deadlock=True, certificate=True, account=True
    )
    muddy = str(EXAMPLES / "muddy_children.ispl")
    yield gnomon.sweep(muddy, {"n": [2, 3]})
    yield gnomon.load(str(EXAMPLES / "strongroom.ispl")).who("F open", evidence=True)
    anybody = gnomon.load(str(EXAMPLES / "parameterised" / "mutex.ispl"))
    yield from (anybody, anybody.check())
    yield from (model.graph(), model.walk(), model.walk().moves, model.simulate(50, seed=1))
    yield from (model.coverage(), model.question("AG received"), gnomon.Options())
    builder = gnomon.SystemBuilder("b")
    agent = builder.agent("P", ["a"])
    term = agent.integer("v", 0, 3)
    yield from (builder, agent, term, sum((term for _ in range(200)), start=term))
    with gnomon.Campaign(jobs=1) as campaign:
        yield campaign
        yield campaign.submit(muddy, only=1).result()
    with pytest.raises(gnomon.InputError) as caught:
        gnomon.load_text("Agent " * 200)
    yield caught.value


def parts(thing: object) -> Iterator[object]:
    """Yield what can be reached from something by public names."""
    if isinstance(thing, Mapping):
        yield from list(thing.values())[:20]
    elif isinstance(thing, list | tuple | set | frozenset):
        yield from list(thing)[:20]
    else:
        names = [*dir(type(thing)), *getattr(thing, "__dict__", {})]
        for name in names:
            if not name.startswith("_"):
                try:
                    yield getattr(thing, name)
                except (AttributeError, IndexError, ValueError, gnomon.WalkError):
                    continue


def test_nothing_shows_more_than_a_few_hundred_letters() -> None:
    waiting = deque((root, 0) for root in roots())
    seen: set[int] = set()
    kept: list[object] = []  # so that no two things have one address
    long: dict[str, int] = {}
    while waiting:
        thing, depth = waiting.popleft()
        if id(thing) in seen or isinstance(thing, PLAIN):
            continue
        seen.add(id(thing))
        kept.append(thing)
        kind = type(thing)
        if kind.__module__.startswith("gnomon.") and kind.__name__ not in TABLES:
            shown = repr(thing)
            assert " object at 0x" not in shown, kind
            if len(shown) > MOST:
                long[kind.__name__] = len(shown)
        if depth < 5:
            waiting.extend((part, depth + 1) for part in parts(thing))

    assert {} == long
    assert {"System", "Verdict", "Question", "Run"} <= {type(each).__name__ for each in kept}


def test_options_show_what_is_not_as_usual() -> None:
    assert "Options()" == repr(gnomon.Options())
    assert "Options(engine='bdd', timeout=3)" == repr(gnomon.Options(engine="bdd", timeout=3))


def test_a_system_shows_how_much_there_is_of_it() -> None:
    name = str(EXAMPLES / "tickets.ispl")

    assert f"<unbounded system {name}: 3 agents, 1 variable, 6 formulae>" == repr(
        gnomon.load(name).system
    )


def test_built_models_that_differ_in_a_definition_are_different_questions() -> None:
    digests = set()
    for number in (1, 2, 1):
        b = gnomon.SystemBuilder("b")
        p = b.agent("P", ["a"])
        x = p.integer("x", 0, 3, initial=0)
        p.otherwise("a")
        b.proposition("p", b.define("d", x == number))
        b.formula("EF p")
        digests.add(b.build().question().digest)

    assert 2 == len(digests)


def test_what_is_spelled_is_no_longer_than_what_there_is() -> None:
    b = gnomon.SystemBuilder("b")
    p = b.agent("P", ["a"])
    part = p.boolean("x", initial=False)
    p.otherwise("a")
    for number in range(200):
        part = b.define(f"d{number}", part ^ ~part)
    b.proposition("p", part)

    assert len(spelled(b.build().system)) < 100_000


def test_a_question_shows_what_is_asked() -> None:
    assert "Question(text='', name='a')" == repr(Question("", "a"))
