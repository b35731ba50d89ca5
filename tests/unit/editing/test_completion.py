"""What is offered at a place: `|` is the cursor in the programs below."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from gnomon.editing.analysis import Analysis, analyse
from gnomon.editing.completion import Completion, CompletionKind, Completions, complete
from gnomon.editing.completion.surroundings import surroundings
from gnomon.editing.signatures import signature_at
from gnomon.editing.snippets import SNIPPETS, SnippetPlace, written_out
from gnomon.language.parse import parse
from gnomon.text.source import Source, Span
from tests.support import EXAMPLES

TRAINS = """
Constants
  n = 2;
end Constants

Definitions
  inside := Train.at = tunnel;
  lit := Environment.light = green;
  entered := Train.Action = go;
end Definitions

Agent Environment
  Obsvars:
    light : { green, red };
  end Obsvars
  Vars:
    hidden : boolean;
    secret : 0..100;
    lamp[i : 1..n] : boolean;
  end Vars
  Actions = { tick };
  Protocol:
    Other : { tick };
  end Protocol
  Evolution:
    light = red if Train.Action = go;
  end Evolution
end Agent

Agent Train
  Vars:  -- of the train
    at : { outside, tunnel };
    load : 0..3;
    open : boolean;
  end Vars
  Lobsvars = { hidden };
  Actions = { go, wait };
  Protocol:  -- of the train
    Other : { go, wait };
  end Protocol
  Evolution:  -- of the train
    at = tunnel if Action = go;
  end Evolution
end Agent

Agent Guard[k : 1..n]
  Vars:
    awake : boolean;
  end Vars
  Actions = { raise, lower, signal[j : 1..n] };
  Protocol:  -- of a guard
    Other : { raise, lower };
  end Protocol
end Agent

Evaluation
  p if Train.at = tunnel;
  q[i : 1..n] if Guard[i].awake;
end Evaluation

InitStates
  Train.at = outside;
end InitStates

Groups
  crew = { Train, Guard[1] };
end Groups

Fairness
  p;
end Fairness

Formulae
  AG p;
end Formulae
"""

ROBOTS = """
Types
  Place : { hall, cellar };
end Types

Relations
  Door : Place * Place;
  Next : Place -> Place;
end Relations

Axioms
  Door(hall, cellar);
end Axioms

Environment
  Vars:
    armed : boolean;
  end Vars
  Sync = { ring : one };
  Protocol:
    Other : { ring };
  end Protocol
end Environment

Template Robot [1..*]
  Vars:
    room : Place;
    broken : boolean;
  end Vars
  Actions = { enter };
  Sync = { ring };
  Protocol:  -- of a robot
    room = hall : { enter };
  end Protocol
  Evolution:  -- of a robot
    room = cellar if Action = enter;
  end Evolution
end Template

Evaluation
  lost if exists r : Robot (r.broken);
end Evaluation

InitStates
  Robot.room = hall;
end InitStates

Formulae
  AG !lost;
