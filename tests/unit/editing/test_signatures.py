"""What belongs between brackets: `|` is the cursor in the lines below."""

import pytest

from gnomon.editing.analysis import analyse
from gnomon.editing.signatures import SignatureHelp, signature_at
from gnomon.text.source import Source

PROGRAM = """
Types
  Place : { hall, cellar };
end Types

Relations
  Door : Place * Place;
  Next : Place -> Place;
end Relations

Evaluation
%s
end Evaluation

Formulae
%s
end Formulae
"""

#: A line of `Formulae`, how what it is in is written, and the part of it that the cursor is in.
FORMULAE = r"""
K(| :: K(agent, formula) :: agent
K(Ann, | :: K(agent, formula) :: formula
AG (p -> K(Ann, p and | :: K(agent, formula) :: formula
K(Ann, K(| :: K(agent, formula) :: agent
GK(| :: GK(group, formula) :: group
GCK({ Ann, Bob }, | :: GCK(group, formula) :: formula
GK({ Ann, | :: GK(group, formula) :: group
DK(Child[1], | :: DK(group, formula) :: formula
O(Ann, | :: O(agent, formula) :: formula
A(| :: A(left U right) :: left
A(p U | :: A(left U right) :: right
E(p and q W | :: E(left U right) :: right
<crew>(p | :: <group>(left U right) :: left
AG min(| :: min(a, b, …) :: a
AG min(1, | :: min(a, b, …) :: b
AG max(1, 2, 3, | :: max(a, b, …) :: …
AG abs(| :: abs(a) :: a
AG (number(| :: number(condition) :: condition
forall | :: forall i : low..high where test (formula) :: i
forall i : | :: forall i : low..high where test (formula) :: low
forall i : 1..| :: forall i : low..high where test (formula) :: high
forall i : 1..max(| :: max(a, b, …) :: a
forall i : 1..n where | :: forall i : low..high where test (formula) :: test
forall i : 1..n (| :: forall i : low..high where test (formula) :: formula
exists r : Robot (r.x = | :: exists i : Type where test (formula) :: formula
for i : | :: for i : low..high where test: lines end for :: low
"""

#: The same in `Evaluation`.
CONDITIONS = """
p if Door(| :: Door(Place, Place) :: Place
p if Door(hall, ha|ll) :: Door(Place, Place) :: Place
p if Next(| :: Next(Place) -> Place :: Place
p if Door(Next(hall), | :: Door(Place, Place) :: Place
p if count i : 1..n (| :: count i : low..high where test (condition) :: condition
p if sum i : 1..n where i <> | :: sum i : low..high where test (number) :: test
"""

#: Where there is nothing to say.
NOTHING = (
    "|",
    "AG |",
    "K|",
    "K(Ann, p) |",
    "A(p U q) and |",
    "forall i : 1..n (p) and |",
    "(p and |",
    "-- K(|",
    "Unknown(|",
    "for i : 1..n: |",
)


def asked(evaluation: str, formulae: str) -> SignatureHelp | None:
    text = PROGRAM % (evaluation, formulae)
    offset = text.index("|")
    plain = text[:offset] + text[offset + 1 :]
    return signature_at(plain, offset, analyse(Source("test", PROGRAM % ("", ""))))


def rows(table: str) -> list[tuple[str, ...]]:
    return [tuple(part.strip() for part in line.split("::")) for line in table.strip().splitlines()]


def check(found: SignatureHelp | None, label: str, part: str) -> None:
    assert found is not None
    assert label == found.label
    assert part == found.label[slice(*found.parameters[found.active])]
    assert len(found.parameters) == len(found.stories)
    assert found.documentation.endswith(".")


@pytest.mark.parametrize(("line", "label", "part"), rows(FORMULAE))
def test_operators_of_formulae_say_what_belongs_between_their_brackets(
    line: str, label: str, part: str
) -> None:
    check(asked("", line), label, part)


@pytest.mark.parametrize(("line", "label", "part"), rows(CONDITIONS))
def test_relations_and_counts_say_what_belongs_between_their_brackets(
    line: str, label: str, part: str
) -> None:
    check(asked(line, ""), label, part)


@pytest.mark.parametrize("line", NOTHING)
def test_elsewhere_nothing_is_said(line: str) -> None:
    assert asked("", line) is None


def test_the_second_argument_is_told_from_the_first() -> None:
    found = asked("p if Door(hall, |", "")

    assert found is not None
    assert (1, "Door(Place, ") == (found.active, found.label[: found.parameters[1].start])


def test_of_too_many_arguments_none_is_shown() -> None:
    found = asked("", "AG abs(1, |")

    assert found is not None
    assert found.active == len(found.parameters)
