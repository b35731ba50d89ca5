"""What every piece of a program is, by our own lexer and parser: the measure of grammars that colour it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import pytest

from gnomon.language import lexer, syntax, words
from gnomon.language.parse import parse
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.record import walk
from gnomon.text.source import Source, Span
from tests.support import EXAMPLES, shared_model_files

Sort: TypeAlias = Literal["comment", "remark", "word", "name", "number", "sign"]

#: Names that everybody has, and words for that reason.
EITHER = frozenset(["Environment", *words.words("group")])
OURS = frozenset(words.contextual(*words.CONTEXTUAL))


class Piece(NamedTuple):
    """A token or a comment."""

    start: int
    end: int
    text: str
    sort: Sort


def programs() -> dict[str, Path]:
    """Return the files that all grammars are tried on, by names for `parametrize`."""
    shared = [*shared_model_files("**/*.ispl"), *shared_model_files("**/*.pmas")]
    found = [*sorted(EXAMPLES.rglob("*.ispl")), *shared]
    return {f"{path.parent.name}/{path.name}": path for path in found}


def read_program(path: Path) -> str:
    """Return the text of a program; one that cannot be read says nothing about what words mean."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if parse(Source(path.name, text)).diagnostics.has_errors:
        pytest.skip("no program")
    return text


def pieces(text: str) -> list[Piece]:
    """Return all tokens and comments of a valid program, in their order."""
    source = Source("test.ispl", text)
    parsed = parse(source)
    assert not parsed.diagnostics.has_errors, parsed.diagnostics.items[0].message
    tokens = lexer.tokenize(source, Diagnostics(source))
    named = set(names(parsed.program))
    found = [*comments(tokens)]
    for kind, token, *place in zip(
        tokens.kinds, tokens.texts, tokens.starts, tokens.ends, strict=True
    ):
        if token:
            span = Span(*place)
            found.append(
                Piece(*span, token, sort(kind, token, is_name=(span.start, token) in named))
            )
    return sorted(found)


def agrees(piece: Piece, found: str) -> bool:
    """Return whether a piece may be coloured like that."""
    either = piece.text in EITHER and piece.sort in ("name", "word")
    return found == piece.sort or (either and found in ("name", "word"))


def sort(kind: str, token: str, *, is_name: bool) -> Sort:
    """Return what a token is; a word that may be a name is one where the tree has it as one."""
    if kind == "number":
        return "number"
    if not token[0].isalpha():
        return "sign"
    if kind == "name" and token not in OURS:
        return "name"
    optional = kind == "name" or token in words.FORMULA_WORDS
    return "name" if optional and is_name else "word"


def names(program: syntax.Program) -> Iterator[tuple[int, str]]:
    """Yield all names of a program with their places."""
    functions = {
        applied.relation.span
        for applied in walk(program)
        if isinstance(applied, syntax.Application) and applied.relation.text in syntax.FUNCTIONS
    }
    for node in walk(program):
        match node:
            case syntax.Name(text, span=span):
                if span not in functions and node is not program.semantics_word:
                    yield span.start, text
            case syntax.Binder(text, span=span) | syntax.Constant(text, span=span):
                yield span.start, text
            case _:
                pass


def comments(tokens: lexer.Tokens) -> Iterator[Piece]:
    """Yield the comments, which stand between tokens."""
    text = tokens.source.text
    remarks = {span for _, span in tokens.remarks}
    for start, end in zip([0, *tokens.ends], [*tokens.starts, len(text)], strict=True):
        for match in re.compile(r"--[^\n]*").finditer(text, start, end):
            span = Span(*match.span())
            yield Piece(*span, match.group(), "remark" if span in remarks else "comment")