end Formulae
"""

PROTOCOL = "  Protocol:  -- of the train\n"
EVOLUTION = "  Evolution:  -- of the train\n"
VARS = "  Vars:  -- of the train\n"


def at_mark(text: str) -> tuple[str, int]:
    """Return a text without its mark, and where that was."""
    offset = text.index("|")
    return text[:offset] + text[offset + 1 :], offset


def completed(
    text: str, *, known: Analysis | None = None, snippets: bool = True
) -> tuple[str, Completions]:
    """Return a text without its mark, and what is offered there."""
    plain, offset = at_mark(text)
    known = known or analyse(Source("test", plain))
    return plain, complete(plain, offset, known, snippets=snippets)


def labels(text: str) -> set[str]:
    return {item.label for item in completed(text)[1].items}


def behind(anchor: str, written: str, program: str = TRAINS) -> str:
    """Return a program with something written behind a piece of it."""
    assert program.count(anchor) == 1, anchor
    return program.replace(anchor, anchor + written)


def trains(section: str, written: str) -> str:
    """Return the program with a line at the beginning of a section."""
    return behind(f"\n{section}\n", f"  {written}\n")


def item(text: str, label: str, *, snippets: bool = True) -> Completion:
    return next(each for each in completed(text, snippets=snippets)[1].items if each.label == label)


# Contexts

#: What is written behind, for short: the program and a piece of it.
ANCHORS = {
    "protocol": (TRAINS, PROTOCOL),
    "evolution": (TRAINS, EVOLUTION),
    "vars": (TRAINS, VARS),
    "guard": (TRAINS, "  Protocol:  -- of a guard\n"),
    "groups": (TRAINS, "end Groups\n"),
    "lit": (TRAINS, "  lit := Environment.light = green;\n"),
    "n": (TRAINS, "  n = 2;\n"),
    "robot": (ROBOTS, "  Protocol:  -- of a robot\n"),
    "robots Axioms": (ROBOTS, "\nAxioms\n"),
    "robots Evaluation": (ROBOTS, "\nEvaluation\n"),
    "robots InitStates": (ROBOTS, "\nInitStates\n"),
    "robots Formulae": (ROBOTS, "\nFormulae\n"),
    "trains": (TRAINS, "end Formulae\n"),
    "robots": (ROBOTS, "end Formulae\n"),
    "": ("\n", "\n"),
}

#: Behind what something is written, what it is, what is offered there, and some of what is not.
BEHIND = r"""
:: | :: Agent Evaluation Formulae Constants Template :: Vars end
trains :: | :: Semantics Types TerminalStates Agent :: Constants Evaluation Groups Template Environment
robots :: | :: Template Constants :: Agent Groups Fairness Types
groups :: Agent New | :: Vars Actions Protocol Evolution Lobsvars :: Obsvars Sync Formulae
:: Agent | :: Environment :: Vars
:: Semantics = | :: Interleaved SingleAssignment :: Agent
protocol :: end | :: Protocol :: Agent Evolution
:: Agent Ann Vars: end Vars end | :: Agent :: Vars
Evaluation :: for i : 1..n: end | :: for :: Evaluation
vars :: x : | :: boolean int range enumeration n :: at load true go
vars :: | :: :: at load boolean go light
vars :: x : { | :: :: at outside boolean
vars :: x : 0..| :: n :: load at true
vars :: x : { a, b } = | :: a b :: outside load
protocol :: | :: at load open Environment inside lit Other forall :: Train Guard Action go outside entered p
protocol :: Environment.| :: light hidden :: secret lamp Action at
protocol :: Guard[1].| :: :: awake Action
guard :: | :: awake lit k n :: inside at p
protocol :: at = | :: outside tunnel :: green load open true n Environment
protocol :: load = 2 and Environment.light <> | :: green red :: outside tunnel load
protocol :: open = | :: true false :: outside load 1
protocol :: load < | :: 0 1 2 3 n max :: open outside true
protocol :: at = tunnel : | :: go wait :: tick at
protocol :: at = tunnel : { | :: go wait :: tick raise at
protocol :: at = tunnel : { go, | :: wait :: go
protocol :: at | :: = <> in :: and + then expect
protocol :: at = tunnel | :: and or -> :: = + expect if
protocol :: !(load > 1 and | :: at open :: go Guard
protocol :: at in { outside, | :: tunnel :: open load green
evolution :: | :: at load open :: hidden light Environment go Action
evolution :: at = tunnel and | :: load open :: at hidden go
evolution :: at = | :: outside tunnel if :: open load green 1
evolution :: load = | :: 0 3 load min :: at open true Guard
evolution :: at = tunnel | :: if and :: or = then
evolution :: at = tunnel if | :: Action at load open Environment Guard entered :: go secret p crew outside
evolution :: at = tunnel if Action = | :: go wait :: tick raise at
evolution :: at = tunnel if Guard[1].| :: Action :: awake raise
evolution :: at = tunnel if Guard[1].Action = | :: raise lower signal :: go wait tick
evolution :: at = tunnel if Environment.| :: light hidden Action :: secret
evolution :: at = if | :: open load at :: outside
evolution :: at = if open then outside else | :: outside tunnel :: open load green
evolution :: at = if open | :: then and :: else
Evaluation :: r if | :: Train Environment Guard inside lit :: at load p q go Action entered
Evaluation :: r if Environment.| :: light secret :: Action at
Evaluation :: r if Train.at = | :: outside tunnel :: green p at
Evaluation :: r[x : 1..n] if Guard[| :: x n :: p crew
InitStates :: Train.| :: at load open :: Action awake
lit :: dark := | :: Train Guard inside lit :: entered p at load
Definitions :: x := Train.| :: at Action :: go awake
n :: m = |; :: n :: at Train p
Evaluation :: for z : 1..n: r[z] if Guard[| :: z n :: p
Evaluation :: for z : 1..n: for y : 1..n: r[z, y] if true; end for s[z] if Guard[| :: z n :: y p
guard :: Environment.lamp[| :: k n :: i awake
InitStates :: forall z : 1..n (Guard[| :: z n :: p
InitStates :: forall z : 1..n (true) and | :: Train :: z
InitStates :: forall | :: :: n Train
InitStates :: forall z : | :: n range :: Train z true
InitStates :: forall z : 1..n | :: where :: then expect
InitStates :: forall z : 1..n where | :: z n :: Train p
Groups :: g = { Train, | :: Guard Environment :: Train crew all p
Groups :: g = all \ |; :: crew Train Guard :: p at
Formulae :: | :: p q inside AG K <group>F [[group]]G LTL CTL* forall Train for :: at go crew entered n
Formulae :: safe : | :: p AG LTL :: for crew
Formulae :: AG (p -> | :: p AF K inside :: LTL crew at
Formulae :: LTL | :: G F X K p :: AG EF LTL
Formulae :: CTL* | :: A E G F X AG :: LTL
Formulae :: K(| :: Train Guard Environment :: crew all p at
Formulae :: K(Train, | :: p q K AG :: crew
Formulae :: GCK(| :: crew all Train :: p at AG
Formulae :: <| :: crew Train all :: p at AG
Formulae :: <Train, | :: crew Guard :: Train p
Formulae :: [[| :: crew Train all :: p
Formulae :: <crew>| :: F G X :: p AG
Formulae :: AG p | :: and -> expect :: U = + if then
Formulae :: A(p | :: U W R and :: expect
Formulae :: AG p expect | :: true false undefined :: p
Formulae :: AG (Train.at = | :: outside tunnel :: p AG green
Formulae :: Train.| :: at load GreenStates :: Action p awake
Formulae :: AF<=| :: n :: p at
Fairness :: | :: p entered Train AG :: LTL <group>F expect
Fairness :: Train.Action = | :: go wait :: tick p
robot :: | :: room broken Environment Door exists :: Robot Action hall lost
robot :: exists r : | :: Robot Place :: room r
robot :: exists r : Robot (r.| :: room broken :: armed Action
robot :: exists r : Robot (r != | :: self :: room hall Environment
robot :: Environment.| :: armed :: room Action
robot :: Door(| :: hall cellar room Next :: broken armed true
robots Axioms :: Next(hall) = | :: hall cellar Next :: Door Robot
robots Evaluation :: x if | :: Environment exists Door :: Robot room Action
robots InitStates :: | :: Robot Environment :: room Action
robots Formulae :: | :: AG EF K lost forall :: AF <group>F GCK
robots Formulae :: forall r : Robot (AG K(| :: r Robot :: room lost
:: -- | :: :: Agent allow expect
protocol :: at = tunnel -- | :: :: and at
:: --! | :: allow deny expect :: Agent G0407
:: --! allow | :: G0407 G0416 :: G0101 allow expect
:: --! deny G0407, | :: G0416 :: G0407
Formulae :: --! safe expect | :: true false undefined :: p
protocol :: load = 1| :: :: 0 1 n at
"""

#: What is replaced in a program, what stands there then, what is offered, and some of what is not.
INSTEAD = """
  Lobsvars = { hidden }; :: | :: Lobsvars RedStates :: Vars Actions Protocol Evolution Obsvars
{ hidden } :: { hidden, | } :: secret lamp :: hidden light at load
Other : { tick } :: secret = | :: 0 100 :: 50 light tick
room : Place :: room : | :: Place boolean :: Robot hall
ring : one :: ring : | :: some one all :: ring
Place * Place :: Place * | :: Place :: hall boolean
room = cellar if :: room = hall if | :: Action room broken Environment :: Robot
"""


def rows(table: str) -> list[tuple[str, ...]]:
    return [tuple(line.split("::")) for line in table.strip("\n").splitlines()]


def check(text: str, wanted: str, unwanted: str) -> None:
    found = labels(text)

    assert set() == set(wanted.split()) - found
    assert set() == set(unwanted.split()) & found


@pytest.mark.parametrize(("where", "written", "wanted", "unwanted"), rows(BEHIND))
def test_what_fits_is_offered_and_nothing_else(
    where: str, written: str, wanted: str, unwanted: str
) -> None:
    program, anchor = ANCHORS.get(where.strip(), (TRAINS, f"\n{where.strip()}\n"))

    check(behind(anchor, f"  {written.strip()}\n", program), wanted, unwanted)


@pytest.mark.parametrize(("old", "new", "wanted", "unwanted"), rows(INSTEAD))
def test_what_is_written_already_is_not_offered(
    old: str, new: str, wanted: str, unwanted: str
) -> None:
    old = old.removesuffix(" ")
    program = TRAINS if old in TRAINS else ROBOTS
    assert program.count(old) == 1

    check(program.replace(old, new.strip()), wanted, unwanted)


def test_actions_by_which_agents_act_together_are_offered() -> None:
    program = "Semantics = Interleaved;" + TRAINS

    check(program.replace("Actions = { go, wait }", "Actions = { go, | }"), "tick raise", "go at")


# Items


def test_the_word_at_the_cursor_is_replaced() -> None:
    plain, found = completed(behind(PROTOCOL, "at = tun|nel : { go };"))

    assert "tunnel" == plain[slice(*found.span)]


def test_a_word_behind_the_cursor_is_not_replaced() -> None:
    plain, found = completed(behind(PROTOCOL, "at = |tunnel : { go };"))

    assert "" == plain[slice(*found.span)]


def test_details_say_of_what_type_and_whose_something_is() -> None:
    variable = item(trains("Evaluation", "r if Train.|"), "load")
    action = item(behind(PROTOCOL, "at = tunnel : { |"), "go")

    assert (CompletionKind.VARIABLE, "0..3, of Train") == (variable.kind, variable.detail)
    assert (CompletionKind.ACTION, "action of Train") == (action.kind, action.detail)


def test_what_fits_best_comes_first() -> None:
    items = completed(behind(PROTOCOL, "load = |"))[1].items
    first = sorted(items, key=lambda each: each.sort)[:4]

    assert ["0", "1", "2", "3"] == [each.label for each in first]


def test_members_of_families_come_with_brackets() -> None:
    place = trains("Evaluation", "for z : 1..n: r[z] if |")

    assert "Guard[${1:z}]" == item(place, "Guard").insert
    assert "Guard" == item(place, "Guard", snippets=False).insert
    assert "Guard" == item(place.replace("|", "G|[z]"), "Guard").insert


def test_names_are_those_of_the_version_that_is_known() -> None:
    known = analyse(Source("test", TRAINS))

    found = completed("Agent Environment\nend Agent\nFormulae\n  AG |", known=known)[1]

    assert {"p", "q"} <= {each.label for each in found.items}


def test_an_agent_that_is_not_known_yet_sees_no_others() -> None:
    known = analyse(Source("test", TRAINS))
    text = behind("end Groups\n", "Agent New\n  Protocol:\n    Train.|")

    assert () == completed(text, known=known)[1].items


def test_of_too_many_names_those_are_offered_that_begin_like_the_word() -> None:
    variables = "".join(f"    v{number} : boolean;\n" for number in range(2000))
    text = behind(VARS, variables)

    found = completed(text.replace("\nEvaluation\n", "\nEvaluation\n  r if Train.v19|"))[1]

    assert found.incomplete
    begun = [
        "v19",
        *(f"v19{rest}" for rest in range(10)),
        *(f"v19{rest:02}" for rest in range(100)),
    ]
    assert set(begun) == {each.label for each in found.items}


# Sections, from a place backwards


def test_a_long_section_is_found_however_far_away_it_begins() -> None:
    lines = "    at = tunnel if Action = go;  -- end Evolution; Agent\n" * 20_000
    text = TRAINS.replace(EVOLUTION, EVOLUTION + lines)
    place = text.index(lines) + len(lines)

    found = surroundings(text, place)

    assert ("Agent", "Evolution") == (found.top, found.part)
    assert text.index(EVOLUTION) + len("  Evolution") == found.head_end


def test_sections_without_an_end_are_over_when_the_next_begins() -> None:
    text = "Agent Ann\n  Vars:\n    x : boolean;\n  Protocol:\n    "

    found = surroundings(text, len(text))

    assert ("Agent", "Protocol", "Protocol") == (found.top, found.part, found.closing)


def test_names_that_look_like_sections_begin_none() -> None:
    text = "Evaluation\n  Types if A.Constants = 1 and\n    Environment.Template = 2 or "

    found = surroundings(text, len(text))

    assert ("Evaluation", "") == (found.top, found.part)


def test_of_a_very_long_statement_the_beginning_and_the_end_are_read() -> None:
    condition = " and\n    ".join(["(Train.at = tunnel or Train.load = 2)"] * 5000)

    found = labels(trains("InitStates", f"{condition} and (Train.open or Train.at = |"))

    assert {"outside", "tunnel"} <= found
    assert not {"open", "p", "Environment"} & found


# Snippets

#: Where the snippets of a place are offered.
HOSTS: dict[SnippetPlace, tuple[str, ...]] = {
    "program": ("|",),
    "agent": (
        "Agent Ann\n  |\nend Agent",
        "Agent Environment\n  |\nend Agent",
        "Environment\n  Vars:\n  end Vars\n  |\nend Environment\nTemplate T\nend Template",
    ),
    "type": ("Agent Ann\n  Vars:\n    x : |;\n  end Vars\nend Agent",),
    "for": ("Evaluation\n  |\nend Evaluation",),
    "Constants": ("Constants\n  |\nend Constants",),
    "Definitions": ("Definitions\n  |\nend Definitions",),
    "Types": ("Types\n  |\nend Types",),
    "Relations": ("Relations\n  |\nend Relations",),
    "Vars": ("Agent Ann\n  Vars:\n    |\n  end Vars\nend Agent",),
    "Protocol": ("Agent Ann\n  Protocol:\n    |\n  end Protocol\nend Agent",),
    "Evolution": ("Agent Ann\n  Evolution:\n    |\n  end Evolution\nend Agent",),
    "Evaluation": ("Evaluation\n  |\nend Evaluation",),
    "Groups": ("Groups\n  |\nend Groups",),
    "Formulae": ("Formulae\n  |\nend Formulae",),
    "ctl": ("Formulae\n  |;\nend Formulae",),
    "ltl": ("Formulae\n  LTL |;\nend Formulae",),
    "knowledge": ("Formulae\n  AG |;\nend Formulae",),
    "coalition": ("Formulae\n  |;\nend Formulae",),
    "logic": ("Formulae\n  |;\nend Formulae",),
    "condition": ("InitStates\n  |;\nend InitStates",),
    "number": ("InitStates\n  Ann.x = |;\nend InitStates",),
    "quantifier": ("InitStates\n  |;\nend InitStates", "Formulae\n  AG |;\nend Formulae"),
}


@pytest.mark.parametrize("place", SNIPPETS)
def test_snippets_can_be_read_where_they_are_offered(place: SnippetPlace) -> None:
    expected = {snippet.plain for snippet in SNIPPETS[place]}
    found = set()
    for host, snippets in product(HOSTS[place], (True, False)):
        plain, offered = completed(host, snippets=snippets)
        for each in offered.items:
            text = written_out(each.insert) if each.is_snippet else each.insert
            if text in expected:
                found.add(text)
                start, end = offered.span
                written = plain[:start] + text + plain[end:]
                errors = [
                    str(said.message) for said in parse(Source("", written)).diagnostics.items
                ]

                assert [] == errors, written

    assert expected == found


def test_signs_of_snippets_stand_for_themselves_behind_a_backslash() -> None:
    assert r"all \ { $x }" == written_out(r"${1:all} \\ { \$${2:x} \}")


# All examples


def example_files() -> list[Path]:
    return sorted(EXAMPLES.rglob("*.ispl"))


@cache
def example(path: Path) -> Analysis:
    return analyse(Source(path.name, path.read_text(encoding="utf-8")))


def names_of(path: Path) -> Iterator[tuple[str, Span]]:
    """Yield the names of a program but for those that are being declared."""
    analysis = example(path)
    for occurrence in analysis.symbols.occurrences:
        if not occurrence.declares:
            yield occurrence.symbol.name, occurrence.span


@pytest.mark.parametrize("path", example_files(), ids=lambda path: path.stem)
def test_whatever_stands_in_a_program_would_have_been_offered(path: Path) -> None:
    # There are no exceptions: the rate is 100 % of 4450 names.
    analysis, missed = example(path), []
    for name, (start, end) in names_of(path):
        broken = analysis.text[: start + 1] + analysis.text[end:]
        found = complete(broken, start + 1, analysis, snippets=True)
        if name not in {each.label for each in found.items}:
            missed.append((name, analysis.source.location(start)))

    assert [] == missed


def check_offsets(path: Path, offsets: range) -> None:
    """Ask at places of the text, and of the text that ends there: whatever is missing, there is an answer."""
    analysis = example(path)
    for offset, text in product(offsets, (analysis.text, None)):
        written = analysis.text[:offset] if text is None else text
        found = complete(written, offset, analysis, snippets=True)
        start, end = found.span
        assert 0 <= start <= offset <= end <= len(written)

        signature = signature_at(written, offset, analysis)
        assert signature is None or 0 <= signature.active <= len(signature.parameters)


@pytest.mark.slow
@pytest.mark.parametrize("path", example_files(), ids=lambda path: path.stem)
def test_many_places_of_a_program_are_answered(path: Path) -> None:
    check_offsets(path, range(0, len(example(path).text) + 1, 41))


GUESTS = """
Environment
  Vars:
    owner : Client;
  end Vars
  Sync = { take : one };
  Protocol:
    owner = none : { take };
  end Protocol
  Evolution:
    owner = Client if Action = take;
  end Evolution
end Environment
Template Client
  Vars: x : boolean; end Vars
  Sync = { take };
  Protocol: true : { take }; end Protocol
end Template
Evaluation held if exists i : Client (Environment.owner = i); end Evaluation
InitStates Client.x = true; end InitStates
Formulae EF held; end Formulae
"""


def test_templates_are_offered_as_types_in_the_environment_only() -> None:
    assert "Client" in labels(GUESTS.replace("owner : Client;", "owner : |;"))
    assert "Client" not in labels(GUESTS.replace("x : boolean;", "x : |;"))


def test_what_a_pointer_may_become_is_offered() -> None:
    assert {"none", "Client"} <= labels(GUESTS.replace("owner = Client if", "owner = | if"))
