"""What names mean, beside what the program says of itself."""

from pathlib import Path

import pytest

from gnomon.editing.analysis import Analysis, analyse
from gnomon.editing.edits import changed
from gnomon.editing.rename import RenameRefused, rename
from gnomon.editing.symbols import Occurrence, Symbol, SymbolKind
from gnomon.text.source import Source

EXAMPLES = sorted(Path("examples").rglob("*.ispl"))

FAMILY = """
Semantics = Interleaved;
Constants n = 2; end Constants
Definitions
  busy[i : 1..n] := Worker[i].load > 0;
  top := n - 1;
end Definitions
Agent Worker[i : 1..n]
  Vars:
    load : 0..n;
    colour : { red, green };
  end Vars
  Actions = { work, rest[k : 1..2] };
  Protocol:
    load < n : { work };
    Other : { rest[1], rest[2] };
  end Protocol
  Evolution:
    load = load + 1 if Action = work and load < n;
    for k : 1..2: colour = green if Action = rest[k]; end for
  end Evolution
end Agent
Agent Boss
  Vars: load : boolean; end Vars
  Actions = { work };
  Protocol: Other : { work }; end Protocol
  Evolution: load = true if Worker[1].Action = work; end Evolution
end Agent
Evaluation
  for j : 1..n: idle[j] if Worker[j].load = 0; end for
  late if Boss.load = true and Worker[1].colour = red;
end Evaluation
InitStates
  forall i : 1..n (Worker[i].load = 0 and Worker[i].colour = red) and Boss.load = false;
end InitStates
Groups everybody = { Worker[i : 1..n], Boss }; end Groups
Formulae
  all_idle : AG (forall i : 1..n (idle[i] or busy[i]));
  for i : 1..n: knows[i] : AG K(Worker[i], !late) expect false; end for
  <everybody \\ { Boss }>F late;
end Formulae
"""


def _analysis(text: str) -> Analysis:
    return analyse(Source("a.ispl", text))


def _at(analysis: Analysis, words: str, inside: int = 0) -> Occurrence:
    found = analysis.symbols.at(analysis.text.index(words) + inside)
    assert found is not None

    return found


def test_the_program_for_these_tests_has_no_mistakes() -> None:
    assert () == _analysis(FAMILY).diagnostics


@pytest.mark.parametrize(
    ("words", "inside", "kind", "owner"),
    [
        ("Worker[i].load > 0", 0, SymbolKind.AGENT, ""),
        ("Worker[i].load > 0", 7, SymbolKind.INDEX, ""),
        ("load > 0", 0, SymbolKind.VARIABLE, "Worker"),
        ("load < n", 0, SymbolKind.VARIABLE, "Worker"),
        ("n : { work }", 0, SymbolKind.CONSTANT, ""),
        ("load = true if", 0, SymbolKind.VARIABLE, "Boss"),
        ("green if", 0, SymbolKind.VALUE, ""),
        ("idle[i] or", 0, SymbolKind.PROPOSITION, ""),
        ("busy[i]))", 0, SymbolKind.DEFINITION, ""),
        ("everybody \\", 0, SymbolKind.GROUP, ""),
        ("Boss }>F", 0, SymbolKind.AGENT, ""),
        ("knows[i] :", 0, SymbolKind.FORMULA, ""),
        ("work and load", 0, SymbolKind.ACTION, ""),
        ("rest[k]; end", 0, SymbolKind.ACTION, ""),
    ],
)
def test_a_name_means_what_the_scopes_say(
    words: str, inside: int, kind: SymbolKind, owner: str
) -> None:
    found = _at(_analysis(FAMILY), words, inside).symbol

    assert (kind, owner) == (found.kind, found.owner)


def test_indices_of_different_binders_are_different() -> None:
    analysis = _analysis(FAMILY)
    indices = {symbol for symbol in analysis.symbols.symbols() if symbol.kind is SymbolKind.INDEX}

    assert len({symbol.scope for symbol in indices}) == len(indices)
    assert len(indices) > 6


def test_actions_of_one_name_are_one_where_agents_act_together_by_it() -> None:
    apart = FAMILY.replace("Semantics = Interleaved;", "")
    together = {each.symbol for each in _analysis(FAMILY).symbols.occurrences}
    alone = {each.symbol for each in _analysis(apart).symbols.occurrences}

    assert Symbol(SymbolKind.ACTION, "work") in together
    assert Symbol(SymbolKind.ACTION, "work", "Worker") in alone
    assert Symbol(SymbolKind.ACTION, "work", "Boss") in alone


