"""Laws of the language: formatting changes nothing, families are their instances, all shown can be read."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from gnomon.checking.load import Loaded, load_text, read_formula
from gnomon.language import syntax
from gnomon.language.format import format_text
from gnomon.language.line_writer import WIDTH
from gnomon.language.mcmas.comments import format_for_mcmas, says_it_in_line
from gnomon.language.parse import parse
from gnomon.language.syntax import each_line
from gnomon.model.expression import Expression, show
from gnomon.model.formula import (
    And,
    Bounded,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Knows,
    Next,
    Not,
    Proposition,
    Release,
    Until,
    WeakUntil,
    show_formula,
    without_quantifiers,
)
from gnomon.model.system import System
from gnomon.text.record import Record
from gnomon.text.source import Source
from tests.laws.programs import (
    FormulaNames,
    ProgramWriter,
    Scope,
    Variable,
    Writer,
    comments_of,
    scatter,
    tokens_of,
)
from tests.laws.watch import time_limit
from tests.support import EXAMPLES, shared_model_files

FILES = [*sorted(EXAMPLES.glob("*.ispl")), *shared_model_files()]
SMALL = [path for path in FILES if path.stat().st_size < 40_000]


def place(path: Path) -> str:
    """Return a name for a model that no other has."""
    return "/".join(path.parts[-2:])


# Making a program takes thousands of choices. To shrink them takes minutes, and a seed says it all.
whole = settings(phases=[Phase.explicit, Phase.reuse, Phase.generate])


def random_program(seed: int) -> str:
    random = Random(seed)
    text = ProgramWriter(random, families=seed % 2 == 0).program()
    return scatter(text, random)


seeds = st.integers(0, 2**32)
programs = seeds.map(random_program)


def read(text: str) -> syntax.Program:
    parsed = parse(Source("law", text))
    assert not parsed.diagnostics.has_errors, parsed.diagnostics.sorted()
    return parsed.program


def formatted(text: str) -> str:
    return format_text(Source("law", text))


def difference(left: Sequence[object], right: Sequence[object]) -> object:
    """Return the first place where two sequences differ; pytest would compare long ones for minutes."""
    pairs = zip_longest(left, right)
    return next(((k, *pair) for k, pair in enumerate(pairs) if pair[0] != pair[1]), None)


def code_of(text: str) -> list[str]:
    return [token for token in tokens_of(text) if not token.startswith("--")]


def assert_formats_well(text: str) -> None:
    with time_limit(10, text):
        result = formatted(text)
    assert difference(comments_of(text), comments_of(result)) is None
    assert difference(code_of(text), code_of(result)) is None
    assert read(text) == read(result)
    assert difference(result.splitlines(), formatted(result).splitlines()) is None
    assert not any(line != line.rstrip() for line in result.split("\n"))
    assert "\n\n\n" not in result


# Programs


@whole
@given(programs)
def test_generated_programs_can_be_used(text: str) -> None:
    loaded = load_text(text)

    assert [] == [item for item in loaded.diagnostics if item.is_error]
    assert loaded.system is not None


@whole
@given(programs)
def test_formatting_keeps_tokens_and_comments_and_is_done_once(text: str) -> None:
    assert_formats_well(text)


@whole
@given(programs)
def test_what_is_written_for_mcmas_is_the_same_program(text: str) -> None:
    with time_limit(10, text):
        result = format_for_mcmas(Source("law", text))
    program = read(result)

    assert read(text) == program
    assert not any(map(says_it_in_line, each_line(program.formulae or ())))
    assert difference(result.splitlines(), formatted(result).splitlines()) is None
    assert set(comments_of(text)) <= set(comments_of(result))


#: What may be said about a formula before it; elsewhere it is about nothing, and has to stay so.
REMARKS = ["--! expect false", "--! expect true", "--! c", "--! a expect true", "--!", "-- x"]
FORMULAE = ["a : AG p expect false ;", "a [ 1 ] : p ;", "p expect undefined ;", "b : ( p ) ;"]


@given(seeds)
def test_remarks_inside_of_formulae_stay_about_nothing(seed: int) -> None:
    random = Random(seed)
    tokens = " ".join(random.sample(FORMULAE, random.randint(1, 3))).split()
    text = "Formulae\n"
    for token in tokens:
        for _ in range(random.choice([0, 0, 0, 1, 2])):
            text += random.choice(["", " ", "\n"]) + random.choice(REMARKS) + "\n"
        text += random.choice([" ", "\n"]) + token
    text += "\nend Formulae\n"
    if parse(Source("law", text)).diagnostics.has_errors:
        return  # a comment and the line may say different things

    for rewrite in (format_text, format_for_mcmas):
        result = rewrite(Source("law", text))
        assert read(text) == read(result)
        assert rewrite(Source("law", result)) == result
        assert set(comments_of(text)) <= set(comments_of(result))


@pytest.mark.parametrize("path", SMALL, ids=place)
def test_formatting_keeps_real_models(path: Path) -> None:
    text = path.read_text(encoding="utf-8", errors="replace")
    if parse(Source("law", text)).diagnostics.has_errors:
        pytest.skip("this model has mistakes on purpose")
    assert_formats_well(text)


@pytest.mark.parametrize("path", SMALL[:40], ids=place)
def test_formatting_keeps_scattered_models(path: Path) -> None:
    text = path.read_text(encoding="utf-8", errors="replace")
    if parse(Source("law", text)).diagnostics.has_errors:
        pytest.skip("this model has mistakes on purpose")
    assert_formats_well(scatter(text, Random(str(path))))


#: Lines are broken before these, and after commas.
BREAKS = {"if", "and", "or", "xor", "->", "U", "+"}


@whole
@given(programs)
def test_formatted_lines_are_at_most_a_hundred_columns_wide(text: str) -> None:
    """But for those that have no place to be broken in, after the first one."""
    for line in formatted(text).splitlines():
        code = line.split("--")[0].rstrip()
        # A choice that stands in brackets is not parted from the first of them.
        inside = [
            word for pair in pairwise(tokens_of(code)) if pair != ("(", "if") for word in pair[1:]
        ]
        assert len(code) <= WIDTH or not BREAKS.intersection(inside), line


def test_a_long_sum_is_broken_too() -> None:
    total = " + ".join(f"Environment.variable{index}" for index in range(20))
    text = f"Evaluation p if {total} = 3; end Evaluation"

    assert max(map(len, formatted(text).splitlines())) <= WIDTH


def test_a_long_list_of_arguments_of_until_is_broken_too() -> None:
    chain = " U ".join(["a_rather_long_proposition"] * 20)

    assert max(map(len, formatted(f"Formulae LTL {chain}; end Formulae").splitlines())) <= WIDTH


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Evaluation p if - - P.x = 1; end Evaluation", id="two minus signs"),
        pytest.param("Evaluation p if P.x = - - - 1; end Evaluation", id="three minus signs"),
        pytest.param("Evaluation p if P.x - - 1 = 1; end Evaluation", id="minus minus"),
        pytest.param("Evaluation p if A < P.x and P.y = 1; end Evaluation", id="value then less"),
        pytest.param("Evaluation p if P.x = A < 3 and q = 1; end Evaluation", id="chained"),
        pytest.param("Evaluation p if P.x <> A and K <> P.y; end Evaluation", id="values"),
        pytest.param("Formulae <P , Q>F p and <>X q or < g >(p U q); end Formulae", id="coalitions"),
        pytest.param("Formulae A(p U q) and E ( p U q ) -> !K ( P , !p ); end Formulae", id="calls"),
        pytest.param("Formulae CTL* A (G p -> F q); LTL G F p; end Formulae", id="logics"),
        pytest.param("Constants end Constants", id="no constants"),
        pytest.param("Constants : end Constants", id="no constants with a colon"),
        pytest.param("Constants n = 1; Agent P end Agent", id="short constants"),
        pytest.param("Constants n = 1; Semantics = SA; Agent P end Agent", id="short, semantics"),
        pytest.param("Constants\n n = 1;\n Agent P end Agent", id="short on two lines"),
        pytest.param("-- only a comment", id="only a comment"),
        pytest.param("", id="nothing"),
        pytest.param("\n\n -- a\n\n\n -- b", id="two comments"),
        pytest.param("Environment Actions = { }; end Environment", id="short environment"),
        pytest.param("Agent for Vars: for : 0..1; int : int; end Vars end Agent", id="soft words"),
        pytest.param("Agent P Protocol: end Protocol Evolution: end Evolution end Agent", id="empty"),
        pytest.param("Template R [ 1 .. * ] Sync = { a : all , b }; end Template", id="template"),
        pytest.param("Types T : { a , b }; end Types Relations R : T * T; end Relations", id="types"),
        pytest.param("Axioms forall x , y : T ( R(x,y) -> R(y,x) ); end Axioms", id="axioms"),
        pytest.param("Predicates exists i : R ( i.x = 1 ); end Predicates", id="predicates"),
        pytest.param("Agent P[i:1..2,j:1..2 where i<>j] end Agent", id="agent family"),
        pytest.param(
            "Formulae for i : 1..2 , j : 1..i where i<>j :--c\n p[i,j];--d\nend for--e\nend Formulae",
            id="for",
        ),
        pytest.param("Agent--a\nP--b\nVars--c\n:--d\nx--e\n:--f\n0--g\n..--h\n1--i\n;end--j\nVars--k\n"
                     "end--l\nAgent--m", id="comments between all tokens"),
        pytest.param("Formulae a:b expect true;--! c\n--! d\nexpect expect false;end Formulae", id="said"),
        pytest.param("Formulae--! a\n--! b\nfor i:1..2:--! c\n--! d[i]\np;end for--! e\nend Formulae",
                     id="comments for us"),
        pytest.param("Formulae for[1] : forall; forall : for expect true; end Formulae", id="soft names"),
        pytest.param("Evaluation p if\r\n P.x = 1 ; -- c\r\nend Evaluation\r\n", id="line ends of DOS"),
    ],
)  # fmt: skip
def test_formatting_keeps_odd_programs(text: str) -> None:
    if parse(Source("law", text)).diagnostics.has_errors:
        pytest.skip("cannot be read, so it is never formatted")
    assert_formats_well(text)


# Families

FAMILIES = {
    "variables and propositions": (
        """
        Constants n = 3; end Constants
        Agent P
          Vars: x[i : 1..n] : 0..n; y : boolean; end Vars
          Actions = { go[i : 1..n], none };
          Protocol:
            for i : 1..n: x[i] < n : { go[i] }; end for
            Other : { none };
          end Protocol
          Evolution:
            for i : 1..n: x[i] = x[i] + i if Action = go[i] and x[i] < n; end for
          end Evolution
        end Agent
        Evaluation
          full[i : 1..n] if P.x[i] = n;
          total if (sum i : 1..n (P.x[i])) = n * n;
          all if forall i : 1..n (P.x[i] = n);
          some if exists i : 1..n where i <> 2 (P.x[i] = n);
        end Evaluation
        InitStates forall i : 1..n (P.x[i] = 0); end InitStates
        Formulae
          for i : 1..n: AG (full[i] -> EF total); end for
          for i : 1..2:
            --! seen[i, n] expect true
            EF full[i];
          end for
          each[i : 1..n, 0, j : i..n where j <> 2] : EF (full[i] or full[j]) expect false;
          AG forall i : 1..n where i > 1 (full[i]);
          EF exists i : 2..2 (full[i]);
          AG forall i : 1..0 (full[i]);
          EF exists i : 1..0 (full[i]);
        end Formulae
        """,
        """
        Agent P
          Vars: x[1] : 0..3; x[2] : 0..3; x[3] : 0..3; y : boolean; end Vars
          Actions = { go[1], go[2], go[3], none };
          Protocol:
            x[1] < 3 : { go[1] }; x[2] < 3 : { go[2] }; x[3] < 3 : { go[3] };
            Other : { none };
          end Protocol
          Evolution:
            x[1] = x[1] + 1 if Action = go[1] and x[1] < 3;
            x[2] = x[2] + 2 if Action = go[2] and x[2] < 3;
            x[3] = x[3] + 3 if Action = go[3] and x[3] < 3;
          end Evolution
        end Agent
        Evaluation
          full[1] if P.x[1] = 3; full[2] if P.x[2] = 3; full[3] if P.x[3] = 3;
          total if (P.x[1] + P.x[2] + P.x[3]) = 3 * 3;
          all if P.x[1] = 3 and P.x[2] = 3 and P.x[3] = 3;
          some if P.x[1] = 3 or P.x[3] = 3;
        end Evaluation
        InitStates P.x[1] = 0 and P.x[2] = 0 and P.x[3] = 0; end InitStates
        Formulae
          AG (full[1] -> EF total); AG (full[2] -> EF total); AG (full[3] -> EF total);
          seen[1, 3] : EF full[1] expect true;
          --! seen[2,3]
          EF full[2] expect true;
          each[1,0,1] : EF (full[1] or full[1]) expect false;
          each[1,0,3] : EF (full[1] or full[3]) expect false;
          each[2,0,3] : EF (full[2] or full[3]) expect false;
          each[3,0,3] : EF (full[3] or full[3]) expect false;
          AG (full[2] and full[3]);
          EF full[2];
          AG true;
          EF false;
        end Formulae
        """,
    ),
    "agents": (
        """
        Constants n = 2; m = n + 1; end Constants
        Agent Environment
          Obsvars: turn : 1..n; end Obsvars
          Vars: coin[i : 1..n] : { head, tail }; end Vars
          Actions = { tick };
          Protocol: Other : { tick }; end Protocol
          Evolution: turn = turn mod n + 1 if exists i : 1..n (Robot[i].Action = pass); end Evolution
        end Agent
        Agent Robot[i : 1..n]
          Lobsvars = { coin[i], coin[j : 1..n where j = i mod n + 1] };
          Vars: at : 0..m; end Vars
          RedStates: at = i; end RedStates
          Actions = { pass, stay };
          Protocol:
            Environment.turn = i and Environment.coin[i] = head : { pass };
            Other : { stay };
          end Protocol
          Evolution:
            at = at + 1 if at < m and forall j : 1..n where j <> i (Robot[j].Action = stay);
          end Evolution
        end Agent
        Evaluation p[i : 1..n, j : 1..n where i <> j] if Robot[i].at = Robot[j].at; end Evaluation
        InitStates forall i : 1..n (Robot[i].at = i); end InitStates
        Groups
          all = { Robot[i : 1..n] };
          for i : 1..n: one[i] = { Robot[i], Environment }; end for
        end Groups
        Fairness for i : 1..n: Environment.turn = i; end for end Fairness
        Formulae
          for i : 1..n, j : 1..n where i <> j: AG (p[i, j] -> K(Robot[i], p[j, i])); end for
          forall i : 1..n (<one[i]>F Robot[i].RedStates);
          <Robot[i : 1..n]>X true;
          LTL G forall i : 1..n (F K(Robot[i], Robot[i].at = m));
        end Formulae
        """,
        """
        Agent Environment
          Obsvars: turn : 1..2; end Obsvars
          Vars: coin[1] : { head, tail }; coin[2] : { head, tail }; end Vars
          Actions = { tick };
          Protocol: Other : { tick }; end Protocol
          Evolution:
            turn = turn mod 2 + 1 if Robot[1].Action = pass or Robot[2].Action = pass;
          end Evolution
        end Agent
        Agent Robot[1]
          Lobsvars = { coin[1], coin[2] };
          Vars: at : 0..3; end Vars
          RedStates: at = 1; end RedStates
          Actions = { pass, stay };
          Protocol:
            Environment.turn = 1 and Environment.coin[1] = head : { pass };
            Other : { stay };
          end Protocol
          Evolution: at = at + 1 if at < 3 and Robot[2].Action = stay; end Evolution
        end Agent
        Agent Robot[2]
          Lobsvars = { coin[2], coin[1] };
          Vars: at : 0..3; end Vars
          RedStates: at = 2; end RedStates
          Actions = { pass, stay };
          Protocol:
            Environment.turn = 2 and Environment.coin[2] = head : { pass };
            Other : { stay };
          end Protocol
          Evolution: at = at + 1 if at < 3 and Robot[1].Action = stay; end Evolution
        end Agent
        Evaluation
          p[1,2] if Robot[1].at = Robot[2].at;
          p[2,1] if Robot[2].at = Robot[1].at;
        end Evaluation
        InitStates Robot[1].at = 1 and Robot[2].at = 2; end InitStates
        Groups
          all = { Robot[1], Robot[2] };
          one[1] = { Robot[1], Environment };
          one[2] = { Robot[2], Environment };
        end Groups
        Fairness Environment.turn = 1; Environment.turn = 2; end Fairness
        Formulae
          AG (p[1,2] -> K(Robot[1], p[2,1])); AG (p[2,1] -> K(Robot[2], p[1,2]));
          <one[1]>F Robot[1].RedStates and <one[2]>F Robot[2].RedStates;
          <Robot[1], Robot[2]>X true;
          LTL G (F K(Robot[1], Robot[1].at = 3) and F K(Robot[2], Robot[2].at = 3));
        end Formulae
        """,
    ),
    "indices that are computed": (
        """
        Constants n = 4; half = n div 2; rest = n mod 3; minus = -n / 2; end Constants
        Agent P
          Vars: x[i : minus..half where i <> 0] : i..n; end Vars
          Actions = { a };
          Protocol: Other : { a }; end Protocol
          Evolution: x[rest] = x[-rest] if x[2 * half - 3] < n - 1; end Evolution
        end Agent
        Evaluation p if P.x[half] = half; end Evaluation
        InitStates forall i : minus..half where i < 0 or i > 1 (P.x[i] = 2); end InitStates
        Formulae EF p; end Formulae
        """,
        """
        Agent P
          Vars: x[-2] : -2..4; x[-1] : -1..4; x[1] : 1..4; x[2] : 2..4; end Vars
          Actions = { a };
          Protocol: Other : { a }; end Protocol
          Evolution: x[1] = x[-1] if x[1] < 4 - 1; end Evolution
        end Agent
        Evaluation p if P.x[2] = 2; end Evaluation
        InitStates P.x[-2] = 2 and P.x[-1] = 2 and P.x[2] = 2; end InitStates
        Formulae EF p; end Formulae
        """,
    ),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_is_the_program_with_its_members_written_out(name: str) -> None:
    family, plain = (usable(text) for text in FAMILIES[name])

    assert bare(plain) == bare(family)


def test_constants_given_from_outside_are_the_same_as_constants_written_down() -> None:
    text = FAMILIES["variables and propositions"][0]
    written = usable(text.replace("n = 3", "n = 2"))
    given_ = load_text(text, constants={"n": 2}).system

    assert given_ is not None
    assert bare(written) == bare(given_)


def usable(text: str) -> System:
    loaded = load_text(text)
    assert loaded.system is not None, loaded.diagnostics
    return loaded.system


def bare(system: System) -> object:
    """Return a system without the lines and texts it was written in."""

    def strip(value: object) -> object:
        if isinstance(value, Record):
            names: tuple[str, ...] = type(value).__match_args__
            fields = [field for field in names if field != "line"]
            return (type(value).__name__, *(strip(getattr(value, field)) for field in fields))
        if isinstance(value, tuple):
            return tuple(strip(item) for item in value)
        return value

    specifications = (*system.fairness, *system.specifications)
    return (
        [strip(agent) for agent in system.agents],
        strip(system.initial),
        {name: strip(item) for name, item in system.propositions.items()},
        {name: strip(item) for name, item in system.groups.items()},
        [(item.logic, strip(item.formula), item.name, item.expected) for item in specifications],
    )


# What is shown can be read

SYSTEM = """
Agent Environment
  Obsvars: o : 0..7; end Obsvars
  Actions = { tick }; Protocol: Other : { tick }; end Protocol
