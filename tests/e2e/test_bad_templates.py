"""Wrong and strange programs with templates: a code and a place, never a crash, and never for ever."""

import random
import re
from pathlib import Path

import pytest

from tests.e2e.cli import gnomon
from tests.laws.watch import time_limit
from tests.support import EXAMPLES

#: Seconds of the clock: a second or two would do, but the machine may be busy.
QUICK = 20.0
ROOMS = (EXAMPLES / "parameterised" / "rooms.ispl").read_text(encoding="utf-8")
FILES = sorted((EXAMPLES / "parameterised").glob("*.ispl"))

ERROR = re.compile(r"^error\[(G\d{4})\]: (.*)$", re.MULTILINE)
PLACE = re.compile(r"^ *┌─ \S+:\d+:\d+$", re.MULTILINE)
TOKEN = re.compile(r"--[^\n]*|\.\.|->|<>|<=|>=|!=|\w+|\s+|.", re.DOTALL)


class Outcome:
    """What a check left behind."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err

    @property
    def codes(self) -> list[str]:
        return [code for code, _ in ERROR.findall(self.err)]


def check(text: str, folder: Path, *options: str) -> Outcome:
    """Check a text that is kept in a file; fail if that crashes, hangs or ends without a word."""
    path = folder / "bad.ispl"
    path.write_text(text, encoding="utf-8")
    with time_limit(QUICK, text):
        result = gnomon("check", str(path), "--timeout", "10", *options)
    outcome = Outcome(result.exit_code, result.stdout, result.stderr)
    assert "bug in gnomon" not in outcome.err, f"{text}\n{outcome.err}"
    assert outcome.status in (0, 1, 2, 3), outcome.err[-500:]
    if outcome.status == 2:
        assert outcome.codes, f"{text}\n{outcome.err}"
    messages = re.split(r"^(?=error\[|warning\[)", outcome.err, flags=re.MULTILINE)
    for message in messages[1:]:
        assert PLACE.search(message), message
    return outcome


def program(
    *,
    head: str = "",
    types: str = "Place : { hall, attic, cellar };",
    relations: str = "Near : Place * Place;",
    axioms: str = "",
    seen: str = "open : boolean; count : 0..3;",
    shared: str = "Sync = { enter, leave : one, evict : all };",
    allowed: str = "true : { enter, leave, evict };",
    happens: str = "open = true if Action = enter;",
    template: str = "Robot",
    variables: str = "room : Place; load : 0..2;",
    actions: str = "Actions = { pick }; Sync = { enter, leave, evict };",
    protocol: str = "room = hall : { enter }; true : { pick, leave, evict };",
    evolution: str = "room = cellar if Action = enter; load = load + 1 if Action = pick;",
    more: str = "",
    evaluation: str = "down if exists r : Robot (r.room = cellar);",
    initial: str = "Environment.open = false and Environment.count = 0 and Robot.room = hall;",
    formulae: str = "AG !down;",
) -> str:
    return f"""{head}
Types {types} end Types
Relations {relations} end Relations
Axioms {axioms} end Axioms
Environment
  Vars: {seen} end Vars
  {shared}
  Protocol: {allowed} end Protocol
  Evolution: {happens} end Evolution
end Environment
Template {template}
  Vars: {variables} end Vars
  {actions}
  Protocol: {protocol} end Protocol
  Evolution: {evolution} end Evolution
