"""`gnomon check --engine abstraction`: what it says, what it refuses, and what it prints."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from gnomon.checking.load import load
from gnomon.text.numbers import show_integer
from tests.e2e.cli import gnomon
from tests.support import EXAMPLES
from tests.unit.results.schemas import validate

UNBOUNDED = EXAMPLES / "unbounded"


def timeless(text: str) -> str:
    """Return what was printed without times and folders, which also take room on the first line."""
    plain = re.sub(r"/\S*/", "", re.sub(r"\d+\.\d+ s", "T s", text))
    return re.sub(r"^(\S+\.ispl)\n  (unbounded)", r"\1  \2", plain)


COUNTER = """\
Agent Counter
  Vars:
    x : int;
  end Vars
  Actions = { up, down, stay };
  Protocol:
    %(protocol)s
  end Protocol
  Evolution:
    x = x + 1 if Action = up;
    x = x - 1 if Action = down;
  end Evolution
end Agent

Evaluation
  high if Counter.x > 5;
end Evaluation

InitStates
  Counter.x = 0;
end InitStates
%(more)s
Formulae
  %(formulae)s
end Formulae
"""


def written(
    folder: Path,
    *,
    protocol: str = "Other : { up, down, stay };",
    more: str = "",
    formulae: str = "EF high;",
) -> str:
    path = folder / "counter.ispl"
    path.write_text(COUNTER % {"protocol": protocol, "more": more, "formulae": formulae})
    return str(path)


def abstractly(*arguments: str) -> tuple[int, str, str]:
    result = gnomon("check", *arguments, "--engine", "abstraction")
    return result.exit_code, result.stdout, result.stderr


def test_a_deadlock_that_can_be_reached_is_warned_of(tmp_path: Path) -> None:
    path = written(tmp_path, protocol="x < 5 : { up, stay };", formulae="AF high; EG true;")
    status, out, err = abstractly(path)

    assert status == 1
    assert "warning[G0801]" in err and "a reachable deadlock: Counter.x = 5" in err
    assert "✗ 1  AF high" in out


def test_a_deadlock_that_perhaps_can_be_reached_is_warned_of_at_its_place(tmp_path: Path) -> None:
    path = Path(written(tmp_path, protocol="x <> 7 : { up };"))
    path.write_text(path.read_text().replace("x = x + 1", "x = x * x + 1"))
    status, _, err = abstractly(str(path))

    assert status == 3
    assert "warning[G0812]" in err and "counter.ispl:7" in err and "help:" in err


@pytest.mark.parametrize(
    ("protocol", "more", "said"),
    [
        ("x < 5 : { up }; x >= 5 : { down };", "", "✓    no reachable deadlock"),
        ("x < 5 : { up };", "", "✗    a deadlock can be reached"),
        (
            "x < 5 : { up };",
            "TerminalStates Counter.x = 5; end TerminalStates",
            "✓    no reachable deadlock",
        ),
    ],
)
def test_deadlocks_are_looked_for_on_cells(
    protocol: str, more: str, said: str, tmp_path: Path
) -> None:
    path = written(tmp_path, protocol=protocol, more=more)
    _, out, _ = abstractly(path, "--check-deadlock")

    assert said in out


def test_an_overflow_is_found_on_cells_with_a_run_to_it(tmp_path: Path) -> None:
    path = Path(written(tmp_path))
    text = path.read_text().replace("x : int;", "x : int;\n    y : 0..2;")
    path.write_text(text.replace("x = x + 1 if", "x = x + 1 and y = x if"))
    status, out, _ = abstractly(str(path), "--check-overflow")

    assert status == 1
    assert "after this run a value can leave its range: Counter.y" in out.replace("\n       ", " ")


def test_models_pruned_to_strategies_have_cells_of_their_own(tmp_path: Path) -> None:
    formulae = ("AF high", "AG !high", "EF high and EF AG !high", "AF high and AG !high")
    asked = [word for text in formulae for word in ("--formula", text)]
    _, told, _ = abstractly(
        written(tmp_path), *asked, "--strategies", "uniform-model", "--evidence"
    )

    assert "✓ 1  AF high" in told and "✓ 2  AG !high" in told
    assert "what Counter can do, by what each sees, for AF high" in told
    # In one model everything is decided by then: it cannot be high later, and never again.
    assert "✗ 3" not in told and "? 4" in told
    assert "agents may act on numbers that cells do not tell apart" in " ".join(told.split())


def test_coalitions_are_decided_where_one_event_happens_at_a_time(tmp_path: Path) -> None:
    path = Path(written(tmp_path))
    path.write_text("Semantics = Interleaved;\n" + path.read_text())
    asked = ("--formula", "EF high", "--formula", "<Counter>F high")
    told = " ".join(abstractly(str(path), *asked, "--evidence")[1].split())

    assert "✓ 1 EF high" in told and "✓ 2 <Counter>F high" in told
    assert "what Counter can do, by cells of states" in told


@pytest.mark.parametrize("engine", ["auto", "abstraction"])
def test_time_and_knowledge_are_decided_where_one_event_happens_at_a_time(
    engine: str, tmp_path: Path
) -> None:
    formulae = "EF high; AF high; AG (high -> K(Counter, high)); LTL G !high;"
    path = Path(written(tmp_path, formulae=formulae))
    path.write_text("Semantics = Interleaved;\n" + path.read_text())
    result = gnomon("check", str(path), "--engine", engine)

    assert ["✓ 1", "✗ 2", "✓ 3", "✗ 4"] == re.findall(r"[✓✗?] \d", result.stdout)


def test_a_refusal_in_json_has_its_diagnostics(tmp_path: Path) -> None:
    path = written(tmp_path)
    result = gnomon("check", path, "--engine", "parameterised", "--json")

    assert "G0815" in [item["code"] for item in validate("check", result.stdout)["diagnostics"]]


def test_without_the_engine_being_asked_for_what_it_refuses_is_left_to_others(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, protocol="x < 5 : { up };")

    assert gnomon("check", path, "--formula", "AF Counter.x = 5").exit_code == 0


@pytest.mark.parametrize("text", ["AG high", "K(Counter, high)", "<Counter>F high"])
def test_a_predicate_is_a_condition_on_a_state(text: str, tmp_path: Path) -> None:
    status, _, err = abstractly(written(tmp_path), "--predicate", text)

    assert status == 2 and "G0606" in err


def test_predicates_are_listed_with_their_origins(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        protocol="x >= 3 : { down };\n    Other : { up, stay };",
        more="Predicates\n  Counter.x <= 100;\n  2 * Counter.x > 8;\nend Predicates\n",
        formulae="AG Counter.x < 9;",
    )
    arguments = (path, "--engine", "abstraction", "--explain-predicates", "--json")
    result = gnomon("check", *arguments, "--predicate", "Counter.x = 7")

    assert {
        ("Counter.x <= 2", "protocol of Counter, line 7"),
        ("Counter.x <= 5", "evaluation of high"),
        ("Counter.x <= 8", "formula 1, line 29"),
        ("Counter.x <= 100", "Predicates, line 24"),
        ("Counter.x <= 4", "Predicates, line 25"),
        ("Counter.x <= 6", "given by the user"),
        ("Counter.x <= 7", "given by the user"),
    } == {(item["text"], item["origin"]) for item in validate("check", result.stdout)["predicates"]}


def test_predicates_can_be_families(tmp_path: Path) -> None:
    more = "Constants n = 2; end Constants\nPredicates\n  for i : 1..n:\n    Counter.x <= 20 * i;\n"
    path = written(tmp_path, more=f"{more}  end for\nend Predicates\n")

    _, out, _ = abstractly(path, "--explain-predicates")

    assert "Counter.x <= 20 " in out and "Counter.x <= 40 " in out


def test_what_it_cannot_tell_is_undefined_with_the_reason(tmp_path: Path) -> None:
    path = written(tmp_path, formulae="<Counter>F Counter.x > 90;")

    status, out, _ = abstractly(path, "--refine", "0")

    assert status == 3 and "undefined: the abstraction cannot tell whether" in out


def test_one_shot_leaves_open_what_refinement_decides() -> None:
    model = str(UNBOUNDED / "numbers.ispl")

    assert abstractly(model, "--only", "2", "--refine", "0")[0] == 3
    assert abstractly(model, "--only", "2")[0] == 0


@pytest.mark.parametrize(
    ("tunnels", "cells"), [(1, 6), (2, 36), (3, 128), (4, 400), (5, 1152), (10, 123904)]
)
def test_the_cells_of_the_tunnels_are_those_of_the_literature(tunnels: int, cells: int) -> None:
    model = str(UNBOUNDED / "tunnels.ispl")
    result = gnomon("check", model, "--set", f"n={tunnels}", "--engine", "abstraction", "--json")
    found = validate("check", result.stdout)

    assert cells == found["states"]
    assert ["true"] * 4 == [formula["verdict"] for formula in found["formulae"]]


@pytest.mark.parametrize(("tunnels", "verdict"), [(1, "true"), (2, "false"), (5, "false")])
def test_ten_more_crossings_can_be_enforced_in_one_tunnel_only(tunnels: int, verdict: str) -> None:
    model = str(UNBOUNDED / "tunnels.ispl")
    formula = "<Controller[1], TrainA>F (Controller[1].counter = 10)"
    arguments = ["--set", f"n={tunnels}", "--formula", formula, "--engine", "abstraction", "--json"]

    assert (
        verdict == json.loads(gnomon("check", model, *arguments).stdout)["formulae"][0]["verdict"]
    )


@pytest.mark.parametrize(
    ("example", "size"),
    [
        ("numbers", {"k": 20}),
        ("ticket_lock", {"n": 3}),
        ("token_bucket", {"burst": 6}),
        ("auction", {"n": 3}),
    ],
)
def test_examples_keep_their_verdicts_at_other_sizes(example: str, size: dict[str, int]) -> None:
    path = UNBOUNDED / f"{example}.ispl"
    [(name, value)] = size.items()
    result = gnomon("check", str(path), "--set", f"{name}={value}", "--json")
    model = load(str(path)).model
    assert model is not None
    expected = [formula.expected or "true" for formula in model.specifications]

    assert expected == [item["verdict"] for item in validate("check", result.stdout)["formulae"]]


def test_evidence_has_numbers_and_cells(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = written(
        tmp_path,
        formulae="AG Counter.x < 3;\n  <Counter>F Counter.x > 90;\n  EF (high and EX Counter.x = 0);",
    )
    result = gnomon("check", path, "--engine", "abstraction", "--evidence", "--verbose")

    assert timeless(result.stdout) == snapshot


def test_uniform_strategies_go_by_what_is_seen(snapshot: SnapshotAssertion) -> None:
    model = str(UNBOUNDED / "numbers.ispl")
    arguments = ["--only", "2", "--strategies", "uniform", "--engine", "abstraction", "--evidence"]

    assert timeless(gnomon("check", model, *arguments).stdout) == snapshot


def test_no_solver_is_loaded_where_none_is_needed() -> None:
    code = (
        "import sys, gnomon\n"
        f"model = gnomon.load({str(UNBOUNDED / 'tunnels.ispl')!r}, n=3)\n"
        "assert all(answer.holds for answer in model.check(engine='abstraction'))\n"
        "print('z3' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert done.stdout == "False\n"


def test_runs_of_verdicts_on_cells_are_certified(tmp_path: Path) -> None:
    path = written(tmp_path, formulae="AG Counter.x < 3;\n  EF Counter.x = -2;\n  AG EF high;")
    certificate = str(tmp_path / "proofs.json")
    gnomon("check", path, "--engine", "abstraction", "--certificate", certificate)
    verified = gnomon("verify-certificate", path, certificate)

    assert ["evidence", "evidence", "conditions"] == [
        entry["proof"] and entry["proof"]["kind"]
        for entry in json.loads(Path(certificate).read_text())["verdicts"]
    ]
    assert verified.exit_code == 0


def test_numbers_of_thousands_of_digits_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "squares.ispl"
    path.write_text(
        """
        Agent P
          Vars: x : int; n : int; end Vars
          Actions = { go };
          Protocol: Other : { go }; end Protocol
          Evolution: x = x * x and n = n + 1 if Action = go; end Evolution
        end Agent
        InitStates P.x = 2 and P.n = 0; end InitStates
        Formulae AG P.n < 15; end Formulae
        """
    )
    result = gnomon("check", str(path), "--engine", "abstraction", "--evidence")

    assert result.exit_code == 1
    assert show_integer(2**2**15)[:60] in re.sub(r"\s", "", result.stdout)


def test_a_run_with_numbers_of_thousands_of_digits_is_proved(tmp_path: Path) -> None:
    path, proofs = tmp_path / "squares.ispl", tmp_path / "proofs.json"
    path.write_text(
        """
