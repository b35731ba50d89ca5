"""Programs that were exported say what the model says: against the oracle, and against the engine."""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from gnomon.checking.attempts import Engine
from gnomon.checking.check import Options, check
from gnomon.checking.load import Loaded, load, load_text
from gnomon.checking.occupancy import export_occupancy
from gnomon.checking.verdict import Value
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.language.format import format_text
from gnomon.language.mcmas.beyond import report_beyond_mcmas
from gnomon.language.parse import parse
from gnomon.model.budget import Budget
from gnomon.model.expression import Compare, Literal, Read
from gnomon.model.parameterised.condition import SELF, TRUE, Condition, Holds
from gnomon.model.parameterised.population import populated
from gnomon.model.parameterised.query import Knowledge, Safety
from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion
from gnomon.model.system import Expectation, System
from gnomon.model.translation import CannotExport
from gnomon.results.export import ispl
from gnomon.results.export.ispl import render, written
from gnomon.text import record
from gnomon.text.source import Source
from tests.population_operators import operator_program
from tests.populations import KINDS, chain_program, is_reached, random_program, read, views
from tests.support import EXAMPLES, VACUOUS

SOME = ("some",)
MAKERS = [random_program, chain_program]


def populations(system: OpenSystem, most: int = 2) -> Iterator[tuple[int, ...]]:
    """Yield how many agents of each template there may be, no more than `most` in all."""
    for counts in product(range(most + 1), repeat=len(system.templates)):
        pairs = zip(counts, system.templates, strict=True)
        within = all(
            part.low <= n <= (most if part.high is None else part.high) for n, part in pairs
        )
        if within and sum(counts) <= most:
            yield counts


def exported(system: OpenSystem, counts: tuple[int, ...]) -> str:
    numbers = {part.name: n for part, n in zip(system.templates, counts, strict=True)}
    return written(populated(system, numbers, "model.ispl"))


def loaded(text: str) -> Loaded:
    """Load an exported program, which must be plain, canonical and free of suspicion."""
    result = load_text(text)
    assert result.diagnostics == (), text
    assert result.system is not None
    parsed = parse(Source("", text))
    report_beyond_mcmas(parsed.program, parsed.diagnostics)
    assert parsed.diagnostics.items == [], text
    assert format_text(Source("", text)) == text
    return result


def verdicts(text: str, engine: Engine = "explicit") -> list[Value]:
    system = loaded(text).system
    assert system is not None
    return [
        verdict.value
        for verdict in check(system, options=Options(allow=VACUOUS, engine=engine)).verdicts
    ]


def bad_of(system: OpenSystem) -> Condition:
    query = system.questions[0].query
    assert isinstance(query, Safety)
    return query.bad


@pytest.mark.parametrize("kinds", [SOME, KINDS], ids=["some", "all kinds"])
@pytest.mark.parametrize("make", MAKERS)
def test_a_definite_number_of_agents_reaches_what_it_does_by_definition(
    make: object, kinds: tuple[str, ...]
) -> None:
    assert callable(make)
    outcomes = set()
    for seed in range(50):
        system = read(make(seed, kinds))
        bad = bad_of(system)
        chosen = list(populations(system))
        # The smallest and the largest, and one in between by turns.
        for counts in {chosen[0], chosen[-1], chosen[seed % len(chosen)]}:
            reached = is_reached(system, counts, bad)
            expected = [Value.FALSE if reached else Value.TRUE]
            assert expected == verdicts(exported(system, counts)), (seed, counts)
            outcomes.add(reached)
    assert outcomes == {True, False}


@pytest.mark.parametrize("make", MAKERS)
def test_sets_of_agents_reach_what_any_number_does(make: object) -> None:
    assert callable(make)
    outcomes = set()
    for seed in range(70):
        system = read(make(seed, SOME))
        reached = decide_safety(CompiledPopulation(system), bad_of(system), Budget()).reached
        expected = [Value.FALSE if reached else Value.TRUE]
        engine: Engine = "explicit" if seed % 10 else "bdd"
        text = written(export_occupancy(system, "model.ispl"))
        assert expected == verdicts(text, engine), seed
        outcomes.add(reached)
    assert outcomes == {True, False}


