"""What is shown where numbers have no bounds: lassos, rankings, thresholds, and ways that are open."""

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import gnomon as package
from tests.e2e.cli import gnomon
from tests.e2e.process import program
from tests.e2e.test_cli_abstraction import timeless
from tests.unit.results.schemas import validate

#: A kiln that burns wood, and may be filled again, under fairness.
KILN = """\
Agent Kiln
  Vars: wood : int; stock : int; lit : boolean; end Vars
  Actions = { burn, rest, fill };
  Protocol:
    wood > 0 : { burn, rest };
    Other : { fill, rest };
  end Protocol
  Evolution:
    wood = wood - 1 and lit = true if Action = burn;
    lit = false if Action = rest;
    wood = stock and lit = false if Action = fill;
  end Evolution
end Agent
Evaluation
  empty if Kiln.wood <= 0;
  lit if Kiln.lit = true;
end Evaluation
InitStates
  Kiln.lit = false and Kiln.wood > 0 and Kiln.stock > 0;
end InitStates
Fairness
  lit;
end Fairness
Formulae
  burns_down : AF empty;
  stays_empty : LTL F G empty;
  burns_again : AG AF empty;
  never_empty : EG !empty;
  rest_first : AG (empty -> AX !empty);
end Formulae
"""

#: A walker who sees where it is, and not which of two places it is to reach.
WALK = """\
Agent Environment
  Vars: pos : int; goal : int; end Vars
  Evolution:
    pos = pos + 1 if Walker.Action = right;
    pos = pos - 1 if Walker.Action = left;
  end Evolution
end Agent
Agent Walker
  Lobsvars = { pos };
  Actions = { left, right };
  Protocol: Other : { left, right }; end Protocol
end Agent
Evaluation
  there if Environment.pos = Environment.goal;
end Evaluation
InitStates
  Environment.pos = 0 and (Environment.goal = 3 or Environment.goal = -3);
end InitStates
Formulae
  there : <Walker>F there;
  right : <Walker>F Environment.pos = 3;
end Formulae
"""

#: Two jars: what is taken from the first one, and doubled, goes to the second.
JARS = """\
Agent Cook
  Vars: one : int; two : int; shut : boolean; end Vars
  Actions = { pour, eat, shut, sow };
  Protocol:
    one > 0 : { pour };
    two > 0 : { eat };
    Other : { shut, sow };
  end Protocol
  Evolution:
    one = one - 1 and two = two + 2 if Action = pour;
    two = two - 1 if Action = eat;
    shut = true if Action = shut;
    two = two - 1 if Action = sow;
  end Evolution
end Agent
Evaluation
  bare if Cook.one <= 0 and Cook.two <= 0;
  shut if Cook.shut = true;
end Evaluation
InitStates
  Cook.shut = false and Cook.one >= 0 and Cook.two >= 0;
end InitStates
Groups
  cook = { Cook };
end Groups
Formulae
  bare : AF bare;
  shut : AF shut;
  cook_can : <cook>F shut;
  both : AG ((!bare) -> AF bare);
end Formulae
"""

#: Nobody knows whether this ends.
HAIL = """\
Agent Cloud
  Vars: n : int; end Vars
  Evolution:
    n = n div 2 if n mod 2 = 0;
    n = 3 * n + 1 if n mod 2 = 1;
  end Evolution
end Agent
InitStates
  Cloud.n > 0;
end InitStates
Formulae
  lands : AF Cloud.n = 1;
end Formulae
"""

