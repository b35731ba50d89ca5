"""Quick fixes: each mends what it is for, and does no harm; every code has one, or a reason for none."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

import gnomon
from gnomon.editing.analysis import Analysis, analyse
from gnomon.editing.edits import changed
from gnomon.editing.fixes import Fix, expectation_change, fixes, mending
from gnomon.editing.fixes.offered import FIXERS
from gnomon.language.lexer import tokenize
from gnomon.text.codes import CODES
from gnomon.text.diagnostic import Diagnostic, Diagnostics
from gnomon.text.source import Source, Span
from tests.spec.reader import read_cases
from tests.support import EXAMPLES, ROOT
from tests.systems import examples, seeds

SPECIFICATIONS = sorted((ROOT / "tests" / "spec").glob("*.md"))
SPECIFICATIONS.remove(ROOT / "tests" / "spec" / "README.md")

MODEL = """\
Agent Environment
  Vars:
    level : 0..3;
  end Vars
  Evolution:
    level = level + 1 if level < 3;
  end Evolution
end Agent

Agent Walker
  Vars:
    at : { home, road };
    steps : 0..3;
    tired : boolean;
  end Vars
  Actions = { walk, wait };
  Protocol:
    at = home : { walk, wait };
    Other : { wait };
  end Protocol
  Evolution:
    at = road and steps = 1 if at = home and Action = walk;
    tired = true if steps = 1 and Action = wait;
  end Evolution
end Agent

Evaluation
  away if Walker.at = road;
end Evaluation

InitStates
  Walker.at = home and Walker.steps = 0 and Walker.tired = false and Environment.level = 0;
end InitStates

Groups
  crew = { Walker };
end Groups

Formulae
  EF away;
  AG (away -> K(Walker, away));
