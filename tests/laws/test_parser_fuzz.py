"""Broken programs: whatever stands in a file, it is read in time and the answer makes sense."""

import os
import time
from collections.abc import Callable
from random import Random

import pytest

from gnomon.checking.load import Loaded, load_text
from gnomon.language.format import format_text
from gnomon.language.lexer import KEYWORDS
from gnomon.language.parse import parse
from gnomon.text.codes import CODES
from gnomon.text.diagnostic import InputError
from gnomon.text.source import Source
from tests.laws.programs import ProgramWriter, scatter, tokens_of
from tests.laws.watch import time_limit
from tests.support import EXAMPLES, shared_model_files

FUZZING = os.environ.get("GNOMON_HYPOTHESIS") == "fuzz"
SECONDS = 60.0 if FUZZING else 2.0
ROUNDS = 1_000_000 if FUZZING else 150
#: Generous, because the machine may be busy; nothing here should take a tenth of a second.
LIMIT = 4.0

FILES = [*sorted(EXAMPLES.glob("*.ispl")), *shared_model_files()]
TEXTS = [
    path.read_text(encoding="utf-8", errors="replace")
    for path in FILES
    if path.stat().st_size < 6_000
]
WORDS = [
    *sorted(KEYWORDS),
    *"for where int div mod sum exists forall Constants Types Template Sync Interleaved LDL x P".split(),
    *"expect undefined".split(),
    *"( ) [ ] { } < > <= >= <> != = ! : , . ; .. - + * / & | ~ ^ -> ? _ \" ' @ \\ # % $ ` é ∀ -- ".split(),
    *[
        "0",
        "1",
        "-1",
        "99999999999999999999",
        "\n",
        "\r",
        "\t",
        "\x00",
        "\ufeff",
        "--",
        "end Agent",
        "a :",
        "a[i] :",
        "expect false",
        "expects false",
        "\n--! a expect true\n",
        "\n--! expect",
        "\n--! allow G0407\n",
    ],
]


def check(text: str) -> Loaded:
    """Load a text and see that the answer makes sense."""
    with time_limit(LIMIT, text):
        loaded = load_text(text)
    errors = [item for item in loaded.diagnostics if item.is_error]
    assert loaded.has_errors == bool(errors)
    if loaded.system is None and loaded.kind != "parameterised":
        assert errors, "there is no system, and nobody says why"
    if errors:
        assert loaded.system is None
    places = []
    for item in loaded.diagnostics:
        assert item.code in CODES
        assert item.message
        assert item.message.isprintable(), item.message
        for span in (item.span, *(label.span for label in item.related)):
            assert span is None or 0 <= span.start <= span.end <= len(text), item
        assert (item.line >= 1) == (item.span is not None)
        places.append((item.span or (0, 0), item.code))
    assert places == sorted(places)
    assert str(InputError(loaded.diagnostics))
    check_format(text)
    return loaded


def check_format(text: str) -> None:
    source = Source("fuzz", text)
    before = parse(source)
    if before.diagnostics.has_errors:
        return
    with time_limit(LIMIT, text):
        after = parse(Source("fuzz", format_text(source)))
    assert not after.diagnostics.has_errors
    same = before.program == after.program
    assert same


# Mutations: each takes the tokens of a program


def delete(tokens: list[str], random: Random) -> list[str]:
    start = random.randrange(len(tokens))
    return tokens[:start] + tokens[start + random.choice([1, 1, 1, 2, 5, 30]) :]


def duplicate(tokens: list[str], random: Random) -> list[str]:
    start = random.randrange(len(tokens))
    end = start + random.choice([1, 1, 2, 5, 30])
    return tokens[:end] + tokens[start:]


def swap(tokens: list[str], random: Random) -> list[str]:
    result = list(tokens)
    first, second = random.randrange(len(tokens)), random.randrange(len(tokens))
    if random.random() < 0.5:
        second = min(first + 1, len(tokens) - 1)
    result[first], result[second] = result[second], result[first]
    return result


def insert(tokens: list[str], random: Random) -> list[str]:
    result = list(tokens)
    for _ in range(random.choice([1, 1, 1, 3])):
        result.insert(random.randrange(len(result) + 1), random.choice(WORDS))
    return result


def replace(tokens: list[str], random: Random) -> list[str]:
    result = list(tokens)
    for _ in range(random.choice([1, 1, 1, 3])):
        result[random.randrange(len(result))] = random.choice(WORDS)
    return result


def splice(tokens: list[str], random: Random) -> list[str]:
    other = tokens_of(random.choice(TEXTS))
    return tokens[: random.randrange(len(tokens))] + other[random.randrange(len(other)) :]


def truncate(tokens: list[str], random: Random) -> list[str]:
    return tokens[: random.randrange(len(tokens))]


def remove_word(tokens: list[str], random: Random) -> list[str]:
    """Remove every occurrence of one word: a name, a section, a bracket."""
    word = random.choice(tokens)
    return [token for token in tokens if token != word]


MUTATIONS = [delete, duplicate, swap, insert, replace, splice, truncate, remove_word]
Mutation = Callable[[list[str], Random], list[str]]