#: It grinds what it has, and is refilled unless a number that nobody can follow says that it is enough.
MILL = """\
Agent Mill
  Vars: load : int; dust : int; end Vars
  Actions = { grind, refill };
  Protocol:
    load > 0 : { grind };
    Other : { refill };
  end Protocol
  Evolution:
    load = load - 1 if Action = grind;
    load = 4 and dust = dust * dust + 1 if Action = refill and dust mod 7 <> 3;
  end Evolution
end Agent
Evaluation
  done if Mill.load <= 0 and Mill.dust mod 7 = 3;
end Evaluation
InitStates
  Mill.load >= 0 and Mill.dust >= 0;
end InitStates
Formulae
  done : AF done;
end Formulae
"""
#: A shop and somebody who saves: one event happens at a time.
BANK = """\
Semantics = Interleaved;

Agent Saver
  Vars:
    money : int;
  end Vars
  Actions = { pay, save };
  Protocol:
    money > 0 : { pay, save };
    Other : { save };
  end Protocol
  Evolution:
    money = money - 1 if Action = pay;
    money = money + 1 if Action = save;
  end Evolution
end Agent

Agent Shop
  Vars:
    sold : int;
    open : boolean;
  end Vars
  Actions = { pay, close, reopen };
  Protocol:
    open = true : { pay, close };
    Other : { reopen };
  end Protocol
  Evolution:
    sold = sold + 1 if Action = pay;
    open = false if Action = close;
    open = true if Action = reopen;
  end Evolution
end Agent

Evaluation
  poor if Saver.money <= 0;
  busy if Shop.sold >= 3;
  rich if Saver.money >= 10;
  isopen if Shop.open = true;
end Evaluation

InitStates
  Saver.money >= 0 and Saver.money <= 100 and Shop.sold = 0 and Shop.open = true;
end InitStates

Groups
  both = { Saver, Shop };
  saver = { Saver };
  shop = { Shop };
end Groups

Formulae
  sells : <both>F busy;
  saves : <saver>F rich;
  keeps : <saver>G !busy;
  closes : <shop>G !busy;
  can_sell : EF busy;
  has_to : AF busy;
end Formulae
"""

#: Numbers of hail that two have to agree on.
GAME = """\
Semantics = Interleaved;
Agent P
  Vars:
    x : int;
  end Vars
  Actions = { half, grow, rest };
  Protocol:
    x mod 2 = 0 : { half, rest };
    Other : { grow, rest };
  end Protocol
  Evolution:
    x = x div 2 if Action = half;
    x = 3 * x + 1 if Action = grow;
  end Evolution
end Agent
Agent Q
  Vars:
    k : int;
  end Vars
  Actions = { half, grow, nap };
  Protocol:
    Other : { half, grow, nap };
  end Protocol
  Evolution:
    k = k + 1 if Action = nap;
  end Evolution
end Agent
Evaluation
  one if P.x <= 1;
end Evaluation
InitStates
  P.x >= 1 and Q.k = 0;
end InitStates
Groups
  g = { P }; b = { P, Q };
end Groups
Formulae
  lands : <b>F one;
end Formulae
"""