end Formulae
"""


def read(text: str) -> Analysis:
    return analyse(Source("model.ispl", text))


def all_fixes(analysis: Analysis) -> Iterator[tuple[Diagnostic, Fix]]:
    for diagnostic in analysis.diagnostics:
        for fix in fixes(analysis, diagnostic):
            yield diagnostic, fix


@cache
def programs(path: Path) -> list[str]:
    """Return the programs of a specification."""
    blocks = (block for case in read_cases(path) for block in case.blocks)
    return [block.text for block in blocks if block.language == "ispl"]


# What a fix has to do
#
# The criterion is stated here once more, apart from the one by which fixes are tried before they are offered:
#
# 1. what is mended (by its code and what it says) is said less often than before;
# 2. an error that was not there before (by its code and what it says) was hidden:
#    a. a mistake in the text was mended (G01, G05), and it is another kind of mistake, or stands behind
#       the place that was mended; or
#    b. it is no mistake in the text, and something was wrong before between the same two `;`.


def said(item: Diagnostic) -> tuple[str, str]:
    return item.code, re.sub(r"\blines? \d+(?: and \d+)?", "line", item.message)


def statements(text: str) -> list[str]:
    """Return what stands between `;`, without blanks and comments."""
    bare = re.sub(r"--[^\n]*", lambda found: " " * len(found[0]), text)
    return ["".join(piece.split()) for piece in bare.split(";")]


def statement_at(text: str, offset: int) -> str:
    bare = re.sub(r"--[^\n]*", lambda found: " " * len(found[0]), text[:offset])
    return statements(text)[bare.count(";")]


def is_unread(item: Diagnostic) -> bool:
    return item.code.startswith(("G01", "G05"))


def harm(analysis: Analysis, mended: Diagnostic, fix: Fix) -> list[str]:
    """Return what is wrong with a fix."""
    text = changed(analysis.text, fix.changes)
    again = read(text)
    before = Counter(map(said, analysis.diagnostics))
    after = Counter(map(said, again.diagnostics))
    found = []
    # A word that is changed everywhere is also changed in what is said of others.
    pairs = {(analysis.text[start:end], new) for (start, end), new in fix.changes}
    if len(fix.changes) > 1 and len(pairs) == 1:
        old, new = pairs.pop()
        if old.isidentifier():
            rename = re.compile(rf"\b{old}\b")
            before = Counter(
                (code, rename.sub(new, words)) for code, words in map(said, analysis.diagnostics)
            )
    if after[said(mended)] >= before[said(mended)] > 0:
        found.append("it is still there")
    wrong = {
        statement_at(analysis.text, item.span.start)
        for item in analysis.diagnostics
        if item.is_error and item.span
    }
    touched = {statement_at(text, start) for start in _new_places(fix)}
    first = min(change.span.start for change in fix.changes)
    for item in again.diagnostics:
        if not item.is_error or after[said(item)] <= before[said(item)]:
            continue
        place = item.span.start if item.span else 0
        if is_unread(mended) and (not is_unread(item) or place > first):
            continue
        here = statement_at(text, place)
        if not is_unread(mended) and not item.code.startswith("G01") and here in wrong | touched:
            continue
        found.append(f"new: {item.code} {item.message}")
    return found


def _new_places(fix: Fix) -> Iterator[int]:
    """Yield where in the new text something was written."""
    grown = 0
    for (start, end), new in sorted(fix.changes):
        yield start + grown
        yield start + grown + len(new)
        grown += len(new) - (end - start)


@pytest.mark.parametrize("path", SPECIFICATIONS, ids=lambda path: path.stem)
def test_every_fix_mends_what_it_is_for_and_does_no_harm(path: Path) -> None:
    harmful = [
        (mended.code, mended.message, fix.title, problems)
        for text in programs(path)
        for analysis in [read(text)]
        for mended, fix in all_fixes(analysis)
        if (problems := harm(analysis, mended, fix))
    ]

    assert [] == harmful


def test_a_text_with_other_line_ends_has_the_same_fixes_and_keeps_its_ends() -> None:
    for text in programs(ROOT / "tests" / "spec" / "diagnostics.md"):
        windows = read(text.replace("\n", "\r\n"))
        plain = read(text)
        there = [(mended.code, fix.title) for mended, fix in all_fixes(windows)]
        here = [(mended.code, fix.title) for mended, fix in all_fixes(plain)]

        assert here == there
        for (_, fix), (_, same) in zip(all_fixes(windows), all_fixes(plain), strict=True):
            new = changed(windows.text, fix.changes)
            assert not re.search(r"(?<!\r)\n", new), fix
            assert changed(plain.text, same.changes) == new.replace("\r\n", "\n"), fix


def comments(text: str) -> Counter[str]:
    return Counter(found.strip() for found in re.findall(r"--[^\n]*", text))


def test_fixes_keep_comments() -> None:
    #: Of these, comments are what is wrong.
    about_comments = ("G0101", "G0417", "G0607", "G0608")
    lost = [
        (mended.code, fix.title)
        for path in SPECIFICATIONS
        for text in programs(path)
        for mended, fix in all_fixes(read(text))
        if not fix.title.startswith("Remove") and mended.code not in about_comments
        if comments(text) - comments(changed(text, fix.changes))
    ]

    assert [] == lost


def test_at_most_one_fix_is_preferred_and_allowing_comes_last() -> None:
    for path in SPECIFICATIONS:
        for text in programs(path):
            analysis = read(text)
            for diagnostic in analysis.diagnostics:
                offered = fixes(analysis, diagnostic)
                allowing = [fix for fix in offered if fix.title.startswith("Allow ")]

                assert sum(fix.preferred for fix in offered) <= 1
                assert len({fix.title for fix in offered}) == len(offered)
                assert allowing == list(offered[len(offered) - len(allowing) :])
                assert CODES[diagnostic.code].allowable == bool(allowing) or allowing == []
                assert not any(fix.preferred for fix in allowing)


# Codes

_OPTIONS = "it is about how a check was asked for, and not about a text"
_OUTSIDE = "it is about files, stores and machines, and not about a text"
_MEANING = "what was meant is open: the help says what can be said instead, and not what to write"
_SMALLER = "something has to become smaller, and which part of it is for the author to say"
_REFUSED = "what is asked cannot be answered; another question has to be found"
_ALLOWED = "it may well be meant: it can be allowed, and to change it is for the author"

#: Codes that have no fix, and why. A new code needs a fix, with an example here or in a specification, or a
#: line in this table.
WITHOUT = {
    **dict.fromkeys(("G0001", "G0002", "G0003", "G0004"), _OUTSIDE),
    "G0106": _SMALLER,
    "G0107": _SMALLER,
    "G0111": _REFUSED,
    "G0112": "an agent has to be thought of first",
    "G0114": "it only says that there are more",
    "G0205": "to remember an action takes variables and lines that change what the model does",
    "G0207": "the variable has to move to the environment, with all that changes it",
    "G0309": _MEANING,
    "G0735": "who is meant, and by which action, is for the author",
    "G0320": _MEANING,
    "G0321": _MEANING,
    "G0323": _SMALLER,
    "G0324": _MEANING,
    "G0401": _ALLOWED,
    "G0407": _ALLOWED,
    "G0408": _ALLOWED,
    "G0412": "`gnomon fmt --mcmas` rewrites all of it at once",
    "G0415": "it only says that there are more",
    "G0420": _MEANING,
    "G0501": _OPTIONS,
    "G0505": _SMALLER,
    "G0506": _MEANING,
    "G0605": _REFUSED,
    "G0606": _OPTIONS,
    "G0611": _MEANING,
    "G0701": "an open number of agents is another program",
    "G0704": _MEANING,
    "G0709": "how many take part in an action is what the model is about",
    "G0710": _MEANING,
    "G0712": _MEANING,
    "G0714": _MEANING,
    "G0715": _REFUSED,
    "G0723": _REFUSED,
    "G0724": _MEANING,
    "G0725": _REFUSED,
    "G0728": _MEANING,
    "G0801": _ALLOWED,
    "G0802": _ALLOWED,
    "G0803": _ALLOWED,
    "G0804": _ALLOWED,
    "G0805": _ALLOWED,
    **dict.fromkeys(("G0814", "G0815", "G0816", "G0817", "G0818"), _OPTIONS),
    **dict.fromkeys(("G0821", "G0822"), _OPTIONS),
    **dict.fromkeys(("G0901", "G0902", "G0903", "G0904", "G0905"), _OUTSIDE),
}


def test_every_code_has_a_fix_or_a_reason_for_having_none() -> None:
    texts = [text for path in SPECIFICATIONS for text in programs(path)]
    texts += [MODEL.replace(good, bad) for good, bad, *_ in CASES]
    texts += [FLOCK.replace(good, bad) for good, bad, *_ in FLOCK_CASES]
    texts += OTHERS.values()
    mended = {
        mended.code
        for text in texts
        for mended, fix in all_fixes(read(text))
        if not fix.title.startswith("Allow ")
    } | {mended.code for analysis, mended in found_by_running() if fixes(analysis, mended)}

    assert set(CODES) == mended | set(WITHOUT)
    assert set() == mended & set(WITHOUT)
    assert set(FIXERS) <= mended


# One by one

#: What stands in the model, what is written there instead, the title of a fix, and what it makes of it.
CASES = [
    # Words
    ("Action = walk", "Action = wlak", "Write `walk` instead of `wlak`", "Action = walk"),
    (
        "Walker.at = road;",
        "Walkr.at = road;",
        "Write `Walker` instead of `Walkr`",
        "Walker.at = road;",
    ),
    ("Walker.at = road;", "Walker.att = road;", "Write `at` instead of `att`", "Walker.at = road;"),
    ("EF away", "EF awya", "Write `away` instead of `awya`", "EF away"),
    ("EF away", "EF TRUE", "Write `true` instead of `TRUE`", "EF true"),
    ("EF away", "EFaway", "Write `EF away` instead of `EFaway`", "EF away"),
    ("Other :", "otherwise :", "Write `Other` instead of `otherwise`", "Other :"),
    ("Other :", "Otehr :", "Write `Other` instead of `Otehr`", "Other :"),
    ("steps : 0..3", "steps : 3..0", "Write `0..3` instead of `3..0`", "steps : 0..3"),
    ("tired : boolean", "tired : bolean", "Write `boolean` instead of `bolean`", "tired : boolean"),
    ("Walker.at = road;", "at = road;", "Write `Walker.at`", "Walker.at = road;"),
    ("EF away", "EF (at = road)", "Write `Walker.at`", "EF (Walker.at = road)"),
    (
        "EF away",
        "EF tired",
        "Write `Walker.tired = true` instead of `tired`",
        "EF Walker.tired = true",
    ),
    ("K(Walker", "K(crew", "Write `GK`: everybody in `crew`", "GK(crew"),
    ("Vars:\n    at", "Var:\n    at", "Write `Vars` instead of `Var`", "Vars:\n    at"),
    (
        "Evaluation\n  away",
        "Evalution\n  away",
        "Write `Evaluation` instead of `Evalution`",
        "Evaluation\n  away",
    ),
    # Signs
    ("EF away;", "EF away", "Add the missing `;`", "EF away;"),
    ("K(Walker, away));", "K(Walker, away);", "Add the missing `)`", "K(Walker, away));"),
    ("{ walk, wait };\n  P", "{ walk wait };\n  P", "Add the missing `,`", "{ walk, wait };\n  P"),
    ("at = home :", "at == home :", "Write `at = home : { walk, wait }`", "at = home :"),
    ("EF away", "EF ¬away", "Write `EF !away`", "EF !away"),
    ("EF away;", "EF away; // soon", "Write a comment with `--`", "EF away; -- soon"),
    (
        "EF away;",
        "EF away; /* soon\n   and later */",
        "Write a comment with `--`",
        "EF away; -- soon\n   -- and later",
    ),
    ("{ home, road }", '{ "home", road }', 'Write `home` instead of `"home"`', "{ home, road }"),
    ("at = road and", "Walker.at = road and", "Leave `Walker.` out", "at = road and"),
    (
        "tired = true if",
        "tired = steps > 1 if",
        "Put the condition in brackets",
        "tired = (steps > 1) if",
    ),
    (
        "  EF away;",
        "  EF away expcet true;",
        "Write `expect` instead of `expcet`",
        "  EF away expect true;",
    ),
    ("Actions = {", "Actions : {", "Write `=` instead of `:`", "Actions = {"),
    (
        "steps = 1 and Action",
        "steps = 1 adn Action",
        "Write `and` instead of `adn`",
        "steps = 1 and Action",
    ),
    # Sections
    (
        "  end Vars\n  Actions",
        "  Actions",
        "Close the section with `end Vars`",
        "  end Vars\n  Actions",
    ),
    (
        "end Vars\n  Actions",
        "end Vasr\n  Actions",
        "Write `end Vars` instead of `end Vasr`",
        "end Vars\n  Actions",
    ),
    ("end Vars\n  Actions", "end\n  Actions", "Write `end Vars`", "end Vars\n  Actions"),
    ("end Vars\n  Actions", "Vars\n  Actions", "Write `end Vars`", "end Vars\n  Actions"),
    ("end Protocol", "edn Protocol", "Write `end` instead of `edn`", "end Protocol"),
    ("end Agent\n\nEval", "\nEval", "Close the section with `end Agent`", "end Agent\n\nEval"),
    (
        "  away if Walker.at = road;\nend Evaluation",
        "end Evaluation\n\nEvaluation\n  away if Walker.at = road;\nend Evaluation",
        "Join the two `Evaluation` sections",
        "  away if Walker.at = road;\nend Evaluation\n",
    ),
    (
        "steps = 0 and Walker",
        "steps = 0; Walker",
        "Join the conditions with `and`",
        "steps = 0 and Walker",
    ),
    # Names
    ("Other : { wait }", "Other : { wait, rest }", "Declare the action `rest` in `Walker`", None),
    ("at = road and", "at = hill and", "Add `hill` to the values of `at`", None),
    ("steps = 1 if", "steps = 4 if", "Widen the range of `steps` to 0..4", None),
    (
        "EF away;",
        "EF rested;",
        "Define the proposition `rested`",
        None,
    ),
    ("K(Walker", "DK(team", "Define the group `team`", None),
    (
        "tired = true if",
        "tired = true if Environment.level = 1 and",
        "Let `Walker` observe `level`",
        None,
    ),
    ("tired : boolean;", "X : boolean;\n    tired : boolean;", "Call it `x_` instead of `X`", None),
    ("{ home, road };", "{ home, road, tired };", "Call it `tired_`", None),
    # Protocols
    (
        "    Other : { wait };\n",
        "",
        "Add `Other : { walk, wait };`",
        "    Other : { walk, wait };\n",
    ),
    (
        "    Other : { wait };\n",
        "",
        "Add a protocol line for `at = road`",
        "    at = road : { walk, wait };\n",
    ),
    ("walk, wait };\n  P", "walk, wait, rest };\n  P", "Add `rest` to the line `Other`", None),
    (
        "walk, wait };\n  P",
        "walk, wait, rest };\n  P",
        "Remove the action `rest`",
        "walk, wait };\n  P",
    ),
    # What is there twice
    (
        "tired : boolean;",
        "tired : boolean;\n    steps : 0..7;",
        "Remove the second declaration of `steps`, which does not count",
        "tired : boolean;",
    ),
    (
        "    Other : { wait };",
        "    Other : { wait };\n    Other : { walk };",
        "Join the two `Other` lines",
        "    Other : { wait, walk };",
    ),
    ("{ home, road }", "{ home, road, home }", "Remove what is listed again", "{ home, road }"),
    ("steps = 1 if", "steps = 1 and at = home if", "Remove `at = home`", "steps = 1 if"),
    # Values
    (
        "steps = 1 and Action",
        "tired < true and Action",
        "Compare with `=`",
        "tired = true and Action",
    ),
    (
        "steps = 1 if at",
        "steps = (steps / 2) mod 2 if at",
        "Divide with `div`, without a remainder",
        "steps = (steps div 2) mod 2 if at",
    ),
    (
        "steps = 1 if",
        "steps = tired + 1 if",
        "Count it as 1 or 0: `number(tired)`",
        "steps = number(tired) + 1 if",
    ),
    # Formulae
    ("EF away;", "CTL* F away;", "Write `A`: it is about all paths", "CTL* A (F away);"),
    (
        "EF away;",
        "CTL* A (G away -> F away);",
        "Add the brackets with which it is read",
        "CTL* A ((G away) -> F away);",
    ),
    ("EF away;", "EF[3,1] away;", "Write `[1,3]` instead of `[3,1]`", "EF[1,3] away;"),
    (
        "EF away;",
        "go : EF away;\n  go : AF away;",
        "Call it `go_2`",
        "go : EF away;\n  go_2 : AF away;",
    ),
    (
        "EF away;",
        "for i : 1..2:\n    go : EF Walker.steps = i;\n  end for",
        "Write `go[i]` instead of `go`",
        "for i : 1..2:\n    go[i] : EF Walker.steps = i;\n  end for",
    ),
    # Comments that are read
    ("Groups\n", "--! lost\nGroups\n", "Make it an ordinary comment", "-- lost\nGroups\n"),
    ("Groups\n", "--! lost\nGroups\n", "Remove the comment", "Groups\n"),
    ("Groups\n", "--! allow G0499\nGroups\n", "Remove `G0499`, which says nothing", "Groups\n"),
    # And what is rarer
    ("EF away;", "EF at = road;", "Write `Walker.at`", "EF Walker.at = road;"),
    ("  EF away;", "  go EF away;", "Put `:` behind the name", "  go : EF away;"),
    ("  EF away;", "  go = EF away;", "Write `:` instead of `=`", "  go : EF away;"),
    ("end Protocol", "End Protocol", "Write `end` instead of `End`", "end Protocol"),
    (
        "Agent Environment",
        "Semantics = MultiAssignmnt;\nAgent Environment",
        "Write `MultiAssignment` instead of `MultiAssignmnt`",
        None,
    ),
    (
        "steps : 0..3;",
        "pas_é : 0..3;\n    steps : 0..3;",
        "Write `pas_e` instead of `pas_é`, everywhere",
        None,
    ),
    (
        "steps : 0..3;",
        "_x : 0..3;\n    steps : 0..3;",
        "Write `x` instead of `_x`, everywhere",
        None,
    ),
    (
        "level = level + 1 if",
        "level = level × 1 if",
        "Write `level = level * 1 if level < 3`",
        None,
    ),
    (
        "walk, wait };\n  P",
        "walk, wait, walk };\n  P",
        "Remove the second `walk`",
        "walk, wait };\n  P",
    ),
    (
        "  Actions = { walk, wait };",
        "  Actions = { walk };\n  Actions = { wait };",
        "Join the two `Actions` sections",
        "  Actions = { walk, wait };",
    ),
    (
        "    tired : boolean;\n  end Vars",
        "  end Vars\n  Vars: tired : boolean; end Vars",
        "Join the two `Vars` sections",
        "  tired : boolean; end Vars",
    ),
    (
        "    tired : boolean;\n  end Vars",
        "  end Vars\n  Obsvars: -- mood\n    tired : boolean;\n  end Obsvars",
        "Declare them in `Vars`",
        "    -- mood\n    tired : boolean;\n  end Vars",
    ),
    (
        "level < 3",
        "level < 3 and Walker.walk",
        "Write `Walker.Action = walk` instead of `Walker.walk`",
        None,
    ),
    (
        "level < 3",
        "level < 3 and Walker.action = walk",
        "Write `Walker.Action` instead of `Walker.action`",
        None,
    ),
    (
        "level = level + 1 if",
        "level = level + 1 if Environment.Action = tick and",
        "Declare the action `tick` in `Environment`",
        None,
    ),
    (
        "    at = home : {",
        "    steps = 1 and steps = 2 : { walk };\n    at = home : {",
        "Remove the line, which has no effect",
        "    at = home : {",
    ),
    (
        "  crew = {",
        "  crew = { };\n  crew = {",
        "Remove the first definition of `crew`, which does not count",
        "  crew = {",
    ),
]


@pytest.mark.parametrize(("good", "bad", "title", "mended"), CASES, ids=lambda value: None)
def test_what_fixes_write(good: str, bad: str, title: str, mended: str | None) -> None:
    assert good in MODEL
    analysis = read(MODEL.replace(good, bad, 1))
    offered = {fix.title: fix for _, fix in all_fixes(analysis)}

    assert title in offered
    text = changed(analysis.text, offered[title].changes)
    if mended is not None:
        assert text == MODEL.replace(good, mended, 1)
    assert not any(item.is_error for item in read(text).diagnostics)


def test_the_environment_moves_with_its_comments_and_below_those_of_the_file() -> None:
    about, environment = "-- about the file\n", "-- the hill\nAgent Environment"
    agents = MODEL.replace("Agent Environment", environment, 1).split("\n\n", 2)
    moved = about + "\n\n".join((agents[1], agents[0], agents[2]))
    analysis = read(moved)
    found = [fix for mended, fix in all_fixes(analysis) if mended.code == "G0411"]

    assert about + "\n\n".join(agents) == changed(moved, found[0].changes)


# What only a check finds

RACE = """\
Agent P
  Vars:
    x : 0..3;
    y : 0..3;
  end Vars
  Actions = { a };
  Protocol:
    Other : { a };
  end Protocol
  Evolution:
    x = x + 1 if x < 3;
    y = y + 1 if y < 3;
  end Evolution