def join(tokens: list[str], random: Random) -> str:
    """Lay the tokens out: one a line, all on one line, or about as people do."""
    gap = random.choice([" ", "\n", "mixed"])
    if gap != "mixed":
        return gap.join(tokens)
    return "".join(f"{token}{random.choice([' ', ' ', ' ', chr(10)])}" for token in tokens)


def lines_of(text: str) -> list[str]:
    """Return lines as "tokens", so that a layout that people write survives the mutation."""
    return text.splitlines(keepends=True)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda item: item.__name__)
@pytest.mark.parametrize("unit", ["tokens", "lines", "characters"])
def test_a_mutated_program_is_read_in_time(mutation: Mutation, unit: str) -> None:
    seed = time.time_ns() if FUZZING else f"{mutation.__name__} {unit}"
    random = Random(seed)
    stop = time.monotonic() + SECONDS
    for _ in range(ROUNDS):
        text = random.choice(TEXTS)
        if unit == "tokens":
            mutated = join(mutation([t for t in tokens_of(text) if t[:2] != "--"], random), random)
        elif unit == "lines":
            mutated = "".join(mutation(lines_of(text), random))
        else:
            mutated = "".join(mutation(list(text), random))
        check(mutated)
        if time.monotonic() > stop:
            break


def test_generated_programs_survive_mutations() -> None:
    random = Random(time.time_ns() if FUZZING else 7)
    stop = time.monotonic() + SECONDS
    for number in range(ROUNDS):
        text = scatter(ProgramWriter(random, families=number % 3 > 0).program(), random)
        tokens = [token for token in tokens_of(text) if not token.startswith("--")]
        check(join(random.choice(MUTATIONS)(tokens, random), random))
        if time.monotonic() > stop:
            break


def test_random_bytes_are_read_in_time() -> None:
    random = Random(time.time_ns() if FUZZING else 11)
    for _ in range(ROUNDS // 3):
        raw = random.randbytes(random.randrange(300))
        check(raw.decode("latin-1"))
        check(raw.decode("utf-8", errors="replace"))
        check(" ".join(random.choice(WORDS) for _ in range(random.randrange(60))))
        check("\n".join(random.choice(WORDS) for _ in range(random.randrange(60))))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ispl")), ids=lambda path: path.stem)
def test_a_program_may_end_anywhere(path: object) -> None:
    tokens = [token for token in tokens_of(path.read_text()) if token[:2] != "--"]  # type: ignore[attr-defined]
    stop = time.monotonic() + SECONDS * 2
    random = Random(3)
    places = random.sample(range(len(tokens)), min(len(tokens), 10_000 if FUZZING else 60))
    for place in places:
        check(" ".join(tokens[:place]))
        check("\n".join(tokens[:place]))
        if time.monotonic() > stop:
            break


# What was found


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Formulae\nVars", id="section word in a section"),
        pytest.param("Formulae\nVars;", id="section word and semicolon"),
        pytest.param("Evaluation\nFormulae\n AG p;\nend Formulae", id="end Evaluation forgotten"),
        pytest.param("InitStates\n P.x = 0;\nFormulae\n AG p;\nend Formulae", id="end InitStates"),
        pytest.param("Agent P\nVars:\nActions { a };", id="no equals sign"),
        pytest.param("Agent P\nVars:\n x : 0..1;\nProtocol\n end Protocol", id="no colon"),
        pytest.param("Groups\nFairness\nend Fairness", id="end Groups forgotten"),
        pytest.param("Evaluation\nGroups\nend Groups", id="two sections"),
        pytest.param("for\nAgent", id="for then Agent"),
        pytest.param("Evaluation\nfor i : 1..2:\nAgent", id="for without end"),
        pytest.param(
            "Evaluation for i : Place: p if P.x = 1; end for end Evaluation", id="for type"
        ),
        pytest.param("Agent P[i : Place] end Agent", id="family over a type"),
        pytest.param("Constants end Constants", id="no constants"),
        pytest.param("Constants", id="constants cut off"),
        pytest.param("Constants n = 1;", id="constants and nothing"),
        pytest.param("Constants n = n; end Constants", id="constant of itself"),
        pytest.param("Constants n = m; m = n; end Constants", id="constants of each other"),
        pytest.param("Agent", id="agent cut off"),
        pytest.param("end", id="end"),
        pytest.param("end end end", id="ends"),
        pytest.param("end Agent", id="end of nothing"),
        pytest.param("Template R [1..", id="template cut off"),
        pytest.param("Formulae LDL [", id="ldl cut off"),
        pytest.param("Formulae K(", id="knowledge cut off"),
        pytest.param("Formulae <", id="coalition cut off"),
        pytest.param("Formulae A", id="quantifier cut off"),
        pytest.param("Formulae x[", id="index cut off"),
        pytest.param("Formulae forall i", id="quantifier without range"),
        pytest.param("Semantics", id="semantics cut off"),
        pytest.param(
            "Semantics = Interleaved; Agent P end Agent", id="interleaved without templates"
        ),
        pytest.param("\ufeff", id="byte order mark"),
        pytest.param("\x00", id="zero byte"),
        pytest.param("--", id="comment"),
        pytest.param("x--", id="name and comment"),
        pytest.param("CTL*", id="logic"),
        pytest.param("Formulae CTL* CTL* LTL", id="logics"),
    ],
)
def test_found_inputs_are_read_in_time(text: str) -> None:
    check(text)