#: Two who count when it is their turn, and turns come.
TURNS = """\
Agent Environment
  Obsvars:
    turn : { a, b, none };
  end Obsvars
  Actions = { to_a, to_b, to_none };
  Protocol:
    Other : { to_a, to_b, to_none };
  end Protocol
  Evolution:
    turn = a if Action = to_a;
    turn = b if Action = to_b;
    turn = none if Action = to_none;
  end Evolution
end Agent

Agent P
  Vars:
    x : int;
  end Vars
  Actions = { down, up, stay };
  Protocol:
    Environment.turn = a : { down, up, stay };
    Other : { stay };
  end Protocol
  Evolution:
    x = x - 1 if Action = down;
    x = x + 1 if Action = up;
  end Evolution
end Agent

Agent Q
  Vars:
    y : int;
  end Vars
  Actions = { down, up, stay };
  Protocol:
    Environment.turn = b : { down, up, stay };
    Other : { stay };
  end Protocol
  Evolution:
    y = y - 1 if Action = down;
    y = y + 1 if Action = up;
  end Evolution
end Agent

Evaluation
  done if P.x <= 0;
  bdone if Q.y <= 0;
  ta if Environment.turn = a;
  tb if Environment.turn = b;
end Evaluation

InitStates
  P.x >= 0 and Q.y >= 0;
end InitStates

Groups
  g = { P };
  h = { Q };
  env = { Environment };
  all = { P, Q };
end Groups

Fairness
  ta;
  tb;
end Fairness

Formulae
  runs_out : <g>F done;
  other : <h>F done;
  both : <all>F (done and bdone);
  never : <env>G !ta;
  falls : AF done;
end Formulae
"""
PROGRAMS = {
    "kiln": KILN,
    "jars": JARS,
    "hail": HAIL,
    "mill": MILL,
    "bank": BANK,
    "game": GAME,
    "turns": TURNS,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the programs, in which we are."""
    monkeypatch.chdir(tmp_path)
    for name, text in PROGRAMS.items():
        (tmp_path / f"{name}.ispl").write_text(text)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_shown(name: str, snapshot: SnapshotAssertion) -> None:
    assert timeless(gnomon("check", f"{name}.ispl", "--evidence").stdout) == snapshot


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_shown_on_a_wide_screen(
    name: str, folder: Path, snapshot: SnapshotAssertion
) -> None:
    path = str(folder / f"{name}.ispl")
    shown = program("check", path, "--evidence", environment={"COLUMNS": "140"})
    assert timeless(shown.stdout.decode()) == snapshot


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_as_the_schema_says(name: str) -> None:
    data = validate("check", gnomon("check", f"{name}.ispl", "--evidence", "--json").stdout)
    without = validate("check", gnomon("check", f"{name}.ispl", "--json").stdout)

    assert not any("cycle" in each for each in without["formulae"])
    if name == "hail":
        cycle = data["formulae"][0]["cycle"]
        assert cycle["steps"] and all(step["lines"] for step in cycle["steps"])
        assert cycle["formula"] == "AF (Cloud.n = 1)"
    if name == "kiln":
        run = data["formulae"][1]["evidence"]["explanation"]["run"]
        loop = run["steps"][run["loop"] :]
        assert any(step["state"]["Kiln"]["lit"] for step in loop)


def test_a_uniform_strategy_says_that_it_is_for_some_initial_states(tmp_path: Path) -> None:
    path = tmp_path / "walk.ispl"
    path.write_text(WALK)
    options = ("--engine", "abstraction", "--strategies", "uniform", "--evidence")
    out = gnomon("check", str(path), *options).stdout
    one, other = " ".join(out.split()).split("✓ right")

    assert "F there (shown for some initial states; others may need another)" in one
    assert "strategy: Walker has a strategy" in other and "others may need" not in other


@pytest.mark.usefixtures("folder")
def test_a_lasso_is_a_proof() -> None:
    gnomon("check", "kiln.ispl", "--certificate", "kiln.json")
    told = gnomon("verify-certificate", "kiln.ispl", "kiln.json", "--json").stdout

    accepted = {each["name"]: each["proof"] for each in json.loads(told)["verdicts"]}
    assert accepted["stays_empty"] == accepted["rest_first"] == "proved"


@pytest.mark.usefixtures("folder")
def test_a_loop_without_its_constraint_is_refused() -> None:
    gnomon("check", "kiln.ispl", "--only", "stays_empty", "--certificate", "kiln.json")
    document = json.loads(Path("kiln.json").read_text())
    [entry] = [each for each in document["verdicts"] if each["proof"]]
    text = (
        Path("kiln.ispl")
        .read_text()
        .replace("lit = true if Action = burn", "lit = false if Action = burn")
    )
    Path("kiln.ispl").write_text(text)
    document.pop("digest")
    Path("kiln.json").write_text(json.dumps(document))

    assert gnomon("verify-certificate", "kiln.ispl", "kiln.json").exit_code != 0
    assert entry["verdict"] == "false"


@pytest.mark.usefixtures("folder")
def test_it_is_told_in_sentences_on_a_page_and_in_python(snapshot: SnapshotAssertion) -> None:
    assert timeless(gnomon("explain-verdict", "hail.ispl", "lands").stdout) == snapshot
    assert timeless(gnomon("explain-verdict", "jars.ispl", "bare").stdout) == snapshot
    page = gnomon("explain-verdict", "jars.ispl", "bare", "--format", "html").stdout
    assert "Cook.one falls" in page
    page = gnomon("explain-verdict", "hail.ispl", "lands", "--format", "html").stdout
    assert "go round" in page or "again and again" in page
    answers = package.load("hail.ispl").check()
    assert "example" in answers[0].story()
    assert answers.to_dict()["formulae"][0]["cycle"]["steps"]