def test_guards_that_speak_of_every_agent_are_written_out() -> None:
    for seed in range(30):
        system = read(random_program(seed, KINDS, forall=True))
        counts = list(populations(system))[-1]
        expected = Value.FALSE if is_reached(system, counts, bad_of(system)) else Value.TRUE
        assert [expected] == verdicts(exported(system, counts)), seed


def test_programs_with_all_operators_are_written_out() -> None:
    for seed in range(5):
        system = read(operator_program(seed, KINDS)[0].fancy)
        expected = Value.FALSE if is_reached(system, (2,), bad_of(system)) else Value.TRUE
        assert [expected] == verdicts(exported(system, (2,))), seed


def test_sets_of_agents_reach_what_any_number_does_with_all_operators() -> None:
    for seed in range(5):
        system = read(operator_program(seed)[0].fancy)
        reached = decide_safety(CompiledPopulation(system), bad_of(system), Budget()).reached
        expected = Value.FALSE if reached else Value.TRUE
        assert [expected] == verdicts(written(export_occupancy(system, "model.ispl"))), seed


def test_agents_know_what_they_know_by_definition() -> None:
    outcomes = []
    for seed in range(160):
        system, query = knowing(seed)
        counts = list(populations(system))[-1]
        try:
            text = exported(system, counts)
        except CannotExport:
            continue
        seen = [views(system, counts, query.template, c) for c in (query.when, query.doubt)]
        outcomes.append(not seen[0] & seen[1])
        found = verdicts(text)
        assert outcomes[-1] == all(value is Value.TRUE for value in found), seed
        named = [part.name for part in system.templates]
        if query.template in named and counts[named.index(query.template)]:
            assert len(found) == counts[named.index(query.template)]
    assert len(outcomes) > 30
    assert set(outcomes) == {True, False}


def knowing(seed: int) -> tuple[OpenSystem, Knowledge]:
    """Return a random system that asks what agents of a template know, and sees what it may."""
    system = read(random_program(seed, KINDS if seed % 2 else SOME))
    rng = random.Random(seed)
    part = rng.choice(system.templates)
    when: Condition = TRUE
    if part.variables and rng.random() < 0.5:
        tested = Read(SELF, rng.choice(part.variables).name)
        when = Holds(Compare("=", tested, Literal("a")))
    query = Knowledge(part.name, when, bad_of(system))
    names = tuple(variable.name for variable in system.environment.variables)
    templates = tuple(record.replace(each, sees=names) for each in system.templates)
    asked = (PopulationQuestion(query, "knowledge", "knowledge"),)
    return replace(system, templates=templates, questions=asked), query


def expecting(system: OpenSystem) -> OpenSystem:
    """Return a system that asks for one thing in both ways, and expects what comes out for any number."""
    bad = bad_of(system)
    both = [PopulationQuestion(Safety(bad, reach), "asked", "asked") for reach in (False, True)]
    asked = replace(system, questions=tuple(both))
    values = [verdict.value for verdict in check(asked, options=Options(timeout=20)).verdicts]
    expected: dict[Value, Expectation] = {Value.TRUE: "true", Value.FALSE: "false"}
    said = [
        replace(question, name=name, expected=expected.get(value))
        for question, name, value in zip(both, ("safe", "reach[1]"), values, strict=True)
    ]
    return replace(system, questions=tuple(said))


@pytest.mark.parametrize("kinds", [SOME, KINDS], ids=["some", "all kinds"])
@pytest.mark.parametrize("make", MAKERS)
def test_what_is_expected_after_an_export_follows_from_what_holds_of_any_number(
    make: object, kinds: tuple[str, ...]
) -> None:
    assert callable(make)
    kept: set[tuple[str, Expectation | None]] = set()
    for seed in range(20):
        system = expecting(read(make(seed, kinds)))
        texts = [exported(system, list(populations(system))[-1])]
        with suppress(CannotExport):
            texts.append(written(export_occupancy(system, "model.ispl")))
        for text in texts:
            plain = loaded(text).system
            assert plain is not None
            said = [(item.name, item.expected) for item in plain.specifications]
            assert ["safe", "reach[1]"] == [name for name, _ in said]
            for (_, expected), value in zip(said, verdicts(text), strict=True):
                assert expected in (None, str(value)), (seed, text)
            kept.update(said)
    # Of so many agents something is expected where it follows, and nothing elsewhere.
    assert {("safe", "true"), ("safe", None)} <= kept