end Agent

InitStates
  P.x = 0 and P.y = 0;
end InitStates

Formulae
  EF P.x = 3;
end Formulae
"""
STUCK = RACE.replace("Other :", "x <> 7 :").replace("x : 0..3", "x : int")
#: Whether it comes to 7 is hard to say.
STUCK = STUCK.replace("x = x + 1 if x < 3", "x = x * x + 1 if true")


def found_by_running() -> list[tuple[Analysis, Diagnostic]]:
    """Return what is only found when a model is checked, with its text."""
    found = list(gnomon.load_text(RACE).check().diagnostics)
    perhaps = gnomon.load_text(STUCK).check(engine="abstraction").diagnostics
    stuck = [each for each in perhaps if each.code == "G0812"]
    return [*((read(RACE), each) for each in found), *((read(STUCK), each) for each in stuck)]


def test_what_a_check_finds_can_be_mended() -> None:
    written = {
        (diagnostic.code, fix.title): changed(analysis.text, fix.changes)
        for analysis, diagnostic in found_by_running()
        for fix in fixes(analysis, diagnostic)
    }

    assert {
        ("G0416", "Use `Semantics = SingleAssignment`"): f"Semantics = SingleAssignment;\n{RACE}",
        ("G0416", "Allow `G0416` in this file"): f"--! allow G0416\n{RACE}",
        ("G0812", "Add `Other : { a };`"): STUCK.replace(
            "{ a };\n  end", "{ a };\n    Other : { a };\n  end"
        ),
        ("G0812", "Allow `G0812` in this file"): f"--! allow G0812\n{STUCK}",
    } == written


# Any number of agents

FLOCK = """\
Types
  Place : { hall, cellar };