Agent P
  Vars: x : int; n : int; end Vars
  Actions = { a };
  Protocol: Other : { a }; end Protocol
  Evolution: x = x * x and n = n + 1 if true; end Evolution
end Agent
Evaluation few if P.n < 15; end Evaluation
InitStates P.x = 2 and P.n = 0; end InitStates
Formulae AG few; end Formulae
"""
    )
    checked = gnomon("check", str(path), "--certificate", str(proofs))
    verified = gnomon("verify-certificate", str(path), str(proofs))

    assert (1, 0) == (checked.exit_code, verified.exit_code), checked.output + verified.output
    assert "false, proved" in verified.stdout


def test_names_are_compared_inside_what_a_number_is_compared_with(tmp_path: Path) -> None:
    path = Path(written(tmp_path))
    text = path.read_text().replace(
        "x : int;", "x : int;\n    c : { red, blue };\n    d : { red, blue };"
    )
    text = text.replace("Counter.x > 5", "Counter.x = (if Counter.c = Counter.d then 2 else 0)")
    path.write_text(text)

    assert gnomon("check", str(path)).exit_code == 0


def test_where_infinitely_many_states_are_initial_some_can_be_drawn_and_walked_from(
    tmp_path: Path,
) -> None:
    path = Path(written(tmp_path))
    path.write_text(path.read_text().replace("Counter.x = 0;", "Counter.x > 200;"))
    drawn = gnomon("show", str(path), "--graph", "dot")
    walked = gnomon("simulate", str(path), given="1\nquit\n")

    assert "Counter: x=201" in drawn.stdout and "infinitely many" in drawn.stdout + drawn.stderr
    assert "x = 201" in walked.stdout


def test_who_wins_by_being_unfair_is_told_of(tmp_path: Path) -> None:
    more = "Fairness high; end Fairness\nGroups g = { Counter }; end Groups"
    path = written(tmp_path, more=more, formulae="<g>F Counter.x = 3; <g>G !high;")
    _, out, _ = abstractly(path)

    assert 2 == out.count("g can see to it that no outcome is fair")
    assert "✓ 1" in out and "✓ 2" in out