#: Every word of our own is the name of something here, and so are those of formulae where that is allowed.
NAMES_AS_WORDS = """
Agent Template
  Vars:
    mod : 0..3; div : 0..3; xor : boolean; in : boolean; then : boolean; else : boolean;
    where : 0..3; for : 0..3; forall : boolean; exists : boolean; sum : 0..3; count : 0..3;
    min : 0..3; max : 0..3; abs : 0..3; number : 0..3; int : 0..3; expect : boolean;
    undefined : boolean; allow : boolean; deny : boolean; W : boolean; R : { A, E, X, K, AG };
    Types : 0..3; Axioms : boolean; Sync : boolean; Constants : 0..1;
  end Vars
  Actions = { Sync, Template, some, one, all, with, Types, Interleaved };
  Protocol:
    mod = 1 and in = true: { Sync, Template };
    R = A or R = K: { some, one, all, Types, Interleaved };
    Other: { Sync };
  end Protocol
  Evolution:
    mod = div if Action = Sync and div <> mod;
    for = mod + 1 if mod < 3 and where = 2 and Action = some;
    then = else if xor = true and W = false and Action = all;
    R = X if min = max and abs > number and Action = Template;
    sum = count if forall = exists and expect = false and Action = one;
    Types = Constants if Axioms = true and Action = Types;
    int = (where - 1) if where > 0 and Action = Interleaved;
  end Evolution
end Agent
Evaluation
  for if Template.mod = 1;
  in if Template.in = true;
  W if Template.W = true;
  R if Template.R = AG;
  expect if Template.expect = true;
  Types if Template.Types = 1;
end Evaluation
InitStates
  Template.mod = 1 and Template.in = true and Template.R = E;
end InitStates
Groups
  all = { Template };
  one = { Template };
end Groups
Formulae
  AG (for -> in);
  <all>F expect;
  E(W U R);
  A(W W R);
  A(R R W);
  K(Template, in and W);
  GK(one, Types);
  expect: AF expect expect true;
end Formulae
"""

#: Every word of our own means something here.
WORDS_AS_WORDS = """
Semantics = Interleaved;
Constants n = 3;
Types
  Colour : { red, green, blue };
end Types
Definitions
  low := min(Ann.x, Bob.x, abs(-1)) in { 0, 1..2 };
  high := if low then 0 else
    if Ann.x = 1 then 1
    else if max(Ann.x, 2) = 2 then 2 else number(low);
end Definitions
Relations
  next : Colour * Colour;
end Relations
Axioms forall a, b : Colour (next(a, b) -> !(a = b)); end Axioms
Predicates
  Ann.x = 1;
end Predicates
Template Bee [1..*]
  Vars: x : 0..n; end Vars
  Actions = { sip, hum, fly };
  Sync = { sip : some, hum : one, fly : all, land : all with sip };
  Protocol: Other : { sip, hum, fly }; end Protocol
  Evolution: x = 1 if Action = sip; end Evolution
end Template
Agent Environment
  Obsvars:
    t : 0..n = 0;
  end Obsvars
  Actions = { tick };
  Protocol: Other : { tick }; end Protocol
  Evolution:
    t = if t < n then t + 1 else 0 if Action = tick;
  end Evolution
end Agent
Agent Ann
  Vars:
    x : 0..n; c : Colour; k :   int;
    for i : 1..n:
      y[i] : boolean;
    end for
  end Vars
  RedStates: x = 2 xor y[1] = true; end RedStates
  Actions = { go };
  Protocol: Other : { go }; end Protocol
  Evolution:
    x = x mod if x > 1 then 2 else 1 if x div 2 = 1 and Action = go;
    for i : 1..n where i <> 2: y[i] = true if (exists j : 1..n (y[j] = false)); end for
    k = k + 1 if forall j : 1..n where
      j > 1 (y[j] = true) and sum j : 1..n (j) > 3;
  end Evolution
end Agent
Agent Bob
  Vars: x : 0..n; end Vars
  Lobsvars = { };
  Actions = { go };
  Protocol: x mod 2 = 1 and count j : 1..n (x > j) > 1 : { go }; Other : { go }; end Protocol
  Evolution: x = 0 if Environment.t in { 1, 2 } and Ann.Action = go; end Evolution
end Agent
Evaluation
  p if Ann.x = 1 xor Bob.x = 2;
  for i : 1..n: q[i] if Ann.x = i; end for
end Evaluation
InitStates Ann.x = 0 and Bob.x = 0 and Ann.k = 0 and Ann.c = red; end InitStates
TerminalStates: Ann.x = n; end TerminalStates
Groups crew = { Ann, Bob }; rest = all \\ { Ann }; end Groups
Fairness p or q[1]; end Fairness
Formulae
  A(p W q[1]) expect undefined;
  named: E (p R <=3 q[2]) expect
    true;
  --! remarked expect false
  LTL G (p xor q[1]) W (p R p);
  CTL* A (p W<=4 q[1] and F[1, 2] p);
  for i : 1..n: each[i]: <all \\ { Bob }>F q[i]; end for
  forall i : 1..n where i > 1 ([[all]]F (Ann.x mod 2 = 1 or Ann.x = i) -> GK(all, q[i])) expect true;
end Formulae
"""