end Types

Relations
  Near : Place * Place;
end Relations

Environment
  Sync = { enter };
  Protocol:
    true : { enter };
  end Protocol
end Environment

Template Robot
  Vars:
    room : Place;
  end Vars
  Sync = { enter };
  Protocol:
    Near(room, cellar) : { enter };
  end Protocol
  Evolution:
    room = cellar if Action = enter;
  end Evolution
end Template

Evaluation
  down if exists r : Robot (r.room = cellar);
end Evaluation

InitStates
  Robot.room = hall;
end InitStates

Formulae
  AG !down;
end Formulae
"""
FLOCK_CASES = [
    ("Near(room", "Naer(room", "Write `Near` instead of `Naer`", "Near(room"),
    ("Near(room", "Near(Robot.room", "Write `room` instead of `Robot.room`", "Near(room"),
    (
        "enter };\n  Protocol:\n    Near",
        "enter, go };\n  Protocol:\n    Near",
        "Move `go` to `Actions`",
        None,
    ),
]
#: Families and constants: whole programs, by what is said of them.
OTHERS = {
    "G0503": MODEL.replace("0..3", "0..mots").replace(
        "Agent Environment", "Constants\n  most = 3;\nend Constants\n\nAgent Environment"
    ),
    "G0504": MODEL.replace("Walker.steps = 0", "forall i : 0..(3 / 2) (Walker.steps <= i)"),
}


@pytest.mark.parametrize(("good", "bad", "title", "mended"), FLOCK_CASES)
def test_what_fixes_write_with_templates(
    good: str, bad: str, title: str, mended: str | None
) -> None:
    assert good in FLOCK
    analysis = read(FLOCK.replace(good, bad, 1))
    offered = {fix.title: fix for _, fix in all_fixes(analysis)}

    assert title in offered
    text = changed(analysis.text, offered[title].changes)
    if mended is not None:
        assert text == FLOCK.replace(good, mended, 1)
    assert not any(item.is_error for item in read(text).diagnostics)


@pytest.mark.parametrize("code", OTHERS)
def test_constants_and_their_quotients_are_mended(code: str) -> None:
    analysis = read(OTHERS[code])
    found = [fix for mended, fix in all_fixes(analysis) if mended.code == code]

    assert found
    text = changed(analysis.text, found[0].changes)
    assert (
        Counter(item.code for item in read(text).diagnostics)[code]
        < Counter(item.code for item in analysis.diagnostics)[code]
    )


# Allowing


def warned(text: str) -> tuple[Analysis, Diagnostic]:
    analysis = read(text)
    return analysis, next(item for item in analysis.diagnostics if not item.is_error)


def test_a_warning_is_allowed_at_the_top_or_behind_what_is_allowed() -> None:
    idle = MODEL.replace("steps = 1 and Action", "steps < 9 and Action")
    head = "-- a model\n  --! allow G0408\n"
    for text, before in ((idle, ""), (head + idle, head)):
        allowing = fixes(*warned(text))[-1]
        added = "  --! allow G0401\n" if before else "--! allow G0401\n"

        assert "Allow `G0401` in this file" == allowing.title
        assert before + added + idle == changed(text, allowing.changes)


def test_what_a_file_denies_is_not_allowed() -> None:
    text = "--! deny G0401\n" + MODEL.replace("steps = 1 and Action", "steps < 9 and Action")

    analysis = read(text)
    [said] = analysis.diagnostics

    assert said.is_error
    assert () == fixes(analysis, said)


def test_errors_cannot_be_allowed() -> None:
    analysis = read(MODEL.replace("EF away", "EF awya"))
    found = [fix.title for fix in fixes(analysis, analysis.diagnostics[0])]

    assert ["Write `away` instead of `awya`", "Define the proposition `awya`"] == found


# Expectations


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("EF away;", "true", "EF away expect true;"),
        ("EF away ;  -- soon", "true", "EF away expect true ;  -- soon"),
        ("EF away expect false;", "true", "EF away expect true;"),
        ("go : EF away expect false;", "undefined", "go : EF away expect undefined;"),
        ("--! go expect false\n  EF away;", "true", "--! go expect true\n  EF away;"),
        (
            "--! expect  false\n  -- why\n  EF away;",
            "true",
            "--! expect  true\n  -- why\n  EF away;",
        ),
        ("--! go\n  EF away;", "true", "--! go\n  EF away expect true;"),
        ("LTL F away;", "false", "LTL F away expect false;"),
        ("EF away\n    expect\n    false;", "true", "EF away\n    expect\n    true;"),
    ],
)
def test_what_is_expected_is_written_where_it_stands(before: str, value: str, after: str) -> None:
    analysis = read(MODEL.replace("EF away;", before))
    change = expectation_change(analysis, analysis.written[0], value)

    assert change is not None
    text = changed(analysis.text, [change])
    assert MODEL.replace("EF away;", after) == text
    assert value == read(text).written[0].line.annotation.expected


def test_what_is_expected_already_changes_nothing() -> None:
    analysis = read(MODEL.replace("EF away;", "EF away expect true;"))

    assert expectation_change(analysis, analysis.written[0], "true") is None
    assert expectation_change(analysis, analysis.written[0], "unknown") is None


# Programs that somebody spoils


@cache
def good_programs() -> list[str]:
    texts = (path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.rglob("*.ispl")))
    return [text for text in texts if len(text) < 4_000]


def spoilt(text: str, random: Random) -> str:
    """Return a text with a token too few, too many, misspelt or in the wrong place."""
    source = Source("", text)
    tokens = tokenize(source, Diagnostics(source))
    place = random.randrange(len(tokens.texts) - 2)
    start, end = tokens.starts[place], tokens.ends[place]
    word = tokens.texts[place]
    match random.randrange(6):
        case 0 | 1:
            return text[:start] + text[end:]
        case 2 if len(word) > 2:
            cut = random.randrange(len(word) - 1)
            wrong = word[:cut] + word[cut + 1] + word[cut] + word[cut + 2 :]
            return text[:start] + wrong + text[end:]
        case 3:
            return f"{text[:end]} {word}{text[end:]}"
        case 4:
            following = tokens.starts[place + 1], tokens.ends[place + 1]
            other = text[following[0] : following[1]]
            return text[:start] + other + text[end : following[0]] + word + text[following[1] :]
        case _:
            lines = text.splitlines(keepends=True)
            lines.pop(random.randrange(len(lines) - 1))
            return "".join(lines)


@given(seeds)
@examples(400)
def test_fixes_of_spoilt_programs_do_no_harm(seed: int) -> None:
    random = Random(seed)
    text = random.choice(good_programs())
    if random.random() < 0.3:
        text = text.replace("\n", "\r\n")
    for _ in range(random.choice([1, 1, 1, 2])):
        text = spoilt(text, random)
    analysis = read(text)
    for mended, fix in all_fixes(analysis):
        assert [] == harm(analysis, mended, fix), (mended, fix)
        if not re.search(r"(?<!\r)\n", text):
            assert not re.search(r"(?<!\r)\n", changed(text, fix.changes))


def test_preferred_fixes_mend_a_program_step_by_step() -> None:
    bad = MODEL.replace("end Vars\n  Actions", "Actions").replace("EF away;", "EF awya")
    bad = bad.replace("Action = walk;", "Action = wlak").replace("at = home :", "at == home :")
    steps = 0
    while True:
        analysis = read(bad)
        preferred = [fix for _, fix in all_fixes(analysis) if fix.preferred]
        if not preferred:
            break
        bad = changed(bad, preferred[0].changes)
        steps += 1
        assert steps < 10

    assert MODEL == bad


def test_long_texts_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mending, "MOST_CHARACTERS", 10)
    monkeypatch.setattr(mending, "load_source", None)
    analysis = read(MODEL.replace("EF away;", "EF away"))

    assert ["Add the missing `;`"] == [fix.title for _, fix in all_fixes(analysis)]


def test_a_place_beyond_the_text_has_no_fix_that_raises() -> None:
    analysis = read("")
    for code in CODES:
        for span in (None, Span(0, 0)):
            fixes(analysis, Diagnostic(code, "`x`", analysis.source, span))