# Names and values that other tools would trip over

ODD = """
Types Value : {A, step, x, T1_v}; Narrow : {A, step}; end Types
Relations R : Narrow; R_A : Narrow; end Relations
Environment
  Vars: x0 : Value; R_step : boolean; end Vars
  Actions = {step, nop};
  Sync = {s : all};
  Protocol: x0 = A : {step}; R_step : {s}; x0 = step : {nop}; end Protocol
  Evolution:
    x0 = step if Action = step; R_step = true if Action = nop; x0 = x if Action = s;
  end Evolution
end Environment
Template T
  Vars: v : Value; w : Narrow; end Vars
  Actions = {nop, step};
  Sync = {s};
  Protocol: R(w) : {nop}; v = step and R_A(A) : {step}; v <> A : {s}; end Protocol
  Evolution: v = step if Action = nop; w = v if Action = step; v = w if Action = s; end Evolution
end Template
Template T1 [0..2]
  Vars: v : boolean; end Vars
  Actions = {a};
  Protocol: exists j : T (j.w = step) : {a}; end Protocol
  Evolution: v = true if Action = a; end Evolution
end Template
Evaluation bad if exists j : T1 (j.v) and Environment.x0 = x; end Evaluation
InitStates
  Environment.x0 = A and Environment.R_step = false and T.v = A and T.w = A and T1.v = false;
end InitStates
Formulae AG !bad; end Formulae
"""

NUMBERS = """
Types V : {a, b, c}; W : {a, b}; end Types
Environment
  Vars: x : 0..3; e : boolean; end Vars
  Sync = {s : all};
  Protocol: x < 3 : {s}; end Protocol
  Evolution: x = x + 2 if Action = s; e = !e if Action = s; end Evolution
end Environment
Template T
  Vars: v : V; w : W; n : -1..1; m : -1..3; end Vars
  Actions = {go, half, neg};
  Sync = {s};
  Protocol: true : {go, half, s, neg}; end Protocol
  Evolution:
    v = c if Action = go; v = b if Action = half; w = v if Action = s;
    n = m / 2 if Action = half; m = m + 1 if Action = go;
    n = -n if Action = neg; m = 2 - n if Action = neg;
  end Evolution
end Template
Evaluation bad if exists j : T (j.w = b and j.n = -1 and j.m > 1) and Environment.e; end Evaluation
InitStates
  Environment.x < 2 and Environment.e = false and T.v = a and T.w = a and T.n = 0 and T.m = 0;
end InitStates
Formulae AG !bad; end Formulae
"""

NARROW = """
Template T
  Vars: v : {a, b, c}; w : {a, b}; done : boolean; end Vars
  Actions = {go, take};
  Protocol: !done : {go}; v <> a : {take}; end Protocol
  Evolution: v = c if Action = go; w = v if Action = take; done = true if Action = take; end Evolution
end Template
Evaluation bad if exists j : T (j.done); end Evaluation
InitStates T.v = a and T.w = a and T.done = false; end InitStates
Formulae AG !bad; end Formulae
"""

QUOTIENT = """
Environment
  Vars: e : boolean; end Vars
  Sync = {s : all};
  Protocol: true : {s}; end Protocol
  Evolution: e = true if Action = s; end Evolution
end Environment
Template T
  Vars: n : 0..3; m : 0..3; end Vars
  Sync = {s};
  Protocol: true : {s}; end Protocol
  Evolution: n = m / 2 if Action = s; end Evolution
end Template
Evaluation bad if exists j : T (j.n = 0) and Environment.e; end Evaluation
InitStates Environment.e = false and T.m = 1 and T.n = 0; end InitStates
Formulae AG !bad; end Formulae
"""