def test_actions_that_are_stored_are_the_values_of_that_name() -> None:
    text = """
Agent Ann
  Vars: last : { go, stay }; end Vars
  Actions = { go, stay };
  Protocol: Other : { go, stay }; end Protocol
  Evolution: last = Action if true; end Evolution
end Agent
Evaluation gone if Ann.last = go; end Evaluation
InitStates Ann.last = stay; end InitStates
Formulae EF gone; end Formulae
"""
    analysis = _analysis(text)
    [*places] = (each.symbol for each in analysis.symbols.occurrences if each.symbol.name == "go")

    assert () == analysis.diagnostics
    assert {Symbol(SymbolKind.VALUE, "go")} == set(places)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_name_of_an_example_is_declared_and_can_be_changed(path: Path) -> None:
    analysis = _analysis(path.read_text(encoding="utf-8"))
    for symbol in analysis.symbols.symbols():
        assert symbol.name == "Environment" or analysis.symbols.declarations(symbol)

    symbols = list(analysis.symbols.symbols())
    for symbol in symbols[:: len(symbols) // 4]:
        if symbol.name != "Environment":
            offset = analysis.symbols.of(symbol)[0].span.start
            renamed = changed(analysis.text, rename(analysis, offset, "quite_new"))
            assert len(analysis.diagnostics) == len(_analysis(renamed).diagnostics)


def test_nothing_is_left_out_of_what_is_written() -> None:
    """Every name of the program that is no word of the language stands for something."""
    analysis = _analysis(FAMILY)
    named = {each.span.start for each in analysis.symbols.occurrences}
    words = {"n", "Definitions", "Constants", "Interleaved", "for", "forall", "expect"}
    missing = [
        text
        for kind, text, start in zip(
            analysis.tokens.kinds, analysis.tokens.texts, analysis.tokens.starts, strict=True
        )
        if kind == "name" and start not in named and text not in words
    ]

    assert [] == missing


@pytest.mark.parametrize(
    ("words", "new", "why"),
    [
        ("colour", "load", "already"),
        ("late if", "idle", "already"),
        ("Boss", "Worker", "already"),
        ("red", "green", "already"),
        ("colour", "n", "with the name"),
        ("load : 0..n", "Action", "reserved"),
        ("busy", "9lives", "no name"),
        ("idle[j]", "", "no name"),
        ("AG", "x", "no name here"),
    ],
)
def test_a_name_that_would_be_read_otherwise_is_refused(words: str, new: str, why: str) -> None:
    analysis = _analysis(FAMILY)

    with pytest.raises(RenameRefused, match=why):
        rename(analysis, analysis.text.index(words), new)


def test_an_index_is_renamed_in_its_own_scope_only() -> None:
    analysis = _analysis(FAMILY)
    offset = analysis.text.index("j : 1..n: idle")
    text = changed(analysis.text, rename(analysis, offset, "i"))

    assert (
        FAMILY.replace("j : 1..n: idle[j] if Worker[j]", "i : 1..n: idle[i] if Worker[i]") == text
    )


def test_an_index_that_would_catch_another_is_refused() -> None:
    text = FAMILY.replace("idle[i] or busy[i]", "exists j : 1..n (idle[i] or busy[j])")
    analysis = _analysis(text)

    with pytest.raises(RenameRefused):
        rename(analysis, analysis.text.index("j : 1..n (idle"), "i")


POINTING = """
Environment
  Vars:
    owner : Client;
  end Vars
  Sync = { take : one, give : one };
  Protocol:
    owner = none : { take };
    owner.x = true : { give };
  end Protocol
  Evolution:
    owner = Client if Action = take;
    owner = none if Action = give;
  end Evolution
end Environment
Template Client
  Vars: x : boolean; end Vars
  Sync = { take, give };
  Protocol: true : { take }; Environment.owner = self : { give }; end Protocol
end Template
Evaluation held if exists i : Client (Environment.owner = i and i.x = true); end Evaluation
InitStates Client.x = true; end InitStates
Formulae EF held; end Formulae
"""


def test_a_template_is_renamed_where_it_is_pointed_to() -> None:
    analysis = _analysis(POINTING)
    edits = rename(analysis, POINTING.index("Client"), "Guest")
    after = changed(POINTING, edits)

    assert () == analysis.diagnostics
    assert after == POINTING.replace("Client", "Guest")


def test_a_pointer_is_renamed_where_somebody_is_read_through_it() -> None:
    analysis = _analysis(POINTING)
    after = changed(POINTING, rename(analysis, POINTING.index("owner"), "whose"))

    assert after == POINTING.replace("owner", "whose")
