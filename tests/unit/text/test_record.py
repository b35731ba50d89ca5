import copy
import pickle

import pytest

from gnomon.text.record import Record, replace, same
from gnomon.text.source import NOWHERE, Span


class Point(Record):
    x: int
    y: int = 0


class Other(Record):
    x: int
    y: int = 0


class Placed(Record):
    x: int
    span: Span = NOWHERE


class OnlyPlaced(Record):
    span: Span = NOWHERE


class Empty(Record):
    pass


def test_records_with_the_same_fields_are_equal() -> None:
    assert Point(1, 0) == Point(1)
    assert Point(1) == Point(x=1, y=0)


def test_records_with_other_fields_differ() -> None:
    assert Point(1) != Point(2)
    assert Point(1) != Point(1, 1)


def test_records_of_other_kinds_differ() -> None:
    assert Point(1) != Other(1)
    assert Point(1) != (1, 0)
    assert Empty() != OnlyPlaced()


def test_places_take_no_part_in_comparisons() -> None:
    assert Placed(1, Span(0, 1)) == Placed(1, Span(5, 9))
    assert hash(Placed(1, Span(0, 1))) == hash(Placed(1, Span(5, 9)))
    assert OnlyPlaced(Span(0, 1)) == OnlyPlaced(Span(5, 9))


def test_equal_records_have_equal_hashes() -> None:
    assert hash(Point(1)) == hash(Point(1, 0))
    assert 2 == len({Point(1), Point(1, 0), Other(1)})
    assert 1 == len({Empty(), Empty()})


def test_true_and_one_are_told_apart_by_type_of_record_only() -> None:
    # As in any dataclass: Python takes True and 1 for the same.
    assert Point(True) == Point(1)


@pytest.mark.parametrize("name", ["x", "y", "z"])
def test_a_record_is_frozen(name: str) -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="frozen"):
        setattr(point, name, 3)
    with pytest.raises(AttributeError, match="frozen"):
        delattr(point, name)
    assert Point(1) == point


def test_a_record_has_no_room_for_more_fields() -> None:
    assert not hasattr(Point(1), "__dict__")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_record_survives_being_sent_to_another_process(protocol: int) -> None:
    sent = Placed(1, Span(3, 4))
    received = pickle.loads(pickle.dumps(sent, protocol))

    assert sent == received
    assert Span(3, 4) == received.span


def test_a_record_can_be_copied() -> None:
    record = Placed(1, Span(3, 4))

    assert record == copy.copy(record)
    assert Span(3, 4) == copy.deepcopy(record).span


def test_a_record_shows_its_fields_but_no_places() -> None:
    assert "Point(x=1, y=0)" == repr(Point(1))
    assert "Placed(x=1)" == repr(Placed(1, Span(3, 4)))
    assert "Empty()" == repr(Empty())


def test_a_record_can_be_matched_by_position() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (1, 2) == (x, y)


def test_replace_changes_some_fields_and_keeps_the_others() -> None:
    before = Placed(1, Span(3, 4))
    after = replace(before, x=2)

    assert Placed(2) == after
    assert Span(3, 4) == after.span
    assert Placed(1) == before


def test_replace_knows_the_fields() -> None:
    with pytest.raises(TypeError):
        replace(Point(1), z=2)


@pytest.mark.parametrize("arguments", [(), (1, 2, 3)])
def test_the_number_of_fields_is_checked(arguments: tuple[int, ...]) -> None:
    with pytest.raises(TypeError):
        Point(*arguments)


class Node(Record):
    below: "tuple[Node, ...]"
    value: object = None
    span: Span = NOWHERE


def deep(depth: int, value: object) -> Node:
    node = Node((), value)
    for place in range(depth):
        node = Node((node, Node((), place, Span(place, place + 1))))
    return node


def test_trees_are_the_same_however_deep_they_are() -> None:
    assert same(deep(50_000, 1), deep(50_000, 1))
    assert not same(deep(50_000, 1), deep(50_000, 2))
    assert not same(deep(10, 1), deep(11, 1))


def test_trees_of_other_kinds_or_lengths_differ() -> None:
    assert not same(Point(1), Other(1))
    assert not same(Point(1), (1, 0))
    assert not same((1, 0), Point(1))
    assert not same((1, 2), (1, 2, 3))
    assert not same(None, Point(1))
    assert same((Placed(1, Span(0, 1)), "x"), (Placed(1, Span(5, 9)), "x"))


class Farther(Point, Record):
    x: int
    y: int = 0
    z: int = 0


def test_a_record_may_be_derived_from_another() -> None:
    assert isinstance(Farther(1), Point)
    assert Farther(1, 2, 3) == Farther(1, 2, 3)
    assert Farther(1, 2, 3) != Farther(1, 2)
    assert Farther(1, 2) != Point(1, 2)


def test_records_are_told_from_anything_else() -> None:
    assert isinstance(Point(1), Record)
    assert not isinstance((1, 0), Record)


def test_the_classes_of_records_are_plain_so_that_matching_is_quick() -> None:
    assert type(Point) is type


def test_fields_that_would_get_no_place_are_refused() -> None:
    with pytest.raises(TypeError, match="derive it from `Record`, too"):

        class Lost(Point):
            z: int = 0