CIRCLE = """
Environment
  Vars: x : boolean; end Vars
  Sync = {s};
  Protocol: true : {s}; end Protocol
  Evolution: x = true if Action = s; end Evolution
end Environment
Template T
  Vars: v : {a, b, c, d}; end Vars
  Actions = {go, up};
  Sync = {s};
  Protocol: v = a or v = c : {go}; v = b and Environment.x : {up}; v = d : {s}; end Protocol
  Evolution:
    v = b if Action = go and v = a; v = d if Action = go and v = c; v = c if Action = up;
  end Evolution
end Template
Evaluation bad if exists j : T (j.v = c); end Evaluation
InitStates Environment.x = false and T.v = a; end InitStates
Formulae AG !bad; end Formulae
"""

NOTHING = """
Template T Actions = {a}; Protocol: true : {a}; end Protocol end Template
Evaluation bad if exists j, k : T (j <> k); end Evaluation
InitStates true; end InitStates
Formulae AG !bad; end Formulae
"""

BOOLEANS = """
Environment
  Vars: p : boolean; q : boolean; end Vars
  Sync = {s};
  Protocol: p = q : {s}; end Protocol
  Evolution: p = q if Action = s; q = !(p and q) if Action = s; end Evolution
end Environment
Template T
  Vars: b : boolean; c : boolean; end Vars
  Actions = {l};
  Sync = {s};
  Protocol: b <> c : {l}; (b = c) = Environment.p : {s}; end Protocol
  Evolution: b = c and c = b if Action = l; b = (b = c) if Action = s; end Evolution
end Template
Evaluation bad if exists j : T (j.b and j.c) and exists k : T (!k.b) and Environment.q;
end Evaluation
InitStates Environment.p = Environment.q and T.b = T.c; end InitStates
Formulae AG !bad; end Formulae
"""


@pytest.mark.parametrize(
    "text",
    [
        ODD,
        NUMBERS,
        NARROW,
        QUOTIENT,
        CIRCLE,
        NOTHING,
        BOOLEANS,
    ],
    ids=["names", "numbers", "narrow values", "quotients", "circle", "nothing", "Booleans"],
)
def test_odd_names_and_values_are_written_as_they_are_meant(text: str) -> None:
    system = read(text)
    for counts in populations(system):
        expected = Value.FALSE if is_reached(system, counts, bad_of(system)) else Value.TRUE
        assert [expected] == verdicts(exported(system, counts)), counts


@pytest.mark.parametrize("text", [NARROW, CIRCLE, NOTHING, BOOLEANS])
def test_sets_of_agents_get_nowhere_by_odd_names_and_values(text: str) -> None:
    system = read(text)
    reached = any(is_reached(system, (number,), bad_of(system)) for number in range(4))

    expected = Value.FALSE if reached else Value.TRUE
    assert [expected] == verdicts(written(export_occupancy(system, "model.ispl")))


def test_agents_of_several_templates_never_share_a_name() -> None:
    text = (
        NOTHING + NOTHING.replace("Template T ", "Template T1 ").split("Evaluation", maxsplit=1)[0]
    )
    system = loaded(exported(read(text), (11, 1))).system

    assert system is not None
    assert len({agent.name for agent in system.agents}) == 13


# The printer alone

OUT_OF_RANGE = """
Agent Environment RedStates: true; end RedStates end Agent
Agent P
  Vars: x : 0..2; end Vars
  Actions = {a}; Protocol: Other : {a}; end Protocol
  Evolution: x = 5 + 0 if Action = a and x = 1; x = 1 if x = 0; end Evolution
end Agent
Evaluation one if P.x = 1; end Evaluation
InitStates P.x / 3 < P.x / 2 - 1 / 4 or P.x = 0; end InitStates
Formulae AF AX false; AG one; Environment.RedStates; LTL (F !one) U X one; end Formulae
"""