end Agent
Agent P
  Vars: x : -3..9; y : 0..7; b : boolean; c : boolean; e : { red, green, A }; end Vars
  RedStates: x = 1; end RedStates
  Actions = { a }; Protocol: Other : { a }; end Protocol
end Agent
Agent Q Vars: x : 0..1; end Vars Actions = { a }; Protocol: Other : { a }; end Protocol end Agent
Evaluation p if P.x = 1; q if Q.x = 1; end Evaluation
InitStates P.x = 0; end InitStates
Groups g = { P, Q }; h = { Q }; end Groups
Formulae p; end Formulae
"""
LOADED: Loaded = load_text(SYSTEM)
SCOPE = Scope(
    [
        Variable("P.x", "number", ["-3", "9"]),
        Variable("P.y", "number", ["0", "7"]),
        Variable("Environment.o", "number", ["0", "7"]),
        Variable("P.b", "boolean", ["true", "false"]),
        Variable("P.c", "boolean", ["true", "false"]),
        Variable("P.e", "name", ["red", "green", "A"]),
    ]
)
NAMES = FormulaNames(["p", "q"], ["P", "Q", "Environment"], ["g", "h"], SCOPE)
LOGICS = st.sampled_from(["CTL", "LTL", "CTL*"])


@whole
@given(LOGICS, seeds)
def test_a_shown_formula_reads_as_itself(logic: str, seed: int) -> None:
    text = Writer(Random(seed), families=False).formula(NAMES, logic)
    formula = read_formula(LOADED, f"{logic} {text}" if logic != "CTL" else text).formula
    # LTL leaves out its quantifier, which the shown formula has.
    prefix = "" if logic == "CTL" else "CTL* "

    assert formula == read_formula(LOADED, prefix + show_formula(formula)).formula


def proposition(text: str) -> Expression:
    system = usable(SYSTEM.replace("p if P.x = 1;", f"p if {text};"))
    return system.propositions["p"]


@whole
@given(seeds)
def test_a_shown_condition_reads_as_itself(seed: int) -> None:
    condition = proposition(Writer(Random(seed), families=False).condition(SCOPE, 3))

    assert condition == proposition(show(condition))


@pytest.mark.parametrize(
    "text",
    [
        "~P.x + 1 = 2",
        "(~P.x) + 1 = 2",
        "(~P.x) * 2 = 2",
        "1 + (~P.x) + 1 = 2",
        "~(P.x & 1) = 2",
        "(~P.x) & 1 = 2",
        "-(-P.x) = 2",
        "-(P.x + 1) = 2",
        "-P.x * 2 = 2",
        "-(P.x * 2) = 2",
        "P.x - (P.y - 1) = 2",
        "P.x - (-1) = 2",
        "P.x div (P.y * 2) mod 3 = 1",
        "(P.x | P.y) & 1 = 1",
        "P.x | P.y & 1 = 1",
        "(P.x ^ P.y) | 1 = P.x ^ (P.y | 1)",
        "!(P.b and P.c) or P.b",
        "(P.b or P.c) and P.b",
        "(P.b and P.c) and P.b",
        "(P.x = 1) = P.b",
        "(!P.b) = P.c",
        "!P.b = P.c",
        "(P.b & P.c) = (P.b | P.c)",
        "P.b -> P.c -> P.b",
        "(P.b -> P.c) -> P.b",
        "P.e = A or A <> P.e",
        "true and false",
    ],
)
def test_these_conditions_read_as_themselves_once_shown(text: str) -> None:
    condition = proposition(text)

    assert condition == proposition(show(condition))


@pytest.mark.parametrize(
    "text",
    [
        "AG P.b ^ P.c",
        "AG P.b",
        "AG P.x - 1 - 2 * P.y < P.y & 3",
        "AG P.x + 1 = -P.y",
        "<>X p",
        "<P, Q>F (AG p)",
        "<g>(p U q)",
        "AG !P.RedStates",
        "E (A (p U q) U EX p)",
        "CTL* E (X (p and X q) U G F p)",
        "CTL* A (p)",
        "CTL* A (A (G p))",
        "LTL K(P, F p) U G q",
    ],
)
def test_these_formulae_read_as_themselves_once_shown(text: str) -> None:
    formula = read_formula(LOADED, text).formula
    prefix = "CTL* " if text.startswith(("LTL", "CTL*")) else ""

    assert formula == read_formula(LOADED, prefix + show_formula(formula)).formula


def paths(depth: int) -> Iterator[Formula]:
    """Yield every path formula with so many operators, side by side with a proposition."""
    q = Proposition("q")
    if depth == 0:
        yield Proposition("p")
        return
    for inner in paths(depth - 1):
        yield from (kind(inner) for kind in (Not, Next, Finally, Globally))
        yield from (Until(inner, q), Until(q, inner), Implies(inner, q), Implies(q, inner))
        yield from (WeakUntil(inner, q), Release(q, inner), Bounded(Until(q, inner), 0, 2))
        yield from (Bounded(Globally(inner), 1, 12), Bounded(WeakUntil(inner, q), 3, 3))
        yield from (Iff(inner, q), Iff(q, inner))
        yield from (And((inner, q)), Knows("P", inner))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_every_small_formula_of_linear_time_reads_as_itself_once_shown(depth: int) -> None:
    for path in paths(depth):
        text = f"LTL {show_formula(path)}"
        assert path == without_quantifiers(read_formula(LOADED, text).formula), text


def test_the_text_of_a_formula_of_a_family_can_be_read() -> None:
    family, _ = FAMILIES["agents"]
    loaded = load_text(family)

    assert loaded.system is not None
    for specification in loaded.system.specifications:
        assert specification.formula == read_formula(loaded, specification.text).formula


def test_the_text_of_a_formula_leaves_out_the_comments_inside_it() -> None:
    loaded = load_text(SYSTEM.replace("Formulae p;", "Formulae AG (p -- why\n -> q);"))

    assert loaded.system is not None
    assert "AG (p -> q)" == loaded.system.specifications[0].text