end Template
{more}
Evaluation {evaluation} end Evaluation
InitStates {initial} end InitStates
Formulae {formulae} end Formulae
"""


def test_the_program_that_these_tests_spoil_is_good(tmp_path: Path) -> None:
    outcome = check(program(), tmp_path, "--evidence")

    assert (outcome.status, outcome.err) == (1, "")
    assert "it takes 1 Robot" in outcome.out


GUARD = "true : { pick, leave, enter, evict }; "
CART = "Template Cart Vars: full : boolean; end Vars end Template"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        # Names
        pytest.param(program(relations="Near : Place * Place; Far : Place * Room;"), ["G0702"],
                     id="unknown type in a relation"),
        pytest.param(program(relations="Near : Place * Place; Of : Robot;"), ["G0702"],
                     id="template as the type of a column"),
        pytest.param(program(evaluation="down if Far(hall, cellar);"), ["G0703"],
                     id="unknown relation"),
        pytest.param(program(axioms="forall x : Plce (Near(x, x));"), ["G0702"],
                     id="unknown type in an axiom"),
        pytest.param(program(evaluation="down if exists r : Robto (r.room = hall);"), ["G0702"],
                     id="unknown template"),
        pytest.param(program(evaluation="down if exists r : Robot (s.room = hall);"), ["G0705"],
                     id="unknown index"),
        pytest.param(program(evaluation="down if exists r : Robot (r.rom = hall);"), ["G0202"],
                     id="unknown variable of an index"),
        pytest.param(program(evaluation="down if Environment.opne = true;"), ["G0202"],
                     id="unknown variable of the environment"),
        pytest.param(program(evaluation="down if exists r : Robot (r.room = loft);"), ["G0302"],
                     id="unknown value"),
        pytest.param(program(axioms="Near(hall, loft);"), ["G0302"],
                     id="unknown value in an axiom"),
        pytest.param(program(evolution="rom = hall if Action = pick;"), ["G0202"],
                     id="unknown variable assigned"),
        pytest.param(program(evolution="room = hall if Action = pcik;"), ["G0204"],
                     id="unknown action"),
        pytest.param(program(protocol=GUARD + "true : { fly };"), ["G0204"],
                     id="unknown action in a protocol"),
        pytest.param(program(initial="Robto.room = hall;"), ["G0705"],
                     id="unknown template in InitStates"),
        pytest.param(program(initial="Robot.rom = hall;"), ["G0202"],
                     id="unknown variable in InitStates"),
        pytest.param(program(initial="open = false;"), ["G0208"],
                     id="whose variable in InitStates"),
        pytest.param(program(formulae="AG !dwon;"), ["G0601"], id="unknown proposition"),
        pytest.param(program(formulae="AG K(Robto, !down);"), ["G0203"],
                     id="knowledge of an unknown template"),
        pytest.param(program(formulae="AG K(Environment, !down);"), ["G0203"],
                     id="knowledge of the environment"),
        # Indices
        pytest.param(program(evaluation="down if exists i, i : Robot (i.room = hall);"), ["G0705"],
                     id="index twice"),
        pytest.param(program(evaluation="down if exists self : Robot (self.room = hall);"),
                     ["G0502"], id="index named self"),
        pytest.param(program(protocol=GUARD + "exists room : Robot (room.load = 1) : { pick };"),
                     ["G0502"], id="index named like a variable"),
        pytest.param(program(evaluation="down if exists hall : Robot (hall.room = hall);"),
                     ["G0705"], id="index named like a value"),
        pytest.param(program(evaluation="down if exists i : Robot (i.room = hall) and i.load = 1;"),
                     ["G0705"], id="index out of scope"),
        pytest.param(program(evaluation="down if exists i : Robot (i = hall);"), ["G0705"],
                     id="index compared with a value"),
        pytest.param(program(evaluation="down if exists i, j : Robot (i < j);"), ["G0705"],
                     id="order of indices"),
        pytest.param(program(evaluation="down if exists i, j : Robot (i + 1 = j);"), ["G0705"],
                     id="arithmetic with indices"),
        pytest.param(program(evaluation="down if exists i : Robot (i);"), ["G0705"],
                     id="index as a condition"),
        pytest.param(program(evaluation="down if self.room = hall;"), ["G0705"],
                     id="self in Evaluation"),
        pytest.param(program(allowed="true : { enter, leave, evict }; self.open = true : { enter };"),
                     ["G0705"], id="self in Environment"),
        pytest.param(program(more=CART, evaluation="down if exists c : Cart, r : Robot (c = r);"),
                     ["G0705"], id="agents of two templates compared"),
        pytest.param(program(more=CART, evaluation="down if exists c : Cart (c.load = 1);"),
                     ["G0705"], id="variable of another template"),
        pytest.param(program(evaluation="down if Robot.room = hall;"), ["G0705"],
                     id="template instead of an index"),
        # Types
        pytest.param(program(types="Place : { hall, attic, cellar }; N : 3..1;"), ["G0308"],
                     id="empty range"),
        pytest.param(program(evaluation="down if Near(hall);"), ["G0704"], id="too few columns"),
        pytest.param(program(evaluation="down if Near(hall, hall, hall);"), ["G0704"],
                     id="too many columns"),
        pytest.param(program(evaluation="down if Near(hall, 3);"), ["G0704"],
                     id="number in a column of names"),
        pytest.param(program(evaluation="down if Near(hall, true);"), ["G0704"],
                     id="Boolean in a column of names"),
        pytest.param(program(evaluation="down if Near(Near(hall, hall), hall);"), ["G0704"],
                     id="relation without a key as a value"),
        pytest.param(program(relations="Near : Place * Place; Next : Place -> Place;",
                             evaluation="down if Next(hall);"), ["G0704"],
                     id="key as a condition"),
        pytest.param(program(relations="Near : Place * Place; Next : Place -> Place;",
                             evaluation="down if Next(hall) < hall;"), ["G0303"],
                     id="order of what is looked up"),
        pytest.param(program(relations="Near : Place * Place; Next : Place -> Place;",
                             evolution="load = Next(room) if Action = pick;"), ["G0307"],
                     id="looked up value of another type"),
        pytest.param(program(evaluation="down if exists r : Robot (r.load = 3);"), ["G0304"],
                     id="number outside its range"),
        pytest.param(program(evolution="load = 3 if Action = pick;"), ["G0306"],
                     id="number outside its range assigned"),
        pytest.param(program(initial="Environment.count = 4;"), ["G0304"],
                     id="number outside its range in InitStates"),
        pytest.param(program(evaluation="down if exists r : Robot (r.room = r.load);"), ["G0301"],
                     id="name and number"),
        pytest.param(program(evaluation="down if exists r : Robot (r.room < attic);"), ["G0303"],
                     id="order of names"),
        pytest.param(program(axioms="3;"), ["G0301"], id="number as an axiom"),
        pytest.param(program(types="Place : { hall, attic, cellar, .. };",
                             axioms="exists x : Place (Near(x, x));"), ["G0704"],
                     id="exists over an open type"),
        pytest.param(program(types="Place : { hall, attic, cellar, .. };",
                             protocol=GUARD + "forall x : Place (Near(x, x)) : { pick };"),
                     ["G0704"], id="forall over an open type in a guard"),
        pytest.param(program(types="Place : { hall, attic, cellar, .. }; Thing : { hall, .. };",
                             variables="room : Place; load : 0..2; thing : Thing;",
                             evaluation="down if exists r : Robot (r.room = r.thing);"),
                     ["G0301"], id="two open types"),
        pytest.param(program(types="Place : { hall, attic, cellar }; N : 0..1000000000;",
                             relations="Near : Place * Place; Lit : N;",
                             axioms="forall n : N (Lit(n));"), ["G0505"],
                     id="forall over a huge type"),
        # Sections
        pytest.param(program(initial=""), ["G0113"], id="empty InitStates"),
        pytest.param(program(initial="Environment.open = true or Robot.load = 0;"), ["G0714"],
                     id="initial states that depend on each other"),
        pytest.param(program(initial="Near(hall, hall);"), ["G0713"],
                     id="relation in InitStates"),
        pytest.param(program(initial="exists r : Robot (r.load = 0);"), ["G0713"],
                     id="other agents in InitStates"),
        pytest.param(program(axioms="forall r : Robot (r.load = 0);"), ["G0713"],
                     id="agents in axioms"),
        pytest.param(program(axioms="Environment.open = true;"), ["G0713"],
                     id="environment in axioms"),
        pytest.param(program(axioms="Near(hall, hall); !Near(hall, hall);"), ["G0710"],
                     id="axioms that contradict each other"),
        pytest.param(program(axioms="false;"), ["G0710"], id="false axiom"),
        pytest.param(program(protocol=GUARD + "Action = pick : { pick };"), ["G0205"],
                     id="Action in a protocol"),
        pytest.param(program(evaluation="down if exists r : Robot (r.Action = pick);"), ["G0205"],
                     id="Action in Evaluation"),
        pytest.param(program(evolution="room = hall if Environment.Action = enter;"), ["G0713"],
                     id="action of the environment"),
        pytest.param(program(evolution="load = Environment.nothing if Action = pick;"), ["G0202"],
                     id="no variable of the environment"),
        pytest.param(program(evolution="load = Environment.open if Action = pick;"), ["G0307"],
                     id="another type in the environment"),
        pytest.param(program(evolution="load = r.load if Action = pick;"), ["G0705"],
                     id="an index in an evolution"),
        pytest.param(program(evolution="room = hall and room = attic if Action = pick;"),
                     ["G0311"], id="assigned twice"),
        pytest.param(program(evolution="load = 1 if Action = pick;\nload = 2 if Action = pick;"),
                     ["G0712"], id="contradictory lines"),
        pytest.param(program(variables="room : Place; load : int;",
                             evolution="load = load + 1 if Action = pick;\n"
                             "load = load + 2 if Action = pick;"),
                     ["G0712"], id="contradictory lines without bounds"),
        pytest.param(program(actions="Actions = { pick, enter }; Sync = { leave, evict };"),
                     ["G0718"], id="local here and synchronised there"),
        pytest.param(program(actions="Actions = { pick, pick }; Sync = { enter, leave, evict };"),
                     ["G0718"], id="action twice"),
        pytest.param(program(actions="Actions = { pick }; Sync = { enter, leave : all, evict };"),
                     ["G0707"], id="two numbers of participants"),
        pytest.param(program(more="Agent Guard end Agent"), ["G0716"], id="single agent"),
        pytest.param(program(more="Groups g = { Robot }; end Groups"), ["G0722"], id="Groups"),
        pytest.param(program(more="Fairness AF down; end Fairness"), ["G0723"], id="a path in Fairness"),
        pytest.param(program(more="Fairness weak; strong; end Fairness"), ["G0723"], id="weak and strong"),
        pytest.param(program(more="Predicates true; end Predicates"), ["G0722"], id="Predicates"),
        pytest.param(program(template="Robot [3..1]"), ["G0717"], id="[3..1]"),
        pytest.param(program(template="Robot [-1..3]"), ["G0717"], id="[-1..3]"),
        pytest.param(program(template="Robot [1..99999999]"), ["G0717"], id="too many"),
        pytest.param(program(template="Robot [1..n]"), ["G0503"], id="[1..n] without n"),
        pytest.param(program(template="Robot [true..3]"), ["G0504"], id="[true..3]"),
        # Guards
        pytest.param(program(protocol=GUARD + "!(exists r : Robot (r.load = 1)) : { pick };"),
                     ["G0708"], id="exists negated"),
        pytest.param(program(protocol=GUARD + "exists r : Robot (r.load = 1) -> load = 0 : { pick };"),
                     ["G0708"], id="exists before an arrow"),
        pytest.param(program(protocol=GUARD + "exists r : Robot (r.load = 1) : { pick };"
                             " Other : { pick };"), ["G0708"], id="Other beside exists"),
        pytest.param(program(protocol=GUARD + "exists r : Robot (r.load = 1) : { evict };"),
                     ["G0709"], id="agents in the guard of an all action"),
        pytest.param(program(protocol=GUARD + "Near(room, room) : { evict };"), ["G0709"],
                     id="relation in the guard of an all action"),
        pytest.param(program(protocol=GUARD + "!" * 5000 + "(load = 1) : { pick };"), ["G0106"],
                     id="too deep"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_once_with_its_code(text: str, codes: list[str], tmp_path: Path) -> None:
    outcome = check(text, tmp_path)

    assert (outcome.status, outcome.out) == (2, "")
    assert codes == outcome.codes


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("down", "G0711"),
        ("AG !down and EF down", "G0711"),
        ("AG !down or EF down", "G0711"),
        ("K(Robot, down)", "G0711"),
        ("EF K(g, !down)", "G0203"),
        ("<Robot>F AG down", "G0711"),
        ("AG <Robot>F down", "G0711"),
        ("<Robot>X down", "G0711"),
        ("<Robot>F<=3 down", "G0711"),
        ("[[Robot]]F down", "G0711"),
        ("<all \\ { Robot }>F down", "G0711"),
        ("<Robot[1]>F down", "G0203"),
        ("<Robo>F down", "G0203"),
        ("<Environment>F K(Robot, down)", "G0711"),
        ("exists i : Robot (<i>F down)", "G0711"),
        ("forall i, j : Robot (<i>F down)", "G0711"),
        ("forall i : Robot (<Robot>F i.load = 1)", "G0711"),
        ("forall i : Robot (<i, Robot>F i.load = 1)", "G0711"),
        ("!<Environment>F down", "G0711"),
        ("exists i : Robot (AG i.load = 0)", "G0711"),
        ("exists i : Robot (AF i.load = 0)", "G0711"),
        ("forall i, j : Robot (AF i.load = j.load)", "G0711"),
        ("AF K(Robot, down)", "G0711"),
        ("AF[2,1] down", "G0609"),
        ("CTL* A G down U down", "G0602"),
        ("forall i : Robot (EF i.load = 1)", "G0711"),
        ("AG forall i : Robot (K(i, K(Robot, !down)))", "G0715"),
        ("AG (K(Robot[2], !down) -> down)", "G0715"),
        ("AG (down -> GK(g, down))", "G0203"),
        ("AG (down -> O(Robot, down))", "G0715"),
        ("forall i : Robot (AG (i.load = 1 -> K(j, !down)))", "G0203"),
        ("AG forall i, j : Robot (K(i, j.load = 1))", "G0715"),
        ("forall i : Place (AG !down)", "G0702"),
        ("forall i : Robot (forall i : Robot (AG i.load = 0))", "G0705"),
        ("EF Robot.room = hall", "G0705"),
        ("EF exists i : Robot (i.room = i)", "G0705"),
        ("EF exists i : Robot (j.room = hall)", "G0705"),
        ("AG (Robot.load = 9 -> K(Robot, !down))", "G0304"),
        ("EF exists i : Robot (i.room = loft)", "G0302"),
        ("EF Environment.count + 1", "G0301"),
        ("EF Robot.Action = pick", "G0205"),
        ("EF zork", "G0601"),
        ("EF (down", "G0102"),
        ("EF down EF down", "G0102"),
        ("", "G0102"),
        ("(" * 300 + "down" + ")" * 300, "G0106"),
    ],
)
def test_a_formula_with_a_mistake_is_refused_wherever_it_comes_from(
    formula: str, code: str, tmp_path: Path
) -> None:
    typed = check(program(), tmp_path, "--formula", formula)
    written = check(program(formulae=formula + ";"), tmp_path)

    assert (typed.status, typed.codes) == (2, [code])
    assert not formula or (written.status == 2 and written.codes[0] == code)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        pytest.param(program(variables="", evolution="", protocol=GUARD, evaluation=
                             "down if exists i, j : Robot (i != j);",
                             initial="Environment.open = false;"), 1, id="no variables"),
        pytest.param(program(actions="", protocol="", evolution=""), 0, id="no actions"),
        pytest.param(program(template="Robot [0..0]"), 0, id="no agents"),
        pytest.param(program(template="Robot [1..1000000]"), 1, id="a million agents"),
        pytest.param(program(head="Constants k = 2; end Constants", template="Robot [1..k]"), 1,
                     id="bounds with constants"),
        pytest.param(program(template="Place", initial="Place.room = hall;",
                             evaluation="down if exists r : Place (r.room = cellar);"), 1,
                     id="template named like a type"),
        pytest.param(program(evaluation="down if exists Robot : Robot (Robot.room = cellar);"), 1,
                     id="index named like its template"),
        pytest.param(program(evaluation="down if exists i : Robot (Environment.open = true);"), 1,
                     id="index without use"),
        pytest.param(program(initial="true;"), 1, id="any initial state"),
        pytest.param(program(more="Template Empty end Template"), 1, id="empty template"),
        pytest.param(program(types="Place : { hall, attic, cellar }; N : 0..1000000000;",
                             relations="Near : Place * Place; Lit : N * N;",
                             protocol="Lit(load, load) : { enter }; true : { pick, leave, evict };"),
                     1, id="huge type"),
        pytest.param(program(variables="room : Place; load : 0..2;"
                             + "".join(f"b{n} : boolean;" for n in range(18))), 1,
                     id="eighteen Booleans"),
        pytest.param(program(protocol=GUARD + "forall r : Robot (exists s : Robot (s != r)) "
                             ": { pick };"), 1, id="exists inside forall"),
        pytest.param(program(protocol=GUARD + "exists x : Place (Near(room, x)) : { pick };"), 1,
                     id="exists over a type in a guard"),
        pytest.param(program(protocol=GUARD + "forall x : Place (Near(room, x)) : { pick };"), 1,
                     id="forall over a type in a guard"),
        pytest.param(program(protocol="self = self : { enter }; true : { pick, leave, evict };"), 1,
                     id="self is self"),
        pytest.param(program(evaluation="down if exists i : Robot (i.load / 0 = 2);"), 0,
                     id="division by zero"),
        pytest.param(program(evaluation="down if exists r : Robot (r.load > 2);"), 0,
                     id="no value leaves its range"),
        pytest.param(program(types="Place : { hall, attic, cellar, .. };"), 1, id="open type"),
        pytest.param(program(types="Place : { .. };", relations="Near : Place * Place;",
                             protocol=GUARD, evolution="", initial="Environment.open = false;",
                             evaluation="down if exists i, j : Robot (Near(i.room, j.room));"), 1,
                     id="type without a name in it"),
        pytest.param(program(variables="room : Place; load : int;"), 1, id="int"),
        pytest.param(program(types="Place : { hall, attic, cellar }; I : int;",
                             relations="Near : Place * Place; Rank : Place -> I;",
                             protocol="Rank(room) = 3 : { enter }; true : { pick, leave, evict };"),
                     1, id="int in a relation"),
    ],
)  # fmt: skip
def test_a_strange_program_has_a_verdict(text: str, status: int, tmp_path: Path) -> None:
    outcome = check(text, tmp_path, "--evidence")

    assert (outcome.status, outcome.codes) == (status, [])
    assert status != 3 or "unknown: " in outcome.out


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(program(variables="room : Place; load : 0..1000000000;"), id="of agents"),
        pytest.param(program(seen="open : boolean; count : 0..1000000000;"), id="of all"),
    ],
)
def test_a_huge_range_ends_in_time(text: str, tmp_path: Path) -> None:
    outcome = check(text, tmp_path, "--evidence", "--timeout", "0.5")

    assert (outcome.status in (1, 3), outcome.codes) == (True, [])


@pytest.mark.parametrize("count", [10, 1000])
def test_many_actions(count: int, tmp_path: Path) -> None:
    names = ", ".join(f"a{number}" for number in range(count))
    text = program(
        actions=f"Actions = {{ pick, {names} }}; Sync = {{ enter, leave, evict }};",
        protocol=f"true : {{ enter, leave, evict, pick, {names} }};",
    )
    assert check(text, tmp_path).status == 1


def test_many_indices_end_at_the_time_limit(tmp_path: Path) -> None:
    names = ", ".join(f"i{number}" for number in range(14))
    body = " and ".join(f"i{number}.room = cellar" for number in range(14))
    formula = f"EF exists {names} : Robot ({body})"
    outcome = check(program(), tmp_path, "--formula", formula, "--timeout", "0.2")

    assert outcome.status in (0, 3)


# Files that somebody spoilt


def test_a_file_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    end = ROOMS.rindex("end Formulae")
    places = random.Random(1).sample(range(1, end), 25)
    for place in places:
        assert check(ROOMS[:place], tmp_path).status == 2, ROOMS[:place]


@pytest.mark.parametrize("seed", range(8))
def test_a_file_with_random_changes_is_checked_or_refused(seed: int, tmp_path: Path) -> None:
    words = [
        "exists",
        "forall",
        "self",
        "Environment",
        "Action",
        "99",
        "int",
        "..",
        "->",
        "[",
        "}",
        "K",
    ]
    choose = random.Random(seed)
    for _ in range(5):
        tokens = TOKEN.findall(choose.choice(FILES).read_text(encoding="utf-8"))
        for _ in range(choose.choice([1, 1, 2, 3])):
            where = choose.randrange(len(tokens))
            tokens[where] = choose.choice(
                ["", tokens[where] * 2, choose.choice(tokens), choose.choice(words)]
            )
        check("".join(tokens), tmp_path, *(["--evidence"] if choose.random() < 0.5 else []))