def test_what_has_no_result_has_none_in_the_program() -> None:
    """A number that is worked out may leave its range; then there is no step, as before."""
    system = load_text(OUT_OF_RANGE).system
    assert system is not None
    again = load_text(render(system))
    assert again.system is not None, [item.message for item in again.diagnostics]
    before, after = (
        check(system, options=Options(allow=VACUOUS)),
        check(again.system, options=Options(allow=VACUOUS)),
    )

    assert [v.value for v in before.verdicts] == [v.value for v in after.verdicts]
    assert before.states == after.states
    assert before.initial == after.initial == 2


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ispl")), ids=lambda path: path.stem)
def test_an_ordinary_program_keeps_its_verdicts(path: Path) -> None:
    system = load(str(path)).system
    assert system is not None
    again = load_text(render(system))

    assert not again.has_errors
    assert again.system is not None
    before, after = (
        check(system, options=Options(allow=VACUOUS)),
        check(again.system, options=Options(allow=VACUOUS)),
    )
    assert [v.value for v in before.verdicts] == [v.value for v in after.verdicts]
    assert before.states == after.states


@pytest.mark.parametrize(
    "protocol",
    [
        "",
        "Other : {};",
        "true : {};",
        "1 < 2 : {};",
        "1 > 2 : { a };",
        "1 > 2 : { a }; Other : {};",
    ],
)
@pytest.mark.parametrize("variables", ["", "Vars: z : 0..1; end Vars"])
def test_an_environment_that_may_do_nothing_is_exported_as_one(
    protocol: str, variables: str
) -> None:
    loaded = load_text(f"""
Agent Environment {variables} Actions = {{ a, b }}; Protocol: {protocol} end Protocol end Agent
Agent P
  Vars: x : 0..1; end Vars
  Actions = {{ c }};
  Protocol: Other : {{ c }}; end Protocol
  Evolution: x = 1 if true; end Evolution
end Agent
Evaluation q if P.x = 1; end Evaluation
InitStates P.x = 0; end InitStates
Formulae EF q; end Formulae
""")
    assert loaded.system is not None
    written = load_text(ispl.render(loaded.system))
    assert written.system is not None
    one, other = (
        check(loaded.system, options=Options(allow=VACUOUS)),
        check(written.system, options=Options(allow=VACUOUS)),
    )

    assert (one.states, one[0].value) == (other.states, other[0].value)
    assert (Value.TRUE if not protocol else Value.FALSE) is one[0].value


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        ("<P>F<=2 (P.x = 1)", True),
        ("[[P]](P.x = 0 W[0,0] P.x = 1)", True),
        ("<>F<=2 (P.x = 1)", False),
        ("<P>F (P.x = 1)", False),
        ("AF<=2 (P.x = 1)", False),
    ],
)
def test_bounds_of_coalitions_are_said_to_be_those_of_perfect_strategies(
    formula: str, told: bool
) -> None:
    text = f"""
    Agent P
      Vars: x : 0..1 = 0; end Vars
      Actions = {{ a }};
      Protocol: Other : {{ a }}; end Protocol
    end Agent
    Formulae {formula}; end Formulae
    """
    model = load_text(text).model
    assert isinstance(model, System)
    assert ("with uniform ones" in " ".join(render(model).split())) is told


@pytest.mark.parametrize(
    "operator", ["F[0,0]", "F<=2", "G<=1", "G[1,2]", "q U<=2", "q R[0,1]", "p W[0,0]", "q W"]
)
@pytest.mark.parametrize("logic", ["LTL", "CTL* A", "CTL* E", "CTL* A X E", "CTL* E G A"])
def test_bounds_ask_the_same_of_runs_that_end(operator: str, logic: str) -> None:
    asked = [f"{logic} ({operator} {state});" for state in ("p", "!p", "r", "true")]
    text = f"""
    Agent P
      Vars: x : 0..2; y : 0..1 = 0; end Vars
      Actions = {{ a }};
      Protocol: y = 0 and x < 2 : {{ a }}; end Protocol
      Evolution: x = x + 1 if true; y = 1 if x = 1; x = x if x = 0; end Evolution
    end Agent
    Evaluation p if P.x = 1; q if P.y = 0; r if P.x = 2; end Evaluation
    InitStates P.y = 0; end InitStates
    Formulae
      {" ".join(asked)}
    end Formulae
    """
    before = load_text(text).model
    assert isinstance(before, System)
    after = load_text(render(before)).model
    assert isinstance(after, System)
    verdicts = [
        [
            verdict.value
            for verdict in check(system, system.specifications, Options(engine="explicit"))
        ]
        for system in (before, after)
    ]
    assert verdicts[0] == verdicts[1]
