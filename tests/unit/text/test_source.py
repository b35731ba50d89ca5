from gnomon.text.source import NOWHERE, Location, Source, Span


def test_lines_and_columns_count_from_one() -> None:
    assert Location(1, 1) == Source("s", "ab\ncd").location(0)


def test_a_line_end_belongs_to_its_line() -> None:
    assert Location(1, 3) == Source("s", "ab\ncd").location(2)


def test_the_first_character_after_a_line_end_starts_the_next_line() -> None:
    assert Location(2, 1) == Source("s", "ab\ncd").location(3)


def test_the_end_of_the_text_is_a_place() -> None:
    assert Location(2, 3) == Source("s", "ab\ncd").location(5)
    assert Location(3, 1) == Source("s", "ab\ncd\n").location(6)


def test_an_empty_text_has_one_place() -> None:
    assert Location(1, 1) == Source("s", "").location(0)


def test_a_column_counts_characters_and_not_bytes() -> None:
    assert Location(1, 3) == Source("s", "é∀x").location(2)


def test_every_offset_has_the_place_that_counting_gives() -> None:
    text = "\n\nab\r\n\nc\n"
    source = Source("s", text)
    for offset in range(len(text) + 1):
        before = text[:offset]
        expected = Location(before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)

        assert expected == source.location(offset)


def test_a_line_comes_without_its_end() -> None:
    source = Source("s", "ab\r\ncd\n")

    assert ["ab", "cd", ""] == [source.line(number) for number in (1, 2, 3)]


def test_lines_that_do_not_exist_are_empty() -> None:
    assert ["", ""] == [Source("s", "ab").line(number) for number in (0, 2)]


def test_a_slice_is_the_text_of_a_span() -> None:
    assert "bc" == Source("s", "abcd").slice(Span(1, 3))


def test_nowhere_is_an_empty_span() -> None:
    assert "" == Source("s", "abcd").slice(NOWHERE)
