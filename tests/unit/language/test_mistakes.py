"""What people write who come from other languages, and the hint they get."""

import pytest

from gnomon.checking.load import load_text
from tests.laws.watch import time_limit
from tests.unit.language.test_recovery import spoil


@pytest.mark.parametrize(
    ("before", "after", "hint"),
    [
        ("x < 3 : { go };", "x == 3 : { go };", "single `=`"),
        ("x = x + 1 if Action", "x := x + 1 if Action", "assigns with `=`"),
        ("Action = go and x < 3;", "Action = go && x < 3;", "`and`"),
        ("Action = go and x < 3;", "Action = go || x < 3;", "`or`"),
        ("Action = go and x < 3;", "Action = go AND x < 3;", "`and`"),
        ("Action = go and x < 3;", "x = 3 then x = 1;", "guard last"),
        ("x = x + 1 if Action", "x = x >= 1 if Action", "in brackets"),
        ("top if P.x = 3;", "top if P.x = 3; // comment", "`--`"),
        ("top if P.x = 3;", "/* comment */ top if P.x = 3;", "`--`"),
        ("EF top;", "top => low;", "`->`"),
        ("EF top;", "AG (not top);", "`!`"),
        ("EF top;", "by-pass : EF top;", "one word"),
        ("EF top;", "2nd : EF top;", "one word"),
        ("EF top;", "reach EF top;", "with a colon"),
        ("EF top;", "reach = EF top;", "with a colon"),
        ("EF top;", "EF top expect true expect true;", "once"),
        ("EF top;", "top && low;", "`and`"),
        ("x : 0..3;", "x : bool;", "`boolean`"),
        ("x : 0..3;", "x : Boolean;", "`boolean`"),
        ("x : 0..3;", "x : integer;", "`int`"),
        ("Actions = { go, stay };", "Actions : { go, stay };", "`=`"),
        ("  Vars:\n", "  Vars =\n", "`:`"),
        ("Evaluation\n", "evaluation\n", "`Evaluation`"),
        ("Formulae\n", "Formulas\n", "`Formulae`"),
        ("InitStates\n", "InitState\n", "`InitStates`"),
        ("  Obsvars:\n", "  ObsVars:\n", "`Obsvars`"),
        ("Environment.h = 1", "h = 1", "`Environment.h`"),
        ("P.c = red", "P.c = Red", "`red`"),
        ("K(P, top)", "K(p, top)", "`P`"),
        ("K(P, top)", "K(g, top)", "`GK`"),
        ("EF top;", "EF tpo;", "`top`"),
        ("EF top;", "G top;", "`AG`"),
        ("EF top;", "A (G top);", "`AG`"),
        ("low if P.x < 1;", "low if x < 1;", "`P.x`"),
        ("low if P.x < 1;", "low if P.Action = go;", "Evolution"),
    ],
)
def test_the_first_message_about_a_mistake_gives_this_hint(
    before: str, after: str, hint: str
) -> None:
    text = spoil((before, after))
    with time_limit(5, text):
        found = [item for item in load_text(text).diagnostics if item.is_error]

    assert found
    assert hint in " ".join([found[0].message, found[0].label, *found[0].notes, found[0].help])
